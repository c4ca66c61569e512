"""`hand_strengths`, which computes the strength of every hand of a street.

The strength is the hand's equity against a range, and its distribution over the cards to come.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from functools import partial
from itertools import combinations
from math import comb
from typing import Any, Literal, get_args

import attrs
import numpy as np
from numpy.typing import NDArray

from holdem.arguments import checked_integer, checked_number, require_text
from holdem.cached_property import cached_property
from holdem.cards import DECK_SIZE, CardArray, card_sets, read_only
from holdem.errors import BudgetError, HoldemValueError, one_line, quoted
from holdem.evaluation.builtin.lookup import strength
from holdem.evaluation.builtin.lookup_tables import CARD_KEYS, CARD_MASKS, StrengthTable, tables_of
from holdem.jit.kernels import inlined, kernel, popcount
from holdem.jobs.run import End, Task, run
from holdem.jobs.workers import Workers, count_workers
from holdem.odds.exact.method import ExhaustiveJob
from holdem.odds.exact.ranked_combos import sum_cards
from holdem.odds.exact.sweep import (
    Combos,
    Index,
    Order,
    allocate_order,
    index_of,
    lay_out_combos,
    order_combos,
    order_items,
    sort_by_ranks,
)
from holdem.odds.exact.two_ranges import add_deals, sweep_order
from holdem.odds.symmetry import permuted_cards, permuted_combos
from holdem.ranges.combos import COMBO_CARDS, COMBO_COUNT, COMBO_SETS, COMBO_TEXT
from holdem.ranges.range import Range
from holdem.results.base_result import have_equal_fields
from holdem.rules import STANDARD
from holdem_abstraction.array_files import Layout, load_arrays, require_layouts, save_arrays
from holdem_abstraction.numbering import make_numbering
from holdem_abstraction.streets import RIVER_MOST, Street, board_cards, street_boards

_SCHEMA = "holdem/hand-strengths/1"

What = Literal["equity", "points", "ehs2", "histogram"]

_RIVER_CARDS = 5
MOST_BINS = 1000
# The opponent's weights become integers up to this one, so that sums on a river are exact.
_LARGEST_WEIGHT = 1 << 42
# Sweeps in a task take some 2 ms, and its sums and histograms fit into the cache.
_SWEEPS_PER_TASK, _BOARDS_PER_TASK = 400, 64

# For each hand: equity and E[HS2], or its bucket and what this is made from.
_OTHER_BYTES = 8
_PROGRAM = 250_000_000  # bytes that the process takes beside the tables
_ROWS = 2000  # boards in a block

#: The result of a task: the rows of the boards in the tables, and their sums and histograms.
_Part = tuple[NDArray[np.intp], NDArray[np.float64], NDArray[np.uint16]]


# With slots, cached properties would make every attribute slow to read.
@attrs.frozen(eq=False, repr=False, slots=False)
class HandStrengths:
    """The strength of every hand of a street, as made by `hand_strengths`.

    Tables have a row for each *canonical* board, which stands for all boards that are equal up to
    suit permutations. They have a column for each combo; the combo of the card ids ``a > b`` has
    the number ``a * (a - 1) // 2 + b``. The arrays are read-only.
    """

    street: Street
    opponent: str
    """The opponent's range."""
    boards: CardArray
    """The canonical boards, one of each set of boards that are equal up to suit permutations,
    ``uint8 (board, card)``."""
    deals: NDArray[np.uint8]
    """The number of boards in the set of each canonical board, ``uint8 (board,)``."""
    points: NDArray[Any]
    """Twice the wins plus the ties over all hands of the opponent and all runouts, ``(board,
    combo)``; 0 where hole cards and board share a card. Against a random hand, the points are
    unsigned integers; otherwise, they are sums of the opponent's weights, ``float64``."""
    squares: NDArray[Any] | None = None
    """Sums over the complete boards, from which `ehs2` is computed, ``(board, combo)``; None on the
    river. Against a random hand, they are sums of the squared points, unsigned integers. Otherwise,
    they are sums of the squared equities, each multiplied by the points of a hand that always wins,
    ``float64``."""
    possible: NDArray[np.float64] | None = None
    """The points of a hand that always wins, ``float64 (board, combo)``. None on the river, and
    against a random hand, where `most` is this number."""
    histogram: NDArray[Any] | None = None
    """The number of complete boards on which the equity of the hand is in each bin, ``(board,
    combo, bin)``, in the smallest possible unsigned integers; None if no bins were given. Boards on
    which the opponent can have no hand are not counted."""

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, HandStrengths):
            return NotImplemented
        return have_equal_fields(self, other)

    def __hash__(self) -> int:
        return hash((self.street, self.opponent, self.bins))

    def __repr__(self) -> str:
        bins = "" if self.bins is None else f", {self.bins} bins"
        return f"<HandStrengths of the {self.street} against {quoted(self.opponent, 30)}{bins}>"

    @property
    def bins(self) -> int | None:
        """The number of histogram bins; None if there are no histograms."""
        return None if self.histogram is None else self.histogram.shape[2]

    @property
    def runouts(self) -> int:
        """The number of ways to complete the board of a hand; 1 on the river."""
        return _count_runouts(self.boards.shape[1])

    @property
    def is_random(self) -> bool:
        """Whether the opponent has a random hand, so that points and squares are integers."""
        return self.opponent == "random"

    @property
    def most(self) -> int:
        """The points of a hand that wins every deal against a random hand; 1,980 on the river."""
        return RIVER_MOST * self.runouts

    @cached_property
    def equity(self) -> NDArray[np.float32]:
        """The equity of each hand, E[HS], ``float32 (board, combo)``.

        It is NaN where hole cards and board share a card, and where the opponent can have no hand.
        """
        return self._divide(self.points, self.most)

    @cached_property
    def ehs2(self) -> NDArray[np.float32]:
        """The mean squared equity of each hand, E[HS²], ``float32 (board, combo)``.

        The mean is over all complete boards. As in `equity`, each is weighted by the total weight
        of the opponent's combos on it, and the same items are NaN. Of two hands with the same
        equity, the hand that depends more on the cards to come has the larger mean.
        """
        if self.street == "river":
            return read_only(np.square(self.equity))
        return self._divide(self.squares, RIVER_MOST * self.most)

    def _divide(self, sums: NDArray[Any] | None, most: int) -> NDArray[np.float32]:
        """Divide `points` or `squares`, ``(board, combo)``, by those of a hand that always wins.

        Against a random hand, these are `most`. The quotients are NaN where hole cards and board
        share a card, and where the opponent can have no hand.
        """
        assert sums is not None
        quotients = np.empty(sums.shape, dtype=np.float32)
        for rows in row_blocks(len(sums)):
            whole: Any = float(most)
            if not self.is_random:
                cells = np.arange(rows.start, min(rows.stop, len(sums)))[:, None] * COMBO_COUNT
                whole = self._possible_in(cells + np.arange(COMBO_COUNT))
            with np.errstate(invalid="ignore"):  # where the opponent has no hand
                np.divide(sums[rows], whole, out=quotients[rows], casting="same_kind")
            quotients[rows][find_blocked(self.boards[rows])] = np.nan
        return read_only(quotients)

    def _possible_in(self, cells: NDArray[np.int64]) -> NDArray[np.float64]:
        """Compute how many points each of the given hands would have if it always won.

        On the river, they are twice the total weight of the opponent's combos that share no card
        with the hand or the board. Not for a random opponent, against whom they are `most`.

        `cells`, of any shape, are positions in a flattened table, from `StreetBoards.locate`.
        """
        if self.possible is not None:
            ready: NDArray[np.float64] = self.possible.ravel().take(cells)
            return ready
        weights, by_card, unit = self._river_weights
        boards, combos = np.divmod(cells, COMBO_COUNT)
        high, low = np.moveaxis(COMBO_CARDS[combos].astype(np.intp), -1, 0)
        met = by_card[boards, DECK_SIZE] - by_card[boards, high] - by_card[boards, low]
        # Divided last, as the points are: the equity of a hand that always wins is 1.
        most: NDArray[np.float64] = 2 * (met + weights[combos]) / unit
        return most

    @cached_property
    def _river_weights(self) -> tuple[NDArray[np.int64], NDArray[np.float64], float]:
        """The opponent's weights as integers, their sums on each board, and their scale.

        The integers are ``int64 (combo,)``. The sums are ``float64 (board, 53)``: over the combos
        with each card id, and in the last column over all combos. Combos that share a card with the
        board are left out. The scale is the factor by which the weights were multiplied.
        """
        integers, unit = _read_weights(Range(self.opponent))
        holds = np.zeros((COMBO_COUNT, DECK_SIZE + 1))
        holds[np.arange(COMBO_COUNT)[:, None], COMBO_CARDS] = holds[:, DECK_SIZE:] = 1
        sums = np.empty((len(self.boards), DECK_SIZE + 1))
        for rows in row_blocks(len(sums)):
            sums[rows] = np.where(find_blocked(self.boards[rows]), 0, integers[0]) @ holds
        return integers[0], sums, unit

    def lookup(self, holes: Any, boards: Any = None, what: What = "equity") -> NDArray[Any]:
        """Look up the equities, points, E[HS²] or histograms of hands.

        Args:
            holes: hole cards, as for `HandIndexer.index`.
            boards: boards, as for `HandIndexer.index`.
            what: ``"equity"``; ``"points"``, as in `points`; ``"ehs2"`` for E[HS²]; or
                ``"histogram"``.

        Returns:
            ``float64 (hand,)``; for points against a random hand, ``int64 (hand,)``; for
            histograms, unsigned integers ``(hand, bin)``. Equities and E[HS²] are quotients of
            sums, and are not rounded to float32.

        Raises:
            HoldemValueError: as for `HandIndexer.index`; or `what` is none of these, or is
                ``"histogram"`` and there are no histograms.
            HoldemTypeError: the hands are neither text nor card ids, or `what` is not text.
        """
        require_text(what, "what")
        if what not in get_args(What):
            raise HoldemValueError(f"no lookup of {quoted(what)}; use {', '.join(get_args(What))}")
        cells = street_boards(self.street).locate(holes, boards)
        if what == "histogram":
            if self.histogram is None:
                raise HoldemValueError(
                    "these strengths have no histograms: compute them with bins=50"
                )
            return self.histogram.reshape(-1, self.histogram.shape[2]).take(cells, axis=0)
        points: NDArray[Any] = self.points.ravel().take(cells)
        if what == "points":
            return points.astype(np.int64) if self.is_random else points
        with np.errstate(invalid="ignore"):  # where the opponent has no hand
            if what == "equity" or self.squares is None:
                found = points / (self.most if self.is_random else self._possible_in(cells))
                return found if what == "equity" else np.square(found)
            squares = self.squares.ravel().take(cells)
            whole = RIVER_MOST * self.most if self.is_random else self._possible_in(cells)
            quotients: NDArray[np.float64] = squares / whole
            return quotients

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the tables to a file that `load_hand_strengths` and ``numpy.load`` can read.

        Args:
            path: the file, in numpy's format ``.npz``; an existing file is replaced.

        Raises:
            OSError: the file cannot be written; an existing file is unchanged.
        """
        names = ("boards", "deals", "points", "squares", "possible", "histogram")
        arrays = {name: getattr(self, name) for name in names}
        header = {"schema": _SCHEMA, "street": self.street, "opponent": self.opponent}
        save_arrays(path, header, arrays)


def load_hand_strengths(path: str | os.PathLike[str]) -> HandStrengths:
    """Load strengths from a file that `HandStrengths.save` wrote.

    Args:
        path: the file.

    Raises:
        HoldemValueError: the file has another format, or is damaged or incomplete.
        OSError: the file cannot be read.
    """
    header, arrays = load_arrays(path, _SCHEMA, ("street", "opponent"))
    types, counts = _choose_types(header["street"], is_random=header["opponent"] == "random")
    layouts: dict[str, Layout] = {name: (dtype, ()) for name, dtype in types.items()}
    if "histogram" in arrays:
        layouts["histogram"] = (counts, arrays["histogram"].shape[2:3])
    require_tables(path, header["street"], arrays, layouts)
    return HandStrengths(**header, **arrays)


def require_tables(
    path: Any,
    street: Street,
    arrays: Mapping[str, NDArray[Any]],
    tables: Mapping[str, Layout],
    others: Mapping[str, Layout] | None = None,
) -> None:
    """Raise `HoldemValueError` unless a file has all canonical boards of a street, and its tables.

    The layouts of `tables` have the sizes of the axes that follow boards and combos; those of
    `others` are whole.
    """
    boards = street_boards(street)
    own = {"boards": boards.cards, "deals": boards.deals}
    hands = (len(boards.cards), COMBO_COUNT)
    layouts: dict[str, Layout] = {name: (array.dtype, array.shape) for name, array in own.items()}
    layouts |= {name: (dtype, (*hands, *shape)) for name, (dtype, shape) in tables.items()}
    require_layouts(path, arrays, layouts | dict(others or {}))
    for name, array in own.items():
        if not np.array_equal(arrays[name], array):
            raise HoldemValueError(
                f"{one_line(str(path))} is damaged: its {name} are not those of the {street}"
            )


def hand_strengths(
    street: Street,
    *,
    opponent: str | Range = "random",
    bins: int | None = None,
    memory: float = 3.5,
    workers: int | None = None,
    progress: bool = False,
) -> HandStrengths:
    """Compute the strength of every hand of a street, exactly.

    Before the river, the strength of a hand depends on the cards to come. The equity is the mean
    over all complete boards, and the histogram is the distribution of the equity on these boards.

    Args:
        street: ``"preflop"``, ``"flop"``, ``"turn"`` or ``"river"``.
        opponent: the opponent's range, which every suit permutation must leave unchanged.
        bins: the number of bins of the histograms, 2 to 1,000, on flops and turns; None for no
            histograms.
        memory: the memory that the process may use, in GB.
        workers: the number of threads; None means one per core. The answer does not depend on it.
        progress: show a progress bar on standard error.

    Raises:
        HoldemTypeError: an argument has a wrong type.
        HoldemValueError: an argument is invalid, or the opponent's range depends on the suits.
        BudgetError: the result would take more than `memory`.
        Interrupted: Ctrl-C was pressed; ``finished`` of the exception is None.
    """
    opponent, weights, unit = check_strengths(street, opponent, bins, memory)
    job = _StrengthJob(street, str(opponent), weights, bins or 0, unit)
    return run(job, count_workers(workers), progress=progress)


def check_strengths(
    street: Street, opponent: str | Range, bins: int | None, memory: float
) -> tuple[Range, NDArray[np.int64], float]:
    """Validate arguments of `hand_strengths`, and convert the opponent's weights to integers.

    Returned are the opponent's range, the integers, ``(1, combo)``, and the factor by which the
    weights were multiplied.
    """
    if bins is not None:
        checked_integer(bins, "bins", 2, MOST_BINS, HoldemValueError)
        if board_cards(street) not in (3, 4):
            raise HoldemValueError(f"there are histograms on flops and turns, not on the {street}")
    opponent = opponent if isinstance(opponent, Range) else Range(opponent)
    weights, unit = _read_weights(opponent)
    _require_memory(street, bins or 0, memory, is_random=bool((weights == 1).all()))
    return opponent, weights, unit


def _read_weights(opponent: Range) -> tuple[NDArray[np.int64], float]:
    """Convert the opponent's weights to integers, ``(1, combo)``; return also the factor used.

    If all combos of the range have the same weight, they get the weight 1, so that all sums are
    exact. Otherwise, the largest weight becomes 2^42, and the others are rounded, but not to 0.
    """
    weights = opponent.weights
    if not len(opponent):
        raise HoldemValueError("the opponent's range is empty")
    changes = np.argwhere(weights[permuted_combos()] != weights)
    if len(changes):
        permutation, combo = changes[0].tolist()
        other = int(permuted_combos()[permutation, combo])
        raise HoldemValueError(
            f"the opponent's range depends on suits: {COMBO_TEXT[combo]} has the weight"
            f" {weights[combo]:g} and {COMBO_TEXT[other]} {weights[other]:g}. A table has one board"
            " for all that are equal up to suits, so that these must have the same weight: use"
            " classes such as AKs"
        )
    largest = float(weights.max())
    if weights[opponent.held].min() == largest:
        return (weights > 0).astype(np.int64)[None], 1 / largest
    scaled = np.rint(weights / largest * _LARGEST_WEIGHT)
    numbers: NDArray[np.int64] = np.maximum(scaled, weights > 0).astype(np.int64)
    return numbers[None], _LARGEST_WEIGHT / largest


def estimate_memory(street: Street, bins: int, *, is_random: bool = True) -> int:
    """Estimate how many bytes the strengths of a street take, with the arrays derived from them.

    The derived arrays are the equities and the E[HS²], or the buckets. `bins` is 0 for no
    histograms.
    """
    hands = make_numbering(0, board_cards(street)).size * COMBO_COUNT
    types, counts = _choose_types(street, is_random=is_random)
    tables = sum(dtype.itemsize for dtype in types.values())
    return hands * (tables + _OTHER_BYTES + bins * counts.itemsize)


def _require_memory(street: Street, bins: int, memory: float, *, is_random: bool) -> None:
    """Raise `BudgetError` if strengths would take more than `memory`, in GB; `bins` may be 0."""
    limit = checked_number(memory, "memory", 0, float("inf"), HoldemValueError, "of GB from 0 up")
    size = estimate_memory(street, bins, is_random=is_random) + _PROGRAM
    if size > limit * 1e9:
        without = estimate_memory(street, 0, is_random=is_random) + _PROGRAM
        most = int((limit * 1e9 - without) * bins // max(size - without, 1))
        advice = f"use at most {most} bins, or " if bins and most >= 2 else ""
        what = f"the strengths of the {street}" + f" with {bins} bins" * bool(bins)
        raise BudgetError(
            f"{what} would take {size_text(size)}, and the limit is {limit:g} GB: {advice}allow"
            f" memory={np.ceil(size / 1e7) / 100:g}"
        )


def size_text(size: int) -> str:
    """Format a number of bytes in GB, or in MB below 0.1 GB."""
    return f"{size / 1e9:.2f} GB" if size >= 1e8 else f"{size / 1e6:.2f} MB"


def _choose_types(
    street: Street, *, is_random: bool
) -> tuple[dict[str, np.dtype[Any]], np.dtype[Any]]:
    """Choose the types of a street's tables, by name in `HandStrengths`, and of its histograms.

    Against a random hand, the types are the smallest ones that can represent the points and the
    sums of their squares; otherwise, they are float64.
    """
    runouts = _count_runouts(board_cards(street))
    most = {"points": RIVER_MOST * runouts, "squares": RIVER_MOST**2 * runouts}
    types = {name: np.min_scalar_type(number) for name, number in most.items()}
    if not is_random:
        types = dict.fromkeys(("points", "squares", "possible"), np.dtype(np.float64))
    if street == "river":
        types = {"points": types["points"]}
    return types, np.min_scalar_type(runouts)


def _count_runouts(cards: int) -> int:
    """Count the ways to complete a board of `cards` cards if the hole cards of a hand are known."""
    return comb(50 - cards, _RIVER_CARDS - cards)


def row_blocks(count: int, size: int = _ROWS) -> Iterator[slice]:
    """Yield slices of rows of a table, to work on it with little memory at a time.

    The last slice may extend past the end.
    """
    for start in range(0, count, size):
        yield slice(start, start + size)


def find_blocked(boards: CardArray) -> NDArray[np.bool_]:
    """Mark the combos that share a card with each board, ``bool (board, combo)``."""
    blocked: NDArray[np.bool_] = card_sets(boards)[:, None] & COMBO_SETS != 0
    return blocked


def _list_runouts(size: int, permutations: NDArray[np.intp]) -> tuple[CardArray, NDArray[np.uint8]]:
    """List one runout of each set of runouts that given suit permutations turn into each other.

    `size` cards are to come. The permutations, the identity first, are row numbers of
    `permuted_cards`; they are not used if all five cards are to come, when all 24 count. Returned
    are the runouts, ``(runout, size)``, and the number of runouts in each set.
    """
    if size == _RIVER_CARDS:
        return street_boards("river").cards, street_boards("river").deals
    cards = np.array(list(combinations(range(DECK_SIZE), size)), dtype=np.uint8)
    codes = np.array([card_sets(images[cards]) for images in permuted_cards()[permutations]])
    deals = (len(codes) // (codes == codes[0]).sum(axis=0)).astype(np.uint8)
    is_least = codes[0] == codes.min(axis=0)
    return cards[is_least], deals[is_least]


def _mean(sums: NDArray[Any], images: NDArray[np.intp], axis: int) -> NDArray[Any]:
    """Average, for each combo, the sums of the combos into which suit permutations turn it.

    This makes up for computing one runout only of each set that the permutations turn into each
    other: if that runout was added as often as the set has runouts, the averages are the sums over
    all runouts. `images` has the combo into which each permutation turns each combo, the identity
    first, ``(permutation, combo)``. `axis` is that of the combos in `sums`.
    """
    if len(images) == 1:
        return sums
    total = sums.copy()
    for image in images[1:]:
        total += sums.take(image, axis)
    mean: NDArray[Any] = total // len(images) if sums.dtype.kind == "u" else total / len(images)
    return mean


class _StrengthJob(ExhaustiveJob[HandStrengths]):
    """Job that compares all combos on the complete boards of a street, and builds the tables.

    Runouts are equivalent if a suit permutation that leaves the board unchanged turns one into the
    other; only one of them is computed. A task computes some of the boards or, before the flop,
    some of the runouts.
    """

    def __init__(
        self,
        street: Street,
        opponent: str,
        weights: NDArray[np.int64],
        bins: int,
        unit: float = 1.0,
    ) -> None:
        self._street, self._opponent, self._unit = street, opponent, unit
        self._weights, self._bins = weights, bins
        self._is_random = bool((weights == 1).all())
        self._boards = street_boards(street)
        to_come = _RIVER_CARDS - self._boards.cards.shape[1]
        self._is_preflop = to_come == _RIVER_CARDS
        # On the river, permutations would save nothing.
        self._fixing = [own if to_come else own[:1] for own in self._boards.fixing]
        self._runouts = [_list_runouts(to_come, own) for own in self._fixing]

    def prepare(self) -> None:
        shape = (len(self._boards.cards), COMBO_COUNT)
        types, counts = _choose_types(self._street, is_random=self._is_random)
        self._tables: dict[str, Any] = {
            name: np.zeros(shape, dtype) for name, dtype in types.items()
        }
        self._histogram = np.zeros((*shape, self._bins), dtype=counts)
        self._sums = np.zeros((1, 2 if self._is_random else 3, COMBO_COUNT))
        numbers = sort_by_ranks(np.arange(COMBO_COUNT))
        combos = lay_out_combos(numbers, tables_of(STANDARD))
        # With their numbers as indices, whatever their order.
        packed = numbers.astype(np.uint32) << np.uint32(12) | combos.packed & np.uint32(0xFFF)
        self._combos = combos._replace(packed=packed)

    def tasks(self) -> Iterator[Task[_Part]]:
        """Yield tasks, each for boards that the same suit permutations leave unchanged."""
        lengths = [len(cards) for cards, _ in self._runouts]
        sweeps = int(np.take(lengths, self._boards.groups).sum())
        for group, (cards, _) in enumerate(self._runouts):
            rows = np.flatnonzero(self._boards.groups == group)
            boards = min(max(1, _SWEEPS_PER_TASK // len(cards)), _BOARDS_PER_TASK)
            together = _SWEEPS_PER_TASK if self._is_preflop else len(cards)
            for own in row_blocks(len(rows), boards):
                for runouts in row_blocks(len(cards), together):
                    size = len(rows[own]) * len(cards[runouts])
                    sweep = partial(self._sweep, rows[own], group, runouts)
                    yield Task(sweep, self.total * size / sweeps)

    def _sweep(self, rows: NDArray[np.intp], group: int, runouts: slice, _: Workers) -> _Part:

        boards, (cards, deals) = self._boards.cards[rows], self._runouts[group]
        sums = np.zeros((len(boards), *self._sums.shape[1:]))
        histogram = np.zeros((len(boards), COMBO_COUNT, self._bins), dtype=np.uint16)
        add_strengths(
            read_only(boards),
            read_only(cards[runouts]),
            read_only(deals[runouts]),
            self._combos,
            self._weights,
            sums,
            histogram,
        )
        images = permuted_combos()[self._fixing[group]]
        return rows, _mean(sums, images, 2), _mean(histogram, images, 1)

    def add(self, part: _Part) -> bool:
        """Write the sums of a task's boards to the tables; return False, as every task is needed.

        Before the flop, there is a single board, and the sums of the tasks are added up.
        """
        rows, sums, histogram = part
        if self._is_preflop:
            self._sums += sums
        else:
            self._write(rows, sums)
            self._histogram[rows] = histogram
        return False

    def _write(self, rows: NDArray[np.intp], sums: NDArray[np.float64]) -> None:
        found = sums
        if not self._is_random:
            found = found / self._unit
            # The terms of equal combos come in other orders: their sums differ in the last bits.
            least = self._boards.least[self._boards.groups[rows]]
            found = np.take_along_axis(found, least[:, None], axis=2)
        for table, values in zip(self._tables.values(), found.swapaxes(0, 1), strict=False):
            table[rows] = values

    def answer(self, end: End) -> HandStrengths:  # noqa: ARG002 - there is no time limit
        """Build the `HandStrengths` from the tables."""
        if self._is_preflop:
            self._write(np.zeros(1, dtype=np.intp), self._sums)
        return HandStrengths(
            street=self._street,
            opponent="random" if self._is_random else self._opponent,
            boards=self._boards.cards,
            deals=self._boards.deals,
            histogram=read_only(self._histogram) if self._bins else None,
            **{name: read_only(table) for name, table in self._tables.items()},
        )


# --- kernels ------------------------------------------------------------------------------

# On a board with three cards of a suit there are 26 classes of cards: the ranks in other suits,
# then those in this one. On other boards there are the first 13 only. Against a random hand, all
# combos of two given classes have the same points.
_NO_FLUSH = np.uint64(4)
_CARDS = np.arange(DECK_SIZE)
_CLASSES: NDArray[np.uint8] = np.array(
    [_CARDS // 4 + 13 * (suit == _CARDS % 4) for suit in range(5)], dtype=np.uint8
)
_HIGH, _LOW = (own.astype(np.uint64) for own in np.tril_indices(26))
_RANK_PAIRS = np.uint64(13 * 14 // 2)  # the pairs of the first 13 classes
_LOWER, _HIGHER = np.moveaxis(np.sort(_CLASSES[:, COMBO_CARDS].astype(np.uint32)), -1, 0)
_PAIRS: NDArray[np.uint32] = _HIGHER * (_HIGHER + 1) // 2 + _LOWER
# Two cards of each class, from which strengths are computed; those in the suit are the same.
_EXAMPLES: NDArray[np.uint8] = np.array(
    [
        [4 * (_CARDS[:26] % 13) + (suit + other * (_CARDS[:26] < 13)) % 4 for other in (1, 2)]
        for suit in range(5)
    ],
    dtype=np.uint8,
)
_1, _3, _6, _63 = (np.uint64(number) for number in (1, 3, 6, 63))
_MASK = np.uint64(0xFFFF)


@inlined
def _order_classes(
    table: StrengthTable,
    river: CardArray,
    suit: np.uint64,
    key: np.uint64,
    mask: np.uint64,
    order: Order,
    free: NDArray[np.int64],
) -> Index:
    """Order the pairs of card classes by strength on a complete board; return the number of groups.

    A card class is a rank in the suit of a possible flush, or a rank in any other suit. All combos
    of the same two classes have the same strength; a group has equally strong pairs.

    - `table`: the strengths of hands of seven cards
    - `river`: the board, ``(1, 5)``
    - `suit`: that of a possible flush, or `_NO_FLUSH`
    - `key`, `mask`: the key and the suit mask of the board, from `sum_cards`
    - `order`: buffers to which the ordered pairs are written
    - `free`: the cards of each class that are not on the board, written, ``(class,)``
    """
    free[:13] = 4 if suit == _NO_FLUSH else 3
    free[13:] = 0 if suit == _NO_FLUSH else 1
    for column in range(5):
        free[_CLASSES[suit, river[0, column]]] -= 1
    order.present[:] = 0
    count = np.uint64(0)
    for pair in range(_RANK_PAIRS if suit == _NO_FLUSH else np.uint64(len(_HIGH))):
        high, low = _HIGH[pair], _LOW[pair]
        if free[high] * free[low] <= (high == low):
            continue
        first, second = _EXAMPLES[suit, 0, high], _EXAMPLES[suit, 1, low]
        found = np.uint64(
            strength(
                table,
                key + CARD_KEYS[first] + CARD_KEYS[second],
                mask | CARD_MASKS[first] | CARD_MASKS[second],
            )
        )
        order.strengths[count] = found
        order.items[count] = pair
        order.present[found >> _6] |= _1 << (found & _63)
        count += _1
    return order_items(count, order)


@inlined
def _compare_classes(
    groups: Index,
    order: Order,
    free: NDArray[np.int64],
    by_class: NDArray[np.int64],
    points: NDArray[np.int64],
) -> None:
    """Compute the points that each pair of card classes scores against a random hand.

    `_order_classes` says what card classes and their pairs are, and makes `groups`, `order` and
    `free`.

    - `by_class`: working memory, ``(class,)``: combos so far with a given card of the class
    - `points`: written, ``(pair,)``: twice the weaker combos plus the equally strong ones
    """
    total = np.int64(0)
    by_class[:] = 0
    start = np.uint32(0)
    for group in range(groups):
        end = order.item_ends[group]
        for n in range(start, end):
            pair = order.in_order[n]
            points[pair] = total - by_class[_HIGH[pair]] - by_class[_LOW[pair]]
        for n in range(start, end):
            pair = order.in_order[n]
            high, low = _HIGH[pair], _LOW[pair]
            if high == low:
                by_class[high] += free[high] - 1
                total += free[high] * (free[high] - 1) // 2
            else:
                by_class[high] += free[low]
                by_class[low] += free[high]
                total += free[high] * free[low]
        for n in range(start, end):
            pair = order.in_order[n]
            # The combo itself has been subtracted twice.
            points[pair] += total - by_class[_HIGH[pair]] - by_class[_LOW[pair]] + 1
        start = end


@kernel
def add_strengths(
    boards: CardArray,
    runouts: CardArray,
    deals: NDArray[np.uint8],
    combos: Combos,
    weights: NDArray[np.int64],
    sums: NDArray[np.float64],
    histogram: NDArray[np.uint16],
) -> None:
    """Add up the strengths of all combos over the runouts of each board.

    On a complete board, the points of a combo are twice the total weight of the opponent's weaker
    combos, plus the total weight of those that tie. The equity of the combo is its points divided
    by the points of a combo that always wins. Squared equities are multiplied by these points of a
    sure winner and added up. Against a random hand, squared points are added up instead.

    - `boards`: ``(board, card)``
    - `runouts`: completing cards, ``(runout, card)``; one is left out for a board with its card
    - `deals`: how often each runout counts, ``(runout,)``
    - `combos`: all combos from `lay_out_combos`, with combo numbers as their indices
    - `weights`: the opponent's, ``(1, combo)``
    - `sums`: added to, ``(board, 3, combo)``: points, squared equities, points of a sure winner;
      against a random hand ``(board, 2, combo)``: points, squared points; exact for integers
    - `histogram`: runouts by bin of the equity are added, ``(board, combo, bin)``; maybe no bins
    """
    order = allocate_order(combos)
    by_card = np.zeros(64, dtype=np.int64)
    river = np.zeros((1, 5), dtype=np.uint8)
    swept = np.zeros((*weights.shape, 3), dtype=np.int64)
    free, by_class = np.zeros(26, dtype=np.int64), np.zeros(26, dtype=np.int64)
    of_pair = np.zeros(len(_HIGH), dtype=np.int64)
    known, is_random, bins = boards.shape[1], sums.shape[1] == 2, np.int64(histogram.shape[2])
    for board in range(np.uint64(len(boards))):
        for runout in range(np.uint64(len(runouts))):
            for column in range(5):
                river[0, column] = (
                    boards[board, column] if column < known else runouts[runout, column - known]
                )
            used, key, mask = sum_cards(river, 0, 5)
            if popcount(used) < 5:
                continue
            times, times_in_bin = np.float64(deals[runout]), np.uint16(deals[runout])
            if is_random:
                suit = _NO_FLUSH
                for own in range(4):
                    if popcount(mask >> np.uint64(16 * own) & _MASK) >= _3:
                        suit = np.uint64(own)
                groups = _order_classes(combos.table, river, suit, key, mask, order, free)
                _compare_classes(groups, order, free, by_class, of_pair)
                for i in range(np.uint64(COMBO_COUNT)):
                    if COMBO_SETS[i] & used:
                        continue
                    points = of_pair[_PAIRS[suit, i]]
                    share = np.float64(points)
                    sums[board, 0, i] += times * share
                    sums[board, 1, i] += times * share * share
                    if bins:
                        found = min(points * bins // RIVER_MOST, bins - 1)
                        histogram[board, i, found] += times_in_bin
                continue
            groups = order_combos(river, np.uint64(0), combos, order)
            swept[:] = 0
            sweep_order(groups, order, weights, np.uint64(0), np.int64(1), by_card, swept)
            count = order.ends[groups - np.uint64(1)]
            add_deals(count, order, weights, np.uint64(0), np.int64(1), by_card, swept)
            for n in range(count):
                combo = index_of(order.combos[n])
                won = swept[0, combo, 0] + swept[0, combo, 1]
                most = 2 * swept[0, combo, 2]
                if most == 0:  # every combo that the opponent can hold is blocked
                    continue
                sums[board, 0, combo] += times * won
                sums[board, 1, combo] += times * won * (won / most)
                sums[board, 2, combo] += times * most
                if bins:
                    histogram[board, combo, min(won * bins // most, bins - 1)] += times_in_bin
