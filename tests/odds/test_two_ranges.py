"""Two ranges: every combo's totals equal those of plain enumeration."""

from fractions import Fraction

import numpy as np
import pytest

from holdem.cards import card_set, parse_cards
from holdem.errors import SpotError
from holdem.evaluation.builtin.lookup_tables import tables_of
from holdem.evaluation.hand_value import evaluate
from holdem.jobs.workers import Workers
from holdem.odds.exact.known_hands import KnownHands, count_known_hands
from holdem.odds.exact.two_ranges import TwoRanges
from holdem.ranges.combos import CLASS_INDEX, CLASS_OF_COMBO, COMBO_CARDS, COMBO_SETS, Combo
from holdem.rules import STANDARD
from naive import count_winners, weigh
from spots import generate_spots, run_method, spot_of

# The sets of winners for which the first player wins, ties or loses.
WIN, TIE, LOSS = 1, 3, 2

FIGURES = ("wins", "ties", "losses", "shares")
RNG = np.random.default_rng(3)

SEVEN = tables_of(STANDARD).seven


def _cards(text):
    return tuple(map(int, parse_cards(text)))


def _sweep(weights, board=(), dead=()):
    return run_method(TwoRanges(spot_of(weights, board, dead)))


def _boards(weights, board=(), dead=()):
    method = TwoRanges(spot_of(weights, board, dead))
    method.prepare()
    return method.boards


def _classes(*names):
    """Return the weights of whole classes of hands."""
    return np.isin(CLASS_OF_COMBO, [CLASS_INDEX[name] for name in names]).astype(float)


def _figures(sums):
    return {name: getattr(sums, name).tolist() for name in FIGURES}


def _check(weights, board, dead):
    """Compare all totals of both players; return the number of deals."""
    players = [np.flatnonzero(own) for own in weights]
    counts = count_winners(players, board, dead)[[WIN, TIE, LOSS]]
    try:
        found = _sweep(weights, board, dead)
    except SpotError:
        assert counts.sum() == 0
        return 0
    for player, sums in enumerate(found):
        by_combo = counts.sum(axis=2 - player)
        if player == 1:
            by_combo = by_combo[::-1]
        live = by_combo.sum(axis=0) > 0
        wins, ties, losses = by_combo[:, live]
        assert players[player][live].tolist() == sums.combos.tolist()
        shares = wins + ties / 2
        expected = (wins.tolist(), ties.tolist(), losses.tolist(), shares.tolist())
        assert dict(zip(FIGURES, expected, strict=True)) == _figures(sums)
    return counts.sum()


@pytest.mark.parametrize(
    ("size", "count", "least"), [(5, 90, 60), (4, 45, 30), (3, 9, 7), (0, 18, 12)]
)
def test_plain_enumeration(size, count, least):
    """Wins, ties and losses of every combo are exact, with dead cards and blockers."""
    played = sum(_check(*spot) > 0 for spot in generate_spots(count, 2, size, seed=size))
    assert played >= least


def test_the_same_combos_with_other_weights():
    """Only ranges with equal weights, too, are stored once."""
    first, board = _classes("AA", "KQs", "76o", "98s"), _cards("9s8h2d4h5c")
    combos = np.flatnonzero(first)
    second = np.where(np.arange(len(first)) % 3, first, first / 2)
    own, _ = _sweep(np.stack([first, second]), board)
    hands = [[*COMBO_CARDS[combo].tolist(), *board] for combo in combos]
    strengths = np.array([evaluate(hand).strength if len(set(hand)) == 7 else -1 for hand in hands])
    is_apart = COMBO_SETS[combos][:, None] & COMBO_SETS[combos] == 0
    beaten = is_apart & (strengths[:, None] > strengths) & (strengths >= 0)
    expected = (beaten * second[combos]).sum(axis=1)[strengths >= 0]
    assert own.wins.tolist() == expected.tolist()


@pytest.mark.parametrize("board", ["9s8s2s", "9s9d2c", "9s8s2d", "9s9d9c", "As2s3s4s"])
def test_canonical_boards(board):
    """Symmetric ranges are swept over canonical boards; the totals do not change."""
    weights = np.stack([_classes("AA", "T9s", "76o"), _classes("99", "A5s", "T7s")])
    boards = _boards(weights, _cards(board))
    if len(_cards(board)) == 3:
        assert len(boards.cards) < 1176 == boards.orbit_sizes.sum()
    _check(weights, _cards(board), ())


def test_asymmetric_spots():
    """If suit permutations change one player's range or a dead card, all boards are swept."""
    symmetric, lopsided = _classes("AA", "T9s"), _classes("99")
    lopsided[Combo("KhQd").number] = 1
    for weights, dead, count in (
        ([symmetric, lopsided], "", 1176),
        ([symmetric, symmetric], "2c3h4d", 1035),
    ):
        boards = _boards(weights, _cards("9s8s7s"), _cards(dead))
        assert len(boards.cards) == boards.orbit_sizes.sum() == count
        _check(np.stack(weights), _cards("9s8s7s"), _cards(dead))


@pytest.mark.parametrize(("dead", "method"), [("Ks2s", TwoRanges), ("Td9c2h", KnownHands)])
def test_dead_cards_before_the_flop(dead, method):
    """With dead cards before the flop, the totals are those of all match-ups.

    With the last ones no suits are equal, and known hands are counted in several tasks.
    """
    gone = card_set(_cards(dead))
    weights = np.stack([_classes("AKs", "KK", "76o"), _classes("QQ", "T9s", "A5o")])
    one, other = run_method(method(spot_of(weights, (), _cards(dead))))
    firsts, seconds = np.meshgrid(one.combos, other.combos, indexing="ij")
    apart = COMBO_SETS[firsts] & COMBO_SETS[seconds] == 0
    holes = COMBO_CARDS[np.stack([firsts[apart], seconds[apart]], axis=1)]
    counts = np.zeros((*firsts.shape, 4), dtype=np.int64)
    counts[apart] = count_known_hands(SEVEN, holes, gone)
    assert counts[:, :, 1].sum(axis=1).tolist() == one.wins.tolist()
    assert counts[:, :, 2].sum(axis=1).tolist() == one.losses.tolist()
    assert counts[:, :, 2].sum(axis=0).tolist() == other.wins.tolist()
    assert counts[:, :, 3].sum(axis=0).tolist() == other.ties.tolist()


def test_random_against_random():
    """Two random hands on a flop have equal totals, half the pot each, and all deals."""
    one, other = _sweep(np.ones((2, 1326)), _cards("Ks7d2c"))
    assert len(one.combos) == 1176
    assert _figures(one) == _figures(other)
    assert set(one.deals.tolist()) == {1081 * 990}
    assert one.shares.sum() == 1176 * 1081 * 990 / 2


def test_equal_ranges():
    """Players with equal weights have the totals of the general case."""
    weights = np.stack([_classes("AA", "KQs", "T9o")] * 2)
    nearly = weights.copy()
    nearly[1, Combo("2c3d").number] = 1
    equal, other = _sweep(weights, _cards("Ts9d2c")), _sweep(nearly, _cards("Ts9d2c"))
    # The additional combo of player 2 does not compete with player 2's other combos.
    stays = np.isin(other[1].combos, equal[1].combos)
    for name in FIGURES:
        assert getattr(equal[1], name).tolist() == getattr(other[1], name)[stays].tolist()


@pytest.mark.parametrize(
    ("size", "weigh_as"),
    [
        (5, lambda shape: np.rint(RNG.random(shape) * 100) / 100),
        (4, lambda shape: RNG.random(shape) ** 40),  # large and tiny ones
        (0, lambda shape: RNG.random(shape)),
    ],
)
def test_weights(size, weigh_as):
    """Weighted sums have a relative error below 1e-12: what never wins has exactly 0."""
    for held, board, dead in generate_spots(6, 2, size, seed=40 + size):
        weights = held * weigh_as(held.shape)
        if not weights.any(axis=1).all():
            continue
        players = [np.flatnonzero(own) for own in weights]
        counts = count_winners(players, board, dead)[[WIN, TIE, LOSS]]
        if counts.sum() == 0:
            continue
        one, other = _sweep(weights, board, dead)
        for sums, by_outcome, rival in (
            (one, counts, 1),
            (other, counts[::-1].transpose(0, 2, 1), 0),
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


def test_tasks_in_any_order():
    """Tasks return integers: added in any order they give the same bits."""
    spot = spot_of(np.random.default_rng(6).random((2, 1326)), _cards("Ks7d2c"))
    totals = []
    for order in (list, reversed):
        method = TwoRanges(spot)
        method.prepare()
        tasks = list(method.tasks())
        assert len(tasks) > 3
        assert sum(task.size for task in tasks) == pytest.approx(100)
        for task in order(tasks):
            method.add(task.call(Workers(1)))
        totals.append(method.totals())
    for first, second in zip(*totals, strict=True):
        assert _figures(first) == _figures(second)
