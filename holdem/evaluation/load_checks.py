"""What loading an evaluator finds out: its faults, its scale and whether it is slow.

The checks take milliseconds, and find evaluators that tie or misorder classes, that distinguish
hands within a class, and that rank six or seven cards differently from their best five.
``holdem evaluators check`` finds other faults; see `holdem.evaluation.conformance`.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Collection
from functools import cache
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from holdem.cards import CardArray, cards_text, read_only, scan_cards
from holdem.dealing.seeds import stream
from holdem.errors import EvaluatorError
from holdem.evaluation.best_five import choices_of_five
from holdem.evaluation.contract import BatchFunction
from holdem.evaluation.scale import Scale
from holdem.rules import FLUSH, STRAIGHT_FLUSH, HandClass, RuleSet

_SLOW_SECONDS = 5e-7  # a hand
_SUITS = 4
# Hands of each size. A fault in one hand of 50 is found with probability 0.95.
_RANDOM_HANDS = 150
# Hands of seven cards, rare or in random hands too few, that are easily ranked wrong. Their first
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
    "Ac 6d 7h 8s 9c Kd 9h",  # the same for the short deck
    "Ac 6d 7h 8s 9c Td Kh",
    "Ac 6c 7c 8c 9c Kc Td",
)
_HANDS_PER_CHECK = 1 << 10
_MAX_CHECKED = 16  # hands at a time: 3 µs, where the fastest evaluator takes 70 for 16,384 hands

#: Hands and their strengths, by the size of hands.
KnownHands: TypeAlias = dict[int, tuple[CardArray, NDArray[np.int64]]]


def check_loaded(
    name: str, rules: RuleSet, sizes: Collection[int], rank: BatchFunction, see_all: str
) -> tuple[Scale, bool, KnownHands]:
    """Check a newly loaded evaluator and determine the strengths of all classes.

    Args:
        name: the evaluator's name, for messages.
        rules: the rule set that defines the order of hands.
        sizes: the sizes of hands that the evaluator ranks itself.
        rank: ranks hands of these sizes.
        see_all: how users find out about all wrong hands, for messages.

    Returns:
        The scale; whether the evaluator is slow; and hands with their strengths. It is slow if
        ranking a hand takes longer than finding out that it was ranked before. That changes how
        hands are ranked, never their strengths.

    Raises:
        EvaluatorError: the evaluator violates its contract.
    """
    example = rules.examples[:1]
    latest = rank(example.copy())  # may compile
    seconds, hands_ranked = 0.0, 0

    def timed_rank(hands: CardArray) -> NDArray[Any]:
        nonlocal seconds, hands_ranked, latest
        started = time.perf_counter()
        latest = rank(hands)
        seconds, hands_ranked = seconds + time.perf_counter() - started, hands_ranked + len(hands)
        return latest

    scale = _learn_scale(name, rules, timed_rank, see_all)
    if np.may_share_memory(latest, rank(example.copy())):
        raise EvaluatorError(
            f"evaluator {name!r} returns the same array from two calls: each call must return a"
            " new array"
        )
    known: KnownHands = {5: (rules.examples, scale.strengths[::-1])}
    for size in sorted(set(sizes) - {5}):
        known[size] = _check_best_five(name, rules, size, rank, see_all)
    return scale, seconds > _SLOW_SECONDS * hands_ranked, known


class ConsistencyCheck:
    """Repeated ranking of known hands to detect evaluators whose strengths change.

    A few known hands are ranked after other hands, different ones each time.
    """

    def __init__(self, name: str, known: KnownHands) -> None:
        self._name = name
        self._known = known
        self._hands_left = 0  # until the next check; a race of threads does no harm
        self._checks = itertools.count()

    def after(self, hands: CardArray, rank: BatchFunction) -> None:
        """Recheck the evaluator if it has ranked enough hands since the last check.

        Raises:
            EvaluatorError: the strength of a known hand has changed.
        """
        self._hands_left -= len(hands)
        if self._hands_left > 0:
            return
        count = min(_MAX_CHECKED, max(1, len(hands) // _HANDS_PER_CHECK))
        self._hands_left = count * _HANDS_PER_CHECK
        known, strengths = self._known.get(hands.shape[1], self._known[5])
        start = next(self._checks) * _MAX_CHECKED % (len(known) - count + 1)
        part = slice(start, start + count)
        found = rank(known[part].copy()).astype(np.int64)
        changed = np.flatnonzero(found != strengths[part])
        if len(changed):
            row = start + changed[0]
            raise EvaluatorError(
                f"evaluator {self._name!r} is inconsistent: {cards_text(known[row], ' ')} had"
                f" strength {strengths[row]} and now has {found[changed[0]]}"
            )


@cache
def class_variants(rules: RuleSet) -> tuple[NDArray[np.intp], CardArray]:
    """Build variants of each class's example hand, with other suits and another card order.

    There is one variant of each example, and of each flush one in each suit: 11,323 hands
    for standard rules.

    Returns:
        The row in ``rules.examples`` of each hand, and the hands, ``uint8 (hand, 5)``.
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


def describe_common_fault(rules: RuleSet, strengths: NDArray[np.int64]) -> str:
    """Describe a fault that affects all strengths; an empty string if there is none.

    The strengths are given from the weakest class to the strongest.
    """
    if (strengths[:-1] > strengths[1:]).all():
        return "the order is reversed: bigger must be stronger"
    if (strengths == strengths[0]).all():
        return "all hands tie"
    categories = [hand_class.category for hand_class in reversed(rules.classes)]
    told = {*zip(categories[:-1], strengths.tolist(), strict=False)}  # the royal flush may differ
    if len(told) == len(rules.categories):
        return "it tells categories only: ranks and kickers decide between hands of a category"
    return ""


def _learn_scale(
    name: str, rules: RuleSet, rank: Callable[[CardArray], NDArray[Any]], see_all: str
) -> Scale:
    def strengths_of(hands: CardArray) -> NDArray[np.int64]:
        given = hands.copy()  # compiled code can write to read-only arrays
        strengths = rank(given)
        if (given != hands).any():
            raise EvaluatorError(f"evaluator {name!r} modifies the hands that it is given")
        if strengths.dtype.kind == "u" and strengths.max() > np.iinfo(np.int64).max:
            raise EvaluatorError(
                f"evaluator {name!r} returned strengths above 2^63-1, and a strength is a"
                " signed 64-bit integer"
            )
        return strengths.astype(np.int64)

    strengths = strengths_of(rules.examples)
    _check_order(name, rules, strengths, see_all)
    rows, variants = class_variants(rules)
    found = strengths_of(variants)
    wrong = np.flatnonzero(found != strengths[rows])
    if len(wrong):
        row = rows[wrong[0]]
        raise EvaluatorError(
            f"evaluator {name!r} gives hands of one class different strengths,"
            f" {rules.classes[row].name}:"
            f" {cards_text(rules.examples[row], ' ')} (strength {strengths[row]}) and"
            f" {cards_text(variants[wrong[0]], ' ')} (strength {found[wrong[0]]});"
            f" {_count_wrong(len(wrong), len(variants), 'hands')}; to see all: {see_all}"
        )
    names = [hand_class.category for hand_class in reversed(rules.classes)]
    starts = [names.index(category) for category in rules.categories[1:]]
    return Scale(strengths[::-1].copy(), strengths[::-1][starts])


def _check_order(name: str, rules: RuleSet, strengths: NDArray[np.int64], see_all: str) -> None:
    """Raise an `EvaluatorError` unless the example hands are ranked in the right order.

    The strengths are given from the strongest class to the weakest.
    """
    wrong = np.flatnonzero(strengths[:-1] <= strengths[1:])
    if len(wrong):
        place = wrong[0]
        verb = "ties" if strengths[place] == strengths[place + 1] else "misorders"
        better, worse = rules.classes[place], rules.classes[place + 1]
        extent = describe_common_fault(rules, strengths[::-1]) or _count_wrong(
            len(wrong), len(strengths) - 1, "pairs of adjacent classes"
        )
        raise EvaluatorError(
            f"evaluator {name!r} {verb} {_format_class(better)} (strength {strengths[place]})"
            f" and the weaker {_format_class(worse)} (strength {strengths[place + 1]});"
            f" {extent}; to see all: {see_all}"
        )


def _check_best_five(
    name: str, rules: RuleSet, size: int, rank: BatchFunction, see_all: str
) -> tuple[CardArray, NDArray[np.int64]]:
    """Check that hard and random hands of six or seven cards are as strong as their best five.

    All choices of five of each are ranked as well: 3,591 hands for seven cards. This finds
    evaluators that rank only some of the cards, that have another scale for more cards, or that
    overlook a category, a kicker or a better hand of the same category.

    Returns:
        The hands, ``uint8 (hand, card)``, and their strengths, ``int64 (hand,)``.
    """
    deck = np.array(rules.deck, dtype=np.uint8)
    drawn = stream(1, "best five", size).permuted(np.tile(deck, (_RANDOM_HANDS, 1)), axis=1)
    hard = np.array(scan_cards(" ".join(_HARD_HANDS)), dtype=np.uint8).reshape(-1, 7)
    hard = hard[(hard >= deck[0]).all(axis=1)]
    hands = np.concatenate([hard[:, :size], drawn[:, :size]])
    fives = hands[:, choices_of_five(size)]
    strengths = rank(hands)
    choices = rank(fives.reshape(-1, 5)).reshape(len(hands), -1)
    wrong = np.flatnonzero(strengths != choices.max(axis=1))
    if len(wrong):
        row = wrong[0]
        best = choices[row].argmax()
        raise EvaluatorError(
            f"evaluator {name!r} gives {cards_text(hands[row], ' ')} strength {strengths[row]},"
            f" but its best five, {cards_text(fives[row, best], ' ')}, {choices[row, best]};"
            f" {_count_wrong(len(wrong), len(hands), f'hands of {size}')};"
            f" to see all: {see_all}"
        )
    return hands, strengths.astype(np.int64)


def _count_wrong(count: int, total: int, what: str) -> str:
    return f"{count:,} of {total:,} {what} {'is' if count == 1 else 'are'} wrong"


def _format_class(hand_class: HandClass) -> str:
    return f"{hand_class.name} {cards_text(hand_class.example, ' ')}"
