"""The doors through which text enters, and the message that each gives for an input."""

import shlex
import tempfile
import warnings
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path

import holdem
from holdem.cli import run
from holdem.trials.studies.study_file import read_study


def command(*arguments):
    """Run a command, which must end with exit code 2 or 0, and raise its message as an error."""
    errors = StringIO()
    with redirect_stdout(StringIO()), redirect_stderr(errors):
        code = run(list(arguments))
    assert code in (0, 2), errors.getvalue()
    if code == 2:
        raise holdem.HoldemError(errors.getvalue().rstrip("\n"))


def with_file(name, call):
    """Return a door of a file's content: a function of its path in a directory of its own."""

    def door(text):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / name
            path.write_bytes(text.encode())
            try:
                call(path)
            except holdem.HoldemError as error:
                error.args = (str(error).replace(f"{folder}/", ""),)
                raise

    return door


#: By name, a function of the text that raises a `HoldemError`.
DOORS = {
    "cards": holdem.parse_cards,
    "hand": holdem.evaluate,
    "range": lambda text: holdem.equity(text, "22", method="monte-carlo", deals=10),
    "board": lambda text: holdem.equity("AsKs", "QQ", board=text),
    "dead": lambda text: holdem.equity("AsKs", "QQ", board="Td9d2c", dead=text),
    "option": lambda text: command("equity", "AsKs", "QQ", *shlex.split(text)),
    "players": lambda text: command("deal", "--players", text),
    "study": with_file("study.toml", read_study),
    "spots": with_file("spots.csv", lambda path: command("equities", str(path), "--errors=raise")),
    "pairs": with_file("pairs.txt", lambda path: command("compare", str(path))),
    "evaluator": lambda text: holdem.evaluate("AsKsQsJsTs", evaluator=text),
    "rules": lambda text: holdem.Range("AA", rules=text),
    "dialect": holdem.Range("AA").to_text,
}


def ask(door, text):
    """Return the message about a text, or None if it is accepted."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            DOORS[door](text)
        except holdem.HoldemError as error:
            return str(error)
    return None
