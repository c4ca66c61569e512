"""The default evaluator, which ranks a hand with a sum of card keys and two table look-ups."""
