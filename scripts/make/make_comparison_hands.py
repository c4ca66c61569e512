"""Make ``tests/data/comparison_hands.txt``: a thousand pairs of five-card hands.

Each line is ten different cards dealt from a deck shuffled with a fixed seed, in the format
that ``holdem compare`` reads. Run it from the checkout:

    python scripts/make/make_comparison_hands.py
"""

from __future__ import annotations

from pathlib import Path

from holdem import Deck

SEED, PAIRS = 54, 1000


def main() -> None:
    """Write the file."""
    deck = Deck(seed=SEED)
    lines = ["# 1,000 pairs of five-card hands; made by scripts/make/make_comparison_hands.py"]
    for _ in range(PAIRS):
        deck.collect()
        deck.shuffle()
        lines.append(" ".join(str(card) for card in deck.deal(10)))
    path = Path(__file__).parents[2] / "tests" / "data" / "comparison_hands.txt"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"{path}: {PAIRS} pairs")


if __name__ == "__main__":
    main()
