"""Studies: long runs over many spots, kept in a store, on one machine or a cluster."""
