"""Trials: dealt hands, their statistics, head-to-head contests, and studies of many spots.

`simulation` deals hands, `hand_table` stores them as arrays, and `hand_files` writes them to files.
`dealt_lines` finds made hands and draws in them by name.
`estimation` estimates the mean of a quantity that a user's function returns for each hand.
`aggregation` counts outcomes of dealt hands. `contest` compares players, or evaluators on the same
deals, and `contest_result` defines its results. `comparison` finds the winner of pairs of five-card
hands. `studies` contains long runs over many spots.
"""
