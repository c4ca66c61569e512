"""A usable evaluator: loaded on first use, checked against its rule set, its scale known."""

from __future__ import annotations

import itertools
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import attrs
import numpy as np
from numpy.typing import ArrayLike, NDArray

from holdem.cards import CardArray, cards_text
from holdem.errors import EvaluatorError, error_text, one_line
from holdem.evaluation.contract import BatchFunction, EvaluatorSpec
from holdem.evaluation.plugin_guard import FOREIGN, is_ctrl_c
from holdem.evaluation.scale import Scale, learn_scale
from holdem.evaluation.selection import best_of_five, require_best_five
from holdem.evaluation.validation import checked_hands
from holdem.values import RULE_SETS, RuleSet

if TYPE_CHECKING:
    from holdem.jobs.workers import Workers

_SLOW = 5e-7  # seconds a hand
_REMINDED = 1 << 10  # hands for each known one that is asked again beside them
_REMINDERS = 16  # known ones at a time: 3 µs, where the fastest takes 70 for 16,384 hands


# With slots, what is cached would make every attribute slow to read.
@attrs.define(eq=False, slots=False)
class Evaluator:
    """An evaluator ready for use.

    Nothing is loaded until it is first asked. Then `load` is called once, and the
    representative hands of the rule set are ranked: an evaluator that ties or misorders two
    classes, or ranks by more than the class, is refused before it gives an answer.
    """

    spec: EvaluatorSpec
    version: str = ""
    """The version of the distribution that it comes from; empty for one of the script's own."""
    distribution: str = ""
    """The distribution that it comes from; empty for one of the script's own."""

    # Whether a hand takes it longer than finding out that it was asked before. Changes what
    # an answer costs, never the answer.
    _slow: bool = attrs.field(default=False, init=False, repr=False)
    _lock: threading.RLock = attrs.field(factory=threading.RLock, init=False, repr=False)
    _ready: tuple[BatchFunction, Scale] | None = attrs.field(default=None, init=False, repr=False)
    _failure: str = attrs.field(default="", init=False, repr=False)
    # Hands by their size, and the strengths that they had when it was loaded; empty for the
    # engine's own `lookup`, which keeps nothing between calls.
    _known: dict[int, tuple[CardArray, NDArray[np.int64]]] = attrs.field(
        factory=dict, init=False, repr=False
    )
    _unwatched: int = attrs.field(default=0, init=False, repr=False)  # hands until they are asked
    _reminders: Iterator[int] = attrs.field(factory=itertools.count, init=False, repr=False)
    # Ranks a single hand; answers 0 if it cannot.
    _of_one: Callable[[Any], int] | None = attrs.field(default=None, init=False, repr=False)

    @property
    def name(self) -> str:
        """The name that users type."""
        return self.spec.name

    @property
    def rules(self) -> RuleSet:
        """The rule set whose order it follows."""
        return RULE_SETS[self.spec.rules]

    @property
    def is_fused(self) -> bool:
        """Whether it is the engine's own `lookup`, which kernels have built in."""
        from holdem.evaluation.builtin import specs

        return self.spec.load is specs.load_lookup

    @property
    def failure(self) -> str:
        """Why it could not be loaded; empty if it was, or was not needed yet."""
        return self._failure

    @property
    def library(self) -> str:
        """Whose code answers, if another library's: what `load` returned says; loads it."""
        told = getattr(self._loaded()[0], "library", "")
        return one_line(told) if isinstance(told, str) else ""

    @property
    def scale(self) -> Scale:
        """The strengths of the classes; loads the evaluator."""
        return self._loaded()[1]

    def strengths(self, cards: ArrayLike) -> NDArray[Any]:
        """Rank hands of five, six or seven cards.

        Args:
            cards: ids, ``uint8 (hand, card)``; other integers are converted. Each row is
                checked: ids of the rule set's deck, no card twice.

        Returns:
            Integers ``(hand,)``; bigger is stronger, equal is a tie. Strengths of hands of
            five, six and seven cards are on one scale.

        Raises:
            CardError: an id that is no card, or a card twice in a hand; says which row.
            HoldemTypeError: not an array of integers of that shape.
            EvaluatorError: the evaluator cannot be loaded or breaks its contract.
        """
        return self.rank(checked_hands(cards, self.rules))

    def strength(self, hand: Sequence[int]) -> int:
        """Rank one hand of five, six or seven cards, given as ids.

        The quickest way to one hand a call: `strengths` has an array to make and to check.
        Many hands are best ranked together by `strengths`, twenty times as fast.

        Args:
            hand: ids of the rule set's deck, in any order, no card twice; quickest as a list
                or tuple.

        Returns:
            Its strength; bigger is stronger, equal is a tie.

        Raises:
            HoldemError: as `strengths`.
        """
        try:
            found = (self._of_one or self._find_of_one())(hand)
            if found:
                return found
        except (TypeError, ValueError, LookupError, OverflowError):
            pass  # what it is that cannot be ranked, or not in this way, is told below
        return int(self.strengths([hand])[0])

    def rank(self, hands: CardArray, workers: Workers | None = None) -> NDArray[Any]:
        """Rank valid hands: `strengths` without the validation.

        Args:
            hands: C-contiguous ``uint8 (hand, card)``, 5 to 7 cards, trusted.
            workers: those of the run, whose processes rank for a slow evaluator.
        """
        self._loaded()
        if workers is None or not self._slow:
            return self.rank_here(hands)
        from holdem.evaluation.process_ranking import rank_with_workers

        return rank_with_workers(self, hands, workers)

    def rank_here(self, hands: CardArray) -> NDArray[Any]:
        """Rank as `rank` does, and always in this thread."""
        rank = self._loaded()[0]
        size = hands.shape[1]
        if size in self.spec.hand_sizes:
            strengths = self.ask(rank, hands)
        else:
            strengths = best_of_five(
                lambda fives: self.ask(rank, fives), hands, distinct=self._slow
            )
        if self._known:
            self._unwatched -= len(hands)  # of two threads one may be forgotten: no harm
            if self._unwatched <= 0:
                count = min(_REMINDERS, max(1, len(hands) // _REMINDED))
                self._unwatched = count * _REMINDED
                self._require_steady(rank, *self._known.get(size, self._known[5]), count)
        return strengths

    def evaluations(self, size: int) -> int:
        """Return how many hands the evaluator itself ranks for one of `size` cards."""
        return 1 if size in self.spec.hand_sizes else {6: 6, 7: 21}[size]

    def __reduce__(self) -> Any:
        """Travel between processes as what the registry knows it by, loaded anew over there."""
        from holdem.evaluation.registry import REGISTRY, get_evaluator

        return get_evaluator, (REGISTRY.key_of(self),)

    def _loaded(self) -> tuple[BatchFunction, Scale]:
        if self._ready is None:
            with self._lock:
                if self._failure:
                    raise EvaluatorError(self._failure)
                if self._ready is None:
                    try:
                        rank = self.load_function()
                        self._ready = rank, self._learn(rank)
                    except EvaluatorError as error:
                        self._failure = str(error)
                        raise
        return self._ready

    def load_function(self) -> BatchFunction:
        """Call the spec's `load`, apart from what is loaded already.

        Raises:
            EvaluatorError: it raised, or did not return a function.
        """
        try:
            with FOREIGN:
                rank = self.spec.load()
        except BaseException as error:
            if is_ctrl_c(error):
                raise
            raise EvaluatorError(
                f"evaluator {self.name!r} cannot be loaded: {error_text(error)}"
            ) from error
        if not callable(rank):
            raise EvaluatorError(
                f"evaluator {self.name!r}: load returned {one_line(repr(rank))}, not a function"
            )
        return rank

    def ask(self, rank: BatchFunction, hands: CardArray) -> NDArray[Any]:
        """Call the evaluator's function and hold its answer to the contract's shape and type.

        Raises:
            EvaluatorError: it raised, or answered anything but integers ``(hand,)``.
        """
        hands = hands.view()
        hands.setflags(write=False)
        try:
            with FOREIGN:
                strengths = rank(hands)
        except BaseException as error:
            if is_ctrl_c(error):
                raise
            raise EvaluatorError(f"evaluator {self.name!r} failed: {error_text(error)}") from error
        known = isinstance(strengths, np.ndarray)
        if not known or strengths.dtype.kind not in "iu":
            kind = str(strengths.dtype) if known else type(strengths).__name__
            raise EvaluatorError(
                f"evaluator {self.name!r} answered {one_line(kind)}, not an array of integers"
            )
        strengths = np.asarray(strengths)  # kinds of arrays that compare in ways of their own
        if strengths.shape != (len(hands),):
            raise EvaluatorError(
                f"evaluator {self.name!r} answered shape {strengths.shape} for {len(hands)} hands"
            )
        return strengths

    def _learn(self, rank: BatchFunction) -> Scale:
        """Ask for hands of every class, note what that takes, and require what must hold."""
        one = self.rules.examples[:1]
        latest = self.ask(rank, one.copy())  # compiles, where there is something to
        spent, asked = 0.0, 0

        def ask(hands: CardArray) -> NDArray[Any]:
            nonlocal spent, asked, latest
            begun = time.perf_counter()
            latest = self.ask(rank, hands)
            spent, asked = spent + time.perf_counter() - begun, asked + len(hands)
            return latest

        scale = learn_scale(self.name, self.rules, ask)
        self._slow = spent > _SLOW * asked
        if np.may_share_memory(latest, self.ask(rank, one.copy())):
            raise EvaluatorError(
                f"evaluator {self.name!r} returns the same array from call to call: each call"
                " returns an array of its own"
            )
        known = {5: (self.rules.examples, scale.strengths[::-1])}
        for size in sorted(self.spec.hand_sizes - {5}):
            known[size] = require_best_five(self.name, self.rules, size, ask)
        if not self.is_fused:
            self._known = known
        return scale

    def _require_steady(
        self,
        rank: BatchFunction,
        hands: CardArray,
        strengths: NDArray[np.int64],
        count: int,
    ) -> None:
        """Ask for some known hands again, others each time, and require the same strengths.

        Args:
            rank: the evaluator's function.
            hands: known ones, ``uint8 (hand, card)``.
            strengths: what they had when the evaluator was loaded, ``int64 (hand,)``.
            count: how many to ask for.

        Raises:
            EvaluatorError: it answers otherwise than it did; shows a hand.
        """
        first = next(self._reminders) * _REMINDERS % (len(hands) - count + 1)
        part = slice(first, first + count)
        answers = self.ask(rank, hands[part].copy()).astype(np.int64)
        changed = np.flatnonzero(answers != strengths[part])
        if len(changed):
            row = first + changed[0]
            raise EvaluatorError(
                f"evaluator {self.name!r} answers otherwise than before:"
                f" {cards_text(hands[row], ' ')} had strength {strengths[row]},"
                f" and now {answers[changed[0]]}"
            )

    def _find_of_one(self) -> Callable[[Any], int]:
        """Find out how single hands are ranked."""
        found: Callable[[Any], int] | None = None
        if self.is_fused:
            from holdem.evaluation.builtin.lookup.single_hand import strength_of_one

            self._loaded()
            found = strength_of_one()
        self._of_one = found or _not_by_one
        return self._of_one

    @cached_property
    def label(self) -> dict[str, str]:
        """Name and version, as they stand in every result."""
        return {"name": self.name, "version": self.version}


def _not_by_one(_: object) -> int:
    return 0
