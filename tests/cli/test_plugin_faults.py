"""Faulty plugins are listed with a reason and do not affect others.

Each is a distribution of its own, found through its entry point. What an evaluator does wrong
while it ranks is in test_evaluator_*.py.
"""

import json
import os
import signal
import subprocess
import sys
from contextlib import redirect_stdout
from io import StringIO

import pytest

from faulty_plugins import FAULTS, GOOD, SPEC
from holdem.cli import run
from plugin_distributions import registry_anew, write_distribution

QUESTION = ["equity", "AsKs", "QdQh", "--board", "Td9d2c", "-f", "json", "--evaluator"]
WINS = [217, 773]


@pytest.fixture(scope="module")
def others(tmp_path_factory):
    """Return the records of all evaluators by name, without any faulty plugin."""
    with registry_anew(tmp_path_factory.mktemp("none")), redirect_stdout(StringIO()) as printed:
        assert run(["evaluators", "-f", "json"]) == 0
    return by_name(printed.getvalue())


def ask(capsys, *arguments):
    """Run a command; return exit code, standard output and standard error."""
    code = run(list(arguments))
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def listed(capsys):
    """Return the records of all evaluators by name."""
    code, answer, message = ask(capsys, "evaluators", "-f", "json")
    assert (code, message) == (0, "")
    return by_name(answer)


def by_name(answer):
    """Read records by name, without the time that each proof took."""
    records = json.loads(answer)
    for record in records:
        del record["seconds"]
    return {record["name"]: record for record in records}


def require_answer(evaluator, capsys):
    """Assert that an evaluator gives the correct result, without any message."""
    code, answer, message = ask(capsys, *QUESTION, evaluator)
    assert (code, message) == (0, "")
    assert [player["wins"] for player in json.loads(answer)["players"]] == WINS


def require_refused(evaluator, reason, capsys):
    """Assert that using an evaluator is an error with the reason, on one line, and code 2."""
    code, answer, message = ask(capsys, *QUESTION, evaluator)
    assert (code, answer) == (2, "")
    assert message == f"holdem: evaluator '{evaluator}' is broken: {reason}\n"
    assert message.strip().isprintable()


@pytest.mark.parametrize("fault", ["exits at import", "prints in its hook", "offers a name twice"])
def test_a_fault_at_the_command_line(directory, capsys, others, fault):
    """A faulty plugin is listed as broken with a reason; all others work."""
    code, reason = FAULTS[fault]
    write_distribution(directory, "plugin_faulty", code, entry="faulty")
    write_distribution(directory, "plugin_good", GOOD.format(name="good"))
    records = listed(capsys)
    record = records.pop("faulty")
    assert records.pop("good")["status"] == "active"
    assert records == others
    assert (record["status"], record["distribution"]) == ("broken", "plugin-faulty")
    assert record["reason"].startswith(reason)
    require_refused("faulty", record["reason"], capsys)
    for name in ("good", "lookup", "bitwise"):
        require_answer(name, capsys)


def test_a_name_that_two_offer(directory, capsys):
    """Of two distributions with one evaluator name, neither gets it."""
    for module in ("plugin_one", "plugin_two"):
        write_distribution(directory, module, GOOD.format(name="twin"), entry="twin")
    reason = listed(capsys)["twin"]["reason"]
    assert reason.startswith("2 plugins offer 'twin': plugin-one 1.0 and plugin-two 1.0; uninstall")
    require_refused("twin", reason, capsys)
    require_answer("bitwise", capsys)


@pytest.mark.parametrize("name", ["lookup", "reference"])
def test_a_name_of_the_engine(directory, capsys, name):
    """The name of a built-in evaluator cannot be taken by a plugin."""
    code = SPEC + f"@holdem.hookimpl\ndef holdem_evaluators():\n    return [spec('{name}')]\n"
    write_distribution(directory, "plugin_usurper", code)
    records = listed(capsys)
    assert (records[name]["status"], records[name]["distribution"]) == ("active", "holdem-engine")
    usurper = f"{name} (plugin-usurper)"
    reason = records[usurper]["reason"]
    assert reason == f"'{name}' is the name of an evaluator of holdem"
    require_refused(usurper, reason, capsys)
    require_answer(name, capsys)


# --- plugins that never return ---------------------------------------------------------

HANGS = (
    "import sys, threading\nprint('endless', file=sys.stderr, flush=True)\n"
    "threading.Event().wait()\n"
)


def start(directory, *arguments, **environment):
    """Start the command line in a new process."""
    return subprocess.Popen(
        [sys.executable, "-m", "holdem", *arguments],
        cwd=directory,
        env={**os.environ, "PYTHONPATH": str(directory), **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.mark.skipif(os.name == "nt", reason="POSIX signals")
def test_an_import_that_does_not_end(directory):
    """Ctrl-C ends the wait; the message names the plugin and how to disable it."""
    write_distribution(directory, "plugin_hangs", HANGS)
    process = start(directory, "evaluators", HOLDEM_QUIET="")
    assert process.stderr.readline() == "endless\n"
    process.send_signal(signal.SIGINT)
    out, message = process.communicate(timeout=60)
    assert (process.returncode, out) == (130, "")
    assert message.rstrip("\n") == (
        "holdem: interrupted while loading the plugin plugin-hangs of plugin-hangs 1.0;"
        " HOLDEM_DISABLE_PLUGINS=plugin-hangs disables it"
    )


@pytest.mark.parametrize(
    ("arguments", "environment"),
    [
        (["evaluate", "AsKsQsJsTs"], {}),
        (["evaluators", "--no-plugins"], {}),
        (["evaluators"], {"HOLDEM_DISABLE_PLUGINS": "plugin-hangs,peers"}),
    ],
)
def test_who_does_not_wait_for_it(directory, arguments, environment):
    """Built-in evaluators need no plugin, and a disabled plugin is not imported."""
    write_distribution(directory, "plugin_hangs", HANGS)
    process = start(directory, *arguments, **environment)
    _, message = process.communicate(timeout=300)
    assert (process.returncode, "endless" in message) == (0, False)
