"""Rendering: the source of the functions of one backend, and of those at the top level."""
