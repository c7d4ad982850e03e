"""Layers: Modules with the variables and options of the functions that they call."""
