"""Range against range by the sweep: every combo's figures as by plain enumeration."""

from fractions import Fraction

import numpy as np
import pytest
from plain_enumeration import LOSS, TIE, WIN, add_up, count_pairs, generate_spots, weigh

from holdem.cards import card_set, parse_cards
from holdem.odds.exact.known_hands.by_rank import count_known_hands
from holdem.odds.exact.preflop_table.table import preflop_table
from holdem.odds.exact.two_ranges.method import make_sweep
from holdem.ranges.combos import CLASS_INDEX, CLASS_OF_COMBO, COMBO_CARDS, COMBO_SETS, Combo

FIGURES = ("wins", "ties", "losses", "shares")


def _cards(text):
    return tuple(map(int, parse_cards(text)))


def _sweep(weights, board=(), dead=()):
    question = make_sweep(weights, board, dead)
    return question.sums(add_up(question.tasks()))


def _classes(*names):
    """Return the weights of whole classes of hands."""
    return np.isin(CLASS_OF_COMBO, [CLASS_INDEX[name] for name in names]).astype(float)


def _figures(sums):
    return {name: getattr(sums, name).tolist() for name in FIGURES}


def _check(weights, board, dead):
    """Compare all figures of both players; return the number of deals."""
    found = _sweep(weights, board, dead)
    players = [np.flatnonzero(own) for own in weights]
    counts = count_pairs(*players, board, dead)
    for player, sums in enumerate(found):
        by_combo = counts.sum(axis=2 - player)
        if player == 1:
            by_combo = by_combo[[LOSS, TIE, WIN]]
        live = by_combo.sum(axis=0) > 0
        wins, ties, losses = by_combo[:, live]
        assert players[player][live].tolist() == sums.combos.tolist()
        shares = wins + ties / 2
        expected = (wins.tolist(), ties.tolist(), losses.tolist(), shares.tolist())
        assert dict(zip(FIGURES, expected, strict=True)) == _figures(sums)
    return counts.sum()


@pytest.mark.parametrize(
    ("size", "count", "least"), [(5, 300, 200), (4, 150, 100), (3, 30, 25), (0, 60, 40)]
)
def test_plain_enumeration(size, count, least):
    """Wins, ties and losses of every combo, as whole numbers; dead cards and blockers in."""
    played = sum(_check(*spot) > 0 for spot in generate_spots(count, 2, size, seed=size))
    assert played >= least


@pytest.mark.parametrize("board", ["9s8s2s", "9s9d2c", "9s8s2d", "9s9d9c", "As2s3s4s"])
def test_boards_alike_up_to_suits(board):
    """Ranges that no renaming changes: boards are taken once, and no combo's figures change."""
    weights = np.stack([_classes("AA", "T9s", "76o"), _classes("99", "A5s", "T7s")])
    question = make_sweep(weights, _cards(board))
    if len(_cards(board)) == 3:
        assert len(question.boards.cards) < 1176 == question.boards.times.sum()
    _check(weights, _cards(board), ())


def test_one_sided_symmetry_is_none():
    """Where a renaming changes one player's range, or a dead card, all boards are run."""
    symmetric, lopsided = _classes("AA", "T9s"), _classes("99")
    lopsided[Combo("KhQd").number] = 1
    for weights, dead, boards in (
        ([symmetric, lopsided], "", 1176),
        ([symmetric, symmetric], "2c3h4d", 1035),
    ):
        question = make_sweep(np.stack(weights), _cards("9s8s7s"), _cards(dead))
        assert len(question.boards.cards) == question.boards.times.sum() == boards
        _check(np.stack(weights), _cards("9s8s7s"), _cards(dead))


def test_the_table_before_the_flop():
    """Before the flop the sweep over 134,459 kinds of boards finds what the table says."""
    weights = np.stack([_classes("AA", "AKs", "72o", "55"), _classes("KK", "JTs", "AKo", "66")])
    question = make_sweep(weights)
    assert len(question.boards.cards) == 134459
    assert question.boards.times.sum(dtype=int) == 2598960
    found = question.sums(add_up(question.tasks()))
    for sums, expected in zip(found, preflop_table().sums(weights), strict=True):
        assert expected.combos.tolist() == sums.combos.tolist()
        assert _figures(expected) == _figures(sums)


@pytest.mark.parametrize("dead", ["As", "Ks2s", "Td9c2h"])
def test_known_hands_with_dead_cards(dead):
    """Before the flop with dead cards: every match-up as counted for known hands."""
    gone = card_set(_cards(dead))
    weights = np.stack([_classes("AKs", "KK"), _classes("QQ", "T9s")])
    one, other = _sweep(weights, (), _cards(dead))
    firsts, seconds = np.meshgrid(one.combos, other.combos, indexing="ij")
    apart = COMBO_SETS[firsts] & COMBO_SETS[seconds] == 0
    holes = COMBO_CARDS[np.stack([firsts[apart], seconds[apart]], axis=1)]
    counts = np.zeros((*firsts.shape, 4), dtype=np.int64)
    counts[apart] = count_known_hands(holes, gone)
    assert counts[:, :, 1].sum(axis=1).tolist() == one.wins.tolist()
    assert counts[:, :, 2].sum(axis=1).tolist() == one.losses.tolist()
    assert counts[:, :, 2].sum(axis=0).tolist() == other.wins.tolist()
    assert counts[:, :, 3].sum(axis=0).tolist() == other.ties.tolist()


def test_random_against_random():
    """Two random hands on a flop: the same for both, half the pot each, no deal missing."""
    one, other = _sweep(np.ones((2, 1326)), _cards("Ks7d2c"))
    assert len(one.combos) == 1176
    assert _figures(one) == _figures(other)
    assert set(one.deals.tolist()) == {1081 * 990}
    assert one.shares.sum() == 1176 * 1081 * 990 / 2


def test_alike_ranges_are_not_mixed_up():
    """A player with the opponent's very weights has the figures of the general case."""
    weights = np.stack([_classes("AA", "KQs", "T9o")] * 2)
    nearly = weights.copy()
    nearly[1, Combo("2c3d").number] = 1
    alike, other = _sweep(weights, _cards("Ts9d2c")), _sweep(nearly, _cards("Ts9d2c"))
    # The further combo of player 2 is no rival of player 2's other combos.
    stays = np.isin(other[1].combos, alike[1].combos)
    for name in FIGURES:
        assert getattr(alike[1], name).tolist() == getattr(other[1], name)[stays].tolist()


def _weight_kinds():
    rng = np.random.default_rng(3)
    yield "hundredths", lambda shape: np.rint(rng.random(shape) * 100) / 100
    yield "eighths", lambda shape: rng.integers(0, 9, shape) / 8
    yield "any", lambda shape: rng.random(shape)
    yield "large and tiny", lambda shape: rng.random(shape) ** 40


@pytest.mark.parametrize("size", [5, 4, 0])
@pytest.mark.parametrize(
    "weigh_as", [pytest.param(draw, id=name) for name, draw in _weight_kinds()]
)
def test_weights(size, weigh_as):
    """Weighted sums are right to 1e-12 of their own size: what never wins has exactly 0."""
    for held, board, dead in generate_spots(12, 2, size, seed=40 + size):
        weights = held * weigh_as(held.shape)
        if not weights.any(axis=1).all():
            continue
        players = [np.flatnonzero(own) for own in weights]
        counts = count_pairs(*players, board, dead)
        one, other = _sweep(weights, board, dead)
        for sums, by_outcome, rival in (
            (one, counts, 1),
            (other, counts[[LOSS, TIE, WIN]].transpose(0, 2, 1), 0),
        ):
            own = weights[rival][players[rival]]
            wins, ties, losses = (weigh(outcome, own) for outcome in by_outcome)
            for place, combo in enumerate(players[1 - rival].tolist()):
                row = np.flatnonzero(sums.combos == combo)
                right = wins[place], ties[place], losses[place]
                assert len(row) == (sum(right) > 0)
                if not len(row):
                    continue
                right += (right[0] + right[1] / 2,)
                for name, value in zip(FIGURES, right, strict=True):
                    found = Fraction(float(getattr(sums, name)[row[0]]))
                    assert abs(found - value) <= value * Fraction(1, 10**12)


def test_blocks_in_any_order():
    """Tasks return whole numbers: added in any order they give the same bits."""
    rng = np.random.default_rng(6)
    question = make_sweep(rng.random((2, 1326)), _cards("Ks7d2c"))
    parts = [task() for task in question.tasks()]
    assert len(parts) == question.work > 3
    one = question.sums(sum(parts))
    other = question.sums(sum(reversed(parts)))
    for first, second in zip(one, other, strict=True):
        assert _figures(first) == _figures(second)
