"""Equities, probabilities and shares are from 0 to 1, and right for the smallest weights."""

import random

import numpy as np
import pytest

import holdem

PLAYER = ("equity", "win", "tie", "lose")
BOARDS = ["AdAcKsKh2d", "AdAcKsKh", "5h5d9s9c", "QhJhTh9h8h", "7c7d7h"]
HANDS = ["AA", "AKs", "KK", "KQ", "JT", "22", "AK", "77", "QQ", "A4", "97o", "K5s", "T7o"]
WEIGHTS = ["0.1", "0.3", "0.7", "1", "0.333333333333", "0.8045694845140354"]


def _values(result, ranges, board):
    """Yield all equities, probabilities and shares of a spot, with their names."""
    for player in result.players:
        yield "equity", [getattr(player, name) for name in PLAYER]
        for table in (player.by_combo, player.by_class, player.by_category):
            yield type(table).__name__, [getattr(table, name) for name in PLAYER]
        yield "share", player.by_class.share
    boards = [result.by_next_card] if len(board) < 10 else []
    boards += [result.by_runout] if len(board) == 6 and len(ranges) == 2 else []
    for table in (*boards, holdem.equities(*ranges, board=[board])):
        yield type(table).__name__, [table.equity, table.win, table.tie]
    if len(ranges) == 2:
        matrix = holdem.equity_matrix(*ranges, board=board, by="class")
        yield "matrix", [matrix.equity, matrix.win, matrix.tie]
        yield "mean", [matrix.mean_equity]


def test_rounded_sums_of_weights():
    """Quotients of sums that are rounded apart do not leave 0..1 by a last bit.

    The spot of `known` was 1.0000000000000007; of the others, about one in three had such a value.
    """
    known = holdem.equity("AsAh,AsQd:0.3", "KQ:0.1,JT:0.3", board="AdAcKsKh2d")
    assert known.equities.tolist() == [1, 0]
    draw, spots = random.Random(5), 0
    while spots < 8:
        board = draw.choice(BOARDS)
        ranges = [
            ",".join(
                f"{hand}:{draw.choice(WEIGHTS)}" for hand in draw.sample(HANDS, draw.randint(1, 8))
            )
            for _ in range(draw.choice([2, 2, 3]))
        ]
        try:
            result = holdem.equity(*ranges, board=board, method="exact")
        except holdem.SpotError:
            continue
        spots += 1
        for name, values in _values(result, ranges, board):
            array = np.array(values, dtype=float)
            assert np.nanmin(array) >= 0, (name, ranges, board)
            assert np.nanmax(array) <= 1, (name, ranges, board)


@pytest.mark.parametrize("board", [None, "Td9d2c", "Td9d2c5h", "Td9d2c5hAc"])
def test_the_smallest_weights(board):
    """Equities do not depend on a common factor of a range's weights, however small.

    With 1e-300, up to 7 % of a weight was missing.
    """
    own = holdem.Range("AA:0.19, KQ:0.37, T9s:0.113, 22:0.1").weights
    tiny = holdem.Range.from_weights(own * 1e-299)
    for opponents in (["77,AK"], ["77:0.3,AK"], ["77,AK", "AsQd,JTs:0.7"]):
        if board is None and len(opponents) > 1:
            continue  # takes seconds
        full = holdem.equity(holdem.Range.from_weights(own), *opponents, board=board)
        found = holdem.equity(tiny, *opponents, board=board)
        assert full.exact
        assert found.exact
        np.testing.assert_allclose(found.equities, full.equities, rtol=1e-12)
        for one, other in zip(found.players, full.players, strict=True):
            for name in PLAYER:
                np.testing.assert_allclose(
                    getattr(one.by_class, name), getattr(other.by_class, name), rtol=1e-12
                )
    assert holdem.Range(str(tiny)) == tiny


def test_products_of_tiny_weights():
    """Weights whose products are too small are refused; the other spots of a column are answered.

    The quotient of two such sums raised a ZeroDivisionError, or had lost its digits.
    """
    for zeros in (160, 170, 299):
        tiny = "0." + "0" * zeros + "1"
        ranges = f"AsAh,KsKh:{tiny}", f"AsKs,AhQd:{tiny}"
        for board in ("", "Td9d2c"):
            for call in (holdem.equity, holdem.equity_matrix):
                with pytest.raises(holdem.SpotError, match="weights multiply to almost 0"):
                    call(*ranges, board=board)
        table = holdem.equities([ranges[0], "AsAh"], [ranges[1], "KsKh"], errors="nan")
        assert list(table.errors) == [0]


def test_text_of_any_range_is_read():
    """`Range` reads the longest canonical string: 1,326 combos with weights of 320 digits.

    Such a string was refused above 65,536 characters.
    """
    weights = np.random.default_rng(1).uniform(1e-300, 9e-300, 1326)
    text = str(holdem.Range.from_weights(weights))
    assert len(text) > 400_000
    assert (holdem.Range(text).weights == weights).all()
