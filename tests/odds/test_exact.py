"""Exact equity against published counts, another library, and itself."""

from fractions import Fraction

import numpy as np
import pytest

import holdem
from holdem.jobs.run import run
from holdem.odds.exact.candidates import EXACT_METHODS
from holdem.odds.exact.exact_run import ExactRun
from holdem.odds.spot import make_spot
from holdem.ranges.combos import COMBO_CARDS
from holdem.ranges.range import Range
from naive import count_deals, ranges_of_weights

EVERY_METHOD = tuple(listed.method for listed in EXACT_METHODS)
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


def test_three_known_hands():
    """Three known hands have the published wins and three-way ties."""
    result = holdem.equity("AsKs", "QdQh", "7c7d")
    assert [player.wins for player in result.players] == [533482, 583049, 251560]
    assert [player.ties for player in result.players] == [2663] * 3
    assert result.deals == 1370754
    # 2,663 deals are three-way ties: each player gets a third.
    expected = Fraction(533482) + Fraction(2663, 3)
    assert result.players[0].equity == pytest.approx(float(expected / 1370754), abs=1e-15)


@pytest.mark.parametrize(
    ("first", "second", "equity"),
    [
        ("QQ+", "TT+", 0.650483),
        ("QhQs", "TT+", 0.500125),
        ("AA", "QQ:0.01,22", 0.822101),
        ("KcQc", "6c5c,AQo+", 0.313757),
    ],
)
def test_ranges_before_the_flop(first, second, equity):
    """Overlapping and weighted ranges have the published equities."""
    result = holdem.equity(first, second)
    assert result.exact
    assert round(result.players[0].equity, 6) == equity
    assert result.players[0].equity + result.players[1].equity == pytest.approx(1, abs=1e-12)


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


def test_methods_agree():
    """All exact methods that apply to a spot return the same result, for each combo."""
    compared = 0
    for weights, board, dead in _spots(80, seed=12):
        ranges = tuple(Range.from_weights(own) for own in weights)
        try:
            spot = make_spot(ranges, board, dead)
        except holdem.SpotError:
            continue
        methods = [method for method in EVERY_METHOD if method.cost(spot) is not None]
        assert len(methods) >= 2
        compared += len(methods)
        jobs = [ExactRun(method(spot)) for method in methods]
        for players in zip(*(run(job, workers=1).players for job in jobs), strict=True):
            first, *others = players
            for other in others:
                assert (first.wins, first.ties, first.losses) == pytest.approx(
                    (other.wins, other.ties, other.losses), rel=1e-12
                )
                assert first.equity == pytest.approx(other.equity, abs=1e-12)
                for one, two in zip(first.by_combo, other.by_combo, strict=True):
                    assert (one.combo, one.weight) == (two.combo, two.weight)
                    assert (one.equity, one.win, one.tie) == pytest.approx(
                        (two.equity, two.win, two.tie), abs=1e-12
                    )
    assert compared > 100


def test_workers_do_not_matter():
    """Exact answers are the same bits on any number of workers."""
    answers = [
        holdem.equity("QQ+,AK:0.3", "TT+:0.7,AQs", workers=workers).to_dict()
        for workers in (1, 2, 5)
    ]
    for answer in answers:
        del answer["elapsed"]
    assert answers[0] == answers[1] == answers[2]


@pytest.mark.equity
def test_random_against_random_is_symmetric():
    """Two random hands on a board have equal wins and half the pot each."""
    result = holdem.equity("random", "random", board="Ks7d2c5h9s", method="exact")
    one, other = result.players
    assert one.wins == other.wins
    assert one.ties == other.ties
    assert one.equity == 0.5
    assert result.deals == 1081 * 990


@pytest.mark.parametrize("weighted", [0, 1])
def test_weight_of_a_known_hand(weighted):
    """A combo of weight 0.5 wins half as many deals and has the same equity."""
    players = ["AcAs", "KdKh"]
    players[weighted] += ":0.5"
    first, second = holdem.equity(*players).players
    assert (1388072 / 2, 6538 / 2, 317694 / 2) == (first.wins, first.ties, first.losses)
    assert (317694 / 2, 6538 / 2, 1388072 / 2) == (second.wins, second.ties, second.losses)
    assert holdem.equity("AcAs", "KdKh").players[0].equity == first.equity


def test_range_with_one_live_combo():
    """A range with a single live combo has the counts of that combo."""
    result = holdem.equity("AcAs", "AcKc,KdKh,AsQs")
    assert (1, 1712304) == (result.players[1].combos, result.deals)
    first = result.players[0]
    assert (1388072, 6538, 317694) == (first.wins, first.ties, first.losses)
    assert isinstance(first.wins, int)


def test_by_combo_adds_up():
    """The equity is the mean over combos, weighted by their deals."""
    result = holdem.equity("AA:0.5,KK,AKs", "QQ+", board="Td9d2c")
    records = result.players[0].by_combo
    assert result.players[0].combos == len(records) == 6 + 6 + 4
    assert {record.weight for record in records} == {0.5, 1.0}
    alone = {record.combo: holdem.equity(record.combo, "QQ+", board="Td9d2c") for record in records}
    for record in records:
        single = alone[record.combo].players[0]
        assert record.equity == pytest.approx(single.equity, abs=1e-12)
        assert record.win == pytest.approx(single.win, abs=1e-12)
        assert record.tie == pytest.approx(single.tie, abs=1e-12)
    mass = [record.weight * alone[record.combo].deals for record in records]
    whole = sum(m * record.equity for m, record in zip(mass, records, strict=True)) / sum(mass)
    assert result.players[0].equity == pytest.approx(whole, abs=1e-12)


@pytest.mark.equity
def test_ten_players():
    """Ten known hands on a river: one deal, one winner."""
    holes = ["AsKs", "AhKh", "AdKd", "2c2d", "3c3d", "4c4d", "5c5d", "6c6d", "7c7d", "8c8d"]
    result = holdem.equity(*holes, board="QsJsTs9h2h")
    assert result.deals == 1
    assert [player.wins for player in result.players] == [1] + [0] * 9
    assert sum(player.equity for player in result.players) == 1


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
    assert all(player.equity is None and player.wins is None for player in result.players)
    assert result.to_dict()["players"][0]["equity"] is None
