"""What results have in common: their fields, and what becomes of them.

`fields` makes JSON, CSV, data frames and text of the fields that a result's class declares.
`base_result` contains the base classes of results, and `record_tables` those of results that are
tables.
"""
