"""The built-in evaluators, offered through the same hook as plugins.

`lookup`, the default, ranks hands by tables of strengths; `reference` applies the rules of poker in
plain Python.
"""

from __future__ import annotations

from holdem.evaluation.contract import BatchFunction, EvaluatorSpec
from holdem.plugins.hookspecs import hookimpl


def load_lookup() -> BatchFunction:
    from holdem.evaluation.builtin.lookup import rank_by_standard_rules

    return rank_by_standard_rules()


def load_reference() -> BatchFunction:
    from holdem.evaluation.builtin.reference import rank_batch

    return rank_batch


_SPECS = (
    EvaluatorSpec(
        name="lookup",
        summary="additive perfect hash over ranks and a flush table; the default",
        source="this project, with Kenneth Shackleton's rank keys (SpecialKEval)",
        hand_sizes={5, 6, 7},
        load=load_lookup,
    ),
    EvaluatorSpec(
        name="reference",
        summary="the rule book in plain Python, slow and obviously correct",
        source="the rules of poker",
        hand_sizes={5},
        load=load_reference,
    ),
)


@hookimpl(tryfirst=True)
def holdem_evaluators() -> list[EvaluatorSpec]:
    return [*_SPECS]
