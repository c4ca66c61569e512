"""Checks of evaluators: ``holdem evaluators check``, ``bench`` and ``diff``.

`checker` runs the checks in `checks` on a `candidate`, with `hands` for them, and reports
`findings`.
"""
