"""Comparison of one more hand with a deal's winners so far, shared by several kernels."""

from __future__ import annotations

from typing import Any

from holdem.jit.decorators import inlined


@inlined
def update_winners(best: Any, winners: Any, strength: Any, player: Any) -> Any:
    """Compare one more player's hand; return the best strength so far and the players who hold it.

    Args:
        best: the best strength so far; below every strength for the first player.
        winners: the players who hold it, a set of bits.
        strength: the player's strength, of the type of `best`.
        player: the player's bit, of the type of `winners`.
    """
    winners = player if strength > best else winners | player if strength == best else winners
    return max(best, strength), winners
