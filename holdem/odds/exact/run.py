"""Exact runs: a way run to its end, and its sums turned into a result's players."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from functools import partial
from math import fsum

import attrs
import numpy as np
from numpy.typing import NDArray

from holdem.errors import Interrupted
from holdem.jobs.old_deadline import Deadline
from holdem.jobs.old_threads import apart
from holdem.jobs.ordered import TimeOverError, in_order
from holdem.odds.exact.totals import ComboSums
from holdem.odds.plan import ExactWay
from holdem.odds.result import ComboResult, Number, PlayerResult
from holdem.odds.sampling.estimates import exactly
from holdem.odds.spot import Spot
from holdem.ranges.combos import COMBO_TEXT


@attrs.frozen(eq=False)
class ExactSums:
    """What an exact run found."""

    sums: tuple[ComboSums, ...]
    """Each player's sums; empty for a run that was cut short."""
    done: float
    """How much of the work was done, 0..1; 1 where nothing is missing."""


def run_exactly(
    way: ExactWay,
    workers: int,
    time: float | None = None,
    on_progress: Callable[[float], None] | None = None,
    *,
    short: bool = False,
) -> ExactSums:
    """Run an exact way to its end, or until `time` seconds have passed.

    Args:
        way: what to run.
        workers: how many threads.
        time: seconds; None for no bound.
        on_progress: called with the share that is done, 0..1.
        short: whether it takes but milliseconds. Then it is run in this thread, for starting
            others takes a tenth of one.

    Raises:
        Interrupted: Ctrl-C; carries an `ExactSums` that is not done.
    """
    done = 0.0
    until = None if time is None else Deadline(time)
    try:
        if short:
            return _run_here(way)
        run = apart(way.start)
        with closing(in_order(run.tasks(), workers, until)) as parts:
            for part in parts:
                done += run.add(part)
                if on_progress is not None:
                    on_progress(min(done, 1.0))
        return ExactSums(apart(run.sums), 1.0)
    except TimeOverError:
        return ExactSums((), min(done, 0.999))
    except KeyboardInterrupt as interruption:
        raise Interrupted(ExactSums((), min(done, 0.999))) from interruption


def _run_here(way: ExactWay) -> ExactSums:
    run = way.start()
    for task in run.tasks():
        run.add(task())
    return ExactSums(run.sums(), 1.0)


def exact_players(spot: Spot, found: ExactSums) -> tuple[PlayerResult, ...]:
    """Turn the sums of a complete run into each player's result."""
    results = []
    for player, sums in enumerate(found.sums):
        own = spot.ranges[player].weights[sums.combos]
        total = partial(_total, own, spot.is_unweighted)
        wins, ties, losses = total(sums.wins), total(sums.ties), total(sums.losses)
        everything = wins + ties + losses
        results.append(
            PlayerResult(
                range=spot.texts[player],
                combos=len(sums.combos),
                wins=wins,
                ties=ties,
                losses=losses,
                lose=losses / everything,
                equity=exactly(fsum((own * sums.shares).tolist()) / everything),
                win=exactly(wins / everything),
                tie=exactly(ties / everything),
                by_combo=partial(_by_combo, own, sums),
            )
        )
    return tuple(results)


def _total(own: NDArray[np.float64], unweighted: bool, sums: NDArray[np.float64]) -> Number:
    """Add up what each combo has, times its weight; a whole number where nothing is weighted."""
    return int(own.dot(sums)) if unweighted else fsum((own * sums).tolist())


def _by_combo(own: NDArray[np.float64], sums: ComboSums) -> tuple[ComboResult, ...]:
    deals = sums.deals
    columns = (own, sums.shares / deals, sums.wins / deals, sums.ties / deals)
    return tuple(
        ComboResult(COMBO_TEXT[combo], weight, equity, win, tie)
        for combo, weight, equity, win, tie in zip(
            sums.combos.tolist(), *(column.tolist() for column in columns), strict=True
        )
    )


def cut_players(spot: Spot) -> tuple[PlayerResult, ...]:
    """Return the players of a run that was cut short: no figure, for none would be right."""
    return tuple(
        PlayerResult(
            range=spot.texts[player],
            combos=len(spot.live[player]),
            wins=None,
            ties=None,
            losses=None,
            lose=None,
            equity=None,
            win=None,
            tie=None,
            by_combo=tuple,
        )
        for player in range(spot.players)
    )
