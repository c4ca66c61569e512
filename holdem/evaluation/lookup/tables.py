"""The tables of the default evaluator, read from ``tables.npz`` and checked.

``scripts/make_lookup_tables.py`` makes the file and explains its layout.
"""

from __future__ import annotations

import hashlib
import io
from pkgutil import get_data

import numpy as np
from numpy.typing import NDArray

from holdem.errors import EvaluatorError

TABLES_FILE = "tables.npz"
_DIGEST = "fc2de1c304befd627c4547d52177b23a77b0a2e4fc0499335069e91d0a01b273"


def _read() -> dict[str, NDArray[np.uint16 | np.uint32]]:
    content = get_data(__name__, TABLES_FILE) or b""
    found = hashlib.sha256(content).hexdigest()
    if found != _DIGEST:
        raise EvaluatorError(
            f"the evaluator's table {TABLES_FILE} is damaged (sha256 {found[:12]}…, not"
            f" {_DIGEST[:12]}…): install holdem again"
        )
    with np.load(io.BytesIO(content), allow_pickle=False) as arrays:
        return {name: arrays[name] for name in arrays.files}


_ARRAYS = _read()

OFFSETS_5: NDArray[np.uint32] = _ARRAYS["offsets_5"].astype(np.uint32)
OFFSETS_6: NDArray[np.uint32] = _ARRAYS["offsets_6"].astype(np.uint32)
OFFSETS_7: NDArray[np.uint32] = _ARRAYS["offsets_7"].astype(np.uint32)
STRENGTHS_5: NDArray[np.uint16] = _ARRAYS["strengths_5"].astype(np.uint16)
STRENGTHS_6: NDArray[np.uint16] = _ARRAYS["strengths_6"].astype(np.uint16)
STRENGTHS_7: NDArray[np.uint16] = _ARRAYS["strengths_7"].astype(np.uint16)
FLUSH_STRENGTHS: NDArray[np.uint16] = _ARRAYS["flush"].astype(np.uint16)
