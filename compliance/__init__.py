"""Measures any array namespace with the official test suite of the Python Array API standard.

``python -m compliance run NAMESPACE`` runs the suite and writes a machine-readable report,
``python -m compliance report`` renders all reports as one page, and
``python -m compliance compare A B`` shows what differs between two of them.
See ``python -m compliance --help``.
"""
