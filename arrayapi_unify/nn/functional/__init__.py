"""Contracts of the functions that networks need, one file per category."""
