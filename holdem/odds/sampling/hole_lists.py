"""Lists of the hole cards that one or more players can hold, from which rows are drawn.

A player with one combo has known cards, and one whose range is every hand at one weight draws from
the deck, after all others. This does not change the distribution of the others' holes, each of
which leaves the same number of cards. The other players draw rows from lists, independently of each
other, and all of them again if two share a card. So the accepted holes are distributed by the
product of their weights. Players with short lists have a joint list of holes that fit together,
which needs fewer draws.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import attrs
import numpy as np
from numpy.typing import NDArray

from holdem.cards import CardArray
from holdem.dealing.seeds import fractions
from holdem.odds.spot import Spot
from holdem.ranges.combos import COMBO_CARDS, COMBO_SETS, combos_in_deck

_FRACTIONS = 1 << 32  # of a draw


@attrs.frozen(eq=False)
class JointHoles:
    """The ways to deal hole cards (*holes*) to one or more players, with one row per way."""

    players: tuple[int, ...]

    cards: CardArray
    """``uint8 (row, 2 * player)``, in the order of `players`."""

    sets: NDArray[np.uint64]
    """The card set of each row, ``uint64 (row,)``."""

    weights: NDArray[np.float64]
    """The product of the players' weights, ``float64 (row,)``."""


def single_lists(spot: Spot) -> list[JointHoles]:
    """List the possible hole cards of each player who needs a list, the shortest list first.

    Ranges of one combo, or of every hand at one weight, need none.
    """
    players = [player for player in range(spot.players) if _is_listed(spot, player)]
    return sorted((_holes_of(spot, player) for player in players), key=lambda own: len(own.sets))


def _is_listed(spot: Spot, player: int) -> bool:
    every_hand = spot.ranges[player].weights[combos_in_deck(spot.evaluator.rules)]
    return len(spot.live[player]) > 1 and not (every_hand == every_hand[0]).all()


def _holes_of(spot: Spot, player: int) -> JointHoles:
    combos = spot.live[player]
    return JointHoles((player,), COMBO_CARDS[combos], COMBO_SETS[combos], spot.weights(player))


def join(lists: Sequence[JointHoles], limit: int) -> list[JointHoles]:
    """Merge consecutive lists of hole cards as long as each merged list stays short.

    Args:
        lists: lists of different players.
        limit: the most rows that a joint list may have before rows with duplicate cards are
            left out.
    """
    joined: list[JointHoles] = []
    for other in lists:
        if not joined or len(joined[-1].sets) * len(other.sets) > limit:
            joined.append(other)
            continue
        own = joined[-1]
        rows, others = np.nonzero((own.sets[:, None] & other.sets[None, :]) == 0)
        joined[-1] = JointHoles(
            own.players + other.players,
            np.concatenate(
                [own.cards.take(rows, axis=0), other.cards.take(others, axis=0)], axis=1
            ),
            own.sets[rows] | other.sets[others],
            own.weights[rows] * other.weights[others],
        )
    return joined


def estimate_acceptance(lists: Sequence[JointHoles], tries: int) -> tuple[float, float]:
    """Estimate the probability that hole cards drawn from every list share no card, and the
    expected number of draws until they share none.

    The estimate is the same on every machine, since deals depend on it.

    Returns:
        The acceptance rate, 0..1, and the mean number of rows drawn, list after list, until one
        of each fits; infinite if none fitted.
    """
    if len(lists) < 2:
        return 1.0, float(len(lists))
    stream = np.random.PCG64(0)
    used = np.zeros(tries, dtype=np.uint64)
    rows = 0
    for own in lists:
        rows += len(used)
        chances = np.cumsum(own.weights)
        points = fractions(stream, len(used))
        drawn = own.sets[np.searchsorted(chances / chances[-1], points, side="right")]
        fits = used & drawn == 0
        used = used[fits] | drawn[fits]
    return len(used) / tries, rows / len(used) if len(used) else float("inf")


class HoleTables(NamedTuple):
    """Lists of hole cards, as arrays from which kernels draw rows.

    Cards are numbered as in `DealTables`.
    """

    codes: NDArray[np.uint16]
    """``uint16 (player, row)``: the two cards of each row of the player's list, in a byte each;
    padded. Players are in the order of their lists."""
    ends: NDArray[np.uint64]
    """``uint64 (list,)``: the number of players in the lists up to each."""
    sizes: NDArray[np.uint64]
    """``uint64 (list,)``: the number of rows."""
    least: NDArray[np.uint64]
    """``uint64 (list,)``: the fraction below which the draw of a row is biased."""
    weighted: NDArray[np.bool_]
    """``bool (list,)``: whether the rows of a list differ in weight."""
    keep: NDArray[np.uint64]
    """``uint64 (list, row)``: alias tables of weighted lists, as of `make_alias_table`; padded."""
    alias: NDArray[np.uint16]
    """``uint16 (list, row)``: the aliases."""


def make_hole_tables(lists: Sequence[JointHoles], number_of: CardArray) -> HoleTables:
    """Convert lists of hole cards to `HoleTables`.

    Args:
        lists: the lists, of at most 65,535 rows each.
        number_of: ``uint8 (52,)``: the number of each card.
    """
    sizes = np.array([len(own.sets) for own in lists], dtype=np.uint64)
    ends = np.cumsum([len(own.players) for own in lists])
    longest = int(sizes.max(initial=0))
    weighted = np.array([bool((own.weights != own.weights[0]).any()) for own in lists])
    codes = np.zeros((int(ends[-1]) if len(ends) else 0, longest), dtype=np.uint16)
    keep = np.zeros((len(lists), longest if weighted.any() else 0), dtype=np.uint64)
    alias = np.zeros(keep.shape, dtype=np.uint16)
    for number, own in enumerate(lists):
        rows = len(own.sets)
        numbers = number_of.take(own.cards).astype(np.uint16)
        codes[ends[number] - len(own.players) : ends[number], :rows] = (
            numbers[:, 0::2] | numbers[:, 1::2] << 8
        ).T
        if weighted[number]:
            keep[number, :rows], alias[number, :rows] = make_alias_table(own.weights)
    return HoleTables(
        codes=codes,
        ends=ends.astype(np.uint64),
        sizes=sizes,
        least=np.uint64(_FRACTIONS) % sizes,
        weighted=weighted.astype(np.bool_),
        keep=keep,
        alias=alias,
    )


def make_alias_table(weights: NDArray[np.float64]) -> tuple[NDArray[np.uint64], NDArray[np.uint16]]:
    """Create the table of Walker's alias method, which draws weighted rows in constant time.

    Rows lighter than the mean are filled up, in order, by the rows that are heavier: a heavy row
    gives until it is lighter itself, and is then filled up by the next one. How much heavy rows
    have given before each light row, and the reverse, follows from cumulative sums. (Walker: An
    efficient method for generating discrete random variables with general distributions, 1977.)

    Args:
        weights: ``float64 (row,)``, all above zero, at most 65,535.

    Returns:
        ``keep``, ``uint64 (row,)``, and ``alias``, ``uint16 (row,)``: draw a row uniformly, and a
        random word; keep the row if the word is at most its ``keep``, else take its ``alias``.
    """
    scaled = weights * (len(weights) / np.cumsum(weights)[-1])
    light, heavy = np.flatnonzero(scaled < 1.0), np.flatnonzero(scaled >= 1.0)
    lacking, given = np.cumsum(1.0 - scaled[light]), np.cumsum(scaled[heavy] - 1.0)
    keep, alias = np.ones(len(weights)), np.arange(len(weights), dtype=np.uint16)
    before = np.concatenate([[0.0], lacking[:-1]])[: len(light)]
    giver = np.searchsorted(given, before, side="right")
    keep[light] = scaled[light]
    alias[light] = heavy[np.minimum(giver, len(heavy) - 1)]
    taker = np.searchsorted(lacking, given)  # the first to ask for all that is given, or for more
    short = np.flatnonzero(taker < len(light))[: len(heavy) - 1]
    keep[heavy[short]] = 1.0 - (lacking[taker[short]] - given[short])
    alias[heavy[short]] = heavy[short + 1]
    words = np.minimum(np.maximum(keep, 0.0), 1.0 - 2.0**-53) * 2.0**64
    return np.where(keep < 1.0, words.astype(np.uint64), np.uint64(2**64 - 1)), alias
