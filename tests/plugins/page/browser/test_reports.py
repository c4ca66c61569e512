"""The tabs of the answer show what the command line prints, and select its combos."""

import json
from itertools import pairwise

import pytest

import holdem
from holdem.report.colours import DIVERGING, OUTCOMES
from page_in_browser import (
    ask,
    link,
    live_combos,
    open_tab,
    options,
    percent,
    printed,
    ready,
    rows,
)
from page_pixels import LEAST_CONTRAST, Pixels, contrast

pytestmark = pytest.mark.browser
PLAYERS = ["22+,A2s+,KTs+:0.5", "top 20%"]
FLOP = "Td9d2c"


@pytest.fixture
def page(open_page):
    """Return the page with two ranges on a flop."""
    return open_page(link(PLAYERS, FLOP))


def _selected(page):
    """Return the selection: its combos and its label."""
    return page.evaluate(
        """async () => {
             const selection = (await import("/js/selection.js")).getSelection();
             return selection && { combos: [...selection.combos.keys()], label: selection.label };
           }"""
    )


def _equity_of(player, combos):
    """Return the equity of some combos from the report by combo of an exact result."""
    records = [record for record in player.by_combo if record.combo in combos]
    mass = sum(record.weight * record.deals for record in records)
    return sum(record.weight * record.deals * record.equity for record in records) / mass


def test_hits(page, capsys):
    ready(page, "hits")
    hits, others = (printed(capsys, "hits", text, *options(FLOP)) for text in PLAYERS)
    player = holdem.equity(*PLAYERS, board=FLOP).players[0]
    expected = []
    for kind in ("made", "draws"):
        for name, group in hits[kind].items():
            shares = percent(group["share"]), percent(others[kind][name]["share"])
            if group["combos"]:
                equity = percent(_equity_of(player, live_combos(group["range"])))
                expected.append([name, "", f"{group['combos']:g}", *shares, equity])
            elif shares[1] != "0.0":
                expected.append([name, "", "0", *shares, "–"])
    shares = [
        [name, "", percent(hits["by_next_card"][name]), percent(share)]
        for name, share in hits["by_river"].items()
        if share
    ]
    assert rows(page, "hits") == expected + shares


def _shares(page, column):
    """Return the shares of the lines of hits, by line, without those of the others alone."""
    return {row[0]: row[column] for row in rows(page, "hits") if len(row) == 6 and row[2] != "0"}


_TEXT_EDGES = """(heads) => heads.map((head) => {
  const text = document.createRange();
  text.selectNodeContents(head);
  const { left, right } = text.getBoundingClientRect();
  return [left, right];
})"""


def test_shares_of_two_ranges_stand_side_by_side(open_page):
    """The other player's, in that player's colour, which are those of their own hits."""
    page = open_page(viewport={"width": 1366, "height": 768})
    asked = []
    page.on("request", lambda request: asked.append(request.post_data or ""))
    ask(page, PLAYERS, FLOP)
    ready(page, "hits")
    shown, heads = rows(page, "hits"), page.locator("th.theirs:visible")
    assert heads.all_inner_texts() == ["pl.\xa02"] * 2
    assert heads.first.get_attribute("aria-label") == "share of player 2"
    edges = page.locator(".held").first.locator("thead th").evaluate_all(_TEXT_EDGES)
    assert min(right - left for (_, left), (right, _) in pairwise(edges)) >= 5  # headings apart
    theirs = {row[0]: row[4] for row in shown if len(row) == 6 and row[4] != "0.0"}
    alone = [row[0] for row in shown if len(row) == 6 and row[2] == "0"]
    assert "weak pair" not in alone
    question = [json.loads(text) for text in asked if '"hits"' in text][-1]
    assert [each["range"] for each in question["hits"]] == PLAYERS  # one's own first
    page.click(".player .number >> nth=1")
    page.wait_for_selector("th.theirs:text-is('pl.\u00a01')")
    ready(page, "hits")
    assert _shares(page, 3) == theirs
    assert set(alone) <= set(theirs)
    page.get_by_role("button", name="Compare…").click()
    page.wait_for_selector(".theirs", state="detached")  # changes since A have the room
    page.get_by_role("button", name="Compare no longer").click()
    page.wait_for_selector("th.theirs:visible")
    page.get_by_role("button", name="+ Player").click()
    page.wait_for_selector(".theirs", state="detached")


@pytest.mark.parametrize("width", [1366, 1280, 390])
def test_the_other_range_is_shown_where_there_is_room(open_page, width):
    page = _open_report(open_page, width, "hits")
    found = page.locator("td.theirs").count()
    assert found > 10
    assert page.locator("td.theirs:visible").count() == (0 if width == 390 else found)


def test_a_line_selects_its_combos(page, capsys):
    ready(page, "hits")
    page.click("[data-line='top pair']")
    selection = _selected(page)
    hits = printed(capsys, "hits", PLAYERS[0], *options(FLOP))["made"]["top pair"]
    assert set(selection["combos"]) == live_combos(hits["range"])
    lit = page.locator(".cell.lit .name").all_inner_texts()
    assert set(lit) == {"ATs", "KTs"}
    assert page.inner_text(".selection span") == selection["label"]
    assert selection["label"].startswith(f"top pair: {hits['combos']:g} combos")
    page.keyboard.press("Escape")
    assert _selected(page) is None
    assert page.locator(".cell.lit").count() == 0


def test_lines_by_keyboard(page):
    ready(page, "hits")
    stops = page.locator("[data-line][tabindex='0']")
    assert stops.count() == 1
    page.focus("[data-line='set']")
    assert [stop.get_attribute("data-line") for stop in stops.all()] == ["set"]
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    assert page.get_attribute("[data-line='overpair']", "aria-pressed") == "true"
    assert _selected(page)["label"].startswith("overpair: ")
    page.keyboard.press("Enter")
    assert _selected(page) is None


def test_a_selection_follows_the_question(page):
    ready(page, "hits")
    page.click("[data-line='set']")
    ask(page, ["22+", "top 20%"], FLOP)
    ready(page, "hits")
    assert set(_selected(page)["combos"]) == live_combos("TT,99,22", FLOP)
    ask(page, ["AK", "top 20%"], FLOP)
    ready(page, "hits")
    assert _selected(page) is None


def test_next_card(page, capsys):
    open_tab(page, "next-card")
    expected = printed(capsys, "equity", *PLAYERS, *options(FLOP), "--by", "next-card")
    shown = page.evaluate(
        """() => Object.fromEntries([...document.querySelectorAll("#panel-next-card [data-card]")]
             .map((cell) => [cell.dataset.card, [cell.innerText, cell.ariaLabel]]))"""
    )
    records = {record["card"]: record for record in expected["by_next_card"]}
    assert len(records) == 49
    for card, (text, label) in shown.items():
        if card in records:
            equity = records[card]["equity"][0]
            assert text == percent(equity)
            assert f": {percent(equity, 2)}\N{NO-BREAK SPACE}%" in label
        else:
            assert card in (FLOP[:2], FLOP[2:4], FLOP[4:])
            assert label.endswith("cannot come")
    best = max(records.values(), key=lambda record: record["equity"][0])
    first = page.inner_text("#panel-next-card .best-worst section:first-child li:first-child")
    assert percent(best["equity"][0]) in first


def test_a_card_shows_whom_it_helps_and_goes_on_the_board(page):
    open_tab(page, "next-card")
    page.click("#panel-next-card [data-card=Qd]")
    page.wait_for_selector(".selection:not([hidden])")
    now = holdem.equity(*PLAYERS, board=FLOP).players[0].by_combo
    then = holdem.equity(*PLAYERS, board=FLOP + "Qd").players[0].by_combo
    helped = {each.combo for each in then if each.equity > now[each.combo].equity + 1e-9}
    assert set(_selected(page)["combos"]) == helped
    page.click("text=Put Q♦ on the board")
    ready(page, "next-card")
    assert page.evaluate("location.hash").endswith("&b=Td9d2cQd")
    assert _selected(page) is None
    page.click("#undo")
    ready(page, "next-card")
    assert page.evaluate("location.hash").endswith("&b=Td9d2c")


def test_cards_by_keyboard(page):
    open_tab(page, "next-card")
    page.focus("#panel-next-card [tabindex='0'][data-card]")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement.dataset.card") == "Kh"
    assert page.inner_text("#panel-next-card .detail").startswith("King of hearts: ")
    page.keyboard.press("Enter")
    page.wait_for_selector(".selection:not([hidden])")
    assert _selected(page)["label"].startswith("better with K♥")


def test_flops_of_three_players_are_not_compared(open_page):
    page = open_page(link([*PLAYERS, "AA"]))
    page.click("#tab-flops")
    assert page.inner_text("#panel-flops .note").startswith("Flops are compared for two")


def test_a_river_has_no_next_card(open_page):
    """The tab goes when the last card comes from it, and the focus is on the one that is shown."""
    page = open_page(link(PLAYERS, f"{FLOP}Ks"))
    open_tab(page, "next-card")
    page.click("#panel-next-card [data-card=Kh]")
    page.get_by_role("button", name="Put K♥ on the board").click()
    ready(page, "hits")
    assert page.locator("#tab-next-card").is_hidden()
    assert page.locator("#answers [role=tabpanel]:visible").get_attribute("id") == "panel-hits"
    assert page.evaluate("document.activeElement.id") == "tab-hits"
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.id") == "tab-distribution"
    page.click("#undo")
    page.wait_for_selector("#tab-next-card")


def test_distribution(page):
    open_tab(page, "distribution")
    page.click("text=As a table")
    result = holdem.equity(*PLAYERS, board=FLOP)
    columns = []
    for player in result.players:
        records = sorted(player.by_combo, key=lambda record: -record.equity)
        total = sum(record.weight for record in records)
        column = []
        for tenth in range(11):
            upto = 0.0
            for record in records:
                upto += record.weight / total
                if upto > tenth / 10 + 1e-9:
                    break
            column.append(percent(record.equity))
        columns.append(column)
    assert [row[1:] for row in rows(page, "distribution")] == [
        list(row) for row in zip(*columns, strict=True)
    ]


def _open_report(open_page, width, tab):
    """Open the page with a width, and show a report."""
    page = open_page(link(PLAYERS, FLOP), viewport={"width": width, "height": 800})
    if width < 760:
        page.click("#tab-answers")
    open_tab(page, tab)
    return page


@pytest.mark.parametrize("width", [1280, 390])
def test_labels_of_the_axes_stand_at_their_rules(open_page, width):
    page = _open_report(open_page, width, "distribution")
    places = """(axis) => {
      const plot = document.querySelector(".plot").getBoundingClientRect();
      return [...document.querySelectorAll(`.${axis} span`)].slice(1, 4).map((each) => {
        const text = document.createRange();
        text.selectNodeContents(each);
        const { left, right, top, bottom } = text.getBoundingClientRect();
        return axis === "x-axis" ? (50 * (left + right - 2 * plot.left)) / plot.width
          : (50 * (top + bottom - 2 * plot.top)) / plot.height;
      });
    }"""
    for axis in ("x-axis", "y-axis"):
        assert page.evaluate(places, axis) == pytest.approx([25, 50, 75], abs=0.5)


def test_the_readout_ends_when_the_mouse_leaves(page):
    open_tab(page, "distribution")
    page.hover(".plot")
    assert page.inner_text("#panel-distribution .detail").startswith("At 50 %")
    page.mouse.move(5, 5)
    assert page.inner_text("#panel-distribution .detail").startswith("Share of the range")


def test_a_stretch_selects_its_combos(page):
    open_tab(page, "distribution")
    page.focus(".plot")
    page.keyboard.press("Home")
    for _ in range(2):
        page.keyboard.press("Shift+PageUp")
    selection = _selected(page)
    assert selection["label"].startswith("best 20\xa0%: ")
    table = holdem.equity(*PLAYERS, board=FLOP).players[0].by_combo
    chosen = [record.equity for record in table if record.combo in selection["combos"]]
    others = [record.equity for record in table if record.combo not in selection["combos"]]
    assert min(chosen) >= max(others) - 1e-12
    share = sum(table[combo].weight for combo in selection["combos"]) / table.weight.sum()
    assert abs(share - 0.2) < 0.01
    box = page.locator(".plot").bounding_box()
    page.mouse.move(box["x"] + 0.5 * box["width"], box["y"] + 50)
    page.mouse.down()
    page.mouse.move(box["x"] + 0.9 * box["width"], box["y"] + 50, steps=4)
    page.mouse.up()
    assert _selected(page)["label"].startswith("50 to 90\xa0% from the top")


def test_categories(page, capsys):
    open_tab(page, "categories")
    expected = printed(capsys, "equity", *PLAYERS, *options(FLOP), "--by", "category")
    records = expected["players"][0]["by_category"]
    assert rows(page, "categories") == [
        [each["category"], "", *(percent(each[name]) for name in ("share", "win", "tie", "lose"))]
        for each in reversed(records)
    ]


@pytest.mark.parametrize("width", [1920, 1366, 1280, 1024, 390])
def test_a_track_is_a_hundred_per_cent_and_has_one_width(open_page, width):
    """All bars of a report, and those of players, have one scale and one width each."""
    page = _open_report(open_page, width, "hits")
    shares = {row[0]: float(row[3]) for row in rows(page, "hits") if len(row) == 6}
    bars = page.locator("#panel-hits .bar")
    found = bars.evaluate_all(
        """(bars) => bars.map((bar) => {
          const [track, fill] = [bar, bar.firstChild].map((each) => each.getBoundingClientRect());
          return [bar.closest("tr").cells[0].innerText.trim(), track.width, fill.width];
        })"""
    )
    widths = {track for _, track, _ in found}
    assert max(widths) - min(widths) < 0.1
    assert min(widths) >= {1920: 86, 1366: 66, 1024: 66}.get(width, 38)
    for name, track, fill in found:
        if name in shares:
            assert 100 * fill / track == pytest.approx(shares[name], abs=0.1)
    own = page.locator("#players .bar-track" if width >= 760 else "#strip .bar-track")
    assert len({round(each.bounding_box()["width"]) for each in own.all()}) == 1
    open_tab(page, "categories")
    totals = page.locator("#panel-categories .outcomes").evaluate_all(
        """(bars) => bars.map((bar) => 100 * [...bar.children].reduce((sum, part) =>
          sum + part.getBoundingClientRect().width, 0) / bar.getBoundingClientRect().width)"""
    )
    shown = [float(row[2]) for row in rows(page, "categories")]
    assert totals == pytest.approx(shown, abs=0.15)


@pytest.mark.parametrize("players", [2, 5])
def test_headings_of_hits_do_not_touch_each_other(open_page, players):
    """Also where equities are sampled, and "Finer lines" stands above them."""
    page = open_page()
    ask(page, [*PLAYERS, "top 40%", "top 60%", "random"][:players], FLOP)
    for width in (1920, 1366, 1280, 1024, 390):
        page.set_viewport_size({"width": width, "height": 1080 if width == 1920 else 800})
        if width < 760:
            page.click("#tab-answers")
        open_tab(page, "hits")
        for table in page.locator("#panel-hits table").all():
            boxes = table.locator("thead th:visible").evaluate_all(
                """(heads) => heads.map((head) => {
                  const text = document.createRange();
                  text.selectNodeContents(head);
                  const { left, right } = text.getBoundingClientRect();
                  return [left, right];
                })"""
            )
            for (_, right), (left, _) in pairwise(boxes):
                assert right + 4 <= left
        cut = "(lines) => lines.filter((line) => line.scrollWidth > line.clientWidth).length"
        assert page.locator("[data-line='backdoor flush draw']").count() == 1
        assert page.locator("[data-line]").evaluate_all(cut) == 0
        fine, panel = (page.locator(each).bounding_box() for each in (".fine", "#panel-hits"))
        assert fine["y"] + fine["height"] <= panel["y"]
        open_tab(page, "combos")
        assert page.locator(".fine").is_visible() == (width == 1920)  # beside the hits


@pytest.mark.parametrize("width", [1280, 390])
def test_bars_of_categories_can_be_compared(open_page, width):
    page = _open_report(open_page, width, "categories")
    widths = page.locator("#panel-categories .outcomes").evaluate_all(
        """(bars) => bars.map((bar) => [...bar.children].reduce(
             (sum, part) => sum + part.getBoundingClientRect().width, 0))"""
    )
    assert max(widths) > page.locator("#panel-categories table").bounding_box()["width"] / 3


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_outcomes_have_no_colour_of_a_player(open_page, scheme):
    """They have the greys of the charts, which can be told apart side by side."""
    page = open_page(link(PLAYERS, FLOP), color_scheme=scheme)
    open_tab(page, "categories")
    outcomes = [
        page.locator(f".legend .{name}").evaluate(
            "(part) => getComputedStyle(part).backgroundColor"
        )
        for name in ("win", "tie", "lose")
    ]
    players = [
        page.evaluate(
            "(name) => getComputedStyle(document.body).getPropertyValue(name).trim()",
            f"--series-{number}",
        )
        for number in range(5)
    ]
    for outcome in outcomes:
        assert all(page.evaluate(_DISTANCE, [outcome, own]) > 0.1 for own in players)
    for first, second in pairwise(outcomes):
        assert page.evaluate(_DISTANCE, [first, second]) > 0.15
    if scheme == "light":
        assert [f"rgb{tuple(bytes.fromhex(colour[1:]))}" for colour in OUTCOMES] == outcomes
    pixels = Pixels(page)
    bar = page.locator("#panel-categories tr:has(th:text-is('pair')) .bar")
    shown = [pixels.at(bar, across, 0.5) for across in (0.1, 0.9)]  # 43 % win, 54 % lose
    assert contrast(*shown) > LEAST_CONTRAST


def test_reports_are_of_the_active_player(page, capsys):
    open_tab(page, "categories")
    page.click("[aria-label='Edit player 2']")
    page.wait_for_selector("#panel-categories table[aria-label*='player 2']")
    expected = printed(capsys, "equity", *PLAYERS, *options(FLOP), "--by", "category")
    shares = [percent(each["share"]) for each in expected["players"][1]["by_category"]]
    assert [row[2] for row in rows(page, "categories")] == shares[::-1]


def test_sampled_reports_belong_to_the_answer(open_page, capsys):
    page = open_page()
    players = [*PLAYERS, "random", "random", "random"]
    equity = ask(page, players, FLOP)["equity"]
    page.click("#tab-next-card")
    ready(page, "next-card")
    seeded = ["--deals", str(equity["deals"]), "--seed", str(equity["seed"])]
    expected = printed(
        capsys, "equity", *players, *options(FLOP), *seeded, "--by", "category", "--by", "next-card"
    )
    label = page.get_attribute("#panel-next-card [data-card=As]", "aria-label")
    record = next(each for each in expected["by_next_card"] if each["card"] == "As")
    assert (
        f": {percent(record['equity'][0], 2)} ± {percent(1.96 * record['stderr'][0], 2)}" in label
    )
    open_tab(page, "categories")
    shares = [percent(each["share"]) for each in expected["players"][0]["by_category"]]
    assert [row[2] for row in rows(page, "categories")] == shares[::-1]


@pytest.mark.parametrize("width", [1280, 1180, 390])
def test_sampled_equities_of_hits_carry_their_interval(open_page, width):
    """Each line is a class here, whose standard error the engine knows from the deals."""
    page = open_page(viewport={"width": width, "height": 800})
    lines = {"overpair": "AA", "weak pair": "55", "no made hand": "KJo"}
    players = ["AA,55,KJo", *["random"] * 4]
    equity = ask(page, players, FLOP)["equity"]
    seeded = {"deals": equity["deals"], "seed": equity["seed"]}
    result = holdem.equity(*players, board=FLOP, **seeded)
    if width < 760:
        page.click("#tab-answers")
    ready(page, "hits")
    shown = {row[0]: row[-1].split() for row in rows(page, "hits")}
    for line, name in lines.items():
        own = result.players[0].by_class[name]
        value, margin = shown[line]
        assert float(value) == pytest.approx(100 * own.equity, abs=0.051)
        assert margin.startswith("±")
        assert float(margin[1:]) == pytest.approx(196 * own.stderr, abs=0.051)
        page.click(f"[data-line='{line}']")
        assert page.inner_text(".selection span").endswith(f"equity {value} ± {margin[1:]}\xa0%")
    beside = page.locator("#panel-hits td small:not(:empty)")
    panel = page.locator("#panel-hits").bounding_box()
    for small in beside.all():
        box, cell = small.bounding_box(), small.locator("xpath=..").bounding_box()
        assert box["width"] > 15
        assert cell["x"] <= box["x"]
        assert box["x"] + box["width"] <= panel["x"] + panel["width"] - 12
    assert beside.count() == page.locator("[data-line]").count() > len(lines)
    cut = """(cells) => cells.filter((cell) => cell.scrollWidth > cell.clientWidth)
      .map((cell) => cell.innerText)"""
    assert page.locator("#panel-hits table:has([data-line]) :is(td, th)").evaluate_all(cut) == []


def test_sampled_equities_elsewhere_carry_their_interval(open_page):
    page = open_page()
    players = ["AA,55,KJo", *["random"] * 4]
    equity = ask(page, players, FLOP)["equity"]
    seeded = {"deals": equity["deals"], "seed": equity["seed"]}
    player = holdem.equity(*players, board=FLOP, **seeded).players[0]
    page.click("#heat-switch")
    page.wait_for_selector(".cell.hot")
    own = player.by_class["KJo"]
    said = f"equity {percent(own.equity)} ± {percent(1.96 * own.stderr)}\xa0%"
    king_jack = page.locator(".cell[title^='KJo']")
    assert king_jack.get_attribute("title") == f"KJo: {said}"
    assert king_jack.get_attribute("aria-label").endswith(said)
    open_tab(page, "next-card")
    now = f"{percent(player.equity, 2)} ± {percent(1.96 * player.stderr, 2)}\xa0% now"
    assert now in page.inner_text("#panel-next-card .detail")
    page.hover("#panel-next-card [data-card=Ad]")
    assert page.inner_text("#panel-next-card .detail").count("±") == 2  # then, and the change
    open_tab(page, "distribution")
    page.focus(".plot")
    page.keyboard.press("End")
    worst = min(player.by_combo, key=lambda combo: combo.equity)
    said = f"player 1 {percent(worst.equity)}\xa0±{percent(1.96 * worst.stderr)}\xa0%"
    assert said in page.inner_text("#panel-distribution .detail")


def test_heat_map(page, capsys):
    ready(page, "hits")
    page.click("#heat-switch")
    page.wait_for_selector(".cell.hot")
    expected = printed(capsys, "equity", *PLAYERS, *options(FLOP), "--by", "class")
    shown = page.evaluate(
        """() => Object.fromEntries([...document.querySelectorAll(".cell.hot")].map((cell) => [
             cell.querySelector(".name").innerText,
             [cell.querySelector(".heat").innerText, getComputedStyle(cell).backgroundColor]]))"""
    )
    records = expected["players"][0]["by_class"]
    assert {name: text for name, (text, _) in shown.items()} == {
        each["name"]: percent(each["equity"], 0) for each in records
    }
    by_equity = sorted(records, key=lambda each: each["equity"])
    low, high = shown[by_equity[0]["name"]][1], shown[by_equity[-1]["name"]][1]
    assert low != high
    page.click("#heat-switch")
    assert page.locator(".cell.hot").count() == 0


def test_the_scale_of_the_heat_map_says_where_it_ends(open_page):
    """Each side ends with the range's own equities, 15 points from the middle or further."""
    page = open_page(link(["random", "top 20%"], FLOP))
    ready(page, "hits")
    page.click("#heat-switch")
    page.wait_for_selector(".cell.hot")
    found = [
        each.equity for each in holdem.equity("random", "top 20%", board=FLOP).players[0].by_class
    ]
    assert page.locator("#heat .heat-ends").inner_text().replace("\xa0", " ").split("\n") == [
        f"{float(percent(min(found))):g} %",
        "50 %",
        f"{float(percent(max(found))):g} %",
    ]
    equities = [int(text) for text in page.locator(".hot .heat").all_inner_texts()]
    assert page.get_attribute("#heat .heat-legend", "title").startswith(
        f"Equities from {min(equities)} to {max(equities)}\xa0%"
    )
    boxes = [part.bounding_box() for part in page.locator("#heat .heat-ends span").all()]
    for left, right in pairwise(boxes):
        assert left["x"] + left["width"] <= right["x"]
    players = ["QQ,JJ", "AKs"]  # 4 points from even
    classes = holdem.equity(*players).players[0].by_class
    reach = 100 * max(abs(each.equity - 0.5) for each in classes)
    ask(page, players)
    page.wait_for_selector(f"#heat .heat-ends span:text-is('{round(50 + reach, 1):g} %')")
    assert page.locator("#heat .heat-ends").inner_text().replace("\xa0", " ").split("\n") == [
        f"{round(50 - reach, 1):g} %",
        "50 %",
        f"{round(50 + reach, 1):g} %",
    ]


# Where the text of a button ends.
_TEXT_RIGHT = """(button) => {
  const text = document.createRange();
  text.selectNodeContents(button);
  return text.getBoundingClientRect().right;
}"""

# The distance of two colours in OKLab; about 0.02 can just be told apart side by side.
_DISTANCE = """([a, b]) => {
  const lab = (colour) => {
    const probe = document.body.appendChild(document.createElement("i"));
    probe.style.color = `color-mix(in oklab, ${colour} 100%, transparent 0%)`;
    const found = getComputedStyle(probe).color.match(/-?[\\d.e-]+/g).slice(0, 3).map(Number);
    probe.remove();
    return found;
  };
  const [first, second] = [a, b].map(lab);
  return Math.hypot(...first.map((value, index) => value - second[index]));
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_little_below_the_price_and_a_little_above_look_different(open_page, scheme):
    page = open_page(link(PLAYERS, FLOP), color_scheme=scheme)
    colours = page.evaluate(
        """async () => {
          const { scaleAround } = await import("/js/heat_map.js");
          const scale = scaleAround([0.22, 0.28, 0.9], 0.255);
          return [0.22, 0.28, 0.105, 0.05, 0.4, 0.6, 0.9, 0.255].map(scale.colourOf);
        }"""
    )
    below, above, low, lowest, near, far, highest, middle = colours
    assert page.evaluate(_DISTANCE, [below, above]) > 0.1
    assert page.evaluate(_DISTANCE, [below, middle]) > 0.06
    assert low == lowest  # 15 points from the price: the range has nothing below
    for weaker, stronger in pairwise([above, near, far, highest]):  # as far as the range reaches
        assert page.evaluate(_DISTANCE, [weaker, stronger]) > 0.03
    near = page.evaluate(
        """async () => {
          const { scaleAround } = await import("/js/heat_map.js");
          return [0.52, 0.51].map(scaleAround([0.49, 0.52], 0.5).colourOf);
        }"""
    )
    assert "100.0%" in near[0]  # a narrow spread takes the whole scale
    assert "100.0%" not in near[1]


def test_a_range_that_always_calls_is_shaded_in_the_heat_map(open_page):
    """With a price below all its equities, a range still shows which hands are the better ones."""
    page = open_page(link(["22+,A2s+", "top 20%"], FLOP, pot="100", bet="50"))
    page.click("#heat-switch")
    page.wait_for_selector(".cell.hot")
    colours = page.locator(".cell.hot").evaluate_all(
        "(all) => all.map((cell) => getComputedStyle(cell).backgroundColor)"
    )
    equities = [int(text) for text in page.locator(".hot .heat").all_inner_texts()]
    assert min(equities) > 25
    assert len(set(colours)) > len(colours) / 2
    strongest, weakest = (colours[equities.index(each)] for each in (max(equities), min(equities)))
    assert page.evaluate(_DISTANCE, [strongest, weakest]) > 0.1


def test_the_heat_map_has_the_colours_of_charts_and_hollow_cells(page):
    page.click("#heat-switch")
    page.wait_for_selector(".cell.hot")
    ends = page.evaluate(
        """() => ["low", "middle", "high"].map((name) =>
             getComputedStyle(document.body).getPropertyValue(`--heat-${name}`).trim())"""
    )
    assert ends == [DIVERGING[2], DIVERGING[5], DIVERGING[8]]
    hollow = page.locator(".cell.out")
    inside = {each.name for each in holdem.equity(*PLAYERS, board=FLOP).players[0].by_class}
    assert set(hollow.locator(".name").all_inner_texts()).isdisjoint(inside)
    assert hollow.count() == 169 - len(inside)
    pixels = Pixels(page)
    empty, panel = (
        pixels.at(hollow.first, 0.15, 0.85),
        pixels.at(page.locator("#range"), 0.005, 0.5),
    )
    assert contrast(empty, panel) < 1.02
    assert hollow.first.evaluate("(cell) => getComputedStyle(cell).borderTopWidth") == "1px"


def test_combos_of_different_equity_widen_the_interval(open_page):
    """Two combos, one that always wins and one that never does, are a coin tossed for each deal."""
    page = open_page(link(PLAYERS, FLOP))
    stderr = page.evaluate(
        """async () => {
          const { figures } = await import("/js/answers/figures.js");
          const row = (combo, equity) => ({ combo, equity, weight: 1, stderr: 1e-9, mass: 100 });
          return figures([row("AsAh", 1), row("7d2h", 0)], new Set(["AsAh", "7d2h"])).stderr;
        }"""
    )
    assert stderr == pytest.approx((0.5 * 0.5 / 200) ** 0.5)


def test_the_worst_part_of_a_range_is_not_called_the_best(page):
    open_tab(page, "distribution")
    page.focus(".plot")
    for keys, name in (
        (["End", *["Shift+PageDown"] * 4], "worst 40\xa0%: "),
        (["Home", *["Shift+PageUp"] * 3], "best 30\xa0%: "),
        (["Home", "PageUp", *["Shift+PageUp"] * 2], "10 to 30\xa0% from the top: "),
        (["Home", *["Shift+PageUp"] * 10], "the whole range: "),
    ):
        for key in keys:
            page.keyboard.press(key)
        assert _selected(page)["label"].startswith(name)


def test_a_share_is_of_the_range_and_deals_are_called_deals(page):
    """The hits count a range by its weights, and categories count deals."""
    heads = """(name) => [...document.querySelectorAll(`#panel-${name} thead th`)]
      .map((head) => head.innerText)"""
    open_tab(page, "hits")
    assert page.evaluate(heads, "hits")[:5] == ["Made", "combos", "share", "pl.\xa02", "equity"]
    open_tab(page, "categories")
    assert page.evaluate(heads, "categories")[1:] == ["of deals", "win", "tie", "lose"]


@pytest.mark.parametrize("width", [1280, 390])
def test_or_better_is_seen_and_large_enough_to_press(open_page, width):
    """Each line of made hands has a framed + of 24 px or more, which the heading explains."""
    page = open_page(link(PLAYERS, FLOP), viewport={"width": width, "height": 844})
    if width < 760:
        page.click("#tab-answers")
    ready(page, "hits")
    key = page.locator("#panel-hits thead .edge-key")
    said = key.evaluate("(key) => getComputedStyle(key, '::after').content")
    assert said.startswith('"or better"')
    assert key.bounding_box()["width"] > 60
    edges = page.locator("#panel-hits [data-plus]")
    # With "no made hand or better", it would be the whole range.
    assert edges.count() == page.locator("[data-line][data-kind=made]").count() - 1 > 5
    assert page.locator("[data-line='no made hand']").count() == 1
    pixels = Pixels(page)
    for edge in edges.all():
        box = edge.bounding_box()
        assert box["width"] >= 24
        assert box["height"] >= 23.9
        name = edge.get_attribute("data-plus").removesuffix("+")
        assert edge.get_attribute("title") == f"Select {name} or better (key +)"
        text = page.locator(f"[data-line='{name}']").evaluate(_TEXT_RIGHT)
        assert text <= box["x"]
        middle = box["y"] + box["height"] / 2
        sign = pixels.box(box | {"x": box["x"] + 10, "y": middle - 4, "width": 4, "height": 8})
        ground = pixels.at(page.locator("#panel-hits thead").first, 0.45, 0.1)
        assert contrast(sign.min(), ground) > LEAST_CONTRAST  # the plus
        assert contrast(pixels.box({**box, "width": 6}).min(), ground) > LEAST_CONTRAST  # its frame
    plus = page.locator("[data-plus='top pair+']")
    tinted = """() => [...document.querySelectorAll("#panel-hits tr")].filter((row) =>
      getComputedStyle(row).boxShadow !== "none").map((row) => row.innerText.split(/\\s*\\t/)[0])"""
    expected = ["set", "overpair", "top pair"]
    if width >= 760:
        plus.hover()
        assert page.evaluate(tinted) == expected
        page.mouse.move(5, 5)
    assert page.evaluate(tinted) == []
    plus.click()
    page.mouse.move(5, 5)
    assert page.evaluate(tinted) == expected  # the lines that it takes
    made = holdem.hits(PLAYERS[0], board=FLOP).made
    best = [name for name in made if list(made).index(name) <= list(made).index("top pair")]
    assert set(_selected(page)["combos"]) == {
        combo for name in best for combo in live_combos(str(made[name].range), FLOP)
    }


def test_a_row_of_flops_acts_wherever_it_looks_clickable(open_page):
    page = open_page(link(["AA", "KK"]))
    page.click("#tab-flops")
    page.wait_for_selector("#panel-flops button:text-is('CSV'):enabled")  # the list stays now
    row = page.locator(".flops tbody tr").first
    flop = row.locator("button").get_attribute("data-flop")
    assert row.evaluate("(row) => getComputedStyle(row.cells[2]).cursor") == "pointer"
    row.locator("td").last.click()
    page.wait_for_function("(flop) => location.hash.endsWith(`&b=${flop}`)", arg=flop)


def test_headings_of_all_reports_are_written_alike(open_page):
    """The first heading of a table begins with a capital letter, and no other."""
    page = open_page(link(PLAYERS, FLOP))
    tables = []
    for name in ("hits", "distribution", "combos", "categories", "flops"):
        if name == "flops":
            ask(page, ["AA", "KK"])
            page.click("#tab-flops")
            page.wait_for_selector("#panel-flops button:text-is('CSV'):enabled")
        else:
            open_tab(page, name)
        tables += page.locator(f"#panel-{name} thead tr").evaluate_all(
            "(all) => all.map((row) => [...row.querySelectorAll('th')].map((th) => th.textContent))"
        )
    assert len(tables) == 3 + 1 + 1 + 1 + 4
    for first, *others in tables:
        assert first[:1] == first[:1].upper()
        assert [each for each in others if each != each.lower()] == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_flops_have_bars_and_counts_and_nothing_is_cut(open_page, scheme):
    """A full bar is 100 % and all bars have one width; lines of one means are 22,100 flops."""
    page = open_page(link(["KK,A5s", "QQ,98s"]), color_scheme=scheme)
    page.click("#tab-flops")
    widths = [1920, 1366, 1280, 1024, 390, 360] if scheme == "light" else [1280]
    for width in widths:
        page.set_viewport_size({"width": width, "height": 1080 if width == 1920 else 800})
        if width < 760:
            page.click("#tab-answers")
        for player in (1, 2):
            page.click(f":is(.player .number, #strip .line):visible >> nth={player - 1}")
            page.wait_for_selector("#panel-flops button:text-is('CSV'):enabled")
            bars = page.locator(".flops .bar").evaluate_all(
                """(bars) => bars.map((bar) => {
                  const [track, fill] = [bar, bar.firstChild].map((each) =>
                    each.getBoundingClientRect());
                  return [bar.closest("tr").cells[3].innerText, track.width, fill.width];
                })"""
            )
            assert len(bars) == page.locator("[data-flop]").count()
            assert len({round(track, 1) for _, track, _ in bars}) == 1
            assert bars[0][1] >= {1920: 40, 1366: 55, 1024: 55}.get(width, 20)
            for equity, track, fill in bars:
                assert 100 * fill / track == pytest.approx(float(equity), abs=0.2)
        page.locator(".flops .bar").first.scroll_into_view_if_needed()
        pixels, bar = Pixels(page), page.locator(".flops .bar").first
        assert contrast(*(pixels.at(bar, across, 0.5) for across in (0.02, 0.98))) > 1.4
        counts = page.locator(".means tbody td:nth-child(2)")
        if width > 360:  # where there is room
            told = [int(text.replace(",", "")) for text in counts.all_inner_texts()]
            assert told[0] == sum(told[1:4]) == sum(told[4:7]) == sum(told[8:]) == 22_100
            weights = page.locator(".flops tbody td:nth-child(3)").all_inner_texts()
            assert set(weights) <= {"4", "12", "24"}
        else:
            assert counts.first.is_hidden()
        page.fill("#flop-search", "monotone connected")  # the longest
        cut = """(all) => all.filter((each) => each.scrollWidth > each.clientWidth)
          .map((each) => each.innerText)"""
        assert (
            page.locator("#panel-flops tbody :is(th, td, button):visible").evaluate_all(cut) == []
        )
        for row in page.locator("#panel-flops tr").all()[:30]:
            boxes = row.locator(":is(th, td):visible:not(:empty)").evaluate_all(
                """(cells) => cells.map((cell) => {
                  const text = document.createRange();
                  text.selectNodeContents(cell.querySelector("button") ?? cell);
                  const { left, right } = text.getBoundingClientRect();
                  return [left, right];
                })"""
            )
            for (_, right), (left, _) in pairwise(boxes):
                assert right + 3 <= left
        page.fill("#flop-search", "")


@pytest.mark.parametrize(
    ("size", "least"), [((1366, 768), 10), ((1280, 800), 6), ((1920, 1080), 18)]
)
def test_flops_list_many_lines_below_the_means(open_page, size, least):
    width, height = size
    page = open_page(link(["AA", "KK"]), viewport={"width": width, "height": height})
    page.click("#tab-flops")
    page.wait_for_selector("#panel-flops button:text-is('CSV'):enabled")
    panel = page.locator("#panel-flops").bounding_box()
    rows = [row.bounding_box() for row in page.locator(".flops tbody tr").all()[:30]]
    assert sum(row["y"] + row["height"] <= panel["y"] + panel["height"] for row in rows) >= least
    assert page.locator(".means tbody tr").count() == 21
