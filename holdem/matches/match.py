"""`play`: whole hands with betting, many at a time, by functions that decide for all of them.

A task is a batch of whole deals. All its games wait in queues, one for each strategy. The strategy
with the longest queue answers for all games in it; they are moved on by the compiled rules, and
filed in the queue of whoever is next, until all are over. Games are independent of each other, so
the order does not matter.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from itertools import permutations
from math import factorial, log, prod
from typing import Any, Literal

import attrs
import numpy as np
from numpy.typing import ArrayLike, NDArray

from holdem.arguments import checked_integer, is_iterable
from holdem.betting.played_hand import Limit
from holdem.betting.rulebook import GAME
from holdem.betting.stakes import Stakes, default_stack, hashable, make_stakes
from holdem.cards import CardArray, CardsLike
from holdem.dealing.seeds import Seed, counter_start
from holdem.errors import (
    BudgetError,
    HoldemRuntimeError,
    HoldemTypeError,
    HoldemValueError,
    SpotError,
    counted,
    quoted,
)
from holdem.evaluation.registry import EvaluatorLike
from holdem.jobs.run import BatchSize, End, Job, Task, run
from holdem.jobs.workers import Workers, count_workers
from holdem.matches import game_kernels
from holdem.matches.decisions import Batch
from holdem.matches.game_kernels import (
    CORRECTIONS,
    COUNTS,
    ENTERED,
    GROUP,
    HANDS,
    OPENED,
    SAW,
    SHOWN,
    WON,
)
from holdem.matches.named_strategies import find_strategy
from holdem.matches.play_result import PlayResult, PositionResult, StrategyResult, Sums
from holdem.matches.played_hands import PlayedHands, Record
from holdem.matches.runouts import settle_all_ins
from holdem.matches.strategies import Player, Strategy, read_strategies
from holdem.odds.bounds import check_bounds
from holdem.odds.sampling.intervals import BETS, evidence_of, log_gains
from holdem.ranges.range import Range
from holdem.rules import MAX_PLAYERS, MIN_PLAYERS
from holdem.trials.given_decks import checked_decks, deal_decks
from holdem.trials.simulation import HandDealer, checked_hand_count

#: The number of hands if neither hands nor time are given.
DEFAULT_HANDS = 100_000

#: The most hands of a run until it is decided, if there is no other bound.
DEFAULT_HANDS_UNTIL_DECIDED = 10_000_000

#: Deals after which it is tested whether a match is decided.
TESTED_DEALS = 1 << 14

#: The probability that a match is decided wrongly.
RISK = 0.05

#: The most hands that are recorded: some 800 MB.
MOST_RECORDED = 20_000_000

#: The most line-ups if seats are not only rotated: those of three strategies.
MOST_LINEUPS = 6

#: The actions of a game for which there is room at first.
LOGGED_AT_FIRST = 8

#: The actions of a batch that are logged at the same time: some 200 MB.
MOST_LOGGED = 1 << 23

# Games of a batch: some 6 MB with their cards, so that steps in Python cost little and the games
# stay in the cache. The first batches are smaller, for slow strategies.
_MOST_GAMES, _FIRST_GAMES = 1 << 15, 1 << 12


def play(
    strategies: Sequence[Any],
    *,
    hands: float | None = None,
    time: float | None = None,
    until: Literal["decided"] | None = None,
    blinds: Sequence[float] = (1, 2),
    stacks: float | Sequence[float] | None = None,
    antes: float | Sequence[float] = 0,
    big_blind_ante: float = 0,
    dead_chips: Mapping[int, float] | None = None,
    limit: Limit = "no",
    bets: Sequence[float] | None = None,
    cap: int | None = None,
    trims_antes: bool = True,
    blind_first: bool = False,
    full_blind: bool = True,
    chip: float | None = None,
    turn_seats: bool = True,
    runouts: int = 0,
    holes: Sequence[str | Range] = (),
    board: CardsLike | None = None,
    dead: CardsLike | None = None,
    deck: ArrayLike | None = None,
    seed: Seed | None = None,
    evaluator: EvaluatorLike | None = None,
    workers: int | None = None,
    progress: bool = False,
    names: Sequence[str] | None = None,
    record: float = 0,
) -> PlayResult:
    """Play whole hands with betting between strategies, by the rules of a card room.

    A strategy is a function of `Decisions`: it is called with all games of a batch in which it is
    its turn, and returns an array with an action for each of them: -1 to fold, 0 to check or call,
    or the total to raise to. A total below the least raise becomes the least one, a total above the
    stack or the limit the largest one; where no raise is open, a raise becomes a call, and a fold
    that costs nothing a check. The result says how often that happened.

    Each deal is played several times, with the seats turned over the same cards: with all line-ups
    if there are at most 6 different ones, otherwise with the rotations of the given one. Chips and
    cards stay with the positions. Strategies of the same hands differ in luck by less, and errors
    are those of whole deals. The rules and their sources are on the page *The rules of betting*.

    The cards of a deal depend on the seed and the number of the deal only, as in `deal`. The result
    does not depend on the number of workers, except in a run that is ended by `time`.

    Args:
        strategies: a strategy for each position, 2 to 10, counted from the left of the button. The
            same one may be given several times. An object with a method ``start(games)`` is copied
            for each batch and told its number of games, so that it can keep arrays of what it
            remembers of a hand.
        hands: the number of hands, rounded up to whole deals; 100,000 if there is no other bound.
        time: end after this many seconds.
        until: ``"decided"`` ends the run once one strategy is ahead of all others at 95 %
            confidence, at most after 10,000,000 hands if there is no other bound. The test is
            valid whenever the run ends: it is made after each 16,384 deals, and the probability
            that a strategy that is not the best is ever declared ahead is at most 5 %. Intervals
            are those of a fixed number of deals all the same.
        blinds: the small and the big blind, then straddles, in the order of positions.
        stacks: the chips of all positions, or of each; 100 big blinds by default.
        antes: as for `Game`.
        big_blind_ante: as for `Game`.
        dead_chips: as for `Game`.
        limit: ``"no"``, ``"pot"`` or ``"fixed"``.
        bets: as for `Game`.
        cap: as for `Game`.
        trims_antes: as for `Game`.
        blind_first: as for `Game`.
        full_blind: as for `Game`.
        chip: the smallest chip, as for `Game`.
        turn_seats: if False, everyone stays at the given position.
        runouts: the number of random boards whose mean replaces the one that was dealt after an
            all-in before the river, such as 16; 0 for none. What strategies win on average stays
            the same, their luck becomes less. Heads-up before the flop, the mean is that of all
            boards. Hands that are recorded, and showdowns won, are as they were dealt.
        holes: hole cards or ranges of the first positions; the others hold any hand.
        board: up to five cards, the same in every hand.
        dead: cards out of play.
        deck: decks to deal from instead, one for each deal, in the order of `deal`: ids from the
            top, integers ``(deal, card)``. All of them are played, unless there is another bound.
        seed: 0..2^64-1 or a SeedSequence; if None, a seed is drawn, and the result reports it.
        evaluator: ranks the hands: a name, a spec, or None for the default. Its rules have no wild
            cards.
        workers: the number of threads, which call strategies at the same time; None means one per
            core.
        progress: show a progress bar on standard error.
        names: a name for each position's strategy; by default, that of the function.
        record: the number of hands to keep, from the first on, as `PlayResult.hands`; True keeps
            all, some 40 bytes each, at most the first 20 million.

    Returns:
        What each strategy won, with its error, and how it played.

    Raises:
        HoldemValueError: an argument is invalid, or a strategy raises an exception or returns
            anything but actions; the message names it and the first game in question.
        HoldemRuntimeError: the time was over before the first batch was played.
        HoldemError: another argument is invalid.
        Interrupted: Ctrl-C was pressed. The attribute ``finished`` of the exception is the result
            so far, or None if no batch was finished.

    Example:
        >>> import holdem, numpy as np
        >>> def tight(decision):
        ...     good = decision.percentile >= 0.8
        ...     return np.where(good, 3 * decision.highest, decision.FOLD)
        >>> def caller(decision):
        ...     return np.full(len(decision), decision.CALL)
        >>> result = holdem.play([tight, caller, caller], hands=30_000, seed=7)
        >>> result.hand_count, result["tight"].hands, result["caller"].hands
        (30000, 30000, 60000)
        >>> result["tight"].ci95[0] > 0
        True
    """
    kinds, seats = read_strategies(strategies, names, find_strategy)
    if not MIN_PLAYERS <= len(seats) <= MAX_PLAYERS:
        raise HoldemValueError(
            f"strategies: a game has {MIN_PLAYERS} to {MAX_PLAYERS} seats, not {len(seats)}; for"
            " the same strategy in several seats, write [mine, other, other]"
        )
    given_stacks = hashable(stacks)
    if given_stacks is None:
        given_stacks = default_stack(hashable(blinds), hashable(bets))
    if not isinstance(given_stacks, tuple):
        given_stacks = (given_stacks,) * len(seats)
    if len(given_stacks) != len(seats):
        raise HoldemValueError(
            f"stacks: expected an amount, or one for each of {len(seats)} positions, not"
            f" {quoted(stacks)}"
        )
    options: dict[str, Any] = {
        "stacks": given_stacks,
        "blinds": hashable(blinds),
        "antes": hashable(antes),
        "big_blind_ante": hashable(big_blind_ante),
        "dead_chips": hashable(dead_chips),
        "limit": hashable(limit),
        "bets": hashable(bets),
        "cap": hashable(cap),
        "trims_antes": trims_antes,
        "blind_first": blind_first,
        "full_blind": full_blind,
        "chip": hashable(chip),
    }
    stakes, chips = make_stakes(**options)
    if time is not None:
        time = check_bounds(None, None, time).time
    most = None if hands is None else checked_hand_count(hands, fewest=1)
    if isinstance(holes, str | Range) or not is_iterable(holes):
        raise HoldemTypeError(
            f"holes: expected a list of hole cards or ranges by position, not {quoted(holes)}"
        )
    dealer = HandDealer(tuple(holes), len(seats), board, dead, seed, evaluator)
    if dealer.evaluator.rules.deuces_wild:
        raise SpotError(f"play has no wild cards, and {dealer.evaluator.rules.name} rules have")
    if not dealer.evaluator.has_tables:
        raise SpotError(
            f"play ranks hands by tables: give the evaluator {dealer.evaluator.name} by its name,"
            " not a direct one"
        )
    lineups = turn(seats) if turn_seats else np.array([seats], dtype=np.uint8)
    default = DEFAULT_HANDS
    if until is not None:
        if until != "decided" or isinstance(until, bool):
            raise HoldemValueError(f'until must be "decided", not {quoted(until)}')
        if len(kinds) < 2:
            raise HoldemValueError("until: there is nothing to decide between one strategy")
        default = DEFAULT_HANDS_UNTIL_DECIDED
    decks = None
    if deck is not None:
        if tuple(holes) or board is not None or dead is not None:
            raise SpotError("deck has all cards of a deal: leave out holes, board and dead")
        given = checked_decks(deck, len(seats))
        decks = deal_decks(given, len(seats), "seat", dealer.evaluator.rules)
        enough = len(decks) * len(lineups)
        if enough < (most or 1):
            raise SpotError(
                f"deck has {counted(len(decks), 'row')}, enough for {counted(enough, 'hand')}"
            )
        most = most or enough
    recorded = MOST_RECORDED if record is True else checked_hand_count(record)
    if recorded > MOST_RECORDED:
        raise BudgetError(f"record: at most {MOST_RECORDED:,} hands are kept, not {recorded:,}")
    match = Match(
        kinds,
        lineups,
        stakes,
        np.array(chips, dtype=np.int32),
        dealer,
        default if most is time is None else most,
        recorded,
        checked_integer(runouts, "runouts", 0, 10_000, HoldemValueError),
        until is not None,
        options,
        decks,
    )
    return run(match, count_workers(workers), seconds=time, progress=progress)


def turn(seats: Sequence[int]) -> NDArray[np.uint8]:
    """List the line-ups of strategies, ``uint8 (line-up, position)``.

    They are all different ones if there are at most `MOST_LINEUPS`, otherwise the rotations.
    """
    counts = [seats.count(kind) for kind in range(max(seats) + 1)]
    if factorial(len(seats)) // prod(map(factorial, counts)) <= MOST_LINEUPS:
        found = list(_arrangements(counts))
    else:
        places = range(len(seats))
        found = [[*seats[place:], *seats[:place]] for place in places]
        found = [own for place, own in enumerate(found) if own not in found[:place]]
    return np.array(found, dtype=np.uint8)


def _arrangements(counts: list[int]) -> Iterator[list[int]]:
    if not any(counts):
        yield []
    for kind, count in enumerate(counts):
        if count:
            left = [own - (other == kind) for other, own in enumerate(counts)]
            for rest in _arrangements(left):
                yield [kind, *rest]


@attrs.frozen(eq=False)
class _Part:
    """What comes of consecutive deals."""

    deals: int
    counts: NDArray[np.int64]
    """``int64 (strategy, position, COUNTS)``, see `game_kernels`."""
    sums: NDArray[np.float64]
    """As of `game_kernels.tally`, of each group of deals or, in a total, of all."""
    notes: NDArray[np.int64]
    """``int64 (strategy, correction)``."""
    won: NDArray[np.float64]
    """By deal, as of `game_kernels.tally`, of deals that are not tested yet; none without tests."""
    gains: NDArray[np.float64]
    """The sum of `log_gains` of the lead of each strategy over each other, ``float64 (strategy,
    strategy, bet)``, of all deals that were tested."""
    all_ins: int = 0
    """Games that were settled by runouts."""
    records: tuple[Record, ...] = ()

    def plus(self, part: _Part) -> _Part:
        """Add the next part to a total, group by group, so that batches make no difference."""
        sums = np.add.accumulate(np.concatenate([self.sums, part.sums]))[-1:]
        return _Part(
            self.deals + part.deals,
            self.counts + part.counts,
            sums,
            self.notes + part.notes,
            np.concatenate([self.won, part.won]),
            self.gains,
            self.all_ins + part.all_ins,
            self.records + part.records,
        )


class Match(Job[_Part, PlayResult]):
    """Job that plays batches of whole deals."""

    unit = "hands"
    batch_size: BatchSize

    def __init__(
        self,
        strategies: Sequence[Strategy],
        lineups: NDArray[np.uint8],
        stakes: Stakes,
        stacks: NDArray[np.int32],
        dealer: HandDealer,
        hands: int | None,
        recorded: int,
        runouts: int,
        is_tested: bool,
        options: Mapping[str, Any],
        decks: CardArray | None,
    ) -> None:
        """Prepare a match; `hands` is None for any number, `options` are those of `Game`.

        `decks` are the cards of all deals, as `HandDealer.deal` returns them; None if it deals.
        """
        self._decks = decks
        self._recorded, self._options = recorded, options
        self._runouts, self._is_tested = runouts, is_tested
        self._strategies, self._lineups = strategies, lineups
        self._stakes, self._rules, self._stacks = stakes, stakes.record(), stacks
        self._dealer = dealer
        self._start = np.uint64(counter_start(dealer.seed, "strategies"))
        self._runout_start = np.uint64(counter_start(dealer.seed, "runouts"))
        self._deals = None if hands is None else -(-hands // len(lineups))
        self.total = None if self._deals is None else self._deals * len(lineups)
        self.batch_size = BatchSize(GROUP * len(lineups))
        self.batch_size.size = _FIRST_GAMES
        kinds, players = len(strategies), stakes.players
        # Only recorded hands and `Decisions.actions` read the log.
        self._is_logged = recorded > 0 or not all(own.compiled for own in strategies)
        # The actions of a game: at first the most that there can be, with raises of the least bet
        # and all-ins, each called by all; then twice those of the last batch.
        raises = int(stacks.max()) // min(stakes.bets) + players
        self._actions = players * (raises + 4)
        self._found = _Part(
            0,
            np.zeros((kinds, players, COUNTS), dtype=np.int64),
            np.zeros((1, kinds, 3 + kinds + 2 * players)),
            np.zeros((kinds, len(CORRECTIONS)), dtype=np.int64),
            np.empty((0, kinds)),
            np.zeros((kinds, kinds, len(BETS))),
        )
        # Arrays of games and logs that batches have left: new memory costs a tenth of the time.
        self._spare: list[tuple[Any, NDArray[np.int32]]] = []
        self._asked = ""  # the strategy that was called last

    def prepare(self) -> None:
        self._dealer.warm_up()

    def tasks(self) -> Iterator[Task[_Part]]:
        done = 0
        while self._deals is None or done < self._deals:
            games = min(self.batch_size.size, _MOST_GAMES, MOST_LOGGED // self._actions)
            deals = max(1, games // len(self._lineups) // GROUP) * GROUP
            if self._deals is not None:
                deals = min(deals, self._deals - done)
            if self._is_tested:
                deals = min(deals, TESTED_DEALS - done % TESTED_DEALS)
            yield Task(partial(self._play, done, deals), deals * len(self._lineups))
            done += deals

    def _play(self, first: int, deals: int, workers: Workers) -> _Part:
        """Play a number of deals, from deal `first` on, counted from 0."""
        kinds, players, lineups = len(self._strategies), self._stakes.players, self._lineups
        size = deals * len(lineups)
        games, log = self._make_room(size)
        batch = Batch(
            self._stakes,
            int(self._stacks.sum(dtype=np.int64)),
            self._rules,
            self._dealer.evaluator,
            lineups,
            self._dealer.deal(first + 1, deals)
            if self._decks is None
            else self._decks[first : first + deals],
            first,
            self._start,
            games[:size],
            log,
            np.zeros(1, dtype=np.int64),
        )
        queues = np.empty((kinds + 1, size), dtype=np.int32)
        sizes = np.zeros(kinds + 1, dtype=np.int64)
        notes = np.zeros((kinds, len(CORRECTIONS)), dtype=np.int64)
        game_kernels.begin_games(
            batch.games, self._rules, self._stacks, len(lineups), lineups, queues, sizes
        )
        own = [Player(k, strategy, size) for k, strategy in enumerate(self._strategies)]
        while sizes[:kinds].any():
            workers.require_open()
            k = choose_queue(sizes[:kinds])
            rows = queues[k, : sizes[k]].copy()
            sizes[k] = 0
            if self._is_logged:
                batch.make_room(2 * len(rows))
            self._asked = own[k].name
            own[k].act(batch, rows, queues, sizes, notes[k])
        winners, gained, all_ins = np.zeros(size, dtype=np.uint16), np.empty((0, players)), 0
        rows = queues[kinds, : sizes[kinds]]
        if len(rows):
            hands = np.empty((len(rows) * players, 7), dtype=np.uint8)
            count = game_kernels.join_live(batch.games, rows, players, batch.dealt, hands)
            strengths = self._dealer.evaluator.ranker.rank(hands[:count], workers)
            shares, stacks = gained, gained
            if self._runouts:
                rows_in = rows[batch.games["all_in"][rows] >= 0]
                shares = settle_all_ins(
                    batch, self._dealer.spot, rows_in, self._runouts, self._runout_start
                )
                stacks = batch.games["stack"][rows_in, :players] + shares
            space = np.zeros((3, MAX_PLAYERS), dtype=np.int64)
            game_kernels.award_games(batch.games, self._rules, rows, strengths, winners, space)
            if len(shares):
                all_ins = len(rows_in)
                gained = np.zeros((size, players))
                gained[rows_in] = stacks - batch.games["stack"][rows_in, :players]
        counts = np.zeros((kinds, players, COUNTS), dtype=np.int64)
        won = np.empty((deals, kinds))
        sums = np.zeros((-(-deals // GROUP), *self._found.sums.shape[1:]))
        game_kernels.tally(
            batch.games,
            self._stacks,
            len(lineups),
            lineups,
            winners,
            gained,
            counts,
            won,
            sums,
        )
        records: tuple[Record, ...] = ()
        if (kept := min(size, self._recorded - first * len(lineups))) > 0:
            cards = batch.dealt[: -(-kept // len(lineups))].copy()
            records = (Record.of(batch.games, kept, batch.log, cards, first * len(lineups)),)
        self._spare.append((games, batch.log))
        self._actions = 2 * max(1, int(batch.logged[0]) // size)
        kept_won = won if self._is_tested else won[:0]
        return _Part(deals, counts, sums, notes, kept_won, self._found.gains, all_ins, records)

    def _make_room(self, size: int) -> tuple[Any, NDArray[np.int32]]:
        with suppress(IndexError):  # another thread may take the last ones
            games, log = self._spare.pop()
            if len(games) >= size:
                return games, log
        games = np.empty(size, dtype=GAME).view(np.recarray)
        logged = LOGGED_AT_FIRST * size if self._is_logged else 0
        return games, np.empty((logged, 3), dtype=np.int32)

    def add(self, part: _Part) -> bool:
        found = self._found.plus(part)
        is_last = found.deals == self._deals
        if self._is_tested and (is_last or found.deals % TESTED_DEALS == 0):
            found = attrs.evolve(
                found, gains=found.gains + self._gains_of(found.won), won=found.won[:0]
            )
        self._found = found
        return is_last or self._find_leader() is not None

    def _gains_of(self, won: NDArray[np.float64]) -> NDArray[np.float64]:
        """Find the `log_gains` of the lead of each strategy over each other, over some deals."""
        chips = self._stacks.astype(np.int64)
        # In a hand, one can win all chips but its own, and the other lose its own.
        most = float(chips.sum() + chips.max() - chips.min())
        seats = np.bincount(self._lineups.ravel(), minlength=len(self._strategies))
        each = won / seats / (2 * most)
        gains = np.zeros_like(self._found.gains)
        ones = np.ones(len(won))
        for first, second in permutations(range(len(self._strategies)), 2):
            gains[first, second] = log_gains(ones, 0.5 + each[:, first] - each[:, second])
        return gains

    def _find_leader(self) -> int | None:
        """Find the strategy that is ahead of all others in a match that is tested, if one is."""
        if not self._is_tested:
            return None
        kinds = len(self._strategies)
        # Divided by the number of strategies, because any could be wrongly declared ahead.
        needed = -log(RISK / kinds)
        for first in range(kinds):
            others = [self._found.gains[first, own] for own in range(kinds) if own != first]
            if min(map(evidence_of, others)) >= needed:
                return first
        return None

    def answer(self, end: End) -> PlayResult:
        if not self._found.deals:
            raise HoldemRuntimeError(
                f"the time was over before a batch of hands was played; strategy"
                f" {quoted(self._asked)} was called last: give it more time, or see whether it ends"
            )
        if self._find_leader() is not None:
            return self._make_result("decided")
        return self._make_result("time" if end == "time" else "hands")

    def partial_answer(self) -> PlayResult | None:
        return self._make_result("interrupted") if self._found.deals else None

    def _make_result(self, stop: Literal["hands", "time", "decided", "interrupted"]) -> PlayResult:
        found, stakes, spot = self._found, self._stakes, self._dealer.spot
        sums = Sums(
            deals=found.deals,
            seats=found.counts[..., HANDS] // found.deals,
            big_blind=stakes.unit,
            totals=found.sums[0],
        )
        return PlayResult(
            hand_count=found.deals * len(self._lineups),
            deals=found.deals,
            stop=stop,
            seed=self._dealer.seed,
            players=stakes.players,
            big_blind=stakes.amount(sums.big_blind),
            stacks=tuple([stakes.amount(chips) for chips in self._stacks.tolist()]),
            board=spot.board,
            dead=spot.dead,
            evaluator=spot.evaluator.label,
            strategies=tuple(
                [
                    self._describe(k, strategy.name, sums)
                    for k, strategy in enumerate(self._strategies)
                ]
            ),
            lineups=len(self._lineups),
            runouts=self._runouts,
            all_ins=found.all_ins,
            verdict=self._state_verdict(sums),
            elapsed=self.stopwatch.elapsed,
            sums=sums,
            recorded=PlayedHands(
                found.records,
                [tuple([self._strategies[k].name for k in own]) for own in self._lineups.tolist()],
                stakes,
                self._options,
                self._dealer.seed,
                spot.evaluator,
            ),
        )

    def _describe(self, k: int, name: str, sums: Sums) -> StrategyResult:
        found = self._found
        notes = zip(CORRECTIONS, found.notes[k].tolist(), strict=True)
        places = [
            PositionResult(
                position=position,
                **self._style(found.counts[k, position]),
                **sums.at_position(k, position),
            )
            for position in np.flatnonzero(sums.seats[k]).tolist()
        ]
        return StrategyResult(
            name=name,
            corrections={note: count for note, count in notes if count},
            by_position=tuple(places),
            stderr_as_played=sums.as_played(k)["stderr"] if self._runouts else None,
            **self._style(found.counts[k].sum(axis=0)),
            **sums.of_strategy(k),
        )

    def _state_verdict(self, sums: Sums) -> str:
        """Say which strategy is ahead of all others, or that none is; "" of one alone."""
        names = [strategy.name for strategy in self._strategies]
        level = f"at {100 * (1 - RISK):g} % confidence"
        if len(names) < 2:
            return ""
        leader = self._find_leader()
        if self._is_tested and leader is None:
            return (
                f"undecided {level}: no strategy is ahead of all others; this test may be stopped"
                " at any time, and so needs more than two standard errors"
            )
        if leader is None:
            rates = [sums.of_strategy(k)["bb_per_100"] for k in range(len(names))]
            leader = int(np.argmax(rates))
            for other in range(len(names)):
                ci95 = sums.lead(leader, other)["ci95"]
                if other != leader and (ci95 is None or ci95[0] <= 0):
                    return (
                        f"undecided between {names[leader]} and {names[other]} {level}: the"
                        " difference may be zero"
                    )
        return f"{names[leader]} is ahead {level}"

    def _style(self, counts: NDArray[np.int64]) -> dict[str, Any]:
        """How a strategy played, as fields of its result."""
        own = counts.tolist()
        return {
            "hands": own[HANDS],
            "vpip": own[ENTERED] / own[HANDS],
            "pfr": own[OPENED] / own[HANDS],
            "went_to_showdown": own[SHOWN] / own[SAW] if own[SAW] else None,
            "won_at_showdown": own[WON] / own[SHOWN] if own[SHOWN] else None,
        }


def choose_queue(sizes: NDArray[np.int64]) -> int:
    """Choose the strategy that answers next: that of most games, so that there are fewer calls."""
    return int(sizes.argmax())
