"""The parts of ``scripts/benchmark.py``: what is measured, how, and how it is shown."""
