"""Tasks on the workers of a Dask cluster: requests as plain records, and ordered results."""
