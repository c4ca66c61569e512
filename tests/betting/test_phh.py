"""Played hands as PHH: read again they are the same, and PokerKit has the same stacks."""

import random
import warnings
from fractions import Fraction

import attrs
import pokerkit
import pytest

import holdem
from holdem_histories import read_hands

CHIPS = (1, 3, 7, 20, 55, 200)


def play(number, **options):
    """Play a random hand; `options` are those of `Game`."""
    rng = random.Random(number)
    players = options.pop("players", rng.randint(2, 9))
    stacks = [rng.choice(CHIPS) for _ in range(players)]
    game = holdem.Game(stacks, seed=number, **options)
    while not game.is_over:
        decision = game.decision
        low, high = decision.min_raise, decision.max_raise
        choice = rng.random()
        if choice < 0.2 and decision.to_call:
            game.fold()
        elif choice < 0.65 or not high:
            game.call()
        else:
            game.raise_to(rng.choice([low, high, min(high, 2 * low)]))
    return game


def read_again(text):
    (hand,) = read_hands(text + "\n", errors="raise")
    return hand


def same(hand):
    """The hand without what PHH says in another way: dead chips, and the opening bet."""
    return attrs.evolve(hand, dead=(), antes=(), blinds=(), trims_antes=True, opening=0)


@pytest.mark.parametrize(
    "options",
    [
        {"full_blind": False},
        {"full_blind": False, "antes": 1},
        {"full_blind": False, "big_blind_ante": 2},
        {"full_blind": False, "blinds": (1, 2, 4), "players": 5},
        {"full_blind": False, "posts": {4: 2}, "dead_chips": {4: 1}, "players": 6},
        {"full_blind": False, "limit": "fixed"},
        {"blinds": (0.5, 1), "chip": 0.25, "full_blind": False},
        {},
    ],
)
def test_round_trip(options):
    """Read again, a hand is the same in all that is won; PokerKit's stacks are the same, too."""
    refused = 0
    for number in range(30):
        game = play(number, **options)
        hand = game.hand
        if not options and is_refused(hand):
            refused += 1
            continue
        text = hand.to_phh()
        assert same(read_again(text)) == same(attrs.evolve(hand, number=""))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            *_, state = pokerkit.HandHistory.loads(text, parse_value=Fraction)
        assert not state.status
        for seat, stack in enumerate(hand.stacks):
            # An odd chip goes to another seat there, and a share is not a whole chip.
            assert abs(Fraction(state.stacks[seat]) - stack - hand.net[seat]) <= 2, text
    assert refused < 10
    assert bool(refused) == (not options), "a short blind, which PHH calls for less"


def is_refused(hand):
    try:
        hand.to_phh()
    except holdem.HoldemValueError as error:
        return "PHH" in str(error)
    return False


@pytest.mark.parametrize(
    ("make", "part"),
    [
        (lambda: play(1, limit="pot").hand.to_phh(), "no pot-limit"),
        (lambda: play(1, blinds=(), bets=[2] * 4).hand.to_phh(), "needs a big blind"),
        (lambda: attrs.evolve(play(1).hand, stacks=()).to_phh(), "needs the actions"),
        (lambda: attrs.evolve(play(1).hand, actions=()).to_phh(), "the pots are others"),
        (
            lambda: attrs.evolve(play(1).hand, actions=((0, 5, 300),)).to_phh(),
            "not the turn of p6 at action 1",
        ),
        (lambda: holdem.write_hands("x.phhs"), "a file of played hands"),
        (lambda: holdem.write_hands("x.phhs", "AsKs"), "a file of played hands"),
        (lambda: holdem.write_hands("x.phhs", [7]), "hand 1: expected a played hand"),
        (
            lambda: holdem.write_hands("x.phh", [play(1, full_blind=False).hand] * 2),
            "a single hand",
        ),
        (lambda: holdem.write_hands("x.phhs", [play(1, limit="pot").hand]), "hand 1: PHH has no"),
    ],
)
def test_refused(make, part, tmp_path, monkeypatch):
    """What PHH can't hold is refused with the reason, and no file is written."""
    monkeypatch.chdir(tmp_path)
    with pytest.raises(holdem.HoldemError, match=part):
        make()
    assert not list(tmp_path.iterdir())


def test_files(tmp_path):
    """A file of hands is read again hand by hand, by PokerKit, too; names may be any text."""
    names = ["Ann", 'O\'Neil \\ "x"', "Zoë\t\x7f"]
    hands = [play(number, full_blind=False, players=3).hand for number in range(5)]
    hands = [attrs.evolve(hand, names=tuple(names)) for hand in hands]
    path = tmp_path / "x.phhs"
    assert holdem.write_hands(path, iter(hands)) == 5
    assert [same(hand) for hand in read_hands(path, errors="raise")] == [
        attrs.evolve(same(hand), file=str(path), line=found.line)
        for hand, found in zip(hands, read_hands(path), strict=True)
    ]
    with path.open("rb") as file:
        assert [found.players for found in pokerkit.HandHistory.load_all(file)] == [names] * 5
    with pytest.raises(holdem.HandFileError, match="exists already"):
        holdem.write_hands(path, hands, overwrite=False)
    assert holdem.write_hands(tmp_path / "x.phh", hands[:1]) == 1
    assert (tmp_path / "x.phh").read_text(encoding="utf-8") == hands[0].to_phh() + "\n"


def test_unknown_hands():
    """With hands that are unknown, PokerKit replays a showdown and a runout, too."""
    for number in range(40):
        hand = play(number, full_blind=False).hand
        if len(hand.live) < 2:
            continue
        won = [own + put for own, put in zip(hand.net, hand.put, strict=True)]
        holes = tuple(hole if won[seat] else None for seat, hole in enumerate(hand.holes))
        hidden = attrs.evolve(hand, holes=holes)
        text = hidden.to_phh()
        assert same(read_again(text)) == same(hidden)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            *_, state = pokerkit.HandHistory.loads(text)
        assert not state.status, text


def test_amounts():
    """Amounts are written exactly: halves and cents as decimals."""
    game = holdem.Game([10.25, 8], blinds=(0.5, 1), seed=1)
    game.raise_to(2.25)
    game.fold()
    text = game.hand.to_phh()
    assert "'p2 cbr 2.25'" in text
    assert "starting_stacks = [10.25, 8]" in text
    assert "finishing_stacks = [9.25, 9]" in text
    assert "blinds_or_straddles = [0.5, 1]" in text
