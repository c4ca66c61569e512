"""`Range`: a weight for each of the 1,326 combos."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from functools import lru_cache
from numbers import Real
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn, Self, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from holdem.arguments import checked_integer, is_iterable
from holdem.cached_property import cached_property
from holdem.cards import CardsLike, card_set, parse_cards, read_only
from holdem.dealing.seeds import Seed, fractions, resolve_seed, stream
from holdem.errors import (
    DialectWarning,
    HoldemTypeError,
    HoldemWarning,
    RangeError,
    quoted,
)
from holdem.messages import callers_level
from holdem.ranges.combos import (
    CLASS_COUNT,
    CLASS_NAMES,
    CLASS_OF_COMBO,
    COMBO_CARDS,
    COMBO_COUNT,
    COMBO_SETS,
    COMBO_TEXT,
    Combo,
    ComboLike,
    checked_combo_numbers,
    combo_at,
    number_of,
)
from holdem.ranges.parser import read
from holdem.ranges.weights import Held, Weights, as_floats, held_combos, means_by_class, validated
from holdem.results.base_result import Plottable, import_named
from holdem.rules import RuleSet, find_rules

if TYPE_CHECKING:
    from fractions import Fraction

    from holdem.ranges.starting_hands import Standing


class Range(Plottable):
    """A range of starting hands: a weight from 0 to 1 for each of the 1,326 combos.

    A range is an immutable, hashable set of combos with weights. Ranges are equal if their
    weights are equal. Iterating yields the combos with a weight above 0, as `Combo` objects, in
    ascending order of combo number; ``len`` is the number of these combos, and ``in`` tests whether
    a combo is among them. ``str`` lists pairs, suited hands, offsuit hands and single combos, in
    this order.

    ``a | b`` has all combos of both ranges with the larger weight, ``a & b`` the common combos
    with the smaller weight, and ``a - b`` the combos of `a` that are not in `b`. ``a <= b``
    tests whether no combo has a larger weight in `a` than in `b`.

    Attributes:
        weights: ``float64 (1326,)``, read-only, by combo number: cards ``a > b`` are at
            ``a * (a - 1) // 2 + b``.

    Example:
        >>> import holdem
        >>> range = holdem.Range("22+, A5s-A2s")
        >>> len(range), range.weight("AsAh"), str(range)
        (94, 1.0, '22+,A5s-A2s')
    """

    _chart: ClassVar[str] = "holdem.report.plots.heat_maps:range_chart"
    _html: ClassVar[str] = "holdem.report.range_report:range_html"

    weights: Weights

    def __new__(
        cls, text: str | Range = "", *, rules: str | RuleSet = "standard", against: int = 1
    ) -> Self:
        """Create a range from a string or from another range.

        Args:
            text: a string in the range language, e.g. ``"22+, A5s-A2s, AhKd:0.5"``, or a range.
                An empty string is the empty range.
            rules: the rule set, or its name, which defines the deck and the order of starting
                hands. With ``"short-deck"``, ``random`` is 630 combos, percentages refer to
                these, and a hand below a six is an error.
            against: percentages such as ``15%`` are of the hands with the largest equity against
                so many random hands, 1 to 5; more than one by standard rules only. PokerStove and
                Equilab have 3.

        Warns:
            DialectWarning: other tools read a token of the string differently.

        Raises:
            RangeError: the string is invalid; the message underlines the offending part.
            HoldemTypeError: `text` is neither a string nor a range.
            HoldemValueError: the rule set does not exist.
        """
        if isinstance(text, Range):
            return cls._of(text.weights)
        if not isinstance(text, str):
            raise HoldemTypeError(
                f"a range must be text or a Range, not {quoted(text)}{_how_to_join(text)}"
            )
        # What a name stands for may change, so such text is read each time.
        parse = _read.__wrapped__ if may_have_names(text) else _read
        found, notes = parse(text, find_rules(rules), checked_opponents(against))
        for warning in notes:
            warnings.warn(warning, DialectWarning, stacklevel=callers_level())
        return found if cls is Range else cls._of(found.weights)  # type: ignore[return-value]

    @classmethod
    def _of(cls, weights: Weights) -> Self:
        """Create a range from weights that are already validated and read-only."""
        found = super().__new__(cls)
        found.__dict__["weights"] = weights  # `__setattr__` raises
        return found

    @classmethod
    def from_percent(
        cls,
        percent: float | Fraction,
        to: float | Fraction | None = None,
        *,
        rules: str | RuleSet = "standard",
        against: int = 1,
    ) -> Self:
        """Create a range of the top `percent` of hands, or of the hands between two percentages.

        A percentage is rounded to whole classes of `starting_hands`, at least one.
        ``from_percent(5, 10)`` is the range ``"5%-10%"``.

        Args:
            percent: above 0 and at most 100; with `to`, from 0 and below `to`.
            to: the upper percentage, at most 100.
            rules: the rule set of the starting hands, or its name.
            against: the order is that of equity against so many random hands, 1 to 5; more than
                one by standard rules only.

        Warns:
            HoldemWarning: the percentage, or `to`, is below 1 and may be meant as a fraction,
                which `top` takes.

        Raises:
            RangeError: a percentage is out of these bounds.
            HoldemTypeError: a percentage is not a number, or `against` not an integer.
        """
        from holdem.ranges.starting_hands import exact_number, strongest

        last = exact_number(percent if to is None else to, "a percentage")
        first = exact_number(0 if to is None else percent, "a percentage")
        if not 0 <= first < last <= 100:
            bounds = quoted(percent) if to is None else f"{quoted(percent)} to {quoted(to)}"
            raise RangeError(f"expected percentages from 0 to 100 that ascend, not {bounds}")
        if last < 1:
            given = percent if to is None else to
            warnings.warn(
                f"{given} is a percentage here, less than 1% of all hands; Range.top({given})"
                " takes a fraction",
                HoldemWarning,
                stacklevel=2,
            )
        found = find_rules(rules)
        mask = strongest(last, found, checked_opponents(against))
        return cls.from_weights(mask & ~strongest(first, found, against) if first else mask)

    @classmethod
    def top(
        cls,
        fraction: float | Fraction,
        *,
        rules: str | RuleSet = "standard",
        against: int = 1,
    ) -> Self:
        """Create a range of the strongest hands that make up a given fraction of all hands.

        The fraction is rounded to whole classes of `starting_hands`, at least one.
        ``top(0.15)`` equals ``from_percent(15)`` and the range ``"top 15%"``.

        Args:
            fraction: above 0 and at most 1.
            rules: the rule set of the starting hands, or its name.
            against: the order is that of equity against so many random hands, 1 to 5; more than
                one by standard rules only. PokerStove and Equilab have 3.

        Raises:
            RangeError: the fraction is out of these bounds.
            HoldemTypeError: the fraction is not a number, or `against` not an integer.

        Example:
            >>> import holdem
            >>> holdem.Range.top(0.15, against=3)
            Range('77+,A7s+,K9s+,QTs+,JTs,ATo+,KTo+,QJo')
        """
        from holdem.ranges.starting_hands import exact_number, strongest

        exact = exact_number(fraction, "a fraction")
        if not 0 < exact <= 1:
            hint = ": Range.from_percent takes a percentage" if 1 < exact <= 100 else ""
            bounds = "a fraction must be above 0 and at most 1"
            raise RangeError(f"{bounds}, not {quoted(fraction)}{hint}")
        return cls.from_weights(
            strongest(100 * exact, find_rules(rules), checked_opponents(against))
        )

    @classmethod
    def from_weights(cls, weights: ArrayLike) -> Self:
        """Create a range from an array of weights by combo or by class.

        Args:
            weights: numbers 0..1, ``(1326,)`` by combo number, or ``(13, 13)`` as for
                `from_grid`. They are copied.

        Raises:
            RangeError: the shape is wrong, or a weight is neither 0 nor in 1e-300..1.
            HoldemTypeError: `weights` is not an array of numbers.
        """
        array = as_floats(weights)
        if array.shape == (13, 13):
            return cls.from_grid(array)
        if array.shape != (COMBO_COUNT,):
            raise RangeError(f"weights must have the shape (1326,) or (13, 13), not {array.shape}")
        return cls._of(validated(array))

    @classmethod
    def from_grid(cls, grid: ArrayLike) -> Self:
        """Create a range from a 13x13 grid with a weight for each class.

        Args:
            grid: numbers 0..1, ``(13, 13)``; row and column 0 are the ace, 12 the deuce,
                suited hands above the diagonal, offsuit hands below. Each combo has the weight
                of its class.

        Raises:
            RangeError: the shape is wrong, or a weight is neither 0 nor in 1e-300..1.
            HoldemTypeError: `grid` is not an array of numbers.
        """
        array = as_floats(grid)
        if array.shape != (13, 13):
            raise RangeError(f"a grid must have the shape (13, 13), not {array.shape}")
        return cls._of(
            read_only(validated(array.reshape(CLASS_COUNT), CLASS_NAMES)[CLASS_OF_COMBO])
        )

    @classmethod
    def from_combos(cls, combos: Mapping[Any, float] | Iterable[ComboLike]) -> Self:
        """Create a range from combos, or from a mapping of combos to weights.

        Args:
            combos: a mapping from combos to weights 0..1, or combos, which get the weight 1.
                A combo is a string (``"AsKd"``), a `Combo`, or two cards; one that appears twice
                gets the larger weight.

        Raises:
            CardError: an item is not a combo.
            RangeError: a weight is neither 0 nor in 1e-300..1.
            HoldemTypeError: `combos` is not a sequence or mapping, or a weight is not a number.
        """
        if isinstance(combos, str) or not is_iterable(combos):
            raise HoldemTypeError(
                f"combos must be a sequence or a mapping to weights, not {quoted(combos)}"
            )
        pairs = (
            combos.items() if isinstance(combos, Mapping) else ((combo, 1.0) for combo in combos)
        )
        weights = np.zeros(COMBO_COUNT)
        for combo, weight in pairs:
            if isinstance(combo, Real):
                raise HoldemTypeError(
                    f"expected a combo, not {quoted(combo)}; combos with weights are a mapping,"
                    " as in from_combos(dict(series)) for a Series of weights by combo"
                )
            if isinstance(combo, str) and (combo in CLASS_NAMES or f"{combo}s" in CLASS_NAMES):
                raise RangeError(
                    f"{combo} is a class of hands and not a combo; use Range({combo!r}), or"
                    f" Range('{combo}:0.5') with a weight"
                )
            number = number_of(combo)
            own = validated(as_floats([weight], 1), [COMBO_TEXT[number]])
            weights[number] = max(weights[number], own[0])
        return cls._of(read_only(weights))

    # --- content ---

    @overload
    def weight(self, combo: NDArray[np.integer[Any]]) -> NDArray[np.float64]: ...

    @overload
    def weight(self, combo: ComboLike) -> float: ...

    def weight(self, combo: Any) -> float | NDArray[np.float64]:
        """Look up the weight of a combo, or of each in an array; 0.0 for those not in the range.

        Args:
            combo: text such as ``"AsKd"``, a `Combo` or two cards; or an array of card ids,
                integers ``(..., 2)``, such as ``table.hole`` of dealt hands.

        Returns:
            The weight, a float; for an array with more than one axis, ``float64 (...)``.

        Raises:
            CardError: `combo` is not a combo, or an array has two cards that are not.
            HoldemTypeError: an array does not have two integers in its last axis.

        Example:
            >>> import holdem
            >>> table = holdem.deal("JJ", players=3, hands=2, seed=1)
            >>> holdem.Range("22+:0.5, A2+").weight(table.hole)
            array([[0.5, 0. , 0. ],
                   [0.5, 0. , 0. ]])
        """
        if isinstance(combo, np.ndarray) and combo.ndim > 1:
            return self.weights[checked_combo_numbers(combo)]
        return float(self.weights[number_of(combo)])

    def sample(self, count: int, *, seed: Seed | None = None) -> NDArray[np.int8]:
        """Draw combos at random, each with a probability in proportion to its weight.

        Args:
            count: the number of combos. The same combo may be drawn again.
            seed: 0..2^64-1 or a SeedSequence; the same seed gives the same combos. Drawn from the
                operating system's entropy if None.

        Returns:
            Card ids, ``int8 (count, 2)``, the higher of each pair first.

        Raises:
            RangeError: the range is empty, or `count` is negative.
            SeedError: the seed is out of bounds.
            HoldemTypeError: `count` or `seed` is not an integer.

        Example:
            >>> import holdem
            >>> holdem.Range("AA:0.5, KK").sample(3, seed=1)
            array([[46, 45],
                   [51, 49],
                   [47, 45]], dtype=int8)
        """
        count = checked_integer(
            count, "the number of combos", 0, 2**53, RangeError, "of at least 0"
        )
        source: Any = stream(resolve_seed(seed), "range").bit_generator
        if not len(self.held):
            raise RangeError("an empty range has no combos to draw")
        up_to = np.cumsum(self.weights[self.held])
        places = np.searchsorted(up_to, fractions(source, count) * up_to[-1], side="right")
        # A product may be rounded up to the total.
        numbers = self.held[np.minimum(places, len(self.held) - 1)]
        cards: NDArray[np.int8] = COMBO_CARDS[numbers].view(np.int8)
        return cards

    def __contains__(self, combo: ComboLike) -> bool:
        return self.weight(combo) > 0

    def __iter__(self) -> Iterator[Combo]:
        for number in self.held.tolist():
            yield combo_at(number)

    def __len__(self) -> int:
        return len(self.held)

    @cached_property
    def held(self) -> Held:
        """Numbers of the combos with positive weights, ``intp (held combo,)``, ascending."""
        return held_combos(self.weights)

    @cached_property
    def card_union(self) -> int:
        """The cards of all combos with positive weights, as a card set."""
        return int(np.bitwise_or.reduce(COMBO_SETS[self.held]))

    @cached_property
    def is_unweighted(self) -> bool:
        """Whether all positive weights are 1."""
        return bool((self.weights[self.held] == 1).all())

    @property
    def total(self) -> float:
        """Sum of all combo weights."""
        return float(self.weights.sum())

    @property
    def share(self) -> float:
        """The sum of all combo weights divided by 1,326, from 0 to 1."""
        return self.total / COMBO_COUNT

    @property
    def grid(self) -> NDArray[np.float64]:
        """Mean weight of each class, ``float64 (13, 13)``, as in `from_grid`. Read-only."""
        return read_only(means_by_class(self.weights).reshape(13, 13))

    @property
    def counts(self) -> NDArray[np.int64]:
        """Number of combos of the range in each class, ``int64 (13, 13)``, as in `from_grid`.

        Combos with positive weights count fully. The array is read-only.
        """
        counts = np.bincount(CLASS_OF_COMBO[self.held], minlength=CLASS_COUNT)
        return read_only(counts.reshape(13, 13))

    def frequencies(self) -> dict[str, float]:
        """Map the names of the 169 classes to their mean weights."""
        return dict(zip(CLASS_NAMES, self.grid.ravel().tolist(), strict=True))

    def without(self, cards: CardsLike) -> Self:
        """Create a copy of the range without the combos that contain any of the given cards.

        Raises:
            CardError: a card does not exist or appears twice.
            HoldemTypeError: `cards` is neither text nor a sequence of cards.
        """
        gone = COMBO_SETS & np.uint64(card_set(parse_cards(cards))) != 0
        return self._of(validated(np.where(gone, 0.0, self.weights)))

    def standing(self, *, rules: str | RuleSet = "standard", against: int = 1) -> Standing:
        """Find the rank of the range among all classes of starting hands.

        All combos of the range must belong to one class, such as ``AKs``.

        Args:
            rules: the rule set of the starting hands, or its name.
            against: the number of random hands, 1 to 5, against which equity ranks the classes;
                more than 1 by standard rules only.

        Raises:
            RangeError: the combos of the range are not all of one class, or `against` is not 1 to 5
                or not known for the rules.
            HoldemValueError: the rule set does not exist.
        """
        from holdem.ranges.starting_hands import standing_of

        return standing_of(self.held, find_rules(rules), checked_opponents(against))

    # --- set operations ---

    def __or__(self, other: Range) -> Self:
        if not isinstance(other, Range):
            return NotImplemented
        return self._of(validated(np.maximum(self.weights, other.weights)))

    def __add__(self, other: object) -> NoReturn:
        raise HoldemTypeError("ranges are united with |, as in Range('AA') | Range('KK')")

    __radd__ = __add__  # also for `sum`

    def __and__(self, other: Range) -> Self:
        if not isinstance(other, Range):
            return NotImplemented
        return self._of(validated(np.minimum(self.weights, other.weights)))

    def __sub__(self, other: Range) -> Self:
        if not isinstance(other, Range):
            return NotImplemented
        return self._of(validated(np.where(other.weights > 0, 0.0, self.weights)))

    def __le__(self, other: Range) -> bool:
        if not isinstance(other, Range):
            return NotImplemented
        return bool((self.weights <= other.weights).all())

    def __lt__(self, other: Range) -> bool:
        if not isinstance(other, Range):
            return NotImplemented
        return self <= other and self != other

    def isdisjoint(self, other: Range) -> bool:
        """Test whether this range and another have no combo in common.

        Raises:
            HoldemTypeError: `other` is not a `Range`.
        """
        if not isinstance(other, Range):
            raise HoldemTypeError(f"isdisjoint compares with a Range, not {quoted(other)}")
        return not ((self.weights > 0) & (other.weights > 0)).any()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Range):
            return NotImplemented
        return self.weights is other.weights or bool((self.weights == other.weights).all())

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash(self.weights.tobytes())

    # --- text ---

    def to_text(self, dialect: str | None = None) -> str:
        """Format the range as its canonical string, or as a string for another tool.

        Args:
            dialect: None for the canonical string, which `str` returns; ``"pio"``, ``"gto+"`` or
                ``"equilab"`` for text that these tools accept.

        Warns:
            DialectWarning: weights were left out, because the dialect does not have them.

        Raises:
            RangeError: the dialect is unknown.
        """
        if dialect is None:
            return str(self)
        from holdem.ranges.printer import WITHOUT_WEIGHTS, dialect_text

        text = dialect_text(self.weights, dialect)
        if dialect.lower() in WITHOUT_WEIGHTS and not np.isin(self.weights, (0, 1)).all():
            warning = f"{dialect} has no weights: every combo of the range gets the weight 1"
            warnings.warn(warning, DialectWarning, stacklevel=callers_level())
        return text

    def __str__(self) -> str:
        return self._text

    @cached_property
    def _text(self) -> str:
        from holdem.ranges.printer import canonical_text

        return canonical_text(self.weights)

    def __repr__(self) -> str:
        return f"Range({str(self)!r})"

    def _repr_html_(self) -> str:
        html: str = import_named(self._html)(self)
        return html

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a Range is immutable: {name} cannot be set")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a Range is immutable: {name} cannot be deleted")

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self).from_weights, (self.weights,)

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: object) -> Self:
        return self


@lru_cache(maxsize=256)
def _read(text: str, rules: RuleSet, against: int) -> tuple[Range, tuple[str, ...]]:
    """Parse a range string; return the range and the dialect warnings to issue.

    Results are cached: equal strings share one `Range` and its cached properties.
    """
    reading = read(text, rules, against)
    return Range._of(reading.weights), reading.warnings


def checked_opponents(against: int) -> int:
    """Check a number of random hands against which starting hands are ordered."""
    return checked_integer(against, "against", 1, 5, RangeError, "from 1 to 5: random hands")


def expand_names(text: str, rules: RuleSet) -> str:
    """Replace each range name in a string by the text of that range.

    Results, stores and requests contain the expanded string, whose meaning does not depend on
    plugins. An invalid string is returned unchanged.
    """
    if may_have_names(text):
        with suppress(RangeError):
            return read(text, rules).text
    return text


def _how_to_join(hands: object) -> str:
    """Return a hint, for an error message, on how to convert `hands`; "" if there is none."""
    if isinstance(hands, Combo):
        return "; use Range.from_combos([combo])"
    if isinstance(hands, Mapping):
        return '; join hands and weights, as in ",".join(f"{h}:{w}" for h, w in x.items())'
    return '; join hands, as in ",".join(x)' if is_iterable(hands) else ""


# Where an item begins.
_NAME_PLACE = re.compile(r"(?:\A|[^A-Za-z0-9%*+?])@")


def may_have_names(text: str) -> bool:
    """Test whether a string may contain range names, i.e. whether an item begins with ``@``."""
    return "@" in text and _NAME_PLACE.search(text) is not None
