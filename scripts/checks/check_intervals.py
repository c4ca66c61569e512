"""Measure the coverage of 95 % confidence intervals: how often they contain the exact equity.

Each spot is sampled with thousands of seeds. Spots and deals are listed in `interval_cases.py`;
every result is printed. With 4,000 seeds the measurement itself has a standard error of 0.34
percentage points.

    python scripts/checks/check_intervals.py [--seeds 4000] [--workers 2] [--write FILE]

*rarer* is the expected number of deals whose outcome is not the player's most frequent one; for
players with equal ranges it is a lower bound, the number of deals times the equity. If it is at
least 100, coverage must be within 3.5 standard errors of 95 %, otherwise no less than the lower
bound. The page ends with what `rare_coverage.py` computes.
"""

from __future__ import annotations

import argparse
import copy
import math
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import combinations
from pathlib import Path

import attrs
import numpy as np
from numpy.typing import NDArray

import rare_coverage
from holdem.dealing.seeds import counter_start
from holdem.jobs.run import Task, ordered_results
from holdem.jobs.workers import Workers
from holdem.odds.bounds import Bounds
from holdem.odds.equity import equity
from holdem.odds.result import PlayerResult
from holdem.odds.sampling.intervals import estimate_players
from holdem.odds.sampling.run import RunState, schedule_blocks
from holdem.odds.sampling.sampler import BLOCK, Sampler
from holdem.odds.spot import make_spot
from holdem.odds.tally import tally_size
from holdem.ranges.combos import COMBO_SETS, COMBO_TEXT
from holdem.report.markup import markdown_table
from interval_cases import CASES, COUNTED_BY_HAND, Case

FIRST_SEED = 1_000


@attrs.frozen
class Found:
    """The coverage measured in one case."""

    case: Case
    covered: list[float]
    """For each player how often the interval contained the exact equity, 0..1."""
    rarer: list[float]
    """For each player the expected number of deals without the most frequent outcome."""
    deals: float
    """The mean number of deals."""


def measure(case: Case, seeds: int, workers: int = 1) -> Found:
    """Sample a case with many seeds and count how often the intervals contain the exact equity.

    Raises:
        ValueError: the exact equity is not the one counted by hand.
    """
    spot = make_spot(case.players, case.board, case.dead)
    truth, rare = _exact_of_equal_ranges(case) if case.equal else _exact(case)
    by_hand = COUNTED_BY_HAND.get(case.name)
    if by_hand is not None and abs(truth[0] - float(by_hand)) > 1e-15:
        raise ValueError(f"{case.name}: {truth[0]}, but by hand {by_hand}")
    sampler = Sampler(spot, 0)
    if (sampler.cluster_size > 1) != (case.equal > 0):
        raise ValueError(f"{case.name}: the cluster size is {sampler.cluster_size}")
    tasks = (
        Task(partial(_intervals, sampler, case, seed), 1)
        for seed in range(FIRST_SEED, FIRST_SEED + seeds)
    )
    with Workers(workers) as pool:
        # axes: seed, player, (low, high, deals)
        rows = np.array([result for _, result, _ in ordered_results(tasks, pool)])
    covered = ((rows[:, :, 0] <= truth + 1e-12) & (truth - 1e-12 <= rows[:, :, 1])).mean(axis=0)
    deals = float(rows[:, 0, 2].mean())
    rarer = [each * deals for each in rare]
    return Found(case, covered.tolist(), rarer, deals)


def _exact(case: Case) -> tuple[NDArray[np.float64], list[float]]:
    """Return each player's equity, and the share of deals without the most frequent outcome."""
    exact = equity(*case.players, board=case.board, dead=case.dead, method="exact").players
    equities = np.array([player.equity for player in exact], dtype=np.float64)
    return equities, [1 - _most_frequent(player) for player in exact]


def _most_frequent(player: PlayerResult) -> float:
    """Return the share of deals with a player's most frequent outcome (win, tie or loss), 0..1."""
    return max(player.win, player.tie, player.lose)


def _exact_of_equal_ranges(case: Case) -> tuple[NDArray[np.float64], list[float]]:
    """Return the results of `_exact` for a case whose first players have equal ranges.

    The equity of the last player is the mean over all hole cards of the others, who share the
    rest equally.
    """
    spot = make_spot(case.players, case.board, case.dead)
    last, rare = 0.0, []
    if case.equal < spot.players:
        last_combos = spot.live[case.equal].tolist()
        found = [
            equity(*(COMBO_TEXT[combo] for combo in (*held, mine)), method="exact").players[-1]
            for held in combinations(spot.live[0].tolist(), case.equal)
            for mine in last_combos
            if _are_disjoint((*held, mine))
        ]
        last = float(np.mean([player.equity for player in found]))
        rare = [1 - float(np.mean([player.lose for player in found]))]
    shared = (1 - last) / case.equal
    equities = np.array([*[shared] * case.equal, *[last] * len(rare)])
    return equities, [*[shared] * case.equal, *rare]


def _are_disjoint(combos: tuple[int, ...]) -> bool:
    sets = COMBO_SETS[list(combos)]
    return int(np.bitwise_count(np.bitwise_or.reduce(sets))) == 2 * len(combos)


def _intervals(
    sampler: Sampler, case: Case, seed: int, _: Workers
) -> list[tuple[float, float, float]]:
    own = copy.copy(sampler)  # the tables are the same for all seeds
    own.start = counter_start(seed, "deals")
    no_deals = np.zeros(tally_size(own.spot.players), dtype=np.int64)
    state = RunState(Bounds(case.deals, case.stderr), no_deals)
    for first, sizes in schedule_blocks(own, case.deals):
        state.add(own.count(first, sizes))
        if state.stop is not None:
            break
    rows = []
    for found, _win, _tie in estimate_players(state.counts):
        rows.append((*found.ci95, float(state.deals)))
    return rows


def bounds(found: Found, seeds: int) -> list[tuple[float, float]]:
    """Return the bounds of each player's coverage: 3.5 standard errors about 95 %.

    There is no upper bound with few deals of the rarer outcomes. Runs that stop by their error have
    none either, and a lower bound that is 0.3 percentage points lower.
    """
    slack = _slack(seeds)
    if found.case.stderr is not None:
        return [(0.947 - slack, 1.0)] * len(found.rarer)
    return [
        (0.95 - slack, min(0.95 + slack, 1.0) if rarer >= 100 else 1.0) for rarer in found.rarer
    ]


def _slack(seeds: int) -> float:
    """Return 3.5 standard errors of a coverage of 95 %."""
    return 3.5 * math.sqrt(0.95 * 0.05 / seeds)


def is_within(found: Found, seeds: int) -> bool:
    """Return whether the coverage of every player is within its bounds."""
    pairs = zip(found.covered, bounds(found, seeds), strict=True)
    return all(low <= covered <= high for covered, (low, high) in pairs)


def report(cases: tuple[Case, ...], seeds: int, workers: int) -> Iterator[tuple[list[str], bool]]:
    """Yield a row for each case, and whether its coverage is within bounds."""
    for case in cases:
        found = measure(case, seeds, workers)
        yield (
            [
                case.name,
                f"{found.deals:,.0f}",
                _from_to(f"{rarer:,.1f}" for rarer in sorted(found.rarer)),
                _from_to(f"{100 * covered:.2f}" for covered in sorted(found.covered)),
            ],
            is_within(found, seeds),
        )


def _from_to(sorted_figures: Iterable[str]) -> str:
    """Return the first and the last figure, or the only one."""
    figures = list(sorted_figures)
    return "-".join(dict.fromkeys([figures[0], figures[-1]]))


_PAGE = """# Coverage of the confidence intervals

How often does the 95 % confidence interval of a sampled equity contain the exact equity?
`python scripts/checks/check_intervals.py --seeds {seeds} --write docs/how/intervals.md` measures it
and writes this page.

*rarer* is the expected number of deals whose outcome (win, tie or loss) is not the player's most
frequent one. If it is at least 100, the coverage must be 95 % within 3.5 standard errors of this
measurement ({low:.2f} to {high:.2f} %); if it is smaller, only the lower bound applies. For runs
that stop at a standard error, the lower bound is 0.3 percentage points lower. Where players differ,
the lowest and the highest figure are shown.

{table}

Each spot was sampled with {seeds:,} seeds, of which {first} is the first, in blocks of {block:,}
deals. {verdict} The exact equities are those of `--method exact`; {by_hand} of them were also
counted by hand, with the same result. The last {equal} spots use cluster sampling, and no exact
method is affordable for them. There, players with the same range have the same equity, that of one
other player is the mean over all hole cards, and *rarer* is a lower bound: deals times equity.

{computed}"""


def main() -> None:
    """Measure every case and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seeds", type=int, default=4_000)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--write", type=Path, help="write a page of documentation")
    arguments = parser.parse_args()
    head = ["spot", "deals", "rarer", "coverage, %"]
    rows, good = [], []
    for row, within in report(CASES, arguments.seeds, arguments.workers):
        print("  ".join(row), flush=True)
        rows.append(row)
        good.append(within)
    slack = 100 * _slack(arguments.seeds)
    page = _PAGE.format(
        seeds=arguments.seeds,
        low=95 - slack,
        high=95 + slack,
        table=markdown_table(head, rows),
        first=FIRST_SEED,
        block=BLOCK,
        verdict=f"{sum(good)} of {len(good)} spots are within their bounds.",
        by_hand=len(COUNTED_BY_HAND),
        equal=sum(case.equal > 0 for case in CASES),
        computed=rare_coverage.page(),
    )
    print(f"\n{page}")
    if arguments.write:
        arguments.write.write_text(page, encoding="utf-8")
    raise SystemExit(0 if all(good) else 1)


if __name__ == "__main__":
    main()
