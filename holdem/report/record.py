"""Records as JSON. Floats are printed so that they read back the same."""

from __future__ import annotations

import json
from typing import Any


def to_json(record: Any) -> str:
    """Return a record as JSON on one line; NaN and infinities are refused, for JSON has none."""
    return json.dumps(record, ensure_ascii=False, allow_nan=False)
