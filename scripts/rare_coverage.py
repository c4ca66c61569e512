"""Coverage of rare outcomes, computed: no deal is drawn.

What is won with a small chance, or lost, is counted by a binomial number of deals. How often the
95 % interval holds that chance is then a sum over all counts, also for a run that stops by its
error: its blocks are added one by one, and what has stopped is taken out. The same goes for wins
and losses where nearly all deals are ties. `check_intervals.py` puts the figures on its page.

    python scripts/rare_coverage.py
"""

from __future__ import annotations

from collections.abc import Iterator
from math import lgamma, log, log1p

import attrs
import numpy as np
from numpy.typing import NDArray

from holdem.odds.estimate import mean_in_unit_interval, standard_errors
from holdem.odds.monte_carlo import BLOCK, LEAST_BLOCKS

_WON_OR_NOT = np.array([0.0, 1.0])
_FEW = 1e-12  # chances below this are left out, and so is the rest of a run

#: Standard errors to stop by, and the share of deals that are of the rarer outcome, in such
#: errors: with fewer than some eight runs end at the least number of blocks, or by bad luck.
STDERRS = (0.0005, 0.0001, 0.00005, 0.00002, 0.00001)
DEALS = (1, 2, 5, 10, 20, 50, 100, 200, 2_000, 20_000)
RARER = tuple(float(rarer) for rarer in np.arange(0.25, 100, 0.25))
_MOST_BLOCKS = 1_000

#: Shares of those who tie, and expected wins, and losses, beside ties.
TIES = (1 / 2, 1 / 3, 1 / 4, 1 / 6, 1 / 9)
RARE = (0.0, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0, 15.0, 20.0, 30.0, 60.0)


@attrs.frozen
class Lowest:
    """The lowest coverage of many chances."""

    coverage: float
    """How often the interval holds the chance, 0..1."""
    chance: float
    deals: float
    """The mean number of deals there."""


def binomial(deals: int, chance: float, counts: int | None = None) -> NDArray[np.float64]:
    """Return the chances of 0, 1, 2, ... of `deals`, up to where they no longer matter."""
    if chance == 0.0:
        return np.append(1.0, np.zeros((counts or 1) - 1))
    most = min(deals, int(deals * chance + 12 * (deals * chance) ** 0.5) + 30)
    most = counts - 1 if counts is not None else most
    logs = [
        lgamma(deals + 1) - lgamma(seen + 1) - lgamma(deals - seen + 1)
        + seen * log(chance) + (deals - seen) * log1p(-chance)
        for seen in range(most + 1)
    ]  # fmt: skip
    chances: NDArray[np.float64] = np.exp(logs)
    return chances


def fixed(deals: int, chance: float) -> float:
    """Return the coverage of a number of deals."""
    seen = binomial(deals, chance)
    return float(seen @ _holds(len(seen), deals, chance))


def stopped(stderr: float, chance: float) -> tuple[float, float]:
    """Return the coverage of a run that stops by its error, and its mean number of deals."""
    of_block = binomial(BLOCK, chance)
    going = np.ones(1)  # the chance that the run goes on and has seen so many
    coverage = mean_deals = 0.0
    deals = 0
    while going.sum() > 1e-9:
        deals += BLOCK
        going = np.convolve(going, of_block)
        going = going[: np.flatnonzero(going > _FEW)[-1] + 1]
        if deals >= LEAST_BLOCKS * BLOCK:
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
    found = [mean_in_unit_interval(row, _WON_OR_NOT).ci95 for row in _tallies(counts, deals)]
    return np.array([low <= chance <= high for low, high in found])


def _errors(counts: int, deals: int) -> NDArray[np.float64]:
    return standard_errors(_tallies(counts, deals), _WON_OR_NOT[None, :])[:, 0]


@attrs.frozen
class LowestOfTies:
    """The lowest coverage beside ties."""

    coverage: float
    wins: float
    """The expected number of deals won there."""
    losses: float


def lowest_of_ties(share: float) -> LowestOfTies:
    """Return the lowest coverage where nearly all deals are ties for that share of the pot.

    Expected wins and losses are each of `RARE`, among so many deals that theirs are Poisson.
    """
    deals = 100_000
    most = int(RARE[-1] + 9 * RARE[-1] ** 0.5) + 12
    values = np.array([0.0, share, 1.0])
    intervals = np.array(
        [
            [
                mean_in_unit_interval(np.array([lost, deals - won - lost, won]), values).ci95
                for lost in range(most)
            ]
            for won in range(most)
        ]
    )
    chances = {rare: binomial(100 * deals, rare / (100 * deals), most) for rare in RARE}
    found = []
    for wins in RARE:
        for losses in RARE:
            truth = (wins + share * (deals - wins - losses)) / deals
            holds = (intervals[..., 0] <= truth) & (truth <= intervals[..., 1])
            coverage = float(chances[wins] @ holds @ chances[losses])
            found.append(LowestOfTies(coverage, wins, losses))
    return min(found, key=lambda found: found.coverage)


def lowest_of_fixed(deals: int) -> Lowest:
    """Return the lowest coverage of a number of deals, whatever the chance."""
    chances = [rarer / deals for rarer in RARER if rarer <= deals / 2]
    return min(
        (Lowest(fixed(deals, chance), chance, deals) for chance in chances),
        key=lambda found: found.coverage,
    )


def lowest_of_stopped(stderr: float) -> Lowest:
    """Return the lowest coverage of runs that stop by their error, whatever the chance."""

    def found() -> Iterator[Lowest]:
        for rarer in RARER:
            chance = stderr * rarer**0.5  # so many are to be expected where the run stops
            if chance / stderr**2 <= _MOST_BLOCKS * BLOCK:
                coverage, deals = stopped(stderr, chance)
                yield Lowest(coverage, chance, deals)

    return min(found(), key=lambda found: found.coverage)


def main() -> None:
    """Print the lowest coverages."""
    for deals in DEALS:
        print(deals, lowest_of_fixed(deals))
    for stderr in STDERRS:
        print(stderr, lowest_of_stopped(stderr))
    for share in TIES:
        print(share, lowest_of_ties(share))


if __name__ == "__main__":
    main()
