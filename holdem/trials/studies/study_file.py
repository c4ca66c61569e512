"""Study files: TOML that is parsed and validated before anything is computed.

Every error names the file, the table and the key, and says what would be valid.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterator, Mapping
from typing import Any

from holdem.arguments import checked_path
from holdem.errors import StudyError, one_line
from holdem.trials.studies.study import Study, StudySpot
from holdem.trials.studies.study_grid import grid_spots
from holdem.trials.studies.study_spots import listed_spot
from holdem.trials.studies.study_table import DEFAULT_KEYS, StudyTable, check_exact


def read_study(source: str | os.PathLike[str] | Mapping[str, Any]) -> Study:
    """Read and validate a study from a TOML file or a mapping.

    Args:
        source: the path of a TOML file, or a mapping of the same structure.

    Raises:
        StudyError: the study cannot be read, or a spot has no answer. The message names the
            file, the table and the key, and says what would be valid.
        HoldemTypeError: neither a path nor a mapping.
    """
    if isinstance(source, Mapping):
        return _study(source, "study")
    path = checked_path(source, "a study", "a path or a mapping")
    where = one_line(path)
    try:
        with open(path, "rb") as file:
            content = tomllib.loads(file.read().decode("utf-8-sig"))  # editors may write a BOM
    except OSError as error:
        raise StudyError(f"{where}: cannot be read: {error.strerror or error}") from error
    except RecursionError as error:
        raise StudyError(f"{where}: not valid TOML: tables or lists nested too deeply") from error
    except ValueError as error:  # invalid TOML or UTF-8
        raise StudyError(f"{where}: not valid TOML: {one_line(str(error))}") from error
    return _study(content, where)


def _study(content: Mapping[str, Any], file: str) -> Study:
    top = StudyTable(content, file, "the top of the file")
    for key in DEFAULT_KEYS:
        top.value(key)  # validated even if every spot overrides it
    check_exact(top, top.value("method"))
    spots = list(_spots(top))
    if not spots:
        raise StudyError(f"{file}: a study needs a [[spot]] or a [[grid]], and has none")
    return Study(tuple(spots))


def _spots(top: StudyTable) -> Iterator[StudySpot]:
    for number, table in enumerate(_tables(top, "spot"), 1):
        yield listed_spot(StudyTable(table, top.file, "[[spot]]", number, top))
    for number, table in enumerate(_tables(top, "grid"), 1):
        yield from grid_spots(StudyTable(table, top.file, "[[grid]]", number, top))


def _tables(top: StudyTable, kind: str) -> list[dict[str, Any]]:
    tables = top.content.get(kind, [])
    if isinstance(tables, dict):
        raise top.error(kind, f"write [[{kind}]] with two brackets, because there can be many")
    if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
        raise top.error(kind, f"expected tables [[{kind}]]")
    return tables
