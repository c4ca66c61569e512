"""How sure a match is: all-ins by runouts, errors, and matches that end when they are decided."""

from functools import partial

import numpy as np
import pytest

import holdem
from holdem.matches import match
from holdem.ranges.starting_hands import hole_percentiles

STACK, BIG = 20, 2


def jams(share):
    """A strategy that goes all-in with the best hole cards, or calls an all-in, and else folds."""

    def jam(decision):
        return np.where(
            decision.percentile > 1 - share, np.maximum(decision.max_raise, 0), decision.FOLD
        )

    return jam


def test_push_or_fold_is_worth_what_equities_say():
    """Heads-up with ten big blinds, button jams the best 40 %, the big blind calls with 30 %."""
    wide, narrow = jams(0.40), jams(0.30)
    options = {"names": ["big", "button"], "turn_seats": False, "stacks": STACK, "seed": 11}
    played = holdem.play([narrow, wide], hands=200_000, **options)
    settled = holdem.play([narrow, wide], hands=200_000, runouts=1, **options)
    # By all pairs of hole cards: what the button has at the end, minus what it had.
    cards = np.array([(a, b) for a in range(52) for b in range(a)], dtype=np.uint8)
    percentile = hole_percentiles()[cards[:, 0], cards[:, 1]]
    ours, theirs = cards[percentile > 0.60], cards[percentile > 0.70]
    disjoint = (ours[:, None, :, None] != theirs[None, :, None, :]).all(axis=(2, 3))
    pairs = 1326 * 1225
    at = np.argwhere(disjoint)
    found = holdem.equities(ours[at[:, 0]], theirs[at[:, 1]], method="exact").equity[:, 0]
    jam = len(ours) / 1326
    called = len(at) / pairs
    value = (1 - jam) * -1 + (jam - called) * BIG + (called * (2 * STACK * found.mean() - STACK))
    for result in (played, settled):
        own = result["button"]
        assert abs(own.bb_per_100 - 100 * value / BIG) < 4 * own.stderr
    assert settled["button"].stderr < played["button"].stderr / 2
    assert settled["button"].stderr_as_played == pytest.approx(played["button"].stderr)


@pytest.mark.parametrize("players", [2, 3, 6])
def test_runouts_agree_with_the_exact_mean(players):
    """The mean of many runouts of one deal is what `settle` computes with all hole cards dead."""
    stacks = (30, 20, 10, 25, 40, 15)[:players]
    jam = [lambda decision: np.where(decision.random < 0.7, decision.max_raise, 0)] * players
    options = {"hands": 6, "stacks": stacks, "turn_seats": False, "seed": 3}
    result = holdem.play(jam, runouts=10_000, record=True, **options)
    assert result.all_ins > 2
    total = 0.0
    for hand in result.hands:
        won = np.array([float(own) for own in hand.net])
        if hand.all_in is not None:
            folded = [seat for seat in range(players) if seat not in hand.live]
            dead = [card for seat in folded for card in hand.holes[seat]]
            live = [seat for seat in range(players) if seat not in folded]
            pots = [
                (float(pot.amount), tuple(live.index(seat) for seat in pot.seats))
                for pot in hand.pots
            ]
            holes = [hand.holes[seat] for seat in live]
            settled = holdem.settle(pots, holes, board=hand.all_in, dead=dead)
            won = -np.array([float(own) for own in hand.put])
            won[live] += settled.shares
        total += won
    rates = [own.bb_per_100 * own.hands / 100 * BIG for own in result.strategies[0].by_position]
    assert rates == pytest.approx(total.tolist(), abs=1.5)


def test_folded_cards_do_not_come():
    """The button folds aces, so that those of the small blind can't improve to three of a kind."""

    def play_on(decision):
        jammed = np.where(decision.position == 0, decision.max_raise, decision.CALL)
        return np.where(decision.position == 2, decision.FOLD, jammed)

    options = {"holes": ["AcAd", "KcKd", "AhAs"], "stacks": 20, "hands": 20, "seed": 5}
    result = holdem.play([play_on] * 3, runouts=10_000, **options)
    share = holdem.equity("AcAd", "KcKd", dead="AhAs").players[0].equity
    won = result["play_on"].by_position[0].bb_per_100 / 100 * BIG
    assert won == pytest.approx(40 * share - 20, abs=0.2)


def test_runouts_do_not_depend_on_batches(monkeypatch):
    jam, call = jams(0.4), jams(0.3)
    ask = partial(holdem.play, [jam, call, jam], names=["jam", "call", "jam"], runouts=4, seed=2)
    expected = ask(hands=20_000, stacks=20, workers=1)
    monkeypatch.setattr(match, "_MOST_GAMES", 600)
    monkeypatch.setattr(match, "_FIRST_GAMES", 600)
    assert ask(hands=20_000, stacks=20, workers=2) == expected
    assert "settled by 4 runouts: without them, errors would be" in str(expected)


def test_runouts_keep_what_is_known():
    """On a given board nothing is left to run out; cards that are dead never come."""
    jam = [lambda decision: np.where(decision.to_call > 0, decision.max_raise, 0)] * 2
    options = {"hands": 300, "stacks": 20, "seed": 2, "turn_seats": False}
    same = {"board": "2c7d9hJsKc"}
    first, second = (holdem.play(jam, runouts=n, **same, **options) for n in (0, 5))
    assert first.strategies[0].bb_per_100 == pytest.approx(second.strategies[0].bb_per_100)
    # With three queens dead, queens never win by the board.
    aces = holdem.play(
        jam, runouts=2000, holes=["QcQd", "AcAd"], dead="QhQsAhAs2c3c4c5c", **options
    )
    exact = holdem.equity("QcQd", "AcAd", dead="QhQsAhAs2c3c4c5c").players[0].equity
    expected = 100 * (40 * exact - 20) / 2
    assert aces.strategies[0].by_position[0].bb_per_100 == pytest.approx(expected, abs=3)


def tight(decision):
    return np.where(decision.percentile > 0.7, 3 * decision.highest, decision.FOLD)


def caller(decision):
    return 0 * decision.street


def folder(decision):
    return decision.FOLD


def test_a_decided_match_ends():
    result = holdem.play([folder, caller], until="decided", seed=1)
    assert result.stop == "decided"
    assert result.deals % match.TESTED_DEALS == 0
    assert result.verdict == "caller is ahead at 95 % confidence"
    assert "stopped once a strategy was ahead" in str(result)


def test_an_undecided_match_goes_on():
    result = holdem.play([caller, caller], names=["a", "b"], until="decided", hands=100_000, seed=1)
    assert (result.stop, result.hand_count) == ("hands", 100_000)
    assert result.verdict.startswith("undecided at 95 % confidence")


def test_matches_are_decided_alike_for_all_batches(monkeypatch):
    def near(decision):
        return np.where(decision.percentile > 0.66, 3 * decision.highest, decision.FOLD)

    ask = partial(holdem.play, [tight, near, caller], until="decided", hands=300_000, seed=4)
    monkeypatch.setattr(match, "TESTED_DEALS", 1024)
    expected = ask(workers=1)
    monkeypatch.setattr(match, "_MOST_GAMES", 900)
    monkeypatch.setattr(match, "_FIRST_GAMES", 900)
    assert ask(workers=3) == expected
    assert expected.stop == "decided"


def test_verdicts():
    found = holdem.play([folder, caller], hands=2000, seed=1)
    assert found.verdict == "caller is ahead at 95 % confidence"
    equal = holdem.play([caller, caller], names=["a", "b"], hands=1000, seed=1)
    assert equal.verdict.startswith("undecided between a and b at 95 % confidence")
    assert holdem.play([caller, caller], hands=1000, seed=1).verdict == ""
    with pytest.raises(holdem.HoldemValueError, match="nothing to decide"):
        holdem.play([caller, caller], until="decided")
    with pytest.raises(holdem.HoldemValueError, match='must be "decided"'):
        holdem.play([tight, caller], until="soon")


@pytest.mark.slow
def test_intervals_cover():
    """Over 2,000 seeds, 95 % intervals cover what many hands say, and tests are seldom wrong."""
    truth = holdem.play([tight, caller], hands=4_000_000, seed=99)["tight"].bb_per_100
    covered = 0
    for seed in range(2000):
        low, high = holdem.play([tight, caller], hands=2000, seed=seed, workers=1)["tight"].ci95
        covered += low < truth < high
    assert 0.935 < covered / 2000 < 0.965


def test_a_chart():
    pytest.importorskip("matplotlib").use("Agg")
    axes = holdem.play([tight, caller], hands=1000, seed=1).plot()
    assert axes.get_xlabel() == "big blinds in 100 hands"


def test_amounts_of_large_chips_do_not_wrap():
    seen = []

    def look(decision):
        seen.extend(decision.stack.tolist())
        return np.full(len(decision), decision.CALL)

    holdem.play([look, "fold"], hands=2, blinds=(1e6, 2e6), stacks=4e9, chip=1e6, seed=1)
    assert set(seen) <= {4_000_000_000 - 1_000_000, 4_000_000_000 - 2_000_000}
    huge = holdem.play([look, "fold"], hands=2, blinds=(3e9, 6e9), stacks=9e10, chip=3e9, seed=1)
    assert huge.big_blind == 6e9


def test_the_numbers_of_games_cannot_be_changed():
    def change(decision):
        decision.game[:] = 0

    with pytest.raises(holdem.HoldemValueError, match="read-only"):
        holdem.play([change, "caller"], hands=100, seed=1)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"blinds": (1,)}, "blinds: expected the small and the big blind"),
        ({"blinds": 5}, "blinds: expected a list of amounts, not 5"),
        ({"blinds": "1/2"}, "blinds"),
        ({"blinds": (1, None)}, r"blinds\[1\]: expected an amount"),
        ({"blinds": (1, float("nan"))}, r"blinds\[1\]: NaN is not an amount"),
        ({"blinds": (), "bets": ()}, "bets: expected the least bet of each"),
        ({"holes": 5}, "holes: expected a list"),
        ({"trims_antes": "no"}, "trims_antes must be True or False, not 'no'"),
        ({"names": {"a": 1}}, "names: expected one for each of 2 seats"),
    ],
)
def test_arguments(arguments, message):
    with pytest.raises(holdem.HoldemError, match=message):
        holdem.play(["caller", "fold"], hands=10, **arguments)


def test_has_takes_text():
    text = r"a hand must be text.*any of several is one"
    with pytest.raises(holdem.HoldemValueError, match=text):
        holdem.play([lambda d: d.has(["pair", "flush"]), "caller"], hands=10, seed=1)
