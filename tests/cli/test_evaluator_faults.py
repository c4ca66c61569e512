"""Evaluators with a fault, at the command line: a correct result, or one error that names them.

Each is a distribution of its own, found through its entry point.
"""

import linecache
import sys

import pytest

import holdem
from holdem.cli import run
from holdem.plugins import given_files
from holdem.plugins import guard as plugin_guard
from plugin_commands import COMMANDS, DIRECT, require_error, require_right
from plugin_distributions import offer, use_new_registry


def test_calls_before_the_first_answer(directory):
    """Loading the plugin makes as many calls as the tests of later faults assume."""
    offer(directory, "mine", "")
    evaluator = holdem.get_evaluator("mine")
    evaluator.load()
    module = sys.modules["plugin_under_test"]
    assert module.state["calls"] == module.LOADING


def test_classes_out_of_order(directory, capsys):
    """An evaluator that misorders classes is rejected, with the command that shows all faults."""
    offer(directory, "mine", "def change(hands, strengths):\n    return -strengths\n")
    message = "there is no lowball; to see all: holdem evaluators check mine\n"
    require_error("by tables", message, capsys)


def test_a_scale_of_its_own(directory, capsys):
    """Strengths of any size and sign are accepted if they are in order."""
    code = "def change(hands, strengths):\n    return (strengths - 4000) * 10**15\n"
    offer(directory, "mine", code)
    for command in COMMANDS:
        require_right(command, capsys)


ARRAYS = {
    "big-endian": "strengths.astype('>i8')",
    "every third place": "np.repeat(strengths, 3)[::3]",
    "backwards": "strengths[::-1].copy()[::-1]",
    "read-only": "np.frombuffer(strengths.tobytes(), dtype=np.int64)",
    "16 bits": "strengths.astype('i2')",
    "unsigned": "strengths.astype('u8')",
    "another kind each time": "strengths.astype(['i2', 'u4', '>i8', 'u8'][state['calls'] % 4])",
    "masked": "np.ma.masked_array(strengths, mask=strengths > 3000)",
    "a class of its own": "strengths.view(type('Own', (np.ndarray,), {'max': None}))",
}


@pytest.mark.parametrize("answer", ARRAYS.values(), ids=ARRAYS)
def test_any_array_of_integers(answer, directory, capsys):
    """Arrays of any integer type, memory layout and subclass are accepted."""
    offer(directory, "mine", f"def change(hands, strengths):\n    return {answer}\n")
    for command in COMMANDS if "calls" in answer else ["exact"]:
        assert require_right(command, capsys) == ""


@pytest.mark.parametrize(
    ("answer", "command"),
    [("strengths.astype('u1')", "exact"), *(("strengths + 1", command) for command in DIRECT)],
)
def test_another_order_in_mid_run(answer, command, directory, capsys):
    """An evaluator that becomes wrong after loading is detected."""
    code = f"""
def change(hands, strengths):
    return {answer} if state["calls"] > LOADING else strengths
"""
    offer(directory, "mine", code)
    require_error(command, "is inconsistent: ", capsys)


def test_one_array_for_all_answers(directory, capsys):
    """An evaluator that overwrites its previous return value is rejected."""
    code = """
def change(hands, strengths):
    if len(state.setdefault("answers", np.empty(0, np.int64))) < len(hands):
        state["answers"] = np.empty(len(hands), np.int64)
    answers = state["answers"][:len(hands)]
    answers[:] = strengths
    return answers
"""
    offer(directory, "mine", code)
    require_error("exact", "returns the same array from two calls", capsys)


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
