"""`holdem abstraction` builds, shows and looks up buckets."""

import io
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import holdem
from holdem.cli import run
from holdem_abstraction import CardAbstraction, load_card_abstraction
from holdem_abstraction.streets import street_boards
from holdem_abstraction.strengths import find_blocked
from processor_time import processor_seconds
from street_tables import some_rows


@pytest.fixture(scope="module")
def preflop(tmp_path_factory):
    path = tmp_path_factory.mktemp("buckets") / "preflop.npz"
    assert (
        run(["abstraction", "build", "--street", "preflop", "--buckets", "12", "-o", str(path)])
        == 0
    )
    return str(path)


def test_build(preflop, capsys):
    found = load_card_abstraction(preflop)
    assert (found.street, found.by, len(found.sizes)) == ("preflop", "equity", 12)
    assert run(["abstraction", "show", preflop]) == 0
    assert "12 buckets of the preflop by equity, against random" in capsys.readouterr().out


def test_build_by_histogram(tmp_path, capsys):
    """The memory is said first, then the buckets and where they are; and the chart is drawn."""
    path, chart = tmp_path / "flop.npz", tmp_path / "flop.png"
    words = "abstraction build --street flop --buckets 15 --by histogram --seed 7 --bins 20 -j 2"
    with some_rows("flop"):
        assert run([*words.split(), "-o", str(path), "--plot", str(chart)]) == 0
        output = capsys.readouterr()
        assert output.err.splitlines()[0].startswith(
            "holdem: the strengths of the flop take 0.13 GB"
        )
        assert "15 buckets of the flop by histogram (20 bins, seed 7)" in output.out
        found = load_card_abstraction(path)
        assert (found.seed, found.bins) == (7, 20)
        assert chart.stat().st_size > 5000
        ax = found.plot()
    assert ax.collections[0].get_array().shape == (15, 20)


def test_show_formats(preflop, capsys):
    run(["abstraction", "show", preflop, "-f", "json"])
    record = json.loads(capsys.readouterr().out)
    assert record["schema"] == "holdem/card-abstraction/1"
    assert sum(bucket["deals"] for bucket in record["buckets"]) == 1326
    run(["abstraction", "show", preflop, "-f", "csv"])
    assert len(capsys.readouterr().out.splitlines()) == 13


def give_input(monkeypatch, text):
    stdin = io.TextIOWrapper(io.BytesIO(text.encode()), encoding="utf-8")
    monkeypatch.setattr("sys.stdin", stdin)


def test_lookup(preflop, capsys, monkeypatch):
    assert run(["abstraction", "lookup", preflop, "AsKs"]) == 0
    assert capsys.readouterr().out == "11\n"
    give_input(monkeypatch, '\ufeffhand,note\nAsKs,"a, b"\n\n7c2d,\n')
    assert run(["abstraction", "lookup", preflop, "-"]) == 0
    assert capsys.readouterr().out == 'hand,note,bucket\nAsKs,"a, b",11\n7c2d,,0\n'


def test_on_a_board(capsys, tmp_path):
    """The grid has the mean bucket of the combos of each class that the board leaves."""
    boards = street_boards("flop")
    buckets = (boards.least[boards.groups] % 30).astype(np.uint16)
    buckets[find_blocked(boards.cards)] = 65535
    found = CardAbstraction(
        street="flop",
        by="equity",
        opponent="random",
        bins=None,
        seed=None,
        boards=boards.cards,
        deals=boards.deals,
        buckets=buckets,
        sizes=np.ones(30, dtype=np.int64),
        equity=np.linspace(0, 1, 30),
        histogram=None,
    )
    path, board = str(tmp_path / "flop.npz"), "Td9d2c"
    found.save(path)
    grid = found.grid(board)
    assert run(["abstraction", "lookup", path, "AsKs", "-b", board]) == 0
    assert capsys.readouterr().out == f"{found.lookup('AsKs', board)[0]}\n"
    with pytest.raises(holdem.HoldemValueError, match=r"^board: 2 cards, not 3$"):
        found.grid("Td9d")
    deuces = found.lookup(["2d2h", "2d2s", "2h2s"], board)
    assert grid[12, 12] == pytest.approx(deuces.mean())
    assert run(["abstraction", "show", path, "-b", board, "--plot", str(tmp_path / "b.svg")]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "mean buckets of the classes on Td 9d 2c, of 30 buckets"
    assert lines[2].split() == [*"AKQJT98765432"]
    assert lines[3].split() == ["A", *(f"{mean:.0f}" for mean in grid[0].tolist())]
    assert "mean bucket of the class" in (tmp_path / "b.svg").read_text()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ["build", "--street", "turn", "--buckets", "9", "--by", "histogram", "--bins", "400"],
            "with 400 bins would take 9.31 GB, and the limit is 3.5 GB: use at most 133 bins",
        ),
        (
            ["build", "--street", "river", "--buckets", "9", "--opponent", "AsKs"],
            "depends on suits",
        ),
        (["build", "--street", "river", "--buckets", "9", "--by", "histogram"], "flops and turns"),
        (["build", "--street", "flop", "--buckets", "9", "--seed", "3"], "seed is for buckets by"),
        (["build", "--street", "flop", "--buckets", "9", "--bins", "1"], "must be from 2 to 1000"),
    ],
)
def test_refused(words, message, capsys, tmp_path):
    path = tmp_path / "none.npz"
    assert run(["abstraction", *words, "-o", str(path)]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert "of memory" not in error
    assert not path.exists()


def test_output_is_checked_first(preflop, capsys, tmp_path):
    words = ["abstraction", "build", "--street", "preflop", "--buckets", "12", "-o"]
    assert run([*words, str(tmp_path / "none" / "x.npz")]) == 2
    error = capsys.readouterr().err
    assert "there is no directory" in error
    assert "of memory" not in error
    assert run([*words, preflop]) == 2
    assert "exists already" in capsys.readouterr().err
    assert run([*words, preflop, "--force"]) == 0
    assert "the strengths of the preflop take 0.03 MB of memory" in capsys.readouterr().err


@pytest.mark.skipif(os.name == "nt", reason="POSIX signals")
@pytest.mark.parametrize("seconds", [2, pytest.param(15, marks=pytest.mark.slow)])
def test_ctrl_c(seconds, tmp_path):
    """Ctrl-C while strengths are computed, or hands clustered, ends the program without a file."""
    words = "abstraction build --street flop --buckets 4000 --by histogram --seed 7 -j 1 -o f.npz"
    process = subprocess.Popen(
        [sys.executable, "-m", "holdem", *words.split()],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    while processor_seconds(process.pid) < seconds and process.poll() is None:
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (130, "")
    assert "Traceback" not in err
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("cards\nAsKs\n", "the CSV has the columns 'cards'; it needs hand"),
        ("hand,bucket\nAsKs,1\n", "has a column bucket already"),
        ("hand,note\nAsKs,\n\nAsKx,\n", "line 4: hole cards: 'Kx' at"),
        ("hand,note\nAsKs\n", "line 2: 1 cell for 2 columns"),
    ],
)
def test_wrong_csv(content, message, preflop, capsys, monkeypatch):
    give_input(monkeypatch, content)
    assert run(["abstraction", "lookup", preflop, "-"]) == 2
    assert message in capsys.readouterr().err


def test_missing_and_cut_files(preflop, capsys, tmp_path):
    assert run(["abstraction", "show", str(tmp_path / "no.npz")]) == 1
    assert "No such file" in capsys.readouterr().err
    content = Path(preflop).read_bytes()
    (tmp_path / "cut.npz").write_bytes(content[:-100])
    assert run(["abstraction", "lookup", str(tmp_path / "cut.npz"), "AsKs"]) == 2
    assert "cut.npz is not a file of holdem/card-abstraction/1" in capsys.readouterr().err
