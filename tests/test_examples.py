"""The example scripts run in a process, and their output is correct."""

import json
import re
import subprocess
import sys
from math import comb
from pathlib import Path

import pytest

import holdem

EXAMPLES = Path(__file__).parents[1] / "scripts" / "examples"


def run(script, *arguments, directory):
    """Run a script in a directory and return the lines of its output."""
    answer = subprocess.run(
        [sys.executable, "-W", "error", EXAMPLES / script, *arguments],
        cwd=directory,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=300,
        check=False,
    )
    assert (answer.returncode, answer.stderr) == (0, "")
    return answer.stdout.splitlines()


def test_every_example_is_run_here():
    """Every script has a test below."""
    tested = {
        *("best_starting_hand.py", "compare_evaluators.py", "equities_of_spots.py"),
        *("flush_by_the_river.py", "home_game.py", "own_evaluator.py"),
    }
    assert tested == {path.name for path in EXAMPLES.glob("*.py")}


def test_best_starting_hand(tmp_path):
    """The lines for 2 to 10 players have the figures of `aggregate`; wins decrease."""
    title, _, _, *lines = run("best_starting_hand.py", "20000", directory=tmp_path)
    assert title == "20,000 hands each, seed 7"
    rows = [[float(figure.rstrip("%")) for figure in line.split()] for line in lines]
    assert list(range(2, 11)) == [row[0] for row in rows]
    wins = [row[1] for row in rows]
    assert wins == sorted(wins, reverse=True)
    assert wins[0] > 50 > wins[-1]
    for players, win, tie, lose, fair in rows:
        best = holdem.aggregate(int(players), 20_000, seed=7).best_starting_hand
        assert [f"{100 * part:.1f}" for part in (best.win, best.tie, best.lose)] == [
            f"{part:.1f}" for part in (win, tie, lose)
        ]
        assert fair == round(100 / players, 1)


def test_compare_evaluators(tmp_path):
    """The evaluators agree, and the equities and winners are those of the default one."""
    lines = run("compare_evaluators.py", "2000", directory=tmp_path)
    names = ["lookup", "bitwise", "suit-mask", "cactus-kev", "dead-horse"]
    (hand,) = holdem.simulate(players=3, hands=1, seed=7)
    strengths = {
        name: [
            str(holdem.evaluate((*seat.hole, *hand.board), evaluator=name).strength)
            for seat in hand.seats
        ]
        for name in names
    }
    assert [[name, *strengths[name]] for name in names] == [line.split() for line in lines[3:8]]
    dealt = holdem.head_to_head("AsKs", "QdQh", "9c8c", deals=2000, seed=7)
    equities = ", ".join(f"{player.range} {player.equity:.2%}" for player in dealt.players)
    assert f"2,000 deals by lookup: {equities}" == lines[10]
    assert [[name, "agrees"] for name in names[1:]] == [line.split() for line in lines[11:15]]
    speeds = [line.split() for line in lines[17:]]
    assert names == [row[0] for row in speeds]
    assert all(float(rate) > 0 for row in speeds for rate in row[1:])


def test_equities_of_spots(tmp_path):
    """Each table has the figures of single calls of `equity`."""
    lines = run("equities_of_spots.py", "20000", directory=tmp_path)
    boards = ["", "Td9d2c", "Td9d2c7h", "Td9d2c7h3s"]
    for board, line in zip(boards, lines[3:7], strict=True):
        spot = holdem.equity("AsKs", "QdQh", board=board or None)
        shown = [f"{player.equity:.3%}" for player in spot.players]
        assert [board or "-", *shown, f"{spot.deals:,}"] == line.split()
    player = holdem.equity("QQ+:0.5,AKs", "TT+,AQ+", board="Td9d2c").players[0]
    combos = [
        (record.combo, str(record.weight), f"{record.equity:.3%}") for record in player.by_combo
    ]
    rows = [tuple(line.split()) for line in lines[11 : 11 + len(combos)]]
    assert sorted(combos) == sorted(rows)
    equities = [float(row[2].rstrip("%")) for row in rows]
    assert sorted(equities, reverse=True) == equities
    four = lines[15 + len(combos) :]
    assert ["AsKs", "JJ+", "T9s", "random", "all"] == [line.split()[0] for line in four]
    assert four[-1].split() == ["all", "100.00%"]
    sampled = holdem.equity(
        "AsKs", "JJ+", "T9s", "random", method="monte-carlo", deals=20_000, seed=7
    )
    assert [f"{player.equity:.2%}" for player in sampled.players] == [
        line.split()[1] for line in four[:-1]
    ]


def test_own_evaluator(tmp_path):
    """It passes all checks, and its answers are those of the default evaluator."""
    lines = run("own_evaluator.py", directory=tmp_path)
    results = [line.split() for line in lines[3 : lines.index("", 3)]]
    assert len(results) > 10
    assert all(words[-2] == "ok" for words in results)
    value = holdem.evaluate("7s 7h 7d As Ac 2c 9d")
    assert f"7s 7h 7d As Ac 2c 9d: {value.name}, class {value.rank_class}" in lines[-3]
    player = holdem.equity("AsKs", "QdQh", board="Td9d2c").players[0]
    for line in lines[-2:]:
        assert line.endswith(f": {player.wins} wins, {player.losses} losses")


def test_flush_by_the_river(tmp_path):
    """The exact figure is that of all boards; the sampled one is within five standard errors.

    A larger deviation has a probability below 6e-7.
    """
    exact, dealt, apart = run("flush_by_the_river.py", "4000", directory=tmp_path)
    by_suit = [(k, comb(11, k) * comb(39, 5 - k)) for k in range(6)]
    assert comb(50, 5) == sum(boards for _, boards in by_suit)
    flushes = sum(boards for k, boards in by_suit if k >= 3) + 3 * comb(13, 5)
    assert f"exact     {flushes / comb(50, 5):.4%}" == exact
    found = float(re.match(r"dealt     ([\d.]+)%   4,000 boards, seed 7$", dealt)[1]) / 100
    assert found * 4000 == pytest.approx(round(found * 4000), abs=0.01)
    assert 0 < float(re.match(r"apart by  ([\d.]+) standard errors", apart)[1]) < 5


def test_home_game(tmp_path):
    """The file has the hands that were dealt, and the balances add up to zero."""
    lines = run("home_game.py", "60", "game.jsonl", directory=tmp_path)
    written = (tmp_path / "game.jsonl").read_text(encoding="utf-8")
    records = [json.loads(line) for line in written.splitlines()]
    expected = [hand.to_dict() for hand in holdem.simulate(4, 60, seed=2024)]
    assert expected == records
    balances = [0.0] * 4
    for record in records:
        for seat in range(4):
            share = 4 / len(record["winners"]) if seat in record["winners"] else 0
            balances[seat] += share - 1
    shown = [float(re.search(r"[+-][\d.]+", line)[0]) for line in lines if line.endswith("chips")]
    assert balances == pytest.approx(shown, abs=0.005)
    assert sum(balances) == pytest.approx(0, abs=1e-9)
    counts = dict(
        re.match(r"(\S.*?) +(\d+)$", line).groups()
        for line in lines[lines.index("Winning hands:") + 1 :]
    )
    assert sum(map(int, counts.values())) == 60
    best = [record["seats"][record["winners"][0]]["category"] for record in records]
    assert {name: str(best.count(name)) for name in best} == counts
