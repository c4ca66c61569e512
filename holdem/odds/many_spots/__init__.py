"""Equities of many spots at once: columns of spots, grouped by kind and answered in batches."""
