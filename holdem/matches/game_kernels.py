"""Loops over many games at once, compiled: each is a record of `GAME`, played by the rulebook.

Games wait in queues, ``int32 (strategy + 1, game)``, one for each strategy and a last one for games
that the cards decide; `sizes` are their lengths. Each action is filed in a log, ``int32 (action,
3)``: the entry of the game's action before (-1: none), ``position | street << 4``, and the action.
The game knows its last `entry`. In `logged[0]` is the number of entries. Compiled strategies, which
do not see earlier actions, may get an empty log, in which nothing is filed.

Cards are ``uint8 (deal, 5 + 2 * players + 3)``: the board, then the hole cards of each position.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from holdem.betting.rulebook import CALL, FOLD, OVER, act, award, begin, bounds
from holdem.dealing.seeds import GOLDEN, random_word
from holdem.evaluation.builtin.lookup import flush_strength, strength_of_ranks
from holdem.evaluation.builtin.lookup_tables import (
    CARD_KEYS,
    CARD_MASKS,
    FLUSH_BITS,
    SUIT_COUNT_START,
)
from holdem.jit.kernels import inlined, kernel, popcount, unowned
from holdem.rules import MAX_PLAYERS

#: What an action of a strategy became, in the order of their counts.
CORRECTIONS = (
    "raise below the least: made the least",
    "raise above the most: made the most",
    "raise where none is open: a call",
    "fold where a check is free: a check",
)

#: The counts of a strategy at a position: hands, calls or raises before the flop, raises before the
#: flop, flops seen, showdowns, showdowns at which it got chips.
HANDS, ENTERED, OPENED, SAW, SHOWN, WON = range(6)
COUNTS = 6

#: Deals whose sums are added up first, so that sums don't depend on the sizes of batches.
GROUP = 64

_START, _FLUSH = np.uint64(SUIT_COUNT_START), np.uint64(FLUSH_BITS)


# Helpers get no arrays: numba would count references to them in each call.


@kernel
def begin_games(
    games: Any, rules: Any, stacks: Any, lineups: int, who: Any, queues: Any, sizes: Any
) -> None:
    """Begin all games; as many consecutive ones as there are line-ups have the same cards."""
    for i in range(len(games)):
        game = games[i]
        game.deal, game.lineup, game.entry = i // lineups, i % lineups, -1
        for position in range(len(stacks)):
            game.stack[position] = stacks[position]
        begin(game, rules[0])
        actor = int(game.actor)
        if actor != OVER:
            queue = int(who[game.lineup, actor]) if actor >= 0 else len(sizes) - 1
            queues[queue, sizes[queue]] = i
            sizes[queue] += 1


#: What was corrected, as bits, in the order of `CORRECTIONS`.
_TOO_SMALL, _TOO_LARGE, _NOT_OPEN, _FREE_FOLD = 1, 2, 4, 8


@inlined
def correct(game: Any, rules: Any, action: int) -> tuple[int, int]:
    """Change an action to one that the rules allow; return it, and what was corrected."""
    faced, least, most = bounds(game, rules)
    if action > 0:
        if most == 0:
            return CALL, _NOT_OPEN
        if action < least:
            return least, _TOO_SMALL
        if action > most:
            return most, _TOO_LARGE
    elif action == FOLD and faced == 0:
        return CALL, _FREE_FOLD
    return action, 0


@kernel
def act_in_games(
    games: Any,
    rules: Any,
    rows: Any,
    actions: Any,
    who: Any,
    queues: Any,
    sizes: Any,
    notes: Any,
    log: Any,
    logged: Any,
) -> None:
    """Apply an action to each game in `rows`, and file the games again."""
    n = logged[0]
    for k in range(len(rows)):
        i = rows[k]
        game = games[i]
        action, note = correct(game, rules[0], int(actions[k]))
        if note:
            for bit in range(4):
                notes[bit] += (note >> bit) & 1
        log[n, 0] = game.entry
        log[n, 1] = int(game.actor) | int(game.street) << 4
        log[n, 2] = action
        game.entry = n
        n += 1
        act(game, rules[0], action)
        actor = int(game.actor)
        if actor != OVER:
            queue = int(who[game.lineup, actor]) if actor >= 0 else len(sizes) - 1
            queues[queue, sizes[queue]] = i
            sizes[queue] += 1
    logged[0] = n


# --- what strategies see ------------------------------------------------------------------------

#: The columns of `look`.
SEEN = (
    "to_call",
    "min_raise",
    "max_raise",
    "pot",
    "bet",
    "stack",
    "highest",
    "street",
    "position",
    "raises",
    "raises_before",
    "last_raiser",
    "opponents",
)


@inlined
def relative(position: int, actor: int, players: int) -> int:
    """Count from the actor on clockwise, instead of from the button; -1 stays -1."""
    return (position - actor + players) % players if position >= 0 else -1


@kernel
def look(games: Any, rules: Any, rows: Any, columns: Any) -> None:
    """Write the columns `SEEN` of the games in `rows`, ``int32 (column, row)``."""
    players = int(rules[0].players)
    for k in range(len(rows)):
        game = games[rows[k]]
        actor = int(game.actor)
        faced, least, most = bounds(game, rules[0])
        columns[0, k], columns[1, k], columns[2, k] = faced, least, most
        columns[3, k], columns[4, k], columns[5, k] = game.pot, game.bet[actor], game.stack[actor]
        columns[6, k] = game.highest
        columns[7, k], columns[8, k] = game.street, actor
        columns[9, k], columns[10, k] = game.raises, game.raises_before
        columns[11, k] = relative(int(game.raiser), actor, players)
        columns[12, k] = popcount(np.uint64(game.live)) - np.uint64(1)


@kernel
def look_at_pots(games: Any, rules: Any, rows: Any, winnable: Any) -> None:
    """Write the chips that the actors can win by calling, the call included."""
    players = int(rules[0].players)
    for k in range(len(rows)):
        game = games[rows[k]]
        actor = int(game.actor)
        own = int(game.paid[actor]) + int(game.bet[actor]) + bounds(game, rules[0])[0]
        found = int(game.dead) + own
        for i in range(players):
            if i != actor:
                found += min(int(game.paid[i]) + int(game.bet[i]), own)
        winnable[k] = found


@kernel
def look_around(games: Any, players: int, rows: Any, stacks: Any, bets: Any, live: Any) -> None:
    """Write stacks, bets and who is live, ``(row, player)``, from the actor on clockwise."""
    for k in range(len(rows)):
        game = games[rows[k]]
        i = int(game.actor)
        for j in range(players):
            stacks[k, j], bets[k, j] = game.stack[i], game.bet[i]
            live[k, j] = (int(game.live) >> i) & 1
            i += 1
            if i == players:
                i = 0


@kernel
def look_at_holes(games: Any, rows: Any, dealt: Any, holes: Any) -> None:
    """Write the actor's hole cards, ``int8 (row, 2)``."""
    for k in range(len(rows)):
        game = games[rows[k]]
        deal, at = game.deal, 5 + 2 * int(game.actor)
        holes[k, 0], holes[k, 1] = dealt[deal, at], dealt[deal, at + 1]


@kernel
def look_at_boards(games: Any, rows: Any, dealt: Any, boards: Any) -> None:
    """Write the board so far, ``int8 (row, 5)``; cards to come are -1."""
    for k in range(len(rows)):
        game = games[rows[k]]
        deal, shown = game.deal, game.street + 2 if game.street else 0
        for c in range(5):
            boards[k, c] = dealt[deal, c] if c < shown else -1


@kernel
def look_back(games: Any, rows: Any, log: Any, actions: Any) -> None:
    """Write the actions so far, ``int32 (row, action, 3)``: street, position, action."""
    for k in range(len(rows)):
        game = games[rows[k]]
        entry, at = game.entry, int(game.count)
        while entry >= 0:
            at -= 1
            actions[k, at, 0] = log[entry, 1] >> 4
            actions[k, at, 1] = log[entry, 1] & 15
            actions[k, at, 2] = log[entry, 2]
            entry = log[entry, 0]


@inlined
def uniform(start: Any, deal: int, count: int) -> Any:
    """Draw a number in [0, 1) for an action of a deal: the same for any batch and worker."""
    of_deal = random_word(start + GOLDEN * np.uint64(deal))
    word = random_word(of_deal + GOLDEN * np.uint64(count))
    return np.float64(word >> np.uint64(11)) * 2.0**-53


@kernel
def draw(games: Any, rows: Any, start: Any, first_deal: int, found: Any) -> None:
    for k in range(len(rows)):
        game = games[rows[k]]
        found[k] = uniform(start, int(game.deal) + first_deal, int(game.count))


@inlined
def rank_seen(cards: Any, first: int, position: int, street: int, t5: Any, t6: Any, t7: Any) -> int:
    """Rank a position's hole cards with the board so far; 0 before the flop.

    `cards` are those of all deals, `unowned` as the tables are; those of the deal begin at `first`.
    """
    if street == 0:
        return 0
    key, mask = _START, np.uint64(0)
    for c in range(street + 2):
        key += CARD_KEYS[cards[first + c]]
        mask |= CARD_MASKS[cards[first + c]]
    for c in range(5 + 2 * position, 7 + 2 * position):
        key += CARD_KEYS[cards[first + c]]
        mask |= CARD_MASKS[cards[first + c]]
    if key & _FLUSH:
        return int(flush_strength(t7, key, mask))
    if street == 1:
        return int(strength_of_ranks(t5, np.uint32(key), np.uint64(5)))
    if street == 2:
        return int(strength_of_ranks(t6, np.uint32(key), np.uint64(6)))
    return int(strength_of_ranks(t7, np.uint32(key), np.uint64(7)))


@kernel
def rank_actors(
    games: Any, rows: Any, cards: Any, width: int, five: Any, six: Any, seven: Any, strengths: Any
) -> None:
    """Rank the actors' hands with the board so far; 0 before the flop.

    `cards` are those of all deals, ``uint8 (deal * width,)``.
    """
    t5, t6, t7 = unowned(five), unowned(six), unowned(seven)
    dealt = unowned(cards)
    for k in range(len(rows)):
        game = games[rows[k]]
        first = int(game.deal) * width
        strengths[k] = rank_seen(dealt, first, int(game.actor), int(game.street), t5, t6, t7)


# --- the end ------------------------------------------------------------------------------------


@kernel
def join_live(games: Any, rows: Any, players: int, dealt: Any, hands: Any) -> int:
    """Write the seven cards of each live position of the games in `rows`; return their number."""
    count = 0
    for k in range(len(rows)):
        game = games[rows[k]]
        deal, live = game.deal, int(game.live)
        for i in range(players):
            if (live >> i) & 1:
                hands[count, 0], hands[count, 1] = dealt[deal, 5 + 2 * i], dealt[deal, 6 + 2 * i]
                for c in range(5):
                    hands[count, 2 + c] = dealt[deal, c]
                count += 1
    return count


@kernel
def award_games(games: Any, rules: Any, rows: Any, found: Any, winners: Any, space: Any) -> None:
    """Divide the pots of the games in `rows`; write who got chips to `winners`, as bits.

    `found` has the strengths of the hands of `join_live`; `space` is for working, ``int64 (3,
    MAX_PLAYERS)``.
    """
    players, count = int(rules[0].players), 0
    before = np.zeros(MAX_PLAYERS, np.int64)
    strengths, amounts, able = unowned(space[0]), unowned(space[1]), unowned(space[2])
    for k in range(len(rows)):
        game = games[rows[k]]
        live = int(game.live)
        for i in range(players):
            before[i] = game.stack[i]
            if (live >> i) & 1:
                strengths[i] = found[count]
                count += 1
        award(game, rules[0], strengths, amounts, able)
        got = 0
        for i in range(players):
            got |= int(game.stack[i] > before[i]) << i
        winners[rows[k]] = got


@kernel
def record_games(
    games: Any, count: int, log: Any, starts: Any, kinds: Any, first_raises: Any, raises: Any
) -> None:
    """Write the actions of the first `count` games one after another.

    `kinds` are ``int8 (action,)``: -1 for a fold, 0 for a check or call, 1 for a raise; a game's
    begin at its `starts`. `raises` are the totals raised to, from `first_raises` on.
    """
    n, m = 0, 0
    for i in range(count):
        game = games[i]
        starts[i], first_raises[i] = n, m
        n += int(game.count)
        m += int(game.raises) + int(game.raises_before)
        at, raised, entry = n, m, game.entry
        while entry >= 0:
            at -= 1
            action = log[entry, 2]
            kinds[at] = min(action, 1)
            if action > 0:
                raised -= 1
                raises[raised] = action
            entry = log[entry, 0]
    starts[count], first_raises[count] = n, m


@kernel
def tally(
    games: Any,
    stacks: Any,
    lineups: int,
    who: Any,
    winners: Any,
    gained: Any,
    counts: Any,
    won: Any,
    sums: Any,
) -> None:
    """Count what happened, and sum what was won, by deal, of games that are over.

    `counts` are ``int64 (strategy, position, COUNTS)``, `won` the chips of each strategy in all
    line-ups of a deal, ``float64 (deal, strategy)``. `sums` are those of groups of deals,
    ``float64 (group, strategy, 3 + strategy + 2 * position)``: the chips won, their products with
    those of each strategy, by position the chips and their squares; and the chips without what was
    `gained` by runouts, and their squares. `gained` has a row for each game, or none.
    """
    strategies, players = len(counts), len(stacks)
    as_played, by_place = np.zeros(strategies), np.zeros((strategies, players))
    for deal in range(len(won)):
        own_won = won[deal]
        own_won[:] = 0.0
        as_played[:] = 0.0
        by_place[:] = 0.0
        for i in range(deal * lineups, deal * lineups + lineups):
            game = games[i]
            for position in range(players):
                k = who[game.lineup, position]
                chips = float(int(game.stack[position]) - int(stacks[position]))
                as_played[k] += chips
                if len(gained):
                    chips += gained[i, position]
                own_won[k] += chips
                by_place[k, position] += chips
                own = counts[k, position]
                live = (game.live >> position) & 1
                own[HANDS] += 1
                own[ENTERED] += (game.entered >> position) & 1
                own[OPENED] += (game.opened >> position) & 1
                own[SAW] += (game.saw >> position) & 1
                own[SHOWN] += live & game.shown
                own[WON] += live & game.shown & (winners[i] >> position)
        group = sums[deal // GROUP]
        for a in range(strategies):
            group[a, 0] += own_won[a]
            for b in range(strategies):
                group[a, 1 + b] += own_won[a] * own_won[b]
            at = 1 + strategies
            for position in range(players):
                group[a, at] += by_place[a, position]
                group[a, at + 1] += by_place[a, position] ** 2
                at += 2
            group[a, at] += as_played[a]
            group[a, at + 1] += as_played[a] ** 2
