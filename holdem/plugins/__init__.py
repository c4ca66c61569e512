"""Plugins: how they are found, registered and called, one at a time.

`manager` calls hooks one implementation at a time. `guard` turns exceptions of a plugin's code into
faults of the plugin, and knows when such code runs; `holdem.cli.output` keeps what it prints out of
results. The hooks themselves are in `holdem.hookspecs`.
"""
