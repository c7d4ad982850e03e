"""The page of completeness: how each backend computes each function, and its derivative.

The contracts say it for all kinds but *mixed*, of which each backend implements what it likes.
`completeness.json` has these; it is measured anew, with all libraries, when a mixed function is
added or removed.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Final

from arrayapi_unify.backends import DIFFERENTIATING
from arrayapi_unify.binding.native_functions import NativeFunctions
from arrayapi_unify.contracts import CONTRACTS
from docs.render_readme import TITLES
from tests.differential import differences
from tests.differential.coverage import GIVE_NO_ARRAYS, NOT_COMPARED, takes_arrays
from tests.differential.gradients import FLAT, NO_FLOATS

__all__ = ["REFUSED", "computed", "derived", "heading", "measured", "render", "store"]

STORED: Final = Path(__file__).parent / "completeness.json"
REFUSED: Final = frozenset(
    {"execute_with_gradients", "grad", "hessian", "jac", "jvp", "value_and_grad", "vjp"}
)
"""The functions that raise on NumPy and Dask, unless `via` names another backend."""

_PAGE: Final = """# Completeness: functions and backends

Written by `python -m docs` from the contracts.

Every function is available on every backend, with the same results. This page shows how each
backend computes it:

- **native**: by the library's own functions;
- **partly**: by the library's own function for the calls that it computes as NumPy does, otherwise
  by the common body;
- **body**: by the common body, which is written with other functions of the namespace;
- **shared**: by one implementation that needs no array library;
- **refused**: it raises. NumPy and Dask have no automatic differentiation; `via="torch"` runs the
  function on another backend ([Gradients](gradients.md)).

{counts}

The last column is about the derivative on PyTorch, TensorFlow and JAX, which the tests compare with
finite differences:

- **yes**: it agrees for all drawn calls; **yes, but**: [Differences](differences.md#gradients)
  lists the calls that are refused;
- **zero**: the function is a step or a constant;
- **integers**: arguments or results are integers or bools, so there is none;
- **not compared**: [Differences](differences.md#gradients) has the reason;
- a dash: the function takes or returns no arrays, or transforms functions.

[Functions and their kinds](functions.md) describes what each function computes.

{tables}
"""


def measured() -> dict[str, list[str]]:
    """Return how each backend computes each mixed function; all libraries have to be installed."""
    files = [NativeFunctions(name) for name in TITLES]
    return {
        name: [_word(file.declared(contract)) for file in files]
        for name, contract in sorted(CONTRACTS.items())
        if contract.kind == "mixed"
    }


def _word(native: object) -> str:
    if native is None:
        return "body"
    return "partly" if hasattr(native, "partial_mixed_handler") else "native"


def _stored() -> dict[str, list[str]]:
    """Return what is stored, or what is measured, if mixed functions came or went."""
    found: dict[str, list[str]] = {}
    if STORED.exists():
        found = json.loads(STORED.read_text(encoding="utf-8"))
    mixed = {name for name, contract in CONTRACTS.items() if contract.kind == "mixed"}
    return found if set(found) == mixed else measured()


def computed() -> dict[str, list[str]]:
    """Return the words of each function's row, a word for each backend."""
    mixed = _stored()
    by_kind = {"primary": "native", "compositional": "body", "standalone": "shared"}
    rows = {
        name: mixed.get(name) or [by_kind[contract.kind]] * len(TITLES)
        for name, contract in CONTRACTS.items()
    }
    for name in REFUSED:
        rows[name] = ["shared" if backend in DIFFERENTIATING else "refused" for backend in TITLES]
    return rows


def derived(name: str) -> str:
    """Return what is known of a function's derivative."""
    if name in NOT_COMPARED or not (takes_arrays(name) or name in NO_FLOATS):
        return "–"
    if name in NO_FLOATS | GIVE_NO_ARRAYS:
        return "integers" if name in NO_FLOATS else "–"
    if name in differences.NOT_DIFFERENTIATED:
        return "not compared"
    if name in FLAT:
        return "zero"
    refused = any(function == name for _, function in differences.NOT_DERIVED)
    return "yes, but" if refused else "yes"


def heading(category: str) -> str:
    """Return the heading of a category's functions."""
    names = {"fft": "Fourier transforms", "linalg": "Linear algebra (linalg)"}
    plain = category.removeprefix("nn.").replace("_", " ").capitalize()
    return names.get(category, plain)


def _counts(rows: dict[str, list[str]]) -> str:
    words = ("native", "partly", "body", "shared", "refused")
    lines = [f"| functions | {' | '.join(words)} |", "|---|" + "---:|" * len(words)]
    for place, title in enumerate(TITLES.values()):
        count = Counter(row[place] for row in rows.values())
        lines.append(f"| {title} | {' | '.join(str(count[word]) for word in words)} |")
    return "\n".join(lines)


def _tables(rows: dict[str, list[str]]) -> str:
    header = f"| function | {' | '.join(TITLES.values())} | derivative |"
    by_category: dict[str, list[str]] = {}
    for name, words in sorted(rows.items()):
        line = f"| `{name}` | {' | '.join(words)} | {derived(name)} |"
        by_category.setdefault(CONTRACTS[name].category, []).append(line)
    return "\n\n".join(
        f"## {heading(category)}\n\n"
        + "\n".join([header, "|" + "---|" * (len(TITLES) + 2), *lines])
        for category, lines in sorted(by_category.items())
    )


def render() -> str:
    """Return the page."""
    rows = computed()
    return _PAGE.format(counts=_counts(rows), tables=_tables(rows))


def store() -> None:
    """Write what the page is made of."""
    text = json.dumps(_stored(), indent=1) + "\n"
    if not STORED.exists() or STORED.read_text(encoding="utf-8") != text:
        STORED.write_text(text, encoding="utf-8")
