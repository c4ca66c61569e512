"""`equity_matrix` has the exact equity of every pair of combos, or of classes."""

import pickle
import subprocess
import sys
from itertools import product
from math import comb

import numpy as np
import pytest

import holdem
from holdem.ranges.combos import CLASS_NAMES, CLASS_OF_COMBO, COMBO_TEXT

BOARDS = [None, "Ks7d2c", "Ks7d2c5h", "Ks7d2c5h9s"]
RANGES = "AKs,QQ:0.3,T9s:0.123456789", "KK+,87s,22:0.7,AhQd"


def _require_equities(matrix, board, dead=None, evaluator=None):
    """Assert that each entry is what `holdem.equity` answers for the two combos."""
    for (i, row), (j, column) in product(enumerate(matrix.rows), enumerate(matrix.columns)):
        entry = [getattr(matrix, name).item(i, j) for name in ("equity", "win", "tie")]
        if {row[:2], row[2:]} & {column[:2], column[2:]}:
            assert np.isnan(entry).all()
            assert matrix.weight[i, j] == 0
            continue
        expected = holdem.equity(
            row, column, board=board, dead=dead, method="exact", evaluator=evaluator
        ).players[0]
        assert entry == [expected.equity, expected.win, expected.tie]
        assert matrix.wins[i, j] == expected.wins
        assert matrix.ties[i, j] == expected.ties


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("dead", [None, "AdTs"])
def test_every_pair(board, dead):
    """Equities are those of `equity` to the last bit; weights are products."""
    rows, columns = map(holdem.Range, RANGES)
    if not board and dead:
        rows, columns = holdem.Range("AKs,QsQh"), holdem.Range("KK,8h7h")
    matrix = holdem.equity_matrix(rows, columns, board=board, dead=dead, workers=2)
    _require_equities(matrix, board, dead)
    expected = [
        [rows.weight(row) * columns.weight(column) for column in matrix.columns]
        for row in matrix.rows
    ]
    assert np.array_equal(np.where(matrix.weight > 0, expected, 0), matrix.weight)


@pytest.mark.parametrize("size", [3, 4, 5])
def test_random_boards(size):
    """Random ranges on random boards with dead cards, some of them blocked."""
    rng = np.random.default_rng(size)
    for _ in range(6):
        cards = [str(holdem.Card(card)) for card in rng.permutation(52)[: size + 3].tolist()]
        board, dead = "".join(cards[:size]), "".join(cards[size:])
        rows, columns = (
            holdem.Range.from_combos(
                {COMBO_TEXT[n]: rng.random() for n in rng.integers(1326, size=15)}
            )
            for _ in range(2)
        )
        matrix = holdem.equity_matrix(rows, columns, board=board, dead=dead)
        _require_equities(matrix, board, dead)


@pytest.mark.parametrize(
    ("evaluator", "board"),
    [
        ("short-deck", "Ks7d6c"),
        ("cactus-kev", "Ks7d6c"),
        ("suit-mask", "Ks7d6c8h"),
        ("reference", "Ks7d6c8h"),
        ("short-deck", "Ks7d6c8h9s"),
    ],
)
def test_other_evaluators(evaluator, board):
    matrix = holdem.equity_matrix("QQ,AJs", "KK,98s", board=board, evaluator=evaluator)
    assert matrix.evaluator.name == evaluator
    _require_equities(matrix, board, evaluator=evaluator)


def test_ties_on_many_boards():
    """Tasks of many boards count them all: here each of 65,780 is a tie."""
    dead = [rank + suit for rank in "23456789TJQK" for suit in "cd"][:-2]
    matrix = holdem.equity_matrix("AcKd", "AdKc", dead=dead)
    assert matrix.ties.tolist() == [[comb(26, 5)]]
    assert matrix.equity.tolist() == [[0.5]]


def test_other_evaluator_before_the_flop():
    """Small ranges are compared on all boards, also where there is no table."""
    matrix = holdem.equity_matrix("AsKs", "QdQh,9s9h", evaluator="short-deck")
    _require_equities(matrix, None, evaluator="short-deck")


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("ranges", [("random", "random"), ("22+,A2s+:0.5,KTs+", "random")])
def test_totals(board, ranges):
    """Weighted sums over a row are those of `by_combo`, over all entries those of `equity`."""
    result = holdem.equity(*ranges, board=board)
    matrix = holdem.equity_matrix(*ranges, board=board, workers=2)
    first, second = (player.by_combo for player in result.players)
    assert list(matrix.rows) == first.combo.tolist()
    assert list(matrix.columns) == second.combo.tolist()
    assert matrix.mean_equity == pytest.approx(result.players[0].equity, abs=1e-12)
    by_row = np.nansum(matrix.weight * matrix.equity, axis=1) / matrix.weight.sum(axis=1)
    assert by_row == pytest.approx(first.equity, abs=1e-12)
    by_column = np.nansum(matrix.weight * matrix.equity, axis=0) / matrix.weight.sum(axis=0)
    assert 1 - by_column == pytest.approx(second.equity, abs=1e-12)


@pytest.mark.parametrize("board", BOARDS)
def test_antisymmetric(board):
    """A range against itself: the two equities of a pair sum to 1, ties are symmetric."""
    matrix = holdem.equity_matrix("random", "random", board=board)
    assert np.array_equal(np.isnan(matrix.equity), matrix.weight == 0)
    possible = matrix.weight > 0
    sums = (2 * matrix.wins + matrix.ties) + (2 * matrix.wins + matrix.ties).T
    assert (sums[possible] == 2 * matrix.runouts).all()
    assert np.array_equal(matrix.ties, matrix.ties.T)


@pytest.mark.parametrize("board", BOARDS)
def test_by_class(board):
    """An entry by class is the weighted mean over the possible pairs of combos."""
    rows, columns = map(holdem.Range, RANGES)
    matrix = holdem.equity_matrix(rows, columns, board=board, by="class")
    combos = holdem.equity_matrix(rows, columns, board=board)
    assert set(matrix.rows) == {_class_name(row) for row in combos.rows}
    for (i, row), (j, column) in product(enumerate(matrix.rows), enumerate(matrix.columns)):
        inside = np.ix_(
            [_class_name(name) == row for name in combos.rows],
            [_class_name(name) == column for name in combos.columns],
        )
        weight = combos.weight[inside].sum()
        assert matrix.weight[i, j] == pytest.approx(weight, rel=1e-13)
        if weight == 0:
            assert np.isnan(matrix.equity[i, j])
            continue
        for name in ("equity", "win", "tie"):
            mean = np.nansum(combos.weight[inside] * getattr(combos, name)[inside]) / weight
            assert getattr(matrix, name)[i, j] == pytest.approx(mean, rel=1e-13)


def test_classes_before_the_flop():
    """All classes in the order of the grid; entries are those of `equity` to the last bit."""
    matrix = holdem.equity_matrix("random", "random", by="class")
    assert matrix.rows == matrix.columns == CLASS_NAMES
    assert matrix.weight.sum() == 1326 * 1225
    for i, j in np.random.default_rng(4).integers(169, size=(60, 2)).tolist():
        expected = holdem.equity(CLASS_NAMES[i], CLASS_NAMES[j]).players[0]
        assert matrix.equity[i, j] == expected.equity
        assert matrix.win[i, j] == expected.win


def test_only_live_combos():
    """Rows that are blocked, or that no column leaves room for, are left out."""
    matrix = holdem.equity_matrix("AsAh,KsKh,QsQh", "AsKd,AsQd", board="Qd7h2c", dead="Ks")
    assert matrix.rows == ("QsQh",)
    assert matrix.columns == ("AsKd",)
    assert holdem.equity_matrix("AsAh,QsQh", "AsKd").rows == ("QsQh",)


def test_answer_does_not_depend_on_workers():
    one, two = (
        holdem.equity_matrix("22+,A2s+:0.3", "random", board="Td9d2c", workers=workers)
        for workers in (1, 2)
    )
    assert one == two
    assert hash(one) == hash(two)
    assert one != holdem.equity_matrix("22+,A2s+:0.4", "random", board="Td9d2c")
    assert one != holdem.equity_matrix("22+,A2s+:0.3", "random", board="Td9d2h")


@pytest.mark.parametrize("by", ["combo", "class"])
def test_full(by):
    """The full matrix has every combo or class in the order of the weights, and NaN elsewhere."""
    matrix = holdem.equity_matrix("AKs,99:0.5", "QQ+,98s", board="Ks7d2c", dead="Ah", by=by)
    names = COMBO_TEXT if by == "combo" else CLASS_NAMES
    for what in ("equity", "win", "tie"):
        full = matrix.full(what)
        assert full.shape == (len(names), len(names))
        assert not full.flags.writeable
        expected = getattr(matrix, what)
        rows, columns = (
            [names.index(name) for name in own] for own in (matrix.rows, matrix.columns)
        )
        assert np.array_equal(full[np.ix_(rows, columns)], expected, equal_nan=True)
        assert np.count_nonzero(full == full) == np.count_nonzero(expected == expected)
    with pytest.raises(holdem.HoldemValueError, match="'lose'"):
        matrix.full("lose")


@pytest.mark.parametrize("board", BOARDS)
def test_weights_go_with_the_matrix(board):
    """Arrays by combo are in one order: their product with the matrix is the equity."""
    rows, columns = holdem.Range("AA,KQs:0.25,AhQd"), holdem.Range("KK,A5s:0.5,72o")
    first, _ = holdem.equity(rows, columns, board=board).players
    matrix = holdem.equity_matrix(rows, columns, board=board)
    product_of_weights = rows.weights @ np.nan_to_num(matrix.full()) @ columns.weights
    assert product_of_weights / matrix.weight.sum() == pytest.approx(first.equity, abs=1e-12)
    own = [combo.number for combo in rows if str(combo) in matrix.rows]
    assert own == sorted(own)
    assert (
        [COMBO_TEXT[number] for number in own] == list(matrix.rows) == first.by_combo.combo.tolist()
    )


def test_result_is_a_value():
    matrix = holdem.equity_matrix("QQ+", "AKs,AQ", board="Ks7d2c", by="class")
    assert pickle.loads(pickle.dumps(matrix)) == matrix
    mean = holdem.equity("QQ+", "AKs,AQ", board="Ks7d2c").players[0].equity
    assert repr(matrix) == f"<EquityMatrix by class, 3 x 3: {mean:.6f}>"
    lines = str(matrix).splitlines()
    assert lines[0] == "equity of the rows in %, board Ks 7d 2c"
    assert lines[1].split() == ["AKs", "AQs", "AQo"]
    assert len(lines) == 6
    record = matrix.to_dict()
    assert record["equity"] == matrix.equity.tolist()
    with pytest.raises(ValueError, match="read-only"):
        matrix.equity[0, 0] = 1


def test_wide_matrix_is_clipped():
    """Text shows the first and last rows and columns; impossible pairs are dashes, JSON null."""
    matrix = holdem.equity_matrix("random", "random", board="Ks7d2c5h9s")
    lines = str(matrix).splitlines()
    assert len(lines) == 16
    shown = matrix.columns[::-1]  # people see the strongest first
    assert lines[1].split() == [*shown[:4], "…", *shown[-4:]]
    assert lines[2].split()[:2] == ["AsAh", "-"]
    assert matrix.to_dict()["equity"][0][0] is None


def test_frame():
    """A frame has a line for every entry, in the order of rows and columns."""
    pytest.importorskip("pandas")
    matrix = holdem.equity_matrix("AA,KK", "AA,QQ", by="class", board="Ks7d2c9h", dead="AsAh")
    frame = matrix.to_frame()
    assert list(frame.columns) == ["row", "column", "weight", "equity", "win", "tie"]
    assert list(zip(frame.row, frame.column, strict=True)) == list(
        product(matrix.rows, matrix.columns)
    )
    assert np.array_equal(frame.equity.to_numpy(float), matrix.equity.ravel(), equal_nan=True)
    assert frame.equity.isna().any()


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        (("AA", "KK"), {"by": "suit"}, "no matrix by 'suit'; use combo or class"),
        (("AA", "KKz"), {}, "player 2"),
        (("AA", 7), {}, "player 2: expected a Range, text or two cards, not 7"),
        (("AsAh", "AsKs"), {}, "no deal is possible"),
        (("AA", "KK"), {"board": "Td9d2c2h3s4s"}, "up to 5 cards"),
        (("AA", "KK"), {"workers": 0}, "workers"),
        (("AA", "KK"), {"evaluator": "nobody"}, "nobody"),
    ],
)
def test_errors(arguments, options, message):
    with pytest.raises(holdem.HoldemError, match=message):
        holdem.equity_matrix(*arguments, **options)


@pytest.mark.parametrize(
    ("options", "advice"),
    [
        ({"dead": "2c"}, "with no dead cards, a table"),
        (
            {"evaluator": holdem.get_evaluator("suit-mask", direct=True)},
            "without direct ranking and with no dead cards, a table",
        ),
        ({"evaluator": "deuces-wild"}, "narrow the ranges or add board cards$"),
    ],
)
def test_over_the_budget(options, advice):
    """All of a range against all of another before the flop needs the table."""
    with pytest.raises(holdem.BudgetError, match=advice):
        holdem.equity_matrix("random", "random", **options)


def test_interrupted(interrupted_after):
    interrupted_after(2)
    with pytest.raises(holdem.Interrupted) as caught:
        holdem.equity_matrix("random", "random", board="Ks7d2c", workers=1)
    assert caught.value.finished is None


def test_table_needs_no_numba():
    script = (
        "import holdem, sys; holdem.equity_matrix('random', 'random').equity;"
        "assert 'numba' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", script], check=True)


def _class_name(combo):
    return CLASS_NAMES[CLASS_OF_COMBO[COMBO_TEXT.index(combo)]]


def test_no_array():
    """There are several arrays, and numpy does not choose one, or make an array of objects."""
    matrix = holdem.equity_matrix("AsAh", "KK", board="Td9d2c")
    for make in (np.asarray, np.array, np.sum):
        with pytest.raises(holdem.HoldemTypeError, match=r"several arrays: use \.equity, \.weight"):
            make(matrix)
