"""The ONE table of documented differences between backends; `render` makes a page of it.

A difference stands here only if it can't be avoided. The tests accept what the table allows, and
fail on an entry whose function doesn't exist.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from tests.differential.case import Case
from tests.differential.outcome import Outcome, Result

__all__ = [
    "DIFFERENCES",
    "NOT_DERIVED",
    "NOT_DIFFERENTIATED",
    "NOT_TRACED",
    "REFUSALS",
    "Difference",
    "Refusal",
    "documented",
    "render",
]


@dataclass(frozen=True)
class Difference:
    """A call whose outcome may differ on one backend."""

    function: str
    backend: str
    condition: str  # in words, for the page
    happens: str
    reason: str
    applies: Callable[[Case, Outcome, Outcome], bool]  # the call, NumPy's outcome, the backend's


def _of_complex(condition: Callable[[Any, Any], bool]) -> Callable[[Case, Outcome, Outcome], bool]:
    """Ask for complex results of one data type and shape, of which only values differ."""

    def applies(case: Case, expected: Outcome, got: Outcome) -> bool:
        wanted, found = expected.value, got.value
        return (
            isinstance(wanted, Result)
            and isinstance(found, Result)
            and wanted.dtype == found.dtype
            and wanted.values.dtype.kind == "c"
            and wanted.values.shape == found.values.shape
            and condition(wanted.values, found.values)
        )

    return applies


def _finite_alike(wanted: Any, found: Any) -> bool:
    """Whether what is infinite or NaN in one is so in the other."""
    return np.array_equal(np.isfinite(wanted), np.isfinite(found))


DIFFERENCES: Final = (
    *(
        Difference(
            function,
            "tensorflow",
            "complex numbers with an infinite component",
            "a component may be infinite where NumPy's is NaN",
            "TensorFlow's kernel multiplies as C's Annex G has it or by the plain formula, by an "
            "element's place in memory; the standard leaves complex infinities open",
            _of_complex(_finite_alike),
        )
        for function in ("multiply", "square", "prod", "nanprod", "cumulative_prod", "pow")
    ),
    *(
        Difference(
            "cumulative_prod",
            backend,
            "complex results that aren't finite",
            "both components may be NaN where NumPy has one",
            "the library multiplies the first element with 1, NumPy takes it as it is",
            _of_complex(_finite_alike),
        )
        for backend in ("torch", "jax")
    ),
)


@dataclass(frozen=True)
class Refusal:
    """A matrix of `tests/backends/hard_matrices.py` that one backend refuses, NumPy doesn't."""

    function: str
    backend: str
    matrix: str
    happens: str
    reason: str


REFUSALS: Final = tuple(
    Refusal(
        function,
        "tensorflow",
        "NaN everywhere",
        "is refused as singular, where NumPy's inverse is NaN",
        "the kernel looks for a pivot larger than zero, which NaN isn't",
    )
    for function in ("linalg.inv", "linalg.matrix_power", "linalg.solve")
)

_TWICE: Final = "keys that name an element twice: the value's derivative then counts it twice"
_TALL: Final = 'matrices of more rows than columns, with `mode="complete"`'
# What a framework refuses to differentiate, with an error of its own, or differentiates wrongly.
NOT_DERIVED: Final = {
    ("jax", "linalg.svd"): "matrices that aren't square, with `full_matrices=True`",
    ("tensorflow", "linalg.svd"): "matrices that are far from square, with `full_matrices=True`",
    ("torch", "linalg.qr"): _TALL,
    ("tensorflow", "linalg.qr"): _TALL,
    ("jax", "linalg.eig"): "any matrices; `linalg.eigvals` has derivatives",
    ("tensorflow", "linalg.det"): "singular matrices",
    ("torch", "set_item"): _TWICE,
}

# Whose derivatives the tests don't compare.
NOT_DIFFERENTIATED: Final = {
    "empty_like": "its values are open",
    "from_dlpack": "the protocol hands over memory; no framework follows derivatives through it",
    "linalg.eig": "the order of eigenvalues and the phases of vectors are open",
    "linalg.eigvals": "the order of eigenvalues is open",
    "linalg.qr": "the phases of the columns are open",
    "stop_gradient": "it has none, which is what it is for",
    "nextafter": "of equal operands PyTorch takes the second, whose derivative it is",
}

_BY_VALUES: Final = "the shape of the result depends on values"
_REFUSED: Final = (
    "operands that PyTorch's own function refuses (bool in `subtract`, uint16, uint32 and uint64 "
    "beside another data type): cast them first"
)
# What a framework refuses to trace: jax.jit, tf.function and torch.compile(fullgraph=True).
NOT_TRACED: Final = {
    **{("jax", f"unique_{what}"): _BY_VALUES for what in ("all", "counts", "inverse", "values")},
    ("jax", "nonzero"): _BY_VALUES,
    ("jax", "get_item"): f"masks: {_BY_VALUES}",
    ("jax", "set_item"): f"masks: {_BY_VALUES}",
    ("jax", "repeat"): f"an array of counts: {_BY_VALUES}",
    **{("torch", name): _REFUSED for name in ("add", "subtract", "multiply", "divide", "linear")},
    **{
        (name, "from_dlpack"): "arrays without memory yet"
        for name in ("jax", "tensorflow", "torch")
    },
}


def documented(backend: str, case: Case, expected: Outcome, got: Outcome) -> bool:
    """Whether a difference stands in the table."""
    return any(
        d.backend == backend and d.function == case.function and d.applies(case, expected, got)
        for d in DIFFERENCES
    )


def render() -> str:
    """Return the page of all differences, in Markdown."""
    rows = [
        f"| `{d.function}` | {d.backend} | {d.condition} | {d.happens} | {d.reason} |"
        for d in DIFFERENCES
    ]
    rows += [
        f"| `{r.function}` | {r.backend} | {r.matrix} | {r.happens} | {r.reason} |"
        for r in REFUSALS
    ]
    table = "\n".join(
        ["| function | backend | where | what happens | why |", "|" + "---|" * 5, *rows]
    )
    body = table if rows else "There are none."
    derived = "\n".join(f"| `{f}` | {b} | {what} |" for (b, f), what in NOT_DERIVED.items())
    left_out = "; ".join(f"`{f}` ({why})" for f, why in NOT_DIFFERENTIATED.items())
    traced = "\n".join(f"| `{f}` | {b} | {what} |" for (b, f), what in NOT_TRACED.items())
    return f"""# Differences between backends

Written by `python -m docs` from `tests/differential/differences.py`. The differential tests compare
every function on every backend with NumPy's results: data types, shapes, values, special values and
exceptions. What they accept beyond the tolerances in `tests/differential/tolerances.py` is listed
here.

{body}

## Derivatives

PyTorch, TensorFlow and JAX differentiate all functions; the tests compare what they give with
differences of NumPy's results. These they refuse to differentiate; of `set_item`
the derivative is wrong:

| function | backend | of |
|---|---|---|
{derived}

Not compared are: {left_out}.

## Tracing

Functions of arrays pass through `jax.jit`, `tf.function` and `torch.compile(fullgraph=True)`; the
tests compare what traced calls give with what the same calls give otherwise. Not traced are:

| function | backend | of |
|---|---|---|
{traced}

What depends on values can't be refused while tracing. There a decomposition of NaN or infinities,
or of a matrix that is singular, gives NaN, or the framework's own error when the program runs.
Singular values of NaN are zeros in `tf.function`, and the `matrix_rank` of NaN is 0.
"""
