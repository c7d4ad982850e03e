"""The project's own conformance checks, used if the official suite isn't available.

They cover names, signatures, type promotion and a few special values of version 2025.12 of the
standard. They take the namespace from ``COMPLIANCE_NAMESPACE``, as `python -m compliance run`
takes it. Passing them is no proof of conformance, and reports say so.
"""
