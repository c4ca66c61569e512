"""Exact equity against published counts, another library, and itself."""

import numpy as np
import pytest

import holdem
from holdem.ranges.combos import COMBO_CARDS
from holdem.ranges.range import Range
from naive import count_deals, ranges_of_weights

PUBLISHED = [
    # player, player, wins of the first, wins of the second, ties
    ("AcAs", "KdKh", 1388072, 317694, 6538),
    ("AcAs", "KcKs", 1410336, 292660, 9308),
    ("AdKd", "QcQs", 787966, 917606, 6732),
    ("2s2h", "AhKd", 896216, 805529, 10559),
    ("AKs", "QQ+", 28123620, 53461356, 605616),
    ("AsKs", "random", 1389004215, 673957209, 34610976),
]


@pytest.mark.parametrize(("first", "second", "wins", "losses", "ties"), PUBLISHED)
def test_published_counts(first, second, wins, losses, ties):
    """Wins, losses and ties before the flop are the published ones."""
    one, other = holdem.equity(first, second, method="exact").players
    assert (wins, losses, ties) == (one.wins, one.losses, one.ties)
    assert (losses, wins, ties) == (other.wins, other.losses, other.ties)


def _spots(count, seed):
    """Generate spots small enough for the oracle to visit every deal."""
    rng = np.random.default_rng(seed)
    for number in range(count):
        players = int(rng.choice([2, 2, 2, 3, 4]))
        size = int(rng.choice([0, 3, 4, 5]))
        deck = rng.permutation(52)
        # Before the flop most cards are dead: the oracle takes a microsecond a hand.
        dead_cards = (
            int(rng.integers(34, 37)) - 2 * players if size == 0 else int(rng.integers(0, 25))
        )
        board, dead, rest = deck[:size], deck[size : size + dead_cards], deck[size + dead_cards :]
        pool = rest[: max(2 * players + 1, 7)]
        inside = np.isin(COMBO_CARDS, pool).all(axis=1)
        weights = np.zeros((players, 1326))
        for player in range(players):
            some = rng.choice(np.flatnonzero(inside), size=int(rng.integers(1, 5)), replace=False)
            weights[player, some] = 1.0 if number % 2 else rng.integers(1, 9, len(some)) / 8
        yield weights, board.tolist(), dead.tolist()


def _ask(weights, board, dead, **options):
    ranges = [Range.from_weights(own) for own in weights]
    return holdem.equity(*ranges, board=board, dead=dead, method="exact", **options)


@pytest.mark.equity
def test_against_every_deal_by_another_library():
    """Results of random spots with dead cards, overlaps and weights are those of eval7."""
    answered = 0
    for weights, board, dead in _spots(36, seed=11):
        totals, deals = count_deals(ranges_of_weights(weights), board, dead)
        if deals == 0:
            with pytest.raises(holdem.SpotError):
                _ask(weights, board, dead)
            continue
        answered += 1
        result = _ask(weights, board, dead)
        assert result.deals == deals
        for player, (wins, ties, losses, share) in zip(result.players, totals, strict=True):
            everything = wins + ties + losses
            assert (float(wins), float(ties), float(losses)) == (
                player.wins,
                player.ties,
                player.losses,
            )
            assert abs(player.equity - share / everything) < 1e-12
    assert answered > 24


def test_workers_do_not_matter():
    """Exact answers are the same bits on any number of workers."""
    answers = [
        holdem.equity("QQ+,AK:0.3", "TT+:0.7,AQs", workers=workers).to_dict()
        for workers in (1, 2, 5)
    ]
    for answer in answers:
        del answer["elapsed"]
    assert answers[0] == answers[1] == answers[2]


def test_range_with_one_live_combo():
    """A range with a single live combo has the counts of that combo."""
    result = holdem.equity("AcAs", "AcKc,KdKh,AsQs")
    assert (1, 1712304) == (result.players[1].combos, result.deals)
    first = result.players[0]
    assert (1388072, 6538, 317694) == (first.wins, first.ties, first.losses)
    assert isinstance(first.wins, int)


@pytest.mark.equity
def test_a_split_board_is_shared():
    """A royal flush on the board is a tie of all players: each has 1/k."""
    result = holdem.equity("2c2d", "3c3d", "4c4d", board="AsKsQsJsTs")
    for player in result.players:
        assert (player.wins, player.ties, player.losses) == (0, 1, 0)
        assert player.equity == pytest.approx(1 / 3, abs=1e-15)


def test_time_cuts_an_exact_run():
    """A run cut by time is not exact, has no equity and reports its progress."""
    result = holdem.equity("AsKs", "random", dead="2c", method="exact", time=1e-6, workers=1)
    assert result.stop == "time"
    assert not result.exact
    assert 0 < result.progress < 1
    assert all(player.equity != player.equity for player in result.players)
    assert result.to_dict()["players"][0]["equity"] is None
