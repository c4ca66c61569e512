"""Arrays of any layout and integer type give the right answer; invalid rows are named."""

import numpy as np
import pytest

import holdem
from hands import random_hands

EVALUATORS = ("lookup", "reference", "bitwise", "cactus-kev", "suit-mask")


def layouts(array):
    """Yield the same values as arrays of other layouts, byte orders and types."""
    yield "Fortran", np.asfortranarray(array)
    wide = np.full((*array.shape, 2), 7, dtype=array.dtype)
    wide[..., 0] = array
    yield "every second item", wide[..., 0]
    rows = np.repeat(array, 2, axis=0)
    yield "every second row", rows[::2]
    yield "reversed in memory", np.flip(np.flip(array).copy())
    yield "transposed twice", array.T.copy().T
    locked = array.copy()
    locked.setflags(write=False)
    yield "read-only", locked
    larger = np.dtype(array.dtype).kind.replace("u", "i") + "8"
    yield "big-endian", array.astype(f">{larger}")
    yield "a list", array.tolist()
    unaligned = np.zeros(array.nbytes * 8 + 1, dtype=np.uint8)[1:].view(larger)
    unaligned = unaligned[: array.size].reshape(array.shape)
    unaligned[...] = array
    yield "unaligned", unaligned
    if array.dtype.kind == "u":
        yield "big-endian, two bytes", array.astype(">u2")
        yield "8 bits with sign", array.astype(np.int8)


def same(call, array, expected):
    for name, other in layouts(array):
        before = np.array(other)
        found = call(other)
        np.testing.assert_array_equal(found, expected, err_msg=name)
        np.testing.assert_array_equal(before, other, err_msg=f"{name} was changed")


@pytest.mark.parametrize("count", [3, pytest.param(5_000, id="many")])
@pytest.mark.parametrize("name", EVALUATORS)
def test_strengths(name, count):
    """`count` above 4,096 is validated by a kernel."""
    evaluator = holdem.get_evaluator(name)
    count = min(count, 50) if name == "reference" else count
    for size in (5, 6, 7):
        hands = random_hands(count, size, seed=size)
        expected = evaluator.strengths(hands)
        same(evaluator.strengths, hands, expected)
        same(lambda cards: evaluator.strengths(cards, validate=False), hands, expected)
        assert evaluator.strengths(hands[:0]).shape == (0,)
    classes = evaluator.classes(expected)
    for strengths in (expected.astype(">i8"), np.repeat(expected, 2)[::2], expected.tolist()):
        np.testing.assert_array_equal(evaluator.classes(strengths), classes)
        assert evaluator.names(strengths).tolist() == evaluator.names(expected).tolist()
    grid = np.asfortranarray(np.resize(expected, (3, len(expected))))
    np.testing.assert_array_equal(evaluator.classes(grid), np.resize(classes, grid.shape))


def test_compare_hands():
    first, second = random_hands(200, 5, seed=1), random_hands(200, 5, seed=2)
    expected = holdem.compare_hands(first, second).winners
    arrays = [own for own in layouts(first) if isinstance(own[1], np.ndarray)]
    for name, other in arrays:
        found = holdem.compare_hands(other, np.asfortranarray(second)).winners
        np.testing.assert_array_equal(found, expected, err_msg=name)
    assert len(holdem.compare_hands(first[:0], second[:0]).winners) == 0


def test_equities():
    """Hole cards, boards and dead cards in arrays."""
    cards = random_hands(40, 7, seed=3)
    rest = random_hands(400, 7, seed=4)
    rest = np.array([row for row in rest if not set(row) & set(cards[0])], dtype=np.uint8)[:12]
    cards = np.repeat(cards[:1], len(rest), axis=0)
    heroes, villains, boards = cards[:, :2], rest[:, :2], rest[:, 2:5]
    dead = rest[:, 5:6]
    options = {"board": boards, "dead": dead}
    expected = holdem.equities(heroes, villains, **options)
    same(lambda own: holdem.equities(own, villains, **options).equity, heroes, expected.equity)
    same(lambda own: holdem.equities(heroes, own, **options).equity, villains, expected.equity)
    same(
        lambda own: holdem.equities(heroes, villains, board=own, dead=dead).equity,
        boards,
        expected.equity,
    )
    same(
        lambda own: holdem.equities(heroes, villains, board=boards, dead=own).equity,
        dead,
        expected.equity,
    )
    one = holdem.equity(
        *map(holdem.Range.from_combos, ([heroes[3]], [villains[3]])), board=boards[3], dead=dead[3]
    )
    assert one.equities.tolist() == expected.equity[3].tolist()
    assert holdem.equities(heroes[:0], villains[:0]).equity.shape == (0, 2)


def test_boards_of_other_functions():
    """A board may be an array of any layout."""
    board = np.array([5, 19, 33], dtype=np.uint8)
    calls = {
        "equity": lambda own: holdem.equity("AsKs", "QQ", board=own).equities,
        "equity_matrix": lambda own: holdem.equity_matrix("AsKs", "QQ", board=own).equity,
        "hits": lambda own: list(holdem.hits("QQ,AK", board=own).by_river.values()),
        "explain": lambda own: holdem.explain("AsKs", "QdQh", board=own).streets[-1].equities,
    }
    for call in calls.values():
        same(call, board, call(board))
    same(holdem.parse_cards, board, (5, 19, 33))


@pytest.mark.parametrize("kind", [np.float64, np.float32, np.float16, np.int8, np.bool_])
def test_weights(kind):
    """Weights of combos and of classes."""
    rng = np.random.default_rng(1)
    weights = rng.integers(0, 2, 1326).astype(kind)
    grid = rng.integers(0, 2, (13, 13)).astype(kind)
    for array in (weights, grid):
        expected = holdem.Range.from_weights(array.astype(np.float64))
        others = [array, np.repeat(array, 2, axis=0)[::2], np.flip(np.flip(array).copy())]
        others += [np.asfortranarray(array), array.astype(array.dtype.newbyteorder(">"))]
        others += [array.tolist()]
        for other in others:
            assert holdem.Range.from_weights(other) == expected
    assert holdem.Range.from_weights(np.asfortranarray(grid)).grid.tolist() == grid.tolist()


ROW = 2
FAULTS = {
    "id 52": (52, "hand 2: .* has the id 52, outside 0..51"),
    "id -1": (-1, "hand 2: .* has the id -1, outside 0..51"),
    "id 256": (256, "hand 2: .* has the id 256, outside 0..51"),
    "id 2^62": (1 << 62, "hand 2: .* has the id 4611686018427387904, outside 0..51"),
    "twice": (None, "hand 2: .* has .. twice"),
}


@pytest.mark.parametrize("count", [4, 5_000])
@pytest.mark.parametrize("fault", FAULTS)
def test_invalid_hands_are_named(fault, count):
    """Few hands and many, also in other layouts."""
    card, message = FAULTS[fault]
    for size in (5, 6, 7):
        hands = random_hands(count, size, seed=size).astype(np.int64)
        hands[ROW, 1] = hands[ROW, 0] if card is None else card
        for other in (hands, np.asfortranarray(hands), hands.astype(">i8")):
            with pytest.raises(holdem.CardError, match=message):
                holdem.get_evaluator().strengths(other)


@pytest.mark.parametrize("fault", FAULTS)
def test_invalid_spots_are_named(fault):
    """The error has the number of the spot, and with ``errors="nan"`` the others are answered."""
    card = FAULTS[fault][0]
    holes = np.array([[0, 5], [1, 6], [2, 7], [3, 4]])
    boards = np.array([[20, 25, 30]] * 4)
    for column in ("holes",) if card == -1 else ("holes", "board"):  # -1 is no card of a board
        own, other = holes.copy(), boards.copy()
        array = own if column == "holes" else other
        array[ROW, 1] = array[ROW, 0] if card is None else card
        with pytest.raises(holdem.HoldemError, match=f"spot {ROW}: ") as caught:
            holdem.equities(own, "QsQh", board=other)
        assert caught.value.spot == ROW
        table = holdem.equities(own, "QsQh", board=other, errors="nan")
        assert list(table.errors) == [ROW]
        assert np.isnan(table.equity).all(axis=1).tolist() == [False, False, True, False]


@pytest.mark.parametrize(
    ("array", "message"),
    [
        (np.zeros((3, 5)), "expected card ids .*, not float64"),
        (np.zeros((3, 5), dtype=bool), "not bool"),
        (np.zeros((3, 5), dtype=object), "not object"),
        (np.zeros((3, 5), dtype="U2"), "not <U2"),
        (np.zeros((3, 5), dtype=complex), "not complex128"),
        (np.zeros((3, 5), dtype="M8[s]"), "not datetime64"),
        (np.zeros((3, 4), dtype=np.uint8), r"shape \(n, 5..7\), not \(3, 4\)"),
        (np.zeros((3, 8), dtype=np.uint8), r"not \(3, 8\)"),
        (np.zeros(5, dtype=np.uint8), r"not \(5,\)"),
        (np.zeros((1, 3, 5), dtype=np.uint8), r"not \(1, 3, 5\)"),
        (np.array(3), r"not \(\)"),
    ],
)
def test_wrong_types_and_shapes(array, message):
    for validate in (True, False):
        with pytest.raises(holdem.HoldemTypeError, match=message):
            holdem.get_evaluator().strengths(array, validate=validate)
    with pytest.raises(holdem.HoldemError, match=r"."):
        holdem.compare_hands(array, array)
