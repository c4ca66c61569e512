"""What all tests share: no setting of the user who runs them, nor of what started them."""

import contextlib
import itertools
import os
import signal
import sys
from pathlib import Path

import pytest

# Before anything is imported that could read it, and for the processes that tests start.
os.environ["HOLDEM_CONFIG"] = str(Path(__file__).parent / "data" / "no_configuration.toml")
# Whether a command finds its kernels compiled depends on what ran before it.
os.environ["HOLDEM_QUIET"] = "1"

# A job started in the background ignores Ctrl-C, and so would every process it starts.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    with contextlib.suppress(ValueError):  # not in the main thread
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture
def interrupted_at_every_line():
    """Return a function that calls something again and again, Ctrl-C at another line each time.

    It takes the call and the modules whose lines count, and yields what each `Interrupted`
    carries, until one comes when all is counted, and is a plain `KeyboardInterrupt` again.
    """
    import holdem

    def interrupted(call, *modules):
        files = {module.__file__ for module in modules}
        begun = False
        for steps in itertools.count(1):
            left = steps

            def trace(frame, event, argument):
                nonlocal left
                if frame.f_code.co_filename in files and event == "line":
                    left -= 1
                    if left == 0:
                        sys.settrace(None)
                        raise KeyboardInterrupt
                return trace

            before = sys.gettrace()
            sys.settrace(trace)
            try:
                call()
            except KeyboardInterrupt as interruption:
                if isinstance(interruption, holdem.Interrupted):
                    begun = True
                    yield interruption.finished
                elif begun:
                    return
            finally:
                sys.settrace(before)

    return interrupted


@pytest.fixture
def interrupted_after(monkeypatch):
    """Return a function that makes Ctrl-C come once so many tasks of each run are done."""
    from holdem.jobs.workers import ordered_results

    def interrupt(tasks_done):
        def results(*arguments):
            yield from itertools.islice(ordered_results(*arguments), tasks_done)
            raise KeyboardInterrupt

        monkeypatch.setattr("holdem.jobs.run.ordered_results", results)

    return interrupt
