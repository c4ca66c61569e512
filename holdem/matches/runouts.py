"""All-ins by the mean of random runouts, in place of the one board that was dealt."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdem.betting.rulebook import pots
from holdem.cards import DECK_SIZE
from holdem.dealing.seeds import GOLDEN, random_word
from holdem.evaluation.builtin.lookup import strength
from holdem.evaluation.builtin.lookup_tables import CARD_KEYS, CARD_MASKS, SUIT_COUNT_START
from holdem.jit.kernels import kernel, unowned
from holdem.matches.decisions import Batch, strength_tables
from holdem.odds.many_spots.equities import equities
from holdem.odds.spot import BOARD_SIZE, Spot
from holdem.rules import MAX_PLAYERS, STANDARD

_START = np.uint64(SUIT_COUNT_START)


@kernel
def run_out(
    games: Any,
    rules: Any,
    rows: Any,
    cards: Any,
    width: int,
    seven: Any,
    absent: Any,
    fewest_known: int,
    runouts: int,
    start: Any,
    first_deal: int,
    shares: Any,
) -> None:
    """Average what each position gets out of the pots, ``float64 (row, position)``.

    All hole cards, folded ones too, are out of the deck, so that the mean is that of the cards that
    were dealt; `absent` are the cards that never are in it, ``bool (card,)``.
    """
    table, dealt, players = unowned(seven), unowned(cards), int(rules[0].players)
    amounts, winners = np.empty(MAX_PLAYERS, np.int64), np.empty(MAX_PLAYERS, np.int64)
    deck, gone = np.empty(DECK_SIZE, np.uint8), np.empty(DECK_SIZE, np.bool_)
    keys, masks = np.empty(MAX_PLAYERS, np.uint64), np.empty(MAX_PLAYERS, np.uint64)
    found = np.empty(MAX_PLAYERS, np.int64)
    for k in range(len(rows)):
        game = games[rows[k]]
        first, live, street = int(game.deal) * width, int(game.live), int(game.all_in)
        known = max(street + 2 if street else 0, fewest_known)
        count = pots(game, rules[0], amounts, winners)
        key, mask = _START, np.uint64(0)
        gone[:] = absent
        for c in range(known):
            card = dealt[first + c]
            gone[card] = True
            key += CARD_KEYS[card]
            mask |= CARD_MASKS[card]
        for i in range(players):
            a, b = dealt[first + 5 + 2 * i], dealt[first + 6 + 2 * i]
            gone[a] = gone[b] = True
            keys[i] = key + CARD_KEYS[a] + CARD_KEYS[b]
            masks[i] = mask | CARD_MASKS[a] | CARD_MASKS[b]
            shares[k, i] = 0.0
        size = 0
        for c in range(DECK_SIZE):
            if not gone[c]:
                deck[size] = c
                size += 1
        counter = random_word(start + GOLDEN * np.uint64(int(game.deal) + first_deal))
        for _ in range(runouts):
            more, also = np.uint64(0), np.uint64(0)
            for c in range(BOARD_SIZE - known):
                counter += GOLDEN
                draw = random_word(counter) >> np.uint64(32)
                at = c + int((draw * np.uint64(size - c)) >> np.uint64(32))
                deck[c], deck[at] = deck[at], deck[c]
                more += CARD_KEYS[deck[c]]
                also |= CARD_MASKS[deck[c]]
            for i in range(players):
                if (live >> i) & 1:
                    found[i] = strength(table, keys[i] + more, masks[i] | also)
            for pot in range(count):
                best, won, sharing = -1, 0, 0
                for i in range(players):
                    if (winners[pot] >> i) & 1:
                        if found[i] > best:
                            best, won, sharing = found[i], 1 << i, 1
                        elif found[i] == best:
                            won |= 1 << i
                            sharing += 1
                part = float(amounts[pot]) / sharing
                for i in range(players):
                    if (won >> i) & 1:
                        shares[k, i] += part
        for i in range(players):
            shares[k, i] /= runouts


def settle_all_ins(
    batch: Batch, spot: Spot, rows: NDArray[np.int32], runouts: int, start: np.uint64
) -> NDArray[np.float64]:
    """Find what each position gets out of the pots on average, ``float64 (row, position)``.

    `rows` are games that were all-in before the river. Heads-up before the flop, it is exact.
    """
    games, players = batch.games, batch.stakes.players
    shares = np.empty((len(rows), players))
    has_table = players == 2 and spot.evaluator.rules == STANDARD and not spot.board + spot.dead
    early = (games["all_in"][rows] == 0) & has_table
    exact = rows[early]
    if len(exact):
        holes = batch.dealt[games["deal"][exact], BOARD_SIZE : BOARD_SIZE + 4]
        equity = equities(holes[:, :2], holes[:, 2:], method="exact", workers=1).equity
        shares[early] = equity * games["pot"][exact, None]
    others = rows[~early]
    if len(others):
        absent = np.ones(DECK_SIZE, dtype=np.bool_)
        absent[list(spot.evaluator.rules.deck)] = False
        absent[list(spot.dead)] = True
        found = np.empty((len(others), players))
        run_out(
            games,
            batch.rules,
            others,
            batch.dealt.reshape(-1),
            batch.dealt.shape[1],
            strength_tables(batch.evaluator)[2],
            absent,
            len(spot.board),
            runouts,
            start,
            batch.first_deal,
            found,
        )
        shares[~early] = found
    return shares
