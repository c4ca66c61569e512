"""Plugins: how they are found, registered and called, one at a time.

`hookspecs` declares the hooks. `manager` finds and registers plugins, and calls the implementations
of hooks; `guard` converts exceptions in a plugin's code to an `EvaluatorError`. `given_files` are
plugins given with ``-p``, `range_files` those with ``--ranges``, and `commands` are those that
plugins offer. `bundled` says which of them come with the engine. What plugins answer is read by
the package that it is about: evaluators by `holdem.evaluation.registry`, and named ranges by
`holdem.ranges.names`.
"""
