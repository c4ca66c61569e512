"""How often somebody came out how, over any number of trials."""

from __future__ import annotations

import attrs


@attrs.frozen
class Outcomes:
    """How often something was won alone, shared and lost."""

    wins: int
    ties: int
    losses: int

    @property
    def deals(self) -> int:
        """All of them."""
        return self.wins + self.ties + self.losses


@attrs.frozen
class HandOutcomes(Outcomes):
    """How often somebody came out how. A win is alone at the top, a tie shares the pot."""

    @property
    def hands(self) -> int:
        """All hands."""
        return self.deals

    @property
    def win(self) -> float:
        """The fraction of hands won, 0..1."""
        return self.wins / self.hands

    @property
    def tie(self) -> float:
        """The fraction of hands tied, 0..1."""
        return self.ties / self.hands

    @property
    def lose(self) -> float:
        """The fraction of hands lost, 0..1."""
        return self.losses / self.hands
