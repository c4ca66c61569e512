"""Cards are cards: every function takes them as text, ids, cards and combos, and in sequences."""

import warnings
from functools import cache

import numpy as np
import pytest

import holdem
import holdem_abstraction
from holdem import Card, Combo
from holdem.cli import run

HOLE, BOARD, DEAD = "AsKd", "Td9d2c5h", "2h4s"
FORMS = {
    "blanks": lambda text: f" {text[:2]} {' '.join(_pairs(text[2:]))} ",
    "commas": lambda text: ", ".join(_pairs(text)),
    "brackets": lambda text: f"[{' '.join(_pairs(text))}]",
    "two brackets": lambda text: f"[{text[:-2]}] [{text[-2:]}]" if len(text) > 4 else f"[{text}]",
    "texts": lambda text: [text[:-2], text[-2:]] if len(text) > 4 else _pairs(text),
    "ids": lambda text: [int(card) for card in holdem.parse_cards(text)],
    "array": lambda text: np.array([int(card) for card in holdem.parse_cards(text)], np.uint8),
    "array of text": lambda text: np.array(_pairs(text)),
    "cards": lambda text: tuple(map(Card, _pairs(text))),
    "combos": lambda text: [Combo(text[:4]), *_pairs(text[4:])],
    "generator": lambda text: map(Card, _pairs(text)),
    "dealt": lambda text: holdem.Deck(cards=text).deal(len(text) // 2),
}


def _pairs(text):
    return [text[start : start + 2] for start in range(0, len(text), 2)]


def _calls(hole, board, dead):
    """Yield the comparable answers of functions about a hand; each argument is made anew."""
    known = {"board": board, "dead": dead}
    for function in (holdem.equity, holdem.explain):
        yield function(hole(), "7c7d", **{name: own() for name, own in known.items()})
    yield holdem.hits(hole(), **{name: own() for name, own in known.items()})
    yield holdem.equity_matrix(hole(), "77", board=board(), dead=dead())
    yield holdem.head_to_head(hole(), "77", board=board(), dead=dead(), deals=100, seed=4)
    yield holdem.evaluate([*holdem.parse_cards(hole()), *holdem.parse_cards(board())])
    yield holdem.Range("AK").without(dead())
    yield holdem.Combo(hole())


@cache
def _plain_answers():
    """Return the answers about text."""
    return [*_calls(*(lambda text=text: text for text in (HOLE, BOARD, DEAD)))]


@pytest.mark.parametrize("form", FORMS)
def test_every_form(form):
    """Answers don't depend on how cards are given, but for the text of a player that was text."""
    make = FORMS[form]
    given = _calls(*(lambda text=text: make(text) for text in (HOLE, BOARD, DEAD)))
    for answer, expected in zip(given, _plain_answers(), strict=True):
        if isinstance(answer, holdem.EquityResult | holdem.ContestResult):
            found, wanted = (
                [player.equity for player in own.players] for own in (answer, expected)
            )
            assert found == wanted
            assert answer.board == expected.board
            assert sorted(answer.dead) == sorted(expected.dead)
        elif isinstance(answer, holdem.Hits):
            assert (answer.made, answer.by_river) == (expected.made, expected.by_river)
        elif isinstance(answer, holdem.Explanation | holdem.EquityMatrix):
            fields = ("players", "sentence", "rows", "runouts")
            assert [getattr(answer, name, None) for name in fields] == [
                getattr(expected, name, None) for name in fields
            ]
        else:
            assert answer == expected
    table = holdem.equities(*([make(HOLE)], [make("7c7d")]), board=[make(BOARD)], dead=[make(DEAD)])
    assert (
        table.equity[0].tolist()
        == holdem.equity(HOLE, "7c7d", board=BOARD, dead=DEAD).equities.tolist()
    )


def test_several_cards_in_one_text_of_a_hand():
    assert holdem.evaluate(["AsKd", "[Qh Jh]", 32, (3, "2c")]).category == "straight"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[50]AA[/50]", "AA:0.5"),
        ("[10]TsTh[/10.0]", "TsTh:0.1"),
        ("[As Kd]", "AsKd"),
        ("[10s, 9s]", "Ts9s"),
        ("[ 9♠9♥ ]:0.5, AA", "AA,9s9h:0.5"),
        ("QQ ! [Qs Qh]", str(holdem.Range("QQ") - holdem.Range("QsQh"))),
        ("[50][As Kd],AA[/50]", "AA:0.5,AsKd:0.5"),
        ("As, Kd", "AsKd"),
    ],
)
def test_brackets_in_ranges(text, expected):
    """Cards in brackets are a hand; a number in brackets is a weight, as GTO+ has it."""
    assert holdem.Range(text) == holdem.Range(expected)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[As]", "expected ']'|two cards, as in"),
        ("[AA]", r"expected a number, as in 0.5, or two cards, as in \[As Kd\]"),
        ("[As As]", "'AsAs' is the same card twice"),
        ("As, Kd, QQ", "'As' is one card; a hand has two"),
        ("[AsKd, QsQh]", "'AsKd' is not a number"),
    ],
)
def test_wrong_brackets_in_ranges(text, message):
    with pytest.raises(holdem.RangeError, match=message):
        holdem.Range(text)


@pytest.mark.parametrize(
    ("player", "error", "message"),
    [
        (
            ["AsKs", "QQ"],
            holdem.HoldemTypeError,
            r'separate arguments; .* join hands, as in ",".join\(x\)$',
        ),
        (
            [Combo("AsKs"), Combo("QsQh")],
            holdem.CardError,
            r"not 4, .* Range.from_combos\(combos\)",
        ),
        (["As", "As"], holdem.CardError, "player 1: hole cards: As appears twice"),
        ([99, 3], holdem.CardError, "player 1: hole cards: item 1: no card has the id 99"),
        (Card("As"), holdem.HoldemTypeError, "expected a Range, text or two cards"),
        ((), holdem.CardError, "player 1: hole cards are two cards, not 0"),
    ],
)
def test_players_that_are_no_hand(player, error, message):
    with pytest.raises(error, match=message):
        holdem.equity(player, "JJ")


# --- columns -----------------------------------------------------------------------------

HOLES = np.array([[51, 46], [50, 3], [12, 20], [0, 4]], np.uint8)
PADDED = np.array([[1, 5, 9, 255, 255], [4, 5, 6, 7, 255], [255] * 5, [8, 9, 13, 14, 17]], np.uint8)


def _padded_boards():
    """Yield columns of the same boards, each with a name."""
    signed = np.where(PADDED == 255, -1, PADDED.astype(np.int64))
    yield "255", PADDED
    yield "-1", signed
    yield "padded in front", signed[:, ::-1]
    yield "mask", np.ma.masked_array(np.where(PADDED == 255, 9, PADDED), PADDED == 255)
    yield "mask of signed", np.ma.masked_array(signed, PADDED == 255)
    yield "lists", PADDED.tolist()
    yield "lists with None", [[card if card < 52 else None for card in row] for row in PADDED]
    yield "short lists", [[card for card in row if card < 52] for row in PADDED.tolist()]
    yield "arrays", [row[row < 52] for row in PADDED]
    text = [holdem.parse_cards([card for card in row if card < 52]) for row in PADDED.tolist()]
    yield "text", np.array([[*map(str, row), *[None] * (5 - len(row))] for row in text], object)


@pytest.mark.parametrize(("name", "boards"), list(_padded_boards()))
def test_padded_boards(name, boards):
    """What pads a row is no card, and a row of nothing else has no board."""
    with pytest.warns(
        holdem.HoldemWarning,
        match="^1 spot without a board, beside 3 with one, is answered before the flop$",
    ):
        table = holdem.equities(HOLES, "99+", board=boards)
    for spot, (hole, row) in enumerate(zip(HOLES.tolist(), PADDED.tolist(), strict=True)):
        board = [card for card in row if card < 52]
        if name == "padded in front":
            board = board[::-1]
        expected = holdem.equity(hole, "99+", board=board, method="exact")
        assert table.equity[spot].tolist() == expected.equities.tolist()
        assert table[spot].board == "".join(map(str, expected.board))


def test_padded_dead_cards_and_players():
    """A player after the second may be missing; the first two may not."""
    dead = [[8, -1], [-1, 9], [8, 9], [-1, -1]]
    third = np.array([[30, 31], [-1, -1], [255, 255], [30, 33]])
    table = holdem.equities(HOLES, "QQ", third, dead=dead, board="3s4s6s")
    for spot, own in enumerate(dead):
        others = [third[spot].tolist()] if spot in (0, 3) else []
        expected = holdem.equity(
            HOLES[spot].tolist(), "QQ", *others, board="3s4s6s", dead=[c for c in own if c >= 0]
        )
        assert table.equity[spot, : 2 + len(others)].tolist() == expected.equities.tolist()
        assert len(table[spot].players) == 2 + len(others)
    table = holdem.equities(third, "QQ", board="3s4s6s", errors="nan")
    assert table.errors == dict.fromkeys((1, 2), "player 1: the hand or range is missing")


@pytest.mark.parametrize(
    ("column", "message"),
    [
        ([[1, 5, 9, 255, 77]], r"board: item 4: no card has the id 77"),
        (np.array([[1, 5, 9, 255, 77]]), r"board: \[1, 5, 9, 255, 77\] are not all card ids"),
        (np.array([[1, 5, -2]]), r"board: \[1, 5, -2\] are not all card ids"),
        (np.array([[1.0, 5.0, 9.0]]), r"\(1, 3\); convert your array x with x.astype\(int\)$"),
        (np.array([[1, 5, np.nan]]), r"np.nan_to_num\(x, nan=-1\).astype\(int\)$"),
        (np.array([[1, 5, 9, 13, 17, 21]]), "6 cards are more than 5"),
        ([(np.array([1, 5]), 9)], r"board: expected text, a Range or cards for a spot"),
    ],
)
def test_wrong_columns_of_ids(column, message):
    with pytest.raises(holdem.HoldemError, match=message):
        holdem.equities("AsKs", "QQ", board=column)


def test_missing_boards_are_counted():
    """A warning needs boards that are missing beside others; empty text says that there is none."""
    boards = ["Td9d2c", None, "", "zz", float("nan"), "Td9d2c"]
    with pytest.warns(
        holdem.HoldemWarning,
        match="^2 spots without a board, beside 2 with one, are answered before the flop$",
    ):
        holdem.equities("AsKs", "QQ", board=boards, errors="nan")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        holdem.equities("AsKs", "QQ", board=[None, None, ""])
        holdem.equities("AsKs", "QQ", board=["Td9d2c", ""])
        holdem.equities("AsKs", ["QQ", "JJ"])
        holdem.equities("AsKs", ["QQ", "JJ"], board="Td9d2c")


def test_missing_boards_of_a_file(tmp_path, monkeypatch, capsys):
    """The command counts them over all chunks of a file."""
    monkeypatch.setattr("holdem.cli.equities._CHUNK", 2)
    path = tmp_path / "spots.csv"
    rows = ["AsKs,QQ,", "AsKs,QQ,", "AsKs,QQ,Td9d2c", "AsKs,QQ,", "AsKs,QQ,Td9d2c"]
    path.write_text("\n".join(["p1,p2,board", *rows]))
    assert run(["equities", str(path)]) == 0
    note = "note: 3 spots without a board, beside 2 with one, are answered before the flop"
    assert note in capsys.readouterr().err
    path.write_text("\n".join(["p1,p2,board", *rows[:2]]))
    assert run(["equities", str(path)]) == 0
    assert capsys.readouterr().err == ""


def test_padded_boards_of_an_indexer():
    indexer = holdem_abstraction.HandIndexer("flop")
    padded = np.array([[1, 5, 9, 255, 255], [9, -1, 5, 1, -1]], np.int16)
    assert indexer.index(HOLES[:2], padded).tolist() == [
        *indexer.index("AsKh", "2d3d4d"),
        *indexer.index(HOLES[1:2], [[1, 5, 9]]),
    ]


@pytest.mark.parametrize("wrong", [(True, 2), [np.bool_(True), 2], (1.0, 2)], ids=str)
@pytest.mark.parametrize("is_first", [False, True])
def test_what_is_equal_to_an_id(wrong, is_first):
    """True and 1.0 are no cards, also beside rows that are equal to theirs, and in boards."""
    rows = [type(wrong)((1, 2)), wrong][:: -1 if is_first else 1]
    with pytest.raises(
        holdem.SpotError, match=f"spot {int(not is_first)}: player 1: item 1: a card"
    ):
        holdem.equities(rows, "AsAh", board="Td9h8s")
    table = holdem.equities(rows, "AsAh", board="Td9h8s", errors="nan")
    assert list(table.errors) == [int(not is_first)]
    boards = [(*row, 9, 20, 30) for row in rows]
    assert list(holdem.equities("AsAh", "KsKh", board=boards, errors="nan").errors) == [
        int(not is_first)
    ]
