"""Grids of a study file: each hero against opponents or villains, on one board or many."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import TypeAlias

import attrs
import numpy as np

from holdem.arguments import checked_integer
from holdem.cards import cards_text, parse_cards
from holdem.errors import CardError, HoldemError, SpotError, StudyError, quoted
from holdem.evaluation.registry import REGISTRY
from holdem.odds.known_cards import parse_board
from holdem.odds.spot import Spot, make_spot
from holdem.odds.symmetry import list_canonical_flops, weight_fixing_permutations
from holdem.ranges.starting_hands import starting_hands
from holdem.rules import MAX_PLAYERS
from holdem.trials.studies.study import GridCell, StudySpot
from holdem.trials.studies.study_spots import study_spot
from holdem.trials.studies.study_table import EACH_FLOP, StudyTable

#: The ranges of a grid with every starting hand of the rule set, strongest first.
EACH_CLASS = "each class"
#: The most spots of a grid. Each takes about a kilobyte of the store.
MAX_SPOTS = 100_000

#: Boards as card ids, each with the number of boards that it stands for.
_Boards: TypeAlias = Sequence[tuple[Sequence[int], int]]


@attrs.frozen
class _Pair:
    """A hero, and the opponents or the villain in one column of a grid."""

    cell: GridCell
    players: tuple[str, ...]
    """The ranges as given."""

    def __str__(self) -> str:
        return f"{self.cell.hero} v {self.cell.against}"


def grid_spots(table: StudyTable) -> Iterator[StudySpot]:
    """Yield the spots of a ``[[grid]]``: by opponents or villain, then by hero, then by board.

    Raises:
        StudyError: a value is invalid, a spot has no answer, or there are too many spots.
    """
    heroes, others, boards = _ranges(table, "hero"), _others(table), _boards(table)
    pairs = [
        _Pair(GridCell(table.number - 1, hero, field), (hero, *ranges))
        for field, ranges in others
        for hero in heroes
    ]
    boards_of_pairs: list[_Boards] = []
    count = len(pairs)
    for pair in pairs:
        _check_count(table, count)
        with table.located(f" {pair}"):
            found = _flops(_preflop(table, pair)) if boards is None else boards
        boards_of_pairs.append(found)
        count += len(found) - 1
    _check_count(table, count)
    for pair, found in zip(pairs, boards_of_pairs, strict=True):
        yield from _spots_of_pair(table, pair, found, skips_impossible=boards is None)


def _spots_of_pair(
    table: StudyTable, pair: _Pair, boards: _Boards, *, skips_impossible: bool
) -> Iterator[StudySpot]:
    with table.located(f" {pair}"):
        preflop = _preflop(table, pair)
    for number, (board, weight) in enumerate(boards, 1):
        place = f", board {number} ({cards_text(board)})" if len(boards) > 1 else ""
        with table.located(f" {pair}{place}"):
            try:
                # The same `Range` objects, which cache their canonical text.
                spot = make_spot(preflop.ranges, board, preflop.dead, preflop.evaluator)
            except SpotError:
                if skips_impossible:  # no hero or no villain on this flop
                    continue
                raise
            yield study_spot(table, spot, preflop.texts, cell=pair.cell, weight=weight)


def _preflop(table: StudyTable, pair: _Pair) -> Spot:
    return make_spot(pair.players, None, table.cards("dead"), table.evaluator)


def _flops(preflop: Spot) -> _Boards:
    """Return one flop of each orbit under the suit permutations that leave a spot unchanged."""
    permutations = weight_fixing_permutations(preflop)
    return _weighted_flops(preflop.free.tobytes(), tuple(permutations.tolist()))


@lru_cache(maxsize=16)  # for most pairs of a grid the same, in some 40 ms
def _weighted_flops(deck: bytes, permutations: tuple[int, ...]) -> _Boards:
    cards = np.frombuffer(deck, dtype=np.uint8)
    flops, orbit_sizes = list_canonical_flops(cards, np.array(permutations))
    return list(zip(flops.tolist(), orbit_sizes.tolist(), strict=True))


def _check_count(table: StudyTable, count: int) -> None:
    if count > MAX_SPOTS:
        raise StudyError(
            f"{table.where}: more than {MAX_SPOTS:,} spots: use fewer ranges or boards, or several"
            " studies"
        )


def _ranges(table: StudyTable, key: str) -> list[str]:
    """Return the ranges of a key: a list of texts, or every starting hand."""
    value = table.content.get(key)
    if value == EACH_CLASS:
        return [hand.name for hand in starting_hands(REGISTRY.get(table.evaluator).rules)]
    if not isinstance(value, list) or not value or not all(isinstance(v, str) for v in value):
        raise table.error(key, f'expected "{EACH_CLASS}", or a list of texts, as in ["AA"]')
    texts = [" ".join(text.split()) for text in value]
    _check_distinct(table, key, texts)
    return texts


def _others(table: StudyTable) -> list[tuple[int | str, tuple[str, ...]]]:
    """Return the numbers of opponents or the villains, each with the ranges that it means."""
    if "villain" in table.content:
        if "opponents" in table.content:
            raise table.error("villain", "a grid has opponents or villain, not both")
        return [(villain, (villain,)) for villain in _ranges(table, "villain")]
    opponents = table.content.get("opponents")
    bounds = opponents if isinstance(opponents, list | tuple) else [opponents, opponents]
    try:
        fewest, most = (
            checked_integer(bound, "opponents", 1, MAX_PLAYERS - 1, StudyError) for bound in bounds
        )
    except (ValueError, HoldemError):  # not two values, or not integers in bounds
        fewest, most = 1, 0
    if fewest > most:
        raise table.error(
            "opponents",
            f"expected the least and the most, from 1 to {MAX_PLAYERS - 1}, as in [1, 9];"
            ' or villain = ["QQ+"] instead',
        )
    return [(count, ("random",) * count) for count in range(fewest, most + 1)]


def _boards(table: StudyTable) -> _Boards | None:
    """Return the boards of a grid; None for every flop."""
    value = table.content.get("board", "")
    if value == EACH_FLOP:
        return None
    texts = [value] if isinstance(value, str) else value
    if not isinstance(texts, list) or not texts or not all(isinstance(t, str) for t in texts):
        raise table.error(
            "board", f'expected cards as text, as in "Td9d2c", a list of boards, or "{EACH_FLOP}"'
        )
    if all(map(_is_card, texts)):
        texts = [" ".join(texts)]  # a list of the cards of one board
    boards = []
    for number, text in enumerate(texts, 1):
        what = f"board {number}" if len(texts) > 1 else "board"
        try:
            boards.append(parse_board(text, what))
        except CardError as error:
            hint = f'"{EACH_FLOP}" stands for all flops'
            raise table.error("board", f"{error}; {hint}") from error
        except SpotError as error:
            raise table.error("board", f"{what}: {error}") from error
    _check_distinct(table, "board", [cards_text(sorted(board)) for board in boards])
    return [(board, 1) for board in boards]


def _is_card(text: str) -> bool:
    try:
        return len(parse_cards(text)) == 1
    except CardError:
        return False


def _check_distinct(table: StudyTable, key: str, texts: list[str]) -> None:
    for number, text in enumerate(texts, 1):
        first = texts.index(text) + 1
        if first != number:
            raise table.error(key, f"items {first} and {number} are the same: {quoted(text)}")
