"""Properties that hold for random cards and ranges, with few examples or, in slow tests, many."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from holdem import Range
from holdem.cards import DECK, cards_text


def holds_for(few, many, **strategies):
    """Turn a function of random values into a test with few examples, always the same ones.

    As a slow test it has many other ones.
    """

    def decorate(body):
        @pytest.mark.parametrize("examples", [few, pytest.param(many, marks=pytest.mark.slow)])
        def test(examples):
            settings(
                max_examples=examples,
                derandomize=examples == few,
                deadline=None,
                database=None,
                suppress_health_check=list(HealthCheck),
            )(given(**strategies)(body))()

        test.__name__, test.__doc__ = body.__name__, body.__doc__
        return test

    return decorate


@st.composite
def decks(draw, size):
    """Draw different cards, in random order, as a list of ids."""
    return draw(st.lists(st.integers(0, 51), unique=True, min_size=size, max_size=size))


@st.composite
def spots(draw, *, board=(3, 4, 5), players=(2, 3), weighted=True, dead=2):
    """Draw the arguments of `holdem.equity`: ranges of a few combos that overlap, and cards.

    Returns:
        The ranges, each with a combo that no other card of the spot blocks; and a dictionary of
        the board and the dead cards, as lists of ids.
    """
    count, size = draw(st.sampled_from(players)), draw(st.sampled_from(board))
    gone = draw(st.integers(0, dead))
    cards = draw(decks(2 * count + 4 + size + gone))
    pool, rest = cards[: 2 * count + 4], cards[2 * count + 4 :]
    ranges = []
    for player in range(count):
        weights = {cards_text(pool[2 * player : 2 * player + 2]): 1.0}
        pairs = st.lists(st.sampled_from(pool), unique=True, min_size=2, max_size=2)
        for pair in draw(st.lists(pairs, max_size=5)):
            weight = draw(st.sampled_from((1.0, 0.5, 0.25, 0.1))) if weighted else 1.0
            weights[cards_text(sorted(pair, reverse=True))] = weight
        ranges.append(Range.from_combos(weights))
    return ranges, {"board": rest[:size], "dead": rest[size:]}


def permuted_range(held, suits):
    """Return a range with its suits permuted: suit s becomes ``suits[s]``."""
    weights = {
        tuple(permuted_cards(combo, suits)): held.weight(combo) for combo in map(tuple, held)
    }
    return Range.from_combos(weights)


def permuted_cards(cards, suits):
    """Return cards with their suits permuted."""
    return [DECK[4 * DECK[card].rank + suits[DECK[card].suit]] for card in cards]
