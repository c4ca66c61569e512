"""What a player decides with: rules, comparison, flops, blockers, and a picture of the spot."""

import csv
import io
import re
from itertools import pairwise

import numpy as np
import pytest
from PIL import Image

import holdem
from page_in_browser import link, live_combos, open_tab, percent, printed, ready, rows
from visible_faults import visible_faults

pytestmark = pytest.mark.browser
PLAYERS = ["22+,A2s+,KTs+:0.5,ATo", "top 20%"]
BOARD = "Tc9d2dKh3s"


def _range(page, player=0):
    """Return the live combos of a player's range in the answer to the present question."""
    page.wait_for_selector("#players:not(.stale)")
    equity = page.evaluate("async () => (await import('/js/answer.js')).getAnswer().equity")
    return live_combos(equity["players"][player]["range"], "".join(equity["board"]))


def _kept(streets, lines):
    """Return the combos that are in a line on each street, as sets of the command line's hits."""
    left = live_combos(PLAYERS[0], BOARD[: 2 * streets[-1]])
    for size in streets:
        left &= live_combos(str(holdem.hits(PLAYERS[0], board=BOARD[: 2 * size]).keep(*lines)))
    return left


def test_a_rule_goes_on_over_three_streets_and_is_in_link_and_undo(open_page, capsys):
    page = open_page(link(PLAYERS, BOARD[:6]))
    ready(page, "hits")
    page.get_by_role("button", name="top pair or better").click()
    page.click("[data-line='flush draw']", modifiers=["Control"])
    assert page.inner_text(".selection span").startswith("top pair+ or flush draw: ")
    page.keyboard.press("k")
    page.wait_for_selector(".chip:has-text('top pair+ or flush draw')")
    both = ["top pair+", "flush draw"]
    assert _range(page) == _kept([3], both)
    assert "&keep=flop:top%20pair+,%20flush%20draw&" in page.evaluate("location.hash")
    keep = ["--keep", "top pair+, flush draw"]
    left = printed(capsys, "range", PLAYERS[0], "--board", BOARD[:6], *keep)["left"]
    assert _range(page) == live_combos(left["text"])
    page.locator(".count", has_text=re.compile(rf"^{left['count']} of ")).wait_for()

    for size, lines in ((4, both), (5, ["top pair+"])):  # on the river there are no draws
        page.keyboard.press("b")
        page.keyboard.type(BOARD[2 * size - 2 : 2 * size])  # behind the flop, or the turn
        page.keyboard.press("Enter")
        ready(page, "hits")
        expected = _kept([3, 4][: size - 3] or [3], both)
        expected &= _kept([size], lines)
        assert _range(page) == expected
        page.locator(".count", has_text=re.compile(rf"^{len(expected)} of ")).wait_for()
    page.keyboard.press("Escape")
    page.click(".chip button")  # off
    page.wait_for_function("() => location.hash.includes('keep=off:flop:')")
    assert _range(page) == live_combos(PLAYERS[0], BOARD)


def test_a_rule_is_undone_and_a_link_opens_with_it(open_page, server):
    rule = "&keep=flop:top%20pair+,flush%20draw&drop=turn:gutshot"
    question = link(PLAYERS, BOARD[:6]).replace("&p=top", f"{rule}&p=top")
    page = open_page(question)
    ready(page, "hits")
    assert _range(page) == _kept([3], ["top pair+", "flush draw"])
    assert page.locator(".left-out").inner_text() == ""
    chips = page.locator(".chip")
    words = [chip.locator("button").first.inner_text() for chip in chips.all()]
    assert words == ["top pair+ or flush draw", "later turn: without gutshot"]
    assert "idle" in chips.nth(1).get_attribute("class")  # its street is to come
    page.get_by_role("button", name="Remove the rule top pair").click()
    page.wait_for_function("() => document.querySelectorAll('.chip').length === 1")
    assert _range(page) == live_combos(PLAYERS[0], BOARD[:6])
    page.keyboard.press("Control+z")
    page.wait_for_function("() => document.querySelectorAll('.chip').length === 2")
    assert _range(page) == _kept([3], ["top pair+", "flush draw"])
    page.evaluate("(hash) => { location.hash = hash; }", question.replace("flop:top%20pair+", "x"))
    page.wait_for_selector(".left-out:has-text('keep=x')")


def test_rules_that_leave_nothing_say_so_at_the_player(open_page):
    question = link(["AsKs", "QQ"], "Td9d2c").replace("&p=QQ", "&keep=flop:set&p=QQ")
    page = open_page(question)
    page.wait_for_selector(".player .error:has-text('the rules leave no combo of the range')")


def test_figures_show_their_change_since_a_question_that_is_pinned(open_page, capsys):
    page = open_page(link(PLAYERS, BOARD[:6]))
    ready(page, "hits")
    page.get_by_role("button", name="Compare…").click()
    label = f"A: {' v '.join(PLAYERS)} on T♣ 9♦ 2♦"
    assert page.text_content(".pinned .kept span") == label
    assert page.get_attribute(".pinned", "title").startswith(label)
    ready(page, "hits")
    assert page.locator("#panel-hits .delta").count() == 0  # nothing has changed
    page.get_by_label("Range of player 2").fill("top 40%")
    page.keyboard.press("Enter")
    page.click("[aria-label='Edit player 1']")
    ready(page, "hits")
    page.wait_for_selector("#panel-hits .delta")
    before = holdem.equity(*PLAYERS, board=BOARD[:6])
    after = holdem.equity(PLAYERS[0], "top 40%", board=BOARD[:6])
    for index, own in enumerate(after.players):
        points = 100 * (own.equity - before.players[index].equity)
        said = page.locator(".since").nth(index).inner_text().replace("−", "-")
        assert said == f"{points:+.2f}"
    top = live_combos(str(holdem.hits(PLAYERS[0], board=BOARD[:6]).made["top pair"].range))

    def equity_of(result):
        own = [row for row in result.players[0].by_combo if str(row.combo) in top]
        mass = sum(row.weight * row.deals for row in own)
        return sum(row.weight * row.deals * row.equity for row in own) / mass

    row = next(row for row in rows(page, "hits") if row[0] == "top pair")
    now, then = equity_of(after), equity_of(before)
    assert row[-1].replace("−", "-") == f"{percent(now)}{100 * (now - then):+.1f}"
    shares = page.locator("#panel-hits td:nth-child(4) .delta")
    assert page.locator("#panel-hits td:nth-child(5) .delta:is(.up, .down)").count() > 3
    assert (
        shares.count() == page.locator("#panel-hits td:nth-child(4) :is(.up, .down)").count() == 0
    )
    page.get_by_role("button", name="Compare no longer").click()
    page.wait_for_selector("#panel-hits .delta", state="detached")
    assert page.locator(".since:not(:empty)").count() == 0


@pytest.mark.parametrize("width", [1366, 390])
def test_no_row_of_players_moves_when_a_question_is_pinned(open_page, width):
    page = open_page(link(PLAYERS, BOARD[:6]), viewport={"width": width, "height": 800})
    if width < 760:
        page.click("#tab-players")
    page.wait_for_selector("#players:not(.stale)")
    where = """() => [...document.querySelectorAll(
        ".player, .player .equity, .player .bar-track, .price, .add, .bar, .hit-lines thead th")]
      .filter((each) => each.checkVisibility() && !each.matches(".theirs"))
      .map((each) => {
        const box = document.createRange(); // of a heading, where its text stands
        if (each.localName === "th") box.selectNodeContents(each);
        else box.selectNode(each);
        const { x, y, width } = box.getBoundingClientRect();
        return `${x} ${y} ${width}`;
      })"""
    numbers = """() => {
      const cells = [...document.querySelectorAll(".hit-lines td:nth-child(n + 4)")];
      return cells.map((cell) => {
        const text = document.createRange();
        text.selectNodeContents(cell.firstChild);
        return text.getBoundingClientRect().right - cell.getBoundingClientRect().right;
      });
    }"""
    if width >= 760:
        ready(page, "hits")
    before = page.evaluate(where)
    pin = page.get_by_role("button", name="Compare…")
    pin.click()
    assert page.locator(".pinned").is_visible()
    assert page.evaluate(where) == before
    page.get_by_label("Range of player 2").fill("top 20%,J9s")
    page.keyboard.press("Enter")
    page.click("[aria-label='Edit player 1']")
    page.wait_for_selector(".since:not(:empty)")
    if width >= 760:
        page.wait_for_selector("#panel-hits .delta")
        ready(page, "hits")
        assert len({round(each, 1) for each in page.evaluate(numbers)}) <= 2  # decimals align
    assert page.evaluate(where) == before
    page.get_by_role("button", name="Compare no longer").click()
    page.wait_for_selector(".pinned", state="hidden")
    assert page.evaluate(where) == before


def test_a_rule_that_does_nothing_says_why(open_page):
    """One that is switched off, and one whose street is to come."""
    rules = "&keep=off:flop:set&drop=turn:gutshot"
    page = open_page(link(PLAYERS, BOARD[:6]).replace("&p=top", f"{rules}&p=top"))
    off, later = page.locator(".chip").all()
    assert off.inner_text().split("\n")[0].startswith("off set")
    assert later.inner_text().startswith("later turn: without gutshot")
    said = [
        (
            off,
            "set: switched off, so that it changes nothing. Click to switch it on.",
            "off set, s",
        ),
        (later, "turn: without gutshot: waits for the turn. Click to switch it off.", "later turn"),
    ]
    for chip, title, name in said:
        assert chip.get_attribute("title") == title
        button = chip.get_by_role("button").first
        assert button.get_attribute("title") == title
        assert chip.get_by_role("button", name=name).count() == 1
        assert button.evaluate("(each) => each.scrollWidth <= each.clientWidth")
    off.get_by_role("button").first.click()
    page.wait_for_function("() => !location.hash.includes('off:')")
    assert page.inner_text(".chip button") == "set"


def test_flops_are_searched_sorted_saved_and_equal_to_the_command_line(open_page, capsys):
    page = open_page(link(["QQ+,AKs", "22+,A2s+"]))
    page.click("#tab-flops")
    page.wait_for_selector("#panel-flops button:text-is('CSV'):enabled")
    assert page.locator("#tab-next-card").is_hidden()
    with page.expect_download() as download:
        page.get_by_role("button", name="CSV", exact=True).click()
    text = download.value.path().read_text()
    found = list(csv.DictReader(io.StringIO(text)))
    assert holdem.cli.run(["flops", "QQ+,AKs", "22+,A2s+", "-f", "csv"]) == 0
    expected = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert len(found) == len(expected) == 1755
    for ours, theirs in zip(found, expected, strict=True):
        assert ours["flop"] == theirs["flop"]
        assert float(ours["equity_1"]) == pytest.approx(float(theirs["equity_1"]), abs=1e-12)
    answer = printed(capsys, "flops", "QQ+,AKs", "22+,A2s+", "--by", "texture")
    means = {
        each["texture"]: [f"{each['flops']:,}", percent(each["equity"][0])]
        for each in answer["textures"]
    }
    shown = page.evaluate(
        """() => [...document.querySelectorAll(".means tbody tr")].map(
             (row) => [...row.cells].map((cell) => cell.innerText))"""
    )
    for name, *figures in shown:
        assert figures == means[{"all": ""}.get(name, name)]
    assert len(shown) == 21

    page.fill("#flop-search", "K72 two-tone")
    page.wait_for_function("() => document.querySelectorAll('.flops tbody tr').length < 20")
    searched = page.locator("[data-flop]").evaluate_all("(all) => all.map((e) => e.dataset.flop)")
    assert searched
    wanted = [x["flop"] for x in expected if x["suits"] == "two-tone"]
    assert set(searched) == {x for x in wanted if sorted(x[::2]) == sorted("K72")}
    page.fill("#flop-search", "")
    page.wait_for_function("() => document.querySelectorAll('.flops tbody tr').length >= 100")
    lines = page.locator("[data-flop]")
    while (shown := lines.count()) < 1755:  # more come when one scrolls to the end
        page.locator(".flops-end").scroll_into_view_if_needed()
        page.wait_for_function(
            "(shown) => document.querySelectorAll('[data-flop]').length > shown", arg=shown
        )
    assert shown == 1755
    first = page.locator("[data-flop]").first
    best = max(expected, key=lambda row: float(row["equity_1"]))
    assert first.get_attribute("data-flop") == best["flop"]
    page.locator(".flops").get_by_role("button", name="equity").click()
    worst = min(expected, key=lambda row: float(row["equity_1"]))
    assert first.get_attribute("data-flop") == worst["flop"]
    first.click()
    page.wait_for_selector("#tab-next-card[aria-selected=true]")


def test_combos_say_how_many_of_the_others_they_block(open_page):
    question = link(["KdQd,7h6h", "22+,A2s+,KTs+"], "Ks7d2c") + "&keep=flop:top%20pair+"
    page = open_page(question.replace("&b=Ks7d2c", "") + "&b=Ks7d2c")
    open_tab(page, "combos")
    whole = live_combos("22+,A2s+,KTs+", "Ks7d2c")
    left = holdem.hits("22+,A2s+,KTs+", board="Ks7d2c").keep("top pair+")
    kept = live_combos(str(left))

    def blocked(combo, others):
        cards = {combo[:2], combo[2:]}
        return sum(bool(cards & {other[:2], other[2:]}) for other in others)

    def shown():
        ready(page, "combos")
        return {row[0].replace("♦", "d").replace("♥", "h"): row[4] for row in rows(page, "combos")}

    with_rule = {
        combo: f"{blocked(combo, kept)} · {blocked(combo, whole - kept)}"
        for combo in ("KdQd", "7h6h")
    }
    assert shown() == with_rule
    alone = {combo: str(blocked(combo, whole)) for combo in with_rule}
    for expected in (alone, with_rule):  # what it leaves is known later than the equities
        page.click("[aria-label='Edit player 2']")
        page.click(".chip button")  # off, and on again
        page.click("[aria-label='Edit player 1']")
        assert shown() == expected


def test_one_click_shows_the_best_bluffs(open_page):
    """By pairs counted one by one, with the equities of the engine; the hero has a set, too."""
    hero, board = "77,A5,QQ,T9,54,AcKc", "Ks7d2c"
    villain = "AK,KQ,KJ,KT,99-88,QJs,JTs,T9s,65s"
    page = open_page(
        f"{link([hero, villain], board, pot='60', bet='30')}&act=bet&keep=flop:top%20pair%2B",
        viewport={"width": 1920, "height": 1080},  # the report is there before rules are known
    )
    ready(page, "combos")
    page.wait_for_selector("#panel-combos th:has-text('bet gains'):visible")
    kept = holdem.hits(villain, board=board).keep("top pair+")
    callers, whole = live_combos(str(kept), board), live_combos(villain, board)
    expected = {}
    for combo in live_combos(hero, board):
        cards = {combo[:2], combo[2:]}
        calls, all_of_them = (
            sum(not cards & {each[:2], each[2:]} for each in hands) for hands in (callers, whole)
        )
        called, before = (
            holdem.equity(combo, hands, board=board).players[0].equity for hands in (kept, villain)
        )
        bet = (60 * (all_of_them - calls) + calls * (120 * called - 30)) / all_of_them
        gain = bet - 60 * before
        kind = "check" if gain < 0.005 else "bluff" if called < 0.5 else "value"
        expected[combo] = (gain, kind, called, bet, 60 * before)

    def number(text):
        return float(text.replace("−", "-"))

    for combo in ("7h7c", "QsQh", "5s4s"):
        gain, kind, _, *values = expected[combo]
        cell = page.locator(f'#panel-combos tr:has([data-combo="{combo}"]) td >> nth=2')
        shown = cell.inner_text().split()
        assert (number(shown[0]), shown[1]) == (pytest.approx(gain, abs=0.0051), kind)
        said = re.findall(r"[+−]?[\d.]+", cell.get_attribute("title"))
        assert [number(each) for each in said] == pytest.approx(values, abs=0.0051)
    page.click("#panel-combos th button:text-is('bet gains')")
    shown = page.locator("[data-combo]").evaluate_all("(all) => all.map((e) => e.dataset.combo)")
    ranks = ["bluff", "value", "check"]
    keys = [(ranks.index(expected[each][1]), -expected[each][0]) for each in shown]
    assert len(shown) == len(expected)
    for one, other in pairwise(keys):
        assert one[0] < other[0] or (one[0] == other[0] and one[1] <= other[1] + 1e-9)
    assert {kind for _, kind, *_ in expected.values()} == set(ranks)
    assert expected[shown[0]][2] < 0.25  # the hand that gains most of all is called by worse
    best = max(expected, key=lambda combo: expected[combo][0])
    assert expected[best][1] == "value"


def test_a_picture_shows_the_whole_spot(open_page):
    page = open_page(link([*PLAYERS, "AhKh"], BOARD[:6], pot="100", bet="50"))
    ready(page, "hits")
    page.click("#copy-menu button")
    with page.expect_download() as download:
        page.get_by_role("button", name="picture of the spot").click()
    assert download.value.suggested_filename == "holdem-spot.png"
    image = Image.open(download.value.path())
    assert image.format == "PNG"
    assert image.width == 2400
    pixels = np.asarray(image.convert("RGB")).reshape(-1, 3)
    for player in range(3):  # what is painted of each range in its colour
        own = page.evaluate(
            "(name) => getComputedStyle(document.body).getPropertyValue(name)",
            f"--series-{player}",
        ).strip()
        colour = np.array([int(own[at : at + 2], 16) for at in (1, 3, 5)])
        assert (np.abs(pixels - colour).max(axis=1) < 8).sum() > 100
    page.wait_for_selector(".copy-note:has-text('Saved: holdem-spot.png')")


@pytest.mark.parametrize(
    ("size", "least_lines", "least_cell"),
    [
        ((1366, 768), 16, 0),
        ((1280, 800), 16, 0),
        ((1920, 1080), 16, 50),
        ((1024, 768), 10, 0),
    ],
)
def test_the_report_has_room_and_the_board_is_in_view(open_page, size, least_lines, least_cell):
    """Lines of 24 px and 13 px or more; at 1920, beside two reports, cells of 50 px or more."""
    width, height = size
    page = open_page(
        link(["random", "random"], "Ks7s2c"), viewport={"width": width, "height": height}
    )
    ready(page, "hits")
    found = page.evaluate(
        """() => {
          const panel = document.querySelector("#panel-hits").getBoundingClientRect();
          return [...document.querySelectorAll("#panel-hits tr")].filter((row) => {
            const { top, bottom, height } = row.getBoundingClientRect();
            const size = parseFloat(getComputedStyle(row.cells[0]).fontSize);
            return top >= panel.top && bottom <= panel.bottom && height >= 23.9
              && (size >= 13 || row.closest("thead"));
          }).length;
        }"""
    )
    assert found >= least_lines
    slots = [slot.bounding_box() for slot in page.locator(".slot").all()]
    assert all(box["y"] + box["height"] < height for box in slots)
    assert len({box["y"] for box in slots}) == 1  # one row
    assert page.locator(".cell").first.bounding_box()["width"] >= least_cell
    assert page.evaluate("document.documentElement.scrollHeight") == height
    sizes = page.locator("#players .equity").evaluate_all(
        "(all) => all.map((each) => parseFloat(getComputedStyle(each).fontSize))"
    )
    assert all(20 <= each <= 22 for each in sizes)
    status = "parseFloat(getComputedStyle(document.querySelector('.status')).fontSize)"
    assert page.evaluate(status) == 12
    page.click("[data-line]")
    line = page.locator(".selection").bounding_box()
    panel = page.locator("#panel-hits").bounding_box()
    assert line["height"] <= 60  # a selection is never cut
    assert panel["y"] + panel["height"] <= line["y"] + 1  # it covers nothing
    top_bar, main = (page.locator(part).bounding_box() for part in (".top-bar", "main"))
    assert (top_bar["x"], top_bar["width"]) == (main["x"], main["width"])


def test_no_two_buttons_have_one_label_and_one_is_primary(open_page):
    page = open_page(link(PLAYERS, BOARD[:6]))
    ready(page, "hits")
    names = page.evaluate(
        """() => [...document.querySelectorAll("button")].filter((each) => each.checkVisibility())
          .map((each) => each.ariaLabel || each.textContent.trim())"""
    )
    assert len(names) == len(set(names)), sorted(name for name in names if names.count(name) > 1)
    assert page.locator("button.primary:visible").all_inner_texts() == ["Share"]


def test_a_peek_opens_beside_its_cell(open_page):
    page = open_page(link(PLAYERS, BOARD[:6]))
    ready(page, "hits")
    for name in ("AA", "A2s", "22", "72o"):
        own = page.locator(f'.cell:has(.name:text-is("{name}"))')
        own.hover()
        page.wait_for_selector(f"#peek:popover-open strong:text-is('{name}')")
        cell, peek = own.bounding_box(), page.locator("#peek").bounding_box()
        right = peek["x"] - cell["x"] - cell["width"]
        left = cell["x"] - peek["x"] - peek["width"]
        assert 0 <= max(right, left) <= 10
        assert peek["y"] <= cell["y"] + 1 or peek["y"] + peek["height"] >= 780
    page.mouse.move(5, 5)
    assert visible_faults(page) == []


@pytest.mark.parametrize("hero", ["AcQd", "QQ+,AQ,98s"])
def test_folds_count_only_what_the_other_can_hold(open_page, hero):
    """Cards of the hero change how often the other continues: here they decide about a bluff."""
    board, villain = "Qs8h5d", "QQ,AQ,KQ,AK"
    page = open_page(
        f"{link([hero, villain], board, pot='80', bet='60')}&act=bet&keep=flop:top%20pair%2B"
    )
    kept = live_combos(str(holdem.hits(villain, board=board).keep("top pair+")), board)
    heroes = live_combos(hero, board)

    def pairs(villains):
        return sum(not {a[:2], a[2:]} & {b[:2], b[2:]} for a in heroes for b in villains)

    folds = 1 - pairs(kept) / pairs(live_combos(villain, board))
    page.wait_for_selector(f".price output:has-text('player 2 folds {percent(folds)}')")


def test_hits_leave_out_the_cards_of_a_known_hand(open_page, capsys):
    """Combos and shares of a line are those that the other can have, as with -d."""
    page = open_page(link(["AcQd", "QQ,AQ,KQ,AK"], "Qs8h5d"))
    page.click(".player .number >> nth=1")
    ready(page, "hits")
    found = printed(capsys, "hits", "QQ,AQ,KQ,AK", "-b", "Qs8h5d", "-d", "AcQd")
    assert found["combos"] == 27
    shown = {row[0]: row[2:4] for row in rows(page, "hits")}
    expected = {
        name: [f"{line['combos']:.0f}", percent(line["share"])]
        for name, line in found["made"].items()
        if line["combos"]
    }
    assert len(expected) == 3  # set, top pair, ace high
    assert {name: shown[name] for name in expected} == expected


def test_the_focus_stays_in_the_flops_when_the_rest_of_them_come(open_page):
    page = open_page(link(["QQ+", "top 20%"]))
    rest = []
    page.route(
        "**/api/flops",
        lambda route: (
            rest.append(route) if route.request.post_data_json["start"] else route.continue_()
        ),
    )
    page.click("#tab-flops")
    page.locator("[data-flop]").first.focus()
    page.wait_for_selector("#flop-note:has-text('so far')")
    rest[0].continue_()
    page.wait_for_selector("#flop-note:has-text('mean')")
    assert page.evaluate("document.activeElement.dataset.flop")


def test_flops_of_another_question_do_not_stand_below_an_error(open_page):
    page = open_page(link(["AsKs", "QQ"]))
    open_tab(page, "flops")
    page.wait_for_selector("[data-flop]")
    page.evaluate("(hash) => { location.hash = hash; }", link(["AsKs", "KQs,AKx"]))
    page.wait_for_selector("#panel-flops [role=status]:has-text(\"'AKx' is not a hand\")")
    assert page.locator("[data-flop]").count() == 0
    assert page.locator("#panel-flops .means td").count() == 0
    assert "^" not in page.inner_text("#panel-flops")
