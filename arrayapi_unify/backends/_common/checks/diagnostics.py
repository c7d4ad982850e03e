"""Errors of our own for calls that failed inside of a library.

Each library's messages name its own functions and arguments. After a native function has failed,
the checks that other backends make beforehand are made, so that all backends raise the same error.
Correct calls pay nothing for that.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final

import numpy as np

from arrayapi_unify import dtypes
from arrayapi_unify.backends import as_dtype, python_scalar
from arrayapi_unify.backends._common.algorithms import fft
from arrayapi_unify.backends._common.checks import (
    arguments as checks,
    indexing,
    linalg,
    shapes as shape_checks,
)
from arrayapi_unify.backends._common.checks.axes import (
    axis_from_end,
    check_squeezable,
    moved_axes,
    normalize_axes,
    normalize_axis,
    permutation,
)
from arrayapi_unify.errors import ComputingError, UnifyError, raise_value_error

Check = Callable[..., None]
_CHECKS: Final[dict[str, Check]] = {}

_ALONG_AXES: Final = (
    "all", "any", "argmax", "argmin", "argsort", "count_nonzero", "cumulative_prod",
    "cumulative_sum", "diff", "flip", "max", "mean", "min", "prod", "repeat", "roll", "sort",
    "squeeze", "std", "sum", "take", "unstack", "var",
)  # fmt: skip
_OF_MATRICES: Final = (
    "diagonal", "matrix_norm", "matrix_rank", "pinv", "qr", "svd", "svdvals", "trace",
)  # fmt: skip
_OF_SQUARE_MATRICES: Final = (
    "cholesky", "det", "eig", "eigh", "eigvals", "eigvalsh", "inv", "matrix_power", "slogdet",
)  # fmt: skip
_INVERTING: Final = {
    "linalg.cholesky": "x", "linalg.inv": "x", "linalg.matrix_power": "x", "linalg.solve": "x1",
}  # fmt: skip
_SINGULAR: Final = re.compile("[Ss]ingular|invertible|inversion could|positive.definite")
# Arguments that broadcast, unless they are `x1` and `x2` of a function without other checks.
_TOGETHER: Final = {
    "where": ("condition", "x1", "x2"), "clip": ("x", "min", "max"),
    "nn.cross_entropy": ("true", "pred"), "nn.binary_cross_entropy": ("true", "pred"),
    "nn.cosine_similarity": ("x1", "x2"),
}  # fmt: skip
_NOT_TOGETHER: Final = {"isin", "kron", "setdiff1d", "tensordot"}
_ALONG_ONE: Final = ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft")
_ALONG_MANY: Final = ("fftn", "ifftn", "rfftn", "irfftn")


def diagnose(error: Exception, function: str, arguments: dict[str, Any]) -> Exception:
    """Return the error that explains a failed call best; the error itself if no check finds one."""
    try:
        if isinstance(error, checks.TracedError):
            raise checks.traced_error(function, next(iter(arguments), "x"), error)
        if function in _ALONG_AXES:
            _along_axes(function, **arguments)
        if function in _CHECKS:
            _CHECKS[function](**arguments)
        if function == "nn.cross_entropy":
            _cross_entropy(**arguments)
        if isinstance(error, ValueError):
            _together(function, arguments)
        if isinstance(error, checks.UnfitDTypeError) and "out" in arguments:
            checks.raise_out_dtype_error(function, as_dtype(arguments["out"].dtype), error.result)
        if isinstance(error, checks.UndefinedError):
            _undefined(function, arguments)
        if function in _INVERTING and _SINGULAR.search(str(error)):
            linalg.raise_singular_error(function, _INVERTING[function])
    except (ComputingError, checks.ElsewhereError):
        # A check looks at values that aren't here; the library's error says enough.
        return error
    except (UnifyError, shape_checks.UnfitShapesError, IndexError, OverflowError) as better:
        return _made(better)
    except Exception:  # arguments of which the check can make nothing; the library's error stays
        return error
    return error


def _made(better: Exception) -> Exception:
    """Return an error as if it had just been made: it is raised elsewhere, from another one.

    Its traceback would keep the frames of all functions alive that it has passed.
    """
    better.__context__ = better.__cause__ = None
    return better.with_traceback(None)


def _diagnoses(name: str) -> Callable[[Check], Check]:
    """Declare the check of a function; it is called with its arguments by name."""

    def declare(check: Check) -> Check:
        _CHECKS[name] = check
        return check

    return declare


def _shape(x: Any) -> tuple[int, ...]:
    return tuple(x.shape) if hasattr(x, "shape") else np.shape(x)


def _dtype(x: Any) -> dtypes.DType:
    scalar = python_scalar(x)
    if scalar is not None:
        return dtypes.of_scalar(scalar)
    return as_dtype((x if hasattr(x, "dtype") else np.asarray(x)).dtype)


def _undefined(function: str, arguments: dict[str, Any]) -> None:
    """Raise for the data type to which the arrays and scalars of a call promote."""
    operands = {
        name: value
        for name, value in arguments.items()
        if hasattr(value, "dtype") or python_scalar(value) is not None
    }
    arrays = [as_dtype(x.dtype) for x in operands.values() if python_scalar(x) is None]
    found = dtypes.promote(*arrays)
    for value in operands.values():
        scalar = python_scalar(value)
        if scalar is not None:
            found = dtypes.promote_scalar(found, scalar)
    checks.raise_undefined_error(function, next(iter(operands)), found)


def _together(function: str, arguments: dict[str, Any]) -> None:
    """Raise for operands whose shapes don't broadcast."""
    names = _TOGETHER.get(function, ("x1", "x2"))
    usual = "." not in function and function not in _CHECKS and function not in _NOT_TOGETHER
    if (usual and {"x1", "x2"} <= arguments.keys()) or function in _TOGETHER:
        given = {name: arguments[name] for name in names if arguments.get(name) is not None}
        shape_checks.check_operands({name: _shape(x) for name, x in given.items()})


def _cross_entropy(true: Any, pred: Any, **others: Any) -> None:
    """Raise for class labels, which another function takes."""
    for name, labels, scores in (("true", true, pred), ("pred", pred, true)):
        if _dtype(labels).kind in "iu" and _shape(labels) == _shape(scores)[:-1]:
            problem = f"has shape {_shape(labels)} and data type {_dtype(labels)}, as class labels"
            remedy = "use nn.sparse_cross_entropy(true, pred), whose first argument they are"
            raise_value_error("nn.cross_entropy", name, problem, remedy)


def _along_axes(function: str, *, x: Any, axis: Any = None, **others: Any) -> None:
    default = -1 if function in ("argsort", "diff", "sort") else None
    default = 0 if function == "unstack" else default
    axis = default if axis is None else axis
    if axis is not None:
        normalize_axes(function, axis, len(_shape(x)))


# --- indexing ---------------------------------------------------------------------------------


@_diagnoses("take")
def _take(x: Any, indices: Any, axis: int | None = None) -> None:
    shape = _shape(x)
    if axis is None and len(shape) != 1:
        checks.raise_no_axis_error(shape)
    _within("take", indices, axis or 0, shape)


@_diagnoses("take_along_axis")
def _take_along_axis(x: Any, indices: Any, axis: int = -1) -> None:
    shape = _shape(x)
    checks.check_rank_of_indices(_shape(indices), shape)
    _within("take_along_axis", indices, axis, shape)


def _within(function: str, indices: Any, axis: int, shape: Sequence[int]) -> None:
    if _dtype(indices).kind not in "iu":
        checks.raise_indices_error(function, _dtype(indices))
    number = normalize_axis(function, axis, len(shape))
    checks.check_within(function, np.asarray(indices), number, shape[number])


@_diagnoses("get_item")
def _get_item(x: Any, key: Any) -> None:
    indexing.check_key(_shape(x), key)


@_diagnoses("set_item")
def _set_item(x: Any, key: Any, value: Any) -> None:
    indexing.check_key(_shape(x), key)
    checks.check_element(_shape(value), key, len(_shape(x)))
    if type(value) is int:
        checks.check_integer(value, _dtype(x))
    try:
        selected = _shape(x[key])
    except UnifyError:  # the size of a mask's selection isn't known while tracing
        return
    checks.trimmed_shape(_shape(value), selected)


# --- manipulation -----------------------------------------------------------------------------


@_diagnoses("permute_dims")
def _permute_dims(x: Any, axes: Any) -> None:
    permutation(axes, len(_shape(x)))


@_diagnoses("moveaxis")
def _moveaxis(x: Any, source: Any, destination: Any) -> None:
    moved_axes(source, destination, len(_shape(x)))


@_diagnoses("expand_dims")
def _expand_dims(x: Any, axis: Any) -> None:
    number = len(axis) if isinstance(axis, tuple | list) else 1
    normalize_axes("expand_dims", axis, len(_shape(x)) + number)


@_diagnoses("squeeze")
def _squeeze(x: Any, axis: Any) -> None:
    shape = _shape(x)
    check_squeezable(shape, normalize_axes("squeeze", axis, len(shape)))


@_diagnoses("reshape")
def _reshape(x: Any, shape: Any, copy: bool | None = None) -> None:
    shape_checks.resolved_shape(_shape(x), shape)
    if copy is False:
        checks.raise_copy_error("reshape", "the strides of x don't allow a view of that shape")


@_diagnoses("broadcast_to")
def _broadcast_to(x: Any, shape: Any) -> None:
    shape_checks.check_broadcast(_shape(x), shape)


@_diagnoses("broadcast_arrays")
def _broadcast_arrays(arrays: Sequence[Any]) -> None:
    shape_checks.check_together([_shape(x) for x in arrays])


@_diagnoses("concat")
def _concat(arrays: Sequence[Any], axis: int | None = 0) -> None:
    shapes = [_shape(x) for x in arrays]
    if axis is not None and all(shapes):
        axis = normalize_axis("concat", axis, len(shapes[0]))
    if axis is not None:
        shape_checks.check_joined("concat", shapes, axis)


@_diagnoses("stack")
def _stack(arrays: Sequence[Any], axis: int = 0) -> None:
    shapes = [_shape(x) for x in arrays]
    normalize_axis("stack", axis, len(shapes[0]) + 1)
    shape_checks.check_joined("stack", shapes, None)


@_diagnoses("repeat")
def _repeat(x: Any, repeats: Any, axis: int | None = None) -> None:
    shape = _shape(x)
    size = math.prod(shape) if axis is None else shape[axis]
    checks.check_repeats(_dtype(repeats), _shape(repeats), size, _any_negative(repeats))


def _any_negative(x: Any) -> bool:
    return bool((np.asarray(x) < 0).any())


# --- searching, utility, statistics -----------------------------------------------------------


@_diagnoses("searchsorted")
def _searchsorted(x1: Any, x2: Any, side: str = "left", sorter: Any = None) -> None:
    given = None if sorter is None else (_dtype(sorter), _shape(sorter))
    checks.check_search(_shape(x1), side, given)


@_diagnoses("nonzero")
def _nonzero(x: Any) -> None:
    if not _shape(x):
        shape_checks.raise_zero_dimensional_error("nonzero")


@_diagnoses("diff")
def _diff(x: Any, axis: int = -1, n: int = 1, prepend: Any = None, append: Any = None) -> None:
    if n < 0:
        checks.raise_times_error(n)
    shape = _shape(x)
    axis = normalize_axis("diff", axis, len(shape))
    for name, part in (("prepend", prepend), ("append", append)):
        if part is not None and _shape(part):
            shape_checks.check_joinable(name, _shape(part), shape, axis)


def _extreme(function: str, x: Any, axis: Any = None, keepdims: bool = False) -> None:
    shape = _shape(x)
    if 0 in [shape[a] for a in normalize_axes(function, axis, len(shape))]:
        shape_checks.raise_no_elements_error(function, shape)


for _name in ("argmax", "argmin", "max", "min"):
    _CHECKS[_name] = partial(_extreme, _name)


@_diagnoses("pow")
def _pow(x1: Any, x2: Any) -> None:
    for scalar, other in ((x1, x2), (x2, x1)):
        if type(scalar) is int and python_scalar(other) is None:
            checks.check_integer(scalar, _dtype(other))
    if dtypes.promote(_dtype(x1), _dtype(x2)).kind in "iu" and _any_negative(x2):
        checks.raise_negative_powers_error()


# --- linear algebra ---------------------------------------------------------------------------


@_diagnoses("matmul")
def _matmul(x1: Any, x2: Any) -> None:
    linalg.check_product(_shape(x1), _shape(x2))


@_diagnoses("vecdot")
def _vecdot(x1: Any, x2: Any, axis: int = -1) -> None:
    first, second = _shape(x1), _shape(x2)
    linalg.check_vectors(first, second, axis_from_end("vecdot", first, second, axis))


def _matrix(function: str, square: bool, *, x: Any, **others: Any) -> None:
    linalg.check_matrix(function, _shape(x), square)
    if function == "linalg.matrix_norm":
        linalg.check_norm(_shape(x), others.get("ord"))


_CHECKS["matrix_transpose"] = partial(_matrix, "matrix_transpose", False)
_CHECKS.update(
    {f"linalg.{name}": partial(_matrix, f"linalg.{name}", False) for name in _OF_MATRICES}
)
_CHECKS.update(
    {f"linalg.{name}": partial(_matrix, f"linalg.{name}", True) for name in _OF_SQUARE_MATRICES}
)


@_diagnoses("linalg.vector_norm")
def _vector_norm(x: Any, axis: Any = None, keepdims: bool = False, ord: float = 2) -> None:
    normalize_axes("linalg.vector_norm", axis, len(_shape(x)))
    if ord == -math.inf:
        _extreme("linalg.vector_norm", x, axis)


@_diagnoses("linalg.solve")
def _solve(x1: Any, x2: Any) -> None:
    linalg.check_solvable(_shape(x1), _shape(x2))


def _one_axis(name: str, x: Any, n: int | None = None, axis: int = -1, norm: Any = None) -> None:
    fft.check_real(name, _dtype(x).kind == "c")
    fft.check_axis(name, _shape(x), n, axis, halved=name in ("irfft", "hfft"))


def _many_axes(name: str, x: Any, s: Any = None, axes: Any = None, norm: Any = None) -> None:
    fft.check_real(name, _dtype(x).kind == "c")
    fft.check_axes(name, _shape(x), s, axes)


_CHECKS.update({f"fft.{name}": partial(_one_axis, name) for name in _ALONG_ONE})
_CHECKS.update({f"fft.{name}": partial(_many_axes, name) for name in _ALONG_MANY})


# --- creation ---------------------------------------------------------------------------------


@_diagnoses("asarray")
def _asarray(obj: Any, **others: Any) -> None:
    shape_checks.check_nesting(obj)


def _of_shape(function: str, shape: Any, **others: Any) -> None:
    shape_checks.check_sizes(function, "shape", shape)


for _name in ("empty", "full", "ones", "zeros"):
    _CHECKS[_name] = partial(_of_shape, _name)


@_diagnoses("eye")
def _eye(n_rows: int, n_cols: int | None = None, **others: Any) -> None:
    shape_checks.check_sizes("eye", "n_rows", n_rows)
    if n_cols is not None:
        shape_checks.check_sizes("eye", "n_cols", n_cols)
