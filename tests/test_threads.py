"""Threads that nobody has to wait for: order of work, errors, ends, and Ctrl-C."""

import os
import signal
import subprocess
import sys
import threading
from functools import partial

import pytest

from holdem.errors import HoldemError
from holdem.jit import decorators
from holdem.jobs import ordered
from holdem.jobs.old_deadline import Deadline
from holdem.jobs.old_threads import THREAD_NAME, Task, Team, apart
from holdem.jobs.ordered import TimeOverError, in_order

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
    assert dropped.is_dropped
    assert not future.is_done(until=AGO)
    end.set()
    assert future.is_done()
    assert future.result()


@pytest.mark.skipif(os.name == "nt", reason="POSIX signals")
def test_waiting_hears_every_ctrl_c():
    """A wait that Ctrl-C ends, however often, ends with that alone, and goes on where it was."""
    task, heard, armed = Task(lambda: 7), 0, []

    def interrupt(*_):
        if armed:
            armed.clear()
            raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, 0.001, 0.0003)
    try:
        while heard < 300:
            try:
                armed.append(True)
                task.is_done()
            except KeyboardInterrupt:
                heard += 1
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    threading.Thread(target=task.run).start()
    assert 7 == task.result()


def test_no_thread_to_be_had(monkeypatch):
    """Fewer threads than asked for do the work where the system has no more; none is an error."""
    start, started = threading.Thread.start, []

    def first_only(thread):
        if len(started) == most:
            raise RuntimeError("can't start new thread")
        started.append(thread)
        start(thread)

    monkeypatch.setattr(threading.Thread, "start", first_only)
    most = 2
    assert list(range(9)) == list(in_order([lambda n=n: n for n in range(9)], 5))
    assert 2 == len(started)
    most = 2
    with pytest.raises(HoldemError, match="no thread left to work in: ask for fewer workers"):
        next(in_order([lambda: 1], 5))


@pytest.mark.parametrize("workers", [1, 3])
def test_the_time_is_over(workers, monkeypatch):
    """At the end of the time the first tasks' results were handed back, and there is no more."""
    monkeypatch.setattr(ordered, "_PATIENCE", 60.0)  # a thread may start late on a busy machine
    end = threading.Event()

    def task(number):
        if number == 4:
            end.wait()
        return number

    results = in_order((lambda n=n: task(n) for n in range(100)), workers, Deadline(0.5))
    found = [next(results)]
    with pytest.raises(TimeOverError):
        found += iter(partial(next, results), None)
    end.set()
    assert found == [0, 1, 2, 3][: len(found)]


def test_in_time():
    """Work that ends before its time is over ends as if it had none."""
    tasks = [lambda n=n: n for n in range(5)]
    assert [0, 1, 2, 3, 4] == list(in_order(tasks, 2, Deadline(1e6)))
    assert [] == list(in_order([], 2, Deadline(0)))


def test_a_first_result_may_be_late(monkeypatch):
    """The first result is waited for although the time is over, so that there is something."""
    monkeypatch.setattr(ordered, "_PATIENCE", 60.0)  # a thread may start late on a busy machine
    results = in_order([lambda: 7, *[threading.Event().wait] * 9], 1, Deadline(0))
    assert next(results) == 7
    with pytest.raises(TimeOverError):
        next(results)


# Each says "begun" once it is within something that does not end for many minutes.
SPIN = """
import holdem, sys
from functools import partial
from holdem.jobs.ordered import in_order

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
    "a kernel, two workers": SPIN + "list(in_order([work, partial(spin, 10**15)], 2))",
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
    assert process.communicate(timeout=120) == ("interrupted\n", "")
    assert process.returncode == 0


def run_modules(directory, **modules):
    """Write modules, run the one named main, and return what it printed."""
    for name, code in modules.items():
        (directory / f"{name}.py").write_text(code, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "main.py"], cwd=directory, capture_output=True, text=True, timeout=120
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


KERNEL = """
import holdem

@holdem.kernel
def twice(number):
    return 2 * number
"""


def test_a_compiled_function_that_calls_a_kernel(tmp_path):
    """Numba compiles the kernel while it compiles what calls it: no thread waits for another."""
    outer = "from numba import njit\n\n@njit\ndef outer(n):\n    return twice(n)\n\n"
    assert "6\n" == run_modules(tmp_path, main=f"{KERNEL}\n{outer}print(outer(3))\n")


def test_a_kernel_that_is_called_while_its_module_is_imported(tmp_path):
    """A table that a module makes by its own kernel; the second time its code is kept."""
    (tmp_path / "package").mkdir()
    (tmp_path / "package" / "__init__.py").write_text("", encoding="utf-8")
    (tmp_path / "package" / "table.py").write_text(
        f"{KERNEL}\nTABLE = twice(3)\n", encoding="utf-8"
    )
    for _ in range(2):
        main = "from package.table import TABLE\nprint(TABLE)\n"
        assert "6\n" == run_modules(tmp_path, main=main)


def test_time_to_compile_does_not_count(monkeypatch):
    """A deadline stands still while some thread compiles, and goes on after it."""
    now = [100.0]
    monkeypatch.setattr("holdem.jobs.deadline.clock.monotonic", lambda: now[0])
    deadline = Deadline(5.0)
    now[0] += 1
    with decorators._compiling:
        now[0] += 10
        assert 4.0 == deadline.left()
        with decorators._compiling:  # another thread, at the same time
            now[0] += 10
        assert 4.0 == deadline.left()
    now[0] += 3
    assert 1.0 == deadline.left()
    assert 5.0 == Deadline(5.0).left()
