"""Built-in evaluators: `lookup`, the fast default, and `reference`, written in plain Python."""
