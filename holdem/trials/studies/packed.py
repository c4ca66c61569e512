"""Sequences that take little memory, because their items are compressed and are decoded on use.

Items are pickled. The pickled data never leave the memory of the process, so loading them is safe.
"""

from __future__ import annotations

import pickle
import zlib
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from itertools import islice
from operator import eq
from typing import Any, TypeVar, overload

_Item_co = TypeVar("_Item_co", covariant=True)

_CHUNK = 64  # items that are compressed together
_DECODED = 4  # chunks that stay decoded


class PackedSequence(Sequence[_Item_co]):
    """An immutable sequence whose items are kept compressed, and made anew when they are used.

    Looking up an item decodes the 64 items that were compressed together, and the last few such
    chunks stay decoded. So using the items in order decodes each once, but the same index may give
    a new object each time. Slices share the compressed data.
    """

    def __init__(
        self, records: Iterable[Any], decode: Callable[[Any], _Item_co] | None = None
    ) -> None:
        """Compress the items of a new sequence, each in the form of a record that pickle can store.

        Args:
            records: the records, one for each item.
            decode: makes an item from its record; None if the records are the items.
        """
        waiting, count = iter(records), 0
        self._decode = decode
        self._chunks: list[bytes] = []
        while chunk := list(islice(waiting, _CHUNK)):
            self._chunks.append(zlib.compress(pickle.dumps(chunk, pickle.HIGHEST_PROTOCOL), 1))
            count += len(chunk)
        self._numbers: Sequence[int] = range(count)

    def __len__(self) -> int:
        return len(self._numbers)

    @overload
    def __getitem__(self, index: int) -> _Item_co: ...
    @overload
    def __getitem__(self, index: slice) -> PackedSequence[_Item_co]: ...
    def __getitem__(self, index: int | slice) -> _Item_co | PackedSequence[_Item_co]:
        if isinstance(index, slice):
            return self.select(self._numbers[index])
        chunk, number = divmod(self._numbers[index], _CHUNK)
        item: _Item_co = _decode_chunk(self._chunks[chunk], self._decode)[number]
        return item

    def select(self, numbers: Sequence[int]) -> PackedSequence[_Item_co]:
        """Return a sequence of some items, which shares the compressed data.

        Args:
            numbers: the indices of the items. If this sequence is itself a slice or a selection,
                they are indices in the original sequence.
        """
        selected = PackedSequence[_Item_co]((), self._decode)
        selected._chunks, selected._numbers = self._chunks, numbers
        return selected

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PackedSequence | tuple):
            return NotImplemented
        return len(self) == len(other) and all(map(eq, self, other))

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return repr(tuple(self))


@lru_cache(maxsize=_DECODED)
def _decode_chunk(chunk: bytes, decode: Callable[[Any], Any] | None) -> list[Any]:
    records: list[Any] = pickle.loads(zlib.decompress(chunk))  # noqa: S301 - of this process
    return records if decode is None else list(map(decode, records))
