"""The version, where packaging and the namespaces read it."""

__version__ = "0.1.0"
