"""Output that cannot be written, and input that cannot be read."""

import io
import os
import subprocess
import sys

import pytest

from holdem.cli import run

pytestmark = pytest.mark.skipif(os.name == "nt", reason="/dev/full, and a shell that closes")

COMMANDS = (
    "evaluate AsKsQsJsTs",
    "equity AsKs QQ -b Td9d2c -f json",
    "deal -n 3000 --seed 7",  # more than a buffer
    "--help",
)


def shell(line):
    """Run a line of shell code that may call `holdem`; return exit code, output, errors."""
    done = subprocess.run(
        f'holdem() {{ "$PYTHON" -m holdem "$@"; }}; {line}',
        shell=True,
        # Output is buffered.
        env={**os.environ, "PYTHON": sys.executable, "PYTHONUNBUFFERED": ""},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    return done.returncode, done.stdout, done.stderr


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="/dev/full")
@pytest.mark.parametrize("command", COMMANDS)
def test_a_full_disk(command):
    """A full disk is one message, with exit code 1."""
    message = "holdem: cannot write to standard output: No space left on device\n"
    assert shell(f"holdem {command} > /dev/full") == (1, "", message)


@pytest.mark.parametrize("command", COMMANDS[:2])
def test_standard_output_is_closed(command):
    """A closed standard output is one message, with exit code 1."""
    message = "holdem: cannot write to standard output: it is closed\n"
    assert shell(f"holdem {command} >&-") == (1, "", message)


def test_everything_is_closed():
    """With both streams closed only the exit code remains."""
    assert shell("holdem evaluate AsKsQsJsTs >&- 2>&-") == (1, "", "")


def test_standard_input_is_closed():
    """A closed standard input is empty, and does not affect commands that do not read it."""
    assert shell("holdem compare - -f json <&-") == (
        *(0, '{"schema": "holdem/comparison/1", "first": 0, "second": 0, "tie": 0}\n'),
        "",
    )
    code, answer, message = shell("holdem evaluate AsKsQsJsTs <&-")
    assert (code, answer.splitlines()[0], message) == (0, "Royal Flush", "")


@pytest.mark.skipif(not os.path.exists("/proc/self/mem"), reason="/proc")
def test_a_file_that_cannot_be_read():
    """An error of the system about a file is the message."""
    assert shell("holdem compare /proc/self/mem") == (1, "", "holdem: Input/output error\n")


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_a_file_that_begins_with_a_mark(ends, tmp_path, capsys):
    """A byte order mark at the start of a file is ignored."""
    lines = ["7c5d4h3s2c | KdQsJcTh9s", "AsKsQsJsTs 2c2d2h2s3c", ""]
    file = tmp_path / "pairs.txt"
    file.write_bytes(b"\xef\xbb\xbf" + ends.join(lines).encode())
    assert run(["compare", str(file), "-f", "json"]) == 0
    found = '{"schema": "holdem/comparison/1", "first": 1, "second": 1, "tie": 0}\n'
    assert capsys.readouterr().out == found
    assert shell(f"holdem compare - -f json < {file}") == (0, found, "")


@pytest.mark.parametrize("command", ["equities spots.csv", "deal -n 2 -f csv --seed 7"])
def test_lines_end_the_same_on_every_system(command, tmp_path, monkeypatch):
    """A system that ends lines of text by another mark, as Windows does, gets the same bytes."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "spots.csv").write_text("p1,p2\nAsKs,QQ\n")
    written = []
    for ends in ("\n", "\r\n"):
        stream = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", newline=ends)
        monkeypatch.setattr(sys, "stdout", stream)
        assert run(command.split()) == 0
        written.append(stream.buffer.getvalue())
    assert written[0] == written[1] != b""
