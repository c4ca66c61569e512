"""Files of arrays in numpy's npz format, with a header and with a digest that reveals damage.

The header is a JSON object whose key ``schema`` names the kind of file.
"""

from __future__ import annotations

import hashlib
import json
import os
import zipfile
from collections.abc import Collection, Mapping
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from holdem.arguments import checked_path
from holdem.atomic_files import atomic_file
from holdem.cards import read_only
from holdem.errors import HoldemValueError, one_line, quoted

_TEXTS = ("header", "digest")

#: The type and the shape of an array.
Layout = tuple[Any, tuple[int, ...]]


def save_arrays(
    path: Any, header: Mapping[str, Any], given: Mapping[str, NDArray[Any] | None]
) -> None:
    """Write arrays to a file in NumPy's npz format, replacing an existing file.

    JSON must be able to represent `header`, whose key ``schema`` names the kind of file, e.g.
    ``"holdem/card-abstraction/1"``. An array that is None is left out.
    """
    text = json.dumps(header)
    arrays = {name: array for name, array in given.items() if array is not None}
    digest = np.array(_compute_digest(text, arrays))
    with atomic_file(checked_path(path, "a file")) as new, new.open("wb") as file:
        members: dict[str, Any] = {"header": np.array(text), "digest": digest, **arrays}
        np.savez(file, **members)


def load_arrays(
    path: Any, schema: str, keys: Collection[str]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Read a file that `save_arrays` wrote, and verify its schema and digest.

    The header must have `keys` besides ``schema``, and no others. It is returned without
    ``schema``, with the arrays by name, which are read-only.
    """
    name = one_line(checked_path(path, "a file"))
    with open(path, "rb") as content:
        try:
            text, digest, arrays = _read(content)
            header = json.loads(text)
            found = header.pop("schema", None)
            if found != schema:
                raise ValueError(f"it has the schema {found}")
            if header.keys() != set(keys):
                raise ValueError("its header is incomplete")
        except Exception as error:  # of any type: zipfile, numpy and json raise many
            reason = one_line(str(error), 120)
            raise HoldemValueError(
                f"{name} is not a file of {schema}, or it is damaged or cut short: {reason}"
            ) from None
    if digest != _compute_digest(text, arrays):
        raise HoldemValueError(f"{name} is damaged: its digest is not that of its contents")
    return header, arrays


def _read(content: BinaryIO) -> tuple[str, str, dict[str, NDArray[Any]]]:
    """Read an open npz file: header as JSON text, stated digest, not verified, and arrays."""
    size = os.fstat(content.fileno()).st_size
    with zipfile.ZipFile(content) as file:
        members = file.infolist()
        if any(own.compress_type != zipfile.ZIP_STORED or own.flag_bits & 1 for own in members):
            raise ValueError("its arrays are compressed or encrypted")
        names = [own.filename.removesuffix(".npy") for own in members]
        if len(set(names)) < len(names) or sum(own.file_size for own in members) > size:
            raise ValueError("its arrays overlap")

        def read(name: str) -> NDArray[Any]:
            with file.open(f"{name}.npy") as member:
                array: NDArray[Any] = np.lib.format.read_array(member, allow_pickle=False)
            return read_only(array)

        text, digest = str(read("header")), str(read("digest"))
        return text, digest, {name: read(name) for name in names if name not in _TEXTS}


def require_layouts(
    path: Any, arrays: Mapping[str, NDArray[Any]], layouts: Mapping[str, Layout]
) -> None:
    """Raise `HoldemValueError` if an array is missing, unknown, or of another type or shape."""
    found = {name: (array.dtype, array.shape) for name, array in arrays.items()}
    wanted = {name: (np.dtype(dtype), shape) for name, (dtype, shape) in layouts.items()}
    for name in [*wanted, *found]:
        if found.get(name) != wanted.get(name):
            raise HoldemValueError(
                f"{one_line(str(path))} is damaged: the array {quoted(name)} is"
                f" {_describe(found.get(name))}, and should be {_describe(wanted.get(name))}"
            )


def _describe(layout: Layout | None) -> str:
    return "missing" if layout is None else f"{layout[0]} {layout[1]}"


def _compute_digest(header: str, arrays: Mapping[str, NDArray[Any]]) -> str:
    found = hashlib.blake2b(header.encode(), digest_size=16)
    for name, array in arrays.items():
        found.update(f"{name} {array.dtype.str} {array.shape}".encode())
        found.update(np.ascontiguousarray(array).data)
    return found.hexdigest()
