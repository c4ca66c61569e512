"""The parts of ``scripts/benchmark.py``: jobs, timing and tables."""
