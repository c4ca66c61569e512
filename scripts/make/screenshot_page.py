"""Take pictures of the page of ``holdem serve``, narrow and wide, light and dark.

    python scripts/make/screenshot_page.py pictures [--browser /usr/bin/chromium]
    python scripts/make/screenshot_page.py --docs

The second form makes the pictures of the documents: ``docs/_static/page.png``, and
``docs/_static/pictures/page-call-1.png`` to ``-4.png`` of the walk-through in the guide. The
package ``playwright`` (extra ``browser``) and Chromium are required.
"""

from __future__ import annotations

import argparse
import threading
from pathlib import Path
from typing import Literal

from playwright.sync_api import Browser, Page, sync_playwright

from holdem_page.server import PageServer

STATIC = Path(__file__).parents[2] / "docs" / "_static"
QUESTION = "#p=22+,A2s+,KTs+,QJs,ATo+:0.5,KQo&p=top%2020%25&b=Ks7d2c"
SIZES = ((1280, 800), (390, 844))
THEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
# The steps of the walk-through in docs/guide/page.md: the question, the tab of the reports, and the
# player whose reports are shown.
CALL = "#p=9c8c&n=BB&p=top%2040%25&n=BTN&b=Qh8s3h&pot=60&bet=30"
VALUE = CALL.replace("&b=", "&keep=flop:top%20pair+,%20flush%20draw&b=")
BLUFFS = VALUE.replace("&b=", ",%20gutshot&b=")
STEPS = ((CALL, "hits", 0), (CALL, "hits", 1), (VALUE, "hits", 1), (BLUFFS, "next-card", 0))
WALK_SIZE = (1280, 800)
TABS = ("range", "players", "board", "answers")


def main() -> None:
    """Serve the page and take the pictures."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("pictures", type=Path, nargs="?", default=Path("pictures"))
    parser.add_argument("--docs", action="store_true", help="make the pictures of the documents")
    parser.add_argument("--browser", default="/usr/bin/chromium")
    arguments = parser.parse_args()
    with PageServer() as server, sync_playwright() as playwright:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        browser = playwright.chromium.launch(
            executable_path=arguments.browser, args=["--no-sandbox"]
        )
        if arguments.docs:
            page = _open(browser, server.url, (1280, 800), "light")
            page.screenshot(path=STATIC / "page.png")
            for number, (question, tab, player) in enumerate(STEPS, start=1):
                page = _open(browser, server.url, WALK_SIZE, "light", question)
                if page.get_by_role("button", name="Got it").is_visible():
                    page.get_by_role("button", name="Got it").click()
                page.locator(".player .number").nth(player).click()
                page.click(f"#tab-{tab}")
                page.wait_for_selector(f"#panel-{tab}[aria-busy=false] .report:not(.old)")
                page.wait_for_timeout(500)  # the equities of hits, transitions
                page.screenshot(path=STATIC / "pictures" / f"page-call-{number}.png")
        else:
            arguments.pictures.mkdir(parents=True, exist_ok=True)
            for size in SIZES:
                for theme in THEMES:
                    _take(_open(browser, server.url, size, theme), arguments.pictures, theme)
        browser.close()
        server.shutdown()


def _open(
    browser: Browser,
    url: str,
    size: tuple[int, int],
    theme: Literal["light", "dark"],
    question: str = QUESTION,
) -> Page:
    """Open the page and wait for the answer and the first report."""
    width, height = size
    page = browser.new_page(viewport={"width": width, "height": height}, color_scheme=theme)
    page.set_default_timeout(120_000)  # kernels may have to be compiled
    page.goto(url + question)
    _wait(page)
    page.reload()  # the first answer includes compilation
    _wait(page)
    page.wait_for_timeout(300)  # transitions
    return page


def _wait(page: Page) -> None:
    """Wait for the answer and the first report."""
    page.wait_for_selector("#players:not(.stale) .equity", state="attached")
    page.wait_for_selector("#panel-hits[aria-busy=false] .report:not(.old) tbody", state="attached")


def _take(page: Page, directory: Path, theme: str) -> None:
    """Take the picture of a page; on a narrow one, of each tab."""
    width = page.viewport_size["width"] if page.viewport_size else 0
    for tab in TABS if page.locator("#tabs").is_visible() else ("page",):
        if tab != "page":
            page.click(f"#tab-{tab}")
        page.screenshot(path=directory / f"{tab}-{width}-{theme}.png")


if __name__ == "__main__":
    main()
