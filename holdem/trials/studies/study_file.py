"""Study files: TOML that is parsed and validated before anything is computed.

Every error names the file, the table and the key, and says what would be valid.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Callable, Iterator, Mapping
from difflib import get_close_matches
from functools import partial
from typing import Any

import attrs

from holdem.arguments import checked_integer
from holdem.dealing.seeds import resolve_seed
from holdem.errors import HoldemError, HoldemTypeError, StudyError, one_line, quoted
from holdem.evaluation.registry import DEFAULT_EVALUATOR, REGISTRY
from holdem.jobs.threads import in_worker_thread
from holdem.odds.bounds import check_bounds
from holdem.odds.plan import METHODS, Method, make_plan
from holdem.odds.sampling.sampler import Sampler
from holdem.odds.spot import MAX_PLAYERS, canonical_text, make_spot
from holdem.ranges.starting_hands import starting_hands
from holdem.trials.studies.study import Study, StudySpot

#: The hero of a grid with every starting hand of the rule set, strongest first.
EACH_CLASS = "each class"

_DEFAULTS = ("seed", "method", "deals", "stderr", "time", "evaluator")
_CARDS = ("board", "dead")
_KEYS = {
    "the top of the file": (*_DEFAULTS, "spot", "grid"),
    "[[spot]]": ("name", "players", *_CARDS, *_DEFAULTS),
    "[[grid]]": ("hero", "opponents", *_CARDS, *_DEFAULTS),
}
_SAMPLED_ONLY = ("deals", "stderr")  # not for the exact method


def read_study(source: str | os.PathLike[str] | Mapping[str, Any]) -> Study:
    """Read and validate a study from a TOML file or a mapping.

    Args:
        source: the path of a TOML file, or a mapping of the same structure.

    Raises:
        StudyError: the study cannot be read, or a spot has no answer. The message names the
            file, the table and the key, and says what would be valid.
        HoldemTypeError: neither a path nor a mapping.
    """
    if isinstance(source, Mapping):
        return _study(source, "study")
    if not isinstance(source, str | os.PathLike):
        raise HoldemTypeError(f"a study must be a path or a mapping, not {quoted(source)}")
    path = os.fspath(source)
    where = one_line(path)
    try:
        with open(path, "rb") as file:
            content = tomllib.loads(file.read().decode("utf-8-sig"))  # editors may write a BOM
    except OSError as error:
        raise StudyError(f"{where}: cannot be read: {error.strerror or error}") from error
    except RecursionError as error:
        raise StudyError(f"{where}: not valid TOML: tables or lists nested too deeply") from error
    except ValueError as error:  # invalid TOML or UTF-8
        raise StudyError(f"{where}: not valid TOML: {one_line(str(error))}") from error
    return _study(content, where)


def _study(content: Mapping[str, Any], file: str) -> Study:
    top = _Table(content, file, "the top of the file")
    for key in _DEFAULTS:
        top.value(key)  # validated even if every spot overrides it
    _check_exact(top, top.value("method"))
    spots = [
        spot
        for kind, read in (("spot", _spot), ("grid", _grid))
        for number, table in enumerate(_tables(top, kind), 1)
        for spot in read(_Table(table, file, f"[[{kind}]]", number, top))
    ]
    if not spots:
        raise StudyError(f"{file}: a study needs a [[spot]] or a [[grid]], and has none")
    return Study(tuple(spots))


def _tables(top: _Table, kind: str) -> list[dict[str, Any]]:
    tables = top.content.get(kind, [])
    if isinstance(tables, dict):
        raise top.error(kind, f"write [[{kind}]] with two brackets, because there can be many")
    if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
        raise top.error(kind, f"expected tables [[{kind}]]")
    return tables


@attrs.frozen
class _Table:
    """A TOML table of a study file, with its position in the file."""

    content: Mapping[str, Any]
    file: str
    kind: str
    number: int = 0
    """The number among the tables of the same name, from 1; 0 for the top of the file."""
    top: _Table | None = None

    def __attrs_post_init__(self) -> None:
        known = _KEYS[self.kind]
        for key in self.content:
            if key not in known:
                near = get_close_matches(str(key), known, n=1)
                hint = f" (did you mean {near[0]}?)" if near else ""
                raise StudyError(
                    f"{self.where}: no key {quoted(str(key))}{hint}; there are: {', '.join(known)}"
                )

    @property
    def where(self) -> str:
        number = f" {self.number}" if self.number else ""
        name = self.content.get("name")
        shown = f" ({one_line(name, 40)})" if isinstance(name, str) else ""
        return f"{self.file}: {self.kind}{number}{shown}"

    def error(self, key: str, problem: str) -> StudyError:
        value = self.content.get(key)
        shown = f" = {one_line(repr(value), 60)}" if key in self.content else ""
        return StudyError(f"{self.where}: {key}{shown}: {problem}")

    def value(self, key: str) -> Any:
        """Return the validated value of a key in `_DEFAULTS`; None if it is not set.

        A key that is not in this table is looked up at the top of the file.
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
        name: str | None = self.value("evaluator")
        return name or DEFAULT_EVALUATOR

    def cards(self, key: str) -> str:
        value = self.content.get(key, "")
        if isinstance(value, list) and all(isinstance(card, str) for card in value):
            return " ".join(value)
        if not isinstance(value, str):
            raise self.error(key, 'expected cards as text, as in "Td9d2c"')
        return value


def _spot(table: _Table) -> Iterator[StudySpot]:
    players = table.content.get("players")
    if not isinstance(players, list) or not all(isinstance(player, str) for player in players):
        raise table.error(
            "players", f'expected a list of 2 to {MAX_PLAYERS} texts, as in ["AsKs", "QQ+"]'
        )
    name = table.content.get("name")
    if name is not None and (not isinstance(name, str) or not name.isprintable() or not name):
        raise table.error("name", "expected one printable line of text")
    yield _make_spot(table, tuple(players), name)


def _grid(table: _Table) -> Iterator[StudySpot]:
    hero = table.content.get("hero")
    if hero == EACH_CLASS:
        heroes = [hand.name for hand in starting_hands(REGISTRY.get(table.evaluator).rules)]
    elif isinstance(hero, list) and hero and all(isinstance(hand, str) for hand in hero):
        heroes = hero
    else:
        raise table.error("hero", f'expected "{EACH_CLASS}", or a list of texts, as in ["AA"]')
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
            f"expected the least and the most, from 1 to {MAX_PLAYERS - 1}, as in [1, 9]",
        )
    for count in range(fewest, most + 1):
        for hand in heroes:
            players = (hand, *["random"] * count)
            name = f"{' '.join(hand.split())} v {count} random"
            yield _make_spot(table, players, name, (table.number - 1, hand, count))


def _make_spot(
    table: _Table,
    players: tuple[str, ...],
    name: str | None,
    cell: tuple[int, str, int] | None = None,
) -> StudySpot:
    """Create a spot from a table's values and the defaults, and validate it as a whole."""
    method: Method = table.value("method") or "auto"
    _check_exact(table, method)
    bounds = {key: table.value(key) for key in ("deals", "stderr", "time")}
    if method == "exact":  # the defaults are for sampled spots
        bounds |= dict.fromkeys(_SAMPLED_ONLY)
    try:
        spot = make_spot(players, table.cards("board"), table.cards("dead"), table.evaluator)
        # Raise errors of the method now rather than hours into the run.
        if method == "exact":
            make_plan(spot, method)
        elif method == "monte-carlo":
            in_worker_thread(partial(Sampler, spot, 0))
    except StudyError:
        raise
    except HoldemError as error:
        place = f" {cell[1]} v {cell[2]} random" if cell else ""
        raise StudyError(f"{table.where}{place}: {error}") from error
    board, dead = (tuple(str(card) for card in cards) for cards in (spot.board, spot.dead))
    if name is None or cell:
        name = name or " v ".join(spot.texts)
        name += f" on {''.join(board)}" if board else ""
        name += f" without {''.join(dead)}" if dead else ""
    return StudySpot(
        name=name,
        players=spot.texts,
        board=board,
        dead=dead,
        method=method,
        **bounds,
        seed=table.value("seed"),
        evaluator=spot.evaluator.name,
        question=canonical_text(spot),
        combos=tuple(len(live) for live in spot.live),
        cell=cell,
    )


def _check_exact(table: _Table, method: Method | None) -> None:
    """Raise `StudyError` if a table with the exact method limits deals or the standard error."""
    for key in _SAMPLED_ONLY:
        if method == "exact" and key in table.content:
            raise table.error(key, "method exact takes no deals and no stderr")


def _checked_method(value: Any) -> Method:
    if value not in METHODS:
        raise StudyError(f"expected one of {', '.join(METHODS)}")
    return value  # type: ignore[no-any-return]


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
