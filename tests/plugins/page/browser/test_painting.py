"""Painting a range with mouse, finger and keys changes exactly the cells that it should."""

import pytest

from page_editor import Finger, cell, drag, expect_range, middle, open_ranges, wait_for_cells

pytestmark = pytest.mark.browser

ROW = "ATs,A9s,A8s,A7s,A6s,A5s,A4s"


def test_a_stroke_sets_the_cells_it_crosses(open_page):
    page = open_ranges(open_page, "QQ", "random")
    drag(page, "ATs", "A4s")
    expect_range(page, f"QQ,{ROW}")
    drag(page, "JJ", "77")  # along the diagonal, through corners: no neighbours
    expect_range(page, f"77-QQ,{ROW}")


def test_a_fast_stroke_leaves_no_gaps(open_page):
    page = open_ranges(open_page, "QQ", "random")
    drag(page, "ATs", "A4s", steps=1)
    expect_range(page, f"QQ,{ROW}")


def test_the_first_cell_decides_whether_a_stroke_clears(open_page):
    page = open_ranges(open_page, "AA,AQs,AJs", "random")
    drag(page, "AA", "ATs")  # AKs is empty and stays empty
    page.wait_for_function("() => location.hash.startsWith('#p=&')")
    drag(page, "AA", "ATs")
    expect_range(page, "AA,ATs+")
    drag(page, "AJs", "A7s")
    expect_range(page, "AA,AQs+")


def test_a_stroke_may_turn_and_leave_the_grid(open_page):
    page = open_ranges(open_page, "QQ", "random")
    x, y = middle(page, "32o")
    page.mouse.move(*middle(page, "33"))
    page.mouse.down()
    page.mouse.move(*middle(page, "32s"), steps=3)
    page.mouse.move(*middle(page, "22"), steps=3)
    page.mouse.move(x, y + 300, steps=3)
    page.mouse.move(x, y, steps=3)
    page.mouse.up()
    expect_range(page, "QQ,33,22,32s,32o")


def test_a_click_sets_and_a_second_one_clears(open_page):
    page = open_ranges(open_page, "AKs:0.5", "random")
    cell(page, "AKs").click()
    expect_range(page, "AKs")
    cell(page, "AKo").click()
    expect_range(page, "AK")
    cell(page, "AKs").click()
    expect_range(page, "AKo")


def test_the_brush_paints_its_weight(open_page):
    page = open_ranges(open_page, "QQ", "random")
    brush = page.get_by_label("Weight")
    brush.fill("40")
    drag(page, "AKs", "AJs")
    expect_range(page, "QQ,AJs+:0.4")
    assert cell(page, "AQs").get_attribute("aria-label") == "AQs, 4 combos, 40 %"
    assert cell(page, "AQs").locator(".weight").inner_text() == "40"
    cell(page, "AKs").click()
    expect_range(page, "QQ,AQs:0.4,AJs:0.4")


def test_the_fill_of_a_cell_is_its_weight(open_page):
    page = open_ranges(open_page, "AKs:0.25,QQ,AhKd", "random")
    for name, share in (("AKs", 0.25), ("QQ", 1), ("AKo", 1 / 12), ("72o", 0)):
        filled = """(cell) =>
          1 - parseFloat(getComputedStyle(cell, "::before").clipPath.slice(6)) / 100"""
        assert cell(page, name).evaluate(filled) == pytest.approx(share, abs=0.02)


def test_a_finger_scrolls_unless_paint_is_on(open_page):
    page = open_ranges(
        open_page, "QQ", "random", has_touch=True, viewport={"width": 390, "height": 500}
    )
    finger = Finger(page)

    def swipe(*names):
        finger.down(names[0])
        for name in names[1:]:
            finger.move(name)
        finger.up()

    swipe("77", "A7s")
    # A finger put down while the page still scrolls would only stop it.
    rests = "() => [window.before, window.before = scrollY].every((y) => y > 20 && y === scrollY)"
    page.wait_for_function(rests, polling=200)
    page.evaluate("scrollTo(0, 0)")
    swipe("AA")  # a tap
    expect_range(page, "AA,QQ")
    switch = page.get_by_role("checkbox", name="Paint")
    switch.tap()
    page.evaluate("scrollTo(0, 0)")
    swipe("KK", "JJ", "JTs")
    expect_range(page, "JJ+,JTs")
    swipe("JJ", "AJs")  # clears, then leaves upwards
    expect_range(page, "QQ+,JTs")
    assert page.evaluate("scrollY") == 0
    page.reload()
    wait_for_cells(page, "QQ+,JTs")
    assert switch.is_checked()


def test_a_long_press_opens_the_suits_and_paints_nothing(open_page):
    page = open_ranges(open_page, "QQ", "random", has_touch=True)
    finger = Finger(page)
    finger.down("AKs")
    suits = page.get_by_role("dialog", name="Suits of AKs")
    suits.wait_for()
    finger.up()
    assert suits.is_visible()
    expect_range(page, "QQ")


def test_suits_of_a_cell(open_page):
    page = open_ranges(open_page, "AKs:0.5", "random", board="Kd7s2c")
    cell(page, "AKs").click(button="right")
    suits = page.get_by_role("dialog", name="Suits of AKs")
    spades = suits.get_by_role("button", name="ace of spades and king of spades")
    assert ", 50 %" in spades.get_attribute("aria-label")
    diamonds = suits.get_by_role("button", name="ace of diamonds and king of diamonds")
    assert diamonds.get_attribute("aria-label").endswith("blocked")
    spades.click()
    expect_range(page, "AsKs,AhKh:0.5,AdKd:0.5,AcKc:0.5")
    spades.press("3")
    expect_range(page, "AsKs:0.3,AhKh:0.5,AdKd:0.5,AcKc:0.5")
    suits.get_by_role("button", name="None").click()
    page.wait_for_function("() => location.hash.startsWith('#p=&')")
    page.keyboard.press("Escape")
    assert suits.is_hidden()


@pytest.mark.parametrize(("name", "combos"), [("AKs", 4), ("TT", 6), ("72o", 12)])
def test_every_class_has_its_suits(open_page, name, combos):
    page = open_ranges(open_page, "QQ", "random")
    cell(page, name).focus()
    page.keyboard.press("s")
    suits = page.get_by_role("dialog", name=f"Suits of {name}")
    assert suits.locator("[data-combo]").count() == combos
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Space")
    second = suits.locator("[data-combo]").nth(1).get_attribute("data-combo")
    expect_range(page, f"QQ,{second}")
    page.keyboard.press("Escape")
    assert page.evaluate("document.activeElement.querySelector('.name').textContent") == name


def test_keys_move_paint_and_extend(open_page):
    page = open_ranges(open_page, "TT", "random")
    cell(page, "AA").focus()
    for key in ("ArrowRight", "Space", "ArrowDown", "ArrowRight", "7"):
        page.keyboard.press(key)
    expect_range(page, "TT,AKs,KQs:0.7")
    page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("Shift+ArrowDown")
    page.keyboard.press("0")
    expect_range(page, "TT,AKs,KJs+,QQ,QJs")
    page.keyboard.press("Delete")
    expect_range(page, "TT,AKs")
    page.keyboard.press("Home")
    page.keyboard.press("Space")
    expect_range(page, "TT,AKs,AQo")


def test_keys_act_on_the_last_cell_of_a_stroke_which_is_marked(open_page):
    page = open_ranges(open_page, "QQ", "random")
    drag(page, "AKo", "AJo")
    outline = "(cell) => getComputedStyle(cell).outlineStyle"
    assert cell(page, "AJo").evaluate(outline) == "none"
    page.keyboard.press("Delete")
    expect_range(page, "QQ,AQo+")
    assert cell(page, "AJo").evaluate(outline) == "solid"


def test_a_key_sets_the_brush_and_only_a_cell_that_keys_reached(open_page):
    page = open_ranges(open_page, "QQ", "random")
    cell(page, "KK").click()
    page.keyboard.press("4")
    cell(page, "AKs").click()
    expect_range(page, "KK,QQ,AKs:0.4")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("7")
    expect_range(page, "KK,QQ,AKs:0.4,AQs:0.7")


def test_a_stroke_is_one_step_of_undo(open_page):
    page = open_ranges(open_page, "QQ", "random")
    assert page.locator("#undo").is_disabled()
    drag(page, "ATs", "A4s")
    expect_range(page, f"QQ,{ROW}")
    cell(page, "KK").click()
    expect_range(page, f"KK,QQ,{ROW}")
    page.click("#undo")
    expect_range(page, f"QQ,{ROW}")
    for _ in range(6):  # held down: nothing is left to undo, and the page stays
        page.keyboard.press("Control+z")
    expect_range(page, "QQ")
    assert page.locator("#undo").is_disabled()
    page.keyboard.press("Control+Shift+Z")
    expect_range(page, f"QQ,{ROW}")
    page.click("#redo")
    expect_range(page, f"KK,QQ,{ROW}")
    assert page.locator("#redo").is_disabled()


def test_an_edited_address_can_be_undone(open_page):
    page = open_ranges(open_page, "QQ", "random")
    cell(page, "KK").click()
    expect_range(page, "KK,QQ")
    page.click("#undo")
    expect_range(page, "QQ")
    page.evaluate("() => { location.hash = '#p=AA&p=random'; }")
    wait_for_cells(page, "AA")
    assert page.locator("#redo").is_disabled()
    page.click("#undo")
    expect_range(page, "QQ")
    assert page.locator("#undo").is_disabled()
    page.click("#redo")
    expect_range(page, "AA")


def test_a_range_that_cannot_be_read_is_not_painted_over_with_another(open_page):
    page = open_page("#p=AA&p=KK%2Bx")
    wait_for_cells(page, "AA")
    page.keyboard.press("p")
    wait_for_cells(page, "")
    cell(page, "22").click()
    page.wait_for_function("() => location.hash === '#p=AA&p=22'")


def test_a_text_that_is_being_read_is_painted_on(open_page):
    page = open_ranges(open_page, "QQ,JTs", "random")
    waiting = []
    page.route("**/api/range", lambda route: waiting.append(route))
    page.get_by_label("Range as text").fill("22+")
    cell(page, "JTs").click()  # clears what is still shown, and what the text does not have
    cell(page, "AKs").click()
    page.route("**/api/range", lambda route: route.continue_())
    for route in waiting:
        route.continue_()
    expect_range(page, "22+,AKs")
