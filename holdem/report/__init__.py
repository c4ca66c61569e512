"""Formatting of results as tables, JSON, CSV and Markdown.

A function of a ``*_report`` module describes a result as a `Report`, and `holdem.report.formats`
renders a report in each output format, laid out by `holdem.report.layout`. The JSON is that of the
result's own ``to_dict``.
"""
