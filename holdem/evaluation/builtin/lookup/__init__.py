"""The default evaluator: a sum of keys and two table look-ups for each hand."""
