"""The parts of ``scripts/benchmarks/benchmark.py``: jobs, timing and tables."""
