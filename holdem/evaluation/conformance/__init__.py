"""Conformance checks, comparisons and benchmarks for evaluators."""
