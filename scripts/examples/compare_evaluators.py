"""How do the evaluators compare?
=================================

One deal is ranked by each of them, the same trials are cross-checked, and their speeds measured.

    python scripts/examples/compare_evaluators.py [DEALS]
"""

from __future__ import annotations

import sys
import time

import numpy as np

import holdem

#: The default evaluator and those of the articles (docs/evaluators/methods.md).
EVALUATORS = ("lookup", "bitwise", "suit-mask", "cactus-kev", "dead-horse")
PLAYERS = ("AsKs", "QdQh", "9c8c")
SEED = 7
SPEED_HANDS = 100_000


def one_deal() -> None:
    """Print the strengths that each evaluator gives to the hands of one deal."""
    (hand,) = holdem.simulate(players=3, hands=1, seed=SEED)
    board = " ".join(map(str, hand.board))
    hands = [(*seat.hole, *hand.board) for seat in hand.seats]
    print(f"one deal, board {board}\n")
    print(f"{'evaluator':12}" + "".join(f"{' '.join(map(str, cards[:2])):>14}" for cards in hands))
    for name in EVALUATORS:
        values = [holdem.evaluate(cards, evaluator=name) for cards in hands]
        print(f"{name:12}" + "".join(f"{value.strength:14}" for value in values))
        best = max(values)
        assert [seat for seat, value in enumerate(values) if value == best] == list(hand.winners)
    print(f"{'':12}" + "".join(f"{value.category:>14}" for value in values))


def cross_check(deals: int) -> None:
    """Print the result of trials whose hands all evaluators rank, and where they disagree."""
    result = holdem.head_to_head(*PLAYERS, evaluators=EVALUATORS, deals=deals, seed=SEED)
    equities = ", ".join(f"{player.range} {player.equity:.2%}" for player in result.players)
    print(f"\n{deals:,} deals by {result.evaluator}: {equities}")
    for check in result.cross_checks:
        verdict = "agrees" if check.agrees else f"disagrees on {check.hands} hands"
        print(f"{check.evaluator.name:12} {verdict}")


def speeds() -> None:
    """Print and draw hands a second on one core, of five and of seven cards."""
    rates = {}
    shuffled = np.random.default_rng(SEED).random((SPEED_HANDS, 52)).argsort(axis=1)
    print(f"\n{'million hands/s':16}{'five':>8}{'seven':>8}")
    for name in EVALUATORS:
        evaluator = holdem.get_evaluator(name)
        found = []
        for size in (5, 7):
            hands = np.ascontiguousarray(shuffled[:, :size], dtype=np.uint8)
            evaluator.strengths(hands, validate=False)  # compiles
            seconds = []
            for _ in range(3):
                begun = time.perf_counter()
                evaluator.strengths(hands, validate=False)
                seconds.append(time.perf_counter() - begun)
            found.append(SPEED_HANDS / min(seconds) / 1e6)
        print(f"{name:16}" + "".join(f"{rate:8.1f}" for rate in found))
        rates[name] = found
    import matplotlib.pyplot as plt  # for the chart: pip install matplotlib

    plt.style.use("holdem.report.plots.holdem")
    ax = plt.figure().add_subplot()
    for name, found in rates.items():
        ax.plot([name, name], found, color="lightgrey", zorder=0)
        ax.scatter(name, found[0], color="C0", label="five cards")
        ax.scatter(name, found[1], color="C1", label="seven cards")
    ax.set(yscale="log", ylabel="million hands/s, one core")
    ax.set_title("Seven cards: two methods try 21 choices, the rest don't")
    ax.legend(*(each[:2] for each in ax.get_legend_handles_labels()))
    plt.show()


def main(deals: int = 20_000) -> None:
    """Print the deal, the cross-check and the speeds."""
    one_deal()
    cross_check(deals)
    speeds()


if __name__ == "__main__":
    main(*map(int, sys.argv[1:2]))
