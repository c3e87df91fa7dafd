"""The report of a run: cells, rows, groups and summary, as Markdown, CSV and JSON need them."""
