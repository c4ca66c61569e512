"""Strategies of plugins: by name, from files, and what their checks find."""

import json
import re
from types import SimpleNamespace

import numpy as np
import pytest

import holdem
from holdem.cli import run
from holdem.matches.strategy_checks import check_strategy
from holdem.plugins import given_files
from plugin_distributions import use_new_registry

MINE = """
import numpy as np

import holdem


@holdem.strategy("{name}")
def mine(decision):
    \"\"\"Raises by {size} big blinds.\"\"\"
    return np.full(len(decision), {size} * decision.big_blind)
"""


@pytest.fixture
def manager(monkeypatch):
    monkeypatch.setattr(given_files, "GIVEN", {})
    use_new_registry(monkeypatch)
    return holdem.plugin_manager()


def offer(manager, answer):
    plugin = SimpleNamespace(holdem_strategies=holdem.hookimpl(lambda: answer))
    manager.register(plugin, "mine")


@holdem.strategy("mine")
def mine(decision):
    """Calls."""
    return np.zeros(len(decision))


def test_a_name_is_the_function_of_the_plugin(manager):
    offer(manager, [mine])
    by_name = holdem.play(["mine", "tight"], hands=500, seed=7)
    assert by_name.strategies == holdem.play([mine, "tight"], hands=500, seed=7).strategies
    found = {record.name: record for record in holdem.strategies()}
    assert found["mine"].summary == "Calls."
    assert found["tight"].distribution == "holdem-engine"


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (5, "holdem_strategies returned 5, and not a list of functions decorated"),
        ([len], "and not a list of functions decorated with @holdem.strategy"),
        ([mine, mine], "it offers 'mine' twice"),
    ],
)
def test_a_wrong_answer_breaks_its_plugin_only(manager, answer, message):
    offer(manager, answer)
    (broken,) = [record for record in holdem.strategies() if record.status == "broken"]
    assert broken.name == "mine"
    assert message in broken.reason
    with pytest.raises(holdem.HoldemError, match=r"no strategy 'mine'; .*broken"):
        holdem.play(["mine", "caller"], hands=10)
    assert holdem.play(["tight", "caller"], hands=10, seed=1).hand_count == 10


def test_names_of_others_are_refused(manager, tmp_path, monkeypatch, capsys):
    """A bundled name can't be taken; of two plugins of one name, neither is meant."""
    offer(manager, [holdem.Strategy("tight", mine.function)])
    records = {record.name: record for record in holdem.strategies()}
    assert [records["tight"].status, records["mine"].status] == ["active", "broken"]
    manager.unregister(name="mine")
    offer(manager, [mine])
    manager.register(SimpleNamespace(holdem_strategies=holdem.hookimpl(lambda: [mine])), "again")
    with pytest.raises(holdem.HoldemValueError, match="'mine': 2 plugins offer it"):
        holdem.play(["mine", "caller"], hands=10)

    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text(MINE.format(name="tight", size=3), encoding="utf-8")
    assert run(["-p", "mine.py", "play", "tight", "caller", "-n", "100"]) == 2
    told = "holdem: plugin 'mine.py': 'tight' is a strategy of holdem itself: choose another name"
    assert told in capsys.readouterr().err


def test_an_unknown_name_says_which_there_are(manager):
    with pytest.raises(
        holdem.HoldemValueError, match=r"'tigth' \(did you mean tight\?\); .*: aggressive, caller,"
    ):
        holdem.play(["tigth", "caller"], hands=10)
    manager.set_blocked("players")
    with pytest.raises(holdem.HoldemValueError, match="plugins offer: none"):
        holdem.play(["tight", "caller"], hands=10)


def test_a_file_offers_what_it_decorates(manager, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text(MINE.format(name="raiser", size=3), encoding="utf-8")
    assert run(["-p", "mine.py", "strategies"]) == 0
    shown = capsys.readouterr().out
    assert re.search(r"^raiser +mine\.py sha256:\w+ +Raises by 3", shown, re.MULTILINE)
    assert run(["-p", "mine.py", "play", "raiser", "caller", "-n", "100", "--seed", "7"]) == 0
    assert "100 hands of 50 deals with 2 line-ups, seed 7" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["", "Tight", "two words", 5])
def test_a_name_that_cannot_be_typed_is_refused(name):
    with pytest.raises((holdem.HoldemValueError, holdem.HoldemTypeError), match="strategy"):
        holdem.strategy(name)


def draw_lots(decision):
    return np.where(np.random.default_rng().random(len(decision)) < 0.5, 0, -1)


def by_place(decision):
    return np.where(np.arange(len(decision)) % 2, 0, -1)


def by_count(decision):
    return np.full(len(decision), 0 if len(decision) % 2 else -1)


class Counter:
    """Plays by how many decisions it has made before."""

    def __init__(self):
        self.seen = 0

    def __call__(self, decision):
        self.seen += len(decision)
        return np.full(len(decision), -(self.seen % 2))


class Memory:
    """Folds to a second raise in a hand, which it remembers."""

    def start(self, games):
        self.raised = np.zeros(games, dtype=bool)

    def __call__(self, decision):
        before = self.raised[decision.game]
        self.raised[decision.game] |= decision.raises > 0
        return np.where(before & (decision.to_call > 0), -1, 0)


@pytest.mark.parametrize(
    ("function", "failing"),
    [
        (draw_lots, {"same again", "repeatable", "order", "batches"}),
        (by_place, {"order", "batches"}),
        (by_count, {"batches"}),
        (Counter(), {"same again", "batches"}),
        (lambda decision: ["call"] * len(decision), {"plays"}),
        (Memory(), set()),
    ],
)
def test_checks_find_strategies_that_depend_on_more_than_the_hand(function, failing):
    checked = check_strategy(holdem.Strategy("mine", function), seed=1)
    assert {check.name for check in checked.checks if check.failure} == failing
    assert checked.passed == (not failing)
    for check in checked.checks:
        assert not check.failure or "position" in check.failure or "again" in check.failure


def test_bundled_strategies_pass_and_are_shown(capsys):
    assert run(["strategies", "check", "-f", "json"]) == 0
    assert '"failure": ""' in capsys.readouterr().out
    assert run(["strategies", "check", "caller"]) == 0
    shown = capsys.readouterr().out
    assert "six seats against itself" in shown
    assert "batches     ok" in shown


def test_checks_that_could_not_be_made(manager, capsys):
    """What was never asked is not said to be right."""
    offer(manager, [holdem.strategy("mine")(lambda decision: 1 / 0)])
    assert run(["strategies", "check", "mine"]) == 1
    shown = capsys.readouterr().out
    for line in ("plays       FAILED", "repeatable  -", "order       -", "batches     -"):
        assert line in shown
    assert "plays: strategy 'mine' failed in line" in shown


def test_the_command_takes_a_big_blind_ante(capsys):
    options = ["-n", "600", "--seed", "3", "-f", "json"]
    assert run(["play", "tight", "caller", "random", "--big-blind-ante", "2", *options]) == 0
    found = json.loads(capsys.readouterr().out)["strategies"]
    seats = ["tight", "caller", "random"]
    expected = holdem.play(seats, big_blind_ante=2, hands=600, seed=3).to_dict()["strategies"]
    without = holdem.play(seats, hands=600, seed=3).to_dict()["strategies"]
    assert found == expected != without
