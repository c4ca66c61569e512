"""Sampled answers to spots of every kind against exact ones, and joint counts of what is dealt."""

from math import comb

import numpy as np
import pytest
from scipy.stats import chi2, kstest

import holdem
from holdem.cards import cards_text
from holdem.odds.sampling.sampler import Sampler
from holdem.odds.spot import make_spot
from holdem.ranges.combos import COMBO_SETS, combo_numbers

_DECK = np.arange(52)
_SHORT_DECK = np.arange(16, 52)
# Few combos for several players, many for two or three.
_NARROW = ("AA,KK:0.25", "KQs,QJ", "T9s-76s", "99+:0.3,AK", "A5s,A4s", "55,44,33")
_WIDE = ("random", "top 20%", "22+:0.5,A2s+", "KQ:0.3,QJ,J2s+:0.7", "top 60%:0.9,72o", "K9s+,QTs+")
_SHORT = ("random", "QQ+:0.4,AK", "KQ:0.5,JTs,99+", "top 50%")
_SPOTS = 120
_BLOCKS = 4


def _random_spot(rng):
    """Return the arguments of a random spot whose exact answer takes little time."""
    evaluator = rng.choice(["lookup"] * 8 + ["short-deck", "deuces-wild"])
    size = int(rng.choice([0, 3, 4, 5])) if evaluator == "lookup" else 5
    cards = rng.permutation(_SHORT_DECK if evaluator == "short-deck" else _DECK)
    kind = rng.choice(["known", "narrow", "wide"])
    if size == 0 and kind == "narrow":
        kind = "known"
    dead = int(rng.integers(0, 4)) if size or kind == "known" else 0
    board, out, rest = cards[:size], cards[size : size + dead], cards[size + dead :]
    most = {"known": 7, "narrow": 5 if size > 3 else 4, "wide": 4 if size > 3 else 3}[kind]
    players = int(rng.integers(2, most)) if size else 2 + 2 * int(kind == "known")
    texts = []
    for player in range(players):
        hole = cards_text(sorted(rest[2 * player : 2 * player + 2].tolist()))
        pool = _NARROW if kind == "narrow" else _WIDE
        pool = _SHORT if evaluator == "short-deck" else pool
        is_known = kind == "known" or rng.random() < 0.3
        texts.append(hole if is_known else str(rng.choice(pool)))
    return texts, {
        "board": cards_text(board.tolist()),
        "dead": cards_text(out.tolist()),
        "evaluator": str(evaluator),
    }


def test_spots_of_every_kind_against_exact_answers():
    """Over 120 spots the differences, in standard errors, have a standard normal distribution."""
    rng = np.random.default_rng(11)
    differences, kinds = [], set()
    while len(differences) < _SPOTS:
        players, others = _random_spot(rng)
        try:
            exact = holdem.equity(*players, **others, method="exact")
        except holdem.SpotError:  # no deal is possible
            continue
        sampled = holdem.equity(
            *players, **others, method="monte-carlo", deals=_BLOCKS << 14, seed=len(differences)
        )
        seat = int(rng.integers(len(players)))
        true, found = exact.players[seat], sampled.players[seat]
        if true.equity in {0, 1}:
            assert found.equity == true.equity
        elif min(true.equity, 1 - true.equity) > 0.01:  # else the error is too uncertain
            differences.append((found.equity - true.equity) / found.stderr)
            kinds.add((len(players), len(others["board"]) // 2, others["evaluator"]))
    assert len(kinds) > 15
    assert np.abs(differences).max() < 4.5
    assert kstest(differences, "norm").pvalue > 1e-3


@pytest.mark.parametrize(
    ("text", "players", "board"),
    [
        ("22+:0.4,A2s+,KTs+,QJs,ATo+:0.7,KQo", 6, "Td9d2c4h"),
        ("top 30%", 8, ""),
    ],
)
def test_equal_players_share_equally(text, players, board):
    """With equal ranges each player has the same equity."""
    found = holdem.equity(
        *[text] * players, board=board, method="monte-carlo", deals=1 << 18, seed=2
    )
    for player in found.players:
        assert abs(player.equity - 1 / players) < 4.5 * player.stderr


def _count(sampler, blocks, cells_of, size):
    """Count deals by cell, in blocks of which each needs little memory."""
    counts = np.zeros(size, dtype=np.int64)
    for block in range(blocks):
        counts += np.bincount(cells_of(sampler.deals(block)), minlength=size)
    return counts


def _is_plausible(counts, weights):
    """Return whether chi-square is between its quantiles of one in 100,000."""
    assert (counts[weights == 0] == 0).all()
    expected = weights[weights > 0] / weights.sum() * counts.sum()
    assert expected.min() > 2
    statistic = ((counts[weights > 0] - expected) ** 2 / expected).sum()
    low, high = chi2.ppf([1e-5, 1 - 1e-5], len(expected) - 1)
    return low < statistic < high


def _outside(sets, cards):
    """Return whether each of the card sets lacks each of the cards, ``(set, card)``."""
    return (sets[:, None] >> np.asarray(cards, dtype=np.uint64)[None, :] & np.uint64(1)) == 0


_DEALS = [
    pytest.param(5_000_000, id="5 million"),
    pytest.param(100_000_000, id="100 million", marks=pytest.mark.slow),
]


@pytest.mark.parametrize("deals", _DEALS)
@pytest.mark.parametrize(
    ("players", "max_rows"),
    [
        pytest.param(("AA:0.5,AKs,KK", "AA,KK:0.25,QQ", "random"), 65_535, id="joint list"),
        pytest.param(
            ("AA:0.5,KK", "KK,QQ:0.75", "KdQd,AhKh:0.3,JJ", "random"), 0, id="a list for each"
        ),
    ],
)
def test_combos_and_next_card(players, max_rows, deals, monkeypatch):
    """Two players' combos and the turn are dealt by the product of the weights of all players."""
    monkeypatch.setattr("holdem.odds.sampling.sampler._MAX_ROWS", max_rows)
    spot = make_spot(players, "Td9d2c")
    listed = len(players) - 1
    live = [spot.live[player] for player in range(listed)]
    weights = np.ones([len(own) for own in live])
    for player, own in enumerate(live):
        shape = [1] * listed
        shape[player] = len(own)
        weights = weights * spot.weights(player).reshape(shape)
        for rival in range(player):
            fits = (COMBO_SETS[live[rival]][:, None] & COMBO_SETS[own][None, :]) == 0
            axes = tuple(axis for axis in range(listed) if axis not in (rival, player))
            weights = weights * np.expand_dims(fits, axes)
    free = spot.free
    for player, own in enumerate(live):
        axes = tuple(axis for axis in range(listed) if axis != player)
        weights = weights[..., None] if player == 0 else weights
        weights = weights * np.expand_dims(_outside(COMBO_SETS[own], free), axes)
    weights = weights.reshape(len(live[0]), len(live[1]), -1, len(free)).sum(axis=2)

    def cells(dealt):
        first, second = (
            np.searchsorted(live[player], combo_numbers(dealt[:, 5 + 2 * player : 7 + 2 * player]))
            for player in (0, 1)
        )
        return np.ravel_multi_index(
            (first, second, np.searchsorted(free, dealt[:, 3])), weights.shape
        )

    counts = _count(Sampler(spot, 5), -(-deals >> 14), cells, weights.size)
    assert _is_plausible(counts, weights.ravel())


@pytest.mark.parametrize("deals", _DEALS)
@pytest.mark.parametrize(
    ("players", "board"), [(("QQ+", "random"), ""), (("random", "random"), "Td9d2c3h")]
)
def test_combos_of_a_range_and_a_random_hand(players, board, deals):
    """Every pair of combos without a common card is equally likely."""
    spot = make_spot(players, board)
    first, second = spot.live
    weights = (COMBO_SETS[first][:, None] & COMBO_SETS[second][None, :]) == 0

    def cells(dealt):
        one = np.searchsorted(first, combo_numbers(dealt[:, 5:7]))
        return one * len(second) + np.searchsorted(second, combo_numbers(dealt[:, 7:9]))

    # Each pair of two random hands would have too small a count; those of every 97th first one.
    chosen = np.arange(0, len(first), 97 if len(first) > 97 else 1)
    counts = _count(Sampler(spot, 6), -(-deals >> 14), cells, weights.size).reshape(weights.shape)
    assert _is_plausible(counts[chosen].ravel(), weights[chosen].ravel().astype(float))


@pytest.mark.parametrize("deals", _DEALS)
@pytest.mark.parametrize(
    "players",
    [
        pytest.param(("AsKs", "random"), marks=pytest.mark.slow),
        ("AsKs", *["random"] * 3),
    ],
)
def test_boards(players, deals):
    """Every board of five cards is equally likely."""
    spot = make_spot(players)
    cards = len(spot.board_cards)
    places = np.full(52, -1)
    places[spot.board_cards] = np.arange(cards)
    binomials = np.array([[comb(n, k) for n in range(cards)] for k in range(6)])

    def cells(dealt):
        board = np.sort(places[dealt[:, :5]], axis=1)
        return sum(binomials[card + 1][board[:, card]] for card in range(5))

    size = comb(cards, 5)
    counts = _count(Sampler(spot, 7), -(-deals >> 14), cells, size)
    assert _is_plausible(counts, np.ones(size))
