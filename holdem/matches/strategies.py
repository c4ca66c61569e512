"""`Strategy`: a function that plays, with its name; how it is called, and how answers are read."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from inspect import getdoc
from typing import Any, ClassVar

import attrs
import numpy as np
from numpy.typing import NDArray

from holdem.arguments import is_iterable, require_text
from holdem.betting.stakes import Stakes
from holdem.errors import HoldemError, HoldemTypeError, HoldemValueError, one_line, quoted
from holdem.jobs.workers import WorkersClosedError
from holdem.matches.decisions import Decisions
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
    """The function of `Decisions` that returns an action for each of them."""

    @property
    def summary(self) -> str:
        """The first line of the function's docstring, or empty."""
        return one_line((getdoc(self.function) or "").partition("\n")[0])

    def __call__(self, decision: Any) -> Any:
        return self.function(decision)


def strategy(name: str) -> Callable[[Callable[[Any], Any]], Strategy]:
    """Make a `Strategy` of a function, as a decorator.

    It is needed only to offer the function in a plugin, or to give it a name other than its own:
    `play` takes plain functions, too.

    Args:
        name: 1 to 64 characters, a-z and 0-9 with ``. _ -`` between them.

    Raises:
        HoldemValueError: the name is not valid.

    Example:
        >>> import holdem, numpy as np
        >>> @holdem.strategy("any-ace")
        ... def any_ace(decision):
        ...     has_ace = (decision.hole >= 48).any(axis=1)
        ...     return np.where(has_ace, decision.max_raise, decision.FOLD)
        >>> holdem.play([any_ace, "caller"], hands=1000, seed=7).hands
        1000
    """
    check_name(name, "a strategy", HoldemValueError)
    return partial(Strategy, name)


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
        if isinstance(names, str) or not is_iterable(names) or len(list(names)) != len(items):
            raise HoldemValueError(
                f"names: expected one for each of {len(items)} seats, not {quoted(names)}"
            )
        for name in names:
            require_text(name, "a name")
    found: list[Strategy] = []
    sources: list[tuple[str, object]] = []
    seats: list[int] = []
    for place, item in enumerate(items):
        if isinstance(item, str):
            own = find(item)
        elif isinstance(item, Strategy):
            own = item
        elif callable(item):
            own = Strategy(_name_of(item, place), item)
        else:
            raise HoldemTypeError(
                f"strategies[{place}]: expected a function of a decision or the name of a strategy,"
                f" not {quoted(item)}"
            )
        if names is not None:
            own = attrs.evolve(own, name=names[place])
        source = (own.name, own.function)
        if source not in sources:
            if own.name in [name for name, _ in sources]:
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


class Player:
    """A strategy in one batch of games."""

    def __init__(self, strategy: Strategy, games: int) -> None:
        self.name = strategy.name
        self._function: Any = strategy.function
        if hasattr(self._function, "start"):  # a copy, since other batches may be played meanwhile
            from copy import copy

            self._function = self._call(copy, self._function, None)
            self._call(self._function.start, games, None)

    def decide(self, decisions: Decisions, stakes: Stakes) -> NDArray[np.int32]:
        """Call the strategy, and return its actions in chips."""
        try:
            answer = self._call(self._function, decisions, decisions)
            return self._read(answer, decisions, stakes)
        finally:
            decisions.close()

    def _call(self, function: Any, argument: Any, decisions: Decisions | None) -> Any:
        try:
            return function(argument)
        except WorkersClosedError:
            raise
        except Exception as error:
            kind = "" if isinstance(error, HoldemError) else f"{type(error).__name__}: "
            hint = ""
            if "truth value of an array" in str(error):
                hint = "; np.where and & choose for each game"
            first = f" ({self._first(decisions)})" if decisions is not None else ""
            raise HoldemValueError(
                f"strategy {quoted(self.name)} failed: {kind}{one_line(str(error))}{hint}{first}"
            ) from error

    def _first(self, decisions: Decisions, row: int = 0) -> str:
        which = "the first" if row == 0 else f"row {row}"
        return f"{which} of {len(decisions):,} decisions: {decisions.describe(row)}"

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
