"""Plugins that never return: while they are imported, or while they rank."""

import os
import signal
import subprocess
import sys

import pytest

from plugin_commands import COMMANDS
from plugin_distributions import offer, write_distribution

HANGS = (
    "import sys, threading\nprint('endless', file=sys.stderr, flush=True)\n"
    "threading.Event().wait()\n"
)


def start(directory, *arguments, **environment):
    """Start the command line in a new process."""
    return subprocess.Popen(
        [sys.executable, "-m", "holdem", *arguments],
        cwd=directory,
        env={**os.environ, "PYTHONPATH": str(directory), **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.mark.skipif(os.name == "nt", reason="POSIX signals")
def test_an_import_that_does_not_end(directory):
    """Ctrl-C ends the wait; the message names the plugin and how to disable it."""
    write_distribution(directory, "plugin_hangs", HANGS)
    process = start(directory, "evaluators", HOLDEM_QUIET="")
    assert process.stderr.readline() == "endless\n"
    process.send_signal(signal.SIGINT)
    out, message = process.communicate(timeout=60)
    assert (process.returncode, out) == (130, "")
    assert message.rstrip("\n") == (
        "holdem: interrupted while loading the plugin plugin-hangs of plugin-hangs 1.0;"
        " HOLDEM_DISABLE_PLUGINS=plugin-hangs disables it"
    )


@pytest.mark.parametrize(
    ("arguments", "environment"),
    [
        (["evaluate", "AsKsQsJsTs"], {}),
        (["--help"], {"HOLDEM_DISABLE_PLUGINS": "plugin-hangs"}),
    ],
)
def test_who_does_not_wait_for_it(directory, arguments, environment):
    """Built-in evaluators need no plugin, and a disabled plugin is not imported."""
    write_distribution(directory, "plugin_hangs", HANGS)
    process = start(directory, *arguments, **environment)
    _, message = process.communicate(timeout=300)
    assert (process.returncode, "endless" in message) == (0, False)


@pytest.mark.skipif(os.name == "nt", reason="POSIX signals")
def test_an_evaluator_that_never_returns(directory):
    """Ctrl-C ends the program all the same."""
    code = """
def change(hands, strengths):
    if state["calls"] > LOADING:
        import sys, threading
        print("endless", file=sys.stderr, flush=True)
        threading.Event().wait()
    return strengths
"""
    offer(directory, "mine", code)
    arguments = [*COMMANDS["sampled"], "-j", "2", "--evaluator", "mine", "-f", "json"]
    process = start(directory, *arguments)
    # Two threads print it, maybe both on one line.
    assert process.stderr.readline().startswith("endless")
    process.send_signal(signal.SIGINT)
    out, message = process.communicate(timeout=60)
    assert (process.returncode, out) == (130, "")
    assert "Traceback" not in message
