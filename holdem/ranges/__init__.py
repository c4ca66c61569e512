"""Ranges of starting hands: `Range`, the range language, and the order of starting hands.

`range` contains `Range`. `parser` converts range strings to weights, `hand_tokens` finds the combos
of ``AKs``, ``77+`` and ``A5s-A2s``, `range_messages` formats the error messages, and `printer`
converts weights to range strings. `names` checks and finds the ranges that plugins offer as
``@name``; `named_ranges` lists them. `starting_hands` ranks the classes of starting hands. `combos`
numbers the 1,326 combos and the 169 classes, and `weights` validates weights.
"""
