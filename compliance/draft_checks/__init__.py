"""Tests for the draft of the standard's next version, and for what the official suite leaves open.

They measure any namespace, as the official suite does, and need nothing of this project.
"""
