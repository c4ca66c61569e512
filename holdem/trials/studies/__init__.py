"""Studies: long, resumable runs over many spots, on one machine or a Dask cluster."""
