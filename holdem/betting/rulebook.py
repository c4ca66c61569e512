"""The rules of betting, once: compiled over records of many games, and plain Python for one.

A *game* is one hand from the blinds to the pots. It is a record of `GAME` in a kernel, and in
Python any object with the same attributes (`holdem.betting.rounds`). Positions count from the left
of the button: 0 acts first after the flop, and the last one has the button. Heads-up, the button
posts the small blind, so that position 0 has the big one. All amounts are whole chips; functions
trust what they are given.

Numbers of rules are those of the Poker Tournament Directors Association (TDA);
`docs/how/betting.md` says which text was read.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from holdem.jit.kernels import inlined
from holdem.rules import MAX_PLAYERS

NO_LIMIT, POT_LIMIT, FIXED_LIMIT = range(3)

#: In place of the position of the actor: the hand is over, or the cards decide.
OVER, SHOWDOWN = -1, -2

#: Actions; any other is the number of chips to raise to.
FOLD, CALL = -1, 0

# No field has the name of an attribute of numpy's records, such as `put` or `all`.
CHIPS = np.int32
GAME = np.dtype(
    [
        ("stack", CHIPS, (MAX_PLAYERS,)),  # chips behind
        ("bet", CHIPS, (MAX_PLAYERS,)),  # bet on this street
        ("paid", CHIPS, (MAX_PLAYERS,)),  # in the pots, from earlier streets and antes
        ("pot", CHIPS),  # all chips that are in: pots and bets
        ("dead", CHIPS),  # chips of the main pot that nobody has to match
        ("short", CHIPS),  # what short blinds lack
        ("highest", CHIPS),  # the bet to call
        ("step", CHIPS),  # the last full bet or raise
        ("deal", np.int32),  # row of the cards
        ("live", np.uint16),  # positions that have not folded, as bits
        ("able", np.uint16),  # of these, those with chips behind
        ("pending", np.uint16),  # of these, those whose turn comes on this street
        ("acted", np.uint16),  # positions that have checked, called or raised on this street
        ("entered", np.uint16),  # positions that called or raised before the flop
        ("opened", np.uint16),  # positions that raised before the flop
        ("saw", np.uint16),  # positions that saw the flop
        ("count", np.uint32),  # actions so far
        ("raises", np.uint32),  # bets and raises on this street, blinds not counted
        ("raises_before", np.uint32),  # the same on earlier streets
        ("entry", np.int32),  # of the last action in a log, see `holdem.matches.game_kernels`
        ("street", np.int8),  # 0 before the flop, 3 on the river
        ("all_in", np.int8),  # the street after which no more betting was possible, else -1
        ("actor", np.int8),
        ("raiser", np.int8),  # who has bet or raised last in this hand, else -1
        ("lineup", np.uint8),  # who sits where
        ("shown", np.uint8),  # whether cards decided
    ]
)
RULES = np.dtype(
    [
        ("players", np.int32),
        ("limit", np.int32),
        ("caps", np.int32, (4,)),  # most bets and raises of each street; -1 for any number
        ("first", np.int32),  # the position that acts first before the flop
        ("opening", CHIPS),  # the bet to call before the flop; 0 for the highest that was posted
        ("blind_first", np.int32),  # whether a short seat posts its blind before its ante
        ("trims", np.int32),  # whether an ante above the second highest is returned in part
        ("bets", CHIPS, (4,)),  # the least bet of each street; in fixed limit the bet
        ("antes", CHIPS, (MAX_PLAYERS,)),
        ("blinds", CHIPS, (MAX_PLAYERS,)),
        ("dead", CHIPS, (MAX_PLAYERS,)),  # what else is posted, into the main pot
    ]
)

_MASKS = range(1 << MAX_PLAYERS)
_COUNT = np.array([mask.bit_count() for mask in _MASKS], dtype=np.int8)
_LOWEST = np.array([(mask & -mask).bit_length() - 1 for mask in _MASKS], dtype=np.int8)


@inlined
def begin(game: Any, rules: Any) -> None:
    """Post antes, dead chips and blinds of a game whose `stack` is set; find who acts first."""
    players = int(rules.players)
    for i in range(MAX_PLAYERS):
        game.bet[i] = 0
        game.paid[i] = 0
    most, second, pot, dead = 0, 0, 0, 0
    for i in range(players):
        left = int(game.stack[i])
        posted = min(int(rules.dead[i]), left)
        game.stack[i] = left - posted
        pot += posted
        dead += posted
        left -= posted
        if rules.blind_first:
            left = max(0, left - int(rules.blinds[i]))
        ante = min(int(rules.antes[i]), left)
        game.paid[i] = ante
        if ante > most:
            most, second = ante, most
        elif ante > second:
            second = ante
    for i in range(players):
        ante = int(game.paid[i])
        if rules.trims:
            ante = min(ante, second)
            game.paid[i] = ante
        else:
            game.paid[i] = 0
            dead += ante
        game.stack[i] -= ante
        pot += ante
    able, highest, short = 0, 0, 0
    for i in range(players):
        blind = min(int(rules.blinds[i]), int(game.stack[i]))
        short += int(rules.blinds[i]) - blind
        game.bet[i] = blind
        game.stack[i] -= blind
        pot += blind
        highest = max(highest, blind)
        able |= int(game.stack[i] > 0) << i
    game.pot, game.dead = pot, dead
    game.short = short if rules.opening > 0 else 0
    game.highest = max(highest, int(rules.opening))
    game.step = rules.bets[0]
    game.live, game.able, game.pending = (1 << players) - 1, able, able
    game.acted = game.entered = game.opened = game.saw = game.count = 0
    game.raises = game.raises_before = 0
    game.street, game.all_in, game.shown, game.raiser = 0, -1, 0, -1
    game.actor = int(rules.first) - 1
    advance(game, rules)


@inlined
def bounds(game: Any, rules: Any) -> tuple[int, int, int]:
    """Find the chips that the actor has to call, and the least and largest amounts to raise to.

    The amounts are 0 if no raise is open.
    """
    seat = int(game.actor)
    stack, own, highest = int(game.stack[seat]), int(game.bet[seat]), int(game.highest)
    step = int(game.step)
    faced = highest - own
    if stack <= faced:
        return stack, 0, 0
    cap = rules.caps[game.street]
    if cap >= 0 and int(game.raises) >= cap:
        return faced, 0, 0
    # Who has acted may raise only if he faces a full bet or raise, whatever short ones it is made
    # of (47A); in fixed limit, half a bet is enough (47B).
    reopens = (step + 1) // 2 if rules.limit == FIXED_LIMIT else step
    if (int(game.acted) >> seat) & 1 and faced < reopens:
        return faced, 0, 0
    others, is_callable = int(game.able) & ~(1 << seat), False
    while others:
        i = int(_LOWEST[others])
        if int(game.stack[i]) + int(game.bet[i]) > highest:
            is_callable = True
            break
        others &= others - 1
    if not is_callable:
        return faced, 0, 0
    least = min(own + stack, highest + step)
    if rules.limit == NO_LIMIT:
        return faced, least, own + stack
    if rules.limit == FIXED_LIMIT:
        return faced, least, least
    # A short blind counts in full for the pot before the flop (54B).
    pot = int(game.pot) + (int(game.short) if game.street == 0 else 0)
    return faced, least, max(least, min(own + stack, highest + pot + faced))


@inlined
def act(game: Any, rules: Any, action: int) -> None:
    """Let the actor fold, check or call, or raise to `action` chips; find who is next."""
    seat = int(game.actor)
    bit = 1 << seat
    game.count += 1
    if action == FOLD:
        game.live, game.able = int(game.live) & ~bit, int(game.able) & ~bit
        game.pending = int(game.pending) & ~bit
    else:
        own, stack, highest = int(game.bet[seat]), int(game.stack[seat]), int(game.highest)
        paid = min(stack, highest - own) if action == CALL else action - own
        game.stack[seat] = stack - paid
        game.bet[seat] = own + paid
        game.pot += paid
        game.acted = int(game.acted) | bit
        if stack == paid:
            game.able = int(game.able) & ~bit
        if action == CALL:
            game.pending = int(game.pending) & ~bit
        else:
            raised = action - highest
            if raised > int(game.step) and rules.limit != FIXED_LIMIT:
                game.step = raised
            game.highest = action
            game.raises += 1
            game.raiser = seat
            game.pending = int(game.able) & ~bit
        if game.street == 0 and paid > 0:
            game.entered = int(game.entered) | bit
            if action > 0:
                game.opened = int(game.opened) | bit
    advance(game, rules)


@inlined
def advance(game: Any, rules: Any) -> None:
    """Find the next position to act; if there is none, end the street or the hand."""
    pending, able = int(game.pending), int(game.able)
    live = int(game.live)
    is_alone = live & (live - 1) == 0
    if pending and not is_alone:
        has_choice = True
        if able & (able - 1) == 0:  # the others are all-in: is there anything to call?
            last, most = int(_LOWEST[able]), 0
            for i in range(int(rules.players)):
                if i != last:
                    most = max(most, int(game.bet[i]))
            has_choice = int(game.bet[last]) < most
        if has_choice:
            after = pending >> (int(game.actor) + 1) << (int(game.actor) + 1)
            game.actor = int(_LOWEST[after if after else pending])
            return
    # Collect the bets, and return the part of the highest that nobody has called.
    most, second, who = 0, 0, 0
    for i in range(int(rules.players)):
        bet = int(game.bet[i])
        if bet:
            game.paid[i] += bet
            game.bet[i] = 0
            if bet > most:
                most, second, who = bet, most, i
            elif bet > second:
                second = bet
    back = most - second
    if back:
        game.paid[who] -= back
        game.stack[who] += back
        game.pot -= back
        if (live >> who) & 1:
            able |= 1 << who
            game.able = able
    if game.street == 0 and not is_alone:
        game.saw = game.live
    if is_alone:
        game.stack[int(_LOWEST[live])] += int(game.pot)
        game.actor = OVER
    elif game.street == 3 or able & (able - 1) == 0:
        if game.street < 3:
            game.all_in = game.street
        game.actor = SHOWDOWN
    else:
        game.street += 1
        game.raises_before += game.raises
        game.pending, game.acted, game.highest, game.raises = able, 0, 0, 0
        game.step = rules.bets[game.street]
        game.actor = int(_LOWEST[able])


@inlined
def pots(game: Any, rules: Any, amounts: Any, winners: Any) -> int:
    """Find the pots at showdown, the main pot first, and return their number.

    The chips of each pot are written into `amounts`, and the positions that can win it, as bits,
    into `winners`.
    """
    players, live = int(rules.players), int(game.live)
    top = 0
    for i in range(players):
        if (live >> i) & 1:
            top = max(top, int(game.paid[i]))
    below, extra, count = -1, int(game.dead), 0
    while below < top:
        level = top
        for i in range(players):
            if (live >> i) & 1 and below < int(game.paid[i]) < level:
                level = int(game.paid[i])
        amount, able = extra, 0
        for i in range(players):
            own, under = int(game.paid[i]), max(below, 0)
            # What folded positions have put in above the last level belongs to the last pot.
            amount += max(0, (own if level == top else min(own, level)) - under)
            able |= int((live >> i) & 1 and own >= level) << i
        if amount:
            amounts[count], winners[count] = amount, able
            count += 1
        below, extra = level, 0
    return count


@inlined
def award(game: Any, rules: Any, strengths: Any, amounts: Any, winners: Any) -> None:
    """Divide the pots at showdown; `strengths` has one of each live position, `game.paid` is kept.

    Each side pot is split by itself (21); odd chips go one each from the left of the button (20).
    `amounts` and `winners` are working space of ten entries.
    """
    players = int(rules.players)
    for pot in range(pots(game, rules, amounts, winners)):
        able = int(winners[pot])
        best, won = int(strengths[int(_LOWEST[able])]), 0
        for i in range(players):
            if (able >> i) & 1:
                own = int(strengths[i])
                if own > best:
                    best, won = own, 1 << i
                elif own == best:
                    won |= 1 << i
        shares = int(_COUNT[won])
        each = int(amounts[pot]) // shares
        odd = int(amounts[pot]) - each * shares
        for i in range(players):
            if (won >> i) & 1:
                game.stack[i] += each + int(odd > 0)
                odd -= 1
    game.actor, game.shown = OVER, 1
