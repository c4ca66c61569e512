"""How often does the best starting hand win, against how many players?

Everyone stays in to the showdown, so this is what the cards alone are worth: the best hand
before the flop is a favourite against each other one, and soon an underdog against them all.

    python scripts/examples/best_starting_hand.py [HANDS]
"""

from __future__ import annotations

import sys

import holdem


def main(hands: int = 200_000) -> None:
    """Print a line for each number of players."""
    print(f"{hands:,} hands each, seed 7\n")
    print("players     win     tie    lose   fair share")
    for players in range(2, 11):
        best = holdem.aggregate(players, hands, seed=7).best_starting_hand
        print(
            f"{players:7}  {best.win:6.1%}  {best.tie:6.1%}  {best.lose:6.1%}  {1 / players:11.1%}"
        )


if __name__ == "__main__":
    main(*map(int, sys.argv[1:2]))
