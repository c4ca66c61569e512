"""Known hands: counts by the ranks of the board equal those over every board."""

import numpy as np
import pytest

from holdem.cards import card_set, parse_cards
from holdem.evaluation.builtin.lookup_tables import tables_of
from holdem.odds.exact.boards_by_ranks import allocate_dealt, count_equivalent_suits, deal_matchup
from holdem.odds.exact.known_hands import count_known_hands
from holdem.ranges.combos import COMBO_CARDS, COMBO_SETS
from holdem.rules import STANDARD
from naive import count_every_board

SEVEN = tables_of(STANDARD).seven


def _holes(*texts):
    return np.array([[parse_cards(text) for text in texts]], dtype=np.uint8)


def _match_ups(count, players, seed):
    """Generate match-ups with 0 to 12 dead cards.

    A third comes from two suits and a third from the lowest ranks, so that flushes, straights
    and shared ranks are common.
    """
    rng = np.random.default_rng(seed)
    decks = [np.arange(52), np.flatnonzero(np.arange(52) & 3 < 2), np.arange(26)]
    for number in range(count):
        cards = rng.permutation(decks[number % 3])
        dead = int(rng.integers(0, min(13, len(cards) - 2 * players + 1)))
        used = cards[: 2 * players].astype(np.uint8).reshape(1, players, 2)
        yield used, card_set(cards[2 * players : 2 * players + dead].tolist())


@pytest.mark.parametrize(("players", "count"), [(2, 9), (3, 6), (5, 3)])
def test_counts_of_every_board(players, count):
    """Every set of winners is counted as often as over all boards without the dead cards."""
    for holes, gone in _match_ups(count, players, seed=players):
        np.testing.assert_array_equal(
            count_every_board(holes, gone), count_known_hands(SEVEN, holes, gone)
        )


def test_ten_players_and_few_cards():
    """The counts of ten hands are right with only twelve cards left for the board."""
    deck = np.random.default_rng(5).permutation(52).astype(np.uint8)
    holes, gone = deck[:20].reshape(1, 10, 2), card_set(deck[20:40].tolist())
    counts = count_known_hands(SEVEN, holes, gone)
    assert counts.sum() == 792
    np.testing.assert_array_equal(count_every_board(holes, gone), counts)


@pytest.mark.parametrize("players", [2, 3])
def test_lists(players):
    """Each match-up of a list has the counts that it has alone."""
    rng = np.random.default_rng(players)
    few = rng.choice(np.arange(24, 52), 12, replace=False)
    combos = np.flatnonzero(np.isin(COMBO_CARDS, few).all(axis=1))
    chosen = rng.choice(combos, (600, players))
    sets = COMBO_SETS[chosen]
    apart = np.bitwise_count(np.bitwise_or.reduce(sets, axis=1)) == 2 * players
    holes = COMBO_CARDS[chosen[apart]]
    gone = card_set([0, 5, 10])
    alone = np.concatenate([count_known_hands(SEVEN, match_up[None], gone) for match_up in holes])
    assert len(holes) > 100
    np.testing.assert_array_equal(alone, count_known_hands(SEVEN, holes, gone))


@pytest.mark.parametrize(
    ("texts", "gone", "counts"),
    [
        (("AsKs", "AdKd"), "", [2, 1, 0, 1]),
        (("AsKs", "AdKd"), "7s", [2, 1, 0, 1]),
        (("AsKs", "AdKd"), "7c", [1, 1, 1, 1]),
        (("AsAh", "KsKh"), "", [2, 0, 2, 0]),
    ],
)
def test_equivalent_suits(texts, gone, counts):
    """In equivalent suits every player and the deck have the same ranks; the first has a count.

    They are compared in Python, where an index out of bounds is an error.
    """
    dealt = allocate_dealt.py_func(2, SEVEN)
    deal_matchup(_holes(*texts), 0, np.uint64(card_set(parse_cards(gone))), dealt)
    assert [count_equivalent_suits.py_func(suit, dealt) for suit in range(4)] == counts
