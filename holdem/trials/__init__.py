"""Trials: dealt hands, their statistics, head-to-head contests, and studies of many spots."""
