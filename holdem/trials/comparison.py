"""`compare_hands`, which compares pairs of five-card hands given as text or arrays."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from itertools import islice
from typing import Any, ClassVar

import attrs
import numpy as np
from numpy.typing import NDArray

from holdem.arguments import is_iterable
from holdem.cards import Card, CardArray, CardsLike, cards_text, parse_cards, read_only, scan_cards
from holdem.errors import CardError, HoldemError, HoldemTypeError, counted, quoted
from holdem.evaluation.evaluator import Evaluator
from holdem.evaluation.hand_validation import validate_hands
from holdem.evaluation.hand_value import HandValue, hand_values
from holdem.evaluation.registry import DEFAULT_EVALUATOR, REGISTRY, EvaluatorLike
from holdem.jobs.workers import in_worker_thread
from holdem.results.base_result import Result
from holdem.results.fields import EvaluatorLabel
from holdem.rules import RuleSet

_SIDES = ("first hand", "second hand")
_BATCH = 1 << 14  # pairs parsed and ranked together: cards as Python objects take much memory

_Hand = tuple[Card, ...]


@attrs.frozen
class Comparison(Result):
    """The result of `compare_hands`: the winner of each pair of hands, and counts of these.

    `first` and `second` are the numbers of pairs won by the first and the second hand, and `tie` is
    the number of ties.
    """

    _report: ClassVar[str] = "holdem.report.hand_reports:comparison_report"

    first: int
    second: int
    tie: int

    winners: NDArray[np.int8] = attrs.field(
        repr=False, eq=attrs.cmp_using(eq=np.array_equal), hash=False
    )
    """The winner of each pair, ``int8 (pair,)``: 1 for the first hand, -1 for the second hand, 0
    for a tie."""

    evaluator: EvaluatorLabel
    """The name and version of the evaluator."""

    def to_dict(self) -> dict[str, Any]:
        """Build the JSON object with the counts that ``holdem compare -f json`` prints.

        The object names the evaluator, unless it is the default one.
        """
        record: dict[str, Any] = {"schema": "holdem/comparison/1"}
        record |= {"first": self.first, "second": self.second, "tie": self.tie}
        if self.evaluator.name != DEFAULT_EVALUATOR:
            record["evaluator"] = self.evaluator.to_dict()
        return record


@attrs.frozen
class ComparedPair:
    """A line of text with two hands, and the value of each hand."""

    line: int
    """The number of the line, from 1."""

    first: HandValue
    second: HandValue

    @property
    def winner(self) -> int:
        """1 for the first hand, -1 for the second hand, 0 for a tie."""
        return (self.first > self.second) - (self.first < self.second)


def compare_hands(
    first: Iterable[str] | CardsLike | CardArray,
    second: CardsLike | CardArray | None = None,
    *,
    evaluator: EvaluatorLike | None = None,
) -> Comparison:
    """Compare pairs of five-card hands.

    A card may appear in both hands of a pair, but not twice in one hand.

    Args:
        first: the first hand of each pair, ``uint8 (pair, 5)``, or a single hand as text or a
            sequence of cards. If `second` is None, both hands of each pair as lines of text,
            such as an open file or ``"8C TS KC 9H 4S 7D 2S 5D 3S AC"``. A line has ten cards,
            five per hand, or ``CARDS | CARDS``. Empty lines and comments, from ``#`` on, are
            skipped.
        second: the second hand of each pair, as an array, text or a sequence of cards; None if
            `first` contains both.
        evaluator: a name, a spec, or None for the default.

    Returns:
        The counts of wins and ties, and the winner of each pair in `Comparison.winners`.

    Raises:
        CardError: a line is not a pair of hands, or a hand does not consist of five cards of the
            evaluator's deck. The message has the number of the line, from 1, or the row of the
            array, from 0.
        HoldemTypeError: `first` is not lines of text, or the arrays are not integers of equal
            shape ``(pair, 5)``.
        EvaluatorError: there is no such evaluator, or it cannot be used.
    """
    ranking = REGISTRY.get(evaluator)
    if second is None:
        batches = [
            _find_winners(
                ranking, np.array([(one, other) for _, one, other in batch], dtype=np.uint8)
            )
            for batch in _read_batches(first, ranking.rules)
        ]
        return _tally_winners(np.concatenate([np.empty(0, dtype=np.int8), *batches]), ranking)
    ones = _checked_hands(first, _SIDES[0], ranking.rules)
    others = _checked_hands(second, _SIDES[1], ranking.rules)
    if len(ones) != len(others):
        raise HoldemTypeError(
            f"{len(ones):,} first and {len(others):,} second hands make no pairs: give as many of"
            " each"
        )
    return _tally_winners(_find_winners(ranking, np.stack([ones, others], axis=1)), ranking)


def compare_values(
    lines: Iterable[str], *, evaluator: EvaluatorLike | None = None
) -> tuple[Comparison, list[ComparedPair]]:
    """Compare the two hands on each line of text, and compute the values of the hands.

    The lines and the first result are those of `compare_hands`; a line without hands has no pair.
    """
    ranking = REGISTRY.get(evaluator)
    pairs: list[ComparedPair] = []
    for batch in _read_batches(lines, ranking.rules):
        hands = np.array([hand for _, *sides in batch for hand in sides], dtype=np.uint8)
        values = hand_values(hands, in_worker_thread(partial(ranking.rank, hands)), ranking)
        numbers = (number for number, *_ in batch)
        pairs += map(ComparedPair, numbers, values[::2], values[1::2])
    winners = np.array([pair.winner for pair in pairs], dtype=np.int8)
    return _tally_winners(winners, ranking), pairs


def _tally_winners(winners: NDArray[np.int8], evaluator: Evaluator) -> Comparison:
    first, second, tie = (int(np.count_nonzero(winners == winner)) for winner in (1, -1, 0))
    return Comparison(first, second, tie, read_only(winners), evaluator.label)


def _find_winners(evaluator: Evaluator, pairs: CardArray) -> NDArray[np.int8]:
    """Find the winners of pairs of hands ``uint8 (pair, 2, 5)``, which are not checked.

    They are encoded as in `Comparison.winners`.
    """
    hands = np.ascontiguousarray(pairs.reshape(-1, 5))
    first, second = in_worker_thread(partial(evaluator.rank, hands)).reshape(-1, 2).T
    return (first > second).astype(np.int8) - (first < second).astype(np.int8)


def _checked_hands(given: CardsLike | CardArray, side: str, rules: RuleSet) -> CardArray:
    """Validate one argument of `compare_hands`, and return its hands as ``uint8 (hand, 5)``.

    It is an array of hands, or a single hand as text or a sequence of cards; `side` names it in
    messages, such as ``"first hand"``.
    """
    if not isinstance(given, np.ndarray) or given.ndim < 2:
        hand = _require_five(parse_cards(given, what=side), side)
        rules.require_in_deck(hand, side)
        return np.array([hand], dtype=np.uint8)
    if given.ndim != 2 or given.shape[1] != 5:
        raise HoldemTypeError(
            f"{side}s: expected hands of five cards, shape (n, 5), not {given.shape}"
        )
    try:
        return validate_hands(given, rules)
    except HoldemError as error:
        raise type(error)(f"{side}s: {error}") from None


# --- lines -----------------------------------------------------------------------------


def _read_batches(lines: Any, rules: RuleSet) -> Iterator[list[tuple[int, _Hand, _Hand]]]:
    """Parse lines as batches of pairs: the number of the line, from 1, and both hands."""
    if not is_iterable(lines):
        raise HoldemTypeError(f"expected lines of text or two hands, not {quoted(lines)}")
    pairs = _read_pairs(lines.splitlines() if isinstance(lines, str) else lines, rules)
    while batch := list(islice(pairs, _BATCH)):
        yield batch


def _read_pairs(lines: Iterable[Any], rules: RuleSet) -> Iterator[tuple[int, _Hand, _Hand]]:
    for number, line in enumerate(lines, 1):
        if not isinstance(line, str):
            raise HoldemTypeError(
                f"line {number}: expected text, not {quoted(line)}; hands in arrays are compared"
                " by compare_hands(first, second)"
            )
        text = line.partition("#")[0].strip()
        if not text:
            continue
        try:
            first, second = sides = _read_pair(text)
            for side, hand in zip(_SIDES, sides, strict=True):
                rules.require_in_deck(hand, side)
        except CardError as error:
            raise CardError(f"line {number}: {error}") from None
        yield number, first, second


def _read_pair(text: str) -> tuple[_Hand, _Hand]:
    if "|" in text:
        texts = text.split("|")
        if len(texts) != 2:
            raise CardError(f"{quoted(text)} has {len(texts)} sides: write CARDS | CARDS")
        first, second = (
            parse_cards(cards, what=side) for cards, side in zip(texts, _SIDES, strict=True)
        )
        return _require_five(first, _SIDES[0]), _require_five(second, _SIDES[1])
    cards = scan_cards(text)
    if len(cards) != 10:
        raise CardError(f"{quoted(text)} has {len(cards)} cards, not 10 (five a side)")
    for side, hand in zip(_SIDES, (cards[:5], cards[5:]), strict=True):
        parse_cards(hand, what=side)  # raises if a card appears twice
    return cards[:5], cards[5:]


def _require_five(hand: _Hand, side: str) -> _Hand:
    if len(hand) != 5:
        raise CardError(
            f"the {side} has {counted(len(hand), 'card')}, not 5:"
            f" {cards_text(hand, ' ') or 'none given'}"
        )
    return hand
