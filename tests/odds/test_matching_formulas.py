"""The formulas from which the table of random opponents is made."""

from itertools import combinations, product
from math import prod
from random import Random

import pytest

from matching_formulas import derive


def _count_homomorphisms(graph, weights, cards):
    """Sum the products of weights over all ways to put the vertices on cards."""
    vertices = sorted({vertex for edge in graph for vertex in edge})
    total = 0
    for places in product(cards, repeat=len(vertices)):
        at = dict(zip(vertices, places, strict=True))
        total += prod(weights.get(frozenset((at[s], at[t])), 0) for s, t in graph)
    return total


def _recurse(k, weights, used=frozenset()):
    """Sum the products of weights over all ordered choices of k disjoint edges."""
    if k == 0:
        return 1
    return sum(
        weight * _recurse(k - 1, weights, used | edge)
        for edge, weight in weights.items()
        if not edge & used
    )


@pytest.mark.parametrize("simple", [True, False])
@pytest.mark.parametrize("k", [1, 2, 3, 4])
def test_recursion(k, simple):
    """2^k M_k is that of a recursion, for graphs in which k edges can be disjoint."""
    rng, cards, found = Random(k), range(8 if k == 4 else 7), 0
    terms = derive(k, simple=simple)
    for _ in range(2):
        edges = rng.sample([*map(frozenset, combinations(cards, 2))], 14)
        weights = {edge: 1 if simple else rng.randint(1, 3) for edge in edges}
        counts = {
            graph: _count_homomorphisms(graph, weights, cards)
            for graph in {graph for graphs in terms for graph in graphs}
        }
        total = sum(n * prod(counts[graph] for graph in own) for own, n in terms.items())
        expected = 2**k * _recurse(k, weights)
        assert total == expected
        found += expected
    assert found > 0
