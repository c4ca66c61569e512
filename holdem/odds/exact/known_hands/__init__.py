"""Known hands: match-ups of single combos, counted over all boards."""
