"""Conversions from and to `torch.nn`."""
