"""Options of the command line: whole numbers, unknown commands, incomplete options."""

import pytest

from holdem.cli import run
from holdem.cli.options import Count

COUNTS = {
    "1000000": 1_000_000,
    "1e6": 1_000_000,
    "1E+6": 1_000_000,
    "1m": 1_000_000,
    "1M": 1_000_000,
    "100k": 100_000,
    "1,000,000": 1_000_000,
    "1_000_000": 1_000_000,
    "1.5m": 1_500_000,
    "2.5e3": 2500,
    "12.0": 12,
    "0": 0,
    "007": 7,
    "-5": -5,
    "9" * 30: 10**30 - 1,
}


@pytest.mark.parametrize(("text", "count"), COUNTS.items())
def test_counts(text, count):
    assert count == Count().convert(text, None, None)


@pytest.mark.parametrize(
    "text",
    [
        *("1.5", "1.5e0", "0.0001k", "1e-6", "1e", "m", "", "1,00", "1,0000", "1__0", "_1"),
        *("0x10", "1 000", "ten", "1g", "1e6m", "nan", "inf", "٣", "1e100", "1" * 5000),
    ],
)
@pytest.mark.parametrize(
    "command", [("equity", "AA", "KK", "--deals"), ("evaluators", "check", "lookup", "--hands")]
)
def test_bad_counts(text, command, capsys):
    """A number that is not whole is one message that shows what is accepted."""
    assert run([*command, text]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "is not a whole number; write one as 1000000, 1,000,000, 1e6, 100k or" in captured.err
    assert len(captured.err) < 400


SAMPLED = ["AsKs", "QdQh", "--seed", "7", "-f", "csv"]


@pytest.mark.parametrize("text", ["2k", "2e3", "2,000", "2_000", "2000"])
def test_forms_of_counts(text, capsys):
    """A number of deals can be written in all forms."""
    assert run(["equity", *SAMPLED, "--method", "monte-carlo", "--deals", text]) == 0
    assert "2000" in capsys.readouterr().out


def test_counts_of_commands(capsys):
    """Every command that takes a number of deals or hands reads it in the same way."""
    for command in (
        ["head-to-head", *SAMPLED, "-n", "2k"],
        ["deal", "-f", "csv", "-n", "2k"],
        ["evaluators", "diff", "lookup", "lookup", "-n", "2k"],
        ["evaluators", "check", "lookup", "--hands", "2k"],
    ):
        assert run(command) == 0
        printed = capsys.readouterr().out
        assert "2000" in printed or "2,000" in printed


def test_bounds_of_counts(capsys):
    assert run(["evaluators", "check", "lookup", "--hands", "1e9"]) == 2
    assert "must be from 1 to 100000000, not 1000000000" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["eqity"], "holdem: no command 'eqity' (did you mean equity?); there are: equity, "),
        (["head2head"], "(did you mean head-to-head?)"),
        (["holdem"], "no command 'holdem'; there are: equity, "),
        (["evaluators", "bnch"], "no command 'bnch' (did you mean bench?); there are: check, "),
    ],
)
def test_unknown_commands(arguments, message, capsys):
    """The message names the most similar command, if there is one, and all commands."""
    assert run(arguments) == 2
    captured = capsys.readouterr()
    assert (captured.out, len(captured.err.splitlines())) == ("", 1)
    assert message in captured.err


@pytest.mark.parametrize(
    ("arguments", "command"),
    [
        (["equity", "AK", "QQ", "-d"], "equity"),
        (["equity", "AK", "QQ", "--bord", "Td9d2c"], "equity"),
        (["equity", "AK", "QQ", "--method", "exactly"], "equity"),
        (["equity", "AK", "QQ", "-f", "csv", "--explain-plan"], "equity"),
        (["run", "study.toml"], "run"),
        (["evaluators", "-f"], "evaluators"),
        (["evaluators", "check", "lookup", "--hands"], "evaluators check"),
    ],
)
def test_usage_errors(arguments, command, capsys):
    """The message names the command, and the help of the command."""
    assert run(arguments) == 2
    error = capsys.readouterr().err
    assert error.startswith(f"holdem {command}: ")
    assert error.endswith(f" (see holdem {command} --help)\n")
