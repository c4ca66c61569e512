"""Every example in README and docs runs, and prints what the document shows."""

import ast
import doctest
import re
import shlex
import tomllib

import pytest

from holdem.cli import run
from holdem.evaluation.builtin.lookup_tables import list_flush_kinds, list_rank_kinds
from holdem.rules import STANDARD
from update_examples import DOCUMENTS, ROOT, commands, is_shown

_NOT_IN_EXTRAS = ("pyspiel", "rlcard")  # heavy: one page shows them
_FENCE = re.compile(r"^```(\w+)[^\n]*\n(.*?)^```", re.MULTILINE | re.DOTALL)


pytestmark = pytest.mark.usefixtures("own_registrations")


def _blocks(language):
    for document in DOCUMENTS:
        text = document.read_text(encoding="utf-8")
        for number, match in enumerate(_FENCE.finditer(text)):
            if match[1] == language:
                line = text[: match.start()].count("\n") + 1
                yield pytest.param(
                    document, match[2], id=f"{document.parent.name}-{document.stem}-{line}-{number}"
                )


@pytest.mark.parametrize(("document", "block"), list(_blocks("console")))
def test_console_examples(document, block, capsys, monkeypatch):
    """A command prints the output shown below it."""
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("COLUMNS", "80")
    assert commands(block), f"{document}: no command in this block"
    for line, expected in commands(block):
        words = shlex.split(line, comments=True)
        assert words[0] == "holdem", f"{document}: not a command of holdem: {line}"
        run(words[1:])
        captured = capsys.readouterr()
        output = captured.out + captured.err
        assert is_shown(expected, output), f"{line}\n{output}"


@pytest.mark.parametrize(
    "document",
    sorted({found.values[0] for found in _blocks("pycon")}),
    ids=lambda path: f"{path.parent.name}-{path.stem}",
)
def test_python_examples(document):
    """The Python sessions of a document, run in order, give the results shown."""
    session = "\n".join(
        found.values[1] for found in _blocks("pycon") if found.values[0] == document
    )
    for module in _NOT_IN_EXTRAS:
        if f"import {module}" in session:
            pytest.importorskip(module)
    test = doctest.DocTestParser().get_doctest(session, {}, str(document), str(document), 0)
    assert test.examples
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    report = []
    runner.run(test, out=report.append)
    assert runner.failures == 0, "".join(report)


@pytest.mark.parametrize(("document", "block"), list(_blocks("python")))
def test_scripts(document, block, tmp_path, monkeypatch):
    """A script runs without an error."""
    monkeypatch.chdir(tmp_path)
    exec(compile(block, str(document), "exec"), {"__name__": "example"})


def test_scripts_are_listed():
    """The page of scripts lists each script that can be run, under its folder, and no other.

    Of the examples, which `test_examples` covers, it lists some.
    """
    page = (ROOT / "scripts" / "README.md").read_text(encoding="utf-8")
    listed = set()
    for section in page.split("\n## `")[1:]:
        folder, _, rows = section.partition("/`")
        listed |= {f"{folder}/{name}" for name in re.findall(r"`(\w+\.py)`", rows)}
    runnable = {
        f"{path.parent.name}/{path.name}"
        for path in (ROOT / "scripts").glob("*/*.py")
        if "__main__" in path.read_text(encoding="utf-8")
    }
    examples = {f"examples/{path.name}" for path in (ROOT / "scripts/examples").glob("*.py")}
    assert listed - examples == runnable - examples


def test_files_that_are_named():
    """The files that documents name are there, and the lines of equivalent mutants in them."""
    named = re.compile(r"`((?:holdem|plugins|scripts|tests)/[\w/]+\.\w+)`")
    names = {name for document in DOCUMENTS for name in named.findall(document.read_text("utf-8"))}
    assert [name for name in sorted(names) if not (ROOT / name).is_file()] == []
    text = (ROOT / "scripts/checks/mutation/equivalents.toml").read_text(encoding="utf-8")
    for mutant in tomllib.loads(text)["mutant"]:
        lines = (ROOT / mutant["path"]).read_text(encoding="utf-8").splitlines()
        assert mutant["before"] in map(str.strip, lines)


def _sentences(document):
    return " ".join((ROOT / document).read_text(encoding="utf-8").split())


def test_numbers_of_kinds():
    """The page of evaluators and README have the numbers of kinds of hands of standard rules."""
    five, seven = (
        len(list_rank_kinds(0, size))
        + sum(len(list_flush_kinds(0, suited)) for suited in range(5, size + 1))
        for size in (5, 7)
    )
    expected = f"{five:,} kinds of five cards by standard rules, and {seven:,} of seven"
    assert expected in _sentences("docs/evaluators/index.md")
    expected = f"{five:,} of five cards, and also {seven:,} of seven cards if it ranks seven cards"
    assert expected in _sentences("README.md")


def test_classes_of_standard_rules():
    """A sentence that gives the number of classes of standard rules names these rules."""
    number = re.compile(rf"{len(STANDARD.classes):,}\s+classes")
    sentences = []
    for document in DOCUMENTS:
        prose = _FENCE.sub("", document.read_text(encoding="utf-8"))
        sentences += [each for each in re.split(r"\n\n|\n\||\. ", prose) if number.search(each)]
    assert sentences
    assert [each for each in sentences if "standard rules" not in " ".join(each.split())] == []


@pytest.mark.parametrize(
    ("document", "claim"),
    [
        ("README.md", "Your own takes {} lines"),
        ("README.md", "The rule book in {} lines"),
        ("docs/evaluators/first.md", "The rule book in {} lines"),
    ],
)
def test_lines_of_an_evaluator(document, claim):
    """The first evaluator of the document has as many lines, without its docstring."""
    text = (ROOT / document).read_text(encoding="utf-8")
    script = next(block for _, block in _FENCE.findall(text) if "\ndef " in block)
    function = next(each for each in ast.parse(script).body if isinstance(each, ast.FunctionDef))
    count = function.end_lineno - function.body[1].lineno + 1
    assert claim.format({10: "ten", 11: "eleven"}[count]) in _sentences(document)


def test_studies_of_the_gallery_are_short():
    """README says that most studies of the gallery are under forty lines."""
    assert "studies, most of them under forty lines" in _sentences("README.md")
    studies = [*(ROOT / "scripts" / "examples").glob("*.py")]
    short = [path for path in studies if path.read_text(encoding="utf-8").count("\n") < 40]
    assert len(short) > len(studies) / 2
