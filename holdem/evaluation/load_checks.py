"""Checks of an evaluator when it is loaded, which also determine its scale and its speed.

Without wild cards, the class of a hand follows from its *kind*: the ranks of its cards or, if five
or more cards are of one suit, the ranks of those cards. There are 7,462 kinds of five cards, 21,398
of six and 53,924 of seven. If an evaluator ranks a hand of each kind as its rule set does, it is
proved to rank all hands so, and the engine may look strengths up in the tables of the rule set
instead of calling the evaluator. With wild cards, a sample of hands is checked.

Some faults depend on more than the hand, such as on the order of its cards or on earlier calls. A
few calls look for them here; ``holdem evaluators check`` looks for more of them, see
`holdem.evaluation.conformance`.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Collection
from functools import cache
from typing import Any, NoReturn, TypeAlias

import attrs
import numpy as np
from numpy.typing import NDArray

from holdem.cards import CardArray, card_sets, cards_text, read_only, scan_cards
from holdem.dealing.seeds import stream
from holdem.errors import EvaluatorError
from holdem.evaluation.best_five import choices_of_five
from holdem.evaluation.builtin.lookup_tables import (
    list_flush_kinds,
    list_rank_kinds,
    look_up_hands,
    tables_of,
)
from holdem.evaluation.contract import BatchFunction
from holdem.evaluation.scale import Scale
from holdem.jobs.run import progress_bar
from holdem.jobs.stopwatch import Stopwatch
from holdem.messages import is_watched
from holdem.rules import FLUSH, STRAIGHT_FLUSH, HandClass, RuleSet

_SLOW_SECONDS = 5e-7  # per hand
_SUITS = 4
_AT_ONCE = 1 << 12  # hands in a call: a second in slow Python
_RANKED_AGAIN = 16  # one hand in 16 is ranked a second time

# Random hands of each size that are checked if twos are wild. A fault in one hand of 50 is found
# with probability 0.95.
_RANDOM_HANDS = 150
# Hands of seven cards that are easily ranked wrong, and too rare among random hands. Their first
# six cards are the hands of six.
_HARD_HANDS = (
    "Ks Kd Kc 9h 9d 9c Ac",  # three of a kind twice: a full house
    "9c 9d 9h Kc Kd Qh Qs",  # three of a kind and two pairs: the higher pair counts
    "2c 2d Ac Ad Ah 9c 9d",  # five aces where twos are wild
    "Qc Qd Jh Js 9c 9d Ah",  # three pairs and a higher card, which is the kicker
    "Kc Kd Jh Js 9c 9d 7h",  # three pairs and a lower card
    "8c 8d 8h 8s 6c Ad Th",  # four of a kind and several kickers: the highest counts
    "Kd Kc 8s 8h 8d 8c Ah",  # the same with a pair, and with three of a kind
    "Kd Kc 8s 8h 8d 8c Kh",
    "Ad 9c 2s 2h 2d 2c Th",  # four wild cards
    "Ac Jc 9c 8c 7c Td 6h",  # a straight and a flush of other cards: no straight flush
    "Tc 9c 8c 7c 6c Jd Qh",  # a straight flush and a higher straight
    "Tc 9c 8c 7c 6c Ac Kc",  # a straight flush and a higher flush
    "Ah Qh Th 9h 8h 6h Kd",  # six and seven cards of a suit
    "Ad Kd Qd Td 9d 8d 6d",
    "Ah Qh Th 9h 7h Ad Ac",  # a flush and three of a kind
    "Ac 2d 3h 4s 5c Kd 5h",  # the wheel and more cards,
    "Ac 2d 3h 4s 5c 6d Kh",  # which may make a higher straight
    "Ac 2c 3c 4c 5c Kc 6d",
)
_REVERSED = 0.9  # of all pairs: for lowball with a low ace, or without straights and flushes
_HANDS_PER_CHECK = 1 << 10
_MAX_CHECKED = 16  # hands at a time: 3 µs, where the fastest evaluator takes 70 for 16,384 hands

#: By size of hands: hands, ``uint8 (hand, size)``, and their class numbers, ``int64 (hand,)``.
KnownHands: TypeAlias = dict[int, tuple[CardArray, NDArray[np.int64]]]


@attrs.frozen(eq=False)
class LoadCheck:
    """The results of the checks that were made when an evaluator was loaded."""

    scale: Scale
    """The strength of each class."""
    is_slow: bool
    """Whether the evaluator takes more than 0.5 µs per hand. The engine then passes it a batch in
    parts and, to find the best five of more cards, passes it equal choices of five only once."""
    known: KnownHands
    """Hands with their classes, by the number of cards; `ConsistencyCheck` ranks some again."""
    kinds: int
    """The number of kinds of hands (see the module) that were all ranked right, which proves the
    evaluator; 0 if twos are wild."""
    seconds: float
    """The duration of all checks in seconds, without the time to compile and load kernels."""
    seconds_per_hand: float
    """The average time to rank a hand, in seconds."""


def check_loaded(
    name: str, rules: RuleSet, sizes: Collection[int], rank: BatchFunction, see_all: str
) -> LoadCheck:
    """Check a newly loaded evaluator and determine the strengths of all classes.

    `rank` ranks hands of `sizes` cards, 5 to 7. `see_all`, the command or the function that lists
    all wrong hands, is for messages.
    """
    stopwatch = Stopwatch()
    hands_of = {size: list_hands(rules, size) for size in sorted(sizes)}
    total = len(rules.examples) + sum(map(len, hands_of.values()))
    line = f"holdem: checking {name}; only its first use waits"
    with progress_bar(is_watched(), "hands", total, desc=line) as bar:
        check = _Check(name, rules, rank, see_all, bar.update)
        scale = check.learn_scale()
        known = {size: (hands, check.compare(scale, hands)) for size, hands in hands_of.items()}
    kinds = 0 if rules.deuces_wild else sum(count_kinds(rules, size) for size in sizes)
    is_slow = check.pace > _SLOW_SECONDS
    return LoadCheck(scale, is_slow, known, kinds, stopwatch.elapsed, check.pace)


class ConsistencyCheck:
    """A check, repeated from time to time, that known hands still have the same strengths.

    An evaluator that passes the checks on loading may still depend on earlier calls. So, as it
    ranks more hands, a few hands of `LoadCheck.known` are ranked again, different ones each time.
    """

    def __init__(self, name: str, check: LoadCheck) -> None:
        self._name = name
        self._known = check.known
        self._strengths = check.scale.strengths
        self._hands_left = 0  # until the next check; a race of threads does no harm
        self._checks = itertools.count()

    def after(self, hands: CardArray, rank: BatchFunction) -> None:
        """Check the evaluator if it has ranked enough hands since the last check.

        `hands`, ``uint8 (hand, card)``, were just ranked; `rank` is called with known hands.
        """
        self._hands_left -= len(hands)
        if self._hands_left > 0:
            return
        count = min(_MAX_CHECKED, max(1, len(hands) // _HANDS_PER_CHECK))
        self._hands_left = count * _HANDS_PER_CHECK
        known, classes = self._known.get(hands.shape[1], self._known[5])
        start = next(self._checks) * _MAX_CHECKED % (len(known) - count + 1)
        part = slice(start, start + count)
        expected = self._strengths[-classes[part]]
        found = rank(known[part].copy()).astype(np.int64)
        changed = np.flatnonzero(found != expected)
        if len(changed):
            row = changed[0]
            raise _make_inconsistent(self._name, known[start + row], expected[row], found[row])


def _make_inconsistent(name: str, hand: CardArray, had: Any, has: Any) -> EvaluatorError:
    return EvaluatorError(
        f"evaluator {name!r} is inconsistent: {cards_text(hand, ' ')} had strength {had} and now"
        f" has {has}"
    )


# --- the hands ----------------------------------------------------------------------------------


def count_kinds(rules: RuleSet, size: int) -> int:
    """Count the kinds of hands (see the module) of `size` cards, for rules without wild cards."""
    flushes = (len(list_flush_kinds(rules.lowest_rank, suited)) for suited in range(5, size + 1))
    return len(list_rank_kinds(rules.lowest_rank, size)) + sum(flushes)


@cache
def list_hands(rules: RuleSet, size: int) -> CardArray:
    """List the hands that an evaluator ranks when it is loaded, ``uint8 (hand, size)``.

    There is one hand of each kind, or four for a kind of flush, one in each suit: 11,323, 30,407
    and 68,081 hands of five, six and seven cards by standard rules. The order of the cards is
    random, and so are suits that do not matter. If twos are wild, the hands of five cards are those
    of `class_variants`, and the hands of six and seven are a sample.
    """
    generator = stream(1, "hands of each kind", size)
    if rules.deuces_wild:
        hands = class_variants(rules)[1] if size == 5 else _list_sample(rules, size)
    else:
        of_kinds = [_suit_without_flush(list_rank_kinds(rules.lowest_rank, size), generator)]
        for suited in range(5, size + 1):
            of_kinds.append(_list_flushes(rules, suited, size - suited, generator))
        hands = generator.permuted(np.concatenate(of_kinds), axis=1)
    return read_only(np.ascontiguousarray(hands, dtype=np.uint8))


_SUIT_ORDERS = np.array(list(itertools.permutations(range(_SUITS))))


def _suit_without_flush(ranks: CardArray, generator: np.random.Generator) -> CardArray:
    """Convert ranks to cards of random suits, with at most four cards of a suit in each hand.

    Ranks, in ascending order in each hand, and ids are ``uint8 (hand, card)``.
    """
    left, hands = np.arange(len(ranks)), np.empty_like(ranks)
    while len(left):
        own = ranks[left]
        is_new = np.diff(own, axis=1, prepend=99) != 0
        places = np.arange(own.shape[1])
        starts = np.maximum.accumulate(np.where(is_new, places, 0), axis=1)
        orders = generator.integers(len(_SUIT_ORDERS), size=own.shape)
        order = np.take_along_axis(orders, starts, axis=1)
        suits = _SUIT_ORDERS[order, places - starts]
        hands[left] = 4 * own + suits
        counts = (suits[:, :, None] == np.arange(_SUITS)).sum(axis=1)
        left = left[counts.max(axis=1) > 4]
    return hands


def _list_flushes(
    rules: RuleSet, suited: int, others: int, generator: np.random.Generator
) -> CardArray:
    """List flushes, ``uint8 (hand, suited + others)``: each set of ranks in each suit.

    `suited` cards, at least 5, have the suit of the flush; `others`, 0 to 2, are random cards of
    other suits.
    """
    ranks = np.tile(list_flush_kinds(rules.lowest_rank, suited), (_SUITS, 1))
    suits = np.repeat(np.arange(_SUITS), len(ranks) // _SUITS)[:, None]
    choices = 3 * (len(rules.deck) // _SUITS)  # cards of other suits
    drawn = generator.integers(choices, size=(len(ranks), others))
    if others == 2:  # two different ones
        drawn[:, 1] = (drawn[:, 0] + generator.integers(1, choices, size=len(ranks))) % choices
    added = 4 * (rules.lowest_rank + drawn // 3) + (suits + 1 + drawn % 3) % _SUITS
    return np.concatenate([4 * ranks + suits, added], axis=1).astype(np.uint8)


def _list_sample(rules: RuleSet, size: int) -> CardArray:
    """List the first `size` cards, 6 or 7, of each of `_HARD_HANDS`, and then random hands.

    The hands are ``uint8 (hand, size)``.
    """
    deck = np.array(rules.deck, dtype=np.uint8)
    drawn = stream(1, "best five", size).permuted(np.tile(deck, (_RANDOM_HANDS, 1)), axis=1)
    hard = np.array(scan_cards(" ".join(_HARD_HANDS)), dtype=np.uint8).reshape(-1, 7)
    return np.concatenate([hard[:, :size], drawn[:, :size]])


@cache
def class_variants(rules: RuleSet) -> tuple[NDArray[np.intp], CardArray]:
    """Build variants of the example hands of all classes, with random suits and orders of cards.

    Each example has one variant, or four if it is a flush or a straight flush, one in each suit:
    11,323 hands by standard rules. The result is the row in ``rules.examples`` of the example of
    each hand, ``intp (hand,)``, and the hands, ``uint8 (hand, 5)``.
    """
    generator = stream(1, "examples again")
    suited = [hand_class.category in (FLUSH, STRAIGHT_FLUSH) for hand_class in rules.classes]
    every = np.arange(len(suited))
    rows = np.concatenate([every, *[np.flatnonzero(suited)] * (_SUITS - 1)])
    shifts = np.repeat(np.arange(_SUITS), [len(every), *[sum(suited)] * (_SUITS - 1)])
    # A suit permutation for each class; shifts of 1, 2 and 3 give its flush the other suits.
    suits = generator.permuted(np.tile(np.arange(_SUITS), (len(every), 1)), axis=1)
    hands = rules.examples[rows]
    new_suits = (suits[rows[:, None], hands % _SUITS] + shifts[:, None]) % _SUITS
    variants = generator.permuted(hands // _SUITS * _SUITS + new_suits.astype(np.uint8), axis=1)
    return rows, read_only(variants)


# --- the checks ---------------------------------------------------------------------------------


def describe_common_fault(rules: RuleSet, strengths: NDArray[np.int64]) -> str:
    """Describe what is wrong with an order of hands as a whole, such as that it is reversed.

    `strengths` are the strengths that an evaluator gives the classes, weakest class first, ``int64
    (class,)``. The result is an empty string if there is no such fault.
    """
    if np.mean(strengths[:-1] > strengths[1:]) > _REVERSED:
        return (
            "the order is reversed: bigger must be stronger, and the lowest hand can't win here, as"
            " there is no lowball"
        )
    if (strengths == strengths[0]).all():
        return "all hands tie"
    categories = [hand_class.category for hand_class in reversed(rules.classes)]
    told = {*zip(categories[:-1], strengths.tolist(), strict=False)}  # the royal flush may differ
    if len(told) == len(rules.categories):
        return "it tells categories only: ranks and kickers decide between hands of a category"
    return ""


class _Check:
    """The checks of one evaluator, which also measure how long it takes to rank a hand."""

    def __init__(
        self,
        name: str,
        rules: RuleSet,
        rank: BatchFunction,
        see_all: str,
        on_progress: Callable[[int], object],
    ) -> None:
        self._name = name
        self._rules = rules
        self._rank_batch = rank
        self._see_all = see_all
        self._on_progress = on_progress
        self._seconds, self._hands = 0.0, 0

    @property
    def pace(self) -> float:
        """Seconds per hand, on average."""
        return self._seconds / self._hands

    def learn_scale(self) -> Scale:
        """Rank the example hand of each class, and return the strengths as a scale."""
        rules, example = self._rules, self._rules.examples[:1]
        latest = self._rank_batch(example.copy())  # may compile
        if np.may_share_memory(latest, self._rank_batch(example.copy())):
            raise EvaluatorError(
                f"evaluator {self._name!r} returns the same array from two calls: each call must"
                " return a new array"
            )
        strengths = self._rank(rules.examples)[::-1].copy()
        self._check_order(strengths[::-1])
        return Scale.from_classes(rules, strengths)

    def compare(self, scale: Scale, hands: CardArray) -> NDArray[np.int64]:
        """Check that hands ``(hand, card)`` get the strengths of their classes; return the classes.

        Classes are ``int64 (hand,)``, 1 for the strongest. Without wild cards, they are looked up
        in the tables of the rule set. With wild cards, `hands` must be those of `list_hands`: hands
        of five have the class of their example, and larger hands have the class of their best five
        cards, which the evaluator itself ranks.
        """
        rules, size = self._rules, hands.shape[1]
        self._rank_batch(hands[:1].copy())  # may compile
        found = self._rank(hands)
        if not rules.deuces_wild:
            classes = len(rules.classes) + 1 - look_up_hands(tables_of(rules), hands).astype(int)
        elif size == 5:
            classes = class_variants(rules)[0] + 1
        else:
            ranked = self._rank(hands[:, choices_of_five(size)].reshape(-1, 5))
            classes = scale.classes_or_zero(ranked.reshape(len(hands), -1).max(axis=1))
        expected = scale.strengths[-classes]
        wrong = np.flatnonzero(found != expected)
        if len(wrong):
            row = wrong[card_sets(hands[wrong]).argmin()]
            extent = _count_wrong(
                len(wrong), len(hands), f"hands of {size}" if size > 5 else "hands"
            )
            self._refuse(hands[row], found[row], scale, classes[row], extent)
        # In another order, and in other company.
        again = hands[::_RANKED_AGAIN, ::-1]
        ranked_again = self._rank(np.ascontiguousarray(again))
        changed = np.flatnonzero(ranked_again != found[::_RANKED_AGAIN])
        if len(changed):
            row = changed[0]
            extent = _count_wrong(len(changed), len(again), "hands")
            self._refuse(again[row], ranked_again[row], scale, classes[row * _RANKED_AGAIN], extent)
        return classes

    def _refuse(
        self, hand: CardArray, found: Any, scale: Scale, number: Any, extent: str
    ) -> NoReturn:
        """Raise an `EvaluatorError` for a hand that does not have the strength of its class.

        `found` is what the hand ``(card,)`` got, `number` the number of its class, 1 for the
        strongest; `extent` says how many hands are wrong.
        """
        name, expected = self._name, scale.strengths[-number]
        again = self._rank(hand[None])[0]
        if again != found:
            raise _make_inconsistent(name, hand, found, again)
        for ordered in (np.sort(hand)[::-1], np.sort(hand)):
            if self._rank(ordered[None].copy())[0] == expected:
                raise EvaluatorError(
                    f"evaluator {name!r} depends on the order of the cards:"
                    f" {cards_text(ordered, ' ')} has strength {expected} and"
                    f" {cards_text(hand, ' ')} {found}; {extent}; to see all: {self._see_all}"
                )
        if len(hand) == 5:
            example = self._rules.examples[number - 1]
            raise EvaluatorError(
                f"evaluator {name!r} gives hands of one class different strengths,"
                f" {self._rules.classes[number - 1].name}:"
                f" {cards_text(example, ' ')} (strength {expected}) and"
                f" {cards_text(hand, ' ')} (strength {found}); {extent}; to see all:"
                f" {self._see_all}"
            )
        choices = hand[choices_of_five(len(hand))]
        best = choices[self._rank(choices).argmax()]
        raise EvaluatorError(
            f"evaluator {name!r} gives {cards_text(hand, ' ')} strength {found}, but its best"
            f" five, {cards_text(best, ' ')}, {expected}; {extent}; to see all: {self._see_all}"
        )

    def _rank(self, hands: CardArray) -> NDArray[np.int64]:
        """Rank hands in batches, and return strengths, ``int64 (hand,)``."""
        parts = []
        for start in range(0, len(hands), _AT_ONCE):
            part = hands[start : start + _AT_ONCE]
            given = part.copy()  # compiled code can write to read-only arrays
            started = time.perf_counter()
            try:
                strengths = self._rank_batch(given)
            except EvaluatorError as error:
                raise self._name_hand(part, error) from error
            self._seconds += time.perf_counter() - started
            self._hands += len(part)
            if (given != part).any():
                raise EvaluatorError(
                    f"evaluator {self._name!r} modifies the hands that it is given: change a copy,"
                    " hands.copy()"
                )
            if strengths.dtype.kind == "u" and strengths.max() > np.iinfo(np.int64).max:
                raise EvaluatorError(
                    f"evaluator {self._name!r} returned strengths above 2^63-1, and a strength is a"
                    " signed 64-bit integer"
                )
            parts.append(strengths.astype(np.int64))
            self._on_progress(len(part))
        return np.concatenate(parts)

    def _name_hand(self, hands: CardArray, error: EvaluatorError) -> EvaluatorError:
        """Find a hand for which the evaluator fails, by bisecting `hands`; return its error.

        If `error`, which the evaluator raised for all of `hands`, is about the returned array, or
        if the evaluator fails only for several hands together, the result names no hand.
        """
        if " failed: " not in str(error):
            return error  # about the returned array
        while len(hands) > 1:
            middle = len(hands) // 2
            for half in (hands[:middle], hands[middle:]):
                try:
                    self._rank_batch(half.copy())
                except EvaluatorError as found:
                    hands, error = half, found
                    break
            else:
                return error
        hand = cards_text(hands[0], " ")
        return error if hand in str(error) else EvaluatorError(f"{error}, for {hand}")

    def _check_order(self, strengths: NDArray[np.int64]) -> None:
        """Raise an `EvaluatorError` unless the example hands are ranked in the right order.

        `strengths` has the strength of each class from the strongest to the weakest.
        """
        wrong = np.flatnonzero(strengths[:-1] <= strengths[1:])
        if len(wrong):
            place = wrong[0]
            verb = "ties" if strengths[place] == strengths[place + 1] else "misorders"
            better, worse = self._rules.classes[place], self._rules.classes[place + 1]
            extent = describe_common_fault(self._rules, strengths[::-1]) or _count_wrong(
                len(wrong), len(strengths) - 1, "pairs of adjacent classes"
            )
            raise EvaluatorError(
                f"evaluator {self._name!r} {verb} {_format_class(better)}"
                f" (strength {strengths[place]}) and the weaker {_format_class(worse)}"
                f" (strength {strengths[place + 1]}); {extent}; to see all: {self._see_all}"
            )


def _count_wrong(count: int, total: int, what: str) -> str:
    return f"{count:,} of {total:,} {what} {'is' if count == 1 else 'are'} wrong"


def _format_class(hand_class: HandClass) -> str:
    return f"{hand_class.name} {cards_text(hand_class.example, ' ')}"
