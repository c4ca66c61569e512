"""Efficient drawing of hole cards for players who compete for the same few cards.

Drawing rows independently, and all of them again if two share a card, gives the right distribution
and is fast as long as most draws fit. For ten players with ``99+``, who hold 20 of 24 cards, two
draws in ten thousand fit, and for ten with ``TT+,AJ+`` five in a hundred million. Therefore the
cards that players compete for most, the *scarce* ones, are tracked, and a draw that leaves a later
player without a hole is not accepted.

Let ``C`` be the scarce cards, ``w[i]`` the weights of player ``i``, and ``room[i](s)`` the sum,
over all holes of the players from ``i`` on that take no card of ``C`` twice and none in ``s``, of
the product of their weights. Then::

    room[n](s) = 1
    room[i](s) = sum of w[i](h) * room[i + 1](s + h) over the holes h that take none of s

If player ``i`` gets ``h`` with probability ``w[i](h) * room[i + 1](s + h) / room[i](s)``, where
``s`` are the cards of ``C`` that the players before took, then the product over all players is
``w[0](h[0]) * ... / room[0](nothing)``: the rooms cancel. That is the product of weights over all
holes that share no scarce card. If two holes share another card, all are redrawn, which leaves the
product of weights over all holes that fit: the exact joint distribution, whichever cards are in
``C``. The choice of ``C`` affects only how many draws are rejected.

A player's hole is also drawn by rejection: drawn by weight, and accepted with the probability
``room[i + 1](s + h) / most``, where ``most`` is the largest room of any ``s`` that can occur. The
expected number of draws follows: the first ``i`` players take ``s`` in ``paths[i](s)`` ways, so
``s`` occurs with the probability ``paths[i](s) * room[i](s) / room[0](nothing)`` and then costs
``most / room[i](s)`` draws, with weights that add up to one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from holdem.cards import DECK_SIZE
from holdem.dealing.seeds import fractions
from holdem.odds.sampling.hole_lists import JointHoles

_Floats: TypeAlias = NDArray[np.float64]

# Numbers of scarce cards, tried in order until a deal takes few draws. The rooms of 20 cards and 10
# players have 92 MB and take 1 to 5 seconds, which does not pay off below some 2,000 draws a deal
# (16 µs).
_SIZES = (8, 12, 16, 20)
_FEW_DRAWS = 2048
_TRIES = 1 << 14
_TINY = float(np.finfo(np.float64).tiny)


class ScarceCards(NamedTuple):
    """Probabilities of accepting drawn hole cards, given which scarce cards are taken."""

    bits: NDArray[np.uint64]
    """``uint64 (player, hole)``: the scarce cards of each hole, as numbered bits; padded."""

    acceptance: NDArray[np.uint64]
    """``uint64 (player, 2^scarce)``: a hole is accepted if a random word is below the element for
    the scarce cards taken, its own included."""

    draws: float
    """The mean number of holes drawn for a deal; infinite if none was seen to fit."""


def choose_scarce_cards(
    players: Sequence[JointHoles], sizes: Sequence[int] = _SIZES
) -> ScarceCards:
    """Choose which of the cards that several players can hold to track, so that few draws are
    rejected.

    Args:
        players: the holes of each player, in the order of drawing.
        sizes: the numbers of cards to try, in ascending order.
    """
    shares = [own.weights / own.weights.sum() for own in players]
    cards = _contested_cards(players, shares)
    best = None
    for size in sizes:
        found = _scarce_cards(players, shares, cards[:size], len(cards) <= size)
        best = found if best is None or found.draws < best.draws else best
        if best.draws <= _FEW_DRAWS or len(cards) <= size:
            break
    assert best is not None
    return best


def _contested_cards(players: Sequence[JointHoles], shares: Sequence[_Floats]) -> list[int]:
    """List the cards that several players can hold, those that cause the most clashes first.

    The order is built from its end. The card removed next is always the one that causes the
    fewest clashes of two holes in which no remaining card clashes. With pocket pairs, one card of
    each rank is removed first.
    """
    held = np.zeros((len(players), DECK_SIZE, DECK_SIZE))
    for player, (own, share) in enumerate(zip(players, shares, strict=True)):
        high, low = own.cards.T
        held[player, high, low] = held[player, low, high] = share
    card = held.sum(axis=2)
    clashes = card.sum(axis=0) ** 2 - (card**2).sum(axis=0)  # two players draw a card, ...
    double = held.sum(axis=0) ** 2 - (held**2).sum(axis=0)  # ... and another one with it
    left = np.flatnonzero((card > 0).sum(axis=0) > 1).tolist()
    order = []
    while left:
        unseen = clashes[left] - double[np.ix_(left, left)].sum(axis=1)
        order.append(left.pop(int(unseen.argmin())))
    return order[::-1]


def _scarce_cards(
    players: Sequence[JointHoles], shares: Sequence[_Floats], cards: list[int], complete: bool
) -> ScarceCards:
    """Compute the probabilities of accepting hole cards, and the expected number of draws per deal,
    when the given cards are tracked.

    Args:
        players: the holes of each player.
        shares: their weights, adding up to 1.
        cards: the scarce cards.
        complete: whether these are all cards that two players can hold.
    """
    hands = [_HolesByBits(own, share, cards) for own, share in zip(players, shares, strict=True)]
    shape = (2,) * len(cards)
    rooms, scales = [np.ones(shape)], []
    for own in reversed(hands):
        room = np.zeros(shape)
        for mask, amount in own.amount_of_mask():
            room[_where(mask, 0, shape)] += amount * rooms[-1][_where(mask, 1, shape)]
        scales.append(max(float(room.max()), _TINY))  # ten small weights would underflow
        rooms.append(room / scales[-1])
    rooms.reverse()
    scales.reverse()

    acceptance = np.empty((len(hands), 1 << len(cards)), dtype=np.uint64)
    paths, draws = np.zeros(shape), 0.0
    paths.flat[0] = 1.0
    for player, own in enumerate(hands):
        paths[rooms[player] == 0] = 0.0
        after = np.zeros(shape)
        for mask, amount in own.amount_of_mask():
            after[_where(mask, 1, shape)] += amount * paths[_where(mask, 0, shape)]
        most = float(rooms[player + 1].max(where=after > 0, initial=0.0))
        fit = float((paths * rooms[player]).sum()) * scales[player]
        draws += most * float(paths.sum()) / fit if fit else np.inf
        chance = np.minimum(rooms[player + 1] / (most or 1.0), 1 - 2.0**-53)
        acceptance[player] = (chance * 2.0**64).astype(np.uint64).ravel()
        paths = after / max(float(after.max()), _TINY)
    if np.isfinite(draws) and not complete:
        accepted = _acceptance(hands, rooms)
        draws = draws / accepted if accepted else np.inf
    bits = np.zeros((len(hands), max(len(own.bits) for own in hands)), dtype=np.uint64)
    for player, own in enumerate(hands):
        bits[player, : len(own.bits)] = own.bits
    return ScarceCards(bits, acceptance, draws)


class _HolesByBits:
    """One player's possible hole cards, grouped by which of the tracked cards they contain.

    Attributes:
        sets: card sets, ``uint64 (hole,)``.
        bits: the scarce cards of each, as numbered bits, ``uint64 (hole,)``.
        masks: the distinct `bits`, ascending, ``uint64 (mask,)``.
        amounts: each mask's share of the weight, ``float64 (mask,)``.
    """

    def __init__(self, holes: JointHoles, shares: _Floats, cards: list[int]) -> None:
        self.sets = holes.sets
        self.bits = np.zeros(len(self.sets), dtype=np.uint64)
        for number, card in enumerate(cards):
            self.bits |= (self.sets >> np.uint64(card) & np.uint64(1)) << np.uint64(number)
        self.masks, group = np.unique(self.bits, return_inverse=True)
        self.amounts = np.bincount(group, shares, minlength=len(self.masks))
        self._order = np.argsort(group, kind="stable")
        self._ends = np.cumsum(shares[self._order])
        self._starts = np.concatenate([[0.0], self._ends])
        self._firsts = np.searchsorted(group[self._order], np.arange(len(self.masks) + 1))

    def amount_of_mask(self) -> Iterator[tuple[int, float]]:
        """Yield each group's bit mask of tracked cards and share of the player's total weight."""
        return zip(self.masks.tolist(), self.amounts.tolist(), strict=True)

    def draw(self, masks: NDArray[np.intp], parts: _Floats) -> NDArray[np.intp]:
        """Draw hole cards from the groups with given indices, with probabilities proportional to
        weight.

        `parts` are random numbers in 0..1.
        """
        first, last = self._firsts[masks], self._firsts[masks + 1] - 1
        place = np.searchsorted(self._ends, self._starts[first] + parts * self.amounts[masks])
        return self._order[np.clip(place, first, last)]


def _where(mask: int, bit: int, shape: tuple[int, ...]) -> tuple[int | slice, ...]:
    """Build an index into an array over card sets that selects the sets with all (`bit` 1) or none
    (`bit` 0) of the cards in a bit mask.
    """
    last = len(shape) - 1
    return tuple(bit if mask >> (last - axis) & 1 else slice(None) for axis in range(len(shape)))


def _acceptance(hands: list[_HolesByBits], rooms: list[_Floats]) -> float:
    """Estimate the probability that hole cards that share no tracked card share no other card."""
    stream = np.random.PCG64(0)  # the same result for the same spot
    taken = np.zeros(_TRIES, dtype=np.uint64)
    used = np.zeros(_TRIES, dtype=np.uint64)
    clash = np.zeros(_TRIES, dtype=np.bool_)
    for player, own in enumerate(hands):
        fits = (taken[:, None] & own.masks) == 0
        room = rooms[player + 1].ravel()[taken[:, None] | own.masks]
        chances = np.cumsum(np.where(fits, own.amounts * room, 0.0), axis=1)
        drawn = fractions(stream, _TRIES) * chances[:, -1]
        masks = np.minimum((chances <= drawn[:, None]).sum(axis=1), len(own.masks) - 1)
        rows = own.draw(masks, fractions(stream, _TRIES))
        clash |= (used & own.sets[rows]) != 0
        used |= own.sets[rows]
        taken |= own.bits[rows]
    return float(1 - clash.mean())
