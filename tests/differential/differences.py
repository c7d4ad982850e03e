"""The ONE table of documented differences between backends; `render` makes a page of it.

The table contains only unavoidable differences. The tests accept its entries, and fail on an entry
whose function doesn't exist. A `Difference` names the elements that may differ; a `CallDifference`
accepts a whole call.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from tests.differential import kinks
from tests.differential.accepted_differences import (
    as_flushed,
    complex_not_finite,
    gate_of_nothing,
    not_finite,
    of_infinite,
    overflowed_beside_zero,
    within_elements,
)
from tests.differential.case import Case
from tests.differential.limits import LIMITS
from tests.differential.outcome import Outcome

__all__ = [
    "CALL_DIFFERENCES",
    "COMPILED",
    "DIFFERENCES",
    "NEGATED",
    "NOT_DERIVED",
    "NOT_DIFFERENTIATED",
    "NOT_TRACED",
    "REFUSALS",
    "REMOVED",
    "CallDifference",
    "CompiledDifference",
    "Difference",
    "Refusal",
    "documented",
    "accepted",
    "render",
]


_TRANSFORMS: Final = (
    "fft", "ifft", "fftn", "ifftn", "rfft", "irfft", "rfftn", "irfftn", "hfft", "ihfft",
)  # fmt: skip


@dataclass(frozen=True)
class Difference:
    """Elements of a result that may differ on one backend; all others are compared.

    `elements` marks them, by the call and the expected values, never by the actual values. Values
    that aren't finite may differ only by other such values.
    """

    function: str
    backend: str
    condition: str  # text for the page
    happens: str
    reason: str
    elements: Callable[[Case, Any], Any]  # from the call and the expected values to a mask


@dataclass(frozen=True)
class CallDifference:
    """A call whose whole outcome may differ on one backend: an exception, a shape."""

    function: str
    backend: str
    condition: str
    happens: str
    reason: str
    applies: Callable[[Case, Outcome, Outcome], bool]  # of call, expected and actual outcome


DIFFERENCES: Final = (
    *(
        Difference(
            function,
            "tensorflow",
            "complex numbers with an infinite component",
            "a component may be infinite where NumPy's is NaN",
            "TensorFlow's kernel multiplies by C's Annex G or by the plain formula, depending on "
            "an element's position in memory; the standard leaves complex infinities unspecified",
            of_infinite,
        )
        for function in ("multiply", "square", "pow")
    ),
    *(
        Difference(
            function,
            backend,
            "complex products that aren't finite",
            "a component may be NaN where NumPy's isn't, or the other way round",
            "one of the libraries multiplies the first element with 1, or in another order",
            complex_not_finite,
        )
        for backend in ("torch", "tensorflow", "jax")
        for function in ("prod", "nanprod", "cumulative_prod", "cumprod", "nancumprod")
    ),
    *(
        Difference(
            f"fft.{name}",
            backend,
            "lines with NaN or infinities",
            "other components are NaN; NumPy keeps some at zero or infinite",
            "they depend on the order of a transform's sums and products",
            not_finite,
        )
        for backend in ("tensorflow", "jax")
        for name in _TRANSFORMS
    ),
)


# Whole calls with a different outcome.
def _is_refused(outcome: Outcome) -> bool:
    return outcome.error_class == "ValueError"


CALL_DIFFERENCES: Final = (
    *(
        CallDifference(
            function,
            "dask",
            "a slice of nothing but NaN",
            "gives an index, where NumPy's raises",
            "the function's body checks values, and a lazy array's aren't known, as a traced one's",
            lambda case, expected, got: _is_refused(expected) and not _is_refused(got),
        )
        for function in ("nanargmax", "nanargmin")
    ),
    CallDifference(
        "to_numpy",
        "dask",
        "`copy=False`",
        "is refused",
        "blocks are computed, and are in no memory that could be shared",
        lambda case, expected, got: case.kwargs.get("copy") is False and _is_refused(got),
    ),
    *(
        CallDifference(
            "searchsorted",
            backend,
            "subnormal numbers",
            "they may count as zeros",
            "the library enables the processor's flush-to-zero mode, for speed",
            as_flushed,
        )
        for backend in ("tensorflow", "jax")
    ),
    *(
        CallDifference(
            function,
            "torch",
            "float64 arrays of hundreds of elements and more",
            "digits are lost: up to as many units in the last place as there are elements",
            "the kernel updates mean and variance with each element; two passes take twice as long",
            within_elements,
        )
        for function in ("std", "var")
    ),
    *(
        CallDifference(
            function,
            backend,
            "zeros among factors that overflow without them",
            "the product is NaN where NumPy's is zero",
            "the factors are multiplied in another order: infinity times zero is NaN",
            overflowed_beside_zero,
        )
        for function in ("prod", "nanprod")
        for backend in ("torch", "tensorflow", "jax")
    ),
    *(
        CallDifference(
            function,
            backend,
            "a number whose gate, a sigmoid or nearly that, is subnormal",
            "the result is zero, or NaN where NumPy's is infinite",
            "the gate is zero: the library flushes subnormal numbers to zero, or an exponential "
            "overflows in PyTorch's kernel",
            gate_of_nothing,
        )
        for function in ("nn.glu", "nn.mish", "nn.silu")
        for backend in ("torch", "tensorflow", "jax")
        if (function, backend) != ("nn.mish", "torch")
    ),
)


@dataclass(frozen=True)
class Refusal:
    """A matrix of `tests/backends/hard_matrices.py` that a backend answers unlike NumPy."""

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
) + tuple(
    Refusal(
        "linalg.lu",
        "dask",
        matrix,
        "has factors of NaN, where NumPy's values are refused",
        "a body doesn't look at the values of lazy arrays, and the steps of elimination are many",
    )
    for matrix in (
        "NaN on the diagonal", "NaN below the diagonal", "NaN above the diagonal",
        "NaN everywhere", "infinity on the diagonal", "negative infinity below the diagonal",
        "infinity above the diagonal", "infinity everywhere", "a large matrix with NaN",
        "a large matrix with infinity",
    )
)  # fmt: skip


@dataclass(frozen=True)
class CompiledDifference:
    """A function whose compiled result has other last digits than the eager one."""

    function: str
    backend: str
    dtypes: tuple[str, ...]
    ulps: float
    """The largest error that was measured, in units in the last place of the eager result."""


COMPILED: Final[tuple[CompiledDifference, ...]] = (
    CompiledDifference("geomspace", "tensorflow", ("float64",), 18.5),
    CompiledDifference("random.beta", "jax", ("float64",), 15.3),
    CompiledDifference("random.gamma", "jax", ("float64",), 14.5),
    CompiledDifference("random.dirichlet", "jax", ("float32", "float64"), 80.1),
)
# TensorFlow's graph optimizer replaces `max(-x)` by `-min(x)`.
NEGATED: Final = frozenset({
    "max", "min", "argmax", "argmin", "nanmax", "nanmin", "nanargmax", "nanargmin", "ptp",
})  # fmt: skip
# The scalars that XLA, or TensorFlow's graph optimizer, removes from `x + 0`, `0 - x` or `x * 1`,
# and the second one of `x * 0 * 0`.
REMOVED: Final = {"add": (0,), "subtract": (0,), "multiply": (0, 1)}

_TWICE: Final = "keys that select an element twice: the value's derivative then counts it twice"
_TALL: Final = 'matrices of more rows than columns, with `mode="complete"`'
# Arguments that a framework refuses to differentiate, or differentiates wrongly.
NOT_DERIVED: Final = {
    ("jax", "linalg.svd"): "matrices that aren't square, with `full_matrices=True`",
    ("tensorflow", "linalg.svd"): "matrices that are far from square, with `full_matrices=True`",
    ("torch", "linalg.qr"): _TALL,
    ("tensorflow", "linalg.qr"): _TALL,
    ("jax", "linalg.eig"): "any matrices; `linalg.eigvals` has derivatives",
    ("tensorflow", "linalg.det"): "singular matrices",
    ("torch", "set_item"): _TWICE,
}

# Functions whose derivatives the tests don't compare.
NOT_DIFFERENTIATED: Final = {
    "empty_like": "its values are unspecified",
    "from_dlpack": "the protocol transfers memory without derivatives",
    "intersect1d": "values are equal in both arrays only until one of them changes",
    "linalg.eig": "the order of eigenvalues and the phases of vectors are unspecified",
    "linalg.eigvals": "the order of eigenvalues is unspecified",
    "linalg.qr": "the phases of the columns are unspecified",
    "stop_gradient": "it has no derivative by definition",
    **dict.fromkeys(
        ["random.beta", "random.dirichlet", "random.gamma"],
        "rejection sampling isn't a smooth function of the parameters, and has no derivative",
    ),
    "nextafter": "for equal operands PyTorch returns the second one, with its derivative",
}

_BY_VALUES: Final = "the shape of the result depends on values"
_REFUSED: Final = (
    "operands that PyTorch's own function refuses (bool in `subtract`, uint16, uint32 and uint64 "
    "with another data type): cast them first"
)
# Arguments that jax.jit, tf.function or torch.compile(fullgraph=True) refuse to trace.
NOT_TRACED: Final = {
    **{("jax", f"unique_{what}"): _BY_VALUES for what in ("all", "counts", "inverse", "values")},
    **{
        ("jax", name): _BY_VALUES
        for name in (
            "argwhere",
            "flatnonzero",
            "intersect1d",
            "nonzero",
            "setdiff1d",
            "union1d",
            "unique",
        )
    },
    ("jax", "get_item"): f"masks: {_BY_VALUES}",
    ("jax", "set_item"): f"masks: {_BY_VALUES}",
    (
        "torch",
        "astype",
    ): "a data type given by its name, also as `dtype=`: pass `unify.float32`",
    **{
        (name, "bincount"): f"calls without `length`: {_BY_VALUES}"
        for name in ("jax", "tensorflow", "torch")
    },
    ("jax", "repeat"): f"an array of counts: {_BY_VALUES}",
    **{
        ("torch", name): _REFUSED
        for name in ("add", "subtract", "multiply", "divide", "nn.linear", "ptp", "convolve")
    },
    **{
        (name, "from_dlpack"): "arrays without memory yet"
        for name in ("jax", "tensorflow", "torch")
    },
}


def accepted(backend: str, case: Case, expected: Any) -> Any:
    """Return the mask of the elements of expected values that the table accepts, or None."""
    masks = [
        d.elements(case, expected)
        for d in DIFFERENCES
        if d.backend == backend and d.function == case.function
    ]
    return functools.reduce(np.logical_or, masks) if masks else None


def documented(backend: str, case: Case, expected: Outcome, got: Outcome) -> bool:
    """Return True if the table accepts the outcome of the whole call."""
    return any(
        d.backend == backend and d.function == case.function and d.applies(case, expected, got)
        for d in CALL_DIFFERENCES
    )


def _joined(rows: list[tuple[str, str, str, str, str]]) -> list[str]:
    """Return the rows of a table; functions and backends with the same text share a row."""
    functions: dict[tuple[str, ...], list[str]] = {}
    for function, *rest in rows:
        functions.setdefault(tuple(rest), []).append(f"`{function}`")
    backends: dict[tuple[str, ...], list[str]] = {}
    for (backend, *rest), names in functions.items():
        backends.setdefault((", ".join(names), *rest), []).append(backend)
    return [
        f"| {names} | {', '.join(found)} | {' | '.join(rest)} |"
        for (names, *rest), found in backends.items()
    ]


_PAGE: Final = """# Differences between backends

Written by `python -m docs` from `tests/differential/differences.py`. The differential tests compare
data types, shapes, values and special values of every function on every backend with NumPy, SciPy
or a formula, and exceptions with those of the NumPy backend. This page lists the differences that
are accepted beyond the tolerances in `tests/differential/tolerances.py`; the tests check that no
row accepts more than it describes. [reports/mutation.md](../reports/mutation.md) counts the wrong
answers that the comparison notices.

{body}

The last digit of a result may depend on the processor, within the tolerances, because libraries
select kernels by processor. A visible example is NumPy's float32 `log10` of a power of ten on
processors with AVX-512: it is one unit in the last place off the integer, 2.0000002 for 100. Dask's
blocks are NumPy's. In float64, and on the other backends, it is an integer. Rounding a float64
logarithm would correct this, but would slow down every call.

An array may have more axes than a library's kernel supports: 32 or 64 in NumPy, 8 in TensorFlow's
`where`. The error names the function, and contains the library's own message.

On all four backends, including NumPy, these differ from NumPy's own arrays:

- `np.testing.assert_equal(x, x)` and `assert_almost_equal(x, x)` raise: NumPy compares only its own
  class elementwise there, and uses one truth value for other classes (docs/interop.md).
- The results of `np.broadcast_arrays`, `np.meshgrid(..., copy=False)` and
  `np.einsum("ii->i", x)` (diagonals) are read-only. NumPy's are writable, the first two with a
  warning.
- `x == ["a", "b"]` raises, because a list without numbers isn't an array; `x == "a"` is
  elementwise.

## Gradients

PyTorch, TensorFlow and JAX differentiate all functions, and the tests compare the derivatives with
finite differences of NumPy's results. Exceptions, which raise (for `set_item`, the derivative is
wrong):

| function | backend | arguments |
|---|---|---|
{derived}

Not compared: {left_out}.

At kinks and jumps a function has no derivative. There all backends give the same number for an
elementwise function, at a kink one between the slopes of both sides
(`tests/differential/test_kinks.py`), with these exceptions:

| function | backend | condition | derivative | other backends |
|---|---|---|---|---|
{kinks}

Outside its domain, where the value is NaN, a function has no derivative either; the backends
give 0 or the value of their formula. At a bound that is an array, the derivative of `clip` by x is
0.5 on PyTorch, and 1 elsewhere. Equal maxima in a window of `adaptive_max_pool1d` share the
derivative on TensorFlow and JAX; on PyTorch the first one gets all of it. `logaddexp` of two equal
infinities has the derivative 0.5 by each, and none on PyTorch. For equal elements, `cummax` and
`cummin` differentiate the last one; JAX distributes the derivative over all of them. Eigenvectors
of equal eigenvalues, and singular vectors of equal singular values, have no derivative. The
derivative by symmetric (Hermitian) matrices is symmetric (Hermitian).

## Tracing

Functions of arrays pass through `jax.jit`, `tf.function` and `torch.compile(fullgraph=True)`; the
tests compare traced calls with the same calls untraced. Exceptions:

| function | backend | arguments |
|---|---|---|
{traced}

While tracing, values can't be checked. A decomposition of NaN or infinities, or of a singular
matrix, then gives NaN, or the framework's own error when the program runs. Singular values of NaN
are zeros in `tf.function`, and the `matrix_rank` of NaN is 0.

If `torch.compile` refuses a function, or the function raises while it is compiled, PyTorch's
compiler keeps the exception in its frames. The arguments then live until the garbage collector
runs; all other failed calls release theirs immediately.

On JAX and TensorFlow, an Array that a compiled function refers to is a constant with its values at
the time of tracing; NumPy and PyTorch read it in each call. If it is in a closure or a global name,
a call that writes to it through an argument isn't compiled; in a list, a Container or an object it
remains a constant. `torch.compile` itself (2.13) identifies an argument with a global array after a
call in which both were the same array, also in calls with another argument.

XLA and TensorFlow's graph optimizer remove `x + 0`, `x - 0` and `x * 1`, and replace `0 - x` by
`-x`. A zero may then have another sign, and a complex number that isn't finite other components. A
division remains a division in `tf.function`; it isn't replaced by a reciprocal. XLA replaces
`log(exp(x))` by `x`, and so `log2(exp2(x))`: where the exponential overflows, the result of a
compiled call on JAX is `x`, and not infinite; `log2(exp2(200))` in float32 is 200. TensorFlow
replaces `x * 0 * 0` by `x * 0`, and `max(-x)` by `-min(x)`: if x has the smallest integer, whose
negative overflows, the result is another.

By `unify.compile` every function gives what it gives uncompiled, up to 4 units in the last place,
or 8 for special functions, random numbers, float16 and bfloat16; a sum's unit is that of its
summands. A product of numbers that overflow and underflow on the way depends on its order: `prod`
and `nanprod` may then be NaN, infinite or zero. `tox -e compiled` compares them. Other functions
with another last digit:

{compiled}
"""


def render() -> str:
    """Return the page of all differences, in Markdown."""
    rows = _joined(
        [
            *((d.function, d.backend, d.condition, d.happens, d.reason) for d in DIFFERENCES),
            *((d.function, d.backend, d.condition, d.happens, d.reason) for d in CALL_DIFFERENCES),
            *((r.function, r.backend, r.matrix, r.happens, r.reason) for r in REFUSALS),
        ]
    )
    rows += [
        f"| {row.functions} | {', '.join(row.backends)} | {row.condition} | {row.happens} "
        f"| {row.reason} |"
        for row in LIMITS
    ]
    table = "\n".join(
        ["| function | backend | condition | difference | reason |", "|" + "---|" * 5, *rows]
    )
    body = table if rows else "There are none."
    derived = "\n".join(f"| `{f}` | {b} | {what} |" for (b, f), what in NOT_DERIVED.items())
    left_out = "; ".join(f"`{f}` ({why})" for f, why in NOT_DIFFERENTIATED.items())
    traced = "\n".join(f"| `{f}` | {b} | {what} |" for (b, f), what in NOT_TRACED.items())
    rounded = [
        f"| `{r.function}` | {r.backend} | {', '.join(r.dtypes)} | {r.ulps:g} |" for r in COMPILED
    ]
    head = ["| function | backend | data types | largest error, ulps |", "|" + "---|" * 4]
    compiled = "\n".join([*head, *rounded]) if rounded else "there are none."
    return _PAGE.format(
        body=body, derived=derived, left_out=left_out, kinks=kinks.table(), traced=traced,
        compiled=compiled,
    )  # fmt: skip
