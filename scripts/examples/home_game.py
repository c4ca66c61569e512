"""Who wins a home game?
========================

The hands of an evening are dealt to a file. Each hand costs every seat one chip; the pot goes to
the best hand at the showdown and is split equally between equal hands. The file has a line of JSON
for each hand, so that any of them can be looked up or replayed.

    python scripts/examples/home_game.py [HANDS [FILE]]
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from fractions import Fraction
from tempfile import gettempdir

import holdem

SEATS = ("North", "East", "South", "West")
SEED = 2024


def main(hands: int, file: str) -> None:
    """Deal the game, write it to `file`, and print and draw the balance of each seat."""
    chips = dict.fromkeys(SEATS, Fraction(0))
    course = []
    best_hands: Counter[str] = Counter()
    split = 0
    with open(file, "w", encoding="utf-8") as lines:
        for hand in holdem.simulate(players=len(SEATS), hands=hands, seed=SEED):
            lines.write(json.dumps(hand.to_dict()) + "\n")
            for name, share in zip(SEATS, hand.shares, strict=True):
                chips[name] += share * len(SEATS) - 1
            course.append([float(balance) for balance in chips.values()])
            best_hands[hand.seats[hand.winners[0]].value.category] += 1
            split += len(hand.winners) > 1
    print(f"{hands} hands with seed {SEED}, written to {file}; {split} pots were split\n")
    for name, balance in chips.items():
        print(f"{name:6} {float(balance):+9.2f} chips")
    print("\nWinning hands:")
    for category, count in best_hands.most_common():
        print(f"{category:16} {count:5}")
    import matplotlib.pyplot as plt  # for the chart: pip install matplotlib

    plt.style.use("holdem.report.plots.holdem")
    ax = plt.figure().add_subplot()
    ax.plot(range(1, hands + 1), course, label=SEATS)
    ax.set(xlabel="hand", ylabel="balance, chips")
    winner = max(chips, key=chips.__getitem__)
    ax.set_title(f"{winner} wins the evening: {float(chips[winner]):+.0f} chips")
    ax.legend(ncols=4, loc="upper center", bbox_to_anchor=(0.5, -0.2), columnspacing=1)
    plt.show()


if __name__ == "__main__":
    hands_wanted = int(sys.argv[1]) if len(sys.argv) > 1 else 500
    main(hands_wanted, sys.argv[2] if len(sys.argv) > 2 else f"{gettempdir()}/home_game.jsonl")
