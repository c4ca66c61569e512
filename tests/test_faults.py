"""What happens outside: SIGTERM, no home directory, a clock that jumps."""

import ast
import itertools
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import holdem
from holdem.cli import run
from holdem.jit import cache_directory
from holdem.jit.cache_directory import CACHE_VARIABLE
from holdem.odds.spot import make_spot


@pytest.mark.skipif(os.name == "nt", reason="POSIX signals")
def test_sigterm(tmp_path):
    """SIGTERM ends a command as Ctrl-C does: the file has the hands that the message says."""
    process = subprocess.Popen(
        [sys.executable, "-m", "holdem", "deal", "-n", "1e9", "-p", "2", "-o", "hands.csv"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    while process.poll() is None and _largest(tmp_path) < 2_000_000:
        time.sleep(0.02)
    process.send_signal(signal.SIGTERM)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (143, ""), err
    hands = int(re.search(r"interrupted: ([\d,]+) of 1,000,000,000 hands", err)[1].replace(",", ""))
    assert [path.name for path in tmp_path.iterdir()] == ["hands.csv"]
    lines = (tmp_path / "hands.csv").read_text().splitlines()
    assert [line.partition(",")[0] for line in lines] == ["hand", *map(str, range(1, hands + 1))]


def test_ctrl_c_while_a_class_is_defined(monkeypatch, capsys):
    """Python 3.11 raises another error there, as in the middle of an import."""

    class Interrupting:
        def __set_name__(self, owner, name):
            raise KeyboardInterrupt

    def define(*_, **__):
        type("Defined", (), {"name": Interrupting()})

    monkeypatch.setattr("holdem.evaluation.hand_value.evaluate", define)
    assert run(["evaluate", "AsKsQsJsTs"]) == 130
    assert capsys.readouterr() == ("", "")


def _largest(directory):
    return max([path.stat().st_size for path in directory.iterdir()], default=0)


@pytest.mark.skipif(os.name == "nt", reason="the home directory of POSIX systems")
def test_no_home(tmp_path, monkeypatch):
    """Without a home directory nothing is cached, and no file is left."""
    import pwd

    def no_such_user(_):
        raise KeyError

    monkeypatch.chdir(tmp_path)
    for name in ("HOME", "XDG_CACHE_HOME", CACHE_VARIABLE):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(pwd, "getpwuid", no_such_user)
    cache_directory._package_directory.cache_clear()
    monkeypatch.setattr(cache_directory, "_warned", False)
    with pytest.warns(holdem.HoldemWarning, match="compiled code is not kept between runs: "):
        assert cache_directory.cache_directory(make_spot) is None
    cache_directory._package_directory.cache_clear()
    assert list(tmp_path.iterdir()) == []


def test_a_clock_that_jumps(tmp_path, monkeypatch):
    """Only clocks that never jump are read: times and limits do not change with the date."""
    for path in Path(holdem.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                name = f"{node.value.id}.{node.attr}"
                assert name not in ("time.time", "clock.time", "datetime.now"), path
    jumps = itertools.cycle([0.0, 4e9, -4e9])
    monkeypatch.setattr(time, "time", lambda: next(jumps))
    result = holdem.equity("AsKs", "QQ", method="monte-carlo", time=0.1, deals=10**9, seed=1)
    assert result.stop == "time"
    assert 0 <= result.elapsed < 60
    study = {"spot": [{"players": ["AsKs", "QQ"], "method": "monte-carlo", "time": 0.1, "seed": 1}]}
    (spot,) = holdem.run_study(study, tmp_path / "store").spots
    assert spot.result.stop == "time"
    assert 0 < spot.result.elapsed < 60
