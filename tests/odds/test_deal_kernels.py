"""Deals and holes from lists, computed here from their random words."""

import numpy as np
import pytest

from holdem.dealing.seeds import BLOCK_STEP, GOLDEN, random_word
from holdem.jit.kernels import kernel
from holdem.odds.sampling.deal_kernels import GROUP, draw_holes, draw_scarce_holes, write_deals
from holdem.odds.sampling.deal_tables import Blocks
from holdem.odds.sampling.sampler import Sampler
from holdem.odds.spot import make_spot


@kernel
def _word(counter):
    return random_word(counter)


_OF_DECK = 1 << 31  # the first word of the half of a block for the deck


def _words(first, count=GROUP):
    """Return words of block 7 of a stream that starts at 0."""
    base = int(BLOCK_STEP) * 7
    counters = [(base + (first + i) * int(GOLDEN)) % 2**64 for i in range(count)]
    return [int(_word(np.uint64(counter))) for counter in counters]


def _block(players, deals):
    """Return block 7, with space for the holes of players with lists."""
    holes = np.empty((1, players, deals), dtype=np.uint16)
    return Blocks(np.uint64(0), np.uint64(7), np.array([deals]), holes)


def _draw_by_hand(words, sizes, least):
    """Return the numbers that a deal's words give, and whether any of the draws is biased."""
    numbers, biased = [], False
    halves = [half for word in words for half in (word & 0xFFFFFFFF, word >> 32)]
    for three, fraction in enumerate(halves):
        for size in sizes[3 * three : 3 * three + 3]:
            number, fraction = divmod(fraction * int(size), 2**32)
            numbers.append(number)
        biased |= fraction < least[three]
    return numbers, biased


def _deal_by_hand(numbers, cards):
    """Return the cards of a deal: each number counts the cards that are left, in their order."""
    left = cards.tolist()
    return [left.pop(number) for number in numbers]


@pytest.mark.parametrize("limit", [0, 1 << 21])
def test_as_by_hand(limit):
    """A group's cards are those of its words, or of the next words if any draw is biased.

    With a higher limit for biased draws most groups are drawn again, otherwise hardly any.
    """
    sampler = Sampler(make_spot(("random",) * 3), 1)
    least = np.maximum(sampler._tables.least, np.uint64(limit))
    tables = sampler._tables._replace(least=least)
    deals = np.empty((2 * GROUP, 11), dtype=np.uint8)
    write_deals(tables, _block(0, len(deals)), deals)
    done = again = 0
    for group in range(2):
        biased = True
        while biased:
            words = [_words(_OF_DECK + done), _words(_OF_DECK + done + GROUP)]
            done, biased, expected = done + 2 * GROUP, False, []
            for of_deal in zip(*words, strict=True):
                numbers, is_biased = _draw_by_hand(of_deal, tables.sizes, least)
                biased |= is_biased
                expected.append(_deal_by_hand(numbers[:11], tables.cards[:52]))
            again += biased
        assert deals[group * GROUP : (group + 1) * GROUP].tolist() == expected
    assert (again > 0) == (limit > 0)


def _row(tables, number, word, alias_word):
    """Return the row of a weighted list that two words give, and whether the draw is biased."""
    row, fraction = divmod((word & 0xFFFFFFFF) * int(tables.sizes[number]), 2**32)
    is_kept = alias_word <= tables.keep[number, row]
    return row if is_kept else tables.alias[number, row], fraction < tables.least[number]


def _cards(holes):
    return [card for code in holes for card in (code & 0xFF, code >> 8)]


def _lists(limit, monkeypatch):
    """Return the tables of three weighted lists, with a higher limit for biased draws."""
    monkeypatch.setattr("holdem.odds.sampling.sampler._MAX_ROWS", 0)
    spot = make_spot(("AA:0.5,AKs,KK", "AA,KK:0.25,QQ", "AKs,AQs:0.1"))
    sampler = Sampler(spot, 1)
    least = np.maximum(sampler._lists.least, np.uint64(limit))
    return sampler, sampler._lists._replace(least=least)


@pytest.mark.parametrize("limit", [0, 1 << 21])
def test_holes_as_by_hand(limit, monkeypatch):
    """Each list has words of its own, all rows are drawn again if one is biased, and a try with a
    clash is dropped completely.
    """
    _, tables = _lists(limit, monkeypatch)
    blocks, expected, done, again = _block(3, 2 * GROUP), [], 0, 0
    draw_holes(tables, blocks)
    while len(expected) < 2 * GROUP:
        tries = [()] * GROUP
        for number in range(3):
            biased = True
            while biased:
                # Words are drawn for the tries that are left, and counted for all.
                words, alias_words = (_words(done, len(tries)), _words(done + GROUP, len(tries)))
                rows = [_row(tables, number, *two) for two in zip(words, alias_words, strict=True)]
                biased = any(is_biased for _, is_biased in rows)
                again += biased
                done += GROUP
            done += GROUP
            tries = [
                (*held, int(tables.codes[number, row]))
                for held, (row, _) in zip(tries, rows, strict=True)
            ]
            tries = [held for held in tries if len(set(_cards(held))) == 2 * (number + 1)]
        expected += tries
    assert [tuple(each) for each in blocks.holes[0].T.tolist()] == expected[: 2 * GROUP]
    assert (again > 0) == (limit > 0)


@pytest.mark.parametrize("limit", [0, 1 << 28])
def test_scarce_holes_as_by_hand(limit, monkeypatch):
    """Each draw has three words. A biased one, or one that is not accepted, is drawn again; after
    a clash all are.
    """
    monkeypatch.setattr("holdem.odds.sampling.sampler._MIN_ACCEPTANCE", 2.0)
    sampler, tables = _lists(limit, monkeypatch)
    scarce, blocks = sampler._scarce, _block(3, GROUP)
    draw_scarce_holes(tables, scarce, blocks)
    expected, held, taken, done, again = [], (), 0, 0, 0
    while len(expected) < GROUP:
        word, alias_word, third = _words(done, 3)
        done += 3
        row, is_biased = _row(tables, len(held), word, alias_word)
        bits, code = int(scarce.bits[len(held), row]), int(tables.codes[len(held), row])
        again += is_biased
        if is_biased or taken & bits or third >= scarce.acceptance[len(held), taken | bits]:
            continue
        held, taken = (*held, code), taken | bits
        if len(set(_cards(held))) < 2 * len(held):
            held, taken = (), 0
        elif len(held) == 3:
            expected.append(held)
            held, taken = (), 0
    assert [tuple(each) for each in blocks.holes[0].T.tolist()] == expected
    assert (again > 0) == (limit > 0)
