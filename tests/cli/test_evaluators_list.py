"""`holdem evaluators`: the list of active, disabled and broken evaluators."""

import pytest

from holdem.cli import run
from plugin_distributions import OTHERS, offer, registry_anew, write_distribution

# Has a name of a built-in evaluator, one of another plugin's, and one of its own.
USURPER = """
import holdem


def load():
    from holdem.evaluation.builtin.reference import rank_batch

    return rank_batch


SPECS = [holdem.EvaluatorSpec(n, "for a test", "a test", {5}, load) for n in ("lookup", "twin")]


@holdem.hookimpl
def holdem_evaluators():
    return [*SPECS, holdem.EvaluatorSpec("own", "for a test", "a test", {5}, load)]
"""


@pytest.fixture
def directory(tmp_path):
    """Return a directory in which distributions are found."""
    with registry_anew(tmp_path):
        yield tmp_path


@pytest.fixture
def troubled(directory, monkeypatch):
    """Install plugins with equal names and one that cannot be imported; disable most others."""
    offer(directory, "twin", "", module="plugin_one")
    write_distribution(directory, "plugin_usurper", USURPER)
    write_distribution(directory, "plugin_broken", "import no_such_module\n", version="0.3")
    monkeypatch.setenv("HOLDEM_DISABLE_PLUGINS", OTHERS.replace("bitwise,", ""))


TWINS = (
    "2 plugins offer 'twin': plugin-one 1.0 and plugin-usurper 1.0; uninstall all but one, or"
    " disable entry points with HOLDEM_DISABLE_PLUGINS"
)


@pytest.mark.usefixtures("wide")
def test_the_table_says_why(troubled, capsys):
    """The table has statuses and distributions, the text below it sources and reasons."""
    assert run(["evaluators"]) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    table, _, below = captured.out.partition("\n\n")
    statuses = {line.split("  ")[0]: line.split("  ")[1:] for line in table.splitlines()[1:]}
    cells = {name: [cell.strip() for cell in rest if cell] for name, rest in statuses.items()}
    assert cells["lookup"][0] == cells["own"][0] == cells["bitwise"][0] == "active"
    assert cells["own"][2] == "plugin-usurper 1.0"
    assert cells["twin"][0] == cells["lookup (plugin-usurper)"][0] == "broken"
    assert cells["plugin-broken"] == ["broken", "plugin-broken 0.3"]
    assert cells["dead-horse"][0] == "disabled"
    reasons = below.splitlines()
    assert "own: a test" in reasons
    assert f"twin: broken: {TWINS}" in reasons
    assert (
        "lookup (plugin-usurper): broken: 'lookup' is the name of an evaluator of holdem" in reasons
    )
    assert (
        "plugin-broken: broken: ModuleNotFoundError: No module named 'no_such_module'"
        " (importing plugin_broken)"
    ) in reasons
    assert "dead-horse: disabled: by HOLDEM_DISABLE_PLUGINS" in reasons
