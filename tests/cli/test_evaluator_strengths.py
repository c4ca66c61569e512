"""Evaluators that return wrong strengths, used through the command line."""

import pytest

from plugin_commands import COMMANDS, DIRECT, require_error, require_right
from plugin_distributions import offer

ANSWERS = {
    "a column": ("strengths[:, None]", "returned shape ("),
    "floats": ("strengths.astype(float)", "returned float64, not an array of integers"),
    "an array of no kind": (
        "type('Array', (), {'dtype': property(lambda self: 1 / 0)})()",
        "returned Array, not an array of integers",
    ),
}


@pytest.mark.parametrize("command", ["exact", "sampled", "head-to-head"])
@pytest.mark.parametrize(("answer", "message"), ANSWERS.values(), ids=ANSWERS)
def test_strengths_of_the_wrong_kind_in_mid_run(answer, message, command, directory, capsys):
    """A return value other than integers (hand,) is an error during a run."""
    code = f"""
def change(hands, strengths):
    return {answer} if state["calls"] > LOADING else strengths
"""
    offer(directory, "mine", code)
    require_error(command, message, capsys)


@pytest.mark.parametrize("command", COMMANDS)
def test_classes_out_of_order(command, directory, capsys):
    """An evaluator that misorders classes is rejected by every command."""
    offer(directory, "mine", "def change(hands, strengths):\n    return -strengths\n")
    message = "there is no lowball; to see all: holdem evaluators check mine\n"
    require_error(command, message, capsys)


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


DRIFTS = {
    "reversed": "-strengths",
    "all ties": "strengths * 0 + 7",
    "8 bits": "strengths.astype('u1')",
    "off the scale": "strengths.astype('u8') + np.uint64(1 << 63)",
    "by one": "strengths + 1",
    "by the call": "strengths + state['calls']",
}


@pytest.mark.parametrize(
    ("answer", "command"),
    [
        *((answer, "exact") for answer in DRIFTS.values()),
        *(("strengths + 1", command) for command in DIRECT if command != "exact"),
    ],
)
def test_another_order_in_mid_run(answer, command, directory, capsys):
    """An evaluator that becomes wrong after loading is detected."""
    code = f"""
def change(hands, strengths):
    return {answer} if state["calls"] > LOADING else strengths
"""
    offer(directory, "mine", code)
    require_error(command, "is inconsistent: ", capsys)


@pytest.mark.parametrize("command", ["exact", "sampled", "head-to-head"])
def test_another_order_late_in_a_run(command, directory, capsys):
    """An evaluator of five cards that becomes wrong after many hands is detected."""
    code = """
SIZES = {5}


def change(hands, strengths):
    state["hands"] = state.get("hands", 0) + len(hands)
    return -strengths if state["hands"] > 40_000 else strengths
"""
    offer(directory, "mine", code)
    require_error(command, "is inconsistent: ", capsys)


@pytest.mark.parametrize("sizes", ["{5}", "{5, 6, 7}"])
def test_one_array_for_all_answers(sizes, directory, capsys):
    """An evaluator that overwrites its previous return value is rejected."""
    code = f"""
SIZES = {sizes}


def change(hands, strengths):
    if len(state.setdefault("answers", np.empty(0, np.int64))) < len(hands):
        state["answers"] = np.empty(len(hands), np.int64)
    answers = state["answers"][:len(hands)]
    answers[:] = strengths
    return answers
"""
    offer(directory, "mine", code)
    require_error("exact", "returns the same array from two calls", capsys)
