"""Head-to-head: dealt trials, and who won with what against what."""

from __future__ import annotations

from functools import partial
from itertools import combinations
from typing import Any

import attrs
import numpy as np
from numpy.typing import NDArray

from holdem.cards import Card, CardsLike
from holdem.dealing.seeds import resolve_seed
from holdem.evaluation.contract import EvaluatorSpec
from holdem.evaluation.evaluator import Evaluator
from holdem.odds.ask import check_bounds
from holdem.odds.blocks import Interrupted, count_workers, in_order
from holdem.odds.estimate import Estimate, difference, mean_in_unit_interval
from holdem.odds.monte_carlo import BLOCK, Sampler
from holdem.odds.progress import Progress
from holdem.odds.result import EvaluatorLabel, evaluator_label
from holdem.odds.spot import make_spot
from holdem.odds.tally import outcomes, shares
from holdem.ranges.range import Range

DEFAULT_DEALS = 100_000


@attrs.frozen
class Outcomes:
    """How often something was won alone, shared and lost."""

    wins: int
    ties: int
    losses: int

    @property
    def deals(self) -> int:
        """All of them."""
        return self.wins + self.ties + self.losses


@attrs.frozen
class Contender:
    """What became of one player over all trials."""

    range: str
    """The player as given; canonical text for a `Range`."""
    outcomes: Outcomes
    estimate: Estimate
    """Of the equity: the mean share of the pot."""
    by_category: dict[str, Outcomes]
    """By the player's own category at showdown, strongest first; only those that came up."""
    against: dict[str, dict[str, Outcomes]]
    """By own category and the category of the strongest of the other hands."""

    @property
    def equity(self) -> float:
        """The mean share of the pot, 0..1."""
        return self.estimate.mean

    @property
    def stderr(self) -> float:
        """One standard error of the equity."""
        return self.estimate.stderr

    @property
    def ci95(self) -> tuple[float, float]:
        """The 95 % interval of the equity."""
        return self.estimate.ci95


@attrs.frozen
class Difference:
    """How much more of the pot one player gets than another, deal by deal."""

    players: tuple[int, int]
    """Their places, from 0 on; the second's share is taken off the first's."""
    estimate: float
    stderr: float
    """From the differences within each deal, not from two separate equities."""
    ci95: tuple[float, float]


@attrs.frozen
class ContestResult:
    """The outcome of a head-to-head."""

    deals: int
    seed: int
    board: tuple[Card, ...]
    dead: tuple[Card, ...]
    evaluator: EvaluatorLabel
    categories: tuple[str, ...]
    """The categories of the evaluator's rules, strongest first."""
    players: tuple[Contender, ...]
    differences: tuple[Difference, ...]
    """One for each pair of players."""
    verdict: str
    """Who is ahead, or that the deals do not tell."""

    def to_dict(self) -> dict[str, Any]:
        """Return what ``holdem head-to-head -f json`` prints."""
        return {
            "schema": "holdem/head-to-head/1",
            "deals": self.deals,
            "seed": self.seed,
            "board": [str(card) for card in self.board],
            "dead": [str(card) for card in self.dead],
            "evaluator": attrs.asdict(self.evaluator),
            "players": [
                {
                    "range": player.range,
                    **attrs.asdict(player.outcomes),
                    "equity": player.equity,
                    "stderr": player.stderr,
                    "ci95": list(player.ci95),
                    "by_category": _plain(player.by_category),
                    "against": {own: _plain(theirs) for own, theirs in player.against.items()},
                }
                for player in self.players
            ],
            "differences": [
                {**attrs.asdict(found), "players": list(found.players), "ci95": list(found.ci95)}
                for found in self.differences
            ],
            "verdict": self.verdict,
        }


def head_to_head(
    *players: str | Range,
    board: CardsLike | None = None,
    dead: CardsLike | None = None,
    deals: int = DEFAULT_DEALS,
    seed: int | None = None,
    workers: int | None = None,
    evaluator: str | Evaluator | EvaluatorSpec | None = None,
    progress: bool = False,
) -> ContestResult:
    """Deal trials and count who won, with what, against what.

    Args:
        *players: 2 to 10, each a `Range` or text in the range language.
        board: 0, 3, 4 or 5 cards that every trial has.
        dead: cards out of play.
        deals: how many trials.
        seed: 0..2^53-1; one is drawn, and reported, if None. `holdem.equity` sampled with
            the same seed looks at the same deals.
        workers: threads; all cores if None. The answer does not depend on it.
        evaluator: a name, a spec, or None for the default.
        progress: show a progress bar on standard error.

    Raises:
        HoldemError: one of its kinds; the message says what is wrong and what would work.
        Interrupted: Ctrl-C, a `KeyboardInterrupt` that carries the result so far as
            ``finished``, or None where no trial was finished.
    """
    bounds = check_bounds(deals, None, None)
    chosen_seed = resolve_seed(seed)
    threads = count_workers(workers)
    spot = make_spot(players, board, dead, evaluator)
    sampler = Sampler(spot, chosen_seed)
    size = len(spot.evaluator.rules.categories)
    winners = np.zeros(1 << spot.players, dtype=np.int64)
    against = np.zeros((spot.players, size, size, 3), dtype=np.int64)
    tasks = (
        partial(_count_block, sampler, block, min(BLOCK, deals - block * BLOCK))
        for block in range(-(-deals // BLOCK))
    )
    with Progress(progress, "deals", bounds.deals) as bar:
        results = in_order(tasks, threads)
        try:
            for block_winners, block_against in results:
                winners += block_winners
                against += block_against
                bar.advance(int(winners.sum()))
        except KeyboardInterrupt:
            partial_result = (
                _result(sampler, chosen_seed, winners, against) if winners.any() else None
            )
            raise Interrupted(partial_result) from None
        finally:
            results.close()
    return _result(sampler, chosen_seed, winners, against)


def _count_block(
    sampler: Sampler, block: int, size: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    from holdem.odds.kernels.contest import count_contest

    evaluator, players = sampler.spot.evaluator, sampler.spot.players
    strengths = sampler.strengths(sampler.deals(block, size))
    categories = evaluator.scale.categories(strengths).astype(np.int64)
    kinds = len(evaluator.rules.categories)
    winners = np.zeros(1 << players, dtype=np.int64)
    against = np.zeros((players, kinds, kinds, 3), dtype=np.int64)
    count_contest(strengths, categories, winners, against)
    return winners, against


def _result(
    sampler: Sampler, seed: int, winners: NDArray[np.int64], against: NDArray[np.int64]
) -> ContestResult:
    spot = sampler.spot
    kinds, share = outcomes(spot.players), shares(spot.players)
    names = spot.evaluator.rules.categories
    contenders = []
    for player in range(spot.players):
        contenders.append(
            Contender(
                range=spot.texts[player],
                outcomes=Outcomes(
                    *(int(winners[kinds[outcome, player]].sum()) for outcome in range(3))
                ),
                estimate=mean_in_unit_interval(winners, share[player]),
                by_category=_named(names, against[player].sum(axis=1)),
                against={
                    own: _named(names, against[player, place])
                    for place, own in reversed(list(enumerate(names)))
                    if against[player, place].any()
                },
            )
        )
    differences = []
    for first, second in combinations(range(spot.players), 2):
        found = difference(winners, share[first] - share[second])
        differences.append(Difference((first, second), found.mean, found.stderr, found.ci95))
    return ContestResult(
        deals=int(winners.sum()),
        seed=seed,
        board=spot.board,
        dead=spot.dead,
        evaluator=evaluator_label(spot),
        categories=names[::-1],
        players=tuple(contenders),
        differences=tuple(differences),
        verdict=_verdict(contenders, differences),
    )


def _verdict(contenders: list[Contender], differences: list[Difference]) -> str:
    """Say who is ahead of everybody else, as far as the deals tell at 95 %."""
    leader = max(range(len(contenders)), key=lambda player: contenders[player].equity)
    for found in differences:
        if leader in found.players:
            low, high = found.ci95
            if low <= 0 <= high:
                one, other = (place + 1 for place in found.players)
                return f"undecided between players {one} and {other}: the difference may be zero"
    return f"player {leader + 1} is ahead"


def _named(names: tuple[str, ...], counts: NDArray[np.int64]) -> dict[str, Outcomes]:
    """Turn ``int64 (category, 3)`` into records, strongest first, those that came up only."""
    return {
        names[place]: Outcomes(*counts[place].tolist())
        for place in reversed(range(len(names)))
        if counts[place].any()
    }


def _plain(named: dict[str, Outcomes]) -> dict[str, dict[str, int]]:
    return {name: attrs.asdict(found) for name, found in named.items()}
