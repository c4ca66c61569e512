"""The text of a range, and what else sets a range at once."""

import pytest

import holdem
from page_editor import cell, drag, expect_range, expect_text, open_ranges, wait_for_cells
from page_pixels import Pixels

pytestmark = pytest.mark.browser
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}

_MARKED = """(field) => {
  const mark = field.parentElement.querySelector("mark");
  const range = document.createRange();
  range.selectNodeContents(mark.parentElement);
  range.setEndBefore(mark);
  return [range.toString().length, mark.textContent];
}"""


def _editor(page):
    return page.get_by_label("Range as text")


def _type_unread(page, text):
    """Type a range, and return the requests that are held back from now on."""
    waiting = []
    page.route("**/api/range", lambda route: waiting.append(route))
    with page.expect_request("**/api/range"):
        _editor(page).fill(text)
    return waiting


def _player(page, number):
    return page.get_by_role("textbox", name=f"Range of player {number}")


def test_text_and_grid_follow_each_other(open_page):
    page = open_ranges(open_page, "QQ", "random")
    _editor(page).fill("10s9s, KK+:0.5")
    wait_for_cells(page, "Ts9s,KK+")
    assert _player(page, 1).input_value() == "10s9s, KK+:0.5"
    _editor(page).press("Enter")
    expect_text(page, "10s9s, KK+:0.5")
    drag(page, "QQ", "QQ")
    expect_range(page, "QQ,Ts9s,KK+:0.5")
    assert _editor(page).input_value() == "KK+:0.5,QQ,Ts9s"
    _player(page, 1).fill("22+")
    wait_for_cells(page, "22+")
    assert _editor(page).input_value() == "22+"


def test_typing_is_one_step_of_undo(open_page):
    page = open_ranges(open_page, "QQ", "random")
    _editor(page).fill("")
    _editor(page).press_sequentially("JJ,TT")
    _editor(page).blur()
    expect_text(page, "JJ,TT")
    page.click("#undo")
    expect_range(page, "QQ")
    assert _editor(page).input_value() == "QQ"


def test_a_long_range_shows_its_beginning_once_it_is_typed(open_page):
    page = open_ranges(open_page, "QQ", "random")
    for field in (_player(page, 2), _editor(page)):
        field.fill("")
        page.keyboard.insert_text("22+,A2s+,K9s+,QTs+,JTs,ATo+,KJo+," * 4 + "QJo")
        assert field.evaluate("(field) => field.scrollLeft + field.scrollTop") > 0
        page.click("#range-title")
        assert field.evaluate("(field) => field.scrollLeft + field.scrollTop") == 0


@pytest.mark.parametrize(
    ("text", "start", "wrong", "message"),
    [
        ("QQ, AKx, 22", 4, "AKx", "'AKx' is not a hand"),
        ("AK:1.5", 3, "1.5", "weight"),
        ("KK, AAs", 4, "AAs", "a pair is neither suited nor offsuit"),
    ],
)
def test_a_wrong_part_is_underlined_where_it_stands(open_page, text, start, wrong, message):
    page = open_ranges(open_page, "QQ", "random")
    _editor(page).fill(text)
    _editor(page).blur()
    for field in (_editor(page), _player(page, 1)):
        page.wait_for_function(
            "(field) => field.parentElement.querySelector('mark')", arg=field.element_handle()
        )
        at, marked = field.evaluate(_MARKED)
        assert (at, marked) == (start, wrong)
        assert field.get_attribute("aria-invalid") == "true"
        described = field.get_attribute("aria-describedby")
        shown = page.locator(f"#{described}").inner_text()
        assert message in shown
        assert "^" not in shown
    wait_for_cells(page, "QQ")
    _editor(page).fill("JJ")
    wait_for_cells(page, "JJ")
    page.wait_for_function("() => !document.querySelector('mark, [aria-invalid]')")


def test_a_mistake_of_a_text_is_not_marked_in_a_later_one(open_page):
    page = open_ranges(open_page, "QQ", "random")
    waiting = []
    page.route("**/api/range", lambda route: waiting.append(route))
    field = page.get_by_label("Range as text")
    for text in ("QQ,A", "QQ,AKx"):
        with page.expect_request(
            lambda request, text=text: f'"{text}"' in (request.post_data or "")
        ):
            field.fill(text)
    field.blur()
    marks = []
    for route in waiting:
        with page.expect_response(lambda response, route=route: response.request == route.request):
            route.continue_()
        page.evaluate("() => new Promise((done) => setTimeout(done, 50))")
        marks.append(page.locator("#editor mark").all_inner_texts())
    assert marks[-2:] == [[], ["AKx"]]


def test_what_is_painted_while_a_text_is_read_belongs_to_its_player(open_page):
    page = open_ranges(open_page, "QQ", "JJ")
    page.click("[aria-label='Edit player 2']")
    wait_for_cells(page, "JJ")  # read before: shown at once from now on
    page.click("[aria-label='Edit player 1']")
    wait_for_cells(page, "QQ")
    waiting = _type_unread(page, "TT")
    drag(page, "AKs", "AKs")
    drag(page, "AQs", "AQs")
    page.click("[aria-label='Edit player 2']")
    wait_for_cells(page, "JJ")
    page.route("**/api/range", lambda route: route.continue_())
    for route in waiting:
        route.continue_()
    expect_text(page, "TT,AQs+")
    expect_text(page, "JJ", player=1)
    wait_for_cells(page, "JJ")
    for text in ("TT", "QQ"):
        page.get_by_role("button", name="Undo").click()
        expect_text(page, text)


@pytest.mark.parametrize("switches", [False, True])
def test_what_is_painted_while_a_player_is_removed_changes_no_other(open_page, switches):
    page = open_ranges(open_page, "AA", "KK", "QQ")
    page.click("[aria-label='Edit player 2']")
    wait_for_cells(page, "KK")
    waiting = _type_unread(page, "JJ")
    drag(page, "72o", "72o")
    if switches:
        page.click("[aria-label='Edit player 3']")
    page.hover(".player")
    page.click("[aria-label='Remove player 1']")
    page.route("**/api/range", lambda route: route.continue_())
    with page.expect_response(lambda response: "72o" in (response.request.post_data or "")):
        for route in waiting:
            route.continue_()
    page.click("[aria-label='Edit player 2']")
    wait_for_cells(page, "QQ")
    expect_text(page, "QQ", player=1)


def test_a_mistake_of_another_player_is_shown_at_that_player(open_page):
    page = open_ranges(open_page, "QQ", "22+,A2x")
    page.wait_for_selector(".player:nth-child(2) mark")
    assert _player(page, 2).evaluate(_MARKED) == [4, "A2x"]
    assert page.locator(".player:nth-child(1) mark").count() == 0


def test_the_top_slider_writes_text(open_page):
    page = open_ranges(open_page, "QQ", "random")
    top = page.get_by_label("Top hands")
    top.fill("20")
    expect_text(page, "top 20%")
    wait_for_cells(page, "top 20%")
    assert page.locator(".count").inner_text() == "264 combos · 19.9 %"
    top.fill("0")
    expect_text(page, "")
    wait_for_cells(page, "")


def test_top_hands_against_several(open_page):
    """They are put as a list, which means the same everywhere, and are kept for the next time."""
    page = open_ranges(open_page, "QQ", "random")
    top, against = page.get_by_label("Top hands"), page.get_by_label("Ranked against")
    against.select_option("v 3")  # changes no range that the slider did not make
    page.wait_for_timeout(300)  # an answer would have come
    expect_text(page, "QQ")
    top.fill("15")
    expect_text(page, "77+,A7s+,K9s+,QTs+,JTs,ATo+,KTo+,QJo")
    wait_for_cells(page, "top 15%", against=3)
    against.select_option("v 1")
    expect_text(page, "top 15%")
    against.select_option("v 3")
    expect_text(page, "77+,A7s+,K9s+,QTs+,JTs,ATo+,KTo+,QJo")
    page.reload()
    assert page.get_by_label("Ranked against").input_value() == "3"
    cell(page, "32o").click()
    wait_for_cells(page, "77+,A7s+,K9s+,QTs+,JTs,ATo+,KTo+,QJo,32o")
    against.select_option("v 5")
    wait_for_cells(page, "77+,A7s+,K9s+,QTs+,JTs,ATo+,KTo+,QJo,32o")


def test_slow_top_hands_do_not_undo_what_follows(open_page):
    page = open_ranges(open_page, "QQ", "random")
    release = _ask_late_for_top_hands(page)
    cell(page, "32o").click()
    release()
    expect_text(page, "QQ,32o")
    wait_for_cells(page, "QQ,32o")


@pytest.mark.parametrize(
    ("act", "expected"),
    [
        (lambda page: page.get_by_label("Remove player 1").click(), ["random", "AA"]),
        (lambda page: page.keyboard.press("Control+z"), ["QQ", "random", "AA"]),
        (lambda page: page.evaluate("location.hash = 'p=KK&p=random'"), ["KK", "random"]),
    ],
    ids=["remove", "undo", "link"],
)
def test_slow_top_hands_are_of_the_range_for_which_they_were_asked(open_page, act, expected):
    page = open_ranges(open_page, "QQ", "random", "AA")
    cell(page, "32o").click()
    expect_text(page, "QQ,32o")
    release = _ask_late_for_top_hands(page)
    page.locator("h1").click()
    act(page)
    release()
    for player, text in enumerate(expected):
        expect_text(page, text, player)


@pytest.mark.parametrize("board", ["", "AsAh2c"])
def test_the_number_of_opponents_leaves_the_percentage(open_page, board):
    """Also where known cards block some of the hands that the percentage gives."""
    page = open_ranges(open_page, "QQ", "random", board=board)
    top, against = page.get_by_label("Top hands"), page.get_by_label("Ranked against")
    top.fill("15")
    for count in (3, 2, 5, 4):
        against.select_option(f"v {count}")
        wait_for_cells(page, "top 15%", against=count)
        assert (top.input_value(), top.get_attribute("aria-valuetext")) == ("15", "15 %")
    against.select_option("v 1")
    expect_text(page, "top 15%")


def _ask_late_for_top_hands(page):
    """Ask for top hands against three; return what lets the answer come, and waits."""
    page.get_by_label("Ranked against").select_option("v 3")
    waiting = []
    page.route("**/api/range", lambda route: waiting.append(route))
    page.get_by_label("Top hands").fill("15")

    def release():
        page.route("**/api/range", lambda route: route.continue_())
        for route in waiting:
            route.continue_()
        page.wait_for_timeout(300)

    return release


def test_the_top_slider_shows_what_it_writes(open_page):
    page = open_ranges(open_page, "top 38.5%", "random")
    top = page.locator(".slider:has-text('Top') output")
    assert top.inner_text() == "38.5 %"
    cell(page, "32o").click()
    expect_range(page, "top 38.5%,32o")
    page.wait_for_function("(top) => top.innerText === '39.5 %'", arg=top.element_handle())


def test_combos_are_counted_and_weighted(open_page):
    page = open_ranges(open_page, "QQ,AKs:0.25", "random")
    assert page.inner_text(".count") == "10 combos, 7 weighted · 0.5 %"
    page.wait_for_selector(".player .detail:has-text('10 combos')")


def test_presets_and_buttons(open_page):
    page = open_ranges(open_page, "QQ", "random")
    page.get_by_role("button", name="Presets").click()
    page.get_by_role("menuitem", name="Suited connectors").click()
    expect_text(page, "32s-JTs")
    wait_for_cells(page, "32s-JTs")
    page.locator(".toolbar").get_by_role("button", name="Random").click()
    expect_text(page, "random")
    page.get_by_role("button", name="Clear range").click()
    expect_text(page, "")
    page.wait_for_selector(".player:nth-child(1) .detail >> text=Type AsKs")


def test_every_preset_is_a_range(open_page):
    page = open_page()
    page.get_by_role("button", name="Presets").click()
    texts = page.locator("[role=menuitem] code").all_inner_texts()
    assert len(texts) >= 10
    assert all(len(holdem.Range(text)) for text in texts)


def test_known_cards_of_a_player(open_page):
    page = open_ranges(open_page, "QQ", "AhKh", board="2c3c4d")
    page.get_by_role("button", name="Cards", exact=True).click()
    picker = page.get_by_role("group", name="Two cards")
    picker.get_by_role("button", name="king of hearts").click(force=True)  # player 2 holds it
    picker.get_by_role("button", name="ten of spades").click()
    picker.get_by_role("button", name="ace of clubs").click()
    expect_range(page, "AcTs")  # and the grid shows it
    assert cell(page, "ATo").get_attribute("aria-label") == "ATo, 12 combos, 8 %"


def test_saved_ranges_outlast_the_page(open_page):
    page = open_ranges(open_page, "QQ+,AK:0.5", "random")
    page.get_by_role("button", name="Saved").click()
    page.get_by_role("menuitem", name="Save this range").click()
    page.get_by_label("Name").fill("three-bet")
    page.get_by_role("button", name="Save", exact=True).click()
    page.wait_for_selector("#dialog", state="hidden")
    page.reload()
    wait_for_cells(page, "QQ+,AK:0.5")
    page.get_by_role("button", name="Clear range").click()
    expect_text(page, "")
    page.get_by_role("button", name="Saved").click()
    page.get_by_role("menuitem", name="three-bet").click()
    expect_text(page, "QQ+,AK:0.5")
    page.get_by_role("button", name="Saved").click()
    page.get_by_role("menuitem", name="All as text").click()
    lines = page.locator("#saved-lines")
    assert lines.input_value() == "three-bet: QQ+,AK:0.5"
    for line, message in (
        ("bad line", "Line 2, “bad line”, is not of the form “name: text”."),
        ("foo: KQx", "Line 2, “foo: KQx”: 'KQx' is not a hand"),
    ):
        lines.fill(f"pairs: 22+\n{line}")
        page.get_by_role("button", name="Save", exact=True).click()
        page.wait_for_selector(f'dialog[open] [role=alert]:has-text("{message}")')
        stored = page.evaluate("localStorage.getItem('holdem.ranges')")
        assert stored == "three-bet: QQ+,AK:0.5"
    lines.fill("pairs: 22+\n\nBB: vs BTN: 77")
    saved = {"pairs": "22+", "BB: vs BTN": "77"}
    for _ in range(2):
        page.get_by_role("button", name="Save", exact=True).click()
        page.get_by_role("button", name="Saved").click()
        items = page.locator("[role=menuitem]:has(code)")
        names, texts = (items.locator(tag).all_inner_texts() for tag in ("span", "code"))
        assert dict(zip(names, texts, strict=True)) == saved
        page.get_by_role("menuitem", name="All as text").click()


def test_a_browser_that_keeps_nothing(open_page):
    page = open_ranges(open_page, "QQ", "random")
    page.add_init_script(
        """for (const name of ["localStorage", "sessionStorage"]) {
             Object.defineProperty(window, name, { get() { throw new DOMException("no"); } });
           }"""
    )
    page.reload()
    wait_for_cells(page, "QQ")
    page.get_by_label("Four colours").uncheck()
    page.get_by_role("button", name="Saved").click()
    page.get_by_role("menuitem", name="Save this range").click()
    page.get_by_label("Name").fill("x")
    page.get_by_role("button", name="Save", exact=True).click()
    page.wait_for_selector("dialog[open] [role=alert]:has-text('full or disabled')")


@pytest.mark.filterwarnings("ignore::holdem.DialectWarning")
def test_text_that_other_programs_read_differently_has_a_note(open_page):
    page = open_ranges(open_page, "QQ", "random")
    _editor(page).fill("T9s+")
    page.wait_for_selector("#editor .note:has-text('T9s+ is T9s alone here')")
    _editor(page).fill("T9s")
    page.wait_for_selector("#editor .note:empty", state="attached")


def test_dead_combos_are_hatched_and_counted(open_page):
    page = open_ranges(open_page, "22+,AK", "random", board="Ks7d2c", dead="7h")
    for name, left, total in (("KK", 3, 6), ("77", 1, 6), ("AKo", 9, 12), ("AA", 6, 6)):
        shown = f"{left} of {total} combos left" if left < total else f"{total} combos"
        assert cell(page, name).get_attribute("aria-label") == f"{name}, {shown}, 100 %"
        assert cell(page, name).locator(".left").inner_text() == (str(left) if left < total else "")
        hatched = """(cell) =>
          1 - parseFloat(getComputedStyle(cell, "::after").clipPath.split(" ").at(-1)) / 100"""
        assert cell(page, name).evaluate(hatched) == pytest.approx(1 - left / total, abs=0.02)
    assert page.locator(".count").inner_text() == "79 of 1,128 combos left · 7.0 %"


# The boxes of the texts of all cells, without the two pixels above capital letters.
_TEXTS = """() => [...document.querySelectorAll("#editor .cell span")].filter((span) =>
    span.textContent).map((span) => {
  const text = document.createRange();
  text.selectNodeContents(span);
  const { x, y, width, height } = text.getBoundingClientRect();
  return { x, y: y + 2, width, height: height - 2 };
})"""


@pytest.mark.parametrize("options", [{}, PHONE], ids=["desktop", "phone"])
def test_no_hatching_lies_under_the_text_of_a_cell(open_page, options):
    """Without hatching, the pixels around names and numbers are the same."""
    page = open_ranges(
        open_page, "22+,A2s+:0.5,AKo", "random", board="Ks7d2c", dead="AhKh", **options
    )
    page.wait_for_selector("#players:not(.stale)", state="attached")
    if options:
        page.click("#tab-range")
    boxes = page.evaluate(_TEXTS)
    assert len(boxes) > 190  # 169 names, and numbers
    hatched = Pixels(page)
    page.evaluate(
        """() => {
          const sheet = new CSSStyleSheet();
          sheet.replaceSync(".cell[aria-selected]::after { background: none; }");
          document.adoptedStyleSheets = [sheet];
        }"""
    )
    plain = Pixels(page)
    grid = page.locator("#editor .grid").bounding_box()
    assert (hatched.box(grid) != plain.box(grid)).sum() > 50
    assert [box for box in boxes if (hatched.box(box) != plain.box(box)).any()] == []


@pytest.mark.parametrize("options", [{}, PHONE], ids=["desktop", "phone"])
def test_names_of_cells_stand_in_one_place_and_numbers_are_lighter(open_page, options):
    """Neither a number below it nor the heat map moves a name; hatching is in the range alone."""
    page = open_ranges(open_page, "22+,A2s+:0.5", "random", board="Ks7d2c", **options)
    page.wait_for_selector("#players:not(.stale)", state="attached")
    if options:
        page.click("#tab-range")
    places = """() => [...document.querySelectorAll("#editor .cell .name")].map((name) => {
      const [own, cell] = [name, name.parentElement].map((each) => each.getBoundingClientRect());
      return `${Math.round(own.x - cell.x)} ${Math.round(own.y - cell.y)}`;
    })"""
    before = page.evaluate(places)
    assert len(set(before)) == 1
    hatched = page.evaluate(
        """() => [...document.querySelectorAll("#editor .cell")].filter((cell) =>
          getComputedStyle(cell, "::after").content !== "none").map((cell) => cell.ariaSelected)"""
    )
    assert set(hatched) == {"true"}
    seven, name = (cell(page, "77").locator(part) for part in (".left", ".name"))
    assert seven.inner_text() == "3"
    size = "(part) => parseFloat(getComputedStyle(part).fontSize)"
    assert seven.evaluate(size) <= name.evaluate(size)
    colour = "(part) => getComputedStyle(part).color"
    assert seven.evaluate(colour) != name.evaluate(colour)
    grid, title = page.locator(".grid").bounding_box(), page.locator("#range-title").bounding_box()
    page.click("#heat-switch")
    page.wait_for_selector(".cell.hot")
    assert page.evaluate(places) == before
    assert page.locator("#range-title").bounding_box() == title
    if not options:
        assert page.locator(".grid").bounding_box() == grid
    beside = (
        cell(page, "A5s")
        .locator(".weight, .heat")
        .evaluate_all(
            "(all) => all.filter((each) => each.checkVisibility()).map((each) => each.className)"
        )
    )
    assert beside == ["heat"]  # "50" and "53" would be read as 5053


WIDE = "22+,A2s+,K9s+,QTs+,JTs,T9s:0.5,98s:0.25,A5o-A2o,87s:0.125,ATo+,KJo+,QJo:0.75,AhTd,AsTc"


@pytest.mark.parametrize("width", [1280, 390])
def test_lines_end_after_commas_only(open_page, width):
    page = open_ranges(
        open_page,
        WIDE,
        "random",
        viewport={"width": width, "height": 800},
    )
    field = page.get_by_label("Range as text")

    def lines():
        lines = field.input_value().split("\n")
        height = field.evaluate(
            """(area) =>
              Math.round((area.scrollHeight - 6) / parseFloat(getComputedStyle(area).lineHeight))"""
        )
        assert max(2, len(lines)) == height  # none is broken elsewhere
        assert all(line.endswith(",") for line in lines[:-1])
        assert "".join(lines) == WIDE
        return lines

    assert len(lines()) == {1280: 2, 390: 3}[width]
    page.set_viewport_size({"width": width - 60, "height": 800})
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")
    lines()
    field.focus()
    page.keyboard.press("Control+a")
    page.keyboard.press("Control+c")
    assert page.evaluate("navigator.clipboard.readText()") == WIDE
    page.keyboard.press("End")
    page.keyboard.type(",AKx")
    field.blur()
    mark = page.locator("#editor mark")
    assert mark.inner_text() == "AKx"
    page.wait_for_function("location.hash.includes('AsTc,AKx&')")


def test_random_hands_of_a_table_have_an_equity_only(open_page):
    """Nothing stands for wins and ties that are not known, and the bar is grey, of the equity."""
    page = open_ranges(open_page, "AsKs", *["random"] * 4)
    page.wait_for_selector(".player:nth-child(2) .equity:has-text('16.15')")
    details = page.locator(".player .detail").all_inner_texts()
    assert details == ["win 34.5 · tie 2.0 · 1 combo", *["1,225 combos"] * 4]
    own, grey = (page.locator(f".player:nth-child({place}) .bar-track .win") for place in (1, 2))
    assert grey.evaluate("bar => bar.style.transform") == "scaleX(0.161495)"
    colours = [bar.evaluate("bar => getComputedStyle(bar).backgroundColor") for bar in (own, grey)]
    assert colours == ["rgb(31, 95, 208)", "rgb(138, 147, 160)"]
    assert "exact · 1.15e+18 deals" in page.inner_text(".status-line").replace("\xa0", " ")
    # The combos of random hands are sampled: equal seats would seem to have different shares.
    page.click("#tab-combos")
    page.wait_for_selector("#panel-combos[aria-busy=false] .report:not(.old)")
    page.wait_for_selector(".summary:not(.old)")
    assert "nuts" not in page.inner_text(".summary")
