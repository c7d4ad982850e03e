"""`python -m docs.built [FOLDER]`: what a reader of the built site finds, and how it looks.

Each word of `WANTED` leads to the page that is meant by one of the first three results of the
site's search. Where a Chromium is installed, the results are compared with those of the site's own
JavaScript, and every page is measured at the width of a phone and of a desktop.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from docs import browser, search

__all__ = ["FIRST", "WANTED", "missed", "problems"]

FIRST: Final = 3
"""The number of results among which a page has to be."""

WANTED: Final = {
    "Apple Silicon": "install",
    "autograd": "gradients",
    "broadcasting": "reference/elementwise",
    "checkpoint": "modules",
    "compile": "compiling",
    "concatenate": "numpy_names",
    "continuous integration": "ci",
    "copy": "views",
    "CUDA": "install",
    "custom class": "custom_class",
    "debug": "troubleshooting",
    "dtype promotion": "promotion",
    "einsum": "reference/linear_algebra",
    "float64": "troubleshooting",
    "GPU": "devices",
    "gradient": "gradients",
    "import error": "troubleshooting",
    "in-place": "views",
    "indexing": "reference/manipulation",
    "install": "install",
    "interoperability": "interop",
    "Ivy": "migrate_from_ivy",
    "jit": "compiling",
    "memory": "troubleshooting",
    "migrate": "migrate_from_compat",
    "mixed precision": "backends",
    "NumPy": "numpy_names",
    "optimizer": "modules",
    "overflow": "troubleshooting",
    "override": "custom_class",
    "performance": "fast_path",
    "pytree": "containers",
    "PyTorch": "torch_names",
    "random seed": "random",
    "save": "modules",
    "schedule": "modules",
    "segfault": "troubleshooting",
    "slow": "fast_path",
    "training": "modules",
    "unsqueeze": "torch_names",
    "version": "install",
    "view": "views",
    "vmap": "reference/derivatives",
}
"""Words that people search for, and the page that each one means."""


def missed(site: search.Search, wanted: dict[str, str] = WANTED) -> Iterator[str]:
    """Say which words don't lead to their page."""
    for word, page in wanted.items():
        found = [result.page for result in site.results(word)[:FIRST]]
        if page not in found:
            yield f"a search for {word!r} finds {', '.join(found) or 'nothing'}, not {page}"


def _in_browser(chromium: str, folder: Path, site: search.Search) -> Iterator[str]:
    with browser.started(chromium) as tab:
        for word, results in browser.searched(tab, folder, list(WANTED)).items():
            if results != site.results(word):
                yield f"docs/search.py finds other pages for {word!r} than the site itself"
        yield from browser.overflowing(tab, folder)


def problems(folder: Path) -> Iterator[str]:
    """Say what is wrong with a built site."""
    site = search.load(folder)
    yield from missed(site)
    chromium = browser.find()
    if chromium is None:
        print("No Chromium is installed: the widths of pages weren't measured.", file=sys.stderr)
    else:
        yield from _in_browser(chromium, folder, site)


def main(arguments: list[str]) -> int:
    """Print the problems of a built site; return the exit code."""
    found = list(problems(Path(arguments[0] if arguments else "site")))
    print("\n".join(found) or "No problem was found.")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
