"""Settings of the test session, which do not depend on the user, and shared fixtures."""

import contextlib
import itertools
import os
import signal
import sys

import pytest

import loopback_only

# The message about compiling depends on which tests ran before.
os.environ["HOLDEM_QUIET"] = "1"
# Without bytecode, each of hundreds of processes would compile the package's modules anew.
for name in ("HOLDEM_SYMBOLS", "COLUMNS", "PYTHONDONTWRITEBYTECODE"):
    os.environ.pop(name, None)
os.umask(0o022)  # in directories that a group can write to, no compiled code is kept
sys.addaudithook(loopback_only.reject_other_machines)

# A background job ignores Ctrl-C, and so would every process it starts.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    with contextlib.suppress(ValueError):  # not in the main thread
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_addoption(parser):
    """Add ``--evaluator NAME``."""
    parser.addoption(
        "--evaluator",
        metavar="NAME",
        help="run the tests marked `equity`, with all hands ranked by this evaluator itself",
    )


def pytest_collection_modifyitems(config, items):
    """With ``--evaluator``, leave out the tests that say nothing about an evaluator."""
    if config.getoption("--evaluator"):
        left_out = [item for item in items if not item.get_closest_marker("equity")]
        items[:] = [item for item in items if item.get_closest_marker("equity")]
        config.hook.pytest_deselected(items=left_out)


@pytest.fixture(scope="session", autouse=True)
def default_evaluator(request):
    """With ``--evaluator NAME``, let NAME answer in place of the default evaluator, directly."""
    name = request.config.getoption("--evaluator")
    if name is None:
        yield
        return
    from holdem.evaluation.registry import REGISTRY

    get, chosen = REGISTRY.get, REGISTRY.get(name).direct
    chosen.load()
    REGISTRY.get = lambda asked=None: chosen if asked is None else get(asked)
    yield
    del REGISTRY.get


@pytest.fixture(scope="session", autouse=True)
def no_network():
    """Fail the session if a test has tried to reach another machine."""
    yield
    assert loopback_only.rejected == []


@pytest.fixture
def own_registrations():
    """Unregister the evaluators, files and modules that a test registers as plugins."""
    from holdem.plugins.given_files import GIVEN
    from holdem.plugins.manager import PLUGINS

    manager = PLUGINS.load()
    before = {name for name, _ in manager.list_name_plugin()}
    yield
    for name, _ in manager.list_name_plugin():
        if name not in before and not name.startswith("holdem-builtin"):
            manager.unregister(name=name)
            manager.unblock(name)
    GIVEN.clear()
    for name in [name for name in sys.modules if "@" in name]:  # of files, with what failed before
        del sys.modules[name]


@pytest.fixture
def interrupted_at_every_line():
    """Return a function that repeats a call with Ctrl-C at each line in turn.

    It takes the call, the modules whose lines count, and of how many lines one counts. It yields
    the partial result of each `Interrupted`, until the call ends before Ctrl-C comes.
    """
    import holdem

    def interrupted(call, *modules, step=1):
        files = {module.__file__ for module in modules}
        for steps in itertools.count(1, step):
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
                    yield interruption.finished
            else:
                return
            finally:
                sys.settrace(before)

    return interrupted


@pytest.fixture
def interrupted_after(monkeypatch):
    """Return a function that raises Ctrl-C in each run after a number of finished tasks."""
    from holdem.jobs.run import ordered_results

    def interrupt(tasks_done):
        def results(*arguments):
            yield from itertools.islice(ordered_results(*arguments), tasks_done)
            raise KeyboardInterrupt

        monkeypatch.setattr("holdem.jobs.run.ordered_results", results)

    return interrupt


@pytest.fixture
def immediate_bars(monkeypatch):
    """Show progress bars at once, even of short runs, and redraw them at each update."""
    import tqdm

    class Immediate(tqdm.tqdm):
        def __init__(self, **options):
            super().__init__(**{**options, "delay": 0, "mininterval": 0})

    monkeypatch.setattr(tqdm, "tqdm", Immediate)
