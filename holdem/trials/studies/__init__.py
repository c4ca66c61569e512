"""Studies: long, resumable runs over many spots, on one machine or a Dask cluster.

`study_file` reads and validates a TOML file, which lists spots or defines grids of them (every hero
against every opponent on every board), and `study` defines a spot of a study. `packed` keeps many
spots and results in little memory. `study_run` computes the spots, in threads or on Dask workers:
it chooses which spot is sampled next and adds up the counts of the deals. `store` keeps finished
work in an SQLite file, which no other module reads or writes. `results` builds the results from a
store, also while a study is running.
"""
