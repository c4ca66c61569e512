"""The price of a call or a bet: the equity or the folds that it needs to break even."""

from __future__ import annotations

from math import isnan
from typing import Any

import attrs

from holdem.errors import HoldemValueError


@attrs.frozen
class Price:
    """A bet into a pot, and what it takes to break even: equity to call it, folds to make it.

    It is assumed that there are no later bets, so that a player wins a share of the pot equal to
    the equity.
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
        """The equity that a call needs to break even: ``bet / (pot + 2 * bet)``."""
        return self.bet / (self.pot + 2 * self.bet)

    @property
    def defence(self) -> float:
        """The share of the caller's range that must not fold, so that no bluff makes a profit.

        This is ``pot / (pot + bet)``.
        """
        return self.pot / (self.pot + self.bet)

    @property
    def bluff_folds(self) -> float:
        """How often the opponent must fold, from 0 to 1, for a bet without equity to break even.

        This is ``bet / (pot + bet)``.
        """
        return self.bet / (self.pot + self.bet)

    def value(self, equity: float) -> float:
        """Compute the expected profit of a call, or of a bet that is called.

        It is ``equity * (pot + 2 * bet) - bet``, in the unit of the pot.
        """
        return equity * (self.pot + 2 * self.bet) - self.bet

    def check_value(self, equity: float) -> float:
        """Compute the expected profit of a check after which nobody bets: ``equity * pot``."""
        return equity * self.pot

    def folds(self, equity: float) -> float:
        """Compute how often the opponent must fold, from 0 to 1, for a bet to break even.

        The result is the ``f`` for which the bet's expected profit, ``f * pot + (1 - f) *
        value(equity)``, is 0, where `equity` is the bettor's if the bet is called. If
        ``value(equity)`` is not negative, the result is 0.
        """
        called = self.value(equity)
        return 0.0 if called >= 0 else called / (called - self.pot)

    def to_dict(self, equity: float, players: int) -> dict[str, Any]:
        """Convert the price to a JSON object.

        It also contains the expected profits of a call and of a check, the folds that a bet needs
        and the verdict; without an equity, which is NaN, these are None. The folds are None, too,
        unless there are 2 players.
        """
        record: dict[str, Any] = {"pot": self.pot, "bet": self.bet, "needed": self.needed}
        record |= {"mdf": self.defence, "bluff_folds": self.bluff_folds}
        is_known = not isnan(equity)
        record["call_ev"] = self.value(equity) if is_known else None
        record["check_ev"] = self.check_value(equity) if is_known else None
        record["folds"] = self.folds(equity) if is_known and players == 2 else None
        return record | {"verdict": self.verdict(equity) if is_known else None}

    def verdict(self, equity: float) -> str:
        """Compare an equity with `needed`: ``"call"`` if it is larger, ``"fold"`` or ``"even"``."""
        if equity == self.needed:
            return "even"
        return "call" if equity > self.needed else "fold"
