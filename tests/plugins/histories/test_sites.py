"""Logs as people have them: tournaments, GGPoker, several boards, cash-out, converters, amounts."""

import re
from fractions import Fraction
from pathlib import Path

import attrs
import pytest

import holdem
from holdem.cards import cards_text
from holdem_histories import all_in_report, read_hands
from holdem_histories.amounts import MONEY, parse_money

DATA = Path(__file__).parents[2] / "data" / "histories"
STARS = (DATA / "pokerstars.txt").read_text(encoding="utf-8")


def read(text):
    """Read one hand, and return it with what each player won."""
    (hand,) = read_hands(text, errors="raise")
    return hand, {name: float(net) for name, net in zip(hand.names, hand.net, strict=True)}


def pots(hand):
    return [(float(pot.amount), [hand.names[seat] for seat in pot.seats]) for pot in hand.pots]


ANTE = """PokerStars Hand #11: Hold'em No Limit ($0.10/$0.20 USD) - 2020/01/02 3:04:05 ET
Table 'Lyra' 6-max Seat #1 is the button
Seat 1: Ann ($50 in chips)
Seat 2: Bob ($50 in chips)
Seat 3: Cy ($0.10 in chips)
Ann: posts the ante $0.15
Bob: posts the ante $0.15
Cy: posts the ante $0.10 and is all-in
Ann: posts small blind $0.10
Bob: posts big blind $0.20
*** HOLE CARDS ***
Ann: folds
Uncalled bet ($0.10) returned to Bob
*** FLOP *** [7s Th 6h]
*** TURN *** [7s Th 6h] [6d]
*** RIVER *** [7s Th 6h 6d] [Jd]
*** SHOW DOWN ***
Bob: shows [Kd Ks] (two pair, Kings and Sixes)
Cy: shows [Tc Td] (a full house, Tens full of Sixes)
Bob collected $0.30 from side pot
Cy collected $0.30 from main pot
*** SUMMARY ***
Total pot $0.60 Main pot $0.30. Side pot $0.30. | Rake $0
Board [7s Th 6h 6d Jd]
"""


def test_all_in_on_the_ante():
    """Antes are matched like bets: who is all-in for less wins only as much from each."""
    hand, net = read(ANTE)
    assert pots(hand) == [(0.3, ["Bob", "Cy"]), (0.3, ["Bob"])]
    assert net == {"Ann": -0.25, "Bob": 0.05, "Cy": 0.2}
    assert hand.all_in == ()


def test_amounts():
    """Commas and points as decimal marks, and marks of thousands, currencies before amounts."""
    for text, amount in {
        "$1,430.50": "1430.5",
        "€0,20": "0.2",
        "0,125": "0.125",
        "€1.430,20": "1430.2",
        "1 430": "1430",
        "1'430": "1430",
        "1\xa0430": "1430",
        "12,345,678": "12345678",
        "1,4305": "1.4305",
        "Rs. 1": "1",
        "₹2.50": "2.5",
        "1.430.000": "1430000",
        "$15.20.": "15.2",
    }.items():
        found = re.match(MONEY, text)
        assert parse_money(found[1]) == Fraction(amount), text


def test_decimal_commas():
    """A log with decimal commas has the pots of the same log with points."""
    second = STARS.split("PokerStars ")[2]
    hand, _ = read("PokerStars " + second)
    commas, _ = read("PokerStars " + re.sub(r"(?<=\d)\.(?=\d)", ",", second))
    assert (hand.net, hand.pots) == (commas.net, commas.pots)
    assert hand.currency == "EUR"


def times(text, factor, written):
    """Multiply the amounts of a log, and write them in another way."""
    return re.sub(r"\$(\d+(?:\.\d+)?)", lambda own: f"€{written(float(own[1]) * factor)}", text)


def test_points_before_three_digits():
    """1.430 are thousands, unless another point of the hand is a decimal mark; names stay."""
    _, net = read(times(ANTE, 10_000, lambda own: f"{own:,.0f}".replace(",", ".")))
    assert net == {"Ann": -2500, "Bob": 500, "Cy": 2000}
    _, net = read(times(ANTE, 12.5, "{:.3f}".format).replace("625.000", "62.5"))
    assert net == {"Ann": -3.125, "Bob": 0.625, "Cy": 2.5}
    chips = TOURNAMENT.replace(",000", ".000")
    chips = re.sub(r"(?<=[ (])(\d)(\d{3})\b(?![ /]\d)", r"\1.\2", chips)
    assert "raises 4.671 to 6.671" in chips
    found = [read(text.replace("Ann", "1.234"))[0] for text in (chips, TOURNAMENT)]
    assert found[0] == attrs.evolve(found[1], stakes="1000/2000")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Bob", "STP"),
        ("Bob", "cancelled"),
        ("Bob", "cashed out the hand for $3"),
        ("*** HOLE CARDS ***", '*** HOLE CARDS ***\nAnn said, "it was run twice, STP: added"'),
        ("*** HOLE CARDS ***", '*** HOLE CARDS ***\nAnn said, "Bob collected $5 from pot"'),
        ("*** HOLE CARDS ***", '*** HOLE CARDS ***\nAnn said, "Hand cancelled"'),
    ],
)
def test_words_in_names_and_chat(old, new):
    """Words that refuse a hand count only in the lines that carry them."""
    _, net = read(ANTE.replace(old, new))
    assert sorted(net.values()) == [-0.25, 0.05, 0.2]


TOURNAMENT = """PokerStars Hand #2: Tournament #777 Hold'em No Limit (1,000/2,000) 2020/1/2 3:04:05
Table '777 8' 9-max Seat #4 is the button
Seat 1: Ann (7871 in chips, $2.50 bounty)
Seat 2: Bob (5225 in chips) is sitting out
Seat 4: Cy (1100 in chips)
Seat 5: Dee (900 in chips) out of hand (moved from another table into small blind)
Ann: posts the ante 200
Bob: posts the ante 200
Cy: posts the ante 200
Ann: posts small blind 1000
Bob: posts big blind 2000
*** HOLE CARDS ***
Dealt to Ann [Ks Kd]
Cy: calls 900 and is all-in
Ann: raises 4671 to 6671
Bob: folds [2c 7d]
Uncalled bet (4671) returned to Ann
*** FLOP *** [7s Th 6h]
*** TURN *** [7s Th 6h] [6d]
*** RIVER *** [7s Th 6h 6d] [Jd]
*** SHOW DOWN ***
Ann: shows [Ks Kd] (two pair, Kings and Sixes)
Cy: shows [Tc Td] (a full house, Tens full of Sixes)
Ann collected 2200 from side pot
Cy collected 3300 from main pot
Ann wins the $2.50 bounty for eliminating Bob
*** SUMMARY ***
Total pot 5500 Main pot 3300. Side pot 2200. | Rake 0
Board [7s Th 6h 6d Jd]
"""


def test_tournament():
    """Chips of a tournament; bounties, players who sit out, and cards shown with a fold."""
    hand, net = read(TOURNAMENT)
    assert net == {"Ann": 0, "Bob": -2200, "Cy": 2200}
    assert (hand.tournament, hand.currency, hand.stakes) == ("777", "", "1,000/2,000")
    assert (hand.big_blind, hand.site, hand.hero) == (2000, "PokerStars", 0)
    assert cards_text(hand.holes[hand.names.index("Bob")]) == "2c7d"
    assert str(hand.time) == "2020-01-02 03:04:05"
    assert pots(hand) == [(3300, ["Ann", "Cy"]), (2200, ["Ann"])]
    assert hand.all_in == ()


GG = """Poker Hand #RC23453: Hold'em No Limit  ($0.5/$1) - 2018/03/30 03:44:33
Table 'RushAndCash1432' 6-max Seat #1 is the button
Seat 1: 1234gsaa ($100 in chips)
Seat 2: 2734abdf ($100 in chips)
Seat 3: Hero ($97.18 in chips)
Seat 4: 788bnr4e ($20 in chips)
2734abdf: posts small blind $0.5
Hero: posts big blind $1
1234gsaa: straddle $2
788bnr4e: posts missed blind $0.5
788bnr4e: posts big blind $1
*** HOLE CARDS ***
Dealt to 1234gsaa
Dealt to 2734abdf
Dealt to Hero [Ac Ad]
Dealt to 788bnr4e
788bnr4e: folds
1234gsaa: folds
2734abdf: raises $2 to $4
Hero: raises $93.18 to $97.18 and is all-in
2734abdf: calls $93.18
2734abdf: shows [Kc As]
Hero: shows [Ac Ad]
{boards}*** SUMMARY ***
Total pot $197.86 | Rake $5 | Jackpot $1 | Bingo $0 | Fortune $0.5 | Tax $0
"""
TWICE = """*** FIRST FLOP *** [2d 3c 8s]
*** FIRST TURN *** [2d 3c 8s] [Jh]
*** FIRST RIVER *** [2d 3c 8s Jh] [3d]
*** SECOND FLOP *** [6d Kd Kh]
*** SECOND TURN *** [6d Kd Kh] [3h]
*** SECOND RIVER *** [6d Kd Kh 3h] [Ts]
*** FIRST SHOWDOWN ***
Hero collected $95.68 from pot
*** SECOND SHOWDOWN ***
2734abdf collected $95.68 from pot
"""
ONCE = """*** FLOP *** [2d 3c 8s]
*** TURN *** [2d 3c 8s] [Jh]
{sold}*** RIVER *** [2d 3c 8s Jh] [3d]
*** SHOWDOWN ***
Hero collected $191.36 from pot
"""


def test_gg():
    """Straddles, missed blinds, further fees, and cards of nobody."""
    hand, net = read(GG.format(boards=ONCE.format(sold="")))
    assert net == {
        "2734abdf": -97.18,
        "Hero": 94.18,
        "788bnr4e": -1.5,
        "1234gsaa": -2,
    }
    assert (float(hand.pots[0].rake), hand.site, hand.number) == (6.5, "GGPoker", "RC23453")
    assert (hand.currency, hand.stakes, hand.names[hand.hero]) == ("USD", "$0.5/$1", "Hero")
    assert hand.holes[hand.names.index("788bnr4e")] is None
    both = read_hands(f"{ANTE}\n{GG.format(boards=ONCE.format(sold=''))}\n{ANTE}")
    assert [own.site for own in both] == ["PokerStars", "GGPoker"]
    assert both.copies == 1


def test_run_twice():
    """The net is that of both boards; the adjusted result is that of one board."""
    twice, net = read(GG.format(boards=TWICE))
    once, _ = read(GG.format(boards=ONCE.format(sold="")))
    assert (net["Hero"], net["2734abdf"]) == (-1.5, -1.5)
    assert [cards_text(board) for board in (twice.board, *twice.more_boards)] == [
        "2d3c8sJh3d",
        "6dKdKh3hTs",
    ]
    assert twice.all_in == ()
    first, second = (all_in_report([hand]).player("Hero") for hand in (once, twice))
    assert first.adjusted == second.adjusted
    assert second.deviation == pytest.approx(first.deviation / 2**0.5)
    with pytest.raises(holdem.HoldemValueError, match="several times"):
        twice.to_phh()


def test_run_twice_on_the_turn():
    """The boards share the flop, and a card of both is refused."""
    text = GG.format(
        boards="*** FLOP *** [2d 3c 8s]\n*** FIRST TURN *** [2d 3c 8s] [Jh]\n"
        "*** FIRST RIVER *** [2d 3c 8s Jh] [3d]\n*** SECOND TURN *** [2d 3c 8s] [Kd]\n"
        "*** SECOND RIVER *** [2d 3c 8s Kd] [Kh]\n" + TWICE.partition("Ts]\n")[2]
    )
    hand, _ = read(text)
    assert cards_text(hand.more_boards[0]) == "2d3c8sKdKh"
    with pytest.raises(holdem.HistoryError, match="8s appears twice"):
        read(text.replace("[2d 3c 8s Kd] [Kh]", "[2d 3c 8s Kd] [8s]"))


@pytest.mark.parametrize(
    ("line", "won"),
    [
        ("Hero: Receives Cashout ($9.98)", 94.18 + 9.98),
        ("Hero: Pays Cashout Risk ($22.68)", 94.18 - 22.68),
        ("Hero: Chooses to EV Cashout", 94.18),
    ],
)
def test_gg_cash_out(line, won):
    """What a player pays the house, or gets of it, counts; the adjusted result is the equity."""
    hand, net = read(GG.format(boards=ONCE.format(sold=line + "\n")))
    assert net["Hero"] == pytest.approx(won)
    plain, _ = read(GG.format(boards=ONCE.format(sold="")))
    own, expected = (all_in_report([one]).player("Hero") for one in (hand, plain))
    assert own.adjusted == expected.adjusted
    assert own.deviation == (0 if hand.sold else expected.deviation)


SOLD = """PokerStars Hand #31:  Hold'em No Limit ($1/$2 USD) - 2021/03/21 11:21:25 ET
Table 'Abetti I' 6-max Seat #2 is the button
Seat 1: Ann ($161.21 in chips)
Seat 2: Bob ($133.5 in chips)
Seat 3: Cy ($146.48 in chips)
Seat 4: Dee ($20 in chips)
Cy: posts small blind $1
Dee: posts big blind $2
*** HOLE CARDS ***
Ann: folds
Bob: raises $4 to $6
Cy: folds
Dee: raises $14 to $20 and is all-in
Bob: calls $14
*** FLOP *** [Jd 3s 7h]
*** TURN *** [Jd 3s 7h] [4h]
*** RIVER *** [Jd 3s 7h 4h] [Kd]
*** SHOW DOWN ***
Dee: shows [7d As] (a pair of Sevens)
Bob: shows [Th Ts] (a pair of Tens)
Bob cashed out the hand for $26.10 | Cash Out Fee $0.26
*** SUMMARY ***
Total pot $41 | Rake $2.05
Board [Jd 3s 7h 4h Kd]
Seat 1: Ann folded before Flop (didn't bet)
Seat 2: Bob (button) showed [Th Ts] and won ($38.95) (pot not awarded as player cashed out)
Seat 3: Cy (small blind) folded before Flop
Seat 4: Dee (big blind) showed [7d As] and lost with a pair of Sevens
"""


def test_stars_cash_out():
    """Who sold the hand gets the price in place of the pot, won or lost."""
    hand, net = read(SOLD)
    assert net == {"Ann": 0, "Bob": 6.1, "Cy": -1, "Dee": -20}
    assert [hand.names[seat] for seat in hand.sold] == ["Bob"]
    bob = all_in_report([hand]).player("Bob")
    assert bob.deviation == 0
    expected = holdem.settle([(38.95, (0, 1))], ["ThTs", "7dAs"], board="")
    assert bob.adjusted == pytest.approx(expected.shares[0] - 20)
    with pytest.raises(holdem.HistoryError, match=r"the players got 0 and the house 2\.05"):
        read(SOLD.replace(" (pot not awarded as player cashed out)", ""))


WALK = """PokerStars Hand #41: Hold'em No Limit ($0.10/$0.20) - 2020/01/02 3:04:05 ET
Table '#11' 6-max Seat #1 is the button
Seat 1: Ann ($50 in Chips)
Seat 2: Bob ($50 in Chips)
Seat 3: Cy ($50 in Chips)
Bob: posts small blind $0.10
Cy: posts big blind $0.20
*** HOLE CARDS ***
Ann: folds
Bob: folds
{end}
"""


@pytest.mark.parametrize(
    "end",
    [
        "Uncalled bet ($0.10) returned to Cy\nCy collected $0.20 from pot\n*** SUMMARY ***\n"
        "Total pot $0.20 | Rake $0",
        "Cy collected $0.30 from pot\n*** SUMMARY ***\nTotal pot $0.30 | Rake $0",
        "Uncalled bet ($0.20) returned to Cy\nCy collected $0.10 from pot\n*** SUMMARY ***\n"
        "Total pot $0.10 | Rake $0.00",
        "Cy: collected $0.30\n*** SUMMARY ***\nTotal pot $0.30",
    ],
)
def test_walks_of_converters(end):
    """A hand that the big blind wins, in the ways in which programs write it."""
    hand, net = read(WALK.format(end=end))
    assert net == {"Bob": -0.1, "Cy": 0.1, "Ann": 0}
    assert pots(hand) == [(0.2, ["Cy"])]


def test_short_blind_that_nobody_can_call():
    """A big blind for less, and a call of less: who is left pays what can be won."""
    text = """PokerStars Game #51: Tournament #9, 1FPP Hold'em No Limit - Level V (300/600)
Table '9 11' 6-max Seat #5 is the button
Seat 2: Ann (360 in chips)
Seat 4: Bob (480 in chips)
Seat 6: Cy (1600 in chips)
Cy: posts small blind 300
Ann: posts big blind 360 and is all-in
*** HOLE CARDS ***
Bob: calls 480 and is all-in
Cy: calls 180
*** FLOP *** [8h 5c 3d]
*** TURN *** [8h 5c 3d] [7d]
*** RIVER *** [8h 5c 3d 7d] [2s]
*** SHOW DOWN ***
Cy: shows [9s Ac] (high card Ace)
Bob: shows [5h Qs] (a pair of Fives)
Bob collected 240 from side pot
Ann: shows [6c Ks] (high card King)
Bob collected 1080 from main pot
*** SUMMARY ***
Total pot 1320 Main pot 1080. Side pot 240. | Rake 0
"""
    _, net = read(text)
    assert net == {"Ann": -360, "Bob": 840, "Cy": -480}


def test_capped():
    """With a cap, nobody can lose more; who reaches it is all-in."""
    text = SOLD.replace("($1/$2 USD)", "($1/$2 - $20 Cap -  USD)").replace("Dee ($20", "Dee ($90")
    text = text.replace("$20 and is all-in", "$20 and has reached the $20 cap")
    hand, net = read(text)
    assert net["Dee"] == -20
    assert hand.all_in == ()


PHH = """variant = "NT"
antes = [0, 0]
blinds_or_straddles = [1, 2]
min_bet = 2
starting_stacks = [100, 100]
actions = [{actions}]
winnings = [0, {won}]
"""


def test_winner_is_known():
    """With one seat left, files without winnings have a winner; a rake over a quarter is none."""
    (hand,) = read_hands(PHH.format(actions='"p2 f"', won=0), errors="raise")
    assert hand.net == (1, -1)
    called = '"p2 cc", "p1 cc", "d db 2c3c4c", "p1 cc", "p2 cc"'
    (hand,) = read_hands(PHH.format(actions=called, won=3), errors="raise")
    assert hand.pots[0].rake == 1
    with pytest.raises(holdem.HistoryError, match="leaves 2 to the house, more than a quarter"):
        list(read_hands(PHH.format(actions=called, won=2), errors="raise"))


def test_rupees():
    """A currency of letters with a point."""
    text = SOLD.replace("($1/$2 USD)", "(Rs. 1/Rs. 2 INR)").replace("$", "Rs. ")
    hand, net = read(text)
    assert (hand.currency, net["Dee"]) == ("INR", -20)


def test_pots_must_be_those_of_the_log():
    """Side pots and uncalled bets that differ from the log are refused with both numbers."""
    with pytest.raises(holdem.HistoryError, match=r"pots of 3300, 2200, and the log 3200, 2300"):
        read(TOURNAMENT.replace("Main pot 3300. Side pot 2200", "Main pot 3200. Side pot 2300"))
    with pytest.raises(holdem.HistoryError, match=r"bets of 4671 were not called, .* returns 4000"):
        read(TOURNAMENT.replace("bet (4671)", "bet (4000)"))
