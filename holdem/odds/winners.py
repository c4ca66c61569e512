"""The update of the winners of a deal, shared by the kernels that compare hands."""

from __future__ import annotations

from typing import Any

from holdem.jit.decorators import inlined


@inlined
def update_winners(best: Any, winners: Any, strength: Any, player: Any) -> Any:
    """Return the best strength so far and the players who hold it, with one player more.

    Args:
        best: the best strength of the players before; below every strength if there are none.
        winners: who holds it, a set of bits.
        strength: the player's strength, of the type of `best`.
        player: the player's bit, of the type of `winners`.
    """
    winners = player if strength > best else winners | player if strength == best else winners
    return max(best, strength), winners
