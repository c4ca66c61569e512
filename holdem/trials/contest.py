"""`head_to_head`, which deals random trials and counts each player's outcomes by hand category.

In a cross-check, a further evaluator ranks the same hands, and disagreements are counted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import combinations
from typing import Literal, TypeAlias

import attrs
import numpy as np
from numpy.typing import NDArray

from holdem.arguments import checked_number
from holdem.cards import CardArray, CardsLike, card_sets
from holdem.dealing.seeds import Seed, resolve_seed
from holdem.errors import HoldemTypeError, SpotError, quoted
from holdem.evaluation.evaluator import Evaluator
from holdem.evaluation.registry import EvaluatorLike, get_evaluator
from holdem.evaluation.second_opinion import (
    answers_to,
    disagreements,
    require_same_rules,
    smallest_disagreement,
)
from holdem.jit.kernels import kernel
from holdem.jobs.run import FIRST_BATCH, BatchSize, End, Job, Task, run
from holdem.jobs.workers import Workers, count_workers
from holdem.odds.bounds import check_deals
from holdem.odds.result import name_players
from holdem.odds.sampling.intervals import (
    anytime_valid_mean,
    estimate_difference,
    estimate_mean,
    is_ahead,
)
from holdem.odds.sampling.sampler import BLOCK, Sampler, hands_dealt
from holdem.odds.spot import PlayerLike, Spot, describe_single, make_spot
from holdem.odds.tally import Outcomes, outcomes, shares, update_winners
from holdem.rules import MAX_PLAYERS, MIN_PLAYERS
from holdem.trials.contest_result import Contender, ContestResult, CrossCheckResult, Difference

#: Indices of the outcomes.
WIN, TIE, LOSS = 0, 1, 2


DEFAULT_DEALS = 100_000

#: The default limit on the deals of a run that ends when a player is ahead.
DEFAULT_DEALS_WITH_CONFIDENCE = 10_000_000

MIN_CONFIDENCE, MAX_CONFIDENCE = 0.5, 1 - 1e-9
_DEFAULT_CONFIDENCE = 0.95  # of the verdict

# The number of hands to keep, those of the lowest card sets, and search for smaller hands.
_KEPT = 64
_NO_HANDS: CardArray = np.zeros((0, 7), dtype=np.uint8)


def head_to_head(
    *players: PlayerLike,
    board: CardsLike | None = None,
    dead: CardsLike | None = None,
    deals: int | None = None,
    confidence: float | None = None,
    seed: Seed | None = None,
    workers: int | None = None,
    evaluator: EvaluatorLike | None = None,
    evaluators: Sequence[EvaluatorLike] | None = None,
    progress: bool = False,
    names: Sequence[str] | None = None,
) -> ContestResult:
    """Deal random trials, and count each player's outcomes by hand category.

    In a trial, each player gets a combo of the player's range, the board is completed, and nobody
    folds. Outcomes are grouped by the category of the player's hand and the best category of the
    opponents.

    Args:
        *players: 2 to 10 players, each a `Range`, text in the range language, or two cards.
        board: up to five cards, the same in every trial.
        dead: cards out of play.
        deals: the number of trials. If None, 100,000 trials are dealt, or at most 10,000,000 with
            `confidence`.
        confidence: end as soon as one player is ahead of all others at this confidence, from 0.5
            to less than 1. The test is anytime-valid: it is made after each block of 16,384
            deals, and the probability that a player who is not the best is declared ahead in any
            of these tests is at most 1 - confidence
            (`holdem.odds.sampling.intervals`). The intervals of the result are then those of an
            anytime-valid confidence sequence, which are wider.
        seed: 0..2^64-1 or a SeedSequence; drawn and reported if None. The deals are always
            independent. `holdem.equity` samples the same deals with the same seed, unless it uses
            cluster sampling (`holdem.odds.sampling.cluster_sampling`).
        workers: the number of threads; None means one per core. The result does not depend on it.
        evaluator: a name, a spec, or None for the default.
        evaluators: two or more evaluators, in place of `evaluator`. The first decides who wins; the
            others rank the same hands. A disagreement with the first is a bug in one of the two.
        progress: show a progress bar on standard error.
        names: a name for each player, such as ``["BTN", "BB"]``, for tables, charts, the verdict
            and JSON.

    Raises:
        HoldemError: an argument is invalid.
        Interrupted: Ctrl-C was pressed. The attribute ``finished`` of the exception is the result
            so far, or None if no trial was finished.

    Example:
        >>> import holdem
        >>> result = holdem.head_to_head("AsKs", "QdQh", deals=10_000, seed=7)
        >>> result.verdict
        'player 2 is ahead at 95 % confidence'
    """
    limit = DEFAULT_DEALS if confidence is None else DEFAULT_DEALS_WITH_CONFIDENCE
    if confidence is not None:
        bounds = f"from {MIN_CONFIDENCE:g} to less than 1, such as 0.95"
        confidence = checked_number(
            confidence, "confidence", MIN_CONFIDENCE, MAX_CONFIDENCE, SpotError, bounds
        )
    if deals is not None:
        limit = check_deals(deals)
    chosen_seed = resolve_seed(seed)
    threads = count_workers(workers)
    first, *others = resolve_evaluators(evaluator, evaluators)
    if not MIN_PLAYERS <= len(players) <= MAX_PLAYERS:
        raise SpotError(
            f"a head-to-head needs {MIN_PLAYERS} to {MAX_PLAYERS} players, not"
            f" {len(players)}{describe_single(players)}"
        )
    for other in others:
        require_same_rules(first, other)
    spot = make_spot(players, board, dead, first, names=names)
    contest = Contest(spot, chosen_seed, limit, confidence, others)
    return run(contest, threads, progress=progress)


_Pair: TypeAlias = tuple[Evaluator, Evaluator]


@attrs.frozen(eq=False)
class _TrialCounts:
    """Counts of outcomes over a number of trials."""

    winners: NDArray[np.int64]
    """The number of deals for each set of players who win or share the pot, ``int64
    (2^players,)``; the index has bit *i* set if player *i* does."""
    against: NDArray[np.int64]
    """The number of deals for each category of the player's hand, best category of the opponents,
    and outcome (win, tie, loss), ``int64 (player, category, opposing category, outcome)``."""
    disagreements: tuple[Disagreements, ...]
    """The disagreements of each further evaluator with the first."""

    @classmethod
    def empty(cls, spot: Spot, checks: int) -> _TrialCounts:
        categories = len(spot.evaluator.rules.categories)
        return cls(
            np.zeros(1 << spot.players, dtype=np.int64),
            np.zeros((spot.players, categories, categories, 3), dtype=np.int64),
            (Disagreements(),) * checks,
        )

    @property
    def deals(self) -> int:
        return int(self.winners.sum())

    def plus(self, other: _TrialCounts) -> _TrialCounts:
        both = zip(self.disagreements, other.disagreements, strict=True)
        return _TrialCounts(
            self.winners + other.winners,
            self.against + other.against,
            tuple(own.plus(others) for own, others in both),
        )


class Contest(Job[_TrialCounts, ContestResult]):
    """Job that deals and counts the trials of `head_to_head`."""

    unit = "deals"
    total: int
    batch_size: BatchSize

    def __init__(
        self,
        spot: Spot,
        seed: int,
        deals: int,
        confidence: float | None = None,
        others: Sequence[Evaluator] = (),
    ) -> None:
        """Prepare a contest from the validated arguments of `head_to_head`.

        `deals` is the maximum number of trials. A player who is ahead at `confidence` ends the run;
        None to deal all trials. `others` are evaluators of the same rule set, to compare with the
        first.
        """
        self.total = deals
        self.batch_size = BatchSize(BLOCK if spot.evaluator.has_tables else FIRST_BATCH)
        self._spot = spot
        self._seed = seed
        self._confidence = confidence
        self._estimate_mean = estimate_mean if confidence is None else anytime_valid_mean
        self._pairs = [(spot.evaluator, other) for other in others]
        self._counts = _TrialCounts.empty(spot, len(others))

    def prepare(self) -> None:
        # The test and the intervals need independent deals.
        self._sampler = Sampler(self._spot, self._seed, independent=True)
        for pair in self._pairs:
            for evaluator in pair:
                evaluator.load()
        hands = self.total * self._spot.players
        for evaluator in {own for pair in self._pairs for own in pair} or {self._spot.evaluator}:
            evaluator.announce(hands * evaluator.evaluations(7))

    def tasks(self) -> Iterator[Task[_TrialCounts]]:
        begin = 0
        while begin < self.total:
            block, done = divmod(begin, BLOCK)
            size = min(self.batch_size.size, BLOCK - done, self.total - begin)
            yield Task(partial(self._count, block, done, size), size)
            begin += size

    def _count(self, block: int, done: int, size: int, workers: Workers) -> _TrialCounts:
        dealt = self._sampler.deals(block, done + size)[done:]
        strengths = self._sampler.strengths(dealt, workers)
        categories = self._spot.evaluator.ranker.scale.categories(strengths).astype(np.int64)
        counts = _TrialCounts.empty(self._spot, 0)
        count_contest(strengths, categories, counts.winners, counts.against)
        found = tuple(_compare(pair, dealt, strengths, workers) for pair in self._pairs)
        return attrs.evolve(counts, disagreements=found)

    def add(self, part: _TrialCounts) -> bool:
        """Add the counts of the next deals; return whether a player's lead ends the contest."""
        self._counts = self._counts.plus(part)
        return self._find_leader() is not None

    def _find_leader(self) -> int | None:
        """Find the player, from 0, who leads all others with the confidence, if one is required.

        Players are compared only after each 16,384 deals and after the last deal; in between, the
        answer is None.
        """
        winners, deals = self._counts.winners, self._counts.deals
        if self._confidence is None or (deals % BLOCK and deals != self.total):
            return None
        share = shares(self._spot.players)
        best = int(np.argmax(share @ winners))
        # Divided by the number of players, because any of them could be wrongly declared ahead.
        risk = (1 - self._confidence) / self._spot.players
        others = (player for player in range(self._spot.players) if player != best)
        if all(is_ahead(winners, share[best] - share[other], risk) for other in others):
            return best
        return None

    def answer(self, end: End) -> ContestResult:  # noqa: ARG002
        return self._make_result("deals" if self._find_leader() is None else "confidence")

    def partial_answer(self) -> ContestResult | None:
        return self._make_result("interrupted") if self._counts.deals else None

    def _make_result(self, stop: Literal["deals", "confidence", "interrupted"]) -> ContestResult:
        spot, counts, leader = self._spot, self._counts, self._find_leader()
        contenders = tuple(self._make_contender(player) for player in range(spot.players))
        differences = tuple(self._make_differences())
        return ContestResult(
            deals=counts.deals,
            stop=stop,
            confidence=self._confidence,
            seed=self._seed,
            board=spot.board,
            dead=spot.dead,
            evaluator=spot.evaluator.label,
            categories=spot.evaluator.rules.categories[::-1],
            players=contenders,
            differences=differences,
            verdict=_state_verdict(contenders, differences, leader, self._confidence, spot.names),
            cross_checks=tuple(
                _make_cross_check(pair, found)
                for pair, found in zip(self._pairs, counts.disagreements, strict=True)
            ),
        )

    def _make_contender(self, player: int) -> Contender:
        spot, counts = self._spot, self._counts
        names, against = spot.evaluator.rules.categories, counts.against[player]
        sets = outcomes(spot.players)
        return Contender(
            range=spot.texts[player],
            outcomes=Outcomes(
                *(int(counts.winners[sets[outcome, player]].sum()) for outcome in range(3))
            ),
            estimate=self._estimate_mean(counts.winners, shares(spot.players)[player]),
            by_category=_group_by_category(names, against.sum(axis=1)),
            against={
                names[own]: _group_by_category(names, against[own])
                for own in reversed(range(len(names)))
                if against[own].any()
            },
            name=spot.name(player),
        )

    def _make_differences(self) -> Iterator[Difference]:
        share = shares(self._spot.players)
        for first, second in combinations(range(self._spot.players), 2):
            lead = share[first] - share[second]
            found = estimate_difference(self._counts.winners, lead, self._estimate_mean)
            yield Difference((first, second), found.mean, found.stderr, found.ci95)


def _group_by_category(names: tuple[str, ...], counts: NDArray[np.int64]) -> dict[str, Outcomes]:
    """Convert counts to outcomes by category, strongest first, without categories that never occur.

    `names` are weakest first; `counts` of wins, ties and losses are ``int64 (category, outcome)``.
    """
    return {
        names[category]: Outcomes(*counts[category].tolist())
        for category in reversed(range(len(names)))
        if counts[category].any()
    }


def _state_verdict(
    contenders: Sequence[Contender],
    differences: Sequence[Difference],
    leader: int | None,
    confidence: float | None,
    names: Sequence[str] | None,
) -> str:
    """Write a sentence that says which player is ahead of all others, or that none is.

    `leader`, from 0, is ahead at the required confidence, which is None if the run had a fixed
    number of deals.
    """
    level = f"at {100 * (confidence or _DEFAULT_CONFIDENCE):.10g} % confidence"
    if leader is None and confidence is not None:
        return f"undecided {level}: no player is ahead of all others"
    if leader is None:
        leader = max(range(len(contenders)), key=lambda player: contenders[player].equity)
        for found in differences:
            if leader in found.players and found.ci95[0] <= 0 <= found.ci95[1]:
                both = name_players(found.players, names)
                return f"undecided between {both} {level}: the difference may be zero"
    return f"{name_players([leader], names)} is ahead {level}"


@attrs.frozen(eq=False)
class Disagreements:
    """How often two evaluators disagree on the same deals, with some of the hands concerned."""

    hands: int = 0
    """The number of hands whose classes differ."""
    deals: int = 0
    """The number of deals whose winners differ."""
    lowest: CardArray = _NO_HANDS
    """At most 64 of the hands whose classes differ, ``uint8 (hand, 7)``: those with the lowest card
    sets. A card set is a number with bit *i* set for the card with id i."""

    def plus(self, other: Disagreements) -> Disagreements:
        """Combine the disagreements of two disjoint sets of deals."""
        return Disagreements(
            self.hands + other.hands,
            self.deals + other.deals,
            _keep_lowest([self.lowest, other.lowest]),
        )


def _compare(
    pair: _Pair, dealt: CardArray, strengths: NDArray[np.int64], workers: Workers
) -> Disagreements:
    """Count the disagreements between two evaluators on a batch of deals.

    `dealt` are the board and each player's hole cards, ``uint8 (deal, 5 + 2 * players)``;
    `strengths` those that the first evaluator gives the hands, ``int64 (player, deal)``.
    """
    others = np.empty_like(strengths)
    count, lowest = 0, [_NO_HANDS]
    for player, hands in enumerate(hands_dealt(dealt)):
        others[player] = pair[1].rank(hands, workers)
        differ = disagreements(pair, (strengths[player], others[player]))
        count += int(differ.sum())
        lowest.append(hands[differ])
    winners, other_winners = (ranked == ranked.max(axis=0) for ranked in (strengths, others))
    deals = int((winners != other_winners).any(axis=0).sum())
    return Disagreements(count, deals, _keep_lowest(lowest))


def _make_cross_check(pair: _Pair, found: Disagreements) -> CrossCheckResult:
    """Build the result of a cross-check, with the smallest hand found to be ranked differently."""
    hand = smallest_disagreement(pair, found.lowest) if found.hands else ()
    answers = answers_to(pair, hand)
    return CrossCheckResult(pair[1].label, found.hands, found.deals, hand, answers)


def resolve_evaluators(
    evaluator: EvaluatorLike | None,
    evaluators: Sequence[EvaluatorLike] | None,
) -> list[Evaluator]:
    """Look up the evaluators of a head-to-head: a single one, or several to compare.

    Several are returned in their form `Evaluator.direct`, so that they rank hands themselves, and
    not the engine's tables.
    """
    if evaluators is None:
        return [get_evaluator(evaluator)]
    if evaluator is not None:
        raise SpotError("give either evaluator or evaluators, not both")
    if isinstance(evaluators, str) or not isinstance(evaluators, Sequence):
        raise HoldemTypeError(
            "evaluators must be a list of two or more, as ['lookup', 'reference'],"
            f" not {quoted(evaluators)}"
        )
    found = [get_evaluator(each).direct for each in evaluators]  # each is the question
    names = [each.name for each in found]
    if len(found) < 2:
        raise SpotError(f"evaluators must be two or more, not {len(found)}")
    for name in names:
        if names.count(name) > 1:
            raise SpotError(f"evaluators has {quoted(name)} twice: name each evaluator once")
    return found


def _keep_lowest(parts: list[CardArray]) -> CardArray:
    """Merge arrays of hands, ``uint8 (hand, 7)``, and keep the 64 with the lowest card sets.

    Which cards are kept thus does not depend on how the deals were divided into tasks.
    """
    hands = np.concatenate(parts)
    return hands[np.unique(card_sets(hands), return_index=True)[1][:_KEPT]]


@kernel
def count_contest(
    strengths: NDArray[np.int64],
    categories: NDArray[np.int64],
    winners: NDArray[np.int64],
    against: NDArray[np.int64],
) -> None:
    """Add the outcomes of deals to arrays of counts, in place.

    `strengths` and `categories`, 0 for the weakest, are those of the players' hands, ``int64
    (player, deal)``. `winners` and `against` are those of `_TrialCounts`.
    """
    one = np.uint64(1)
    players, deals = strengths.shape
    for deal in range(deals):
        best, at_top = strengths[0, deal], one
        for player in range(1, players):
            bit = one << np.uint64(player)
            best, at_top = update_winners(best, at_top, strengths[player, deal], bit)
        winners[at_top] += 1
        is_tied = at_top & (at_top - one) != 0
        top = runner_up = 0  # categories: of the winners, and the best of the others
        for player in range(players):
            category = categories[player, deal]
            if at_top >> np.uint64(player) & one:
                top = category
            else:
                runner_up = max(runner_up, category)
        for player in range(players):
            opposing = top
            if not at_top >> np.uint64(player) & one:
                outcome = LOSS
            elif is_tied:
                outcome = TIE
            else:
                outcome, opposing = WIN, runner_up
            against[player, categories[player, deal], opposing, outcome] += 1
