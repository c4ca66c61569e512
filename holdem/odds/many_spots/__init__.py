"""Equities of many spots at once: columns of spots, grouped by type and computed in batches.

`columns` converts columns of any library to one form, `column_readers` reads the cards and players
in them, and `spot_columns` stores the arguments of `equities` as arrays. `validity` finds invalid
spots. `equal_spots` numbers equal spots and groups spots that have the same answer. `batches`
answers common types of spots with known hole cards, and `job` divides all spots into tasks for
threads or Dask workers. `equity_table` defines the result.
"""
