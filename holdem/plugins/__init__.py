"""Plugins: how they are found, registered and called, one at a time."""
