"""The engine's own evaluators: `lookup`, the default, and `reference`, the rule book."""
