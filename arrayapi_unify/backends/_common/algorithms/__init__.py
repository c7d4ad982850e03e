"""Computations and rules that two or more backends share."""
