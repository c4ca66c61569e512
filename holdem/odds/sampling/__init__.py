"""Estimation of equity by Monte Carlo sampling, with confidence intervals.

`sampler` draws the deals of a spot and finds their winners. `deal_tables` prepares the tables from
which deals are drawn, and `deal_kernels` contains the compiled functions that draw them.
`scarce_cards` and `cluster_sampling` save time where ranges overlap so much that drawn hole cards
rarely fit together. `intervals` computes errors and intervals, `run` is the job, and
`sample_results` makes the result.
"""
