"""Deals to examine, tests of uniformity and independence, and bits for test suites."""
