"""`Rounds`: one game of the rules in plain Python, with who was in on each street."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from holdem.betting import rulebook
from holdem.betting.rulebook import GAME, OVER
from holdem.rules import MAX_PLAYERS

#: The number of board cards on each street.
BOARD_SIZES = (0, 3, 4, 5)


class Rounds:
    """A game with the attributes of a record of `GAME`; `rules` has those of `RULES`.

    Amounts are ints of any size. `live_on` has the live positions, as bits, and the pot of each
    street that was dealt; after an all-in, the streets that were not bet on are missing.
    """

    __slots__ = (*(GAME.names or ()), "begun_with", "live_on", "rules")

    stack: list[int]
    bet: list[int]
    paid: list[int]
    pot: int
    dead: int
    highest: int
    step: int
    live: int
    able: int
    pending: int
    acted: int
    count: int
    raises: int
    raises_before: int
    raiser: int
    street: int
    all_in: int
    actor: int
    shown: int

    def __init__(self, rules: Any, stacks: Sequence[int]) -> None:
        self.rules = rules
        self.begun_with = tuple(stacks)
        self.stack = [*stacks, *[0] * (MAX_PLAYERS - len(stacks))]
        self.bet, self.paid = [0] * MAX_PLAYERS, [0] * MAX_PLAYERS
        rulebook.begin(self, rules)
        self.live_on = [(self.live, self.pot)]

    def bounds(self) -> tuple[int, int, int]:
        """Find the chips to call, and the least and largest amounts to raise to; 0 for none."""
        return rulebook.bounds(self, self.rules)

    def act(self, action: int) -> None:
        """Let the actor fold (-1), check or call (0), or raise to `action` chips, unchecked."""
        street = self.street
        rulebook.act(self, self.rules, action)
        if self.street != street:
            self.live_on.append((self.live, self.pot))

    def end_street(self) -> None:
        """Collect the bets of a street that is cut short, as if all others had called."""
        self.pending = 0
        rulebook.advance(self, self.rules)

    def put(self) -> list[int]:
        """List what each position has put into the pots, before they are divided by the cards."""
        left = self.stack[: len(self.begun_with)]
        if self.actor == OVER:  # the last live position has the pot
            left[self.live.bit_length() - 1] -= self.pot
        return [then - now for then, now in zip(self.begun_with, left, strict=True)]

    def pots(self) -> list[tuple[int, tuple[int, ...]]]:
        """List the pots of a game that is over, the main pot first, with who can win them."""
        amounts, winners = [0] * MAX_PLAYERS, [0] * MAX_PLAYERS
        count = rulebook.pots(self, self.rules, amounts, winners)
        return [(amounts[pot], positions_in(winners[pot])) for pot in range(count)]

    def award(self, strengths: Sequence[int]) -> None:
        """Divide the pots at showdown by the strengths of the live positions."""
        rulebook.award(self, self.rules, strengths, [0] * MAX_PLAYERS, [0] * MAX_PLAYERS)

    def copy(self) -> Rounds:
        """Copy the game; the copies go on independently."""
        found = Rounds.__new__(Rounds)
        for name in Rounds.__slots__:
            value = getattr(self, name, None)
            setattr(found, name, value.copy() if isinstance(value, list) else value)
        return found


def positions_in(mask: int) -> tuple[int, ...]:
    """List the positions of a bit mask."""
    return tuple([position for position in range(MAX_PLAYERS) if mask >> position & 1])
