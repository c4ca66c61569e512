"""`simulate`, `deal` and `deal_batches`, which deal whole hands of Hold'em.

The kernels that draw the deals of a sampled equity (`holdem.odds.sampling.sampler`) also draw these
hands, in blocks of consecutive hands. Each block has a separate random stream, so it can be dealt
without the blocks before it.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any, Literal
from weakref import WeakSet

import numpy as np
from numpy.typing import ArrayLike

from holdem.arguments import checked_integer
from holdem.cards import CardArray, CardsLike
from holdem.dealing.seeds import Seed, resolve_seed
from holdem.errors import BudgetError, HoldemTypeError, SpotError, counted, quoted
from holdem.evaluation.evaluator import Evaluator
from holdem.evaluation.registry import EvaluatorLike, get_evaluator
from holdem.jobs.run import EachTask, Task, run
from holdem.jobs.workers import Workers, count_workers, in_worker_thread
from holdem.odds.bounds import MAX_DEALS
from holdem.odds.sampling.sampler import BLOCK, Sampler
from holdem.odds.spot import BOARD_SIZE, Spot, fill_players, make_spot, read_range
from holdem.ranges.range import Range
from holdem.rules import MAX_PLAYERS, STANDARD
from holdem.trials.given_decks import Order, checked_decks, deal_decks
from holdem.trials.hand_table import BURNS, STREETS, Hand, HandTable

#: The largest number of hands for which no random number is used twice.
MAX_HANDS = MAX_DEALS
_HANDS = f"{MAX_HANDS:,}"

#: The number of players if none is given.
DEFAULT_PLAYERS = 6

#: The most memory that a table of `deal` may take, with all that it computes, in bytes.
MAX_BYTES = 2 * 10**9

#: The default number of hands in a table of `deal_batches`.
DEFAULT_BATCH = 1 << 20

# The sizes of the tables from which `simulate` yields hands. The first tables are small, so that
# the first hand comes quickly.
_FIRST_TABLE, _LARGEST_TABLE = 8, 256

# Evaluators that have ranked a hand, so that their kernels are compiled.
_warm_evaluators = WeakSet[Evaluator]()


class HandDealer:
    """A dealer that can begin at any hand number, without dealing all the hands before it.

    The cards of a hand depend only on the players' ranges, the board and dead cards that are given,
    the seed and the number of the hand.
    """

    def __init__(
        self,
        seats: tuple[str | Range, ...] = (),
        players: int | None = None,
        board: CardsLike | None = None,
        dead: CardsLike | None = None,
        seed: Seed | None = None,
        evaluator: EvaluatorLike | None = None,
    ) -> None:
        """Prepare to deal; the arguments and exceptions are those of `holdem.deal`."""
        self.seed = resolve_seed(seed)  # given or drawn
        self.spot = _make_spot(seats, players, board, dead, evaluator)
        self.players = self.spot.players
        self.evaluator = self.spot.evaluator
        self._sampler = Sampler(self.spot, self.seed, "hands", independent=True, burns=BURNS)

    def deal(self, first: int, count: int) -> CardArray:
        """Deal the cards of `count` consecutive hands, from number `first`, counted from 1, on.

        They are ``uint8 (hand, 5 + 2 * players + 3)``: the board, then each player's hole cards,
        then the three burnt cards.
        """
        block, start = divmod(first - 1, BLOCK)
        if start + count <= BLOCK:
            return self._sampler.deals(block, start + count)[start:]
        dealt = np.empty((count, BOARD_SIZE + 2 * self.players + BURNS), dtype=np.uint8)
        done = 0
        while done < count:
            block, start = divmod(first - 1 + done, BLOCK)
            size = min(BLOCK - start, count - done)
            dealt[done : done + size] = self._sampler.deals(block, start + size)[start:]
            done += size
        return dealt

    def table(self, first: int, count: int, workers: int | Workers = 1) -> HandTable:
        """Deal a table of `count` consecutive hands, from hand number `first`, counted from 1, on.

        `workers` rank the hands when strengths are first used: a number of threads or, in code that
        already runs in the threads of a `Workers` object, that object.
        """
        numbers = np.arange(first, first + count, dtype=np.int64)
        return HandTable(self.deal(first, count), numbers, self.seed, self.evaluator, workers)

    def warm_up(self) -> None:
        """Load the evaluator and the kernels by dealing and ranking one hand.

        If a dealer has done so before with this evaluator, nothing happens.
        """
        if self.evaluator not in _warm_evaluators:
            in_worker_thread(lambda: self.table(1, 1).winners)
            _warm_evaluators.add(self.evaluator)


def _make_spot(
    seats: tuple[Any, ...],
    players: int | None,
    board: CardsLike | None,
    dead: CardsLike | None,
    evaluator: EvaluatorLike | None,
) -> Spot:
    numbers = [seat for seat, given in enumerate(seats) if isinstance(given, int | float)]
    if numbers:
        number = quoted(seats[numbers[0]])
        raise HoldemTypeError(
            f"player {numbers[0] + 1}: a player is a hand or a range, not {number}; the number of"
            f" players is players={number}, that of hands hands={number}"
        )
    if len(seats) == 1 and isinstance(seats[0], list | tuple):  # two cards, or all players
        read_range(seats[0], STANDARD, players=2)
    if players is None:
        players = len(seats) or DEFAULT_PLAYERS
    filled = fill_players(seats, players, fewest=1)
    players = len(filled)
    spot = make_spot(filled, board, dead, evaluator, fewest=1)
    needed = 2 * players + spot.to_come + BURNS
    if needed > spot.cards_left:
        rules = spot.evaluator.rules
        is_whole = spot.cards_left == len(rules.deck)
        left = f"{rules.name} rules have {rules.deck_text}"
        raise SpotError(
            f"{counted(players, 'player')} need {needed} cards with the board and three burns,"
            f" and {left if is_whole else f'only {spot.cards_left} are left'}; deal to at most"
            f" {(spot.cards_left - spot.to_come - BURNS) // 2} players"
        )
    return spot


def checked_hand_count(hands: float, fewest: int = 0) -> int:
    """Validate a number of hands, given as an int or as a float such as 1e6."""
    if isinstance(hands, float) and hands.is_integer():
        hands = int(hands)
    bounds = f"from {fewest} to {_HANDS}"
    return checked_integer(hands, "hands", fewest, MAX_HANDS, SpotError, bounds)


def simulate(
    *seats: str | Range,
    players: int | None = None,
    hands: int | None = None,
    seed: Seed | None = None,
    evaluator: EvaluatorLike | None = None,
    board: CardsLike | None = None,
    dead: CardsLike | None = None,
    strategies: None = None,
) -> Iterator[Hand]:
    """Deal whole hands of Hold'em, one after another; nobody bets, as strategies of `play` do.

    The cards of a hand depend only on the players' ranges, `board`, `dead`, the seed and the number
    of the hand. Hand 1,000 of seed 7 is therefore the same in `simulate`, `deal`, `aggregate` and
    `write_hands`, on any machine.

    Args:
        *seats: hole cards or a range for each of the first players. Further players hold any hand.
        players: the number of players, 1 to 10. By default, as many as in `seats`, or 6 if `seats`
            is empty.
        hands: the number of hands; unlimited if None.
        seed: 0..2^64-1 or a SeedSequence; drawn from the operating system's entropy if None. Every
            hand has it as an attribute.
        evaluator: ranks the hands: a name, a spec, or None for the default.
        board: up to five cards, the same in every hand.
        dead: cards out of play.
        strategies: refused, because `holdem.play` plays with strategies.

    Returns:
        An iterator of `Hand` objects, which uses constant memory. Hands are ranked when a strength
        or a winner is first used, up to 256 at a time.

    Raises:
        SpotError: the number of players or hands is invalid, or no deal is possible.
        SeedError: the seed is outside 0..2^64-1.
        EvaluatorError: there is no such evaluator, or it cannot be used.
        HoldemError: another argument is invalid.

    Example:
        >>> import holdem
        >>> hand = next(holdem.simulate(players=2, hands=1, seed=7))
        >>> hand.winners, [seat.value.name for seat in hand.seats]
        ((1,), ['Pair, Jacks', 'Pair, Jacks'])
    """
    if strategies is not None:
        raise HoldemTypeError("nobody bets in simulate; holdem.play(strategies) plays with betting")
    if hands is not None:
        hands = checked_hand_count(hands)
    dealer = HandDealer(seats, players, board, dead, seed, evaluator)
    dealer.warm_up()
    return _yield_hands(dealer, hands)


def _yield_hands(dealer: HandDealer, hands: int | None) -> Iterator[Hand]:
    first, size = 1, _FIRST_TABLE
    dealt = dealer.table(1, 0)
    while hands is None or first <= hands:
        done = first - 1 - (int(dealt.number[0]) - 1 if len(dealt) else 0)
        if done >= len(dealt):
            # The first block is dealt in two steps, because its first hands should come quickly.
            left = BLOCK - (first - 1) % BLOCK
            count = size if first == 1 else left
            dealt = dealer.table(first, count if hands is None else min(count, hands - first + 1))
            done = 0
        yield from dealt[done : done + size]
        first += min(size, len(dealt) - done)
        size = min(2 * size, _LARGEST_TABLE)


def deal(
    *seats: str | Range,
    players: int | None = None,
    hands: int = 1,
    board: CardsLike | None = None,
    dead: CardsLike | None = None,
    seed: Seed | None = None,
    evaluator: EvaluatorLike | None = None,
    workers: int | None = None,
    progress: bool = False,
    deck: ArrayLike | None = None,
    order: Literal["seat", "round"] = "seat",
) -> HandTable:
    """Deal whole hands of Hold'em as a table of arrays.

    The hands are those of `simulate` with the same arguments, or are dealt from given decks.
    Strengths, winners and other arrays that follow from the cards are computed when they are first
    used.

    Args:
        *seats: hole cards or a range for each of the first players. Further players hold any hand.
        players: the number of players, 1 to 10. By default, as many as in `seats`, or 6 if `seats`
            is empty.
        hands: the number of hands.
        board: up to five cards, the same in every hand.
        dead: cards out of play.
        seed: 0..2^64-1 or a SeedSequence; drawn if None. The table has it as an attribute.
        evaluator: ranks the hands: a name, a spec, or None for the default.
        workers: the number of threads that deal and, later, rank the hands; None means one per
            core. The table does not depend on it.
        progress: show a progress bar on standard error.
        deck: a deck for each hand, from the top, in place of a seed: card ids, integers ``(hand,
            card)``, such as shuffles of your own. A row has all cards of the rules or fewer, but
            enough for the hand: hole cards, then a burnt card before each of flop, turn and river.
            `seats`, `board`, `dead` and `seed` must be left out; the table's seed is None.
        order: how hole cards are dealt from `deck`: ``"seat"``, two to the first player, then two
            to the next; or ``"round"``, one to each player, then a second one.

    Raises:
        CardError: a row of `deck` has too few cards, one twice, or one outside the rules' deck.
        BudgetError: the table could take more than 2 GB with all of its arrays.
        SpotError: the number of players or hands is invalid, or no deal is possible.
        SeedError: the seed is outside 0..2^64-1.
        EvaluatorError: there is no such evaluator, or it cannot be used.
        HoldemError: another argument is invalid.
        Interrupted: Ctrl-C was pressed; ``finished`` of the exception is None.

    Example:
        >>> import holdem
        >>> table = holdem.deal("AcKd", "AhQs", hands=100_000, seed=7)
        >>> table.winners.mean(axis=0).round(3)
        array([0.762, 0.283])
        >>> holdem.deal(players=2, deck=[range(52)]).hole.tolist()
        [[[0, 1], [2, 3]]]
    """
    hands = checked_hand_count(hands)
    if deck is not None:
        others = {
            "hole cards of players": seats or None,
            "board": board,
            "dead": dead,
            "seed": seed,
        }
        for name, value in others.items():
            if value is not None:
                raise HoldemTypeError(f"deck has the cards of each hand, so leave out {name}")
        return _deal_given(deck, players, hands, order, evaluator, workers)
    if order != "seat":
        raise HoldemTypeError("order is how the cards of deck are dealt, so give both")
    dealer = HandDealer(seats, players, board, dead, seed, evaluator)
    _require_memory(dealer.players, hands, "hands")
    threads = count_workers(workers)
    dealer.warm_up()
    dealt = np.empty((hands, BOARD_SIZE + 2 * dealer.players + BURNS), dtype=np.uint8)

    def write(start: int, count: int, _: Workers) -> None:
        dealt[start : start + count] = dealer.deal(start + 1, count)

    starts = range(0, hands, BLOCK)
    if len(starts) < 2:
        write(0, hands, Workers(1))
    else:
        sizes = [min(BLOCK, hands - start) for start in starts]
        tasks = (
            Task(partial(write, start, size), size)
            for start, size in zip(starts, sizes, strict=True)
        )
        job = EachTask(tasks, lambda _: None)
        run(job, threads, progress=progress)
    numbers = np.arange(1, hands + 1, dtype=np.int64)
    return HandTable(dealt, numbers, dealer.seed, dealer.evaluator, threads)


def _deal_given(
    deck: ArrayLike,
    players: int | None,
    hands: int,
    order: Order,
    evaluator: EvaluatorLike | None,
    workers: int | None,
) -> HandTable:
    players = DEFAULT_PLAYERS if players is None else players
    players = checked_integer(players, "players", 1, MAX_PLAYERS, SpotError)
    ranking = get_evaluator(evaluator)
    decks = checked_decks(deck, players)
    if hands not in (1, len(decks)):
        raise SpotError(f"hands is the number of rows of deck, {len(decks):,}; leave it out")
    _require_memory(players, len(decks), "deck")
    dealt = deal_decks(decks, players, order, ranking.rules)
    numbers = np.arange(1, len(decks) + 1, dtype=np.int64)
    return HandTable(dealt, numbers, None, ranking, count_workers(workers))


def deal_batches(
    *seats: str | Range,
    players: int | None = None,
    hands: int | None = None,
    batch: float = DEFAULT_BATCH,
    board: CardsLike | None = None,
    dead: CardsLike | None = None,
    seed: Seed | None = None,
    evaluator: EvaluatorLike | None = None,
    workers: int | None = None,
) -> Iterator[HandTable]:
    """Deal the same hands as `deal`, but as a series of tables, so that memory use is limited.

    Args:
        *seats: as for `deal`.
        players: as for `deal`.
        hands: the number of hands; unlimited if None.
        batch: the number of hands in each table except the last one, which may have fewer.
        board: as for `deal`.
        dead: as for `deal`.
        seed: as for `deal`.
        evaluator: as for `deal`.
        workers: the number of threads that rank the hands of a table; None means one per core.

    Returns:
        An iterator of tables. Each table is dealt when the iterator reaches it.

    Raises:
        BudgetError: a table could take more than 2 GB with all of its arrays.
        HoldemError: as for `deal`.
    """
    if hands is not None:
        hands = checked_hand_count(hands)
    if isinstance(batch, float) and batch.is_integer():
        batch = int(batch)
    bounds = f"from 1 to {_HANDS}"
    batch = checked_integer(batch, "batch", 1, MAX_HANDS, SpotError, bounds)
    dealer = HandDealer(seats, players, board, dead, seed, evaluator)
    _require_memory(dealer.players, batch, "batch")
    dealer.warm_up()
    return _yield_tables(dealer, hands, batch, count_workers(workers))


def _yield_tables(
    dealer: HandDealer, hands: int | None, batch: int, workers: int
) -> Iterator[HandTable]:
    first = 1
    while hands is None or first <= hands:
        count = batch if hands is None else min(batch, hands - first + 1)
        yield dealer.table(first, count, workers)
        first += count


def _require_memory(players: int, hands: int, name: str) -> None:
    """Raise `BudgetError` if a table with all of its arrays would take more than `MAX_BYTES`.

    `name` is the public argument that sets the number of hands.
    """
    cards = BOARD_SIZE + 2 * players + BURNS + 8  # and the number of the hand
    # By street two strengths, a category and a class; the best five, a win and a share.
    of_player = len(STREETS) * (8 + 8 + 1 + 2) + 5 + 1 + 8
    size = cards + players * of_player
    if hands * size > MAX_BYTES:
        raise BudgetError(
            f"{name}: {hands:,} hands of {counted(players, 'player')} take up to"
            f" {hands * size / 1e9:,.1f} GB, {size} bytes each, and the limit is"
            f" {MAX_BYTES / 1e9:g} GB: take {MAX_BYTES // size:,} at most, deal them in parts"
            " (deal_batches), or estimate a mean (estimate)"
        )
