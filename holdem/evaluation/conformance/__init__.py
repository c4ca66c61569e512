"""Conformance checks, comparison and benchmarks of evaluators."""
