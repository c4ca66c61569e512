"""Logs of PokerStars: side pots, rake, antes, dead blinds, and what is refused by name."""

import re
import sys
from fractions import Fraction
from pathlib import Path

import pytest

import holdem
from holdem_histories import all_in_report, read_hands

LOG = Path(__file__).parents[2] / "data" / "histories" / "pokerstars.txt"
TEXT = LOG.read_text(encoding="utf-8")
FIRST, SECOND, THIRD = re.split(r"\n(?=PokerStars )", TEXT)


def amounts(values):
    """Return amounts as floats."""
    return [float(value) for value in values]


def test_two_side_pots():
    """Three all-ins, antes and rake: pots, their seats, and what each of them paid.

    One name is another with a colon and an action.
    """
    hand = next(read_hands(LOG))
    assert {"Ann", "Bob: calls", "Bob", "Dée"} == set(hand.names)
    seat = {name: number for number, name in enumerate(hand.names)}
    ann, bob, cy, dee = (seat[name] for name in ("Ann", "Bob: calls", "Bob", "Dée"))
    found = [(float(pot.amount), set(pot.seats), float(pot.rake)) for pot in hand.pots]
    assert found == [
        (16.0, {ann, bob, cy, dee}, 0.8),
        (9.0, {ann, cy, dee}, 0.4),
        (6.0, {ann, dee}, 0.3),
    ]
    net = dict(zip(hand.names, amounts(hand.net), strict=True))
    assert {"Ann": 4.3, "Bob: calls": 11.2, "Bob": -7.0, "Dée": -10.0} == net
    assert sum(hand.net) == Fraction("-1.5")
    assert "Qs Qd" == " ".join(map(str, hand.holes[cy])), "mucked, and shown in the summary"
    assert () == hand.all_in
    assert ("1001", 1, 1) == (hand.number, hand.big_blind, hand.line)
    holes = ["KsKd", "AsAd", "QsQd", "JsJd"]
    pots = [(15.2, (0, 1, 2, 3)), (8.6, (0, 2, 3)), (5.7, (0, 3))]
    expected = holdem.settle(pots, holes)
    report = all_in_report([hand])
    for name, share, put in zip(("Ann", "Bob: calls"), expected.shares[:2], (10, 4), strict=False):
        assert abs(report.player(name).adjusted - (share - put)) < 1e-12
    assert abs(report.player("Dée").deviation - expected.deviations[3]) < 1e-12


def test_dead_blind_and_fixed_limit():
    """A dead small blind goes to the pot, not to the bet; fixed limit and two players are read."""
    _, second, third = read_hands(TEXT)
    assert [10.0] == amounts(pot.amount for pot in second.pots)
    assert ("Dee", 5.05) == max(
        zip(second.names, amounts(second.net), strict=True), key=lambda x: x[1]
    )
    assert 1 == second.big_blind
    assert {"Ann": 4, "Bob": -4} == dict(zip(third.names, third.net, strict=True))
    assert third.all_in is None
    assert all(third.holes)
    assert (1, FIRST.count("\n") + SECOND.count("\n") + 3) == (third.big_blind, third.line)


UNCALLABLE = """PokerStars Hand #7: Hold'em No Limit ($0.50/$1 USD) - 2020/01/02 3:04:05 ET
Table 'Lyra' 6-max Seat #1 is the button
Seat 1: Ann ($200 in chips)
Seat 2: Bob ($28 in chips)
Seat 3: Cy ($32 in chips)
Bob: posts small blind $0.50
Cy: posts big blind $1
*** HOLE CARDS ***
Ann: raises $4 to $5
Bob: calls $4.50
Cy: raises $27 to $32 and is all-in
Ann: raises $27 to $59
Bob: folds
Uncalled bet ($27) returned to Ann
*** FLOP *** [7s Th 6h]
*** TURN *** [7s Th 6h] [6d]
*** RIVER *** [7s Th 6h 6d] [Jd]
*** SHOW DOWN ***
Ann: shows [Kd Ks] (two pair, Kings and Sixes)
Cy: shows [Tc Td] (a full house, Tens full of Sixes)
Cy collected $67 from pot
*** SUMMARY ***
Total pot $69 | Rake $2
Board [7s Th 6h 6d Jd]
Seat 1: Ann (button) showed [Kd Ks] and lost with two pair, Kings and Sixes
Seat 2: Bob (small blind) folded before Flop
Seat 3: Cy (big blind) showed [Tc Td] and won ($67) with a full house, Tens full of Sixes
"""


FLOP = """Bob: calls $4.50
Cy: calls $4
*** FLOP *** [7s Th 6h]
Bob: checks
Cy: checks
Ann: bets $100
Bob: folds
Cy: calls $27 and is all-in
Uncalled bet ($73) returned to Ann
"""


def test_raise_that_nobody_can_call():
    """A raise above all other stacks is only a call; a bet that is called in part stays a bet."""
    head, rest = UNCALLABLE.split("Bob: calls")
    on_flop = head + FLOP + "*** TURN" + rest.split("*** TURN", 1)[1]
    for text, size in ((UNCALLABLE, 0), (on_flop, 3)):
        (hand,) = read_hands(text, errors="raise")
        assert {"Ann": -32, "Bob": -5, "Cy": 35} == dict(zip(hand.names, hand.net, strict=True))
        assert [(69, 2)] == [(pot.amount, pot.rake) for pot in hand.pots]
        assert {hand.names[seat] for seat in hand.live} == {"Ann", "Cy"}
        assert hand.all_in == hand.board[:size]


@pytest.mark.parametrize(
    ("hand", "old", "new", "kind", "part"),
    [
        # Without an ante, or with a pot of another size.
        (FIRST, "Ann: posts the ante $0.10\n", "", "pot does not fit", "it costs 7 here"),
        (FIRST, "Total pot $31 ", "Total pot $30.60 ", "pot does not fit", "31, and the log 30.6"),
        (SECOND, "Rake €0.45", "Rake €0.40", "pot does not fit", "9.55 and the house 0.4 "),
        (
            SECOND,
            "small & big blinds €1.50",
            "big blind €1",
            "pot does not fit",
            "9.5, and the log 10",
        ),
        (SECOND, "Hold'em No Limit", "Omaha Pot Limit", "other game", "Omaha"),
        (SECOND, "Hold'em No Limit", "6+ Hold'em No Limit", "other game", "6+"),
        (SECOND, "Board", "Hand cancelled\nBoard", "cancelled", "cancelled"),
        (SECOND, "Board", "STP added: €5\nBoard", "splash the pot", "house added money"),
        (SECOND, "Total pot", "Total", "incomplete", "Total pot"),
        (SECOND, "Dee: checks", "Dee: folds", "broken", "seat 3 acts after a fold"),
        (SECOND, "[Td 9d 2c]", "[Td 9d As]", "broken", "As appears twice"),
        (THIRD, "mucked [Kh Kd]", "mucked [Kh Ts]", "broken", "Ts appears twice"),
    ],
)
def test_refused(hand, old, new, kind, part):
    """What is not read is refused by name, or with both numbers; the others are read."""
    wrong = hand.replace(old, new)
    assert wrong != hand
    reader = read_hands(f"{wrong}\n\n{THIRD}")
    hands = list(reader)
    assert [kind] == [row.kind for row in reader.skipped], reader.skipped
    assert part in reader.skipped[0].reason
    assert 1 == len(hands)


ISOLATED = """PokerStars Hand #8: Hold'em No Limit ($0.50/$1 USD) - 2020/01/02 3:04:05 ET
Table 'Lyra' 6-max Seat #1 is the button
Seat 1: Ann ($100 in chips)
Seat 2: Bob ($100 in chips)
Seat 3: Cy ($5 in chips)
Seat 4: Dee ($70 in chips) is sitting out
Bob: posts small blind $0.50
Cy: posts big blind $1
*** HOLE CARDS ***
Dee: sits out
Ann: calls $1
Bob: calls $0.50
Cy: raises $4 to $5 and is all-in
Ann: raises $20 to $25
Bob: folds
Uncalled bet ($20) returned to Ann
*** FLOP *** [7s Th 6h]
*** TURN *** [7s Th 6h] [6d]
*** RIVER *** [7s Th 6h 6d] [Jd]
*** SHOW DOWN ***
Ann: shows [Kd Ks] (two pair, Kings and Sixes)
Cy: shows [Tc Td] (a full house, Tens full of Sixes)
Cy collected $10.50 from pot
*** SUMMARY ***
Total pot $11 | Rake $0.50
"""
SHORT_BLIND = """PokerStars Hand #9: Hold'em No Limit ($0.50/$1 USD) - 2020/01/02 3:04:05 ET
Table 'Lyra' 6-max Seat #1 is the button
Seat 1: Ann ($100 in chips)
Seat 2: Bob ($100 in chips)
Seat 3: Cy ($0.30 in chips)
Bob: posts small blind $0.50
Cy: posts big blind $0.30 and is all-in
*** HOLE CARDS ***
Ann: calls $1
Bob: folds
Uncalled bet ($0.50) returned to Ann
*** FLOP *** [7s Th 6h]
*** TURN *** [7s Th 6h] [6d]
*** RIVER *** [7s Th 6h 6d] [Jd]
*** SHOW DOWN ***
Ann: shows [Kd Ks] (two pair, Kings and Sixes)
Cy: shows [Tc Td] (a full house, Tens full of Sixes)
Ann collected $0.40 from side pot
Cy collected $0.90 from main pot
*** SUMMARY ***
Total pot $1.30 Main pot $0.90. Side pot $0.40. | Rake $0
"""


@pytest.mark.parametrize(
    ("text", "net"),
    [
        (ISOLATED, {"Bob": -1, "Cy": 5.5, "Ann": -5}),
        (SHORT_BLIND, {"Bob": -0.5, "Cy": 0.6, "Ann": -0.1}),
    ],
)
def test_everyday_all_ins(text, net):
    """An isolating raise whose caller folds; a big blind that is all-in for less."""
    (hand,) = read_hands(text, errors="raise")
    assert dict(zip(hand.names, amounts(hand.net), strict=True)) == net
    assert hand.all_in == ()


def test_without_pokerkit(monkeypatch):
    monkeypatch.setitem(sys.modules, "pokerkit", None)
    assert len(list(read_hands(TEXT))) == 3
