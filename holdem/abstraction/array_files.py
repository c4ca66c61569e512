"""Array files in numpy's format npz, with a schema and a digest to detect damage."""

from __future__ import annotations

import hashlib
import json
import zipfile
import zlib
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdem.arguments import checked_path
from holdem.atomic_files import atomic_file
from holdem.errors import HoldemValueError, one_line

_FAULTS = (ValueError, KeyError, EOFError, NotImplementedError, zipfile.BadZipFile, zlib.error)


def save_arrays(path: Any, header: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> None:
    """Write arrays to a file in numpy's format npz; replace an existing file.

    Args:
        path: the file.
        header: JSON values; ``schema`` says what the file contains.
        arrays: the arrays by name.

    Raises:
        OSError: the file cannot be written; an existing file is unchanged.
    """
    text = json.dumps(header)
    digest = np.array(_compute_digest(text, arrays))
    with atomic_file(checked_path(path, "a file")) as new, new.open("wb") as file:
        members: dict[str, Any] = {"header": np.array(text), "digest": digest, **arrays}
        np.savez(file, **members)


def load_arrays(path: Any, schema: str) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """Read a file's header and arrays, and verify its schema and digest.

    Args:
        path: the file.
        schema: the schema that it must have.

    Raises:
        HoldemValueError: not such a file, or it is damaged or incomplete.
        OSError: the file cannot be read.
    """
    name = one_line(checked_path(path, "a file"))
    try:
        with open(path, "rb") as content, np.load(content, allow_pickle=False) as file:
            arrays = {key: file[key] for key in file.files}
        text, digest = str(arrays.pop("header")), str(arrays.pop("digest"))
        header = json.loads(text)
        found = header.get("schema")
    except (*_FAULTS, AttributeError, TypeError) as error:
        reason = one_line(str(error), 80)
        raise HoldemValueError(
            f"{name} is not a file of {schema}, or it is damaged or cut short: {reason}"
        ) from None
    if found != schema:
        raise HoldemValueError(f"{name} has the schema {found}, not {schema}")
    if digest != _compute_digest(text, arrays):
        raise HoldemValueError(f"{name} is damaged: its digest is not that of its contents")
    return header, arrays


def _compute_digest(header: str, arrays: Mapping[str, NDArray[Any]]) -> str:
    found = hashlib.blake2b(header.encode(), digest_size=16)
    for name, array in arrays.items():
        found.update(f"{name} {array.dtype.str} {array.shape}".encode())
        found.update(np.ascontiguousarray(array).data)
    return found.hexdigest()
