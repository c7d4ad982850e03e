"""`python -m benchmarks.accuracy`: measure, and write `reports/accuracy.json` and its page."""

from __future__ import annotations

from benchmarks.accuracy.run import main

if __name__ == "__main__":
    main()
