"""`holdem run` and `holdem results`, also after kills and Ctrl-C."""

import contextlib
import json
import os
import random
import re
import select
import shlex
import signal
import subprocess
import time
from pathlib import Path

import pytest

import check_kills
from holdem.cli import run
from holdem.jit.kernels import COMPILING

ROOT = Path(__file__).parents[2]
STUDY = """
seed = 4
method = "monte-carlo"
[[spot]]
players = ["AsKs", "QQ+", "random"]
board = "Td9d2c"
deals = 50_000
[[spot]]
name = "aces | kings"
players = ["AcAs", "KdKh"]
method = "exact"
[[grid]]
hero = ["AA", "AKs", "72o"]
opponents = [1, 2]
deals = 16_384
"""
# Takes far longer than any test.
CTRL_C = f"ctrl-c-{os.getpid()}"  # distinguishes the processes of this test run
ENDLESS = """
seed = 4
method = "monte-carlo"
[[spot]]
players = ["AsKs", "QQ+"]
deals = 20_000
[[spot]]
players = ["AsKs", "random", "random"]
deals = 1_000_000_000_000
"""
SLOW = """
seed = 4
method = "monte-carlo"
evaluator = "reference"
[[spot]]
players = ["AsKs", "random", "random"]
deals = 1_000_000_000
"""
needs_proc = pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="reads /proc")


@pytest.fixture
def place(tmp_path, monkeypatch):
    """Work in an empty directory, and assert that no process is left running."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def written(text, name="study.toml"):
    """Write a study file into the directory and return its name."""
    Path(name).write_text(text, encoding="utf-8")
    return name


@contextlib.contextmanager
def running(text, mark, workers=2, deals=1):
    """Start a run, wait until its last spot has enough deals, and kill it at the end."""
    process = check_kills.begin(written(text), Path("store"), workers, mark)
    try:
        deadline = time.monotonic() + 300
        while time.monotonic() < deadline:
            assert process.poll() is None, process.communicate()[1]
            with contextlib.suppress(AssertionError):  # no store yet
                found = check_kills.results(Path("store"))
                if sum(spot["deals"] for spot in found["spots"][found["asked"] - 1 :]) >= deals:
                    break
        yield process
    finally:
        process.kill()
        process.communicate()


def test_run_and_results(place, capsys):
    """A complete run can be repeated; its results are printed in every format."""
    study = written(STUDY)
    for _ in range(2):
        assert run(["run", study, "--store", "store"]) == 0
        out, err = capsys.readouterr()
        assert re.fullmatch(
            r"complete: 8 spots, 1,860,608 deals, \d+\.\d+ s; `holdem results store` shows them\n",
            out,
        )
        assert err == ""
    assert sorted(os.listdir(place)) == ["store", "study.toml"]
    assert run(["results", "store", "-f", "json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert (record["schema"], record["complete"]) == ("holdem/results/1", True)
    assert [spot["deals"] for spot in record["spots"]] == [50_000, 1_712_304, *[16_384] * 6]
    assert run(["results", "store"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[1].startswith("AsKs v QQ+ v random")
    assert lines[1].endswith("50,000 deals")
    (aces,) = (line for line in lines if line.startswith("aces | kings"))
    assert "AcAs    81.2555 %" in aces
    assert max(map(len, lines)) <= 80
    (head,) = (place for place, line in enumerate(lines) if line.startswith("hand"))
    assert lines[head].split() == ["hand", "1", "2"]
    cells = [line.split() for line in lines[head + 1 : head + 4]]
    expected = {
        (spot["name"].split()[0], spot["name"].split()[2]): spot["players"][0]["equity"]
        for spot in record["spots"][2:]
    }
    assert cells == [
        [hand, *(f"{100 * expected[hand, count]:.2f}" for count in "12")]
        for hand in ("AA", "AKs", "72o")
    ]
    assert lines[-1].startswith("complete: 8 of 8 spots finished, 1,860,608 deals, ")
    assert run(["results", "store", "-f", "csv", "--by", "player"]) == 0
    import csv
    import io

    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    message = [(spot["name"], player) for spot in record["spots"] for player in spot["players"]]
    assert len(message) == len(rows)
    for row, (name, player) in zip(rows, message, strict=True):
        assert (row["spot"], row["range"]) == (name, player["range"])
        assert (float(row["equity"]), float(row["ci95_low"])) == (
            player["equity"],
            player["ci95"][0],
        )


BAD = [
    (["run", "none.toml", "--store", "store"], "none.toml: cannot be read: No such file"),
    (["run", "bad.toml", "--store", "store"], "bad.toml: [[spot]] 1: no key 'borad' (did you mea"),
    (["run", "study.toml"], "Missing option '--store'"),
    (["run", "study.toml", "--store", "bad.toml"], "bad.toml is not a holdem store: it is not an"),
    (["run", "study.toml", "--store", "no/dir"], "no/dir cannot be opened for writing"),
    (["run", "study.toml", "--store", "other"], "other belongs to another study: it has 1 spot"),
    (
        ["run", "study.toml", "--store", "store", "-j", "0"],
        "workers must be an integer from 1 to 1024",
    ),
    (["results", "store"], "there is no store store"),
    (["results", "bad.toml"], "bad.toml is not a holdem store"),
    (["results", "other", "-f", "xml"], "'xml' is not one of"),
]


@pytest.mark.parametrize(("arguments", "message"), BAD, ids=[message[:30] for _, message in BAD])
def test_bad_input(place, capsys, arguments, message):
    """Bad input ends with code 2 and one short message, and writes no file."""
    written(STUDY)
    written('[[spot]]\nplayers = ["AA", "KK"]\nborad = "2c"', "bad.toml")
    one = written(STUDY[: STUDY.index("[[spot]]\nname")], "one.toml")
    assert run(["run", one, "--store", "other"]) == 0
    capsys.readouterr()
    before = {path.name: path.read_bytes() for path in place.iterdir()}
    assert run(arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert message in err
    assert len(err) < 400
    assert before == {path.name: path.read_bytes() for path in place.iterdir()}


def test_results_and_a_second_run_meanwhile(place, capsys):
    """During a run its results can be read; a second run is an error with its process id."""
    with running(ENDLESS, "meanwhile") as process:
        first, second = check_kills.results(Path("store"))["spots"]
        assert (first["stop"], first["deals"]) == ("deals", 20_000)
        assert second["stop"] == "interrupted"
        assert second["players"][0]["ci95"][0] < second["players"][0]["equity"]
        assert run(["results", "store"]) == 0
        out = capsys.readouterr().out
        assert "deals, not finished" in out
        assert "not complete: 1 of 2 spots finished" in out
        assert run(["run", "study.toml", "--store", "store"]) == 2
        message = f"holdem: store is in use by process {process.pid}: wait for it, or end it\n"
        assert capsys.readouterr() == ("", message)
        deals = second["deals"]
        while second["deals"] == deals:  # the run continues
            second = check_kills.results(Path("store"))["spots"][1]
    assert run(["results", "store"]) == 0


@pytest.mark.skipif(os.name == "nt", reason="POSIX signals")
@pytest.mark.parametrize(
    ("text", "workers"),
    [
        (ENDLESS, 2),
        pytest.param(ENDLESS, 1, marks=pytest.mark.slow),
        pytest.param(SLOW, 2, marks=pytest.mark.slow),
        (SLOW, 1),
    ],
)
def test_ctrl_c(place, text, workers):
    """Ctrl-C ends with code 130 and keeps the finished blocks."""
    slow = text is SLOW  # the first block takes too long to wait for
    with running(text, CTRL_C, workers, deals=0 if slow else 1) as process:
        before = deals_kept()
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=120)
    spots = text.count("[[spot]]")
    assert (process.returncode, out) == (130, "")
    assert err.removeprefix(f"holdem: {COMPILING}\n") == (  # printed by the first run
        f"holdem: interrupted: {spots - 1} of {spots} spots are finished; the results are"
        " kept in store, and the same command continues the run\n"
    )
    assert deals_kept() >= before
    assert sorted(os.listdir(place)) == ["store", "study.toml"]
    if Path("/proc/self/environ").exists():
        assert gone(CTRL_C)


def deals_kept():
    """Return the number of deals in the store."""
    return sum(spot["deals"] for spot in check_kills.results(Path("store"))["spots"])


def gone(mark):
    """Return whether all processes with a mark in their environment end within a minute."""
    check_kills.seconds_until_gone(mark, 60.0)
    return not check_kills.alive(mark)


@needs_proc
@pytest.mark.slow
def test_killed_again_and_again(place):
    """A run that is killed and restarted has the totals of an uninterrupted one.

    ``scripts/checks/check_kills.py`` does it a hundred times, with a new store each time.
    """
    study = written(
        """
        seed = 4
        method = "monte-carlo"
        deals = 4_000_000
        [[spot]]
        players = ["AsKs", "random"]
        [[spot]]
        players = ["AcAs", "KdKh"]
        method = "exact"
        [[grid]]
        hero = ["AA", "72o"]
        opponents = [2, 4]
        """
    )
    unbroken, rng = Path("unbroken"), random.Random(7)
    process = check_kills.begin(study, unbroken, 2, "unbroken")
    whole = check_kills.used(process, "unbroken")
    process.communicate()
    for kill in range(10):
        process = check_kills.begin(study, Path("store"), 2, "again")
        check_kills.wait_until(process, "again", rng.uniform(0.2, 0.8) * whole)
        process.kill()
        process.communicate()
        if kill % 4 == 3:
            assert check_kills.finish(study, Path("store"), 2) == check_kills.results(unbroken)
            Path("store").unlink()
    assert check_kills.finish(study, Path("store"), 2) == check_kills.results(unbroken)
    assert sorted(os.listdir(place)) == ["store", "study.toml", "unbroken"]
    assert gone("again")


def test_progress_on_a_terminal(place):
    """On a terminal a progress bar shows speed, spot and standard error on standard error."""
    pty, termios = pytest.importorskip("pty"), pytest.importorskip("termios")
    shown, terminal = pty.openpty()
    termios.tcsetwinsize(terminal, (24, 80))
    command = check_kills.command("run", written(ENDLESS), "--store", "store")
    process = subprocess.Popen(command, stderr=terminal)
    os.close(terminal)
    bar = re.compile(rb"\d/2 .+ \d+ % \|.*\| [\d.]+[kM]? deals/s, [\d:?]+ left, error 0\.00\d{4}")
    text = b""
    try:
        while not bar.search(text):
            assert len(text) < 20_000, text
            assert select.select([shown], [], [], 120)[0], text
            text += os.read(shown, 4096)
    finally:
        process.send_signal(signal.SIGINT)
    with contextlib.suppress(OSError):  # raised by Linux when the other side is closed
        while part := os.read(shown, 4096):
            text += part
    os.close(shown)
    assert process.wait() == 130
    assert b"Traceback" not in text


PAGE = ROOT / "docs" / "guide" / "runs.md"


def test_the_page(place):
    """The examples of docs/guide/runs.md are the output of its study files, except for seconds."""
    fences = re.findall(r"^```(\w+)[^\n]*\n(.*?)^```", PAGE.read_text("utf-8"), re.M | re.S)
    shown = 0
    for language, text in fences:
        if language == "toml" and text.startswith("# "):
            written(text, text[2:].partition("\n")[0].partition(":")[0])
        if language != "text" or not text.startswith("$ holdem"):
            continue
        for command in re.split(r"^\$ ", text, flags=re.M)[1:]:
            line, _, expected = command.partition("\n")
            done = subprocess.run(
                check_kills.command(*shlex.split(line)[1:]),
                capture_output=True,
                text=True,
                env={**os.environ, "COLUMNS": "100"},
                check=False,
            )
            found = done.stdout + done.stderr
            expected, found = (
                re.sub(r"\d+\.\d+ s\b", "… s", message).rstrip() for message in (expected, found)
            )
            assert expected == found, line
            shown += 1
    assert shown >= 2
