"""Ranges that are saved: combined with the present one, written to a file and read from one."""

import json
from pathlib import Path

import pytest

import holdem
from page_editor import expect_range, open_ranges
from page_in_browser import ready

pytestmark = pytest.mark.browser
OWN = "TT+,AKs:0.5,JTs"


def _choose(page, how, name):
    page.get_by_role("button", name="Presets", exact=True).click()
    page.get_by_role("menuitemradio", name=how).click()
    page.get_by_role("menuitem").filter(has_text=name).first.click()


def test_a_preset_is_added_subtracted_and_intersected(open_page):
    page = open_ranges(open_page, OWN, "top 20%")
    ready(page, "hits")
    own, big, broadway = (
        holdem.Range(text) for text in (OWN, "TT+", "TT+,ATs+,KTs+,QTs+,JTs,ATo+,KTo+,QTo+,JTo")
    )
    _choose(page, "Intersect", "Broadway")
    expect_range(page, str(own & broadway))
    _choose(page, "Subtract", "Big pairs")
    expect_range(page, str((own & broadway) - big))
    _choose(page, "Add", "Broadway")
    expect_range(page, str(((own & broadway) - big) | broadway))
    page.keyboard.press("Control+z")
    expect_range(page, str((own & broadway) - big))


def test_saved_ranges_go_to_a_file_and_come_back(open_page, tmp_path):
    page = open_ranges(open_page, OWN, "top 20%")
    page.get_by_role("button", name="Saved").click()
    page.get_by_role("menuitem", name="Save this range").click()
    page.get_by_label("Name").fill("three-bet")
    page.get_by_role("button", name="Save", exact=True).click()
    page.get_by_role("button", name="Saved").click()
    with page.expect_download() as download:
        page.get_by_role("menuitem", name="Save as a file").click()
    saved = json.loads(Path(download.value.path()).read_text())
    assert saved == {"ranges": [{"name": "three-bet", "text": OWN}]}
    lines, whole = tmp_path / "lines.txt", tmp_path / "ranges.json"
    lines.write_text("button: 22+\nthree-bet: QQ+\n")
    whole.write_text(json.dumps({"ranges": [{"name": "blind", "text": "A2s+"}]}))
    for file in (lines, whole):
        page.get_by_role("button", name="Saved").click()
        with page.expect_file_chooser() as chooser:
            page.get_by_role("menuitem", name="Add from a file").click()
        chooser.value.set_files(file)
        page.get_by_role("button", name="Save", exact=True).click()
        page.wait_for_selector("#dialog", state="hidden")
    kept = page.evaluate("localStorage.getItem('holdem.ranges')")
    assert kept.splitlines() == ["button: 22+", "three-bet: QQ+", "blind: A2s+"]
