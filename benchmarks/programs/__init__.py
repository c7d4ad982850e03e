"""Whole programs: ours beside the same ones written by hand in each framework."""
