"""Formulas for the weight of matchings of k edges, derived by program, for any k.

Möbius inversion over all ways to identify the 2 k ends of k edges expresses 2^k M_k, with M_k as in
`holdem.odds.exact.graph`, by homomorphisms: each way is a product of connected multigraphs, and a
multigraph's number is the sum, over all ways to put its vertices on cards, of the product of the
weights of its edges. With up to five edges, vertices with at most two neighbours can be taken out
one by one, so each such sum is made of products of vectors and matrices. The code for these is
generated here and compiled by numba.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from functools import cache
from itertools import permutations
from math import factorial
from typing import Any, NamedTuple, TypeAlias

import numba
import numpy as np
from numpy.typing import NDArray

#: Edges between numbered vertices, sorted; an edge that is there twice counts twice.
Multigraph: TypeAlias = tuple[tuple[int, int], ...]

#: Rows and columns of all matrices: whole vectors of 16 numbers.
SIZE = 48


def _identifications(ends: int) -> Iterator[tuple[int, ...]]:
    """Yield all partitions of the ends of edges, as the number of each end's part."""

    def extend(labels: tuple[int, ...], used: int) -> Iterator[tuple[int, ...]]:
        if len(labels) == ends:
            yield labels
            return
        for label in range(used + 1):
            yield from extend((*labels, label), max(used, label + 1))

    yield from extend((), 0)


@cache
def _canonical(edges: Multigraph) -> Multigraph:
    """Number the vertices so that isomorphic multigraphs become equal."""
    vertices = sorted({vertex for edge in edges for vertex in edge})

    def renumber(order: tuple[int, ...]) -> Multigraph:
        number = dict(zip(vertices, order, strict=True))
        ends = [(number[s], number[t]) for s, t in edges]
        return tuple(sorted((min(pair), max(pair)) for pair in ends))

    return min(map(renumber, permutations(range(len(vertices)))))


def _components(edges: list[tuple[int, int]]) -> tuple[Multigraph, ...]:
    """Divide edges into connected multigraphs."""
    left, found = list(edges), []
    while left:
        component = [left.pop()]
        while near := [e for e in left if set(e) & {v for own in component for v in own}]:
            component += near
            left = [e for e in left if e not in near]
        found.append(_canonical(tuple(sorted(component))))
    return tuple(sorted(found))


def derive(k: int, *, simple: bool) -> dict[tuple[Multigraph, ...], int]:
    """Derive the terms of 2^k M_k: products of connected multigraphs, with their coefficients.

    If `simple`, all weights are 0 or 1, so an edge that is used twice counts once.
    """
    terms: Counter[tuple[Multigraph, ...]] = Counter()
    for labels in _identifications(2 * k):
        pairs = zip(labels[::2], labels[1::2], strict=True)
        edges = [(min(pair), max(pair)) for pair in pairs]
        if any(s == t for s, t in edges):
            continue
        sign = 1
        for size in Counter(labels).values():
            sign *= (-1) ** (size - 1) * factorial(size - 1)
        graphs = _components(edges)
        if simple:
            graphs = tuple(sorted(_canonical(tuple(sorted(set(own)))) for own in graphs))
        terms[graphs] += sign
    return {graphs: number for graphs, number in terms.items() if number}


class _Matrix(NamedTuple):
    name: str
    is_turned: bool = False

    def at(self, row: str, column: str) -> str:
        return (
            f"{self.name}[{column}, {row}]" if self.is_turned else f"{self.name}[{row}, {column}]"
        )


class _Code:
    """The lines of a function that computes homomorphisms, each vector and matrix once."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.vectors: list[str] = []
        self.matrices: list[str] = []
        self._names: dict[Any, str] = {}
        self._symmetric: dict[str, bool] = {}

    def _name(self, key: Any, names: list[str], kind: str) -> tuple[str, bool]:
        """Return the name of a vector or matrix, and whether it is new."""
        is_new = key not in self._names
        if is_new:
            self._names[key] = f"{kind}{len(self._names)}"
            names.append(self._names[key])
        return self._names[key], is_new

    def add(self, graph: Multigraph) -> str:
        """Add the lines for a connected multigraph; return the name of its number."""
        between: dict[tuple[int, int], list[_Matrix]] = {
            edge: [_Matrix(f"a{times}")] for edge, times in Counter(graph).items()
        }
        at: dict[int, list[str]] = defaultdict(list)
        vertices = {vertex for edge in graph for vertex in edge}

        def take(s: int, t: int) -> tuple[_Matrix, ...]:
            if (s, t) in between:
                return tuple(sorted(between.pop((s, t))))
            own = between.pop((t, s))
            return tuple(
                sorted(
                    m if self._symmetric.get(m.name, True) else _Matrix(m.name, not m.is_turned)
                    for m in own
                )
            )

        while len(vertices) > 1:
            near = {v: sorted({u for e in between if v in e for u in e} - {v}) for v in vertices}
            vertex = min(vertices, key=lambda v: (len(near[v]), len(at[v]) > 0, v))
            factors = tuple(sorted(at[vertex]))
            by_vertex = "".join(f" * {name}[j]" for name in factors)
            if len(near[vertex]) == 1:
                (end,) = near[vertex]
                edges = take(end, vertex)
                name, is_new = self._name((edges, factors), self.vectors, "v")
                term = " * ".join(own.at("i", "j") for own in edges) + by_vertex
                if is_new:
                    self.lines += [f"{name}[:] = zero", "for j in range(n):"]
                    self.lines += [f"    for i in range(size): {name}[i] += {term}"]
                at[end].append(name)
            else:
                s, t = near[vertex]
                left, right = take(s, vertex), take(vertex, t)
                name, is_new = self._name((left, factors, right), self.matrices, "m")
                self._symmetric[name] = left == right and all(
                    self._symmetric.get(own.name, True) for own in left
                )
                if is_new:
                    first = " * ".join(own.at("i", "j") for own in left) + by_vertex
                    second = " * ".join(own.at("j", "l") for own in right)
                    self.lines += ["for i in range(n):", f"    {name}[i] = zero"]
                    self.lines += ["    for j in range(n):", f"        c = {first}"]
                    self.lines += ["        if c != zero:", "            for l in range(size):"]
                    self.lines += [f"                {name}[i, l] += c * {second}"]
                if (t, s) in between:
                    between[t, s].append(_Matrix(name, not self._symmetric[name]))
                else:
                    between.setdefault((s, t), []).append(_Matrix(name))
            vertices.remove(vertex)
        (vertex,) = vertices
        factors = tuple(sorted(at[vertex]))
        name, is_new = self._name(factors, [], "s")
        if is_new:
            term = " * ".join(f"{own}[i]" for own in factors)
            self.lines += [f"{name} = zero", "for i in range(n):", f"    {name} += {term}"]
        return name


class Formula(NamedTuple):
    """A compiled formula, and the space that it works in."""

    compute: Callable[..., Any]
    """Computes 2^k M_k modulo 2^64 from the number of cards, A, and the space."""
    matrices: NDArray[np.float64]
    vectors: NDArray[np.float64]


def compile_formula(k: int, *, simple: bool) -> Formula:
    """Compile the formula for matchings of k edges; see `derive`.

    The matrix of weights A is ``float64 (SIZE, SIZE)``. Homomorphisms are whole numbers below 2^53,
    which are exact in any order, and products of them are int64, which wraps around.
    """
    terms, code = derive(k, simple=simple), _Code()
    graphs = sorted({graph for product in terms for graph in product}, key=lambda g: (len(g), g))
    name_of = {graph: code.add(graph) for graph in graphs}
    products = [
        " * ".join([str(number), *(f"whole({name_of[graph]})" for graph in product)])
        for product, number in terms.items()
    ]
    lines = ["zero = 0.0"]
    powers = [] if simple else [f"a{times}" for times in range(2, k + 1)]
    for number, name in enumerate(powers + code.matrices):
        lines.append(f"{name} = matrices[{number}]")
    for number, name in enumerate(code.vectors):
        lines.append(f"{name} = vectors[{number}]")
    for times, name in enumerate(powers, start=1):
        lines.append(f"{name}[:n] = a{times}[:n] * a1[:n]")
    lines += [*code.lines, f"return {' + '.join(products)}"]
    text = "def matchings(n, a1, matrices, vectors):\n" + "\n".join(f"    {own}" for own in lines)
    scope: dict[str, Any] = {"size": SIZE, "whole": np.int64}
    exec(text, scope)
    fast = {"reassoc", "contract", "nsz"}
    compute = numba.njit(scope["matchings"], fastmath=fast, error_model="numpy")
    room = len(powers) + len(code.matrices), len(code.vectors)
    return Formula(compute, np.zeros((room[0], SIZE, SIZE)), np.zeros((room[1], SIZE)))
