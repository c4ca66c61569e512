"""Files that cannot be written: one message, exit code 1, and nothing half written."""

import contextlib
import os
import re
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from holdem.atomic_files import atomic_file
from holdem.cli import run
from holdem.trials.studies.results import study_results

resource = pytest.importorskip("resource")

SPOTS = "p1,p2,board\n" + "AsKs,QQ+,Td9d2c\n" * 200
STUDY = """
seed = 4
[[grid]]
hero = ["AA", "KK", "AKs"]
villain = ["QQ", "JJ", "72o"]
board = ["Td9d2c", "Td9d2c7h", "Td9d2c7h7s"]
"""

# Each command writes its output to a file whose name follows.
COMMANDS = {
    "hands.csv": "deal -n 600 --seed 7 -o",
    "hands.jsonl": "deal -n 600 --seed 7 -o",
    "hands.parquet": "deal -n 600 --seed 7 -o",
    "answers.csv": "equities spots.csv -o",
    "answers.parquet": "equities spots.csv -o",
    "picture.png": "range QQ+ --plot",
    "picture.svg": "range QQ+ --plot",
    "picture.pdf": "range QQ+ --plot",
}


@contextlib.contextmanager
def disk_full_after(size):
    """Context manager in which no file can grow beyond a number of bytes."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.fixture
def place(tmp_path, monkeypatch):
    """Return the working directory, with a file of spots and a study."""
    (tmp_path / "spots.csv").write_text(SPOTS)
    (tmp_path / "study.toml").write_text(STUDY)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def contents(place):
    """Return the content of each file of a directory by its name."""
    return {path.name: path.read_bytes() for path in place.iterdir()}


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.slow if name.endswith(("png", "pdf")) else ())
        for name in COMMANDS
    ],
)
def test_a_full_disk(name, place, capsys):
    """The message has the file. A new file is removed, and an old one is as it was."""
    command = [*COMMANDS[name].split(), name]
    for old in (None, b"kept"):
        if old:
            (place / name).write_bytes(old)
            command += [] if "--plot" in command else ["--force"]
        before = contents(place)
        with disk_full_after(1500):
            assert run(command) == 1
        err = capsys.readouterr().err
        assert "File too large" in err
        assert name in err
        assert err.count("holdem: ") == 1
        assert contents(place) == before
    assert run(command) == 0
    assert (place / name).stat().st_size > 1500


@pytest.mark.parametrize("name", ["hands.csv", "answers.csv", "picture.svg"])
def test_a_pipe(name, place):
    """A pipe is written to directly, and not replaced."""
    os.mkfifo(place / name)
    read = []
    reader = threading.Thread(target=lambda: read.append((place / name).read_bytes()))
    reader.start()
    force = [] if "--plot" in COMMANDS[name] else ["--force"]
    assert run([*COMMANDS[name].split(), name, *force]) == 0
    reader.join(60)
    assert len(read[0]) > 1500
    assert (place / name).is_fifo()


def test_files_are_replaced(place):
    """A file behind a link is replaced with its permissions, and the link stays."""
    (place / "old.csv").write_text("old")
    (place / "old.csv").chmod(0o640)
    (place / "link.csv").symlink_to("old.csv")
    assert run(["deal", "-n", "3", "-o", "link.csv", "--force"]) == 0
    assert (place / "link.csv").is_symlink()
    assert (place / "old.csv").stat().st_mode & 0o777 == 0o640
    assert (place / "old.csv").read_text().startswith("hand,")
    assert sorted(contents(place)) == ["link.csv", "old.csv", "spots.csv", "study.toml"]


def test_files_of_a_killed_process(place):
    """A run removes what a killed one left over a day ago, and not what may be being written."""
    code = (
        "import os\nfrom holdem.atomic_files import atomic_file\n"
        "with atomic_file('hands.csv') as new: new.write_text('half'); os.kill(os.getpid(), 9)"
    )
    subprocess.run([sys.executable, "-c", code], check=False)
    (old,) = place.glob(".holdem-*.part")
    os.utime(old, (time.time() - 90_000,) * 2)
    (place / ".holdem-fresh.part").write_text("half")  # of a run on another machine
    assert run(["deal", "-n", "3", "-o", "hands.csv"]) == 0
    assert sorted(contents(place)) == [".holdem-fresh.part", "hands.csv", "spots.csv", "study.toml"]


@pytest.mark.parametrize("size", [0, 5_000, 9_000, 17_000])
def test_a_store(size, place, capsys):
    """What was stored before a full disk is still there, and the same command goes on."""
    assert run(["run", "study.toml", "--store", "whole"]) == 0
    with disk_full_after(size):
        assert run(["run", "study.toml", "--store", "store"]) == 1
    err = capsys.readouterr().err
    assert err.startswith("holdem: store cannot be written: ")
    assert "what was stored before is still there" in err
    assert len(err.splitlines()) == 1
    assert run(["run", "study.toml", "--store", "store"]) == 0
    expected, found = (study_results(name) for name in ("whole", "store"))
    assert found == expected
    assert sorted(contents(place)) == ["spots.csv", "store", "study.toml", "whole"]


def test_a_package(place, capsys):
    """The package of a new evaluator is removed if its files cannot be written."""
    before = sorted(contents(place))
    with disk_full_after(300):
        assert run(["evaluators", "new", "mine"]) == 1
    assert capsys.readouterr().err == "holdem: holdem-mine: File too large\n"
    assert sorted(contents(place)) == before
    assert run(["evaluators", "new", "mine"]) == 0
    shutil.rmtree(place / "holdem-mine")


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write")
@pytest.mark.parametrize("name", COMMANDS)
def test_a_directory_without_permission(name, place, capsys):
    """A directory in which the user may not write is one message."""
    place.chmod(0o500)
    try:
        # To `deal`, a place that it cannot write to is bad input, as one that does not exist is.
        assert run([*COMMANDS[name].split(), name]) == (2 if name.startswith("hands") else 1)
    finally:
        place.chmod(0o700)
    assert "Permission denied" in capsys.readouterr().err


LOG = """variant = "NT"
antes = [0, 0]
blinds_or_straddles = [1, 2]
min_bet = 2
starting_stacks = [100, 100]
actions = ["d dh p1 AsKs", "d dh p2 QhQd", "p1 cbr 100", "p2 cc", "d db Td9d2c", "d db 3h",
    "d db 4h"]
"""
# Every command but `serve`, which ends with Ctrl-C only. All of them print notes or progress to
# standard error, or might.
EVERY_COMMAND = (
    "equity AsKs QQ -b Td9d2c -f json",
    "equity AsKs ZZ",
    "equity AsKs",
    "equities spots.csv -o answers.csv --force",
    "flops AsKs QhQd -n 1",
    "hits QQ+ -b Td9d2c",
    "explain AsKs QhQd -b Td9d2c",
    "evaluate AsKsQsJsTs",
    "head-to-head AA KK -n 100 --seed 1",
    "deal -n 3 --seed 7",
    "deal -n 3 --seed 7 -o hands.csv --force",
    "play tight caller -n 20 --seed 7",
    "play tight caller -n 20 --seed 7 -o played.phhs --force",
    "strategies",
    "range QQ+",
    "range 22,6677",
    "compare AsKsQsJsTs 2c3c4c5c7d",
    "run study.toml --store store",
    "results store -f csv",
    "history log.phh",
    "evaluators",
    "warm-up --help",
    "abstraction --help",
    "serve --port x",
    "--help",
)


def test_every_command_is_listed():
    from holdem.cli import _COMMANDS

    assert {command.split()[0] for command in EVERY_COMMAND} >= set(_COMMANDS)


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="/dev/full")
@pytest.mark.parametrize("command", EVERY_COMMAND)
def test_standard_error_cannot_be_written(command, place, capsys, monkeypatch):
    """Results, files and exit codes are as they are with a standard error that can."""
    (place / "log.phh").write_text(LOG)
    reader, writer = os.pipe()
    os.close(reader)
    if command.startswith("results"):
        run(["run", "study.toml", "--store", "store"])
        capsys.readouterr()
    found = []
    for stream in (None, "/dev/full", writer):
        with contextlib.ExitStack() as stack:
            if stream is not None:
                opened = open(stream, "w", 1, "utf-8")  # noqa: SIM115
                stack.callback(opened.close)
                monkeypatch.setattr("sys.stderr", opened)
            code = run(command.split())
            monkeypatch.undo()
            monkeypatch.chdir(place)
        printed = re.sub(r"\d+\.\d+ s|\"elapsed\": [\d.e-]+", "", capsys.readouterr().out)
        files = {name: own for name, own in contents(place).items() if name != "store"}
        found.append((code, printed, files))
    assert found[0] == found[1] == found[2]


@pytest.mark.parametrize(("command", "code"), [("evaluate AsKsQsJsTs", 0), ("equity AsKs ZZ", 2)])
def test_standard_error_is_closed(command, code, place):
    """As services start programs: results and exit codes are as ever."""
    line = f"{sys.executable} -m holdem {command}"
    done = subprocess.run(f"{line} 2>&-", shell=True, stdout=subprocess.PIPE, check=False)
    open_ended = subprocess.run(line, shell=True, capture_output=True, check=False)
    assert done.returncode == open_ended.returncode == code
    assert done.stdout == open_ended.stdout


@pytest.mark.parametrize("replaces", [True, False])
def test_a_file_that_appears_meanwhile(place, replaces):
    """It is replaced where that was asked for; otherwise an error names the file beside it."""

    def write():
        with atomic_file("x.txt", replaces=replaces) as new:
            new.write_text("ours")
            (place / "x.txt").write_text("theirs")

    if replaces:
        write()
        assert [path.read_text() for path in place.glob("x*.txt")] == ["ours"]
        return
    with pytest.raises(OSError, match=r"appeared meanwhile; see x-\w{4}\.txt"):
        write()
    assert (place / "x.txt").read_text() == "theirs"
    (beside,) = place.glob("x-*.txt")
    assert beside.read_text() == "ours"


@pytest.mark.parametrize("command", ["deal -n 600 --seed 7", "equities spots.csv"])
def test_commands_replace_a_file_that_appears_meanwhile_only_with_force(
    command, place, monkeypatch
):
    write = Path.open

    def appears(self, *arguments, **options):
        if self.parent == place and self.suffix == ".part":  # not of the cache
            (place / "late.csv").write_text("theirs")
        return write(self, *arguments, **options)

    monkeypatch.setattr(Path, "open", appears)
    arguments = [*command.split(), "-o", "late.csv"]
    assert run(arguments) != 0
    assert (place / "late.csv").read_text() == "theirs"
    (place / "late.csv").unlink()
    assert run([*arguments, "--force"]) == 0
    assert (place / "late.csv").read_text() != "theirs"
