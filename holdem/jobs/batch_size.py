"""Batch sizes that adapt to the speed of an evaluator.

An evaluator may rank a million hands a second, or one. Runs therefore begin with small batches
and make them larger while they take little time. This is only for work whose result does not
depend on the batch sizes.
"""

from __future__ import annotations

#: The size of the first batch: some 0.3 s for all 21 choices of five cards at a millisecond each.
FIRST_BATCH = 16

# Batches faster than `_SHORT` are followed by larger ones, batches slower than `_LONG` by
# smaller ones. Equal hands in a batch are ranked once (on a flop one hand in twenty is
# distinct), so small batches cost more per hand.
_SHORT, _LONG = 1.0, 8.0  # seconds


class BatchSize:
    """A batch size that adapts to the time that batches take.

    Attributes:
        size: the number of items of the next batch.
    """

    def __init__(self, least: int = FIRST_BATCH) -> None:
        """Start with a size of `least`, below which the size never falls."""
        self.size = least
        self._least = least

    def update(self, items: int, seconds: float) -> None:
        """Adapt the batch size to the time that a batch of `items` items took."""
        if seconds < _SHORT:
            self.size = max(self.size, (8 if seconds < _SHORT / 16 else 2) * items)
        elif seconds > _LONG:
            self.size = max(min(self.size, items // 2), self._least)
