"""The numbers on the page are those of the command line, for 28 questions."""

import random

import pytest

import holdem
from page_in_browser import ask, options, percent, printed, without_duration

pytestmark = pytest.mark.browser

RANGES = [
    *("22+,A2s+,KTs+,QJs,ATo+,KQo", "top 20%", "random", "QQ+,AKs", "77-99,AJs:0.5,KQo:0.25"),
    *("5%-15%", "T9s,98s,87s", "AA:0.1,KK,AK", "XXs:0.5", "22,AsKs,7h2c"),
]


def _questions(count, seed):
    """Yield questions of all streets with two to four players."""
    chance = random.Random(seed)
    deck = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]
    for number in range(count):
        cards = chance.sample(deck, 6)
        street = (0, 3, 4, 5)[number % 4]
        board, dead = "".join(cards[:street]), "".join(cards[5 : 5 + (street > 0 and number % 3)])
        # Three ranges before the flop take seconds; four are sampled.
        several = (2, 4)[number % 8 == 4] if not street else 2 + number % 5 // 3 + number % 7 // 6
        yield chance.sample(RANGES, several), board, dead


def test_numbers_are_those_of_the_command_line(open_page, capsys):
    page = open_page()
    sampled = 0
    for players, board, dead in _questions(28, seed=16):
        shown = ask(page, players, board, dead)
        seeded = []
        if not shown["equity"]["exact"]:
            sampled += 1
            seeded = ["--seed", str(shown["equity"]["seed"])]
        expected = printed(capsys, "equity", *players, *options(board, dead), *seeded)
        assert without_duration(shown["equity"]) == expected
        assert len(shown["equities"]) == len(players)
        for player, equity, detail in zip(
            expected["players"], shown["equities"], shown["details"], strict=True
        ):
            assert equity.startswith(percent(player["equity"], 2))
            half = (player["ci95"][1] - player["ci95"][0]) / 2
            assert ("±" in equity) == bool(seeded)
            assert not seeded or f"±{percent(half, 2)}" in equity
            assert f"win {percent(player['win'])} · tie {percent(player['tie'])}" in detail
    assert 3 <= sampled <= 25


def test_a_mistake_is_shown_where_it_was_made(open_page):
    page = open_page()
    error = ask(page, ["22+,A2x", "random"])["error"]
    with pytest.raises(holdem.RangeError) as raised:
        holdem.equity("22+,A2x", "random")
    assert error == str(raised.value)
    page.wait_for_selector("#players .wrong mark")
    assert page.inner_text("#players mark") == "A2x"
