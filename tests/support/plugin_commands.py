"""Commands that use `mine`, an evaluator of a plugin, and assertions on their results."""

import json

from holdem.cli import run

PAIRS = "7c5d4h3s2c | KdQsJcTh9s\nAsKsQsJsTs 2c2d2h2s3c\n"
COMMANDS = {
    "evaluate": ["evaluate", "As Ks Qs Js Ts 2c 3d"],
    "by tables": ["equity", "AsKs", "QdQh", "--board", "Td9d2c"],
    "exact": ["equity", "AsKs", "QdQh", "--board", "Td9d2c", "--direct"],
    "sampled": ["equity", "AsKs", "QdQh", "--method", "monte-carlo", "--deals", "9000", "--direct"],
    "head-to-head": ["head-to-head", "AsKs", "QdQh", "--deals", "9000", "--direct"],
    "compare": ["compare", "pairs.txt"],
}
#: Those whose hands the evaluator ranks itself.
DIRECT = [command for command in COMMANDS if command != "by tables"]
SEEDED = {"sampled": ["--seed", "7", "-j", "2"], "head-to-head": ["--seed", "7", "-j", "2"]}


def ask(command, evaluator, capsys):
    """Run a command; return exit code, standard output and standard error."""
    code = run(
        [*COMMANDS[command], *SEEDED.get(command, ()), "--evaluator", evaluator, "-f", "json"]
    )
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def figures(answer):
    """Return a result without the values that depend on the evaluator or the run."""
    found = json.loads(answer)
    return {key: found[key] for key in found if key not in ("evaluator", "elapsed", "strength")}


def require_right(command, capsys):
    """Assert that `mine` gives the same result as `lookup`, and return standard error."""
    code, expected, message = ask(command, "lookup", capsys)
    assert (code, message) == (0, "")
    code, answer, message = ask(command, "mine", capsys)
    assert code == 0, message
    assert json.loads(answer)["evaluator"] == {"name": "mine", "version": "1.0"}
    assert figures(answer) == figures(expected)
    return message


def require_error(command, expected, capsys):
    """Assert one line that names the evaluator, exit code 2, and that `lookup` still works."""
    code, answer, message = ask(command, "mine", capsys)
    assert (code, answer) == (2, "")
    assert message.startswith("holdem: evaluator 'mine'")
    assert expected in message
    assert message.count("\n") == 1
    assert message.strip().isprintable()
    assert ask(command, "lookup", capsys)[0] == 0
