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


DEATHS = {
    "exit": ("os._exit(3)", "ended its process (exit code 3)"),
    "killed": ("os.kill(os.getpid(), 9)", "ended its process (SIGKILL)"),
    "raises": ("raise ArithmeticError('overflow')", "failed: ArithmeticError: overflow"),
    "SystemExit": ("raise SystemExit(4)", "failed: SystemExit: 4"),
    "KeyboardInterrupt": ("raise KeyboardInterrupt", "failed: KeyboardInterrupt"),
}


@pytest.mark.skipif(os.name == "nt", reason="POSIX signals")
@pytest.mark.parametrize(
    ("dies", "message"),
    [
        pytest.param(*case, id=name, marks=() if name in ("killed", "raises") else pytest.mark.slow)
        for name, case in DEATHS.items()
    ],
)
def test_it_dies_in_a_worker_process(dies, message, directory):
    """A slow evaluator that ends its worker process is one error that names the evaluator."""
    code = f"""
import os


def change(hands, strengths):
    for _ in range(200 * len(hands)):
        pass
    if os.getppid() == int(os.environ.get("PROGRAM", 0)) and state["calls"] > LOADING:
        {dies}
    return strengths
"""
    offer(directory, "mine", code)
    # `exec` replaces the shell by the program, so that the evaluator knows its process id.
    shell = 'PROGRAM=$$ exec "$0" -m holdem "$@"'
    arguments = [*COMMANDS["sampled"][:-1], "10000000", "-j", "2", "--evaluator", "mine"]
    done = subprocess.run(
        ["sh", "-c", shell, sys.executable, *arguments, "-f", "json"],
        cwd=directory,
        env={**os.environ, "PYTHONPATH": str(directory)},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, ""), done.stderr
    # A line about compilation may precede it.
    *_, last = done.stderr.splitlines()
    assert last.startswith("holdem: evaluator 'mine' ")
    assert message in last
    assert "Traceback" not in done.stderr


@pytest.mark.skipif(os.name == "nt", reason="POSIX signals")
@pytest.mark.parametrize("workers", ["1", "2"])
@pytest.mark.parametrize("does", ["pass", 'print("endless", flush=True)'])
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
