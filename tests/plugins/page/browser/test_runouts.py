"""Turn and river on a flop."""

import pytest

from page_in_browser import link, open_tab, options, percent, printed

pytestmark = pytest.mark.browser
PLAYERS = ["QQ,AhKh:0.5", "JJ,87s"]
FLOP = "Td9d2c"


def test_turn_and_river(open_page, capsys):
    page = open_page(link(PLAYERS, FLOP))
    open_tab(page, "next-card")
    page.click(".by-runout summary")
    page.wait_for_selector(".by-runout .detail:has-text('Best:')")
    records = printed(capsys, "equity", *PLAYERS, *options(FLOP), "--by", "runout")["by_runout"]
    found = {each["runout"]: each["equity"][0] for each in records}
    said = page.inner_text(".by-runout .detail").replace("\xa0", " ")
    assert f" {percent(max(found.values()))} %; worst: " in said
    assert said.endswith(f" {percent(min(found.values()))} %.")
    page.focus(".runouts-frame")
    page.keyboard.press("ArrowRight")  # A♠ A♥
    for key in ("ArrowRight", "ArrowRight", "ArrowRight"):
        page.keyboard.press(key)
    said = page.inner_text(".by-runout .detail").replace("\xa0", " ")
    assert said == f"A♠ then K♠: player 1 has {percent(found['AsKs'], 2)} %"
    for key in ("ArrowDown", "ArrowDown"):
        page.keyboard.press(key)
    assert page.inner_text(".by-runout .detail").startswith("A♦ then K♠: ")
    fills = page.locator(".runouts rect[style*=color-mix]").count()
    assert fills == 2 * len(found)
    page.click("text=Put A♦ K♠ on the board")
    page.wait_for_function("() => location.hash.endsWith('b=Td9d2cAdKs')")
