"""Implementations that two or more backends share."""
