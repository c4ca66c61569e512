"""The parts of ``scripts/checks/mutate.py``: mutants, tests that run a line, and compiled code."""
