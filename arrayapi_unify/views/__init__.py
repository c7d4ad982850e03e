"""Views and in-place writes where a library's arrays can't share memory or mayn't be written.

An emulated view is a pair of functions, one that reads it from its source and one that writes it
back into its source (a lens). A memory is the native array that all sources start from.
docs/design.md, "Views", has the rest of the theory, and says which file holds what.
"""
