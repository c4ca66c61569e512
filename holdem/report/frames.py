"""Conversion of tables to pandas and polars data frames."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdem.errors import HoldemRuntimeError, HoldemValueError, quoted
from holdem.report.layout.tables import Row

_LIBRARIES = ("pandas", "polars")


def data_frame(names: Row, rows: Iterable[Iterable[Any]], library: str) -> Any:
    """Convert the rows of a CSV to a data frame, whose types are found from the values.

    Lists become text with spaces between their items, as in CSV.

    Args:
        names: the column names.
        rows: the values of each row.
        library: ``"pandas"`` or ``"polars"``.

    Raises:
        HoldemValueError: another library.
        HoldemRuntimeError: the library is not installed.
    """
    columns: dict[str, list[Any]] = {name: [] for name in names}
    for name, values in zip(names, zip(*rows, strict=True), strict=False):  # no values if no rows
        columns[name] = [" ".join(map(str, v)) if isinstance(v, list) else v for v in values]
    return frame_of_columns(columns, library)


def frame_of_columns(
    columns: Mapping[str, list[Any] | NDArray[Any]], library: str, index: Any = None
) -> Any:
    """Convert columns to a data frame.

    An array determines the type of its column, also where it has no value: an array of objects
    holds strings and None, and NaN is a missing number. The type of a list depends on its values.

    Args:
        columns: the columns by name.
        library: ``"pandas"`` or ``"polars"``.
        index: the index of a pandas frame; by default, rows are numbered from 0.

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
    strings = {
        name: values.tolist()
        for name, values in columns.items()
        if isinstance(values, np.ndarray) and values.dtype == object
    }
    if library == "polars":
        # In the CSV of a head-to-head a column may have both numbers and text.
        return frames.DataFrame(
            {**columns, **strings},
            schema_overrides=dict.fromkeys(strings, frames.String),
            strict=False,
            nan_to_null=True,
        )
    # The strings of pandas 3. The default of pandas 2 has no type where all are missing.
    typed = {
        name: frames.array(values, dtype=frames.StringDtype(na_value=np.nan))
        for name, values in strings.items()
    }
    return frames.DataFrame({**columns, **typed}, index=index)
