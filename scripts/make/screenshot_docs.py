"""Take pictures of the main pages of the built documentation, narrow and wide, light and dark.

    python -m sphinx -n -W docs site
    python scripts/make/screenshot_docs.py site pictures [--browser /usr/bin/chromium]

It needs the package ``playwright`` and Chromium. For each page it also prints by how many pixels
the page is wider than the window: a page that scrolls sideways on a phone is a fault, and the exit
code is then 1.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Literal

from playwright.sync_api import sync_playwright

PAGES = (
    *("index", "start/index", "guide/index", "guide/equity", "guide/ranges", "guide/trials"),
    *("guide/breakdowns", "guide/boards-and-hits", "guide/flops", "guide/pictures"),
    *("guide/starting-hands", "evaluators/index", "evaluators/first", "evaluators/methods"),
    *("evaluators/lookup", "evaluators/bitwise", "evaluators/cactus-kev", "how/exact"),
    *("how/intervals", "how/design", "reference/index", "reference/equity"),
    *("reference/commands/equity", "benchmarks/index", "gallery/index", "gallery/kicker"),
)
WIDTHS = (390, 1280)
THEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
_OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


def main() -> int:
    """Take the pictures and return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("site", type=Path)
    parser.add_argument("pictures", type=Path)
    parser.add_argument("--browser", default="/usr/bin/chromium")
    parser.add_argument("--pages", nargs="*", default=PAGES)
    arguments = parser.parse_args()
    arguments.pictures.mkdir(parents=True, exist_ok=True)
    faults = 0
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=arguments.browser)
        for width in WIDTHS:
            for theme in THEMES:
                context = browser.new_context(
                    viewport={"width": width, "height": 900}, color_scheme=theme
                )
                page = context.new_page()
                for name in arguments.pages:
                    page.goto((arguments.site / f"{name}.html").resolve().as_uri())
                    wider = int(page.evaluate(_OVERFLOW))
                    if wider > 0:
                        faults += 1
                        print(f"{name}: {wider} pixels wider than {width}")
                    file = f"{name.replace('/', '-')}-{width}-{theme}.png"
                    page.screenshot(path=arguments.pictures / file)
                context.close()
        browser.close()
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
