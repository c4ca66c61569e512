"""The public function `hits` and its result: made hands, draws and future hand categories."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import reduce
from math import comb, fsum
from operator import or_
from typing import Any, ClassVar, NamedTuple

import attrs
import numpy as np
from numpy.typing import NDArray

from holdem.base_result import EvaluatorLabel, Plottable, Result
from holdem.cards import DECK_SIZE, Card, CardArray, CardsLike
from holdem.errors import HoldemTypeError, HoldemValueError, did_you_mean, quoted
from holdem.evaluation.registry import EvaluatorLike
from holdem.jit.decorators import inlined, kernel
from holdem.jit.numpy_first import kernel_or_numpy
from holdem.jobs.run import End, Stopwatch, Task, run
from holdem.jobs.workers import Workers, count_workers
from holdem.odds.exact.counting_in_numpy import count_categories_in_numpy
from holdem.odds.exact.method import ExhaustiveJob
from holdem.odds.exact.ranked_combos import BLOCKED, HANDS_PER_TASK, rank_combos, rank_every_combo
from holdem.odds.plan import UNSAMPLED_FACTOR, budget_of, require_affordable
from holdem.odds.spot import BOARD_SIZE, PlayerLike, Spot, make_spot
from holdem.odds.symmetry import card_fixing_permutations, list_canonical_boards, permuted_combos
from holdem.ranges.combos import COMBO_CARDS, COMBO_COUNT, Mask
from holdem.ranges.range import Range
from holdem.ranges.weights import combo_records
from holdem.rules import STRAIGHT, THREE_OF_A_KIND, RuleSet

_FUSED_HANDS_PER_TASK = 1 << 22  # some 10 ms

NEEDS_A_BOARD = "a range is narrowed by what it hits on a board of 3, 4 or 5 cards; give the board"

#: Numbers of boards, ``int64 (combo, category)``.
Counts = NDArray[np.int64]


@attrs.frozen
class HitGroup:
    """The combos of a range that have a given made hand or draw."""

    combos: float
    """The sum of their weights."""
    share: float
    """Their share of the range's live combos, by weight, from 0 to 1."""
    range: Range
    """The combos with their weights."""

    def to_dict(self, *, members: bool = False) -> dict[str, Any]:
        """Convert the group to a JSON object, in which the range is its canonical text.

        Args:
            members: also list the combos with their weights, under ``members``.
        """
        record = {"combos": self.combos, "share": self.share, "range": str(self.range)}
        if members:
            record["members"] = combo_records(self.range.weights)
        return record


@attrs.frozen(repr=False)
class Hits(Result, Plottable):
    """The made hands and draws that a range has on a board, as `hits` finds them.

    Equality ignores `elapsed`.
    """

    _report: ClassVar[str] = "holdem.report.range_report:hits_report"
    _chart: ClassVar[str] = "holdem.report.plots.charts:hits_chart"

    range: str
    """The range as given; canonical text for a `Range`."""
    combos: float
    """The sum of the weights of the live combos: those without a board or dead card."""
    made: dict[str, HitGroup] = attrs.field(hash=False)
    """The combos with each made hand, strongest hand first; every live combo is in one of them.
    Empty before the flop."""
    draws: dict[str, HitGroup] = attrs.field(hash=False)
    """The combos with each draw; a combo may be in several. Empty but on a flop or turn, and
    where twos are wild."""
    by_next_card: dict[str, float] = attrs.field(hash=False)
    """The probability of each category after the next card, strongest category first. Empty but
    on a flop or turn."""
    by_river: dict[str, float] = attrs.field(hash=False)
    """The probability of each category at the river, strongest category first."""
    runouts: int
    """The number of runouts of each combo."""
    board: tuple[Card, ...]
    dead: tuple[Card, ...]
    evaluator: EvaluatorLabel
    elapsed: float = attrs.field(eq=False)
    """The duration in seconds, without the time to compile and load kernels."""

    def __repr__(self) -> str:
        text = self.range if len(self.range) <= 24 else self.range[:23] + "…"
        shares = {name: group.share for name, group in self.made.items()} or self.by_river
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
            report: {name: group.to_dict(members=members) for name, group in found.items()}
            for report, found in (("made", self.made), ("draws", self.draws))
        }
        return {
            "schema": "holdem/hits/1",
            "range": self.range,
            "combos": self.combos,
            "board": [str(card) for card in self.board],
            "dead": [str(card) for card in self.dead],
            "runouts": self.runouts,
            "evaluator": self.evaluator.to_dict(),
            "elapsed": self.elapsed,
            **groups,
            "by_next_card": dict(self.by_next_card),
            "by_river": dict(self.by_river),
        }


def hits(
    hands: PlayerLike,
    *,
    board: CardsLike | None = None,
    dead: CardsLike | None = None,
    fine: bool = False,
    workers: int | None = None,
    evaluator: EvaluatorLike | None = None,
    progress: bool = False,
) -> Hits:
    """Compute a range's made hands and draws on a board, and its future hand categories.

    All numbers are exact, and there are no opponents. Combos with a board or dead card are left
    out, and the others count by their weights. Probabilities are over the live combos and all
    runouts that can follow each.

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
        The made hands and draws on the board, and the probabilities of the categories after
        the next card and at the river.

    Raises:
        HoldemError: an argument is invalid, or another evaluator than the default would take
            too long.
        Interrupted: Ctrl-C was pressed; ``finished`` is None.
    """
    workers = count_workers(workers)
    spot = make_spot((hands,), board, dead, evaluator, fewest=1)
    return hits_of_spot(spot, workers, fine=fine, progress=progress)


def unite_lines(
    made: Mapping[str, Range], draws: Mapping[str, Range], lines: Iterable[str]
) -> Range:
    """Unite the combos of made hands and draws.

    Args:
        made: the combos with each made hand, strongest hand first.
        draws: the combos with each draw.
        lines: the names, as for `Hits.keep`.

    Raises:
        HoldemValueError: there are none, or there is no such made hand or draw.
        HoldemTypeError: a name is not a string.
    """
    if not made:
        raise HoldemValueError(NEEDS_A_BOARD)
    parts: dict[str, tuple[str, ...]] = {name: (name,) for name in (*made, *draws)}
    parts |= {name: fine for name, fine in FINE_LINES.items() if parts.keys() >= {*fine}}
    strongest = list(made)
    united = Range("")
    for line in lines:
        if not isinstance(line, str):
            raise HoldemTypeError(f"a made hand or draw must be text, not {quoted(line)}")
        for text in line.split(","):
            name = " ".join(text.lower().split())
            name, plus = name.removesuffix("+").rstrip(), name.endswith("+")
            if name not in parts:
                raise HoldemValueError(
                    f"no made hand or draw {quoted(text.strip())} on this board"
                    f"{did_you_mean(name, parts)}; there are: {', '.join(parts)}"
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


def hits_of_spot(
    spot: Spot,
    workers: int,
    *,
    fine: bool = False,
    progress: bool = False,
    within: Workers | None = None,
) -> Hits:
    """Compute the hits of the only player of a spot.

    Args:
        spot: the range, the board and the dead cards.
        workers: the number of threads.
        fine: as for `hits`.
        progress: show a progress bar on standard error.
        within: as in `holdem.jobs.run.run`.
    """
    stopwatch = Stopwatch()

    def count(to_come: int) -> Counts:
        job = CategoryCount(spot, to_come)
        return run(job, workers, progress=progress, within=within)

    by_river = count(spot.to_come)
    by_next_card, made, drawing = {}, {}, {}
    rules, live = spot.evaluator.rules, spot.live[0]
    if spot.board:
        now = count(0) if spot.to_come else by_river
        made = find_made_hands(live, spot.board, now.argmax(axis=1), rules)
    if spot.board and spot.to_come:
        following = count(1) if spot.to_come > 1 else by_river
        by_next_card = _compute_probabilities(spot, following)
        drawing = {} if rules.deuces_wild else find_draws(live, spot.board, rules)
    if not fine:
        made, drawing = join_fine_lines(made), join_fine_lines(drawing)
    return Hits(
        range=spot.texts[0],
        combos=fsum(spot.weights(0)),
        made=make_groups(spot, made),
        draws=make_groups(spot, drawing),
        by_next_card=by_next_card,
        by_river=_compute_probabilities(spot, by_river),
        runouts=spot.runouts,
        board=spot.board,
        dead=spot.dead,
        evaluator=spot.evaluator.label,
        elapsed=stopwatch.elapsed,
    )


class CategoryCount(ExhaustiveJob[Counts]):
    """Job that counts the boards on which each combo of a range has each category.

    Before the flop, boards that are equal up to suit permutations are ranked once, together
    with all images of the combos. The weights need not be symmetric, because each combo is
    counted alone.

    The answer is ``int64 (combo, category)``, for the combos ``spot.live[0]`` and the categories
    of the rule set, weakest first.
    """

    def __init__(self, spot: Spot, to_come: int) -> None:
        """Create the job.

        Args:
            spot: a spot of one player.
            to_come: the number of cards dealt to the board: 0 or 1, or all that are missing.

        Raises:
            BudgetError: the evaluator would take too long.
        """
        self._spot = spot
        self._size = len(spot.board) + to_come
        self._group = np.zeros(1, dtype=np.intp)  # the identity
        if not spot.board:
            self._group = card_fixing_permutations(spot)
        self._combos = np.unique(permuted_combos()[self._group[:, None], spot.live[0]])
        # Whether the default evaluator ranks complete boards, which it does in a kernel.
        self._is_fused = spot.evaluator.is_fused and self._size == BOARD_SIZE
        combos, boards = len(self._combos), comb(len(spot.free), to_come) // len(self._group)
        require_affordable(
            f"{combos:,} combos on {boards:,} boards",
            boards * combos * spot.evaluator.evaluations(7),
            UNSAMPLED_FACTOR * budget_of(spot.evaluator),
            "narrow the range, add board cards or use the default evaluator",
        )

    def prepare(self) -> None:
        """Load the evaluator and list the boards."""
        spot = self._spot
        self._scale = spot.evaluator.scale
        self._boards = list_canonical_boards(spot.board, spot.free, self._group, self._size)
        shape = len(self._combos), len(spot.evaluator.rules.categories)
        self._sums = np.zeros(shape, dtype=np.int64)
        cost = len(self._boards.cards) * len(self._combos)
        self._count_categories = kernel_or_numpy(count_categories, count_categories_in_numpy, cost)

    def tasks(self) -> Iterator[Task[Counts]]:
        """Create tasks that each rank all combos on one batch of boards."""
        hands = _FUSED_HANDS_PER_TASK if self._is_fused else HANDS_PER_TASK
        return self.batches(self._count, len(self._boards.cards), hands // len(self._combos))

    def _count(self, rows: slice, workers: Workers) -> Counts:
        boards, sizes = self._boards.cards[rows], self._boards.orbit_sizes[rows]
        if self._is_fused:
            strengths = np.arange(len(self._scale.strengths) + 1)
            categories_of = self._scale.categories(strengths).astype(np.uint8)
            counts = np.zeros_like(self._sums)
            self._count_categories(boards, sizes, COMBO_CARDS[self._combos], categories_of, counts)
            return counts
        combos, categories = self._sums.shape
        strengths = rank_combos(self._spot.evaluator, boards, self._combos, workers)
        board, combo = np.nonzero(strengths != BLOCKED)
        cells = combo * categories + self._scale.categories(strengths[board, combo])
        counts = np.bincount(cells, weights=sizes[board], minlength=combos * categories)
        return counts.astype(np.int64).reshape(combos, categories)

    def answer(self, end: End) -> Counts:  # noqa: ARG002 - there is no time limit
        """Extend the counts to all boards, and select those of the range's combos."""
        by_combo = np.zeros((self._sums.shape[1], COMBO_COUNT), dtype=np.int64)
        by_combo[:, self._combos] = self._sums.T
        return self._boards.spread(by_combo)[:, self._spot.live[0]].T


def make_groups(spot: Spot, masks: dict[str, Mask]) -> dict[str, HitGroup]:
    """Make the groups of the only range of a spot from masks of its live combos."""
    total = fsum(spot.weights(0))
    found = {}
    for name, mask in masks.items():
        weights: NDArray[np.float64] = np.zeros(COMBO_COUNT)
        weights[spot.live[0][mask]] = spot.weights(0)[mask]
        combos = fsum(weights)
        found[name] = HitGroup(combos, combos / total, Range.from_weights(weights))
    return found


def _compute_probabilities(spot: Spot, counts: Counts) -> dict[str, float]:
    """Compute the probability of each hand category from board counts, strongest category first."""
    weights = spot.weights(0)
    sums = [fsum(weights * of_category) for of_category in counts.T]
    total = fsum(sums)
    named = zip(spot.evaluator.rules.categories, sums, strict=True)
    return {name: found / total for name, found in reversed(list(named))}


class _Counts(NamedTuple):
    """The counts that `count_categories` updates, with the orbit sizes and categories it uses."""

    orbit_sizes: NDArray[np.uint8]
    categories: NDArray[np.uint8]
    counts: NDArray[np.int64]


@inlined
def _count(board: int, combo: int, strength: np.uint16, counts: _Counts) -> None:
    counts.counts[combo, counts.categories[strength]] += np.int64(counts.orbit_sizes[board])


@kernel
def count_categories(
    boards: CardArray,
    orbit_sizes: NDArray[np.uint8],
    holes: CardArray,
    categories: NDArray[np.uint8],
    counts: NDArray[np.int64],
) -> None:
    """Count the boards on which each combo has each category, weighting boards by orbit size.

    Combos that share a card with a board are left out.

    Args:
        boards: ``uint8 (board, 5)``.
        orbit_sizes: ``uint8 (board,)``.
        holes: the cards of each combo, ``uint8 (combo, 2)``.
        categories: the number of the category of each strength, ``uint8 (strength,)``.
        counts: added to, ``int64 (combo, category)``.
    """
    rank_every_combo(boards, holes, _count, _Counts(orbit_sizes, categories, counts))


# --- made hands and draws ----------------------------------------------------------------

SET, TRIPS, BOARD_TRIPS = "set", "trips", "three of a kind on the board"
TWO_PAIR, OVERPAIR, TOP_PAIR, SECOND_PAIR = "two pair", "overpair", "top pair", "second pair"
WEAK_PAIR, BOARD_PAIR, ACE_HIGH, NOTHING = "weak pair", "board pair", "ace high", "no made hand"

FLUSH_DRAW, BACKDOOR_FLUSH_DRAW = "flush draw", "backdoor flush draw"
OPEN_ENDED, GUTSHOT, OVERCARDS = "open-ended", "gutshot", "overcards"
COMBO_DRAW, DOUBLE_GUTSHOT = "combo draw", "double gutshot"

#: The finer lines into which a made hand or a draw is split.
FINE_LINES = {
    TOP_PAIR: tuple(f"{TOP_PAIR} ({kicker} kicker)" for kicker in ("top", "good", "weak")),
    WEAK_PAIR: ("pocket pair below second pair", "third pair or lower"),
    FLUSH_DRAW: (f"{FLUSH_DRAW} (nut)", f"{FLUSH_DRAW} (other)"),
}
_ONLY_FINE = (COMBO_DRAW, DOUBLE_GUTSHOT)
#: Names of all draws.
DRAWS = {
    *(FLUSH_DRAW, *FINE_LINES[FLUSH_DRAW], BACKDOOR_FLUSH_DRAW, OPEN_ENDED, GUTSHOT, OVERCARDS),
    *_ONLY_FINE,
}

_ACE = 12


def find_made_hands(
    combos: NDArray[np.intp],
    board: Sequence[int],
    categories: NDArray[np.intp],
    rules: RuleSet,
) -> dict[str, Mask]:
    """Find the combos with each made hand, split as finely as possible, strongest hand first.

    Every combo has exactly one: the first that fits. Straights and better hands are categories
    of the rule set. Below them, made hands say how the hole cards and the board make the hand.
    If twos are wild, all made hands are categories.

    Args:
        combos: combos that share no card with the board, ``intp (combo,)``.
        board: 3 to 5 cards.
        categories: the category of each combo with the board, as an index into the categories
            of the rule set, ``intp (combo,)``.
        rules: the rule set.

    Returns:
        For each made hand a mask, ``bool (combo,)``.
    """
    complete = range(len(rules.categories))
    if not rules.deuces_wild:
        complete = complete[rules.categories.index(STRAIGHT) :]
    fitting = {rules.categories[number]: categories == number for number in reversed(complete)}
    if not rules.deuces_wild:
        fitting |= _find_lower_made_hands(
            combos, board, categories == rules.categories.index(THREE_OF_A_KIND)
        )
    found = {}
    unassigned = np.ones(len(combos), dtype=np.bool_)
    for name, fits in fitting.items():
        found[name] = fits & unassigned
        unassigned &= ~fits
    return found


def _find_lower_made_hands(
    combos: NDArray[np.intp], board: Sequence[int], threes: Mask
) -> dict[str, Mask]:
    """Find the combos that fit each made hand below a straight, strongest hand first.

    A combo may fit several. `threes` are the combos with three of a kind.
    """
    high, low = (COMBO_CARDS[combos] >> 2).T
    on_board = np.bincount(np.array(board) >> 2, minlength=_ACE + 1)
    # Without a second rank on the board, every combo has three of a kind or better.
    first, second = [*np.flatnonzero(on_board)[::-1].tolist(), -1][:2]
    is_pocket_pair = high == low
    is_top_pair = (high == first) | (low == first)
    # The number of ranks above the kicker that are not on the board.
    above = np.cumsum(on_board[::-1] == 0)[::-1][np.where(high == first, low, high)] - 1
    kickers = (above == 0, (above > 0) & (above < 3), above > 2)
    top_pairs = zip(FINE_LINES[TOP_PAIR], kickers, strict=True)
    below_second, third = FINE_LINES[WEAK_PAIR]
    high_pairs, low_pairs = on_board[high] > 0, on_board[low] > 0
    return {
        SET: threes & is_pocket_pair,
        TRIPS: threes & (on_board.max() < 3),
        BOARD_TRIPS: threes,
        TWO_PAIR: high_pairs & low_pairs & ~is_pocket_pair,
        OVERPAIR: is_pocket_pair & (high > first),
        **{name: is_top_pair & kicker for name, kicker in top_pairs},
        SECOND_PAIR: (high == second) | (low == second) | is_pocket_pair & (high > second),
        below_second: is_pocket_pair,
        third: high_pairs | low_pairs,
        BOARD_PAIR: np.full(len(combos), on_board.max() > 1),
        ACE_HIGH: high == _ACE,
        NOTHING: np.ones(len(combos), dtype=np.bool_),
    }


def join_fine_lines(lines: dict[str, Mask]) -> dict[str, Mask]:
    """Join the finely split made hands and draws into the usual made hands and draws."""
    whole = {fine: name for name, parts in FINE_LINES.items() for fine in parts}
    joined: dict[str, Mask] = {}
    for fine, mask in lines.items():
        name = whole.get(fine, fine)
        if name not in _ONLY_FINE:
            joined[name] = joined[name] | mask if name in joined else mask
    return joined


def find_draws(combos: NDArray[np.intp], board: Sequence[int], rules: RuleSet) -> dict[str, Mask]:
    """Find the combos with each draw on a flop or turn, split as finely as possible.

    A combo may have several. Draws are a matter of ranks and suits: dead cards and better made
    hands do not end them.

    Args:
        combos: combos that share no card with the board, ``intp (combo,)``.
        board: 3 or 4 cards.
        rules: the rule set, in which no card is wild.

    Returns:
        For each draw a mask, ``bool (combo,)``.
    """
    holes = COMBO_CARDS[combos]
    in_hole = (holes[:, :, None] & 3 == np.arange(4)).sum(axis=1)  # (combo, suit)
    in_hand = in_hole + np.bincount(np.array(board) & 3, minlength=4)
    suited = np.where(in_hole > 0, in_hand, 0)
    is_flush_draw = suited.max(axis=1) == 4
    # The highest card of each suit that is not on the board.
    highest = [max({*range(suit, DECK_SIZE, 4)} - {*board}) for suit in range(4)]
    has_highest = (holes == np.array(highest)[suited.argmax(axis=1), None]).any(axis=1)
    nut, other = FINE_LINES[FLUSH_DRAW]
    high, low = (holes >> 2).T
    ranks = _count_straight_ranks(holes, board, rules)
    in_a_row = _encode_held_ranks(holes, board)
    for _ in range(3):
        in_a_row &= in_a_row >> 1
    return {
        nut: is_flush_draw & has_highest,
        other: is_flush_draw & ~has_highest,
        BACKDOOR_FLUSH_DRAW: (suited.max(axis=1) == 3) & (len(board) == 3),
        COMBO_DRAW: is_flush_draw & (ranks > 0),
        OPEN_ENDED: ranks >= 2,
        DOUBLE_GUTSHOT: (ranks >= 2) & (in_a_row == 0),
        GUTSHOT: ranks == 1,
        OVERCARDS: (low > max(board) >> 2) & (low < high),
    }


def _count_straight_ranks(
    holes: NDArray[np.uint8], board: Sequence[int], rules: RuleSet
) -> NDArray[np.intp]:
    """Count the ranks that would give a combo a straight better than its present one and than the
    board's own straight with that rank.

    The result is ``intp (combo,)``.
    """
    straights = np.array([_encode_ranks(straight) for straight in rules.straights])
    added = np.array([_encode_ranks([card.rank]) for card in rules.deck[::4]])
    on_board = np.array([_encode_ranks(card >> 2 for card in board)])
    held = _encode_held_ranks(holes, board)

    def find_best(ranks: NDArray[np.int64]) -> NDArray[np.intp]:
        """Find the strength of the best straight in each set of ranks; 0 if there is none."""
        strengths = np.arange(len(straights), 0, -1)
        contained = ranks[..., None] & straights == straights
        found: NDArray[np.intp] = np.where(contained, strengths, 0).max(axis=-1)
        return found

    made = find_best(held[:, None] | added)
    better = (made > find_best(held)[:, None]) & (made > find_best(on_board | added))
    count: NDArray[np.intp] = better.sum(axis=1)
    return count


def _encode_held_ranks(holes: NDArray[np.uint8], board: Sequence[int]) -> NDArray[np.int64]:
    """Encode the ranks of each combo together with the board's, ``int64 (combo,)``."""
    own: NDArray[np.int64] = np.bitwise_or.reduce(1 << (holes >> 2).astype(np.int64), axis=1)
    return own | _encode_ranks(card >> 2 for card in board)


def _encode_ranks(ranks: Iterable[int]) -> int:
    """Encode a set of ranks as an integer in which bit ``rank`` is set for each rank."""
    return sum({1 << rank for rank in ranks})
