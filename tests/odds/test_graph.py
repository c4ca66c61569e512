"""Matchings of graphs of hands, compared with a recursion over all choices of disjoint edges."""

from fractions import Fraction
from itertools import combinations
from math import prod
from random import Random

import numpy as np
import pytest

import holdem
from holdem.jit.kernels import kernel, unowned
from holdem.odds.exact.contests import polarize, sum_ranges
from holdem.odds.exact.graph import (
    CARDS,
    CONTEST,
    KINDS,
    add,
    allocate_graphs,
    borrow,
    clear,
    close,
    matchings,
    remove,
)
from naive import rank_by_rule_book


@kernel
def _match(kinds, weights, room, questions, found):
    """Write M_k of each question, ``(question, 2)`` kinds, after two passes over all edges."""
    own, flat = borrow(room, room.size), unowned(weights.ravel())
    edges = np.uint64(len(kinds))
    for time in range(2):  # the second time, after all was cleared
        clear(own)
        for n in range(edges):
            remove(kinds[n, 0], kinds[n, 1], own)
        for n in range(edges):
            add(kinds[n, 0], kinds[n, 1], 1 + time, flat, n, edges, own)
    for contest in range(np.uint64(own.contest_count)):
        if own.contests[contest * CONTEST] == 3:
            close(np.uint64(own.contests[contest * CONTEST + np.uint64(1)]), own)
        for n in range(len(questions)):
            found[contest, n] = matchings(questions[n, 0], questions[n, 1], contest, own)


def _find(counts, kinds, weights, contests, questions, size):
    """Return 2^k M_k of each contest and question."""
    padded = [(*contest, 0, 0) for contest in contests]
    room = allocate_graphs(len(weights), np.array(padded), size, weights.dtype)
    room.counts[: len(counts)] = counts
    found = np.zeros((len(contests), len(questions)), weights.dtype)
    _match(np.array(kinds, np.uint64), weights, room, np.array(questions, np.uint64), found)
    return found.tolist()


def _recurse(opponents, used):
    """Sum the products of weights of an edge for each opponent, none of which share a card."""
    if not opponents:
        return 1
    return sum(
        weight * _recurse(opponents[1:], used | edge)
        for edge, weight in opponents[0].items()
        if not edge & used
    )


CONTESTS = [(1, 0, 0), (1, 1, 1), (2, 0, 0), (2, 0, 1), (2, 1, 1), (3, 0, 0), (3, 1, 1)]


@pytest.mark.parametrize("dtype", [np.int64, np.float64])
def test_recursion(dtype):
    """M_1, M_2 and M_3 of graphs with kinds and weights are those of a recursion, as integers."""
    rng = Random(5)
    asked = 0
    for _ in range(40):
        counts = [rng.randint(0, 3) for _ in range(rng.randint(2, 5))]
        cards = [(kind, n) for kind, count in enumerate(counts) for n in range(count)]
        pairs = list(combinations(range(len(counts)), 2)) + [(u, u) for u in range(len(counts))]
        kinds = [rng.choice(pairs) for _ in range(6)]  # some of them twice
        weights = np.array([[rng.randint(0, 3) for _ in kinds] for _ in range(2)], dtype)
        opponents = [
            {
                frozenset(edge): 2
                * sum(
                    int(weight)
                    for kind, weight in zip(kinds, own, strict=True)
                    if sorted(kind) == sorted(card[0] for card in edge)
                )
                for edge in combinations(cards, 2)
            }
            for own in weights
        ]
        hands = [frozenset(), *map(frozenset, combinations(cards, 2))]
        hands = rng.sample(hands, min(len(hands), 4))
        questions = [[card[0] for card in hand] or [KINDS - 1] * 2 for hand in hands]
        found = _find(counts, kinds, weights, CONTESTS, questions, KINDS)
        for (k, one, other), own in zip(CONTESTS, found, strict=True):
            held = [opponents[one], opponents[other]][:k] + [opponents[one]] * (k - 2)
            assert own == [_recurse(held, hand) for hand in hands]
            asked += sum(map(bool, own))
    assert asked > 300


def test_single_cards():
    """Without kinds, M_k is that of the recursion, too."""
    rng = Random(6)
    for _ in range(10):
        cards = rng.sample(range(52), 7)
        edges = rng.sample(list(combinations(cards, 2)), 9)
        weights = np.array([[rng.randint(0, 4) for _ in edges] for _ in range(2)])
        opponents = [
            dict(zip(map(frozenset, edges), (2 * w for w in own), strict=True))
            for own in weights.tolist()
        ]
        hands = rng.sample(list(combinations(cards, 2)), 4)
        found = _find([1] * 52, edges, weights, CONTESTS, hands, CARDS)
        for (k, one, other), own in zip(CONTESTS, found, strict=True):
            held = [opponents[one], opponents[other]][:k] + [opponents[one]] * (k - 2)
            assert own == [_recurse(held, frozenset(hand)) for hand in hands]


def test_integers_wrap_around():
    """A result below 2^63 is exact, though intermediate results are not."""
    edges = list(combinations(range(8), 2))
    weight = 1 << 18
    weights = np.full((1, len(edges)), weight // 2)
    ((found,),) = _find([1] * 8, edges, weights, [(3, 0, 0)], [(0, 1)], CARDS)
    assert found == 15 * 6 * weight**3  # 90 ways to choose three pairs of six cards
    assert found < 1 << 63 < (len(edges) * weight) ** 3


@pytest.mark.parametrize("multiples", [(1, 1), (2,), (1, 1, 1), (2, 1), (1, 0, 2), (3,)])
def test_polarization(multiples):
    """A product of different forms is a sum of powers: M_k is of this kind."""
    rng = Random(sum(multiples))
    values = np.array([[rng.randint(1, 9)] for _ in multiples])
    terms = polarize(multiples)
    powers = sum_ranges(values, list(terms))[:, 0].tolist()
    k = sum(multiples)
    total = sum(
        (factor * power**k for factor, power in zip(terms.values(), powers, strict=True)),
        Fraction(0),
    )
    assert total == prod(
        int(value) ** count for (value,), count in zip(values, multiples, strict=True)
    )
    assert (
        terms
        if multiples.count(0) < len(multiples) - 1
        else terms == {tuple(map(bool, multiples)): 1}
    )


def _weigh_by_the_page(k, edges):
    """Compute M_k by the formulas of ``docs/how/exact.md``, from the weights of edges."""
    cards = sorted({card for edge in edges for card in edge})
    weights = np.array(
        [[edges.get(frozenset((u, v)), Fraction(0)) for v in cards] for u in cards]
    ).reshape(len(cards), -1)
    total, d = sum(edges.values()), weights.sum(axis=1)
    squares = sum(weight**2 for weight in edges.values())
    if k == 2:
        return total**2 - (d**2).sum() + squares
    return (
        total**3
        - 3 * total * ((d**2).sum() - squares)
        + 2 * (d**3).sum()
        + 3 * (d @ weights @ d)
        - 6 * (d * (weights**2).sum(axis=0)).sum()
        + 4 * sum(weight**3 for weight in edges.values())
        - (weights @ weights @ weights).trace()
    )


@pytest.mark.parametrize("players", [3, 4])
def test_formulas_of_the_page(players):
    """On a deck of five ranks, the formulas and the rule book give what the engine gives."""
    deck = [4 * rank + suit for rank in (2, 3, 4, 8, 12) for suit in range(4)]
    board = deck[:1] + deck[5:7] + deck[10:11] + deck[15:16]
    hands = list(combinations([card for card in deck if card not in board], 2))
    strengths = {hand: rank_by_rule_book([*board, *hand]) for hand in hands}
    outside = [card for card in range(52) if card not in deck]
    result = holdem.equity(*["random"] * players, board=board, dead=outside)
    assert result.exact
    rows = {
        tuple(sorted(map(int, holdem.parse_cards(str(row.combo))))): row
        for row in result.players[0].by_combo
    }
    for hand in hands[::7]:
        weak, half, top = (
            _weigh_by_the_page(
                players - 1,
                {
                    frozenset(other): Fraction(1) if found < strengths[hand] else Fraction(t)
                    for other, found in strengths.items()
                    if found <= strengths[hand] and not {*other} & {*hand}
                },
            )
            for t in (0, Fraction(1, 2), 1)
        )
        row = rows[hand]
        assert (row.win * row.deals, row.tie * row.deals) == pytest.approx((weak, top - weak))
        assert row.equity * row.deals == pytest.approx((weak + 4 * half + top) / 6, rel=1e-14)
