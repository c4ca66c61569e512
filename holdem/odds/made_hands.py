"""Made hands and draws of combos on a board."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from holdem.ranges.combos import COMBO_CARDS, Mask
from holdem.rules import STRAIGHT, THREE_OF_A_KIND, RuleSet

SET, TRIPS, BOARD_TRIPS = "set", "trips", "three of a kind on the board"
TWO_PAIR, OVERPAIR, TOP_PAIR, SECOND_PAIR = "two pair", "overpair", "top pair", "second pair"
WEAK_PAIR, BOARD_PAIR, ACE_HIGH, NOTHING = "weak pair", "board pair", "ace high", "no made hand"

FLUSH_DRAW, BACKDOOR_FLUSH_DRAW = "flush draw", "backdoor flush draw"
OPEN_ENDED, GUTSHOT, OVERCARDS = "open-ended", "gutshot", "overcards"

_ACE = 12


def find_made_hands(
    combos: NDArray[np.intp],
    board: Sequence[int],
    categories: NDArray[np.intp],
    rules: RuleSet,
) -> dict[str, Mask]:
    """Find the combos that have each made hand, strongest hand first.

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
    high_pairs, low_pairs = on_board[high] > 0, on_board[low] > 0
    return {
        SET: threes & is_pocket_pair,
        TRIPS: threes & (on_board.max() < 3),
        BOARD_TRIPS: threes,
        TWO_PAIR: high_pairs & low_pairs & ~is_pocket_pair,
        OVERPAIR: is_pocket_pair & (high > first),
        TOP_PAIR: (high == first) | (low == first),
        SECOND_PAIR: (high == second) | (low == second) | is_pocket_pair & (high > second),
        WEAK_PAIR: is_pocket_pair | high_pairs | low_pairs,
        BOARD_PAIR: np.full(len(combos), on_board.max() > 1),
        ACE_HIGH: high == _ACE,
        NOTHING: np.ones(len(combos), dtype=np.bool_),
    }


def find_draws(combos: NDArray[np.intp], board: Sequence[int], rules: RuleSet) -> dict[str, Mask]:
    """Find the combos that have each draw on a flop or turn.

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
    suited = np.where(in_hole > 0, in_hand, 0).max(axis=1)
    ranks = _count_straight_ranks(holes, board, rules)
    return {
        FLUSH_DRAW: suited == 4,
        BACKDOOR_FLUSH_DRAW: (suited == 3) & (len(board) == 3),
        OPEN_ENDED: ranks >= 2,
        GUTSHOT: ranks == 1,
        OVERCARDS: (holes >> 2).min(axis=1) > max(board) >> 2,
    }


def _count_straight_ranks(
    holes: NDArray[np.uint8], board: Sequence[int], rules: RuleSet
) -> NDArray[np.intp]:
    """Count the ranks that would make a straight that is better than the present one and than the
    one that the rank makes with the board alone.

    The result is ``intp (combo,)``.
    """
    straights = np.array([_encode_ranks(straight) for straight in rules.straights])
    added = np.array([_encode_ranks([card.rank]) for card in rules.deck[::4]])
    on_board = np.array([_encode_ranks(card >> 2 for card in board)])
    held = on_board | np.bitwise_or.reduce(1 << (holes >> 2).astype(np.int64), axis=1)

    def find_best(ranks: NDArray[np.int64]) -> NDArray[np.intp]:
        """Find the strength of the best straight in each set of ranks; 0 for none."""
        strengths = np.arange(len(straights), 0, -1)
        contained = ranks[..., None] & straights == straights
        found: NDArray[np.intp] = np.where(contained, strengths, 0).max(axis=-1)
        return found

    made = find_best(held[:, None] | added)
    better = (made > find_best(held)[:, None]) & (made > find_best(on_board | added))
    count: NDArray[np.intp] = better.sum(axis=1)
    return count


def _encode_ranks(ranks: Iterable[int]) -> int:
    """Encode a set of ranks as an integer in which bit ``rank`` is one for each rank."""
    return sum({1 << rank for rank in ranks})
