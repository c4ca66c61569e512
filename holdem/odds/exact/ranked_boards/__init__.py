"""Match-ups compared over boards on which any evaluator ranked their combos."""
