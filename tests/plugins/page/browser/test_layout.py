"""The page as a whole: keyboard alone, narrow and wide, and nothing that moves by itself."""

import json

import pytest

import holdem
from page_editor import cell, drag, expect_range, middle, open_ranges, wait_for_cells
from page_in_browser import link, open_tab, ready
from page_pixels import LEAST_CONTRAST, Pixels, contrast
from visible_faults import visible_faults

pytestmark = pytest.mark.browser

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
WIDER = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"


def _wait_for_equities(page, players, board):
    expected = [
        f"{100 * player.equity:.2f}" for player in holdem.equity(*players, board=board).players
    ]
    page.wait_for_function(
        """(expected) => {
          const shown = document.querySelectorAll("#players:not(.stale) .equity");
          return [...shown].map((each) => each.firstChild.data).join() === expected;
        }""",
        arg=",".join(expected),
    )


def test_by_keyboard_alone(open_page):
    page = open_ranges(open_page, "QQ", "JJ")
    press = page.keyboard.press
    press("?")
    assert page.get_by_role("dialog", name="Keys").is_visible()
    press("Escape")
    for _ in range(20):
        press("Tab")
        if page.evaluate("() => document.activeElement.matches('[role=gridcell]')"):
            break
    for key in ("Space", "ArrowRight", "Shift+ArrowRight", "5"):
        press(key)
    expect_range(page, "AA,QQ,AQs+:0.5")
    press("p")
    wait_for_cells(page, "JJ")
    for key in ("Home", "ArrowDown", "ArrowRight", "0"):
        press(key)
    press("p")
    press("b")
    page.keyboard.type("9h 8h 2c")
    press("Enter")
    _wait_for_equities(page, ["AA,QQ,AQs+:0.5", "KK,JJ"], "9h8h2c")
    assert page.evaluate("() => location.hash") == "#p=AA,QQ,AQs+:0.5&p=KK,JJ&b=9h8h2c"


def test_numbers_change_in_place(open_page):
    page = open_ranges(open_page, "QQ+,AK", "top 20%", board="Td9d2c")
    _wait_for_equities(page, ["QQ+,AK", "top 20%"], "Td9d2c")
    page.evaluate(
        """() => {
          window.shifts = [];
          const name = ({ node }) => node?.className || node?.nodeName;
          document.querySelector("#answers").hidden = true;  // a table gets and loses lines
          new PerformanceObserver((list) => {
            for (const { value, sources } of list.getEntries()) {
              window.shifts.push([value, ...sources.map(name)]);
            }
          }).observe({ type: "layout-shift" });
        }"""
    )
    drag(page, "JJ", "66")
    expect_range(page, "66+,AK")
    _wait_for_equities(page, ["66+,AK", "top 20%"], "Td9d2c")
    page.get_by_label("Range as text").fill("22+,AKx")
    page.wait_for_selector("mark")
    page.get_by_label("Range as text").fill("22+,AKs:0.5")
    page.keyboard.press("Escape")
    page.locator("h1").click()
    page.keyboard.press("b")
    page.locator("#dead-text").fill("2h")
    page.locator("#dead-text").blur()
    page.wait_for_selector("#players:not(.stale)")
    page.wait_for_timeout(100)
    assert page.evaluate("() => window.shifts") == []


_CHANGE = """(name) => {
  for (const each of document.querySelectorAll(name)) each.replaceChildren("12.3");
  return getComputedStyle(document.body).color;
}"""


@pytest.mark.parametrize("tab", ["hits", "flops", "combos"])
def test_a_change_of_numbers_restyles_few_elements(open_page, browser, tab):
    """With some rules, each change would restyle the page, several times for a key.

    These are rules with `:has` and a position, such as `:nth-child` or `:empty`.
    """
    page = open_ranges(open_page, "QQ+,AK:0.5", "top 20%", board="" if tab == "flops" else "Td9d2c")
    open_tab(page, tab)
    browser.start_tracing(page=page, categories=["disabled-by-default-devtools.timeline"])
    for name in (".player .equity", "#editor .count", ".player .detail", ".status"):
        page.evaluate(_CHANGE, name)
    events = json.loads(browser.stop_tracing())["traceEvents"]
    styled = [e["args"]["elementCount"] for e in events if e["name"] == "UpdateLayoutTree"]
    assert len(styled) >= 4
    assert max(styled) < 200


def test_console_and_policy_are_silent(open_page):
    page = open_ranges(open_page, "QQ", "random")
    messages = []
    page.on("console", lambda message: messages.append(message.text))
    page.evaluate(
        """() => document.addEventListener("securitypolicyviolation",
             (event) => console.error(event.violatedDirective))"""
    )
    page.reload()
    wait_for_cells(page, "QQ")
    drag(page, "AKs", "AJs")
    cell(page, "AA").click(button="right")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Random flop").click()
    page.get_by_role("button", name="Heat map").click()
    page.wait_for_selector(".cell.hot")
    assert messages == []


def test_a_phone_shows_one_part_at_a_time(open_page):
    page = open_ranges(open_page, "QQ+,AK:0.5", "top 20%", board="Td9d2c", **PHONE)
    equities = page.locator("#strip .equity")
    page.wait_for_selector("#strip:not(.stale) .equity")
    assert equities.count() == 2
    for name in ("Players", "Board", "Answer", "Range"):
        page.get_by_role("tab", name=name, exact=True).tap()
        shown = page.locator("main > section:visible")
        assert shown.count() == 1
        assert page.evaluate(WIDER) == 0
        assert equities.first.is_visible()
    boxes = [cell(page, name).bounding_box() for name in ("AA", "72o", "22")]
    assert all(box["width"] >= 27 and box["height"] >= 27 for box in boxes)
    weight, top = (page.get_by_label(name).bounding_box() for name in ("Weight", "Top hands"))
    assert (weight["x"], weight["width"]) == (top["x"], top["width"])
    hint = page.inner_text("#start p")
    assert "Tap to paint" in hint
    assert not any(word in hint for word in ("Keys", "click", "Drag to"))  # what a finger lacks
    pixels = Pixels(page)
    first, second = (page.locator("#strip .line").nth(index) for index in range(2))
    edges = [pixels.at(line, 0.005, 0.5) for line in (first, second)]
    assert contrast(*edges) > LEAST_CONTRAST  # the player whose range is shown
    page.get_by_role("tab", name="Range", exact=True).press("ArrowLeft")
    page.keyboard.press("Enter")
    assert page.locator("#players").is_visible()


@pytest.mark.parametrize("size", [(844, 390), (667, 375)])
def test_a_phone_on_its_side_has_the_grid_beside_the_rest(open_page, size):
    width, height = size
    options = PHONE | {"viewport": {"width": width, "height": height}}
    page = open_ranges(open_page, "QQ+,AK:0.5", "top 20%", board="Td9d2c", **options)
    page.wait_for_selector("#strip:not(.stale) .equity")
    for name in ("Players", "Board", "Answer"):
        page.get_by_role("tab", name=name, exact=True).tap()
        assert page.locator("main > section:visible").count() == 2
        assert visible_faults(page) == []
    open_tab(page, "distribution")
    page.focus(".plot")
    for key in ("Home", "Shift+PageUp"):
        page.keyboard.press(key)
    assert visible_faults(page) == []
    selection = page.locator(".selection").bounding_box()
    assert selection["y"] + selection["height"] == pytest.approx(height, abs=1)
    page.locator(".grid").evaluate("(grid) => grid.scrollIntoView({ block: 'end' })")
    first, last = (cell(page, name).bounding_box() for name in ("AA", "22"))
    assert first["y"] >= 0
    assert last["y"] + last["height"] <= height
    assert last["width"] >= 24
    equities = page.locator("#strip .equity").first
    assert equities.is_visible()
    assert equities.bounding_box()["x"] > last["x"] + last["width"]
    page.set_viewport_size({"width": height, "height": width})
    assert page.locator("main > section:visible").count() == 1
    assert visible_faults(page) == []


_BOTTOMS = """() => [".price tr:last-child", ".price", ".status-line", "#panel-hits"].map(
  (name) => [...document.querySelectorAll(name)].at(-1).getBoundingClientRect().bottom)"""
_LINES = "(all) => all.map((each) => each.getBoundingClientRect().bottom)"


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (1366, 768)])
def test_how_a_price_is_computed_and_sixteen_lines_of_hits_are_in_view(open_page, width, height):
    size = {"width": width, "height": height}
    page = open_page(link(["22+,ATo", "top 20%"], "Td9d2c", pot="100", bet="50"), viewport=size)
    ready(page, "hits")
    page.click(".how summary")
    last, price, foot, report = page.evaluate(_BOTTOMS)
    assert last <= price < foot < height
    assert page.evaluate("document.documentElement.scrollHeight") == height
    lines = page.locator("#panel-hits tbody tr:visible").evaluate_all(_LINES)
    assert sum(line <= report for line in lines) >= 16


_RIGHT_EDGES = """(rows) => rows.map((row) => [...row.cells].slice(2).map((cell) => {
  const range = document.createRange();
  range.selectNodeContents(cell);
  return Math.round(range.getBoundingClientRect().right);
}).join())"""


@pytest.mark.parametrize("width", [1144, 1280])
def test_shares_of_categories_before_the_flop_end_below_each_other(open_page, width):
    page = open_page(link(["22+,A2s+", "random"]), viewport={"width": width, "height": 1000})
    ready(page, "hits")
    edges = page.locator("#panel-hits table").last.locator("tbody tr").evaluate_all(_RIGHT_EDGES)
    assert len(edges) > 6
    assert len(set(edges)) == 1


@pytest.mark.parametrize("width", [768, 820, 880, 1024])
def test_cards_and_fields_fit_their_panel_on_a_tablet(open_page, width):
    size = {"width": width, "height": 900}
    page = open_ranges(open_page, "QQ", "random", board="Td9d2c", viewport=size)
    page.keyboard.press("b")
    boxes = page.locator("#board :is(.pick, input, button):visible").evaluate_all(
        """(all) => all.map((each) => {
             const { left, right, top, bottom } = each.getBoundingClientRect();
             return [left, right, top, bottom];
           })"""
    )
    panel = page.locator("#board").bounding_box()
    assert min(box[0] for box in boxes) >= panel["x"] + 11
    assert max(box[1] for box in boxes) <= panel["x"] + panel["width"] - 11
    overlaps = [
        (a, b)
        for i, a in enumerate(boxes)
        for b in boxes[i + 1 :]
        if a[0] < b[1] - 0.1 and b[0] < a[1] - 0.1 and a[2] < b[3] - 0.1 and b[2] < a[3] - 0.1
    ]
    assert overlaps == []
    cut = "(all) => all.filter((each) => each.scrollWidth > each.clientWidth).length"
    assert page.locator("#board .pick, #board input").evaluate_all(cut) == 0


def test_suits_have_symbols_and_two_or_four_colours(open_page):
    page = open_ranges(open_page, "QQ", "random")
    page.keyboard.press("b")

    def colours():
        cards = page.locator(
            ".pick:first-child .card-text, .picker .pick:nth-child(13n+1) span.card-text"
        )
        return len(
            set(cards.evaluate_all("(all) => all.map((each) => getComputedStyle(each).color)"))
        )

    assert page.locator(".pick").first.inner_text() == "A♠"
    assert colours() == 4
    page.get_by_label("Four colours").uncheck()
    assert colours() == 2
    page.reload()
    wait_for_cells(page, "QQ")
    page.keyboard.press("b")
    assert colours() == 2


def test_a_press_beside_an_open_window_only_closes_it(open_page):
    page = open_ranges(open_page, "QQ", "random")
    page.get_by_role("button", name="Presets").click()
    page.mouse.click(*middle(page, "A2s"))
    page.wait_for_selector(".menu", state="hidden")
    expect_range(page, "QQ")


def test_a_sideways_swipe_is_not_the_back_button(open_page):
    page = open_ranges(open_page, "QQ", "random", **PHONE)
    for part in ("html", "body"):
        style = f"getComputedStyle(document.querySelector('{part}')).overscrollBehaviorX"
        assert page.evaluate(style) == "none"


# Texts of controls that are labelled, as far as a voice can say them: without symbols and numbers.
_UNSAID = """() => {
  const words = (text) => text.toLowerCase().replace(/[^a-z0-9%½ ]+/g, " ").trim();
  return [...document.querySelectorAll("button[aria-label], input[aria-label], [role=slider]")]
    .filter((each) => !each.matches("[role=gridcell]") && !each.querySelector(".card-text"))
    .filter((each) => !words(each.ariaLabel).includes(words(each.textContent)))
    .map((each) => `${each.textContent}: ${each.ariaLabel}`);
}"""


def test_the_accessible_name_contains_the_visible_text(open_page):
    page = open_ranges(open_page, "QQ", "random", board="Td9d2c")
    for tab in ("hits", "next-card", "distribution", "combos", "categories"):
        open_tab(page, tab)
    page.click("#copy-menu button")
    assert page.evaluate(_UNSAID) == []
