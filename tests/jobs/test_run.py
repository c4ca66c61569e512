"""The loop that runs jobs: order, early end, deadline, batch sizes and Ctrl-C."""

import subprocess
import sys
import threading

import pytest

from holdem.errors import Interrupted
from holdem.jobs.run import BatchSize, Job, Task, run, run_inline
from holdem.jobs.workers import Workers, WorkersClosedError

pytestmark = pytest.mark.smoke


class Count(Job):
    """A job that collects the numbers 0, 1, ... and ends early at `enough`."""

    unit = "numbers"

    def __init__(self, total, enough=None):
        self.total = total
        self.enough = enough
        self.prepared_in = None
        self.numbers = []

    def prepare(self):
        self.prepared_in = threading.current_thread()

    def call(self, number, workers):
        return number

    def tasks(self):
        for number in range(self.total):
            yield Task(lambda workers, number=number: self.call(number, workers), 1)

    def add(self, part):
        self.numbers.append(part)
        return part == self.enough

    def answer(self, end):
        return end, self.numbers

    def partial_answer(self):
        return self.numbers


@pytest.mark.parametrize("workers", [1, 2, 7])
def test_results_are_added_in_order(workers):
    """Results are added in the order of the tasks, however many workers there are."""
    assert ("complete", list(range(50))) == run(Count(50), workers)
    assert ("complete", [0, 1, 2, 3]) == run(Count(50, enough=3), workers)
    assert ("complete", []) == run(Count(0), workers)


def test_inline():
    """A short job runs in the current thread, with the same answer."""
    job = Count(9)
    job.call = lambda number, workers: (number, threading.current_thread())
    end, parts = run_inline(job)
    assert ("complete", list(range(9))) == (end, [number for number, _ in parts])
    assert {threading.current_thread()} == {thread for _, thread in parts}


def test_preparation_runs_in_a_worker_thread():
    """What may compile does not run in the main thread, where Ctrl-C would be lost."""
    job = Count(1)
    run(job, 1)
    assert job.prepared_in not in (None, threading.main_thread())


def test_a_deadline_ends_a_run(monkeypatch):
    """After the deadline the answer is made of the results until then."""
    monkeypatch.setattr("holdem.jobs.run._GRACE_SECONDS", 60)
    job, released = Count(3), threading.Event()
    job.call = lambda number, workers: number if number == 0 else released.wait() and number
    assert ("time", [0]) == run(job, 1, seconds=0.2)
    released.set()


def test_ctrl_c_carries_the_partial_answer():
    """Ctrl-C ends a run with the results that were added before."""
    job = Count(9)

    def add(part):
        if part == 4:
            raise KeyboardInterrupt
        return Count.add(job, part)

    job.add = add
    with pytest.raises(Interrupted) as caught:
        run(job, 2)
    assert [0, 1, 2, 3] == caught.value.finished


def test_partial_answers_while_a_job_runs(monkeypatch):
    """`on_partial` gets the answer so far, after the first task and then at intervals."""
    seen = []
    monkeypatch.setattr("holdem.jobs.run._PARTIAL_SECONDS", 60)
    run(Count(50), 2, on_partial=lambda numbers: seen.append(len(numbers)))
    assert seen == [1]
    monkeypatch.setattr("holdem.jobs.run._PARTIAL_SECONDS", 0)
    seen.clear()
    run(Count(50), 2, on_partial=lambda numbers: seen.append(len(numbers)))
    assert list(range(1, 51)) == seen


def test_an_error_of_a_task_is_raised():
    """An exception of a task ends the run and is raised as it is."""
    job = Count(3)
    job.call = lambda number, workers: 1 // (1 - number)
    with pytest.raises(ZeroDivisionError):
        run(job, 2)


def test_tasks_receive_the_workers_of_the_run():
    """Every task is called with the same workers, which are closed at the end."""
    job = Count(5)
    job.call = lambda number, workers: workers
    _, seen = run(job, 3)
    assert 1 == len(set(seen))
    assert 3 == seen[0].count
    with pytest.raises(WorkersClosedError):
        seen[0].require_open()


def test_a_run_within_another_ends_with_it():
    """A run in a task ends when the workers of the other run are closed."""
    with Workers(1) as outer:
        assert run(Count(3), 1, within=outer) == ("complete", [0, 1, 2])
    job = Count(3)
    with pytest.raises(WorkersClosedError):
        run(job, 1, within=outer)
    assert job.numbers == []


def test_batch_sizes_follow_the_time():
    """Fast batches grow, slow ones shrink, and none is smaller than the first."""
    size = BatchSize(16)
    size.update(16, 0.001)
    assert 128 == size.size
    size.update(128, 0.5)
    assert 256 == size.size
    size.update(256, 3.0)
    assert 256 == size.size
    size.update(256, 20.0)
    assert 128 == size.size
    for _ in range(9):
        size.update(size.size, 20.0)
    assert 16 == size.size


def test_progress_in_a_notebook():
    """There, the bar is a widget."""
    pytest.importorskip("ipywidgets")
    code = (
        "import builtins, sys, types, IPython\n"
        "builtins.__IPYTHON__ = True\n"
        "kernel = types.SimpleNamespace(config={'IPKernelApp': {}})\n"
        "IPython.get_ipython = lambda: kernel\n"  # versions of tqdm look at this, or at that
        "sys.modules['ipykernel.zmqshell'] = types.ModuleType('zmqshell')\n"
        "from holdem.jobs.run import progress_bar\n"
        "with progress_bar(True, 'deals', 3) as bar:\n"
        "    bar.update(2)\n"
        "    print(type(bar).__mro__[1].__module__, bar.n)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("tqdm.notebook 2\n", "")
