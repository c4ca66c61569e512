"""How often does the best starting hand win, against how many players?
=======================================================================

Everyone stays in to the showdown, so only the cards matter. The best starting hand is the one with
the highest equity against one random hand. It beats one opponent more often than not, loses more
often than it wins from three players on, and always wins more than its fair share.

    python scripts/examples/best_starting_hand.py [HANDS]
"""

from __future__ import annotations

import sys

import matplotlib.pyplot as plt

import holdem


def main(hands: int = 200_000) -> None:
    """Print a line for each number of players, and draw the shares."""
    print(f"{hands:,} hands each, seed 7\n")
    print("players     win     tie    lose   fair share")
    shares = []
    for players in range(2, 11):
        best = holdem.aggregate(players, hands, seed=7).best_starting_hand
        print(
            f"{players:7}  {best.win:6.1%}  {best.tie:6.1%}  {best.lose:6.1%}  {1 / players:11.1%}"
        )
        shares.append((best.win, best.tie, best.lose, 1 / players))
    ax = plt.figure(figsize=(6, 3.6), layout="constrained").add_subplot()
    for share, name in zip(zip(*shares, strict=True), ("win", "tie", "lose"), strict=False):
        ax.plot(range(2, 11), [100 * each for each in share], "o-", label=name)
    ax.plot(range(2, 11), [100 * each[3] for each in shares], "k:", label="fair share")
    ax.set(xlabel="players", ylabel="showdowns of the best starting hand, %", ylim=(0, None))
    ax.legend()
    plt.show()


if __name__ == "__main__":
    main(*map(int, sys.argv[1:2]))
