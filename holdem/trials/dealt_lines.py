"""Made hands, draws and categories of dealt hands, by the names of `hits` and of the rules."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdem.arguments import require_text
from holdem.cards import CardArray
from holdem.errors import HoldemTypeError, HoldemValueError, quoted
from holdem.odds.hand_lines import DRAWS, find_draws, find_made_hands
from holdem.odds.named_lines import select_lines, usual_name
from holdem.odds.spot import BOARD_SIZE
from holdem.ranges.combos import Mask, combo_numbers
from holdem.rules import RuleSet


class DealtLines:
    """The made hands, draws and categories for which a text stands, on one street."""

    def __init__(self, text: Any, street: str, size: int, rules: RuleSet) -> None:
        """Read the text; `size` is the number of board cards on the street."""
        if isinstance(text, list | tuple):
            raise HoldemTypeError(
                f"a hand must be text, not {quoted(text)}; any of several is one text, as in"
                ' "pair, flush"'
            )
        require_text(text, "a hand")
        self._rules = rules
        no_combos, no_boards = np.zeros((1, 0), dtype=np.intp), np.zeros((1, size), dtype=np.uint8)
        made = find_made_hands(no_combos, no_boards, no_combos, rules)
        has_draws = size < BOARD_SIZE and not rules.deuces_wild
        draws = find_draws(no_combos, no_boards, rules) if has_draws else {}
        for part in text.split(",") if size == BOARD_SIZE else ():
            if usual_name(" ".join(part.lower().split())).split(", ")[0] in DRAWS:
                raise HoldemValueError(
                    f"{quoted(part.strip())} is a draw, and on the river there are none: give"
                    ' street="flop" or street="turn"'
                )
        strongest = rules.categories[::-1]
        names = select_lines(made, draws, [text], strongest, where=f"on the {street}")
        self._made = [name for name in names if name in made]
        self._draws = [name for name in names if name in draws]
        self._categories = np.array([f"={name}" in names for name in rules.categories])

    def find(
        self, holes: CardArray, boards: CardArray, categories: NDArray[np.int8]
    ) -> NDArray[np.bool_]:
        """Find the players who have any of them, ``bool (hand, player)``.

        `holes` are ``uint8 (hand, player, 2)``, `boards` those of the street, ``uint8 (hand,
        card)``, and `categories` are ``int8 (hand, player)``.
        """
        found: Mask = self._categories[categories]
        if self._made or self._draws:
            combos = combo_numbers(holes)
            if self._made:
                made = find_made_hands(combos, boards, categories, self._rules)
                found |= np.logical_or.reduce([made[name] for name in self._made])
            if self._draws:
                draws = find_draws(combos, boards, self._rules)
                found |= np.logical_or.reduce([draws[name] for name in self._draws])
        return found
