"""Worker processes: results, errors, deaths, and programs that end without closing them."""

import math
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from holdem.jobs.processes import ProcessPool, WorkerDiedError, WorkersClosedError

pytestmark = pytest.mark.smoke


@pytest.fixture
def pool():
    """Return a pool of two processes, closed after the test."""
    pool = ProcessPool(2)
    yield pool
    pool.close()


def test_calls_from_threads(pool):
    """Any number of threads get their own results from two processes."""
    with ThreadPoolExecutor(5) as threads:
        roots = threads.map(lambda n: pool.call(math.isqrt, n * n), range(60))
        assert list(range(60)) == list(roots)
    assert 1 <= pool.started <= 2


def test_errors_come_back(pool):
    """An exception of the function is raised, and the process goes on."""
    with pytest.raises(ValueError, match="nonnegative"):
        pool.call(math.isqrt, -1)
    assert 3 == pool.call(math.isqrt, 9)
    assert 1 == pool.started


@pytest.mark.skipif(os.name == "nt", reason="POSIX signals")
def test_a_process_that_dies(pool):
    """The error names the exit code or the signal, and another process takes the next call."""
    with pytest.raises(WorkerDiedError, match="exit code 3"):
        pool.call(os._exit, 3)
    with pytest.raises(WorkerDiedError, match="SIGKILL"):
        pool.call(signal.raise_signal, signal.SIGKILL)
    assert 2 == pool.call(math.isqrt, 4)


def test_closing(pool):
    """Calls under way and later ones end at once."""
    errors = []

    def call():
        try:
            pool.call(time.sleep, 600)
        except WorkersClosedError as error:
            errors.append(error)

    threads = [threading.Thread(target=call) for _ in range(3)]
    for thread in threads:
        thread.start()
    while pool.started < 2:
        time.sleep(0.01)
    pool.close()
    for thread in threads:
        thread.join(60)
    assert 3 == len(errors)
    with pytest.raises(WorkersClosedError):
        pool.call(math.isqrt, 4)


def test_a_script_needs_no_main_guard(tmp_path):
    """A script that starts processes at its top level is not imported by them."""
    script = tmp_path / "script.py"
    script.write_text(
        "import math\nfrom holdem.jobs.processes import ProcessPool\n"
        "print('begun')\nprint(ProcessPool(1).call(math.isqrt, 49))\n"
    )
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, check=False)
    assert ("begun\n7\n", "", 0) == (done.stdout, done.stderr, done.returncode)


def test_a_program_ends_while_a_call_runs():
    """The end of a program does not wait for a call in a process, and leaves none behind."""
    script = """
        import os, threading, time
        from holdem.jobs.processes import ProcessPool
        pool = ProcessPool(1)
        print(pool.call(os.getpid))
        threading.Thread(target=pool.call, args=(time.sleep, 600), daemon=True).start()
        time.sleep(0.1)
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script)],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert ("", 0) == (done.stderr, done.returncode)
    end = time.monotonic() + 30
    while time.monotonic() < end:
        try:
            os.kill(int(done.stdout), 0)
        except ProcessLookupError:
            return
        time.sleep(0.1)
    pytest.fail("the process outlived the program")
