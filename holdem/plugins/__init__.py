"""Plugins: how they are found, registered and called, one at a time.

`manager` calls hooks one implementation at a time, and `guard` keeps exceptions and output of
plugins away from everything else. The hooks themselves are in `holdem.hookspecs`.
"""
