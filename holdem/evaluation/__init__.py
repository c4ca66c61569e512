"""Hand evaluators: their contract, registry, loading and checks."""
