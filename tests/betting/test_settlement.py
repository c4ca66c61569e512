"""Pots settled by equity, compared with a plain enumeration of pots and runouts."""

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

import holdem
import naive
from holdem.cards import cards_text

# Ranks and suits in which hands often tie, make flushes, or neither.
DECKS = [
    range(52),
    [card for card in range(52) if card // 4 >= 6],
    [card for card in range(52) if card % 4 < 2],
    range(20),
]


def make_situations(count, seed, sizes=(0, 0, 3, 4, 4, 5)):
    """Yield made-up situations of two to six seats, with up to four side pots and dead cards."""
    rng = np.random.default_rng(seed)
    for number in range(count):
        deck = rng.permutation(DECKS[number % len(DECKS)])
        seats = int(rng.integers(2, 7))
        size = sizes[int(rng.integers(len(sizes)))]
        seats = min(seats, (len(deck) - size - 7) // 2)
        holes = deck[: 2 * seats].reshape(seats, 2).tolist()
        board = deck[2 * seats : 2 * seats + size].tolist()
        rest = rng.permutation(
            [card for card in range(52) if card not in {*deck[: 2 * seats + size]}]
        )
        # Few cards are left where many runouts would have to be enumerated in Python.
        left = {0: int(rng.integers(6, 10)), 3: int(rng.integers(10, 20))}.get(size, len(rest) - 2)
        # Those of the deck first, for ties and flushes.
        rest = sorted(rest.tolist(), key=lambda card: card in deck)
        dead = rest[: max(0, len(rest) - left)]
        pots, able = [], list(range(seats))
        for _ in range(int(rng.integers(1, 6))):
            pots.append((int(rng.integers(1, 1000)), tuple(able)))
            able = sorted(
                rng.permutation(able)[: max(1, len(able) - int(rng.integers(1, 3)))].tolist()
            )
        if seats > 2 and number % 5 == 0:  # a seat that can't win anything
            pots = [
                (amount, tuple(seat for seat in own if seat != seats - 1) or (0,))
                for amount, own in pots
            ]
            holes[-1] = holes[-1] if number % 2 else None
        yield pots, holes, board, dead


def assert_settled(pots, holes, board, dead, shares, variance):
    """Compare a settled situation with the plain enumeration."""
    means, spreads = naive.settle(pots, holes, board, dead)
    total = sum(amount for amount, _ in pots)
    for seat, (mean, spread) in enumerate(zip(means, spreads, strict=True)):
        # Sums of integers are exact; each of a few dozen operations on them rounds once.
        assert abs(shares[seat] - mean) < 1e-13 * total, (pots, holes, board, dead)
        assert abs(variance[seat] - spread) < 1e-13 * total**2, (pots, holes, board, dead)


def test_equal_to_plain_enumeration():
    """Expectation and variance equal those of an enumeration, in 1,000 situations."""
    tied = sides = 0
    for pots, holes, board, dead in make_situations(1000, seed=45):
        found = holdem.settle(pots, holes, board=board, dead=dead)
        assert_settled(pots, holes, board, dead, found.shares, found.variance)
        total = sum(amount for amount, _ in pots)
        assert abs(found.shares.sum() - total) < 1e-13 * total
        sides = max(sides, len({seats for _, seats in pots}) - 1)
        tied += bool(found.variance.max() > 0)
    assert (4, True) == (sides, tied > 500)


def test_whole_deck_before_the_flop():
    """Before the flop, three hands have their equities, with the variance of shares."""
    hands = ("AsKs", "QdQh", "7c7d")
    result = holdem.equity(*hands)
    found = holdem.settle([(6, (0, 1, 2))], hands)
    np.testing.assert_allclose(found.shares, 6 * result.equities, rtol=1e-14)
    # Equities squared: 1 for a win, 1/4 or 1/9 for a tie. All deals with three winners are known.
    three = 2663
    deals = result.deals
    for seat, player in enumerate(result.players):
        square = (player.wins + (player.ties - three) / 4 + three / 9) / deals
        expected = 36 * (square - player.equity**2)
        assert abs(found.variance[seat] - expected) < 1e-12


def test_other_rules():
    """In a short deck a flush beats a full house, cards below the six are refused, and preflop
    expectations are the equities.
    """
    pots, holes, board = [(1, (0, 1))], ["AsKs", "9d9h"], "Ts7s7d9c6s"
    for evaluator, expected in ((None, [0, 1]), ("short-deck", [1, 0])):
        found = holdem.settle(pots, holes, board=board, evaluator=evaluator)
        assert expected == found.shares.tolist()
    hands = ("AsKs", "QdQh", "7c7d")
    for board in ("", "Td9d6c", "Td9d6cKh"):
        found = holdem.settle([(6, (0, 1, 2))], hands, board=board, evaluator="short-deck")
        result = holdem.equity(*hands, board=board, evaluator="short-deck")
        np.testing.assert_allclose(found.shares, 6 * result.equities, rtol=1e-14)
    for own in ({"board": "Td8d2c"}, {"dead": "2c"}):
        with pytest.raises(holdem.CardError, match="2c is not in the deck of short-deck"):
            holdem.settle(pots, holes, evaluator="short-deck", **own)
    with pytest.raises(holdem.EvaluatorError, match="deuces-wild"):
        holdem.settle(pots, holes, evaluator="deuces-wild")


def test_columns_equal_single_situations():
    """Columns of all kinds give what each situation gives alone."""
    rng = np.random.default_rng(5)
    cards = np.array([rng.permutation(52)[:9] for _ in range(40)], dtype=np.uint8)
    heroes = pd.Series([cards_text(row[:2].tolist()) for row in cards])
    villains = cards[:, 2:4]
    thirds = [
        None if number % 3 else cards_text(row[4:6].tolist()) for number, row in enumerate(cards)
    ]
    boards = [
        cards_text(row[6:9].tolist()) if number % 4 else "" for number, row in enumerate(cards)
    ]
    main, side = rng.integers(1, 100, 40).astype(float), rng.integers(0, 2, 40) * 7.5
    can_win = np.ones((40, 3), dtype=bool)
    can_win[:, 2] = [third is not None for third in thirds]
    pots = [(main, can_win), (side, (0, 1))]
    found = holdem.settle(pots, [heroes, villains, thirds], board=boards)
    assert (40, 3) == found.shares.shape
    for row in range(40):
        third = thirds[row]
        own = [(main[row], (0, 1, 2) if third else (0, 1)), (side[row], (0, 1))]
        holes = [heroes[row], villains[row].tolist(), third]
        alone = holdem.settle(own, holes, board=boards[row])
        np.testing.assert_array_equal(alone.shares, found.shares[row])
        np.testing.assert_array_equal(alone.variance, found.variance[row])


def test_cards_of_all_kinds():
    """Hands and boards may be text, ids and cards, or dealt; an empty list is no card."""
    deck = holdem.Deck()
    first, second, board = deck.deal(2), deck.deal(2), deck.deal(3)
    expected = holdem.settle([(1, (0, 1))], ["2c2d", "2h2s"], board="3c3d3h")
    for holes, cards in (
        ((first, second), board),
        ((["2c", "2d"], [2, 3]), ["3c", 5, "3h"]),
        (("2c 2d", "2h 2s"), (4, 5, 6)),
    ):
        assert expected == holdem.settle([(1, (0, 1))], holes, board=cards, dead=())
    expected = holdem.settle([(1, (0, 1))], ["2c2d", "2h2s"])
    for none in ((), [], "", deck.deal(0)):
        assert expected == holdem.settle([(1, (0, 1))], ["2c2d", "2h2s"], board=none, dead=none)


def test_amounts_and_pots():
    """Amounts are numbers of any exact kind, and pots may be those of a hand, without rake."""
    holes = ["AsKs", "QdQh"]
    expected = holdem.settle([(1.5, (0, 1))], holes, board="Td9d2c")
    pot = holdem.Pot(Fraction(5, 2), (0, 1), rake=1)
    for amount in (Fraction(3, 2), Decimal("1.5"), np.float32(1.5), np.array(1.5)):
        assert expected == holdem.settle([(amount, (0, 1))], holes, board="Td9d2c")
    assert expected == holdem.settle((pot,), holes, board="Td9d2c")
    many = holdem.settle([([Fraction(3, 2), 3], (0, 1))], holes, board="Td9d2c")
    np.testing.assert_array_equal([expected.shares, 2 * expected.shares], many.shares)


def test_result():
    """A settlement prints, compares and converts like other results."""
    found = holdem.settle([(3.0, (0, 1)), (1, (0,))], ["AsKs", "QdQh"], board="Td9d2c5h3s")
    assert found == holdem.settle([(3.0, (0, 1)), (1, (0,))], ["AsKs", "QdQh"], "Td9d2c5h3s")
    assert found != holdem.settle([(3.0, (0, 1)), (1, (1,))], ["AsKs", "QdQh"], "Td9d2c5h3s")
    assert "<Settlement: 1 ± 0, 3 ± 0>" == repr(found)
    assert {"schema": "holdem/settlement/1", "shares": [1.0, 3.0], "variance": [0.0, 0.0]} == (
        found.to_dict()
    )
    assert ["seat", "share", "variance", "deviation"] == list(found.to_frame().columns)
    assert "1.0000" in str(found)
    with pytest.raises(ValueError, match="read-only"):
        found.shares[0] = 1


@pytest.mark.parametrize(
    ("pots", "holes", "board", "dead", "kind", "part"),
    [
        ([], ["AsKs", "QdQh"], None, None, holdem.SpotError, "at least one pot"),
        ([(1, (0, 2))], ["AsKs", "QdQh"], None, None, holdem.SpotError, "there is no seat 2"),
        ([(1, ())], ["AsKs", "QdQh"], None, None, holdem.SpotError, "pots[0]: no seat"),
        ([(-1, (0, 1))], ["AsKs", "QdQh"], None, None, holdem.SpotError, "-1"),
        ([(float("nan"), (0, 1))], ["AsKs", "QdQh"], None, None, holdem.SpotError, "nan"),
        ([("3", (0, 1))], ["AsKs", "QdQh"], None, None, holdem.HoldemTypeError, "'3'"),
        ([(1e200, (0, 1))], ["AsKs", "QdQh"], None, None, holdem.SpotError, "1e+200"),
        ([(10**400, (0, 1))], ["AsKs", "QdQh"], None, None, holdem.SpotError, "too large"),
        ([(None, (0, 1))], ["AsKs", "QdQh"], None, None, holdem.HoldemTypeError, "None is not"),
        ([(True, (0, 1))], ["AsKs", "QdQh"], None, None, holdem.HoldemTypeError, "True is not"),
        ([(["1"], (0, 1))], ["AsKs", "QdQh"], None, None, holdem.HoldemTypeError, "['1']"),
        ([([[1], [1, 2]], (0, 1))], ["AsKs", "QdQh"], None, None, holdem.HoldemTypeError, "[[1]"),
        ([([1, -3], (0, 1))], ["AsKs", "QdQh"], None, None, holdem.SpotError, "-3 in situation 1"),
        (
            [(1, (0, 1, 1))],
            ["AsKs", "QdQh"],
            None,
            None,
            holdem.SpotError,
            "seat 1 is listed twice",
        ),
        ([(1, (0, -1))], ["AsKs", "QdQh"], None, None, holdem.SpotError, "there is no seat -1"),
        ([(1, (0, True))], ["AsKs", "QdQh"], None, None, holdem.HoldemTypeError, "True is not"),
        ([(1, 0)], ["AsKs", "QdQh"], None, None, holdem.HoldemTypeError, "numbers of seats"),
        ("3", ["AsKs", "QdQh"], None, None, holdem.HoldemTypeError, "pots: expected pairs"),
        ([3], ["AsKs", "QdQh"], None, None, holdem.HoldemTypeError, "pots[0]"),
        ([(1, (0, 1))], "AsKs", None, None, holdem.HoldemTypeError, "holes"),
        ([(1, (0, 1))], ["AsKs", None], None, None, holdem.SpotError, "holes[1] is None"),
        ([(1, (0, 1))], ["AsKs", "QQ"], None, None, holdem.SpotError, "holes[1]"),
        ([(1, (0, 1))], ["AsKs", "Qd"], None, None, holdem.HoldemValueError, "holes[1]"),
        ([(1, (0, 1))], ["AsKs", "AsQh"], None, None, holdem.CardError, "As appears twice"),
        ([(1, (0, 1))], ["AsKs", "QdQh"], "AsTd9d", None, holdem.CardError, "in board"),
        ([(1, (0, 1))], ["AsKs", "QdQh"], None, "Qd", holdem.CardError, "in dead cards"),
        ([(1, (0, 1))], ["AsKs", "QdQh"], "Td9d", None, holdem.SpotError, "2 cards"),
        ([(1, (0, 1))], ["AsKs", "QdQh"], "Td9dZz", None, holdem.HoldemValueError, "Zz"),
        ([(1, (0, 1))], ["AsKs"] * 11, None, None, holdem.SpotError, "11"),
    ],
)
def test_refused(pots, holes, board, dead, kind, part):
    """Invalid arguments are refused with the argument and what is wrong with it."""
    with pytest.raises(kind) as caught:
        holdem.settle(pots, holes, board=board, dead=dead)
    assert part in str(caught.value)


def test_masked_amounts():
    """What a mask hides is no amount."""
    amounts = np.ma.masked_array([1, 2, 3], [False, True, False])
    with pytest.raises(holdem.SpotError, match="nan in situation 1 is not an amount"):
        holdem.settle([(amounts, (0, 1))], ["AsKs", "QdQh"])
    for other in (amounts.astype(str), pd.array([1, None], dtype="Int64")):
        with pytest.raises((holdem.HoldemTypeError, holdem.SpotError)):
            holdem.settle([(other, (0, 1))], ["AsKs", "QdQh"])


def test_refused_in_columns():
    """The first invalid situation of a column is named, and the others are counted."""
    with pytest.raises(holdem.SpotError, match="situation 1: board: 'Zz'"):
        holdem.settle([(1, (0, 1))], ["AsKs", "QdQh"], board=["Td9d2c", "Zz"])
    with pytest.raises(holdem.HoldemValueError, match="different lengths"):
        holdem.settle([([1, 2], (0, 1))], ["AsKs", ["QdQh", "QcQh", "QsQd"]])
