"""Checks of evaluators: ``holdem evaluators check``, ``bench`` and ``diff``.

`checker` runs the checks of the contract. `candidate` calls the evaluator under test, `hands` lists
hands and says how strong they really are, `side_effects` records what the evaluator prints, and
`findings` contains the classes of results. `bench` measures speed, and `diff` compares two
evaluators.
"""
