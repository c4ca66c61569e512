"""Hand evaluators: their contract, registry, loading and checks.

`contract` defines what a plugin declares about an evaluator, `registry` finds evaluators by name,
`load_checks` checks an evaluator on first use, and `evaluator` ranks hands with it. `hand_value`
evaluates a single hand, and `scale` maps strengths to classes and categories.
"""
