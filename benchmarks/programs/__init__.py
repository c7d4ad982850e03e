"""Whole programs: portable ones, and the same ones written by hand in each framework."""
