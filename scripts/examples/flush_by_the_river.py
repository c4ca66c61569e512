"""How often do two suited cards make a flush by the river?
===========================================================

Seven cards with a flush contain no full house, so five cards of a suit always make a flush or a
straight flush. Of the 50 other cards, 11 are of the suit of the hole cards. Their number on the
board has a hypergeometric distribution, and three are enough. The board may also bring five
cards of one of the other three suits.

    python scripts/examples/flush_by_the_river.py [DEALS]
"""

from __future__ import annotations

import sys
from itertools import accumulate
from math import comb, sqrt

import holdem

HOLE = holdem.parse_cards("Ah 9h")
SEED = 7


def exact() -> float:
    """Return the probability, from counting boards."""
    own_suit = sum(comb(11, hearts) * comb(39, 5 - hearts) for hearts in (3, 4, 5))
    another_suit = 3 * comb(13, 5)
    return (own_suit + another_suit) / comb(50, 5)


def dealt(deals: int) -> list[bool]:
    """Deal boards from a shuffled deck and return which of them make a flush."""
    deck = holdem.Deck(SEED)
    deck.remove(HOLE)
    flushes = []
    for _ in range(deals):
        deck.shuffle()
        board = deck.deal(5)
        flushes.append(holdem.evaluate(HOLE + board).category in ("flush", "straight flush"))
        deck.collect()
    return flushes


def main(deals: int = 50_000) -> None:
    """Print both figures and how far apart they are, and draw how they approach."""
    flushes = dealt(deals)
    expected, found = exact(), sum(flushes) / deals
    error = sqrt(expected * (1 - expected) / deals)
    print(f"exact     {expected:.4%}")
    print(f"dealt     {found:.4%}   {deals:,} boards, seed {SEED}")
    print(f"apart by  {abs(found - expected) / error:.2f} standard errors of {error:.4%}")
    counts = range(1, deals + 1)
    shares = [100 * total / count for total, count in zip(accumulate(flushes), counts, strict=True)]
    import matplotlib.pyplot as plt  # for the chart: pip install matplotlib

    plt.style.use("holdem.report.plots.holdem")
    ax = plt.figure().add_subplot()
    ax.semilogx(counts, shares, label="dealt")
    ax.axhline(100 * expected, color="black", linewidth=0.8, label="exact")
    ax.set(xlabel="boards", ylabel="flushes, %", ylim=(0, 200 * expected))
    ax.set_title(f"Two suited cards make a flush in {expected:.1%} of all boards")
    ax.legend()
    plt.show()


if __name__ == "__main__":
    main(*map(int, sys.argv[1:2]))
