"""Efficient drawing of hole cards for players who compete for the same few cards.

A *hole* is a player's two hole cards. The simplest method draws a hole for each player by weight,
and draws all holes again if two of them share a card. It gives the right distribution, and is fast
as long as most draws fit together. But among ten players with ``99+``, who hold 20 of 24 cards, two
draws in ten thousand fit, and among ten with ``TT+,AJ+`` five in a hundred million. Therefore the
cards for which players compete most, the *scarce* cards, are tracked, and a hole that leaves a
later player without any possible hole is rejected at once.

Let ``C`` be the set of scarce cards, ``s`` a part of ``C``, and ``w[i](h)`` the weight of the hole
``h`` for player ``i``. ``s + h`` is ``s`` together with the scarce cards of ``h``. Consider all
ways to deal holes to the players from ``i`` on in which no card of ``C`` is dealt twice and no card
of ``s`` is dealt. ``room[i](s)`` is the sum of the products of weights over all these ways::

    room[n](s) = 1 after the last of n players
    room[i](s) = sum of w[i](h) * room[i + 1](s + h) over the holes h without a card of s

Let ``s`` be the scarce cards that the players before ``i`` hold. If player ``i`` gets ``h`` with
the probability ``w[i](h) * room[i + 1](s + h) / room[i](s)``, then rooms cancel in the product over
all players, which is ``w[0](h[0]) * ... / room[0](nothing)``. So holes that share no scarce card
are drawn in proportion to the product of their weights. If two holes share another card, all holes
are drawn again. This gives the exact joint distribution, whichever cards are in ``C``. The choice
of ``C`` affects only the number of rejected draws.

The hole of a player is also drawn by rejection: it is drawn by weight, and accepted with the
probability ``room[i + 1](s + h) / most``, where ``most`` is the largest room for any ``s`` that can
occur. The expected number of draws is as follows. Let the weights of each player add up to one, and
``paths[i](s)`` be the sum of the products of weights over all ways in which the first ``i`` players
hold the scarce cards ``s``. Then ``s`` occurs with the probability ``paths[i](s) * room[i](s) /
room[0](nothing)``, and takes ``most / room[i](s)`` draws.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from holdem.cards import DECK_SIZE
from holdem.dealing.seeds import fractions
from holdem.jit.kernels import kernel, popcount
from holdem.odds.sampling.deal_tables import JointHoles

_Floats: TypeAlias = NDArray[np.float64]

# Numbers of scarce cards, tried in order until a deal takes few draws. The rooms of 20 cards and 10
# players have 92 MB and take some tenths of a second.
_SIZES = (8, 12, 16, 20)
_FEW_DRAWS = 2048
_TRIES = 1 << 14
_BLOCK = 64  # sets of scarce cards that are summed together
_TINY = float(np.finfo(np.float64).tiny)


class ScarceCards(NamedTuple):
    """Probabilities of accepting drawn holes, which depend on the scarce cards already dealt."""

    bits: NDArray[np.uint64]
    """``uint64 (player, hole)``: the scarce cards of each hole; bit *i* stands for the scarce card
    number *i*. Rows are padded."""

    acceptance: NDArray[np.uint64]
    """``uint64 (player, set)``: a hole is accepted if a random 64-bit word is below the element for
    the set of scarce cards in this hole and in those of the players before."""

    draws: float
    """The mean number of holes drawn for a deal; infinite if no possible deal was found."""


def choose_scarce_cards(holes: Sequence[JointHoles], sizes: Sequence[int] = _SIZES) -> ScarceCards:
    """Choose the scarce cards to track, so that few draws of hole cards are rejected.

    Players are in the order of drawing; `sizes` are the numbers of cards to try, ascending.
    """
    shares = [own.weights / own.weights.sum() for own in holes]
    cards = _contested_cards(holes, shares)
    best = None
    for size in sizes:
        found = _scarce_cards(holes, shares, cards[:size], len(cards) <= size)
        best = found if best is None or found.draws < best.draws else best
        if best.draws <= _FEW_DRAWS or len(cards) <= size:
            break
    assert best is not None
    return best


def _contested_cards(holes: Sequence[JointHoles], shares: Sequence[_Floats]) -> list[int]:
    """List the ids of cards that several players can hold, those causing the most clashes first.

    The list is filled from its end, each time with the unlisted card that causes the fewest
    clashes. Clashes of two holes that also share another unlisted card are not counted for this.
    With pocket pairs, the last cards are therefore one of each rank. `shares` are the weights of
    each player's holes divided by their sum, ``float64 (hole,)``.
    """
    held = np.zeros((len(holes), DECK_SIZE, DECK_SIZE))
    for player, (own, share) in enumerate(zip(holes, shares, strict=True)):
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
    holes: Sequence[JointHoles], shares: Sequence[_Floats], cards: list[int], complete: bool
) -> ScarceCards:
    """Compute the acceptance probabilities and draws per deal for the scarce `cards`.

    `shares` are those of `_contested_cards`. `complete` is whether `cards` contains all cards that
    two players can hold.
    """
    hands = [_HolesByBits(own, share, cards) for own, share in zip(holes, shares, strict=True)]
    subsets = 1 << len(cards)
    rooms, scales = [np.ones(subsets)], []
    for player, own in reversed(list(enumerate(hands))):
        room = _add_up(own, rooms[-1], (0, 2 * player), taken=False)
        scales.append(max(float(room[0]), _TINY))  # the largest; ten small weights would underflow
        room /= scales[-1]
        rooms.append(room)
    rooms.reverse()
    scales.reverse()

    acceptance = np.zeros((len(hands), subsets), dtype=np.uint64)
    # The sets that the players before can take and that leave room for the others.
    sets, paths, least, draws = np.zeros(1, dtype=np.intp), np.ones(1), 0, 0.0
    for player, own in enumerate(hands):
        before = np.zeros(subsets)
        before[sets] = paths
        fit = float((paths * rooms[player][sets]).sum()) * scales[player]
        total = float(paths.sum())
        least += int(np.bitwise_count(own.masks).min())
        after = _add_up(own, before, (least, 2 * player + 2), taken=True)
        sets = np.flatnonzero(after)
        room, paths = rooms[player + 1][sets], after[sets]
        most = float(room.max(initial=0.0))
        draws += most * total / fit if fit else np.inf
        chance = np.minimum(room / (most or 1.0), 1 - 2.0**-53)
        acceptance[player, sets] = (chance * 2.0**64).astype(np.uint64)
        paths /= max(float(paths.max(initial=0.0)), _TINY)
        sets, paths = sets[room > 0], paths[room > 0]
    if np.isfinite(draws) and not complete:
        accepted = _acceptance(hands, rooms)
        draws = draws / accepted if accepted else np.inf
    bits = np.zeros((len(hands), max(len(own.bits) for own in hands)), dtype=np.uint64)
    for player, own in enumerate(hands):
        bits[player, : len(own.bits)] = own.bits
    return ScarceCards(bits, acceptance, draws)


class _HolesByBits:
    """One player's possible holes, grouped by the scarce cards that they contain."""

    def __init__(self, holes: JointHoles, shares: _Floats, cards: list[int]) -> None:
        self.sets = holes.sets
        # the scarce cards of each hole, ``uint64 (hole,)``; bit *i* is that of number *i*
        self.bits = np.zeros(len(self.sets), dtype=np.uint64)
        for number, card in enumerate(cards):
            self.bits |= (self.sets >> np.uint64(card) & np.uint64(1)) << np.uint64(number)
        # of each group, ascending: its `bits`, and its fraction of all weights
        self.masks, group = np.unique(self.bits, return_inverse=True)
        self.amounts = np.bincount(group, shares, minlength=len(self.masks)).astype(np.float64)
        self._order = np.argsort(group, kind="stable")
        self._ends = np.cumsum(shares[self._order])
        self._starts = np.concatenate([[0.0], self._ends])
        self._firsts = np.searchsorted(group[self._order], np.arange(len(self.masks) + 1))

    def draw(self, masks: NDArray[np.intp], parts: _Floats) -> NDArray[np.intp]:
        """Draw a hole from each given group by weight; return the indices, ``intp (draw,)``.

        The groups are indices in `self.masks`, ``intp (draw,)``; `parts` are random numbers in
        0..1, ``float64 (draw,)``.
        """
        first, last = self._firsts[masks], self._firsts[masks + 1] - 1
        place = np.searchsorted(self._ends, self._starts[first] + parts * self.amounts[masks])
        return self._order[np.clip(place, first, last)]


def _add_up(own: _HolesByBits, before: _Floats, cards: tuple[int, int], taken: bool) -> _Floats:
    """Compute ``room[i]`` or ``paths[i + 1]`` of the module docstring for player ``i``.

    The sums are ``float64 (set,)``. The index of a set is a number whose bit *i* stands for the
    scarce card number *i*. Let ``s`` be the set, and ``h`` the scarce cards of a hole.

    With `taken`, compute ``paths[i + 1]``, the sum of ``weight * before[s without h]`` over the
    holes with all of ``h`` in ``s``. Otherwise, compute ``room[i]``, the sum of ``weight * before[s
    and h together]`` over the holes with none of ``h`` in ``s``.

    `before` is ``paths[i]`` or ``room[i + 1]``, ``float64 (set,)``, times any constant. `cards` are
    the smallest and the largest number of cards in the sets that are needed; the sums of others may
    be 0.
    """
    sums = np.zeros(len(before))
    needed = own.masks if taken else np.zeros_like(own.masks)
    least, most = np.array(cards, dtype=np.uint64)
    _add_up_masks(own.masks, needed, own.amounts, before, least, most, sums)
    return sums


@kernel
def _add_up_masks(
    masks: NDArray[np.uint64],
    needed: NDArray[np.uint64],
    amounts: _Floats,
    before: _Floats,
    least: np.uint64,
    most: np.uint64,
    sums: _Floats,
) -> None:
    """Write the sum of ``amount * before[set ^ mask]`` over masks for each set, as in `_add_up`.

    The sum is over the masks for which ``set & mask`` is equal to the needed cards. The sums of a
    block of consecutive sets are computed together. They are added up in the order of the masks,
    which decides how they are rounded.

    `masks`, sets of scarce cards, and `needed` are ``uint64 (mask,)``, `amounts` ``float64
    (mask,)``, `before` ``float64 (set,)``. `sums`, ``float64 (set,)``, are zeros and may stay so
    for sets of fewer than `least` or more than `most` cards.
    """
    size = np.uint64(len(sums)) if len(sums) < _BLOCK else np.uint64(_BLOCK)
    inside = size - np.uint64(1)  # the cards by which the sets of a block differ
    block = np.empty(size, dtype=np.float64)
    for start in range(np.uint64(0), np.uint64(len(sums)), size):
        cards = popcount(start)
        if cards > most or cards + popcount(inside) < least:
            continue
        for i in range(size):
            block[i] = 0.0
        for number in range(np.uint64(len(masks))):
            mask, need, amount = masks[number], needed[number], amounts[number]
            if (start & mask ^ need) & ~inside:
                continue
            others = before[(start ^ mask) & ~inside :]
            mask, need = mask & inside, need & inside
            for i in range(size):
                part = amount * others[i ^ mask]
                block[i] += part if i & mask == need else 0.0
        for i in range(size):
            sums[start | i] = block[i]


def _acceptance(hands: list[_HolesByBits], rooms: list[_Floats]) -> float:
    """Estimate how likely the holes of all players are to share no card at all, 0..1.

    The holes are drawn by the probabilities of the module docstring, so they share no scarce card.
    `rooms` has ``room[i]`` for each *i*, ``float64 (set,)``, times any constant. The simulated
    deals are the same in each call.
    """
    stream = np.random.PCG64(0)  # the same result for the same spot
    tries = np.arange(_TRIES)  # those without a clash so far
    taken = np.zeros(_TRIES, dtype=np.uint64)
    used = np.zeros(_TRIES, dtype=np.uint64)
    for player, own in enumerate(hands):
        fits = (taken[:, None] & own.masks) == 0
        room = rooms[player + 1][taken[:, None] | own.masks]
        chances = np.cumsum(np.where(fits, own.amounts * room, 0.0), axis=1)
        drawn = fractions(stream, _TRIES)[tries] * chances[:, -1]
        masks = np.minimum((chances <= drawn[:, None]).sum(axis=1), len(own.masks) - 1)
        rows = own.draw(masks, fractions(stream, _TRIES)[tries])
        free = (used & own.sets[rows]) == 0
        tries, taken, used = (
            tries[free],
            (taken | own.bits[rows])[free],
            (used | own.sets[rows])[free],
        )
    return len(tries) / _TRIES
