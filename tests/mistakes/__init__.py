"""Typical mistakes, and what the first line of their message has to say (`test_mistakes.py`)."""
