"""Head-to-head trials between players, and cross-checks between evaluators."""
