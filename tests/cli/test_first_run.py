"""The message about compilation, and the compiled-code cache."""

import json
import os
import subprocess
import sys

import pytest

# Its one kernel compiles fast.
QUESTION = ["evaluate", "AsKsQsJsTs", "--evaluator", "dead-horse"]
CALL = "holdem.evaluate('AsKsQsJsTs', evaluator='dead-horse')"


def test_the_first_run_says_that_it_compiles(tmp_path):
    """The first run prints a message about compilation, the second none."""
    command = [sys.executable, "-m", "holdem", *QUESTION, "-f", "json"]
    environment = {**os.environ, "HOLDEM_QUIET": "", "HOLDEM_CACHE_DIR": str(tmp_path / "cache")}
    for message in (
        "holdem: compiling for this machine; only the first call of each kind waits\n",
        "",
    ):
        done = subprocess.run(
            command, env=environment, capture_output=True, text=True, timeout=300, check=True
        )
        assert message == done.stderr
        assert json.loads(done.stdout)["rank_class"] == 1


def test_the_line_can_be_left_out(tmp_path):
    """HOLDEM_QUIET suppresses the message about compilation."""
    done = subprocess.run(
        [sys.executable, "-m", "holdem", *QUESTION],
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
        [sys.executable, "-c", f"import holdem; print({CALL}.rank_class)"],
        env={**os.environ, "HOLDEM_QUIET": "", "HOLDEM_CACHE_DIR": str(tmp_path / "cache")},
        capture_output=True,
        text=True,
        timeout=300,
        check=True,
    )
    assert ("1\n", "") == (done.stdout, done.stderr)


def test_a_script_on_a_terminal(tmp_path):
    """On a terminal, a script says once that it waits for compilation."""
    pty = pytest.importorskip("pty")
    shown, terminal = pty.openpty()
    script = f"import holdem; {CALL}; {CALL}"
    subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, "HOLDEM_QUIET": "", "HOLDEM_CACHE_DIR": str(tmp_path / "cache")},
        stderr=terminal,
        timeout=300,
        check=True,
    )
    os.close(terminal)
    line = b"holdem: compiling for this machine; only the first call of each kind waits\r\n"
    assert os.read(shown, 4096) == line
    os.close(shown)


@pytest.mark.parametrize("board", [[], ["--board", "Td9d2c"]])
def test_a_small_answer_compiles_nothing(tmp_path, board):
    """An answer from the preflop table, or by numpy on a board, compiles nothing."""
    done = subprocess.run(
        [sys.executable, "-m", "holdem", "equity", "AsKs", "QQ", *board],
        env={**os.environ, "HOLDEM_CACHE_DIR": str(tmp_path / "cache")},
        capture_output=True,
        text=True,
        timeout=300,
        check=True,
    )
    assert "" == done.stderr
    assert not (tmp_path / "cache").exists()
