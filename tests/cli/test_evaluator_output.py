"""Evaluators that print: standard output has the result and nothing else."""

import json

import pytest

from plugin_commands import COMMANDS, ask, figures, holdem, require_right
from plugin_distributions import OTHERS, offer

PRINTS = {
    "print": "print('hello', len(hands))",
    "in pieces": "import sys; sys.stdout.writelines(['{', 'hello']); sys.stdout.flush()",
    "bytes": "import sys; sys.stdout.buffer.write(b'hello')",
}


@pytest.mark.parametrize(
    ("prints", "command"),
    [
        *((prints, "exact") for prints in PRINTS.values()),
        *((PRINTS["print"], command) for command in COMMANDS if command != "exact"),
    ],
)
def test_it_prints(prints, command, directory, capsys):
    """Output of an evaluator goes to standard error and does not change the result."""
    code = f"def change(hands, strengths):\n    {prints}\n    return strengths\n"
    offer(directory, "mine", code)
    assert "hello" in require_right(command, capsys)


# Prints wherever it can: at import, in the hook's module, in load, in every call, past
# Python, from a thread of its own, and when the program ends.
CHATTY = """
import atexit
import os
import threading

print("import")
os.write(1, b"import, past Python\\n")
atexit.register(print, "exit")
atexit.register(os.write, 1, b"exit, past Python\\n")
real_load = load


def load():
    print("load")
    return real_load()


def change(hands, strengths):
    print("call")
    os.write(1, b"call, past Python\\n")
    thread = threading.Thread(target=print, args=("thread",))
    thread.start()
    thread.join()
    return strengths
"""


def test_it_prints_wherever_it_can(directory, capsys):
    """Standard output has only the result, whenever and however an evaluator prints.

    What Python prints at import is left out: the list of evaluators shows it.
    """
    expected = ask("sampled", "lookup", capsys)[1]
    offer(directory, "mine", CHATTY)
    arguments = [*COMMANDS["sampled"], "--seed", "7", "--evaluator", "mine", "-f", "json"]
    done = holdem(directory, *arguments)
    assert done.returncode == 0, done.stderr
    assert figures(done.stdout) == figures(expected)
    message = done.stderr.splitlines()
    for line in ("load", "thread", "import, past Python"):
        assert line in message
    for line in ("call", "exit"):
        assert line in message
        assert f"{line}, past Python" in message
    assert "import" not in message


def test_lists_and_errors_stay_clean_too(directory):
    """The list of evaluators is valid JSON although one prints at import."""
    offer(directory, "mine", CHATTY)
    done = holdem(
        directory, "evaluators", "-f", "json", HOLDEM_QUIET="", HOLDEM_DISABLE_PLUGINS=OTHERS
    )
    assert "mine" in {record["name"] for record in json.loads(done.stdout)}
    note = "holdem: note: the plugin plugin-under-test prints while it is imported: 'import'"
    assert note in done.stderr.splitlines()
    done = holdem(directory, "evaluators", "check", "mine", "--hands", "10", "-f", "json")
    assert done.returncode == 1
    (found,) = json.loads(done.stdout)["evaluators"]
    failed = {check["name"]: check["failure"] for check in found["checks"] if check["failure"]}
    assert set(failed) == {"output"}
    assert failed["output"]["answered"].startswith("it wrote 'call, past Python call, past ")
