"""Studies: long, resumable runs over many spots, on one machine or a Dask cluster.

`study_file` reads TOML and its grids, and `study` validates spots. `packed` keeps those of a large
study, and their results, compressed. `study_run` chooses which spot is sampled next and what is
computed together, and adds up what threads or Dask workers return. `store` is the only module that
reads and writes the SQLite tables; `results` reads what a store has so far.
"""
