"""A spot: the question. Who holds what, on which board, with which cards out of play."""

from __future__ import annotations

from functools import cached_property
from math import comb

import attrs
import numpy as np
from numpy.typing import NDArray

from holdem.cards import (
    DECK_SIZE,
    Card,
    CardArray,
    CardsLike,
    card_set,
    cards_text,
    parse_cards,
    require_distinct,
)
from holdem.errors import BudgetError, HoldemTypeError, SpotError, quoted
from holdem.evaluation.contract import EvaluatorSpec
from holdem.evaluation.evaluator import Evaluator
from holdem.evaluation.registry import REGISTRY
from holdem.ranges.combos import COMBO_CARDS, COMBO_SETS
from holdem.ranges.range import Range
from holdem.values import RuleSet

MIN_PLAYERS, MAX_PLAYERS = 2, 10
_MOST_SEARCHED = 200_000  # sets of cards: about a second
BOARD_SIZE = 5
_ONE_BY_ONE = 16  # combos: so few are quicker without arrays
_FEW_PAIRS = 4096  # of combos of two players: as quickly compared as searched
_EACH_CARD: NDArray[np.uint64] = np.uint64(1) << np.arange(DECK_SIZE, dtype=np.uint64)


# With slots, what is cached would make every attribute slow to read.
@attrs.frozen(eq=False, slots=False)
class Spot:
    """A question that has an answer: at least one deal is possible.

    Made by `make_spot`, which checks; everything below trusts it.
    """

    ranges: tuple[Range, ...]
    texts: tuple[str, ...]
    """The players as they were given, for display; canonical text for a `Range`."""
    board: tuple[Card, ...]
    dead: tuple[Card, ...]
    evaluator: Evaluator

    @cached_property
    def live(self) -> tuple[NDArray[np.intp], ...]:
        """For each player the combos held in at least one deal, ``intp (combo,)``.

        Raises:
            SpotError: there is no deal; never of a spot that was checked.
            BudgetError: ranges that share so many cards that it cannot be told.
        """
        possible = tuple(_unblocked(self, player) for player in range(self.players))
        return _jointly_held(self, possible)

    @property
    def players(self) -> int:
        """The number of players."""
        return len(self.ranges)

    @property
    def to_come(self) -> int:
        """How many board cards are still to be dealt: 5, 2, 1 or 0."""
        return BOARD_SIZE - len(self.board)

    @cached_property
    def gone(self) -> int:
        """The card set of all cards that nobody can be dealt: board, dead, not in the deck."""
        return self.evaluator.rules.outside | card_set(self.board) | card_set(self.dead)

    @property
    def cards_left(self) -> int:
        """The number of cards that holes and runouts come from."""
        return DECK_SIZE - self.gone.bit_count()

    @cached_property
    def free(self) -> CardArray:
        """The cards that holes and runouts come from, ``uint8 (card,)``, lowest first."""
        return _cards_outside(self.gone)

    @cached_property
    def known(self) -> tuple[CardArray, ...]:
        """The holes of players who have just one combo, ``uint8 (2,)`` each; else empty."""
        none = np.zeros(0, dtype=np.uint8)
        return tuple(COMBO_CARDS[own[0]] if len(own) == 1 else none for own in self.live)

    @cached_property
    def board_cards(self) -> CardArray:
        """The cards that can still come on the board, ``uint8 (card,)``, lowest first."""
        held = card_set(np.concatenate(self.known).tolist())
        return _cards_outside(self.gone | held)

    @property
    def runouts(self) -> int:
        """In how many ways the board can be completed once all holes are dealt."""
        return comb(self.cards_left - 2 * self.players, self.to_come)

    def weights(self, player: int) -> NDArray[np.float64]:
        """Return the weights of a player's live combos, ``float64 (combo,)``."""
        return self.ranges[player].weights[self.live[player]]

    @cached_property
    def is_unweighted(self) -> bool:
        """Whether every live combo weighs 1, so that deals are counted in whole numbers."""
        return not any(
            np.count_nonzero(self.weights(player) != 1) for player in range(self.players)
        )


def _cards_outside(bits: int) -> CardArray:
    return np.flatnonzero(_EACH_CARD & np.uint64(bits) == 0).astype(np.uint8)


def make_spot(
    players: tuple[str | Range, ...],
    board: CardsLike | None = None,
    dead: CardsLike | None = None,
    evaluator: str | Evaluator | EvaluatorSpec | None = None,
) -> Spot:
    """Read and check a question.

    Args:
        players: 2 to 10 ranges, or texts in the range language, read within the evaluator's
            rule set: of short deck, ``random`` is 630 combos. Of a `Range`, what the deck does
            not have cannot be held.
        board: 0, 3, 4 or 5 cards.
        dead: cards out of play.
        evaluator: a name, a spec, or None for the default.

    Raises:
        HoldemError: one of its kinds, for whatever makes the question unanswerable; the
            message names the player, the text and what would work.
    """
    ranking = REGISTRY.get(evaluator)
    if not MIN_PLAYERS <= len(players) <= MAX_PLAYERS:
        raise SpotError(f"equity needs {MIN_PLAYERS} to {MAX_PLAYERS} players, not {len(players)}")
    rules = ranking.rules
    ranges = tuple(_read_range(player, seat, rules) for seat, player in enumerate(players, 1))
    board_cards = parse_cards(board if board is not None else (), what="board")
    dead_cards = parse_cards(dead if dead is not None else (), what="dead cards")
    if len(board_cards) not in (0, 3, 4, 5):
        raise SpotError(
            f"a board has 0, 3, 4 or 5 cards, not {len(board_cards)}:"
            f" {cards_text(board_cards, ' ')}"
        )
    require_distinct([("board", board_cards), ("dead cards", dead_cards)])
    rules.require_in_deck(board_cards, "board")
    rules.require_in_deck(dead_cards, "dead cards")
    texts = tuple(
        " ".join(player.split()) if isinstance(player, str) else str(player) for player in players
    )
    spot = Spot(ranges, texts, board_cards, dead_cards, ranking)
    needed = 2 * len(ranges) + spot.to_come
    if needed > spot.cards_left:
        raise SpotError(
            f"{len(ranges)} players and the board need {needed} more cards,"
            f" and only {spot.cards_left} are left"
        )
    assert spot.live  # raises where there is no deal
    return spot


def _read_range(player: str | Range, seat: int, rules: RuleSet) -> Range:
    if isinstance(player, Range):
        found = player
    elif isinstance(player, str):
        try:
            found = Range(player, rules=rules)
        except ValueError as error:
            # The range's own error, with the player it belongs to.
            error.args = (f"player {seat}: {error}",)
            raise
    else:
        raise HoldemTypeError(f"player {seat}: expected a Range or text, not {quoted(player)}")
    if len(found) == 0:
        raise SpotError(f"player {seat}: the range is empty")
    return found


def _unblocked(spot: Spot, player: int) -> NDArray[np.intp]:
    possible = spot.ranges[player].held
    if spot.gone:
        possible = possible[COMBO_SETS[possible] & np.uint64(spot.gone) == 0]
    if not len(possible):
        named = quoted(spot.texts[player])
        gone = [card for card in (*spot.board, *spot.dead) if _holds(spot.ranges[player], card)]
        rules = spot.evaluator.rules
        what = (
            f"blocked by {cards_text(gone, ' ')}"
            if gone
            else f"none is in the deck of {rules.name} rules ({rules.deck_text})"
        )
        raise SpotError(f"player {player + 1}: {named} has no hand left: {what}")
    return possible


def _holds(held: Range, card: Card) -> bool:
    with_card = (COMBO_SETS & np.uint64(1 << card)) != 0
    return bool((held.weights[with_card] > 0).any())


def _jointly_held(
    spot: Spot, possible: tuple[NDArray[np.intp], ...]
) -> tuple[NDArray[np.intp], ...]:
    """Keep the combos that some deal holds: that leave every other player a hand."""
    sets = [COMBO_SETS[combos] for combos in possible]
    if len(sets) == 2 and len(sets[0]) * len(sets[1]) <= _FEW_PAIRS:
        together = sets[0][:, None] & sets[1] == 0
        if together.all():
            return possible
        _require_a_deal(spot, together)
        return possible[0][together.any(axis=1)], possible[1][together.any(axis=0)]
    cards = spot.cards_left
    # A range so wide that the cards of all others cannot block it never decides anything.
    others = 2 * (len(sets) - 1)
    most_blocked = comb(cards, 2) - comb(max(cards - others, 0), 2)
    narrow = [player for player, own in enumerate(sets) if len(own) <= most_blocked]
    narrow.sort(key=lambda player: len(sets[player]))
    kept = []
    for player, own in enumerate(sets):
        rivals = [sets[rival] for rival in narrow if rival != player]
        fits = _leave_room(own, rivals)
        _require_a_deal(spot, fits)
        kept.append(possible[player][fits])
    return tuple(kept)


def _require_a_deal(spot: Spot, fits: NDArray[np.bool_]) -> None:
    if not fits.any():
        texts = ", ".join(quoted(text) for text in spot.texts)
        raise SpotError(f"no deal is possible: {texts} cannot all be held at once")


def _leave_room(own: NDArray[np.uint64], rivals: list[NDArray[np.uint64]]) -> NDArray[np.bool_]:
    """Tell of each combo whether the rivals can all hold a hand beside it, ``bool (combo,)``."""
    search = _Search(rivals)
    if len(own) < _ONE_BY_ONE:
        return np.array([search.held_beside(combo) is not None for combo in own.tolist()])
    fits = np.zeros(len(own), dtype=np.bool_)
    unknown = np.ones(len(own), dtype=np.bool_)
    while unknown.any():
        combo = int(np.argmax(unknown))
        unknown[combo] = False
        held = search.held_beside(int(own[combo]))
        if held is not None:  # it leaves room to most others, too
            fits |= own & np.uint64(held) == 0
            unknown &= ~fits
    return fits


class _Search:
    """Whether rivals can all hold a hand, no card twice, next to cards that are taken.

    What cannot be is kept: many orders of hands take the same cards, of those that matter to
    the rivals still to come.
    """

    def __init__(self, rivals: list[NDArray[np.uint64]]) -> None:
        self._rivals: list[list[int]] = [sets.tolist() for sets in rivals]
        self._wanted = [0] * len(rivals)
        for rival in reversed(range(len(rivals))):
            later = self._wanted[rival + 1] if rival + 1 < len(rivals) else 0
            self._wanted[rival] = later | int(np.bitwise_or.reduce(rivals[rival]))
        self._hopeless: set[tuple[int, int]] = set()
        self._tried = 0

    def held_beside(self, taken: int, first: int = 0) -> int | None:
        """Return cards that the rivals from number `first` on can hold; None if they cannot."""
        if first == len(self._rivals):
            return 0
        taken &= self._wanted[first]
        if (first, taken) in self._hopeless:
            return None
        self._tried += 1
        if self._tried > _MOST_SEARCHED:
            raise BudgetError(
                "these ranges share so many cards that it cannot be told in reasonable time"
                " who can hold what; widen the ranges or take players out"
            )
        for combo in self._rivals[first]:
            if combo & taken == 0:
                others = self.held_beside(taken | combo, first + 1)
                if others is not None:
                    return combo | others
        self._hopeless.add((first, taken))
        return None
