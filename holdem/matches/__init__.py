"""Matches: whole hands with betting that strategies play against each other.

`match` contains `play`, which deals batches of games and lets the strategies act. `game_kernels`
has the compiled loops over many games, whose rules are those of `holdem.betting.rulebook`.
`decisions` is what a strategy sees, `strategies` what it may be and how its answers are read, and
`compiled` makes kernels of compiled ones. `play_result` is what comes out, and `played_hands` are
the hands that were recorded.
"""
