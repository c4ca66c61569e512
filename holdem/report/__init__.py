"""Formatting of results as tables, JSON, CSV, Markdown, HTML and data frames.

A function of a ``*_report`` module describes a result as a `Report` of `holdem.report.model`, and
`holdem.report.formats` renders it in each output format. The JSON is that of the result's own
``to_dict``.
"""
