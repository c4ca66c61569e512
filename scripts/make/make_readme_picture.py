"""Make the picture in README: ``docs/_static/equity-by-class.png``.

    python scripts/make/make_readme_picture.py

On the left the equity of each class of a button range against a big blind on a flop, on the right
the equity of one of its hands, and of the big blind's range against it, after each card that can
come.
"""

from __future__ import annotations

from pathlib import Path

import matplotlib as mpl
import matplotlib.pyplot as plt

import holdem

FILE = Path(__file__).parents[2] / "docs" / "_static" / "equity-by-class.png"
BUTTON = (
    "22+, A2s+, K2s+, Q4s+, J6s+, T6s+, 96s+, 85s+, 75s+, 64s+, 54s, A2o+, K8o+, Q9o+, J9o+, T8o+"
)
BLIND = "22-TT, A2s-AJs, K8s+, Q9s+, J9s+, T8s+, 97s+, 86s+, 75s+, 65s, 54s, ATo-AQo, KTo+"
BOARD = "Td9d2c"


def main() -> None:
    """Write the picture."""
    mpl.use("agg")
    mosaic = [["classes", "hand"], ["classes", "blind"]]
    _, axes = plt.subplot_mosaic(mosaic, figsize=(12, 6), layout="constrained")
    classes = holdem.equity(BUTTON, BLIND, board=BOARD)
    classes.plot(axes["classes"], by="class", player=0)
    axes["classes"].set_title(f"a button range on T♦ 9♦ 2♣: {classes.equities[0]:.1%}")
    cards = holdem.equity("QdJd", BLIND, board=BOARD)
    cards.plot([axes["hand"], axes["blind"]], by="next-card")
    for name, player, equity in zip(
        ("hand", "blind"), ("Q♦ J♦", "the big blind"), cards.equities, strict=True
    ):
        axes[name].set_title(f"{player}, {equity:.1%}, after each turn card", fontsize=11)
    plt.savefig(FILE, dpi=120)


if __name__ == "__main__":
    main()
