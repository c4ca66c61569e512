"""The range editor of notebooks in a browser, with its Python side and a model in between."""

from pathlib import Path

import pytest

import holdem
import holdem_page
from page_pixels import LEAST_CONTRAST, Pixels, contrast
from visible_faults import visible_faults

pytestmark = pytest.mark.browser

# Read at once: a route whose file is missing would leave the browser waiting for good.
WIDGET = (Path(holdem_page.__file__).parent / "static" / "js" / "widget.js").read_text("utf-8")

# Shows the widget alone. The model is what anywidget gives it; Python is behind `toPython`.
_SHOW = """async ({ state, css }) => {
  const listeners = {};
  const fire = (name, ...values) => (listeners[name] ?? []).forEach((each) => each(...values));
  const model = {
    get: (name) => state[name],
    set: (name, value) => (state[name] = value),
    save_changes: () => window.toPython({ text: state.text }),
    send: async (message) => fire("msg:custom", await window.toPython({ message })),
    on: (name, listener) => (listeners[name] ??= []).push(listener),
    off: () => {},
  };
  window.fromPython = (text) => ((state.text = text), fire("change:text"));
  document.body.replaceChildren();
  const style = document.createElement("style");
  style.textContent = css;
  const el = document.createElement("div");
  document.body.append(style, el);
  const { default: widget } = await import("/js/widget.js");
  await widget.render({ model, el });
}"""


@pytest.fixture
def editor():
    pytest.importorskip("anywidget", reason="needs the extra `widget`")
    return holdem_page.RangeEditor("22+,AKs:0.5")


@pytest.fixture
def page(open_page, server, editor, monkeypatch):
    """Return a page with nothing but the widget of the editor."""
    answers = []
    monkeypatch.setattr(editor.widget, "send", answers.append)

    def to_python(content):
        if "text" in content:
            editor.widget.text = content["text"]
            return None
        editor.widget._handle_custom_msg(content["message"], [])
        return answers.pop() if answers else {"id": 0, "answer": {}}  # after the test

    # A page of the server without modules of its own. Notebooks allow modules from blobs.
    page = open_page(url=server.url.partition("?")[0] + "js/dom.js", bypass_csp=True)
    script = {"body": WIDGET, "content_type": "text/javascript"}
    page.route("**/js/widget.js", lambda route: route.fulfill(**script))  # not on the page
    page.expose_function("toPython", to_python)
    state = {"_modules": editor.widget._modules, "text": editor.text}
    page.evaluate(_SHOW, {"state": state, "css": editor.widget._css})
    page.wait_for_selector(".cell[aria-selected=true]")
    return page


def _cell(page, name):
    return page.locator(f".cell:has(.name:text-is('{name}'))")


def _wait_for_range(page, editor, text):
    for _ in range(200):
        if editor.range == holdem.Range(text):
            return
        page.wait_for_timeout(50)
    assert editor.range == holdem.Range(text)


def test_it_shows_the_range(page):
    held = page.locator(".cell[aria-selected=true] .name").all_inner_texts()
    assert sorted(held) == sorted([f"{rank}{rank}" for rank in "23456789TJQKA"] + ["AKs"])
    assert _cell(page, "AKs").inner_text().split()[1].rstrip("%") == "50"
    box = page.locator(".grid").bounding_box()
    assert box["width"] > 300
    assert abs(box["width"] - box["height"]) < 2  # the styles apply


def test_what_is_painted_is_the_range(page, editor):
    start, end = (_cell(page, name).bounding_box() for name in ("T9s", "T7s"))
    page.mouse.move(start["x"] + 10, start["y"] + 10)
    page.mouse.down()
    page.mouse.move(end["x"] + 10, end["y"] + 10, steps=5)
    page.mouse.up()
    page.wait_for_function("() => document.querySelector('textarea').value.includes('T7s')")
    _wait_for_range(page, editor, "22+,AKs:0.5,T9s-T7s")


def test_what_is_typed_is_the_range_if_it_is_one(page, editor):
    page.fill("textarea", "QQ+,AKx")
    page.wait_for_selector(".wrong mark")
    assert editor.text == "22+,AKs:0.5"
    page.fill("textarea", "QQ+,AKs")
    page.wait_for_selector(".cell:has(.name:text-is('JJ'))[aria-selected=false]")
    _wait_for_range(page, editor, "QQ+,AKs")


def test_cards_and_an_equity_stand_beside_the_range(page):
    def shows(against, board):
        found = holdem.equity("22+,AKs:0.5", against, board=board or None).players[0].equity
        page.wait_for_selector(f".beside .equity:text-is('{100 * found:.2f}\xa0%')")

    page.wait_for_selector(".beside .equity:has-text('%')")  # exact or sampled, against any hand
    page.get_by_label("Against", exact=True).fill("top 20%")
    page.get_by_label("Board").fill("Ks7d2c")
    shows("top 20%", "Ks7d2c")
    assert _cell(page, "KK").locator(".left").inner_text() == "3"  # a king is gone
    page.get_by_label("Against", exact=True).fill("top 20")
    page.wait_for_selector(".beside .equity:text-is('–')")
    assert "top 20" in page.get_attribute(".beside .equity", "title")
    assert visible_faults(page) == []


def test_python_changes_what_is_shown(page):
    page.evaluate("window.fromPython('AA')")
    page.wait_for_selector(".cell:has(.name:text-is('KK'))[aria-selected=false]")
    assert page.locator(".cell[aria-selected=true] .name").all_inner_texts() == ["AA"]


def test_what_is_painted_is_seen_with_forced_colours(page):
    page.emulate_media(forced_colors="active")
    seen = Pixels(page)
    painted, empty = (seen.at(_cell(page, name), 0.15, 0.85) for name in ("AA", "K3o"))
    assert contrast(painted, empty) >= LEAST_CONTRAST


@pytest.mark.parametrize("system", ["light", "dark"])
def test_it_follows_the_theme_of_jupyterlab(page, system):
    page.emulate_media(color_scheme=system)
    seen = []
    for is_light in ("true", "false"):
        page.evaluate("(is) => document.body.setAttribute('data-jp-theme-light', is)", is_light)
        widget = page.locator(".holdem-range-editor")
        seen.append(widget.evaluate("(e) => getComputedStyle(e).backgroundColor"))
    assert seen == ["rgb(255, 255, 255)", "rgb(23, 27, 33)"]


@pytest.mark.parametrize("width", [1280, 390])
def test_everything_can_be_seen_after_every_key(page, width):
    page.set_viewport_size({"width": width, "height": 800})
    for press in (_cell(page, "99").focus, _cell(page, "72o").click):
        press()
        for key in (
            "ArrowRight",
            "Shift+ArrowDown",
            "Space",
            "5",
            "Delete",
            "s",
            "Space",
            "Escape",
        ):
            page.keyboard.press(key)
            assert visible_faults(page) == [], key
    page.get_by_role("button", name="Presets").click()
    assert visible_faults(page) == []
    page.keyboard.press("Escape")
    page.fill("textarea", "QQ+,AKx")
    page.wait_for_selector(".wrong mark")
    assert visible_faults(page) == []
