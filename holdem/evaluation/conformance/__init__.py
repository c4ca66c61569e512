"""Checks of evaluators: ``holdem evaluators check``, ``bench`` and ``diff``.

`checker` runs the checks of the contract. `candidate` calls the evaluator under test, `hands` has
hands with their correct strengths, `side_effects` records what the evaluator prints, and `findings`
has the results. `bench` measures speed, and `diff` compares two evaluators.
"""
