"""Counts of wins, ties and losses."""

from __future__ import annotations

import attrs


@attrs.frozen
class Outcomes:
    """Counts of wins (the whole pot), ties (a shared pot) and losses."""

    wins: int
    ties: int
    losses: int

    @property
    def deals(self) -> int:
        """The number of deals: wins, ties and losses together."""
        return self.wins + self.ties + self.losses


@attrs.frozen
class HandOutcomes(Outcomes):
    """Counts of wins, ties and losses over whole hands, with their fractions."""

    @property
    def hands(self) -> int:
        """The number of hands."""
        return self.deals

    @property
    def win(self) -> float:
        """The fraction of hands won, from 0 to 1."""
        return self.wins / self.hands

    @property
    def tie(self) -> float:
        """The fraction of hands tied, from 0 to 1."""
        return self.ties / self.hands

    @property
    def lose(self) -> float:
        """The fraction of hands lost, from 0 to 1."""
        return self.losses / self.hands
