"""The pages on the articles are current, complete, and two clicks from README."""

import re
from pathlib import Path

import numpy as np
import pytest

import holdem
import make_methods_page
import measure_articles
from articles import example
from articles.example import Example
from plugin_figures import figure, put_block

ROOT = make_methods_page.ROOT
PAGE = make_methods_page.PAGE.read_text(encoding="utf-8")


def _links(path):
    """Return the paths of the files that a page links to."""
    text = path.read_text(encoding="utf-8")
    targets = [target for target in re.findall(r"\]\(([^)\s]+)\)", text) if "://" not in target]
    return {(path.parent / target.partition("#")[0]).resolve() for target in targets}


def test_pages_are_current():
    """The generated tables are current."""
    assert PAGE == make_methods_page.with_tables(PAGE)
    readme = make_methods_page.README.read_text(encoding="utf-8")
    articles = make_methods_page.articles_table()
    assert put_block(readme, f"{make_methods_page.COMMAND}: articles", articles) == readme
    examples = make_methods_page.EXAMPLES_PAGE.read_text(encoding="utf-8")
    assert examples == make_methods_page.with_examples(examples)


def test_bytes_of_the_tables_of_lookup():
    """Its page has the number of the table of all evaluators."""
    size = re.search(r"\| `lookup`, the default \| ([\d,]+) \|", PAGE)[1]
    page = (ROOT / "docs" / "evaluators" / "lookup.md").read_text(encoding="utf-8")
    assert f"take {size} bytes" in " ".join(page.split())


@pytest.mark.parametrize("name", make_methods_page.ARTICLES)
def test_examples_agree_or_have_a_reason(name):
    """Every example of an article has the article's answer, or a reason for another one."""
    examples = list(make_methods_page.ARTICLES[name]())
    assert len(examples) > 30
    for each in examples:
        assert each.agrees or each.reason, each


def test_difference_without_reason():
    with pytest.raises(ValueError, match="two cards: 1, but here 2"):
        example.table([Example("two cards", 1, 2)])


def test_table_of_examples():
    """Long answers are abbreviated, empty names are shown, reasons follow the verdict."""
    names = ("a", "", *"bcdef")
    examples = [
        Example("names", names, names),
        Example("sum", 3, 4, "carry"),
        Example("bits", *["0" * 40] * 2),
    ]
    rows = example.table(examples, all_of_them=True).splitlines()[2:]
    assert rows == [
        "| names | a, –, … f (7 entries) | a, –, … f (7 entries) | yes |",
        "| sum | 3 | 4 | **no**: carry |",
        f"| bits | {'0' * 40} | the same | yes |",
    ]
    shown = example.table(examples).splitlines()[2:]
    assert shown == ["| sum | 3 | 4 | **no**: carry |", "", "2 more examples agree."]


def test_articles_of_specs():
    """The source of each evaluator has the title and the author that the page has."""
    sources = {record.name: record.source for record in holdem.evaluators()}
    for name, title, author in (
        (
            "bitwise",
            "A Poker hand analyzer in JavaScript using bit & mathematical operations",
            "subskybox",
        ),
        ("suit-mask", "More Bit Representations", ""),
        ("cactus-kev", "Porting a Poker Hand Evaluator from C to Factor", "Aaron Bull Schaefer"),
        ("dead-horse", "DeadHorseEval", ""),
    ):
        assert f"“{title}”" in sources[name]
        assert author in sources[name]
        assert f"[{title}](#{name})" in PAGE
        assert f"| {author or 'not named'} | `{name}`" in PAGE


def test_two_clicks():
    """README links to the page, which links to each plugin of an article, and these link back."""
    assert make_methods_page.PAGE in _links(ROOT / "README.md")
    first_screen = (ROOT / "README.md").read_text(encoding="utf-8").partition("\n## ")[0]
    assert "](docs/evaluators/methods.md)" in first_screen
    targets = _links(make_methods_page.PAGE)
    packages = ("bitwise", "cactus_kev", "dead_horse", "suit_mask")
    for path in (ROOT / "plugins" / f"holdem_{package}" / "README.md" for package in packages):
        assert path in targets
        assert {make_methods_page.PAGE, ROOT / "README.md"} <= _links(path)


def test_missing_mark():
    with pytest.raises(ValueError, match=r"no mark '<!-- python x\.py -->'"):
        put_block("# A page\n", "python x.py", "content")


@pytest.mark.parametrize("name", ["absent", "twice"])
def test_figure_of_one_row_only(name, tmp_path):
    page = Path(tmp_path, "page.md")
    page.write_text("| twice | 1 |\n| twice | 2 |\n| once | 3 |\n", encoding="utf-8")
    assert figure(page, "once", 1) == "3"
    with pytest.raises(ValueError, match=f"rows '{name}', not one"):
        figure(page, name, 1)


def test_code_is_cut_out_of_an_article():
    """The last version of the code is taken, up to its closing brace."""
    texts = ["int f()\n{\n  old\n}\n", "then\nint f()\n{\n  new\n}\nmore"]
    assert measure_articles.cut(texts, r"^int f\(.*?^\}") == "int f()\n{\n  new\n}"


@pytest.mark.parametrize(
    ("program", "source", "said"),
    [
        ("gcc", None, "no file has its code"),
        ("no-such-program", "code", "no-such-program is not installed"),
    ],
)
def test_row_of_code_that_cannot_run(program, source, said, tmp_path):
    hands = np.zeros((2, 5), dtype=np.uint8)
    contest = measure_articles.Contest(
        *("mine", "its code", program, source, hands, np.uint8),
        plugin=lambda: hands,
        same=lambda found: found,
    )
    assert measure_articles.measure(contest, tmp_path) == ["`mine`", "its code", said, "", ""]
