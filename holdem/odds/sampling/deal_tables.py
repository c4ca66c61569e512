"""Composition of a spot's deals: known cards, hole cards from lists, and cards from the deck.

A *hole* is a player's two hole cards. The hole of a player with one combo is known. A player whose
range is every hand at one weight draws from the deck, after all others. This does not change the
distribution of the others' holes, because each of them leaves the same number of cards. All other
players draw from lists of their possible holes, independently of each other. If two drawn holes
share a card, all are drawn again. So the probability of accepted holes is proportional to the
product of their weights. Short lists are merged into a joint list, whose rows are holes of several
players that share no card; this needs fewer draws.

Cards are numbered again, the unknown ones from 0 on and the known ones after them. A draw from the
deck is then a number below the number of unknown cards, without a test for known or dead cards.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import attrs
import numpy as np
from numpy.typing import NDArray

from holdem.cards import DECK_SIZE, CardArray
from holdem.dealing.seeds import fractions
from holdem.evaluation.builtin.lookup_tables import (
    CARD_KEYS,
    CARD_MASKS,
    StrengthTable,
    StrengthTables,
    seven_or_empty,
)
from holdem.odds.spot import BOARD_SIZE, Spot
from holdem.ranges.combos import COMBO_CARDS, COMBO_SETS, combos_in_deck

_FRACTIONS = 1 << 32  # of a draw
_PER_WORD = 6  # cards drawn from a random word, three from each half
_NUMBERS = 64


# --- lists of holes -------------------------------------------------------------------------


@attrs.frozen(eq=False)
class JointHoles:
    """A list of the ways to deal hole cards to one or more players, with a row for each way."""

    seats: tuple[int, ...]
    """The indices of the players, from 0."""

    cards: CardArray
    """The ids of the hole cards, two columns for each player, in the order of `seats`, ``uint8
    (row, 2 * player)``."""

    sets: NDArray[np.uint64]
    """The set of the cards in each row, ``uint64 (row,)``."""

    weights: NDArray[np.float64]
    """The product of the weights of the players' combos, ``float64 (row,)``; in joint lists, times
    the power of two with which the largest is from 1/2 to 1."""


def single_lists(spot: Spot) -> list[JointHoles]:
    """Create a list of possible hole cards for each player who needs one, the shortest list first.

    Players with one combo, or with every hand at one weight, need no list.
    """
    in_deck, lists = combos_in_deck(spot.evaluator.rules), []
    for player, (hands, live) in enumerate(zip(spot.ranges, spot.live, strict=True)):
        every_hand = hands.weights[in_deck]
        if len(live) > 1 and (every_hand != every_hand[0]).any():
            cards, weights = COMBO_CARDS[live], spot.weights(player)
            lists.append(JointHoles((player,), cards, COMBO_SETS[live], weights))
    return sorted(lists, key=lambda own: len(own.sets))


def join(lists: Sequence[JointHoles], limit: int) -> list[JointHoles]:
    """Replace consecutive lists by one joint list, as long as this list stays short.

    A joint list has every combination of a row of each list, of different players, in which no card
    is used twice. `limit` is the maximum product of the lengths of two lists that are joined.
    """
    joined: list[JointHoles] = []
    for other in lists:
        if not joined or len(joined[-1].sets) * len(other.sets) > limit:
            joined.append(other)
            continue
        own = joined[-1]
        rows, others = np.nonzero((own.sets[:, None] & other.sets[None, :]) == 0)
        joined[-1] = JointHoles(
            own.seats + other.seats,
            np.concatenate(
                [own.cards.take(rows, axis=0), other.cards.take(others, axis=0)], axis=1
            ),
            own.sets[rows] | other.sets[others],
            _multiply(own.weights[rows], other.weights[others]),
        )
    return joined


def _multiply(weights: NDArray[np.float64], others: NDArray[np.float64]) -> NDArray[np.float64]:
    """Multiply weights, and scale the products, as those of ten small weights would be 0."""
    (own, powers), (other, more) = np.frexp(weights), np.frexp(others)
    products, less = np.frexp(own * other)
    powers = powers + more + less
    scaled: NDArray[np.float64] = np.ldexp(
        products, powers - powers.max(initial=np.iinfo(np.int32).min)
    )
    return scaled


def estimate_acceptance(lists: Sequence[JointHoles], tries: int) -> tuple[float, float]:
    """Estimate how likely rows drawn from all lists are to share no card, from simulated tries.

    The second number is the mean number of rows drawn, list after list, until no two share a card;
    infinite if rows of all lists never fitted together. Both are the same on every machine, since
    the choice of lists, and with it the sampled deals, depends on them.
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
    """``uint16 (player, row)``: the player's two cards in each row of the list, in a byte each;
    padded. Players are in the order of their lists."""
    ends: NDArray[np.uint64]
    """``uint64 (list,)``: the number of players in the list and in all lists before it."""
    sizes: NDArray[np.uint64]
    """``uint64 (list,)``: the number of rows of each list."""
    least: NDArray[np.uint64]
    """``uint64 (list,)``: ``2^32 % size`` of each list, the argument `least` of `draw_rows`."""
    weighted: NDArray[np.bool_]
    """``bool (list,)``: whether the rows of a list differ in weight."""
    keep: NDArray[np.uint64]
    """``uint64 (list, row)``: ``keep`` of `make_alias_table` for weighted lists; padded."""
    alias: NDArray[np.uint16]
    """``uint16 (list, row)``: ``alias`` of `make_alias_table` for weighted lists; padded."""


def make_hole_tables(spot: Spot, lists: Sequence[JointHoles]) -> HoleTables:
    """Convert lists of hole cards, of at most 65,535 rows each, to `HoleTables`."""
    number_of = number_cards(spot)
    sizes = np.array([len(own.sets) for own in lists], dtype=np.uint64)
    ends = np.cumsum([len(own.seats) for own in lists])
    longest = int(sizes.max(initial=0))
    weighted = np.array([bool((own.weights != own.weights[0]).any()) for own in lists])
    codes = np.zeros((int(ends[-1]) if len(ends) else 0, longest), dtype=np.uint16)
    keep = np.zeros((len(lists), longest if weighted.any() else 0), dtype=np.uint64)
    alias = np.zeros(keep.shape, dtype=np.uint16)
    for number, own in enumerate(lists):
        rows = len(own.sets)
        numbers = number_of.take(own.cards).astype(np.uint16)
        codes[ends[number] - len(own.seats) : ends[number], :rows] = (
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
    """Create ``keep`` and ``alias`` of Walker's method, which draws weighted rows in constant time.

    To draw, choose a row uniformly and a random 64-bit word. Keep the row if the word is at most
    ``keep[row]``, ``uint64 (row,)``; otherwise, take ``alias[row]``, ``uint16 (row,)``. The
    weights, ``float64 (row,)`` of at most 65,535 rows, are all above zero.

    A row with less than the mean weight is light, and a row with more is heavy. Heavy rows fill up
    light rows in order. A heavy row gives weight until it is light itself; it is then filled up by
    the next heavy row. How much heavy rows have given before each light row, and the reverse,
    follows from cumulative sums. (Walker: An efficient method for generating discrete random
    variables with general distributions, 1977.)
    """
    scaled = weights * (len(weights) / np.cumsum(weights)[-1])
    # A row of exactly the mean neither gives nor takes. The heaviest row is heavy even if rounding
    # leaves none above the mean.
    is_heavy = scaled > 1.0
    is_heavy[scaled.argmax()] = True
    light, heavy = np.flatnonzero(scaled < 1.0), np.flatnonzero(is_heavy)
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


# --- tables ---------------------------------------------------------------------------------


class DealTables(NamedTuple):
    """The arrays from which kernels draw a spot's deals.

    The columns of a deal are the board, each player's hole cards, and any burnt cards. Cards are
    numbered as by `number_cards`.
    """

    cards: CardArray
    """``uint8 (number,)``: the card id of each card number, padded to 64 elements."""
    template: CardArray
    """``uint8 (6 + 2 * players + burns,)``: the number of each known card in its column, and 0 in
    unknown columns. The last column is a spare one. No known card has the number 0, since known
    cards are numbered last."""
    columns: NDArray[np.uint64]
    """``uint64 (place,)``: the unknown columns in the order of drawing. Those of holes from lists
    come first; those of cards from the deck are padded with the spare column to a multiple of
    six."""
    sizes: NDArray[np.uint64]
    """``uint64 (draw,)``: how many cards the deck has left at each draw; 1 for the spare column."""
    least: NDArray[np.uint64]
    """``uint64 (draw / 3,)``: the argument `least` of `draw_three` for every three draws."""
    draws: np.uint64
    """The number of draws from the deck, without those for the spare column."""
    keys: NDArray[np.uint64]
    """``uint64 (number,)``: the key of each card, by which tables of strengths are read."""
    masks: NDArray[np.uint64]
    """``uint64 (number,)``: the suit mask of each card."""
    strengths: StrengthTable
    """The table of hands of seven cards; empty if an evaluator ranks the hands."""


class Blocks(NamedTuple):
    """Consecutive blocks of deals, and the hole cards that were drawn from lists for them."""

    start: np.uint64
    """The counter of the random generator at which block 0 begins."""
    first: np.uint64
    """The number of the first block."""
    sizes: NDArray[np.int64]
    """``int64 (block,)``: the number of deals to draw of each block, from its first deal on."""
    holes: NDArray[np.uint16]
    """``uint16 (block, player, deal)``: the holes from lists, as in `HoleTables.codes`. The number
    of deals is that of the largest block, rounded up to complete groups."""


def make_deal_tables(
    spot: Spot, listed: Sequence[int], tables: StrengthTables | None, burns: int = 0
) -> DealTables:
    """Create the `DealTables` of a spot, with `burns` burnt cards in each deal.

    `listed` has the players whose holes come from lists, in the order of the lists. `tables` is
    None if the evaluator ranks every hand itself.
    """
    number_of = number_cards(spot)
    cards = np.zeros(_NUMBERS, dtype=np.uint8)  # padded, so that kernels need no bounds check
    cards[number_of] = np.arange(DECK_SIZE)
    hands_end = BOARD_SIZE + 2 * spot.players
    template = np.zeros(hands_end + burns + 1, dtype=np.uint8)
    template[: len(spot.board)] = number_of[list(spot.board)]
    drawn = list(range(len(spot.board), BOARD_SIZE))
    for player, hole in enumerate(spot.known):
        column = BOARD_SIZE + 2 * player
        if len(hole):
            template[column : column + 2] = number_of[hole]
        elif player not in listed:
            drawn += [column, column + 1]
    drawn += range(hands_end, hands_end + burns)
    from_lists = [BOARD_SIZE + 2 * player + card for player in listed for card in (0, 1)]
    spare = -len(drawn) % _PER_WORD
    columns = [*from_lists, *drawn, *[len(template) - 1] * spare]
    left = len(spot.board_cards) - len(from_lists)
    sizes = np.array([*range(left, left - len(drawn), -1), *[1] * spare], dtype=np.uint64)
    return DealTables(
        cards=cards,
        template=template,
        columns=np.array(columns, dtype=np.uint64),
        sizes=sizes,
        least=np.uint64(1 << 32) % sizes.reshape(-1, 3).prod(axis=1, dtype=np.uint64),
        draws=np.uint64(len(drawn)),
        keys=CARD_KEYS[cards],
        masks=CARD_MASKS[cards],
        strengths=seven_or_empty(tables),
    )


def number_cards(spot: Spot) -> CardArray:
    """Number the card ids, ``uint8 (card,)``, so that the cards that can be drawn come first."""
    unknown = spot.board_cards
    order = np.append(unknown, np.setdiff1d(np.arange(DECK_SIZE), unknown))
    return np.argsort(order).astype(np.uint8)
