"""Answers as people and programs read them: tables, JSON, CSV."""
