"""`Range`: a weight for each of the 1,326 combos."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Self, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from holdem.cards import Card, CardsLike, index_set, parse_cards
from holdem.errors import HoldemError, HoldemTypeError, RangeError, shown
from holdem.ranges.combos import (
    CLASS_COUNT,
    CLASS_INDEX,
    CLASS_NAMES,
    CLASS_OF_COMBO,
    CLASS_SIZES,
    COMBO_COUNT,
    COMBO_SETS,
    Combo,
    combo_at,
)
from holdem.ranges.reading import DialectWarning, Weights, read
from holdem.ranges.weights import checked, means_by_class, numbers
from holdem.values import RULE_SETS, RuleSet, rule_set

if TYPE_CHECKING:
    from fractions import Fraction

#: What names one combo: ``"AsKd"``, a `Combo`, or two cards.
ComboLike: TypeAlias = "str | Combo | Iterable[Card | int | str]"


class Range:
    """A range of starting hands: a weight in 0..1 for each of the 1,326 combos.

    A range is a set of combos with weights. It does not change, so it hashes, and equal
    ranges are those with equal weights. ``in`` asks for a combo; iterating gives the combos
    held, as `Combo` objects, from the ace of spades down; ``len`` counts them, whatever their
    weight. ``a | b`` has every combo of both with the larger weight, ``a & b`` those in both
    with the smaller, ``a - b`` those of `a` that `b` has not at all. ``a <= b`` says that no
    combo weighs more in `a` than in `b`.

    Attributes:
        weights: ``float64 (1326,)``, read-only, by combo: that of the cards ``a > b`` stands at
            ``a * (a - 1) // 2 + b``.
    """

    __slots__ = ("_hash", "_held", "_text", "weights")

    weights: Weights
    _hash: int | None
    _held: NDArray[np.intp] | None
    _text: str | None

    def __new__(cls, text: str | Range = "", *, rules: str | RuleSet = "standard") -> Self:
        """Read a range from text.

        Args:
            text: a text of the range language, e.g. ``"22+, A5s-A2s, AhKd:0.5"``; an empty
                one is the empty range. A range is taken as it is.
            rules: the rule set, or its name, whose deck and order of starting hands the text
                speaks of. With ``"short-deck"`` ``random`` is 630 combos, percentages go down
                the list of those, and a hand below a six is an error.

        Warns:
            DialectWarning: where other tools read a token in another way.

        Raises:
            RangeError: text that cannot be read; the message underlines the offending part.
            HoldemTypeError: neither text nor a range.
            HoldemError: no such rule set.
        """
        if isinstance(text, Range):
            return cls._of(text.weights)
        if not isinstance(text, str):
            raise HoldemTypeError(f"a range is text or a Range, not {shown(text)}")
        reading = read(text, _rules(rules))
        for note in reading.notes:
            warnings.warn(note, DialectWarning, stacklevel=_callers_level())
        return cls._of(reading.weights)

    @classmethod
    def _of(cls, weights: Weights) -> Self:
        """Make a range of weights that are checked and read-only."""
        found = super().__new__(cls)
        object.__setattr__(found, "weights", weights)
        object.__setattr__(found, "_hash", None)
        object.__setattr__(found, "_held", None)
        object.__setattr__(found, "_text", None)
        return found

    @classmethod
    def from_percent(
        cls,
        percent: float | Fraction,
        to: float | Fraction | None = None,
        *,
        rules: str | RuleSet = "standard",
    ) -> Self:
        """Return the strongest `percent` of hands, or those between `percent` and `to`.

        They are taken in whole classes down the list of `starting_hands`, to the number of
        classes that comes nearest, at least one. ``from_percent(5, 10)`` is ``"5%-10%"``.

        Args:
            percent: above 0 and at most 100; with `to`, from 0 and below `to`.
            to: where to stop, at most 100.
            rules: the rule set, or its name, whose starting hands they are.

        Raises:
            RangeError: percentages out of these bounds.
            HoldemTypeError: no numbers.
        """
        from holdem.ranges.ranking import exact_percent, strongest

        last = exact_percent(percent if to is None else to)
        first = exact_percent(percent) if to is not None else exact_percent(0)
        if not 0 <= first < last <= 100:
            bounds = f"{percent}" if to is None else f"{percent} to {to}"
            raise RangeError(f"no hands are {bounds} percent: percentages go up from 0 to 100")
        found = _rules(rules)
        mask = strongest(last, found)
        return cls.from_weights(mask & ~strongest(first, found) if first else mask)

    @classmethod
    def from_weights(cls, weights: ArrayLike) -> Self:
        """Return the range with a weight for each combo.

        Args:
            weights: numbers 0..1, ``(1326,)``, by combo number as in `weights`; or
                ``(13, 13)``, as for `from_grid`. Copied.

        Raises:
            RangeError: another shape, or a weight that is not in 0..1.
            HoldemTypeError: no array of numbers.
        """
        array = numbers(weights)
        if array.shape == (13, 13):
            return cls.from_grid(array)
        if array.shape != (COMBO_COUNT,):
            raise RangeError(f"weights come as (1326,) or (13, 13), not in the shape {array.shape}")
        return cls._of(checked(array))

    @classmethod
    def from_grid(cls, grid: ArrayLike) -> Self:
        """Return the range with a weight for each class of the 13x13 grid.

        Args:
            grid: numbers 0..1, ``(13, 13)``; row and column 0 are the ace, 12 the deuce,
                suited hands above the diagonal, offsuit hands below. Each combo of a class has
                the weight of its class.

        Raises:
            RangeError: another shape, or a weight that is not in 0..1.
            HoldemTypeError: no array of numbers.
        """
        array = numbers(grid)
        if array.shape != (13, 13):
            raise RangeError(f"a grid has the shape (13, 13), not {array.shape}")
        return cls._of(checked(array.reshape(CLASS_COUNT)[CLASS_OF_COMBO]))

    @classmethod
    def from_combos(cls, combos: Mapping[Any, float] | Iterable[ComboLike]) -> Self:
        """Return the range of the given combos.

        Args:
            combos: a mapping from combos to weights 0..1, or combos, which then weigh 1. A
                combo is text (``"AsKd"``), a `Combo`, or two cards; one that stands twice
                has the larger weight.

        Raises:
            CardError: what is no combo.
            RangeError: a weight that is not in 0..1.
            HoldemTypeError: no combos, or weights that are no numbers.
        """
        if isinstance(combos, str) or not isinstance(combos, Iterable):
            raise HoldemTypeError(
                f"combos come in a sequence or with weights, not as {shown(combos)}"
            )
        pairs = (
            combos.items() if isinstance(combos, Mapping) else ((combo, 1.0) for combo in combos)
        )
        weights = np.zeros(COMBO_COUNT)
        for combo, weight in pairs:
            number = _number(combo)
            weights[number] = max(weights[number], checked(numbers([weight]))[0])
        return cls._of(checked(weights))

    # --- what it holds ---

    def weight(self, combo: ComboLike) -> float:
        """Return the weight of a combo, 0.0 if the range does not hold it.

        Raises:
            CardError: what is no combo.
        """
        return float(self.weights[_number(combo)])

    def __contains__(self, combo: ComboLike) -> bool:
        return self.weight(combo) > 0

    def __iter__(self) -> Iterator[Combo]:
        for number in self.held[::-1].tolist():
            yield combo_at(number)

    def __len__(self) -> int:
        return len(self.held)

    @property
    def held(self) -> NDArray[np.intp]:
        """The numbers of the combos it holds, lowest first, ``intp (combo,)``, read-only."""
        if self._held is None:
            held = self.weights.astype(np.bool_).nonzero()[0]  # a fifth of what doubles take
            held.setflags(write=False)
            object.__setattr__(self, "_held", held)
        return self._held  # type: ignore[return-value]

    @property
    def total(self) -> float:
        """The sum of all weights: how many combos it counts as."""
        return float(self.weights.sum())

    @property
    def share(self) -> float:
        """How much of all starting hands it is, 0..1, weights counted."""
        return self.total / COMBO_COUNT

    @property
    def grid(self) -> NDArray[np.float64]:
        """How much of each class it holds, ``float64 (13, 13)``, laid out as for `from_grid`."""
        return means_by_class(self.weights).reshape(13, 13)

    def frequencies(self) -> dict[str, float]:
        """Return how much of each of the 169 classes it holds, 0..1, weights counted."""
        return dict(zip(CLASS_NAMES, self.grid.ravel().tolist(), strict=True))

    def without(self, cards: CardsLike) -> Self:
        """Return the combos that hold none of the given cards.

        Raises:
            CardError: text that is no card, or a card that stands twice.
            HoldemTypeError: neither text nor cards.
        """
        gone = COMBO_SETS & np.uint64(index_set(parse_cards(cards))) != 0
        return self._of(checked(np.where(gone, 0.0, self.weights)))

    # --- as a set ---

    def __or__(self, other: Range) -> Self:
        if not isinstance(other, Range):
            return NotImplemented
        return self._of(checked(np.maximum(self.weights, other.weights)))

    def __and__(self, other: Range) -> Self:
        if not isinstance(other, Range):
            return NotImplemented
        return self._of(checked(np.minimum(self.weights, other.weights)))

    def __sub__(self, other: Range) -> Self:
        if not isinstance(other, Range):
            return NotImplemented
        return self._of(checked(np.where(other.weights > 0, 0.0, self.weights)))

    def __le__(self, other: Range) -> bool:
        if not isinstance(other, Range):
            return NotImplemented
        return bool((self.weights <= other.weights).all())

    def __ge__(self, other: Range) -> bool:
        if not isinstance(other, Range):
            return NotImplemented
        return other <= self

    def __lt__(self, other: Range) -> bool:
        if not isinstance(other, Range):
            return NotImplemented
        return self <= other and self != other

    def __gt__(self, other: Range) -> bool:
        if not isinstance(other, Range):
            return NotImplemented
        return other < self

    def isdisjoint(self, other: Range) -> bool:
        """Tell whether the two have no combo in common."""
        return not ((self.weights > 0) & (other.weights > 0)).any()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Range):
            return NotImplemented
        return self.weights is other.weights or bool((self.weights == other.weights).all())

    def __hash__(self) -> int:
        if self._hash is None:
            object.__setattr__(self, "_hash", hash(self.weights.tobytes()))
        return self._hash  # type: ignore[return-value]

    # --- as text ---

    def to_text(self, dialect: str | None = None) -> str:
        """Return the range as text.

        Args:
            dialect: None for the canonical text, as `str` gives it; ``"pio"``, ``"gto+"`` or
                ``"equilab"`` for what those tools read.

        Warns:
            DialectWarning: weights that the dialect cannot say were left out.

        Raises:
            RangeError: an unknown dialect.
        """
        if dialect is None:
            return str(self)
        from holdem.ranges.printer import WITHOUT_WEIGHTS, dialect_text

        text = dialect_text(self.weights, dialect)
        if dialect.lower() in WITHOUT_WEIGHTS and not np.isin(self.weights, (0, 1)).all():
            note = f"{dialect} has no weights: every combo of the range is written in full"
            warnings.warn(note, DialectWarning, stacklevel=_callers_level())
        return text

    def __str__(self) -> str:
        if self._text is None:
            from holdem.ranges.printer import canonical_text

            object.__setattr__(self, "_text", canonical_text(self.weights))
        return self._text  # type: ignore[return-value]

    def __repr__(self) -> str:
        return f"Range({str(self)!r})"

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a Range does not change: {name} cannot be set")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a Range does not change: {name} cannot be deleted")

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self).from_weights, (self.weights,)

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: object) -> Self:
        return self


def _rules(rules: str | RuleSet) -> RuleSet:
    found = rules if isinstance(rules, RuleSet) else rule_set(rules)
    if found is None:
        raise HoldemError(f"no rule set {shown(rules)}; there are: {', '.join(RULE_SETS)}")
    return found


def _number(combo: ComboLike) -> int:
    if isinstance(combo, str) and combo in CLASS_INDEX:
        count = CLASS_SIZES[CLASS_INDEX[combo]]
        raise RangeError(
            f"{combo} is {count} combos and not one: Range({combo!r}) <= range tells whether all"
            f" are held, range.frequencies()[{combo!r}] how much of them is"
        )
    return Combo(combo).number


def _callers_level() -> int:
    """Return the stack level, for a warning of our caller, of the code outside `holdem`."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back and frame.f_globals.get("__name__", "").partition(".")[0] == "holdem":
        level, frame = level + 1, frame.f_back
    return level
