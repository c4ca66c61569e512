"""Results by class, category and next card, compared with eval7, enumeration and each other."""

from __future__ import annotations

import copy
import pickle
from collections import defaultdict
from fractions import Fraction
from itertools import combinations, product

import eval7
import numpy as np
import pytest

import holdem
from holdem.jobs.workers import Workers
from holdem.odds.exact.categories.matchup_categories import KnownCategories, RankedCategories
from holdem.odds.exact.three_ranges.method import ThreeRanges
from holdem.odds.exact.two_ranges.method import TwoRanges
from holdem.odds.result import PlayerResult
from holdem.odds.spot import make_spot
from holdem.ranges.combos import COMBO_TEXT
from holdem.values import CATEGORIES

EVAL7_NAMES = {name: name.title() for name in CATEGORIES}
EVAL7_NAMES |= {"three of a kind": "Trips", "four of a kind": "Quads"}
DECK = [eval7.Card(rank + suit) for rank in "23456789TJQKA" for suit in "cdhs"]


def ranges_of(players):
    """Return each player's combos as (ids, exact weight)."""
    ranges = [holdem.Range(player) for player in players]
    return [
        [
            ([int(card) for card in holdem.parse_cards(COMBO_TEXT[number])], weight)
            for number in own.held.tolist()
            for weight in [Fraction(str(own.weights[number]))]
        ]
        for own in ranges
    ]


def by_category(players, board="", dead=""):
    """Return [wins, ties, losses, shares] of each player and category, counted with eval7."""
    board = [int(card) for card in holdem.parse_cards(board)]
    dead = [int(card) for card in holdem.parse_cards(dead)]
    totals = [defaultdict(lambda: [Fraction(0)] * 4) for _ in players]
    values = {}

    def value_of(cards):
        key = tuple(sorted(cards))
        if key not in values:
            values[key] = eval7.evaluate([DECK[card] for card in key])
        return values[key]

    for deal in product(*ranges_of(players)):
        held = [card for cards, _ in deal for card in cards]
        used = {*held, *board, *dead}
        if len(used) < len(held) + len(board) + len(dead):
            continue
        weight = np.prod([Fraction(1), *(own for _, own in deal)])
        rest = [card for card in range(52) if card not in used]
        for runout in combinations(rest, 5 - len(board)):
            found = [value_of((*board, *runout, *cards)) for cards, _ in deal]
            winners = found.count(max(found))
            for player, value in enumerate(found):
                total = totals[player][eval7.handtype(value)]
                won = value == max(found)
                total[2 if not won else winners > 1] += weight
                total[3] += weight / winners if won else 0
    return totals


SPOTS = {
    "flop": (("AsKs", "QQ,JTs"), "Td9d2c", ""),
    "weights": (("AK:0.5,QQ", "TT:0.25,J8s,JJ"), "Td9d8c3h", "Qd"),
    "weights with many digits": (("AK:0.123456789,QQ", "TT,J8s:0.3"), "Td9d8c3h", ""),
    "same ranges": (("TT+", "TT+"), "Td9d8d3h", ""),
    "river": (("TT+,87s", "99+,JT"), "Td9d8d3h2s", ""),
    "three": (("AsKs", "QQ", "JTs:0.5"), "Td9d2c4h", ""),
    "three ranges": (("AK,QJs", "QQ,JJ", "TT+:0.5,98s"), "Td9d2c4h5s", ""),
    "three weights with many digits": (("AKs:0.1234567", "QQ:0.7654321", "TT"), "Td9d2c4h", ""),
    "four": (("AsKs", "QdQh", "JcTc", "7d6d"), "Td9d2c", "2d 3s"),
    "five ranges": (("AKs", "QQ:0.5", "JTs", "76s", "99"), "Td9d2c4h", ""),
}


@pytest.mark.parametrize("name", SPOTS)
def test_categories_are_those_of_eval7(name):
    """The deals, wins, ties and shares of each category are those of an enumeration."""
    players, board, dead = SPOTS[name]
    result = holdem.equity(*players, board=board, dead=dead)
    assert result.exact
    for player, expected in zip(result.players, by_category(players, board, dead), strict=True):
        table = player.by_category
        assert table.category.tolist() == list(CATEGORIES)
        for record in table:
            wins, ties, losses, share = expected[EVAL7_NAMES[record.category]]
            deals = wins + ties + losses
            assert record.deals == pytest.approx(float(deals), rel=1e-12)
            if not deals:
                assert record.equity is record.win is record.tie is record.lose is None
                continue
            figures = (record.equity, record.win, record.tie, record.lose)
            exact = [float(count / deals) for count in (share, wins, ties, losses)]
            assert figures == pytest.approx(exact, rel=1e-12, abs=1e-12)
            assert (record.stderr, record.share_stderr) == (0, 0)


def sums(method):
    method.prepare()
    for task in method.tasks():
        method.add(task.call(Workers(1)))
    return np.array(method.category_sums())


@pytest.mark.parametrize(
    ("players", "board", "dead"),
    [
        (("AsKs", "QdQh"), "", "23456789cdhs"),
        (("AKs:0.5,TT", "QQ,JTs"), "", "23456cdhs"),
        (("22+,A2s+", "KQ,76s"), "Td9d2c", ""),
        (("AK", "QQ:0.5", "TT+,J9s"), "Td9d2c", ""),
        (("AKs", "QQ", "TT+,JTs:0.5"), "", "23456789cdhs"),
        (("AKs", "QQ", "TT", "JTs:0.5"), "", "23456789cdhs"),
    ],
)
def test_all_methods_agree(players, board, dead):
    """Every method that keeps its sums by category finds the same ones."""
    # Many dead cards leave few boards before the flop.
    ranks, suits = dead[:-4], dead[-4:]
    spot = make_spot(players, board, "".join(r + s for r in ranks for s in suits))
    methods = [RankedCategories(spot)]
    if not board:
        methods.append(KnownCategories(spot))
    if len(players) == 2:
        methods.append(TwoRanges(spot, by_category=True))
    if len(players) == 3:
        methods += [ThreeRanges(spot, pairs, by_category=True) for pairs in (False, True)]
    expected, *others = map(sums, methods)
    assert expected.sum() > 0
    for found in others:
        np.testing.assert_allclose(found, expected, rtol=1e-11)


@pytest.mark.parametrize("evaluator", ["lookup", "reference"])
def test_parts_add_up_exactly(evaluator):
    """Counts by class, category and combo add up to those of the player, as integers."""
    spots = [
        (("TT+,AQs", "QQ,T9s"), "Td9d2c4h"),
        (("TT+", "AQ,87s", "KQs"), "Td9d2c4h8s"),
        (("TT", "AQs", "KQs", "87s"), "Td9d2c4h8s"),
    ]
    if evaluator == "lookup":
        spots += [(("AsKs", "QQ"), ""), (("QQ+", "random"), "Td9d2c")]
    for players, board in spots:
        result = holdem.equity(*players, board=board, evaluator=evaluator)
        for player in result.players:
            for table in (player.by_class, player.by_category, player.by_combo):
                for name, total in (
                    ("win", player.wins),
                    ("tie", player.ties),
                    ("lose", player.losses),
                ):
                    counts = np.nan_to_num(getattr(table, name)) * table.deals
                    assert counts.round(6).tolist() == counts.round().tolist()
                    assert int(counts.round().sum()) == total
                assert table.deals.sum() == result.deals
            for table in (player.by_class, player.by_category):
                mean = np.nansum(table.share * table.equity)
                assert mean == pytest.approx(player.equity, rel=1e-13)


@pytest.mark.slow
def test_frequencies_before_the_flop():
    """A random hand has the categories of all 133,784,560 hands of seven cards."""
    counts = (23_294_460, 58_627_800, 31_433_400, 6_461_620, 6_180_020)
    counts += (4_047_644, 3_473_184, 224_848, 41_584)
    for player in holdem.equity("random", "random").players:
        assert player.by_category.share.tolist() == pytest.approx(
            [count / 133_784_560 for count in counts], rel=1e-12
        )


def test_other_rules():
    """Categories are those of the rule set, in its order; their shares are those of its hands."""
    short = holdem.equity("AhKh", "QQ", board="Th9h6c", evaluator="short-deck")
    table = short.players[0].by_category
    assert table.category.tolist().index("flush") > table.category.tolist().index("full house")
    # 36 cards less 7: four hearts of seven are left (Qh is in one of two hands of QQ).
    deals = {"flush": 0, "other": 0}
    for combo in ("QsQd", "QsQc", "QdQc", "QsQh", "QdQh", "QcQh"):
        left = 5 - 1 - ("Qh" in combo) + 1  # 6h..Qh, less Th and 9h
        rest = 36 - 7
        deals["flush"] += rest * (rest - 1) // 2 - (rest - left) * (rest - left - 1) // 2
        deals["other"] += (rest - left) * (rest - left - 1) // 2
    flushes = table["flush"].deals + table["straight flush"].deals
    assert flushes == deals["flush"]
    assert table.deals.sum() == sum(deals.values()) == short.deals


@pytest.mark.parametrize("rules", ["standard", "deuces-wild"])
def test_another_evaluator(rules):
    """With any evaluator, categories are those that it gives each hand."""
    evaluator = {"standard": "reference", "deuces-wild": "deuces-wild"}[rules]
    result = holdem.equity("AsKs", "QQ", board="Td2d9c4h", evaluator=evaluator)
    ranking = holdem.get_evaluator(evaluator)
    found = result.players[1].by_category
    assert found.category.tolist() == list(ranking.rules.categories)
    seen = dict.fromkeys(found.category.tolist(), 0)
    board = [int(card) for card in holdem.parse_cards("Td2d9c4hAsKs")]
    for cards, _ in ranges_of(["QQ"])[0]:
        for river in set(range(52)) - {*board, *cards}:
            category = ranking.categories(ranking.strengths([[*board[:4], river, *cards]]))
            seen[category[0]] += 1
    assert found.deals.tolist() == list(seen.values())


# --- classes -----------------------------------------------------------------------------------


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


@pytest.mark.parametrize(
    ("players", "board", "dead"),
    [
        (("AsKs", "QQ,JTs:0.5"), "Td9d2c", ""),
        (("AKs", "QQ", "TT:0.25"), "Td9d2c4h", "Ah"),
        (("AsKs", "QdQh", "7c7d", "6h5h"), "Td9c2s", ""),
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
    with pytest.raises(holdem.HoldemValueError, match="no report by 'suit'; there are: class"):
        result.to_dict(by=["suit"])
    player = result.players[0]
    assert player.to_dict(by="class") == player.to_dict(by=["class"])
    with pytest.raises(holdem.HoldemValueError, match="no report by 'next-card'; there are: class"):
        player.to_dict(by=["next-card"])


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
    assert len(cut.by_next_card) == 0


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
    for player in found.players:
        assert np.nansum(player.by_category.win * player.by_category.deals) == player.wins
    assert len(found.by_next_card) == len(direct.by_next_card)
    assert not found.by_next_card.exact.any()
