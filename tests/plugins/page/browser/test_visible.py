"""What a person sees after every key, menu, report and dialog of the guide, on desktop and phone.

A new feature of the page adds its steps to `STEPS`.
"""

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import pytest

from page_editor import Finger, cell, drag, open_ranges
from page_in_browser import link
from visible_faults import visible_faults

pytestmark = pytest.mark.browser

SIZES = {
    "desktop": {"viewport": {"width": 1280, "height": 800}},
    "phone": {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True},
    "landscape": {"viewport": {"width": 844, "height": 390}, "has_touch": True, "is_mobile": True},
}
PLAYERS = ["22+,A2s+,KTs+:0.5,AhQd", "top 20%"]
FLOP = "Td9d2c"
SERVER = "**/{api/*,icon.svg}"  # what the page asks of its server once it is loaded
HANDS = ["AhAs", "KhKs", "QhQs", "JhJs", "9h9s", "8h8s", "7h7s", "6h6s", "5h5s"]
LONG = "22+,A2s+,K9s+,QTs+,JTs,T9s:0.5,98s:0.25,87s:0.125,ATo+,KJo+,QJo:0.75,AhTd,AsTc"


class Step(NamedTuple):
    """Something that a person does."""

    name: str
    act: Callable[[Any], object]
    part: str = ""  # the tab where a phone does it; otherwise the one that is shown


def keys(*names):
    """Press keys, and look at what an Escape ends before it."""
    groups = [[]]
    for name in names:
        groups += [[]] if name == "Escape" and groups[-1] else []
        groups[-1].append(name)

    def act(page, group):
        for name in group:
            page.keyboard.press(name)
            page.wait_for_function(_SETTLED)

    return [Step(f"press {group}", partial(act, group=group)) for group in groups]


def click(selector, part=""):
    return Step(f"click {selector}", lambda page: page.locator(selector).first.click(), part)


def focus(selector, part=""):
    return Step(f"focus {selector}", lambda page: page.locator(selector).first.focus(), part)


def fill(selector, text, part=""):
    return Step(f"type {text!r}", lambda page: page.locator(selector).first.fill(text), part)


def ask(*players, board="", dead="", pot="", bet="", part=""):
    """Open a link in the same tab of the browser."""
    question = link(players, board, dead, pot, bet)
    assign = """(hash) => location.hash === hash || new Promise((done) => {
      addEventListener("popstate", done, { once: true });
      location.hash = hash;
    }).then(() => true)"""
    return Step(f"open {question}", lambda page: page.evaluate(assign, question), part)


def suits_of(name):
    """Open the suits of a cell, on a phone by a long press, and close them."""

    def act(page):
        if not page.evaluate("navigator.maxTouchPoints"):
            return cell(page, name).click(button="right")
        cell(page, name).scroll_into_view_if_needed()
        finger = Finger(page)
        finger.down(name)
        page.wait_for_selector(".suits:popover-open")
        return finger.up()

    return [Step(f"suits of {name}", act, "range"), *keys("Escape")]


def button(name):
    return f'role=button[name="{name}"]'


ARROWS = ["ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp"]
ENDS = ["End", "PageDown", "Home", "PageUp"]
IN_THE_GRID = [
    focus(".cell >> nth=70", "range"),
    *keys(*ARROWS, "Shift+ArrowRight", "Shift+ArrowDown", "Space", "Enter", *"1234567890"),
    *keys("Delete", "Backspace", *ENDS, "5"),
    *keys("s", *ARROWS, "Space", "3", "Escape", "Escape"),
    *keys("p", "p", "b", "Escape", "?", "Escape", "Control+z", "Control+Shift+z", "Control+y"),
    *keys("Tab", "Shift+Tab"),
]


def open_board(page):
    if page.locator(".change").is_visible():  # a phone shows all cards
        page.locator(".change").click()


HITS = [
    click("#tab-hits", "answers"),
    click("text=Finer lines"),
    click("text=Finer lines"),
    click("[data-line]"),
    *keys("ArrowDown", "Space", "Escape"),
    click("[data-line]"),
    click(button("Clear selection")),
    click("[data-plus]"),
    *keys("+", "Escape"),
]


def keep_a_rule(page):
    page.keyboard.press("k")
    for _ in range(2):
        page.locator(".chip button").first.evaluate("(chip) => chip.click()")


def add_a_draw(page):
    page.click("[data-line='flush draw']", modifiers=["Control"])


NARROW = [
    click("[data-line='ace high']"),  # some have a flush draw: "and" leaves combos
    Step("add", add_a_draw),
    click(button("and")),
    click(button("Add: select several")),
    click("[data-line] >> nth=0"),
    Step("keep by key, and switch the rule off and on", keep_a_rule),
    *keys("Control+z", "Control+z", "Control+z"),
    click("[data-line]"),
    *keys("r", "Control+z"),
    click("[data-line]"),
    click(button("Keep")),
    *keys("Control+z"),
    click("[data-line]"),
    click(button("Remove")),
    *keys("Control+z"),
]
COMBOS = [
    click("#tab-combos", "answers"),
    click(".combo-lines tbody button"),
    *keys("ArrowDown", "Enter", "Escape"),
    click(button("weight")),
    click(button("Hand")),
    click(button("Copy CSV of the combos")),
]
NEXT_CARD = [
    click("#tab-next-card", "answers"),
    focus("#panel-next-card [data-card=As]"),
    *keys("ArrowDown", "End", "Enter", "Escape"),
    click("#panel-next-card [data-card=Qd]"),
]
RUNOUTS = [
    click(".by-runout summary"),
    focus(".runouts-frame"),
    *keys("ArrowRight", "ArrowDown", "ArrowDown"),
]
DISTRIBUTION = [
    click("#tab-distribution", "answers"),
    focus(".plot"),
    *keys("ArrowRight", "PageUp", "Shift+PageUp", "Shift+ArrowRight", "Escape", "End", "Home"),
    click("#panel-distribution summary"),
    click("#panel-distribution summary"),
]
CATEGORIES = [click("#tab-categories", "answers"), *keys("ArrowLeft", "Home")]
PEEK = [
    focus(".cell >> nth=30", "range"),
    *keys("ArrowRight"),
    Step("look into a cell", lambda page: page.wait_for_selector("#peek")),
    *keys("Escape"),
]
STEPS = [
    ask(*PLAYERS, board=FLOP, dead="2h", part="range"),
    *IN_THE_GRID,
    Step("paint", lambda page: drag(page, "AKs", "A2s"), "range"),
    *keys("ArrowRight", "Space", "5", "Control+z"),
    click("#undo"),
    click("#redo"),
    click("#four-colours"),
    *PEEK,
    *[step for name in ("AA", "A2s", "72o", "22") for step in suits_of(name)],
    suits_of("AKs")[0],
    click(".suits .quiet"),
    *keys("Escape"),
    focus("[aria-label=Weight]", "range"),
    *keys("ArrowLeft", "Home"),
    focus("[aria-label='Top hands']"),
    *keys("ArrowRight", "End"),
    # Menus and dialogs
    click(button("Presets"), "range"),
    *keys("ArrowDown", "End", "Escape"),
    click(button("Presets")),
    click("role=menuitem >> text=Broadway"),
    click(button("Cards"), "range"),
    *keys(*ARROWS, "Escape"),
    click(button("Cards")),
    click(".menu-place [data-card=Ah]"),
    click(".menu-place [data-card=Kh]"),
    click(".toolbar >> text=Random", "range"),
    click(button("Clear range")),
    fill("[aria-label='Range as text']", LONG, "range"),
    click(button("Saved"), "range"),
    click("text=Save this range"),
    fill("#saved-name", "a name that is rather long for a range, but why not"),
    *keys("Enter"),
    click(button("Saved"), "range"),
    click("text=Save this range"),
    fill("#saved-name", "open"),
    fill("#saved-folder", "a folder with a long name"),
    *keys("Enter"),
    click(button("Saved"), "range"),
    click(".folder"),
    click(".folder"),
    *keys("Escape"),
    click(button("Saved"), "range"),
    *keys("Escape"),
    click(button("Saved")),
    click("text=All as text"),
    fill("#saved-lines", "one: AA\nanother: 22+,A2s+,AKx\n"),
    click("#dialog >> text=Save >> nth=-1"),
    *keys("Escape"),
    click("#copy-menu button"),
    *[click(f"[data-part] >> nth={row} >> text=Command") for row in range(6)],
    click("text=Link to this page"),
    *keys("Escape"),
    click("#help-button"),
    click("#help button"),
    click("text=Got it", "range"),
    fill("#price-pot", "100", "players"),
    fill("#price-bet", "33%", "players"),
    click(".how summary", "players"),
    click("text=I bet", "players"),
    fill("#price-bet", "x", "players"),
    click("text=He bets", "players"),
    click(button("½ pot"), "players"),
    click(button("Make player 2 the hero"), "players"),
    click(button("Make player 1 the hero"), "players"),
    # Mistakes
    fill("[aria-label='Range as text']", "22+,AKx,QQ", "range"),
    fill("[aria-label='Range as text']", "", "range"),
    fill("[aria-label='Range of player 2']", "22+,AKx,QQ", "players"),
    fill("[aria-label='Range of player 2']", "AhKh", "players"),
    Step("open the board", open_board, "board"),
    fill("#board-text", "Ah Kd", "board"),
    fill("#board-text", "Ah Kd 7x", "board"),
    fill("#board-text", "Qh Kd 7c 7d 7h", "board"),
    # Cards
    ask(*PLAYERS, board=FLOP, dead="2h", part="board"),
    *keys("Escape"),
    click(".slot >> nth=1", "board"),
    *keys(*ARROWS, *ENDS, "Enter"),
    Step("open the board again", open_board, "board"),
    click(button("Dead"), "board"),
    *keys("Space"),
    click("#board [data-card=Qs]", "board"),
    click(".aim >> nth=0", "board"),
    click("#board [data-card='7s']", "board"),
    *keys("Escape"),
    click(button("Random flop"), "board"),
    click(button("Clear board"), "board"),
    # Reports before the flop, on each street, and with the heat map
    ask("AA", "KK", part="answers"),
    click("#tab-flops", "answers"),
    Step("wait for flops", lambda page: page.wait_for_selector(".flops tbody tr")),
    fill("#flop-search", "K72"),
    fill("#flop-search", ""),
    click(button("Compare…"), "players"),
    ask(*PLAYERS, board=FLOP, part="answers"),
    click(":is(.player .number, #strip .line):visible >> nth=1"),
    click(":is(.player .number, #strip .line):visible >> nth=0"),
    click(button("Compare no longer"), "players"),
    *[*HITS, *NARROW, *NEXT_CARD, *RUNOUTS, *DISTRIBUTION, *COMBOS, *CATEGORIES],
    ask(*PLAYERS, board=FLOP + "Jh", pot="100", bet="50", part="answers"),
    *[*HITS, *NEXT_CARD],
    click("text=Put Q♦ on the board"),
    *[*HITS, *DISTRIBUTION, *CATEGORIES],
    click("#heat-switch", "range"),
    *keys("5"),
    click("#tab-hits", "answers"),
    click("[data-line]"),
    click(".cell >> nth=70", "range"),
    click("#heat-switch", "range"),
    # Players
    click(button("Name"), "range"),
    fill("#player-name", "a name of 20 letters"),
    *keys("Enter"),
    ask(*HANDS, board=FLOP, part="players"),
    click(button("+ Player")),
    focus("[aria-label='Range of player 9']", "players"),
    *keys("ArrowUp", "ArrowDown"),
    click(button("Edit player 3"), "players"),
    click(button("Remove player 10"), "players"),
    fill("[aria-label='Range of player 9']", LONG, "players"),
    # Typed for a player who is gone before the pause that ends typing
    ask("AA", "KK", "QQ", "JJ", "TT", part="players"),
    ask("", "random", part="players"),
    Step("stop the server", lambda page: page.route(SERVER, lambda route: route.abort())),
    ask(*PLAYERS, board=FLOP, part="players"),
    click("#tab-hits", "answers"),
    click(button("Try again"), "players"),
    Step("start the server", lambda page: page.unroute(SERVER)),
    Step(
        "wait", lambda page: page.get_by_role("button", name="Try again").wait_for(state="hidden")
    ),
]

# Each is looked at in all sizes and colours; Escape closes what is open.
TIED = ["AsKs", "QQ+"]  # many next cards change the equity alike
VIEWS = [
    ask(*TIED, board=FLOP, pot="100", bet="50", part="answers"),
    click("[data-line]"),
    Step("runouts", lambda page: (page.click("#tab-next-card"), page.click(".by-runout summary"))),
    Step(
        "table",
        lambda page: (page.click("#tab-distribution"), page.click("#panel-distribution summary")),
    ),
    click("#tab-combos"),
    click("#tab-categories"),
    click("#heat-switch", "range"),
    click(button("Presets"), "range"),
    click(button("Saved"), "range"),
    Step(
        "all saved ranges",
        lambda page: (page.click(button("Saved")), page.click("text=All as text")),
        "range",
    ),
    click(button("Name"), "range"),
    click("#copy-menu button"),
    click("#help-button"),
    suits_of("AKs")[0],
    ask(*PLAYERS, part="answers"),
    Step("all flops", lambda page: page.click("#tab-flops")),
    ask(*HANDS, LONG, board=FLOP, part="players"),
]
HEIGHT = "document.documentElement.scrollHeight"
# Counts the requests under way, and remembers the keys and buttons that were used.
_WATCH = """async () => {
  const { whatIsMissing } = await import("/js/answer.js");
  const { fetch } = window;
  Object.assign(window, { whatIsMissing, asking: 0, used: new Set(), fetch: (...request) => {
    window.asking += 1;
    return fetch(...request).finally(() => (window.asking -= 1));
  } });
  addEventListener("keydown", ({ key }) => used.add(key.toLowerCase()), true);
  addEventListener("click", ({ target }) => used.add(target.closest("button, summary")), true);
}"""
_SETTLED = """() => {
  const errors = [...document.querySelectorAll(".error:not([hidden])")];
  const isWrong = errors.some((each) => each.textContent);
  const isPartial = whatIsMissing() || isWrong;
  return !asking && (isPartial || !document.querySelector("[aria-busy=true], .stale"));
}"""
_NEXT_FRAME = "() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))"
_UNUSED = """() => {
  const names = { "←": "arrowleft", "↑": "arrowup", "→": "arrowright", "↓": "arrowdown",
    Space: " ", Del: "delete", Esc: "escape", Ctrl: "control" };
  const keys = [...document.querySelectorAll("#help kbd")].map((each) => each.textContent);
  const buttons = [...document.querySelectorAll([
    ":is(header, .toolbar, .selection) button:not(.to-grid, [popover] *)",
    "#answers [role=tab]", "summary"].join())];
  return [
    ...keys.filter((key) => !used.has(names[key] ?? key.toLowerCase())),
    ...buttons.filter((each) => !used.has(each)).map((each) => each.textContent),
  ];
}"""


def take(step, page):
    """Do a step, on a phone in the tab that shows it, and wait for the answers."""
    tab = page.locator(f"#tabs #tab-{step.part}")
    if step.part and tab.is_visible() and tab.get_attribute("aria-selected") == "false":
        tab.click()
    step.act(page)
    page.wait_for_function(_SETTLED)


@pytest.mark.parametrize(
    "size", ["desktop", "phone", pytest.param("landscape", marks=pytest.mark.slow)]
)
def test_everything_can_be_seen_after_every_step(open_page, size):
    page = open_page(**SIZES[size])
    page.evaluate(_WATCH)
    found = {}
    for number, step in enumerate(STEPS):
        take(step, page)
        if faults := visible_faults(page, number % 3):
            found[f"{number}: {step.name}"] = faults
    assert found == {}
    assert page.evaluate(_UNUSED) == []  # keys of the help, menus and reports


def test_nothing_is_cut_at_any_width_or_with_forced_colours(open_page):
    page = open_page(viewport={"width": 390, "height": 800})
    page.evaluate(_WATCH)
    found = {}
    for number, step in enumerate(VIEWS):
        take(step, page)
        for width, height in ((1920, 1080), (1280, 800), (1024, 800), (768, 1024), (360, 800)):
            page.set_viewport_size({"width": width, "height": height})
            page.evaluate(_NEXT_FRAME)  # an open window moves with the next frame
            for colours in ("none", "active") if width in (1920, 360) else ("none",):
                page.emulate_media(forced_colors=colours)
                if faults := visible_faults(page, number % 3):
                    found[step.name, width, colours] = faults
            if width == 1280 and page.evaluate(HEIGHT) > 800:
                found[step.name] = "the page scrolls"
        page.keyboard.press("Escape")
    assert found == {}


@pytest.mark.parametrize("size", SIZES)
def test_the_dialog_for_the_token_can_be_seen(open_page, server, size):
    page = open_page(link(PLAYERS), url=server.url.partition("?")[0], **SIZES[size])
    page.get_by_label("Paste the address").fill("nonsense")
    page.get_by_role("button", name="Open").click()
    page.locator("dialog .error:has-text('neither an address')").wait_for()
    assert visible_faults(page) == []


def test_the_open_picker_covers_only_reports_and_closes(open_page):
    """Like a menu, it lies over what is below it until Escape or a press elsewhere."""
    page = open_ranges(open_page, PLAYERS[0], LONG, board="8d9d2c")
    page.wait_for_selector("#players:not(.stale)")
    page.keyboard.press("b")
    page.wait_for_selector("#board.open")
    assert visible_faults(page) == []
    covered = page.evaluate(
        """() => [...document.querySelectorAll("button, input, textarea, .cell, .equity, .slot")]
          .filter((each) => each.checkVisibility() && !each.closest(".board-editor"))
          .filter((each) => {
            const { x, y, width, height } = each.getBoundingClientRect();
            const hit = document.elementFromPoint(x + width / 2, y + height / 2);
            return hit?.closest(".board-editor");
          }).map((each) => each.closest(".panel").id)"""
    )
    assert set(covered) == {"answers"}
    page.keyboard.press("Escape")
    page.wait_for_selector(".board-editor", state="hidden")
    page.click(".slot >> nth=3")
    page.wait_for_selector(".board-editor")
    page.click("#players h2")
    page.wait_for_selector(".board-editor", state="hidden")
    assert visible_faults(page) == []


def test_a_fault_is_found(open_page):
    """Whatever a style sheet hides, cuts, covers or moves is named, and with what is wrong."""
    planted = [
        (".grid { align-items: baseline; }", "gridcell “AA, 6 combos, 100 %”", "× 0 px"),
        (".slot.turn { height: 0; }", "button “Turn: empty”", "is 36 × 2 px"),
        (".pick { display: none; }", "button “ace of hearts”", "is 0 × 0 px"),
        ("#dead-text { visibility: hidden; }", "input#dead-text", "is not visible"),
        (".grid { opacity: 0.1; }", "gridcell “AA, 6 combos, 100 %”", "is transparent"),
        ("#players .detail { color: transparent; }", "the text “win", "has no colour"),
        ("#board-text { position: relative; z-index: -1; }", "input#board-text", "is behind div"),
        ("#players .add { position: fixed; left: 2000px; }", "button “+ Player”", "is outside"),
        ("main { min-width: 1300px; }", "the page", "is 20 px wider than the window"),
        ("#heat-switch { width: 40px; }", "the text “Heat map”", "is cut by"),
        (".player textarea { text-overflow: clip; }", "“Range of player 2”", "shows its text cut"),
        (".cell .left { bottom: 40%; right: 40%; }", "the text “A9s”", "overlaps the text “3”"),
        (".count { font-size: 11px; }", "the text “", "is smaller than 12 px"),
    ]
    page = open_ranges(open_page, PLAYERS[0], LONG, board="8d9d2c")
    page.wait_for_selector("#players:not(.stale)")
    page.keyboard.press("b")
    page.wait_for_selector("#board.open")
    assert visible_faults(page) == []
    for css, element, reason in planted:
        page.evaluate(
            """(css) => {
              const sheet = new CSSStyleSheet();
              sheet.replaceSync(css);
              document.adoptedStyleSheets = [sheet];
            }""",
            css,
        )
        faults = visible_faults(page)
        assert [each for each in faults if element in each and reason in each], faults
