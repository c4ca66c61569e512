"""Reports: results as tables, JSON, CSV, Markdown, HTML and data frames.

There is a module for each family of results, such as `equity_report`, `range_report` and
`spots_report`. A function there describes a result as a `Report` of blocks, tables and columns
(`model`). JSON, the types of columns and most columns of text follow from the fields that the class
of the result declares (`holdem.results.fields`). Reports lay out some text themselves: grids of
equities by card or hand, and the rows of studies and of many spots, which show several results.
Reports on evaluators, plans and named ranges do not show a result. `formats` renders any report,
using `cells` for single values, `text_tables` for lines of a terminal and `markup` for CSV,
Markdown and HTML. `plots` draws charts, and `colours` has the scales of coloured cells.
"""
