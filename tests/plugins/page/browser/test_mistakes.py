"""Each mistake is said once, in full, where it was made."""

import pytest

from page_editor import open_ranges
from page_in_browser import link, ready

pytestmark = pytest.mark.browser
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
SERVER = "**/{api/*,icon.svg}"  # what the page asks of its server once it is loaded
STOPPED = "The server has stopped"

# The parts of the page that show a text.
_PARTS = """(text) => {
  const PARTS = "#strip, .under, #editor, #board, #answers, .status-line, .left-out";
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const { parentElement: element } = node;
    const isVisible = element.checkVisibility({ checkVisibilityCSS: true });
    const isSeen = isVisible && !element.closest(".unseen");
    if (node.data.includes(text) && isSeen) {
      const part = element.closest(PARTS);
      found.push(part.id || part.className);
    }
  }
  return found;
}"""


def _where(page, text, *expected):
    """Wait until exactly these parts of the page show a text."""
    page.wait_for_function(
        f"([text, parts]) => ({_PARTS})(text).join() === parts", arg=[text, ",".join(expected)]
    )


def _row(page, player):
    return page.locator(f"[aria-label='Range of player {player}']")


def test_a_mistake_in_a_range_stands_at_the_text_with_the_focus(open_page):
    page = open_ranges(open_page, "QQ+", "random", board="Td9d2c")
    ready(page, "hits")
    page.get_by_label("Range as text").fill("22+,AKx")
    _where(page, "'AKx' is not", "editor")
    _row(page, 1).focus()
    _where(page, "'AKx' is not", "under")
    _row(page, 1).fill("22+,AKy")
    _where(page, "'AKy' is not", "under")
    _row(page, 1).blur()
    _where(page, "'AKy' is not", "editor")
    assert page.locator(".player .equity").first.is_visible()  # the old one, dimmed
    _row(page, 1).fill("22+")
    _row(page, 2).fill("KKx")
    _row(page, 1).focus()
    _where(page, "'KKx' is not", "under")
    _where(page, "There is no answer", "answers")


def test_a_card_that_stands_twice_is_said_once(open_page):
    page = open_page(link(["AhKh", "QQ"], "Ah9d2c"))
    _where(page, "sed twice", "board")
    assert page.locator(".range-text.wrong mark").all_inner_texts() == ["Ah"]
    page = open_page(link(["AhKh", "AhQh"], "Td9d2c"))
    _where(page, "sed twice", "under")
    assert page.locator(".player .range-text.wrong mark").all_inner_texts() == ["Ah", "Ah"]
    page.keyboard.press("b")
    page.locator("#board-text").fill("Td 9d 9d")
    _where(page, "sed twice: 9♦", "board")


@pytest.mark.parametrize("options", [{}, PHONE], ids=["desktop", "phone"])
def test_a_server_that_stops_is_said_once(open_page, options):
    page = open_ranges(open_page, "QQ+", "random", board="Td9d2c", **options)
    page.wait_for_selector("#players:not(.stale)", state="attached")
    page.route(SERVER, lambda route: route.abort())
    page.get_by_label("Range as text").fill("22+")
    page.wait_for_selector(".range-editor.unread")
    if not options:
        return _where(page, STOPPED, "status-line")
    for tab in ("Players", "Range", "Board", "Answer"):
        page.get_by_role("tab", name=tab, exact=True).tap()
        _where(page, STOPPED, "strip")
    page.get_by_role("tab", name="Players", exact=True).tap()
    page.unroute(SERVER)
    page.get_by_role("button", name="Try again").tap()
    return _where(page, STOPPED)


@pytest.mark.parametrize(("options", "part"), [({}, "hint left-out"), (PHONE, "strip")])
def test_what_a_link_leaves_out_is_said_once(open_page, options, part):
    page = open_page(link(["22+"] * 11) + "&x=1", **options)
    _where(page, "those after player 10 are left out", part)
    _where(page, "Not understood in the link: x=1.", part)
