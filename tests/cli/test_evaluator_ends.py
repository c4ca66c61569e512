"""Evaluators that end their process or never return."""

import os
import signal
import subprocess
import sys

import pytest

from plugin_commands import COMMANDS, holdem
from plugin_distributions import offer


def test_it_ends_the_process(directory):
    """An evaluator that calls `os._exit` ends the program; no result is printed."""
    code = """
def change(hands, strengths):
    if state["calls"] > LOADING:
        import os
        os._exit(3)
    return strengths
"""
    offer(directory, "mine", code)
    done = holdem(directory, *COMMANDS["sampled"], "--evaluator", "mine", "-f", "json")
    assert (done.returncode, done.stdout) == (3, "")


@pytest.mark.skipif(os.name == "nt", reason="POSIX signals")
@pytest.mark.parametrize(
    ("does", "workers"), [("pass", "1"), ('print("endless", flush=True)', "2")]
)
def test_it_never_returns(does, workers, directory):
    """Ctrl-C ends the program although the evaluator does not return.

    If the evaluator keeps printing, its output never reaches standard output.
    """
    code = """
def change(hands, strengths):
    if state["calls"] > LOADING:
        print("endless", flush=True)
        while True:
            DOES
    return strengths
"""
    offer(directory, "mine", code.replace("DOES", does))
    arguments = [*COMMANDS["sampled"], "-j", workers, "--evaluator", "mine", "-f", "json"]
    process = subprocess.Popen(
        [sys.executable, "-m", "holdem", *arguments],
        cwd=directory,
        env={**os.environ, "PYTHONPATH": str(directory)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    # Two threads print it, maybe both on one line.
    assert process.stderr.readline().startswith("endless")
    process.send_signal(signal.SIGINT)
    out, message = process.communicate(timeout=60)
    assert (process.returncode, out) == (130, "")
    assert "Traceback" not in message
