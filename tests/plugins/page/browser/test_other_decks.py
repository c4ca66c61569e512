"""The page with the deck of another rule set."""

import pytest

import holdem
from page_client import Client, serving
from page_editor import expect_text, wait_for_cells
from page_in_browser import ask, link

pytestmark = pytest.mark.browser


def test_the_page_has_the_deck_of_its_evaluator(open_page):
    """Grid, picker and answers are those of short deck, which the heading names."""
    with serving(holdem.get_evaluator("short-deck")) as server:
        page = open_page(link(["AA", "KK"], "As7d9c"), url=server.url)
        wait_for_cells(page, "AA")
        assert "holdem · short-deck" == page.locator("h1").inner_text()
        assert 81 == page.locator("#editor .cell").count()
        assert "66" == page.locator("#editor .cell .name").last.inner_text()
        boxes = [page.locator("#editor .cell").nth(place).bounding_box() for place in (0, 8, 9)]
        assert boxes[0]["y"] == boxes[1]["y"] < boxes[2]["y"]  # nine in a row
        page.get_by_text("3 of 528 combos left").wait_for()  # C(33, 2)
        found = ask(page, ["AA", "random"], "As7d9c")
        expected = holdem.equity("AA", "random", board="As7d9c", evaluator="short-deck")
        own = found["equity"]["players"][0]
        assert (own["wins"], own["ties"]) == (expected.players[0].wins, expected.players[0].ties)
        assert "2s is not in the deck" in ask(page, ["AA", "KK"], "2s7d9c")["error"]
        page.evaluate("() => localStorage.setItem('holdem.against', '3')")
        page.reload()
        assert page.get_by_label("Ranked against").count() == 0  # the order is not known
        page.get_by_label("Top hands").fill("15")
        expect_text(page, "top 15%")
        client = Client(server)
        answer = client.ask("range", {"text": "top 10%", "board": "As7d9c", "keep": ["straight"]})
        assert 630 == round(answer.json["count"] / answer.json["share"])
        client.close()
