"""Reports: results as tables, JSON, CSV, Markdown, HTML and data frames.

There is a module for each family of results, such as `equity_report`, `range_report` and
`spots_report`. A function there describes a result as a `Report` of blocks, tables and columns
(`model`); the JSON, the types of columns and the columns of text follow from the result's class
(`holdem.fields`). Some text has a layout of its own: grids of equities by card or hand, and the
rows of studies and of many spots, which show several results. Reports on evaluators, plans and
named ranges show no result.

`formats` renders any report, using `cells` for single values, `text_tables` for lines of a terminal
and `markup` for CSV, Markdown and HTML. `plots` draws charts, and `colours` has the scales of both.
"""
