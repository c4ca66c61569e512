"""What tests of trials share."""

import itertools
import sys

import pytest

import holdem


@pytest.fixture
def interrupted_at_every_line():
    """Return a function that calls something again and again, Ctrl-C at another line each time.

    It takes the call and the modules whose lines count, and yields what each `Interrupted`
    carries, until one comes when all is counted, and is a plain `KeyboardInterrupt` again.
    """

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
