"""The versions of holdem and of evaluators on which results depend."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from holdem.errors import EvaluatorError
from holdem.evaluation.registry import REGISTRY
from holdem.version import VERSION

#: In place of the distribution, for evaluators registered by the running script.
SCRIPT = "the running script"


def versions_of(evaluators: Iterable[str]) -> dict[str, Any]:
    """Return the versions on which the results of the given evaluators depend, as a record.

    Returns:
        ``{"holdem": version, "evaluators": {name: [distribution, version]}}``. For an evaluator
        that cannot be used the distribution is empty, and the error replaces the version.
    """
    records = {record.name: record for record in REGISTRY.records()}
    found: dict[str, list[str]] = {}
    for name in sorted(set(evaluators)):
        record = records.get(name)
        if record is None or record.status != "active":
            try:
                REGISTRY.get(name)
            except EvaluatorError as error:
                found[name] = ["", str(error)]
                continue
        assert record is not None
        found[name] = [record.distribution or SCRIPT, record.version]
    return {"holdem": VERSION, "evaluators": found}
