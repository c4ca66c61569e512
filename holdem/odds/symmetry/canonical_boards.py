"""All boards of a question, one of each kind that a renaming of suits makes of another.

A renaming that leaves everything else as it is takes a board to one on which the same
happens, but to other combos: a combo's sums over all boards are the average, over the
renamings, of the sums that its renamed combos have over the boards listed.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from math import comb
from typing import TypeVar, cast

import attrs
import numpy as np
from numpy.typing import NDArray

from holdem.cards import DECK_SIZE, CardArray, card_sets
from holdem.odds.exact.integer_weights import Sums
from holdem.odds.symmetry.suit_permutations import renamed_cards, renamed_combos, renamed_suits

_SIZE = 5
_Sums = TypeVar("_Sums", bound=Sums)


@attrs.frozen(eq=False)
class AlikeBoards:
    """Complete boards, each with how many it stands for. Made by `list_boards`."""

    cards: CardArray
    """``uint8 (board, 5)``."""

    times: NDArray[np.uint8]
    """How many boards are of the same kind, ``uint8 (board,)``: 1 to 24."""

    renamings: NDArray[np.intp]
    """The renamings of suits that make boards alike, ``intp (renaming,)``."""

    def spread(self, sums: _Sums) -> _Sums:
        """Turn sums over the boards listed into the sums over all boards.

        Args:
            sums: ``(…, 1326)``: they count each board `times` times.
        """
        if len(self.renamings) == 1:
            return sums
        becomes, count = renamed_combos()[self.renamings], len(self.renamings)
        if sums.dtype.kind == "f":
            return cast(_Sums, sums[..., becomes].sum(axis=-2) / count)
        # Divided first: the sum over 24 renamings might not fit.
        whole, rest = np.divmod(sums, count)
        spread = whole[..., becomes].sum(axis=-2) + rest[..., becomes].sum(axis=-2) // count
        return cast(_Sums, spread)


def list_boards(
    board: Sequence[int], dead: Collection[int], renamings: NDArray[np.intp]
) -> AlikeBoards:
    """List the boards that complete the known one, one of each kind.

    Args:
        board: 0, 3, 4 or 5 cards.
        dead: cards that cannot come; those of the board may be among them.
        renamings: a group of renamings that take board and dead cards to themselves, as
            `renamings_that_keep` gives; 0 alone to have all boards listed.
    """
    gone = {*board, *dead}
    deck = np.array([card for card in range(DECK_SIZE) if card not in gone], dtype=np.uint8)
    if not board:
        return _before_the_flop(deck, renamings)
    cards = np.empty((comb(len(deck), _SIZE - len(board)), _SIZE), dtype=np.uint8)
    cards[:, : len(board)] = board
    if len(board) == _SIZE - 1:
        cards[:, 4] = deck
    elif len(board) == _SIZE - 2:
        higher, lower = np.tril_indices(len(deck), -1)
        cards[:, 3], cards[:, 4] = deck[higher], deck[lower]
    times = np.ones(len(cards), dtype=np.uint8)
    if len(renamings) > 1:
        codes = np.array([card_sets(renamed_cards()[renaming][cards]) for renaming in renamings])
        first = codes[0] == codes.min(axis=0)
        times = (len(renamings) // (codes == codes[0]).sum(axis=0))[first].astype(np.uint8)
        cards = np.ascontiguousarray(cards[first])
    return AlikeBoards(cards, times, renamings)


def _before_the_flop(deck: CardArray, renamings: NDArray[np.intp]) -> AlikeBoards:
    from holdem.odds.symmetry.kernels import list_alike_boards

    cards = np.empty((comb(len(deck), _SIZE), _SIZE), dtype=np.uint8)
    times = np.empty(len(cards), dtype=np.uint8)
    count = list_alike_boards(deck, renamed_suits()[renamings], cards, times)
    return AlikeBoards(cards[:count].copy(), times[:count].copy(), renamings)
