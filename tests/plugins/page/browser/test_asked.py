"""The page answers what was asked, and old numbers never look new."""

import pytest

import holdem
from page_editor import cell, drag, expect_range, expect_text, open_ranges, wait_for_cells
from page_in_browser import link, ready

pytestmark = pytest.mark.browser
FLOP = "Td9d2c"


def _board(page, cards):
    page.wait_for_function(
        "(cards) => (new URLSearchParams(location.hash.slice(1)).get('b') ?? '') === cards",
        arg=cards,
    )


def _hold(page, path="**/api/*"):
    """Hold back what the page asks from now on; return the requests that wait."""
    waiting = []
    page.route(path, lambda route: waiting.append(route))
    return waiting


def test_weights_are_not_read_as_the_top_of_all_hands(open_page):
    page = open_ranges(open_page, "QQ", "random")
    field = page.get_by_label("Range as text")
    field.fill("AA 100%, KK 50%")
    field.blur()
    page.wait_for_selector("#editor .error:has-text('AA@100%')")
    field.fill("AA:1,KK:0")
    wait_for_cells(page, "AA")
    assert "6 combos have a weight of 0 and are left out" in page.inner_text("#editor .note")


def test_undo_that_is_held_down_stays_on_the_page(open_page):
    page = open_ranges(open_page, "QQ", "random")
    address = page.url
    for _ in range(3):
        page.keyboard.press("Control+z")
    cell(page, "KK").click()
    expect_range(page, "KK,QQ")
    for _ in range(12):
        page.keyboard.press("Control+z")
    expect_range(page, "QQ")
    assert page.url == address


@pytest.mark.parametrize(
    ("board", "slot", "typed", "expected"),
    [
        ("Ks7d3h", "Turn: empty", "2c", "Ks7d3h2c"),
        ("Ks7d3h2s", "Flop, card 2: seven of diamonds, change", "8c", "Ks8c3h2s"),
        ("", "Turn: empty", "2c", "2c"),
        ("Ks7d3h", None, "2c", "Ks7d3h2c"),
    ],
)
def test_typed_cards_go_to_the_place_that_was_clicked(open_page, board, slot, typed, expected):
    page = open_ranges(open_page, "QQ", "random", board=board)
    if slot:
        page.get_by_role("button", name=slot).click()
    else:
        page.keyboard.press("b")
    page.keyboard.type(typed)
    page.keyboard.press("Enter")
    _board(page, expected)


def test_a_card_that_is_picked_goes_to_the_place_that_was_clicked(open_page):
    page = open_ranges(open_page, "QQ", "random", board="Ks7d3h2s")
    page.get_by_role("button", name="Flop, card 2: seven of diamonds, change").click()
    page.locator("#board .picker").get_by_role("button", name="eight of clubs").click()
    _board(page, "Ks8c3h2s")


def test_saving_over_a_name_asks_and_is_undone(open_page):
    page = open_ranges(open_page, "QQ", "random")
    page.evaluate("localStorage.setItem('holdem.ranges', 'open: 22+')")
    page.get_by_role("button", name="Saved").click()
    page.get_by_role("menuitem", name="Save this range").click()
    page.get_by_label("Name").fill("open")
    page.get_by_role("button", name="Save", exact=True).click()
    page.wait_for_selector("dialog [role=alert]:has-text('“open” is there already: 22+.')")
    kept = "localStorage.getItem('holdem.ranges')"
    assert page.evaluate(kept) == "open: 22+"
    page.get_by_role("button", name="Save", exact=True).click()
    page.wait_for_selector("dialog", state="hidden")
    assert page.evaluate(kept) == "open: QQ"
    page.click("#undo")
    assert page.evaluate(kept) == "open: 22+"
    expect_text(page, "QQ")
    page.click("#redo")
    assert page.evaluate(kept) == "open: QQ"


def test_finer_lines_stand_under_their_line(open_page):
    page = open_page(link(["random", "top 20%"], FLOP))
    ready(page, "hits")
    page.click("text=Finer lines")
    page.wait_for_selector("[data-line='combo draw']")
    lines = page.locator("[data-kind=draws][data-line]").all_inner_texts()
    at = lines.index
    assert at("flush draw") < at("combo draw") < at("backdoor flush draw")


def test_what_is_painted_is_asked_while_the_server_reads_no_text(open_page):
    """The question, its address and the dimmed numbers follow the grid at once."""
    page = open_ranges(open_page, "QQ+", "random", board=FLOP)
    ready(page, "hits")
    waiting = _hold(page, "**/api/range")
    drag(page, "JJ", "99")
    expect_text(page, "AA,KK,QQ,JJ,TT,99")
    page.wait_for_selector(".player .detail:has-text('30 combos')")
    equity = holdem.equity("99+", "random", board=FLOP).players[0].equity
    assert page.inner_text(".player .equity").startswith(f"{100 * equity:.2f}")
    for route in waiting:
        route.continue_()
    page.unroute("**/api/range")
    expect_text(page, "99+")


def test_with_a_hung_server_nothing_old_looks_new(open_page):
    page = open_ranges(open_page, "QQ+", "random", board=FLOP)
    ready(page, "hits")
    _hold(page)
    drag(page, "JJ", "99")
    expect_text(page, "AA,KK,QQ,JJ,TT,99")
    page.wait_for_selector("#players.stale")
    page.wait_for_selector("#panel-hits[aria-busy=true]")
    assert page.get_by_label("Range as text").input_value().replace("\n", "") == "AA,KK,QQ,JJ,TT,99"
    page.get_by_label("Range as text").fill("22+")
    page.wait_for_selector("#editor.unread")


def test_one_key_is_one_question(open_page):
    """Equities, hits and combos come in one stream, which asks for the hits of each player once."""
    page = open_ranges(open_page, "QQ+", "random", board=FLOP)
    ready(page, "hits")
    asked = []
    page.on("request", lambda request: "/api/" in request.url and asked.append(request.url))
    cell(page, "AKs").focus()
    page.keyboard.press("Space")
    page.wait_for_selector(".player .detail:has-text('22 combos')")
    expect_range(page, "QQ+,AKs")
    ready(page, "hits")
    page.wait_for_selector(".summary:not(.old):not(:empty)")
    assert sorted(url.rpartition("/")[2] for url in asked) == ["range", "spot"]


@pytest.mark.parametrize(
    ("players", "board", "said"),
    [
        (["QQ+", "random"], "Td9d", "Choose the three cards of the flop."),
        (["", "random"], FLOP, "The range of player 1 is empty: paint or type one."),
        (["QQ+", "KKx"], FLOP, "Correct the range of player 2."),
    ],
)
def test_without_a_question_there_are_dashes_and_what_to_do(open_page, players, board, said):
    page = open_page(link(["QQ+", "random"], FLOP))
    ready(page, "hits")
    page.click("#heat-switch")
    page.wait_for_selector(".cell.hot")
    page.evaluate("(hash) => { location.hash = hash; }", link(players, board))
    page.wait_for_selector(f"#players .status:has-text('{said}')")
    shown = page.locator("#players .equity").all_text_contents()
    assert set(shown) == {"–%"}
    page.wait_for_function(
        "() => [...document.querySelectorAll('#heat .heat-ends span')].map((e) => e.textContent)"
        ".join('') === '–'"
    )
    assert page.locator(".cell.hot").count() == 0


def test_flops_show_no_mean_of_some(open_page):
    page = open_page(link(["QQ+", "top 20%"]))
    ready(page, "hits")
    held = []

    def hold(route):
        first = '"start":0' in route.request.post_data
        route.continue_() if first else held.append(route)

    page.route("**/api/flops", hold)
    with page.expect_request(lambda request: '"start":60' in (request.post_data or "")):
        page.click("#tab-flops")
    page.wait_for_selector("#panel-flops .means td")
    means = "#panel-flops .means tbody td:last-child"
    assert set(page.locator(means).all_inner_texts()) == {"–"}
    held[0].continue_()
    page.wait_for_function("(means) => document.querySelector(means).innerText !== '–'", arg=means)
