"""Words that people search for, and the places of the site that answer them.

A page's own titles and names are found as they are. These entries lead other words, such as those
of other libraries, to the heading that they mean: the site gets an index entry there, which the
search ranks above headings that only contain the word.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

__all__ = ["KEYWORDS", "indexed"]

TITLE: Final = ""
"""Stands for the first heading of a page."""

KEYWORDS: Final[dict[str, dict[str, str]]] = {
    "adopt.md": {TITLE: "portable; library author"},
    "backends.md": {
        TITLE: "backend; framework",
        "Special values": "nan; infinity",
        "float16 and bfloat16": "mixed precision; half precision; float16; bfloat16; amp; autocast",
    },
    "ci.md": {TITLE: "continuous integration; CI; GitHub Actions; badge"},
    "compiling.md": {TITLE: "compile; jit; torch.compile; tf.function; jax.jit; trace; tracing"},
    "completeness.md": {TITLE: "completeness; supported functions; coverage; missing function"},
    "containers.md": {
        TITLE: "pytree; nested; dictionary of arrays; container",
        "Saving and loading": "npz; load",
    },
    "three_classes.md": {TITLE: "units; interval; masked array; class in vmap, scan, compile"},
    "custom_class.md": {TITLE: "custom class; override; dispatch; NEP 18; __array_function__"},
    "design.md": {TITLE: "architecture"},
    "devices.md": {
        TITLE: "GPU; device; CUDA; to_device; mps",
        "Memory of a device": "memory; out of memory",
    },
    "differences.md": {TITLE: "difference; tolerance", "Tracing": "shape depends on values"},
    "fast_path.md": {TITLE: "performance; speed; slow; overhead; benchmark; profile"},
    "functions.md": {TITLE: "list of functions; API"},
    "getting_started.md": {TITLE: "start; quickstart; introduction"},
    "gradients.md": {
        TITLE: "autograd; gradient; automatic differentiation; backward; autodiff; derivative",
    },
    "graphs.md": {TITLE: "graph; computation graph", "Saving": "export"},
    "install.md": {
        TITLE: "install; installation; pip; requirements; version",
        "NVIDIA GPUs, on Linux": "CUDA",
        "Apple Silicon": "Apple Silicon; M1; macOS; Mac",
        "Linux on ARM": "ARM; aarch64",
    },
    "interop.md": {TITLE: "interoperability; pandas; Matplotlib; xarray; DLPack; convert; pickle"},
    "lazy.md": {TITLE: "lazy; dask; larger than memory; out of core; chunks; compute; persist"},
    "migrate_from_compat.md": {TITLE: "migrate; migration; array-api-compat; port"},
    "migrate_from_ivy.md": {TITLE: "migrate; migration; Ivy; port"},
    "modules.md": {
        TITLE: "neural network; layer; nn; train; training",
        "Optimizers": "optimizer",
        "Learning rates and schedules": "schedule; scheduler; learning rate",
        "Saving and resuming": "save; checkpoint; state_dict; safetensors; resume; save model",
    },
    "numpy_names.md": {TITLE: "NumPy; concatenate; migrate; migration; np"},
    "promotion.md": {TITLE: "dtype; promotion; dtype promotion; type casting; data type; float32"},
    "random.md": {TITLE: "random seed; seed; reproducibility; reproducible; PRNG; key"},
    "subclass.md": {TITLE: "subclass; inheritance"},
    "torch_names.md": {TITLE: "PyTorch; concatenate; migrate; migration; torch; unsqueeze; cat"},
    "training_loop.md": {
        TITLE: "training loop; fit; epoch; batch; DataLoader; mini-batch",
        "Early stopping": "early stopping; patience",
        "Checkpoint and resume": "resume",
        "Logs": "TensorBoard; MLflow; logging; tqdm; progress bar",
    },
    "troubleshooting.md": {
        TITLE: "troubleshooting; error; FAQ; problem",
        "Crashes and imports": "segfault; segmentation fault; crash; import error; ImportError; "
        "ModuleNotFoundError; DLL load failed",
        "Unexpected results": "float64; overflow",
        "Debugging": "debug; debugging; print; traceback; breakpoint",
        "Memory": "memory leak; memory; MemoryError; out of memory",
    },
    "views.md": {
        TITLE: "view; views; in-place; inplace; copy; slice; slicing; alias; mutation; assignment",
    },
    "reference/elementwise.md": {TITLE: "broadcasting; ufunc"},
    "reference/manipulation.md": {TITLE: "indexing; reshape; concatenate"},
}
"""Words by page and heading, with semicolons between them."""

_HEADING: Final = re.compile(r"^#+ (.*)$", re.MULTILINE)


def indexed(page: str, markdown: str) -> str:
    """Return a page with index entries below its headings."""
    wanted = dict(KEYWORDS.get(page, {}))
    parts, end = [], 0
    for number, found in enumerate(_HEADING.finditer(markdown)):
        words = wanted.pop(TITLE if number == 0 else found[1], None)
        if words is not None:
            parts += [markdown[end : found.end()], *_entries(words)]
            end = found.end()
    if wanted:
        raise KeyError(f"{page} has no heading {', '.join(wanted)}; see docs/keywords.py")
    return "".join([*parts, markdown[end:]])


def _entries(words: str) -> Iterator[str]:
    # The exclamation mark makes an entry a main one, which the search shows first.
    yield "\n"
    yield from (f"\n```{{index}} ! single: {word.strip()}\n```\n" for word in words.split(";"))
