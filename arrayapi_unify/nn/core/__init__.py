"""Module: variables, traversal, calls, files and conversions of the values."""
