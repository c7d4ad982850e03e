"""`python -m benchmarks.accuracy`: measure, and write `reports/accuracy.json` and its page."""

from __future__ import annotations

import importlib
import os

_ONE_THREAD = {
    "OMP_NUM_THREADS": "1",
    "TF_NUM_INTEROP_THREADS": "1",
    "TF_NUM_INTRAOP_THREADS": "1",
    "XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false",
}

if __name__ == "__main__":
    for name, value in _ONE_THREAD.items():  # read when a library is imported
        os.environ.setdefault(name, value)
    importlib.import_module("benchmarks.accuracy.run").main()
