"""Made hands and draws of combos on a board."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from holdem.cards import DECK_SIZE
from holdem.ranges.combos import COMBO_CARDS, Mask
from holdem.rules import STRAIGHT, THREE_OF_A_KIND, RuleSet

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

_ACE = 12


def find_made_hands(
    combos: NDArray[np.intp],
    board: Sequence[int],
    categories: NDArray[np.intp],
    rules: RuleSet,
) -> dict[str, Mask]:
    """Find the combos with each made hand, split as finely as possible, strongest hand first.

    Every combo has exactly one: the first that fits. Straights and better hands are categories
    of the rule set. Below them, made hands say how the hole cards and the board make the hand.
    If twos are wild, all made hands are categories.

    Args:
        combos: combos that share no card with the board, ``intp (combo,)``.
        board: 3 to 5 cards.
        categories: the category of each combo with the board, as an index into the categories
            of the rule set, ``intp (combo,)``.
        rules: the rule set.

    Returns:
        For each made hand a mask, ``bool (combo,)``.
    """
    complete = range(len(rules.categories))
    if not rules.deuces_wild:
        complete = complete[rules.categories.index(STRAIGHT) :]
    fitting = {rules.categories[number]: categories == number for number in reversed(complete)}
    if not rules.deuces_wild:
        fitting |= _find_lower_made_hands(
            combos, board, categories == rules.categories.index(THREE_OF_A_KIND)
        )
    found = {}
    unassigned = np.ones(len(combos), dtype=np.bool_)
    for name, fits in fitting.items():
        found[name] = fits & unassigned
        unassigned &= ~fits
    return found


def _find_lower_made_hands(
    combos: NDArray[np.intp], board: Sequence[int], threes: Mask
) -> dict[str, Mask]:
    """Find the combos that fit each made hand below a straight, strongest hand first.

    A combo may fit several. `threes` are the combos with three of a kind.
    """
    high, low = (COMBO_CARDS[combos] >> 2).T
    on_board = np.bincount(np.array(board) >> 2, minlength=_ACE + 1)
    # Without a second rank on the board, every combo has three of a kind or better.
    first, second = [*np.flatnonzero(on_board)[::-1].tolist(), -1][:2]
    is_pocket_pair = high == low
    is_top_pair = (high == first) | (low == first)
    # The number of ranks above the kicker that are not on the board.
    above = np.cumsum(on_board[::-1] == 0)[::-1][np.where(high == first, low, high)] - 1
    kickers = (above == 0, (above > 0) & (above < 3), above > 2)
    top_pairs = zip(FINE_LINES[TOP_PAIR], kickers, strict=True)
    below_second, third = FINE_LINES[WEAK_PAIR]
    high_pairs, low_pairs = on_board[high] > 0, on_board[low] > 0
    return {
        SET: threes & is_pocket_pair,
        TRIPS: threes & (on_board.max() < 3),
        BOARD_TRIPS: threes,
        TWO_PAIR: high_pairs & low_pairs & ~is_pocket_pair,
        OVERPAIR: is_pocket_pair & (high > first),
        **{name: is_top_pair & kicker for name, kicker in top_pairs},
        SECOND_PAIR: (high == second) | (low == second) | is_pocket_pair & (high > second),
        below_second: is_pocket_pair,
        third: high_pairs | low_pairs,
        BOARD_PAIR: np.full(len(combos), on_board.max() > 1),
        ACE_HIGH: high == _ACE,
        NOTHING: np.ones(len(combos), dtype=np.bool_),
    }


def join_fine_lines(lines: dict[str, Mask]) -> dict[str, Mask]:
    """Join the finely split made hands and draws into the usual made hands and draws."""
    whole = {fine: name for name, parts in FINE_LINES.items() for fine in parts}
    joined: dict[str, Mask] = {}
    for fine, mask in lines.items():
        name = whole.get(fine, fine)
        if name not in _ONLY_FINE:
            joined[name] = joined[name] | mask if name in joined else mask
    return joined


def find_draws(combos: NDArray[np.intp], board: Sequence[int], rules: RuleSet) -> dict[str, Mask]:
    """Find the combos with each draw on a flop or turn, split as finely as possible.

    A combo may have several. Draws are a matter of ranks and suits: dead cards and better made
    hands do not end them.

    Args:
        combos: combos that share no card with the board, ``intp (combo,)``.
        board: 3 or 4 cards.
        rules: the rule set, in which no card is wild.

    Returns:
        For each draw a mask, ``bool (combo,)``.
    """
    holes = COMBO_CARDS[combos]
    in_hole = (holes[:, :, None] & 3 == np.arange(4)).sum(axis=1)  # (combo, suit)
    in_hand = in_hole + np.bincount(np.array(board) & 3, minlength=4)
    suited = np.where(in_hole > 0, in_hand, 0)
    is_flush_draw = suited.max(axis=1) == 4
    # The highest card of each suit that is not on the board.
    highest = [max({*range(suit, DECK_SIZE, 4)} - {*board}) for suit in range(4)]
    has_highest = (holes == np.array(highest)[suited.argmax(axis=1), None]).any(axis=1)
    nut, other = FINE_LINES[FLUSH_DRAW]
    high, low = (holes >> 2).T
    ranks = _count_straight_ranks(holes, board, rules)
    in_a_row = _encode_held_ranks(holes, board)
    for _ in range(3):
        in_a_row &= in_a_row >> 1
    return {
        nut: is_flush_draw & has_highest,
        other: is_flush_draw & ~has_highest,
        BACKDOOR_FLUSH_DRAW: (suited.max(axis=1) == 3) & (len(board) == 3),
        COMBO_DRAW: is_flush_draw & (ranks > 0),
        OPEN_ENDED: ranks >= 2,
        DOUBLE_GUTSHOT: (ranks >= 2) & (in_a_row == 0),
        GUTSHOT: ranks == 1,
        OVERCARDS: (low > max(board) >> 2) & (low < high),
    }


def _count_straight_ranks(
    holes: NDArray[np.uint8], board: Sequence[int], rules: RuleSet
) -> NDArray[np.intp]:
    """Count the ranks that would give a combo a straight better than its present one and than the
    board's own straight with that rank.

    The result is ``intp (combo,)``.
    """
    straights = np.array([_encode_ranks(straight) for straight in rules.straights])
    added = np.array([_encode_ranks([card.rank]) for card in rules.deck[::4]])
    on_board = np.array([_encode_ranks(card >> 2 for card in board)])
    held = _encode_held_ranks(holes, board)

    def find_best(ranks: NDArray[np.int64]) -> NDArray[np.intp]:
        """Find the strength of the best straight in each set of ranks; 0 if there is none."""
        strengths = np.arange(len(straights), 0, -1)
        contained = ranks[..., None] & straights == straights
        found: NDArray[np.intp] = np.where(contained, strengths, 0).max(axis=-1)
        return found

    made = find_best(held[:, None] | added)
    better = (made > find_best(held)[:, None]) & (made > find_best(on_board | added))
    count: NDArray[np.intp] = better.sum(axis=1)
    return count


def _encode_held_ranks(holes: NDArray[np.uint8], board: Sequence[int]) -> NDArray[np.int64]:
    """Encode the ranks of each combo together with the board's, ``int64 (combo,)``."""
    own: NDArray[np.int64] = np.bitwise_or.reduce(1 << (holes >> 2).astype(np.int64), axis=1)
    return own | _encode_ranks(card >> 2 for card in board)


def _encode_ranks(ranks: Iterable[int]) -> int:
    """Encode a set of ranks as an integer in which bit ``rank`` is set for each rank."""
    return sum({1 << rank for rank in ranks})
