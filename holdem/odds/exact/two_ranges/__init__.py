"""Two ranges on any board: one pass over the combos of each final board."""
