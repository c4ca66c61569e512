"""Made hands and draws of combos on boards, computed with numpy.

Made hands and draws are called lines, since each is a line in the table of `hits`. Some lines are
*fine*: the parts into which another line is split, such as "top pair (good kicker)", and also
"combo draw" and "double gutshot". `hits` lists them only with ``fine=True``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache

import numpy as np
from numpy.typing import NDArray

from holdem.cards import CardArray, read_only
from holdem.ranges.combos import COMBO_CARDS, Mask
from holdem.rules import HIGH_CARD, PAIR, THREE_OF_A_KIND, RuleSet

SET, TRIPS, BOARD_TRIPS = "set", "trips", "three of a kind on the board"
TWO_PAIR, OVERPAIR, TOP_PAIR, SECOND_PAIR = "two pair", "overpair", "top pair", "second pair"
WEAK_PAIR, BOARD_PAIR, ACE_HIGH, NOTHING = "weak pair", "board pair", "ace high", "no made hand"

FLUSH_DRAW, BACKDOOR_FLUSH_DRAW = "flush draw", "backdoor flush draw"
OPEN_ENDED, GUTSHOT, OVERCARDS = "open-ended", "gutshot", "overcards"
COMBO_DRAW, DOUBLE_GUTSHOT = "combo draw", "double gutshot"

#: The finer lines into which a made hand or a draw is split.
FINE_LINES = {
    TOP_PAIR: tuple(f"{TOP_PAIR} ({kicker} kicker)" for kicker in ("top", "good", "weak")),
    WEAK_PAIR: ("pocket pair below second pair", "third pair or lower"),
    FLUSH_DRAW: (f"{FLUSH_DRAW} (nut)", f"{FLUSH_DRAW} (other)"),
}
_ONLY_FINE = (COMBO_DRAW, DOUBLE_GUTSHOT)
#: Names of all draws.
DRAWS = {
    *(FLUSH_DRAW, *FINE_LINES[FLUSH_DRAW], BACKDOOR_FLUSH_DRAW, OPEN_ENDED, GUTSHOT, OVERCARDS),
    *_ONLY_FINE,
}

_ACE = 12
_SETS = 1 << _ACE + 1  # sets of ranks, in which bit ``rank`` stands for a rank


def join_fine_lines(counts: Mapping[str, NDArray[np.int64]]) -> dict[str, NDArray[np.int64]]:
    """Replace counts ``int64 (combo,)`` of fine lines by counts of the lines that they are part of.

    For example, the top pairs with a top, good and weak kicker are added up to "top pair". Combo
    draws and double gutshots are left out. The names become those of `hits` without ``fine=True``.
    """
    whole = {fine: name for name, parts in FINE_LINES.items() for fine in parts}
    joined: dict[str, NDArray[np.int64]] = {}
    for fine, own in counts.items():
        name = whole.get(fine, fine)
        if name not in _ONLY_FINE:
            joined[name] = joined[name] + own if name in joined else own
    return joined


def can_order_lines(rules: RuleSet) -> bool:
    """Check whether made hands such as a set or top pair can be ordered by strength in a rule set.

    This is so if no card is wild and the weakest categories of the rule set are high card, pair and
    two pair, in this order. A rule set may lack some of the three.
    """
    weakest = [name for name in (HIGH_CARD, PAIR, TWO_PAIR) if name in rules.categories]
    return not rules.deuces_wild and [*rules.categories[: len(weakest)]] == weakest


def find_made_hands(
    combos: NDArray[np.intp],
    boards: CardArray,
    categories: NDArray[np.integer],
    rules: RuleSet,
) -> dict[str, Mask]:
    """Find the combos with each made hand, split as finely as possible, strongest hand first.

    Every combo has exactly one made hand on each board: the strongest that fits. Three of a kind,
    two pair, a pair and a high card are split by how hole cards and board cards make them; other
    made hands are categories of the rule set. If `can_order_lines` is False, all made hands are
    categories.

    `combos` are those on all boards, ``intp (combo,)``, or those on each, ``intp (board, combo)``.
    `boards` are ``uint8 (board, 3..5)``. `categories` are indices into ``rules.categories``,
    integers ``(board, combo)``; -1 for combos that share a card with the board, which have no made
    hand. Masks are ``bool (board, combo)``.
    """
    found = {}
    unassigned = categories >= 0
    for name, fits in _list_made_hands(combos, boards, categories, rules):
        found[name] = fits & unassigned
        unassigned &= ~fits
    return found


def _list_made_hands(
    combos: NDArray[np.intp], boards: CardArray, categories: NDArray[np.integer], rules: RuleSet
) -> Iterator[tuple[str, Mask]]:
    """Yield the name of each made hand and a mask of the combos that fit it, strongest hand first.

    A combo may fit several made hands. The arguments are those of `find_made_hands`; masks are
    ``bool (board, combo)``.
    """
    if not can_order_lines(rules):
        for number in reversed(range(len(rules.categories))):
            yield rules.categories[number], categories == number
        return
    high, low = np.moveaxis((COMBO_CARDS[combos] >> 2).astype(np.int8), -1, 0)
    ranks = (boards >> 2).astype(np.int8)
    same = (ranks[:, :, None] == ranks[:, None, :]).sum(axis=2).max(axis=1)[:, None]
    first = ranks.max(axis=1)[:, None]
    # Without a second rank on the board, every combo has three of a kind or better.
    second = np.where(ranks < first, ranks, -1).max(axis=1)[:, None]
    on_board = _encode_ranks(ranks)[:, None]
    high_pairs, low_pairs = on_board >> high & 1 != 0, on_board >> low & 1 != 0
    is_pocket_pair = high == low
    for number in reversed(range(rules.categories.index(TWO_PAIR) + 1, len(rules.categories))):
        fits = categories == number
        if rules.categories[number] == THREE_OF_A_KIND:
            yield SET, fits & is_pocket_pair
            yield TRIPS, fits & (same < 3)
            yield BOARD_TRIPS, fits
        else:
            yield rules.categories[number], fits
    yield TWO_PAIR, high_pairs & low_pairs & ~is_pocket_pair
    yield OVERPAIR, is_pocket_pair & (high > first)
    # The number of ranks above the kicker that are not on the board.
    free = _encode_ranks(np.array([[card >> 2 for card in rules.deck]], dtype=np.int8)) & ~on_board
    above = np.bitwise_count(free >> np.where(high == first, low, high) >> 1)
    is_top_pair = (high == first) | (low == first)
    kickers = (above == 0, (above > 0) & (above < 3), above > 2)
    for name, kicker in zip(FINE_LINES[TOP_PAIR], kickers, strict=True):
        yield name, is_top_pair & kicker
    yield SECOND_PAIR, (high == second) | (low == second) | is_pocket_pair & (high > second)
    below_second, third = FINE_LINES[WEAK_PAIR]
    everywhere = np.ones_like(categories, dtype=np.bool_)
    yield below_second, everywhere & is_pocket_pair
    yield third, high_pairs | low_pairs
    yield BOARD_PAIR, everywhere & (same > 1)
    yield ACE_HIGH, everywhere & (high == _ACE)
    yield NOTHING, everywhere


def find_draws(combos: NDArray[np.intp], boards: CardArray, rules: RuleSet) -> dict[str, Mask]:
    """Find the combos with each draw on flops or turns, split as finely as possible.

    A combo may have several draws. Only the ranks and suits of its hand matter: it has a draw even
    if the cards that complete it are dead, or if its made hand is already better.

    `combos` are as for `find_made_hands`, `boards` ``uint8 (board, 3..4)``, and no card is wild.
    Masks are ``bool (board, combo)``, meaningless for combos that share a card with the board.
    """
    holes = COMBO_CARDS[combos]
    shape = len(boards), combos.shape[-1]
    nut_draws, flush_draws, backdoor = (np.zeros(shape, dtype=np.bool_) for _ in range(3))
    for suit in range(4):
        in_hole = (holes & 3 == suit).sum(axis=-1, dtype=np.int8)
        of_suit = boards & 3 == suit
        in_hand = of_suit.sum(axis=1, dtype=np.int8)[:, None] + in_hole
        is_flush_draw = (in_hand == 4) & (in_hole > 0)
        flush_draws |= is_flush_draw
        backdoor |= (in_hand == 3) & (in_hole > 0)
        # The highest card of the suit that is not on the board.
        deck = np.array([card for card in rules.deck if card & 3 == suit])
        left = (deck != boards[:, :, None]).all(axis=1)
        highest = np.where(left, deck, 0).max(axis=1)[:, None]
        nut_draws |= is_flush_draw & ((holes[..., 0] == highest) | (holes[..., 1] == highest))
    nut, other = FINE_LINES[FLUSH_DRAW]
    high, low = np.moveaxis(holes >> 2, -1, 0)
    ranks, has_four_in_a_row = _count_straight_ranks(holes, boards, rules)
    return {
        nut: nut_draws,
        other: flush_draws & ~nut_draws,
        BACKDOOR_FLUSH_DRAW: backdoor & (boards.shape[1] == 3),
        COMBO_DRAW: flush_draws & (ranks > 0),
        OPEN_ENDED: ranks >= 2,
        DOUBLE_GUTSHOT: (ranks >= 2) & ~has_four_in_a_row,
        GUTSHOT: ranks == 1,
        OVERCARDS: (low > boards.max(axis=1)[:, None] >> 2) & (low < high),
    }


def _count_straight_ranks(
    holes: CardArray, boards: CardArray, rules: RuleSet
) -> tuple[NDArray[np.uint8], Mask]:
    """Count, for each combo on each board, the ranks of the next card that complete a straight.

    The straight must be better than one that the combo already makes, and than one that the board
    and the next card make without the combo. `holes` are ``uint8 (combo, 2)`` or ``(board, combo,
    2)``, `boards` ``uint8 (board, card)``. The mask says whether the ranks of the combo and the
    board include four in a row. Both results are ``(board, combo)``.
    """
    best = _best_straights(rules)
    # Few sets of ranks occur, with many combos and boards.
    own, combo = np.unique(_encode_ranks(holes >> 2), return_inverse=True)
    on_board, board = np.unique(_encode_ranks(boards >> 2), return_inverse=True)
    held = own | on_board[:, None]
    counts = np.zeros(held.shape, dtype=np.uint8)
    for rank in {card.rank for card in rules.deck}:
        made = best[held | 1 << rank]
        counts += (made > best[held]) & (made > best[on_board | 1 << rank][:, None])
    in_a_row = held & held >> 1 & held >> 2 & held >> 3
    return counts[board[:, None], combo], (in_a_row != 0)[board[:, None], combo]


@cache
def _best_straights(rules: RuleSet) -> NDArray[np.int8]:
    """Tabulate the strength of the best straight in each set of ranks, ``int8 (8192,)``.

    Sets are numbers with bit ``rank`` set. The weakest straight has strength 1; a set without a
    straight has 0.
    """
    sets = np.arange(_SETS)
    best = np.zeros(_SETS, dtype=np.int8)
    for strength, straight in enumerate(reversed(rules.straights), 1):
        ranks = sum(1 << rank for rank in straight)
        best[sets & ranks == ranks] = strength
    return read_only(best)


def _encode_ranks(ranks: NDArray[np.integer]) -> NDArray[np.int16]:
    """Encode ranks 0..12, ``(..., rank)``, as sets ``(...)`` of bits ``1 << rank``."""
    encoded: NDArray[np.int16] = np.bitwise_or.reduce(np.int16(1) << ranks, axis=-1, dtype=np.int16)
    return encoded
