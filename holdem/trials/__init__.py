"""Trials: dealt hands, their statistics, head-to-head contests, and studies of many spots.

`simulation` deals hands, `hand_table` keeps them as arrays, and `hand_files` writes them.
`estimation` finds means of what a user's function counts; `aggregation` adds up fixed statistics.
`contest` plays players against each other and cross-checks evaluators on the same deals;
`comparison` counts which hand wins in pairs of five cards. `studies` are long runs.
"""
