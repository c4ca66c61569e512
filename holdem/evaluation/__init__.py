"""Evaluators: the contract, the registry, the rule book, and the default evaluator."""
