"""The weight of the ways in which several opponents hold weaker hands that share no card.

Fix a player's hand on a final board. The cards left are the vertices of a graph, and each weaker
hand that opponents may hold is an *edge* between its two cards, with its weight in the range. That
k opponents all have weaker hands, and no card is held twice, is a *matching*: k edges that touch
neither each other nor the two cards of the player. M_k is the weight of all matchings: the sum,
over the choices of an edge for the first opponent, the second and so on, of the product of their
weights. Write A for the matrix of weights, d(v) for the weight of the edges at card v, E for the
weight of all edges, and J(v) for the sum of A(u, v)^2 over u. First, without the player's cards:

    M_1 = E
    M_2 = E^2 - (sum of d^2) + (sum of w^2)
    M_3 = E^3 - 3 E ((sum of d^2) - (sum of w^2)) + 2 (sum of d^3) + 3 d.A.d - 6 d.J
          + 4 (sum of w^3) - tr A^3

where sums of d are over cards, and sums of w over edges. M_2 takes all pairs of edges, E^2, less
those that share a card: d(v)^2 at card v. A pair of an edge with itself shares two cards, and is
subtracted twice. For different opponents j and k, squares are products: M_2 = E_j E_k - (sum of d_j
d_k) + (sum of w_j w_k). M_3 is inclusion-exclusion over which of the three pairs of edges touch.
Pair by pair, E times the pairs that touch is subtracted, three times. If two pairs touch, edge e
meets both others: the sum of w(e) (d(a) + d(b) - w(e))^2 over the edges e = {a, b} is added, three
times. If all three touch, they are a star, (sum of d^3) - (sum of w^3), or a triangle, tr A^3 (each
of six orders counts): these are subtracted once. Multiplied out, this is M_3.

Now without the edges at the player's cards x and y. Each term is a sum over cards, or over walks
along edges, so those that touch x or y are subtracted:

    E becomes E - d(x) - d(y) + A(x, y), since the edge {x, y} goes once,
    d(v) becomes d(v) - A(x, v) - A(y, v), J(v) becomes J(v) - A(x, v)^2 - A(y, v)^2, and
    tr A^3 becomes tr A^3 - 3 A^3(x, x) - 3 A^3(y, y) + 6 A(x, y) A^2(x, y)

and d.A.d, which is the sum over edges of w d(a) d(b), twice, loses the walks of three edges through
x or y: with D = A d and Z = A D, it becomes

    d.A.d - 2 Z(x) - 2 Z(y) + A^3(x, x) + A^3(y, y) + 2 A^3(x, y)
    + 2 (g h w - g (D(x) - J(x) - A^2(x, y)) - h (D(y) - J(y) - A^2(x, y)))

with w = A(x, y), g = d(x) - w and h = d(y) - w. `close` computes D, Z and A^3(v, v) for all cards,
once for all hands that are compared with the same graph.

*Ties.* An equally strong hand counts with t times its weight, so M_k is a polynomial F(t) of
degree k: F(0) is the weight of the deals that the player wins alone, and F(1) - F(0) that of those
that it ties. Its share of the pots is the integral of F from 0 to 1, because a tie with j others
contributes t^j, and the share is 1 / (j + 1). Simpson's rule, (F(0) + 4 F(1/2) + F(1)) / 6, is
exact up to degree 3, so up to four players. All edges have twice their weights, 2 w or 2 t w, so
that 2^k F is an integer for t = 0, 1/2 and 1 if weights are.

*Different opponents.* Of two, both graphs are kept. M_3 for three is a sum of M_3 for equal ranges
(`holdem.odds.exact.contests`).

*Kinds.* Cards that no weight tells apart are a *kind*, one row of A with a count: sums over cards
get a factor, the count, and A(u, u) is the weight of each edge between two cards of kind u, so it
does not join a card with itself. A board's own cards are kinds of a single card.

All of this is polynomials with whole coefficients. So with int64, which wraps around, a result is
exact if it is itself below 2^63, whatever overflows on the way. Doubles are twice as fast, and
exact if all terms are integers below 2^53 (`fits_doubles`). Otherwise, terms are added in any
order, and the rounding is relative to the weight of all deals.
"""

from __future__ import annotations

from math import prod
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import DTypeLike, NDArray

from holdem.jit.kernels import inlined, reordered, unowned
from holdem.odds.exact.sweep import Index, high_card, index_of, low_card

#: The number of rows for single cards, and for kinds: whole vectors of 16 numbers.
CARDS, KINDS = 64, 32
_DECK = np.uint64(52)

#: Numbers to a contest, in `Graphs.contests`.
CONTEST = np.uint64(5)

_ONE, _TWO, _THREE, _FOUR = (np.uint64(n) for n in range(1, 5))


class Graphs(NamedTuple):
    """Graphs of weaker hands, each from a row of weights, and what their matchings are made of.

    All arrays are flat, and all but `contests` are of one dtype, int64 or float64. In kernels, they
    are `unowned`: views, or arrays whose references are counted, take as long as a matching. There
    are `size` kinds, so element ``[graph, u, v]`` of a matrix is at ``(graph * size + u) * size +
    v``.
    """

    size: int
    graphs: int
    contests: NDArray[np.int64]
    """For each contest, the number of opponents with ranges and their graphs, which is ``1, j, j``,
    ``2, j, k`` or ``3, j, j``; the number of opponents whose hands are known; and 1 if the player's
    hand is known, otherwise 0: ``int64 (contest, 5)``."""
    contest_count: int
    has_three: bool
    """Whether there are three opponents in any contest."""
    counts: NDArray[Any]
    """The number of cards of each kind, ``(kind,)``."""
    weights: NDArray[Any]
    """A, ``(graph, kind, kind)``."""
    totals: NDArray[Any]
    """E, ``(graph,)``."""
    degrees: NDArray[Any]
    """d, ``(graph, kind)``."""
    squares: NDArray[Any]
    """J, for two different graphs with the products of their weights, ``(contest, kind)``."""
    square_totals: NDArray[Any]
    """The sum of those squares or products over all edges, ``(contest,)``."""
    # The following are kept for contests of three opponents only.
    cubes: NDArray[Any]
    """The sum of A(u, v)^3 over u, ``(graph, kind)``."""
    cube_totals: NDArray[Any]
    """The sum of the cubes over all edges, ``(graph,)``."""
    loops: NDArray[Any]
    """A(u, u), ``(graph, kind)``."""
    paths: NDArray[Any]
    """A^2, also with the paths from a card back to a card of its kind, ``(graph, kind, kind)``."""
    ends: NDArray[Any]
    """D, ``(graph, kind)``; this and the following are updated by `close`."""
    far: NDArray[Any]
    """Z, ``(graph, kind)``."""
    closed: NDArray[Any]
    """A^3(v, v), ``(graph, kind)``."""
    walk_totals: NDArray[Any]
    """d.A.d and tr A^3, ``(graph, 2)``."""


def allocate_graphs(
    graphs: int, contests: NDArray[np.int64], size: int, dtype: DTypeLike
) -> Graphs:
    """Allocate graphs without edges, of kinds without cards."""
    has_three = bool((contests[:, 0] == 3).any())
    threes = graphs * has_three

    def zeros(*shape: int) -> NDArray[Any]:
        return np.zeros(prod(shape), dtype)

    rows = len(contests)
    return Graphs(
        size,
        graphs,
        np.ascontiguousarray(contests, np.int64).ravel(),
        rows,
        has_three,
        zeros(size),
        zeros(graphs, size, size),
        zeros(graphs),
        zeros(graphs, size),
        zeros(rows, size),
        zeros(rows),
        zeros(threes, size),
        zeros(threes),
        zeros(threes, size),
        zeros(threes, size, size),
        zeros(threes, size),
        zeros(threes, size),
        zeros(threes, size),
        zeros(threes, 2),
    )


def fits_doubles(most: float, opponents: int) -> bool:
    """Check whether all terms are below 2^53 if no graph has more than `most` weight on its edges.

    With doubled weights, no sum in M_2 is above 4 (2 E)^2, and none in M_3 above 64 (2 E)^3.
    """
    return bool(4 ** (2 * opponents - 3) * (2 * most) ** opponents < 2**53)


@inlined
def borrow(room: Graphs, size: int) -> Graphs:
    """Return graphs with the same arrays, `unowned`.

    If `size` is a constant, the code for other sizes is not compiled.
    """
    return Graphs(
        size,
        room.graphs,
        unowned(room.contests),
        room.contest_count,
        room.has_three,
        unowned(room.counts),
        unowned(room.weights),
        unowned(room.totals),
        unowned(room.degrees),
        unowned(room.squares),
        unowned(room.square_totals),
        unowned(room.cubes),
        unowned(room.cube_totals),
        unowned(room.loops),
        unowned(room.paths),
        unowned(room.ends),
        unowned(room.far),
        unowned(room.closed),
        unowned(room.walk_totals),
    )


@reordered
def clear(own: Graphs) -> None:
    """Remove all edges but those in `Graphs.weights`, which `remove` takes out one by one."""
    size, graphs = np.uint64(own.size), np.uint64(own.graphs)
    for graph in range(graphs):
        own.totals[graph] = 0
    for n in range(graphs * size):
        own.degrees[n] = 0
    for contest in range(np.uint64(own.contest_count)):
        own.square_totals[contest] = 0
    for n in range(np.uint64(own.contest_count) * size):
        own.squares[n] = 0
    if own.has_three:
        for graph in range(graphs):
            own.cube_totals[graph] = 0
        for n in range(graphs * size):
            own.cubes[n] = 0
            own.loops[n] = 0
        for n in range(graphs * size * size):
            own.paths[n] = 0


@reordered
def remove(s: Any, t: Any, own: Graphs) -> None:
    """Set the weight of the edges between two kinds to 0 in `Graphs.weights`, and only there.

    Removing the edges of a few combos is faster than clearing the matrices.
    """
    for graph in range(np.uint64(own.graphs)):
        base = graph * np.uint64(own.size)
        own.weights[(base + s) * np.uint64(own.size) + t] = 0
        own.weights[(base + t) * np.uint64(own.size) + s] = 0


@reordered
def count_hands(s: Any, t: Any, own: Graphs) -> Any:
    """Count the hands of a card of kind `s` and one of kind `t`."""
    if s == t:
        return own.counts[s] * (own.counts[s] - 1) // 2
    return own.counts[s] * own.counts[t]


@reordered
def add(s: Any, t: Any, part: Any, weights: NDArray[Any], i: Any, step: Any, own: Graphs) -> None:
    """Add edges between kinds s and t, of `part` times the weight of a hand in each graph.

    The weight in graph g is ``weights[g * step + i]``.
    """
    size = np.uint64(own.size)
    at = s * size + t
    if own.size == CARDS and not own.has_three:
        # The general case below, for single cards: half of the time.
        for contest in range(np.uint64(own.contest_count)):
            j = np.uint64(own.contests[contest * CONTEST + _ONE])
            k = np.uint64(own.contests[contest * CONTEST + _TWO])
            first, second = weights[j * step + i], weights[k * step + i]
            if first == 0 or second == 0:
                continue
            more = part * (
                own.weights[j * size * size + at] * second
                + own.weights[k * size * size + at] * first
            )
            more += part * part * first * second
            own.square_totals[contest] += more
            own.squares[contest * size + s] += more
            own.squares[contest * size + t] += more
        for graph in range(np.uint64(own.graphs)):
            more = part * weights[graph * step + i]
            if more != 0:
                base = graph * size
                own.totals[graph] += more
                own.degrees[base + s] += more
                own.degrees[base + t] += more
                own.weights[base * size + at] += more
                own.weights[(base + t) * size + s] += more
        return
    hands = count_hands(s, t, own)
    # Cards of the other kind, besides the card itself; t gets nothing if it is the same kind.
    at_s, at_t = own.counts[t], own.counts[s]
    if s == t:
        at_s, at_t = at_s - 1, at_t - at_t
    for contest in range(np.uint64(own.contest_count)):
        if own.contests[contest * CONTEST] > 1:
            j = np.uint64(own.contests[contest * CONTEST + _ONE])
            k = np.uint64(own.contests[contest * CONTEST + _TWO])
            first = own.weights[j * size * size + at]
            second = own.weights[k * size * size + at]
            more = (first + part * weights[j * step + i]) * (second + part * weights[k * step + i])
            more -= first * second
            own.square_totals[contest] += more * hands
            own.squares[contest * size + s] += more * at_s
            own.squares[contest * size + t] += more * at_t
    for graph in range(np.uint64(own.graphs)):
        more = part * weights[graph * step + i]
        if more == 0:
            continue
        base = graph * size
        old = own.weights[(base + s) * size + t]
        new = old + more
        own.totals[graph] += more * hands
        own.degrees[base + s] += more * at_s
        own.degrees[base + t] += more * at_t
        if own.has_three:
            cube = new * new * new - old * old * old
            own.cube_totals[graph] += cube * hands
            own.cubes[base + s] += cube * at_s
            own.cubes[base + t] += cube * at_t
            if s == t:
                own.loops[base + s] = new
            _add_paths((base + s) * size, (base + t) * size, s, t, more, own)
        own.weights[(base + s) * size + t] = new
        own.weights[(base + t) * size + s] = new


@reordered
def _add_paths(at_s: Any, at_t: Any, s: Any, t: Any, more: Any, own: Graphs) -> None:
    """Add the paths over new edges between kinds s and t, of weight `more`, to `Graphs.paths`.

    `at_s` and `at_t` are the places of the kinds' rows.
    """
    size, start = np.uint64(own.size), at_s - s * np.uint64(own.size)
    paths, weights = own.paths, own.weights
    from_s, from_t = more * own.counts[t], more * own.counts[s]
    if s == t:
        from_t = from_t - from_t
    for u in range(size):
        paths[at_s + u] += from_s * weights[at_t + u]
    for u in range(size):
        paths[at_t + u] += from_t * weights[at_s + u]
    for u in range(size):
        paths[start + u * size + s] += from_s * weights[at_t + u]
    for u in range(size):
        paths[start + u * size + t] += from_t * weights[at_s + u]
    paths[at_s + s] += more * from_s
    paths[at_t + t] += more * from_t


@reordered
def close(graph: Any, own: Graphs) -> None:
    """Update the walks in a graph to which edges were added, for three opponents."""
    size, counts = np.uint64(own.size), own.counts
    at, rows = graph * size, graph * size * size
    for u in range(size):
        loop = own.loops[at + u]
        own.closed[at + u] = -loop * (own.paths[rows + u * size + u] - 2 * loop * loop)
        own.ends[at + u] = -loop * own.degrees[at + u]
    for v in range(size):
        if counts[v] != 0:
            row, loop = rows + v * size, own.loops[at + v]
            degree = counts[v] * own.degrees[at + v]
            for u in range(size):
                weight = own.weights[row + u]
                back = own.paths[row + u] - (loop + own.loops[at + u]) * weight
                own.closed[at + u] += counts[v] * weight * back
                own.ends[at + u] += degree * weight
    for u in range(size):
        own.far[at + u] = -own.loops[at + u] * own.ends[at + u]
    for v in range(size):
        end = counts[v] * own.ends[at + v]
        if end != 0:
            for u in range(size):
                own.far[at + u] += end * own.weights[rows + v * size + u]
    walked = triangles = end = own.totals[graph] - own.totals[graph]
    for u in range(size):
        walked += counts[u] * own.degrees[at + u] * own.ends[at + u]
        triangles += counts[u] * own.closed[at + u]
    own.walk_totals[_TWO * graph] = walked
    own.walk_totals[_TWO * graph + _ONE] = triangles


@reordered
def matchings(s: Any, t: Any, contest: Any, own: Graphs) -> Any:
    """Compute M_k of a contest for a hand of a card of kind `s` and one of kind `t`.

    For three opponents, this must follow `close`.
    """
    j = np.uint64(own.contests[contest * CONTEST + _ONE])
    k = np.uint64(own.contests[contest * CONTEST + _TWO])
    if own.contests[contest * CONTEST] == 1:
        return _sum_left(j, s, t, own)
    if own.contests[contest * CONTEST] == 2:
        return _match_two(j, k, contest, s, t, own)
    return _match_three(j, contest, s, t, own)


@reordered
def _sum_left(graph: Any, s: Any, t: Any, own: Graphs) -> Any:
    at = graph * np.uint64(own.size)
    weight = own.weights[(at + s) * np.uint64(own.size) + t]
    return own.totals[graph] - own.degrees[at + s] - own.degrees[at + t] + weight


@reordered
def _match_two(j: Any, k: Any, contest: Any, s: Any, t: Any, own: Graphs) -> Any:
    """Compute M_2 for the graphs `j` and `k`."""
    size, weights, degrees = np.uint64(own.size), own.weights, own.degrees
    of_j, of_k, at = j * size, k * size, contest * size
    s_j, t_j, s_k, t_k = (of_j + s) * size, (of_j + t) * size, (of_k + s) * size, (of_k + t) * size
    shared = own.totals[j] - own.totals[j]
    if own.size == CARDS and j == k:
        for u in range(_DECK):  # a constant, and without counts: in half the time
            first = degrees[of_j + u] - weights[s_j + u] - weights[t_j + u]
            shared += first * first
    elif own.size == CARDS:
        for u in range(_DECK):
            first = degrees[of_j + u] - weights[s_j + u] - weights[t_j + u]
            second = degrees[of_k + u] - weights[s_k + u] - weights[t_k + u]
            shared += first * second
    else:
        for u in range(size):
            first = degrees[of_j + u] - weights[s_j + u] - weights[t_j + u]
            second = degrees[of_k + u] - weights[s_k + u] - weights[t_k + u]
            shared += own.counts[u] * first * second
    # The sum is over all cards of a kind, but the hand's own are not left.
    v, w = weights[s_j + t], weights[s_k + t]
    first, second = degrees[of_j + s] - weights[s_j + s], degrees[of_k + s] - weights[s_k + s]
    shared -= (first - v) * (second - w)
    first, second = degrees[of_j + t] - weights[t_j + t], degrees[of_k + t] - weights[t_k + t]
    shared -= (first - v) * (second - w)
    same = own.square_totals[contest] - own.squares[at + s] - own.squares[at + t] + v * w
    return _sum_left(j, s, t, own) * _sum_left(k, s, t, own) - shared + same


@reordered
def _match_three(graph: Any, contest: Any, s: Any, t: Any, own: Graphs) -> Any:
    """Compute M_3 for three opponents with the same weights."""
    size, counts, weights, paths = np.uint64(own.size), own.counts, own.weights, own.paths
    degrees, squares, cubes, loops = own.degrees, own.squares, own.cubes, own.loops
    at, of_squares = graph * size, contest * size
    at_s, at_t = at + s, at + t
    row_s, row_t = at_s * size, at_t * size
    w, loop_s, loop_t = weights[row_s + t], weights[row_s + s], weights[row_t + t]
    sum_2 = sum_3 = by_square = between = w - w
    for u in range(size):
        p, q = weights[row_s + u], weights[row_t + u]
        degree = degrees[at + u] - p - q
        each = counts[u] * degree
        sum_2 += each * degree
        sum_3 += each * degree * degree
        by_square += each * (squares[of_squares + u] - p * p - q * q)
        between += counts[u] * p * (paths[row_t + u] - q * (loop_t + loops[at + u]))
    square_s, square_t = squares[of_squares + s], squares[of_squares + t]
    # Walks of two and of three edges between the hand's own cards.
    both = paths[row_s + t] - (loop_s + loop_t) * w
    between += w * (square_t - paths[row_t + t] + 2 * loop_t * loop_t) - loop_s * both
    x, y = degrees[at_s] - loop_s - w, degrees[at_t] - loop_t - w
    sum_2 -= x * x + y * y
    sum_3 -= x * x * x + y * y * y
    by_square -= x * (square_s - loop_s * loop_s - w * w)
    by_square -= y * (square_t - loop_t * loop_t - w * w)
    g, h = degrees[at_s] - w, degrees[at_t] - w
    walked = own.walk_totals[_TWO * graph] - 2 * (own.far[at_s] + own.far[at_t])
    walked += own.closed[at_s] + own.closed[at_t] + 2 * between
    walked += 2 * (
        g * h * w - g * (own.ends[at_s] - square_s - both) - h * (own.ends[at_t] - square_t - both)
    )
    two = own.square_totals[contest] - square_s - square_t + w * w
    three = own.cube_totals[graph] - cubes[at_s] - cubes[at_t] + w * w * w
    triangles = own.walk_totals[_TWO * graph + _ONE]
    triangles += 6 * w * both - 3 * (own.closed[at_s] + own.closed[at_t])
    left = _sum_left(graph, s, t, own)
    total = left * left * left - 3 * left * (sum_2 - two) + 2 * sum_3
    return total + 3 * walked - 6 * by_square + 4 * three - triangles


@inlined
def sweep_groups(
    groups: Index,
    ends: NDArray[np.uint32],
    hands: NDArray[np.uint32],
    weights: NDArray[Any],
    heroes: NDArray[np.bool_],
    top: Index,
    tied: Any,
    times: Any,
    own: Graphs,
    sums: NDArray[Any],
) -> None:
    """Add 2^n F(0), 2^n F(1/2) and 2^n F(1) of hands on a board, for n opponents, to `sums`.

    `hands` are sorted by strength and packed like `Combos.packed`, with kinds in place of cards;
    group ``g`` ends at ``ends[g]``. `weights` is ``(graph, index)``, and `heroes` tells which hands
    are asked for, ``bool (contest, index)``. The `tied` best of the known hands are in group `top`.
    `sums` is ``(contest, index, 3)``, or 4 with the weight of all deals times 2^n; each board
    counts `times` times.
    """
    clear(own)
    columns, flat = np.uint64(weights.shape[1]), unowned(weights.ravel())
    last = groups + _ONE if sums.shape[2] > 3 else groups
    start = np.uint32(0)
    for group in range(last):
        # After the last group, all hands are asked for the weight of all deals.
        is_end = group == groups
        start = np.uint32(0) if is_end else start
        end = ends[groups - _ONE] if is_end else ends[group]
        ties = tied if group == top else np.int64(0)
        count = ties
        if own.size == CARDS:
            count += np.int64(end) - np.int64(start)
        else:
            for n in range(start, end):
                count += np.int64(count_hands(high_card(hands[n]), low_card(hands[n]), own))
        # A hand alone in its group ties with no other: F is the same for all three t.
        steps = 1 if is_end or count < 2 else 3
        for step in range(steps):
            for contest in range(np.uint64(own.contest_count)):
                place = contest * CONTEST
                j, k = np.uint64(own.contests[place + _ONE]), np.uint64(own.contests[place + _TWO])
                if (own.totals[j] == 0) | (own.totals[k] == 0) | (group < top):
                    continue
                if own.contests[place] == 3:
                    asked = False
                    for n in range(start, end):
                        asked |= heroes[contest, index_of(hands[n])]
                    if not asked:
                        continue
                    close(j, own)
                equal = max(ties - own.contests[place + _FOUR], 0)
                factor = times << (own.contests[place + _THREE] - equal)
                for _ in range(equal):
                    factor *= step
                for n in range(start, end):
                    i = index_of(hands[n])
                    if not heroes[contest, i]:
                        continue
                    s, t = np.uint64(high_card(hands[n])), np.uint64(low_card(hands[n]))
                    found = factor * matchings(s, t, contest, own)
                    if is_end:
                        sums[contest, i, 3] += found
                        continue
                    sums[contest, i, step] += found
                    if steps == 1:
                        sums[contest, i, 1] += found
                        sums[contest, i, 2] += found
            if step < 2 and not is_end:
                part = 2 if steps == 1 else 1
                for n in range(start, end):
                    s, t = np.uint64(high_card(hands[n])), np.uint64(low_card(hands[n]))
                    add(s, t, part, flat, np.uint64(index_of(hands[n])), columns, own)
        start = end
    for n in range(start):
        remove(np.uint64(high_card(hands[n])), np.uint64(low_card(hands[n])), own)
