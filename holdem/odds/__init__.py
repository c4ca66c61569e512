"""Equity: spots, plans, exact and sampled methods, and results.

The modules, from the highest layer to the lowest:

* `many_spots`, `equity_matrix`, `hits` (the made hands and draws of a range) and `explanation`
  (which known hand wins, and why) contain public functions that use the layers below.
  `kept_lines` narrows ranges to the combos with given made hands or draws.
* `equity` contains the public function `equity`, and `flops` computes the equities on all flops.
  `late_breakdowns` computes the tables of a result that was looked up.
  `next_cards` computes the equities of a spot after each choice of further board cards, also for
  `flops`. `line_counts` counts boards for `hits`. `plan` chooses the method, and refuses queries
  that would take too long.
* `exact` counts all possible deals, and `sampling` draws random ones.
* `result` contains the results of `equity`; `breakdown` contains their tables by class, category,
  combo, next card, runout and number of deals.
  `matchups` lists the choices of one combo per player in which no card is used twice, `symmetry`
  finds suit permutations, and `named_lines` reads names such as "top pair+".
* `spot` validates queries, and `bounds` the limits of sampled runs. `card_removal` sums the weights
  of unblocked combos, and `tally` counts deals by their winners. `hand_lines` finds made hands and
  draws, and `pot_odds` computes the price of a call or bet.
"""
