"""`card_abstraction`, which divides the hands of a street into buckets of similar hands."""

from __future__ import annotations

import os
from typing import Any, ClassVar, Literal

import attrs
import numpy as np
from numpy.typing import NDArray

from holdem.arguments import checked_integer, require_text
from holdem.cards import CardArray, CardsLike, card_set, parse_cards, read_only
from holdem.dealing.seeds import Seed, resolve_seed
from holdem.errors import HoldemValueError, Interrupted, counted, quoted
from holdem.jobs.workers import count_workers, in_worker_thread
from holdem.ranges.combos import CLASS_COUNT, CLASS_OF_COMBO, COMBO_CARDS, COMBO_COUNT, COMBO_SETS
from holdem.ranges.range import Range
from holdem.results.base_result import Plottable, Result, have_equal_fields
from holdem.results.fields import shown, to_json
from holdem_abstraction.array_files import Layout, load_arrays, save_arrays
from holdem_abstraction.clustering import MOST_CLUSTERS, NO_LABEL, cluster_histograms
from holdem_abstraction.streets import Street, board_cards, street_boards
from holdem_abstraction.strengths import (
    HandStrengths,
    find_blocked,
    hand_strengths,
    require_tables,
    row_blocks,
)

By = Literal["equity", "ehs2", "histogram"]
BINS = 50

_SCHEMA = "holdem/card-abstraction/1"
_HEADER = ("street", "by", "opponent", "bins", "seed")
_SORTED_ROWS = 1 << 14  # boards whose hands are sorted at a time


@attrs.frozen
class BucketSummary:
    """The number, size and mean equity of one bucket of a `CardAbstraction`."""

    bucket: int = attrs.field(metadata=shown(cell="d"))
    """The number of the bucket, from 0 for the weakest."""
    deals: int
    """The number of deals of hole cards and board in the bucket."""
    share: float = attrs.field(metadata=shown(in_text=False))
    """The share of all deals that is in the bucket, from 0 to 1."""
    equity: float = attrs.field(metadata=shown(in_text=False))
    """The mean equity of the deals in the bucket."""


@attrs.frozen(eq=False, repr=False)
class CardAbstraction(Result, Plottable):
    """The buckets of all hands of a street, as made by `card_abstraction`.

    As in `HandStrengths`, tables have a row for each *canonical* board, which stands for all boards
    that are equal up to suit permutations, and a column for each combo. The arrays are read-only.
    """

    _report: ClassVar[str] = "holdem_abstraction.report:abstraction_report"
    _chart: ClassVar[str] = "holdem_abstraction.chart:abstraction_chart"

    street: Street
    by: By
    opponent: str
    """The opponent's range."""
    bins: int | None
    """The number of bins of the histograms; None unless buckets are by histogram."""
    seed: int | None
    """The seed of the clusters; None unless buckets are by histogram."""
    boards: CardArray
    """The canonical boards, one of each set of boards that are equal up to suit permutations,
    ``uint8 (board, card)``."""
    deals: NDArray[np.uint8]
    """The number of boards in the set of each canonical board, ``uint8 (board,)``."""
    buckets: NDArray[np.uint16]
    """The bucket of each hand, from 0 for the weakest, ``uint16 (board, combo)``; 65535 where hole
    cards and board share a card, or where the opponent can have no hand."""
    sizes: NDArray[np.int64]
    """The number of deals of hole cards and board in each bucket, ``int64 (bucket,)``."""
    equity: NDArray[np.float64]
    """The mean equity of each bucket, ``float64 (bucket,)``."""
    histogram: NDArray[np.float32] | None = None
    """The mean histogram of each bucket, which adds up to 1, ``float32 (bucket, bin)``; None unless
    buckets are by histogram."""

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, CardAbstraction):
            return NotImplemented
        return have_equal_fields(self, other)

    def __hash__(self) -> int:
        return hash((self.street, self.by, self.opponent, self.bins, self.seed, len(self.sizes)))

    def __repr__(self) -> str:
        count = f"{len(self.sizes):,} buckets by {self.by}"
        return (
            f"<CardAbstraction of the {self.street}, {count} against {quoted(self.opponent, 30)}>"
        )

    def lookup(self, holes: Any, boards: Any = None) -> NDArray[np.uint16]:
        """Look up the buckets of given hands.

        Args:
            holes: hole cards, as for `HandIndexer.index`.
            boards: boards, as for `HandIndexer.index`.

        Returns:
            The buckets, ``uint16 (hand,)``; 65535 where the opponent can have no hand.

        Raises:
            HoldemValueError: as for `HandIndexer.index`.
            HoldemTypeError: the hands are neither text nor card ids.
        """
        return self.buckets.ravel().take(street_boards(self.street).locate(holes, boards))

    def grid(self, board: CardsLike | None = None) -> NDArray[np.float64]:
        """Compute the mean bucket number of each starting-hand class on a board.

        Args:
            board: the board; None before the flop.

        Returns:
            ``float64 (13, 13)``, laid out as `Range.grid`; NaN for a class without a possible combo
            on the board.

        Raises:
            HoldemValueError: the board has the wrong number of cards for the street.
            CardError: a card does not exist or appears twice.
        """
        cards = parse_cards(board if board is not None else (), what="board")
        size = board_cards(self.street)
        if len(cards) != size:
            raise HoldemValueError(
                f"board: {counted(len(cards), 'card')}, not {size}"
                if size
                else "board: there is no board before the flop"
            )
        used = np.uint64(card_set(cards))
        free = np.flatnonzero(COMBO_SETS & used == 0)
        found = self.lookup(COMBO_CARDS[free], cards or None).astype(np.float64)
        has_hand = found != NO_LABEL
        classes = CLASS_OF_COMBO[free][has_hand]
        counts = np.bincount(classes, minlength=CLASS_COUNT)
        sums = np.bincount(classes, found[has_hand], CLASS_COUNT)
        with np.errstate(invalid="ignore"):
            means: NDArray[np.float64] = (sums / counts).reshape(13, 13)
        return means

    def plot(self, ax: Any = None, *, board: CardsLike | None = None) -> Any:
        """Draw each bucket's mean histogram or, without histograms, each bucket's equity.

        Args:
            ax: matplotlib axes; None for a new figure.
            board: if given, draw the grid of starting-hand classes on this board, coloured by mean
                bucket.

        Returns:
            The axes.

        Raises:
            HoldemRuntimeError: matplotlib is not installed.
            HoldemValueError: as for `grid`.
        """
        return self._plot(ax, board=board)

    def save_plot(self, path: str | os.PathLike[str], *, board: CardsLike | None = None) -> None:
        """Draw the chart of `plot` and write it to a file; replace an existing file.

        Args:
            path: the file, which ends in ``.png``, ``.svg`` or ``.pdf``.
            board: as for `plot`.

        Raises:
            HoldemRuntimeError: matplotlib is not installed.
            HoldemValueError: as for `plot`; or the file has another extension, or its directory
                does not exist.
        """
        self._save_plot(path, board=board)

    def to_dict(self) -> dict[str, Any]:
        """Convert the arguments and the summary of each bucket to a JSON object.

        It does not say in which bucket a hand is; `save` writes that.
        """
        return {
            "schema": _SCHEMA,
            **{name: getattr(self, name) for name in _HEADER},
            "buckets": list(map(to_json, summarize_buckets(self))),
        }

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the buckets to a file that `load_card_abstraction` and ``numpy.load`` can read.

        Args:
            path: the file, in numpy's format ``.npz``; an existing file is replaced.

        Raises:
            OSError: the file cannot be written; an existing file is unchanged.
        """
        names = ("boards", "deals", "buckets", "sizes", "equity", "histogram")
        header = self.to_dict()
        del header["buckets"]
        save_arrays(path, header, {name: getattr(self, name) for name in names})


def summarize_buckets(abstraction: CardAbstraction) -> list[BucketSummary]:
    """List the summary of each bucket, the weakest first."""
    sizes = abstraction.sizes
    columns = (sizes.tolist(), (sizes / sizes.sum()).tolist(), abstraction.equity.tolist())
    return [BucketSummary(bucket, *row) for bucket, row in enumerate(zip(*columns, strict=True))]


def load_card_abstraction(path: str | os.PathLike[str]) -> CardAbstraction:
    """Load buckets from a file that `CardAbstraction.save` wrote.

    Args:
        path: the file.

    Raises:
        HoldemValueError: the file has another format, or is damaged or incomplete.
        OSError: the file cannot be read.
    """
    header, arrays = load_arrays(path, _SCHEMA, _HEADER)
    buckets, bins = np.size(arrays.get("sizes", ())), header["bins"]
    summaries: dict[str, Layout] = {
        "sizes": (np.int64, (buckets,)),
        "equity": (np.float64, (buckets,)),
    }
    if bins is not None:
        summaries["histogram"] = (np.float32, (buckets, bins))
    require_tables(path, header["street"], arrays, {"buckets": (np.uint16, ())}, summaries)
    return CardAbstraction(**header, **arrays)


def card_abstraction(
    street: Street | HandStrengths,
    buckets: int,
    by: By = "equity",
    seed: Seed | None = None,
    *,
    opponent: str | Range | None = None,
    bins: int | None = None,
    memory: float = 3.5,
    workers: int | None = None,
    progress: bool = False,
) -> CardAbstraction:
    """Divide all hands of a street into buckets of similar hands.

    By equity or by E[HS²], the mean squared equity over complete boards, buckets are quantiles: all
    have about the same number of deals, and hands of equal strength are in the same bucket. By
    histogram, buckets are clusters of hands whose equities on complete boards have similar
    distributions. They are found by k-means with the earth mover's distance. Every hand counts as
    often as it is dealt. Buckets are numbered from weak to strong by mean equity.

    Args:
        street: ``"preflop"``, ``"flop"``, ``"turn"`` or ``"river"``; or the strengths of a street,
            which can then be used for several abstractions.
        buckets: the number of buckets, 2 to 65,535; by histogram, at most 16,384.
        by: ``"equity"``, ``"ehs2"`` for E[HS²], or, on flops and turns, ``"histogram"``.
        seed: the seed of the clusters, for buckets by histogram; None to draw one.
        opponent: the opponent's range, which every suit permutation must leave unchanged; None for
            a random hand.
        bins: the number of bins of the histograms, for buckets by histogram; None for 50.
        memory: the memory that the process may use, in GB.
        workers: the number of threads; None means one per core. The buckets do not depend on it.
        progress: show a progress bar on standard error.

    Raises:
        HoldemTypeError: an argument has a wrong type.
        HoldemValueError: an argument is invalid, or there are fewer different hands than buckets.
        BudgetError: the strengths would take more than `memory`.
        Interrupted: Ctrl-C was pressed; ``finished`` of the exception is None.
    """
    is_clustered = check_buckets(buckets, by, seed, bins)
    buckets = int(buckets)
    own_seed = resolve_seed(seed) if is_clustered else None
    workers = count_workers(workers)
    if isinstance(street, HandStrengths):
        strengths = street
        if opponent is not None or bins is not None:
            raise HoldemValueError("opponent and bins are those of the strengths: leave them out")
        if is_clustered and strengths.histogram is None:
            raise HoldemValueError("these strengths have no histograms: compute them with bins=50")
    else:
        if is_clustered and board_cards(street) not in (3, 4):
            raise HoldemValueError(f"buckets by histogram are for flops and turns, not {street}s")
        strengths = hand_strengths(
            street,
            opponent="random" if opponent is None else opponent,
            bins=(BINS if bins is None else bins) if is_clustered else None,
            memory=memory,
            workers=workers,
            progress=progress,
        )
    try:
        if is_clustered:
            assert own_seed is not None
            found = _cluster(strengths, buckets, own_seed, workers, progress)
        else:
            found = in_worker_thread(lambda: _divide(strengths, buckets, by))
        return in_worker_thread(lambda: _summarize(strengths, found, buckets, by, own_seed))
    except KeyboardInterrupt:
        raise Interrupted(None) from None


def check_buckets(buckets: int, by: By, seed: Seed | None, bins: int | None) -> bool:
    """Validate arguments of `card_abstraction`; return whether buckets are by histogram."""
    require_text(by, "by")
    if by not in ("equity", "ehs2", "histogram"):
        raise HoldemValueError(f"no buckets by {quoted(by)}; use equity, ehs2 or histogram")
    if by == "histogram":
        resolve_seed(seed)
        checked_integer(buckets, "buckets by histogram", 2, MOST_CLUSTERS, HoldemValueError)
        return True
    checked_integer(buckets, "buckets", 2, NO_LABEL, HoldemValueError)
    for name, value in (("bins", bins), ("seed", seed)):
        if value is not None:
            raise HoldemValueError(f"{name} is for buckets by histogram, not by {by}")
    return False


def _cluster(
    strengths: HandStrengths, buckets: int, seed: int, workers: int, progress: bool
) -> NDArray[np.uint16]:
    """Divide the hands of a street into `buckets` clusters of similar histograms.

    A hand's cluster, ``(board, combo)``, is `NO_LABEL` where hole cards and board share a card, or
    where the opponent can have no hand.
    """
    assert strengths.histogram is not None
    boards = street_boards(strengths.street)
    # Of hands that are equal up to suits, one counts for all.
    counts = np.array([np.bincount(own, minlength=COMBO_COUNT) for own in boards.least])
    weights = np.empty(strengths.histogram.shape[:2], dtype=np.uint16)
    for rows in row_blocks(len(weights)):
        own = counts[boards.groups[rows]] * boards.deals[rows, None]
        own[find_blocked(strengths.boards[rows])] = 0
        own[~strengths.histogram[rows].any(axis=2)] = 0  # where the opponent has no hand
        weights[rows] = own
    found = cluster_histograms(
        strengths.histogram, weights, strengths.runouts, buckets, seed, workers, progress=progress
    )
    for rows in row_blocks(len(found)):
        found[rows] = np.take_along_axis(found[rows], boards.least[boards.groups[rows]], axis=1)
    return found


def _divide(strengths: HandStrengths, buckets: int, by: By) -> NDArray[np.uint16]:
    """Divide the hands of a street into `buckets` quantiles by equity or, with "ehs2", by E[HS²].

    Quantiles are ``(board, combo)``, from 0 for the weakest; `NO_LABEL` where hole cards and board
    share a card, or where the opponent can have no hand.
    """
    values: NDArray[Any] = strengths.points if strengths.is_random else strengths.equity
    if by == "ehs2" and strengths.street != "river":  # there it orders hands as equity does
        is_exact = strengths.is_random and strengths.squares is not None
        values = strengths.squares if is_exact else strengths.ehs2  # type: ignore[assignment]
    distinct: NDArray[Any] = np.empty(0, values.dtype)
    counts = np.empty(0, dtype=np.int64)
    for block in row_blocks(len(values), _SORTED_ROWS):
        for deals in np.unique(strengths.deals[block]):
            rows = block.start + np.flatnonzero(strengths.deals[block] == deals)
            own = values[rows][~find_blocked(strengths.boards[rows])]
            own, numbers = np.unique(own[own == own], return_counts=True)
            distinct, where = np.unique(np.append(distinct, own), return_inverse=True)
            counts = np.bincount(where, np.append(counts, numbers * int(deals))).astype(np.int64)
    if len(distinct) < buckets:
        raise HoldemValueError(
            f"only {len(distinct):,} hands have different strengths: use at most"
            f" {len(distinct):,} buckets"
        )
    middles = np.cumsum(counts) - counts / 2
    number = np.arange(len(distinct))
    bucket = np.floor(middles / counts.sum() * buckets).astype(np.int64)
    # No bucket is empty: numbers start at 0, rise by at most 1, and reach the last one.
    bucket[0] = 0
    bucket = np.minimum.accumulate(bucket - number) + number
    bucket = np.maximum(bucket, buckets - len(distinct) + number)
    lowest = distinct[np.searchsorted(bucket, np.arange(buckets))]
    found = np.empty(values.shape, dtype=np.uint16)
    for rows in row_blocks(len(values)):
        found[rows] = np.searchsorted(lowest, values[rows], side="right") - 1
        found[rows][find_blocked(strengths.boards[rows]) | (values[rows] != values[rows])] = (
            NO_LABEL
        )
    return found


def _summarize(
    strengths: HandStrengths,
    found: NDArray[np.uint16],
    buckets: int,
    by: By,
    seed: int | None,
) -> CardAbstraction:
    """Number the buckets from weak to strong, and compute the size and the means of each.

    `found` has the bucket of each hand, ``(board, combo)``, numbered from 0 in any order;
    `NO_LABEL` where hole cards and board share a card, or where the opponent can have no hand.
    """
    is_clustered = by == "histogram"
    sizes, sums = np.zeros(buckets), np.zeros(buckets)
    shares = np.zeros((buckets, strengths.bins or 0))
    for rows in row_blocks(len(found)):
        has_hand = found[rows] != NO_LABEL
        own = found[rows][has_hand]
        deals = np.broadcast_to(strengths.deals[rows, None], has_hand.shape)[has_hand]
        sizes += np.bincount(own, deals, buckets)
        if not strengths.is_random:
            equities = strengths.equity[rows][has_hand].astype(np.float64)
        else:
            equities = strengths.points[rows][has_hand] / strengths.most
        sums += np.bincount(own, deals * equities, buckets)
        if is_clustered:
            assert strengths.histogram is not None
            # A hand counts as often on few boards, where the opponent seldom has a hand, as on all.
            totals = strengths.histogram[rows].sum(axis=2)[has_hand]
            weights = deals * (strengths.runouts / totals)
            for column in range(shares.shape[1]):
                bins = strengths.histogram[rows, :, column][has_hand]
                shares[:, column] += np.bincount(own, weights * bins, buckets)
    order = np.argsort(sums / sizes, kind="stable")
    number = np.full(NO_LABEL + 1, NO_LABEL, dtype=np.uint16)
    number[order] = np.arange(buckets)
    return CardAbstraction(
        street=strengths.street,
        by=by,
        opponent=strengths.opponent,
        bins=strengths.bins if is_clustered else None,
        seed=seed,
        boards=strengths.boards,
        deals=strengths.deals,
        buckets=read_only(number[found]),
        sizes=read_only(sizes[order].astype(np.int64)),
        equity=read_only((sums / sizes)[order]),
        histogram=(
            read_only((shares / shares.sum(axis=1, keepdims=True))[order].astype(np.float32))
            if is_clustered
            else None
        ),
    )
