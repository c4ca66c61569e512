"""``holdem serve`` prints one line and serves the page until Ctrl-C."""

import re
import signal
import socket
import subprocess
import sys
import urllib.request
from contextlib import contextmanager

import pytest

from holdem.cli import run
from holdem_page.server import PageServer


@contextmanager
def _served(*options):
    """Start the command on a free port; yield the process and the line that it prints."""
    command = [sys.executable, "-m", "holdem", "serve", "--no-browser", "--port", "0", *options]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with subprocess.Popen(command, **pipes) as process:
        try:
            yield process, process.stdout.readline()
        finally:
            process.kill()


@pytest.mark.smoke
def test_serve():
    """The line is the page's address; Ctrl-C ends the server with the code of other commands."""
    with _served() as (process, line):
        assert re.fullmatch(r"http://127\.0\.0\.1:[0-9]+/\?token=[\w-]{22}\n", line)
        with urllib.request.urlopen(line.strip(), timeout=60) as response:
            assert b"<!doctype html>" in response.read().lower()
        process.send_signal(signal.SIGINT)
        output, messages = process.communicate(timeout=60)
        assert (process.returncode, output, messages.strip()) == (130, "", "")


def test_other_machines():
    """A server for other machines says what that means."""
    with _served("--host", "0.0.0.0") as (process, line):
        assert line.startswith("http://127.0.0.1:")
        process.send_signal(signal.SIGINT)
        _, messages = process.communicate(timeout=60)
        assert "can be reached from other machines" in messages
        assert "not encrypted" in messages


def test_a_port_in_use(capsys):
    """A port in use, or a host without an address or too long for one, is an error."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
        assert run(["serve", "--port", str(port), "--no-browser"]) == 2
    assert f"cannot listen on '127.0.0.1', port {port}" in capsys.readouterr().err
    for host in ("no.such.host.invalid", 300 * "a", 300 * "ä"):
        assert run(["serve", "--host", host, "--no-browser"]) == 2
        message = capsys.readouterr().err
        assert f"cannot listen on '{host[:20]}" in message
        assert "port 0" not in message


def test_the_default_port(monkeypatch):
    """The page has the same address at each start, unless its port is taken."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
        monkeypatch.setattr("holdem_page.server.DEFAULT_PORT", port)
        with PageServer(port=None) as server:
            assert server.server_port not in (0, port)
    with PageServer(port=None) as server:
        assert server.server_port == port
        with PageServer() as other:
            assert other.server_port != port
