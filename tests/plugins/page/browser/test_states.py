"""Streams, a server that stops, and accessibility in all states of the page."""

import re
import subprocess
import sys
from urllib.parse import urlsplit

import pytest

from page_editor import drag, expect_text, open_ranges, wait_for_cells
from page_in_browser import ask, link, open_tab, ready

pytestmark = pytest.mark.browser
PLAYERS = ["22+,A2s+,KTs+:0.5", "top 20%"]
FLOP = "Td9d2c"
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}

# Collects the largest standard error of each answer to a question until it is complete.
_WATCH = """async (hash) => {
  const { getAnswer, subscribe } = await import("/js/answer.js");
  const seen = [];
  const done = new Promise((resolve) => subscribe(({ equity, fresh, pending }) => {
    if (!fresh) return;
    seen.push(Math.max(...equity.players.map((player) => player.stderr)));
    if (!pending) resolve();
  }));
  location.hash = hash;
  await done;
  const element = document.querySelector(".player .equity");
  return { seen, stop: getAnswer().equity.stop, shown: element.innerText };
}"""


def test_a_sampled_answer_narrows_and_ends(open_page):
    page = open_page()
    found = page.evaluate(_WATCH, link(["22+"] + ["random"] * 9))
    assert found["stop"] == "stderr"
    assert len(found["seen"]) >= 2
    assert found["seen"][-1] <= 0.0005
    assert found["seen"][0] > found["seen"][-1]
    assert "±" in found["shown"]


@pytest.fixture
def own_server():
    """Return a server in a process of its own, and its address."""
    command = [sys.executable, "-m", "holdem", "serve", "--no-browser", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        yield process, process.stdout.readline().strip()
        process.kill()


def test_a_server_that_stops_leaves_a_message(open_page, own_server):
    process, url = own_server
    page = open_page(url=url)
    ready(page, "hits")
    before = page.inner_text(".player .equity")
    page.evaluate("(hash) => { location.hash = hash; }", link(["22+", "QQ+,AK"], "Td9d", "2h"))
    page.evaluate("(hash) => { location.hash = hash; }", link(["random"] * 10))
    process.kill()
    page.wait_for_selector("#players .error:has-text('The server has stopped')")
    page.wait_for_selector("#panel-hits .note:has-text('There is no answer')")
    assert page.get_attribute("#panel-hits", "aria-busy") == "false"
    assert page.locator("text=Try again").is_visible()
    assert before


# A server at a known port with a known token, so that it can be started again.
_SERVE = """
import sys
from holdem_page.server import PageServer
with PageServer(port=int(sys.argv[1])) as server:
    server.token = sys.argv[2].encode()
    print(server.url, flush=True)
    server.serve_forever()
"""


@pytest.fixture
def restarted():
    """Return a function that starts a server in a process, at a port, and returns its address."""
    processes = []

    def start(port=0, token="the-token-of-this-test"):
        command = [sys.executable, "-c", _SERVE, str(port), token]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        processes.append(process)
        return process, process.stdout.readline().strip()

    yield start
    for process in processes:
        with process:
            process.kill()


# After it, the look at the server that was under way has ended.
_ROUND_TRIP = "() => fetch('/js/dom.js').then((file) => file.text()).catch(() => null)"


def _pause(page):
    """Stop the page's clock, which then moves by `run_for` only."""
    page.clock.pause_at(page.evaluate("Date.now() / 1000 + 60"))  # later than it is by then
    page.evaluate(_ROUND_TRIP)


def _open_idle(open_page, **options):
    """Open a page with a clock that stands still, and wait until it shows its answer."""
    page = open_page(link(PLAYERS, FLOP), **options)
    page.clock.install()
    page.reload()
    ready(page, "hits")
    _pause(page)
    return page


def test_an_idle_page_notices_that_its_server_stops_and_is_back(open_page, restarted):
    process, url = restarted()
    page = _open_idle(open_page, url=url)
    before = page.inner_text(".player .equity")
    process.kill()
    process.wait()
    page.clock.run_for(3000)
    page.wait_for_selector("#players .status:has-text('Start it again with holdem serve')")
    assert page.inner_text(".player .equity") == before
    message = page.locator(".status")
    box = message.bounding_box()
    assert box["width"] > 100
    assert box["height"] > 30
    assert box["y"] + box["height"] < 800

    page.clock.resume()
    page.get_by_label("Range as text").fill("QQ+")  # what is changed meanwhile is kept
    page.wait_for_selector("#editor.unread")
    _pause(page)
    restarted(urlsplit(url).port)
    page.clock.run_for(3000)
    page.wait_for_selector(".player .detail:has-text('18 combos')")
    page.clock.resume()
    page.wait_for_selector("#editor:not(.unread)")
    page.wait_for_selector("#editor .count:has-text('18 of 1,176 combos left')")
    full = "document.querySelectorAll('.player:first-child [fill-opacity=\"1\"]').length"
    page.wait_for_function(f"{full} === 3")  # the small grid has QQ, KK and AA
    ready(page, "hits")
    assert "exact" in message.inner_text()
    page.wait_for_selector("text=The server has stopped", state="detached")
    assert page.locator("text=Try again").is_hidden()


def test_what_is_painted_while_the_server_is_away_gets_short(open_page):
    page = open_ranges(open_page, "QQ+", "random")
    ready(page, "hits")
    server = "**/{api/*,icon.svg}"
    page.route(server, lambda route: route.abort())
    drag(page, "JJ", "88")
    expect_text(page, "AA,KK,QQ,JJ,TT,99,88")
    page.click("[aria-label='Edit player 2']")  # meanwhile
    page.unroute(server)
    page.dispatch_event("text=Try again", "click")  # the page may have tried again by itself
    expect_text(page, "88+")
    assert page.inner_text("#range-title") == "Range of player 2"
    page.click("#undo")
    expect_text(page, "QQ+")


def test_what_could_not_be_read_is_read_with_the_next_answer(open_page):
    """Also where the server was away so shortly that no equities were missed."""
    page = open_ranges(open_page, "QQ+", "random")
    for act, text, classes in (
        (lambda: drag(page, "JJ", "88"), "AA,KK,QQ,JJ,TT,99,88", "88+"),
        (lambda: page.get_by_label("Range as text").fill("TT+"), "TT+", "TT+"),
    ):
        page.route("**/api/range", lambda route: route.abort())
        with page.expect_event("requestfailed"):
            act()
        page.keyboard.press("Tab")
        expect_text(page, text)
        page.wait_for_selector("#players:not(.stale)")
        page.unroute("**/api/range")
        page.get_by_role("button", name="Random flop").click()
        expect_text(page, classes)
        page.wait_for_selector("#editor:not(.unread)")
        wait_for_cells(page, classes)


def test_a_report_that_the_server_missed_is_asked_for_again(open_page):
    """Also where the equities came."""
    page = open_page(link(PLAYERS, FLOP))
    ready(page, "hits")
    open_tab(page, "categories")
    page.route("**/api/equity", lambda route: route.abort())
    page.evaluate("(hash) => { location.hash = hash; }", link(PLAYERS, FLOP, "2h"))
    page.wait_for_selector("#players .status:has-text('The server has stopped')")
    page.unroute("**/api/equity")
    ready(page, "categories")
    page.click("#tab-hits")
    ready(page, "hits")
    page.wait_for_selector("text=The server has stopped", state="detached")


def test_a_page_with_several_answers_watches_its_server(open_page):
    page = open_page(link(PLAYERS, FLOP))
    ready(page, "hits")
    page.reload()  # now several answers come before the first look
    ask(page, PLAYERS, FLOP)
    ask(page, PLAYERS, FLOP, "2h")
    page.route("**/icon.svg", lambda route: route.abort())
    page.wait_for_selector("#players .status:has-text('The server has stopped')")


def test_an_idle_page_asks_for_the_token_of_a_new_server(open_page, restarted):
    process, url = restarted()
    page = _open_idle(open_page, url=url)
    process.kill()
    process.wait()
    page.clock.run_for(3000)
    page.wait_for_selector("#players .status:has-text('Start it again with holdem serve')")
    _, address = restarted(urlsplit(url).port, "the-token-after-it-was-started-again")
    page.clock.run_for(3000)
    page.get_by_label("Paste the address").fill(address)
    page.clock.resume()
    page.get_by_role("button", name="Open").click()
    ready(page, "hits")
    assert "exact" in page.inner_text(".status")


_SHOW_OR_HIDE = """(isHidden) => {
  Object.defineProperty(document, "hidden", { configurable: true, get: () => isHidden });
  document.dispatchEvent(new Event("visibilitychange"));
}"""


def test_only_a_visible_page_watches_its_server(open_page):
    page = _open_idle(open_page)
    looks = []
    page.on(
        "request",
        lambda request: request.url.endswith("icon.svg") and looks.append(request.method),
    )
    page.evaluate(_SHOW_OR_HIDE, True)
    for _ in range(5):
        page.clock.run_for(3000)
        page.evaluate(_ROUND_TRIP)
    hidden = len(looks)
    with page.expect_response("**/icon.svg"):
        page.evaluate(_SHOW_OR_HIDE, False)
    page.evaluate(_ROUND_TRIP)
    with page.expect_response("**/icon.svg"):
        page.clock.run_for(3000)
    assert hidden <= 1  # one that had begun
    assert set(looks) == {"HEAD"}


def test_old_figures_are_dimmed(open_page):
    page = open_page(link(PLAYERS, FLOP))
    ready(page, "hits")
    page.click("#heat-switch")
    page.wait_for_selector(".cell.hot")
    looks = """() => [".player .detail", ".status", ".grid", ".theirs"].map((part) => {
      const { color, opacity } = getComputedStyle(document.querySelector(part));
      return color + opacity;
    })"""
    before = page.evaluate(looks)
    waiting = []
    page.route("**/api/spot", lambda route: waiting.append(route))  # the answer does not come
    page.evaluate("(hash) => { location.hash = hash; }", link(PLAYERS, FLOP, "2h"))
    page.wait_for_selector("#players.stale")
    page.wait_for_selector("#heat.stale")
    assert all(old != new for old, new in zip(page.evaluate(looks), before, strict=True))
    assert page.locator(".cell.hot").count() > 0
    assert page.locator(".theirs").last.evaluate(
        "(e) => getComputedStyle(e).color === getComputedStyle(e.nextSibling).color"
    )
    for route in waiting:
        route.abort()
    page.unroute("**/api/spot")
    page.evaluate("(hash) => { location.hash = hash; }", link(PLAYERS, FLOP))
    page.wait_for_selector("#heat:not(.stale)")
    open_tab(page, "next-card")
    page.get_by_label("Range as text").fill("QQ+,AKx")
    page.wait_for_selector("#panel-next-card .report.old")
    assert page.locator(".cards-grid").evaluate("(e) => getComputedStyle(e).opacity < 1")


def test_figures_of_another_player_or_number_of_players_are_not_shown(open_page):
    page = open_page(link([*PLAYERS, "QcQs"], FLOP))  # of two, both are asked for
    ready(page, "hits")
    page.click("#heat-switch")
    page.wait_for_selector(".cell.hot")
    page.route("**/api/*", lambda route: None)  # no answer comes
    page.click("[aria-label='Edit player 2']")
    assert page.inner_text("#panel-hits") == "Computing …"
    assert "exact" in page.inner_text(".status")  # the equities are those of the question
    page.click("[aria-label='Edit player 1']")
    page.click("text=+ Player")
    page.click("[aria-label='Edit player 1']")
    for part in ("#panel-hits", "#heat .heat-ends", ".status"):
        assert page.inner_text(part) == "Computing …"
    assert page.locator(".cell.hot").count() == 0
    assert page.inner_text("#players .equity >> nth=0").startswith("–")


def test_only_a_first_answer_may_take_long(open_page):
    """Some seconds after the page was opened, a new question is not said to need a compilation."""
    page = _open_idle(open_page)
    page.clock.run_for(3100)
    page.clock.resume()
    page.route("**/api/*", lambda route: None)  # no answer comes
    page.click("text=+ Player")
    page.wait_for_selector(".player:nth-child(3)")
    assert page.inner_text(".status") == "Computing …"


def test_a_link_from_another_machine_asks_for_the_token(open_page, server):
    base, _, token = server.url.partition("?token=")
    other = f"{base}?token=another-server-s-token"
    page = open_page("#p=QQ&p=random", url=other)
    dialog = page.get_by_role("dialog")
    address = page.get_by_label("Paste the address")
    dialog.locator("text=has ended or runs on another machine").wait_for()
    for text, message in (
        ("nonsense", "neither an address that holdem serve prints nor a token"),
        (other + "#p=QQ&p=random", "This is the address of this page"),
    ):
        address.fill(text)
        page.get_by_role("button", name="Open").click()
        dialog.locator(f"text={message}").wait_for()
    assert page.locator(".range-text.wrong").count() == 0
    address.fill(server.url)
    page.get_by_role("button", name="Open").click()
    page.wait_for_selector("#players:not(.stale)")
    assert page.url == server.url + "#p=QQ&p=random"
    page.wait_for_selector(".player .detail:has-text('6 combos')")

    question = "#p=QQ&p=random&b=Td9d2c&pot=100&bet=50"
    page = open_page(question, url=base)
    page.locator("dialog p:has-text('contains no token')").wait_for()
    said = "() => document.body.innerText.split('contains no token').length - 1"
    assert page.evaluate(said) == 1
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog", state="hidden")
    assert page.evaluate(said) == 1
    page.get_by_role("button", name="Enter the address").click()
    page.get_by_label("Paste the address").fill(token)
    page.keyboard.press("Enter")
    page.wait_for_selector(".player .detail:has-text('6 combos')")
    assert page.url == server.url + question
    assert page.input_value("#board-text") == "Td 9d 2c"
    assert "25.0" in page.inner_text(".price output")


def _violations(page, context):
    """Return what axe-core finds in a part of the page."""
    from axe_playwright_python.sync_playwright import Axe

    rules = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
    options = {"runOnly": rules, "resultTypes": ["violations"]}  # all nodes of others take long
    found = Axe().run(page, context, options).response["violations"]
    return [
        f"{violation['id']}: {violation['help']}: {node['html'][:120]}: {node['failureSummary']}"
        for violation in found
        for node in violation["nodes"][:3]
    ]


@pytest.mark.parametrize(
    ("size", "scheme"),
    [
        ("desktop", "light"),
        ("phone", "dark"),
        pytest.param("desktop", "dark", marks=pytest.mark.slow),
        pytest.param("phone", "light", marks=pytest.mark.slow),
    ],
)
def test_accessible_in_all_states(open_page, size, scheme):
    pytest.importorskip("axe_playwright_python", reason="needs the extra `browser`")
    options = PHONE if size == "phone" else {}
    page = open_page(link(PLAYERS, FLOP), color_scheme=scheme, **options)
    if size == "desktop":
        ready(page, "hits")  # which stand beside the grid in the first state
    found = {}

    def check(state, part=""):
        """Check the page, or only its part that a state changes: contrasts of texts take long."""
        context = None if part == "all" else {"include" if part else "exclude": [[part or ".grid"]]}
        found[state] = _violations(page, context)

    def show(name):
        if size == "phone":
            page.click(f"#tab-{name}")

    for name in ("players", "range", "board"):
        show(name)
        if size == "phone" or name == "range":
            check(name, "all" if name == "range" else "")
    show("answers")
    for name in ("hits", "next-card", "distribution", "combos", "categories"):
        open_tab(page, name)
        if name == "hits":
            page.click("[data-line='top pair']")
        if name == "next-card":
            page.click("#panel-next-card [data-card=Qd]")
            page.wait_for_selector(".selection:not([hidden])")
        if name == "distribution":
            page.focus(".plot")
            page.keyboard.press("Shift+PageUp")
            page.click("text=As a table")
        check(name, "all" if name == "hits" else "#answers")
    page.keyboard.press("Escape")
    show("range")
    page.click("#heat-switch")
    page.wait_for_selector(".cell.hot")
    check("heat map", "all")
    page.click("#copy-menu button")
    check("copy menu", ".top-bar")
    page.keyboard.press("Escape")
    page.click("#help-button")
    check("help", "#help")
    page.keyboard.press("Escape")
    ask(page, ["22+,A2x", "random"])
    page.wait_for_selector("#editor .error:has-text('A2x')")  # before it, the player's line has it
    check("a mistake")
    if size == "desktop":
        page.fill("[aria-label='Range of player 1']", "22+")
        page.fill("[aria-label='Range of player 2']", "22+,AKx")
        page.wait_for_selector(".player .error:has-text('AKx')")
        check("a mistake in a line that scrolls", "#players")
    assert {state: faults for state, faults in found.items() if faults} == {}


def test_nothing_moves_while_an_answer_is_on_its_way(open_page):
    """The boxes of the page stay where they are when the question changes."""
    page = open_page(link(PLAYERS, FLOP))
    ready(page, "hits")
    where = """() => [...document.querySelectorAll("main > section, #editor .grid, [role=tablist]")]
      .map((each) => JSON.stringify(each.getBoundingClientRect()))"""
    before = page.evaluate(where)
    for players in (["22+", "random"], ["AA", "KK"], ["top 35%", "random"]):
        ask(page, players, FLOP)
        ready(page, "hits")
        assert page.evaluate(where) == before
    assert re.fullmatch(r"\d+\.\d\d\s*%", page.inner_text(".player .equity"))
