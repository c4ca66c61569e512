"""What the page copies and saves gives the answer on the page."""

import csv
import io
import json
import re
import shlex
import subprocess
import sys

import pytest

import holdem
from holdem.cli import run
from page_in_browser import ask, link, printed, without_duration

pytestmark = pytest.mark.browser
PLAYERS = ["22+, A2s+:0.5", "top 20%"]
FLOP, DEAD = "Td9d2c", "2h"
PARTS = ["equity", "class", "hits", "next-card", "combo", "category"]


@pytest.fixture
def page(open_page):
    """Return the page with two ranges on a flop."""
    page = open_page(link(PLAYERS, FLOP, DEAD))
    page.click("#copy-menu button")
    return page


def _copied(page, selector):
    page.click(f".copy-menu {selector}")
    page.wait_for_selector(".copy-note:has-text('Copied')")
    return page.evaluate("navigator.clipboard.readText()")


def _button(part, column):
    return f"[data-part='{part}'] td:nth-of-type({column}) button"


def test_the_menu_stays_where_it_is_when_it_says_what_it_copied(page):
    before = page.locator(".copy-menu").bounding_box()
    _copied(page, "button:has-text('Link')")
    assert page.locator(".copy-menu").bounding_box() == before


def test_the_link_shows_the_same_state(page, open_page):
    url = _copied(page, "button:has-text('Link')")
    assert "token" not in url
    question = url.partition("#")[2]
    other = open_page(f"#{question}")
    assert ask(other, PLAYERS, FLOP, DEAD)["equity"]["board"] == ["Td", "9d", "2c"]
    assert other.url.endswith(f"#{question}")
    assert _copied(page, "button:has-text('Text')") == PLAYERS[0]


def test_commands_and_python(page, capsys):
    for part in PARTS:
        by = () if part in ("equity", "hits") else (part,)
        given = ["--board", FLOP, "--dead", DEAD, *(("--by", part) if by else ())]
        question = ["hits", PLAYERS[0]] if part == "hits" else ["equity", *PLAYERS]
        expected = printed(capsys, *question, *given)

        command = _copied(page, _button(part, 1))
        program, *arguments = shlex.split(command)
        assert program == "holdem"
        assert printed(capsys, *arguments) == expected

        found = {}
        exec(_copied(page, _button(part, 2)), found)  # prints, too
        result = found["result"]
        record = result.to_dict() if part == "hits" else result.to_dict(by=by)
        assert without_duration(record) == expected


def test_a_shell_reads_the_command(page):
    """A real shell passes the quoted texts on as they are."""
    command = _copied(page, _button("equity", 1))
    shell = 'holdem() { for word in "$@"; do printf \'%s\\n\' "$word"; done; }; ' + command
    words = subprocess.run(["sh", "-c", shell], capture_output=True, text=True, check=True).stdout
    assert words.splitlines() == ["equity", *PLAYERS, "--board", FLOP, "--dead", DEAD]


def test_any_text_is_quoted(open_page):
    page = open_page()
    for text in ("it's", 'a"b', "$(x)`y`\\", "AK\nQQ", "ä♠", "-x", ""):
        quoted = page.evaluate(
            """async (text) => {
                 const { python, shellWord } = await import("/js/commands.js");
                 const question = { players: [text, "AA"], board: "", dead: "" };
                 return [shellWord(text), python(question)];
               }""",
            text,
        )
        assert shlex.split(quoted[0]) == [text]
        call = re.search(r"holdem\.equity\((.*)\)", quoted[1]).group(1)
        assert eval(f"[{call}]") == [text, "AA"]


def test_a_sampled_answer_is_copied_with_its_seed(open_page, capsys):
    page = open_page()
    players = ["22+", "AK", "random", "random"]
    equity = ask(page, players)["equity"]
    assert equity["method"] == "monte-carlo"
    page.click("#copy-menu button")
    _, *arguments = shlex.split(_copied(page, _button("equity", 1)))
    assert printed(capsys, *arguments)["players"] == equity["players"]
    found = {}
    exec(_copied(page, _button("equity", 2)), found)
    assert found["result"].to_dict()["players"] == equity["players"]


def test_names_of_players_are_copied(open_page, capsys):
    page = open_page(f"{link(PLAYERS[:1])}&n=it's me&{link(PLAYERS[1:])[1:]}")
    page.wait_for_selector("#players:not(.stale)")
    page.click("#copy-menu button")
    _, *arguments = shlex.split(_copied(page, _button("equity", 1)))
    players = printed(capsys, *arguments)["players"]
    assert [player["name"] for player in players] == ["it's me", "player 2"]
    found = {}
    exec(_copied(page, _button("equity", 2)), found)
    assert [player.name for player in found["result"].players] == ["it's me", "player 2"]
    assert b"\n2,player 2," in _saved(page, "equity", 3)[1].replace(b"\r", b"")


def _saved(page, part, column):
    with page.expect_download() as download:
        page.click(f".copy-menu {_button(part, column)}")
    return download.value.suggested_filename, download.value.path().read_bytes()


def test_tables_are_those_of_the_command_line(page, capsys):
    for part in PARTS:
        name, content = _saved(page, part, 3)
        assert name == f"holdem-{part}.csv"
        by = [] if part in ("equity", "hits") else ["--by", part]
        question = ["hits", PLAYERS[0]] if part == "hits" else ["equity", *PLAYERS]
        capsys.readouterr()
        assert run([*question, "--board", FLOP, "--dead", DEAD, *by, "-f", "csv"]) == 0
        expected = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
        rows = list(csv.DictReader(io.StringIO(content.decode())))
        assert [without_duration(row) for row in rows] == [
            without_duration(row) for row in expected
        ]


def test_pictures_are_those_of_the_command_line(page, tmp_path):
    pytest.importorskip("matplotlib")
    equity = holdem.equity(*PLAYERS, board=FLOP, dead=DEAD)
    hits = holdem.hits(PLAYERS[0], board=FLOP, dead=DEAD)
    for part, result, options in (
        ("equity", equity, {}),
        ("hits", hits, {}),
        ("next-card", equity, {"by": "next-card"}),
    ):
        name, content = _saved(page, part, 4)
        assert name == f"holdem-{part}.png"
        result.save_plot(tmp_path / name, **options)
        assert content == (tmp_path / name).read_bytes()


def test_next_cards_are_offered_on_a_flop_or_turn(open_page):
    page = open_page(link(PLAYERS))
    page.click("#copy-menu button")
    assert page.is_disabled(_button("next-card", 1))
    assert page.is_enabled(_button("category", 1))


def test_a_flop_has_three_cards(open_page):
    page = open_page(link(PLAYERS, "Td9d"))
    page.click("#copy-menu button")
    for part, column in (("equity", 1), ("hits", 2), ("class", 3)):
        page.click(_button(part, column))
        page.wait_for_selector(".copy-note.error:text-is('Choose the three cards of the flop.')")
        page.click("button:has-text('Text of the range')")
        page.wait_for_selector(".copy-note:not(.error)")


def test_a_mistake_is_named(open_page):
    page = open_page(link(["22+,A2x", "random"]))
    page.click("#copy-menu button")
    page.click(_button("equity", 3))
    page.wait_for_selector(".copy-note.error:has-text('A2x')")


def test_the_copied_command_runs(page):
    """The command as it is, in a process."""
    command = _copied(page, _button("equity", 1))
    module = f"{shlex.quote(sys.executable)} -m holdem"
    line = command.replace("holdem", module, 1) + " -f json"
    done = subprocess.run(["sh", "-c", line], capture_output=True, text=True, check=True)
    expected = holdem.equity(*PLAYERS, board=FLOP, dead=DEAD).to_dict()
    assert without_duration(json.loads(done.stdout)) == without_duration(expected)
