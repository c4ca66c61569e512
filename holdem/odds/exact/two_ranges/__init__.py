"""Two ranges on any board: one pass over the combos on each final board."""
