"""Evaluators that are loaded and checked on first use, and rank hands of five to seven cards.

`Evaluator.strengths` always has the evaluator itself rank the hands. To compute equities, the
engine uses `Evaluator.ranker`. Without wild cards, this looks strengths up in the tables of the
rule set, once the evaluator has been proved to rank hands as they do
(`holdem.evaluation.load_checks`).
"""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable
from functools import cache, partial
from typing import TYPE_CHECKING, Any

import attrs
import numpy as np
from numpy.typing import ArrayLike, NDArray

from holdem.cached_property import cached_property
from holdem.cards import Card, CardArray, CardsLike, read_only
from holdem.errors import EvaluatorError, counted, one_line, quoted
from holdem.evaluation.best_five import best_of_five
from holdem.evaluation.builtin import load_lookup
from holdem.evaluation.contract import BatchFunction, EvaluatorSpec
from holdem.evaluation.hand_validation import (
    parse_hand,
    trusted_hands,
    validate_hands,
    validate_strengths,
)
from holdem.evaluation.scale import Scale
from holdem.jit.kernels import has_numba, import_numba
from holdem.jobs.workers import Workers, in_worker_thread
from holdem.messages import notify_once
from holdem.plugins.guard import GuardedCall
from holdem.results.fields import EvaluatorLabel
from holdem.rules import RuleSet, find_rules

if TYPE_CHECKING:  # they read the tables, which an answer from the table before the flop needs not
    from holdem.evaluation.builtin.lookup_tables import StrengthTables
    from holdem.evaluation.load_checks import ConsistencyCheck, LoadCheck

# Single hands that are ranked in plain Python, a microsecond each, before the faster function is
# compiled, which takes half a second in each process.
_FEW_SINGLE_HANDS = 10_000

_LONG_SECONDS = 2.0

# Small parts cost more with a slow evaluator, since equal choices in a part are ranked once.
_PART_SECONDS = 0.5

# What Python says about a function that reads its cards as text.
_EXPECTS_TEXT = re.compile(
    r"'(?:numpy\.)?u?int\d*' object (?:is not (?:sub|iter)|has no attr)|scalar variable"
    r"|'(?:tuple|numpy\.ndarray)' object has no attribute '(?:split|strip|replace|upper|lower)'"
    r"|argument of type '(?:numpy\.)?u?int|concatenate str"
    r"|(?:must be|expected|requires) str.* (?:numpy\.)?u?int"
)
_CARDS_ARE_IDS = "cards are ids 0..51: str(holdem.Card(card)) is the text"
_ONE_FOR_EACH = (
    "a batch function returns one for each hand; a function of one hand needs no batch=True"
)


@attrs.frozen(eq=False)
class Ranker:
    """The engine's way to rank hands: by the tables of a rule set, or with an evaluator."""

    tables: StrengthTables | None
    """The tables, which kernels read; None if the evaluator ranks every hand."""
    scale: Scale
    """The strength of each class; with tables 1, 2, … from the weakest."""
    rank: Callable[[CardArray, Workers | None], NDArray[Any]]
    """Function with the arguments of `Evaluator.rank`, which returns strengths on `scale`."""


@attrs.frozen(eq=False)
class _Loaded:
    function: BatchFunction
    """The batch function that `EvaluatorSpec.load` returned."""
    rank: BatchFunction
    """The same function, called through `Evaluator.call`, which checks what it returns."""
    check: LoadCheck | None
    """The result of the checks on loading; None for a function that only reads the rule set's
    tables, which needs no checks."""
    consistency: ConsistencyCheck | None
    """The check, made from time to time, that strengths have not changed; None if `check` is."""

    @property
    def is_slow(self) -> bool:
        return self.check is not None and self.check.is_slow


# With slots, cached properties would make every attribute slow to read.
@attrs.define(eq=False, slots=False, repr=False)
class Evaluator:
    """A hand evaluator that is loaded and checked on first use.

    On first use `EvaluatorSpec.load` is called once and its result is checked, so that an
    evaluator that misorders classes is rejected before it returns a strength.
    """

    spec: EvaluatorSpec
    version: str = ""
    """Version of the distribution that offers the evaluator; empty if the running script does."""
    distribution: str = ""
    """Name of the distribution that offers the evaluator; empty if the running script does."""
    ranked_by: Evaluator | None = None
    """The evaluator whose property `direct` returned this one; None for other evaluators."""

    _failure: str = attrs.field(default="", init=False, repr=False)
    # Held while the evaluator is loaded and proved; its code may ask the engine meanwhile.
    _lock: threading.RLock = attrs.field(factory=threading.RLock, init=False, repr=False)
    _is_loading: bool = attrs.field(default=False, init=False, repr=False)
    _loaded: _Loaded | None = attrs.field(default=None, init=False, repr=False)
    # Returns the strength of a single hand, given as bytes; 0 if the hand is not valid or must be
    # ranked as a batch.
    _rank_one: Callable[[bytes], int] = attrs.field(init=False, repr=False)
    _single_hands: int = attrs.field(default=0, init=False, repr=False)
    _guard: GuardedCall = attrs.field(init=False, repr=False)

    def __attrs_post_init__(self) -> None:
        self._rank_one = self._rank_first
        self._guard = GuardedCall(f"evaluator {self.name!r} failed: ")

    @property
    def name(self) -> str:
        """The name by which users select the evaluator."""
        return self.spec.name

    @cached_property
    def rules(self) -> RuleSet:
        """The rule set that defines the order of hands."""
        return find_rules(self.spec.rules)

    @property
    def failure(self) -> str:
        """Why the evaluator could not be loaded; an empty string if loading has not failed."""
        return self.ranked_by.failure if self.ranked_by else self._failure

    def __repr__(self) -> str:
        direct = ", direct" if self.ranked_by else ""
        return f"<Evaluator {self.name} {self.version}".rstrip() + f"{direct}>"

    @cached_property
    def label(self) -> EvaluatorLabel:
        """The evaluator's name and version, as shown in every result."""
        return EvaluatorLabel(self.name, self.version)

    @cached_property
    def has_tables(self) -> bool:
        """Whether the rule set's tables replace the evaluator in the engine once it is checked."""
        return self.ranked_by is None and not self.rules.deuces_wild

    @cached_property
    def direct(self) -> Evaluator:
        """The same evaluator without tables: every hand is ranked by the evaluator itself."""
        if self.ranked_by is not None:
            return self
        return Evaluator(self.spec, self.version, self.distribution, self)

    @cached_property
    def ranker(self) -> Ranker:
        """The `Ranker` by which the engine ranks hands for this evaluator.

        Reading it loads and checks the evaluator, unless it is the default one.

        Raises:
            EvaluatorError: the evaluator cannot be loaded or violates its contract.
        """
        if not self.has_tables:
            return Ranker(None, self.scale, self.rank)
        from holdem.evaluation.builtin.lookup import RankByTables

        self.prove()
        rank = RankByTables(self.rules)

        def look_up(hands: CardArray, _: Workers | None) -> NDArray[Any]:
            return rank(read_only(hands))

        return Ranker(rank.tables, _scale_of_tables(self.rules), look_up)

    @property
    def check(self) -> LoadCheck | None:
        """The result of the checks on loading; None if not loaded yet, or if no check is needed."""
        base = self.ranked_by or self
        return base._loaded.check if base._loaded else None

    @property
    def library(self) -> str:
        """The name of the library that ranks the hands; empty if the evaluator names none.

        An evaluator names it by the attribute `library` of its batch function. Reading this
        property loads the evaluator.
        """
        library = getattr(self._load().function, "library", "")
        return one_line(library) if isinstance(library, str) else ""

    @property
    def scale(self) -> Scale:
        """The scale that maps strengths to classes; reading it loads the evaluator."""
        check = self._load().check
        return check.scale if check else _scale_of_tables(self.rules)

    def load(self) -> None:
        """Load and check the evaluator; a later call has no effect.

        An evaluator is loaded on first use anyway. Call this to see any errors, and to spend the
        time that loading takes, before the first result is computed.

        Raises:
            EvaluatorError: the evaluator cannot be loaded or violates its contract.
        """
        self._load()

    def prove(self) -> None:
        """Load and check the evaluator, unless it is the default one, which needs no check.

        After this call, the tables of the rule set may be used in place of the evaluator.

        Raises:
            EvaluatorError: the evaluator cannot be loaded or violates its contract.
        """
        if self.spec.load is not load_lookup:
            self._load()

    def strengths(self, cards: ArrayLike, *, validate: bool = True) -> NDArray[Any]:
        """Rank hands of five, six or seven cards.

        Args:
            cards: ids, ``uint8 (hand, card)``; other integers are converted.
            validate: check each row: ids of the rule set's deck, no card twice. If False, only
                the shape and the type of the array are checked. The rows must then be valid:
                a card twice gives a meaningless strength, and another id may crash the process.

        Returns:
            Integers ``(hand,)``: bigger is stronger, equal is a tie. Hands of five, six and
            seven cards have strengths on one scale.

        Raises:
            CardError: an id that is not a card, or a card twice in a hand; names the row.
            HoldemTypeError: not an array of integers of that shape.
            EvaluatorError: the evaluator cannot be loaded or violates its contract.
        """
        return self.rank(validate_hands(cards, self.rules) if validate else trusted_hands(cards))

    def classes(self, strengths: ArrayLike) -> NDArray[np.int64]:
        """Convert strengths to class numbers.

        Args:
            strengths: integers from `strengths`, in an array of any shape.

        Returns:
            Class numbers in an array of the same shape; 1 is the strongest, as in
            `HandValue.rank_class`.

        Raises:
            EvaluatorError: a strength that no hand has.
            HoldemTypeError: not an array of integers.
        """
        return self.scale.classes(validate_strengths(strengths))

    def categories(self, strengths: ArrayLike) -> NDArray[np.object_]:
        """Convert strengths to categories, such as ``"full house"``.

        The arguments and errors are those of `classes`. The result is an array of Python strings.
        Equal strings are the same object, so the array takes 8 bytes for each hand.
        """
        return self._choose_by_class([found.category for found in self.rules.classes], strengths)

    def names(self, strengths: ArrayLike) -> NDArray[np.object_]:
        """Convert strengths to names, such as ``"Full House, Sevens full of Aces"``.

        The arguments and errors are those of `classes`. The result is an array of Python strings,
        as with `categories`.
        """
        return self._choose_by_class([found.name for found in self.rules.classes], strengths)

    def _choose_by_class(self, texts: list[str], strengths: ArrayLike) -> NDArray[np.object_]:
        """Convert strengths to strings: `texts` has one for each class, strongest first."""
        chosen: NDArray[np.object_] = np.array(texts, dtype=object)[self.classes(strengths) - 1]
        return chosen

    def strength(self, hand: CardsLike | NDArray[Any]) -> int:
        """Rank one hand of five, six or seven cards.

        For many hands, `strengths` is a hundred times as fast.

        Args:
            hand: text, such as ``"As Ks Qs Js Ts"``, or a sequence of cards, ids or strings. A list
                or tuple of ids is the fastest.

        Returns:
            The strength: bigger is stronger, equal is a tie.

        Raises:
            CardError: not 5 to 7 cards, or a card that does not exist, is not in the evaluator's
                deck or appears twice.
            HoldemTypeError: neither text nor a sequence of cards.
            EvaluatorError: the evaluator cannot be loaded or violates its contract.
        """
        if type(hand) is list or type(hand) is tuple:
            try:
                ids = bytes(hand)  # raises unless all items are 0..255, False or True
            except (TypeError, ValueError, OverflowError):
                ids = b""  # it is parsed, or raises the right error
            has_bool = (0 in ids or 1 in ids) and (
                hand[ids.find(0)] is False or hand[ids.find(1)] is True
            )
            if ids and not has_bool:
                rank_one = self._rank_one  # as a method call it would be slower in Python 3.11
                if strength := rank_one(ids):
                    return strength
        return self.strength_of_cards(parse_hand(hand, self.rules))

    def strength_of_cards(self, hand: tuple[Card, ...]) -> int:
        """Return the strength of a hand of 5 to 7 cards, without validation."""
        ids = bytes(hand)
        return self._rank_one(ids) or int(self.rank(np.array([hand], dtype=np.uint8))[0])

    def rank(self, hands: CardArray, workers: Workers | None = None) -> NDArray[Any]:
        """Rank hands as `strengths` does, without validation and without tables.

        Args:
            hands: C-contiguous ``uint8 (hand, card)``, 5 to 7 cards. They are not checked.
            workers: the `Workers` of the run that needs the strengths; None outside a run. If they
                are given and the evaluator is slow, it is called for parts of the hands, which take
                about a second at most; before each call the method checks whether the run has
                ended.

        Returns:
            Integers ``(hand,)``.

        Raises:
            WorkersClosedError: the run has ended.
        """
        if workers is None or not self._load().is_slow:
            return self.rank_here(hands)
        parts: list[NDArray[Any]] = []
        done, size = 0, 16
        while done < len(hands) or not parts:
            workers.require_open()
            started = time.monotonic()
            part = self.rank_here(hands[done : done + size])
            parts.append(part.astype(np.int64))  # numpy joins int64 and uint64 to floats
            done += size
            if time.monotonic() - started < _PART_SECONDS:
                size *= 2
        return np.concatenate(parts)

    def rank_here(self, hands: CardArray) -> NDArray[Any]:
        """Rank hands as `rank` does without workers: all at once, even if the run has ended."""
        loaded = self._load()
        if hands.shape[1] in self.spec.hand_sizes:
            strengths = loaded.rank(hands)
        else:
            strengths = best_of_five(loaded.rank, hands, distinct=loaded.is_slow)
        if loaded.consistency is not None:
            loaded.consistency.after(hands, loaded.rank)
        return strengths

    def evaluations(self, size: int) -> int:
        """Return the number of evaluations that ranking a hand of `size` cards takes.

        This is 1. If there are no tables and the evaluator ranks only five cards, it is 6 or 21 for
        six or seven cards: one for each choice of five.
        """
        return 1 if self.has_tables or size in self.spec.hand_sizes else {6: 6, 7: 21}[size]

    def announce(self, evaluations: int) -> None:
        """Tell the user how long ranking will take, if the evaluator itself needs over 2 seconds.

        Call this when the evaluator is loaded, before it ranks the hands.

        Args:
            evaluations: how many hands will be ranked, as counted by the method `evaluations`.
        """
        check = None if self.has_tables else self.check
        if check and check.seconds_per_hand * evaluations > _LONG_SECONDS:
            seconds = check.seconds_per_hand * evaluations
            duration = f"{seconds:.0f} seconds" if seconds < 120 else f"{seconds / 60:,.0f} minutes"
            notify_once(
                f"evaluator {self.name!r} ranks up to {counted(evaluations, 'hand')} itself, in"
                f" some {duration} on one core"
            )

    def load_function(self) -> BatchFunction:
        """Call `EvaluatorSpec.load` and return the batch function without storing it.

        Raises:
            EvaluatorError: `load` raised an exception, or did not return a function.
        """
        with GuardedCall(f"evaluator {self.name!r} cannot be loaded: "):
            try:
                rank = self.spec.load()
            except ImportError:
                import_numba()  # which most lack then
                raise
        if not callable(rank):
            raise EvaluatorError(
                f"evaluator {self.name!r}: load returned {quoted(rank)}, not a function"
            )
        return rank

    def call(self, function: BatchFunction, hands: CardArray) -> NDArray[Any]:
        """Call the evaluator's batch function and check the shape and type of its result.

        Raises:
            EvaluatorError: `function` raised an exception, or did not return integers ``(hand,)``.
        """
        try:
            with self._guard:
                strengths = function(read_only(hands))
        except EvaluatorError as error:
            if _EXPECTS_TEXT.search(text := str(error)):
                raise EvaluatorError(f"{text}; {_CARDS_ARE_IDS}") from error.__cause__
            raise
        is_array = isinstance(strengths, np.ndarray)
        is_number = np.isscalar(strengths) or (is_array and strengths.size == 1 < len(hands))
        hint = f"; {_ONE_FOR_EACH}" if is_number else ""
        if not is_array or strengths.dtype.kind not in "iu":
            kind = str(strengths.dtype) if is_array else type(strengths).__name__
            raise EvaluatorError(
                f"evaluator {self.name!r} returned {one_line(kind)}, not an array of integers{hint}"
            )
        strengths = np.asarray(strengths)  # subclasses of arrays may compare in their own way
        if strengths.shape != (len(hands),):
            raise EvaluatorError(
                f"evaluator {self.name!r} returned shape {strengths.shape} for"
                f" {counted(len(hands), 'hand')}{hint}"
            )
        return strengths

    def __copy__(self) -> Evaluator:
        return self

    def __deepcopy__(self, memo: object) -> Evaluator:
        return self

    def _load(self) -> _Loaded:
        if self.ranked_by is not None:
            return self.ranked_by._load()
        if self._loaded is None:
            in_worker_thread(self._load_once)  # it may compile
        assert self._loaded is not None
        return self._loaded

    def _load_once(self) -> None:
        from holdem.evaluation.builtin.lookup import RankByTables
        from holdem.evaluation.load_checks import ConsistencyCheck, check_loaded

        with self._lock:
            if self._failure:
                raise EvaluatorError(self._failure)
            if self._loaded is not None:
                return
            if self._is_loading:
                raise EvaluatorError(f"evaluator {self.name!r} is used while it is loaded")
            self._is_loading = True
            try:
                function = self.load_function()
                rank = partial(self.call, function)
                if isinstance(function, RankByTables) and function.tables.rules == self.rules:
                    self._loaded = _Loaded(function, rank, None, None)
                    return
                # The version of an evaluator of a file given with --plugin is the file's digest.
                given = ", with the same -p" * self.version.startswith("sha256:")
                see_all = (
                    f"holdem evaluators check {self.name}{given}"
                    if self.distribution
                    else "holdem.testing.assert_conforms in this script"
                )
                check = check_loaded(self.name, self.rules, self.spec.hand_sizes, rank, see_all)
            except EvaluatorError as error:
                self._failure = str(error)
                raise
            finally:
                self._is_loading = False
            consistency = ConsistencyCheck(self.name, check)
            self._loaded = _Loaded(function, rank, check, consistency)

    def _rank_first(self, hand: bytes) -> int:
        """Rank a single hand, given as the ids of its cards.

        The result is 0 if the hand is not valid, or if the evaluator ranks only batches. After
        `_FEW_SINGLE_HANDS` calls, a faster function is compiled and replaces this one.
        """
        from holdem.evaluation.builtin.lookup import RankByTables, compile_rank_one, rank_one

        function = self._load().function
        if not isinstance(function, RankByTables):
            self._rank_one = _rank_in_batch
            return 0

        tables = function.tables
        self._single_hands += 1
        if self._single_hands <= _FEW_SINGLE_HANDS or not has_numba():
            return rank_one(tables, hand)
        self._rank_one = in_worker_thread(partial(compile_rank_one, tables))
        return self._rank_one(hand)


def _rank_in_batch(_: bytes) -> int:
    return 0


@cache
def _scale_of_tables(rules: RuleSet) -> Scale:
    return Scale.from_classes(rules, np.arange(1, len(rules.classes) + 1))
