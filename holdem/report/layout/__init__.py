"""Layout of reports: tables, text, HTML, colours, suits and units."""
