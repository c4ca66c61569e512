"""Specs of the built-in evaluators, offered through the hook that plugins use."""

from __future__ import annotations

from holdem.evaluation.contract import BatchFunction, EvaluatorSpec, hookimpl


def load_lookup() -> BatchFunction:
    """Load `lookup`."""
    from holdem.evaluation.builtin.lookup.kernels import rank_batch

    return rank_batch


def load_reference() -> BatchFunction:
    """Load `reference`."""
    from holdem.evaluation.builtin.reference import rank_batch

    return rank_batch


@hookimpl
def holdem_evaluators() -> list[EvaluatorSpec]:
    """Return the specs of `lookup` and `reference`."""
    return [
        EvaluatorSpec(
            name="lookup",
            summary="additive perfect hash over ranks and a flush table; the default",
            source="this project, with Kenneth Shackleton's rank keys (SpecialKEval)",
            hand_sizes={5, 6, 7},
            load=load_lookup,
        ),
        EvaluatorSpec(
            name="reference",
            summary="the rule book in plain Python, slow and obviously right",
            source="the rules of poker",
            hand_sizes={5},
            load=load_reference,
        ),
    ]
