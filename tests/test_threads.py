"""Threads that nobody has to wait for: order of work, errors, ends, and Ctrl-C."""

import os
import signal
import subprocess
import sys
import threading
import time
from functools import partial

import pytest

from holdem.odds import blocks
from holdem.odds.blocks import TimeOverError, in_order
from holdem.threads import THREAD_NAME, Team, apart, is_done

AGO = 0.0  # by the monotonic clock


def test_apart():
    """What may take long is done in another thread than the main one, and only there."""

    def threads():
        here = threading.current_thread()
        return here, apart(threading.current_thread)

    outer, inner = apart(threads)
    assert threading.main_thread() is not outer
    assert outer is inner
    assert outer.daemon
    assert outer.name.startswith(THREAD_NAME)


def test_errors_come_back():
    """An exception of a task is raised where its result is asked for."""
    with pytest.raises(ZeroDivisionError):
        apart(lambda: 1 / 0)


def test_a_team_has_no_more_threads_than_it_needs():
    """Threads are started as tasks come, up to so many; each is prepared once."""
    prepared = []
    team = Team(3, lambda: prepared.append(threading.current_thread()))
    together = threading.Barrier(3)
    futures = [team.submit(together.wait) for _ in range(3)]
    assert {0, 1, 2} == {future.result() for future in futures}
    assert [9, 9] == [team.submit(lambda: 9).result() for _ in range(2)]
    assert len(prepared) == len(set(prepared)) == 3
    team.dismiss()
    for thread in prepared:
        thread.join()


def test_what_was_dismissed_is_not_begun():
    """Tasks that have not begun are dropped, and the one under way is not waited for."""
    team, begun, end = Team(1), threading.Event(), threading.Event()

    def task():
        begun.set()
        return end.wait()

    future, dropped = team.submit(task), team.submit(lambda: 1)
    begun.wait()
    team.dismiss()
    assert dropped.cancelled()
    assert not is_done(future, until=AGO)
    end.set()
    assert is_done(future)
    assert future.result()


@pytest.mark.parametrize("workers", [1, 3])
def test_the_time_is_over(workers, monkeypatch):
    """At the end of the time the first tasks' results were handed back, and there is no more."""
    monkeypatch.setattr(blocks, "_PATIENCE", 60.0)  # a thread may start late on a busy machine
    end = threading.Event()

    def task(number):
        if number == 4:
            end.wait()
        return number

    results = in_order((lambda n=n: task(n) for n in range(100)), workers, time.monotonic() + 0.5)
    found = [next(results)]
    with pytest.raises(TimeOverError):
        found += iter(partial(next, results), None)
    end.set()
    assert found == [0, 1, 2, 3][: len(found)]


def test_in_time():
    """Work that ends before its time is over ends as if it had none."""
    tasks = [lambda n=n: n for n in range(5)]
    assert [0, 1, 2, 3, 4] == list(in_order(tasks, 2, time.monotonic() + 1e6))
    assert [] == list(in_order([], 2, AGO))


def test_a_first_result_may_be_late(monkeypatch):
    """The first result is waited for although the time is over, so that there is something."""
    monkeypatch.setattr(blocks, "_PATIENCE", 60.0)  # a thread may start late on a busy machine
    results = in_order([lambda: 7, *[threading.Event().wait] * 9], 1, AGO)
    assert next(results) == 7
    with pytest.raises(TimeOverError):
        next(results)


# Each says "begun" once it is within something that does not end for many minutes.
SPIN = """
import holdem, sys
from functools import partial
from holdem.odds.blocks import in_order

@holdem.kernel
def spin(turns):
    found = 0
    for turn in range(turns):
        found ^= (found << 1) + turn
    return found

spin(1)
def work():
    print("begun", flush=True)
    return spin(10**15)
"""
LONG_WORK = {
    "a kernel, one worker": SPIN + "list(in_order([work], 1))",
    "a kernel, two workers": SPIN + "list(in_order([work, work], 2))",
    "compilation": """
import holdem, threading
from numba.extending import overload

def asked(value):
    pass

@overload(asked)
def typed(value):
    print("begun", flush=True)
    threading.Event().wait()

@holdem.kernel
def never_compiled(value):
    return asked(value)

never_compiled(1)
""",
    "loading an evaluator": """
import holdem, threading

def load():
    print("begun", flush=True)
    threading.Event().wait()

holdem.register(holdem.EvaluatorSpec("late", "", "", {5}, load))
holdem.equity("AsKs", "QQ", board="Td9d2c", evaluator="late")
""",
}


@pytest.mark.skipif(os.name == "nt", reason="POSIX signals")
@pytest.mark.parametrize("code", LONG_WORK.values(), ids=LONG_WORK)
def test_ctrl_c(code):
    """Ctrl-C is answered, and the program ends, while work of many minutes is under way."""
    guarded = "\n".join(f"    {line}" for line in code.splitlines())
    script = f"try:\n{guarded}\nexcept KeyboardInterrupt:\n    print('interrupted')\n"
    process = subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout.readline() == "begun\n"
    process.send_signal(signal.SIGINT)
    printed, told = process.communicate(timeout=120)
    assert (printed.replace("begun\n", ""), told) == ("interrupted\n", "")  # one a worker
    assert process.returncode == 0
