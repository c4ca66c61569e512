"""Which version of the engine and of each evaluator gives the answers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from holdem.errors import EvaluatorError
from holdem.evaluation.registry import REGISTRY
from holdem.version import VERSION

#: What stands for the distribution of an evaluator that the running script registered.
SCRIPT = "the running script"


def versions_of(evaluators: Iterable[str]) -> dict[str, Any]:
    """Return the versions that the answers of some evaluators depend on, as a plain record.

    Returns:
        ``{"holdem": version, "evaluators": {name: [distribution, version]}}``; an evaluator
        that cannot be had has no distribution, and the reason instead of a version.
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
