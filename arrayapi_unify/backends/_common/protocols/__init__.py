"""The names that a backend's modules have, and defaults for them."""
