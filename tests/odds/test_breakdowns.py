"""Results by class, category, next card and runout, compared with `equity` and their own sums."""

from __future__ import annotations

import copy
import pickle
from itertools import product

import numpy as np
import pytest

import holdem
from holdem.errors import Interrupted
from holdem.odds.equity import make_query
from holdem.odds.result import PlayerResult

# --- classes -----------------------------------------------------------------------------------


@pytest.mark.equity
def test_classes_are_means_of_their_combos():
    player = holdem.equity("QQ+,AKs:0.5,AKo", "TT:0.3,98s", board="Td9d2c").players[0]
    classes, combos = player.by_class, player.by_combo
    assert classes.name.tolist() == ["AA", "AKs", "AKo", "KK", "QQ"]
    for record in classes:
        own = [c for c in combos if holdem.Combo(c.combo).class_name == record.name]
        assert record.combos == len(own)
        assert record.weight == pytest.approx(np.mean([c.weight for c in own]))
        deals = [c.weight * c.deals for c in own]
        assert record.deals == pytest.approx(sum(deals))
        for name in ("equity", "win", "tie", "lose"):
            mean = np.average([getattr(c, name) for c in own], weights=deals)
            assert getattr(record, name) == pytest.approx(mean, abs=1e-15)
    assert classes["AKs"] == classes[1]
    with pytest.raises(KeyError, match="76s"):
        classes["76s"]


# --- next cards --------------------------------------------------------------------------------


@pytest.mark.equity
@pytest.mark.parametrize(
    ("players", "board", "dead"),
    [
        (("AsKs", "QQ,JTs:0.5"), "Td9d2c", ""),
        (("AKs", "QQ", "TT:0.25"), "Td9d2c4h", "Ah"),
        (("AsKs", "QdQh", "7c7d", "6h5h"), "Td9c2s", ""),
        (("AKs", "QQ", "TT:0.25,KQ", "KQ,98s"), "Td9d2c", ""),
        (("A2", "random", "random", "random"), "Td9d2c4h", ""),
    ],
)
def test_next_cards_are_spots(players, board, dead):
    """Each card has the result of the spot with it, and their mean is that without it."""
    result = holdem.equity(*players, board=board, dead=dead)
    table = result.by_next_card
    for record in table:
        expected = holdem.equity(*players, board=board + record.card, dead=dead)
        assert record.exact
        assert record.equity == pytest.approx(expected.equities, abs=1e-15)
        assert record.win == pytest.approx([own.win for own in expected.players], abs=1e-15)
        assert record.tie == pytest.approx([own.tie for own in expected.players], abs=1e-15)
        first = expected.players[0]
        assert record.deals == pytest.approx(first.wins + first.ties + first.losses)
    mean = np.average(table.equity, axis=0, weights=table.deals)
    assert mean == pytest.approx(result.equities, abs=1e-14)
    assert table[table.card[3]] == table[3]


def test_cards_that_cannot_come():
    """Cards of all live hands are missing; those that only some combos hold are not."""
    table = holdem.equity("AsKs", "QdQh,QdQs", board="Td9d2c").by_next_card
    assert not {"As", "Ks", "Qd", "Td"} & set(table.card.tolist())
    assert {"Qh", "Qs"} < set(table.card.tolist())
    # With either queen gone, one combo is left.
    assert table["Qh"].deals == table["2h"].deals / 2


# --- runouts -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("players", "board", "dead", "method"),
    [
        (("AKs", "QQ", "TT:0.25"), "Td9d2c", "Ah", "auto"),
        (("22+,A2s+", "KTs+,AsJh:0.125"), "Ts9c2s", "", "monte-carlo"),
    ],
)
def test_runouts_are_spots(players, board, dead, method):
    """Each runout has the exact result of the spot with both cards, in either order."""
    options = {"method": method, "deals": 1000, "seed": 1} if method == "monte-carlo" else {}
    result = holdem.equity(*players, board=board, dead=dead, **options)
    table = result.by_runout
    exact = holdem.equity(*players, board=board, dead=dead, method="exact")
    mean = np.average(table.equity, axis=0, weights=table.deals)
    assert mean == pytest.approx(exact.equities, abs=1e-14)
    first = exact.players[0]
    assert table.deals.sum() == pytest.approx(first.wins + first.ties + first.losses)
    known = {*holdem.parse_cards(board + dead)}
    for record in (*list(table)[:: len(table) // 8], table[-1]):
        turn, river = holdem.parse_cards(record.runout)
        assert turn > river
        assert not known & {turn, river}
        expected = holdem.equity(*players, board=f"{board}{river}{turn}", dead=dead)
        assert record.equity == pytest.approx(expected.equities, abs=1e-15)
        assert record.win == pytest.approx([own.win for own in expected.players], abs=1e-15)
        assert record.tie == pytest.approx([own.tie for own in expected.players], abs=1e-15)
        first = expected.players[0]
        assert record.deals == pytest.approx(first.wins + first.ties + first.losses)
        assert table[f"{river}{turn}"] is table[f"{turn}{river}"] is record
        for cell in ((turn, river), (river, turn)):
            assert table.matrix[cell].tolist() == list(record.equity)
    # All other cells of the matrix are empty.
    cells = np.isfinite(table.matrix)
    assert cells.sum() == 2 * table.equity.size
    assert not cells[list(map(int, known))].any()


def test_runouts_that_cannot_come():
    """Cards of all live hands, and two cards of one rank that a hand needs, are missing."""
    table = holdem.equity("AsKs", "QdQh,QdQs", board="Td9d2c").by_runout
    assert not any("As" in name or "Qd" in name for name in table.runout.tolist())
    assert "QsQh" not in table.runout.tolist()
    with pytest.raises(KeyError, match="no deal has the runout 'QsQh'"):
        table["QsQh"]


@pytest.mark.parametrize("board", ["", "Td9d2c4h"])
def test_runouts_need_a_flop(board):
    result = holdem.equity("AsKs", "QQ", board=board)
    with pytest.raises(holdem.SpotError, match=f"needs a board of 3 cards, not {len(board) // 2}"):
        _ = result.by_runout
    with pytest.raises(holdem.SpotError, match="needs a board of 3 cards"):
        result.to_dict(by=["runout"])


def test_runouts_end_with_the_time():
    """That of a sampled run, and of method exact; others have none."""
    players = ["22+,A2+"] * 3  # a task for each runout, and time for the first ones only
    sampled = holdem.equity(*players, board="Td9d2c", method="monte-carlo", time=1e-6, workers=1)
    with pytest.raises(holdem.BudgetError, match=r"runout.* take longer than the time"):
        _ = sampled.by_runout
    with pytest.warns(holdem.HoldemWarning, match="no effect"):
        exact = holdem.equity(*players[:2], board="Td9d2c", time=1e-6)
    assert len(exact.by_runout) == 1176


def test_runouts_are_exact_only():
    result = holdem.equity(*["random"] * 6, board="Td9d2c", deals=1000, seed=1)
    with pytest.raises(holdem.BudgetError, match=r"by runout, which are exact, .* narrow the"):
        _ = result.by_runout


@pytest.mark.parametrize("board", ["", "Td9d2c4h5s"])
def test_next_card_needs_a_flop_or_turn(board):
    result = holdem.equity("AsKs", "QQ", board=board)
    for call in (
        lambda: result.by_next_card,
        lambda: result.to_dict(by=["next-card"]),
        lambda: result.compute("next-card"),
    ):
        with pytest.raises(holdem.SpotError, match=f"board of 3 or 4 cards, not {len(board) // 2}"):
            call()


# --- samples -----------------------------------------------------------------------------------


def sample(*players, **options):
    return holdem.equity(*players, method="monte-carlo", **options)


def test_sampled_parts_add_up():
    """The same deals are drawn again, with any number of workers."""
    arguments = {"board": "Td9d2c", "deals": 40_000, "seed": 5}
    result, other = (sample("AsKs", "QQ+,AQ", workers=workers, **arguments) for workers in (1, 2))
    for player, same in zip(result.players, other.players, strict=True):
        for name in ("by_class", "by_category", "by_combo"):
            table = getattr(player, name)
            assert table == getattr(same, name)
            assert table.deals.sum() == 40_000
            assert np.nansum(table.win * table.deals) == pytest.approx(player.wins)
            assert np.nansum(table.equity * table.deals) / 40_000 == pytest.approx(player.equity)
    seen = result.players[1].by_category
    assert (seen.share_stderr > 0).all()
    assert seen["straight flush"].share_stderr < 0.001


def test_errors_of_categories_and_classes():
    """Deviations from the exact figures, in standard errors, have mean square 1."""
    players, board = ("AsKs,QJs", "QQ+,AQ,T9s"), "Td9d2c"
    exact = holdem.equity(*players, board=board).players[1]
    squares = []
    for seed in range(12):
        found = sample(*players, board=board, deals=30_000, seed=seed).players[1]
        categories, classes = found.by_category, found.by_class
        for table, reference, name, error in (
            (categories, exact.by_category, "share", "share_stderr"),
            (categories, exact.by_category, "equity", "stderr"),
            (classes, exact.by_class, "equity", "stderr"),
        ):
            often = reference.deals / reference.deals.sum() > 0.02
            often &= (reference.equity > 0.01) & (reference.equity < 0.99)
            deviation = getattr(table, name) - getattr(reference, name)
            squares += ((deviation / getattr(table, error))[often] ** 2).tolist()
    assert len(squares) > 100
    assert 0.75 < np.mean(squares) < 1.3


def test_errors_with_clusters():
    """Where deals share hole cards, errors have the right size, too."""
    tables = [
        sample("TT+,AQs+", "77+,A9s+,KQ", "AT+", "random", deals=65_536, seed=seed).players
        for seed in range(16)
    ]
    for player, column in product((0, 3), ("share", "equity")):
        error = "share_stderr" if column == "share" else "stderr"
        rows = [row[player].by_category for row in tables]
        found = np.array([getattr(row, column) for row in rows])[:, 1:7]
        errors = np.array([getattr(row, error) for row in rows])[:, 1:7]
        deviation = found - found.mean(axis=0)
        ratio = (deviation**2).sum(axis=0) / 15 * 16 / (errors**2).sum(axis=0)
        assert 0.6 < ratio.mean() < 1.6


def test_sampled_next_cards():
    """Each card has its own stream of the seed, which workers do not change."""
    players, arguments = ("AsKs", "QQ,87s"), {"board": "Td9d2c", "deals": 20_000, "seed": 5}
    table = sample(*players, **arguments).by_next_card
    assert table == sample(*players, workers=1, **arguments).by_next_card
    assert set(table.deals.tolist()) == {5000}
    assert not table.exact.any()
    assert len(set(table.equity[:, 0].tolist())) > 3
    exact = holdem.equity(*players, board="Td9d2c").by_next_card
    z = (table.equity - exact.equity)[:, 0] / table.stderr[:, 0]
    assert 0.6 < np.mean(z**2) < 1.5
    few = sample(*players, board="Td9d2c", deals=3, time=60, seed=5).by_next_card
    assert set(few.deals.tolist()) == {1}


def test_partial_results_have_next_cards():
    """Those that a run passes on before it ends, and that of an interrupted run."""
    query = make_query(
        *("AsKs", "QQ+"), board="Td9d2c", method="monte-carlo", deals=400_000, seed=1
    )
    seen = []

    def stop(result):
        seen.append(result)
        raise KeyboardInterrupt

    with pytest.raises(Interrupted) as interrupted:
        query.answer(on_partial=stop)
    for result in (*seen, interrupted.value.finished):
        assert len(result.by_next_card) == 47


def test_time_is_shared_by_the_next_cards():
    """All cards together are dealt about as many hands as the spot itself in that time."""
    spot = {"board": "Td9d2c", "workers": 1}
    assert len(sample("AsKs", "QQ,87s", deals=1, **spot).by_next_card) == 47  # loads kernels
    result = sample("AsKs", "QQ,87s", time=0.5, **spot)
    assert result.by_next_card.deals.sum() < 10 * result.deals  # 47 times, if each took 0.5 s


# --- results -----------------------------------------------------------------------------------


def test_only_requested_parts_are_in_the_record():
    result = holdem.equity("AsKs", "QQ+", board="Td9d2c")
    plain, full = result.to_dict(), result.to_dict(by=["class", "category", "combo", "next-card"])
    assert "by_next_card" not in plain
    parts = {"by_class", "by_category", "by_combo"}
    for player, own in zip(full["players"], result.players, strict=True):
        assert parts < set(player)
        assert not parts & set(plain["players"][0])
        assert player["by_class"] == own.by_class.to_dict()
        assert player["by_category"][1]["category"] == "pair"
    assert full["by_next_card"][0]["equity"] == list(result.by_next_card[0].equity)
    assert result.to_dict(by=("class",)).keys() == plain.keys()
    with pytest.raises(holdem.HoldemValueError, match="'suit'"):
        result.to_dict(by=["suit"])
    player = result.players[0]
    assert player.to_dict(by="class") == player.to_dict(by=["class"])
    with pytest.raises(holdem.HoldemValueError, match="'next-card'"):
        player.to_dict(by=["next-card"])


@pytest.mark.parametrize("top", [0.01, 0.1, 0.37, 1])
def test_nut_shares(top):
    """A range's share is what it has of the combos in the order of their equities, as long as the
    limit allows; of equal ones at the limit, the same part counts.
    """
    result = holdem.equity("QQ+,AKs:0.5,76s", "TT+:0.3,A5s", "98s,QJs:0.25", board="Td9d2c")
    combos = [
        (record.equity, record.weight, player)
        for player, own in enumerate(result.players)
        for record in own.by_combo
    ]
    left = top * sum(weight for _, weight, _ in combos)
    held = [0.0, 0.0, 0.0]
    for equity in sorted({equity for equity, _, _ in combos}, reverse=True):
        equal = [(weight, player) for own, weight, player in combos if own == equity]
        part = min(1, left / sum(weight for weight, _ in equal))
        for weight, player in equal:
            held[player] += part * weight
        left -= part * sum(weight for weight, _ in equal)
    whole = [sum(weight for _, weight, own in combos if own == player) for player in range(3)]
    shares = [own / all_own for own, all_own in zip(held, whole, strict=True)]
    assert result.nut_shares(top) == pytest.approx(shares)
    if top == 0.1:
        assert result.to_dict(by=["combo"])["nut_shares"] == result.nut_shares().tolist()
        assert "nut_shares" not in result.to_dict(by=["class"])


def test_a_share_does_not_grow_with_the_number_of_combos():
    """All of a narrow strong range is among the strongest, and a tenth of the wide one."""
    wide, narrow = holdem.equity("random", "AA", board="AsAd2c").nut_shares()
    assert narrow == 1
    assert wide == pytest.approx(0.1, abs=0.001)


def test_nut_shares_without_equities():
    sampled = holdem.equity("AA", "KK", "random", deals=50, seed=1, method="monte-carlo")
    assert ((shares := sampled.nut_shares()) >= 0).all()  # some combos were never dealt
    assert (shares <= 1).all()
    for top in (0, 1.5, float("nan")):
        with pytest.raises(holdem.HoldemValueError, match="above 0 and at most 1, not"):
            sampled.nut_shares(top)
    ranges = ("22+,A2+", "K2+", "Q2+")
    cut = holdem.equity(*ranges, board="Td9d2c", method="exact", time=1e-9, workers=1)
    with pytest.raises(holdem.HoldemValueError, match="no equities: the exact run was cut short"):
        cut.nut_shares()


@pytest.mark.parametrize("is_sampled", [False, True])
def test_tables_are_values(is_sampled):
    """Tables are computed once, equal their copies, and are not part of a result's pickle."""
    arguments = {"method": "monte-carlo", "deals": 3000, "seed": 1} if is_sampled else {}
    result = holdem.equity("AsKs", "QQ+", board="Td9d2c4h", **arguments)
    size = len(pickle.dumps(result))
    result.compute("class", "category", "next-card")
    assert len(pickle.dumps(result)) == size
    again = pickle.loads(pickle.dumps(result))
    for name, table, same in (
        ("class", result.players[1].by_class, again.players[1].by_class),
        ("category", result.players[1].by_category, again.players[1].by_category),
        ("next card", result.by_next_card, again.by_next_card),
    ):
        assert table == same == copy.deepcopy(table) == pickle.loads(pickle.dumps(table)), name
        assert hash(table) == hash(same)
        assert str(table)
        assert "<td" in table._repr_html_()
        assert len(table.to_frame()) == len(table)
        with pytest.raises(ValueError, match="read-only"):
            table.equity[0] = 1
    assert result.players[1].by_class is result.players[1].by_class


def test_a_run_that_was_cut_short_has_no_parts():
    result = holdem.equity("random", "random", board="Td9d2c", method="exact", evaluator="lookup")
    cut = holdem.equity(
        *("22+,A2+", "K2+", "Q2+"), board="Td9d2c", method="exact", time=0.0001, workers=1
    )
    assert result.exact
    assert not cut.exact
    for player in cut.players:
        assert isinstance(player, PlayerResult)
        assert len(player.by_class) == len(player.by_category) == len(player.by_combo) == 0
    assert len(cut.by_next_card) == len(cut.by_runout) == 0
    assert "no equities" in str(cut.by_runout)
    assert np.isnan(cut.by_runout.matrix).all()
    assert "no equities" in str(cut.by_next_card)


def test_results_of_a_study_have_the_same_parts(tmp_path):
    """A store keeps the equities only; their parts are computed again."""
    spot = {"players": ["AsKs", "QQ,87s"], "board": "Td9d2c", "seed": 3}
    sampled = {**spot, "method": "monte-carlo", "deals": 20_000}
    stored = holdem.run_study({"spot": [spot, sampled]}, store=tmp_path / "store")
    exact, found = (each.result for each in stored.spots)
    direct = holdem.equity("AsKs", "QQ,87s", board="Td9d2c")
    for player, own in zip(exact.players, direct.players, strict=True):
        assert player.by_category == own.by_category
        assert player.by_class == own.by_class
    assert exact.by_next_card == direct.by_next_card
    assert exact.by_runout == found.by_runout == direct.by_runout
    for player in found.players:
        assert np.nansum(player.by_category.win * player.by_category.deals) == player.wins
    assert len(found.by_next_card) == len(direct.by_next_card)
    assert not found.by_next_card.exact.any()
