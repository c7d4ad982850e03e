"""Foundations of all layers: failures, locks, settings, lazy values, the override protocol."""
