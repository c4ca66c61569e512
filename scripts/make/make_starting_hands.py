"""Make the lists of starting hands of the engine's rule sets, in ``holdem/ranges/``.

``starting_hands.tsv`` is for standard rules, ``starting_hands_short_deck.tsv`` for short deck and
``starting_hands_deuces_wild.tsv`` for deuces wild. Each class is played against a random hand,
exactly: with 52 cards over the 1,225 hands an opponent can hold and the 1,712,304 boards,
2,097,572,400 deals for one combo of the class; in short deck over 561 hands and 201,376 boards,
112,971,936 deals. The lists are ordered by equity, strongest first; the counts are those of a
single combo, so that every line has the same number of deals.

    python scripts/make/make_starting_hands.py    # half a minute
"""

from __future__ import annotations

from pathlib import Path

from holdem.odds.starting_hand_counts import count_starting_hands

FOLDER = Path(__file__).parents[2] / "holdem" / "ranges"

#: The file of each evaluator's rule set.
FILES = {
    "lookup": "starting_hands.tsv",
    "short-deck": "starting_hands_short_deck.tsv",
    "deuces-wild": "starting_hands_deuces_wild.tsv",
}


def main() -> None:
    """Make the files."""
    for evaluator, name in FILES.items():
        lines = ["class\twins\tties\tdeals"]
        lines += ["\t".join(map(str, line)) for line in count_starting_hands(evaluator)]
        (FOLDER / name).write_text("\n".join(lines) + "\n", encoding="ascii")
        print(f"{name}: {len(lines) - 1} classes")


if __name__ == "__main__":
    main()
