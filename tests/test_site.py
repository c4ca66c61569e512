"""The sources of the documentation site are complete; `.ci/run` builds it."""

import re
from importlib import import_module
from pathlib import Path

import click
import pytest

import draw_bits
import holdem
from holdem.cli import cli
from holdem.plugins import bundled

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGES = [*ROOT.glob("*.md"), *DOCS.rglob("*.md"), *(ROOT / "plugins").rglob("*.md")]
REFERENCE = [path.read_text(encoding="utf-8") for path in (DOCS / "reference").glob("*.md")]


def _public_names():
    """Return the public names of the engine and of the bundled features."""
    features = [import_module(plugin) for plugin in set(bundled.NAMES.values())]
    names = [name for package in (holdem, *features) for name in package.__all__]
    return sorted({*names} - {"__version__"})


def test_every_public_name_is_in_the_reference_once():
    entries = re.findall(
        r"^\.\. (?:auto|py:)\w+:: holdem\w*\.(?:plugins\.)?(\w+)(?:\(.*\))?$",
        "\n".join(REFERENCE),
        re.M,
    )
    assert _public_names() == sorted(entries)


def test_the_page_on_stability_lists_public_names_once():
    """What may change is public and listed once: all other public names are promised to stay."""
    page = (DOCS / "reference" / "stability.md").read_text(encoding="utf-8")
    rows = "".join(line for line in page.splitlines() if line.startswith("| "))
    listed = [name for name in re.findall(r"`(\w+)`", rows) if not name.startswith("holdem_")]
    others = {"auto", "save", "holdem"}  # words of sentences
    named = [name for name in listed if name not in others]
    assert len(named) > 30
    assert len({*named}) == len(named)
    assert {*named} <= {*_public_names()}


def test_one_page_has_every_name_and_command_with_an_example():
    page = (DOCS / "guide" / "all.md").read_text(encoding="utf-8")
    examples = "\n".join(re.findall(r"^```\w+\n(.*?)^```", page, re.M | re.S))
    commands = cli.list_commands(click.Context(cli))
    functions = [name for name in _public_names() if name.islower()]
    listed = re.findall(r"`(?:holdem\w*\.)?([\w-]+)`", page)
    assert sorted({*_public_names(), *commands} - {*listed}) == []
    assert set(commands) <= {*re.findall(r"^\$ holdem ([\w-]+)", examples, re.M)}
    called = re.findall(r"\b\w+\.(\w+)", examples)
    assert set(functions) - {"warm_up"} <= {*called}  # the command warm-up stands for it


@pytest.mark.parametrize("name", draw_bits.PICTURES)
def test_picture_of_bits(name):
    """The picture is current, and a page of evaluators has it."""
    picture = draw_bits.svg(draw_bits.PICTURES[name]())
    assert picture == (draw_bits.PAGES / f"{name}.svg").read_text(encoding="utf-8")
    pages = [page.read_text(encoding="utf-8") for page in (DOCS / "evaluators").glob("*.md")]
    assert any(f":file: bits/{name}.svg" in page for page in pages)


def test_every_page_is_in_a_table_of_contents():
    """Each page is in the hidden table of contents of its directory's index."""
    for page in DOCS.glob("*/*.md"):
        if page.stem != "index" and page.parent.name != "examples":
            index = (page.parent / "index.md").read_text(encoding="utf-8")
            assert f"\n{page.stem}\n" in index, page


def _anchors(page):
    """Return the anchors of a page's headings, as on GitHub and on the site."""
    headings = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.M)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_relative_links(page):
    """They lead to files and headings of the checkout, not to pages that only the site has."""
    text = re.sub(r"^```.*?^```|`[^`\n]*`", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
    dead = []
    for link in re.findall(r"\]\(([^)\s]+)", text):
        if re.match(r"\w+:", link):
            continue
        file, _, anchor = link.partition("#")
        target = (page.parent / file).resolve() if file else page
        is_generated = target.is_relative_to(DOCS / "gallery")
        if is_generated or not target.exists() or (anchor and anchor not in _anchors(target)):
            dead.append(link)
    assert [] == dead
