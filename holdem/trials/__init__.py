"""Trials: whole hands, statistics over them, head-to-head contests, and long runs."""
