"""Answers that cannot be written, and input that cannot be read: one line, exit code 1."""

import os
import subprocess
import sys

import pytest

from holdem.cli import run

pytestmark = pytest.mark.skipif(os.name == "nt", reason="/dev/full, and a shell that closes")

COMMANDS = (
    "evaluate AsKsQsJsTs",
    "equity AsKs QQ -b Td9d2c -f json",
    "evaluators",
    "deal -n 3 --seed 7",
    "deal -n 3000 --seed 7",  # more than a buffer
    "range QQ+",
    "--help",
    "--version",
)


def shell(line):
    """Run a line of the shell, `holdem` being this one; return exit code, answer, messages."""
    done = subprocess.run(
        f'holdem() {{ "$PYTHON" -m holdem "$@"; }}; {line}',
        shell=True,
        env={**os.environ, "PYTHON": sys.executable},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    return done.returncode, done.stdout, done.stderr


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="/dev/full")
@pytest.mark.parametrize("command", COMMANDS)
def test_a_full_disk(command):
    """An answer that does not fit is one line that says so."""
    told = "holdem: the answer cannot be written to standard output: No space left on device\n"
    assert shell(f"holdem {command} > /dev/full") == (1, "", told)


@pytest.mark.parametrize("command", COMMANDS)
def test_standard_output_is_closed(command):
    """Without standard output there is no answer, and the message says so."""
    told = "holdem: standard output is closed, and answers go there\n"
    assert shell(f"holdem {command} >&-") == (1, "", told)


def test_everything_is_closed():
    """Where nothing can be said at all, the exit code remains."""
    assert shell("holdem evaluate AsKsQsJsTs >&- 2>&-") == (1, "", "")


def test_standard_input_is_closed():
    """A closed standard input has no lines; commands that do not read it are not disturbed."""
    assert shell("holdem compare - -f json <&-") == (
        *(0, '{"schema": "holdem/comparison/1", "first": 0, "second": 0, "tie": 0}\n'),
        "",
    )
    code, answer, told = shell("holdem evaluate AsKsQsJsTs <&-")
    assert (code, answer.splitlines()[0], told) == (0, "Royal Flush", "")


@pytest.mark.skipif(not os.path.exists("/proc/self/mem"), reason="/proc")
def test_a_file_that_cannot_be_read():
    """What the system says of a file is the message, and no request to report it."""
    assert shell("holdem compare /proc/self/mem") == (1, "", "holdem: Input/output error\n")


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_a_file_that_begins_with_a_mark(ends, tmp_path, capsys):
    """The mark of UTF-8 that some editors write first is no part of the first card."""
    lines = ["7c5d4h3s2c | KdQsJcTh9s", "AsKsQsJsTs 2c2d2h2s3c", ""]
    file = tmp_path / "pairs.txt"
    file.write_bytes(b"\xef\xbb\xbf" + ends.join(lines).encode())
    assert run(["compare", str(file), "-f", "json"]) == 0
    found = '{"schema": "holdem/comparison/1", "first": 1, "second": 1, "tie": 0}\n'
    assert capsys.readouterr().out == found
    assert shell(f"holdem compare - -f json < {file}") == (0, found, "")


PRINTING = """
import sys, threading
from holdem.cli.output import answers_only

class Slow:
    def __str__(self):
        entered.set()
        ended.wait(60)
        return "slow"

entered, ended = threading.Event(), threading.Event()
thread = threading.Thread(target=lambda: print(Slow(), flush=True))
with answers_only(for_good=True):
    print("answer")
    thread.start()
    entered.wait(60)
ended.set()
thread.join()
print("late")
"""


def test_a_thread_that_prints_at_the_end():
    """What a thread that was given up prints is no answer, not even if it had begun before."""
    done = subprocess.run(
        [sys.executable, "-c", PRINTING], capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "answer\n", "slow\nlate\n")
