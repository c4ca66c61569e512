"""Worker threads: order of results, errors, closing, deadlines and Ctrl-C."""

import os
import signal
import subprocess
import sys
import threading
import time
from functools import partial

import pytest

from holdem.errors import HoldemError
from holdem.jobs.run import Task, TimeOverError, ordered_results
from holdem.jobs.stopwatch import Deadline
from holdem.jobs.workers import THREAD_NAME, Future, Workers, in_worker_thread

AGO = 0.0  # by the monotonic clock


def results_of(calls, workers, deadline=None):
    """Yield the results of calls without arguments, in order."""
    tasks = (Task(lambda _, call=call: call(), 1) for call in calls)
    with Workers(workers) as pool:
        for _, result, _ in ordered_results(tasks, pool, deadline):
            yield result


def test_in_worker_thread():
    """A call is made in a daemon thread if it comes from the main thread, else in its own."""

    def threads():
        here = threading.current_thread()
        return here, in_worker_thread(threading.current_thread)

    outer, inner = in_worker_thread(threads)
    assert threading.main_thread() is not outer
    assert outer is inner
    assert outer.daemon
    assert outer.name.startswith(THREAD_NAME)


def test_errors_come_back():
    """An exception of a call is raised in the thread that waits for its result."""
    with pytest.raises(ZeroDivisionError):
        in_worker_thread(lambda: 1 / 0)


def test_a_pool_starts_no_more_threads_than_its_size():
    """Threads are started as calls are submitted, up to the size of the pool."""
    pool = Workers(3)
    together = threading.Barrier(3)
    futures = [pool.submit(together.wait) for _ in range(3)]
    assert {0, 1, 2} == {future.result() for future in futures}
    threads = {pool.submit(threading.current_thread).result() for _ in range(9)}
    assert 1 <= len(threads) <= 3
    pool.close()
    for thread in threads:
        thread.join()


def test_close_drops_what_has_not_begun():
    """Calls that have not begun are dropped, and the one under way is not waited for."""
    pool, begun, end = Workers(1), threading.Event(), threading.Event()

    def call():
        begun.set()
        return end.wait()

    future, dropped = pool.submit(call), pool.submit(lambda: 1)
    begun.wait()
    pool.close()
    assert not future.wait(until=AGO)
    end.set()
    assert future.result()
    assert not dropped.wait(until=time.monotonic() + 0.1)


@pytest.mark.skipif(os.name == "nt", reason="POSIX signals")
def test_a_wait_can_be_interrupted_again_and_again():
    """Ctrl-C ends a wait with nothing but a KeyboardInterrupt, and waiting can go on."""
    future, interrupts, armed = Future(lambda: 7), 0, []

    def interrupt(*_):
        if armed:
            armed.clear()
            raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, 0.001, 0.0003)
    try:
        while interrupts < 300:
            try:
                armed.append(True)
                future.wait()
            except KeyboardInterrupt:
                interrupts += 1
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    threading.Thread(target=future.run).start()
    assert 7 == future.result()


@pytest.mark.skipif(os.name == "nt", reason="POSIX signals")
def test_ctrl_c_while_threads_start(monkeypatch):
    """It is a KeyboardInterrupt, not another error, and no thread goes on waiting for calls."""
    raised, caught, lost, armed = [], 0, [], []

    def interrupt(*_):
        if armed:
            armed.clear()
            raised.append(True)
            raise KeyboardInterrupt

    # Python ignores an interruption of a weak reference's callback or of a finalizer.
    monkeypatch.setattr(sys, "unraisablehook", lambda error: lost.append(error.exc_type))
    before, threads = signal.signal(signal.SIGALRM, interrupt), set(threading.enumerate())
    try:
        for turn in range(300):
            pool = Workers(2)
            try:
                armed.append(True)
                signal.setitimer(signal.ITIMER_REAL, 1e-5 + 1e-6 * turn)
                for _ in range(20):
                    pool.submit(lambda: 7)
                armed.clear()
            except KeyboardInterrupt:
                caught += 1
            pool.close()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert caught > 30
    assert caught + lost.count(KeyboardInterrupt) == len(raised)
    started = time.monotonic()
    while any(thread.is_alive() for thread in set(threading.enumerate()) - threads):
        assert time.monotonic() < started + 10
        time.sleep(0.01)


def test_threads_run_out(monkeypatch):
    """If the system has few threads they do all the work; if it has none that is an error."""
    start, started = threading.Thread.start, []

    def first_only(thread):
        if len(started) == most:
            raise RuntimeError("can't start new thread")
        started.append(thread)
        start(thread)

    monkeypatch.setattr(threading.Thread, "start", first_only)
    most = 2
    assert list(range(9)) == list(results_of([lambda n=n: n for n in range(9)], 5))
    assert 2 == len(started)
    with pytest.raises(HoldemError, match="cannot start a thread: use fewer workers"):
        next(results_of([lambda: 1], 5))


@pytest.mark.parametrize("workers", [1, 3])
def test_a_deadline(workers):
    """Results that are ready by the deadline are yielded, in order and without a gap."""
    end = threading.Event()

    def call(number):
        if number == 4:
            end.wait()
        return number

    results = results_of((partial(call, n) for n in range(100)), workers, Deadline(0.5))
    found = []
    with pytest.raises(TimeOverError):
        found.extend(results)
    end.set()
    assert found == [0, 1, 2, 3][: len(found)]


def test_before_the_deadline():
    """Work that ends before its deadline ends as if it had none."""
    calls = [lambda n=n: n for n in range(5)]
    assert [0, 1, 2, 3, 4] == list(results_of(calls, 2, Deadline(1e6)))
    assert [] == list(results_of([], 2, Deadline(0)))


def test_the_first_result_may_be_late(monkeypatch):
    """The first result is awaited beyond the deadline, so that there is one."""
    monkeypatch.setattr("holdem.jobs.run._GRACE_SECONDS", 60)
    end = threading.Event()
    late = [lambda: time.sleep(0.05) or 7, *[end.wait] * 9]
    results = results_of(late, 1, Deadline(0))
    try:
        assert next(results) == 7
        with pytest.raises(TimeOverError):
            next(results)
    finally:
        end.set()


# Each prints "begun" once it is inside work that goes on for many minutes. It writes past
# `sys.stdout`, whose lock a daemon thread could hold when the interpreter ends: CPython then
# aborts ("could not acquire lock ... at interpreter shutdown").
BEGUN = "os.write(1, b'begun\\n')"
SPIN = f"""
import holdem, os
from holdem.jobs.run import Task, ordered_results
from holdem.jobs.workers import Workers

@holdem.kernel
def spin(turns):
    found = 0
    for turn in range(turns):
        found ^= (found << 1) + turn
    return found

spin(1)
def work(_):
    {BEGUN}
    return spin(10**15)

def run(workers):
    list(ordered_results([Task(work, 1), Task(lambda _: spin(10**15), 1)], Workers(workers)))
"""
LONG_WORK = {
    "a kernel, one worker": SPIN + "run(1)",
    "a kernel, two workers": SPIN + "run(2)",
    "compilation": f"""
import holdem, os, threading
from holdem.jobs.workers import in_worker_thread
from numba.extending import overload

def asked(value):
    pass

@overload(asked)
def typed(value):
    {BEGUN}
    threading.Event().wait()

@holdem.kernel
def never_compiled(value):
    return asked(value)

in_worker_thread(lambda: never_compiled(1))
""",
    "loading an evaluator": f"""
import holdem, os, threading

def load():
    {BEGUN}
    threading.Event().wait()

holdem.register(holdem.EvaluatorSpec("late", "", "", {{5}}, load))
holdem.equity("AsKs", "QQ", board="Td9d2c", evaluator="late")
""",
}


@pytest.mark.skipif(os.name == "nt", reason="POSIX signals")
@pytest.mark.parametrize("code", LONG_WORK.values(), ids=LONG_WORK)
def test_ctrl_c(code):
    """Ctrl-C ends the program at once while work of many minutes is under way."""
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
    """Write modules, run the one named main, and return its output."""
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
    """Numba compiles a kernel while it compiles the function that calls it, without a deadlock."""
    outer = "from numba import njit\n\n@njit\ndef outer(n):\n    return twice(n)\n\n"
    assert "6\n" == run_modules(tmp_path, main=f"{KERNEL}\n{outer}print(outer(3))\n")


def test_a_kernel_that_is_called_while_its_module_is_imported(tmp_path):
    """A module can call its own kernel while it is imported, with and without cached code."""
    (tmp_path / "package").mkdir()
    (tmp_path / "package" / "__init__.py").write_text("", encoding="utf-8")
    (tmp_path / "package" / "table.py").write_text(
        f"{KERNEL}\nTABLE = twice(3)\n", encoding="utf-8"
    )
    for _ in range(2):
        main = "from package.table import TABLE\nprint(TABLE)\n"
        assert "6\n" == run_modules(tmp_path, main=main)
