"""Ranked boards: every combo ranked on every board by any evaluator."""
