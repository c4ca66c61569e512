"""The price of a call and of a bet: what pot and bet ask of equity and of folds."""

from __future__ import annotations

from typing import Any

import attrs

from holdem.errors import HoldemValueError


@attrs.frozen
class Price:
    """A bet into a pot, and the equity or folds that calling it or making it requires.

    A player is taken to win a share of the pot equal to the equity: later bets are left out.
    """

    pot: float
    """The pot before the bet, in any unit."""
    bet: float
    """The bet, in the same unit."""

    def __attrs_post_init__(self) -> None:
        if not 0 <= self.pot < float("inf"):
            raise HoldemValueError(f"a pot is a number from 0, not {self.pot:g}")
        if not 0 < self.bet < float("inf"):
            raise HoldemValueError(f"a bet is a number above 0, not {self.bet:g}")

    @property
    def needed(self) -> float:
        """The equity that a call needs: bet / (pot + 2 bet)."""
        return self.bet / (self.pot + 2 * self.bet)

    @property
    def defence(self) -> float:
        """The share of a range that must not fold, so that no bluff profits: pot / (pot + bet)."""
        return self.pot / (self.pot + self.bet)

    @property
    def bluff_folds(self) -> float:
        """How often others must fold for a bet without equity to break even: bet / (pot + bet)."""
        return self.bet / (self.pot + self.bet)

    def value(self, equity: float) -> float:
        """Compute what a call, or a called bet, wins on average: equity (pot + 2 bet) - bet."""
        return equity * (self.pot + 2 * self.bet) - self.bet

    def folds(self, equity: float) -> float:
        """Compute how often others must fold for a bet to break even, given the equity when called.

        With a share ``f`` of folds, it does if ``f pot + (1 - f) value(equity)`` is 0. If the value
        is not negative, no folds are needed.
        """
        called = self.value(equity)
        return 0.0 if called >= 0 else called / (called - self.pot)

    def to_dict(self, equity: float | None, players: int) -> dict[str, Any]:
        """Convert the price to a JSON object, with a call's EV, the required folds and the verdict.

        Args:
            equity: the player's equity; None if it is not known.
            players: the number of players; the folds to a bet with equity are for two.
        """
        record: dict[str, Any] = {"pot": self.pot, "bet": self.bet, "needed": self.needed}
        record |= {"mdf": self.defence, "bluff_folds": self.bluff_folds}
        record["call_ev"] = self.value(equity) if equity is not None else None
        record["folds"] = self.folds(equity) if equity is not None and players == 2 else None
        return record | {"verdict": self.verdict(equity) if equity is not None else None}

    def verdict(self, equity: float) -> str:
        """Return ``"call"``, ``"fold"`` or ``"even"``, by comparing an equity with `needed`."""
        if equity == self.needed:
            return "even"
        return "call" if equity > self.needed else "fold"
