"""Hand categories, strength classes and rule sets.

A *category* is a type of hand, such as a flush. There are nine, and *five of a kind* where cards
are wild. A *strength class*, or class for short, is a set of hands of equal strength within a rule
set; class 1 is the strongest. (The 169 hand classes before the flop are in `holdem.ranges`.)
Standard rules have 7,462 classes, numbered as published by Cactus Kev. The numbers are the same
whichever evaluator ranks the hands.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain, combinations
from typing import Any, ClassVar

import attrs
import numpy as np
from numpy.typing import NDArray

from holdem.arguments import is_iterable
from holdem.cached_property import cached_property
from holdem.cards import DECK, RANKS, Card, CardArray, card_set, read_only
from holdem.errors import (
    CardError,
    HoldemError,
    HoldemTypeError,
    HoldemValueError,
    did_you_mean,
    quoted,
)
from holdem.results.base_result import import_named

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


# What people say for a category.
_SAID = {
    **dict.fromkeys(("one pair", "a pair"), PAIR),
    **dict.fromkeys(("2 pair", "2 pairs"), TWO_PAIR),
    **dict.fromkeys(("trips", "set", "three", "triplets", "3 of a kind"), THREE_OF_A_KIND),
    **dict.fromkeys(("boat", "full boat", "fullhouse", "full"), FULL_HOUSE),
    **dict.fromkeys(("quads", "poker", "four", "4 of a kind"), FOUR_OF_A_KIND),
    **dict.fromkeys(("nothing", "no pair", "high"), HIGH_CARD),
}


def category_hint(category: str, known: Iterable[str]) -> str:
    """Format the category that was probably meant, for the end of a message; "" if none was."""
    said = " ".join(category.lower().replace("_", " ").replace("-", " ").split())
    if said in ("royal flush", "royal"):
        return f" (did you mean {STRAIGHT_FLUSH}? a royal flush has the rank_class 1)"
    return did_you_mean(_SAID.get(said, said), known)


@attrs.frozen
class HandClass:
    """A strength class: the set of all hands of one strength under a rule set."""

    category: str
    """One of the categories of the rule set."""

    ranks: tuple[int, ...]
    """The ranks that determine the class, 0 (two) to 12 (ace), most significant first: ``(5, 12)``
    for sevens full of aces. A straight has its five ranks from the top down; an ace played low
    comes last."""

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
        """An example hand of this class: five cards in the order of `ranks`."""
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


# Pairs of categories that can be in the same six or seven cards, where those of one suit decide.
_OF_ONE_SUIT = (FLUSH, STRAIGHT_FLUSH)
_BESIDE_A_FLUSH = (HIGH_CARD, PAIR, TWO_PAIR, THREE_OF_A_KIND, STRAIGHT)

_FEWEST_RANKS = 5
_WHY_IMPOSSIBLE = {
    HIGH_CARD: "five different ranks are always a straight",
    FLUSH: "five cards of one suit are always a straight flush",
    FIVE_OF_A_KIND: "there are only four cards of a rank",
}

_NAME = re.compile(r"[a-z0-9](?:[a-z0-9._-]{0,62}[a-z0-9])?")


def check_name(name: object, owner: str, error: type[HoldemError]) -> None:
    """Validate the name of `owner`: of ``"an evaluator"`` or ``"a rule set"``.

    `error` is the class of the exception for text that is not a valid name.
    """
    if not isinstance(name, str):
        raise HoldemTypeError(f"{owner}'s name must be text, not {quoted(name)}")
    if not _NAME.fullmatch(name):
        what = owner.partition(" ")[2]
        raise error(
            f"{quoted(name)} is not a valid {what} name: use 1 to 64 characters, a-z and 0-9 with"
            f" . _ - between them, as in my-{what.replace(' ', '-')}"
        )


def _listed(categories: Iterable[str]) -> tuple[str, ...]:
    if isinstance(categories, str) or not is_iterable(categories):
        raise HoldemTypeError(
            f"categories must be a sequence of names, weakest first, not {quoted(categories)}"
        )
    return tuple(categories)


# With slots, cached properties would make every attribute slow to read.
@attrs.frozen(slots=False, cache_hash=True, repr=False)
class RuleSet:
    """Rules for ranking hands: a deck, and an order of the hand categories.

    For example, in a deck of 20 cards::

        royal = holdem.RuleSet(
            "royal",
            ranks="TJQKA",
            categories=(
                *("pair", "two pair", "three of a kind", "straight"),
                *("full house", "four of a kind", "straight flush"),
            ),
        )

    `holdem.register` makes an evaluator of a rule set, so rules need no code; `EvaluatorSpec` and
    the decorator `holdem.evaluator` take a rule set for an evaluator of your own. A hand of six or
    seven cards counts as its best five. Within a category, hands are compared by their ranks,
    starting with the ranks of which they have the most cards.

    Rule sets are equal if their names, ranks and categories are.

    Raises:
        HoldemValueError: the name is invalid, or another rule set of the engine has it; there are
            fewer than five ranks, or the ranks are not neighbours up to the ace; a category is
            unknown, missing, given twice, or impossible in the deck; or a flush or a straight flush
            stands below a category that can be in the same seven cards.
        HoldemTypeError: a value has the wrong type.
    """

    name: str = attrs.field()
    """The name of the rule set, and of the evaluator that `holdem.register` makes of it: 1 to 64
    characters, a-z and 0-9, with ``. _ -`` between them."""

    ranks: str = attrs.field()
    """The ranks of the deck, lowest first: neighbours up to the ace, such as ``"789TJQKA"``. There
    are four suits of each."""

    categories: tuple[str, ...] = attrs.field(converter=_listed)
    """All categories of hands that the deck can make, weakest first. Six or seven cards with a
    flush or a straight flush can also have a pair, two pair, three of a kind or a straight; a flush
    and a straight flush must therefore stand above these, and above a high card."""

    deuces_wild: ClassVar[bool] = False
    """Whether each two stands for the card that makes the hand strongest. Only the rule set
    ``deuces-wild`` has wild cards."""

    @name.validator
    def _check_name(self, _: object, name: object) -> None:
        check_name(name, "a rule set", HoldemValueError)

    @ranks.validator
    def _check_ranks(self, _: object, ranks: object) -> None:
        if not isinstance(ranks, str):
            raise HoldemTypeError(f'ranks must be text, as in "789TJQKA", not {quoted(ranks)}')
        if not ranks or not RANKS.endswith(ranks):
            way_out = "write them from the lowest one up"
            if ranks and set(ranks.upper()) <= set(RANKS):
                lowest = min(RANKS.index(rank) for rank in ranks.upper())
                way_out = f"did you mean {quoted(RANKS[lowest:])}?"
            raise HoldemValueError(
                f"the ranks {quoted(ranks)} are not neighbours up to the ace, as in '789TJQKA';"
                f" {way_out}"
            )
        if len(ranks) < _FEWEST_RANKS:
            raise HoldemValueError(
                f"a straight needs a deck of at least five ranks, as in 'TJQKA', and"
                f" {quoted(ranks)} has {len(ranks)}"
            )

    @categories.validator
    def _check_categories(self, _: object, categories: tuple[str, ...]) -> None:
        possible = self._possible_categories
        for category in categories:
            if not isinstance(category, str):
                raise HoldemTypeError(f"a category must be text, not {quoted(category)}")
            if category not in _SHAPES:
                raise HoldemValueError(
                    f"unknown category {quoted(category)}{category_hint(category, possible)};"
                    f" there are: {', '.join(possible)}"
                )
            if category not in possible:
                raise HoldemValueError(
                    f"{category}: {_WHY_IMPOSSIBLE[category]} in a deck of {self.deck_text}; leave"
                    " this category out"
                )
            if categories.count(category) > 1:
                raise HoldemValueError(f"{category} is in the categories twice")
        if missing := [category for category in possible if category not in categories]:
            listed = " and ".join(filter(None, (", ".join(missing[:-1]), missing[-1])))
            raise HoldemValueError(
                f"the categories lack {listed}: there are such hands in a deck of {self.deck_text}"
            )
        if self.deuces_wild:
            return
        for category in _OF_ONE_SUIT:
            above = categories[categories.index(category) :] if category in categories else ()
            for other in _BESIDE_A_FLUSH:
                if other in above:
                    raise HoldemValueError(
                        f"{category} must stand above {other}: seven cards can be both, and hands"
                        " with five cards of one suit are ranked by that suit alone"
                    )

    def __attrs_post_init__(self) -> None:
        if RULE_SETS.get(self.name, self) != self:
            raise HoldemValueError(
                f"the name {quoted(self.name)} is taken by a rule set of the engine; give these"
                " rules another"
            )

    def __reduce__(self) -> Any:
        # Without what the cached properties hold.
        return type(self), (self.name, self.ranks, self.categories)

    def __str__(self) -> str:
        """Return the name and, unless it is a rule set of the engine, its deck and categories."""
        if self.name in RULE_SETS:
            return self.name
        return f"{self.name} ({self.ranks}: {', '.join(self.categories)})"

    def __repr__(self) -> str:
        return f"<RuleSet {self.name}: {self.deck_text}>"

    @cached_property
    def lowest_rank(self) -> int:
        """Lowest rank in the deck, 0..8; 0 if the deck has all 52 cards."""
        return len(RANKS) - len(self.ranks)

    @cached_property
    def _possible_categories(self) -> tuple[str, ...]:
        """The categories of the hands that the deck can make, in the order of `_SHAPES`."""
        impossible = set() if self.deuces_wild else {FIVE_OF_A_KIND}
        if len(self.ranks) == _FEWEST_RANKS:
            impossible |= {HIGH_CARD, FLUSH}
        return tuple(category for category in _SHAPES if category not in impossible)

    @cached_property
    def lowest_natural_rank(self) -> int:
        """Lowest rank of the cards in the deck that are not wild, 0..8."""
        return 1 if self.deuces_wild else self.lowest_rank

    @cached_property
    def deck(self) -> tuple[Card, ...]:
        """Cards of the deck, lowest id first."""
        return DECK[4 * self.lowest_rank :]

    @cached_property
    def outside(self) -> int:
        """The cards outside the deck, as an integer with bit *i* set for the card with id i."""
        return card_set(DECK) & ~card_set(self.deck)

    @property
    def deck_text(self) -> str:
        """Description of the deck, e.g. ``"36 cards, 6 to A"``."""
        return f"{len(self.deck)} cards, {RANKS[self.lowest_rank]} to {RANKS[_ACE]}"

    def require_in_deck(self, cards: Iterable[Card], what: str) -> None:
        """Check that all given cards are in the deck of this rule set.

        Args:
            cards: the cards to check.
            what: what the cards are, for messages, e.g. ``"board"``.

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

        The last one is the wheel, in which the ace is below the lowest rank. A deck of five ranks
        has one straight and no wheel. If twos are wild, no hand is a six-high straight: the two
        in it stands for a seven.
        """
        low = self.lowest_rank
        lowest_top = self.lowest_natural_rank + 4
        tops = [tuple(range(top, top - 5, -1)) for top in range(_ACE, lowest_top - 1, -1)]
        if len(self.ranks) == _FEWEST_RANKS:
            return tuple(tops)
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
    def rank_counts(self) -> NDArray[np.uint8]:
        """Number of cards of each rank in a hand of each class, ``uint8 (class + 1, 13)``.

        The first index is the number of the class, from 1; row 0 is all zeros. The array is valid
        only for rules without wild cards.
        """
        counts = np.zeros((len(self.classes) + 1, len(RANKS)), dtype=np.uint8)
        for cards in self.examples.T:
            counts[np.arange(1, len(counts)), cards >> 2] += 1
        return read_only(counts)

    @cached_property
    def is_suited(self) -> NDArray[np.bool_]:
        """Whether the hands of each class have five cards of one suit, ``bool (class + 1,)``.

        The index is the number of the class, from 1; element 0 is False.
        """
        suited = [hand_class.category in _OF_ONE_SUIT for hand_class in self.classes]
        return read_only(np.array([False, *suited]))

    @cached_property
    def rank_places(self) -> NDArray[np.uint8]:
        """Where each rank stands in `HandClass.ranks`, ``uint8 (class + 1, 13)``.

        The indices are the number of the class, from 1, and the rank. A value is a position in
        `ranks`, from 0, or 13 if the class does not have the rank.
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


class _DeucesWild(RuleSet):
    """A rule set in which twos are wild; `DEUCES_WILD` is the only one."""

    deuces_wild = True


#: All rule sets of the engine by name.
RULE_SETS: dict[str, RuleSet] = {}

STANDARD = RuleSet("standard", RANKS, tuple(_SHAPES)[:-1])

#: The nine categories of standard rules, weakest first.
CATEGORIES = STANDARD.categories

#: Short deck, or six plus: no card below a six. A flush beats a full house, because it is
#: rarer: 480 of the 376,992 hands, against 1,728 full houses.
SHORT_DECK = RuleSet(
    name="short-deck",
    ranks="6789TJQKA",
    categories=(
        *(HIGH_CARD, PAIR, TWO_PAIR, THREE_OF_A_KIND, STRAIGHT),
        *(FULL_HOUSE, FLUSH, FOUR_OF_A_KIND, STRAIGHT_FLUSH),
    ),
)

#: Deuces wild: each two stands for the card that makes the hand strongest, a card that the hand
#: does not have yet, except in five of a kind. Natural and wild hands of one class tie.
DEUCES_WILD: RuleSet = _DeucesWild("deuces-wild", RANKS, tuple(_SHAPES))

RULE_SETS |= {rules.name: rules for rules in (STANDARD, SHORT_DECK, DEUCES_WILD)}


# What lists the rule sets of all evaluators: in a higher layer, and rarely needed.
_known_rules: str = "holdem.evaluation.registry:known_rules"


def find_rules(rules: str | RuleSet) -> RuleSet:
    """Look up a rule set by name; a `RuleSet` is returned unchanged.

    Known are those of the engine, of installed evaluators, and of evaluators of the script.
    """
    if isinstance(rules, RuleSet):
        return rules
    if not isinstance(rules, str):
        raise HoldemTypeError(f"rules must be a rule set or the name of one, not {quoted(rules)}")
    if rules in RULE_SETS:
        return RULE_SETS[rules]
    known: list[RuleSet] = import_named(_known_rules)()
    found = [own for own in known if own.name == rules]
    if len(found) > 1:
        raise HoldemValueError(
            f"{len(found)} evaluators have different rule sets of the name {quoted(rules)}; give"
            " the rule set itself"
        )
    if not found:
        names = dict.fromkeys(own.name for own in known)
        hint = did_you_mean(rules, names)
        raise HoldemValueError(
            f"unknown rule set {quoted(rules)}{hint}; there are: {', '.join(names)}"
        )
    return found[0]
