"""Batch sizes that adapt to how fast an evaluator turns out to be.

An evaluator may rank a million hands a second or one. Work is therefore cut as it goes: small
batches first, larger ones while a batch takes next to no time. Only work whose result does not
depend on how it is cut may be cut so.
"""

from __future__ import annotations

#: The size of the first batch: half a second with an evaluator that takes a millisecond a hand.
FIRST_BATCH = 16

# A batch shorter than the first is followed by larger ones, one longer than the second by
# smaller ones. Equal hands of a batch are ranked once (on a flop one hand of twenty is
# distinct), so small batches cost more a hand.
_SHORT, _LONG = 1.0, 8.0  # seconds


class BatchSize:
    """The size of the next batch.

    Attributes:
        size: how many items the next batch should have.
    """

    def __init__(self, least: int = FIRST_BATCH) -> None:
        """Begin with batches of `least` items; they never get smaller."""
        self.size = least
        self._least = least

    def update(self, items: int, seconds: float) -> None:
        """Adapt to the seconds that a batch of so many items took."""
        if seconds < _SHORT:
            self.size = max(self.size, (8 if seconds < _SHORT / 16 else 2) * items)
        elif seconds > _LONG:
            self.size = max(min(self.size, items // 2), self._least)
