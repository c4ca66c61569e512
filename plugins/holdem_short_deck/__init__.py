"""The evaluator ``short-deck``: 36 cards from six to ace, where a flush beats a full house.

The method is in `holdem_short_deck.kernel`, the 1,404 classes are in
`holdem_short_deck.classes`, and the tables in `holdem_short_deck.tables`; ``README.md`` explains
them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import holdem

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray


def _load() -> Callable[[NDArray[np.uint8]], NDArray[np.int16]]:
    from holdem_short_deck.kernel import rank_batch

    return rank_batch


@holdem.hookimpl
def holdem_evaluators() -> list[holdem.EvaluatorSpec]:
    return [
        holdem.EvaluatorSpec(
            name="short-deck",
            summary="six to ace, flush over full house: a sum of keys, and one look-up by ranks",
            source="the rules of six plus hold'em, with Kenneth Shackleton's rank keys",
            hand_sizes={5, 6, 7},
            load=_load,
            rules="short-deck",
        )
    ]
