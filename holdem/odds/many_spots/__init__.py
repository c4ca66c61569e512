"""Equities of many spots at once: columns of spots, grouped by type and computed in batches.

`columns` reads the arguments as arrays, `batches` answers the spots whose hole cards are known, and
`job` divides all spots among threads, Dask workers or chunks of a file. `equity_table` is the
result.
"""
