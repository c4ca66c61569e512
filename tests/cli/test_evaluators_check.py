"""`holdem evaluators check`: text, JSON and exit codes."""

import json
import re

import pytest

from holdem.cli import run
from holdem.evaluation.conformance.checker import CHECKS
from holdem.evaluation.registry import REGISTRY
from plugin_distributions import offer, write_distribution

WRONG = """
def change(hands, strengths):
    if hands.shape[1] == 5:
        strengths += (np.sort(hands, axis=1)[:, :2] == [0, 3]).all(axis=1)
    return strengths
"""

FAILURE = (
    "five cards: 2c 2s 3c 3d 3h: strength 7154 (Full House, Threes full of Fours, class 309);"
    " expected: strength 7153 (Full House, Threes full of Twos, class 310);"
    " 17,296 hands are affected"
)


def test_every_check_is_listed(capsys):
    """With a name: a line for each check and the speed; exit code 0."""
    assert run(["evaluators", "check", "cactus-kev", "--hands", "500"]) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    title, head, *lines = [line for line in captured.out.splitlines() if line]
    assert title.startswith("cactus-kev 0.")
    assert title.endswith(", standard rules")
    assert head.split() == ["check", "result", "hands"]
    found = {line[:12].strip(): line[12:].split() for line in lines[:-1]}
    assert list(found) == list(CHECKS)
    assert all(cells[0] == "ok" for cells in found.values())
    assert (found["five cards"][1], found["seven cards"][1]) == ("2,598,960", "500")
    assert lines[-1].startswith("first call ")
    assert re.search(r", 7 cards [0-9.]+ [kMG]?/s$", lines[-1])


@pytest.mark.usefixtures("wide")
def test_a_failure(capsys, directory):
    """A failure shows the hand, both answers and the number of hands; exit code 1."""
    offer(directory, "mine", WRONG)
    assert run(["evaluators", "check", "mine", "--hands", "500"]) == 1
    out = capsys.readouterr().out
    assert "five cards    failed  2,598,960" in out
    # Wrong are all with 2c and 2s and neither of the other twos: C(48, 3). Of them the lowest
    # is a full house, and the next class above has fours.
    assert FAILURE in out


def test_json(capsys, directory):
    """The JSON has each evaluator, each check, and failures with their hands."""
    offer(directory, "mine", WRONG)
    assert run(["evaluators", "check", "mine", "--hands", "500", "-f", "json"]) == 1
    answer = json.loads(capsys.readouterr().out)
    assert list(answer) == ["schema", "passed", "evaluators"]
    assert (answer["schema"], answer["passed"]) == ("holdem/conformance/1", False)
    (found,) = answer["evaluators"]
    assert found["evaluator"] == {"name": "mine", "version": "1.0"}
    assert (found["rules"], found["exhaustive"], found["passed"]) == ("standard", False, False)
    assert found["first_call"] > 0
    assert set(found["hands_per_second"]) == {"5", "6", "7"}
    checks = {check["name"]: check for check in found["checks"]}
    assert list(checks) == list(CHECKS)
    failure = checks["five cards"]["failure"]
    assert set(failure) == {"hand", "answered", "expected", "affected", "at_least"}
    assert failure["hand"] == ["2c", "2s", "3c", "3d", "3h"]
    assert (failure["affected"], failure["at_least"]) == (17_296, False)
    assert checks["load"] == {"name": "load", "status": "ok", "hands": 0, "failure": None}


@pytest.mark.usefixtures("wide")
def test_all_evaluators(capsys, directory, monkeypatch):
    """Without a name all evaluators that are not disabled are checked."""
    offer(directory, "mine", WRONG)
    write_distribution(directory, "plugin_broken", "import no_such_module\n")
    monkeypatch.setenv("HOLDEM_DISABLE_PLUGINS", "bitwise")
    # Others take too long: `reference` alone takes half a minute.
    kept = ("lookup", "mine", "plugin-broken", "bitwise")
    records = [record for record in REGISTRY.records() if record.name in kept]
    monkeypatch.setattr(REGISTRY, "records", lambda: records)
    assert run(["evaluators", "check", "--hands", "20"]) == 1
    out = capsys.readouterr().out
    lines = {line.split()[0]: line for line in out.splitlines() if line}
    assert "passed" in lines["lookup"]
    assert "failed" in lines["mine"]
    assert "failed" in lines["plugin-broken"]
    assert "bitwise" not in out
    assert f"mine: {FAILURE}" in out
    assert "plugin-broken: load: ModuleNotFoundError: No module named 'no_such_module'" in out
    assert run(["evaluators", "check", "--hands", "20", "-f", "json"]) == 1
    answer = json.loads(capsys.readouterr().out)
    found = {each["evaluator"]["name"]: each["passed"] for each in answer["evaluators"]}
    assert found == {"lookup": True, "mine": False, "plugin-broken": False}


def test_a_broken_plugin(capsys, directory):
    """The title has no rules."""
    write_distribution(directory, "plugin_broken", "import no_such_module\n")
    assert run(["evaluators", "check", "plugin-broken"]) == 1
    assert capsys.readouterr().out.splitlines()[0] == "plugin-broken 1.0"


def test_exhaustive_says_how_long(capsys):
    """--exhaustive first prints the number of hands and an estimate to standard error."""
    assert run(["evaluators", "check", "short-deck", "--exhaustive", "-f", "json"]) == 0
    captured = capsys.readouterr()
    message = captured.err.splitlines()
    assert len(message) == 1
    assert message[0].startswith("holdem: checking short-deck: 10,")
    assert " hands, about " in message[0]
    (found,) = json.loads(captured.out)["evaluators"]
    hands = {check["name"]: check["hands"] for check in found["checks"]}
    assert (hands["six cards"], hands["seven cards"]) == (1_947_792, 8_347_680)
    assert found["exhaustive"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["kev"], "no evaluator 'kev'"),
        (["lookup", "--exhaustive", "--hands", "5"], "--exhaustive and --hands cannot be combined"),
        (["lookup", "--hands", "0"], "must be from 1 to 100000000, not 0"),
        (["lookup", "--seed", "-1"], "seed must be an integer"),
        (["lookup", "bitwise"], "unexpected extra argument"),
        (["cactus-kev", "--no-plugins"], "no evaluator 'cactus-kev'"),
    ],
)
def test_bad_input(arguments, message, capsys, directory):
    """Bad input is one message, with exit code 2."""
    assert run(["evaluators", "check", *arguments]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert message in captured.err
    assert "Traceback" not in captured.err


def test_ctrl_c(capsys, directory, monkeypatch):
    """After Ctrl-C the finished checks are printed; exit code 130."""
    code = """
def change(hands, strengths):
    if len(hands) > 10_000:  # first with the hands of five cards
        raise KeyboardInterrupt
    return strengths
"""
    offer(directory, "cut", code)
    assert run(["evaluators", "check", "cut"]) == 130
    captured = capsys.readouterr()
    assert captured.out == ""
    so_far = (
        "checks of cut so far: load ok, input ok, answers ok, answers kept ok, repeatable ok,"
        " classes ok\n"
    )
    assert captured.err == f"holdem: interrupted: 0 of 1 evaluators are checked; {so_far}"
    records = [record for record in REGISTRY.records() if record.name in ("lookup", "cut")]
    monkeypatch.setattr(REGISTRY, "records", lambda: records)
    assert run(["evaluators", "check", "--hands", "20", "-f", "json"]) == 130
    captured = capsys.readouterr()
    (found,) = json.loads(captured.out)["evaluators"]
    assert (found["evaluator"]["name"], found["passed"]) == ("lookup", True)
    assert captured.err == f"holdem: interrupted: 1 of 2 evaluators are checked; {so_far}"


def test_the_group_still_lists(capsys):
    """The group lists evaluators; its option --format is an error with a subcommand."""
    assert run(["evaluators", "-f", "json"]) == 0
    assert "lookup" in {record["name"] for record in json.loads(capsys.readouterr().out)}
    assert run(["evaluators", "-f", "json", "check", "lookup"]) == 2
    assert "write -f after check" in capsys.readouterr().err
    assert run(["evaluators", "chek"]) == 2
    message = "no command 'chek' (did you mean check?); there are: check, bench, diff, new"
    assert message in capsys.readouterr().err
