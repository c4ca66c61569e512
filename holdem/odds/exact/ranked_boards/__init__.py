"""Exact equity by ranking every combo on every board, with any evaluator."""
