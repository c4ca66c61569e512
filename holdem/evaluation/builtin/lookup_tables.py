"""Tables of the default evaluator, loaded from ``lookup_tables.npz`` and verified by a checksum.

``scripts/make/make_lookup_tables.py`` makes the file and explains its layout.
"""

from __future__ import annotations

import io
import zlib
from pkgutil import get_data

import numpy as np
from numpy.typing import NDArray

from holdem.errors import EvaluatorError
from holdem.evaluation.builtin.lookup_keys import RANK_KEYS, ROW_BITS

TABLES_FILE = "lookup_tables.npz"
_CHECKSUM = 0x0716A55D  # CRC-32; a cryptographic digest would take 2 ms to import


def _read() -> dict[str, NDArray[np.uint16 | np.uint32]]:
    content = get_data(__name__, TABLES_FILE) or b""
    if zlib.crc32(content) != _CHECKSUM:
        raise EvaluatorError(
            f"the evaluator's table {TABLES_FILE} is damaged: install holdem again"
        )
    with np.load(io.BytesIO(content), allow_pickle=False) as arrays:
        return {name: arrays[name] for name in arrays.files}


_ARRAYS = _read()


def _pad_offsets(size: int) -> NDArray[np.uint32]:
    """Pad the row offsets of the strength table, for sums of `size` rank keys.

    Rows that no hand uses start at the first entry, so that look-ups of invalid hands stay
    inside the table.
    """
    rows = np.arange((size * RANK_KEYS[-1] >> ROW_BITS) + 1, dtype=np.uint32)
    offsets: NDArray[np.uint32] = -(rows << np.uint32(ROW_BITS))  # modulo 2^32
    found = _ARRAYS[f"offsets_{size}"]
    offsets[: len(found)] = found
    return offsets


def _pad_strengths(size: int) -> NDArray[np.uint16]:
    """Pad the strength table for `size` cards, so that look-ups of invalid hands stay in bounds."""
    return np.pad(_ARRAYS[f"strengths_{size}"].astype(np.uint16), (0, 1 << ROW_BITS))


#: The offsets and strengths for hands of each size.
TABLES = {size: (_pad_offsets(size), _pad_strengths(size)) for size in (5, 6, 7)}
OFFSETS_7, STRENGTHS_7 = TABLES[7]
FLUSH_STRENGTHS: NDArray[np.uint16] = _ARRAYS["flush"].astype(np.uint16)
