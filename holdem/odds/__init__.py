"""Equity: spots, plans, exact and sampled methods, and results.

Modules by layer, the higher first:

* `many_spots`, `equity_matrix`, `hits` (what a range has on a board) and `explanation` (who wins
  between known hands, and what decides) are public functions above `api`; `kept_lines` narrows
  ranges by the lines of `hits`.
* `api` is `equity`; `flops` has the equities on all flops. `next_cards` answers a spot for each
  choice of cards to come, for `flops` too, and `line_counts` counts boards for `hits`. `plan`
  chooses the method and refuses what costs too much.
* `exact` counts deals, and `sampling` draws them.
* `result` is what a user gets; `breakdown` has its tables by class, category, combo, next card,
  runout and number of deals, and `record_tables` their base classes. `matchups` lists the combos
  that fit together, `symmetry` the suit permutations, and `named_lines` reads names such as "top
  pair+".
* `spot` is a validated query, `bounds` the limits of sampled runs, `card_removal` and `tally`
  arithmetic of blocked combos and of winners, `hand_lines` made hands and draws, and `price` what a
  pot and a bet require.
* `dask_tasks` contains all that knows Dask.
"""
