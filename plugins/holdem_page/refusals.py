"""`RefusedError`, raised for refused requests, and functions that format errors as JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

import attrs

from holdem.errors import HoldemError, HoldemValueError, RangeError


@attrs.define(eq=False)
class RefusedError(Exception):
    """Raised when a request is refused."""

    status: HTTPStatus
    message: str
    headers: Mapping[str, str] = attrs.field(factory=dict)  # to add to the response
    field: str | None = None  # "token" if the token is missing or wrong


def error_body(message: str, **place: Any) -> bytes:
    """Format an error message as a JSON object, ``{"error": {"message": …}}``, encoded as UTF-8.

    `place` are further keys of the inner object, which tell where in the request the error is;
    those with the value None are left out.
    """
    known = {name: value for name, value in place.items() if value is not None}
    error = {"error": {"message": message, **known}}
    return json.dumps(error, ensure_ascii=False).encode("utf-8", "backslashreplace")


def error_json(error: HoldemError) -> bytes:
    """Format an error in a query as the JSON object ``{"error": {…}}``, encoded as UTF-8.

    Keys of the inner object: ``message`` and, as far as they are known, ``player``, from 0;
    ``start`` and ``end`` (exclusive), positions in the text of the range; ``field``, ``"board"`` or
    ``"dead"``.
    """
    place: dict[str, Any] = {}
    if isinstance(error, HoldemValueError):
        place |= {"player": error.player, "field": error.field}
    if isinstance(error, RangeError) and error.position is not None:
        place |= {"start": error.position, "end": error.position + (error.length or 0)}
    return error_body(str(error), **place)
