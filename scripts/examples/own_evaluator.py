"""How does a custom evaluator compare with the default?
========================================================

An evaluator in numpy is written, registered, checked and used. It receives many hands at once and
counts, for each hand, the cards of each rank.

    python scripts/examples/own_evaluator.py
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

import holdem
from holdem.testing import assert_conforms

HAND = "7s 7h 7d As Ac 2c 9d"


# --- written -------------------------------------------------------------------------------


@holdem.evaluator("counts", batch=True)
def counts(hands: NDArray[np.uint8]) -> NDArray[np.int64]:
    """Rank hands of five by the number of cards of each rank, the most frequent ranks first."""
    ranks, suits = hands // 4, hands % 4
    of_rank = (ranks[:, :, None] == np.arange(13)).sum(axis=1)  # (hand, rank)
    # Ranks by number of cards, then by rank: the first five decide.
    order = np.sort(of_rank * 13 + np.arange(13), axis=1)[:, :-6:-1]
    most, second = order[:, 0] // 13, order[:, 1] // 13
    deciding = np.where(order >= 13, order % 13, 0)
    flush = (suits == suits[:, :1]).all(axis=1)
    wheel = (deciding == (12, 3, 2, 1, 0)).all(axis=1) & (most == 1)
    deciding[wheel] = (3, 2, 1, 0, 0)
    straight = (most == 1) & (wheel | (deciding[:, 0] - deciding[:, 4] == 4))
    category = np.select(
        [straight & flush, most == 4, (most == 3) & (second == 2), flush, straight, most == 3],
        [8, 7, 6, 5, 4, 3],
        default=(most == 2) * 1 + (second == 2) * 1,
    )
    strengths: NDArray[np.int64] = category * 13**5 + deciding @ 13 ** np.arange(5)[::-1]
    return strengths


def main() -> None:
    """Register, check and use the evaluator."""
    # --- registered: from here on it is known by its name ----------------------------------
    holdem.register(counts)

    # --- checked: raises an error with the smallest hand that is ranked wrongly ------------
    report = assert_conforms("counts", hands=2_000)
    print(report)
    speeds = {"counts": report.speeds, "lookup": assert_conforms("lookup", hands=2_000).speeds}

    # --- used ------------------------------------------------------------------------------
    value = holdem.evaluate(HAND, evaluator="counts")
    print(f"\n{HAND}: {value.name}, class {value.rank_class}, strength {value.strength}")
    result = holdem.equity("AsKs", "QdQh", board="Td9d2c", evaluator="counts")
    default = holdem.equity("AsKs", "QdQh", board="Td9d2c")
    for name, found in (("counts", result), ("lookup", default)):
        player = found.players[0]
        print(f"AsKs against QdQh on Td9d2c by {name}: {player.wins} wins, {player.losses} losses")

    import matplotlib.pyplot as plt  # for the chart: pip install matplotlib

    plt.style.use("holdem.report.plots.holdem")
    ax = plt.figure().add_subplot()
    for name, speed in speeds.items():
        ax.plot([f"{size} cards" for size in speed], list(speed.values()), "o-", label=name)
    ax.set(yscale="log", ylabel="hands/s, one core")
    slower = speeds["lookup"][7] / speeds["counts"][7]
    ax.set_title(f"In numpy, {slower:,.0f} times slower than the default, and right")
    ax.legend()
    plt.show()


if __name__ == "__main__":
    main()
