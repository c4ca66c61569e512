"""The parts of ``scripts/mutate.py``: mutants, tests that run a line, and compiled code."""
