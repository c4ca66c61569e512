"""Base class of the exact methods that count the outcomes of each match-up separately.

A match-up is a choice of one combo for each player, in which no card is used twice. Of match-ups
that differ only by a suit permutation that leaves the board and the dead cards unchanged, one is
counted, with the sum of their weights.

`count_over_runouts` counts the winners of match-ups over all runouts of their boards.
`count_over_runouts_in_numpy` does the same if all match-ups have the same board.
"""

from __future__ import annotations

from functools import cache, reduce
from math import fsum

import numpy as np
from numpy.typing import NDArray

from holdem.cards import DECK_SIZE, CardArray
from holdem.evaluation.builtin.lookup import strength
from holdem.evaluation.builtin.lookup_tables import CARD_KEYS, CARD_MASKS, StrengthTable
from holdem.jit.kernels import inlined, kernel, unowned
from holdem.odds.exact.method import (
    COMPARISONS,
    TOGETHER_IN_NUMPY,
    ComboTotals,
    ExactMethod,
    PlayerSums,
    convert_two_players,
)
from holdem.odds.exact.ranked_combos import (
    rank_combos_in_numpy,
    sum_cards,
)
from holdem.odds.matchups import Matchups, list_matchups
from holdem.odds.symmetry import CanonicalBoards, list_canonical_boards
from holdem.odds.tally import SHARE_UNIT, outcomes, share_units, update_winners
from holdem.ranges.combos import COMBO_COUNT, combo_numbers


class MatchupMethod(ExactMethod):
    """Base class of `KnownHands` and `RankedBoards`, which count each match-up separately.

    `_sums` is ``int64 (match-up, 2^players)``: for each match-up that is counted, the number of
    deals in which each set of players shares the best hand. The set is a number with a bit for each
    player.

    By category, `_sums` is ``float64 (player, category, players + 1)``: the weight of the deals in
    which a player's hand has a category. The index on the last axis is 0 if the player loses, and
    otherwise the number of players who share the best hand, including the player.
    """

    _matchups: Matchups
    _weights: NDArray[np.float64]
    """For each match-up that is counted, the total weight of those for which it stands, ``float64
    (match-up,)``; set by category only."""

    def prepare(self) -> None:
        spot = self.spot
        matchups = list_matchups(spot)
        assert matchups is not None, "checked by `cost`"
        self._matchups = matchups
        if not self.by_category:
            shape = len(matchups.representatives), 1 << spot.players
            self._sums = np.zeros(shape, dtype=np.int64)
            return
        categories = len(spot.evaluator.rules.categories)
        weights = spot.all_weights[np.arange(spot.players), matchups.combos].prod(axis=1)
        self._weights = np.bincount(matchups.orbits, weights).astype(np.float64)
        self._sums = np.zeros((spot.players, categories, spot.players + 1))

    def player_sums(self) -> tuple[PlayerSums, ...] | None:
        """Compute both players' sums for two unweighted ranges; None for other spots."""
        if self.spot.players != 2 or not self.spot.is_unweighted:
            return None
        sums, orbits = self._sums, self._matchups.orbits
        if len(sums) < len(orbits):
            sums = sums * np.bincount(orbits)[:, None]
        _, won, lost, tied = sums.sum(axis=0).tolist()
        return convert_two_players(won, tied, won + lost + tied)

    def totals(self) -> tuple[ComboTotals, ...]:
        spot, held, rows = self.spot, self._matchups.combos.T, self._matchups.orbits
        weights = [own.weights[combos] for own, combos in zip(spot.ranges, held, strict=True)]
        # Sums of integers below 2^53 are exact in doubles, whose matrix product is three times as
        # fast.
        by_outcome = _stack_outcomes(spot.players) @ self._sums.T.astype(np.float64)
        found = []
        for player, live in enumerate(spot.live):
            own = held[player]
            others = reduce(np.multiply, weights[:player] + weights[player + 1 :])
            sums = by_outcome[player].take(rows, axis=1)
            sums *= others
            # If they are equal, each combo has one match-up. Comparing single ones takes 4 µs.
            if len(own) > 1 and not np.array_equal(own, live):
                sums = np.array([np.bincount(own, row, COMBO_COUNT)[live] for row in sums])
            wins, ties, losses, shared = sums
            found.append(ComboTotals(live, wins, ties, losses, shared / SHARE_UNIT))
        return tuple(found)

    def category_sums(self) -> tuple[tuple[PlayerSums, ...], ...]:
        return tuple(tuple(map(_convert_winners, own)) for own in self._sums.tolist())


@cache
def _stack_outcomes(players: int) -> NDArray[np.float64]:
    """Tabulate the outcome of each set of winners for each player, ``float64 (player, 4, set)``.

    The four are whether the player wins, ties and loses, and the share of the pot in units of
    1/2520, in which it is a whole number. A set of winners has a bit for each player.
    """
    return np.stack([*outcomes(players), share_units(players)], axis=1)


def _convert_winners(by_winners: list[float]) -> PlayerSums:
    """Convert a player's deals, by the number of winners, to wins, ties, losses and pot shares.

    `by_winners` has the weight of the deals that the player loses, wins alone, shares with one
    other player, with two others, and so on.
    """
    lost, alone, *tied = by_winners
    shares = (weight / count for count, weight in enumerate(tied, 2))
    return PlayerSums(alone, fsum(tied), lost, fsum((alone, *shares)))


def estimate_matchups(boards: int, combos: int, matchups: int, players: int, sums: int) -> int:
    """Estimate the cost of comparing the combos of all match-ups in numpy, in evaluations.

    `boards` are complete, `combos` are ranked on each of them, and `sums` is the number of counts
    for each match-up, such as 2^players for the sets of winners.
    """
    return boards * combos + matchups * (boards * players + sums) // COMPARISONS


def count_winners_in_numpy(
    strengths: NDArray[np.signedinteger],
    rows: NDArray[np.int64],
    orbit_sizes: NDArray[np.int64] | NDArray[np.uint8],
    counts: NDArray[np.int64],
) -> None:
    """Count, in numpy, the winners of each match-up over a batch of boards.

    The arguments are those of `holdem.odds.exact.ranked_boards.count_winners_by_matchup`.
    """
    together = max(1, TOGETHER_IN_NUMPY // max(strengths.shape[1], counts.shape[1]))
    for start in range(0, len(rows), together):
        part = slice(start, start + together)
        winners = find_winners(strengths, rows[part])
        cells = np.arange(len(winners))[:, None] * counts.shape[1] + winners
        found = np.bincount(
            cells.ravel(), np.broadcast_to(orbit_sizes, cells.shape).ravel(), counts[part].size
        )
        found = found.reshape(len(winners), -1)
        found[:, 0] = 0  # no winners: a combo is blocked
        counts[part] += found.astype(np.int64)


def find_winners(
    strengths: NDArray[np.signedinteger], rows: NDArray[np.int64]
) -> NDArray[np.int16]:
    """Find the players who share the best hand in each match-up on each board.

    `strengths` is ``(combo, board)``, the lowest integer of the dtype if a combo shares a card with
    the board; `rows` has the row of each player's combo, ``int64 (match-up, player)``. The masks,
    ``int16 (match-up, board)``, have a bit for each player; 0 on boards that contain a hole card.
    """
    held = [strengths[own] for own in rows.T]
    best, worst = np.maximum.reduce(held), np.minimum.reduce(held)
    winners = np.zeros(best.shape, dtype=np.int16)
    for player, own in enumerate(held):
        winners |= (own == best).astype(np.int16) << player
    winners[worst == np.iinfo(strengths.dtype).min] = 0  # blocked
    return winners


# --- all runouts of a board ---------------------------------------------------------------

_ONE, NO_CARDS = np.uint64(1), np.uint64(0)


@inlined
def list_deck(used: np.uint64, deck: NDArray[np.uint64]) -> np.int64:
    """Write keys and suit masks of the cards not in the set `used` to `deck`; return their number.

    Keys and suit masks of cards add up to those of a hand, by which tables of strengths are indexed
    (`holdem.evaluation.builtin.lookup_tables`). `deck` is ``uint64 (52, 2)``, lowest card first.
    """
    size = np.int64(0)  # not a literal, for which other helpers would be compiled once more
    for card in range(np.uint64(52)):
        if not used >> card & _ONE:
            deck[size, 0], deck[size, 1] = CARD_KEYS[card], CARD_MASKS[card]
            size += 1
    return size


@inlined
def _count_last_card(
    table: StrengthTable,
    keys: NDArray[np.uint64],
    masks: NDArray[np.uint64],
    board_key: np.uint64,
    board_mask: np.uint64,
    deck: NDArray[np.uint64],
    size: int | np.int64,
    counts: NDArray[np.int64],
) -> None:
    """Add a match-up's winners over every possible last board card to `counts`.

    `keys` and `masks` are those of each player's hole cards, ``uint64 (player,)``; `board_key`, as
    `sum_cards` computes it, and `board_mask` are those of the other board cards. The last card is
    one of the first `size` of `deck`, whose keys and suit masks are ``uint64 (52, 2)``. `counts` is
    by set of winners, ``int64 (2^players,)``.
    """
    if len(keys) == 2:
        key_a, key_b = board_key + keys[0], board_key + keys[1]
        mask_a, mask_b = board_mask | masks[0], board_mask | masks[1]
        wins = ties = np.int64(0)
        for card in range(np.uint64(size)):
            key, mask = deck[card, 0], deck[card, 1]
            a = strength(table, key_a + key, mask_a | mask)
            b = strength(table, key_b + key, mask_b | mask)
            wins += a > b
            ties += a == b
        counts[1] += wins
        counts[2] += size - wins - ties
        counts[3] += ties
        return
    for card in range(np.uint64(size)):
        key, mask = board_key + deck[card, 0], board_mask | deck[card, 1]
        best, winners = np.int64(0), np.uint64(0)
        for player in range(np.uint64(len(keys))):
            value = np.int64(strength(table, key + keys[player], mask | masks[player]))
            best, winners = update_winners(best, winners, value, _ONE << player)
        counts[winners] += 1


@kernel
def count_over_runouts(
    table: StrengthTable,
    holes: CardArray,
    boards: CardArray,
    gone: NDArray[np.uint64],
    counts: NDArray[np.int64],
) -> None:
    """Add the winners of each match-up over all runouts of its board to `counts`.

    `holes` is ``uint8 (match-up, player, 2)``; all cards of a match-up are different. `boards` has
    the known cards, ``uint8 (match-up, card)``, and `gone` the card set of these and of
    all other cards that cannot be dealt, ``uint64 (match-up,)``; either has a single row if it is
    the same for all match-ups. `counts` is by set of winners, a number with a bit for each player,
    ``int64 (match-up, 2^players)``.
    """
    strengths, players = unowned(table), holes.shape[1]
    keys = np.zeros(players, dtype=np.uint64)
    masks = np.zeros(players, dtype=np.uint64)
    deck = np.empty((52, 2), dtype=np.uint64)
    for row in range(len(holes)):
        _, key, mask = sum_cards(boards, min(row, len(boards) - 1), boards.shape[1])
        used = gone[min(row, len(gone) - 1)]
        for player in range(players):
            high, low = holes[row, player, 0], holes[row, player, 1]
            keys[player] = CARD_KEYS[high] + CARD_KEYS[low]
            masks[player] = CARD_MASKS[high] | CARD_MASKS[low]
            used |= _ONE << np.uint64(high) | _ONE << np.uint64(low)
        tally = counts[row]
        if boards.shape[1] == 5:  # one runout: a null card, which changes no strength
            # The literal compiles the helper for one card: 20 instead of 35 ns a match-up.
            deck[0, 0], deck[0, 1] = NO_CARDS, NO_CARDS
            _count_last_card(strengths, keys, masks, key, mask, deck, 1, tally)
            continue
        size = list_deck(used, deck)
        if boards.shape[1] == 3:
            for card in range(size):
                key_4, mask_4 = key + deck[card, 0], mask | deck[card, 1]
                _count_last_card(strengths, keys, masks, key_4, mask_4, deck, card, tally)
            continue
        _count_last_card(strengths, keys, masks, key, mask, deck, size, tally)


_IDENTITY = np.zeros(1, dtype=np.intp)


def complete_board(boards: CardArray, gone: np.uint64) -> CanonicalBoards:
    """List all complete boards that contain known cards, ``uint8 (1, card)``.

    `gone` is the card set of the known cards and of other cards that cannot be dealt.
    """
    is_left = gone >> np.arange(DECK_SIZE, dtype=np.uint64) & np.uint64(1) == 0
    return list_canonical_boards(
        boards[0].tolist(), np.flatnonzero(is_left).astype(np.uint8), _IDENTITY
    )


def count_over_runouts_in_numpy(
    table: StrengthTable,
    holes: CardArray,
    boards: CardArray,
    gone: NDArray[np.uint64],
    counts: NDArray[np.int64],
) -> None:
    """Count, in numpy, the winners of each match-up over all runouts of a single board.

    The arguments are those of `count_over_runouts`, with one row of `boards`.
    """
    complete = complete_board(boards, gone[0])
    combos, rows = np.unique(combo_numbers(holes), return_inverse=True)
    strengths = np.ascontiguousarray(rank_combos_in_numpy(table, complete.cards, combos).T)
    count_winners_in_numpy(strengths, rows.reshape(holes.shape[:2]), complete.orbit_sizes, counts)
