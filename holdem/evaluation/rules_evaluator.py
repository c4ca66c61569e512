"""Evaluators made of a rule set alone, which need no code of their own."""

from __future__ import annotations

from functools import cache

import attrs

from holdem.errors import EvaluatorError
from holdem.evaluation.contract import BatchFunction, EvaluatorSpec
from holdem.rules import RuleSet


@attrs.frozen
class LoadRules:
    """The `load` function of a spec that `spec_of_rules` made."""

    rules: RuleSet

    def __call__(self) -> BatchFunction:
        """Make the tables of the rule set, which rank the hands."""
        from holdem.evaluation.builtin.lookup import RankByTables

        return RankByTables(self.rules)


@cache
def spec_of_rules(rules: RuleSet) -> EvaluatorSpec:
    """Make the spec of the evaluator that ranks hands by a rule set, under its name.

    Equal rule sets have the same spec, so that their evaluator is loaded once.
    """
    if rules.deuces_wild:
        raise EvaluatorError(f"{rules.name} rules need an evaluator that knows wild cards")
    return EvaluatorSpec(
        name=rules.name,
        summary=f"{rules.deck_text}, ranked by the order of their categories",
        source="the rule set",
        hand_sizes={5, 6, 7},
        load=LoadRules(rules),
        rules=rules,
    )
