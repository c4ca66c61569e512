"""The example scripts run, print correct figures and draw them."""

import builtins
import json
import re
import runpy
import sys
from math import comb
from pathlib import Path

import numpy as np
import pytest

import holdem
from naive import count_deals, range_of
from street_tables import some_rows

plt = pytest.importorskip("matplotlib.pyplot")

EXAMPLES = Path(__file__).parents[1] / "scripts" / "examples"


@pytest.fixture
def run(tmp_path, monkeypatch, capsys, own_registrations):
    """Return a function that runs a script in an empty directory and returns its lines."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(plt, "show", lambda: None)
    plt.switch_backend("agg")

    def run_script(script, *arguments):
        printed = []  # before matplotlib is imported
        monkeypatch.setattr(sys, "argv", [script, *arguments])
        with monkeypatch.context() as patch:
            patch.setattr(
                "builtins.__import__", _noting(lambda: printed.append(capsys.readouterr().out))
            )
            runpy.run_path(str(EXAMPLES / script), run_name="__main__")
        rest = capsys.readouterr().out
        assert not (printed and rest), "it prints after it has imported matplotlib"
        return "".join([*printed, rest]).splitlines()

    yield run_script
    for number in plt.get_fignums():
        figure = plt.figure(number)
        figure.draw_without_rendering()
        assert any(ax.has_data() for ax in figure.axes)
        assert any(ax.get_ylabel() or ax.get_xlabel() for ax in figure.axes)
    plt.close("all")


def _noting(note):
    """Return `__import__` that first calls a function if a script imports matplotlib."""
    actual = builtins.__import__

    def find(name, *arguments, **options):
        if name.startswith("matplotlib") and arguments and arguments[0]["__name__"] == "__main__":
            note()
        return actual(name, *arguments, **options)

    return find


def test_every_example_is_run_here():
    """Every script has a test below."""
    tests = Path(__file__).read_text(encoding="utf-8")
    assert set(re.findall(r'run\("(\w+\.py)"', tests)) == {
        path.name for path in EXAMPLES.glob("*.py")
    }


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.py")), ids=lambda path: path.stem)
def test_title(path):
    """The first line of the docstring is underlined: it is the title of a page of the gallery."""
    title, line = path.read_text(encoding="utf-8").removeprefix('"""').splitlines()[:2]
    assert title.endswith("?")
    assert len(line) >= len(title)
    assert set(line) == {"="}


FIRST = ("1_simulate.py", "2_equity.py", "3_evaluator.py")


def test_first_examples():
    """The first three are short, are first in the folder, and import nothing but the package."""
    assert sorted(path.name for path in EXAMPLES.glob("*.py"))[:3] == list(FIRST)
    for script in FIRST:
        assert len(_source(script).splitlines()) < 25
        assert re.findall(r"^\s*(?:import|from) (\w+)", _source(script), re.M) == ["holdem"]


def test_simulate(run):
    """The figures are those of flops with one card of a pocket pair, and no pair beside it."""
    first, second, third = run("1_simulate.py")
    h = holdem.deal(players=6, hands=200_000, seed=1)
    flop, hole = h.board[:, :3] // 4, h.hole // 4
    others = (flop[:, [1, 0, 0]] != flop[:, [2, 2, 1]])[:, None, :]  # beside each card
    hits = (flop[:, None, :] == hole[:, :, :1]) & others
    sets = (hole[:, :, 0] == hole[:, :, 1]) & (hits.sum(axis=2) == 1)
    share = (h.winners / h.winners.sum(axis=1, keepdims=True))[sets].mean()
    assert first.startswith(f"{sets.any(axis=1).mean():.2%} of all flops")
    assert f"wins {share:.1%} of the pots" in second
    mean, error = (float(figure) for figure in re.findall(r"([\d.]+)%", third))
    assert mean == pytest.approx(100 * sets.any(axis=1).mean(), abs=5 * error)
    assert error <= 0.04


def test_equity(run):
    """The exact figures are those of all deals, ranked by eval7."""
    _, *boards, _, first, second, third, last = run("2_equity.py")
    ranges = [range_of("AsKs"), range_of("QQ+")]

    def equity(board):
        (own, _), deals = count_deals(ranges, holdem.parse_cards(board))
        return own[3] / deals, deals

    for board, line in zip(("Td9d2c", "Td9d2c7s"), boards, strict=True):
        found, deals = equity(board)
        assert line == f"{board:15} {float(found):.2%}, {deals:,} deals"
    cards = {}
    for card in set(range(52)) - set(holdem.parse_cards("AsKsTd9d2c")):
        cards[card] = equity(f"Td9d2c{holdem.Card(card)}")[0]
    best = sorted(cards.values(), reverse=True)[:3]
    for line, found in zip((first, second, third), best, strict=True):
        card, shown = line.split()
        assert cards[holdem.Card(card)] == found
        assert shown == f"{float(found):.2%}"
    assert re.fullmatch(r"with four others at the table: 2[12]\.\d% to 2[12]\.\d%", last)


def test_evaluator(run):
    """The evaluator is accepted, and its answers are the known ones."""
    name, *table = run("3_evaluator.py")
    assert name == "Full House, Sevens full of Aces"
    assert "787,966" in table[1]
    assert "evaluator mine" in table[-1]


def test_best_starting_hand(run):
    """The lines for 2 to 10 players have the figures of `aggregate`; wins decrease."""
    title, _, _, *lines = run("best_starting_hand.py", "20000")
    assert title == "20,000 hands each, seed 7"
    rows = [[float(figure.rstrip("%")) for figure in line.split()] for line in lines]
    assert list(range(2, 11)) == [row[0] for row in rows]
    wins = [row[1] for row in rows]
    assert wins == sorted(wins, reverse=True)
    assert wins[0] > 50 > wins[-1]
    for players, win, tie, lose, fair in rows:
        best = holdem.aggregate(players=int(players), hands=20_000, seed=7).best_starting_hand
        assert [f"{100 * part:.1f}" for part in (best.win, best.tie, best.lose)] == [
            f"{part:.1f}" for part in (win, tie, lose)
        ]
        assert fair == round(100 / players, 1)


def test_compare_evaluators(run):
    """The evaluators agree, and the equities and winners are those of the default one."""
    lines = run("compare_evaluators.py", "2000")
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


def test_equities_of_spots(run):
    """Each table has the figures of single calls of `equity`."""
    lines = run("equities_of_spots.py", "20000")
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


def test_own_evaluator(run):
    """It passes all checks, and its answers are those of the default evaluator."""
    lines = run("own_evaluator.py")
    results = [line.split() for line in lines[3 : lines.index("", 3)]]
    assert len(results) > 10
    assert all(words[-2] == "ok" for words in results)
    value = holdem.evaluate("7s 7h 7d As Ac 2c 9d")
    assert f"7s 7h 7d As Ac 2c 9d: {value.name}, class {value.rank_class}" in lines[-3]
    player = holdem.equity("AsKs", "QdQh", board="Td9d2c").players[0]
    for line in lines[-2:]:
        assert line.endswith(f": {player.wins} wins, {player.losses} losses")


def test_flush_by_the_river(run):
    """The exact figure is that of all boards; the sampled one is within five standard errors.

    A larger deviation has a probability below 6e-7.
    """
    exact, dealt, apart = run("flush_by_the_river.py", "4000")
    by_suit = [(k, comb(11, k) * comb(39, 5 - k)) for k in range(6)]
    assert comb(50, 5) == sum(boards for _, boards in by_suit)
    flushes = sum(boards for k, boards in by_suit if k >= 3) + 3 * comb(13, 5)
    assert f"exact     {flushes / comb(50, 5):.4%}" == exact
    found = float(re.match(r"dealt     ([\d.]+)%   4,000 boards, seed 7$", dealt)[1]) / 100
    assert found * 4000 == pytest.approx(round(found * 4000), abs=0.01)
    assert 0 < float(re.match(r"apart by  ([\d.]+) standard errors", apart)[1]) < 5


def test_home_game(run, tmp_path):
    """The file has the hands that were dealt, and the balances add up to zero."""
    lines = run("home_game.py", "60", "game.jsonl")
    written = (tmp_path / "game.jsonl").read_text(encoding="utf-8")
    records = [json.loads(line) for line in written.splitlines()]
    expected = [hand.to_dict() for hand in holdem.simulate(players=4, hands=60, seed=2024)]
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


def test_kicker(run):
    """The grid adds up to 100 % with its transpose, and the printed figures are those of it."""
    lines = run("kicker.py")
    grid = holdem.equity_matrix("A2o+", "A2o+", by="class").equity
    assert np.allclose(grid + grid.T, 1)
    assert lines == [
        f"A{kicker}o: {row.min():.1%} to {row.max():.1%}"
        for kicker, row in zip("KQJT98765432", grid, strict=True)
    ]


def _image():
    """Return the grid that the current figure shows."""
    (image,) = plt.gcf().axes[0].images
    return np.asarray(image.get_array())


def test_worth_of_a_suit(run):
    """The gain of each of the 78 pairs of ranks is the difference of two exact equities."""
    lines = run("worth_of_a_suit.py")
    gain = _image()
    assert np.isfinite(gain).sum() == 78
    suited, offsuit = (holdem.equity(name, "random").equities[0] for name in ("K9s", "K9o"))
    assert gain[1, 5] == pytest.approx(100 * (suited - offsuit))
    assert lines[0].startswith("most: 32,")


def test_flush_draw_and_opponents(run):
    """Equities fall, stay above the fair share, and begin at the exact one."""
    lines = run("flush_draw_and_opponents.py", "20000")
    draws = [float(re.search(r"draw ([\d.]+) %", line)[1]) for line in lines]
    assert draws == sorted(draws, reverse=True)
    assert all(draw > 100 / players for players, draw in enumerate(draws, 2))
    exact = holdem.equity("Ah5h", "random", board="Kh8h3c").equities[0]
    assert draws[0] == pytest.approx(100 * exact, abs=5 * 100 * 0.5 / 20_000**0.5)


def test_convergence(run):
    """The band has the exact equity inside, nearly always, and the estimate ends near it."""
    first, second = run("convergence.py", "20000")
    exact, estimate = (float(figure) for figure in re.findall(r"([\d.]+)%", first))
    assert exact == pytest.approx(100 * holdem.equity("AsKs", "QdQh").equities[0], abs=1e-4)
    assert estimate == pytest.approx(exact, abs=5 * 100 * 0.5 / 20_000**0.5)
    assert int(second.partition("%")[0]) >= 80


def test_two_ranges_on_a_flop(run):
    """The shares of strong combos are those of the curves at 80 %."""
    lines = run("two_ranges_on_a_flop.py")
    for line, curve in zip(lines, plt.gca().lines, strict=True):
        share, equity = curve.get_data()
        shown = float(re.search(r", (\d+)%", line)[1])
        assert share[equity > 80].max() == pytest.approx(shown, abs=0.51)


def test_aces_cracked(run):
    """The extremes are those of all hands drawn."""
    assert run("aces_cracked.py") == [
        "suited: 65s 22.5 %, AKs 12.1 %",
        "offsuit: 65o 18.7 %, AKo 6.8 %",
        "pairs: 66 19.5 %, 22 17.8 %",
    ]


def test_which_flops(run):
    """The flops are dealt as from a deck, and the best has its own exact equity."""
    best = run("which_flops.py", "20")[-1]
    equity, board = re.fullmatch(r"best: ([\d.]+) % on (.+)", best).groups()
    source = (EXAMPLES / "which_flops.py").read_text(encoding="utf-8")
    ranges = re.findall(r'^(?:RAISER|CALLER) = "(.+)"$', source, re.M)
    assert f"{100 * holdem.equity(*ranges, board=board).equities[0]:.1f}" == equity
    assert sum(len(dots.get_offsets()) for dots in plt.gca().collections) == 20


def test_what_hands_become(run):
    """The bars of each hand add up to 100 %, and flushes are those of counting boards."""
    lines = run("what_hands_become.py")
    ax = plt.gcf().axes[0]
    ends = {round(bar.get_x() + bar.get_width(), 9) for bar in ax.containers[-1]}
    assert ends == {100}
    own_suit = sum(comb(11, k) * comb(39, 5 - k) for k in (3, 4, 5))
    with_straight_flushes = (own_suit + 3 * comb(13, 5)) / comb(50, 5)
    shown = float(re.search(r"76s: flush ([\d.]+)%", lines[0])[1]) / 100
    assert 0 < with_straight_flushes - shown < 0.003


def test_outs_on_every_turn(run):
    """The grid has every card that can come, and the printed ones have their exact equities."""
    first, *lines = run("outs_on_every_turn.py")
    ranges = re.search(r'equity\("(.+)", "(.+)", board', _source("outs_on_every_turn.py")).groups()
    assert first == f"on the flop: {holdem.equity(*ranges, board='Qh7h2c').equities[0]:.1%}"
    assert len(lines) == 6
    for line in lines:
        card, equity = line.split(": ")
        turn = holdem.equity(*ranges, board=f"Qh7h2c{card}")
        assert equity == f"{turn.equities[0]:.1%}"


def test_button_range(run):
    """The strong classes have more than 60 % equity, and no other class has."""
    first, second = run("button_range.py")
    assert first == "the button opens 43.9% of all hands"
    strong = second.partition(": ")[2].split(", ")
    blind = holdem.Range.from_percent(33)
    for name, is_strong in (("99", True), ("AQo", True), ("88", False), ("KQs", False)):
        equity = holdem.equity(name, blind).equities[0]
        assert bool(equity > 0.6) is is_strong is (name in strong)
    assert len(plt.gcf().axes) >= 2


def _source(script):
    return (EXAMPLES / script).read_text(encoding="utf-8")


def test_buckets_of_flops(run):
    """The hands of a bucket are combos that the board leaves, with a mean equity near one half."""
    with some_rows("flop"):
        board, *lines = run("buckets_of_flops.py", "20")
    cards = holdem.parse_cards(re.match(r"on (\w\w \w\w \w\w),", board)[1])
    assert len(lines) == 2
    for line in lines:
        equity, hands = re.search(r"equity ([\d.]+)%: (.+)$", line).groups()
        assert 40 < float(equity) < 60
        held = holdem.Range(hands)
        assert held == held.without(cards)
