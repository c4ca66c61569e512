"""Evaluators that fail while they rank: a correct result, or one error that names them.

Each is a distribution of its own, found through its entry point, and asked through the
command line. Never a traceback, a wrong number, or another evaluator's trouble.
"""

import linecache
import sys

import pytest

import holdem as holdem_api
from holdem.cli import run
from holdem.plugins import given_files
from holdem.plugins import guard as plugin_guard
from plugin_commands import COMMANDS, require_error
from plugin_distributions import offer, use_new_registry


def test_calls_before_the_first_answer(directory):
    """Loading the plugin makes as many calls as the tests of later faults assume."""
    offer(directory, "mine", "")
    evaluator = holdem_api.get_evaluator("mine")
    evaluator.load()
    module = sys.modules["plugin_under_test"]
    assert module.state["calls"] == module.LOADING


# --- exceptions ------------------------------------------------------------------------

RAISES = {
    "an exception": (
        "raise ArithmeticError('over\\nflow \\x1b[31m')",
        "failed: ArithmeticError: over",
    ),
    "exit": ("raise SystemExit(0)", "failed: SystemExit: 0"),
    "stop": ("raise StopIteration", "failed: StopIteration"),
    "a generator's end": ("raise GeneratorExit", "failed: GeneratorExit"),
    "another root": ("raise type('Odd', (BaseException,), {})('odd')", "failed: Odd: odd"),
    "what Ctrl-C raises": ("raise KeyboardInterrupt", "failed: KeyboardInterrupt"),
}


@pytest.mark.parametrize("command", ["exact", "sampled"])
@pytest.mark.parametrize(("raises", "message"), RAISES.values(), ids=RAISES)
def test_it_raises_in_mid_run(raises, message, command, directory, capsys):
    """An exception of any type in any thread is one line that names the evaluator."""
    code = f"""
def change(hands, strengths):
    if state["calls"] > LOADING:
        {raises}
    return strengths
"""
    offer(directory, "mine", code)
    require_error(command, message, capsys)


# --- the whole error -------------------------------------------------------------------

TYPING_ERROR = """
def load():
    from numba import njit

    @njit
    def rank(hands):
        return np.sum(hands, axis="cards")

    return rank
"""


@pytest.mark.usefixtures("wide")
@pytest.mark.parametrize("arguments", [COMMANDS["exact"], ["evaluators", "check", "mine"]])
@pytest.mark.parametrize("shows_all", [False, True])
def test_whole_error(arguments, shows_all, directory, capsys, monkeypatch):
    """A shortened error names the option that shows the whole error with its traceback."""
    monkeypatch.setenv(plugin_guard.TRACEBACK_VARIABLE, "")
    monkeypatch.setattr(plugin_guard, "_printed", set())
    linecache.clearcache()  # has the lines of earlier plugins of this name
    offer(directory, "mine", TYPING_ERROR)
    selected = [] if arguments[0] == "evaluators" else ["--evaluator", "mine"]
    assert run([*arguments, *selected, *["--traceback"] * shows_all]) in (1, 2)
    printed = "".join(capsys.readouterr())
    assert "TypingError" in printed
    assert shows_all == ("Traceback (most recent call last)" in printed)
    assert shows_all == ('return np.sum(hands, axis="cards")' in printed)
    assert shows_all != ("… (--traceback shows all of it)" in printed)


FUNCTION_ERROR = """
def look_up(card):
    try:
        return {}[card]
    except KeyError as error:
        raise LookupError("no such card") from error


rank = holdem.evaluator("plain")(lambda cards: look_up(cards[0]))
"""


def test_traceback_of_a_function(tmp_path, capsys, monkeypatch):
    """An error in a function of one hand is shown once, with all that caused it."""
    monkeypatch.setenv(plugin_guard.TRACEBACK_VARIABLE, "")
    monkeypatch.setattr(plugin_guard, "_printed", set())
    use_new_registry(monkeypatch)
    monkeypatch.setattr(given_files, "GIVEN", {})
    file = tmp_path / "plain_function.py"
    file.write_text("import holdem\n" + FUNCTION_ERROR)
    question = ["equity", "AsKs", "QdQh", "-b", "Td9d2c", "--evaluator", "plain", "--traceback"]
    assert run(["-p", str(file), *question]) == 2
    printed = capsys.readouterr().err
    for part in ("return {}[card]", 'raise LookupError("no such card") from error'):
        assert printed.count(part) == 1
