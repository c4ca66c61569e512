"""Hands in PHH, replayed: Pluribus' hands, and made-up ones that PokerKit plays."""

import re
import tomllib
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import numpy as np
import pokerkit
import pytest

import holdem
import naive
from holdem.cards import cards_text
from holdem_histories import read_hands
from holdem_histories.luck import settle_hands
from holdem_histories.phh import _read_plain, replay_phh

DATA = Path(__file__).parents[2] / "data" / "histories"
PLURIBUS = DATA / "pluribus.phhs"
AUTOMATIONS = (
    pokerkit.Automation.ANTE_POSTING,
    pokerkit.Automation.BET_COLLECTION,
    pokerkit.Automation.BLIND_OR_STRADDLE_POSTING,
    pokerkit.Automation.CARD_BURNING,
    pokerkit.Automation.HOLE_DEALING,
    pokerkit.Automation.BOARD_DEALING,
    pokerkit.Automation.RUNOUT_COUNT_SELECTION,
    pokerkit.Automation.CHIPS_PULLING,
)


def without(fields, *names):
    """Return the fields of a hand without some of them."""
    return {name: value for name, value in fields.items() if name not in names}


def test_final_stacks_of_pluribus():
    """Replayed without the final stacks in the file, each hand ends with the same stacks."""
    tables = tomllib.loads(PLURIBUS.read_text(encoding="utf-8"), parse_float=Decimal)
    assert 299 == len(tables)
    halves = 0
    for fields in tables.values():
        hand = replay_phh(without(fields, "finishing_stacks"))
        pairs = zip(fields["starting_stacks"], fields["finishing_stacks"], strict=True)
        assert [Fraction(after) - before for before, after in pairs] == list(hand.net)
        assert hand == replay_phh(fields)
        halves += any(type(own) is Fraction for own in hand.net)
    assert 8 == halves


def test_plain_text_is_read_as_toml():
    """What is read without TOML's parser has the same fields; anything else is left to it."""
    texts = re.split(r"\n(?=\[)", PLURIBUS.read_text(encoding="utf-8").partition("\n")[2])
    assert len(texts) == 299
    for text in texts:
        (expected,) = tomllib.loads(text, parse_float=Decimal).values()
        assert _read_plain(text) == expected
    for other in ("a = nan", "a = 1_000", "a = 1\na = 2", "a.b = 1", "[x]\na = 1", "a = 'x' # y"):
        assert _read_plain(other) is None, other
    assert _read_plain("# a comment\na = [0.5, true]\n\n") == {"a": [Decimal("0.5"), True]}


def test_fields_of_a_hand():
    """A hand has names, holes, streets, pots and the board of the all-in."""
    hand = next(hand for hand in read_hands(PLURIBUS) if hand.all_in and len(hand.all_in) == 3)
    assert 6 == len(hand.names) == len(hand.holes) == len(hand.net)
    assert [0, 3, 4, 5] == [len(street.board) for street in hand.streets]
    assert hand.streets[-1].board == hand.board
    assert hand.streets[-1].seats == hand.live == hand.pots[0].seats
    assert hand.all_in == hand.board[:3]
    assert sum(hand.net) == 0
    assert 100 == hand.big_blind
    assert str(PLURIBUS) == hand.file
    first = PLURIBUS.read_text(encoding="utf-8").splitlines()[hand.line - 1]
    assert re.fullmatch(r"\[\d+\]", first)


def play(rng):
    """Play a made-up hand with PokerKit, exactly; return it replayed."""
    count = int(rng.integers(2, 8))
    bb = 2
    ante = int(rng.choice([0, 0, 1]))
    kind = int(rng.integers(4))
    antes = {0: 0, 1: ante, 2: {1: bb}, 3: {-1: 3}}[kind]
    trims = kind in (0, 1)
    blinds = [1, bb] + ([2 * bb] if count > 3 and rng.random() < 0.3 else [])
    stacks = [int(rng.choice([1, 3, 7, 10, 20, 33, 50, 100])) for _ in range(count)]
    game = pokerkit.NoLimitTexasHoldem(AUTOMATIONS, trims, antes, blinds, bb, divmod=exact)
    state = game(stacks, count)

    def act():
        choice = rng.random()
        if choice < 0.2 and state.can_fold():
            state.fold()
        elif choice < 0.6 or not state.can_complete_bet_or_raise_to():
            state.check_or_call()
        else:
            low = state.min_completion_betting_or_raising_to_amount
            high = state.max_completion_betting_or_raising_to_amount
            amount = high if rng.random() < 0.4 else int(rng.integers(low, high + 1))
            state.complete_bet_or_raise_to(amount)

    return assert_equal(game, state, act)


def exact(amount, count):
    """Divide chips without a rest."""
    return Fraction(amount, count), 0


def assert_equal(game, state, act):
    """Play a hand to its end with PokerKit, and replay it: the pots and stacks are the same."""
    pots = None
    while state.status:
        if state.can_show_or_muck_hole_cards():
            state.show_or_muck_hole_cards(True)
        elif state.can_kill_hand() or state.can_push_chips():
            pots = pots or [(pot.amount, tuple(pot.player_indices)) for pot in state.pots]
            state.kill_hand() if state.can_kill_hand() else state.push_chips()
        else:
            act()
    record = pokerkit.HandHistory.from_game_state(game, state)
    fields = without(tomllib.loads(record.dumps(), parse_float=Decimal), "finishing_stacks")
    hand = replay_phh(fields)
    before = zip(state.stacks, state.starting_stacks, strict=True)
    assert [after - start for after, start in before] == list(hand.net), record.dumps()
    if len(hand.live) > 1:  # otherwise PokerKit does not collect the last bet
        assert pots == [(pot.amount, pot.seats) for pot in hand.pots], record.dumps()
    return hand


def test_equal_to_pokerkit():
    """Stacks and pots of 200 made-up hands, with antes and short blinds, are those of PokerKit."""
    rng = np.random.default_rng(45)
    hands = [play(rng) for _ in range(200)]
    assert sum(len(hand.pots) > 2 for hand in hands) > 10
    assert sum(hand.all_in is not None for hand in hands) > 50


FOLD, CALL = "fold", "call"
# Stacks, blinds, actions, of which a number is the amount of a raise; then the pots, and the cards
# of the board at the all-in.
UNUSUAL = {
    "an all-in that nobody can call in full": (
        ([100, 40, 250], [1, 2], [250, CALL, CALL]),
        ([(120, (0, 1, 2)), (120, (0, 2))], 0),
    ),
    "the same on the flop, after an all-in and a call of less": (
        ([100, 40, 250, 200], [1, 2], [20, CALL, CALL, CALL, 80, CALL, 230, FOLD]),
        ([(140, (0, 1, 2)), (120, (0, 2))], 3),
    ),
    "an all-in that everyone folds to": (([100, 40, 250], [1, 2], [250, FOLD, FOLD]), None),
    "an all-in below a full raise, and more betting": (
        ([100, 30, 100], [1, 2], [20, CALL, 30, CALL, CALL, 70, CALL]),
        ([(90, (0, 1, 2)), (140, (0, 2))], 3),
    ),
    "an all-in below a full raise, which ends the betting": (
        ([30, 100], [1, 2], [20, 30, CALL]),
        ([(60, (0, 1))], 0),
    ),
    "everyone all-in in the blinds": (([1, 2, 1], [1, 2], [CALL]), ([(3, (0, 1, 2))], 0)),
    "a big blind of one chip": (([1, 100], [1, 2], []), ([(2, (0, 1))], 0)),
    "a small blind with one chip more than it": (
        ([100, 2], [1, 2], [CALL]),
        ([(4, (0, 1))], 0),
    ),
    "a straddle, and calls of less": (
        ([100, 100, 100, 3], [1, 2, 4], [CALL, 100, FOLD, CALL]),
        ([(11, (0, 2, 3)), (194, (0, 2))], 0),
    ),
}


@pytest.mark.parametrize("case", UNUSUAL)
def test_unusual_bets(case):
    """Bets that can't be called in full: PokerKit's pots and stacks; equity by enumeration."""
    (stacks, blinds, actions), expected = UNUSUAL[case]
    game = pokerkit.NoLimitTexasHoldem(AUTOMATIONS, True, 0, blinds, 2, divmod=exact)
    state = game(stacks, len(stacks))
    rest = iter(actions)

    def act():
        action = next(rest)
        if action == FOLD:
            state.fold()
        elif action == CALL:
            state.check_or_call()
        else:
            state.complete_bet_or_raise_to(action)

    hand = assert_equal(game, state, act)
    assert [] == list(rest)
    if expected is None:
        assert hand.all_in is None
        return
    pots, size = expected
    assert pots == [(pot.amount, pot.seats) for pot in hand.pots]
    assert hand.all_in == hand.board[:size]
    (found,) = settle_hands([hand])
    shares = np.zeros(len(stacks))
    if size:
        holes = [
            list(map(int, hole)) if seat in hand.live else None
            for seat, hole in enumerate(hand.holes)
        ]
        means, variance = naive.settle(pots, holes, list(map(int, hand.all_in)), [])
        shares += [float(mean) for mean in means]
        np.testing.assert_allclose(found.variance, list(map(float, variance)), rtol=1e-12)
    else:  # each pot alone, by its own equities
        for amount, seats in pots:
            own = [cards_text(hand.holes[seat]) for seat in seats]
            dead = [cards_text(hand.holes[seat]) for seat in set(hand.live) - set(seats)]
            result = holdem.equity(*own, dead="".join(dead), method="exact")
            shares[list(seats)] += amount * result.equities
    np.testing.assert_allclose(found.adjusted, shares - hand.put, rtol=1e-12)


def test_chips_of_folded_seats_above_all_others():
    """What folded seats have put in beyond the deepest live seat is in the last pot, not the first.

    PokerKit cannot be asked: it refuses folds that are not needed.
    """
    fields = {
        "variant": "NT",
        "antes": [0, 0, 0, 0],
        "blinds_or_straddles": [1, 2, 0, 0],
        "min_bet": 2,
        "starting_stacks": [400, 400, 50, 80],
        "actions": [
            *["d dh p1 7c7d", "d dh p2 8c8d", "d dh p3 KsKh", "d dh p4 QsQh"],
            *["p3 cbr 50", "p4 cbr 80", "p1 cbr 130", "p2 cc", "d db 2c3d4h", "p1 f", "p2 f"],
            *["d db 9c", "d db Jd", "p3 sm KsKh", "p4 sm QsQh"],
        ],
    }
    hand = replay_phh(fields)
    pots = [(4 * 50, (2, 3)), (3 * 30 + 2 * 50, (3,))]
    assert pots == [(pot.amount, pot.seats) for pot in hand.pots]
    assert (-130, -130, 150, 110) == tuple(hand.net)


MUCKED = """variant = "NT"
antes = [0, 0]
blinds_or_straddles = [1, 2]
min_bet = 2
starting_stacks = [10, 10]
actions = ["p2 cbr 10", "p1 cc", "d db Td9d2c", "d db 5h", "d db 3s", "p1 sm", "p2 sm"]
"""


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (MUCKED, "all who are left have mucked"),
        (
            MUCKED.replace("p2 cbr 10", "p2 cc").replace(
                '"d db Td9d2c", "d db 5h", "d db 3s", ', '"p1 cbr 5", "p2 f",'
            ),
            "betting on a street that was not dealt",
        ),
        (MUCKED.replace('"p1 cc", ', ""), "cards are dealt before seat 1 has acted"),
    ],
)
def test_hands_that_do_not_end(text, reason):
    """They are skipped, and the next hand is read."""
    good = MUCKED.replace('"p1 sm", "p2 sm"', '"p1 sm AsKs", "p2 sm QdQh"')
    reader = read_hands(f"[1]\n{text}\n[2]\n{good}")
    assert len(list(reader)) == 1
    assert reason in reader.skipped[0].reason
