"""The price of a call, the summary of two ranges, and finer lines of hits."""

import re

import pytest

import holdem
from amounts import AMOUNTS
from page_in_browser import link, live_combos, open_tab, options, percent, printed, ready

pytestmark = pytest.mark.browser
PLAYERS = ["22+,A2s+,KTs+:0.5", "top 20%"]
FLOP = "Td9d2c"
ASKING = "What does a call need?"


@pytest.fixture
def page(open_page):
    """Return the page with two ranges on a flop."""
    page = open_page(link(PLAYERS, FLOP))
    ready(page, "hits")
    return page


def _price(page):
    """Return the figures of the price by the names of their lines."""
    return page.evaluate(
        """() => Object.fromEntries([...document.querySelectorAll(".price tr")].map((row) => [
             row.cells[0].firstChild.data.replaceAll("\u00a0", " "),
             row.cells[1].textContent.replaceAll("\u00a0", " ")]))"""
    )


@pytest.mark.parametrize(
    ("pot", "bet", "needed", "defended"),
    [("100", "50", 50 / 200, 100 / 150), ("1", "1.5", 1.5 / 4, 1 / 2.5), ("0", "3", 0.5, 0)],
)
def test_the_price_of_a_call(page, capsys, pot, bet, needed, defended):
    page.fill("#price-pot", pot)
    page.fill("#price-bet", bet)
    own = printed(capsys, "equity", *PLAYERS, *options(FLOP))["players"][0]["equity"]
    won = own * (float(pot) + 2 * float(bet)) - float(bet)
    found = _price(page)
    assert found["needs"] == f"{percent(needed)} %"
    assert found["has, by equity alone"] == f"{percent(own)} %"
    assert (
        page.inner_text(".price output")
        .replace("\xa0", " ")
        .startswith(
            f"{'Call' if own > needed else 'Fold'}: you have {percent(own)} % and need"
            f" {percent(needed)} %: "
        )
    )
    assert float(found["EV of the call"].replace("−", "-")) == pytest.approx(won, abs=0.0051)
    assert found["must defend (MDF)"] == f"{percent(defended)} %"
    page.click("#heat-switch")
    page.wait_for_selector(f"#heat .heat-ends span:text-is('{100 * needed:g} %')")
    open_tab(page, "distribution")
    line, plot = (page.locator(name).bounding_box() for name in (".plot .price-line", ".plot"))
    assert 1 - (line["y"] - plot["y"]) / plot["height"] == pytest.approx(needed, abs=0.02)
    assert f"a call needs {percent(needed)}\xa0%" in page.inner_text(".legend")
    page.reload()
    assert page.input_value("#price-bet") == bet
    page.fill("#price-bet", "half")
    assert page.inner_text(".price output").startswith("Pot and bet are numbers")
    assert page.get_attribute("#price-bet", "aria-invalid") == "true"


def test_the_price_of_a_bet_by_hand(open_page):
    """QQ has 18 % against a kept set of kings and 82 % before; folds are those of arithmetic."""
    page = open_page(link(["QQ", "KK,JJ"], "Ks7d2c", pot="60", bet="30"))
    ready(page, "hits")
    page.click("text=I bet")
    page.click("text=How")
    page.click(".player .number >> nth=1")
    ready(page, "hits")
    own = holdem.equity("QQ", "KK,JJ", board="Ks7d2c").players[0].equity
    called = own * 120 - 30
    found = _price(page)
    assert found["folds a bluff needs"] == "33.3 %"  # 30 / (60 + 30)
    assert found[f"folds it needs with {percent(own)} %"] == (
        f"{percent(max(0, called / (called - 60)))} %"
    )
    page.click("[data-line='set']")
    page.keyboard.press("k")
    page.wait_for_selector(".price output:has-text('player 2 folds 66.7')")
    ready(page, "hits")
    whole = holdem.equity("QQ", "KK,JJ", board="Ks7d2c").players[0].equity
    own = holdem.equity("QQ", "KK", board="Ks7d2c").players[0].equity
    called = own * 120 - 30
    found = _price(page)
    folds = called / (called - 60)
    assert folds > 0.25  # f * 60 + (1 - f) * called = 0
    assert found[f"folds it needs with {percent(own)} %"] == f"{percent(folds)} %"
    mean = 6 / 9 * 60 + 3 / 9 * called  # three of nine combos are kings
    assert found["EV, player 2 folds 66.7 %"] == f"+{mean:.2f}".rstrip("0")
    assert found[f"EV of a check, with {percent(whole)} %"] == f"+{60 * whole:.2f}".rstrip("0")
    said = page.inner_text(".price output").replace("\xa0", " ")
    assert said.startswith(f"Check. Bet: +{mean:.2f}".rstrip("0"))  # 30.04 and 36.67
    assert f", check: +{60 * whole:.2f}, both by equity alone" in said
    page.click(".chip button")
    page.wait_for_selector(".price output:has-text('player 2 calls with everything')")


def _players():
    return holdem.equity(*PLAYERS, board=FLOP).players


def test_a_bet_and_a_check_are_those_of_the_command_line(open_page, capsys):
    """Against a range that calls with everything; 45 % of 60 is more than 45 % of 120 less 30."""
    page = open_page(link(PLAYERS, FLOP, pot="60", bet="30") + "&act=bet")
    ready(page, "hits")
    arguments = (*PLAYERS, *options(FLOP), "--pot", "60", "--bet", "30")
    price = printed(capsys, "equity", *arguments)["price"]
    said = page.inner_text(".price output")
    word = "Bet" if price["call_ev"] > price["check_ev"] else "Check"
    assert said.startswith(word)
    for name, value in (("Bet", price["call_ev"]), ("check", price["check_ev"])):
        shown = re.search(rf"{name}: ([+−][\d.]+)", said)[1].replace("−", "-")
        assert float(shown) == pytest.approx(value, abs=0.0051)


def test_folds_are_those_of_this_street(open_page):
    """What a rule of the flop took cannot fold on the turn; what one of the turn takes can."""
    rules = "&keep=flop:top%20pair%2B&keep=turn:set"
    question = link(["QQ", "KK,JJ,AK,KQ"], "Ks7d2c3h", pot="60", bet="30") + "&act=bet" + rules
    page = open_page(question)
    page.wait_for_selector(".price output:has-text('folds')")
    whole = holdem.hits("KK,JJ,AK,KQ", board="Ks7d2c").keep("top pair+")
    called = holdem.hits(whole, board="Ks7d2c3h").keep("set")
    equity, free = [], []
    for hands in (whole, called):
        result = holdem.equity("QQ", hands, board="Ks7d2c3h")
        equity.append(result.players[0].equity)
        free.append(result.deals)
    calls = free[1] / free[0]  # pairs of hands that can both be held
    mean = (1 - calls) * 60 + calls * (120 * equity[1] - 30)
    said = page.inner_text(".price output")
    shown = re.search(r"Bet: ([+−][\d.]+), check: ([+−][\d.]+)", said)
    bet, check = (float(each.replace("−", "-")) for each in shown.groups())
    assert bet == pytest.approx(mean, abs=0.0051)
    assert check == pytest.approx(60 * equity[0], abs=0.0051)


@pytest.mark.parametrize(
    ("pot", "bet", "bb", "needed"),
    [
        ("60", "33%", "", 19.8 / 99.6),
        ("60", "2 pots", "", 120 / 300),
        ("10bb", "6bb", "2", 12 / 44),
    ],
)
def test_sizes_in_parts_of_the_pot_and_big_blinds(page, pot, bet, bb, needed):
    for name, text in (("pot", pot), ("bet", bet), ("bb", bb)):
        page.fill(f"#price-{name}", text)
    assert _price(page)["needs"] == f"{percent(needed)} %"


def test_a_size_that_needs_another_says_so(page):
    page.fill("#price-pot", "60")
    page.fill("#price-bet", "6bb")
    assert "give the chips of a big blind as BB" in page.inner_text(".price output")
    page.fill("#price-pot", "")
    page.fill("#price-bet", "33%")
    assert "give the pot first" in page.inner_text(".price output")


def test_the_verdict_is_the_hero_s_whoever_is_edited(page):
    page.fill("#price-pot", "100")
    page.fill("#price-bet", "50")
    page.click("[aria-label='Edit player 2']")
    verdicts = [f"you have {percent(each.equity)}\xa0%" for each in _players()]
    assert verdicts[0] in page.inner_text(".price output")
    page.click("[aria-label='Make player 2 the hero']")
    assert verdicts[1] in page.inner_text(".price output")
    assert page.evaluate("location.hash").endswith("&pot=100&bet=50&hero=2")
    assert page.inner_text(".whose") == "Player 2"
    page.click("#undo")
    page.wait_for_selector(f".price output:has-text('{verdicts[0]}')")
    page.click("#redo")
    page.reload()
    ready(page, "hits")
    assert page.inner_text(".whose") == "Player 2"
    assert verdicts[1] in page.inner_text(".price output")


def test_one_hand_has_no_share_to_defend(open_page):
    page = open_page(link(["AsKs", "top 20%"], FLOP, pot="100", bet="50"))
    ready(page, "hits")
    assert _price(page)["must defend (MDF)"] == "–"
    row = page.locator(".price tr:has-text('must defend (MDF)')")
    assert row.locator("small").text_content() == "of a range: one hand calls or folds"


def test_lines_of_the_price_stay_dimmed_while_an_answer_is_on_its_way(open_page):
    page = open_page(link(PLAYERS, FLOP, pot="100", bet="50"))
    ready(page, "hits")
    lines = page.locator(".price tr")
    colour = "(all) => all.map((each) => getComputedStyle(each).color)"
    before, ink = lines.all_inner_texts(), lines.evaluate_all(colour)
    page.route("**/api/spot", lambda route: None)
    with page.expect_request("**/api/spot"):
        page.get_by_label("Range as text").fill("QQ")
    page.wait_for_selector("#players.stale")
    assert lines.all_inner_texts() == before
    assert set(lines.evaluate_all(colour)).isdisjoint(ink)


def test_a_link_shows_the_same_price(open_page, server):
    page = open_page(link(PLAYERS, FLOP, pot="100", bet="50"))
    ready(page, "hits")
    assert _price(page)["needs"] == "25.0 %"
    page.fill("#price-bet", "100")
    page.keyboard.press("Tab")
    assert page.evaluate("location.hash") == link(PLAYERS, FLOP, pot="100", bet="100")
    for act, bet in (
        (lambda: page.click("#undo"), "50"),
        (lambda: page.click("#redo"), "100"),
        (lambda: page.keyboard.press("Control+z"), "50"),
    ):
        act()
        page.wait_for_function(
            "(bet) => document.querySelector('#price-bet').value === bet", arg=bet
        )
        assert _price(page)["needs"] == f"{percent(int(bet) / (100 + 2 * int(bet)))} %"
    page.get_by_role("button", name="½ pot").click()
    page.click("#price-bet")
    page.keyboard.type("30")  # in place of what stood there
    assert page.input_value("#price-bet") == "30"
    page.get_by_role("button", name="½ pot").click()
    page.fill("#price-pot", "")
    page.keyboard.press("Tab")
    assert page.evaluate("location.hash") == link(PLAYERS, FLOP, bet="50")
    assert page.inner_text(".price output") == ASKING
    page.goto("about:blank")
    page.goto(f"{server.url}{link(PLAYERS, FLOP)}")  # a link without a price
    assert page.inner_text(".price output") == ASKING
    assert page.input_value("#price-bet") == ""


def test_the_colour_of_the_price_is_neutral(page):
    page.fill("#price-pot", "100")
    page.fill("#price-bet", "450")
    page.click("#heat-switch")
    page.wait_for_selector(".cell.hot")
    high_and_low = page.evaluate(
        """() => Object.groupBy(document.querySelectorAll(".cell.hot"), (cell) =>
             /--heat-(low|high)/.exec(cell.style.getPropertyValue("--heat"))[1])"""
    )
    assert set(high_and_low) == {"low", "high"}
    low = page.locator(".cell.hot[style*='heat-low'] .heat").all_inner_texts()
    assert all(int(text) <= 45 for text in low)


def _summary(page):
    page.wait_for_selector(".summary:not(.old):not(:empty)")
    return " ".join(page.inner_text(".summary").split())


def test_the_summary_says_who_has_more_equity_and_how_much_of_each_range_is_strong(page, capsys):
    answer = printed(capsys, "equity", *PLAYERS, *options(FLOP), "--by", "combo")
    first, second = (percent(share, 0) for share in answer["nut_shares"])
    assert answer["players"][0]["equity"] > 0.5
    own, other = (percent(player["equity"], 0) for player in answer["players"])
    assert _summary(page) == f"equity {own} : {other} nuts {first} : {second}"
    for name, shares in (("equity", (own, other)), ("nuts", (first, second))):
        parts = page.locator(f".summary > div:has-text('{name}') i")
        left, right = (parts.nth(index).bounding_box()["width"] for index in (0, 1))
        ratio = int(shares[0]) / (int(shares[0]) + int(shares[1]))
        assert left / (left + right) == pytest.approx(ratio, abs=0.03)
    lengths = [bar.bounding_box()["width"] for bar in page.locator(".versus").all()]
    assert lengths[0] == pytest.approx(lengths[1], abs=1)


@pytest.mark.parametrize("width", [1366, 1280, 1024, 390])
def test_the_bars_of_the_summary_move_nothing(open_page, width):
    """Tabs stand in one place with two, three and five players, and without an answer."""
    question = link(PLAYERS, FLOP)
    page = open_page(question, viewport={"width": width, "height": 768})
    if width < 760:
        page.click("#tab-answers")
    places = []
    five = [("top 40%", "top 60%", "random")] if width == 1366 else []
    for more in ((), ("top 40%",), *five):
        players = [*PLAYERS, *more]
        page.evaluate("(hash) => { location.hash = hash; }", link(players, FLOP))
        page.wait_for_function(
            """(count) => document.querySelectorAll(".summary:not(.old) > div:first-child i")
              .length === count""",
            arg=len(players),
        )
        summary, panel = (page.locator(each).bounding_box() for each in (".summary", "#answers"))
        assert summary["height"] == 20
        places.append(page.locator("#tab-hits").bounding_box()["y"] - panel["y"])
    page.evaluate("(hash) => { location.hash = hash; }", link(["", "random"]))
    page.wait_for_selector(".summary:empty", state="attached")
    box = page.locator("#tab-hits").bounding_box()
    places.append(box["y"] - page.locator("#answers").bounding_box()["y"])
    assert len(set(places)) == 1


def test_a_wide_range_is_not_the_stronger_one_for_having_more_combos(open_page):
    """All of the narrow range is in the strongest tenth, and little of the wide one."""
    page = open_page(link(["random", "AA"], "AsAd2c") + "&n=3bettor")
    page.wait_for_selector(".summary > div:has-text('nuts')")
    assert _summary(page).endswith("nuts 10 : 100")


def test_what_a_sampled_answer_cannot_tell_apart_is_not_said(open_page):
    page = open_page(link(["top 20%"] * 5, FLOP))
    ready(page, "hits")
    assert _summary(page) == "equity"  # five bars, and no nuts


# Where the text of a button begins.
_TEXT_LEFT = """(button) => {
  const text = document.createRange();
  text.selectNodeContents(button);
  return text.getBoundingClientRect().left;
}"""


def test_finer_lines(page, capsys):
    page.click("text=Finer lines")
    page.wait_for_selector("[data-line='flush draw (nut)']")
    hits = printed(capsys, "hits", PLAYERS[0], *options(FLOP), "--fine")
    names = [name for name, group in (hits["made"] | hits["draws"]).items() if group["combos"]]
    shown = page.locator("[data-line]").evaluate_all("(all) => all.map((e) => e.dataset.line)")
    assert sorted(name for name in shown if name in names) == sorted(names)
    assert {*shown} - {*names} == {"top pair", "weak pair", "flush draw"}  # with their parts below
    whole = printed(capsys, "hits", PLAYERS[0], *options(FLOP))
    for name, group in (("weak pair", whole["made"]), ("flush draw", whole["draws"])):
        row = page.locator(f"tr:has([data-line='{name}'])")
        assert row.locator("td").nth(1).inner_text() == f"{group[name]['combos']:g}"
        below = row.locator("xpath=following-sibling::tr[1]")
        left = [each.locator("[data-line]").evaluate(_TEXT_LEFT) for each in (row, below)]
        assert left[1] > left[0] + 8
    page.click("[data-line='flush draw (nut)']")
    page.keyboard.press("k")
    page.wait_for_selector(".chip:has-text('flush draw (nut)')")
    ready(page, "hits")
    kept = live_combos(hits["draws"]["flush draw (nut)"]["range"])
    page.locator(".count", has_text=re.compile(rf"^{len(kept)} of ")).wait_for()
    page.reload()
    ready(page, "hits")
    assert page.locator("[data-line='flush draw (nut)']").is_visible()


def test_hits_say_which_draws_a_flop_does_not_have(open_page):
    page = open_page(link(["random", "random"], "Ks7d2c"))
    ready(page, "hits")
    assert page.locator("[data-kind=draws]").all_inner_texts() == ["backdoor flush draw"]
    assert page.inner_text("#panel-hits .report .note") == (
        "A backdoor flush draw needs both turn and river. On this flop, no hand has a flush draw"
        " (three different suits) or a straight draw (no two ranks in one straight)."
    )
    about = 'async (hits) => (await import("/js/answers/hits.js")).aboutBackdoorDraws(hits)'
    flops = "Ks8d3c Ks8d4c Ks7s2d KsKd2c 7s7d7c AsAd9c AsAd5c AsJd6c As9d4c 8s3d3c 7s7d2d"
    for flop in flops.split():
        hits = holdem.hits("random", board=flop)
        said = page.evaluate(about, hits.to_dict())
        assert ("flush draw (" in said) == (not hits.draws["flush draw"].combos)
        has_straight = hits.draws["open-ended"].combos or hits.draws["gutshot"].combos
        assert ("straight draw (" in said) == (not has_straight)


def test_a_link_says_what_it_left_out_and_shares_no_token(open_page):
    page = open_page(link(["AA"] * 12) + "&x=1")
    said = page.inner_text(".left-out")
    assert said == (
        "The link has 12 players; those after player 10 are left out. Not understood in the link:"
        " x=1."
    )
    page.evaluate("(hash) => { location.hash = hash; }", link(PLAYERS, FLOP))
    page.wait_for_selector(".left-out:empty", state="attached")
    assert page.title() == "22+,A2s+,KTs+:0.5 v top 20% on T♦ 9♦ 2♣ – holdem"
    page.click("#copy-menu button")
    page.click("text=Link to this page")
    page.wait_for_selector(".copy-note:has-text('Copied')")
    address = page.evaluate("navigator.clipboard.readText()")
    assert address == page.evaluate("location.origin") + "/" + link(PLAYERS, FLOP)


def test_the_start_has_three_examples_and_goes_for_good(open_page):
    page = open_page()
    ready(page, "hits")
    assert "type AsKs or paste a range" in page.inner_text("#start")
    for name, players, board in (
        ("hand v range", 2, ""),
        ("range v range", 2, "K♠7♦2♣"),
        ("three ways", 3, ""),
    ):
        page.get_by_role("link", name=name, exact=True).click()
        page.wait_for_function(
            "(count) => document.querySelectorAll('.player').length === count", arg=players
        )
        page.wait_for_selector("#players:not(.stale) .equity:has-text('%')")
        assert "".join(page.locator(".slot").all_inner_texts()) == board
    page.click("#undo")
    page.wait_for_function("() => document.querySelectorAll('.player').length === 2")
    page.get_by_role("button", name="Got it").click()
    assert page.locator("#start").count() == 0
    page.reload()
    ready(page, "hits")
    assert page.locator("#start").count() == 0


def test_amounts_are_read_or_refused_and_never_guessed(page):
    read = 'async (texts) => texts.map((await import("/js/amounts.js")).readAmount)'
    found = page.evaluate(read, list(AMOUNTS))
    assert dict(zip(AMOUNTS, found, strict=True)) == AMOUNTS


def test_a_pot_with_a_separator_is_not_a_thousandth_of_it(page):
    for pot in ("1,000", "1 000", "1k"):
        page.fill("#price-pot", pot)
        page.fill("#price-bet", "500")
        assert _price(page)["needs"] == "25.0 %"
    page.fill("#price-pot", "1.000")
    assert page.inner_text(".price output") == "1.000 could mean 1000 or 1; write one of these."
    assert page.get_attribute("#price-pot", "aria-invalid") == "true"
