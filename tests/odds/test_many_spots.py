"""`equities`: many spots at once, against `equity` for each of them."""

import math
import pickle
import re
import threading
from itertools import permutations

import numpy as np
import pytest

import holdem
from holdem.jobs.stopwatch import Stopwatch
from holdem.odds.bounds import check_bounds
from holdem.odds.many_spots.equal_spots import group_equal_spots
from holdem.odds.many_spots.job import Answers, SpotsJob
from holdem.odds.many_spots.spot_columns import read_columns
from holdem.rules import STANDARD

R = "22+,A2s+,KTs+,QJs,ATo+,KQo"
RANGES = ("random", R, "QQ+,AK:0.5", "T9s,65s", "AsKs:0.5,QQ", "AhXh")
FIGURES = ("win", "tie", "lose")

# Streets are mixed, and a board that is missing beside others is warned of.
pytestmark = pytest.mark.filterwarnings("ignore:.* answered before the flop")


def _text(cards):
    return "".join(str(holdem.Card(int(card))) for card in cards)


def random_spots(count, seed, players=2):
    """Return columns of random spots: hole cards or ranges, on any street, some with dead cards."""
    rng = np.random.default_rng(seed)
    columns = [[] for _ in range(players)]
    boards, dead = [], []
    for _ in range(count):
        deck = rng.permutation(52)
        street = rng.choice([0, 3, 4, 5]) if players == 2 else rng.choice([3, 4, 5])
        for player, column in enumerate(columns):
            known = _text(deck[2 * player : 2 * player + 2])
            column.append(known if rng.random() < 0.7 else str(rng.choice(RANGES)))
        boards.append(_text(deck[20 : 20 + street]))
        few = rng.integers(1, 3) if street and rng.random() < 0.3 else 0
        dead.append(_text(deck[30 : 30 + few]))
    return columns, boards, dead


def require_equal(table, columns, boards, dead):
    """Require each answer to be that of `equity`, to the last bit."""
    for spot, (*players, board, gone) in enumerate(zip(*columns, boards, dead, strict=True)):
        if spot in table.errors:
            assert np.isnan(table.equity[spot]).all()
            with pytest.raises(holdem.HoldemError) as raised:
                holdem.equity(*players, board=board, dead=gone, method="exact")
            assert table.errors[spot] == str(raised.value)
            continue
        expected = holdem.equity(*players, board=board, dead=gone, method="exact")
        assert table.exact[spot]
        assert table.deals[spot] == expected.deals
        assert table.equity[spot].tolist() == expected.equities.tolist(), (players, board, gone)
        for name in FIGURES:
            found = getattr(table, name)[spot].tolist()
            assert found == [getattr(player, name) for player in expected.players]
        assert table.stderr[spot].tolist() == [0.0] * len(players)


@pytest.mark.parametrize("players", [2, 3])
def test_same_as_equity(players):
    columns, boards, dead = random_spots(150 if players == 2 else 40, seed=players, players=players)
    table = holdem.equities(
        *columns, board=boards, dead=dead, method="exact", errors="nan", workers=2
    )
    require_equal(table, columns, boards, dead)


@pytest.mark.slow
def test_same_as_equity_for_ten_thousand_spots():
    columns, boards, dead = random_spots(10_000, seed=10)
    table = holdem.equities(*columns, board=boards, dead=dead, method="exact", errors="nan")
    require_equal(table, columns, boards, dead)


def test_order_and_workers_change_nothing():
    columns, boards, dead = random_spots(60, seed=4, players=3)
    options = {"method": "monte-carlo", "deals": 5_000, "seed": 9, "errors": "nan"}
    table = holdem.equities(*columns, board=boards, dead=dead, workers=2, **options)
    assert table == holdem.equities(*columns, board=boards, dead=dead, workers=1, **options)
    order = np.random.default_rng(1).permutation(60)
    shuffled = holdem.equities(
        *([column[spot] for spot in order] for column in columns),
        board=[boards[spot] for spot in order],
        dead=[dead[spot] for spot in order],
        **options,
    )
    for name in ("equity", "win", "tie", "lose", "stderr", "deals"):
        expected = getattr(table, name)[order]
        assert np.array_equal(expected, getattr(shuffled, name), equal_nan=True)
    alone = holdem.equities(
        *(column[7] for column in columns), board=boards[7], dead=dead[7], **options
    )
    assert alone.equity[0].tolist() == table.equity[7].tolist()


def test_sampled_answers_have_streams_of_their_own():
    """A stream depends on the seed and on the spot's canonical text; `equity` has another one."""
    options = {"method": "monte-carlo", "deals": 5_000, "seed": 9}
    table = holdem.equities(["AsKs", "KsAs", "AhKh"], "random", **options)
    first, again, other_suit = table.equity.tolist()
    assert [first] == holdem.equities(["KsAs"], "random", **options).equity.tolist()
    assert again not in (first, other_suit)  # an equal spot is another draw
    assert first != other_suit
    assert first != holdem.equity("AsKs", "random", **options).equities.tolist()


def test_sampled_answers_are_right():
    """The deviations from the exact answers, in standard errors, have mean square 1."""
    columns, boards, dead = random_spots(80, seed=6)
    exact = holdem.equities(*columns, board=boards, dead=dead, method="exact", errors="nan")
    found = holdem.equities(
        *columns, board=boards, dead=dead, method="monte-carlo", deals=20_000, seed=2, errors="nan"
    )
    assert not found.exact.any()
    is_open = (exact.equity[:, 0] > 0.01) & (exact.equity[:, 0] < 0.99)
    deviation = (found.equity - exact.equity)[is_open, 0] / found.stderr[is_open, 0]
    assert 0.6 < (deviation**2).mean() < 1.6


# --- columns -----------------------------------------------------------------------------------


def test_forms_of_columns():
    """Text, ids, ranges, pandas and polars columns mean the same."""
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    hero, villain = ["AsKs", "AsKs", "QdQh"], ["QdQh", "JJ", "AsKs"]
    boards = ["Td9d2c", None, "Td9d2c5h3s"]
    expected = holdem.equities(hero, villain, board=boards)
    ids = np.array([holdem.parse_cards(cards) for cards in hero], dtype=np.uint8)
    for columns in (
        (tuple(hero), [holdem.Range(text) for text in villain]),
        (ids, np.array(villain)),
        (ids[:, ::-1].astype(np.int64), np.array(villain, dtype=object)),
        (pandas.Series(hero), pandas.Series(villain, dtype="string")),
        (polars.Series(hero), polars.Series(villain)),
    ):
        found = holdem.equities(*columns, board=boards)
        assert np.array_equal(expected.equity, found.equity)
    for board in (pandas.Series(boards), polars.Series(boards), ["Td 9d 2c", "", "TD9D2C5H3S"]):
        assert np.array_equal(expected.equity, holdem.equities(hero, villain, board=board).equity)


def test_missing_values_and_categories():
    """What pandas writes for a missing value is no board, and no player."""
    pandas = pytest.importorskip("pandas")
    expected = holdem.equities("AsKs", ["QQ", "JJ"], board=["Td9d2c", None])
    for kind in ("string", "category", object):
        villain = pandas.Series(["QQ", "JJ"], dtype=kind)
        board = pandas.Series(["Td9d2c", None], dtype=kind)
        assert holdem.equities("AsKs", villain, board=board) == expected
        table = holdem.equities(pandas.Series(["AsKs", None], dtype=kind), "QQ", errors="nan")
        assert table.errors == {1: "player 1: the hand or range is missing"}
    villain = pandas.Categorical(["QQ", "JJ"])
    assert holdem.equities("AsKs", villain, board=["Td9d2c", float("nan")]) == expected


def test_lists_of_ids():
    """Cards may be ids in lists, tuples and arrays, with boards of different lengths."""
    hero, flop, river = map(holdem.parse_cards, ("AsKs", "Td9d2c", "Td9d2c5h3s"))
    expected = holdem.equities(["AsKs"] * 3, "QQ", board=["Td9d2c", "", "Td9d2c5h3s"])
    boards = [list(flop), (), np.array(river)]
    for holes in ([hero] * 3, [np.array(hero)] * 3, [list(map(int, hero))] * 3, hero, list(hero)):
        assert holdem.equities(holes, "QQ", board=boards) == expected


def test_ids_of_a_hand_are_no_column():
    """Two ids could be a hand or two of a column, so they are refused with what to write instead.

    They were one hand in every row.
    """
    expected = holdem.equities("7hTd", ["AA", "KK"])
    for column in ([22, 33], (22, 33), np.array([22, 33], dtype=np.uint8), [np.int64(22), 33]):
        for errors in ("raise", "nan"):
            with pytest.raises(holdem.HoldemTypeError, match=r"^player 1: .* not hands") as raised:
                holdem.equities(column, ["AA", "KK"], errors=errors)
        ids, hand = re.search(r"as in (\[\[.*?\]\]).* as in '(\w+)'", str(raised.value)).groups()
        assert holdem.equities(eval(ids) * 2, ["AA", "KK"]) == expected
        assert holdem.equities(hand, ["AA", "KK"]) == expected
    for column in ([22, 33, 44], [99, 2], [22, 22]):
        with pytest.raises(holdem.HoldemTypeError, match=r"as in \[\[51, 47\]\] or an array"):
            holdem.equities(column, "AA")


def test_one_value_for_all_spots():
    flop = "Ks7d2c"
    table = holdem.equities(["AsAh", "QdQh"], "JcTc", board=flop, dead="2h")
    assert [record.board for record in table] == [flop, flop]
    assert {record.players[1] for record in table} == {"JcTc"}
    ids = np.array(holdem.parse_cards(flop), dtype=np.uint8)
    for board in (ids, holdem.parse_cards(flop), np.stack([ids, ids])):
        assert holdem.equities(["AsAh", "QdQh"], "JcTc", board=board, dead="2h") == table
    assert len(holdem.equities("AsAh", "JcTc")) == 1
    assert len(holdem.equities([], "JcTc")) == 0


def test_equal_up_to_suits_is_answered_once():
    spots = read_columns(
        (["AsKs", "AhKh", "AsKs", "AsKs"], ["JJ", "JJ", "JJ", "JsTs,JJ"]),
        ["Td9d2c", "Tc9c2d", "Td9d2s", "Td9d2c"],
        None,
        STANDARD,
    )
    groups = [group.tolist() for group in group_equal_spots(spots, np.arange(4))]
    assert groups == [[0, 1], [2], [3]]


def test_all_images_of_a_spot_are_equal():
    """A spot and its images under the 24 permutations of suits are one group."""
    tables = [str.maketrans("cdhs", "".join(suits)) for suits in permutations("cdhs")]
    holes, boards = ([text.translate(table) for table in tables] for text in ("AsKh", "Td9d2c"))
    spots = read_columns((holes, ["JJ"] * 24), boards, None, STANDARD)
    (group,) = group_equal_spots(spots, np.arange(24))
    assert group.tolist() == list(range(24))


def test_weights_are_not_permuted():
    """With weights, the order of combos can change the last bit."""
    villain = "QQ+:0.1,AKs:0.7,T9s:0.3333"
    holes, boards = ["3hKc", "3sKh", "3dKs"], ["5sKh4s2d", "5dKs4d2c", "5cKd4c2h"]
    require_equal(
        holdem.equities(holes, villain, board=boards), (holes, [villain] * 3), boards, [""] * 3
    )


# --- the result --------------------------------------------------------------------------------


def test_table():
    table = holdem.equities(["AsKs", "QQ+"], ["QdQh", "AKs:0.5"], board=["Td9d2c", ""])
    assert len(table) == 2
    record = table[0]
    assert record == table[-2] == next(iter(table))
    assert (record.players, record.board, record.exact) == (("AsKs", "QdQh"), "Td9d2c", True)
    assert math.isclose(sum(record.equity), 1)
    assert list(table[0:1]) == [record]
    with pytest.raises(IndexError):
        table[2]
    assert pickle.loads(pickle.dumps(table)) == table
    assert table != holdem.equities(["AsKs", "QQ+"], ["QdQh", "AKs"], board=["Td9d2c", ""])
    frame = table.to_frame()
    assert frame["equity_1"].tolist() == table.equity[:, 0].tolist()
    assert list(frame["p2"]) == ["QdQh", "AKs:0.5"]
    assert table.to_dict()["spots"][1]["equity"] == table.equity[1].tolist()
    assert "AsKs" in str(table)
    assert "\n" not in repr(table)


def test_interrupted_between_two_columns():
    """A spot whose answer was being written has none."""
    spots = read_columns((["AsKs", "AsKs"], ["QQ", "JJ"]), None, None, STANDARD)
    evaluator = holdem.get_evaluator()
    job = SpotsJob(spots, {}, evaluator, "auto", check_bounds(None, None, None), 1)
    job.stopwatch = Stopwatch()
    figures = tuple(np.full((1, 2), 0.5) for _ in range(4))  # the fifth is missing
    with pytest.raises(ValueError, match="zip"):
        job.add([Answers(np.array([1]), figures)])
    table = job.partial_answer()
    assert table.errors == {0: "interrupted", 1: "interrupted"}
    assert np.isnan(table.equity).all()
    assert not table.exact.any()


def test_few_spots_start_no_thread(monkeypatch):
    """Spots that are computed in batches, in a few milliseconds, are computed in this thread."""
    columns = ["AsKs", "QhQd", "AsKs"], ["QcQd", "random", "QQ+"]
    boards = ["Td9d2c", "Td9d2c5h", "Td9d2c5h3s"]
    expected = holdem.equities(*columns, board=boards)

    def refuse(_):
        raise AssertionError("a thread was started")

    monkeypatch.setattr(threading.Thread, "start", refuse)
    assert expected == holdem.equities(*columns, board=boards)
    with pytest.raises(AssertionError, match="thread"):
        holdem.equities(["QQ+", "AsKs"], "TT+", board="Td9d2c")


def test_rows_without_an_answer():
    """Frames have no figures for invalid spots, whose text is shown as given."""
    table = holdem.equities(["AsKs", "AsAs"], "QQ", board=["Td9d2c", "Td"], errors="nan")
    frame = table.to_frame("polars")
    assert frame["p1"].to_list() == ["AsKs", "AsAs"]
    assert frame["board"].to_list() == ["Td9d2c", "Td"]
    assert frame["equity_1"].to_list() == [table.equity[0, 0], None]
    assert frame["error"].to_list() == [None, table.errors[1].splitlines()[0]]
    assert table[1].players[0] == "AsAs"
    assert table.to_dict()["spots"][1]["players"] == ["AsAs", "QQ"]


def test_text_is_kept_as_given():
    """Text of players and cards is that of the columns, for joins; other values become text."""
    heroes = ["KsAs", " AK , QQ", None, holdem.Range("QQ+"), holdem.parse_cards("2c3d")]
    boards = ["2c 9d Td", "10d9d2c", "", None, holdem.parse_cards("Td9d2h")]
    dead = ["4h,5h", None, "5h4h", "", ()]
    table = holdem.equities(heroes, "TT", board=boards, dead=dead, errors="nan")
    expected = (
        ["KsAs", " AK , QQ", "", "QQ+", "3d2c"],
        ["2c 9d Td", "10d9d2c", "", "", "Td9d2h"],
        ["4h,5h", "", "5h4h", "", ""],
    )
    for name, values in zip(("p1", "board", "dead"), expected, strict=True):
        assert table.to_frame()[name].fillna("").tolist() == values
    records = [(spot.players[0], spot.board, spot.dead) for spot in table]
    assert records == list(zip(*expected, strict=True))
    ids = holdem.equities(np.array([[51, 50], [300, 5]]), "QQ", errors="nan")
    assert [spot.players[0] for spot in ids] == ["AsAh", "[300, 5]"]
    assert list(ids.to_frame()["p1"]) == ["AsAh", "[300, 5]"]
    assert pickle.loads(pickle.dumps(table))[0].players == ("KsAs", "TT")


@pytest.mark.parametrize(
    "rows",
    [
        [("AsKs", "QQ"), ("7c7d", "AK")],
        [["AsKs", "QQ"]] * 20,
        [holdem.Range("QQ"), holdem.Range("KK")],
    ],
)
def test_players_in_rows(rows):
    """Rows of players raise an error with a hint."""
    for arguments in ((rows,), (rows, "QQ"), [rows] * 11):
        if arguments == (rows, "QQ") and isinstance(rows[0], holdem.Range):
            continue  # a column of ranges
        with pytest.raises(holdem.HoldemError, match=r"equities\(\*zip\(\*rows\)\)"):
            holdem.equities(*arguments)


def test_bounds_without_an_effect():
    """A bound is warned of if all answers are exact, and only then."""
    told = "^deals and time have no effect on an exact"
    with pytest.warns(holdem.HoldemWarning, match=told) as caught:
        holdem.equities(["AsKs", "AsAs"], "QQ", deals=100, time=5, errors="nan")
    assert __file__ == caught[0].filename
    sampled = ["random"] * 6
    holdem.equities(["AsKs"], *sampled, deals=100)  # warnings are errors
    holdem.equities([], "QQ", deals=100)
    holdem.equities("AsKs", "QQ", deals=100, method="monte-carlo")
    holdem.equities("AsKs", "QQ", time=100, method="exact")


def test_no_spots():
    table = holdem.equities([], [])
    assert len(table) == len(table.to_frame()) == 0
    assert repr(table) == "<EquityTable, 0 spots, 0 exact>"


def test_first_invalid_spot():
    """The error has the number of the spot."""
    with pytest.raises(holdem.SpotError, match="spot 1: ") as caught:
        holdem.equities(["AsKs", "AsAs", "KK"], "QQ", board=["", "", "Td"])
    assert caught.value.spot == 1


def test_other_evaluators():
    columns, boards, dead = random_spots(6, seed=8, players=2)
    boards = [board or "Td9d2c" for board in boards]
    table = holdem.equities(
        *columns, board=boards, dead=dead, method="exact", errors="nan", evaluator="cactus-kev"
    )
    expected = holdem.equities(*columns, board=boards, dead=dead, method="exact", errors="nan")
    assert np.allclose(table.equity, expected.equity, rtol=0, atol=1e-12, equal_nan=True)
    assert table.evaluator.name == "cactus-kev"
