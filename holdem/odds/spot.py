"""Spots: the players' ranges, the board, the dead cards and the evaluator."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, reduce
from itertools import accumulate
from math import comb
from operator import or_
from typing import Any, TypeAlias

import attrs
import numpy as np
from numpy.typing import NDArray

from holdem.arguments import checked_integer, is_iterable
from holdem.cached_property import cached_property
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
from holdem.errors import (
    BudgetError,
    CardError,
    HoldemError,
    HoldemTypeError,
    HoldemValueError,
    SpotError,
    counted,
    quoted,
)
from holdem.evaluation.evaluator import Evaluator
from holdem.evaluation.registry import REGISTRY, EvaluatorLike
from holdem.odds.card_removal import count_unblocked
from holdem.ranges.combos import COMBO_CARDS, COMBO_COUNT, COMBO_SETS
from holdem.ranges.range import Range, expand_names
from holdem.rules import MAX_PLAYERS, MIN_PLAYERS, RuleSet

#: A player as an argument: text in the range language, a `Range`, or two cards.
PlayerLike: TypeAlias = "Range | CardsLike"

BOARD_SIZE = 5

_LONGEST_NAME = 30  # characters
_SEPARATOR = re.compile(r"[\s,;/|]+")
_SEARCH_LIMIT = 200_000  # sets of cards visited: about a second
_FEW_COMBOS = 16  # fewer are searched one by one, which is faster than with arrays
_CARD_BITS: NDArray[np.uint64] = np.uint64(1) << np.arange(DECK_SIZE, dtype=np.uint64)


# With slots, cached properties would make every attribute slow to read.
@attrs.frozen(eq=False, slots=False)
class Spot:
    """Everything that determines the players' equities: ranges, board, dead cards and evaluator.

    Spots are created by `make_spot`, which validates its arguments and ensures that at least one
    deal is possible. Cards are ids 0..51, and combos are numbers 0..1325 (`holdem.ranges.combos`).
    """

    ranges: tuple[Range, ...]
    texts: tuple[str, ...]
    """The players' ranges as given, for display; canonical text for a `Range`."""
    board: tuple[Card, ...]
    dead: tuple[Card, ...]
    evaluator: Evaluator
    names: tuple[str, ...] | None = None
    """The names of the players, if names were given."""

    @cached_property
    def live(self) -> tuple[NDArray[np.intp], ...]:
        """Each player's live combos: the combos that the player holds in at least one deal.

        There is one array ``intp (combo,)`` for each player, in ascending order.
        """
        possible = tuple([_unblocked(self, player) for player in range(self.players)])
        return _in_some_deal(self, possible)

    # Keeping these would take longer than computing them.
    @property
    def players(self) -> int:
        return len(self.ranges)

    @property
    def to_come(self) -> int:
        """The number of board cards still to be dealt: 5, 2, 1 or 0."""
        return BOARD_SIZE - len(self.board)

    @cached_property
    def gone(self) -> int:
        """The cards that cannot be dealt: board, dead cards, and cards that are not in the deck.

        They are a card set: an integer in which bit ``i`` is set for the card with id ``i``.
        """
        return self.evaluator.rules.outside | card_set(self.board) | card_set(self.dead)

    @property
    def cards_left(self) -> int:
        """The number of cards from which hole cards and runouts are dealt."""
        return DECK_SIZE - self.gone.bit_count()

    @cached_property
    def free(self) -> CardArray:
        """The ids of the cards that can be dealt, lowest first, ``uint8 (card,)``."""
        return _cards_outside(self.gone)

    @cached_property
    def all_known(self) -> bool:
        return all(len(combos) == 1 for combos in self.live)

    @cached_property
    def known(self) -> tuple[CardArray, ...]:
        """Each player's hole cards, ``uint8 (2,)``; empty if the player has several live combos."""
        none = np.zeros(0, dtype=np.uint8)
        return tuple(COMBO_CARDS[own[0]] if len(own) == 1 else none for own in self.live)

    @cached_property
    def board_cards(self) -> CardArray:
        """The ids of the cards that can still come on the board, lowest first, ``uint8 (card,)``.

        They are the cards of `free` that are not in `known`.
        """
        held = card_set(np.concatenate(self.known).tolist())
        return _cards_outside(self.gone | held)

    @cached_property
    def boards(self) -> int:
        """The number of ways to complete the board with cards of `board_cards`."""
        known = sum([len(own) == 1 for own in self.live])
        return comb(self.cards_left - 2 * known, self.to_come)

    @cached_property
    def runouts(self) -> int:
        """The number of ways to complete the board after all players' hole cards are dealt."""
        return comb(self.cards_left - 2 * self.players, self.to_come)

    def name(self, player: int) -> str | None:
        return None if self.names is None else self.names[player]

    def weights(self, player: int) -> NDArray[np.float64]:
        """Return the weights of a player's combos in the order of `live`, ``float64 (combo,)``."""
        return self._live_weights[player]

    @cached_property
    def _live_weights(self) -> tuple[NDArray[np.float64], ...]:
        return tuple([own.weights[live] for own, live in zip(self.ranges, self.live, strict=True)])

    @cached_property
    def all_weights(self) -> NDArray[np.float64]:
        """Players' weights by combo number, ``float64 (player, 1326)``; 0 if not live."""
        weights = np.zeros((self.players, COMBO_COUNT))
        for player, combos in enumerate(self.live):
            weights[player, combos] = self._live_weights[player]
        return weights

    @cached_property
    def live_combos(self) -> NDArray[np.intp]:
        """The combos that are live for at least one player, ascending, ``intp (combo,)``."""
        is_live = np.zeros(COMBO_COUNT, dtype=np.bool_)
        for combos in self.live:
            is_live[combos] = True
        return is_live.nonzero()[0]

    @cached_property
    def is_unweighted(self) -> bool:
        """Whether all live combos have weight 1, so that sums of weights are counts of deals."""
        if all(own.is_unweighted for own in self.ranges):
            return True
        return not any(np.count_nonzero(weights != 1) for weights in self._live_weights)

    def __getstate__(self) -> dict[str, Any]:
        """Return the fields for pickling, without the cached properties computed from them."""
        return {field.name: getattr(self, field.name) for field in attrs.fields(Spot)}


def _cards_outside(bits: int) -> CardArray:
    return np.flatnonzero(_CARD_BITS & np.uint64(bits) == 0).astype(np.uint8)


def parse_known_cards(
    board: CardsLike | None, dead: CardsLike | None, rules: RuleSet
) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
    """Parse the board and the dead cards.

    The attribute `field` of errors is ``"board"`` or ``"dead"``: the wrong argument.
    """
    field = "board"
    try:
        board_cards = parse_board(board)
        rules.require_in_deck(board_cards, "board")
        if dead is None:
            return board_cards, ()
        field = "dead"
        dead_cards = parse_cards(dead, what="dead cards")
        require_distinct([("board", board_cards), ("dead cards", dead_cards)])
        rules.require_in_deck(dead_cards, "dead cards")
    except HoldemValueError as error:
        error.field = field
        raise
    return board_cards, dead_cards


def parse_board(board: CardsLike | None, what: str = "board") -> tuple[Card, ...]:
    """Parse the cards of a board, up to five; `what` names it in messages about invalid cards."""
    cards = parse_cards(board if board is not None else (), what=what)
    if len(cards) > BOARD_SIZE:
        raise SpotError(f"a board has up to 5 cards, not {len(cards)}: {cards_text(cards, ' ')}")
    return cards


def make_spot(
    players: tuple[PlayerLike, ...],
    board: CardsLike | None = None,
    dead: CardsLike | None = None,
    evaluator: EvaluatorLike | None = None,
    *,
    fewest: int = MIN_PLAYERS,
    names: Sequence[str] | None = None,
) -> Spot:
    """Parse and validate the arguments of `holdem.equity` that describe a spot.

    Text of `players` is read in the range language of the evaluator's rule set: in short deck,
    ``random`` is 630 combos. Combos of a `Range` with cards that are not in the deck are never
    live. `fewest` is the smallest valid number of players; 1 for queries about a single range.
    """
    ranking = REGISTRY.get(evaluator)
    if not fewest <= len(players) <= MAX_PLAYERS:
        problem = f"expected {fewest} to {MAX_PLAYERS} players, not {len(players)}"
        raise SpotError(problem + describe_single(players))
    rules = ranking.rules
    ranges = [
        _parse_player(player, seat, len(players), rules) for seat, player in enumerate(players)
    ]
    board_cards, dead_cards = parse_known_cards(board, dead, rules)
    texts = tuple(
        [
            " ".join(expand_names(player, rules).split()) if isinstance(player, str) else str(hands)
            for player, hands in zip(players, ranges, strict=True)
        ]
    )
    spot = Spot(tuple(ranges), texts, board_cards, dead_cards, ranking)
    needed = 2 * len(ranges) + spot.to_come
    if needed > spot.cards_left:
        raise SpotError(
            f"{counted(len(ranges), 'player')} and the board need {needed} more cards,"
            f" and only {spot.cards_left} are left"
        )
    _ = spot.live  # raises if no deal is possible
    return spot if names is None else attrs.evolve(spot, names=check_names(names, spot.players))


def fill_players(
    given: Sequence[PlayerLike], players: int, fewest: int = MIN_PLAYERS
) -> tuple[PlayerLike, ...]:
    """Add players with random hands, so that there are `players`."""
    if len(given) > MAX_PLAYERS:  # refused by `make_spot`
        return tuple(given)
    fewest = max(fewest, len(given))
    are_given = f" ({len(given)} are given)" if len(given) > 1 else ""
    bounds = f"from {fewest} to {MAX_PLAYERS}{are_given}"
    players = checked_integer(players, "players", fewest, MAX_PLAYERS, SpotError, bounds)
    return (*given, *("random",) * (players - len(given)))


def describe_single(players: tuple[object, ...]) -> str:
    """Build the advice that ends an error message about too few players.

    For a single player, it says how to give several; otherwise, it is empty.
    """
    if len(players) != 1:
        return ""
    (player,) = players
    if not isinstance(player, str):
        if is_iterable(player) and not isinstance(player, Range):
            return '; give the players as separate arguments: equity("AsKs", "QQ")'
    elif len(_SEPARATOR.split(player.strip())) > 1:
        return (
            f"; {quoted(player)} is one player's range; give the players as separate arguments,"
            ' as in equity("AsKs", "QQ") or holdem equity AsKs QQ'
        )
    return "; use random for an unknown hand; for one range, use holdem hits"


def check_names(names: Sequence[str], players: int) -> tuple[str, ...]:
    """Validate the names of players; return them without spaces around them."""
    if isinstance(names, str) or not is_iterable(names):
        raise HoldemTypeError(
            f'names must be a list of strings, as in ["BTN", "BB"], not {quoted(names)}'
        )
    checked = []
    for name in names:
        if not isinstance(name, str):
            raise HoldemTypeError(f"the name of a player must be text, not {quoted(name)}")
        stripped = name.strip()
        if not (0 < len(stripped) <= _LONGEST_NAME and stripped.isprintable()):
            raise HoldemValueError(
                f"the name of a player has 1 to {_LONGEST_NAME} printable characters,"
                f" not {quoted(name)}"
            )
        if stripped in checked:
            raise HoldemValueError(f"two players have the name {quoted(stripped)}")
        checked.append(stripped)
    if len(checked) != players:
        given = f"{counted(len(checked), 'name')} ({', '.join(checked)})"
        raise HoldemValueError(f"{given} for {players} players; give one for each")
    return tuple(checked)


def seat_label(player: int, players: int) -> str:
    """Build the prefix of a message, such as ``"player 1: "``; empty for a single player."""
    return f"player {player + 1}: " if players > 1 else ""


def read_range(player: object, rules: RuleSet, players: int = 1) -> Range:
    """Convert text, two cards or a `Range` to a `Range`.

    Text is read by `rules`; the advice in messages depends on the number of players in the query.
    """
    if isinstance(player, Range):
        return player
    if isinstance(player, str):
        return Range(player, rules=rules)
    if player is None:
        raise HoldemTypeError("the hand or range is missing")
    problem = f"expected a Range, text or two cards, not {quoted(player)}"
    if isinstance(player, float) and 0 < player < 1:
        raise HoldemTypeError(f"{problem}; Range.top({player}) is a share of all hands")
    if not is_iterable(player) or isinstance(player, bytes | Mapping):
        raise HoldemTypeError(problem)
    try:
        cards = parse_cards(player, what="hole cards")
        if len(cards) != 2:
            hint = ", and there is no Omaha here; a range of several is Range.from_combos(combos)"
            raise CardError(f"hole cards are two cards, not {len(cards)}" + hint * (len(cards) > 2))
    except HoldemError:
        if hasattr(player, "dtype") or hasattr(player, "columns"):
            raise HoldemTypeError(f"{problem}; equities takes columns of spots") from None
        if are_hands(player, rules):
            way = 'join hands, as in ",".join(x)'
            if players > 1:
                way = f"give the players as separate arguments; for the range of one, {way}"
            raise HoldemTypeError(f"{problem}; {way}") from None
        raise
    return Range.from_combos([cards])


def are_hands(player: Iterable[object], rules: RuleSet) -> bool:
    """Test whether a sequence contains only strings that form a range when joined by commas.

    Error messages then give advice, since hands were given where something else was expected.
    """
    texts = [item for item in player if isinstance(item, str)]
    try:
        return len(texts) == len(list(player)) and len(Range(",".join(texts), rules=rules)) > 0
    except HoldemError:
        return False


def _parse_player(player: PlayerLike, seat: int, players: int, rules: RuleSet) -> Range:
    try:
        found = read_range(player, rules, players)
        if len(found) == 0:
            raise SpotError("the range is empty")
    except HoldemError as error:
        error.args = (f"{seat_label(seat, players)}{error}",)
        if isinstance(error, HoldemValueError):
            error.player = seat if players > 1 else None
        raise
    return found


def _unblocked(spot: Spot, player: int) -> NDArray[np.intp]:
    possible = spot.ranges[player].held
    if spot.ranges[player].card_union & spot.gone:
        possible = possible[COMBO_SETS[possible] & np.uint64(spot.gone) == 0]
    if not len(possible):
        named = quoted(spot.texts[player])
        held = spot.ranges[player]
        blocking = []
        for cards, where in ((spot.board, "on the board"), (spot.dead, "among the dead cards")):
            gone = [card for card in sorted(cards, reverse=True) if _holds(held, card)]
            if gone:
                blocking.append(f"{cards_text(gone, ' ')} {where}")
        rules = spot.evaluator.rules
        what = (
            f"blocked by {' and '.join(blocking)}"
            if blocking
            else f"none is in the deck of {rules.name} rules ({rules.deck_text})"
        )
        label = seat_label(player, spot.players)
        error = SpotError(f"{label}{named} has no possible hand: {what}")
        error.player = player if spot.players > 1 else None
        raise error
    return possible


def _holds(held: Range, card: Card) -> bool:
    with_card = (COMBO_SETS & np.uint64(1 << card)) != 0
    return bool((held.weights[with_card] > 0).any())


def _in_some_deal(
    spot: Spot, possible: tuple[NDArray[np.intp], ...]
) -> tuple[NDArray[np.intp], ...]:
    """Find each player's live combos, ``intp (combo,)``.

    `possible` are each player's combos that contain no card of `Spot.gone`, ``intp (combo,)``.
    """
    unions = [own.card_union for own in spot.ranges]
    if sum(unions) == reduce(or_, unions):  # no card is in two ranges
        return possible
    cards = spot.cards_left
    # Ranges with more combos than all other players together can block are not searched.
    others = 2 * (len(possible) - 1)
    most_blocked = comb(cards, 2) - comb(max(cards - others, 0), 2)
    narrow = [player for player, own in enumerate(possible) if len(own) <= most_blocked]
    if not narrow:
        return possible
    narrow.sort(key=lambda player: len(possible[player]))
    live = []
    for player, own in enumerate(possible):
        rivals = [possible[rival] for rival in narrow if rival != player]
        if rivals:
            own = own[_leave_room(own, rivals)]
        if not len(own):
            raise SpotError(f"no deal is possible: {_describe_conflict(spot, possible)}")
        live.append(own)
    return tuple(live)


def _describe_conflict(spot: Spot, possible: tuple[NDArray[np.intp], ...]) -> str:
    """Explain in a phrase why no deal is possible.

    If a card is in every combo of two players, the phrase names it; otherwise, it lists all ranges.
    `possible` is as for `_in_some_deal`.
    """
    needed = [int(np.bitwise_and.reduce(COMBO_SETS[own])) for own in possible]
    for second, own in enumerate(needed):
        for first, other in enumerate(needed[:second]):
            if shared := own & other:
                card = Card(shared.bit_length() - 1)
                return f"{card} is in the hands of players {first + 1} and {second + 1}"
    texts = ", ".join(quoted(text) for text in spot.texts)
    return f"{texts} cannot all be held at once"


def _leave_room(combos: NDArray[np.intp], rivals: list[NDArray[np.intp]]) -> NDArray[np.bool_]:
    """Check, for each combo of a player, whether all rivals can hold a combo at the same time.

    Combos, those of each rival, and the answers are ``(combo,)``. No card is used twice.
    """
    own = COMBO_SETS[combos]
    if len(rivals) == 1:
        (rival,) = rivals
        if min(len(own), len(rival)) > 1:
            return count_unblocked(combos, rival) > 0
        shares_no_card: NDArray[np.bool_] = own & COMBO_SETS[rival] == 0
        return shares_no_card if len(rival) == 1 else np.array([shares_no_card.any()])
    find_disjoint = _make_search([COMBO_SETS[rival] for rival in rivals])
    if len(own) < _FEW_COMBOS:
        return np.array([find_disjoint(combo) is not None for combo in own.tolist()])
    leaves_room = np.zeros(len(own), dtype=np.bool_)
    unknown = np.ones(len(own), dtype=np.bool_)
    while unknown.any():
        combo = int(np.argmax(unknown))
        unknown[combo] = False
        held = find_disjoint(int(own[combo]))
        if held is not None:  # most other combos share no card with `held`, either
            leaves_room |= own & np.uint64(held) == 0
            unknown &= ~leaves_room
    return leaves_room


def _make_search(rivals: list[NDArray[np.uint64]]) -> Callable[[int], int | None]:
    """Make a function that searches for a combo for each rival, no two of which share a card.

    The function takes the card set of the cards that no rival can hold. It returns the card set of
    the combos that it finds, or None if there are no such combos, and raises `BudgetError` if the
    search takes too long. The search goes through the rivals in turn. Different combos of the first
    rivals often leave the remaining rivals the same choice, so results for the remaining rivals are
    cached; the key contains only those unavailable cards that occur in their combos.

    `rivals` are the combos of each rival as card sets, ``uint64 (combo,)``.
    """
    combos: list[list[int]] = [sets.tolist() for sets in rivals]
    # The cards in the combos of each rival and of those after it.
    unions = [int(np.bitwise_or.reduce(sets)) for sets in reversed(rivals)]
    relevant = [*accumulate(unions, or_, initial=0)][::-1]

    visited = 0

    @cache
    def search(first: int, gone: int) -> int | None:
        nonlocal visited
        if first == len(combos):
            return 0
        visited += 1
        if visited > _SEARCH_LIMIT:
            raise BudgetError(
                "these ranges share so many cards that the search for a possible deal takes too"
                " long; widen the ranges or remove players"
            )
        for combo in combos[first]:
            if combo & gone == 0:
                others = search(first + 1, (gone | combo) & relevant[first + 1])
                if others is not None:
                    return combo | others
        return None

    return lambda gone: search(0, gone & relevant[0])


def canonical_text(spot: Spot) -> str:
    """Format a spot as its canonical text.

    The random stream of a spot in `equities` or in a study depends on the seed and on this text.
    Two spots have the same text if they have the same ranges and rule set, the same cards on the
    board and the same dead cards, in any order.
    """
    players = " v ".join(str(player) for player in spot.ranges)
    board, dead = (
        cards_text(sorted(cards, reverse=True), " ") or "-" for cards in (spot.board, spot.dead)
    )
    return f"{players} | board {board} | dead {dead} | rules {spot.evaluator.rules}"
