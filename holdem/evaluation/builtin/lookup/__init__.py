"""The default evaluator: one sum of keys and two table look-ups for a hand."""
