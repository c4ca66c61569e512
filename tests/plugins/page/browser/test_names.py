"""Players in view: their ranges in small, their colours and names."""

import re

import pytest

import holdem
from page_editor import expect_text, wait_for_cells
from page_in_browser import link, open_tab, percent, ready
from visible_faults import visible_faults

pytestmark = pytest.mark.browser
PLAYERS = ["22+,A2s+,KTs+:0.5", "top 20%", "JJ,AhKh"]
FLOP = "Td9d2c"
# Weights by class in a small grid, in the order of the classes.
_WEIGHTS = """(grid) => [...grid.children].map((cell) => +cell.getAttribute("fill-opacity"))"""


def _own_colour(page, selector, name):
    return page.locator(selector).first.evaluate(
        "(element, name) => getComputedStyle(element)[name]", name
    )


def test_every_range_is_in_view_and_a_click_edits_it(open_page):
    page = open_page(link(PLAYERS, FLOP))
    grids = page.locator(".player .small-grid")
    ready(page, "hits")
    for index, text in enumerate(PLAYERS):
        grids.nth(index).locator("[fill-opacity='1']").first.wait_for()
        shown = grids.nth(index).evaluate(_WEIGHTS)
        assert shown == pytest.approx([float(w) for w in holdem.Range(text).grid.ravel()])
    grids.nth(2).click()
    wait_for_cells(page, PLAYERS[2])
    assert page.inner_text("#range-title") == "Range of player 3"
    page.click("#heat-switch")
    page.wait_for_selector(".cell.hot")
    for index in range(3):  # the heat map is in the large grid alone
        player = f".player:nth-child({index + 1})"
        own = _own_colour(page, f"{player} .bar-track .win", "backgroundColor")
        assert {
            rect.evaluate("(rect) => getComputedStyle(rect).fill")
            for rect in grids.nth(index).locator("rect").all()[::30]
        } == {own}


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_interface_has_no_colour_of_a_player(open_page, scheme):
    """What is chosen, pressed or focused is grey: red, green and blue are nearly alike."""
    page = open_page(link(PLAYERS, FLOP), color_scheme=scheme)
    shown = _own_colour(page, "#copy-menu button", "backgroundColor")
    red, green, blue = (int(part) for part in re.findall(r"\d+", shown)[:3])
    assert max(red, green, blue) - min(red, green, blue) < 32
    assert _own_colour(page, "#tab-hits", "borderBottomColor") == shown


def test_each_player_has_one_colour(open_page):
    page = open_page(link(PLAYERS, FLOP))
    open_tab(page, "distribution")
    seen = set()
    for index in range(3):
        player = f".player:nth-child({index + 1})"
        colour = _own_colour(page, f"{player} .small-grid", "fill")
        assert _own_colour(page, f"{player} .bar-track .win", "backgroundColor") == colour
        assert _own_colour(page, f".curve.series-{index}", "stroke") == colour
        page.click(f"{player} .number")
        open_tab(page, "hits")
        assert page.inner_text(".whose") == f"Player {index + 1}"
        page.click("[data-line]")
        assert _own_colour(page, ".chosen .bar-fill", "backgroundColor") == colour
        open_tab(page, "distribution")
        seen.add(colour)
    assert len(seen) == 3


def test_names_are_shown_and_in_the_link(open_page):
    page = open_page(link(PLAYERS, FLOP))
    ready(page, "hits")
    page.get_by_role("button", name="Name", exact=True).click()
    page.get_by_label("A position").fill("BTN & co")
    page.keyboard.press("Enter")
    page.wait_for_selector("#range-title:text-is('Range of BTN & co')")
    address = page.evaluate("location.hash")
    assert "&n=BTN%20%26%20co&p=top" in address
    open_tab(page, "distribution")
    page.hover(".plot")
    equity = percent(holdem.equity(*PLAYERS, board=FLOP).players[0].equity, 2)
    assert "BTN & co" in page.inner_text("#panel-distribution .detail")
    page.click("#tab-next-card")
    ready(page, "next-card")
    page.mouse.move(5, 5)
    assert page.inner_text("#panel-next-card .detail").startswith(f"BTN & co has {equity}")
    page.get_by_role("button", name="Remove player 1", exact=True).click()
    assert page.inner_text("#range-title") == "Range of player 1"
    page.click("#undo")
    page.wait_for_selector("#range-title:text-is('Range of BTN & co')")
    page.reload()
    expect_text(page, PLAYERS[0])
    assert page.inner_text(".player .player-name") == "BTN & co"


LONG = "a name that is much longer than twenty letters" * 4


@pytest.mark.parametrize("width", [1280, 390])
def test_a_long_name_in_a_link_is_cut_and_whole_in_a_title(open_page, width):
    question = link(PLAYERS[:2], FLOP).replace("&p=top", f"&n=\u202e{LONG}\u2066&p=top")
    page = open_page(question, viewport={"width": width, "height": 800})
    page.wait_for_selector(".summary:not(.old):not(:empty)", state="attached")
    assert page.evaluate("document.documentElement.scrollWidth") == width
    assert visible_faults(page) == []
    said = page.text_content("#range-title")
    assert said == f"Range of {LONG[:19]}…"
    assert page.get_attribute("#range-title", "title") == f"Range of {LONG}"
    assert page.get_attribute(".player .number", "title") == LONG
    assert "\u202e" not in page.content()
