"""Error scales of calls: the loss of an exact algorithm on these arguments, for the tolerances.

Each function here returns, for each array of a result, the error that one rounding of the inputs,
or of the summands, causes in it, in units of the data type's eps. None of them depends on the
result of a backend.
"""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np

from tests.differential.case import ArrayArg, Case, replaced
from tests.differential.expected import answer, plain_arguments
from tests.differential.oracle._registry import floating

__all__ = [
    "absolutes",
    "counted",
    "cross_terms",
    "determinant",
    "eigenvalues",
    "ends",
    "exponential",
    "inputs",
    "inverse",
    "labelled",
    "largest",
    "log_determinant",
    "log_normalized",
    "near_one",
    "of_normals",
    "of_one",
    "normalized",
    "power",
    "pseudo_inverse",
    "response",
    "response_to_first",
    "solution",
    "spectrum",
    "summands",
    "transform",
    "whole_norm",
]

Units = list[Any]
_SAMPLES: Final = 8
_STEP: Final = 2.0**-26


def _double(values: Any) -> Any:
    """Return numbers in double precision; those that aren't finite are compared separately."""
    values = values.astype("c16" if values.dtype.kind == "c" else "f8")
    return np.where(np.isfinite(values), values, 0)


def _numbers(array: ArrayArg) -> bool:
    return array.values.dtype.kind != "b"


def _answers(case: Case) -> Units:
    args, kwargs = plain_arguments(case)
    kwargs.pop("dtype", None)
    return _parts(answer(case.function, args, kwargs))


def _parts(value: Any) -> Units:
    if isinstance(value, tuple | list):
        return [part for item in value for part in _parts(item)]
    return [np.asarray(value)]


def _with(case: Case, function: Any, first: bool = False) -> Case:
    """Replace the numeric arrays of a call, or only the first argument."""

    def new(array: ArrayArg) -> ArrayArg:
        return ArrayArg(function(_double(array.values)))

    if first:
        return Case(case.function, (replaced(case.args[0], new), *case.args[1:]), case.kwargs)
    args, kwargs = (replaced(spec, new, _numbers) for spec in (case.args, case.kwargs))
    return Case(case.function, args, kwargs)


def absolutes(case: Case) -> Units:
    """Return the sum of absolute values, for sums of products and the like.

    Each addition rounds a partial sum, which is no larger than the sum of the absolute values.
    """
    return _answers(_with(case, np.abs))


def summands(case: Case) -> Units:
    """Return the sum of absolute values, as `absolutes` does, for sums by integer indices."""

    def positive(array: ArrayArg) -> ArrayArg:
        return ArrayArg(np.abs(_double(array.values)))

    def floats(array: ArrayArg) -> bool:
        return array.values.dtype.kind in "fc"

    args, kwargs = (replaced(spec, positive, floats) for spec in (case.args, case.kwargs))
    return _answers(Case(case.function, args, kwargs))


def response_to_first(case: Case) -> Units:
    """Return the condition with respect to the first argument only."""
    return response(case, first=True)


def labelled(case: Case) -> Units:
    """Return the condition of `t * a + (1 - t) * b`, with the cancellation for t outside [0, 1]."""
    labels, *others = (np.abs(_double(array)) for array in case.arrays())
    beyond = np.max(labels, initial=0.0) > 1 or np.any(case.arrays()[0] < 0)
    sizes = [np.max(values, initial=1.0) for values in (labels, *others)]
    return [part + (np.prod(sizes) if beyond else 0) for part in response(case)]


def counted(case: Case) -> Units:
    """Return the condition of `poisson_nll`, and two roundings of terms that cancel: t * log(t)."""
    true, pred = (np.abs(_double(array)) for array in case.arrays())
    logarithm = pred if case.kwargs.get("log_input", True) else np.log(np.maximum(pred, 1e-300))
    terms = true * np.abs(np.log(np.maximum(true, 1.0))) + true * np.abs(logarithm)
    size = terms.sum() if case.kwargs.get("reduction") == "sum" else np.max(terms, initial=0.0)
    return [part + size / 8 for part in response(case)]


def response(case: Case, first: bool = False) -> Units:
    """Return the change of results for one rounding of the inputs: the condition of this call.

    It is the largest change under a few random perturbations of every element, divided by their
    size.
    """
    exact = _answers(_with(case, np.asarray, first))
    found = [np.zeros(part.shape) for part in exact]
    generator = np.random.default_rng(12)

    def changed(values: Any) -> Any:
        def shares() -> Any:
            size = generator.uniform(0.5, 1, values.shape)
            return _STEP * size * generator.choice([-1.0, 1.0], values.shape)

        change = shares() + 1j * shares() if values.dtype.kind == "c" else shares()
        return values + np.abs(values) * change

    for _ in range(_SAMPLES):
        moved = _answers(_with(case, changed, first))
        for i, (before, after) in enumerate(zip(exact, moved, strict=True)):
            found[i] = np.fmax(found[i], np.abs(after - before) / _STEP)
    return found


def near_one(case: Case) -> Units:
    """Return the condition, plus 1 for the rounding of an intermediate number near one.

    It is the sum whose logarithm `log_softmax` takes, and the factor `1 - update` in `gru_update`.
    """
    return [1 + part for part in response(case)]


def normalized(case: Case) -> Units:
    """Return the error of a division by a sum: 16 roundings of the inputs, and those of the sum.

    If the axis isn't contiguous in memory, elements are added one after the other. Each addition
    loses 0.5 ulp of a partial sum, which is no larger than the whole.
    """
    expected = _answers(_with(case, np.asarray))
    return [
        16 * part + _additions(case) / 2 * np.abs(e)
        for part, e in zip(response(case), expected, strict=True)
    ]


def log_normalized(case: Case) -> Units:
    """Return the error of `log_softmax`: that of the logarithm of a sum, and 8 of the condition."""
    return [8 * part + _additions(case) / 2 for part in near_one(case)]


def _additions(case: Case) -> int:
    """Return the number of summands along the axis, or the axes."""
    args, kwargs = plain_arguments(case)
    shape = args[0].shape
    whole = case.function.startswith("special.")  # by default
    axis = args[1] if len(args) > 1 else kwargs.get("axis", None if whole else -1)
    axes = range(len(shape)) if axis is None else np.atleast_1d(axis)
    return math.prod(shape[a] for a in axes) if shape else 1


def inputs(case: Case) -> Units:
    """Return the magnitude of the input itself."""
    return [np.abs(_double(case.arrays()[0]))]


def largest(case: Case) -> Units:
    """Return the largest number of the input, for sums whose weights are rounded themselves."""
    values = np.abs(_double(case.arrays()[0]))
    return [np.max(values, initial=0.0)]


def ends(case: Case) -> Units:
    """Return the larger end of an interval."""
    given = [*case.args, *case.kwargs.values()]
    numbers = [abs(v) for v in given if isinstance(v, int | float | complex)]
    return [np.asarray(float(max(numbers, default=1)))]


def exponents(case: Case) -> Units:
    """Return the result of `logspace`, in units of the data type in which exponents are computed.

    That is the data type of the two ends, from which the result is finally cast.
    """
    args, kwargs = plain_arguments(case)
    own = floating(*args[:2], *(kwargs[name] for name in ("start", "stop") if name in kwargs))
    lost = np.finfo(own).eps / np.finfo(kwargs.get("dtype") or own).eps
    return [np.abs(found) * max(1.0, float(lost)) for found in _answers(case)]


def transform(case: Case) -> Units:
    """Return the sum of absolute values in a Fourier transform, which rotates and scales first."""
    args, kwargs = plain_arguments(_with(case, np.asarray))
    x, norm = args[0], kwargs.get("norm", "backward")
    axes = kwargs.get("axes", kwargs.get("axis", -1))
    if case.function.endswith("n"):
        axes = axes if axes is not None and "axes" in kwargs else _last(x, kwargs.get("s"))
    total = np.sum(np.abs(x), axis=axes, keepdims=True)
    inverse = case.function.removeprefix("fft.").startswith("i")
    lengths = [float(np.asarray(part).size) for part in _answers(case)]
    count = max(x.size, *lengths, 1.0)
    scaled = (inverse and norm == "backward") or (not inverse and norm == "forward")
    # Divided by the number of points of the transform, which is at most twice the input's.
    points = _points(x, axes, kwargs, case)
    factor = 1 / points if scaled else 1 / np.sqrt(points) if norm == "ortho" else 1.0
    # Each summand may be subnormal, which some libraries flush to zero.
    (given, *_) = case.arrays()
    info = np.finfo(given.dtype if given.dtype.kind in "fc" else "f8")
    flushed = x.size * factor * info.smallest_normal / info.eps
    return [np.fmax(np.max(total * (2 * factor), initial=0), flushed) if count else total]


def _last(x: Any, s: Any) -> Any:
    return tuple(range(x.ndim)) if s is None else tuple(range(-len(s), 0))


def _points(x: Any, axes: Any, kwargs: dict[str, Any], case: Case) -> float:
    """Return the number of points of a transform."""
    axes = tuple(np.atleast_1d(axes))
    given = kwargs.get("s") or ((kwargs["n"],) if kwargs.get("n") else (None,) * len(axes))
    halved = case.function in ("fft.irfft", "fft.irfftn", "fft.hfft")
    found = 1.0
    for i, (axis, n) in enumerate(zip(axes, given, strict=False)):
        size = x.shape[axis]
        usual = 2 * (size - 1) if halved and i == len(axes) - 1 else size
        found *= usual if n in (None, -1) else n
    return max(found, 1.0)


# --- linear algebra -----------------------------------------------------------------------------


def _matrices(case: Case) -> Any:
    return _double(case.arrays()[0])


def whole_norm(x: Any) -> Any:
    """Return the Frobenius norm of each matrix, with its axes."""
    return np.sqrt(np.sum(np.abs(x) ** 2, axis=(-2, -1), keepdims=True))


def cross_terms(case: Case) -> Units:
    """Return the sum of the absolute values of both products in a component of a cross product."""
    x, y = (np.abs(_double(v)) for v in case.arrays()[:2])
    axis = case.kwargs.get("axis", -1)

    def shifted(v: Any, by: int) -> Any:
        return np.roll(v, -by, axis)

    return [shifted(x, 1) * shifted(y, 2) + shifted(x, 2) * shifted(y, 1)]


def _inverted(x: Any) -> Any:
    try:
        return np.linalg.inv(x)
    except np.linalg.LinAlgError:
        return np.full(x.shape, np.inf)


def _inverse_error(x: Any) -> Any:
    """Return |X| |A| |X|: the effect of a change of each element of A on the inverse X."""
    found = np.abs(_inverted(x))
    return found @ np.abs(x) @ found


def inverse(case: Case) -> Units:
    """Return the error of an inverse."""
    return [_inverse_error(_matrices(case))]


def solution(case: Case) -> Units:
    """Return |X| (|A| |x| + |b|), the error of a solution x."""
    a, b = (_double(v) for v in case.arrays()[:2])
    args, kwargs = plain_arguments(_with(case, np.asarray))
    x = np.abs(np.asarray(answer(case.function, args, kwargs)))
    vector = b.ndim == 1
    lost = np.abs(a) @ (x[..., None] if vector else x) + np.abs(b[..., None] if vector else b)
    found = np.abs(_inverted(a)) @ lost
    return [found[..., 0] if vector else found]


def least_squares(case: Case) -> Units:
    """Return bounds by the norms of the pseudo-inverse, of a and of b."""
    a, b = (_double(v) for v in case.arrays()[:2])
    b = b[:, None] if b.ndim == 1 else b
    size, right = whole_norm(a), whole_norm(b)
    inverse = whole_norm(np.linalg.pinv(a))
    x = (1 + size * inverse) * inverse * right
    args, kwargs = plain_arguments(_with(case, np.asarray))
    found = answer(case.function, args, kwargs)
    squares = (size * inverse * right) ** 2
    units = (x[..., 0] if found[0].ndim < a.ndim else x, squares[..., 0], 0.0, size[..., 0])
    return [np.broadcast_to(u, np.shape(part)) for u, part in zip(units, found, strict=True)]


def power(case: Case) -> Units:
    """Return the error of a power of a matrix, including the inverse's."""
    x, n = _matrices(case), int(case.args[1] if len(case.args) > 1 else case.kwargs["n"])
    if n >= 0:
        return [np.linalg.matrix_power(np.abs(x), n)]
    base, error = np.abs(_inverted(x)), _inverse_error(x)
    found = np.zeros(x.shape)
    for i in range(-n):
        before, after = (np.linalg.matrix_power(base, k) for k in (i, -n - 1 - i))
        found = found + before @ error @ after
    return [found]


def exponential(case: Case) -> Units:
    """Return the change of an exponential for one rounding of the matrix, as norms; and its own."""
    x = _matrices(case)
    exact = answer(case.function, [x], {})
    generator = np.random.default_rng(13)
    found = whole_norm(exact)
    for _ in range(_SAMPLES):
        change = generator.normal(size=x.shape)
        change = change / np.maximum(whole_norm(change), 1e-300) * whole_norm(x) * _STEP
        moved = answer(case.function, [x + change], {})
        found = np.maximum(found, whole_norm(moved - exact) / _STEP)
    return [np.broadcast_to(found, x.shape)]


def determinant(case: Case) -> Units:
    """Return the product of the sums of the rows: no product of the expansion is larger."""
    return [np.prod(np.sum(np.abs(_matrices(case)), axis=-1), axis=-1)]


def log_determinant(case: Case) -> Units:
    """Return the relative error of a determinant, of its phase and of its logarithm alike."""
    x = _matrices(case)
    found = np.sum(np.abs(x) * np.abs(np.swapaxes(_inverted(x), -1, -2)), axis=(-2, -1))
    return [found, found]


def pseudo_inverse(case: Case) -> Units:
    """Return the effect of a change of A, relative to its norm, on the pseudoinverse."""
    args, kwargs = plain_arguments(_with(case, np.asarray))
    x = np.asarray(answer(case.function, args, kwargs))
    return [whole_norm(x) ** 2 * whole_norm(_matrices(case)) * np.ones(x.shape)]


def spectrum(case: Case) -> Units:
    """Return the norm of the matrix: singular values change no more than its elements."""
    norm = whole_norm(_matrices(case))
    if case.function == "linalg.matrix_norm":
        return [norm if case.kwargs.get("keepdims", False) else norm[..., 0, 0]]
    return [norm[..., 0]]


def eigenvalues(x: Any) -> Any:
    """Return eigenvalues, and the change of each if elements change by the norm."""
    values, vectors = np.linalg.eig(x)
    lengths = np.linalg.norm(_inverted(vectors), axis=-1) * np.linalg.norm(vectors, axis=-2)
    return values, lengths * whole_norm(x)[..., 0]


def of_one(case: Case) -> Units:
    """Return one: the error of numbers of this magnitude, also after cancellation."""
    return [np.ones(())]


def of_normals(case: Case) -> Units:
    """Return the conditions of random matrices: the change of the factor Q for one rounding."""
    args, kwargs = plain_arguments(case)
    n = kwargs.pop("n", None) if len(args) < 2 else args[1]
    shape = kwargs.pop("shape", ()) if len(args) < 3 else args[2]
    sizes = (shape,) if isinstance(shape, int) else tuple(shape)
    x = answer("random.normal", [args[0], (*sizes, n, n)], kwargs)
    if not x.size:
        return [np.ones(())]
    return [np.linalg.cond(x.astype("f8"))[..., None, None]]
