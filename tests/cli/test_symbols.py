"""`--symbols`: suits as symbols in text and Markdown, in colour on a terminal."""

import contextlib
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import holdem
from holdem.cli import run
from holdem.report.equity_report import equity_report
from holdem.report.formats import render
from holdem.report.hand_reports import dealt_hand_text
from holdem.report.model import Style

PAIRS = Path(__file__).parents[2] / "docs" / "examples" / "pairs.txt"
SPOT = ("-b", "Td 9d 2c", "-d", "2h", "--seed", "7")
COMMANDS = [
    ("evaluate", "AsKsQsJsTs2c3d"),
    ("equity", "AsKs:0.5,AKs,QQ+", "9s8s-7s6s", *SPOT),
    ("equity", "AsKs", "qcqh", "ADKC", "10h9h", *SPOT, "-f", "markdown"),
    ("head-to-head", "AsKs", "QQ", *SPOT, "-n", "1000"),
    ("deal", "--seed", "7"),
    ("range", "AhKd:0.5, AKs, 22"),
    ("compare", str(PAIRS), "--show"),
]
SYMBOLS = dict(zip("cdhs", "♣♦♥♠", strict=True))
ANSI = re.compile(r"\x1b\[\d+m")


def printed(capsys, *arguments):
    """Run a command, and return its output without seconds."""
    assert run(list(arguments)) == 0
    return re.sub(r"[\d.]+ s$", "… s", capsys.readouterr().out, flags=re.MULTILINE)


def with_symbols(text):
    """Replace the suits of cards: of single ones, and of combos in any spelling."""
    cards = re.compile(r"\b(?:[2-9TJQKA][cdhs]|(?i:(?:10|[2-9TJQKA])[cdhs]){2})\b")
    return cards.sub(
        lambda card: re.sub("[cdhs]", lambda suit: SYMBOLS[suit[0].lower()], card[0], flags=re.I),
        text,
    )


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0])
def test_all_cards_have_symbols(command, capsys):
    """Every card has a symbol, in columns of the same width; classes such as AKs stay as given."""
    letters = printed(capsys, *command)
    found = printed(capsys, *command, "--symbols")
    assert found == with_symbols(letters)
    assert set("♣♦♥♠") & set(found)
    assert not set("♣♦♥♠") & set(letters)
    assert ("AKs" in letters) == ("AKs" in found)


def test_option_before_the_command_and_variable(capsys, monkeypatch):
    """The option may precede the command, and HOLDEM_SYMBOLS=1 has the same effect."""
    expected = printed(capsys, "evaluate", "AsKsQsJsTs", "--symbols")
    assert "best five   A♠ K♠ Q♠ J♠ T♠" in expected.splitlines()
    assert printed(capsys, "--symbols", "evaluate", "AsKsQsJsTs") == expected
    monkeypatch.setenv("HOLDEM_SYMBOLS", "1")
    assert printed(capsys, "evaluate", "AsKsQsJsTs") == expected
    monkeypatch.setenv("HOLDEM_SYMBOLS", "0")
    assert "best five   As Ks Qs Js Ts" in printed(capsys, "evaluate", "AsKsQsJsTs")
    monkeypatch.setenv("HOLDEM_SYMBOLS", "maybe")
    assert run(["evaluate", "AsKsQsJsTs"]) == 2
    assert "'HOLDEM_SYMBOLS'): 'maybe' is not a valid boolean" in capsys.readouterr().err


@pytest.mark.parametrize("form", ["json", "csv"])
def test_data_has_letters(form, capsys):
    """JSON and CSV have the cards as letters, and ranges as given."""
    found = printed(capsys, "--symbols", "equity", "AsKs", "A♦K♦", *SPOT, "-f", form)
    assert "AsKs" in found
    assert "Td" in found
    assert set("♣♦♥♠") & set(found) == {"♦"}  # that of the range


def test_study(capsys, monkeypatch, tmp_path):
    """The results of a study have symbols in players, heroes and boards, but not in names."""
    monkeypatch.chdir(tmp_path)
    Path("study.toml").write_text(
        'deals = 16384\n[[spot]]\nname = "AsKs here"\nplayers = ["AsKs", "QQ"]\n'
        'board = "Td9d2c"\n[[grid]]\nhero = ["AhKd", "AKs"]\nopponents = [1, 1]\ndead = "2h 3s"\n'
    )
    assert run(["run", "study.toml", "--store", "store"]) == 0
    capsys.readouterr()
    words = printed(capsys, "results", "store", "--symbols").split()
    assert {"AsKs", "here", "A♠K♠", "A♥K♦", "AKs", "2♥", "3♠"} <= set(words)
    assert not {"AhKd", "2h", "3s"} & set(words)


def test_text_that_is_given_with_symbols(capsys):
    """Without the option, ranges are printed as given."""
    assert "A♦K♦" in printed(capsys, "equity", "AsKs", "A♦K♦", *SPOT)


def test_an_encoding_without_symbols():
    """Output in Latin-1 has letters."""
    done = subprocess.run(
        [sys.executable, "-m", "holdem", "evaluate", "AsKsQsJsTs", "--symbols"],
        env={**os.environ, "PYTHONIOENCODING": "latin-1"},
        capture_output=True,
        check=True,
    )
    assert b"best five   As Ks Qs Js Ts" in done.stdout.splitlines()


def test_colours_do_not_change_the_text():
    """Clubs are green, diamonds blue, hearts red; without the ANSI codes the text is the same."""
    report = equity_report(holdem.equity("AsKs", "QdQh,7c7d", board="Td9d2c"))
    coloured = render(report, "table", Style(symbols=True, colour=True))
    assert ANSI.sub("", coloured) == render(report, "table", Style(symbols=True))
    assert "A♠K♠" in coloured
    assert "board T\x1b[94m♦\x1b[39m 9\x1b[94m♦\x1b[39m 2\x1b[32m♣\x1b[39m\n" in coloured
    assert "Q\x1b[94m♦\x1b[39mQ\x1b[31m♥\x1b[39m,7\x1b[32m♣\x1b[39m" in coloured


def test_colours_of_a_winner():
    """The line of a winner is bold up to its end."""
    (hand,) = holdem.simulate(players=2, hands=1, seed=7)
    line = dealt_hand_text(hand, Style(symbols=True, colour=True)).splitlines()[2 + hand.winners[0]]
    assert line.startswith("\x1b[1m")
    assert line.endswith("wins\x1b[0m")
    assert "\x1b[0m" not in line[:-4]
    assert "\x1b[39m" in line


@pytest.mark.parametrize(
    ("settings", "form", "codes"),
    [
        ({}, "table", {"\x1b[94m", "\x1b[32m", "\x1b[36m", "\x1b[39m"}),
        ({"NO_COLOR": "1"}, "table", set()),
        ({"TERM": "dumb"}, "table", set()),
        ({}, "markdown", set()),
    ],
    ids=["terminal", "NO_COLOR", "dumb", "markdown"],
)
def test_colours_on_a_terminal(settings, form, codes):
    """A table on a terminal has colours, unless the user does not want them; Markdown has none."""
    pty = pytest.importorskip("pty")
    shown, terminal = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", "NO_COLOR": "", "PYTHONIOENCODING": "utf-8"}
    process = subprocess.Popen(
        [sys.executable, "-m", "holdem", "--symbols", "equity", "AsKs", "QQ", *SPOT, "-f", form],
        stdout=terminal,
        env=environment | settings,
    )
    os.close(terminal)
    output = b""
    with contextlib.suppress(OSError):  # raised by Linux when the other side is closed
        while part := os.read(shown, 4096):
            output += part
    os.close(shown)
    assert process.wait() == 0
    text = output.decode()
    assert "A♠K♠" in text
    assert set(ANSI.findall(text)) == codes | ({"\x1b[31m"} if codes else set())
