"""`Decision`: what the player whose turn it is can see."""

from __future__ import annotations

from math import comb
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from holdem.cards import Card, cards_text
from holdem.errors import HoldemRuntimeError
from holdem.evaluation.hand_value import HandValue
from holdem.ranges.combos import Combo
from holdem.ranges.starting_hands import standing_of

if TYPE_CHECKING:
    from holdem.betting.game import Game


class Decision:
    """What the player whose turn it is can see; a property is computed when it is asked for.

    Amounts are in the unit of the game. `stacks`, `bets` and `live` are relative: item 0 is the
    player who decides, item 1 the next one clockwise, and so on. A decision can be read until the
    player has acted.

    Raises:
        HoldemRuntimeError: a property is read after the player has acted.
    """

    __slots__ = ("_count", "_game")

    FOLD: ClassVar[int] = -1
    """The action that folds."""
    CALL: ClassVar[int] = 0
    """The action that checks or calls; any larger number raises to this number of chips."""

    def __init__(self, game: Game) -> None:
        self._game, self._count = game, len(game._log)

    def _now(self) -> Game:
        if len(self._game._log) != self._count:
            raise HoldemRuntimeError(
                "this decision is over; copy what you need of it before the action, or ask"
                " game.decision again"
            )
        return self._game

    @property
    def position(self) -> int:
        """The position of the player, counted from the left of the button."""
        return self._now()._rounds.actor

    @property
    def street(self) -> int:
        """0 before the flop, 1 on the flop, 2 on the turn, 3 on the river."""
        return self._now()._rounds.street

    @property
    def hole(self) -> tuple[Card, Card]:
        """The player's hole cards."""
        game = self._now()
        return game.holes[game._rounds.actor]

    @property
    def board(self) -> tuple[Card, ...]:
        """The board cards that are dealt."""
        return self._now().board

    @property
    def pot(self) -> int | float:
        """All chips that are in, bets of this street included."""
        game = self._now()
        return game._stakes.amount(game._rounds.pot)

    @property
    def to_call(self) -> int | float:
        """The chips that a call costs: 0 to check, at most the player's stack."""
        game = self._now()
        return game._stakes.amount(game._rounds.bounds()[0])

    @property
    def highest(self) -> int | float:
        """The bet to call, as a total for this street."""
        game = self._now()
        return game._stakes.amount(game._rounds.highest)

    @property
    def bet(self) -> int | float:
        """The player's bet on this street so far."""
        game = self._now()
        return game._stakes.amount(game._rounds.bet[game._rounds.actor])

    @property
    def stack(self) -> int | float:
        """The player's chips behind."""
        game = self._now()
        return game._stakes.amount(game._rounds.stack[game._rounds.actor])

    @property
    def min_raise(self) -> int | float:
        """The least total to raise to, all-in included; 0 if no raise is open."""
        game = self._now()
        return game._stakes.amount(game._rounds.bounds()[1])

    @property
    def max_raise(self) -> int | float:
        """The largest total to raise to; 0 if no raise is open."""
        game = self._now()
        return game._stakes.amount(game._rounds.bounds()[2])

    @property
    def big_blind(self) -> int | float:
        """The big blind of the game."""
        game = self._now()
        return game._stakes.amount(game._stakes.big_blind)

    @property
    def raises(self) -> int:
        """Bets and raises on this street so far; blinds do not count."""
        return self._now()._rounds.raises

    @property
    def raises_before(self) -> int:
        """Bets and raises on earlier streets."""
        game = self._now()
        street = game._rounds.street
        return sum([action > 0 and on < street for on, _, action in game._log])

    @property
    def last_raiser(self) -> int | None:
        """Who has raised last in this hand, relative to the player; None if nobody has."""
        game = self._now()
        for _, position, action in reversed(game._log):
            if action > 0:
                return (position - game._rounds.actor) % game.players
        return None

    @property
    def stacks(self) -> tuple[int | float, ...]:
        """The chips behind of all players, relative to the player."""
        return self._now()._relative(self._game._rounds.stack)

    @property
    def bets(self) -> tuple[int | float, ...]:
        """The bets of all players on this street, relative to the player."""
        return self._now()._relative(self._game._rounds.bet)

    @property
    def live(self) -> tuple[bool, ...]:
        """Whether each player has not folded, relative to the player."""
        game = self._now()
        live, players = game._rounds.live, game.players
        actor = game._rounds.actor
        return tuple([bool(live >> (actor + i) % players & 1) for i in range(players)])

    @property
    def actions(self) -> tuple[tuple[int, int, int | float], ...]:
        """The actions so far, as in `Game.actions`."""
        return self._now().actions

    @property
    def percentile(self) -> float:
        """The share of all hole cards that are not stronger before the flop; 1 for aces."""
        rules = self._now().evaluator.rules
        standing = standing_of(np.array([Combo(self.hole).number]), rules)
        return 1 - standing.top + standing.combos / comb(len(rules.deck), 2)

    @property
    def value(self) -> HandValue:
        """The player's best five cards with the board, from the flop on."""
        game = self._now()
        return game.value(game._rounds.actor)

    def __repr__(self) -> str:
        board = cards_text(self.board, " ") or "no board"
        raises = f", raise to {self.min_raise}..{self.max_raise}" if self.max_raise else ""
        return (
            f"<Decision of position {self.position}: {cards_text(self.hole, ' ')}, {board},"
            f" pot {self.pot}, {self.to_call} to call{raises}>"
        )
