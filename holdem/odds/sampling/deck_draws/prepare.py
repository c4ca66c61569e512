"""How the deals of a spot are drawn: what is known, what comes from a range, what from the deck.

A player with one combo has known cards. A player whose range is all hands alike draws from
the deck, after everybody else: every hole of the others leaves as many cards, so that makes
no difference to their distribution. The others draw rows from weighted lists, all again when
two share a card; players whose ranges overlap much are put into one list of pairs (triples,
...) that fit together, so that few draws are lost. Where nearly all would be lost all the
same, what is drawn leaves room for what comes after (`holdem.odds.sampling.deck_draws.scarce_cards`). Before the
flop, where holes take many draws, several boards are dealt for them (`holdem.odds.sampling.cluster_sampling`).
"""

from __future__ import annotations

from math import isfinite

import numpy as np
from numpy.typing import NDArray

from holdem.cards import DECK_SIZE
from holdem.errors import BudgetError, quoted
from holdem.evaluation.builtin.lookup.keys import CARD_KEYS
from holdem.odds.sampling.alias_table import alias_table
from holdem.odds.sampling.cluster_sampling import boards_a_draw
from holdem.odds.sampling.deck_draws.scarce_cards import Contest, weigh_contest
from holdem.odds.sampling.deck_draws.tables import ID_SHIFT, DrawTables
from holdem.odds.sampling.joint_holes import JointHoles, holes_of, join, rows_that_fit
from holdem.odds.spot import BOARD_SIZE, Spot
from holdem.ranges.starting_hands import in_deck

# Rows of a list of holes that fit together: of 100 bytes each, so that they stay in the second
# cache. With 2^18 four ranges took twice as long a deal.
_JOINED_LIMIT = 1 << 14
_WORD = 8  # draws from one random word
# Each card's id above its key.
_PACKED: NDArray[np.uint64] = CARD_KEYS | np.arange(DECK_SIZE, dtype=np.uint64) << ID_SHIFT
_TRIES, _LEAST_KEPT = 1 << 16, 1 / 4096
_MOST_DRAWS = 1 << 14  # of holes for a deal: 0.1 ms


def draw_tables(spot: Spot, *, apart: bool = False) -> DrawTables:
    """Prepare a spot for the drawing kernels.

    Args:
        spot: what is drawn.
        apart: no two deals share holes.

    Raises:
        BudgetError: ranges that overlap so much that deals would take too long to find.
    """
    singles = sorted(
        [holes_of(spot, player) for player in range(spot.players) if _is_listed(spot, player)],
        key=lambda group: len(group.sets),
    )
    groups, contest = join(singles, _JOINED_LIMIT), None
    fit, draws = rows_that_fit(groups, _TRIES)
    if fit < _LEAST_KEPT:
        groups, contest = singles, _contest(spot, singles)
        draws = contest.draws
    template = np.zeros(BOARD_SIZE + 2 * spot.players, dtype=np.uint8)
    template[: len(spot.board)] = spot.board
    columns = list(range(len(spot.board), BOARD_SIZE))
    listed = {player for group in groups for player in group.players}
    for player in range(spot.players):
        place = BOARD_SIZE + 2 * player
        if len(spot.known[player]):
            template[place : place + 2] = spot.known[player]
        elif player not in listed:
            columns += [place, place + 1]
    deck = spot.board_cards

    # Every draw may first pass over all the cards that the listed players hold.
    places = min(len(columns) + 2 * len(listed), len(deck))
    padded = -(-max(places, 1) // _WORD) * _WORD
    ranges = np.maximum(len(deck) - np.arange(padded), 1).astype(np.uint64)
    ranges[places:] = 1
    products = ranges.reshape(-1, 4).prod(axis=1)
    width = max([group.cards.shape[1] for group in groups], default=2)
    group_columns = np.zeros((len(groups), width), dtype=np.uint64)
    for row, group in enumerate(groups):
        held = [BOARD_SIZE + 2 * player + i for player in group.players for i in (0, 1)]
        group_columns[row, : len(held)] = held
    sizes = [len(group.sets) for group in groups]
    starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.uint64)
    keep, alias = (
        zip(*(alias_table(group.weights) for group in groups), strict=True) if groups else ((), ())
    )
    return DrawTables(
        template=_PACKED[template],
        deck=_PACKED[deck],
        columns=np.array(columns, dtype=np.uint64),
        ranges=ranges,
        thresholds=np.uint64(1 << 32) % products,
        group_starts=starts,
        group_thresholds=np.array([(1 << 32) % size for size in sizes], dtype=np.uint64),
        group_columns=group_columns,
        group_widths=np.array([group.cards.shape[1] for group in groups], dtype=np.uint64),
        rows=_PACKED[
            _stack(
                [np.pad(g.cards, ((0, 0), (0, width - g.cards.shape[1]))) for g in groups],
                (0, width),
                np.uint8,
            )
        ],
        row_sets=_stack([group.sets for group in groups], (0,), np.uint64),
        keep=_stack(list(keep), (0,), np.uint64),
        alias=_stack(
            [own + start for own, start in zip(alias, starts, strict=False)], (0,), np.uint64
        ),
        contested=_stack(contest.bits if contest else [], (0,), np.uint64),
        chances=contest.chances if contest else np.zeros((0, 0), dtype=np.uint64),
        boards_a_draw=1 if apart else _boards_a_draw(spot, listed, draws),
    )


def _stack(parts: list[NDArray], shape: tuple[int, ...], dtype: type) -> NDArray:  # type: ignore[type-arg]
    return np.concatenate(parts).astype(dtype) if parts else np.zeros(shape, dtype=dtype)


def _is_listed(spot: Spot, player: int) -> bool:
    """Whether a player's hole comes from a list, not from the deck."""
    every_hand = spot.ranges[player].weights[in_deck(spot.evaluator.rules)]
    return len(spot.live[player]) > 1 and not (every_hand == every_hand[0]).all()


def _boards_a_draw(spot: Spot, listed: set[int], draws: float) -> int:
    """Return how many boards are dealt for each draw of the holes that come from lists."""
    if spot.to_come < BOARD_SIZE or not listed:
        return 1  # on a flop holes decide too much of what becomes of a deal
    combos = sum(len(spot.live[player]) for player in listed) / len(listed)
    return boards_a_draw(spot.players, draws, combos)


def _contest(spot: Spot, singles: list[JointHoles]) -> Contest:
    players = [group.players[0] for group in singles]
    contest = weigh_contest(
        [spot.live[player] for player in players], [spot.weights(player) for player in players]
    )
    if contest.draws > _MOST_DRAWS:
        texts = ", ".join(quoted(text) for text in spot.texts)
        taken = "more than can be told"
        if isfinite(contest.draws):
            taken = f"some {contest.draws:,.0f} draws"
        raise BudgetError(
            f"these ranges share so many cards that finding one deal takes {taken}, and the limit"
            f" is {_MOST_DRAWS:,}: {texts}; widen the ranges or take players out"
        )
    return contest
