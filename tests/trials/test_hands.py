"""`simulate`: whole hands that depend only on the seed and their number."""

import gc
import json
import random
import weakref
from fractions import Fraction
from itertools import islice

import numpy as np
import pytest

import holdem
from holdem import EvaluatorError, HoldemError, HoldemTypeError, SeedError, SpotError
from holdem.cards import DECK
from holdem.trials.simulation import HandDealer

BOUNDS = "from 0 to 70,368,744,177,664"


def text(cards):
    return " ".join(map(str, cards))


def cards_of(hand):
    return [text(seat.hole) for seat in hand.seats], text(hand.burns), text(hand.board)


# --- the cards --------------------------------------------------------------------------


def test_a_hand_is_pinned():
    """The first hand of seed 7 never changes."""
    hand = next(holdem.simulate(players=2, seed=7))
    assert cards_of(hand) == (["9c 3h", "Qc 2c"], "Ah 5s 6d", "6s Jc 4d Js 8s")


@pytest.mark.parametrize("players", range(2, 11))
def test_every_hand_is_complete(players):
    """Hands have two cards per seat, three burn cards and a board, all different."""
    for number, hand in enumerate(holdem.simulate(players=players, hands=300, seed=1), 1):
        assert (number, 1) == (hand.number, hand.seed)
        assert list(range(players)) == [seat.number for seat in hand.seats]
        assert {2} == {len(seat.hole) for seat in hand.seats}
        assert (len(hand.burns), len(hand.board)) == (3, 5)
        holes = [card for seat in hand.seats for card in seat.hole]
        assert 2 * players + 8 == len({*holes, *hand.burns, *hand.board})
        assert all(isinstance(card, holdem.Card) for card in (*holes, *hand.burns, *hand.board))


def test_same_seed_same_hands():
    """Equal seeds give equal hands, other seeds give others."""
    assert list(holdem.simulate(players=6, hands=600, seed=7)) == list(
        holdem.simulate(players=6, hands=600, seed=7)
    )
    both = list(holdem.simulate(players=6, hands=600, seed=7)) + list(
        holdem.simulate(players=6, hands=600, seed=8)
    )
    assert len(both) == len({str(cards_of(hand)) for hand in both})
    assert len(both) == len(set(both))


def test_hands_do_not_depend_on_their_block():
    """A hand has the same cards, whichever hands are dealt with it, and from far on, too."""
    together = holdem.deal(players=4, hands=40_000, seed=7)
    dealer = HandDealer(players=4, seed=7)
    for first, count in ((1, 1), (250, 30), (16_380, 10), (39_999, 2), (10**13, 3)):
        alone = dealer.table(first, count)
        assert alone.number.tolist() == list(range(first, first + count))
        if first < 40_000:
            assert alone == together[first - 1 : first - 1 + count]
    assert list(together[:100]) == list(holdem.simulate(players=4, hands=100, seed=7))


def test_drawn_seed_is_reported():
    """A drawn seed is reported by every hand, and reproduces the hands."""
    hands = list(holdem.simulate(players=3, hands=20))
    assert len({hand.seed for hand in hands}) == 1
    assert hands == list(holdem.simulate(players=3, hands=20, seed=hands[0].seed))
    assert hands[0].seed != next(holdem.simulate(players=3)).seed


def test_endless_and_empty():
    """The iterator is endless for None, and empty for 0 hands."""
    endless = holdem.simulate(players=2, seed=7)
    assert list(range(1, 2001)) == [hand.number for hand in islice(endless, 2000)]
    assert list(holdem.simulate(players=2, hands=0, seed=7)) == []


# --- what they are worth ----------------------------------------------------------------


def test_values_and_winners():
    """Values are those of `evaluate`, and winners have the best."""
    for hand in holdem.simulate(players=6, hands=200, seed=7):
        expected = [holdem.evaluate(seat.hole + hand.board) for seat in hand.seats]
        for seat, value in zip(hand.seats, expected, strict=True):
            assert value == seat.value
            assert (value.cards, value.best, value.name) == (
                seat.value.cards,
                seat.value.best,
                seat.value.name,
            )
        assert (
            tuple(i for i, value in enumerate(expected) if value == max(expected)) == hand.winners
        )


def test_split_pots():
    """Each of k winners gets exactly 1/k of the pot."""
    hands = list(holdem.simulate(players=6, hands=2000, seed=7))
    for hand in hands:
        share = Fraction(1, len(hand.winners))
        expected = tuple(share if seat in hand.winners else 0 for seat in range(6))
        assert expected == hand.shares == tuple(seat.share for seat in hand.seats)
        assert sum(hand.shares) == 1
    assert {1, 2, 3, 6} == {len(hand.winners) for hand in hands}


def test_record():
    """`to_dict` has the fields of `holdem deal -f jsonl`, in their order."""
    hand = next(holdem.simulate(players=2, seed=7))
    expected = {
        "hand": 1,
        "seed": 7,
        "seats": [
            {
                "hole": ["9c", "3h"],
                "category": "pair",
                "class": 4151,
                "best": ["Js", "Jc", "9c", "8s", "6s"],
            },
            {
                "hole": ["Qc", "2c"],
                "category": "pair",
                "class": 4102,
                "best": ["Js", "Jc", "Qc", "8s", "6s"],
            },
        ],
        "burns": ["Ah", "5s", "6d"],
        "board": ["6s", "Jc", "4d", "Js", "8s"],
        "winners": [1],
        "evaluator": {"name": "lookup", "version": holdem.__version__},
    }
    assert json.dumps(expected) == json.dumps(hand.to_dict())


def test_text_of_a_hand():
    """The repr of hands and seats does not rank them."""
    hand = next(holdem.simulate(players=2, seed=7))
    assert repr(hand) == "<Hand 1 of seed 7: 2 players, board 6s Jc 4d Js 8s>"
    alone = next(holdem.simulate("AA", hands=1, seed=7))
    assert repr(alone).startswith("<Hand 1 of seed 7: 1 player, board ")
    assert repr(hand.seats[0]) == "<Seat 0: 9c 3h>"


def test_seats_and_hands_compare_by_what_they_are():
    """Hands are equal if seed, number and evaluator are equal."""
    first, second = holdem.simulate(players=2, hands=2, seed=7)
    again = next(holdem.simulate(players=2, seed=7))
    assert first == again
    assert hash(first) == hash(again)
    assert first.seats == again.seats
    assert first != second
    assert first.seats != second.seats
    assert first != next(holdem.simulate(players=3, seed=7))
    assert first != next(holdem.simulate(players=2, seed=7, evaluator="reference"))
    assert first != "hand 1"


def rank_by_category(cards):
    """Rank five cards by the reference, with other numbers."""
    return 3 * holdem.evaluate(cards).strength - 10**6


def test_any_evaluator():
    """Evaluators given by name, spec or object give the same winners."""
    mine = holdem.evaluator("mine-of-five")(rank_by_category)
    expected = [hand.to_dict() for hand in holdem.simulate(players=4, hands=4, seed=7)]
    for ranking in ("reference", mine, holdem.get_evaluator("lookup")):
        hands = list(holdem.simulate(players=4, hands=4, seed=7, evaluator=ranking))
        label = holdem.get_evaluator(ranking).label.to_dict()
        assert [{**record, "evaluator": label} for record in expected] == [
            hand.to_dict() for hand in hands
        ]
    assert hands[0].seats[0].value.evaluator is holdem.get_evaluator()


# --- at the door ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "error", "told"),
    [
        ({"players": 0}, SpotError, "players must be an integer from 1 to 10, not 0"),
        ({"players": 11}, SpotError, "players must be an integer from 1 to 10, not 11"),
        ({"players": 6.0}, HoldemTypeError, "players must be an integer from 1 to 10, not 6.0"),
        ({"hands": -1}, SpotError, f"hands must be an integer {BOUNDS}, not -1"),
        (
            {"hands": 10**15 + 1},
            SpotError,
            f"hands must be an integer {BOUNDS}, not 1000000000000001",
        ),
        (
            {"hands": "5\n"},
            HoldemTypeError,
            f"hands must be an integer {BOUNDS}, not '5\\n'",
        ),
        (
            {"hands": True},
            HoldemTypeError,
            f"hands must be an integer {BOUNDS}, not True",
        ),
        ({"seed": -1}, SeedError, "seed must be an integer from 0 to 2^64-1, not -1"),
        (
            {"seed": 2**64},
            SeedError,
            "seed must be an integer from 0 to 2^64-1, not 18446744073709551616",
        ),
        ({"evaluator": "kev"}, EvaluatorError, "no evaluator 'kev'"),
    ],
)
def test_arguments_are_checked_at_the_call(arguments, error, told):
    """Invalid arguments raise errors in the call, before the first hand."""
    with pytest.raises(error) as caught:
        holdem.simulate(**arguments)
    assert str(caught.value).startswith(told)
    assert isinstance(caught.value, HoldemError)


def test_an_evaluator_out_of_order_is_refused_at_the_call():
    """An invalid evaluator raises an error in the call, before the first hand."""
    ties = holdem.evaluator("ties", batch=True)(lambda hands: np.zeros(len(hands), np.int64))
    with pytest.raises(EvaluatorError, match="evaluator 'ties' ties"):
        holdem.simulate(evaluator=ties)


def test_global_generators_are_left_alone():
    """Dealing does not use the global random generators of numpy and Python."""

    def states():
        name, words, *rest = np.random.get_state()  # noqa: NPY002
        return random.getstate(), name, words.tolist(), rest

    before, hands = states(), list(holdem.simulate(players=2, hands=50, seed=7))
    next(holdem.simulate(players=2))
    assert before == states()
    random.seed(0)
    np.random.seed(0)  # noqa: NPY002
    assert hands == list(holdem.simulate(players=2, hands=50, seed=7))


def test_hands_gone_by_leave_no_trace():
    """The memory of a block of hands is freed with the last of them."""
    hands = holdem.simulate(players=6, hands=2000, seed=7)
    hand = next(hands)
    assert hand.seats[0].value.cards[:2] == hand.seats[0].hole
    block = weakref.ref(hand._table)
    gc.disable()
    try:
        hand = next(islice(hands, 300, None))
        assert block() is None
    finally:
        gc.enable()


def test_only_cards_of_the_deck():
    """All cards occur in 2,000 hands of ten players."""
    dealt = HandDealer(players=10, seed=7).deal(1, 2000)
    assert set(DECK) == set(np.unique(dealt).tolist())
