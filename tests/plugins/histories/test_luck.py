"""Luck: all-ins settled by equity, its standard deviation, and the report of it."""

import json
import math
from fractions import Fraction
from pathlib import Path

import attrs
import numpy as np
import pytest

import holdem
import naive
from holdem.betting.played_hand import split_pots
from holdem.cards import DECK, cards_text
from holdem_histories import all_in_report, read_hands
from holdem_histories.luck import settle_hands

PLURIBUS = Path(__file__).parents[2] / "data" / "histories" / "pluribus.phhs"


def make_hand(rng):
    """Make up an all-in of three on the flop, with a main pot, a side pot and a real runout."""
    cards = [DECK[card] for card in rng.permutation(52)[:11]]
    holes = tuple((cards[2 * seat], cards[2 * seat + 1]) for seat in range(3))
    board = tuple(cards[6:])
    short, deep = sorted(rng.integers(1, 100, 2).tolist())
    pots = (holdem.Pot(3 * short, (0, 1, 2)), holdem.Pot(2 * (deep - short), (0, 1)))
    pots = tuple(pot for pot in pots if pot.amount)
    put = (deep, deep, short)
    strengths = [holdem.get_evaluator().strength((*board, *hole)) for hole in holes]
    won = split_pots(pots, strengths, 3)
    streets = [(), board[:3], board[:4], board]
    return holdem.PlayedHand(
        names=("Ann", "Bob", "Cy"),
        holes=holes,
        board=board,
        streets=tuple(holdem.PlayedStreet(known, (0, 1, 2)) for known in streets),
        pots=pots,
        put=put,
        net=tuple(chips - own for chips, own in zip(won, put, strict=True)),
        all_in=board[:3],
        big_blind=2,
    )


def test_pluribus():
    """Of Pluribus' all-ins, nothing gets lost, and luck is that of a naive enumeration."""
    hands = list(read_hands(PLURIBUS))
    report = all_in_report(hands, unit="bb")
    assert (299, 92, 0) == (report.hands, report.all_ins, report.left_out)
    sums = [sum(found.adjusted) - sum(found.net) for found in settle_hands(hands)]
    assert max(map(abs, sums)) < 1e-11  # some 20,000 chips, of which each has 2e-12
    # All all-ins are in the file, so the luck and its deviation are those of all 10,000 hands.
    pluribus = report.player("Pluribus")
    assert ("-536.6", "382.7") == (f"{pluribus.luck:.1f}", f"{pluribus.deviation:.1f}")
    deviations = {name: report.player(name).deviation for name in ("Bill", "MrOrange", "ORen")}
    expected = {"Bill": 411.0, "MrOrange": 365.8, "ORen": 193.3}
    assert expected == {name: round(value, 1) for name, value in deviations.items()}
    assert math.isclose(0, sum(player.luck for player in report.players), abs_tol=1e-9)


def test_equal_to_enumeration():
    """On turns, adjusted results and variances are those of a naive enumeration of the pots."""
    hands = [hand for hand in read_hands(PLURIBUS) if hand.all_in and len(hand.all_in) == 4]
    assert len(hands) > 10
    for found in settle_hands(hands):
        hand = found.hand
        holes = [
            list(map(int, hole)) if seat in hand.live and hole else None
            for seat, hole in enumerate(hand.holes)
        ]
        pots = [(int(pot.amount), pot.seats) for pot in hand.pots]
        means, variance = naive.settle(pots, holes, list(map(int, hand.all_in)), [])
        for seat in range(len(hand.names)):
            assert math.isclose(found.adjusted[seat], means[seat] - hand.put[seat], abs_tol=1e-9)
            assert math.isclose(found.variance[seat], variance[seat], rel_tol=1e-12, abs_tol=1e-3)


def test_nobody_is_lucky():
    """Of players who are neither lucky nor unlucky, 95 % have a luck within 2 deviations.

    In 1,000 runs, with a chance of 95.4 % each, fewer than 933 or more than 974 would have a
    probability of about 1 in 1,000 each.
    """
    rng = np.random.default_rng(45)
    inside = 0
    squares = []
    for _ in range(1000):
        report = all_in_report([make_hand(rng) for _ in range(12)])
        z = report.player("Ann").z
        inside += abs(z) < 2
        squares.append(z * z)
    assert 933 <= inside <= 974
    assert abs(np.mean(squares) - 1) < 0.2  # its standard error is at most about 0.05


def test_rules():
    """Rake, unknown hands, folded hands and big blinds are treated as documented."""
    hand = make_hand(np.random.default_rng(3))
    plain = all_in_report([hand])
    raked = attrs.evolve(
        hand,
        pots=tuple(attrs.evolve(pot, rake=Fraction(pot.amount, 10)) for pot in hand.pots),
        net=tuple(
            (own + put) * Fraction(9, 10) - put for own, put in zip(hand.net, hand.put, strict=True)
        ),
    )
    report = all_in_report([raked])
    for name, put in zip(hand.names, hand.put, strict=True):
        expected = 0.9 * (plain.player(name).adjusted + put) - put
        assert math.isclose(expected, report.player(name).adjusted, abs_tol=1e-12)
        assert math.isclose(0.9 * plain.player(name).luck, report.player(name).luck, abs_tol=1e-12)
    unknown = attrs.evolve(hand, holes=(hand.holes[0], None, hand.holes[2]))
    left_out = all_in_report([unknown, hand])
    assert (2, 1, 1) == (left_out.hands, left_out.all_ins, left_out.left_out)
    ann = left_out.player("Ann")
    assert (2, 1, 1) == (ann.hands, ann.all_ins, ann.left_out)
    assert math.isclose(ann.luck, plain.player("Ann").luck)
    with pytest.raises(holdem.HistoryError, match="unknown") as caught:
        all_in_report([unknown], unknown="raise")
    assert "unknown hand" == caught.value.kind
    blinds = all_in_report([hand], unit="bb").player("Ann")
    assert math.isclose(plain.player("Ann").deviation / 2, blinds.deviation)
    with pytest.raises(holdem.HistoryError, match="no big blind"):
        all_in_report([attrs.evolve(hand, big_blind=0)], unit="bb")
    only_main = attrs.evolve(
        hand, pots=(holdem.Pot(2, (0, 1)),), put=(1, 1, 0), net=(1, -1, 0)
    )  # the third hand has folded
    settled = holdem.settle([(2, (0, 1))], [*hand.holes[:2], None], board=hand.all_in)
    dead = holdem.settle([(2, (0, 1))], hand.holes, board=hand.all_in)
    assert settled != dead
    for folded, expected in (("unknown", settled), ("dead", dead)):
        found = all_in_report([only_main], folded=folded).player("Ann")
        assert math.isclose(found.adjusted, expected.shares[0] - 1)


def test_all_in_on_the_river():
    """An all-in on the river, or one that everybody else folds to, counts as it fell."""
    hands = [hand for hand in read_hands(PLURIBUS) if hand.all_in is None]
    report = all_in_report(hands)
    assert 0 == report.all_ins
    for player in report.players:
        assert (0, None) == (player.luck, player.z)


def test_line():
    """A line has every hand up to a limit, then every second one, and always the last."""
    hand = make_hand(np.random.default_rng(3))
    report = all_in_report([hand] * 50)
    line = report.line("Bob")
    assert list(range(51)) == line.hands.tolist()
    np.testing.assert_allclose(line.net, np.arange(51) * float(hand.net[1]))
    np.testing.assert_allclose(line.deviation**2, np.arange(51) * line.deviation[1] ** 2)
    folded = attrs.evolve(hand, all_in=None)
    long = all_in_report(folded for _ in range(20_001)).line("Bob")
    assert len(long.hands) < 1 << 14
    assert {2} == set(np.diff(long.hands[:-1]).tolist())
    assert 20_001 == long.hands[-1]
    assert math.isclose(long.net[-1], 20_001 * hand.net[1])


def test_equities_by_street():
    """Equities by street are those of the known hands that are still in."""
    hand = next(hand for hand in read_hands(PLURIBUS) if len(hand.live) == 3 and hand.all_in == ())
    found = hand.equities()
    assert (4, 6) == found.shape
    for street, own in zip(hand.streets, found, strict=True):
        holes = [cards_text(hand.holes[seat]) for seat in street.seats]
        expected = holdem.equity(*holes, board=street.board, method="exact").equities
        np.testing.assert_array_equal(expected, own[list(street.seats)])
        assert len(street.seats) == np.isfinite(own).sum()
    hidden = attrs.evolve(hand, holes=(hand.holes[0], *[None] * 5))
    assert np.isnan(hidden.equities()).all()


def test_error_of_the_hands():
    """An error of the iterator of hands is not hidden."""

    def hands():
        yield from read_hands(PLURIBUS)
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        all_in_report(hands())


def test_report():
    """A report prints, converts, compares and draws like other results."""
    hands = list(read_hands(PLURIBUS))
    report = all_in_report(hands)
    assert report == all_in_report(iter(hands))
    assert report != all_in_report(hands, folded="dead")
    assert "299 hands" in repr(report)
    assert "all-in adjusted" in str(report)
    record = json.loads(json.dumps(report.to_dict()))
    assert "holdem/all-in-report/1" == record["schema"]
    frame = report.to_frame()
    assert [player["name"] for player in record["players"]] == frame.player.tolist()
    assert [player["z"] for player in record["players"]] == frame.z.tolist()
    axes = report.plot(player="Bill")
    line = report.line("Bill")
    drawn = {own.get_label(): own.get_ydata() for own in axes.get_lines()}
    np.testing.assert_array_equal(line.net, drawn["actual"])
    np.testing.assert_array_equal(line.adjusted, drawn["all-in adjusted"])
    (band,) = axes.collections
    bounds = band.get_datalim(axes.transData).intervaly
    assert math.isclose(bounds[1], (line.adjusted + 2 * line.deviation).max())
    assert math.isclose(bounds[0], (line.adjusted - 2 * line.deviation).min())


@pytest.mark.parametrize(
    ("call", "part"),
    [
        (lambda hands: all_in_report(hands, unknown="random"), "'random'"),
        (lambda hands: all_in_report(hands, unit="euro"), "'euro'"),
        (lambda hands: all_in_report(hands, folded="live"), "'live'"),
        (lambda hands: all_in_report("log.txt"), "read_hands"),
        (lambda hands: all_in_report(Path("log.txt")), "read_hands"),
        (lambda hands: all_in_report(3), "not 3"),
        (lambda hands: all_in_report(hands[0]), "expected hands"),
        (lambda hands: all_in_report([1]), "not 1"),
        (
            lambda hands: all_in_report([attrs.evolve(hands[0], big_blind=0)], unit="bb"),
            "line 2: the hand has no big blind; use chips",
        ),
        (lambda hands: all_in_report(hands).line("Bil"), "did you mean Bill"),
        (lambda hands: all_in_report([]).plot(), "no hands"),
    ],
)
def test_refused(call, part):
    """Wrong arguments are refused, with what would work."""
    with pytest.raises(holdem.HoldemError, match=part):
        call(list(read_hands(PLURIBUS)))
