"""Documentation; `python -m docs` writes the pages that are derived from the code."""
