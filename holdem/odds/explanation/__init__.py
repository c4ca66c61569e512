"""Explanations: who wins between known hands, and why."""
