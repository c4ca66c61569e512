"""The strength of every hand of a street."""

import io
import zipfile
from contextlib import suppress
from math import comb

import numpy as np
import pytest

import holdem
from hands import random_hands
from holdem.cards import card_sets, read_only
from holdem.odds.exact.preflop_table import preflop_table
from holdem.odds.symmetry import permuted_cards
from holdem.ranges.combos import (
    CLASS_OF_COMBO,
    COMBO_CARDS,
    COMBO_COUNT,
    COMBO_SETS,
    combo_number,
)
from holdem_abstraction import hand_strengths, load_hand_strengths
from holdem_abstraction.streets import street_boards
from holdem_abstraction.strengths import HandStrengths
from street_tables import partial_strengths, some_rows


def some_hands(table, count, seed=1):
    """Return random rows and combos that share no card, hole cards and boards."""
    rng = np.random.default_rng(seed)
    rows = rng.integers(len(table.boards), size=4 * count)
    combos = rng.integers(COMBO_COUNT, size=4 * count)
    free = card_sets(table.boards[rows]) & COMBO_SETS[combos] == 0
    rows, combos = rows[free][:count], combos[free][:count]
    return rows, combos, COMBO_CARDS[combos], table.boards[rows]


def test_before_the_flop():
    """The 169 numbers are those of the table of all match-ups."""
    table = hand_strengths("preflop", workers=2)
    combos = np.arange(COMBO_COUNT)
    wins, ties = preflop_table().match_ups(combos[:, None], combos)
    expected = 2 * wins.astype(np.int64).sum(axis=1) + ties.astype(np.int64).sum(axis=1)
    np.testing.assert_array_equal(table.points[0], expected)
    assert len(set(zip(CLASS_OF_COMBO.tolist(), expected.tolist(), strict=True))) == 169
    assert table.most == 1980 * comb(50, 5)
    assert table.lookup("AsAh")[0] == pytest.approx(0.8520371, abs=1e-7)
    assert (table.ehs2 > table.equity**2).all()
    # Of two hands of nearly equal equity, the suited connectors depend more on the board.
    assert table.ehs2[0, combo_number(17, 13)] > table.ehs2[0, combo_number(32, 1)]


def test_mean_is_a_half(river):
    points = river.points.sum(axis=1, dtype=np.int64) @ river.deals.astype(np.int64)
    assert 2 * points == river.most * comb(47, 2) * comb(52, 5)


@pytest.mark.parametrize(("street", "count"), [("river", 200), ("turn", 200), ("flop", 60)])
def test_equities(street, count, request):
    """Points are those of `equities`, to the integer."""
    table = request.getfixturevalue(street)
    rows, combos, holes, boards = some_hands(table, count)
    found = holdem.equities(holes, "random", board=boards)
    expected = np.rint((2 * found.win[:, 0] + found.tie[:, 0]) * found.deals).astype(int)
    np.testing.assert_array_equal(table.points[rows, combos], expected)
    if street != "river":  # the floats of all rivers take 0.7 GB
        np.testing.assert_allclose(table.equity[rows, combos], found.equity[:, 0], atol=1e-7)


@pytest.mark.parametrize(("street", "count"), [("turn", 100), ("flop", 20)])
def test_rivers(street, count, request, river):
    """Points, squares and histograms are those of the rivers to come."""
    table = request.getfixturevalue(street)
    for row, combo, hole, board in zip(*some_hands(table, count, seed=2), strict=True):
        free = np.setdiff1d(np.arange(52), [*hole, *board]).astype(np.uint8)
        to_come = free[:, None]
        if street == "flop":
            to_come = np.stack([free[index] for index in np.triu_indices(len(free), 1)], axis=1)
        rivers = np.concatenate([np.tile(board, (len(to_come), 1)), to_come], axis=1)
        points = np.rint(river.lookup(np.tile(hole, (len(rivers), 1)), rivers) * 1980).astype(int)
        assert len(points) == table.runouts
        assert table.points[row, combo] == points.sum()
        assert table.squares[row, combo] == (points**2).sum()
        bins = np.minimum(points * table.bins // 1980, table.bins - 1)
        expected = np.bincount(bins, minlength=table.bins)
        assert table.histogram[row, combo].tolist() == expected.tolist()


def test_lookup(river):
    """Hands in any suits and orders have the equity of `equity`."""
    cards = random_hands(200, 7, seed=3)
    found = river.lookup(cards[:, :2], cards[:, 2:])
    expected = holdem.equities(cards[:, :2], "random", board=cards[:, 2:]).equity[:, 0]
    np.testing.assert_array_equal(found, expected)
    (one,) = river.lookup("7s7d", "Ks7c2c9hTd")
    assert one == holdem.equity("7s7d", "random", board="Ks7c2c9hTd").players[0].equity
    with pytest.raises(holdem.CardError, match="hand 0: As Ks As 2c 3c 4c 5c has As twice"):
        river.lookup("AsKs", "As2c3c4c5c")


@pytest.mark.parametrize("street", ["flop", "turn"])
def test_other_opponents(street):
    opponent = "QQ+:0.3,AK,76s:0.77"
    table = partial_strengths(street, opponent=opponent, bins=20)
    assert table.possible is not None
    rows, combos, holes, boards = some_hands(table, 40)
    expected = holdem.equities(holes, opponent, board=boards).equity[:, 0]
    np.testing.assert_allclose(table.equity[rows, combos], expected, rtol=0, atol=1e-7)
    assert (table.ehs2[rows, combos] >= table.equity[rows, combos] ** 2 - 1e-6).all()
    assert (table.histogram[rows, combos].sum(axis=1) == table.runouts).all()


def test_opponents_that_are_blocked():
    """Where the opponent has no hand, there is no equity."""
    flops = partial_strengths("flop", opponent="AA")
    row = np.flatnonzero((flops.boards // 4 == 12).sum(axis=1) == 2)[:1]
    holds_ace = (COMBO_CARDS // 4 == 12).any(axis=1)
    assert np.isnan(flops.equity[row][:, holds_ace]).all()
    has_hand = ~np.isnan(flops.equity)
    assert (flops.ehs2[has_hand] >= flops.equity[has_hand] ** 2 - 1e-6).all()
    assert not np.isnan(flops.equity[row][:, (COMBO_CARDS < 20).all(axis=1)]).all()


def test_a_tiny_weight_counts():
    """A hand that blocks the opponent's other combos meets the one with a tiny weight."""
    flops = partial_strengths("flop", opponent="AA,KK:0.0000000000001")
    kings = partial_strengths("flop", opponent="KK")
    row = np.flatnonzero((flops.boards // 4 == 12).sum(axis=1) == 2)[:1]
    holds_ace = (COMBO_CARDS // 4 == 12).any(axis=1)
    assert not np.isnan(kings.equity[row][:, holds_ace]).all()
    np.testing.assert_allclose(flops.equity[row][:, holds_ace], kings.equity[row][:, holds_ace])


def test_scaled_random_is_random():
    """Only the ratios of the weights matter."""
    table = partial_strengths("flop", opponent=holdem.Range.from_weights(np.full(1326, 0.5)))
    assert table.opponent == "random"
    assert table.points is not None


@pytest.mark.parametrize(
    ("street", "options", "message"),
    [
        ("river", {"opponent": "AsKs"}, "depends on suits: A.K. has the weight"),
        ("river", {"opponent": "AKs,AhKd"}, "use classes such as AKs"),
        ("river", {"opponent": holdem.Range("")}, "empty"),
        ("river", {"bins": 50}, "histograms on flops and turns, not on the river"),
        ("turn", {"bins": 1}, "bins must be an integer from 2 to 1000, not 1"),
        ("turn", {"bins": 500}, "would take 11.49 GB, and .* 3.5 GB: use at most 133 bins"),
        ("river", {"memory": 0.5}, "would take 2.03 GB, .* allow memory=2.04"),
        ("rivers", {}, "no street 'rivers' .did you mean river"),
    ],
)
def test_refused(street, options, message):
    with pytest.raises(holdem.HoldemValueError, match=message):
        hand_strengths(street, **options)


def test_files(flop, tmp_path):
    path = tmp_path / "flop.npz"
    flop.save(path)
    with some_rows("flop"):
        other = load_hand_strengths(path)
    assert not any(array.flags.writeable for array in (other.boards, other.deals, other.points))
    assert (other.street, other.opponent, other.bins) == ("flop", "random", 50)
    for name in ("boards", "deals", "points", "squares", "histogram", "equity", "ehs2"):
        np.testing.assert_array_equal(getattr(other, name), getattr(flop, name))
    with np.load(path) as plain:  # as any program reads it
        np.testing.assert_array_equal(plain["points"], flop.points)


def test_files_of_other_opponents(tmp_path):
    table = partial_strengths("flop", opponent="QQ+")
    table.save(tmp_path / "f")
    with some_rows("flop"):
        other = load_hand_strengths(tmp_path / "f")
    np.testing.assert_array_equal(other.equity, table.equity)
    np.testing.assert_array_equal(other.ehs2, table.ehs2)
    assert other.opponent == "QQ+"


def _damage(path, at):
    content = bytearray(path.read_bytes())
    content[int(at * len(content))] ^= 1
    path.write_bytes(content)


def _bytes(save, *arrays, **named):
    file = io.BytesIO()
    save(file, *arrays, **named)
    return file.getvalue()


_NPY_OF_TERABYTES = _bytes(np.save, np.zeros(1, np.uint64)).replace(
    b"(1,), }" + b" " * 14, b"(100000000000000,), }"
)


def _rewrite(path, name, change):
    """Change a member of an archive."""
    with zipfile.ZipFile(path) as file:
        members = {own: file.read(own) for own in file.namelist()}
    with zipfile.ZipFile(path, "w") as file:
        for own, content in members.items():
            file.writestr(own, change(content) if own == f"{name}.npy" else content)


@pytest.mark.parametrize(
    "change",
    [
        lambda path: path.write_bytes(path.read_bytes()[: path.stat().st_size // 2]),
        lambda path: path.write_bytes(b""),
        lambda path: path.write_text("street,combo\n"),
        lambda path: _damage(path, 0.5),
        lambda path: _damage(path, 0.9),
        lambda path: path.write_bytes(_bytes(np.save, np.arange(3))),
        lambda path: path.write_bytes(_bytes(np.savez, points=np.arange(3))),
        lambda path: path.write_bytes(
            _bytes(np.savez, header=np.array([{}], dtype=object), digest="")
        ),
        lambda path: path.write_bytes(_bytes(np.savez, header='{"schema": "other/1"}', digest="")),
        lambda path: path.write_bytes(_bytes(np.savez, header="[]", digest="")),
        lambda path: path.write_bytes(_bytes(np.savez_compressed, **dict(np.load(path)))),
        lambda path: _rewrite(path, "points", lambda content: content.replace(b"(8, ", b"(9(9")),
        lambda path: _rewrite(path, "points", lambda content: _NPY_OF_TERABYTES),
    ],
    ids=[
        *("cut", "empty", "text", "a bit", "another bit", "npy", "npz", "pickle", "schema"),
        *("list", "deflated", "npy header", "too large"),
    ],
)
def test_damaged_files(flop, tmp_path, change):
    path = tmp_path / "flop.npz"
    flop.save(path)
    change(path)
    with pytest.raises(holdem.HoldemValueError, match=r"flop\.npz (is not a file|has the|is dama)"):
        load_hand_strengths(path)


def test_changed_contents(flop, tmp_path):
    """The digest covers the header and every array."""
    path = tmp_path / "flop.npz"
    flop.save(path)
    with np.load(path) as file:
        members = dict(file)
    members["points"] = members["points"] + 1
    np.savez(path, **members)
    with pytest.raises(holdem.HoldemValueError, match="its digest is not that of its contents"):
        load_hand_strengths(path)


def test_workers():
    """The answer does not depend on the number of workers."""
    tables = [partial_strengths("turn", bins=10, workers=workers) for workers in (1, 3)]
    np.testing.assert_array_equal(tables[0].points, tables[1].points)
    np.testing.assert_array_equal(tables[0].histogram, tables[1].histogram)


def test_any_bit_flip(tmp_path):
    """A file with any bit flipped is refused, or is as it was."""
    path = tmp_path / "preflop.npz"
    hand_strengths("preflop").save(path)
    content, rng = path.read_bytes(), np.random.default_rng(1)
    for at in rng.integers(8 * len(content), size=300).tolist():
        changed = bytearray(content)
        changed[at // 8] ^= 1 << at % 8
        path.write_bytes(changed)
        with suppress(holdem.HoldemValueError):
            load_hand_strengths(path)


@pytest.mark.slow
@pytest.mark.parametrize(("street", "following"), [("turn", "river"), ("flop", "turn")])
def test_sums_of_the_next_street(street, following):
    """Every hand has the points of all hands that it can become."""
    table, rest = (
        hand_strengths(street),
        hand_strengths(following),
    )
    points, boards = rest.points.ravel(), street_boards(following)
    for row, board in enumerate(table.boards):
        sums = np.zeros(COMBO_COUNT, dtype=np.int64)
        for card in range(52):
            if card in board:
                continue
            used = card_sets(np.append(board, card)[None])
            free = np.flatnonzero(COMBO_SETS & used == 0)
            dealt = np.append(board, np.uint8(card))
            cells = boards.locate(COMBO_CARDS[free], np.tile(dealt, (len(free), 1)))
            sums[free] += points.take(cells)
        np.testing.assert_array_equal(table.points[row], sums // {"turn": 1, "flop": 2}[street])


@pytest.mark.parametrize(
    ("street", "opponent"),
    [
        ("preflop", "QQ,AKs"),
        ("preflop", "QQ:0.3,AKs"),
        pytest.param("turn", "QQ:0.3,76s:0.77", marks=pytest.mark.slow),
    ],
)
def test_lookups_against_a_range(street, opponent):
    """Equities against a range are those of `equity` to the last bits; points are weights."""
    table = hand_strengths(street, opponent=opponent)
    _, _, holes, boards = some_hands(table, 12)
    found, points, squares = (
        table.lookup(holes, boards, what=what) for what in ("equity", "points", "ehs2")
    )
    assert found.dtype == points.dtype == squares.dtype == np.float64
    images = permuted_cards()[5]  # other hands of the same classes
    assert np.array_equal(table.lookup(images[holes], images[boards]), found)
    for row, (hole, board) in enumerate(zip(holes.tolist(), boards.tolist(), strict=True)):
        expected = holdem.equity(hole, opponent, board=board, method="exact").players[0]
        assert found[row] == pytest.approx(expected.equity, abs=1e-13)
        assert points[row] == pytest.approx(2 * expected.wins + expected.ties, rel=1e-11)
    assert (squares >= found**2 - 1e-12).all()
    if opponent == "QQ,AKs":
        assert np.array_equal(points, np.rint(points))


@pytest.mark.slow
def test_points_on_the_river_against_a_range():
    """The points of a hand that always wins come from sums by card."""
    table = hand_strengths("river", opponent="QQ+:0.3,AK,76s:0.77")
    assert table.possible is None
    rows, combos, holes, boards = some_hands(table, 60)
    expected = holdem.equities(holes, table.opponent, board=boards, method="exact").equity[:, 0]
    found = table.lookup(holes, boards)
    assert found == pytest.approx(expected, abs=1e-13)
    assert np.array_equal(found**2, table.lookup(holes, boards, what="ehs2"))
    assert table.equity[rows, combos].tolist() == found.astype(np.float32).tolist()


def test_a_hand_that_always_wins_has_equity_1():
    """On a river, also with weights that no sum of doubles has exactly; and 0 / 0 is NaN."""
    opponent, boards = holdem.Range("AA:0.7,KK:0.2"), street_boards("river")
    aces, kings = ((boards.cards >> 2 == rank).sum(axis=1) for rank in (12, 11))
    rows = np.flatnonzero((aces == 2) & (kings == 2))[:40]
    unit, free = 2.0**42 / 0.7, card_sets(boards.cards[rows])[:, None] & COMBO_SETS == 0
    integers = np.where(free, np.rint(opponent.weights * unit), 0)
    points = 2 * (integers @ (COMBO_SETS[:, None] & COMBO_SETS == 0)) / unit
    table = HandStrengths(
        "river", str(opponent), boards.cards[rows], boards.deals[rows], read_only(points)
    )
    is_blocked = free & (points == 0)
    assert is_blocked.any()
    assert np.isnan(table.equity[is_blocked]).all()
    most = table._possible_in(np.arange(points.size).reshape(points.shape))
    assert np.array_equal(most[free], points[free])


def test_what_is_looked_up():
    """Against a random hand all lookups are quotients of exact integers."""
    table = hand_strengths("preflop")
    points = table.lookup(["AsKs", "7c2d"], what="points")
    assert points.dtype == np.int64
    assert np.array_equal(table.lookup(["AsKs", "7c2d"]), points / table.most)
    squares = table.lookup(["AsKs", "7c2d"], what="ehs2")
    assert squares.astype(np.float32).tolist() == [
        table.ehs2[0, holdem.Combo(hand).number] for hand in ("AsKs", "7c2d")
    ]
    with pytest.raises(
        holdem.HoldemValueError, match="no lookup of 'ehs'; use equity, points, ehs2"
    ):
        table.lookup("AsKs", what="ehs")
    with pytest.raises(holdem.HoldemTypeError, match=r"what must be text, not \['ehs2'\]"):
        table.lookup("AsKs", what=["ehs2"])
    with pytest.raises(holdem.HoldemValueError, match="no histograms: compute them with bins=50"):
        table.lookup("AsKs", what="histogram")


@pytest.mark.slow
def test_histograms_are_looked_up():
    """A histogram has the complete boards of a hand, whose mean is near the equity."""
    table = hand_strengths("turn", bins=46)
    _, _, holes, boards = some_hands(table, 200)
    found = table.lookup(holes, boards, what="histogram")
    assert found.sum(axis=1).tolist() == [table.runouts] * 200
    means = found @ (np.arange(46) + 0.5) / 46 / table.runouts
    assert np.abs(means - table.lookup(holes, boards)).max() < 0.6 / 46
