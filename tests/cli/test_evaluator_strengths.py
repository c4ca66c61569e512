"""Evaluators that return wrong strengths, used through the command line."""

import pytest

from plugin_commands import COMMANDS, DIRECT, require_error, require_right
from plugin_distributions import offer


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
