"""The range editor of the page: what tests do with it and read from it."""

import holdem
from page_in_browser import link

_HASH = """(expected) => {
  const texts = new URLSearchParams(location.hash.slice(1).replaceAll("+", "%2B")).getAll("p");
  return texts[expected[0]] === expected[1];
}"""


def open_ranges(open_page, *players, board="", dead="", **options):
    """Open the page with these players and wait until the first player's range is shown."""
    page = open_page(link(players, board, dead), **options)
    wait_for_cells(page, players[0])
    return page


def wait_for_cells(page, text, against=1):
    """Wait until the grid shows a range, and no other class."""
    classes = sorted(_classes(text, against))
    page.wait_for_function(
        """(classes) => {
          const cells = document.querySelectorAll(".cell[aria-selected=true] .name");
          return [...cells].map((cell) => cell.textContent).sort().join() === classes;
        }""",
        arg=",".join(classes),
    )


def expect_range(page, text, player=0):
    """Wait until the address holds exactly this range for a player, in canonical text."""
    page.wait_for_function(_HASH, arg=[player, str(holdem.Range(text)) if text else ""])
    wait_for_cells(page, text)


def expect_text(page, text, player=0):
    """Wait until the address holds this text for a player."""
    page.wait_for_function(_HASH, arg=[player, text])


def cell(page, name):
    """Return the cell of a class."""
    return page.locator(f'.cell:has(.name:text-is("{name}"))')


def middle(page, name):
    """Return the middle of a cell."""
    box = cell(page, name).bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(page, *names, steps=6):
    """Paint with the mouse from cell to cell, in straight lines."""
    page.mouse.move(*middle(page, names[0]))
    page.mouse.down()
    for name in names[1:]:
        page.mouse.move(*middle(page, name), steps=steps)
    page.mouse.up()


class Finger:
    """A finger on a touch screen."""

    def __init__(self, page):
        self._page = page
        self._session = page.context.new_cdp_session(page)

    def down(self, name):
        """Touch a cell."""
        self._send("touchStart", name)

    def move(self, name):
        """Move to a cell at once."""
        self._send("touchMove", name)

    def up(self):
        """Leave the screen."""
        arguments = {"type": "touchEnd", "touchPoints": []}
        self._session.send("Input.dispatchTouchEvent", arguments)

    def _send(self, kind, name):
        x, y = middle(self._page, name)
        arguments = {"type": kind, "touchPoints": [{"x": x, "y": y}]}
        self._session.send("Input.dispatchTouchEvent", arguments)


def _classes(text, against):
    hands = holdem.Range(text, against=against) if text else ()
    return {_class_of(combo) for combo in hands}


def _class_of(combo):
    """Return the class of a combo, such as AKs."""
    (high, low), (first, second) = zip(*map(str, combo), strict=True)
    return f"{high}{low}" + ("" if high == low else "s" if first == second else "o")
