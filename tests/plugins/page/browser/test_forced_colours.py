"""The page with forced colours, as in the high contrast of Windows: what the pixels show."""

import pytest

from page_editor import cell
from page_in_browser import link, open_tab, ready
from page_pixels import LEAST_CONTRAST, Pixels, contrast

pytestmark = pytest.mark.browser
PLAYERS = ["22+,A2s+,KQs:0.5", "top 20%"]
FLOP = "Td9d2c"
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


def _too_alike(pairs):
    found = {name: round(float(contrast(*pair)), 2) for name, pair in pairs.items()}
    return {name: ratio for name, ratio in found.items() if ratio < LEAST_CONTRAST}


def _edge(column):
    """Return the luminance above a track, and the most different one of the track's column."""
    return column[0], max(column, key=lambda luminance: contrast(luminance, column[0]))


@pytest.fixture(params=["light", "dark"])
def colours(request):
    """Return the options of a profile with forced colours, on a light and on a dark ground."""
    return {"forced_colors": "active", "color_scheme": request.param}


def test_painted_pressed_and_selected_parts_can_be_seen(open_page, colours):
    page = open_page(link(PLAYERS, FLOP), **colours)
    ready(page, "hits")
    page.keyboard.press("b")
    cards = Pixels(page)
    chosen = [
        cards.at(page.locator(f"#board [data-card={card}]"), 0.5, 0.12) for card in ("Td", "Th")
    ]
    page.keyboard.press("Escape")
    seen = Pixels(page)
    top, bar = page.get_by_label("Top hands"), page.locator("#players .bar-track").first
    longest = page.locator("[data-line='no made hand']").locator("xpath=../..").locator(".bar")
    share = longest.locator(".bar-fill").evaluate("(fill) => parseFloat(fill.style.width) / 100")
    king_queen = cell(page, "KQs")
    pairs = {
        "a painted and an empty cell": [
            seen.at(cell(page, name), 0.15, 0.85) for name in ("AA", "K3o")
        ],
        "the halves of a cell": [seen.at(king_queen, 0.85, down) for down in (0.85, 0.15)],
        "an empty cell and the gap": [
            seen.at(cell(page, "K3o"), 0.5, 0.01),
            seen.at(page.locator("#range"), 0.01, 0.2),
        ],
        "the bar of a player": [seen.at(bar, across, 0.5) for across in (0.1, 0.95)],
        "the edge of that bar": (
            seen.at(bar, 0.95, 0.05),
            seen.at(page.locator("#players"), 0.5, 0.9),
        ),
        "the bar of a line": [seen.at(longest, at, 0.5) for at in (share / 2, (1 + share) / 2)],
        "the edited and another player": [
            seen.at(page.get_by_label(f"Edit player {number}"), 0.15, 0.03) for number in (1, 2)
        ],
        "a chosen and a free card": chosen,
        "the parts of a slider": [seen.at(top, across, 0.5) for across in (0.03, 0.8)],
        "a slider's track and its ground": _edge(seen.column(top, 0.8)),
        "the selected and another tab": [
            seen.above_bottom(page.locator(f"#tab-{name}"), 3) for name in ("hits", "next-card")
        ],
    }
    assert _too_alike(pairs) == {}


def test_what_one_chooses_can_be_seen(open_page, colours):
    page = open_page(link(PLAYERS, FLOP), **colours)
    ready(page, "hits")
    switch = page.locator("#heat-switch")
    released = Pixels(page).at(switch, 0.05, 0.5)
    page.click("[data-line='set']")
    seen = Pixels(page)
    pairs = {
        "a chosen and another line": [
            seen.at(page.locator(f"[data-line='{name}']"), 0.7, 0.5) for name in ("set", "overpair")
        ],
        "a selected and another cell": [
            seen.at(cell(page, name), 0.15, 0.85) for name in ("TT", "AA")
        ],
    }
    page.keyboard.press("Escape")
    switch.click()
    page.wait_for_selector(".cell.hot")
    open_tab(page, "categories")
    seen = Pixels(page)
    page.get_by_role("button", name="Presets", exact=True).click()
    menu = Pixels(page)
    replace = page.get_by_role("menuitemradio", name="Replace")
    row = [menu.at(replace, 0.15 + across / 100, 0.5) for across in range(60)]
    pairs["the way that is chosen and its text"] = [min(row), max(row)]
    pairs["the way that is chosen and another"] = [
        menu.at(page.get_by_role("menuitemradio", name=name), 0.5, 0.12)
        for name in ("Replace", "Add")
    ]
    page.keyboard.press("Escape")
    pairs["a pressed button"] = [released, seen.at(switch, 0.05, 0.5)]
    pairs["winning and losing"] = [
        seen.at(page.locator(f".swatch.{name}"), 0.5, 0.5) for name in ("win", "lose")
    ]
    assert _too_alike(pairs) == {}


def test_the_strip_and_tabs_of_a_phone(open_page, colours):
    page = open_page(link(PLAYERS, FLOP), **colours, **PHONE)
    page.wait_for_selector("#strip:not(.stale) .equity")
    seen = Pixels(page)
    lines = page.locator("#strip .line").all()
    tabs = [page.locator(f"#tab-{name}") for name in ("range", "board")]
    pairs = {
        "the edited and another player": [seen.at(line, 0.05, 0.12) for line in lines],
        "the bar of a player": [
            seen.at(page.locator("#strip .bar-track").last, across, 0.5) for across in (0.1, 0.9)
        ],
        "the shown and another part": [seen.above_bottom(tab, 3) for tab in tabs],
    }
    assert _too_alike(pairs) == {}
