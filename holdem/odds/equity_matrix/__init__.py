"""Equity of each combo or class in one range against each one in another."""
