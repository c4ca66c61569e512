"""Act on the page at random, while answers come late, out of order or not at all.

    python scripts/checks/walk_page.py [--runs 40] [--acts 20] [--first-seed 1] [--browser PATH]

Each run opens the page, slows the browser's processor down four times, lets each answer of the
server come after up to 900 ms, and stops and starts the server now and then. After each act, what
the page shows undimmed must be right: the equities those of the question, the grid the range of its
text; and the page must still be there. At the end of a run, with a server, everything must come to
rest at the right numbers. A seed repeats a run. The exit code is 1 if anything was wrong. It needs
the extra ``browser`` and Chromium.
"""

from __future__ import annotations

import argparse
import random
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, sync_playwright

import holdem
from holdem.errors import HoldemError

START = "#p=22%2B,A2s%2B,KTs%2B&p=top%2025%25&b=Td9d2c"
RANGES = (
    "QQ+,AKs",
    "22+",
    "top 12%",
    "KTs+:0.5,77",
    "AA",
    "T9s,98s:0.3",
    "AhKh",
    "A5s-A2s,KQo:0.25",
)
WRONG = ("A2x", "QQ,AKx", "AA 50%")
CLASSES = ("AA", "KK", "AKs", "A5s", "T9s", "72o", "QJo", "55", "K9s", "J8s")
BOARDS = ("Td 9d 2c", "Ks 7d 2c", "Ah Kh 4s 3c", "8c 8d 3h", "Qs Js Ts 4d 2h", "Td 9d", "")
TABS = ("hits", "next-card", "distribution", "combos", "categories")

# Delays each answer, and lets requests fail while the server is said to be away.
_SLOW = """(seed) => {
  let state = seed;
  const chance = () => (state = (state * 48271) % 2147483647) / 2147483647;
  const { fetch } = window;
  Object.assign(window, { away: false, slow: true, asking: 0 });
  window.fetch = async (path, options) => {
    window.asking += 1;
    try {
      const wait = window.slow ? 900 * chance() ** 2 : 0;
      await new Promise((done) => setTimeout(done, wait));
      options?.signal?.throwIfAborted();
      if (window.away) throw new TypeError("no server");
      return await fetch(path, options);
    } finally {
      window.asking -= 1;
    }
  };
}"""
# What is asked and what is shown, at one moment.
_SHOWN = """async () => {
  const { getState } = await import("/js/state.js");
  const { getAnswer } = await import("/js/answer.js");
  const { players, active, board, dead } = getState();
  const editor = document.querySelector("#editor");
  return {
    players, active, board: board.join(""), dead: dead.join(""),
    isStale: document.querySelector("#players").matches(".stale"),
    isExact: getAnswer().equity?.exact,
    texts: [...document.querySelectorAll(".player .equity")].map((each) => each.textContent),
    isUnread: document.querySelector("#editor.unread") !== null,
    cells: [...document.querySelectorAll(".cell[aria-selected=true] .name")]
      .map((each) => each.textContent),
    href: location.href,
  };
}"""
# The part of a flop has no equity: players without a number are at rest, too.
_REST = """() => {
  const texts = [...document.querySelectorAll("#players.stale .equity")];
  return window.asking === 0 && !document.querySelector("#editor.unread")
    && texts.every((each) => each.textContent.startsWith("–"));
}"""


def act(page: Any, chance: random.Random) -> str:
    """Do something of one of 19 kinds; return what it was."""

    def a_cell() -> Any:
        return page.locator(f'.cell:has(.name:text-is("{chance.choice(CLASSES)}"))')

    cell = a_cell()
    press = page.keyboard.press
    field = page.get_by_label("Range as text")

    def stroke() -> None:
        for index in range(3):
            box = page.locator(
                f'.cell:has(.name:text-is("{chance.choice(CLASSES)}"))'
            ).bounding_box()
            assert box is not None
            page.mouse.move(box["x"] + 9, box["y"] + 9, steps=3)
            if index == 0:
                page.mouse.down()
        page.mouse.up()

    def type_board() -> None:
        page.locator("h1").click()
        press("b")
        press("Control+a")
        page.keyboard.type(chance.choice(BOARDS))
        press("Enter")

    def choose(way: str) -> None:
        page.get_by_role("button", name="Presets", exact=True).click()
        page.get_by_role("menuitemradio", name=way).click()
        page.get_by_role("menuitem", name="Suited aces").click()

    def players() -> None:
        buttons = page.locator(".player .remove:visible")
        if page.locator(".player").count() > 2 and buttons.count():
            buttons.last.click()
        else:
            page.get_by_role("button", name="+ Player").click()
            page.keyboard.press("Control+a")
            page.keyboard.type(chance.choice(RANGES[4:]))

    kinds: dict[str, Callable[[], Any]] = {
        "click": cell.click,
        "stroke": stroke,
        "key": lambda: (cell.focus(), press("ArrowRight"), press(str(chance.randrange(10)))),
        "space": lambda: (cell.focus(), press("Space")),
        "brush": lambda: page.get_by_label("Weight").fill(str(5 * chance.randrange(1, 21))),
        "top": lambda: page.get_by_label("Top hands").fill(str(chance.randrange(1, 30))),
        "type": lambda: field.fill(chance.choice(RANGES)),
        "mistake": lambda: field.fill(chance.choice(WRONG)),
        "leave": lambda: field.blur(),
        "add": lambda: choose("Add"),
        "subtract": lambda: choose("Subtract"),
        "clear": lambda: page.get_by_role("button", name="Clear range").click(),
        "player": lambda: (page.locator("h1").click(), press("p")),
        "players": players,
        "flop": lambda: page.get_by_role("button", name="Random flop").click(),
        "board": type_board,
        "undo": lambda: (page.locator("h1").click(), press("Control+z")),
        "redo": lambda: (page.locator("h1").click(), press("Control+Shift+z")),
        "report": lambda: page.locator(f"#tab-{chance.choice(TABS)}").click(),
    }
    kind = chance.choice(list(kinds))
    page.set_default_timeout(3000)
    try:
        kinds[kind]()
    except Exception as error:  # what cannot be clicked now is no act
        press("Escape")
        return f"{kind} (not possible: {type(error).__name__})"
    return kind


def faults(shown: dict[str, Any], address: str) -> list[str]:
    """Return what is wrong with what the page shows undimmed."""
    found = []
    if not shown["href"].startswith(address.partition("#")[0]):
        found.append(f"the page is {shown['href']}")
    text = shown["players"][shown["active"]]
    try:
        own: Any = holdem.Range(text) if text.strip() else []
    except HoldemError:
        own = None
    if own is not None and not shown["isUnread"]:
        classes = {_class_of(combo) for combo in own}
        if classes != set(shown["cells"]):
            found.append(f"the grid of {text} shows {sorted(classes ^ set(shown['cells']))}")
    numbers = [each.partition("±")[0].rstrip("%") for each in shown["texts"]]
    if shown["isStale"] or set(numbers) <= {"–"}:
        return found
    try:
        known: Any = {"board": shown["board"] or None, "dead": shown["dead"] or None}
        result = holdem.equity(*shown["players"], **known)
        right = [player.equity or 0.0 for player in result.players]
        slack = 0.0051 if shown["isExact"] and result.exact else 1.5
        if len(right) != len(numbers) or any(
            abs(100 * expected - float(number)) > slack
            for expected, number in zip(right, numbers, strict=False)
        ):
            found.append(f"{shown['players']} on {shown['board']}: {numbers}, not {right}")
    except HoldemError as error:
        found.append(f"{numbers} for {shown['players']} on {shown['board']}: {error}")
    return found


def _class_of(combo: Any) -> str:
    (high, low), (first, second) = zip(*map(str, combo), strict=True)
    return f"{high}{low}" + ("" if high == low else "s" if first == second else "o")


def walk(page: Page, address: str, seed: int, acts: int) -> list[str]:
    """Act on the page and return what went wrong, each with the acts before it."""
    chance = random.Random(seed)
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(f"an error of the page: {error}"))
    page.add_init_script(f"({_SLOW})({seed})")
    page.goto(address + START)
    page.wait_for_selector(".player .equity:has-text('.')", timeout=120_000)
    done: list[str] = []
    found: list[str] = []
    for _ in range(acts):
        if chance.random() < 0.1:
            page.evaluate("() => { window.away = !window.away; }")
            done.append("server")
        done.append(act(page, chance))
        for _ in range(3):
            found += [f"{fault} after {done}" for fault in faults(page.evaluate(_SHOWN), address)]
            time.sleep(chance.random() / 5)
        if found:
            return found
    page.set_default_timeout(120_000)
    page.keyboard.press("Escape")
    page.evaluate("() => { window.away = window.slow = false; }")
    for text in ("QQ+", "AKs,77:0.5"):  # the question has an answer again
        page.get_by_label("Range as text").fill(text)
    page.locator("h1").click()
    shown: dict[str, Any] = {}
    for _ in range(300):
        shown = page.evaluate(_SHOWN)
        if page.evaluate(_REST):
            break
        time.sleep(0.1)
    else:
        found.append(f"not at rest half a minute after {done}")
    return found + errors + [f"{fault} at rest after {done}" for fault in faults(shown, address)]


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--runs", type=int, default=40)
    parser.add_argument("--acts", type=int, default=20)
    parser.add_argument("--first-seed", type=int, default=1)
    parser.add_argument("--browser", help="the path of the browser")
    options = parser.parse_args()
    names = ("chromium-headless-shell", "chromium")
    path = options.browser or next(filter(None, map(shutil.which, names)), None)
    command = [sys.executable, "-m", "holdem", "serve", "--no-browser", "--port", "0"]
    wrong = 0
    with (
        subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server,
        sync_playwright() as playwright,
    ):
        try:
            assert server.stdout is not None
            address = server.stdout.readline().strip()
            browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
            for seed in range(options.first_seed, options.first_seed + options.runs):
                page = browser.new_context(viewport={"width": 1366, "height": 768}).new_page()
                session = page.context.new_cdp_session(page)
                session.send("Emulation.setCPUThrottlingRate", {"rate": 4})
                found = walk(page, address, seed, options.acts)
                page.context.close()
                print(f"seed {seed}: {'; '.join(found) or 'right'}", flush=True)
                wrong += bool(found)
            browser.close()
        finally:
            server.terminate()
    print(f"{options.runs} runs, {wrong} wrong")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
