"""Checks of a strategy: whether it plays the same hand alike, whatever else is played."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from copy import deepcopy
from time import perf_counter
from typing import Any

import attrs
import numpy as np
from numpy.typing import NDArray

from holdem.errors import HoldemError
from holdem.matches.decisions import Decisions, Lists, OneDecision, describe
from holdem.matches.match import play
from holdem.matches.strategies import Strategy, to_chips

_SETTINGS: tuple[dict[str, Any], ...] = (
    {"seats": 2, "stacks": 200},
    {"seats": 6, "stacks": 200},
    {"seats": 3, "stacks": 20, "antes": 1},
    {"seats": 4, "stacks": 100, "blinds": (0.5, 1)},
    {"seats": 3, "stacks": 40, "limit": "fixed"},
)
_HANDS = 1500  # of each setting
_TIMED_HANDS = 20_000


@attrs.frozen(kw_only=True)
class StrategyCheck:
    """The result of one check."""

    name: str
    decisions: int
    failure: str
    """What is wrong; empty if nothing is."""


@attrs.frozen(kw_only=True)
class CheckedStrategy:
    """The checks of a strategy, and what it was seen to do."""

    name: str
    checks: tuple[StrategyCheck, ...]
    decisions: int
    corrections: dict[str, int] = attrs.field(hash=False)
    """How often the rules changed an action of its, by what was changed."""
    hands_per_second: float | None
    """When it plays against itself in six seats; None if it fails there."""

    @property
    def passed(self) -> bool:
        return not any(check.failure for check in self.checks)

    def to_dict(self) -> dict[str, Any]:
        """Build the JSON object that ``holdem strategies check -f json`` prints."""
        return {"schema": "holdem/strategy-check/1", "passed": self.passed} | attrs.asdict(self)


def check_strategy(strategy: Strategy, seed: int) -> CheckedStrategy:
    """Play hands by a strategy, and ask it for each decision again in other company.

    A compiled strategy, which Python can't ask, only plays everything again.
    """
    if not strategy.batch:
        strategy = Strategy(strategy.name, _one_by_one(strategy.function))
    seen = _Seen()
    corrections: Counter[str] = Counter()
    failures = {"plays": "", "same again": ""}
    for setting in _SETTINGS:
        try:
            first = _play(strategy, setting, seed, seen)
            again = _play(strategy, setting, seed, None)
        except HoldemError as error:
            failures["plays"] = str(error)
            break
        corrections.update(first[strategy.name].corrections)
        if first.strategies != again.strategies:
            failures["same again"] = (
                f"other results when the same hands are played again ({setting})"
            )
    speed = None
    if not failures["plays"]:
        try:
            speed = _measure(strategy, seed)
        except HoldemError as error:
            failures["plays"] = str(error)
    if not strategy.compiled:
        failures |= seen.failures
    checks = [
        StrategyCheck(name=name, decisions=seen.decisions, failure=failure)
        for name, failure in failures.items()
    ]
    return CheckedStrategy(
        name=strategy.name,
        checks=tuple(checks),
        decisions=seen.decisions,
        corrections=dict(corrections.most_common()),
        hands_per_second=speed,
    )


def _play(strategy: Strategy, setting: dict[str, Any], seed: int, seen: _Seen | None) -> Any:
    arguments = dict(setting)
    others = arguments.pop("seats") - 1
    own = strategy
    if seen and not strategy.compiled:
        own = Strategy(strategy.name, _Asked(strategy.function, seen))
    opponent = Strategy("opponent" + "'" * (strategy.name == "opponent"), _vary)
    return play([own, *[opponent] * others], hands=_HANDS, seed=seed, workers=1, **arguments)


def _one_by_one(function: Callable[[Any], Any]) -> Callable[[Decisions], list[Any]]:
    """Make a function of arrays of one that gets one decision at a time."""

    def decide(decisions: Decisions) -> list[Any]:
        lists = Lists(decisions)
        return [function(OneDecision(lists, row)) for row in range(len(decisions))]

    return decide


def _vary(decision: Decisions) -> NDArray[Any]:
    """Fold seldom and raise often, so that hands become long and pots large."""
    kind = decision.random
    small = decision.min_raise + decision.big_blind * np.floor(20 * (kind - 0.6))
    return np.select([kind < 0.1, kind < 0.6, kind < 0.9], [-1, 0, small], decision.max_raise)


def _measure(strategy: Strategy, seed: int) -> float:
    """Play by a strategy against itself in six seats, and return the hands in a second."""
    play([strategy] * 6, hands=_HANDS, seed=seed, workers=1)  # what is compiled, is now
    started = perf_counter()
    hands = play([strategy] * 6, hands=_TIMED_HANDS, seed=seed, workers=1).hand_count
    return hands / (perf_counter() - started)


class _Seen:
    """What was found while a strategy was asked."""

    def __init__(self) -> None:
        self.decisions = 0
        self.failures = {"repeatable": "", "order": "", "batches": ""}

    def compare(
        self, check: str, what: str, first: NDArray[np.int32], other: Any, d: Decisions
    ) -> None:
        if not self.failures[check] and not np.array_equal(first, other):
            row = int((first != other).argmax())
            self.failures[check] = (
                f"{first[row]} chips, and {other[row]} {what}: {describe(d, row)}"
            )


class _Asked:
    """A strategy that is asked again for each decision, by copies of it that remember the same."""

    def __init__(self, function: Callable[[Any], Any], seen: _Seen) -> None:
        self._given = self._function = function
        self._seen = seen

    def start(self, games: int) -> None:
        if hasattr(self._given, "start"):
            self._function = deepcopy(self._given)
            self._function.start(games)

    def __call__(self, decision: Decisions) -> Any:
        batch, rows = decision._batch, decision._rows

        def ask(*parts: NDArray[np.int32]) -> NDArray[np.int32]:
            own = deepcopy(self._function)
            return np.concatenate([_chips(own, Decisions(batch, part)) for part in parts])

        again, backwards = ask(rows), ask(rows[::-1].copy())[::-1]
        halves = ask(*[part for part in np.array_split(rows, 3) if len(part)])
        answer = self._function(decision)
        first = _read(answer, decision)
        self._seen.decisions += len(rows)
        compare = self._seen.compare
        compare("repeatable", "when asked again", first, again, decision)
        compare("order", "with the games in another order", first, backwards, decision)
        compare("batches", "with fewer games in a call", first, halves, decision)
        return answer


def _chips(function: Callable[[Any], Any], decisions: Decisions) -> NDArray[np.int32]:
    return _read(function(decisions), decisions)


def _read(answer: Any, decisions: Decisions) -> NDArray[np.int32]:
    """Convert an answer to chips; one that `play` will refuse, to a value of no meaning."""
    chosen = np.asarray(answer)
    if chosen.dtype.kind not in "iuf" or chosen.shape not in ((), (len(decisions),)):
        return np.zeros(len(decisions), dtype=np.int32)
    with np.errstate(invalid="ignore"):
        return to_chips(np.broadcast_to(chosen, len(decisions)), decisions._batch.stakes)
