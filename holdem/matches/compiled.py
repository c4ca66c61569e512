"""Compiled strategies: a function of one `Turn` becomes a kernel that plays all of its turns."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from holdem.betting.rulebook import CALL, FOLD, act, bounds
from holdem.cards import DECK_SIZE
from holdem.jit.kernels import inlined, kernel_of, popcount, unowned
from holdem.matches.decisions import Batch, category_table, strength_tables
from holdem.matches.game_kernels import correct, rank_seen, relative, uniform
from holdem.ranges.starting_hands import hole_percentiles

_MOST = 2**31 - 1
_FAULT = -2  # in place of an action


class Turn(NamedTuple):
    """What a compiled strategy sees of one game, in the unit of the match.

    The fields are those of `Decisions`, as numbers; cards are ids. What a strategy does not use is
    not computed.
    """

    hole: tuple[int, int]
    """The ids of the player's hole cards."""
    board: tuple[int, int, int, int, int]
    """The ids of the board; -1 for cards that are not dealt yet."""
    street: int
    """0 before the flop, 1 on the flop, 2 on the turn, 3 on the river."""
    position: int
    """The position of the player, counted from the left of the button."""
    players: int
    """The number of players."""
    opponents: int
    """The number of other players who have not folded."""
    pot: float
    """All chips that are in, bets of this street included."""
    to_call: float
    """The chips that a call costs."""
    min_raise: float
    """The least total to raise to; 0 if no raise is open."""
    max_raise: float
    """The largest total to raise to; 0 if no raise is open."""
    bet: float
    """The player's bet on this street so far."""
    stack: float
    """The player's chips behind."""
    highest: float
    """The bet to call, as a total for this street."""
    big_blind: float
    """The big blind; without blinds, the least bet."""
    raises: int
    """Bets and raises on this street so far."""
    raises_before: int
    """Bets and raises on earlier streets."""
    last_raiser: int
    """Who has raised last, relative to the player; -1 if nobody has."""
    percentile: float
    """The share of all hole cards that are not stronger before the flop; 1 for aces."""
    strength: int
    """The strength of the best five cards so far; 0 before the flop."""
    category: int
    """The category of the best five cards so far, from 0 for a high card; -1 before the flop."""
    random: float
    """A random number in [0, 1)."""
    FOLD: int
    """-1, the action that folds."""
    CALL: int
    """0, the action that checks or calls."""


@lru_cache(maxsize=64)
def compiled_kernel(function: Callable[[Any], Any], chip: Fraction) -> Any:
    """Make the kernel in which a strategy plays its turns; amounts are multiples of `chip`."""
    decide: Any = inlined(function)
    numerator, denominator = chip.numerator, chip.denominator
    chips_of_one = denominator / numerator
    is_whole = chip == 1

    def convert(chips: Any) -> Any:
        return chips if is_whole else chips * numerator / denominator

    def choose(answer: Any) -> Any:
        if answer > 0:
            return int(max(1.0, min(np.floor(answer * chips_of_one + 1e-6), float(_MOST))))
        if answer == 0:
            return CALL
        return FOLD if answer == -1 else _FAULT

    in_unit: Any = inlined(convert)
    to_action: Any = inlined(choose)

    def play_on(
        games: Any,
        rules: Any,
        rows: Any,
        mine: Any,
        who: Any,
        queues: Any,
        sizes: Any,
        notes: Any,
        log: Any,
        logged: Any,
        start: Any,
        first_deal: Any,
        big_blind: Any,
        cards: Any,
        width: Any,
        five: Any,
        six: Any,
        seven: Any,
        percentiles: Any,
        categories: Any,
        fault: Any,
    ) -> int:
        t5, t6, t7, dealt = unowned(five), unowned(six), unowned(seven), unowned(cards)
        percent, category = unowned(percentiles), unowned(categories)
        n, players = logged[0], int(rules[0].players)
        for k in range(len(rows)):
            i = rows[k]
            game = games[i]
            while True:
                actor, street = int(game.actor), int(game.street)
                faced, least, most = bounds(game, rules[0])
                first = int(game.deal) * width
                shown = street + 2 if street else 0
                hole = int(dealt[first + 5 + 2 * actor]), int(dealt[first + 6 + 2 * actor])
                strength = rank_seen(dealt, first, actor, street, t5, t6, t7)
                turn = Turn(
                    hole,
                    (
                        int(dealt[first]) if shown else -1,
                        int(dealt[first + 1]) if shown else -1,
                        int(dealt[first + 2]) if shown else -1,
                        int(dealt[first + 3]) if shown > 3 else -1,
                        int(dealt[first + 4]) if shown > 4 else -1,
                    ),
                    street,
                    actor,
                    players,
                    int(popcount(np.uint64(game.live))) - 1,
                    in_unit(int(game.pot)),
                    in_unit(faced),
                    in_unit(least),
                    in_unit(most),
                    in_unit(int(game.bet[actor])),
                    in_unit(int(game.stack[actor])),
                    in_unit(int(game.highest)),
                    in_unit(big_blind),
                    int(game.raises),
                    int(game.raises_before),
                    relative(int(game.raiser), actor, players),
                    percent[hole[0] * DECK_SIZE + hole[1]],
                    strength,
                    int(category[strength]),
                    uniform(start, int(game.deal) + first_deal, int(game.count)),
                    FOLD,
                    CALL,
                )
                answer = decide(turn)
                chosen = to_action(answer)
                if chosen == _FAULT:
                    fault[0] = answer
                    return k
                action, note = correct(game, rules[0], chosen)
                if note:
                    for bit in range(4):
                        notes[bit] += (note >> bit) & 1
                if len(log):
                    log[n, 0], log[n, 1], log[n, 2] = game.entry, actor | street << 4, action
                    game.entry = n
                    n += 1
                act(game, rules[0], action)
                # It goes on if it is its turn again, and the log has room for the other games.
                next_one = int(game.actor)
                if next_one < 0 or who[game.lineup, next_one] != mine:
                    break
                if len(log) and n + len(rows) - k > len(log):
                    break
            actor = int(game.actor)
            if actor != -1:
                queue = int(who[game.lineup, actor]) if actor >= 0 else len(sizes) - 1
                queues[queue, sizes[queue]] = i
                sizes[queue] += 1
        logged[0] = n
        return -1

    return kernel_of(play_on)


def play_rows(
    play_on: Any,
    batch: Batch,
    rows: NDArray[np.int32],
    number: int,
    queues: NDArray[np.int32],
    sizes: NDArray[np.int64],
    notes: NDArray[np.int64],
) -> tuple[int, float] | None:
    """Play the turns of strategy `number` in the games `rows`, with its kernel.

    Return the row of an answer that is no action, and the answer; None if there is none.
    """
    fault = np.zeros(1)
    row = play_on(
        batch.games,
        batch.rules,
        rows,
        number,
        batch.lineups,
        queues,
        sizes,
        notes,
        batch.log,
        batch.logged,
        batch.start,
        batch.first_deal,
        batch.stakes.unit,
        batch.dealt.reshape(-1),
        batch.dealt.shape[1],
        *strength_tables(batch.evaluator),
        hole_percentiles(batch.evaluator.rules).reshape(-1),
        category_table(batch.evaluator),
        fault,
    )
    return None if row < 0 else (int(row), float(fault[0]))
