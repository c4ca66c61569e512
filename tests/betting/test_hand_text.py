"""A played hand as text: what is printed tells every chip."""

import re

import attrs
import pytest

import holdem


def play(holes, *actions, board="2h 7h 8c 9d 3s", **options):
    """Play a game with given cards to its end, and return the hand."""
    cards = f"{holes} 5c {board[:8]} 5d {board[9:11]} 5h {board[12:]}"
    game = holdem.Game(deck=cards, **options)
    for action in actions:
        game.act(action)
    return game.hand


SIDE_POTS = """\
Hand: no-limit hold'em
  Ann   50  As Ad  ante 1, blind 1
  Bob   20  Ks Kd  ante 1, blind 2
  Cy   300  Qs Qd  ante 1, straddle 4
  Dee  200  Js Jd  ante 1, button
Before the flop, pot 11
  Dee raises to 12
  Ann raises to 49, all-in
  Bob calls 17, all-in
  Cy raises to 299, all-in
  Dee calls 187, all-in
  100 goes back to Cy
Flop 2h 7h 8c, pot 470
Turn 9d, pot 470
River 3s, pot 470
Showdown
  Ann shows As Ad: Pair, Aces
  Bob shows Ks Kd: Pair, Kings
  Cy shows Qs Qd: Pair, Queens
  Dee shows Js Jd: Pair, Jacks
Main pot 80 between Ann, Bob, Cy, Dee
Side pot 90 between Ann, Cy, Dee
Side pot 300 between Cy, Dee
  Ann gets 170
  Cy gets 300
Net Ann +120, Bob -20, Cy +100, Dee -200"""

SPLIT = """\
Hand: no-limit hold'em
  p1  100  As 6s  blind 0.5
  p2  100  Ad 6d  blind 1
  p3  100  4s 4d  button
Before the flop, pot 1.5
  p3 calls 1
  p1 calls 0.5
  p2 checks
Flop 2h 7h 8c, pot 3
  p1 checks
  p2 bets 1
  p3 folds
  p1 raises to 3.5
  p2 calls 2.5
Turn 9d, pot 10
  p1 checks
  p2 checks
River Ts, pot 10
  p1 checks
  p2 bets 20
  p1 calls 20
Showdown
  p1 shows As 6s: Straight, Ten high
  p2 shows Ad 6d: Straight, Ten high
Pot 50 between p1, p2
  p1 gets 25
  p2 gets 25
Net p1 +0.5, p2 +0.5, p3 -1"""

UNCALLED = """\
Hand: no-limit hold'em
  same (0)      9  As 6s  blind 2
  same (1)  2,000  Ad 6d  dead 3, blind 1, button
Before the flop, pot 6
  same (1) raises to 1,000
  same (0) folds
  998 goes back to same (1)
Pot 7
  same (1) gets 7
Net same (0) -2, same (1) +2"""


def test_a_hand_with_side_pots():
    stacks = [50, 20, 300, 200]
    names = ["Ann", "Bob", "Cy", "Dee"]
    hand = play(
        "As Ad Ks Kd Qs Qd Js Jd",
        *(12, 49, 0, 299, 0),
        stacks=stacks,
        blinds=(1, 2, 4),
        antes=1,
        names=names,
    )
    assert str(hand) == SIDE_POTS
    assert repr(hand) == "<PlayedHand, 4 players, 2h 7h 8c 9d 3s, pot 470>"


def test_a_split_pot():
    actions = (0, 0, 0, 0, 1, -1, 3.5, 0, 0, 0, 0, 20, 0)
    options = {"stacks": [100] * 3, "blinds": (0.5, 1), "board": "2h 7h 8c 9d Ts"}
    assert str(play("As 6s Ad 6d 4s 4d", *actions, **options)) == SPLIT


def test_an_uncalled_bet_and_names_that_are_not_unique():
    hand = play("As 6s Ad 6d", 1000, -1, stacks=[9, 2000], blinds=(1, 2), dead_chips={1: 3})
    assert str(attrs.evolve(hand, names=("same", "same"))) == UNCALLED


def test_a_blind_that_is_short():
    text = str(play("As 6s Ad 6d", 0, stacks=[4, 9], blinds=(2, 4), antes=(1, 2)))
    assert "  p1  4  As 6s  ante 1, blind 3\n  p2  9  Ad 6d  ante 1, blind 2, button" in text
    assert "  p2 calls 2\n  1 goes back to p2\n" in text


def test_what_a_log_does_not_tell():
    """Unknown cards, rake, further boards, details of the log and text for terminals."""
    hand = play("As 6s Ad 6d", 10, 0, stacks=[10, 10], blinds=(1, 2))
    changed = attrs.evolve(
        hand,
        names=("Ann\x1b[2J", "Bob"),
        holes=(None, hand.holes[1]),
        pots=(attrs.evolve(hand.pots[0], rake=1),),
        more_boards=(hand.board[::-1],),
        sold=(1,),
        number="7",
        site="Site",
        currency="USD",
    )
    text = str(changed)
    assert text.startswith("Hand 7: no-limit hold'em, USD, Site\n")
    for line in (
        "  Ann\\x1b[2J  10  ?? ??  blind 2",
        "Board 3s 9d 8c 7h 2h",
        "  Ann\\x1b[2J does not show",
        "  Bob shows Ad 6d: High Card, Ace; High Card, Ace, and sells the hand",
        "Pot 20 between Ann\\x1b[2J, Bob, rake 1",
    ):
        assert line in text.splitlines()
    without = attrs.evolve(hand, stacks=(), antes=(), blinds=(), dead=(), actions=())
    assert "  p1    As 6s" in str(without).splitlines()


def moved(text):
    """Add up what each seat won by the lines of a text alone, apart from the last one."""
    lines = text.replace(",", "").splitlines()
    names = sorted(set(re.findall(r"p\d", text)))
    won, bets = dict.fromkeys(names, 0.0), dict.fromkeys(names, 0.0)
    pot = 0.0
    for line in lines[1:]:
        if re.match("Flop|Turn|River", line):
            bets = dict.fromkeys(names, 0.0)
        if line.startswith(("Main", "Side", "Pot")):
            pot += float(line.split()[1 if line[0] == "P" else 2])
        if posted := re.match(r"  (p\d+) +[\d.]+  .. ..  ?(.*)", line):
            name, posts = posted.groups()
            for kind, amount in re.findall(r"(dead|ante|blind|straddle) ([\d.]+)", posts):
                won[name] -= float(amount)
                bets[name] += float(amount) * (kind in ("blind", "straddle"))
        elif found := re.match(r"  (p\d+) (bets|raises to|calls|gets) ([\d.]+)", line):
            name, what, amount = found[1], found[2], float(found[3])
            if what == "gets":
                won[name] += amount
                pot -= amount
            elif what == "calls":
                won[name] -= amount
                bets[name] += amount
            else:
                won[name] -= amount - bets[name]
                bets[name] = amount
        elif back := re.match(r"  ([\d.]+) goes back to (p\d+)", line):
            won[back[2]] += float(back[1])
    return won, pot


@pytest.mark.parametrize(
    "settings",
    [
        {"stacks": 30},
        {"blinds": (1, 2, 4), "stacks": (9, 200, 41, 60), "antes": 1},
        {"blinds": (0.5, 1), "stacks": 25, "limit": "pot", "antes": (0.5, 1, 0, 2)},
        {"blinds": (2, 4), "stacks": (70, 3, 2, 8), "limit": "fixed", "dead_chips": {2: 1}},
        {"stacks": (2, 3, 50, 9), "big_blind_ante": 2},
        {"blinds": (), "bets": (2,) * 4, "stacks": 30, "antes": 1},
    ],
    ids=str,
)
def test_every_chip_is_told(settings):
    names = ["p1", "p2", "p3", "p4"]
    played = holdem.play(["random"] * 4, names=names, hands=300, seed=5, record=True, **settings)
    for hand in played.hands:
        text = str(hand)
        won, pot = moved(text)
        net = dict(zip(hand.names, map(float, hand.net), strict=True))
        assert won == pytest.approx(net), text
        assert pot == pytest.approx(0)
