"""Several processes read a log: the same hands in the same order, and nothing is left behind."""

import contextlib
import math
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import holdem
from holdem_histories.reading import HandReader, map_in_processes

PLURIBUS = Path(__file__).parents[2] / "data" / "histories" / "pluribus.phhs"
HANDS = PLURIBUS.read_text(encoding="utf-8")

needs_proc = pytest.mark.skipif(
    not Path("/proc/self/task").exists(), reason="processes are listed by Linux"
)


def find_children(pid):
    """Return the processes that a process has started, in any of its threads."""
    children = set()
    for path in Path(f"/proc/{pid}/task").glob("*/children"):
        with contextlib.suppress(OSError):  # the thread has ended
            children.update(map(int, path.read_text().split()))
    return children


def is_running(pid):
    """Test whether a process runs."""
    try:
        return "State:\tZ" not in Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return False


def test_same_hands(tmp_path):
    """Two processes read the same hands and skip the same ones, in the same order; errors rise."""
    (tmp_path / "a.phhs").write_text(HANDS, encoding="utf-8")
    (tmp_path / "b.txt").write_text("Remember to fold.\n", encoding="utf-8")
    broken = HANDS.replace("p3 cbr", "p3 raises", 1)
    (tmp_path / "c.phhs").write_text(broken, encoding="utf-8")
    one, two = (HandReader(tmp_path, "auto", False, workers) for workers in (1, 2))
    assert list(one) == list(two)
    assert 2 * 299 - 1 == two.hands
    assert one.skipped == two.skipped
    assert {"broken": 1, "not a hand history": 1} == two.kinds
    with pytest.raises(holdem.HistoryError, match=r"line \d+: .*'p3 raises") as caught:
        list(HandReader(tmp_path / "c.phhs", "auto", True, 2))
    assert ("broken", two.skipped[1].line) == (caught.value.kind, caught.value.line)


def test_order_and_number():
    """Answers come in the order of the items, also if the first take longest; only a few hundred
    items are taken at a time.
    """
    taken = []

    def items():
        for number in range(1000):
            taken.append(number)
            yield 5000 if number < 50 else number % 10

    answers = map_in_processes(math.factorial, items(), 2)
    assert math.factorial(5000) == next(answers)
    assert len(taken) == 200
    assert list(map(math.factorial, items()))[1:] == list(answers)


@needs_proc
def test_death_of_a_process():
    """If a process dies, reading ends with an error instead of waiting for it."""
    before = find_children(os.getpid())
    answers = map_in_processes(time.sleep, [0.01] * 5000, 2)
    next(answers)
    started = {
        child
        for child in find_children(os.getpid()) - before
        if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes()
    }
    assert len(started) == 2
    os.kill(started.pop(), signal.SIGKILL)
    with pytest.raises(holdem.HoldemRuntimeError, match="has ended"):
        list(answers)
    assert wait_for_end(started)


def wait_for_end(processes):
    """Wait up to half a minute for processes to end; return whether all have."""
    end = time.monotonic() + 30
    while any(map(is_running, processes)) and time.monotonic() < end:
        time.sleep(0.02)
    return not any(map(is_running, processes))


@needs_proc
@pytest.mark.parametrize(
    ("number", "to_all", "code", "delay"),
    [
        (signal.SIGINT, True, 130, 0),  # Ctrl-C in a terminal, while the processes start
        (signal.SIGINT, True, 130, 0.5),
        (signal.SIGINT, False, 130, 0.5),
        (signal.SIGTERM, False, 143, 0),
        (signal.SIGKILL, False, -9, 0.5),
    ],
)
def test_no_process_is_left(tmp_path, number, to_all, code, delay):
    """After Ctrl-C or the program's death, while processes start or read, none is left.

    No traceback is printed, but by a process that starts while the program is killed.
    """
    path = tmp_path / "many.phhs"
    path.write_text(100 * HANDS, encoding="utf-8")
    process = subprocess.Popen(
        [sys.executable, "-m", "holdem", "history", str(path), "-j", "2"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    while len(children := find_children(process.pid)) < 3:  # two, and one that counts resources
        assert process.poll() is None
        time.sleep(0.005)
    time.sleep(delay)
    (os.killpg if to_all else os.kill)(process.pid, number)
    out, err = process.communicate(timeout=60)
    assert (code, "") == (process.returncode, out)
    assert "Traceback" not in err or number == signal.SIGKILL
    assert wait_for_end(children)
