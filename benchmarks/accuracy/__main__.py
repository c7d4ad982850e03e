"""`python -m benchmarks.accuracy`: measure, and write `reports/accuracy.json` and its page."""

from __future__ import annotations

import importlib
import os

from benchmarks.accuracy.libraries import ONE_THREAD

if __name__ == "__main__":
    for name, value in ONE_THREAD.items():  # libraries are imported later, but for NumPy
        os.environ.setdefault(name, value)
    importlib.import_module("benchmarks.accuracy.run").main()
