"""Monte Carlo deals per second."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import holdem
from benchmarking import peers
from benchmarking.goals import COMPILED, TEXT
from benchmarking.measure import Job, Program, Work
from holdem.odds.sampling.sampler import BLOCK, BLOCKS_PER_TASK, Sampler
from holdem.odds.spot import make_spot

SECTION = "Monte Carlo"
_ERRORS = 6  # standard errors: a larger difference is a mistake, as its probability is 2e-9


def jobs(quick: bool) -> Iterator[Job]:
    """Yield the jobs."""
    deals = 4_000_000 if quick else 40_000_000
    wide = "22+,A2s+,KTs+,QJs,ATo+,KQo"
    one, five = ("AsKs", "random"), ("AsKs", *["random"] * 5)
    yield _work(
        "Monte Carlo, one random",
        "deals of A♠K♠ v random",
        one,
        deals,
        beside=[*_eval7(deals // 20), *_poker_equity(one, deals // 50), *_pokerkit(deals)],
    )
    yield _work(
        "Monte Carlo, five random",
        "deals of A♠K♠ v five random",
        five,
        deals // 4,
        beside=_poker_equity(five, deals // 100),
    )
    yield _work("Monte Carlo, two ranges", "deals of R v R", (wide,) * 2, deals)
    yield _work("Monte Carlo, range and random", "deals of R v random", (wide, "random"), deals)
    yield _work(
        "Monte Carlo, weights heads-up",
        "deals of QQ+,AK:0.5 v R on T♦9♦2♣, 2♥ dead",
        ("QQ+,AK:0.5", wide),
        deals,
        board="Td9d2c",
        dead="2h",
    )
    yield _work("Monte Carlo, ranges", "deals of R v R v R", (wide,) * 3, deals // 4)
    yield _work(
        "Monte Carlo, weights on a flop",
        "deals of QQ+,AK:0.5 v R v R on T♦9♦2♣, 2♥ dead",
        ("QQ+,AK:0.5", wide, wide),
        deals // 4,
        board="Td9d2c",
        dead="2h",
    )
    yield _work(
        "Monte Carlo, nine random", "deals of nine random hands", ("random",) * 9, deals // 10
    )


def sampled(
    players: Sequence[str], deals: int, seed: int, workers: int = 1, **spot: str
) -> holdem.EquityResult:
    """Sample a number of deals."""
    return holdem.equity(
        *players,
        method="monte-carlo",
        deals=deals,
        seed=seed,
        workers=workers,
        board=spot.get("board"),
        dead=spot.get("dead"),
    )


def _tolerance(figures: Any) -> float:
    return float(_ERRORS * figures[1])


def _work(
    key: str,
    title: str,
    players: Sequence[str],
    deals: int,
    *,
    board: str = "",
    dead: str = "",
    beside: Sequence[Program] = (),
) -> Work:
    def on_text(seed: int) -> holdem.EquityResult:
        return sampled(players, deals, seed, board=board, dead=dead)

    def prepared(seed: int) -> Sampler:
        return Sampler(make_spot(tuple(players), board, dead), seed)

    blocks = max(deals // 10 // BLOCK // BLOCKS_PER_TASK, 1) * BLOCKS_PER_TASK

    def compiled(sampler: Sampler) -> None:
        for first in range(0, blocks, BLOCKS_PER_TASK):
            sampler.count(first, [BLOCK] * BLOCKS_PER_TASK)

    # The least precise of the programs determines the tolerance.
    fewest = min([deals, *(int(program.units) for program in beside)])
    programs = [
        Program(
            TEXT,
            on_text,
            units=deals,
            ours=True,
            figures=lambda found: [found.players[0].equity, (0.25 / fewest) ** 0.5],
        ),
        Program(COMPILED, compiled, prepared, blocks * BLOCK, ours=True),
    ]
    return Work(key, SECTION, title, "deals/s", [*programs, *beside], _tolerance)


def _near(equity: float, deals: int) -> list[float]:
    return [equity, (0.25 / deals) ** 0.5]


def _eval7(deals: int) -> list[Program]:
    if "eval7" not in peers.installed():
        return []
    eval7 = peers.installed()["eval7"]
    hole, everything = [eval7.Card("As"), eval7.Card("Ks")], peers.every_hand_of_eval7()

    def run(_number: int) -> float:
        return float(eval7.py_hand_vs_range_monte_carlo(hole, everything, [], deals))

    return [Program("eval7", run, units=deals, figures=lambda found: _near(found, deals))]


def _poker_equity(players: Sequence[str], deals: int) -> list[Program]:
    if "poker_equity" not in peers.installed():
        return []
    chunk = peers.installed()["poker_equity"].chunk_from_text
    hands = [player.replace("random", "**") for player in players]

    def run(seed: int) -> Any:
        return chunk("holdem", hands, samples=deals, seed=seed, threads=1)

    return [
        Program(
            "poker_equity",
            run,
            units=deals,
            figures=lambda found: _near(found["players"][0]["equity"], deals),
        )
    ]


def _pokerkit(deals: int) -> list[Program]:
    if "pokerkit" not in peers.installed():
        return []
    kit = peers.installed()["pokerkit"]
    few = deals // 50_000
    deck = set(kit.Deck.STANDARD)
    hole = set(kit.Card.parse("AsKs"))
    rest = sorted(deck - hole, key=repr)
    every = {frozenset((a, b)) for a in rest for b in rest if a != b}

    def run(_number: int) -> float:
        found = kit.calculate_equities(
            (kit.parse_range("AsKs"), every),
            (),
            2,
            5,
            kit.Deck.STANDARD,
            (kit.StandardHighHand,),
            sample_count=few,
        )
        return float(found[0])

    # Too few deals for a meaningful comparison.
    return [Program("pokerkit", run, units=few)]
