"""The ledger of upstream faults: results of the bare libraries that our functions correct.

Each row is a reproduction against the bare library, in the table of its library (`numpy.toml` and
so on). `measured.json` holds the results by version. `python -m docs.upstream` runs every row, and
`python -m docs` derives the page.
"""
