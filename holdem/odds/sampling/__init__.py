"""Estimation of equity by Monte Carlo sampling, with confidence intervals.

`sampler` holds the deals of a spot and the number of the stream, and finds the winners of deals;
`deal_kernels` draws holes and boards. `scarce_cards` and `cluster_sampling` help where holes hardly
fit together. `estimates` computes errors and intervals, and `run` is the job.
"""
