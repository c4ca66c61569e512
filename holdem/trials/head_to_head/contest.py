"""Head-to-head: dealt trials, and who won with what against what."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import combinations
from typing import Literal

import attrs
import numpy as np
from numpy.typing import NDArray

from holdem.arguments import real_number
from holdem.cards import CardsLike
from holdem.dealing.seeds import resolve_seed
from holdem.errors import SpotError
from holdem.evaluation.contract import EvaluatorSpec
from holdem.evaluation.evaluator import Evaluator
from holdem.jobs.batch_size import LEAST, Pace, timed
from holdem.jobs.ordered import Interrupted, count_workers, in_order
from holdem.jobs.progress import Progress
from holdem.odds.api import check_deals
from holdem.odds.result import evaluator_label
from holdem.odds.sampling.confidence_sequence import (
    difference_at_any_look,
    is_ahead,
    mean_at_any_look,
)
from holdem.odds.sampling.estimates import difference, mean_in_unit_interval
from holdem.odds.sampling.sampler import BLOCK, Sampler
from holdem.odds.spot import MAX_PLAYERS, MIN_PLAYERS, Spot, make_spot
from holdem.odds.tally import outcomes, shares
from holdem.ranges.range import Range
from holdem.trials.head_to_head.cross_check import Findings, Judging, chosen_evaluators
from holdem.trials.head_to_head.result import Contender, ContestResult, Difference
from holdem.trials.outcomes import Outcomes

DEFAULT_DEALS = 100_000

#: Deals at most where none are asked for and the run ends once somebody is ahead.
DEALS_UNTIL_AHEAD = 10_000_000

LEAST_CONFIDENCE, MOST_CONFIDENCE = 0.5, 1 - 1e-9
_FIXED_CONFIDENCE = 0.95  # of a verdict where nothing was asked for


def head_to_head(
    *players: str | Range,
    board: CardsLike | None = None,
    dead: CardsLike | None = None,
    deals: int | None = None,
    confidence: float | None = None,
    seed: int | None = None,
    workers: int | None = None,
    evaluator: str | Evaluator | EvaluatorSpec | None = None,
    evaluators: Sequence[str | Evaluator | EvaluatorSpec] | None = None,
    progress: bool = False,
) -> ContestResult:
    """Deal trials and count who won, with what, against what.

    Args:
        *players: 2 to 10, each a `Range` or text in the range language.
        board: 0, 3, 4 or 5 cards that every trial has.
        dead: cards out of play.
        deals: how many trials; 100,000 if None, and 10,000,000 at most with a confidence.
        confidence: end as soon as one player is ahead of all others at this confidence, 0.5
            to 1: over all looks, one after each block of 16,384 deals, a player who is not
            the best is said to be ahead with probability 1 - confidence at most (see
            `holdem.odds.sampling.confidence_sequence`). Intervals then hold at every look, and are wider.
        seed: 0..2^53-1; one is drawn, and reported, if None. `holdem.equity` sampled with
            the same seed looks at the same deals, unless some of those share holes
            (`holdem.odds.sampling.cluster_sampling`): here none do.
        workers: threads; all cores if None. The answer does not depend on it.
        evaluator: a name, a spec, or None for the default.
        evaluators: two or more instead: the first judges, the others rank the same hands,
            and where one of them says something else there is a bug in one of the two.
        progress: show a progress bar on standard error.

    Raises:
        HoldemError: one of its kinds; the message says what is wrong and what would work.
        Interrupted: Ctrl-C, a `KeyboardInterrupt` that carries the result so far as
            ``finished``, or None where no trial was finished.
    """
    if confidence is not None:
        confidence = _checked_confidence(confidence)
    most = _most_deals(deals, confidence)
    chosen_seed = resolve_seed(seed)
    threads = count_workers(workers)
    first, *others = chosen_evaluators(evaluator, evaluators)
    if not MIN_PLAYERS <= len(players) <= MAX_PLAYERS:
        raise SpotError(
            f"a head-to-head needs {MIN_PLAYERS} to {MAX_PLAYERS} players, not {len(players)}"
        )
    spot = make_spot(players, board, dead, first)
    sampler = Sampler(spot, chosen_seed, apart=True)  # the test is one of independent deals
    judgings = [Judging(first, other) for other in others]
    tally = _Tally(spot, confidence, judgings, most)
    pace = Pace(BLOCK if first.is_fused and not others else LEAST)
    with Progress(progress, "deals", most) as bar:
        results = in_order(_tasks(sampler, judgings, most, pace), threads)
        try:
            for counts, seconds in results:
                tally.add(counts)
                pace.heed(counts.deals, seconds)
                bar.advance(tally.deals)
                if tally.leader is not None:
                    break
        except KeyboardInterrupt:
            finished = tally.deals > 0
            raise Interrupted(
                tally.result(chosen_seed, "interrupted") if finished else None
            ) from None
        finally:
            results.close()
    stop: Literal["deals", "confidence"] = "deals" if tally.leader is None else "confidence"
    return tally.result(chosen_seed, stop)


def _most_deals(deals: int | None, confidence: float | None) -> int:
    """Return how many deals there are at most, checked."""
    if deals is None:
        return DEFAULT_DEALS if confidence is None else DEALS_UNTIL_AHEAD
    return check_deals(deals)


def _checked_confidence(confidence: float) -> float:
    bounds = f"from {LEAST_CONFIDENCE:g} to less than 1, as 0.95"
    return real_number(
        confidence, "confidence", LEAST_CONFIDENCE, MOST_CONFIDENCE, SpotError, bounds
    )


@attrs.frozen(eq=False)
class _Counts:
    """What was counted in some deals."""

    winners: NDArray[np.int64]
    """``int64 (2^players,)``: how often each set of players shared the top."""
    against: NDArray[np.int64]
    """``int64 (player, category, best other, 3)``."""
    findings: tuple[Findings, ...]
    """What each judging found."""

    @classmethod
    def empty(cls, spot: Spot, judgings: int = 0) -> _Counts:
        kinds = len(spot.evaluator.rules.categories)
        return cls(
            np.zeros(1 << spot.players, dtype=np.int64),
            np.zeros((spot.players, kinds, kinds, 3), dtype=np.int64),
            (Findings.none(),) * judgings,
        )

    @property
    def deals(self) -> int:
        return int(self.winners.sum())

    def plus(self, other: _Counts) -> _Counts:
        pairs = zip(self.findings, other.findings, strict=True)
        return _Counts(
            self.winners + other.winners,
            self.against + other.against,
            tuple(mine.plus(theirs) for mine, theirs in pairs),
        )


def _tasks(
    sampler: Sampler, judgings: list[Judging], deals: int, pace: Pace
) -> Iterator[Callable[[], tuple[_Counts, float]]]:
    begin = 0
    while begin < deals:
        block, done = divmod(begin, BLOCK)
        size = min(pace.size, BLOCK - done, deals - begin)
        yield partial(timed, partial(_count_piece, sampler, judgings, block, done, size))
        begin += size


def _count_piece(
    sampler: Sampler, judgings: list[Judging], block: int, done: int, size: int
) -> _Counts:
    from holdem.trials.head_to_head.kernels import count_contest

    evaluator = sampler.spot.evaluator
    dealt = sampler.deals(block, done + size)[done:]
    strengths = sampler.strengths(dealt)
    categories = evaluator.scale.categories(strengths).astype(np.int64)
    counts = _Counts.empty(sampler.spot)
    count_contest(strengths, categories, counts.winners, counts.against)
    findings = tuple(judging.find(dealt, strengths) for judging in judgings)
    return attrs.evolve(counts, findings=findings)


class _Tally:
    """What was counted so far, and whether somebody is ahead."""

    def __init__(
        self, spot: Spot, confidence: float | None, judgings: list[Judging], most: int
    ) -> None:
        self._spot = spot
        self._confidence = confidence
        self._judgings = judgings
        self._most = most
        # The counts, and who is ahead by them: one value, for Ctrl-C may come between two.
        self._now: tuple[_Counts, int | None] = _Counts.empty(spot, len(judgings)), None

    @property
    def deals(self) -> int:
        """How many deals were counted."""
        return self._now[0].deals

    @property
    def leader(self) -> int | None:
        """Who is ahead of all others at the confidence asked for."""
        return self._now[1]

    def add(self, counts: _Counts) -> None:
        """Take in the counts of the next deals, and look if they end a block."""
        counts = self._now[0].plus(counts)
        deals = counts.deals
        look = deals % BLOCK == 0 or deals == self._most
        self._now = counts, self._ahead(counts.winners) if look else None

    def _ahead(self, winners: NDArray[np.int64]) -> int | None:
        if self._confidence is None:
            return None
        share = shares(self._spot.players)
        best = int(np.argmax(share @ winners))
        # Any of the players may turn out to be the one who is said to be ahead.
        risk = (1 - self._confidence) / self._spot.players
        rivals = (other for other in range(self._spot.players) if other != best)
        if all(is_ahead(winners, share[best] - share[other], risk) for other in rivals):
            return best
        return None

    def result(
        self,
        seed: int,
        stop: Literal["deals", "confidence", "interrupted"],
    ) -> ContestResult:
        """Turn the counts into records."""
        spot, counts = self._spot, self._now[0]
        kinds, share = outcomes(spot.players), shares(spot.players)
        names = spot.evaluator.rules.categories
        looked = self._confidence is not None
        mean = mean_at_any_look if looked else mean_in_unit_interval
        contenders = []
        for player in range(spot.players):
            against = counts.against[player]
            contenders.append(
                Contender(
                    range=spot.texts[player],
                    outcomes=Outcomes(
                        *(int(counts.winners[kinds[outcome, player]].sum()) for outcome in range(3))
                    ),
                    estimate=mean(counts.winners, share[player]),
                    by_category=_named(names, against.sum(axis=1)),
                    against={
                        own: _named(names, against[place])
                        for place, own in reversed(list(enumerate(names)))
                        if against[place].any()
                    },
                )
            )
        differences = []
        for first, second in combinations(range(spot.players), 2):
            lead = share[first] - share[second]
            found = (difference_at_any_look if looked else difference)(counts.winners, lead)
            differences.append(Difference((first, second), found.mean, found.stderr, found.ci95))
        return ContestResult(
            deals=self.deals,
            stop=stop,
            confidence=self._confidence,
            seed=seed,
            board=spot.board,
            dead=spot.dead,
            evaluator=evaluator_label(spot),
            categories=names[::-1],
            players=tuple(contenders),
            differences=tuple(differences),
            verdict=self._verdict(contenders, differences),
            judges=tuple(
                judging.judge(found)
                for judging, found in zip(self._judgings, counts.findings, strict=True)
            ),
        )

    def _verdict(self, contenders: list[Contender], differences: list[Difference]) -> str:
        """Say who is ahead of everybody else, as far as the deals tell."""
        level = f"at {100 * (self._confidence or _FIXED_CONFIDENCE):.10g} % confidence"
        leader = self.leader
        if leader is None and self._confidence is not None:
            return f"undecided {level}: no player is ahead of all others"
        if leader is None:
            leader = max(range(len(contenders)), key=lambda player: contenders[player].equity)
            for found in differences:
                if leader in found.players and found.ci95[0] <= 0 <= found.ci95[1]:
                    one, other = (place + 1 for place in found.players)
                    return (
                        f"undecided between players {one} and {other} {level}:"
                        " the difference may be zero"
                    )
        return f"player {leader + 1} is ahead {level}"


def _named(names: tuple[str, ...], counts: NDArray[np.int64]) -> dict[str, Outcomes]:
    """Turn ``int64 (category, 3)`` into records, strongest first, those that came up only."""
    return {
        names[place]: Outcomes(*counts[place].tolist())
        for place in reversed(range(len(names)))
        if counts[place].any()
    }
