"""Hand categories, strength classes and rule sets.

A *category* is a type of hand, such as a flush. There are nine, and *five of a kind* where cards
are wild. A *strength class*, or class for short, is a set of hands of equal strength within a rule
set; class 1 is the strongest. (The 169 hand classes before the flop are in `holdem.ranges`.)
Standard rules have 7,462 classes, in the order published by Cactus Kev. This order is independent
of any evaluator.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import chain, combinations

import attrs
import numpy as np
from numpy.typing import NDArray

from holdem.cards import DECK, RANKS, Card, CardArray, card_set, read_only
from holdem.errors import CardError, HoldemValueError, quoted

#: Numbers of players in a deal.
MIN_PLAYERS, MAX_PLAYERS = 2, 10

HIGH_CARD = "high card"
PAIR = "pair"
TWO_PAIR = "two pair"
THREE_OF_A_KIND = "three of a kind"
STRAIGHT = "straight"
FLUSH = "flush"
FULL_HOUSE = "full house"
FOUR_OF_A_KIND = "four of a kind"
STRAIGHT_FLUSH = "straight flush"
FIVE_OF_A_KIND = "five of a kind"

#: Names of the ranks 0..12; singular, then plural.
RANK_NAMES = (
    *("Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten"),
    *("Jack", "Queen", "King", "Ace"),
)
RANK_PLURALS = tuple(name + ("es" if name == "Six" else "s") for name in RANK_NAMES)

_ACE = 12
# Number of cards of each rank in a hand of the category, in the order of `HandClass.ranks`.
_SHAPES = {
    HIGH_CARD: (1, 1, 1, 1, 1),
    PAIR: (2, 1, 1, 1),
    TWO_PAIR: (2, 2, 1),
    THREE_OF_A_KIND: (3, 1, 1),
    STRAIGHT: (1, 1, 1, 1, 1),
    FLUSH: (1, 1, 1, 1, 1),
    FULL_HOUSE: (3, 2),
    FOUR_OF_A_KIND: (4, 1),
    STRAIGHT_FLUSH: (1, 1, 1, 1, 1),
    FIVE_OF_A_KIND: (4,),  # and a wild card
}


@attrs.frozen
class HandClass:
    """A strength class, which contains the hands of equal strength within a rule set."""

    category: str
    """One of the categories of the rule set."""

    ranks: tuple[int, ...]
    """The ranks that determine the class, most significant first: ``(5, 12)`` for sevens full
    of aces. A straight has its five ranks from the top down; an ace played low comes last."""

    @property
    def name(self) -> str:
        """Display name, e.g. ``"Full House, Sevens full of Aces"``."""
        title = self.category.title().replace(" Of A ", " of a ")
        top, *rest = self.ranks
        if self.category == STRAIGHT_FLUSH and top == _ACE:
            return "Royal Flush"
        if self.category == HIGH_CARD:
            return f"{title}, {RANK_NAMES[top]}"
        if self.category in (STRAIGHT, FLUSH, STRAIGHT_FLUSH):
            return f"{title}, {RANK_NAMES[top]} high"
        if self.category == FULL_HOUSE:
            return f"{title}, {RANK_PLURALS[top]} full of {RANK_PLURALS[rest[0]]}"
        if self.category == TWO_PAIR:
            return f"{title}, {RANK_PLURALS[top]} and {RANK_PLURALS[rest[0]]}"
        return f"{title}, {RANK_PLURALS[top]}"

    @property
    def example(self) -> tuple[Card, ...]:
        """Five cards of this class, in the order of `ranks`."""
        shape = _SHAPES[self.category]
        suited = self.category in (FLUSH, STRAIGHT_FLUSH)
        cards = []
        for number, (rank, count) in enumerate(zip(self.ranks, shape, strict=True), 1):
            # An unpaired last card has another suit, so that five unpaired cards are not a flush.
            suit = 3 if number == len(shape) and count == 1 and not suited else 0
            cards += [DECK[4 * rank + suit + i] for i in range(count)]
        if self.category == FIVE_OF_A_KIND:
            cards.append(DECK[0])  # a wild two
        return tuple(cards)


@attrs.frozen(eq=False, slots=False)
class RuleSet:
    """Rules for ranking hands: a deck and an order of categories."""

    name: str
    """Its name in evaluator specs, e.g. ``"standard"``."""

    lowest_rank: int
    """Lowest rank in the deck, 0..12; 0 for all 52 cards."""

    categories: tuple[str, ...]
    """The categories, weakest first."""

    deuces_wild: bool = False
    """Whether each two stands for the card that makes the hand strongest."""

    @cached_property
    def lowest_natural_rank(self) -> int:
        """Lowest rank of the cards that are not wild, 0..12."""
        return 1 if self.deuces_wild else self.lowest_rank

    @cached_property
    def deck(self) -> tuple[Card, ...]:
        """Cards of the deck, lowest id first."""
        return DECK[4 * self.lowest_rank :]

    @cached_property
    def outside(self) -> int:
        """The cards that are not in the deck, as a card set."""
        return card_set(DECK) & ~card_set(self.deck)

    @property
    def deck_text(self) -> str:
        """Description of the deck, e.g. ``"36 cards, 6 to A"``."""
        return f"{len(self.deck)} cards, {RANKS[self.lowest_rank]} to {RANKS[_ACE]}"

    def require_in_deck(self, cards: Iterable[Card], what: str) -> None:
        """Raise `CardError` if a card is not in the deck of this rule set.

        Args:
            cards: the cards to check.
            what: the name of the cards for messages, e.g. ``"board"``.

        Raises:
            CardError: a card is not in the deck.
        """
        lowest = self.deck[0]
        for card in cards:
            if card < lowest:
                raise CardError(
                    f"{what}: {card} is not in the deck of {self.name} rules ({self.deck_text})"
                )

    @cached_property
    def straights(self) -> tuple[tuple[int, ...], ...]:
        """The ranks of every straight, from high to low, the strongest straight first.

        The last one is the wheel, in which the ace is below the lowest rank. If twos are wild, no
        hand is a six-high straight: the two in it stands for a seven.
        """
        low = self.lowest_rank
        lowest_top = self.lowest_natural_rank + 4
        tops = [tuple(range(top, top - 5, -1)) for top in range(_ACE, lowest_top - 1, -1)]
        return (*tops, (*range(low + 3, low - 1, -1), _ACE))

    @cached_property
    def classes(self) -> tuple[HandClass, ...]:
        """All strength classes, strongest first: ``classes[0]`` is class 1."""
        return tuple(
            HandClass(category, ranks)
            for category in reversed(self.categories)
            for ranks in self._ranks_of(category)
        )

    @cached_property
    def examples(self) -> CardArray:
        """An example hand of each class, ``uint8 (class, 5)``, strongest class first."""
        hands = np.array([hand_class.example for hand_class in self.classes], dtype=np.uint8)
        return read_only(hands)

    @cached_property
    def rank_places(self) -> NDArray[np.uint8]:
        """The position of each rank among each class's ranks, ``uint8 (class + 1, 13)``.

        Rows are class numbers. The position of a rank that the class does not have is 13.
        """
        lists = [hand_class.ranks for hand_class in self.classes]
        rows = np.repeat(np.arange(1, len(lists) + 1), [len(ranks) for ranks in lists])
        places = np.full((len(lists) + 1, len(RANKS)), len(RANKS), dtype=np.uint8)
        places[rows, list(chain.from_iterable(lists))] = list(
            chain.from_iterable(range(len(ranks)) for ranks in lists)
        )
        return read_only(places)

    def _ranks_of(self, category: str) -> Iterator[tuple[int, ...]]:
        ranks = range(_ACE, self.lowest_natural_rank - 1, -1)
        if category in (STRAIGHT, STRAIGHT_FLUSH):
            yield from self.straights
        elif category in (HIGH_CARD, FLUSH):
            straights = {frozenset(straight) for straight in self.straights}
            yield from (five for five in combinations(ranks, 5) if frozenset(five) not in straights)
        elif category == TWO_PAIR:
            for pairs in combinations(ranks, 2):
                yield from ((*pairs, kicker) for kicker in ranks if kicker not in pairs)
        else:  # the rank with the most cards, then the other ranks from the top down
            others = len(_SHAPES[category]) - 1
            for top in ranks:
                rest = [rank for rank in ranks if rank != top]
                yield from ((top, *kickers) for kickers in combinations(rest, others))

    def class_at(self, rank_class: int) -> HandClass:
        """Look up the class with the number `rank_class`; number 1 is the strongest class.

        Raises:
            HoldemValueError: there is no such class.
        """
        if not 1 <= rank_class <= len(self.classes):
            raise HoldemValueError(
                f"no class {rank_class}: {self.name} rules have 1..{len(self.classes)}"
            )
        return self.classes[rank_class - 1]


STANDARD = RuleSet(
    name="standard",
    lowest_rank=0,
    categories=(
        *(HIGH_CARD, PAIR, TWO_PAIR, THREE_OF_A_KIND, STRAIGHT),
        *(FLUSH, FULL_HOUSE, FOUR_OF_A_KIND, STRAIGHT_FLUSH),
    ),
)

#: The nine categories of standard rules, weakest first.
CATEGORIES = STANDARD.categories

#: Short deck, or six plus: no card below a six. A flush beats a full house, because it is
#: rarer: 480 of the 376,992 hands, against 1,728 full houses.
SHORT_DECK = RuleSet(
    name="short-deck",
    lowest_rank=4,
    categories=(
        *(HIGH_CARD, PAIR, TWO_PAIR, THREE_OF_A_KIND, STRAIGHT),
        *(FULL_HOUSE, FLUSH, FOUR_OF_A_KIND, STRAIGHT_FLUSH),
    ),
)

#: Deuces wild: each two stands for the card that makes the hand strongest, a card that the hand
#: does not have yet, except in five of a kind. Natural and wild hands of one class tie.
DEUCES_WILD = RuleSet(
    name="deuces-wild",
    lowest_rank=0,
    categories=(*CATEGORIES, FIVE_OF_A_KIND),
    deuces_wild=True,
)

#: All rule sets by name.
RULE_SETS = {rules.name: rules for rules in (STANDARD, SHORT_DECK, DEUCES_WILD)}


def find_rules(rules: str | RuleSet) -> RuleSet:
    """Look up a rule set by name; a given rule set is returned unchanged.

    Raises:
        HoldemValueError: no rule set has the name.
    """
    if isinstance(rules, RuleSet):
        return rules
    found = RULE_SETS.get(rules) if isinstance(rules, str) else None
    if found is None:
        raise HoldemValueError(
            f"unknown rule set {quoted(rules)}; there are: {', '.join(RULE_SETS)}"
        )
    return found
