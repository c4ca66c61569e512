"""Compute the coverage of confidence intervals of rare outcomes, without sampling.

The number of deals with a rare outcome is binomial. The coverage of the 95 % interval is then a
sum over all counts. For a run that stops by its standard error, blocks are added one by one, and
the counts at which runs stop are removed. The same holds for wins and losses when nearly all
deals are ties.

For a fixed number of deals, the coverage as a function of the chance is lowest next to an end of
one of the intervals. Runs that stop by their error have too many ends, so a grid of chances is
used.

    python scripts/checks/rare_coverage.py [--write docs/how/intervals.md]

The option ``--write`` replaces the last part of the page that `check_intervals.py` generates.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import product
from math import log1p
from pathlib import Path

import attrs
import numpy as np
from numpy.typing import NDArray

from holdem.odds.sampling.intervals import estimate_mean, standard_errors
from holdem.odds.sampling.run import MIN_BLOCKS
from holdem.odds.sampling.sampler import BLOCK
from holdem.report.markup import markdown_table

_WON_OR_NOT = np.array([0.0, 1.0])
_NEGLIGIBLE = 1e-12  # chances below this are left out
_NEXT_TO = 1e-9  # distance from the end of an interval

#: The coverage is computed for every number of deals up to this one.
EVERY = 300
#: Numbers of deals that the page shows.
DEALS = (1, 5, 20, 100, 500, 2_000, 20_000)

#: Standard errors to stop by.
STDERRS = (0.0005, 0.0001, 0.00005, 0.00002, 0.00001)
#: The expected numbers of deals with the rarer outcome at the end of a run. With fewer than some
#: eight, runs end at the minimum of blocks, or by chance.
RARER = tuple(float(rarer) for rarer in np.arange(0.25, 100, 0.25))
_MAX_BLOCKS = 1_000

#: Shares of the pot in a tie, and expected numbers of wins, and of losses, besides ties.
TIES = (1 / 2, 1 / 3, 1 / 4, 1 / 6, 1 / 9)
RARE = (0.0, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0, 15.0, 20.0, 30.0, 60.0)


@attrs.frozen
class Lowest:
    """The lowest coverage over many chances."""

    coverage: float
    """How often the interval covers the chance, 0..1."""
    chance: float
    deals: float
    """The mean number of deals at this chance."""


def binomial(deals: int, chance: float, counts: int | None = None) -> NDArray[np.float64]:
    """Return the binomial distribution, cut off where the rest is negligible."""
    if chance == 0.0:
        return np.append(1.0, np.zeros((counts or 1) - 1))
    most = min(deals, int(deals * chance + 12 * (deals * chance) ** 0.5) + 30)
    seen = np.arange(counts - 1 if counts is not None else most)
    ratios = (deals - seen) / (seen + 1) * (chance / (1 - chance))
    chances: NDArray[np.float64] = np.exp(
        np.append(0.0, np.cumsum(np.log(ratios))) + deals * log1p(-chance)
    )
    return chances


def fixed(deals: int, chance: float) -> float:
    """Return the coverage with a fixed number of deals."""
    seen = binomial(deals, chance)
    return float(seen @ _holds(len(seen), deals, chance))


def stopped(stderr: float, chance: float) -> tuple[float, float]:
    """Return the coverage of a run that stops by its error, and its mean number of deals."""
    of_block = binomial(BLOCK, chance)
    going = np.ones(1)  # by count: the chance that the run goes on with it
    coverage = mean_deals = 0.0
    deals = 0
    while going.sum() > 1e-9:
        deals += BLOCK
        going = np.convolve(going, of_block)
        going = going[: np.flatnonzero(going > _NEGLIGIBLE)[-1] + 1]
        if deals >= MIN_BLOCKS * BLOCK:
            ends = going * (_errors(len(going), deals) <= stderr)
            coverage += float(ends @ _holds(len(going), deals, chance))
            mean_deals += deals * float(ends.sum())
            going = going - ends
    return coverage, mean_deals


def _tallies(counts: int, deals: int) -> NDArray[np.int64]:
    """Return the tallies of 0, 1, 2, ... deals of the rarer outcome, ``int64 (counts, 2)``."""
    seen = np.arange(counts)
    return np.stack([deals - seen, seen], axis=1)


def _holds(counts: int, deals: int, chance: float) -> NDArray[np.bool_]:
    low, high = _intervals(deals, 1 << counts.bit_length())[:counts].T
    holds: NDArray[np.bool_] = (low <= chance) & (chance <= high)
    return holds


@cache
def _intervals(deals: int, counts: int) -> NDArray[np.float64]:
    """Return the intervals for the counts 0, 1, 2, ... in some deals, ``float64 (count, 2)``."""
    tallies = _tallies(min(counts, deals + 1), deals)
    return np.array([estimate_mean(row, _WON_OR_NOT).ci95 for row in tallies])


def _errors(counts: int, deals: int) -> NDArray[np.float64]:
    return standard_errors(_tallies(counts, deals), _WON_OR_NOT[None, :])[:, 0]


@attrs.frozen
class LowestOfTies:
    """The lowest coverage when nearly all deals are ties."""

    coverage: float
    wins: float
    """The expected number of deals won."""
    losses: float


def lowest_of_ties(share: float) -> LowestOfTies:
    """Return the lowest coverage if nearly all deals are ties for a share of the pot.

    With so many deals, wins and losses have Poisson distributions. Their means are all pairs of
    `RARE` and, with wins only or losses only, the numbers next to the ends of intervals.
    """
    deals = 100_000
    most = int(RARE[-1] + 9 * RARE[-1] ** 0.5) + 12
    values = np.array([0.0, share, 1.0])
    intervals = np.array(
        [
            [
                estimate_mean(np.array([lost, deals - won - lost, won]), values).ci95
                for lost in range(most)
            ]
            for won in range(most)
        ]
    )
    above = [(end - share) * deals / (1 - share) for end in intervals[:, 0].flat]
    below = [(share - end) * deals / share for end in intervals[0].flat]
    pairs = [*product(RARE, RARE)]
    pairs += [(wins, 0.0) for wins in _next_to(above, RARE[-1])]
    pairs += [(0.0, losses) for losses in _next_to(below, RARE[-1])]
    found = []
    for wins, losses in pairs:
        truth = (wins + share * (deals - wins - losses)) / deals
        holds = (intervals[..., 0] <= truth) & (truth <= intervals[..., 1])
        won, lost = (binomial(100 * deals, rare / (100 * deals), most) for rare in (wins, losses))
        found.append(LowestOfTies(float(won @ holds @ lost), wins, losses))
    return min(found, key=lambda found: found.coverage)


def _next_to(ends: Iterable[float], most: float) -> list[float]:
    """Return the numbers next to each end, on both sides, above 0 and up to `most`."""
    chances = sorted({end + side for end in ends for side in (-_NEXT_TO, _NEXT_TO)})
    return [chance for chance in chances if 0 < chance <= most]


def lowest_of_fixed(deals: int) -> Lowest:
    """Return the lowest coverage over all chances with a fixed number of deals.

    Chances above one half are left out, because they only swap wins and losses.
    """
    chances = _next_to(_intervals(deals, deals + 1).flat, 0.5)
    return min(
        (Lowest(fixed(deals, chance), chance, deals) for chance in chances),
        key=lambda found: found.coverage,
    )


def lowest_of_stopped(stderr: float) -> Lowest:
    """Return the lowest coverage of runs that stop by their error, over the chances of `RARER`."""

    def found() -> Iterator[Lowest]:
        for rarer in RARER:
            chance = stderr * rarer**0.5  # where about `rarer` are expected when the run stops
            if chance / stderr**2 <= _MAX_BLOCKS * BLOCK:
                coverage, deals = stopped(stderr, chance)
                yield Lowest(coverage, chance, deals)

    return min(found(), key=lambda found: found.coverage)


_HEADING = "## Computed coverage of rare outcomes\n"
_PAGE = """
The number of wins is binomial, so the coverage can also be computed, which
`python scripts/checks/rare_coverage.py --write docs/how/intervals.md` does for this section. For a
fixed number of deals, it is lowest where the chance of winning lies just beside an end of an
interval: both sides of every end were evaluated. The lowest for any number of deals up to {every}
is {lowest}.

{fixed}

For runs that stop at a standard error of {stderrs}, the lowest coverage over up to
{chances} chances of winning each is {stopped}. Where nearly all deals are ties for
1/2 to 1/9 of the pot, it is {ties}, over {pairs} combinations of rare wins and
losses, and over all chances of one without the other, with up to {rare:g} of them expected.
"""


def page() -> str:
    """Return the last part of `docs/how/intervals.md`."""

    def percent(found: Lowest | LowestOfTies) -> str:
        return f"{100 * found.coverage:.2f}"

    def lowest_first(found: Lowest | LowestOfTies) -> float:
        return found.coverage

    lowest = min((lowest_of_fixed(deals) for deals in range(1, EVERY + 1)), key=lowest_first)
    fixed = [(deals, lowest_of_fixed(deals)) for deals in DEALS]
    return _HEADING + _PAGE.format(
        every=EVERY,
        lowest=f"{percent(lowest)} %, with {lowest.deals:g} deals at a chance of"
        f" {lowest.chance:.4f}",
        chances=len(RARER),
        pairs=len(RARE) ** 2,
        rare=RARE[-1],
        stderrs=f"{max(STDERRS):g} to {min(STDERRS):g}",
        fixed=markdown_table(
            ["deals", "lowest coverage, %", "chance there"],
            [[f"{deals:,}", percent(found), f"{found.chance:.2g}"] for deals, found in fixed],
        ),
        stopped=f"{percent(min(map(lowest_of_stopped, STDERRS), key=lowest_first))} %",
        ties=f"{percent(min(map(lowest_of_ties, TIES), key=lowest_first))} %",
    )


def main() -> None:
    """Print the lowest coverages, and replace those of a page if requested."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--write", type=Path, help="the page whose computed part is replaced")
    arguments = parser.parse_args()
    computed = page()
    print(computed)
    if arguments.write:
        measured, heading, _ = arguments.write.read_text(encoding="utf-8").partition(_HEADING)
        if not heading:
            raise SystemExit(f"{arguments.write}: no line {_HEADING.strip()!r}")
        arguments.write.write_text(measured + computed, encoding="utf-8")


if __name__ == "__main__":
    main()
