"""Equities of many spots at once: columns of spots, grouped by type and computed in batches."""
