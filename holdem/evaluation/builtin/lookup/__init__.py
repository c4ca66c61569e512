"""The default evaluator, which needs a sum of keys and two table look-ups per hand."""
