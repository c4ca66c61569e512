"""Checks of evaluators: ``holdem evaluators check``, ``bench`` and ``diff``.

`checker` runs its checks on a `candidate`, with `hands` for them, notices `side_effects`, and
reports `findings`. `bench` measures speed, and `diff` compares two evaluators.
"""
