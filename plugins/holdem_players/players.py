"""Five strategies for `holdem.play`, as examples and as opponents.

Each is a function of a `decision` with an item for each game where it is this player's turn, and
returns one number for each: -1 folds, 0 checks or calls, and more is the total to raise to. The
engine corrects what the rules don't allow, so that a strategy needs no care for bounds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

import holdem

if TYPE_CHECKING:
    from numpy.typing import NDArray


@holdem.strategy("fold")
def fold(decision: holdem.Decisions) -> NDArray[Any]:
    """Folds whatever it holds, and checks where that costs nothing."""
    return np.full(len(decision), decision.FOLD)


@holdem.strategy("caller")
def caller(decision: holdem.Decisions) -> NDArray[Any]:
    """Checks or calls whatever it holds."""
    return np.full(len(decision), decision.CALL)


@holdem.strategy("random")
def random(decision: holdem.Decisions) -> NDArray[Any]:
    """Folds, calls, or raises to a random amount, with equal chances and without looking."""
    kind, size = np.divmod(3 * decision.random, 1)
    least, most = decision.min_raise, decision.max_raise
    raised = least + np.floor(size**3 * (most - least))  # small raises are more frequent
    return np.select([kind == 0, kind == 1], [decision.FOLD, decision.CALL], raised)


@holdem.strategy("tight")
def tight(decision: holdem.Decisions) -> NDArray[Any]:
    """Plays the better fifth of its hole cards, and bets when it has a pair or better."""
    d = decision
    opens = d.percentile >= np.select([d.raises == 0, d.raises == 1], [0.8, 0.95], 0.985)
    calls = (d.raises > 0) & (d.percentile >= np.where(d.raises == 1, 0.87, 0.95))
    before = np.select([opens, calls], [3 * d.highest, d.CALL], d.FOLD)

    made, strong = d.has("pair+"), d.has("two pair+")
    bets = (strong & (d.raises < 3)) | (made & (d.raises == 0))
    cheap = d.to_call <= 0.3 * d.winnable
    size = d.highest + np.where(strong, 1, 2 / 3) * (d.pot + d.to_call)
    after = np.select([bets, strong | (made & cheap)], [size, d.CALL], d.FOLD)
    return np.where(d.street == 0, before, after)


@holdem.strategy("aggressive")
def aggressive(decision: holdem.Decisions) -> NDArray[Any]:
    """Plays half of its hole cards, raises most of them, and bets with a third of its misses."""
    d = decision
    good = d.percentile >= np.select([d.raises == 0, d.raises == 1], [0.5, 0.8], 0.95)
    before = np.select([good & (d.random < 0.8), good], [2.5 * d.highest, d.CALL], d.FOLD)

    strong = d.has("two pair+")
    some = d.has("pair+") | d.has("flush draw") | d.has("open-ended")
    bets = (some | (d.random < 0.3)) & (d.raises == 0)
    cheap = d.to_call <= 0.35 * d.winnable
    size = d.highest + 0.75 * (d.pot + d.to_call)
    after = np.select(
        [bets | (strong & (d.raises < 3)), strong | (some & cheap)], [size, d.CALL], d.FOLD
    )
    return np.where(d.street == 0, before, after)
