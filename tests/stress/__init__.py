"""Threads, forks and interrupts: `python -m tests.stress` prints the problems."""
