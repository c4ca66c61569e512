"""One current player, figures and marks that can be read, two reports on a wide page."""

import pytest

import holdem
from page_in_browser import link, open_tab, options, percent, printed, ready
from visible_faults import visible_faults

pytestmark = pytest.mark.browser
PLAYERS = ["22+,A2s+,KTs+,QJs,ATo+:0.5,KQo", "top 20%"]
FLOP = "Ks7d2c"


def test_grid_and_reports_have_one_player_and_the_hero_stays(open_page):
    page = open_page(link(PLAYERS, FLOP, pot="100", bet="50"))
    acts = [
        (1, lambda: page.click(".player >> nth=1", position={"x": 120, "y": 80})),  # of its row
        (0, lambda: page.focus("[aria-label='Range of player 1']")),
        (1, lambda: page.click("[aria-label='Edit player 2']")),
        (0, lambda: (page.focus(".cell >> nth=0"), page.keyboard.press("p"))),
    ]
    for player, act in acts:
        act()
        page.wait_for_selector(f"#range-title:text-is('Range of player {player + 1}')")
        ready(page, "hits")
        assert page.inner_text(".whose") == f"Player {player + 1}"
        lines = holdem.hits(PLAYERS[player], board=FLOP).made
        shown = page.locator("#panel-hits [data-line='top pair'] >> xpath=../.. >> td").nth(1)
        assert float(shown.inner_text()) == pytest.approx(lines["top pair"].combos, abs=0.01)
        pressed = page.locator(".player .hero[aria-pressed=true]")
        assert pressed.get_attribute("aria-label") == "Hero: player 1"


def test_two_reports_side_by_side_on_a_wide_page(open_page):
    size = {"width": 1920, "height": 1080}
    page = open_page(link(PLAYERS, FLOP), viewport=size)
    ready(page, "hits")
    ready(page, "combos")
    for left, right in (
        ("hits", "combos"),
        ("hits", "distribution"),
        ("next-card", "distribution"),
    ):
        for name in (left, right):
            if not page.is_visible(f"#panel-{name}"):
                open_tab(page, name)
        boxes = [page.locator(f"#panel-{name}").bounding_box() for name in (left, right)]
        assert boxes[0]["x"] + boxes[0]["width"] <= boxes[1]["x"]
        assert min(box["width"] for box in boxes) >= 380
        selected = page.locator("#answers [role=tab][aria-selected=true]").count()
        assert selected == page.locator("#answers [role=tabpanel]:visible").count() == 2
        assert visible_faults(page) == []
    page.set_viewport_size({"width": 1280, "height": 800})
    assert page.locator("#answers [role=tabpanel]:visible").count() == 1


def test_next_cards_have_a_decimal_a_legend_and_full_colour_from_five_points(open_page, capsys):
    page = open_page(link(PLAYERS, FLOP))
    open_tab(page, "next-card")
    found = printed(capsys, "equity", *PLAYERS, *options(FLOP), "--by", "next-card")
    now = found["players"][0]["equity"]
    then = {each["card"]: each["equity"][0] for each in found["by_next_card"]}
    cells = page.locator("#panel-next-card [data-card]").evaluate_all(
        """(all) => Object.fromEntries(all.filter((each) => each.textContent).map((each) =>
             [each.dataset.card, [each.textContent, each.style.background]]))"""
    )
    assert {card: text for card, (text, _) in cells.items()} == {
        card: percent(equity) for card, equity in then.items()
    }
    full = {
        card for card, (_, colour) in cells.items() if "100%" in colour.replace("100.0%", "100%")
    }
    assert full == {card for card, equity in then.items() if abs(equity - now) >= 0.05}
    assert 0 < len(full) < len(then)
    legend = page.inner_text("#panel-next-card .heat-ends").replace("\xa0", " ").split()
    assert legend == ["−5", percent(now), "%", "+5"]


def test_what_is_selected_is_never_cut(open_page):
    page = open_page(link(PLAYERS, FLOP))
    ready(page, "hits")
    for name in ("overpair", "top pair", "second pair", "backdoor flush draw"):
        page.click(f"[data-line='{name}']", modifiers=["Control"])
    for width in (1280, 390):
        page.set_viewport_size({"width": width, "height": 800})
        if width == 390:
            page.click("#tab-answers")
        label = page.locator(".selection > span")
        text = label.inner_text()
        assert text.startswith("overpair or top pair or second pair or backdoor flush draw: ")
        assert "equity" in text
        assert label.evaluate(
            "(e) => e.scrollWidth <= e.clientWidth && e.scrollHeight <= e.clientHeight"
        )
        assert visible_faults(page) == []


@pytest.mark.parametrize(
    ("price", "words"), [({}, "ahead"), ({"pot": "60", "bet": "45"}, "can call")]
)
def test_the_heat_map_says_how_much_of_the_range_is_ahead(open_page, price, words):
    page = open_page(link(PLAYERS, FLOP, **price))
    page.click("#heat-switch")
    page.wait_for_selector(f".ahead:has-text('{words}')")
    rows = holdem.equity(*PLAYERS, board=FLOP).players[0].by_combo
    even = 45 / 150 if price else 0.5
    ahead = sum(row.weight for row in rows if row.equity > even) / sum(row.weight for row in rows)
    assert page.inner_text(".ahead") == f"{percent(ahead, 0)}\xa0% {words}"


def test_the_status_says_when_an_exact_answer_comes(open_page):
    page = open_page(link(["QQ", "AKs"]))
    said = page.evaluate(
        """async (equity) => (await import("/js/numbers.js")).summaryOf(equity)""",
        {"exact": False, "deals": 917504, "elapsed": 0.2, "exact_in": 5},
    )
    assert said == "sampled · 917,504\xa0deals · exact in about 5\xa0s"
