"""The project's own conformance checks, for when the official suite can't be had.

They cover names, signatures, type promotion and a few special values of version 2025.12 of the
standard. They take the namespace from ``COMPLIANCE_NAMESPACE``, as `python -m compliance run`
takes it. Passing them is no proof of conformance, and reports say so.
"""
