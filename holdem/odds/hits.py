"""The public function `hits` and its result: made hands, draws and chances of categories."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable, Iterator, Mapping
from functools import reduce
from math import comb, fsum
from operator import or_
from typing import Any, ClassVar

import attrs
import numpy as np
from numpy.typing import NDArray

from holdem.arguments import is_iterable
from holdem.base_result import Plottable, Result
from holdem.cards import Card, CardArray, CardsLike
from holdem.errors import (
    HoldemTypeError,
    HoldemValueError,
    HoldemWarning,
    did_you_mean,
    quoted,
)
from holdem.evaluation.builtin.lookup import flush_strength, strength_of_ranks
from holdem.evaluation.builtin.lookup_tables import CARD_KEYS, CARD_MASKS, FLUSH_BITS
from holdem.evaluation.registry import EvaluatorLike
from holdem.fields import EvaluatorLabel, shown, to_json
from holdem.jit.kernels import inlined, kernel, kernel_or_numpy, unowned
from holdem.jobs.run import End, Task, run
from holdem.jobs.stopwatch import Stopwatch
from holdem.jobs.workers import Workers, count_workers
from holdem.odds.exact.method import TOGETHER_IN_NUMPY, ExhaustiveJob
from holdem.odds.exact.ranked_combos import (
    BLOCKED,
    BLOCKED_16,
    HANDS_PER_TASK,
    rank_combos,
    rank_combos_in_numpy,
    sum_cards,
)
from holdem.odds.hand_lines import (
    DRAWS,
    FINE_LINES,
    can_order_lines,
    find_draws,
    find_made_hands,
    join_fine_lines,
)
from holdem.odds.plan import UNSAMPLED_FACTOR, budget_of, require_affordable
from holdem.odds.spot import BOARD_SIZE, PlayerLike, Spot, are_hands, make_spot
from holdem.odds.symmetry import (
    card_fixing_permutations,
    list_canonical_boards,
    permuted_combos,
)
from holdem.ranges.combos import COMBO_CARDS, COMBO_COUNT, Mask, combo_numbers
from holdem.ranges.range import Range
from holdem.ranges.weights import combo_records
from holdem.rules import STANDARD

_KERNEL_HANDS_PER_TASK = 1 << 22  # some 10 ms
_FLOP, _TURN = 3, 4  # cards on the board

NEEDS_A_BOARD = (
    "a range is narrowed by what it hits on a board of 3, 4 or 5 cards; give the board, or take"
    " hands out in the range itself, as in random!AA"
)

_ONE, _FLUSH = np.uint64(1), np.uint64(FLUSH_BITS)

#: Numbers of boards, ``int64 (count, combo)`` or ``int64 (combo,)``.
Counts = NDArray[np.int64]


@attrs.frozen
class HitGroup:
    """The combos of a range that have a given made hand or draw.

    Before the flop, each combo counts by its probability of flopping the made hand or draw.
    """

    combos: float = attrs.field(metadata=shown(cell=","))
    """The sum of their weights."""
    share: float = attrs.field(metadata=shown(column_before="combos", cell=".2%"))
    """Their share of the range's live combos, by weight, from 0 to 1. Before the flop, the
    probability of the made hand or draw on the flop."""
    range: Range = attrs.field(metadata=shown(dtype="string", in_json=False, in_text=False))
    """The combos with their weights. Before the flop, each weight is multiplied by the
    probability that the combo has the made hand or draw on the flop."""

    def to_dict(self, *, members: bool = False) -> dict[str, Any]:
        """Convert the group to a JSON object, in which the range is its canonical text.

        Args:
            members: also list the combos with their weights, under ``members``.
        """
        record = {**to_json(self), "range": str(self.range)}
        if members:
            record["members"] = combo_records(self.range.weights)
        return record


@attrs.frozen(repr=False)
class Hits(Result, Plottable):
    """The made hands and draws that a range has on a board or will flop, as found by `hits`.

    Equality ignores `elapsed`.
    """

    _report: ClassVar[str] = "holdem.report.hits_report:hits_report"
    _chart: ClassVar[str] = "holdem.report.plots.charts:hits_chart"

    range: str
    """The range as given; canonical text for a `Range`."""
    combos: float
    """The sum of the weights of the live combos: those without a board or dead card."""
    board: tuple[Card, ...]
    dead: tuple[Card, ...]
    runouts: int
    """The number of runouts of each combo."""
    evaluator: EvaluatorLabel
    elapsed: float = attrs.field(eq=False)
    """The duration in seconds, without the time to compile and load kernels."""
    made: dict[str, HitGroup] = attrs.field(hash=False)
    """The combos with each made hand, strongest hand first; every live combo is in one of them.
    Before the flop, averages over all flops."""
    draws: dict[str, HitGroup] = attrs.field(hash=False)
    """The combos with each draw; a combo may be in several. Before the flop, averages over all
    flops. Empty on a river, and where twos are wild."""
    by_flop: dict[str, float] = attrs.field(hash=False)
    """The probability of each category on the flop, strongest category first. Empty on a board."""
    by_turn: dict[str, float] = attrs.field(hash=False)
    """The probability of each category on the turn, strongest category first. Empty on a board;
    on a flop, it is `by_next_card`."""
    by_next_card: dict[str, float] = attrs.field(hash=False)
    """The probability of each category after the next card, strongest category first. Empty but
    on a flop or turn."""
    by_river: dict[str, float] = attrs.field(hash=False)
    """The probability of each category at the river, strongest category first."""

    def __repr__(self) -> str:
        text = self.range if len(self.range) <= 24 else self.range[:23] + "…"
        shares = {name: group.share for name, group in self.made.items()}
        likely = sorted(shares, key=lambda name: shares[name], reverse=True)[:3]
        listed = ", ".join(f"{name} {shares[name]:.6f}" for name in likely if shares[name])
        return f"<Hits of {text}: {listed}>"

    def keep(self, *lines: str) -> Range:
        """Return the combos with any of the given made hands or draws, at unchanged weights.

        Args:
            *lines: the names of made hands and draws; a comma separates several in one string, and
                ``"top pair+"`` is a top pair or a better made hand.

        Raises:
            HoldemValueError: there is no such made hand or draw on the board.
            HoldemTypeError: a name is not a string.
        """
        return self._unite(lines)

    def remove(self, *lines: str) -> Range:
        """Return the combos with none of the given made hands or draws, at unchanged weights.

        The arguments and errors are those of `keep`.
        """
        return self._unite(self.made) - self._unite(lines)

    def _unite(self, lines: Iterable[str]) -> Range:
        if not self.board:
            raise HoldemValueError(NEEDS_A_BOARD)
        made, draws = (
            {name: group.range for name, group in groups.items()}
            for groups in (self.made, self.draws)
        )
        return unite_lines(made, draws, lines)

    def to_dict(self, *, members: bool = False) -> dict[str, Any]:
        """Convert the result to the dictionary that ``holdem hits -f json`` prints.

        Args:
            members: also list the combos of each made hand and draw, under ``members``.
        """
        groups = {
            kind: {name: group.to_dict(members=members) for name, group in found.items()}
            for kind, found in (("made", self.made), ("draws", self.draws))
        }
        return {"schema": "holdem/hits/1", **to_json(self, **groups)}


def hits(
    hands: PlayerLike,
    board: CardsLike | None = None,
    *,
    dead: CardsLike | None = None,
    fine: bool = False,
    workers: int | None = None,
    evaluator: EvaluatorLike | None = None,
    progress: bool = False,
) -> Hits:
    """Count a range's made hands and draws on a board, and its chances of each category later.

    All numbers are exact, and there are no opponents. Combos with a board or dead card are left
    out, and the others count by their weights. Probabilities are over the live combos and all
    runouts that can follow each. Without a board, made hands and draws are those on the flop,
    averaged over all flops.

    Args:
        hands: a `Range`, text (``"AsKs"``, ``"QQ+, AKs"``, ``"random"``) or two cards.
        board: 0, 3, 4 or 5 cards.
        dead: cards out of play.
        fine: split top pairs by kicker, and weak pairs and flush draws in two; add combo draws
            and double gutshots.
        workers: the number of threads; all cores if None. The answer does not depend on it.
        evaluator: a name, a spec, or None for the default.
        progress: show a progress bar on standard error.

    Returns:
        The made hands and draws on the board or the flop, and the probabilities of the
        categories on the streets to come.

    Raises:
        HoldemError: an argument is invalid, or another evaluator than the default would take
            too long.
        Interrupted: Ctrl-C was pressed; ``finished`` is None.

    Example:
        >>> import holdem
        >>> hits = holdem.hits("QQ+,AK", board="Ks7d2c")
        >>> {line: group.combos for line, group in hits.made.items() if group.combos}
        {'set': 3.0, 'overpair': 6.0, 'top pair': 12.0, 'second pair': 6.0}
    """
    workers = count_workers(workers)
    spot = make_spot((hands,), board, dead, evaluator, fewest=1)
    rules = spot.evaluator.rules
    if not (rules.deuces_wild or can_order_lines(rules)):
        warnings.warn(
            f"made hands are categories only: by {rules.name} rules, the weakest hands are not a"
            " high card, a pair and two pair in this order, so that lines such as a set or top pair"
            " cannot be ordered",
            HoldemWarning,
            stacklevel=2,
        )
    return hits_of_spot(spot, workers, fine=fine, progress=progress)


def unite_lines(
    made: Mapping[str, Range], draws: Mapping[str, Range], lines: Iterable[str]
) -> Range:
    """Unite the combos of the named made hands and draws in one range.

    Args:
        made: the combos with each made hand, strongest hand first.
        draws: the combos with each draw.
        lines: the names, as for `Hits.keep`.

    Raises:
        HoldemValueError: `made` is empty, or there is no made hand or draw with a name.
        HoldemTypeError: a name is not a string.
    """
    if not made:
        raise HoldemValueError(NEEDS_A_BOARD)
    parts: dict[str, tuple[str, ...]] = {name: (name,) for name in (*made, *draws)}
    whole = {name: fine for name, fine in FINE_LINES.items() if parts.keys() >= {*fine}}
    parts = whole | parts  # each before its fine lines in the order
    order = {name: number for number, name in enumerate((*made, *draws))}
    strongest = list(made)
    united = Range("")
    for line in lines:
        if not isinstance(line, str):
            raise HoldemTypeError(
                f"a made hand or draw must be text, not {quoted(line)}"
                + "; give names as separate arguments" * is_iterable(line)
            )
        for text in line.split(","):
            name = " ".join(text.lower().split())
            name, plus = name.removesuffix("+").rstrip(), name.endswith("+")
            if name not in parts:
                listed = sorted(parts, key=lambda name: order[parts[name][0]])
                raise HoldemValueError(
                    f"no made hand or draw {quoted(text.strip())} on this board"
                    f"{_advise_on_line(text.strip(), parts)}; there are: {', '.join(listed)}"
                )
            if plus and parts[name][-1] not in made:
                raise HoldemValueError(
                    f"{quoted(text.strip())}: a + follows a made hand, as in top pair+; {name} is a"
                    " draw"
                )
            held = parts[name]
            if plus:
                held = tuple(strongest[: strongest.index(held[-1]) + 1])
            united |= reduce(or_, ((made if part in made else draws)[part] for part in held))
    return united


def _advise_on_line(text: str, known: Iterable[str]) -> str:
    """Say what to write in place of a line that does not exist; return "" if nothing is similar."""
    name = " ".join(text.lower().split())
    stem = name.removesuffix(" or better")
    if name != stem and stem in known and stem not in DRAWS:
        return f" (did you mean {stem}+?)"
    if re.search(" (?:and|or|&) ", name):
        return (
            '; "top pair, flush draw" is either of two; for both, use keep("top pair") &'
            ' keep("flush draw") in Python, and --keep twice on the command line'
        )
    if are_hands([text], STANDARD):
        return f"; to take hands out of a range, write random!{text}"
    return did_you_mean(name, known)


def hits_of_spot(
    spot: Spot,
    workers: int,
    *,
    fine: bool = False,
    progress: bool = False,
    within: Workers | None = None,
) -> Hits:
    """Compute the `Hits` of the only player of a spot.

    Args:
        spot: the range, the board and the dead cards.
        workers: the number of threads.
        fine: as for `hits`.
        progress: show a progress bar on standard error.
        within: as in `holdem.jobs.run.run`.
    """
    stopwatch = Stopwatch()

    def count(job: ExhaustiveJob[Counts]) -> Counts:
        return run(job, workers, progress=progress, within=within)

    # All jobs are made before the first one runs: one that would take too long is refused at once.
    size = len(spot.board)
    later = [to_come for to_come in (_TURN, BOARD_SIZE) if to_come > size]
    jobs = {to_come: CategoryCount(spot, to_come) for to_come in later}
    lines = LineCount(spot)
    made, drawing, categories = lines.name(count(lines))
    if not fine:
        made, drawing = join_fine_lines(made), join_fine_lines(drawing)
    now = _compute_probabilities(spot, np.array([*categories.values()]))
    found = {to_come: _compute_probabilities(spot, count(job)) for to_come, job in jobs.items()}
    by_river = found.get(BOARD_SIZE, now)
    by_turn = found.get(_TURN, by_river)
    return Hits(
        range=spot.texts[0],
        combos=fsum(spot.weights(0)),
        made=make_groups(spot, made, lines.boards_of_each),
        draws=make_groups(spot, drawing, lines.boards_of_each),
        by_flop={} if size else now,
        by_turn={} if size else by_turn,
        by_next_card=by_turn if size in (_FLOP, _TURN) else {},
        by_river=by_river,
        runouts=spot.runouts,
        board=spot.board,
        dead=spot.dead,
        evaluator=spot.evaluator.label,
        elapsed=stopwatch.elapsed,
    )


class _ComboCount(ExhaustiveJob[Counts]):
    """Base class of jobs that count the boards on which each combo of a range has some property.

    All boards have one size. Before the flop, boards that are equal up to suit permutations are
    ranked once, together with all images of the combos. The weights need not be symmetric,
    because each combo is counted alone.

    The answer is ``int64 (property, combo)``, for the combos ``spot.live[0]``.
    """

    def __init__(self, spot: Spot, size: int, counts: int) -> None:
        """Create the job.

        Args:
            spot: a spot of one player.
            size: the number of cards on the boards, which begin with the spot's board.
            counts: the number of properties.

        Raises:
            BudgetError: the evaluator would take too long.
        """
        self._spot = spot
        self._size = size
        self._counts = counts
        self._group = np.zeros(1, dtype=np.intp)  # the identity
        if not spot.board:
            self._group = card_fixing_permutations(spot)
        self._combos = np.unique(permuted_combos()[self._group[:, None], spot.live[0]])
        to_come = size - len(spot.board)
        combos, boards = len(self._combos), comb(len(spot.free), to_come) // len(self._group)
        self._evaluations = boards * combos * spot.evaluator.evaluations(size + 2)
        is_direct = spot.evaluator.ranked_by is not None
        require_affordable(
            f"{combos:,} combos on {boards:,} boards",
            self._evaluations,
            UNSAMPLED_FACTOR * budget_of(spot.evaluator),
            "narrow the range or add board cards" + ", or leave out direct ranking" * is_direct,
        )
        self.boards_of_each = comb(len(spot.free) - 2, to_come)

    def prepare(self) -> None:
        """Load the evaluator and list the boards."""
        spot = self._spot
        self._ranker = spot.evaluator.ranker
        spot.evaluator.announce(self._evaluations)
        self._scale = self._ranker.scale
        self._boards = list_canonical_boards(spot.board, spot.free, self._group, self._size)
        self._sums = np.zeros((self._counts, len(self._combos)), dtype=np.int64)

    def _find_categories(self, boards: CardArray, workers: Workers) -> NDArray[np.intp]:
        """Find each combo's category on each board, ``intp (board, combo)``; -1 if blocked."""
        strengths = rank_combos(self._ranker, boards, self._combos, workers)
        return np.where(strengths == BLOCKED, -1, self._scale.categories(strengths))

    def answer(self, end: End) -> Counts:  # noqa: ARG002 - there is no time limit
        """Extend the counts to all boards, and select the counts of the range's combos."""
        by_combo = np.zeros((self._counts, COMBO_COUNT), dtype=np.int64)
        by_combo[:, self._combos] = self._sums
        return self._boards.spread(by_combo)[:, self._spot.live[0]]


class LineCount(_ComboCount):
    """Job that counts the boards on which each combo has each made hand, draw and category.

    The only board is that of the spot; before the flop, the boards are all flops.
    """

    def __init__(self, spot: Spot) -> None:
        """Create the job; arguments and errors are those of `CategoryCount`."""
        rules, size = spot.evaluator.rules, max(len(spot.board), _FLOP)
        self._has_draws = size < BOARD_SIZE and not rules.deuces_wild
        none = np.zeros((1, 0), dtype=np.intp)
        self._names = [
            [*found]
            for found in self._find(spot, np.zeros((1, size), dtype=np.uint8), none[0], none)
        ]
        super().__init__(spot, size, sum(map(len, self._names)))

    def _find(
        self, spot: Spot, boards: CardArray, combos: NDArray[np.intp], categories: NDArray[np.intp]
    ) -> tuple[dict[str, Mask], dict[str, Mask], dict[str, Mask]]:
        """Find the combos with each made hand, draw and category, as ``bool (board, combo)``.

        `categories` are ``intp (board, combo)``, -1 for blocked combos.
        """
        rules = spot.evaluator.rules
        made = find_made_hands(combos, boards, categories, rules)
        drawing = find_draws(combos, boards, rules) if self._has_draws else {}
        is_live = categories >= 0
        return (
            made,
            {name: mask & is_live for name, mask in drawing.items()},
            {name: categories == number for number, name in enumerate(rules.categories)},
        )

    def name(self, counts: Counts) -> list[dict[str, Counts]]:
        """Split the answer into made hands, draws and categories, each ``int64 (combo,)`` by name.

        Categories are in the order of the rule set, weakest first.
        """
        rows = iter(counts)
        return [{name: next(rows) for name in names} for names in self._names]

    def tasks(self) -> Iterator[Task[Counts]]:
        """Yield tasks that each find the lines of all combos on one batch of boards."""
        together = HANDS_PER_TASK // len(self._combos)
        return self.batches(self._count, len(self._boards.cards), together)

    def _count(self, rows: slice, workers: Workers) -> Counts:
        boards = self._boards.cards[rows]
        categories = self._find_categories(boards, workers)
        found = self._find(self._spot, boards, self._combos, categories)
        # Counts of flops are exact in single precision.
        sizes = self._boards.orbit_sizes[rows].astype(np.float32)
        counts = [sizes @ mask.astype(np.float32) for masks in found for mask in masks.values()]
        return np.array(counts).astype(np.int64)


class CategoryCount(_ComboCount):
    """Job that counts the boards on which each combo has each category, weakest category first."""

    def __init__(self, spot: Spot, size: int) -> None:
        """Create the job for boards of `size` cards, which begin with the board of the spot.

        Raises:
            BudgetError: the evaluator would take too long.
        """
        super().__init__(spot, size, len(spot.evaluator.rules.categories))

    def prepare(self) -> None:
        """Load the evaluator, list the boards, and choose between numpy and the kernel."""
        super().prepare()
        self._by_key = None
        if tables := self._ranker.tables:
            of_strength = self._scale.categories(np.arange(len(self._scale.strengths) + 1))
            self._by_key = of_strength.astype(np.uint8)[tables.of_size[self._size + 2]]
        cost = len(self._boards.cards) * len(self._combos)
        self._count_categories = kernel_or_numpy(count_categories, count_categories_in_numpy, cost)

    def tasks(self) -> Iterator[Task[Counts]]:
        """Yield tasks that each rank all combos on one batch of boards."""
        tables = self._spot.evaluator.has_tables
        hands = _KERNEL_HANDS_PER_TASK if tables else HANDS_PER_TASK
        return self.batches(self._count, len(self._boards.cards), hands // len(self._combos))

    def _count(self, rows: slice, workers: Workers) -> Counts:
        boards, sizes = self._boards.cards[rows], self._boards.orbit_sizes[rows]
        categories, combos = self._sums.shape
        if self._by_key is not None:
            counts = np.zeros((combos, categories), dtype=np.int64)
            holes = COMBO_CARDS[self._combos]
            self._count_categories(self._by_key, boards, sizes, holes, counts)
            return counts.T
        found = self._find_categories(boards, workers)
        board, combo = np.nonzero(found >= 0)
        cells = found[board, combo] * combos + combo
        counted = np.bincount(cells, weights=sizes[board], minlength=self._sums.size)
        return counted.astype(np.int64).reshape(self._sums.shape)


def make_groups(spot: Spot, lines: dict[str, Counts], boards: int) -> dict[str, HitGroup]:
    """Build the group of each line from counts of the boards on which each combo has the line.

    Args:
        spot: a spot of one player.
        lines: the counts of each line, ``int64 (combo,)``.
        boards: the number of boards on which each combo was tested.
    """
    total = fsum(spot.weights(0))
    found = {}
    for name, counts in lines.items():
        weights: NDArray[np.float64] = np.zeros(COMBO_COUNT)
        weights[spot.live[0]] = spot.weights(0) * (counts / boards)
        combos = fsum(weights)
        found[name] = HitGroup(combos, combos / total, Range.from_weights(weights))
    return found


def _compute_probabilities(spot: Spot, counts: Counts) -> dict[str, float]:
    """Compute each category's probability from counts of boards, strongest category first."""
    weights = spot.weights(0)
    sums = [fsum(weights * of_category) for of_category in counts]
    total = fsum(sums)
    named = zip(spot.evaluator.rules.categories, sums, strict=True)
    return {name: found / total for name, found in reversed(list(named))}


@kernel
def count_categories(
    by_key: NDArray[np.uint8],
    boards: CardArray,
    orbit_sizes: NDArray[np.uint8],
    holes: CardArray,
    counts: NDArray[np.int64],
) -> None:
    """Count the boards on which each combo has each category, weighting boards by orbit size.

    Combos that share a card with a board are left out. They are ranked all the same and count
    nothing, since a branch for each would be mispredicted too often.

    Args:
        by_key: the category of each strength in the table of hands with such boards, ``uint8
            (entry,)``.
        boards: ``uint8 (board, 3..5)``.
        orbit_sizes: ``uint8 (board,)``.
        holes: the cards of each combo, ``uint8 (combo, 2)``.
        counts: added to, ``int64 (combo, category)``.
    """
    size = boards.shape[1]
    if size == 5:
        _count(by_key, boards, 5, orbit_sizes, holes, counts)
    elif size == 4:
        _count(by_key, boards, 4, orbit_sizes, holes, counts)
    else:
        _count(by_key, boards, 3, orbit_sizes, holes, counts)


@inlined
def _count(
    by_key: NDArray[np.uint8],
    boards: CardArray,
    size: Any,
    orbit_sizes: NDArray[np.uint8],
    holes: CardArray,
    counts: NDArray[np.int64],
) -> None:
    """Count like `count_categories`, on boards of a size that is a constant for the compiler."""
    category_of = unowned(by_key)
    combos = np.uint64(len(holes))
    sets, keys, masks = (
        np.empty(combos, dtype=np.uint64),
        np.empty(combos, dtype=np.uint64),
        np.empty(combos, dtype=np.uint64),
    )
    for combo in range(combos):
        high, low = holes[combo, 0], holes[combo, 1]
        sets[combo] = _ONE << np.uint64(high) | _ONE << np.uint64(low)
        keys[combo] = CARD_KEYS[high] + CARD_KEYS[low]
        masks[combo] = CARD_MASKS[high] | CARD_MASKS[low]
    for board in range(len(boards)):
        used, board_key, board_mask = sum_cards(boards, board, size)
        orbit_size = np.int64(orbit_sizes[board])
        for combo in range(combos):
            key = board_key + keys[combo]
            category = strength_of_ranks(category_of, np.uint32(key), np.uint64(size + 2))
            if key & _FLUSH:
                category = flush_strength(category_of, key, board_mask | masks[combo])
            counts[combo, category] += orbit_size * np.int64(used & sets[combo] == 0)


def count_categories_in_numpy(
    by_key: NDArray[np.uint8],
    boards: CardArray,
    orbit_sizes: NDArray[np.uint8],
    holes: CardArray,
    counts: NDArray[np.int64],
) -> None:
    """Count the boards on which each combo has each category, like `count_categories`, in numpy."""
    combos = combo_numbers(holes)
    together = max(1, TOGETHER_IN_NUMPY // len(combos))
    for start in range(0, len(boards), together):
        part = slice(start, start + together)
        categories = rank_combos_in_numpy(by_key, boards[part], combos)
        rows, columns = np.nonzero(categories != BLOCKED_16)
        cells = columns * counts.shape[1] + categories[rows, columns]
        found = np.bincount(cells, orbit_sizes[part][rows], counts.size)
        counts += found.astype(np.int64).reshape(counts.shape)
