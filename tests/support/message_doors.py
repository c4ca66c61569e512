"""The doors through which input enters, and the message that each gives for an input."""

import contextlib
import os
import re
import shlex
import tempfile
import tomllib
import warnings
from io import StringIO
from pathlib import Path
from unittest import mock

import numpy as np

import holdem
import holdem_abstraction
import holdem_histories
from holdem.cli import run
from holdem.plugins.given_files import GIVEN
from holdem.plugins.manager import BUILTIN
from holdem.trials.studies.study_file import read_study

PATH = Path(__file__).parents[1] / "data" / "messages.toml"

_NAMES = {
    "np": np,
    **{plugin.__name__: plugin for plugin in (holdem, holdem_abstraction, holdem_histories)},
}

#: By door and input, the messages.
MESSAGES = tomllib.loads(PATH.read_text("utf-8"))

#: By name, the files in the working directory.
FILES = MESSAGES.pop("files")


def _python(text):
    """Run Python code; what it raises, or warns of, is raised with its class in the message."""
    with (
        warnings.catch_warnings(record=True) as caught,
        contextlib.redirect_stderr(StringIO()),  # tracebacks of evaluators
    ):
        warnings.simplefilter("always", holdem.HoldemWarning)
        try:
            exec(text, dict(_NAMES))
        except (holdem.HoldemError, LookupError, AttributeError) as error:
            error.args = (f"{type(error).__name__}: {error}",)
            raise
    if caught:
        raise holdem.HoldemError(f"{caught[0].category.__name__}: {caught[0].message}")


def _command(*arguments):
    """Run a command, which must end with exit code 2 or 0, and raise its message as an error."""
    errors = StringIO()
    with contextlib.redirect_stdout(StringIO()), contextlib.redirect_stderr(errors):
        code = run(list(arguments))
    assert code in (0, 2), errors.getvalue()
    if code == 2:
        raise holdem.HoldemError(errors.getvalue().rstrip("\n"))


def _with_file(name, call):
    """Return a door of a file's content: a function of the text that the file has."""

    def door(text):
        Path(name).write_bytes(text.encode())
        call(Path(name))

    return door


#: By name, a function of the text that raises an error.
DOORS = {
    "cards": holdem.parse_cards,
    "hand": holdem.evaluate,
    "range": lambda text: holdem.equity(text, "22", method="monte-carlo", deals=10),
    "board": lambda text: holdem.equity("AsKs", "QQ", board=text),
    "dead": lambda text: holdem.equity("AsKs", "QQ", board="Td9d2c", dead=text),
    "option": lambda text: _command("equity", "AsKs", "QQ", *shlex.split(text)),
    "players": lambda text: _command("deal", "--players", text),
    "study": _with_file("study.toml", read_study),
    "spots": _with_file(
        "spots.csv", lambda name: _command("equities", str(name), "--errors=raise")
    ),
    "pairs": _with_file("pairs.txt", lambda name: _command("compare", str(name))),
    "evaluator": lambda text: holdem.evaluate("AsKsQsJsTs", evaluator=text),
    "rules": lambda text: holdem.Range("AA", rules=text),
    "dialect": holdem.Range("AA").to_text,
    "python": _python,
    "command": lambda text: _command(*shlex.split(text)),
}


@contextlib.contextmanager
def _without_new_plugins():
    """Unregister afterwards what a command registers for its process: plugins and named ranges."""
    manager = holdem.plugin_manager()
    before = {name for name, _ in manager.list_name_plugin()}
    yield
    for name in {name for name, _ in manager.list_name_plugin()} - before:
        if not name.startswith(BUILTIN):
            manager.unregister(name=name)
            GIVEN.pop(name, None)


#: Variables with which a command raises what is not its own error.
VARIABLES = {"HOLDEM_TRACEBACK": "1", "HOLDEM_QUIET": "1"}


def ask(door, text):
    """Return the message about a text, or None if it is accepted."""
    with (
        mock.patch.dict(os.environ, VARIABLES),
        tempfile.TemporaryDirectory() as folder,
        contextlib.chdir(folder),
        _without_new_plugins(),
        warnings.catch_warnings(),
    ):
        warnings.simplefilter("ignore")
        for name, content in FILES.items():
            Path(name).write_text(content, encoding="utf-8")
        try:
            DOORS[door](text)
        except (holdem.HoldemError, LookupError, AttributeError) as error:
            return str(error.args[0]) if isinstance(error, LookupError) else str(error)
    return None


def matches(expected, found):
    """Tell whether a message is that of the table, in which … stands for any text."""
    parts = map(re.escape, expected.split("…"))
    return re.fullmatch(".*".join(parts), found, re.DOTALL) is not None
