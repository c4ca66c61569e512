"""`read_study`, which reads a study file and validates all of it before anything is computed.

A study file is a TOML file with ``[[spot]]`` tables, each of which defines a spot, and ``[[grid]]``
tables, each of which defines a spot for every combination of hero, opponents and board. Every error
message names the file, the table and the key, and says which values are valid.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import lru_cache, partial
from itertools import chain
from sys import intern
from typing import Any, TypeAlias

import attrs
import numpy as np

from holdem.arguments import checked_integer, checked_path
from holdem.cards import cards_text, parse_cards
from holdem.dealing.seeds import resolve_seed
from holdem.errors import (
    CardError,
    HoldemError,
    RangeError,
    SpotError,
    StudyError,
    did_you_mean,
    one_line,
    quoted,
)
from holdem.evaluation.registry import DEFAULT_EVALUATOR, REGISTRY
from holdem.odds.bounds import check_bounds
from holdem.odds.card_removal import sum_unblocked
from holdem.odds.plan import METHODS, Method, make_plan
from holdem.odds.sampling.sampler import require_deals
from holdem.odds.spot import Spot, canonical_text, make_spot, parse_board
from holdem.odds.symmetry import list_canonical_flops, weight_fixing_permutations
from holdem.ranges.range import Range, expand_names
from holdem.ranges.starting_hands import starting_hands
from holdem.rules import MAX_PLAYERS
from holdem.trials.studies.study import GridCell, Study, StudySpot

#: The keys that every table may have. Their defaults may be given at the top of the file.
DEFAULT_KEYS = ("seed", "method", "deals", "stderr", "time", "evaluator")
#: The text that stands for every flop as the boards of a grid. Flops that are equal up to suit
#: permutations that leave the ranges unchanged are computed once.
EACH_FLOP = "each flop"

#: The text that stands for every starting hand of the rule set as ranges, strongest first.
EACH_CLASS = "each class"
#: The most spots of a grid. Each takes one or two kilobytes of the store.
MAX_SPOTS = 100_000

#: The keys that must not be given with the exact method.
SAMPLED_ONLY = ("deals", "stderr")

_CARDS = ("board", "dead")
_KEYS = {
    "the top of the file": (*DEFAULT_KEYS, "spot", "grid"),
    "[[spot]]": ("name", "players", *_CARDS, *DEFAULT_KEYS),
    "[[grid]]": ("hero", "villain", "opponents", *_CARDS, *DEFAULT_KEYS),
}

#: Boards as card ids, each with the number of boards that it stands for.
_Boards: TypeAlias = Sequence[tuple[Sequence[int], int]]


def read_study(source: str | os.PathLike[str] | Mapping[str, Any]) -> Study:
    """Read and validate a study from a TOML file or a mapping of the same structure."""
    if isinstance(source, Mapping):
        return _validate_study(source, "study")
    path = checked_path(source, "a study", "a path or a mapping")
    where = one_line(path)
    try:
        with open(path, "rb") as file:
            content = tomllib.loads(file.read().decode("utf-8-sig"))  # editors may write a BOM
    except OSError as error:
        raise StudyError(f"{where}: cannot be read: {error.strerror or error}") from error
    except RecursionError as error:
        raise StudyError(f"{where}: not valid TOML: tables or lists nested too deeply") from error
    except ValueError as error:  # invalid TOML or UTF-8
        is_table = path.lower().endswith((".csv", ".tsv", ".parquet"))
        hint = "; `holdem equities` reads tables of spots" if is_table else ""
        raise StudyError(f"{where}: not valid TOML: {one_line(str(error))}{hint}") from error
    return _validate_study(content, where)


def _validate_study(content: Mapping[str, Any], file: str) -> Study:
    top = StudyTable(content, file, "the top of the file")
    for key in DEFAULT_KEYS:
        top.value(key)  # validated even if every spot overrides it
    _check_exact(top, top.value("method"))
    listed, grids = _read_tables(top, "spot"), _read_tables(top, "grid")
    spots = (*map(_read_listed_spot, listed), *chain.from_iterable(map(_read_grid, grids)))
    if not spots:
        raise StudyError(f"{file}: a study needs a [[spot]] or a [[grid]], and has none")
    tables = [*listed, *grids]
    evaluators = dict.fromkeys(table.evaluator for table in tables)
    return Study(spots, tuple(evaluators), any(table.value("seed") is None for table in tables))


def _read_tables(top: StudyTable, kind: str) -> list[StudyTable]:
    tables = top.content.get(kind, [])
    if isinstance(tables, dict):
        raise top.error(kind, f"write [[{kind}]] with two brackets, because there can be many")
    if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
        raise top.error(kind, f"expected tables [[{kind}]]")
    return [
        StudyTable(table, top.file, f"[[{kind}]]", number, top)
        for number, table in enumerate(tables, 1)
    ]


@attrs.frozen
class StudyTable:
    """A TOML table of a study file, with its position in the file; unknown keys are errors."""

    content: Mapping[str, Any]
    file: str
    """The file name, for messages."""
    kind: str
    """``"the top of the file"``, ``"[[spot]]"`` or ``"[[grid]]"``."""
    number: int = 0
    """The number among the tables of the same kind, from 1; 0 for the top of the file."""
    top: StudyTable | None = None
    """The top of the file, which may have defaults; None if this is the top."""

    def __attrs_post_init__(self) -> None:
        known = _KEYS[self.kind]
        for key in self.content:
            if key not in known:
                if not self.number:
                    where = " or ".join(kind for kind in _KEYS if key in _KEYS[kind])
                    hint = f"; put it in a {where}" if where else did_you_mean(str(key), known)
                    raise StudyError(
                        f"{self.file}: unknown key {quoted(str(key))} at the top level{hint};"
                        f" there are: {', '.join(known)}"
                    )
                hint = did_you_mean(str(key), known)
                raise StudyError(
                    f"{self.where}: no key {quoted(str(key))}{hint}; there are: {', '.join(known)}"
                )

    @property
    def where(self) -> str:
        """The position for messages, such as ``"study.toml: [[spot]] 2 (its name)"``."""
        number = f" {self.number}" if self.number else ""
        name = self.content.get("name")
        shown = f" ({one_line(name, 40)})" if isinstance(name, str) else ""
        return f"{self.file}: {self.kind}{number}{shown}"

    def error(self, key: str, problem: str) -> StudyError:
        """Create the error to raise for an invalid value of `key`.

        The message gives the position, the key, its value, and the text `problem`.
        """
        value = self.content.get(key)
        shown = f" = {quoted(value)}" if key in self.content else ""
        return StudyError(f"{self.where}: {key}{shown}: {problem}")

    @contextmanager
    def located(self, position: str = "") -> Iterator[None]:
        """Convert each `HoldemError` in a ``with`` statement to a `StudyError` with the position.

        `position` follows the file and the table, such as ``" AA v KK"`` for a cell of a grid.
        """
        try:
            yield
        except StudyError:
            raise
        except HoldemError as error:
            raise StudyError(f"{self.where}{position}: {error}") from error

    def value(self, key: str) -> Any:
        """Validate one of `DEFAULT_KEYS` of this table or, if missing, of the top of the file.

        It is None if neither has the key.
        """
        for table in (self, self.top):
            if table is not None and key in table.content:
                try:
                    return _VALIDATORS[key](table.content[key])
                except HoldemError as error:
                    raise table.error(key, str(error)) from error
        return None

    @property
    def evaluator(self) -> str:
        """The name of the evaluator; the default evaluator if table and top of file name none."""
        name: str | None = self.value("evaluator")
        return name or DEFAULT_EVALUATOR

    def cards(self, key: str) -> str:
        """Return the cards under ``board`` or ``dead`` as one string, unvalidated; "" for none."""
        value = self.content.get(key, "")
        if isinstance(value, list) and all(isinstance(card, str) for card in value):
            return " ".join(value)
        if not isinstance(value, str):
            raise self.error(key, 'expected cards as text, as in "Td9d2c"')
        return value


def _check_exact(table: StudyTable, method: Method | None) -> None:
    """Raise `StudyError` if `method` is exact, but the table limits deals or standard error."""
    for key in SAMPLED_ONLY:
        if method == "exact" and key in table.content:
            raise table.error(key, "method exact takes no deals and no stderr")


def _checked_method(value: Any) -> Method:
    if not isinstance(value, str) or value not in METHODS:
        raise StudyError(f"expected one of {', '.join(METHODS)}")
    return value


def _checked_bound(key: str, value: Any) -> Any:
    checked = check_bounds(**{"deals": None, "stderr": None, "time": None, key: value})
    return value if value is None else getattr(checked, key)


def _checked_evaluator(value: Any) -> str:
    if not isinstance(value, str):
        raise StudyError("expected a name as text")
    return REGISTRY.get(value).name


def _checked_seed(value: Any) -> int:
    if value is None:  # possible in a mapping
        raise StudyError("omit the key to have a seed drawn")
    return resolve_seed(value)


_VALIDATORS: dict[str, Callable[[Any], Any]] = {
    "seed": _checked_seed,
    "method": _checked_method,
    **{key: partial(_checked_bound, key) for key in ("deals", "stderr", "time")},
    "evaluator": _checked_evaluator,
}


def _read_listed_spot(table: StudyTable) -> StudySpot:
    players = table.content.get("players")
    if not isinstance(players, list) or not all(isinstance(player, str) for player in players):
        raise table.error(
            "players", f'expected a list of 2 to {MAX_PLAYERS} strings, as in ["AsKs", "QQ+"]'
        )
    name = table.content.get("name")
    if name is not None and (not isinstance(name, str) or not name.isprintable() or not name):
        raise table.error("name", "expected one printable line of text")
    board = table.content.get("board")
    if isinstance(board, str) and board == EACH_FLOP:
        raise table.error("board", "a [[spot]] has one board; use a [[grid]]")
    with table.located():
        cards = table.cards("board"), table.cards("dead")
        spot = make_spot(tuple(players), *cards, table.evaluator)
        return _make_study_spot(table, spot, spot.texts, name)


def _make_study_spot(
    table: StudyTable,
    spot: Spot,
    players: tuple[str, ...],
    name: str | None = None,
    cell: GridCell | None = None,
    weight: int = 1,
) -> StudySpot:
    """Combine a validated spot with the method, limits and seed from its table.

    `players` are the texts of the ranges. Without a name, one is made of the ranges, the board and
    the dead cards. The cell is None if the spot is not from a grid; `weight` is that of
    `SpotResult`.
    """
    method: Method = table.value("method") or "auto"
    _check_exact(table, method)
    bounds = {key: table.value(key) for key in ("deals", "stderr", "time")}
    # Raise errors of the method now rather than hours into the run.
    if method == "exact":
        make_plan(spot, method)
        bounds |= dict.fromkeys(SAMPLED_ONLY)  # the defaults are for sampled spots
    elif method == "monte-carlo":
        require_deals(spot)
    board, dead = (tuple(intern(str(card)) for card in cards) for cards in (spot.board, spot.dead))
    if name is None:
        name = _name_cell(cell) if cell else " v ".join(players)
        name += f" on {''.join(board)}" if board else ""
        name += f" without {''.join(dead)}" if dead else ""
    return StudySpot(
        name=name,
        players=players,
        board=board,
        dead=dead,
        method=method,
        **bounds,
        seed=table.value("seed"),
        evaluator=spot.evaluator.name,
        question=canonical_text(spot),
        combos=tuple(len(live) for live in spot.live),
        cell=cell,
        weight=weight,
        matchups=None if cell is None else _weigh_matchups(spot),
    )


def _weigh_matchups(spot: Spot) -> float:
    """Compute the total weight of the match-ups of the first two players.

    A match-up is a live combo for each of them without a common card. Its weight is the product of
    the weights of the two combos.
    """
    hero, villain, *_ = spot.all_weights
    return float(hero @ sum_unblocked(villain[None])[0])


def _read_grid(table: StudyTable) -> Iterator[StudySpot]:
    """Yield the spots of a ``[[grid]]`` table.

    For the first villain or number of opponents, all boards of the first hero come first, then all
    boards of the second hero, and so on; the next opponents follow.
    """
    heroes, others, boards = _read_ranges(table, "hero"), _read_others(table), _read_boards(table)
    cells = [GridCell(table.number - 1, hero, other) for other in others for hero in heroes]
    count = len(cells)
    boards_of_cells: list[_Boards] = []
    for cell in cells:
        found = boards or _find_flops(_make_preflop_spot(table, cell))
        boards_of_cells.append(found)
        count += len(found) - 1
        if count > MAX_SPOTS:
            raise StudyError(
                f"{table.where}: more than {MAX_SPOTS:,} spots: use fewer ranges or boards, or"
                " several studies"
            )
    for cell, found in zip(cells, boards_of_cells, strict=True):
        yield from _make_cell_spots(table, cell, found, skips_impossible=boards is None)


def _make_cell_spots(
    table: StudyTable, cell: GridCell, boards: _Boards, *, skips_impossible: bool
) -> Iterator[StudySpot]:
    preflop = _make_preflop_spot(table, cell)
    for number, (board, weight) in enumerate(boards, 1):
        position = f", board {number} ({cards_text(board)})" if len(boards) > 1 else ""
        with table.located(f" {_name_cell(cell)}{position}"):
            try:
                # The same `Range` objects, which cache their canonical text.
                spot = make_spot(preflop.ranges, board, preflop.dead, preflop.evaluator)
            except SpotError:
                if skips_impossible:  # no hero or no villain on this flop
                    continue
                raise
            yield _make_study_spot(table, spot, preflop.texts, cell=cell, weight=weight)


def _name_cell(cell: GridCell) -> str:
    return f"{cell.hero} v {cell.against}"


def _make_preflop_spot(table: StudyTable, cell: GridCell) -> Spot:
    others = [cell.others] if isinstance(cell.others, str) else ["random"] * cell.others
    with table.located(f" {_name_cell(cell)}"):
        return make_spot((cell.hero, *others), None, table.cards("dead"), table.evaluator)


def _find_flops(preflop: Spot) -> _Boards:
    """List the flops of a grid, only one of those that give the hero the same equity by symmetry.

    These are the flops that become equal by a permutation of suits that leaves the dead cards and
    the weights of all ranges unchanged. Each comes with the number of flops that it stands for.
    """
    permutations = weight_fixing_permutations(preflop)
    return _weigh_flops(preflop.free.tobytes(), tuple(permutations.tolist()))


@lru_cache(maxsize=16)  # for most pairs of a grid the same, in some 40 ms
def _weigh_flops(deck: bytes, permutations: tuple[int, ...]) -> _Boards:
    cards = np.frombuffer(deck, dtype=np.uint8)
    flops, orbit_sizes = list_canonical_flops(cards, np.array(permutations))
    return list(zip(flops.tolist(), orbit_sizes.tolist(), strict=True))


def _read_ranges(table: StudyTable, key: str) -> list[str]:
    """Read the ranges under ``hero`` or ``villain``: a string, several, or `EACH_CLASS`.

    Names of ranges are replaced by what they stand for, and `EACH_CLASS` by all classes of starting
    hands.
    """
    value = table.content.get(key)
    if value == EACH_CLASS:
        return [hand.name for hand in starting_hands(REGISTRY.get(table.evaluator).rules)]
    if isinstance(value, str):
        try:
            Range(value)
        except RangeError as error:
            hint = f'"{EACH_CLASS}" stands for all starting hands'
            raise table.error(key, f"{error}; {hint}") from error
        value = [value]
    if not isinstance(value, list) or not value or not all(isinstance(v, str) for v in value):
        raise table.error(
            key, f'expected a range, a list of ranges, as in ["AA", "KK"], or "{EACH_CLASS}"'
        )
    rules = REGISTRY.get(table.evaluator).rules
    texts = [" ".join(expand_names(text, rules).split()) for text in value]
    _check_distinct(table, key, texts)
    return texts


def _read_others(table: StudyTable) -> Sequence[int | str]:
    """Read the texts of the villains' ranges, or the numbers of random opponents, of a grid."""
    if "villain" in table.content:
        if "opponents" in table.content:
            raise table.error("villain", "a grid has opponents or villain, not both")
        return _read_ranges(table, "villain")
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
            f"expected the smallest and the largest number, from 1 to {MAX_PLAYERS - 1}, as in"
            ' [1, 9]; or write villain = "QQ+" instead',
        )
    return range(fewest, most + 1)


def _read_boards(table: StudyTable) -> _Boards | None:
    """Read the boards of a grid, each with weight 1; None if the grid has every flop.

    Without the key ``board``, there is one board without cards.
    """
    value = table.content.get("board", "")
    if value == EACH_FLOP:
        return None
    texts = [value] if isinstance(value, str) else value
    if not isinstance(texts, list) or not texts or not all(isinstance(t, str) for t in texts):
        raise table.error(
            "board", f'expected cards as text, as in "Td9d2c", a list of boards, or "{EACH_FLOP}"'
        )
    with suppress(CardError):
        if all(len(parse_cards(text)) == 1 for text in texts):
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


def _check_distinct(table: StudyTable, key: str, texts: list[str]) -> None:
    numbers: dict[str, int] = {}
    for number, text in enumerate(texts, 1):
        first = numbers.setdefault(text, number)
        if first != number:
            raise table.error(key, f"items {first} and {number} are the same: {quoted(text)}")
