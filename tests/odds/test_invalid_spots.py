"""`equities`: spots, columns and arguments that are refused."""

import numpy as np
import pytest

import holdem
from holdem.odds.many_spots.column_readers import read_cards

# Streets are mixed, and a board that is missing beside others is warned of.
pytestmark = pytest.mark.filterwarnings("ignore:.* answered before the flop")

WRONG = [
    (["AsKs", "AsAs"], "QQ", None, "same card|twice"),
    (["AsKs", "XX!"], "QQ", None, "XX!"),
    (["AsKs", None], "QQ", None, "hand or range is missing"),
    (["AsKs", "AsKs"], "QQ", ["Td9d2c", "Td9d2c2h3s4s"], "6 cards are more than 5"),
    (["AsKs", "AsKs"], "QQ", ["Td9d2c", "AsTd2c"], "blocked by As"),
    (["AsKs", "AsKs"], "QQ", ["Td9d2c", "TdTd2c"], "twice|Td"),
    (["AsKs", "AsKs"], "QQ", ["Td9d2c", "Td9dxx"], "xx"),
    (["AsKs", "AsKs"], ["QQ", "AsQs"], None, "As|deal"),
    (["AsKs", "AsKs"], ["QQ", "7s"], None, "7s"),
]


@pytest.mark.parametrize(("hero", "villain", "board", "message"), WRONG)
def test_invalid_spots(hero, villain, board, message):
    """The first invalid spot is named, or answered by NaN."""
    with pytest.raises(holdem.HoldemValueError, match=f"(?s)spot 1: .*({message})"):
        holdem.equities(hero, villain, board=board)
    table = holdem.equities(hero, villain, board=board, errors="nan")
    assert not np.isnan(table.equity[0]).any()
    assert np.isnan(table.equity[1]).all()
    assert list(table.errors) == [1]
    assert table[1].equity is None
    assert table[1].error == table.errors[1]


@pytest.mark.parametrize("dead", ["Ah7h", "7hAh"])
def test_blocking_cards_are_in_one_order(dead):
    """The message is that of `equity`, in whatever order dead cards are given."""
    message = "player 2: 'Ah7h' has no possible hand: blocked by Ah 7h among the dead cards"
    with pytest.raises(holdem.SpotError) as raised:
        holdem.equity("AsKs", "Ah7h", dead=dead)
    assert str(raised.value) == message
    assert holdem.equities("AsKs", "Ah7h", dead=[dead], errors="nan").errors == {0: message}


def test_number_of_invalid_spots():
    with pytest.raises(holdem.HoldemValueError, match=r"(?s)spot 2: .*3 of 5 spots are invalid"):
        holdem.equities(["AsKs", "AsKd", "x", "AsAs", "y"], "QQ")


def test_number_of_spots_without_deal():
    """Spots with valid text and no possible deal count, too, and may be the first."""
    heroes = ["AA", "AsKs", "AA", "x", "AA", "AA", "22+", "AA"]
    villains = ["KK", "QQ", "AA", "QQ", "AA,KK", "AA", "QQ", "AsKs"]
    boards = ["AsAhAd", "", "AsAh2c", "", "AsAh2c", "2c3c4c", "QdQcTd", "AhAd2c"]
    with pytest.raises(holdem.HoldemValueError) as caught:
        holdem.equities(heroes, villains, board=boards)
    valid = holdem.equities(heroes, villains, board=boards, errors="nan")
    assert list(valid.errors) == [0, 2, 3, 7]
    lines = str(caught.value).splitlines()
    assert lines == [f"spot 0: {valid.errors[0]}", "4 of 8 spots are invalid"]


@pytest.mark.usefixtures("immediate_bars")
def test_progress_counts_valid_spots(capsys):
    sampled = {"method": "monte-carlo", "deals": 16, "errors": "nan"}
    holdem.equities(["AsKs", "AsAs", "AhKh"], "QQ", **sampled, progress=True)
    assert "2.00/2.00" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "options", "error"),
    [
        ((["AsKs"], ["QQ", "JJ"]), {}, "player 1 has 1 row, player 2 has 2 rows"),
        ((["AsKs"],), {}, "2 to 10 players, not 1"),
        ((["AsKs"], "QQ"), {"errors": "ignore"}, "'raise' or 'nan', not 'ignore'"),
        ((["AsKs"], "QQ"), {"method": "exact", "deals": 7}, "takes no deals"),
        ((["AsKs"], 7), {}, "not 7"),
        ((np.zeros((1, 3), dtype=np.uint8), "QQ"), {}, r"\(1, 3\)"),
        ((np.zeros((1, 2, 2)), "QQ"), {}, r"float64 \(1, 2, 2\)$"),
    ],
)
def test_bad_calls(arguments, options, error):
    with pytest.raises(holdem.HoldemError, match=error):
        holdem.equities(*arguments, **options)


def frame():
    return pytest.importorskip("pandas").DataFrame({"a": [1, 2, 3], "b": [3, 4, 5]})


@pytest.mark.parametrize(
    "column",
    [
        b"AsKs",
        {"AsKs": 1},
        (text for text in ["AsKs"]),
        np.array(3),
        np.array("AsKs"),
        np.array([[51.0, 47.0]]),
        np.zeros((2, 2, 2), dtype=int),
        [{"As": 1}],
        frame,
    ],
    ids=range(9),
)
def test_unsupported_columns(column):
    column = column() if callable(column) else column
    with pytest.raises(holdem.HoldemTypeError, match=r"^player 1: expected text"):
        holdem.equities(column, "QQ", errors="nan")
    with pytest.raises(holdem.HoldemTypeError, match=r"^board: expected text"):
        holdem.equities("AsKs", "QQ", board=column, errors="nan")


def test_same_invalid_text_for_two_players():
    table = holdem.equities(["zz", "AsKs"], ["QQ", "zz"], errors="nan")
    assert np.isnan(table.equity).all()
    assert [table.errors[spot][:8] for spot in range(2)] == ["player 1", "player 2"]


@pytest.mark.parametrize("dead", [["2c2c", "3c"], np.array([[0, 0], [1, 4]]), [[0, 0], [4]]])
def test_dead_card_twice(dead):
    table = holdem.equities("AsKs", ["QQ", "QQ"], dead=dead, errors="nan")
    assert list(table.errors) == [0]
    assert "2c appears twice" in table.errors[0]


@pytest.mark.parametrize("cards", [[holdem.Card("2c")] * 2, [holdem.Card("2c")], "2c2c"])
def test_one_bad_value_for_all_spots(cards):
    """It is an error of the call, and so raised."""
    with pytest.raises(holdem.HoldemValueError, match=r"^player 1: "):
        holdem.equities(cards, ["QQ", "JJ"], errors="nan")


def test_errors_of_range_objects():
    """The messages are those of `equity`."""
    deuces = holdem.Range("22")
    options = {"board": "As Ks Qs", "evaluator": "reference", "method": "exact"}
    with pytest.raises(holdem.HoldemError) as raised:
        holdem.equity(deuces, "2c2d,2h2s,2c2h", "2s2d", dead="2c", **options)
    columns = ([deuces], ["2c2d,2h2s,2c2h"], ["2s2d"])
    table = holdem.equities(*columns, dead="2c", errors="nan", **options)
    assert table.errors == {0: str(raised.value)}


@pytest.mark.parametrize("holes", [[[0, 0]], [[-1, 4]], [[52, 4]]])
def test_bad_ids(holes):
    with pytest.raises(holdem.HoldemValueError, match=r"spot 0: player 1: .*two different cards"):
        holdem.equities(np.array(holes), "QQ")


def test_bad_ids_are_replaced():
    """Ids that are no cards do not reach the kernels."""
    errors = {}
    cards, sizes, rows = read_cards(
        "board", np.array([[0, 4, 52], [8, -1, 16], [1, 2, 3]]), 3, 5, errors
    )
    assert cards.tolist() == [[255, 255, 255], [8, 16, 255], [1, 2, 3]]
    assert (sizes.tolist(), rows, list(errors)) == ([0, 2, 3], slice(None), [0])
