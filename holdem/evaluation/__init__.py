"""Hand evaluators: their contract, registry, loading and checks.

`contract` says what a plugin declares, `registry` knows the evaluators by name, `load_checks`
proves an evaluator on first use, and `evaluator` ranks. `hand_value` is the value of one hand, and
`scale` maps strengths to classes and categories. `given_plugins` loads what ``-p`` names.
"""
