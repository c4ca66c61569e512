"""Preparation of a spot's draw tables: known cards, lists of hole cards, and the deck.

A player with one combo has known cards. A player whose range is every hand at one weight draws
from the deck after all others. This does not change the distribution of the others' holes, each of
which leaves the same number of cards. The other players draw rows from weighted lists, and all are
redrawn if two rows share a card. Players whose ranges overlap have a joint list of holes that fit
together, so that few draws are rejected. If nearly all would still be rejected, scarce cards are
tracked (`holdem.odds.sampling.deck_draws.scarce_cards`). Before the flop, where holes take many
draws, several boards are dealt for each draw of them (`holdem.odds.sampling.cluster_sampling`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import isfinite

import numpy as np
from numpy.typing import NDArray

from holdem.cards import DECK_SIZE
from holdem.errors import BudgetError, quoted
from holdem.evaluation.builtin.lookup_keys import CARD_KEYS, CARD_MASKS, SUIT_COUNT_START
from holdem.odds.sampling.alias_table import alias_table
from holdem.odds.sampling.cluster_sampling import choose_cluster_size
from holdem.odds.sampling.deck_draws.scarce_cards import ScarceCards, choose_scarce_cards
from holdem.odds.sampling.deck_draws.tables import ID_SHIFT, DrawTables
from holdem.odds.sampling.joint_holes import JointHoles, acceptance, holes_of, join
from holdem.odds.spot import BOARD_SIZE, Spot
from holdem.ranges.combos import combos_in_deck

# A joint list of this many rows, of 100 bytes each, stays in the L2 cache. With 2^18 rows a deal
# of four ranges took twice as long.
_MAX_JOINT_ROWS = 1 << 14
_WORD = 8  # draws from one random word
_TRIES, _MIN_ACCEPTANCE = 1 << 16, 1 / 4096
_MAX_DRAWS = 1 << 14  # of holes per deal: 0.1 ms
# Each card's key, with its id in the bits above.
_PACKED: NDArray[np.uint64] = CARD_KEYS | np.arange(DECK_SIZE, dtype=np.uint64) << ID_SHIFT


def draw_tables(
    spot: Spot, *, independent: bool = False, max_draws: int = _MAX_DRAWS
) -> DrawTables:
    """Return the tables from which a spot's deals are drawn.

    Args:
        spot: the spot whose deals are drawn.
        independent: draw new hole cards for every deal.
        max_draws: how many holes may be drawn for a deal, on average.

    Raises:
        BudgetError: as by `draw_lists`.
    """
    lists, scarce, draws = draw_lists(spot, max_draws)
    # From the flop on, hole cards decide too much of the outcome.
    shared = spot.to_come == BOARD_SIZE and lists and not independent
    cluster_size = choose_cluster_size(spot.players, draws, single_lists(spot)) if shared else 1
    return pack_tables(spot, lists, scarce, cluster_size)


def draw_lists(
    spot: Spot, max_draws: int = _MAX_DRAWS
) -> tuple[list[JointHoles], ScarceCards | None, float]:
    """Return the lists from which a spot's hole cards are drawn, the scarce cards, if they are
    tracked, and the mean number of draws per deal.

    Args:
        spot: the spot whose deals are drawn.
        max_draws: how many holes may be drawn for a deal, on average.

    Raises:
        BudgetError: the ranges overlap so much that deals would take too long to find.
    """
    singles = single_lists(spot)
    lists = join(singles, _MAX_JOINT_ROWS)
    accepted, draws = acceptance(lists, _TRIES)
    if accepted >= _MIN_ACCEPTANCE:
        return lists, None, draws
    scarce = choose_scarce_cards(singles)
    if scarce.draws > max_draws:
        raise BudgetError(_too_many_draws(spot, scarce.draws, max_draws))
    return singles, scarce, scarce.draws


def single_lists(spot: Spot) -> list[JointHoles]:
    """Return the possible hole cards of each player whose range is neither a single combo nor every
    hand at one weight, shortest list first.
    """
    players = [player for player in range(spot.players) if _is_listed(spot, player)]
    return sorted((holes_of(spot, player) for player in players), key=lambda own: len(own.sets))


def _is_listed(spot: Spot, player: int) -> bool:
    every_hand = spot.ranges[player].weights[combos_in_deck(spot.evaluator.rules)]
    return len(spot.live[player]) > 1 and not (every_hand == every_hand[0]).all()


def _too_many_draws(spot: Spot, draws: float, max_draws: int) -> str:
    texts = ", ".join(quoted(text) for text in spot.texts)
    taken = f"some {draws:,.0f} draws" if isfinite(draws) else "more draws than can be estimated"
    return (
        f"these ranges share so many cards that finding one deal takes {taken}, and the limit"
        f" is {max_draws:,}: {texts}; widen the ranges or remove players"
    )


def pack_tables(
    spot: Spot, lists: Sequence[JointHoles], scarce: ScarceCards | None, cluster_size: int
) -> DrawTables:
    """Return a spot's draw tables, built from given lists of hole cards.

    Args:
        spot: the spot whose deals are drawn.
        lists: the holes of the players of `single_lists`, in any grouping.
        scarce: the scarce cards of lists of one player each; None to draw without them.
        cluster_size: how many deals share the holes from lists.
    """
    template = np.zeros(BOARD_SIZE + 2 * spot.players, dtype=np.uint8)
    template[: len(spot.board)] = spot.board
    listed = {player for own in lists for player in own.players}
    columns = list(range(len(spot.board), BOARD_SIZE))
    known = list(range(len(spot.board)))
    for player in range(spot.players):
        hole = [BOARD_SIZE + 2 * player, BOARD_SIZE + 2 * player + 1]
        if len(spot.known[player]):
            template[hole] = spot.known[player]
            known += hole
        elif player not in listed:
            columns += hole
    seats = np.array(
        [spot.players] * BOARD_SIZE + [column // 2 for column in range(2 * spot.players)]
    )
    seat_keys = np.zeros(spot.players + 1, dtype=np.uint64)
    np.add.at(seat_keys, seats[known], CARD_KEYS[template[known]])
    seat_keys[-1] += np.uint64(SUIT_COUNT_START)
    seat_masks = np.zeros(spot.players + 1, dtype=np.uint64)
    np.bitwise_or.at(seat_masks, seats[known], CARD_MASKS[template[known]])
    deck = spot.board_cards
    # Besides the cards needed, all cards that the listed players hold may be drawn and skipped.
    draws = min(len(columns) + 2 * len(listed), len(deck))
    padded = -(-max(draws, 1) // _WORD) * _WORD
    ranges = np.maximum(len(deck) - np.arange(padded), 1).astype(np.uint64)
    ranges[draws:] = 1
    width = max([own.cards.shape[1] for own in lists], default=2)
    list_columns = np.zeros((len(lists), width), dtype=np.uint64)
    for number, own in enumerate(lists):
        held = [BOARD_SIZE + 2 * player + i for player in own.players for i in (0, 1)]
        list_columns[number, : len(held)] = held
    sizes = [len(own.sets) for own in lists]
    starts = np.cumsum([0, *sizes]).astype(np.uint64)
    aliases = [alias_table(own.weights) for own in lists]
    cards = [np.pad(own.cards, ((0, 0), (0, width - own.cards.shape[1]))) for own in lists]
    return DrawTables(
        template=_PACKED[template],
        seat_keys=seat_keys,
        seat_masks=seat_masks,
        seat_draws=np.bincount(seats[columns], minlength=spot.players + 1).astype(np.uint64),
        deck=_PACKED[deck],
        columns=np.array(columns, dtype=np.uint64),
        ranges=ranges,
        thresholds=np.uint64(1 << 32) % ranges.reshape(-1, 4).prod(axis=1),
        list_starts=starts,
        list_thresholds=np.array([(1 << 32) % size for size in sizes], dtype=np.uint64),
        list_columns=list_columns,
        list_widths=np.array([own.cards.shape[1] for own in lists], dtype=np.uint64),
        rows=_PACKED[np.concatenate([np.zeros((0, width), dtype=np.uint8), *cards])],
        row_sets=_joined(own.sets for own in lists),
        keep=_joined(keep for keep, _ in aliases),
        alias=_joined(alias + start for (_, alias), start in zip(aliases, starts, strict=False)),
        scarce=_joined(scarce.bits if scarce else ()),
        acceptance=scarce.acceptance if scarce else np.zeros((0, 0), dtype=np.uint64),
        cluster_size=cluster_size,
    )


def _joined(parts: Iterable[NDArray[np.uint64]]) -> NDArray[np.uint64]:
    return np.concatenate([np.zeros(0, dtype=np.uint64), *parts])
