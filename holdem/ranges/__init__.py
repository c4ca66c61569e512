"""Ranges of starting hands: `Range`, the range language, and the order of starting hands.

`names` checks and finds the ranges that plugins offer as ``@name``; `named_ranges` lists them, and
reads files of ranges. `parser` turns strings into weights, `hand_tokens` lists the combos of
``AKs``, ``77+`` and ``A5s-A2s``, `range_messages` words the errors, and `printer` writes ranges.
`combos` numbers the 1,326 combos and the 169 classes.
"""
