"""Measure ways to sample that spare draws or spread them out: time to a standard error of 0.0001.

Each way is compared with plain sampling, deals drawn independently of each other, over the same
spots on one core. Deals that share cards, or that are spread over the possible ones on purpose,
are not independent: their variance is taken from groups that are, so that it is what an honest
interval would rest on. The ways are:

* *plain*: what `holdem.equity` does, unless the next line is there.
* *as used*: what it does where holes are costly to draw: *m* boards for each deal of them, with
  the account that errors need.
* *as if used*: the same with four boards, where it is not used.
* *m boards*: m boards for each deal of all holes.
* *m hands*: m deals of the hands of those whose range is all hands, for each board.
* *all rivers*: every river there is for each deal of the holes and of the board up to the turn.
* *spread*: flops spread evenly over all of them, in the order of the first player's strength, and
  turns with rivers over theirs: each of 512 deals has its own 512th part of both.

    python scripts/measure_variance.py [--deals 4000000] [--write docs/variance.md]

*variance* is that of a share of the pot a deal, for the player for whom it is largest: with ``n``
deals the standard error is the root of ``variance / n``. *gain* is the time that plain sampling
takes to a standard error of 0.0001 over that of the way. Ways take turns, and the best of ten
rounds counts, for the machine may be busy.
"""

from __future__ import annotations

import argparse
import copy
import time
from collections.abc import Callable, Iterator
from functools import partial
from itertools import combinations, groupby
from pathlib import Path

import attrs
import numpy as np
from numpy.typing import NDArray

from holdem.cards import DECK_SIZE
from holdem.evaluation.registry import get_evaluator
from holdem.odds.sampling.cluster_sampling import worth_of_deals
from holdem.odds.sampling.deck_draws.prepare import draw_tables
from holdem.odds.sampling.deck_draws.tables import DEALS_A_GROUP, DrawTables
from holdem.odds.sampling.sampler import BLOCK, Sampler
from holdem.odds.spot import BOARD_SIZE, Spot, make_spot
from holdem.odds.tally import LEAST_SHARING, shares, winners_in
from holdem.report.tables import markdown_table
from sampling_ways import SPREAD, all_rivers, same_holes, spread_boards

GOAL = 0.0001
_ROUNDS = 10
_FEW = "QQ+,AK", "TT+,AQ+", "22+,AT+", "top 20%"

_PAGE = """# Ways to sample, measured

Made by `python scripts/measure_variance.py --deals {deals} --write docs/variance.md`, which
says what the ways are and what the columns mean; `sampling.md` says what follows from it. One
core; speeds differ from machine to machine, variances do not.

{table}
"""

SPOTS = (
    (("AsKs", "QdQh"), ""),
    (("AsKs", "random"), ""),
    (("22+,A2s+,KTs+,QJs,ATo+,KQo", "random"), ""),
    (("QQ+,AK", "TT+,AQ+"), ""),
    (("AA:0.2,KK,AKs:0.5", "QQ:0.1,22,87s"), ""),
    (("AsKs", "random", "random"), ""),
    (("8h8s", "random", "random"), ""),
    (("QQ+,AK", "TT+,AQ+", "top 20%"), ""),
    (("AsKs", *["random"] * 5), ""),
    (("8h8s", *["random"] * 5), ""),
    (("AsKs", *["random"] * 8), ""),
    (_FEW, ""),
    (("top 30%", "22+:0.5,A2s+", "top 50%", "top 20%"), ""),
    ((*_FEW, "top 30%", "random"), ""),
    (("top 20%",) * 6, ""),
    (("top 30%",) * 6, ""),
    (("QQ+,AK",) * 5, ""),
    (("JJ+",) * 6, ""),
    (("JJ+",) * 7, ""),
    (("JJ+,AK",) * 6, ""),
    (("top 20%",) * 5, ""),
    (("top 50%",) * 8, ""),
    (("top 20%",) * 8, ""),
    (("top 15%",) * 9, ""),
    (("99+",) * 10, ""),
    (("AhKh", "22+,A2s+", "random"), "Qh7h2s"),
    (("AsKs", *["random"] * 5), "Kd7d2c"),
    (_FEW, "Td9d2c"),
    (_FEW, "Td9d2c5h"),
)


@attrs.frozen
class Drawn:
    """What some deals came to."""

    deals: float
    variance: float
    """Of a share of the pot a deal, for the player for whom it is largest."""


@attrs.frozen
class Way:
    """A way to sample one spot."""

    name: str
    draw: Callable[[int], Drawn]
    """Draws about so many deals."""


def ways(spot: Spot) -> Iterator[Way]:
    """Yield plain sampling, then the others that there are for a spot."""
    yield Way("plain", partial(_counted, Sampler(spot, 1, independent=True)))
    used = Sampler(spot, 1)
    if used.cluster_size > 1:
        yield Way(f"as used: {used.cluster_size} boards", partial(_counted, used))
    elif isinstance(used.tables, DrawTables) and _could_share(spot, used.tables):
        tried = copy.copy(used)
        tried.tables, tried.cluster_size = used.tables._replace(boards_a_draw=4), 4
        yield Way("as if used: 4 boards", partial(_counted, tried))
    tables = draw_tables(spot, apart=True)
    board = np.arange(len(spot.board), BOARD_SIZE, dtype=np.uint64)
    unknown = tables.columns[tables.columns >= BOARD_SIZE]
    if spot.to_come and not all(len(hole) for hole in spot.known):
        for times in (2, 4, 8):
            yield Way(f"{times} boards", partial(_again, tables, times, board))
    if len(unknown):
        for times in (2, 4):
            yield Way(f"{times} hands", partial(_again, tables, times, unknown))
    if spot.to_come:
        yield Way("all rivers", partial(_rivers, tables))
    if spot.to_come == BOARD_SIZE and len(spot.known[0]) and not len(tables.group_widths):
        yield Way("spread", partial(_spread, tables, *_in_order(tables, spot), unknown))


def _could_share(spot: Spot, tables: DrawTables) -> bool:
    """Whether holes come from lists, with so many players that a tally has an account."""
    listed = len(tables.group_widths)
    return listed > 0 and spot.players >= LEAST_SHARING and spot.to_come == BOARD_SIZE


def _counted(sampler: Sampler, deals: int) -> Drawn:
    share = shares(sampler.spot.players)
    tally = sampler.count(0, [BLOCK] * -(-deals // BLOCK)).sum(axis=0)
    winners, worth = winners_in(tally), worth_of_deals(tally)[0]
    means = share @ winners / winners.sum()
    variances = (share**2 @ winners / winners.sum() - means**2) / worth
    return Drawn(float(winners.sum()), float(variances.max()))


def _again(tables: DrawTables, times: int, redrawn: NDArray[np.uint64], deals: int) -> Drawn:
    moments = _no_moments(tables)
    same_holes(tables, np.uint64(1), times, redrawn, _whole(deals / times), moments)
    return _drawn(moments)


def _rivers(tables: DrawTables, deals: int) -> Drawn:
    moments = _no_moments(tables)
    all_rivers(tables, np.uint64(1), _whole(deals / 40), moments)
    return _drawn(moments)


def _spread(
    tables: DrawTables,
    flops: NDArray[np.uint64],
    pairs: NDArray[np.uint64],
    unknown: NDArray[np.uint64],
    deals: int,
) -> Drawn:
    moments = _no_moments(tables)
    groups = -(-deals // SPREAD)
    spread_boards(tables, np.uint64(1), flops, pairs, unknown, groups, moments)
    return _drawn(moments)


def _in_order(tables: DrawTables, spot: Spot) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """Return flops by the first player's strength, and turns with rivers, as packed cards."""
    cards = spot.board_cards.tolist()
    flops = np.array(list(combinations(cards, 3)), dtype=np.uint8)
    hands = np.concatenate([np.repeat(spot.known[0][None], len(flops), axis=0), flops], axis=1)
    flops = flops[np.argsort(get_evaluator("lookup").strengths(hands), kind="stable")]
    pairs = np.array(list(combinations(cards, 2)), dtype=np.uint8)
    packed = np.zeros(DECK_SIZE, dtype=np.uint64)
    packed[spot.board_cards] = np.sort(tables.deck)
    return packed[flops], packed[pairs]


def _no_moments(tables: DrawTables) -> NDArray[np.float64]:
    return np.zeros(((len(tables.template) - BOARD_SIZE) // 2 + 1, 3))


def _whole(deals: float) -> int:
    return int(-(-deals // DEALS_A_GROUP) * DEALS_A_GROUP)


def _drawn(moments: NDArray[np.float64]) -> Drawn:
    deals, squares = moments[-1, :2]
    won, own, crossed = moments[:-1].T
    means = won / deals
    return Drawn(
        float(deals), float(((own - 2 * means * crossed + means**2 * squares) / deals).max())
    )


def measure(spot: Spot, deals: int) -> Iterator[list[str]]:
    """Yield a row for each way."""
    chosen = list(ways(spot))
    found = [way.draw(deals) for way in chosen]  # compiles
    seconds = [float("inf")] * len(chosen)
    for _ in range(_ROUNDS):
        for place, way in enumerate(chosen):
            begun = time.perf_counter()
            few = way.draw(deals // _ROUNDS)
            seconds[place] = min(seconds[place], (time.perf_counter() - begun) / few.deals)
    needed = [each * drawn.variance for each, drawn in zip(seconds, found, strict=True)]
    for way, each, drawn, product in zip(chosen, seconds, found, needed, strict=True):
        yield [
            way.name,
            f"{drawn.variance:.4f}",
            f"{1e-6 / each:.1f}",
            f"{product / GOAL**2:.2f}",
            f"{needed[0] / product:.2f}",
        ]


def _gathered(players: tuple[str, ...]) -> Iterator[str]:
    """Yield players, those alike who sit together as one: ``5 x random``."""
    for player, alike in groupby(players):
        count = len(list(alike))
        yield f"{count} x {player}" if count > 2 else " v ".join([player] * count)


def main() -> None:
    """Measure every spot and print, or write, the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--deals", type=int, default=4_000_000)
    parser.add_argument("--write", type=Path, help="write a page of documentation")
    arguments = parser.parse_args()
    rows = []
    for players, board in SPOTS:
        name = " v ".join(_gathered(players))
        name = f"{name} on {board}" if board else name
        for row in measure(make_spot(players, board), arguments.deals):
            rows.append([name if row[0] == "plain" else "", *row])
            print("  ".join(rows[-1]), flush=True)
    head = ["spot", "way", "variance", "M deals/s", "s to 0.0001", "gain"]
    if arguments.write:
        page = _PAGE.format(deals=arguments.deals, table=markdown_table(head, rows, left=2))
        arguments.write.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
