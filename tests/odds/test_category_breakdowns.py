"""Results by category at showdown, compared with eval7 and with each other."""

from __future__ import annotations

import numpy as np
import pytest

import holdem
from holdem.jobs.workers import Workers
from holdem.odds.exact.known_hands import KnownHands
from holdem.odds.exact.ranked_boards import RankedBoards
from holdem.odds.exact.several_ranges import SeveralRanges
from holdem.odds.exact.two_ranges import TwoRanges
from holdem.odds.spot import make_spot
from holdem.rules import CATEGORIES
from naive import count_by_category, range_of

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


@pytest.mark.equity
@pytest.mark.parametrize("name", SPOTS)
def test_categories_are_those_of_eval7(name):
    """The deals, wins, ties and shares of each category are those of an enumeration."""
    players, board, dead = SPOTS[name]
    result = holdem.equity(*players, board=board, dead=dead)
    assert result.exact
    tables = count_by_category(
        [range_of(player) for player in players],
        holdem.parse_cards(board),
        holdem.parse_cards(dead),
    )
    for player, expected in zip(result.players, tables, strict=True):
        table = player.by_category
        assert table.category.tolist() == list(CATEGORIES)
        for record in table:
            wins, ties, losses, share = expected.get(record.category, [0] * 4)
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
    methods = [RankedBoards(spot, by_category=True)]
    if not board:
        methods.append(KnownHands(spot, by_category=True))
    if len(players) == 2:
        methods.append(TwoRanges(spot, by_category=True))
    if len(players) == 3:
        for by_pairs in (False, True):
            method = SeveralRanges(spot, by_category=True)
            method.by_pairs = by_pairs
            methods.append(method)
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
    for cards, _ in range_of("QQ"):
        for river in set(range(52)) - {*board, *cards}:
            category = ranking.categories(ranking.strengths([[*board[:4], river, *cards]]))
            seen[category[0]] += 1
    assert found.deals.tolist() == list(seen.values())
