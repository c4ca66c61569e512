"""Evaluators of hands: contract, registry, loading, ranking."""
