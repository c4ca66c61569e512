"""The message about compilation, and the compiled-code cache."""

import io
import json
import multiprocessing
import os
import subprocess
import sys
import time

import pytest

import holdem
from holdem import messages
from holdem.jit.kernels import COMPILING

# Its one kernel compiles fast.
QUESTION = ["evaluate", "AsKsQsJsTs", "--evaluator", "dead-horse"]


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


class _Terminal(io.StringIO):
    def isatty(self):
        return True


class _Notebook(io.StringIO):
    __module__ = "ipykernel.iostream"  # whose streams are no terminals


@pytest.mark.parametrize(
    ("stream", "variables", "parent", "is_shown"),
    [
        (_Terminal, {}, None, True),
        (_Notebook, {}, None, True),
        (io.StringIO, {}, None, False),  # a service, whose standard error is a log
        (_Terminal, {}, "the main process", False),
        (_Notebook, {"HOLDEM_QUIET": "1"}, None, False),
        (_Terminal, {"HOLDEM_QUIET": "1"}, None, False),
    ],
)
def test_who_is_told(monkeypatch, stream, variables, parent, is_shown):
    """Compiling and checking are told to those who wait, and to nobody else."""
    monkeypatch.delenv("HOLDEM_QUIET", raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(multiprocessing.process, "parent_process", lambda: parent)
    monkeypatch.setattr(messages, "sent", set())
    monkeypatch.setattr(sys, "stderr", stream())
    for _ in range(2):
        messages.notify_once(COMPILING)
    in_lookup = holdem.get_evaluator("lookup").strengths

    @holdem.evaluator("slow", batch=True)
    def slow(hands):
        if len(hands) == 4096:
            time.sleep(0.3)
        return in_lookup(hands)

    holdem.evaluate("As Ks Qs Js Ts", evaluator=slow)
    shown = sys.stderr.getvalue()
    assert shown.count(f"holdem: {COMPILING}\n") == is_shown
    assert ("holdem: checking slow; only its first use waits: " in shown) == is_shown
    assert is_shown or not shown
