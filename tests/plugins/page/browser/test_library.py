"""Ranges that are saved: combined with the present one, written to a file and read from one."""

import json
from pathlib import Path

import pytest

import holdem
from page_editor import expect_range, expect_text, open_ranges, wait_for_cells
from page_in_browser import ready
from visible_faults import visible_faults

pytestmark = pytest.mark.browser
OWN = "TT+,AKs:0.5,JTs"
BROADWAY = "TT+,ATs+,KTs+,QTs+,JTs,ATo+,KTo+,QTo+,JTo"


def _choose(page, how, name):
    page.get_by_role("button", name="Presets", exact=True).click()
    page.get_by_role("menuitemradio", name=how).click()
    page.get_by_role("menuitem").filter(has_text=name).first.click()


def test_a_preset_is_added_subtracted_and_intersected(open_page):
    page = open_ranges(open_page, OWN, "top 20%")
    ready(page, "hits")
    own, big, broadway = (holdem.Range(text) for text in (OWN, "TT+", BROADWAY))
    _choose(page, "Intersect", "Broadway")
    expect_range(page, str(own & broadway))
    _choose(page, "Subtract", "Big pairs")
    expect_range(page, str((own & broadway) - big))
    _choose(page, "Add", "Broadway")
    expect_range(page, str(((own & broadway) - big) | broadway))
    page.keyboard.press("Control+z")
    expect_range(page, str((own & broadway) - big))


def test_a_preset_that_is_read_late_goes_to_the_range_it_was_chosen_for(open_page):
    page = open_ranges(open_page, OWN, "top 20%")
    ready(page, "hits")
    waiting = []
    page.route("**/api/range", lambda route: waiting.append(route))
    with page.expect_request("**/api/range"):
        _choose(page, "Add", "Broadway")
    page.click("[aria-label='Edit player 2']")
    wait_for_cells(page, "top 20%")
    for route in waiting:
        route.continue_()
    page.unroute("**/api/range")
    expect_text(page, str(holdem.Range(OWN) | holdem.Range(BROADWAY)))
    expect_text(page, "top 20%", player=1)


def test_presets_count_in_their_order_whichever_is_read_first(open_page):
    page = open_ranges(open_page, "QQ", "random")
    waiting = []
    page.route("**/api/range", lambda route: waiting.append(route))
    _choose(page, "Add", "Suited aces")
    _choose(page, "Add", "Any suited")
    _choose(page, "Subtract", "Suited connectors")
    page.route("**/api/range", lambda route: route.continue_())
    for route in reversed(waiting):
        with page.expect_response(lambda response, route=route: response.request == route.request):
            route.continue_()
    both = holdem.Range("QQ,A2s+,XXs") - holdem.Range("32s-JTs")
    expect_range(page, str(both))


def _open_saved(page):
    page.get_by_role("button", name="Saved").click()


def _save(page, name, folder=""):
    _open_saved(page)
    page.get_by_role("menuitem", name="Save this range").click()
    page.get_by_label("Name").fill(name)
    page.get_by_label("Folder").fill(folder)
    page.get_by_role("button", name="Save", exact=True).click()
    page.wait_for_selector("#dialog", state="hidden")


def _kept(page):
    return page.evaluate("localStorage.getItem('holdem.ranges')").splitlines()


@pytest.mark.parametrize("size", [(1280, 800), (390, 844)])
def test_folders_of_saved_ranges_open_and_close(open_page, size):
    width, height = size
    page = open_ranges(open_page, OWN, "top 20%", viewport={"width": width, "height": height})
    page.evaluate("localStorage.setItem('holdem.ranges', 'BTN/three-bet: QQ+\\nany: 22+')")
    _save(page, "open", "BTN")
    assert _kept(page) == ["BTN/three-bet: QQ+", "any: 22+", f"BTN/open: {OWN}"]
    _open_saved(page)
    folder = page.get_by_role("menuitem", name="BTN")
    inside = page.get_by_role("group", name="BTN").get_by_role("menuitem")
    assert page.get_by_role("menuitem", name="any").is_visible()
    assert inside.count() == 0
    assert visible_faults(page) == []
    page.keyboard.press("End")
    assert folder.evaluate("(button) => button === document.activeElement")
    page.keyboard.press("Enter")
    assert inside.all_inner_texts() == ["three-bet\nQQ+", f"open\n{OWN}"]
    assert visible_faults(page) == []
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect_range(page, "QQ+")
    _open_saved(page)
    assert inside.count() == 2  # still open
    folder.click()
    assert inside.count() == 0


def test_saved_ranges_go_to_a_file_and_come_back(open_page, tmp_path):
    page = open_ranges(open_page, OWN, "top 20%")
    _save(page, "three-bet", "BTN")
    _open_saved(page)
    with page.expect_download() as download:
        page.get_by_role("menuitem", name="Save as a file").click()
    saved = json.loads(Path(download.value.path()).read_text())
    assert saved == {"ranges": [{"name": "BTN/three-bet", "text": OWN}]}
    lines, whole, nameless = (tmp_path / name for name in ("a.txt", "b.json", "UTG.txt"))
    lines.write_text("button: 22+\nBTN/three-bet: QQ+\n")
    whole.write_text(json.dumps({"ranges": [{"name": "blind", "text": "A2s+"}]}))
    nameless.write_text("AA:0.5,KK,\r\nAKs\r\n")
    for files in ([lines], [whole, nameless]):
        _open_saved(page)
        with page.expect_file_chooser() as chooser:
            page.get_by_role("menuitem", name="Add from files").click()
        chooser.value.set_files(files)
        page.get_by_role("button", name="Save", exact=True).click()
        page.wait_for_selector("#dialog", state="hidden")
    assert _kept(page) == [
        "button: 22+",
        "BTN/three-bet: QQ+",
        "blind: A2s+",
        "UTG: AA:0.5,KK, AKs",
    ]
