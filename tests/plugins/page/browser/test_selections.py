"""Selections in the answer combine, and narrow the range; combos are listed, and shown by cell."""

import csv
import io
from itertools import pairwise

import pytest

import holdem
from page_editor import Finger, cell, expect_text
from page_in_browser import link, live_combos, open_tab, options, percent, printed, ready, rows

pytestmark = pytest.mark.browser
PLAYERS = ["22+,A2s+,KTs+:0.5,ATo", "top 20%"]
FLOP = "Tc9d2d"
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


@pytest.fixture
def page(open_page):
    """Return the page with two ranges on a flop, which it shows the hits of."""
    page = open_page(link(PLAYERS, FLOP))
    ready(page, "hits")
    return page


def _add(page, line):
    page.click(f"[data-line='{line}']", modifiers=["Control"])


def _selected(page):
    return set(
        page.evaluate(
            """async () => {
                 const { getSelection } = await import("/js/selection.js");
                 return [...(getSelection()?.combos.keys() ?? [])];
               }"""
        )
    )


def _kept(page):
    """Return the combos of the answer's first range, once the rules have been applied."""
    page.wait_for_selector(".chip")
    page.wait_for_selector("#players:not(.stale)")
    ready(page, "combos" if page.locator("#tab-combos[aria-selected=true]").count() else "hits")
    return live_combos(
        page.evaluate(
            "async () => (await import('/js/answer.js')).getAnswer().equity.players[0].range"
        )
    )


@pytest.fixture
def lines(capsys):
    """Return the combos of each line of the command line's hits."""
    hits = printed(capsys, "hits", PLAYERS[0], *options(FLOP))
    groups = hits["made"] | hits["draws"]
    return {name: live_combos(group["range"]) for name, group in groups.items() if group["combos"]}


def test_lines_unite_or_intersect_and_what_remains_goes_to_the_turn(page, lines):
    page.click("[data-line='top pair']")
    _add(page, "overpair")
    assert _selected(page) == lines["top pair"] | lines["overpair"]
    _add(page, "flush draw")
    assert _selected(page) == lines["top pair"] | lines["overpair"] | lines["flush draw"]
    page.get_by_role("button", name="and", exact=True).click()
    both = (lines["top pair"] | lines["overpair"]) & lines["flush draw"]
    assert _selected(page) == both
    assert both
    label = page.inner_text(".selection span")
    assert label.startswith("(top pair or overpair) and flush draw: ")
    page.keyboard.press("k")
    assert _kept(page) == both
    assert page.locator(".selection").is_hidden()
    assert page.inner_text(".chip button") == "(top pair or overpair) and flush draw"
    open_tab(page, "next-card")
    # On Q♥ no top pair of this range has a flush draw any more; on 4♥ all that is kept remains.
    page.click("#panel-next-card [data-card=Qh]")
    page.click("text=Put Q♥ on the board")
    page.wait_for_selector(".player .error:has-text('the rules leave no combo of the range on')")
    page.keyboard.press("Control+z")
    ready(page, "next-card")
    page.click("#panel-next-card [data-card='4h']")
    page.click("text=Put 4♥ on the board")
    ready(page, "next-card")
    page.click("#tab-hits")
    assert _kept(page) == both
    page.keyboard.press("Control+z")
    page.keyboard.press("Control+z")
    page.wait_for_selector(".chip", state="detached")
    expect_text(page, PLAYERS[0])


def test_on_a_phone_the_selection_is_a_line_of_text_and_one_of_buttons(open_page):
    page = open_page(link(PLAYERS, FLOP), **PHONE)
    page.click("#tab-answers")
    ready(page, "hits")
    page.click("[data-line='top pair']")
    buttons = page.locator(".selection button:visible").all()
    boxes = {button.inner_text(): button.bounding_box() for button in buttons}
    assert list(boxes) == ["Add", "Keep", "Remove", "Show in grid", "×"]
    label = page.locator(".selection span").bounding_box()
    assert len({box["y"] for box in boxes.values()}) == 1, boxes
    assert label["y"] + label["height"] <= boxes["Keep"]["y"] + 1


def test_removed_lines_leave_the_range(page, lines, capsys):
    page.click("[data-line='top pair']")
    page.get_by_role("button", name="Add: select several").click()
    page.click("[data-line='flush draw']")
    either = lines["top pair"] | lines["flush draw"]
    assert _selected(page) == either
    _add(page, "flush draw")  # no longer
    assert _selected(page) == lines["top pair"]
    _add(page, "flush draw")
    page.get_by_role("button", name="Remove", exact=True).click()
    removed = ("--remove", "top pair, flush draw")
    left = printed(capsys, "range", PLAYERS[0], "--board", FLOP, *removed)["left"]["text"]
    assert live_combos(left) == live_combos(PLAYERS[0], FLOP) - either
    assert _kept(page) == live_combos(left)
    assert page.evaluate("document.activeElement.id") == "tab-hits"
    assert page.inner_text(".chip button") == "without top pair or flush draw"


def test_a_stretch_and_a_card_narrow_a_line(page, lines):
    page.click("[data-line='flush draw']")
    open_tab(page, "distribution")
    assert _selected(page) == lines["flush draw"]  # stays in another tab
    page.get_by_role("button", name="Add: select several").click()
    page.focus(".plot")
    page.keyboard.press("Home")
    for _ in range(2):
        page.keyboard.press("Shift+PageUp")
    table = holdem.equity(*PLAYERS, board=FLOP).players[0].by_combo
    found = _selected(page)
    assert found < lines["flush draw"]
    best = min(table[combo].equity for combo in found)
    assert all(table[combo].equity <= best for combo in lines["flush draw"] - found)
    open_tab(page, "next-card")
    page.click("#panel-next-card [data-card=Ks]")
    page.wait_for_selector(".selection:has-text('better with K♠')")
    then = holdem.equity(*PLAYERS, board=FLOP + "Ks").players[0].by_combo
    helped = {each.combo for each in then if each.equity > table[each.combo].equity + 1e-9}
    assert _selected(page) == found & helped
    page.click("#panel-next-card [data-card=Ks]")
    assert _selected(page) == found


def test_a_selection_ends_with_the_player_whose_it_is(page, lines):
    page.click("[data-line='top pair']")
    assert _selected(page) == lines["top pair"]
    page.click("[aria-label='Edit player 2']")
    ready(page, "hits")
    assert page.locator(".selection").is_hidden()
    assert page.locator(".cell.lit").count() == 0
    page.click("[data-line='top pair']")
    page.wait_for_selector(".selection:has-text('top pair: 27 combos')")


def test_what_is_selected_besides_a_stretch_stays_when_it_is_drawn_anew(page, lines):
    page.click("[data-line='flush draw']")
    open_tab(page, "distribution")
    page.get_by_role("button", name="Add: select several").click()
    page.focus(".plot")
    page.keyboard.press("Home")
    page.keyboard.press("Shift+PageUp")
    page.get_by_role("button", name="Add: select several").click()
    found = _selected(page)
    assert found < lines["flush draw"]
    page.get_by_role("button", name="Compare…").click()
    ready(page, "distribution")
    assert _selected(page) == found


def test_cards_unite_and_say_the_equity_now(page):
    open_tab(page, "next-card")
    table = holdem.equity(*PLAYERS, board=FLOP).players[0].by_combo
    helped = []
    for card in ("Ks", "3d"):
        page.click(f"#panel-next-card [data-card='{card}']", modifiers=["Control"])
        page.wait_for_selector(f".selection:has-text('{card[0]}')")
        then = holdem.equity(*PLAYERS, board=FLOP + card).players[0].by_combo
        helped.append(
            {each.combo for each in then if each.equity > table[each.combo].equity + 1e-9}
        )
    both = helped[0] | helped[1]
    page.wait_for_selector(".selection:has-text('better with K♠ or 3♦: ')")
    assert _selected(page) == both
    deals = {combo: table[combo].weight * table[combo].deals for combo in both}
    mean = sum(table[combo].equity * deals[combo] for combo in both) / sum(deals.values())
    assert page.inner_text(".selection span").endswith(f"equity {percent(mean)}\xa0%")
    held = page.locator("#panel-next-card [aria-selected=true]").evaluate_all(
        "(cells) => cells.map((cell) => cell.dataset.card)"
    )
    assert sorted(held) == ["3d", "Ks"]


def test_cards_unite_that_are_chosen_before_the_combos_of_the_first_are_there(page):
    open_tab(page, "next-card")
    held = []
    page.route("**/api/equity", lambda route: held.append(route))
    for card, keys in (("Ks", []), ("3d", ["Control"]), ("Qs", ["Control"])):
        with page.expect_request(lambda request, card=card: card in (request.post_data or "")):
            page.click(f"#panel-next-card [data-card='{card}']", modifiers=keys)
    page.click("#panel-next-card [data-card=Qs]", modifiers=["Control"])  # no longer
    marked = "#panel-next-card [data-card][aria-selected=true]"
    cards = "(cells) => cells.map((cell) => cell.dataset.card)"
    assert page.locator(marked).evaluate_all(cards) == ["Ks", "3d"]
    for route in reversed(held):  # the first comes last
        with page.expect_response(lambda response, route=route: response.request == route.request):
            route.continue_()
    page.wait_for_selector(".selection:has-text('better with K♠ or 3♦: ')")
    assert page.locator(marked).evaluate_all(cards) == ["Ks", "3d"]


def test_nothing_is_kept_of_an_empty_selection(page, lines):
    page.click("[data-line='set']")
    _add(page, "flush draw")
    page.get_by_role("button", name="and", exact=True).click()
    assert not lines["set"] & lines["flush draw"]
    assert page.inner_text(".selection span") == "set and flush draw: no combos"
    assert page.get_by_role("button", name="Keep").is_disabled()
    page.keyboard.press("k")
    page.keyboard.press("r")
    expect_text(page, PLAYERS[0])


def test_a_new_question_ends_what_other_tabs_selected(page):
    page.click("[data-line='set']")
    open_tab(page, "distribution")
    page.keyboard.press("b")
    page.keyboard.type("3h")  # the turn, behind the flop
    page.keyboard.press("Enter")
    page.wait_for_selector(".selection", state="hidden")


def _copied(page, name):
    page.get_by_role("button", name=name).click()
    page.wait_for_selector(".combo-tools [role=status]:text-is('Copied')")
    return page.evaluate("navigator.clipboard.readText()")


def test_combos_are_listed_sorted_and_copied(open_page, capsys, lines):
    page = open_page(link(PLAYERS, FLOP))
    open_tab(page, "combos")
    expected = printed(capsys, "equity", *PLAYERS, *options(FLOP), "--by", "combo")
    records = {each["combo"]: each for each in expected["players"][0]["by_combo"]}
    assert page.inner_text(".combo-tools span") == f"{len(records)} combos"
    table = list(csv.DictReader(io.StringIO(_copied(page, "Copy CSV of the combos"))))
    assert {each["combo"]: float(each["equity"]) for each in table} == {
        combo: each["equity"] for combo, each in records.items()
    }
    assert {each["combo"]: float(each["weight"]) for each in table} == {
        combo: each["weight"] for combo, each in records.items()
    }
    for name, combos in lines.items():
        held = {e["combo"] for e in table if name in (e["made"], *e["draws"].split("; "))}
        assert held == combos
    equities = [float(each["equity"]) for each in table]
    assert equities == sorted(equities, reverse=True)
    shown = [row[2] for row in rows(page, "combos")]
    assert shown == [percent(equity) for equity in equities[: len(shown)]]
    page.get_by_role("button", name="Hand").click()
    assert rows(page, "combos")[0][0] == "A♠A♥"
    page.click("#tab-hits")
    page.click("[data-line='flush draw']")
    page.click("#tab-combos")
    text = _copied(page, "Copy text of the combos")
    assert holdem.Range(text) == holdem.Range.from_combos(
        {combo: records[combo]["weight"] for combo in lines["flush draw"]}
    )
    page.click(".combo-lines button[data-combo='KdTd']")
    assert _selected(page) == {"KdTd"}
    assert len(rows(page, "combos")) == len(lines["flush draw"])


@pytest.mark.parametrize("players", [PLAYERS, [*PLAYERS, "random", "random"]])
def test_what_a_combo_has_is_shown_in_full(open_page, players):
    """It goes on in a second line rather than being cut, also beside intervals and rules."""
    question = link(players, FLOP).replace("&p=top", "&keep=flop:top%20pair+,flush%20draw&p=top")
    page = open_page(question)
    open_tab(page, "combos")
    for width in (1366, 1280, 390):
        page.set_viewport_size({"width": width, "height": 800})
        if width < 760:
            page.click("#tab-answers")
        cells = page.locator(".combo-lines td:last-child")
        assert any("," in text for text in cells.all_inner_texts())
        cut = """(cells) => cells.filter((cell) => {
          const text = document.createRange();
          text.selectNodeContents(cell);
          const inner = text.getBoundingClientRect(), box = cell.getBoundingClientRect();
          return inner.left < box.left || inner.right > box.right + 0.5 || inner.top < box.top
            || inner.bottom > box.bottom || cell.scrollWidth > cell.clientWidth
            || box.right > document.querySelector("#panel-combos").getBoundingClientRect().right;
        }).map((cell) => cell.innerText)"""
        assert page.locator(".combo-lines :is(th, td)").evaluate_all(cut) == []


def test_before_the_flop_combos_have_nothing_yet(open_page):
    """What a combo may flop is no hand that it has."""
    page = open_page(link(["KK,AKs", "QQ"]))
    open_tab(page, "combos")
    assert {row[-1] for row in rows(page, "combos")} == {""}
    cell(page, "KK").hover()
    page.wait_for_selector("#peek table tr:has-text('K♠K♥')")
    assert "hand" not in page.inner_text("#peek")


def test_a_cell_shows_its_combos(page):
    record = holdem.equity(*PLAYERS, board=FLOP).players[0].by_combo["KdTd"]
    said = f"equity {percent(record.equity)}\xa0%, top pair, flush draw"
    cell(page, "KTs").hover()
    page.wait_for_selector(f"#peek:has-text('{said}')")
    lines = [line.split("\t") for line in page.inner_text("#peek table").split("\n")]
    assert [line[:2] for line in lines] == [
        ["K♠T♠", "0.5"],
        ["K♥T♥", "0.5"],
        ["K♦T♦", "0.5"],
        ["K♣T♣", ""],
    ]
    assert lines[3][2] == "blocked"
    page.mouse.move(5, 5)
    page.wait_for_selector("#peek", state="hidden")
    page.keyboard.press("b")
    page.focus(".cell >> nth=17")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowRight")
    page.wait_for_selector("#peek:has-text('KTs')")
    page.keyboard.press("Escape")
    page.wait_for_selector("#peek", state="hidden")


def test_a_long_press_says_what_a_combo_has(open_page):
    page = open_page(
        link(PLAYERS, FLOP), viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True
    )
    page.wait_for_selector(".cell[aria-selected=true]")
    finger = Finger(page)
    finger.down("KTs")
    page.wait_for_selector(".suits:popover-open")
    finger.up()
    page.locator(".suits [data-combo=KdTd]").focus()
    record = holdem.equity(*PLAYERS, board=FLOP).players[0].by_combo["KdTd"]
    said = f"K♦ T♦ equity {percent(record.equity)}\xa0%, top pair, flush draw"
    page.wait_for_selector(f".suits .detail:has-text('{said}')")


@pytest.mark.parametrize("key", ["Space", "Enter"])
def test_control_adds_to_the_selection_with_either_key(page, lines, key):
    page.focus("[data-line='set']")
    page.keyboard.press(key)
    page.keyboard.press("ArrowDown")
    page.keyboard.press(f"Control+{key}")
    assert _selected(page) == lines["set"] | lines["overpair"]


@pytest.mark.parametrize(("key", "stays"), [("k", "top pair"), ("r", None)])
def test_the_focus_stays_in_the_report_when_the_range_is_narrowed(page, key, stays):
    page.focus("[data-line='top pair']")
    page.keyboard.press("Space")
    page.keyboard.press(key)
    ready(page, "hits")
    focus = page.evaluate("document.activeElement.dataset.line ?? document.activeElement.tagName")
    assert focus == stays if stays else focus in lines_of(page)


@pytest.mark.parametrize(("key", "stays"), [("k", "top pair or better"), ("r", None)])
def test_the_focus_of_an_edge_stays_in_the_report(page, key, stays):
    page.click("[data-plus='top pair+']")
    page.keyboard.press(key)
    _kept(page)
    assert page.evaluate("document.activeElement.matches('#panel-hits .report button')")
    focus = page.evaluate("document.activeElement.ariaLabel")
    assert stays in (focus, None)


def lines_of(page):
    """Return the names of the lines that are shown."""
    return page.locator("[data-line]").evaluate_all("(all) => all.map((e) => e.dataset.line)")


@pytest.mark.parametrize("width", [1366, 1280, 1024, 390])
@pytest.mark.parametrize("is_weighted", [True, False])
def test_columns_of_combos_stand_apart_and_weights_only_where_there_are_some(
    open_page, width, is_weighted
):
    players = PLAYERS if is_weighted else ["22+,A2s+", "top 20%"]
    page = open_page(link(players, FLOP), viewport={"width": width, "height": 800})
    if width < 760:
        page.click("#tab-answers")
    open_tab(page, "combos")
    heads = page.locator("#panel-combos thead th:visible")
    names = [head.inner_text().strip(" ↓") for head in heads.all()]
    assert names == ["Hand", *(["weight"] if is_weighted else []), "equity", "blocks", "has"]
    boxes = page.locator("#panel-combos :is(thead, tbody tr:nth-child(-n + 30)) tr").evaluate_all(
        """(rows) => rows.map((row) => [...row.cells].filter((cell) => cell.checkVisibility())
          .map((cell) => {
            const text = document.createRange();
            text.selectNodeContents(cell.querySelector("button") ?? cell);
            const { left, right } = text.getBoundingClientRect();
            return [left, right];
          }))"""
    )
    for row in boxes:
        for (_, right), (left, _) in pairwise(row):
            assert left - right >= (7.9 if is_weighted and width in {1280, 390} else 15.9)
