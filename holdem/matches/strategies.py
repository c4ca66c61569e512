"""`Strategy`: a function that plays, with its name; how it is called, and how answers are read."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from functools import partial
from inspect import getdoc
from numbers import Real
from traceback import extract_tb
from typing import Any, ClassVar, overload

import attrs
import numpy as np
from numpy.typing import NDArray

from holdem.arguments import is_iterable, require_text
from holdem.betting.stakes import Stakes
from holdem.errors import HoldemError, HoldemTypeError, HoldemValueError, one_line, quoted
from holdem.jobs.workers import WorkersClosedError
from holdem.matches.compiled import compiled_kernel, play_rows
from holdem.matches.decisions import Batch, Decisions, Lists, OneDecision, describe, end
from holdem.matches.game_kernels import act_in_games
from holdem.rules import check_name

_ACTIONS = "-1 to fold, 0 to check or call, or the total to raise to"
_MOST = 2**31 - 1


@attrs.frozen(eq=False)
class Strategy:
    """A strategy with its name, as `holdem.strategy` makes it, and `play` and plugins take it.

    Calling it calls the function itself.
    """

    HOOK: ClassVar[str] = "holdem_strategies"

    name: str
    """The name in results, and by which users choose a strategy that a plugin offers."""
    function: Callable[[Any], Any]
    """The function of `Decisions`, of one of them or of a `Turn`, that returns actions."""
    compiled: bool = False
    """Whether the function is compiled; it gets one `Turn` at a time."""
    batch: bool = True
    """Whether the function gets many decisions at a time, as arrays."""

    @property
    def summary(self) -> str:
        """The first line of the function's docstring, or empty."""
        return one_line((getdoc(self.function) or "").partition("\n")[0])

    def __call__(self, decision: Any) -> Any:
        return self.function(decision)


@overload
def strategy(name: Callable[[Any], Any]) -> Strategy: ...
@overload
def strategy(
    name: str | None = None, *, compiled: bool = False, batch: bool = True
) -> Callable[[Callable[[Any], Any]], Strategy]: ...
def strategy(
    name: str | Callable[[Any], Any] | None = None, *, compiled: bool = False, batch: bool = True
) -> Strategy | Callable[[Callable[[Any], Any]], Strategy]:
    """Make a `Strategy` of a function, as a decorator.

    A function of arrays needs it only to be offered in a plugin, or to have a name other than its
    own: `play` takes plain functions, too. With ``batch=False``, the function gets one decision at
    a time, in plain Python: it has the attributes of `Decision`, and also `has`, `category`,
    `strength`, `random` and `deal` of `Decisions`. Such functions answer some 20,000 decisions in a
    second.

    With ``compiled=True``, numba compiles the function, in a second or so in each process. It gets
    one `Turn` at a time, returns one number, and may use what numba compiles: numbers, ``if``,
    loops, `math`, functions made by `holdem.inlined`. Such functions are as fast as the rules.

    Args:
        name: 1 to 64 characters, a-z and 0-9 with ``. _ -`` between them; by default, the name of
            the function.
        compiled: whether numba compiles the function.
        batch: whether it gets many decisions at a time.

    Raises:
        HoldemValueError: the name is not valid.
        HoldemTypeError: `name` is neither text nor a function.

    Example:
        >>> import holdem
        >>> @holdem.strategy("pairs", batch=False)
        ... def play_pairs(decision):
        ...     first, second = decision.hole
        ...     return decision.CALL if first.rank == second.rank else decision.FOLD
        >>> @holdem.strategy("maniac", compiled=True)
        ... def play_anything(turn):
        ...     return turn.max_raise if turn.random < 0.1 else 0
        >>> result = holdem.play([play_pairs, play_anything], hands=1000, seed=7)
        >>> round(result["pairs"].vpip, 2)
        0.04
    """
    if callable(name):
        return Strategy(_name_of(name, 0), name)
    if name is not None:
        require_text(name, "the name of a strategy")
        check_name(name, "a strategy", HoldemValueError)

    def make(function: Callable[[Any], Any]) -> Strategy:
        if not callable(function):
            raise HoldemTypeError(f"a strategy is a function, not {quoted(function)}")
        return Strategy(name or _name_of(function, 0), function, compiled, batch)

    return make


def read_strategies(
    given: object, names: Any, find: Callable[[str], Strategy]
) -> tuple[list[Strategy], list[int]]:
    """Read the strategies of all positions: the distinct ones, and which of them sits where.

    `find` finds one by its name.
    """
    if isinstance(given, str) or callable(given) or not is_iterable(given):
        raise HoldemTypeError(
            f"strategies: expected a list of strategies, one for each seat, not {quoted(given)}"
        )
    items = list(given)
    if names is not None:
        shown, names = (
            names,
            names if isinstance(names, str) or not is_iterable(names) else [*names],
        )
        if not isinstance(names, list) or len(names) != len(items):
            raise HoldemValueError(
                f"names: expected one for each of {len(items)} seats, not {quoted(shown)}"
            )
        for name in names:
            require_text(name, "a name")
    found: list[Strategy] = []
    sources: list[tuple[object, ...]] = []
    seats: list[int] = []
    for place, item in enumerate(items):
        if isinstance(item, str):
            own = find(item)
        elif isinstance(item, Strategy):
            own = item
        elif callable(item):
            own = Strategy(_name_of(item, items.index(item)), item)
        else:
            raise HoldemTypeError(
                f"strategies[{place}]: expected a function of a decision or the name of a strategy,"
                f" not {quoted(item)}"
            )
        if names is not None:
            own = attrs.evolve(own, name=names[place])
        source = (own.name, own.function, own.compiled, own.batch)
        if source not in sources:
            if own.name in [name for name, *_ in sources]:
                raise HoldemValueError(
                    f"two strategies are named {quoted(own.name)}: give names=[…], one for each"
                    " seat"
                )
            sources.append(source)
            found.append(own)
        seats.append(sources.index(source))
    return found, seats


def _name_of(function: Any, place: int) -> str:
    while isinstance(function, partial):
        function = function.func
    name = getattr(function, "__name__", type(function).__name__)
    return f"strategy {place + 1}" if name == "<lambda>" else str(name)


def _find_line(error: BaseException, function: Any) -> str:
    """Format the line of the function's file at which it raised an exception; "" if none."""
    code = getattr(function, "__code__", None) or getattr(type(function).__call__, "__code__", None)
    frames = extract_tb(error.__traceback__)
    lines = [frame.lineno for frame in frames if code and frame.filename == code.co_filename]
    return f" in line {lines[-1]}" if lines else ""


class Player:
    """A strategy in one batch of games."""

    def __init__(self, number: int, strategy: Strategy, games: int) -> None:
        self.name = strategy.name
        self._number, self._strategy = number, strategy
        self._function: Any = strategy.function
        if hasattr(self._function, "start"):  # a copy, since other batches may be played meanwhile
            self._function = self._call(copy, self._function, None)
            self._call(self._function.start, games, None)

    def act(
        self,
        batch: Batch,
        rows: NDArray[np.int32],
        queues: NDArray[np.int32],
        sizes: NDArray[np.int64],
        notes: NDArray[np.int64],
    ) -> None:
        """Let the strategy act in the games `rows`, file them again, and count corrections."""
        if self._strategy.compiled:
            arguments = (batch, rows, self._number, queues, sizes, notes)
            play_on = compiled_kernel(self._strategy.function, batch.stakes.chip)
            decisions = Decisions(batch, rows)
            fault = self._call(lambda own: play_rows(play_on, *own), arguments, decisions)
            if fault is not None:
                row, answer = fault
                raise self._refuse(f"{answer:g}, and not {_ACTIONS}", decisions, row)
            return
        actions = self._decide(Decisions(batch, rows), batch.stakes)
        act_in_games(
            batch.games,
            batch.rules,
            rows,
            actions,
            batch.lineups,
            queues,
            sizes,
            notes,
            batch.log,
            batch.logged,
        )

    def _decide(self, decisions: Decisions, stakes: Stakes) -> NDArray[np.int32]:
        """Call the strategy, and return its actions in chips."""
        try:
            if self._strategy.batch:
                answer = self._call(self._function, decisions, decisions)
            else:
                lists = Lists(decisions)
                answer = [self._decide_one(lists, row) for row in range(len(decisions))]
            return self._read(answer, decisions, stakes)
        finally:
            end(decisions)

    def _decide_one(self, lists: Lists, row: int) -> Any:
        one = OneDecision(lists, row)
        answer = self._call(self._function, one, lists.decisions, row)
        one.end()
        if isinstance(answer, bool | np.bool_) or not isinstance(answer, Real):
            raise self._refuse(f"{quoted(answer)}, and not {_ACTIONS}", lists.decisions, row)
        return answer

    def _call(self, function: Any, argument: Any, decisions: Decisions | None, row: int = 0) -> Any:
        try:
            return function(argument)
        except WorkersClosedError:
            raise
        except Exception as error:
            kind = "" if isinstance(error, HoldemError) else f"{type(error).__name__}: "
            hint = ""
            if "truth value of an array" in str(error):
                hint = "; np.where and & choose for each game, and @holdem.strategy(batch=False)"
                hint += " makes a function that gets one decision at a time"
            first = f" ({self._first(decisions, row)})" if decisions is not None else ""
            line = _find_line(error, self._strategy.function)
            raise HoldemValueError(
                f"strategy {quoted(self.name)} failed{line}: {kind}{one_line(str(error))}{hint}"
                f"{first}"
            ) from error

    def _first(self, decisions: Decisions, row: int = 0) -> str:
        which = "the first" if row == 0 else f"row {row}"
        return f"{which} of {len(decisions):,} decisions: {describe(decisions, row)}"

    def _refuse(self, what: str, decisions: Decisions, row: int = 0) -> HoldemValueError:
        return HoldemValueError(
            f"strategy {quoted(self.name)} returned {what} ({self._first(decisions, row)})"
        )

    def _read(self, answer: Any, decisions: Decisions, stakes: Stakes) -> NDArray[np.int32]:
        count = len(decisions)
        try:
            chosen = np.asarray(answer)
        except ValueError:  # lists of different lengths
            chosen = np.asarray(None)
        if chosen.dtype.kind not in "iuf":
            raise self._refuse(
                f"{quoted(answer) if chosen.ndim == 0 else f'an array of {chosen.dtype}'}, and not"
                f" a number for each decision: {_ACTIONS}",
                decisions,
            )
        if chosen.ndim == 0:
            chosen = np.broadcast_to(chosen, count)
        if chosen.shape != (count,):
            raise self._refuse(
                f"an array of shape {chosen.shape}, and not a number for each decision, ({count},)",
                decisions,
            )
        wrong = (chosen < 0) & (chosen != Decisions.FOLD) | (chosen != chosen)
        if wrong.any():
            row = int(wrong.argmax())
            raise self._refuse(f"{chosen[row]}, and not {_ACTIONS}", decisions, row)
        return to_chips(chosen, stakes)


def to_chips(chosen: NDArray[Any], stakes: Stakes) -> NDArray[np.int32]:
    """Convert actions in the unit of the match to chips; a raise is rounded down to whole ones."""
    if stakes.chip == 1 and chosen.dtype in (np.int32, np.int64):
        whole: NDArray[np.int32] = np.minimum(chosen, _MOST).astype(np.int32, copy=False)
        return whole
    amounts = chosen * (stakes.chip.denominator / stakes.chip.numerator)
    # What rounding of floats takes from a whole chip is given back; a raise stays one.
    raises = np.clip(np.floor(amounts + 1e-6), 1, _MOST)
    return np.where(chosen > 0, raises, chosen).astype(np.int32)
