"""Holes of players who want the same few cards: drawn so that all of them fit.

Rows drawn independently, and all again when two share a card, have the right distribution and
are found quickly as long as most of them fit. Ten players with ``99+`` each hold 20 of 24
cards: two of ten thousand draws fit, and of ``TT+,AJ+`` five of a hundred million. So the
cards that players fight for most, the *contested* ones, are kept account of, and no draw is
made that leaves those who come later no room.

Let ``C`` be the contested cards, ``w[i]`` the weights of player ``i``, and ``room[i](s)`` the
sum, over all holes for the players from ``i`` on that take no card of ``C`` twice and none in
``s``, of the product of their weights. Then::

    room[n](s) = 1
    room[i](s) = sum of w[i](h) * room[i + 1](s + h) over the holes h that take none of s

If player ``i`` gets ``h`` with probability ``w[i](h) * room[i + 1](s + h) / room[i](s)``, where
``s`` are the cards of ``C`` that those before took, then the product over all players is
``w[0](h[0]) * ... / room[0](nothing)``: the rooms cancel. That is the product of weights over
all holes that share no contested card. Holes that share another card are thrown away, all of
them, and drawn again, which leaves the product of weights over all holes that fit: the joint
distribution, without bias, whichever cards are in ``C``; it decides only how much is thrown away.

One player's hole is drawn by rejection as well: by its weight, and kept with the probability
``room[i + 1](s + h) / most``, where ``most`` is the largest room of any ``s`` that can come up.
How many draws that takes is known: the first ``i`` players take ``s`` in ``ways[i](s)`` ways, so
``s`` comes up with the probability ``ways[i](s) * room[i](s) / room[0](nothing)`` and then costs
``most / room[i](s)`` draws, with weights that add up to one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

import attrs
import numpy as np
from numpy.typing import NDArray

from holdem.cards import DECK_SIZE
from holdem.dealing.seeds import fractions
from holdem.ranges.combos import COMBO_CARDS, COMBO_SETS

_Floats: TypeAlias = NDArray[np.float64]

# How many cards are contested: more are tried while a deal takes many draws. The rooms of 20
# cards and 10 players are 92 MB and take 1 to 5 seconds, and save nothing below some 2,000
# draws a deal, 16 us.
_SIZES = (8, 12, 16, 20)
_FEW_DRAWS = 2048
_TRIES = 1 << 14
_LEAST = float(np.finfo(np.float64).tiny)


@attrs.frozen(eq=False)
class Contest:
    """What must be known to draw holes that leave room. Made by `weigh_contest`."""

    bits: list[NDArray[np.uint64]]
    """For each player the contested cards of each combo, numbered from 0: ``uint64 (combo,)``."""

    chances: NDArray[np.uint64]
    """``uint64 (player, 2^contested)``: the hole just drawn is kept if a random word is below
    the number that stands at the contested cards taken, its own among them."""

    draws: float
    """How many holes a deal takes, on average; infinite where none was seen to fit."""


def weigh_contest(combos: Sequence[NDArray[np.intp]], weights: Sequence[_Floats]) -> Contest:
    """Find contested cards with which deals take few draws.

    Args:
        combos: for each player, in the order of drawing, the combos, ``intp (combo,)``.
        weights: their weights, ``float64 (combo,)``, all above zero.
    """
    shares = [own / own.sum() for own in weights]
    cards = _by_contest(combos, shares)
    best = None
    for size in _SIZES:
        found = _contest(combos, shares, cards[:size], len(cards) <= size)
        best = found if best is None or found.draws < best.draws else best
        if best.draws <= _FEW_DRAWS or len(cards) <= size:
            break
    assert best is not None
    return best


def _by_contest(combos: Sequence[NDArray[np.intp]], shares: Sequence[_Floats]) -> list[int]:
    """Return the cards that two players can hold, those that are best kept account of first.

    From the last to the first, the card is left out for which two players' holes clash least
    often without clashing in a card that is left: of pairs, one card of each rank goes first.
    """
    held = np.zeros((len(combos), DECK_SIZE, DECK_SIZE))
    for player, (own, share) in enumerate(zip(combos, shares, strict=True)):
        high, low = COMBO_CARDS[own].T
        held[player, high, low] = held[player, low, high] = share
    card = held.sum(axis=2)
    both = card.sum(axis=0) ** 2 - (card**2).sum(axis=0)  # two players draw a card, ...
    alike = held.sum(axis=0) ** 2 - (held**2).sum(axis=0)  # ... and another one with it
    left = np.flatnonzero((card > 0).sum(axis=0) > 1).tolist()
    order = []
    while left:
        unseen = both[left] - alike[np.ix_(left, left)].sum(axis=1)
        order.append(left.pop(int(unseen.argmin())))
    return order[::-1]


def _contest(
    combos: Sequence[NDArray[np.intp]],
    shares: Sequence[_Floats],
    cards: list[int],
    complete: bool,
) -> Contest:
    """Compute the room that draws leave in some contested cards, and what a deal then costs."""
    hands = [_Hands(own, share, cards) for own, share in zip(combos, shares, strict=True)]
    shape = (2,) * len(cards)
    rooms, scales = [np.ones(shape)], []
    for own in reversed(hands):
        room = np.zeros(shape)
        for mask, amount in own.kinds():
            room[_where(mask, 0, shape)] += amount * rooms[-1][_where(mask, 1, shape)]
        scales.append(max(float(room.max()), _LEAST))  # of ten small weights little is left
        rooms.append(room / scales[-1])
    rooms.reverse()
    scales.reverse()

    chances = np.empty((len(hands), 1 << len(cards)), dtype=np.uint64)
    ways, draws = np.zeros(shape), 0.0
    ways.flat[0] = 1.0
    for player, own in enumerate(hands):
        ways[rooms[player] == 0] = 0.0
        after = np.zeros(shape)
        for mask, amount in own.kinds():
            after[_where(mask, 1, shape)] += amount * ways[_where(mask, 0, shape)]
        most = float(rooms[player + 1].max(where=after > 0, initial=0.0))
        fit = float((ways * rooms[player]).sum()) * scales[player]
        draws += most * float(ways.sum()) / fit if fit else np.inf
        chance = np.minimum(rooms[player + 1] / (most or 1.0), 1 - 2.0**-53)
        chances[player] = (chance * 2.0**64).astype(np.uint64).ravel()
        ways = after / max(float(after.max()), _LEAST)
    if np.isfinite(draws) and not complete:
        kept = _kept(hands, rooms)
        draws = draws / kept if kept else np.inf
    return Contest([own.bits for own in hands], chances, draws)


class _Hands:
    """One player's combos by the contested cards in them.

    Attributes:
        sets: index sets, ``uint64 (combo,)``.
        bits: the contested cards of each, numbered from 0, ``uint64 (combo,)``.
        masks: the different `bits`, in order, ``uint64 (kind,)``.
        amounts: how much of the weight each of them has, ``float64 (kind,)``.
    """

    def __init__(self, combos: NDArray[np.intp], shares: _Floats, cards: list[int]) -> None:
        self.sets = COMBO_SETS[combos]
        self.bits = np.zeros(len(combos), dtype=np.uint64)
        for number, card in enumerate(cards):
            self.bits |= (self.sets >> np.uint64(card) & np.uint64(1)) << np.uint64(number)
        self.masks, kind = np.unique(self.bits, return_inverse=True)
        self.amounts = np.bincount(kind, shares, minlength=len(self.masks))
        self._order = np.argsort(kind, kind="stable")
        self._ends = np.concatenate([[0.0], np.cumsum(shares[self._order])])
        self._firsts = np.searchsorted(kind[self._order], np.arange(len(self.masks) + 1))

    def kinds(self) -> Iterator[tuple[int, float]]:
        """Yield `masks` and `amounts`."""
        return zip(self.masks.tolist(), self.amounts.tolist(), strict=True)

    def rows_of(self, kinds: NDArray[np.intp], parts: _Floats) -> NDArray[np.intp]:
        """Draw a combo of each kind by weight, ``intp (draw,)``; `parts` are random, 0..1."""
        first, last = self._firsts[kinds], self._firsts[kinds + 1] - 1
        place = np.searchsorted(self._ends[1:], self._ends[first] + parts * self.amounts[kinds])
        return self._order[np.clip(place, first, last)]


def _where(mask: int, bit: int, shape: tuple[int, ...]) -> tuple[int | slice, ...]:
    """Select the sets in which all cards of a mask are taken (1), or none is (0)."""
    last = len(shape) - 1
    return tuple(bit if mask >> (last - axis) & 1 else slice(None) for axis in range(len(shape)))


def _kept(hands: list[_Hands], rooms: list[_Floats]) -> float:
    """Return how often holes that share no contested card share no other one either."""
    stream = np.random.PCG64(0)  # always the same answer to the same spot
    taken = np.zeros(_TRIES, dtype=np.uint64)
    used = np.zeros(_TRIES, dtype=np.uint64)
    clash = np.zeros(_TRIES, dtype=np.bool_)
    for player, own in enumerate(hands):
        open_to = (taken[:, None] & own.masks) == 0
        room = rooms[player + 1].ravel()[taken[:, None] | own.masks]
        odds = np.cumsum(np.where(open_to, own.amounts * room, 0.0), axis=1)
        drawn = fractions(stream, _TRIES) * odds[:, -1]
        kinds = np.minimum((odds <= drawn[:, None]).sum(axis=1), len(own.masks) - 1)
        rows = own.rows_of(kinds, fractions(stream, _TRIES))
        clash |= (used & own.sets[rows]) != 0
        used |= own.sets[rows]
        taken |= own.bits[rows]
    return float(1 - clash.mean())
