"""Equity of every combo or class of one range against every one of another."""
