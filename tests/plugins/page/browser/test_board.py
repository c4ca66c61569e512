"""The board, the dead cards and the players."""

import pytest

from page_editor import cell, open_ranges, wait_for_cells

pytestmark = pytest.mark.browser


def _state(page):
    return page.evaluate("async () => (await import('/js/state.js')).getState()")


def _wait_for(page, name, cards):
    page.wait_for_function(
        """([name, cards]) =>
          (new URLSearchParams(location.hash.slice(1)).get(name) ?? "") === cards""",
        arg=[name, cards],
    )


@pytest.mark.parametrize("text", ["ks 7d,2c", "Ks7d2c", "K♠ 7♦ 2♣", "KS;7D;2C"])
def test_a_board_is_typed_as_people_do(open_page, text):
    page = open_ranges(open_page, "QQ", "random")
    page.keyboard.press("b")
    page.keyboard.insert_text(text)
    page.keyboard.press("Enter")
    _wait_for(page, "b", "Ks7d2c")
    assert page.locator("#board-text").input_value() == "Ks 7d 2c"
    slots = page.locator(".slot").all_inner_texts()
    assert slots == ["K♠", "7♦", "2♣", "", ""]


def test_ten_has_two_names(open_page):
    page = open_ranges(open_page, "QQ", "random")
    page.keyboard.press("b")
    page.locator("#dead-text").fill("10h, td")
    page.locator("#dead-text").blur()
    _wait_for(page, "d", "ThTd")


def test_the_picker_fills_board_and_dead_cards(open_page):
    page = open_ranges(open_page, "QQ", "AhKh")
    page.get_by_role("button", name="Choose a board").click()
    picker = page.locator("#board .picker")
    for name in ("king of spades", "two of clubs"):
        picker.get_by_role("button", name=name).click()
    assert page.locator("#board .hint").inner_text() == "One more card makes a flop."
    picker.get_by_role("button", name="king of hearts").click(force=True)  # player 2 holds it
    picker.get_by_role("button", name="seven of diamonds").click()
    _wait_for(page, "b", "Ks2c7d")
    assert not picker.is_visible()  # the flop is complete
    page.get_by_role("button", name="Change", exact=True).click()
    page.get_by_role("button", name="Dead", exact=True).click()
    assert picker.get_attribute("aria-label") == "Dead cards"
    picker.get_by_role("button", name="two of clubs").click(force=True)  # on the board
    picker.get_by_role("button", name="two of hearts").click()
    _wait_for(page, "d", "2h")
    page.get_by_role("button", name="Flop, card 2: two of clubs, change").click()
    _wait_for(page, "b", "Ks7d")
    page.get_by_role("button", name="Clear board").click()
    _wait_for(page, "b", "")


def test_a_random_flop_avoids_known_cards(open_page):
    page = open_ranges(open_page, "AsKs", "random", dead="2c3c")
    for _ in range(5):
        page.get_by_role("button", name="Random flop").click()
        board = _state(page)["board"]
        assert len(set(board)) == 3
        assert not {"As", "Ks", "2c", "3c"} & set(board)


def test_a_card_used_twice_is_marked_in_both_places(open_page):
    page = open_ranges(open_page, "AsKs", "random", board="As7d2c", dead="2c")
    page.wait_for_selector(".player:nth-child(1) mark")
    assert page.locator(".player:nth-child(1) mark").inner_text() == "As"
    marked = page.locator(".slot").evaluate_all(
        "(slots) => slots.map((slot) => slot.classList.contains('twice'))"
    )
    assert marked == [True, False, True, False, False]
    for name in ("board", "dead"):
        assert page.locator(f"#{name}-text").get_attribute("aria-invalid") == "true"
    page.keyboard.press("b")
    page.locator("#board-text").fill("Ah 7d 2h")
    page.wait_for_function("() => !document.querySelector('.twice, mark, [aria-invalid]')")


def test_what_is_not_a_card_is_named(open_page):
    page = open_ranges(open_page, "QQ", "random")
    page.keyboard.press("b")
    page.locator("#board-text").fill("ks 7d zz")
    page.wait_for_selector("#board-message >> text=zz")
    assert page.locator("#board-text").get_attribute("aria-invalid") == "true"


def test_what_is_not_a_card_takes_no_combos(open_page):
    page = open_ranges(open_page, "QQ", "random")
    page.keyboard.press("b")
    page.locator("#board-text").fill("Td 9d 2c p")
    page.wait_for_selector(".count:has-text('6 of 1,176 combos left')")
    page.keyboard.press("Escape")
    assert page.locator("#board-text:focus").count() == 0


def test_players_are_added_and_removed(open_page):
    page = open_ranges(open_page, "QQ", "AKs")
    assert page.locator(".remove:visible").count() == 0
    for _ in range(8):
        page.get_by_role("button", name="+ Player").click()
    assert page.get_by_role("button", name="+ Player").is_disabled()
    assert _state(page)["players"] == ["QQ", "AKs", *["random"] * 8]
    page.get_by_role("button", name="Remove player 1", exact=True).click()
    assert _state(page)["players"] == ["AKs", *["random"] * 8]
    page.get_by_role("button", name="Edit player 1", exact=True).click()
    wait_for_cells(page, "AKs")
    assert page.locator("#range-title").inner_text() == "Range of player 1"


def test_clicks_paint_the_range_of_the_active_player(open_page):
    page = open_ranges(open_page, "QQ", "AKs")
    page.keyboard.press("p")
    wait_for_cells(page, "AKs")
    cell(page, "AA").click()
    page.wait_for_function("() => location.hash === '#p=QQ&p=AA,AKs'")
    page.keyboard.press("p")
    wait_for_cells(page, "QQ")


@pytest.mark.parametrize(
    ("address", "field", "said"),
    [
        ("&b=ZZZZ&d=99", "board", "'ZZZZ' is not a card"),
        ("&d=99", "dead", "'99' is not a card"),
        ("&b=zz", "board", "'zz' is not a card"),
        ("&b=Ks7dxx2c", "board", "'xx' is not a card"),
    ],
)
def test_what_is_not_a_card_in_a_link_is_named(open_page, address, field, said):
    page = open_page("#p=QQ&p=random" + address)
    page.wait_for_selector(f"#board-message >> text={said}")
    assert page.locator(f"#{field}-text").get_attribute("aria-invalid") == "true"


def test_a_board_of_one_wrong_card_is_named_while_it_is_typed(open_page):
    page = open_ranges(open_page, "QQ", "random")
    page.keyboard.press("b")
    page.keyboard.type("zz")
    page.wait_for_selector("#board-message >> text='zz' is not a card")
