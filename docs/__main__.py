"""`python -m docs [--check]`: write the generated pages, or say whether they are up to date."""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import arrayapi_unify as unify
from arrayapi_unify import dtypes
from arrayapi_unify.array_object.numpy_names import ALIASES
from arrayapi_unify.backends.kernel import Kernel
from arrayapi_unify.contracts import CONTRACTS
from docs import completeness, numpy_names, render_readme, torch_names
from docs.signatures import aliases
from docs.upstream import page as upstream
from tests.differential import differences

FOLDER = Path(__file__).parent

PROMOTION = """# Type promotion

Written by `python -m docs` from the table in `arrayapi_unify/dtypes.py`, which applies to every
backend.

**The rule**: the result is the smallest data type that holds every value of both operands. Within
a kind, and for signed with unsigned integers, this is the table of the standard. The standard
leaves mixed kinds unspecified; the same rule applies to them, with NumPy's convention (NEP 50) that
float64 holds 64-bit integers. `can_cast(a, b)` is True if `result_type(a, b)` is `b`.

float16 and bfloat16 are beyond the standard. Neither holds the values of the other one, so their
promotion gives float32.

{arrays}

## Python scalars

A Python scalar adopts the data type of the array if its kind is the same or lower (weak promotion).
A scalar of a higher kind gives `int64`, `float64` or a complex data type of the array's precision.
NumPy's scalars (`np.float64(2)`) count as Python scalars.

{scalars}

## The default floating-point data type

If integers (or bools) only become floating-point numbers, the result has the default data type:
`sqrt(x)`, `x / y`, `x + 1.5`, `mean(x)`, `fft(x)` and `uint64` with `int64`. The default is
`float64`, or `complex128`, as in the tables above. `set_default_dtype("float32")` changes it to
`float32`, and `complex64`. Floating-point arrays are promoted by the tables only.

## In-place operations and assignment

`x op= y` keeps x's data type. The result is stored if its kind isn't higher than x's
(bool < unsigned < signed < real < complex); otherwise the operation raises and x is unchanged.
`x[key] = value` casts the value as `astype` does, so a float is truncated in an integer array;
complex values in a real array raise. `out=` accepts results that can be cast without loss.
"""

FUNCTIONS = """# Functions and their kinds

Written by `python -m docs` from the contracts.

A Container may take the place of any argument of a *nestable* function; a *container_dependent* one
takes the whole Container.

*primary*: every backend implements it; *compositional*: written with other functions of the
namespace; *mixed*: some backends implement it, and the body serves the other backends, and calls
that a native implementation doesn't support; *standalone*: needs no other function. `unify.kinds()`
returns the same at run time.

Some functions have another name in the main namespace: {names}.
[Migrating from NumPy](numpy_names.md) compares them with those of the libraries;
[Completeness](completeness.md) shows how each backend computes each function.

{rows}

Losses take the true values first, then the predictions. There is no `ctc`: NumPy and JAX have none,
and those of PyTorch and TensorFlow differ. Normalizations of channels take the channel axis as
`axis`, by default the second one. The functions of einops need that package: `pip install einops`,
or the extra `einops`.

## Reading a signature

A signature, such as `round(x: ArrayIn, /, *, out: Out = None) -> Array`, annotates arrays, data
types and devices by aliases. Type checkers resolve them to the types below. They are defined in
`arrayapi_unify/contracts/annotations.py`.

{aliases}

`*arrays: ArrayIn` takes any number of arrays. `Array` is the class of this package; a `NativeArray`
is an array of NumPy, PyTorch, TensorFlow or JAX.

## In an editor

Type checkers and editors know the functions of `unify` and of each bound namespace with NumPy's
positions and parameters, too. `unify.Namespace` is the type of `x.__array_namespace__()` and of
modules such as `arrayapi_unify.torch`: annotate by it a parameter `xp` of your own functions. A
function that gets a Container returns one, and a [portable](adopt.md) function the kind of array
that it gets. Lists in place of arrays, and names in place of data types, are converted when a
function runs, but refused by checkers: write `unify.asarray([1, 2])` and `unify.float32`.

`tests/typed_usage.py` has calls that mypy and pyright accept, both in their strict mode, and
`tests/typed_mistakes.py` mistakes that both report.
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


def _aliases() -> str:
    """Return the table of the aliases in signatures."""
    rows = (
        [f"`{name}`", f"`{kind}`".replace("|", "\\|"), taken] for name, kind, taken in aliases()
    )
    return _table(["alias", "type", "what may be passed"], rows)


def functions() -> str:
    """Return the page that lists every public function with its kind."""
    by_category: dict[str, list[list[str]]] = {}
    for name in sorted(unify.kinds()):
        contract = CONTRACTS[name]
        summary = (contract.function.__doc__ or "").partition("\n")[0].replace("|", "\\|")
        cells = [f"`{name}`", summary, ", ".join([contract.kind, *contract.flags])]
        by_category.setdefault(contract.category, []).append(cells)
    rows = "\n\n".join(
        f"## {completeness.heading(category)}\n\n"
        + _table(["function", "what it computes", "kind"], iter(cells))
        for category, cells in sorted(by_category.items())
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


def index() -> str:
    """Return the first page, with the version."""
    return render_readme.filled(FOLDER / "index.md", version=render_readme.version())


def install() -> str:
    """Return the page on installation, with the measured sizes."""
    return render_readme.filled(FOLDER / "install.md", sizes=render_readme.sizes())


PAGES = {
    FOLDER / "index.md": index,
    FOLDER / "install.md": install,
    FOLDER / "completeness.md": completeness.render,
    FOLDER / "torch_names.md": torch_names.render,
    FOLDER / "promotion.md": promotion,
    FOLDER / "functions.md": functions,
    FOLDER / "differences.md": differences.render,
    FOLDER / "new_backend.md": new_backend,
    FOLDER / "numpy_names.md": numpy_names.render,
    FOLDER / "upstream.md": upstream.render,
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
    completeness.store()
    for path in stale:
        path.write_text(PAGES[path](), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
