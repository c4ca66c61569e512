"""Plugins: how they are found, registered and called, one at a time.

`manager` finds and registers plugins, and calls the implementations of hooks. `guard` converts
exceptions in a plugin's code to an `EvaluatorError`, and knows whether a plugin's code is running,
so that `holdem.cli.output` can keep what this code prints out of results. The hooks themselves are
in `holdem.hookspecs`.
"""
