"""Threads, forks and interrupts: `python -m tests.stress` prints what became of them."""
