"""The value of a hand: its category, class and name, and the five cards that count."""

from __future__ import annotations

from functools import total_ordering
from typing import Any, ClassVar, TypeAlias

import attrs
import numpy as np
from numpy.typing import ArrayLike, NDArray

from holdem.cached_property import cached_property
from holdem.cards import DECK, DECK_SIZE, Card, CardArray, CardsLike, cards_text, parse_cards
from holdem.errors import EvaluatorError
from holdem.evaluation.best_five import choices_of_five
from holdem.evaluation.evaluator import Evaluator
from holdem.evaluation.hand_validation import parse_hand, validate_hands
from holdem.evaluation.registry import REGISTRY, EvaluatorLike
from holdem.jobs.workers import Workers
from holdem.results.base_result import Result
from holdem.results.fields import shown, shown_property, to_json
from holdem.rules import HandClass, RuleSet

_LAST = DECK_SIZE - 1
_BLOCK = 1 << 14  # hands whose best five are found together, in a few megabytes

_Mask: TypeAlias = NDArray[np.bool_]


# With slots, cached properties would make every attribute slow to read.
@total_ordering
@attrs.frozen(eq=False, repr=False, slots=False)
class HandValue(Result):
    """The value of a hand of 5 to 7 cards.

    Values from the same evaluator can be compared and sorted; they compare by strength.
    """

    _report: ClassVar[str] = "holdem.report.hand_reports:hand_value_report"

    _first = ("cards", "best", "category", "name", "rank_class")

    cards: tuple[Card, ...] = attrs.field(metadata=shown(in_text=False))
    """The cards of the hand, in the order in which they were given."""

    strength: int = attrs.field(metadata=shown(cell="d"))
    """The strength that the evaluator gave the hand; bigger is stronger."""

    evaluator: Evaluator = attrs.field(metadata=shown(in_json=False, in_columns=False))

    @cached_property
    @shown_property(head="class")
    def rank_class(self) -> int:
        """The number of the strength class: 1 for the strongest, 7462 for the weakest by standard
        rules.

        Raises:
            EvaluatorError: no five-card hand has this strength.
        """
        return int(self.evaluator.scale.classes(np.array([self.strength]))[0])

    @cached_property
    @shown_property(head="best five")
    def best(self) -> tuple[Card, ...]:
        """The five cards that count: pairs before kickers, and high cards before low ones.

        An ace that plays low comes last.

        Raises:
            EvaluatorError: the hand is not as strong as any five of its cards.
        """
        hands, classes = np.array([self.cards], dtype=np.uint8), np.array([self.rank_class])
        fives = best_fives(hands, np.array([self.strength]), classes, self.evaluator)
        return tuple([DECK[card] for card in fives[0].tolist()])

    @property
    def hand_class(self) -> HandClass:
        """The strength class, with its category and the ranks that break ties within it.

        Raises:
            EvaluatorError: no five-card hand has this strength.
        """
        return self.evaluator.rules.class_at(self.rank_class)

    @property
    @shown_property(dtype="category")
    def category(self) -> str:
        """The hand's category, e.g. ``"full house"``.

        Raises:
            EvaluatorError: no five-card hand has this strength.
        """
        return self.hand_class.category

    @property
    @shown_property()
    def name(self) -> str:
        """The hand's display name, e.g. ``"Full House, Sevens full of Aces"``.

        Raises:
            EvaluatorError: no five-card hand has this strength.
        """
        return self.hand_class.name

    def __str__(self) -> str:
        return f"{self.name} ({cards_text(self.best, ' ')})"

    def __repr__(self) -> str:
        try:
            return f"<HandValue {self}>"
        except EvaluatorError:  # the evaluator breaks its contract
            return f"<HandValue {cards_text(self.cards, ' ')}: strength {self.strength}>"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, HandValue):
            return NotImplemented
        return self.evaluator is other.evaluator and self.strength == other.strength

    def __lt__(self, other: object) -> bool:
        if not isinstance(other, HandValue):
            return NotImplemented
        if self.evaluator is not other.evaluator:
            raise EvaluatorError(
                f"strengths of {self.evaluator.name!r} and {other.evaluator.name!r} cannot be"
                " compared: evaluate both hands with one evaluator"
            )
        return self.strength < other.strength

    def __hash__(self) -> int:
        return hash((id(self.evaluator), self.strength))

    def to_dict(self) -> dict[str, Any]:
        """Build the JSON object that ``holdem evaluate -f json`` prints."""
        return {
            "schema": "holdem/evaluation/1",
            **to_json(self),
            "evaluator": self.evaluator.label.to_dict(),
        }


def evaluate(
    cards: CardsLike,
    board: CardsLike | None = None,
    *others: CardsLike,
    evaluator: EvaluatorLike | None = None,
) -> HandValue:
    """Evaluate a hand of five, six or seven cards.

    All cards make one hand, given together, as hole cards and board, or one by one. The strength is
    computed at once. The class, the name and the best five cards are computed when they are first
    used.

    Args:
        cards: text (``"As Ks Qs Js Ts 2c 3d"``) or a sequence of cards, ids or strings.
        board: more cards of the hand, if any.
        *others: more cards of the hand.
        evaluator: the name or the spec of an evaluator, a rule set, or None for the default
            evaluator.

    Raises:
        CardError: not 5 to 7 cards, or a card that does not exist, is not in the evaluator's
            deck or appears twice.
        EvaluatorError: the evaluator does not exist or cannot be used.

    Example:
        >>> import holdem
        >>> hand = holdem.evaluate("As Ks Qs Js Ts 2c 3d")
        >>> hand.name, hand.rank_class
        ('Royal Flush', 1)
    """
    ranking = REGISTRY.get(evaluator)
    if board is not None or others:
        parts = (cards, () if board is None else board, *others)
        cards = [card for part in parts for card in parse_cards(part, what="hand")]
    hand = parse_hand(cards, ranking.rules)
    return HandValue(hand, ranking.strength_of_cards(hand), ranking)


def best_five(
    cards: ArrayLike, evaluator: EvaluatorLike | None = None
) -> tuple[NDArray[np.int8], NDArray[np.integer]]:
    """Select the best five cards of each hand, and rank them.

    Args:
        cards: card ids, integers ``(hand, 5..7)``.
        evaluator: the name or the spec of an evaluator, a rule set, or None for the default
            evaluator.

    Returns:
        The cards, ``int8 (hand, 5)``, in the order of `HandValue.best`: pairs before kickers, and
        high cards before low ones; and the strengths, integers ``(hand,)``, bigger is stronger, as
        from `Evaluator.strengths`. `evaluate` finds the same for one hand.

    Raises:
        CardError: a hand has a card twice, or one outside the evaluator's deck.
        HoldemTypeError: `cards` is not an array of integers ``(hand, 5..7)``.
        EvaluatorError: the evaluator does not exist or cannot be used.

    Example:
        >>> import holdem
        >>> cards = [holdem.parse_cards("Ah 2c Kd 2d 9s 7h 3c")]
        >>> best, strengths = holdem.best_five(cards)
        >>> [str(holdem.Card(card)) for card in best[0]], strengths
        (['2d', '2c', 'Ah', 'Kd', '9s'], array([1494], dtype=int16))
    """
    ranking = REGISTRY.get(evaluator)
    hands = validate_hands(cards, ranking.rules)
    strengths = ranking.strengths(hands, validate=False)
    best = np.empty((len(hands), 5), dtype=np.int8)
    for start in range(0, len(hands), _BLOCK):
        part = slice(start, start + _BLOCK)
        classes = ranking.scale.classes(strengths[part])
        best[part] = best_fives(hands[part], strengths[part], classes, ranking)
    return best, strengths


def hand_values(
    hands: CardArray, strengths: np.ndarray[Any, Any], evaluator: Evaluator
) -> list[HandValue]:
    """Build the `HandValue` of each hand, ``uint8 (hand, 5..7)``, unchecked.

    `strengths` are those that `evaluator` gave the hands, integers ``(hand,)``.
    """
    classes = evaluator.scale.classes(strengths)
    fives = best_fives(hands, strengths, classes, evaluator)
    values = []
    for hand, best, strength, rank_class in zip(
        *(array.tolist() for array in (hands, fives, strengths, classes)), strict=True
    ):
        value = HandValue(tuple([DECK[card] for card in hand]), strength, evaluator)
        # Found for all hands at once, in a fraction of the time.
        vars(value).update(rank_class=rank_class, best=tuple([DECK[card] for card in best]))
        values.append(value)
    return values


def best_fives(
    hands: CardArray,
    strengths: NDArray[Any],
    classes: NDArray[np.int64],
    evaluator: Evaluator,
    workers: Workers | None = None,
) -> CardArray:
    """Select the best five cards of each hand, ``uint8 (hand, 5)``, ordered as `HandValue.best`.

    `hands` are ``uint8 (hand, 5..7)``, unchecked; `strengths` those that `evaluator` gave them,
    integers ``(hand,)``; `classes` their numbers, 1 for the strongest class, ``int64 (hand,)``.
    """
    fives = hands
    if hands.shape[1] > 5:
        is_picked = (
            _pick_by_strength(hands, strengths, evaluator, workers)
            if evaluator.rules.deuces_wild
            else _pick_by_class(hands, classes, evaluator.rules)
        )
        is_found = np.count_nonzero(is_picked, axis=1) == 5
        if not is_found.all():
            row = int(np.argmin(is_found))
            raise EvaluatorError(
                f"evaluator {evaluator.name!r} gives {cards_text(hands[row], ' ')} a strength"
                " that no five of its cards have"
            )
        fives = hands[is_picked].reshape(-1, 5)
    # Sort keys: the position of the rank in the class, then the suit, highest first.
    places = evaluator.rules.rank_places[classes[:, None], fives >> 2].astype(np.uint16)
    keys = np.sort(places << 6 | np.uint16(_LAST) - fives, axis=1)
    best: CardArray = (np.uint16(_LAST) - (keys & np.uint16(63))).astype(np.uint8)
    return best


def _pick_by_class(hands: CardArray, classes: NDArray[np.int64], rules: RuleSet) -> _Mask:
    """Mark, in each hand, five cards that form a hand of a given class, ``bool (hand, card)``.

    The class numbers are `classes`, ``int64 (hand,)``. A class determines the ranks of its five
    cards and whether they are of one suit. If no five cards of a hand are of its class, fewer than
    five are marked.
    """
    missing = rules.rank_counts[classes].ravel()  # cards, by hand and rank
    is_of_suit = np.ones(hands.shape, dtype=np.bool_)
    suited = np.flatnonzero(rules.is_suited[classes])
    suits = hands[suited] & 3
    # Five of six or seven sorted suits are equal, so also the fourth.
    is_of_suit[suited] = suits == np.sort(suits, axis=1)[:, 3:4]
    is_picked = np.empty(hands.shape, dtype=np.bool_)
    first = 13 * np.arange(len(hands))
    for number, cards in enumerate(hands.T):
        place = first + (cards >> 2)
        own = (missing[place] > 0) & is_of_suit[:, number]
        missing[place] -= own
        is_picked[:, number] = own
    # Of one suit, they are of a stronger class than the one that the evaluator gives.
    of_suit = (hands[:, :, None] & 3) == np.arange(4)
    is_stronger = (of_suit | ~is_picked[:, :, None]).all(axis=1).any(axis=1)
    is_picked[is_stronger & ~rules.is_suited[classes]] = False
    return is_picked


def _pick_by_strength(
    hands: CardArray, strengths: NDArray[Any], evaluator: Evaluator, workers: Workers | None
) -> _Mask:
    """Mark, in each hand, five cards that are as strong as the hand, ``bool (hand, card)``.

    If a hand has no such five cards, none of its cards is marked.
    """
    choices = choices_of_five(hands.shape[1])
    options = np.take(hands, choices.ravel(), axis=1).reshape(-1, 5)
    ranked = evaluator.rank(options, workers).reshape(len(hands), len(choices))
    matches = ranked == np.asarray(strengths)[:, None]
    is_picked = np.zeros(hands.shape, dtype=np.bool_)
    np.put_along_axis(
        is_picked, choices[np.argmax(matches, axis=1)], matches.any(axis=1)[:, None], 1
    )
    return is_picked
