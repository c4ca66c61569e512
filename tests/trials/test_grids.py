"""Grids of ranges and boards: the spots of each flop, sums over boards, and exports."""

import csv
import io
import json

import numpy as np
import pytest

import holdem
from holdem.cards import DECK, cards_text, parse_cards
from holdem.cli import run as command
from holdem.errors import Interrupted
from holdem.report.spots_report import study_columns
from holdem.trials.studies import study_file, study_run
from holdem.trials.studies.store import Store
from holdem.trials.studies.study_file import read_study
from naive import sizes_of_flop_orbits

# Aces to jacks only: 560 flops, and an answer before the flop takes no time.
LOW = " ".join(rank + suit for rank in "23456789T" for suit in "cdhs")
RANGE = "22+,A2s+,KTs+,QJs,ATo+,KQo"


def grid(**content):
    """Return a study with one grid."""
    return {"seed": 1, "grid": [content]}


def test_each_flop():
    """There are 1,755 flops up to suits, which stand for all 22,100, in descending order."""
    spots = read_study(grid(hero=["QQ+,AK"], villain=["random"], board="each flop")).spots
    assert (len(spots), sum(spot.weight for spot in spots)) == (1755, 22100)
    boards = [parse_cards(spot.board) for spot in spots]
    assert boards == sorted(boards, reverse=True)
    assert len({frozenset(board) for board in boards}) == 1755
    assert (spots[0].name, spots[0].weight) == ("QQ+,AK v random on AsAhAd", 4)
    # The weighted match-ups of all flops are those before the flop, times the flops of each.
    total = sum(spot.weight * spot.matchups for spot in spots)
    assert total == 34 * 1225 * 48 * 47 * 46 / 6


def test_each_flop_of_the_short_deck():
    """The short deck has 7,140 flops, 573 of them up to suits."""
    study = grid(hero=["AA,KQ"], villain=["random"], board="each flop", evaluator="short-deck")
    spots = read_study(study).spots
    assert (len(spots), sum(spot.weight for spot in spots)) == (573, 7140)


@pytest.mark.parametrize(
    ("hero", "villain"),
    [
        ("AA", "KK"),
        ("AsAh", "KK"),
        ("AsKs,AhKh", "QQ,AsKd:0.5"),
        ("AsKd:0.25", "AcKc,QQ"),
        ("AsKs", "AsQs,QQ"),
    ],
)
def test_flops_up_to_the_suits_that_matter(hero, villain):
    """Only suits that may be exchanged without changing a range make flops equal."""
    study = grid(hero=[hero], villain=[villain], board="each flop", dead=LOW)
    found = sorted(spot.weight for spot in read_study(study).spots)
    deck = [card for card in DECK if str(card)[0] in "JQKA"]
    assert found == sizes_of_flop_orbits(deck, holdem.Range(hero), holdem.Range(villain))


def test_order_and_names():
    """Spots come by villain, then by hero, then by board."""
    found = read_study(
        grid(hero=["AA", " 22+,  AK "], villain=["KK", "QQ"], board=["2c3c4c", "", "2h3h4h5h"])
    ).spots
    expected = [
        (hero, villain, board)
        for villain in ("KK", "QQ")
        for hero in ("AA", "22+, AK")
        for board in ("2c3c4c", "", "2h3h4h5h")
    ]
    assert expected == [(*spot.players, "".join(spot.board)) for spot in found]
    assert found[0].name == "AA v KK on 2c3c4c"
    assert found[4].name == "22+, AK v KK"
    assert found[4].cell == (0, "22+, AK", "KK")
    with_opponents = read_study(grid(hero=["AA"], opponents=[1, 2], board=["2c3c4c", "2h3h4h"]))
    assert [(len(spot.players), spot.name) for spot in with_opponents.spots] == [
        (2, "AA v 1 random on 2c3c4c"),
        (2, "AA v 1 random on 2h3h4h"),
        (3, "AA v 2 random on 2c3c4c"),
        (3, "AA v 2 random on 2h3h4h"),
    ]
    one = read_study(grid(hero=" 22+,  AK ", villain="KK")).spots
    assert [(spot.name, spot.players) for spot in one] == [("22+, AK v KK", ("22+, AK", "KK"))]
    one = read_study(grid(hero=["AA"], villain="each class", board=["2c", "3c", "4c"])).spots
    assert len(one) == 169
    assert {spot.board for spot in one} == {("2c", "3c", "4c")}


BAD = [
    ({"opponents": 1}, "[[grid]] 1: villain = ['KK']: a grid has opponents or villain, not both"),
    ({"villain": []}, "[[grid]] 1: villain = []: expected a range, a list of ranges, as in"),
    ({"villain": 5}, "[[grid]] 1: villain = 5: expected a range, a list of ranges, as in"),
    ({"villain": ["KK", 5]}, "villain = ['KK', 5]: expected"),
    ({"villain": ["KK", "KK"]}, "items 1 and 2 are the same: 'KK'"),
    ({"hero": "each clas"}, "hero = 'each clas': 'each"),
    ({"hero": "each clas"}, '"each class" stands for all starting hands'),
    ({"villan": ["KK"]}, "no key 'villan' (did you mean villain?)"),
    ({"board": "each turn"}, "board = 'each turn': board: 'eac' at position 1 of 'each turn' is n"),
    ({"board": "each turn"}, '; "each flop" stands for all flops'),
    ({"board": []}, 'board = []: expected cards as text, as in "Td9d2c", a list of boards, or "e'),
    ({"board": ["Td9d2c", 5]}, 'expected cards as text, as in "Td9d2c", a list of boards, or "e'),
    (
        {"board": ["Td9d2c", "Td9d2c2h3s4s"]},
        "board 2: a board has up to 5 cards, not 6: Td 9d 2c 2h 3s 4s",
    ),
    ({"board": ["Td9d2c", "Tx9d2c"]}, "board 2: 'Tx9' at position 1 of 'Tx9d2c' is not a card"),
    ({"board": ["Td9d2c", "2c9dTd"]}, "items 1 and 2 are the same"),
    ({"board": ["Td9d2c", "KsKh2c", "KsKhKdKc"]}, "1 AA v KK, board 3 (KsKhKdKc): player 2: 'KK'"),
    ({"board": ["2c3c4c", "5c6c7c"], "dead": "6c"}, "AA v KK, board 2 (5c6c7c): 6c appears twice"),
    (
        {"board": "each flop", "hero": "each class"},
        "[[grid]] 1: more than 100,000 spots: use fewer ranges or boards, or several studies",
    ),
]


@pytest.mark.parametrize(("changed", "told"), BAD, ids=[told[-40:] for _, told in BAD])
def test_bad_grids(changed, told):
    """Each mistake raises a `StudyError` with the table, the key and the item."""
    with pytest.raises(holdem.StudyError) as raised:
        read_study(grid(**{"hero": ["AA"], "villain": ["KK"], **changed}))
    assert told in str(raised.value)
    assert str(raised.value).startswith("study: [[grid]] 1")


def test_a_spot_has_one_board():
    """`each flop` is for grids."""
    with pytest.raises(holdem.StudyError, match="'each flop'"):
        read_study({"spot": [{"players": ["AA", "KK"], "board": "each flop"}]})


HEROES, VILLAINS = ["AA,KQs", "AsKs:0.5,QQ"], ["KK,AJs:0.25", "random"]


@pytest.fixture(scope="module")
def flops(tmp_path_factory):
    """Return the results of a study of all flops of a small deck."""
    study = grid(hero=HEROES, villain=VILLAINS, board="each flop", dead=LOW)
    return holdem.run_study(study, tmp_path_factory.mktemp("grids") / "store", workers=2)


def test_the_sum_over_flops_is_the_equity_before_the_flop(flops):
    """Wins, ties and equities, weighted by flops and deals, add up exactly."""
    assert [(pair.hero, pair.villain) for pair in flops.pairs] == [
        (hero, villain) for villain in VILLAINS for hero in HEROES
    ]
    for pair in flops.pairs:
        check_sum(pair, LOW)


def check_sum(pair, dead=None):
    """Compare the sums of a pair with the exact result before the flop."""
    whole = holdem.equity(pair.hero, pair.villain, dead=dead, method="exact").players[0]
    for name in ("wins", "ties", "losses"):
        # Each board has ten flops.
        found = sum(spot.weight * getattr(spot.result.players[0], name) for spot in pair.spots)
        assert found == pytest.approx(10 * getattr(whole, name), rel=1e-14)
    for name in ("equity", "win", "tie", "lose"):
        assert getattr(pair, name) == pytest.approx(getattr(whole, name), rel=1e-14)
    assert (pair.stderr, pair.boards, pair.finished) == (0.0, len(pair.spots), len(pair.spots))


@pytest.mark.slow
def test_the_sum_over_all_1755_flops(tmp_path):
    """Two ranges on every flop add up to their equity before the flop; it takes seconds."""
    study = grid(hero=[RANGE, "QQ+,AK:0.5"], villain=[RANGE], board="each flop")
    found = holdem.run_study(study, tmp_path / "store")
    assert sum(spot.weight for spot in found.spots) == 2 * 22100
    for pair in found.pairs:
        check_sum(pair)


def test_the_distribution(flops):
    """Probabilities sum to 1, and the distribution is that of single boards."""
    for pair in flops.pairs:
        assert pair.probabilities.sum() == pytest.approx(1)
        assert float(pair.probabilities @ pair.equities) == pytest.approx(pair.equity)
        order = np.argsort(pair.equities)
        assert pair.lowest.result.players[0].equity == pair.equities[order[0]] == pair.quantile(0)
        assert pair.highest.result.players[0].equity == pair.equities[order[-1]] == pair.quantile(1)
        for probability in (0.1, 0.5, 0.9):
            found = pair.quantile(probability)
            below = pair.probabilities[pair.equities < found].sum()
            up_to = pair.probabilities[pair.equities <= found].sum()
            assert below < probability <= up_to
    with pytest.raises(holdem.HoldemValueError, match="probability must be a number from 0 to 1"):
        pair.quantile(50)


def test_boards_of_random_opponents(tmp_path):
    """Sampled boards count by the hands that they leave to the hero, and errors add up."""
    study = {"method": "monte-carlo", "deals": 16_384}
    study |= grid(hero=["AA,72o"], opponents=2, board=["2c3c4c", "AsAhKd"])
    (pair,) = holdem.run_study(study, tmp_path / "store").pairs
    combos = [6 + 9, 1 + 12]  # a two, or two aces, are gone
    assert pair.probabilities.tolist() == pytest.approx([n / sum(combos) for n in combos])
    figures = [spot.result.players[0] for spot in pair.spots]
    mean = sum(p * f.equity for p, f in zip(pair.probabilities, figures, strict=True))
    error = sum((p * f.stderr) ** 2 for p, f in zip(pair.probabilities, figures, strict=True))
    assert (pair.equity, pair.stderr) == pytest.approx((mean, error**0.5))
    assert (pair.villain, pair.cell) == ("2 random", (0, "AA,72o", 2))
    assert pair.to_dict()["grid"] == 1
    assert repr(pair).startswith("<PairResult, 2 boards: 'AA,72o' v '2 random' 0.")
    assert repr(pair.highest).startswith("<SpotResult 'AA,72o v 2 random")
    assert len(repr(pair.highest)) < 250


def test_rows(flops):
    """Frames have a row a spot, a player or a pair; the rows of spots add up like the pairs."""
    frame = flops.to_frame()
    assert len(frame) == len(flops.spots)
    first = flops.spots[0]
    row = frame.iloc[0]
    assert (row.spot, row.p1, row.p2) == (first.name, "AA,KQs", "KK,AJs:0.25")
    assert (row.board, row.weight) == (cards_text(first.result.board), first.weight)
    assert (row.equity_1, row.wins_2) == (
        first.result.players[0].equity,
        first.result.players[1].wins,
    )
    deals = frame.weight * (frame.wins_1 + frame.ties_1 + frame.losses_1)
    sums = (deals * frame.equity_1).groupby([frame.p2, frame.p1]).sum()
    means = sums / deals.groupby([frame.p2, frame.p1]).sum()
    pairs = flops.to_frame(by="pair").set_index(["villain", "hero"])
    for key, mean in means.items():
        assert pairs.equity[key] == pytest.approx(mean)
    assert set(pairs.lowest_board) <= set(frame.board)
    players = flops.to_frame(by="player")
    assert len(players) == 2 * len(frame)
    assert players.weight.sum() == 2 * frame.weight.sum()
    with pytest.raises(holdem.HoldemValueError, match="rows are by spot, player or pair"):
        flops.to_frame(by="board")


def test_rows_of_spots_with_different_players(tmp_path):
    """Figures of players that a spot does not have are missing."""
    spots = [{"players": ["AA", "KK"]}, {"players": ["AA", "KK", "QQ"], "board": "2c3c4c5h"}]
    found = holdem.run_study({"spot": spots}, tmp_path / "store")
    (columns,) = study_columns(found, "spot")
    first, second = ({column.name: column.values[row] for column in columns} for row in (0, 1))
    assert (first["p3"], first["equity_3"], first["weight"]) == (None, None, 1)
    assert second["equity_3"] == found.spots[1].result.players[2].equity
    (columns,) = study_columns(found, "pair")
    assert {len(column.values) for column in columns} == {0}


def test_resumed_on_another_processor(tmp_path, monkeypatch):
    """A grid is the same study where the last bit of the weight of its match-ups differs."""
    study = grid(hero=["AA:0.123456789"], villain=["KK:0.987654321"], board="Td9d2c7h3s")
    expected = holdem.run_study(study, tmp_path / "store").to_dict()
    weigh = study_file._weigh_matchups
    monkeypatch.setattr(study_file, "_weigh_matchups", lambda spot: np.nextafter(weigh(spot), 9))
    assert expected == holdem.run_study(study, tmp_path / "store").to_dict()


def test_interrupted_and_resumed(tmp_path, monkeypatch):
    """A run that ends between two boards has the same results as an uninterrupted one."""
    study = grid(hero=HEROES, villain=VILLAINS[:1], board="each flop", dead=LOW)
    monkeypatch.setattr(study_run, "COMMIT_SECONDS", 0.0)
    whole = holdem.run_study(study, tmp_path / "whole", workers=1)
    put, left = Store.put, [7]

    def put_few(self, *arguments):
        left[0] -= 1
        if left[0] < 0:
            raise KeyboardInterrupt
        put(self, *arguments)

    for _ in range(2):
        left[0] = 7
        monkeypatch.setattr(Store, "put", put_few)
        with pytest.raises(Interrupted) as raised:
            holdem.run_study(study, tmp_path / "store", workers=2)
        monkeypatch.setattr(Store, "put", put)
        partial = raised.value.finished
        assert 0 < partial.finished < partial.total
        assert partial.pairs[0].boards == whole.pairs[0].boards
        assert "* not all boards are finished" in str(partial)
    assert holdem.run_study(study, tmp_path / "store", workers=2) == whole


def test_the_table(flops):
    """The table has sums and the distribution, and each board if there are few."""
    text = str(flops)
    assert max(map(len, text.splitlines())) <= 80
    for number, pair in enumerate(flops.pairs, 1):
        (row,) = (
            line.split("  ")
            for line in text.splitlines()
            if line.startswith(f"{number} ") and pair.hero in line
        )
        assert f"{100 * pair.equity:.4f} %" in [cell.strip() for cell in row]
    assert "weight" not in text


def test_results_of_boards_on_the_command_line(tmp_path, capsys, monkeypatch):
    """Tables, JSON and CSV of boards have their weights and equities."""
    monkeypatch.chdir(tmp_path)
    content = 'hero = ["AA"]\nvillain = ["KK", "QQ"]\nboard = ["2c3c4c", "7h8h9h"]\n'
    (tmp_path / "study.toml").write_text(
        f"[[grid]]\n{content}[[grid]]\nhero = ['AA']\nvillain = ['KK', '22+,AK,A2s+,KTs+']\n"
    )
    assert command(["run", "study.toml", "--store", "s"]) == 0
    capsys.readouterr()
    assert command(["results", "s"]) == 0
    out = capsys.readouterr().out
    assert "1     2c3c4c       1  " in out
    assert "equity in % by villain (exact)\nhand     KK  22+,AK,A2s+,KTs+\n" in out
    assert command(["results", "s", "-f", "json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert [(pair["hero"], pair["villain"]) for pair in record["pairs"]] == [
        ("AA", "KK"),
        ("AA", "QQ"),
    ]
    assert [spot["weight"] for spot in record["spots"]] == [1] * 6
    for by, count in (("spot", 6), ("player", 12), ("pair", 2)):
        assert command(["results", "s", "-f", "csv", "--by", by]) == 0
        rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
        assert len(rows) == count
    assert float(rows[0]["equity"]) == record["pairs"][0]["equity"]
    assert rows[0]["highest_board"] == record["pairs"][0]["highest"]["board"]
    assert command(["results", "s", "--by", "pair"]) == 2
    assert "--by is for -f csv" in capsys.readouterr().err
