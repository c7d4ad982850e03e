"""`python -m docs [--check]`: write the generated pages, or say whether they are up to date."""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, get_args, get_origin

import arrayapi_unify as unify
from arrayapi_unify import dtypes
from arrayapi_unify.backends.kernel import Kernel
from arrayapi_unify.binding import CONTRACTS
from arrayapi_unify.binding import annotations as aliases
from arrayapi_unify.binding.annotations import Role
from arrayapi_unify.binding.modules import ALIASES
from docs import render_readme
from tests.differential import differences

FOLDER = Path(__file__).parent

PROMOTION = """# Type promotion

Written by `python -m docs` from the one table in `arrayapi_unify/dtypes.py`, which holds on every
backend.

**The rule**: the result is the smallest data type that holds every value of both operands. Within
a kind, and for signed with unsigned integers, this is the table of the standard. The standard
leaves mixed kinds open; the same rule decides them, with the convention (NumPy's, NEP 50) that
float64 counts as holding 64-bit integers. `can_cast(a, b)` is True where `result_type(a, b)` is
`b`.

float16 and bfloat16 are beyond the standard. Neither holds the other one, so both together give
float32.

{arrays}

## Python scalars

A Python scalar takes the data type of the array where its kind is the same or lower. A scalar of a
higher kind brings `int64`, `float64` or a complex data type of the array's precision. NumPy's
scalars (`np.float64(2)`) count as Python scalars.

{scalars}

## The default floating-point data type

Where integers (or bools) alone become floating-point numbers, these are of the default data type:
`sqrt(x)`, `x / y`, `x + 1.5`, `mean(x)`, `fft(x)` and `uint64` with `int64`. By default that is
`float64`, or `complex128`, as in the tables above. `set_default_dtype("float32")` makes `float32`
of it, and `complex64`. Arrays that hold floating-point numbers are promoted by the tables alone.

## In-place operations and assignment

`x op= y` keeps x's data type: the result is stored where its kind does not stand above x's
(bool < unsigned < signed < real < complex), otherwise the operation raises and x is unchanged.
`x[key] = value` casts the value as `astype` does, so a float is truncated in an integer array;
complex values in a real array raise. `out=` takes results that cast without loss.
"""

FUNCTIONS = """# Functions and their kinds

Written by `python -m docs` from the contracts.

A Container may stand for any argument of a *nestable* function; a *container_dependent* one takes
the whole Container.

*primary*: every backend implements it; *compositional*: written with other functions of the
namespace; *mixed*: some backends implement it, the others run its body, as do calls that a native
implementation leaves to it; *standalone*: touches no other function. `unify.kinds()` gives the same
at run time.

Some functions have another name in the main namespace: {names}.

{rows}

Losses take what is true first, then the predictions. There is no `ctc`: NumPy and JAX have none,
and those of PyTorch and TensorFlow differ. Normalizations of channels look for them along `axis`,
the second axis if nothing else is said. The functions of einops need that package:
`pip install einops`, or the extra `einops`.

## How to read a signature

A signature, say `round(x: ArrayIn, /, *, out: Out = None) -> Array`, names arrays, data types and
devices by aliases. Type checkers read them as the types below. They are defined in
`arrayapi_unify/binding/annotations.py`.

{aliases}

`*arrays: ArrayIn` takes any number of arrays. `Array` is the class of this package; a `NativeArray`
is an array of NumPy, PyTorch, TensorFlow or JAX itself.
"""


def _row(cells: list[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def _table(header: list[str], rows: Iterator[list[str]]) -> str:
    return "\n".join([_row(header), "|---" * len(header) + "|", *map(_row, rows)])


def promotion() -> str:
    """Return the page of the promotion table."""
    arrays = _table(
        ["", *(f"`{d}`" for d in dtypes.EVERY)],
        ([f"`{a}`", *(str(dtypes.promote(a, b)) for b in dtypes.EVERY)] for a in dtypes.EVERY),
    )
    scalars = _table(
        ["array", "`True`", "`1`", "`1.0`", "`1j`"],
        (
            [f"`{d}`", *(str(dtypes.promote_scalar(d, s)) for s in (True, 1, 1.0, 1j))]
            for d in dtypes.EVERY
        ),
    )
    return PROMOTION.format(arrays=arrays, scalars=scalars)


# What may be passed: by role, and where an alias takes more than its role says.
TAKES = {
    Role.ARRAY: "an array; scalars and nested lists are converted by `asarray`",
    Role.OPERAND: "an array, or a Python scalar, which takes the array's data type",
    Role.OPTIONAL: "an array or a scalar, or None",
    Role.SEQUENCE: "a list or tuple of arrays",
    Role.OBJECT: "whatever `asarray` takes",
    Role.KEY: "an index, in which there may be arrays",
    Role.DTYPE: "a `DType`, its name, a Python type or a native data type",
    Role.DEVICE: "a `Device` or its name",
    Role.OUT: "an Array to write the result into",
    "ArrayDTypeOrScalar": "an array, a data type or a Python scalar",
    "ArrayOrAny": "an array; anything else is passed on",
    "ArrayOrDType": "an array or a data type",
    "ArrayOrFloat": "an array or a number",
}


def _spelled(kind: Any) -> str:
    """Spell a type as it stands in a source file."""
    if isinstance(kind, UnionType):
        return " | ".join(map(_spelled, get_args(kind)))
    if get_origin(kind) is not None:
        return f"{kind.__name__}[{', '.join(map(_spelled, get_args(kind)))}]"
    return "None" if kind is NoneType else str(kind.__name__)


def _aliases() -> str:
    """Return the table of the aliases that stand in signatures."""
    found = {name: getattr(aliases, name) for name in aliases.__all__}
    rows = (
        [
            f"`{name}`",
            f"`{_spelled(get_args(alias)[0])}`".replace("|", "\\|"),
            TAKES.get(name) or TAKES[role],
        ]
        for name, alias in found.items()
        if (role := aliases.role_of(alias)) is not Role.STATIC
    )
    return _table(["alias", "type", "what may be passed"], rows)


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
            for name in sorted(unify.kinds())
            for contract in [CONTRACTS[name]]
        ),
    )
    names = ", ".join(f"`{alias}` is `{name}`" for alias, name in ALIASES.items())
    return FUNCTIONS.format(aliases=_aliases(), names=names, rows=rows)


def kernel_fields() -> dict[str, str]:
    """Return the documentation of each field of `Kernel`, which stands below it in the source."""
    (definition,) = ast.parse(inspect.getsource(Kernel)).body
    assert isinstance(definition, ast.ClassDef)
    return {
        ast.unparse(member.target): " ".join(ast.literal_eval(below.value).split())
        for member, below in pairwise(definition.body)
        if isinstance(member, ast.AnnAssign) and isinstance(below, ast.Expr)
    }


def new_backend() -> str:
    """Return the page on new backends, with the table of what a function says of itself."""
    rows = ([f"`{name}`", *text.split(": ", 1)] for name, text in kernel_fields().items())
    table = _table(["field", "of", "meaning"], rows)
    return render_readme.filled(FOLDER / "new_backend.md", kernel=table)


PAGES = {
    FOLDER / "promotion.md": promotion,
    FOLDER / "functions.md": functions,
    FOLDER / "differences.md": differences.render,
    FOLDER / "new_backend.md": new_backend,
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
