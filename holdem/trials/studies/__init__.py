"""Studies: long, resumable runs over many spots, on one machine or a Dask cluster.

`study_file` reads and validates the spots and grids of a TOML file, and `study` defines a spot of a
study. `packed` stores many spots and results in little memory. `study_run` chooses which spot is
sampled next and which blocks of deals are computed together, and adds up the tallies that threads
or Dask workers return. `store` is the only module that reads and writes the SQLite tables.
`results` reads the results that are in a store so far.
"""
