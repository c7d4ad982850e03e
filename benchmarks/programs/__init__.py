"""Whole programs: ours, and the same ones written by hand in each framework."""
