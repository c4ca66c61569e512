"""Equities of many spots at once: columns of spots, grouped by type and computed in batches.

`columns` brings columns of any library into one form, `column_readers` reads cards and players in
them, and `spot_columns` has the arguments of `equities` as arrays. `validity` finds invalid spots,
and `equal_spots` numbers equal ones and groups those with the same answer. `batches` answers the
spots whose hole cards are known, and `job` divides all spots among threads, Dask workers or chunks
of a file. `equity_table` is the result.
"""
