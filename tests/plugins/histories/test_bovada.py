"""Logs of Ignition, Bovada and Bodog, whose players are positions."""

import pytest

import holdem
from holdem.cards import cards_text
from holdem_histories import all_in_report, read_hands

CASH = """Bovada Hand #71 TBL#12 HOLDEM No Limit - 2021-03-11 22:58:57
Seat 1: Dealer ($20 in chips)
Seat 2: Small Blind [ME] ($50 in chips)
Seat 3: Big Blind ($10 in chips)
Seat 4: UTG ($1,060 in chips)
Dealer : Set dealer [1]
Small Blind  [ME] : Ante/Small Blind $0.50
Big Blind : Big blind/Bring in $1
UTG : Posts dead chip $1.50
*** HOLE CARDS ***
Dealer : Card dealt to a spot [2c 7d]
Small Blind  [ME] : Card dealt to a spot [Ks Kd]
Big Blind : Card dealt to a spot [Tc Td]
UTG : Card dealt to a spot [Ah Qh]
UTG : Checks
Dealer : Folds
Small Blind  [ME] : Raises $4.50 to $5
Big Blind : All-in(raise) $9 to $10
UTG : Calls $9
Small Blind  [ME] : All-in $45
UTG : Calls $40
*** FLOP *** [7s Th 6h]
*** TURN *** [7s Th 6h] [6d]
*** RIVER *** [7s Th 6h 6d] [Jd]
Small Blind  [ME] : Showdown [Ks Kd Jd 6h 6d] (Two pair)
Big Blind : Showdown [Tc Td Th 6h 6d] (Full House)
UTG : Mucks [Ah Qh] (One pair)
Small Blind  [ME] : Hand result-Side pot $78
Big Blind : Hand result $29.50
Table deposit $20
*** SUMMARY ***
Total Pot($110.50) | Rake ($3)
Board [7s Th 6h 6d Jd]
Seat+1: Dealer Folded before the FLOP
Seat+2: Small Blind $78 with Two pair [Ks Kd-Ks Kd Jd 6h 6d]
"""

ZONE = """Ignition Hand #72  Zone Poker ID#5 HOLDEMZonePoker No Limit - 2021-04-11 01:51:42
Seat 1: Big Blind ($25 in chips)
Seat 2: Dealer [ME] ($25 in chips)
Seat 3: Small Blind ($24 in chips)
Dealer  [ME] : Set dealer [2]
Small Blind : Small Blind $0.10
Big Blind : Big blind $0.25
*** HOLE CARDS ***
Big Blind : Card dealt to a spot [4s Qh]
Dealer  [ME] : Card dealt to a spot [5c 5d]
Small Blind : Card dealt to a spot [6d 3s]
{end}
Dealer  [ME] : Leave(Auto)
Enter(Auto)
*** SUMMARY ***
"""
PLAYED = """Small Blind : Leave(Auto)
Dealer  [ME] : Raises $0.75 to $0.75
Dealer  [ME] : Raises $0.75 to $0.75
Small Blind : Folds
Big Blind : Calls $0.50
*** FLOP *** [7s Th 6h]
Big Blind : Checks
Dealer  [ME] : Bets $1
Big Blind : Folds(timeout)
Dealer  [ME] : Return uncalled portion of bet $1
Dealer  [ME] : Does not show [5c 5d] (One pair)
Dealer  [ME] : Hand result $1.52"""
WALK = """Dealer  [ME] : Folds
Small Blind : Folds
Big Blind : Does not show [4s Qh] (High Card)
Big Blind : Hand result $0.35"""

TOURNAMENT = """\
Ignition Hand #73: HOLDEM Tournament #9 TBL#2, Normal- Level 8 (200/400) - 2012-12-22 2:48:15
Seat 7: Big Blind (277 in chips)
Seat 9: Small Blind (30 in chips)
Seat 8: Dealer [ME] (1,300 in chips)
Dealer [ME] : Set dealer/Bring in spot [3]
Big Blind : Ante chip 40
Small Blind : All-in 30
Dealer [ME] : Ante chip 40
Big Blind : All-in 237
*** HOLE CARDS ***
Big Blind : Card dealt to a spot [Qc 2d]
Small Blind : Card dealt to a spot [As Ad]
Dealer [ME] : Card dealt to a spot [Ks Kd]
Dealer [ME] : Call 237
Dealer [ME] : Hand Result-Side Pot 494
Small Blind : Hand Result 90
Big Blind : Ranking 3
Big Blind : Prize Cash [$27]
*** SUMMARY ***
Total Pot(584)
Board [7s Th 6h 6d Jd]
"""


def read(text):
    (hand,) = read_hands(text, errors="raise")
    return hand, {name: float(net) for name, net in zip(hand.names, hand.net, strict=True)}


def test_side_pot_and_dead_blind():
    """A late post, a raise that only says what it adds, a side pot, and rake."""
    hand, net = read(CASH)
    assert net == {"Hero": 28, "Big Blind": 19.5, "UTG": -50.5, "Dealer": 0}
    assert [(float(pot.amount), pot.seats) for pot in hand.pots] == [
        (30.5, (0, 1, 2)),
        (80, (0, 2)),
    ]
    assert [float(pot.rake) for pot in hand.pots] == [1, 2]
    assert (hand.site, hand.number, hand.table, hand.hero) == ("Bovada", "71", "12", 0)
    assert (hand.stakes, hand.currency, hand.big_blind) == ("$0.50/$1", "USD", 1)
    assert str(hand.time) == "2021-03-11 22:58:57"
    assert [cards_text(hole) for hole in hand.holes] == ["KsKd", "TcTd", "AhQh", "2c7d"]
    assert hand.all_in == ()


def test_zone():
    """An uncalled bet, a line that is written twice, and a walk; Zone Poker writes no pot."""
    hand, net = read(ZONE.format(end=PLAYED))
    assert net == {"Small Blind": -0.1, "Big Blind": -0.75, "Hero": 0.77}
    assert (hand.site, hand.table) == ("Ignition", "5")
    _, net = read(ZONE.format(end=WALK))
    assert net == {"Small Blind": -0.1, "Big Blind": 0.1, "Hero": 0}


def test_tournament():
    """All-in on the ante and on the blind; the board is only in the summary."""
    hand, net = read(TOURNAMENT)
    assert net == {"Small Blind": 60, "Big Blind": -277, "Hero": 217}
    assert (hand.tournament, hand.currency, hand.stakes) == ("9", "", "200/400")
    assert (hand.antes, hand.blinds) == ((30, 40, 40), (0, 237, 0))
    assert (cards_text(hand.board), hand.all_in) == ("7sTh6h6dJd", ())


def test_hero_in_all_hands():
    """The owner of the log is one player, whatever the position."""
    report = all_in_report(read_hands(f"{CASH}\n\n{ZONE.format(end=PLAYED)}"))
    hero = report.player("Hero")
    assert hero.hands == 2
    expected = holdem.settle(
        [(29.5, (0, 1, 2)), (78, (0, 2))], ["KsKd", "TcTd", "AhQh"], dead="2c7d"
    )
    without = holdem.settle([(29.5, (0, 1, 2)), (78, (0, 2))], ["KsKd", "TcTd", "AhQh"])
    assert float(hero.adjusted) == pytest.approx(without.shares[0] - 50 + 0.77)
    dead = all_in_report(read_hands(CASH), folded="dead").player("Hero")
    assert float(dead.adjusted) == pytest.approx(expected.shares[0] - 50)


@pytest.mark.parametrize(
    ("text", "old", "new", "message"),
    [
        (CASH, "result $29.50", "result $30", "players got 108 and the house 3 of a pot of 110.5"),
        (CASH, "Calls $9", "Calls $8", "it costs 9 here"),
        (CASH, "All-in $45", "All-in $46", "bets 51, but has 50"),
        (CASH, "Total Pot($110.50)", "Total Pot($111)", "pot of 110.5, and the log 111"),
        (CASH, "Board [7s", "Board [8s", "the summary has another board"),
        (CASH, "No Limit", "Fixed Limit", "no-limit hold'em is"),
        (CASH, "HOLDEM", "OMAHA", "no-limit hold'em is"),
        (CASH, "Big blind/Bring in $1", "All-in $1", "nobody has posted the whole big blind"),
        (CASH, "Seat 4: UTG", "Seat 4: Dealer", "two seats are named Dealer"),
        (CASH, "Calls $40", "CaBovada Hand #7: HOLDEM", "another hand begins within a line"),
        (CASH, "Calls $40", "Calls", "the amount is missing"),
        (CASH, CASH[CASH.index("*** SUMM") :], "", "Total pot"),
        (TOURNAMENT, "Board", "Cards", "not all cards of the board"),
        (TOURNAMENT, "Pot 494", "Pot 493", "players got 583 and the house 0"),
        (ZONE.format(end=PLAYED), "of bet $1", "of bet $2", "the log returns 2"),
        (ZONE.format(end=WALK), "$0.35", "$0.45", "pot"),
    ],
)
def test_faults(text, old, new, message):
    """What contradicts the log is refused with the reason."""
    assert old in text
    with pytest.raises(holdem.HistoryError, match=message):
        read(text.replace(old, new, 1))
