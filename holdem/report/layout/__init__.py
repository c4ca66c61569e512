"""Layout shared by all reports: cells, text, Markdown, CSV and HTML."""
