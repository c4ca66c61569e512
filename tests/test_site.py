"""The sources of the documentation site are complete; `.ci/run` builds it."""

import re
from pathlib import Path

import pytest

import draw_bits
import holdem

DOCS = Path(__file__).parents[1] / "docs"
REFERENCE = [path.read_text(encoding="utf-8") for path in (DOCS / "reference").glob("*.md")]


def test_every_public_name_is_in_the_reference_once():
    entries = re.findall(
        r"^\.\. (?:auto|py:)\w+:: holdem\.(\w+)(?:\(.*\))?$", "\n".join(REFERENCE), re.M
    )
    assert sorted(set(holdem.__all__) - {"__version__"}) == sorted(entries)


@pytest.mark.parametrize("name", draw_bits.PICTURES)
def test_picture_of_bits(name):
    """The picture is current, and the page of the evaluator has it."""
    picture = draw_bits.svg(draw_bits.PICTURES[name]())
    assert picture == (draw_bits.PAGES / f"{name}.svg").read_text(encoding="utf-8")
    page = (DOCS / "evaluators" / f"{name}.md").read_text(encoding="utf-8")
    assert f":file: bits/{name}.svg" in page


def test_every_page_is_in_a_table_of_contents():
    """Each page is in the hidden table of contents of its directory's index."""
    for page in DOCS.glob("*/*.md"):
        if page.stem != "index" and page.parent.name != "examples":
            index = (page.parent / "index.md").read_text(encoding="utf-8")
            assert f"\n{page.stem}\n" in index, page
