"""Conversion of tables to pandas and polars data frames."""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from typing import Any

from holdem.errors import HoldemRuntimeError, HoldemValueError, quoted
from holdem.report.layout.tables import Row

_LIBRARIES = ("pandas", "polars")


def data_frame(names: Row, rows: Iterable[Iterable[Any]], library: str) -> Any:
    """Return a table as a data frame.

    Lists become text with spaces between their items, as in CSV.

    Args:
        names: the column names.
        rows: the values of each row.
        library: ``"pandas"`` or ``"polars"``.

    Raises:
        HoldemValueError: another library.
        HoldemRuntimeError: the library is not installed.
    """
    if library not in _LIBRARIES:
        raise HoldemValueError(f"no data frames of {quoted(library)}; use pandas or polars")
    try:
        frames = import_module(library)
    except ImportError:
        raise HoldemRuntimeError(f"to_frame needs {library}: pip install {library}") from None
    columns: dict[str, list[Any]] = {name: [] for name in names}
    for name, values in zip(names, zip(*rows, strict=True), strict=False):  # no values if no rows
        columns[name] = [" ".join(map(str, v)) if isinstance(v, list) else v for v in values]
    # In the CSV of a head-to-head a column may have both numbers and text.
    options = {"strict": False} if library == "polars" else {}
    return frames.DataFrame(columns, **options)
