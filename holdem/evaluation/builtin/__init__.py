"""Built-in evaluators: `lookup`, the default, and `reference`, the rules in plain Python."""
