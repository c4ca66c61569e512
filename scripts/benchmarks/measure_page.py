"""Measure how fast the page appears, and how fast its numbers follow what is painted.

    python scripts/benchmarks/measure_page.py [--changes 100] [--starts 10] [--browser PATH]

It needs the extra ``browser`` and Chromium. The browser runs already when the server starts. Times
of changes are from the event of the key or the mouse to the frame that shows new numbers.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from math import ceil
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

from holdem_page.handler import static_files

FLOP = "#p=22%2B,A2s%2B,KTs%2B&p=top%2025%25&b=Td9d2c"
RANDOM = "#p=random&p=random"
PREFLOP = "#p=22%2B,A2s%2B,KTs%2B&p=top%2025%25&d=2h"

# Offsuit classes that are not in the range, each next to the one before. Painting one changes the
# equity; a second round clears them. Their number is a multiple of `_STROKE`.
_PAINT = [(row, abs(2 * (row % 2) - column)) for row in range(3, 13) for column in range(3)]
_STROKE = 10  # cells painted by one stroke of the mouse

_WATCH = """() => {
  let shown = "", begun = 0, asked = 0;
  window.times = [];
  const begin = (event) => { begun = event.timeStamp; };
  for (const name of ["keydown", "pointerdown", "pointermove"])
    addEventListener(name, begin, {capture: true});
  const fetch = window.fetch;
  window.fetch = (path, options) => {
    if (path.endsWith("spot")) asked = performance.now();
    return fetch(path, options);
  };
  const read = () => [...document.querySelectorAll("#players .equity")]
    .map((element) => element.textContent).join();
  new MutationObserver(() => {
    const text = read();
    if (text === shown) return;
    shown = text;
    if (asked < begun) return;  // the answer to an older question
    const from = begun;
    begun = 0;
    if (from) requestAnimationFrame(() => window.times.push(performance.now() - from));
  }).observe(document.querySelector("#players"), {subtree: true, childList: true});
}"""
_PAINTED = """() => {
  const paint = performance.getEntriesByName("first-contentful-paint")[0];
  return paint ? performance.timeOrigin + paint.startTime : 0;
}"""
# Presses a key, and waits until a part of the page shows something else.
_PRESS = """([key, part]) => new Promise((done) => {
  const shown = document.querySelector(part);
  const read = () => shown.value ?? (shown.ariaBusy !== "true" && !shown.querySelector(".old")
    ? shown.innerText : before);
  const before = shown.value ?? shown.innerText;
  const begun = performance.now();
  const look = () => read() === before && performance.now() - begun < 2000
    ? requestAnimationFrame(look) : done(performance.now() - begun);
  const options = { key, bubbles: true, cancelable: true };
  document.activeElement.dispatchEvent(new KeyboardEvent("keydown", options));
  look();
})"""
# Opens a link, and waits until a report shows something else, be it sampled.
_ASK = """([hash, part]) => new Promise((done) => {
  const report = document.querySelector(`${part} .report`);
  const before = report.innerText;
  const begun = performance.now();
  location.hash = hash;
  const look = () => report.hidden || report.matches(".old") || report.innerText === before
    ? requestAnimationFrame(look) : done(performance.now() - begun);
  look();
})"""
_HAS_NUMBERS = r"/\d/.test(document.querySelector('#players .equity')?.textContent)"


def _until(page: Page, expression: str, seconds: float = 20) -> Any:
    """Return the value of an expression once it is true.

    Functions of Playwright that wait for expressions do not work under the page's security policy.
    """
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if value := page.evaluate(expression):
            return value
        time.sleep(0.005)
    raise TimeoutError(expression)


@contextmanager
def served(**variables: str) -> Iterator[tuple[str, float]]:
    """Start ``holdem serve``; yield the address and the time at which it was printed.

    The variables are added to the environment.
    """
    command = [sys.executable, "-m", "holdem", "serve", "--no-browser", "--port", "0"]
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env={**os.environ, **variables},
    ) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().strip(), time.time()
        finally:
            process.terminate()


def first_paint(browser: Browser) -> tuple[float, float]:
    """Return the milliseconds from the printed line to the first paint and the first numbers."""
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    page = context.new_page()
    with served() as (address, printed):
        page.goto(address + FLOP, wait_until="commit")
        painted = _until(page, _PAINTED)
        _until(page, _HAS_NUMBERS)
        shown = time.time()
    context.close()
    return painted - 1000 * printed, 1000 * (shown - printed)


def first_numbers(browser: Browser) -> float:
    """Return the milliseconds from the start of a server without compiled code to numbers."""
    page = browser.new_context(viewport={"width": 1280, "height": 800}).new_page()
    started = time.time()
    with (
        tempfile.TemporaryDirectory() as folder,
        served(HOLDEM_CACHE_DIR=str(Path(folder) / "cache")) as (address, _),
    ):
        page.goto(address + FLOP, wait_until="commit")
        _until(page, _HAS_NUMBERS)
        shown = time.time()
    page.context.close()
    return 1000 * (shown - started)


def _next_time(page: Page, count: int) -> int:
    """Wait for the numbers after a change, and until no more arrive; return how many came.

    A few changes leave all digits of the equities as they are.
    """
    with suppress(TimeoutError):
        _until(page, f"window.times.length > {count}", 2)
    page.wait_for_timeout(60)
    return int(page.evaluate("window.times.length"))


def _open(browser: Browser, address: str) -> Page:
    page = browser.new_context(viewport={"width": 1280, "height": 800}).new_page()
    page.goto(address)
    _until(page, _HAS_NUMBERS)
    page.wait_for_timeout(3000)  # until the kernels are loaded
    page.evaluate(_WATCH)
    return page


def keys(browser: Browser, address: str, changes: int) -> list[float]:
    """Return the milliseconds from each key that paints a cell to new numbers."""
    page = _open(browser, address)
    cells = page.get_by_role("gridcell")
    count = 0
    for number in range(changes):
        row, column = _PAINT[number % len(_PAINT)]
        cells.nth(13 * row + column).focus()
        cells.nth(13 * row + column).press(" ")
        count = _next_time(page, count)
    return _times(page)


def drags(browser: Browser, address: str, changes: int) -> list[float]:
    """Return the milliseconds from each move onto another cell to new numbers."""
    page = _open(browser, address)
    box = page.get_by_role("grid").bounding_box()
    assert box is not None
    side, count = box["width"] / 13, 0
    for number in range(changes):
        row, column = _PAINT[number % len(_PAINT)]
        page.mouse.move(box["x"] + (column + 0.5) * side, box["y"] + (row + 0.5) * side)
        if number % _STROKE == 0:
            page.mouse.up()
            page.wait_for_timeout(200)
            count = page.evaluate("window.times.length")
            page.mouse.down()
        count = _next_time(page, count)
    page.mouse.up()
    return _times(page)


def narrowings(browser: Browser, address: str, changes: int) -> list[float]:
    """Return the milliseconds from the key that keeps a selected line to the count of combos."""
    page = _open(browser, address)
    found = []
    for number in range(changes):
        page.locator("[data-line]").nth(number % 4).click()
        page.wait_for_selector(".selection:not([hidden])")
        found.append(float(page.evaluate(_PRESS, ["k", "#editor .count"])))
        page.keyboard.press("Control+z")
        page.wait_for_selector("#panel-hits[aria-busy=false] .report:not(.old)")
    page.context.close()
    return found


def three_ranges(browser: Browser, address: str, tab: str, changes: int) -> list[float]:
    """Return the milliseconds to the first report of three ranges, which take seconds in all."""
    page = _open(browser, address)
    page.click(f"#tab-{tab}")
    page.wait_for_selector(f"#panel-{tab}[aria-busy=false] .report:not(.old)")
    found = []
    for number in range(changes):
        first = ("22+", "33+", "44+", "55+")[number % 4]
        question = f"#p={first},A2s%2B,KTs%2B&p=top%2025%25&p=top%2040%25"
        found.append(float(page.evaluate(_ASK, [question, f"#panel-{tab}"])))
        page.wait_for_timeout(1000)
    page.context.close()
    return found


def reports(browser: Browser, address: str, changes: int) -> list[float]:
    """Return the milliseconds from a key that paints a cell to the new open report."""
    page = _open(browser, address)
    found = []
    for number in range(changes):
        row, column = _PAINT[number % len(_PAINT)]
        page.get_by_role("gridcell").nth(13 * row + column).focus()
        found.append(float(page.evaluate(_PRESS, [" ", "#panel-hits"])))
    page.context.close()
    return found


def flops(browser: Browser, address: str) -> tuple[float, float]:
    """Return the milliseconds from a click to the first flops of two ranges, and to all."""
    page = _open(browser, address)
    begun = time.time()
    page.click("#tab-flops")
    _until(page, "document.querySelector('.flops tbody tr') !== null")
    first = time.time()
    _until(page, "document.querySelector('#panel-flops .combo-tools button:enabled') !== null")
    shown = time.time()
    page.context.close()
    return 1000 * (first - begun), 1000 * (shown - begun)


def runouts(browser: Browser, address: str) -> float:
    """Return the milliseconds from a click to the equities after each turn and river."""
    page = _open(browser, address)
    page.click("#tab-next-card")
    page.wait_for_selector("#panel-next-card[aria-busy=false] .report:not(.old)")
    begun = time.time()
    page.click(".by-runout summary")
    _until(page, "/Best:/.test(document.querySelector('.by-runout .detail')?.textContent)")
    shown = time.time()
    page.context.close()
    return 1000 * (shown - begun)


def _times(page: Page) -> list[float]:
    found: list[float] = page.evaluate("window.times")
    page.context.close()
    return found


def _line(name: str, times: Sequence[float]) -> str:
    ordered = sorted(times)
    median, high = ordered[len(ordered) // 2], ordered[ceil(0.95 * len(ordered)) - 1]
    return f"{name:<48}{median:>10.0f}{high:>14.0f}{len(ordered):>8}"


def main() -> int:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--changes", type=int, default=100)
    parser.add_argument("--starts", type=int, default=10)
    parser.add_argument("--browser", default="/usr/bin/chromium")
    arguments = parser.parse_args()
    with sync_playwright() as playwright:
        browser: Any = playwright.chromium.launch(
            executable_path=arguments.browser, args=["--no-sandbox"]
        )
        print(f"{'milliseconds':<48}{'median':>10}{'95th perc.':>14}{'of':>8}")
        starts = [first_paint(browser) for _ in range(arguments.starts)]
        print(_line("printed line to first paint", [painted for painted, _ in starts]))
        print(_line("printed line to first numbers", [shown for _, shown in starts]))
        empty = [first_numbers(browser) for _ in range(arguments.starts)]
        print(_line("start to first numbers, cache empty", empty))
        with served() as (address, _):
            for name, question in (("flop", FLOP), ("before the flop, a dead card", PREFLOP)):
                url = address + question
                print(_line(f"key to new numbers, {name}", keys(browser, url, arguments.changes)))
                print(_line(f"drag to new numbers, {name}", drags(browser, url, arguments.changes)))
            few = max(1, arguments.changes // 4)
            print(_line("key to the new open report, flop", reports(browser, address + FLOP, few)))
            print(_line("key k to the kept range, flop", narrowings(browser, address + FLOP, few)))
            for tab in ("hits", "categories"):
                times = three_ranges(browser, address + PREFLOP, tab, 8)
                print(_line(f"three ranges before the flop to {tab}", times))
            url = address + RANDOM
            all_flops = [flops(browser, url) for _ in range(arguments.starts)]
            print(_line("click to the first flops, random", [first for first, _ in all_flops]))
            print(_line("click to all flops, random", [shown for _, shown in all_flops]))
            matrix = [runouts(browser, url + "&b=Ks7d2c") for _ in range(arguments.starts)]
            print(_line("click to turn and river, random", matrix))
        browser.close()
    files = set(static_files().values())
    print(f"the page: {sum(file.stat().st_size for file in files):,} bytes in {len(files)} files")
    return 0


if __name__ == "__main__":
    sys.exit(main())
