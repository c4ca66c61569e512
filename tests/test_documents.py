"""Every example in README and docs is run, and prints what stands there."""

import doctest
import re
import shlex
from pathlib import Path

import pytest

from holdem.cli import run
from holdem.evaluation.registry import REGISTRY

ROOT = Path(__file__).parents[1]
DOCUMENTS = sorted(
    [
        ROOT / "README.md",
        ROOT / "CONTRIBUTING.md",
        *(ROOT / "docs").glob("*.md"),
        *(ROOT / "plugins").rglob("*.md"),
    ]
)
_FENCE = re.compile(r"^```(\w+)[^\n]*\n(.*?)^```", re.MULTILINE | re.DOTALL)


@pytest.fixture(autouse=True)
def _own_registrations(monkeypatch):
    """What an example registers is known to that example only."""
    monkeypatch.setattr(REGISTRY, "_registered", {})


def _blocks(language):
    for document in DOCUMENTS:
        text = document.read_text(encoding="utf-8")
        for number, match in enumerate(_FENCE.finditer(text)):
            if match[1] == language:
                line = text[: match.start()].count("\n") + 1
                yield pytest.param(
                    document, match[2], id=f"{document.parent.name}-{document.stem}-{line}-{number}"
                )


def _without_time(text):
    """Blank out what differs from run to run: seconds, and how many of something in one."""
    text = re.sub(r"\d+\.\d+ s\b", "… s", text)
    return re.sub(r"\d[\d.]* [GMk]?/s", "… /s", text).rstrip()


@pytest.mark.parametrize(("document", "block"), list(_blocks("console")))
def test_console_examples(document, block, capsys, monkeypatch):
    """A `$ holdem …` line prints what stands below it."""
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("COLUMNS", "100")
    commands = re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]
    assert commands, f"{document}: no command in this block"
    for command in commands:
        line, _, expected = command.partition("\n")
        words = shlex.split(line, comments=True)
        assert words[0] == "holdem", f"{document}: only holdem's own commands are run: {line}"
        run(words[1:])
        captured = capsys.readouterr()
        assert _without_time(expected) == _without_time(captured.out + captured.err), line


@pytest.mark.parametrize(
    "document",
    sorted({found.values[0] for found in _blocks("pycon")}),
    ids=lambda path: str(path.stem),
)
def test_python_examples(document):
    """The Python sessions of a document, one after the other, give the answers that stand there."""
    session = "\n".join(
        found.values[1] for found in _blocks("pycon") if found.values[0] == document
    )
    test = doctest.DocTestParser().get_doctest(session, {}, str(document), str(document), 0)
    assert test.examples
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    told = []
    runner.run(test, out=told.append)
    assert runner.failures == 0, "".join(told)


@pytest.mark.parametrize(("document", "block"), list(_blocks("python")))
def test_scripts(document, block, tmp_path, monkeypatch):
    """A script runs to its end."""
    monkeypatch.chdir(tmp_path)
    exec(compile(block, str(document), "exec"), {"__name__": "example"})
