"""What the shell completes, asked as click asks for it."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.shell_completion import ShellComplete

from holdem.cli import cli, run
from plugin_distributions import write_distribution

COMMAND = """
import click
import holdem

@click.command()
@click.option("--boom", is_flag=True)
def count(boom):
    pass

@holdem.hookimpl
def holdem_commands():
    return {"count": count}
"""
RANGES = "utg-open: 77+,AQ+\nBTN/open: 22+,A2s+\nBTN/broken: QQQ\n"


def complete(*words):
    """Return what completes the last word, after the others."""
    *before, last = words
    found = ShellComplete(cli, {}, "holdem", "_HOLDEM_COMPLETE").get_completions(before, last)
    return [item.value if item.type == "plain" else (item.type, item.value) for item in found]


@pytest.mark.parametrize(
    "before",
    [
        ("equity", "AA", "--evaluator"),
        ("evaluate", "--evaluator"),
        ("evaluators", "check"),
        ("evaluators", "bench", "lookup"),
        ("evaluators", "diff", "lookup"),
        ("head-to-head", "--evaluators"),
    ],
)
def test_evaluators(before, directory):
    assert complete(*before, "s") == ["short-deck", "suit-mask"]
    assert complete(*before, "x") == []


def test_evaluators_in_a_list(directory):
    found = complete("head-to-head", "--evaluators", "lookup,cactus-kev,su")
    assert found == ["lookup,cactus-kev,suit-mask"]


def test_evaluators_of_a_file(directory, own_registrations):
    """A script that is given as a plugin counts; one that is broken is silently left out."""
    (directory / "mine.py").write_text(
        "import holdem\n\n@holdem.evaluator('mine')\ndef mine(cards):\n    return 0\n"
    )
    (directory / "broken.py").write_text("1 / 0\n")
    assert complete("-p", "mine.py", "equity", "AA", "--evaluator", "mi") == ["mine"]
    assert complete("-p", "broken.py", "equity", "AA", "--evaluator", "lo") == ["lookup"]


@pytest.mark.parametrize("command", ["equity", "deal", "head-to-head", "explain", "range", "hits"])
def test_ranges(command, directory, own_registrations):
    """Names complete at the end of a range, after the `@`; broken ones, and weights, don't."""
    (directory / "my.txt").write_text(RANGES)
    given = ("--ranges", "my.txt", command)
    assert complete(*given, "") == ["@utg-open", "@BTN/open"]
    assert complete(*given, "KK,AK:0.5,@BTN") == ["KK,AK:0.5,@BTN/open"]
    assert complete(command, "--ranges", "my.txt", "AA", "@u") == ["@utg-open"]
    for other in ("u", "AK@u", "AA,", "@x"):
        assert complete(*given, other) == []


def test_ranges_of_other_commands(directory, own_registrations):
    (directory / "my.txt").write_text(RANGES)
    assert complete("--ranges", "my.txt", "flops", "AA", "@u") == ["@utg-open"]
    build = ("--ranges", "my.txt", "abstraction", "build", "--opponent")
    assert complete(*build, "@u") == ["@utg-open"]


def test_rules(directory):
    assert complete("range", "--rules", "s") == ["standard", "short-deck"]


@pytest.mark.parametrize(
    "before", [("-p",), ("--ranges",), ("equity", "--plot"), ("run",), ("compare",), ("history",)]
)
def test_files(before, directory):
    assert complete(*before, "fi") == [("file", "fi")]


def test_commands_and_options(directory):
    """Those of plugins complete like the engine's."""
    write_distribution(directory, "plugin_counting", COMMAND, entry="counting")
    assert complete("co") == ["compare", "count"]
    assert complete("count", "--b") == ["--boom"]
    assert complete("hi") == ["hits", "history"]
    assert complete("equity", "AA", "--exp") == ["--explain-plan"]


def test_help_beside_names(directory):
    """Shells that have a place for it show it: on one line, and short."""
    (directory / "my.txt").write_text(f"long: {','.join(['AA', 'KK'] * 50)}\n")
    shell = ShellComplete(cli, {}, "holdem", "_HOLDEM_COMPLETE")
    (item,) = shell.get_completions(["--ranges", "my.txt", "equity"], "@l")
    assert item.help.startswith("AA,KK")
    assert len(item.help) == 60


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_script(shell, monkeypatch, capsys):
    """The command prints the script that the guide tells the shell to run."""
    monkeypatch.setenv("_HOLDEM_COMPLETE", f"{shell}_source")
    with pytest.raises(SystemExit) as end:
        run([])
    assert end.value.code == 0
    assert f"_HOLDEM_COMPLETE={shell}_complete" in capsys.readouterr().out


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
def test_in_bash(tmp_path, monkeypatch):
    """The shell runs the script, and gets the words that begin as the last one does."""
    monkeypatch.setenv("HOLDEM_DISABLE_PLUGINS", "1")
    code = """
        eval "$(_HOLDEM_COMPLETE=bash_source holdem)"
        COMP_WORDS=(holdem equity AsKs --evaluator lo); COMP_CWORD=4
        _holdem_completion holdem lo --evaluator
        echo "${COMPREPLY[@]}"
    """
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent), prepend=os.pathsep)
    done = subprocess.run(["bash", "--norc", "-c", code], capture_output=True)
    assert (done.stdout, done.stderr) == (b"lookup\n", b"")
