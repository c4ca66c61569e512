"""`PlayedHands`: the hands of a match that were recorded, each as a `PlayedHand` on demand."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from typing import Any, overload

import attrs
import numpy as np
from numpy.typing import NDArray

from holdem.betting.game import Game
from holdem.betting.played_hand import PlayedHand
from holdem.betting.stakes import Stakes
from holdem.cards import CardArray
from holdem.errors import counted
from holdem.evaluation.evaluator import Evaluator
from holdem.matches import game_kernels
from holdem.trials.hand_table import HandTable


@attrs.frozen(eq=False)
class Record:
    """The cards and actions of consecutive hands; see `game_kernels.record_games`."""

    first: int
    """The number of the first hand, from 0."""
    dealt: CardArray
    """As `HandDealer.deal` returns them."""
    starts: NDArray[np.uint32]
    kinds: NDArray[np.int8]
    first_raises: NDArray[np.uint32]
    raises: NDArray[np.int32]

    @classmethod
    def of(
        cls, games: Any, count: int, log: NDArray[np.int32], dealt: CardArray, first: int
    ) -> Record:
        """Record the first `count` games of a batch; its first one is hand `first`."""
        own = games[:count]
        actions = int(own["count"].sum())
        raises = int(own["raises"].sum() + own["raises_before"].sum())
        found = cls(
            first,
            dealt,
            np.empty(count + 1, dtype=np.uint32),
            np.empty(actions, dtype=np.int8),
            np.empty(count + 1, dtype=np.uint32),
            np.empty(raises, dtype=np.int32),
        )
        game_kernels.record_games(
            games, count, log, found.starts, found.kinds, found.first_raises, found.raises
        )
        return found

    def __len__(self) -> int:
        return len(self.starts) - 1

    def actions(self, hand: int) -> list[int]:
        """List the actions of one of the hands, in chips."""
        kinds = self.kinds[self.starts[hand] : self.starts[hand + 1]].tolist()
        totals = iter(self.raises[self.first_raises[hand] : self.first_raises[hand + 1]].tolist())
        return [next(totals) if kind > 0 else kind for kind in kinds]


class PlayedHands(Sequence[PlayedHand]):
    """Hands of a match, in the order of their numbers.

    Each is made when it is asked for: it is played again by `Game`, which takes a fifth of a
    millisecond. A slice is of the same type.
    """

    def __init__(
        self,
        records: Sequence[Record],
        lineups: Sequence[tuple[str, ...]],
        stakes: Stakes,
        options: Mapping[str, Any],
        seed: int,
        evaluator: Evaluator,
        chosen: range | None = None,
    ) -> None:
        """Keep records; `lineups` are names by position, `options` arguments of `Game`.

        `chosen` are indices of the hands that this is a slice of, None for all.
        """
        self._arguments = records, lineups, stakes, options, seed, evaluator
        self._firsts = [record.first for record in records]
        self._chosen = range(sum(map(len, records))) if chosen is None else chosen

    def __len__(self) -> int:
        return len(self._chosen)

    @overload
    def __getitem__(self, index: int) -> PlayedHand: ...
    @overload
    def __getitem__(self, index: slice) -> PlayedHands: ...
    def __getitem__(self, index: int | slice) -> PlayedHand | PlayedHands:
        if isinstance(index, slice):
            return PlayedHands(*self._arguments, self._chosen[index])
        records, lineups, stakes, options, seed, evaluator = self._arguments
        number = self._chosen[index]
        record = records[bisect_right(self._firsts, number) - 1]
        deal, lineup = divmod(number, len(lineups))
        row = deal - record.first // len(lineups)
        numbers = np.array([deal + 1])
        (hand,) = HandTable(record.dealt[row : row + 1], numbers, seed, evaluator)
        game = Game(hand=hand, evaluator=evaluator.spec, **options)
        for action in record.actions(number - record.first):
            taken: Any = stakes.exact_amount(action) if action > 0 else action
            game.act(taken)
        return attrs.evolve(game.hand, names=lineups[lineup], number=str(number + 1))

    def __repr__(self) -> str:
        return f"<PlayedHands: {counted(len(self), 'hand')}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return PlayedHands, (*self._arguments, self._chosen)
