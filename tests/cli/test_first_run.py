"""The message about compilation, and the compiled-code cache."""

import json
import os
import subprocess
import sys

import pytest


def test_the_first_run_says_that_it_compiles(tmp_path):
    """The first run prints a message about compilation, the second none."""
    command = [sys.executable, "-m", "holdem", "evaluate", "AsKsQsJsTs2c3d", "-f", "json"]
    environment = {**os.environ, "HOLDEM_QUIET": "", "HOLDEM_CACHE_DIR": str(tmp_path / "cache")}
    for message in (
        "holdem: compiling for this machine; only the first run takes these seconds\n",
        "",
    ):
        done = subprocess.run(
            command, env=environment, capture_output=True, text=True, timeout=300, check=True
        )
        assert message == done.stderr
        assert "Royal Flush" == json.loads(done.stdout)["name"]


def test_the_line_can_be_left_out(tmp_path):
    """HOLDEM_QUIET suppresses the message about compilation."""
    done = subprocess.run(
        [sys.executable, "-m", "holdem", "evaluate", "AsKsQsJsTs2c3d"],
        env={**os.environ, "HOLDEM_QUIET": "1", "HOLDEM_CACHE_DIR": str(tmp_path / "cache")},
        capture_output=True,
        text=True,
        timeout=300,
        check=True,
    )
    assert "" == done.stderr
    assert (tmp_path / "cache").exists()


def test_a_library_says_nothing_of_compiling(tmp_path):
    """The library prints nothing about compilation, unless standard error is a terminal."""
    done = subprocess.run(
        [sys.executable, "-c", "import holdem; print(holdem.evaluate('AsKsQsJsTs2c3d').name)"],
        env={**os.environ, "HOLDEM_QUIET": "", "HOLDEM_CACHE_DIR": str(tmp_path / "cache")},
        capture_output=True,
        text=True,
        timeout=300,
        check=True,
    )
    assert ("Royal Flush\n", "") == (done.stdout, done.stderr)


def test_a_script_on_a_terminal(tmp_path):
    """On a terminal, a script says once that it waits for compilation."""
    pty = pytest.importorskip("pty")
    shown, terminal = pty.openpty()
    script = "import holdem; holdem.evaluate('AsKsQsJsTs2c3d'); holdem.evaluate('AsKsQsJsTs')"
    subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, "HOLDEM_QUIET": "", "HOLDEM_CACHE_DIR": str(tmp_path / "cache")},
        stderr=terminal,
        timeout=300,
        check=True,
    )
    os.close(terminal)
    line = b"holdem: compiling for this machine; only the first run takes these seconds\r\n"
    assert os.read(shown, 4096) == line
    os.close(shown)


def test_an_answer_from_the_table_compiles_nothing(tmp_path):
    """An answer from the preflop table compiles nothing."""
    done = subprocess.run(
        [sys.executable, "-m", "holdem", "equity", "AsKs", "QQ"],
        env={**os.environ, "HOLDEM_CACHE_DIR": str(tmp_path / "cache")},
        capture_output=True,
        text=True,
        timeout=300,
        check=True,
    )
    assert "" == done.stderr
    assert not (tmp_path / "cache").exists()
