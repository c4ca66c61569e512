"""Timing of programs that do the same work in turn."""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any, Literal, Protocol

import attrs
import numpy as np

Unit = Literal["s", "hands/s", "deals/s", "match-ups/s", "B", "times"]

# Seconds. Shorter calls are timed in groups, each call with its own question.
_GROUP = 10e-3
# Seconds. Shorter calls are preceded by an untimed one, because the program before may have
# emptied the caches and freed memory. Restoring both took up to a hundred times the call itself.
_SHORT = 1.0
_MOST_CALLS = 50
_LEAST_REPETITIONS = 3


def _itself(number: int) -> Any:
    return number


@attrs.frozen
class Program:
    """A program that does a piece of work."""

    name: str
    run: Callable[[Any], Any]
    """The timed function, called with the result of `prepare`."""
    prepare: Callable[[int], Any] = _itself
    """Prepares question number n, untimed. No two repetitions have the same number."""
    units: float = 1
    """The amount of work of a call, such as hands or deals, if speeds are shown."""
    ours: bool = False
    figures: Callable[[Any], Any] | None = None
    """Converts an answer to an array, which is compared with that of the first program."""


@attrs.frozen
class Timed:
    """The timing of one program."""

    name: str
    ours: bool
    median: float
    low: float
    """The lower quartile."""
    high: float
    """The upper quartile."""
    repetitions: int
    checked: bool
    """Whether the program's answer was compared with another program's."""


@attrs.frozen
class Row:
    """The measurement of a piece of work."""

    key: str
    section: str
    title: str
    unit: Unit
    programs: Sequence[Timed]
    note: str = ""


class Job(Protocol):
    """A source of rows, which are measured on request."""

    @property
    def key(self) -> str:
        """The key of the job's first row."""

    @property
    def section(self) -> str:
        """The section of the job's rows."""

    def rows(self, repetitions: int, seconds: float) -> list[Row]:
        """Measure the rows.

        Args:
            repetitions: the maximum number of repetitions of each program.
            seconds: the approximate limit for each program, which repeats at least three times.
        """


@attrs.frozen
class Measurement:
    """Rows measured by a function."""

    key: str
    section: str
    find: Callable[[], list[Row]]

    def rows(self, repetitions: int, seconds: float) -> list[Row]:  # noqa: ARG002
        """Measure the rows."""
        found = self.find()
        for row in found:
            say(row)
        return found


@attrs.frozen
class Work:
    """A piece of work that several programs do."""

    key: str
    section: str
    title: str
    unit: Unit
    programs: Sequence[Program]
    tolerance: Callable[[Any], float] = lambda _figures: 1e-6
    """The largest allowed difference of figures; some libraries use single precision."""
    note: str = ""

    def rows(self, repetitions: int, seconds: float) -> list[Row]:
        """Time the programs in turn; exit if two give different answers."""
        return [_measure(self, repetitions, seconds)]


def _measure(work: Work, repetitions: int, seconds: float) -> Row:
    checked = _compare(work)
    calls, rounds, short = [], [], []
    for program in work.programs:
        once = _time(program, 0, 1)
        short.append(once < _SHORT)
        if short[-1]:
            once = min(once, _time(program, 0, 1))
        calls.append(int(min(max(_GROUP // max(once, 1e-9), 1), _MOST_CALLS)))
        rounds.append(int(min(max(seconds // (once * calls[-1]), _LEAST_REPETITIONS), repetitions)))
    taken: list[list[float]] = [[] for _ in work.programs]
    for repetition in range(1, 1 + max(rounds)):
        for place, program in enumerate(work.programs):
            if repetition <= rounds[place]:
                first = repetition * (calls[place] + 1)
                if short[place]:
                    program.run(program.prepare(first + calls[place]))
                taken[place].append(_time(program, first, calls[place]))
    found = []
    for program, times in zip(work.programs, taken, strict=True):
        a_unit = [one / program.units for one in times]
        values = a_unit if work.unit == "s" else [1 / one for one in a_unit]
        found.append(
            timed(program.name, values, ours=program.ours, checked=program.name in checked)
        )
    row = Row(work.key, work.section, work.title, work.unit, found, work.note)
    say(row)
    return row


def timed(name: str, values: Sequence[float], *, ours: bool, checked: bool = False) -> Timed:
    """Summarize the measurements of one program."""
    low, high = np.quantile(values, [0.25, 0.75]).tolist()
    return Timed(name, ours, statistics.median(values), low, high, len(values), checked)


def say(row: Row) -> None:
    """Print a measurement to standard error as progress."""
    for program in row.programs:
        print(
            f"  {row.title}: {program.name}: {program.median:,.4g} {row.unit}",
            file=sys.stderr,
            flush=True,
        )


def _time(program: Program, first: int, calls: int) -> float:
    """Return the seconds per call, over several calls with different questions."""
    questions = [program.prepare(number) for number in range(first, first + calls)]
    begun = time.perf_counter()
    for question in questions:
        program.run(question)
    return (time.perf_counter() - begun) / calls


def _compare(work: Work) -> set[str]:
    """Compare the answers of all programs to question 0; return the names of those that agree."""
    agreed: set[str] = set()
    expected: Any = None
    for program in work.programs:
        if program.figures is None:
            continue
        found = np.asarray(program.figures(program.run(program.prepare(0))))
        if expected is None:
            expected = found
        elif np.abs(found - expected).max() > work.tolerance(expected):
            sys.exit(f"{work.title}: {program.name} says {found}, and not {expected}")
        agreed.add(program.name)
    return agreed if len(agreed) > 1 else set()
