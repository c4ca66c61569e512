"""Rankings of starting hands, which define percentages such as ``top 15%`` in range strings.

Hands are ranked by exact equity against one random hand, or on demand against two to five
(`holdem.ranges.opponents_table`). The rankings of the engine's rule sets are in files:
``starting_hands.tsv`` has the 169 classes of standard rules with their wins and ties,
``starting_hands_short_deck.tsv`` the 81 classes of short deck, and
``starting_hands_deuces_wild.tsv`` the 169 classes of deuces wild. The script
``scripts/make/make_starting_hands.py`` makes these files. Rankings of other rule sets are computed
when they are first needed, in about a second.
"""

from __future__ import annotations

import threading
from bisect import bisect_right
from fractions import Fraction
from functools import cache, lru_cache
from importlib import resources
from itertools import accumulate
from typing import NamedTuple

import attrs
import numpy as np
from numpy.typing import NDArray

from holdem.cards import DECK_SIZE, read_only
from holdem.errors import HoldemTypeError, RangeError, quoted
from holdem.ranges.combos import (
    CLASS_COUNT,
    CLASS_INDEX,
    CLASS_NAMES,
    CLASS_OF_COMBO,
    CLASS_SIZES,
    COMBO_CARDS,
    Mask,
)
from holdem.ranges.hand_tokens import BLANKS
from holdem.ranges.opponents_table import classes_against, equity_against
from holdem.ranges.weights import parse_number
from holdem.results.base_result import import_named
from holdem.rules import DEUCES_WILD, SHORT_DECK, STANDARD, RuleSet

_FILES = {
    STANDARD: "starting_hands.tsv",
    SHORT_DECK: "starting_hands_short_deck.tsv",
    DEUCES_WILD: "starting_hands_deuces_wild.tsv",
}
# What counts the wins and ties of starting hands by other rules: in a higher layer.
_count_hands: str = "holdem.odds.starting_hand_counts:count_starting_hands"
_LOCK = threading.Lock()
_NOT_IN_DECK = 255  # the rank of combos that are not in the deck, after all others


class StartingHand(NamedTuple):
    """A class of starting hands, with its exact wins and ties against a random hand."""

    name: str
    """Name of the class, e.g. ``AA``, ``AKs`` or ``72o``."""

    wins: int
    """Number of deals that one combo of the class wins, over all opposing combos and boards."""

    ties: int
    """Number of deals that one combo of the class ties, counted in the same way."""

    deals: int
    """Total number of deals: 2,097,572,400 with 52 cards, 112,971,936 with short deck."""

    @property
    def equity(self) -> float:
        """Equity against a random hand: wins plus half of the ties, as a fraction of all deals."""
        return (2 * self.wins + self.ties) / (2 * self.deals)


@attrs.frozen
class Standing:
    """The rank of a starting-hand class among all classes of a rule set, with its equity."""

    hand: str
    """Name of the class, e.g. ``AKs``."""

    rank: int
    """The rank of the class, from 1 for the strongest."""

    classes: int
    """The number of classes: 169, or 81 with short deck."""

    combos: int
    """The number of combos in the class: 4, 6 or 12."""

    equity: float
    """The exact equity against the random hands of `against`."""

    top: float
    """The share of all combos that are in this class or in a stronger one, from 0 to 1."""

    against: int = 1
    """The number of random hands against which the classes are ranked."""

    @property
    def percentile(self) -> float:
        """The percentage of all combos that are in weaker classes, from 0 to 100."""
        return 100 * (1 - self.top)


def starting_hands(rules: RuleSet = STANDARD) -> tuple[StartingHand, ...]:
    """List the classes of starting hands of a rule set, strongest first.

    There are 169 with 52 cards, and 81 with short deck.
    """
    with _LOCK:  # threads that ask at once wait for one computation
        return _find_starting_hands(rules)


@cache
def _find_starting_hands(rules: RuleSet) -> tuple[StartingHand, ...]:
    if rules not in _FILES:
        return tuple(StartingHand(*counts) for counts in import_named(_count_hands)(rules))
    content = resources.files(__package__).joinpath(_FILES[rules]).read_text(encoding="ascii")
    fields = [line.split("\t") for line in content.splitlines()[1:]]
    return tuple(StartingHand(name, int(w), int(t), int(n)) for name, w, t, n in fields)


@cache
def class_order(rules: RuleSet, against: int = 1) -> list[int]:
    """List the numbers of the classes, strongest against so many random hands first."""
    if against == 1:
        return [CLASS_INDEX[hand.name] for hand in starting_hands(rules)]
    if rules != STANDARD:
        raise RangeError(f"against={against} is known for standard rules only, not {rules.name}")
    return classes_against(against)


@cache
def starting_hand_ranks(rules: RuleSet = STANDARD, against: int = 1) -> NDArray[np.uint8]:
    """Rank each combo by the strength of its class: ``uint8 (combo,)``, 0 for the strongest.

    Against one random hand, the rank is the index of the class in `starting_hands`. Combos that are
    not in the deck of the rule set have 255.
    """
    class_ranks = np.full(CLASS_COUNT, _NOT_IN_DECK, dtype=np.uint8)
    order = class_order(rules, against)
    class_ranks[order] = np.arange(len(order))
    return read_only(class_ranks[CLASS_OF_COMBO])


@cache
def hole_percentiles(rules: RuleSet = STANDARD) -> NDArray[np.float64]:
    """Find the share of all hole cards that are not stronger, ``float64 (card, card)``; 1 for aces.

    It is NaN for two cards that are not in the deck, or one and the same.
    """
    ranks, totals = starting_hand_ranks(rules), [0, *_combos_down_to(rules)]
    stronger = np.full(_NOT_IN_DECK + 1, np.nan)
    stronger[: len(totals) - 1] = np.array(totals[:-1]) / totals[-1]
    found = np.full((DECK_SIZE, DECK_SIZE), np.nan)
    first, second = COMBO_CARDS.T
    found[first, second] = found[second, first] = 1 - stronger[ranks]
    return read_only(found)


@cache
def _combos_down_to(rules: RuleSet, against: int = 1) -> list[int]:
    """Compute the running total of combos over the starting-hand classes, strongest class first."""
    return list(accumulate(CLASS_SIZES[class_order(rules, against)].tolist()))


def standing_of(combos: NDArray[np.intp], rules: RuleSet = STANDARD, against: int = 1) -> Standing:
    """Find the rank of one class, given by combos of it, ``intp (combo,)``, among all classes."""
    ranks = np.unique(starting_hand_ranks(rules, against)[combos]).tolist()
    if len(ranks) != 1:
        names = sorted({CLASS_NAMES[CLASS_OF_COMBO[combo]] for combo in combos})
        most = ", ".join(names[:8]) + (", …" if len(names) > 8 else "")
        found = f"{len(names)} classes: {most}" if names else "an empty range"
        raise RangeError(f"a standing is that of one hand or class, not of {found}")
    (rank,) = ranks
    if rank == _NOT_IN_DECK:
        name = CLASS_NAMES[CLASS_OF_COMBO[combos[0]]]
        raise RangeError(f"{name} is not in the deck of {rules.name} rules ({rules.deck_text})")
    number, totals = class_order(rules, against)[rank], _combos_down_to(rules, against)
    is_one = against == 1
    return Standing(
        hand=CLASS_NAMES[number],
        rank=rank + 1,
        classes=len(totals),
        combos=int(CLASS_SIZES[number]),
        equity=starting_hands(rules)[rank].equity if is_one else equity_against(number, against),
        top=totals[rank] / totals[-1],
        against=against,
    )


def exact_number(number: float | Fraction, name: str) -> Fraction:
    """Convert a percentage or fraction, also of numpy, exactly; `name` is what messages call it."""
    try:
        if isinstance(number, (str, bool, np.bool_)):
            raise TypeError
        return Fraction(getattr(number, "item", lambda: number)())
    except (TypeError, ValueError, OverflowError):
        hint = '; as text, it is a range: Range("top 15%")' * isinstance(number, str)
        message = f"{name} must be a finite number, not {quoted(number)}{hint}"
        raise HoldemTypeError(message) from None


def parse_percentage(text: str, *, zero: bool = False) -> Fraction:
    """Parse a percentage such as ``15%``, ``15`` or ``top 15%``; `zero` says whether 0 is valid."""
    digits = text.lower().removeprefix("top").strip(BLANKS).rstrip("%")
    number = parse_number(digits)
    if number > 100 or (number == 0 and not zero):
        problem = f"{quoted(text)} is not a percentage of hands"
        raise RangeError(problem, expected="a percentage above 0 and at most 100")
    return Fraction(digits)


def classes_in(percent: Fraction, rules: RuleSet = STANDARD, against: int = 1) -> int:
    """Find the number of strongest classes whose combos come closest to `percent` of all combos.

    The number is at least 1. If two numbers are equally close, the larger one is returned.
    """
    totals = _combos_down_to(rules, against)
    target = percent * totals[-1] / 100
    below = bisect_right(totals, target)  # number of whole classes within the target
    if below in (0, len(totals)):
        return max(below, 1)
    return below + (totals[below] - target <= target - totals[below - 1])


@lru_cache(maxsize=1024)
def strongest(percent: Fraction, rules: RuleSet = STANDARD, against: int = 1) -> Mask:
    """Find the combos that make up the strongest `percent` of starting hands.

    The result is a Boolean mask, ``bool (combo,)``. `percent` is above 0 and at most 100.
    """
    return read_only(starting_hand_ranks(rules, against) < classes_in(percent, rules, against))
