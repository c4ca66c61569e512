"""Three ranges on any board: inclusion-exclusion over the opponents' shared cards."""
