"""`python -m docs [--check]`: write the generated pages, or say whether they are up to date."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from arrayapi_unify import dtypes
from arrayapi_unify.binding import CONTRACTS
from docs import render_readme
from tests.differential import differences

FOLDER = Path(__file__).parent


def _row(cells: list[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def _table(header: list[str], rows: Iterator[list[str]]) -> str:
    return "\n".join([_row(header), "|---" * len(header) + "|", *map(_row, rows)])


def promotion() -> str:
    """Return the page of the promotion table."""
    arrays = _table(
        ["", *(f"`{d}`" for d in dtypes.ALL)],
        ([f"`{a}`", *(str(dtypes.promote(a, b)) for b in dtypes.ALL)] for a in dtypes.ALL),
    )
    scalars = _table(
        ["array", "`True`", "`1`", "`1.0`", "`1j`"],
        (
            [f"`{d}`", *(str(dtypes.promote_scalar(d, s)) for s in (True, 1, 1.0, 1j))]
            for d in dtypes.ALL
        ),
    )
    return f"""# Type promotion

Written by `python -m docs` from the one table in `arrayapi_unify/dtypes.py`, which holds on every
backend.

**The rule**: the result is the smallest data type that holds every value of both operands. Within
a kind, and for signed with unsigned integers, this is the table of the standard. The standard
leaves mixed kinds open; the same rule decides them, with the convention (NumPy's, NEP 50) that
float64 counts as holding 64-bit integers. `can_cast(a, b)` is True where `result_type(a, b)` is
`b`.

{arrays}

## Python scalars

A Python scalar takes the data type of the array where its kind is the same or lower. A scalar of a
higher kind brings `int64`, `float64` or a complex data type of the array's precision, whatever the
default data types are. NumPy's scalars (`np.float64(2)`) count as Python scalars.

{scalars}

## In-place operations and assignment

`x op= y` keeps x's data type: the result is stored where its kind does not stand above x's
(bool < unsigned < signed < real < complex), otherwise the operation raises and x is unchanged.
`x[key] = value` casts the value as `astype` does, so a float is truncated in an integer array;
complex values in a real array raise. `out=` takes results that cast without loss.
"""


def functions() -> str:
    """Return the page that lists every public function with its kind."""
    rows = _table(
        ["function", "category", "kind", "flags", "what it computes"],
        (
            [
                f"`{name}`",
                contract.category,
                contract.kind,
                ", ".join(contract.flags),
                (contract.function.__doc__ or "").partition("\n")[0].replace("|", "\\|"),
            ]
            for name, contract in sorted(CONTRACTS.items())
        ),
    )
    return f"""# Functions and their kinds

Written by `python -m docs` from the contracts.

A Container may stand for any argument of a *nestable* function; a *container_dependent* one takes
the whole Container.

*primary*: every backend implements it; *compositional*: written with other functions of the
namespace; *mixed*: some backends implement it, the others run its body, as do calls that a native
implementation leaves to it; *standalone*: touches no other function. `unify.kinds()` gives the same
at run time.

{rows}
"""


PAGES = {
    FOLDER / "promotion.md": promotion,
    FOLDER / "functions.md": functions,
    FOLDER / "differences.md": differences.render,
    FOLDER.parent / "README.md": render_readme.render,
}


def main(arguments: list[str]) -> int:
    """Write or check the pages; return the exit code."""
    stale = [
        path
        for path, render in PAGES.items()
        if not path.exists() or path.read_text(encoding="utf-8") != render()
    ]
    if "--check" in arguments:
        for path in stale:
            print(f"{path.name} is out of date; run: python -m docs")
        return 1 if stale else 0
    for path in stale:
        path.write_text(PAGES[path](), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
