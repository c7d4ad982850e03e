"""Calls with parameters of NumPy's that the standard hasn't, computed by the standard's functions.

Each adapter gets a namespace, its function, the arguments under the contract's names, and the
further parameters, which it takes out of `kwargs`.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any, Final

from arrayapi_unify import dtypes
from arrayapi_unify.array_object.numpy_compat import check_order
from arrayapi_unify.backends import as_dtype
from arrayapi_unify.contracts.contract import Contract
from arrayapi_unify.errors import raise_type_error, raise_value_error
from arrayapi_unify.functional._numpy_reductions import REDUCTIONS, array_of, mask_of, stored
from arrayapi_unify.functional._padding import OPTIONS, padded

__all__ = ["compute"]

Adapter = Callable[[Any, str, Callable[..., Any], tuple[Any, ...], dict[str, Any]], Any]


def compute(contract: Contract, xp: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Compute a call that has a parameter, or leaves out one, as only NumPy allows."""
    name = contract.qualified_name
    function: Any = xp
    for part in name.split("."):
        function = getattr(function, part)
    order = kwargs.pop("order", None)
    check_order(name, order)
    if name in ("ravel", "reshape") and order in ("A", "K"):  # as NumPy lays the view out
        numpy = importlib.import_module("numpy")
        order = "A" if name == "reshape" else order  # which alone NumPy has there
        return getattr(numpy, name)(array_of(xp, args[0]), *args[1:], order=order)
    if contract.flattens(kwargs):
        args, kwargs = (_flat(xp, args[0]), *args[1:]), {**kwargs, "axis": 0}
    kwargs = {n: value for n, value in kwargs.items() if n not in _IGNORED.get(name, ())}
    if not contract.is_numpys(args, kwargs):
        return function(*args, **kwargs)
    if kwargs.get("dtype") is not None:
        kwargs["dtype"] = as_dtype(kwargs["dtype"])
    adapter: Adapter = _ADAPTERS.get(name, _elementwise)
    return adapter(xp, name, function, args, kwargs)


def _flat(xp: Any, x: Any) -> Any:
    return xp.reshape(array_of(xp, x), (-1,))


# --- elementwise functions -----------------------------------------------------------------------


def _elementwise(
    xp: Any, name: str, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    """Compute with `dtype`, to which the operands are cast, and only in the places of `where`."""
    mask = mask_of(xp, name, kwargs.pop("where", None))
    dtype, out = kwargs.pop("dtype", None), kwargs.pop("out", None)
    if dtype is not None:
        args = tuple(_cast(xp, name, value, dtype) for value in args)
    result = function(*args, **kwargs)
    if dtype is not None and result.dtype != xp.empty(0, dtype=dtype).dtype:
        raise_type_error(
            name, "dtype", f"is {dtype}, and the result is {result.dtype}", "cast the result"
        )
    if mask is None:
        return stored(xp, out, result)
    # NumPy leaves the other elements of a new array as the memory was.
    return xp.where(mask, result, xp.zeros_like(result) if out is None else out, out=out)


def _cast(xp: Any, name: str, value: Any, dtype: Any) -> Any:
    """Return an operand in the data type of the computation, to which its kind must fit."""
    array = array_of(xp, value)
    wanted = xp.empty(0, dtype=dtype).dtype
    if array.dtype == wanted:
        return array
    if _rank(array.dtype) > _rank(wanted):
        problem = f"is {wanted}, to which {array.dtype} doesn't cast without loss of its kind"
        raise_type_error(name, "dtype", problem, "cast the operands first")
    return xp.astype(array, wanted)


def _rank(dtype: Any) -> int:
    name = str(dtype)
    kinds = ("bool", "uint", "int", "bfloat", "float", "complex")
    return next(i for i, kind in enumerate(kinds) if name.rpartition(".")[2].startswith(kind))


def _divmod(xp: Any, name: str, function: Any, args: Any, kwargs: dict[str, Any]) -> Any:
    """Compute the quotient and the remainder, each into an array of `out`."""
    outs = kwargs.pop("out", None) or (None, None)
    parts = zip((xp.floor_divide, xp.remainder), outs, strict=True)
    return tuple([part(*args, **kwargs, out=out) for part, out in parts])


def _clip(xp: Any, name: str, function: Any, args: Any, kwargs: dict[str, Any]) -> Any:
    """Clip with bounds that are operands, too."""
    bounds = {key: kwargs.pop(key) for key in ("min", "max") if key in kwargs}

    def clip(x: Any, *given: Any, **rest: Any) -> Any:
        return function(x, *given, **bounds, **rest)

    return _elementwise(xp, name, clip, args, kwargs)


def _round(xp: Any, name: str, function: Any, args: Any, kwargs: dict[str, Any]) -> Any:
    """Round to a number of decimals as NumPy does: scale, round, scale back."""
    (x,), decimals, out = args, kwargs.pop("decimals", 0), kwargs.pop("out", None)
    x = array_of(xp, x)
    if not isinstance(decimals, int):
        raise_type_error(name, "decimals", f"is a {type(decimals).__qualname__}", "pass an int")
    if decimals == 0:
        return function(x, out=out) if out is not None else function(x)
    integral = xp.isdtype(x.dtype, ("bool", "integral"))
    if integral and decimals > 0:
        return stored(xp, out, xp.positive(x) if x.dtype != dtypes.bool else x)
    scale = 10.0 ** abs(decimals)
    if integral:
        wide = xp.astype(x, xp.float64)
        result = xp.astype(function(wide / scale) * scale, x.dtype)
    elif decimals > 0:
        result = function(x * scale) / scale
    else:
        result = function(x / scale) * scale
    return stored(xp, out, result)


def _nan_to_num(xp: Any, name: str, function: Any, args: Any, kwargs: dict[str, Any]) -> Any:
    """Write into x itself where `copy` is False."""
    if kwargs.pop("copy", True):
        return function(*args, **kwargs)
    return function(*args, **kwargs, out=array_of(xp, args[0]))


def _cov(xp: Any, name: str, function: Any, args: Any, kwargs: dict[str, Any]) -> Any:
    """Divide by the number less `ddof`, which `bias` sets to 0."""
    bias, ddof, dtype = (
        kwargs.pop("bias", False),
        kwargs.pop("ddof", None),
        kwargs.pop("dtype", None),
    )
    if ddof is None and bias:
        ddof = 0
    if ddof is not None:
        kwargs["correction"] = ddof
    args = (
        args
        if dtype is None
        else tuple(a if a is None else xp.astype(array_of(xp, a), dtype) for a in args)
    )
    return function(*args, **kwargs)


# --- creation, manipulation ----------------------------------------------------------------------


def _new_array(xp: Any, name: str, function: Any, args: Any, kwargs: dict[str, Any]) -> Any:
    """Put axes of length 1 in front until there are `ndmin`."""
    missing = kwargs.pop("ndmin", 0)
    made = function(*args, **kwargs)
    return xp.reshape(made, (1,) * max(missing - made.ndim, 0) + made.shape)


def _like(xp: Any, name: str, function: Any, args: Any, kwargs: dict[str, Any]) -> Any:
    """Make an array of another shape, but of x's data type and device."""
    x, shape = array_of(xp, args[0]), kwargs.pop("shape")
    kwargs = {"dtype": x.dtype, "device": x.device} | kwargs
    if kwargs["dtype"] is None:
        kwargs["dtype"] = x.dtype
    return getattr(xp, name.removesuffix("_like"))(
        x.shape if shape is None else shape, *args[1:], **kwargs
    )


def _linspace(xp: Any, name: str, function: Any, args: Any, kwargs: dict[str, Any]) -> Any:
    """Make 50 numbers where no number is given; return the step, too, where `retstep` is True."""
    start, stop, *number = args
    num = number[0] if number else kwargs.pop("num", 50)
    retstep, axis = kwargs.pop("retstep", False), kwargs.pop("axis", 0)
    made = function(start, stop, num, **kwargs)
    made = made if axis == 0 else xp.moveaxis(made, 0, axis)
    if not retstep:
        return made
    parts = num - 1 if kwargs.get("endpoint", True) else num
    span = array_of(xp, stop) - array_of(xp, start)
    step = span / parts if parts > 0 else span * float("nan")
    return made, step


def _logspace(xp: Any, name: str, function: Any, args: Any, kwargs: dict[str, Any]) -> Any:
    """Make 50 numbers where no number is given."""
    return function(*args, 50, **kwargs)


def _meshgrid(xp: Any, name: str, function: Any, args: Any, kwargs: dict[str, Any]) -> Any:
    """Leave each grid of length 1 along the axes of the others where `sparse` is True."""
    if not kwargs.pop("sparse", False):
        return function(*args, **kwargs)
    places = list(range(len(args)))
    if kwargs.get("indexing", "xy") == "xy" and len(args) > 1:
        places[:2] = 1, 0
    arrays = [array_of(xp, x) for x in args]
    return tuple(
        xp.reshape(x, tuple(-1 if i == place else 1 for i in range(len(args))), copy=True)
        for x, place in zip(arrays, places, strict=True)
    )


def _cast_result(xp: Any, name: str, function: Any, args: Any, kwargs: dict[str, Any]) -> Any:
    """Cast the result to `dtype`."""
    dtype, out = kwargs.pop("dtype", None), kwargs.pop("out", None)
    made = function(*args, **kwargs)
    return stored(xp, out, made if dtype is None else xp.astype(made, dtype))


def _split(xp: Any, name: str, function: Any, args: Any, kwargs: dict[str, Any]) -> Any:
    """Split into a number of parts, or at NumPy's indices."""
    names = kwargs.keys() & {"sections", "indices_or_sections", "num_or_size_splits"}
    if len(names) > 1:
        raise_type_error(name, "sections", f"is among {sorted(names)}", "pass one of them")
    given = kwargs.pop(*names)
    is_number = hasattr(given, "__index__") and not getattr(given, "ndim", 0)
    if "sections" in names and not is_number:
        raise_type_error(
            name, "sections", f"is {given!r}, and libraries differ in its meaning",
            "name it: indices_or_sections= has NumPy's indices, num_or_size_splits= the sizes",
        )  # fmt: skip
    if is_number:
        return function(*args, **kwargs, num_or_size_splits=given)
    places = given.tolist() if hasattr(given, "tolist") else given
    return xp.array_split(args[0], places, axis=kwargs.get("axis", 0))


def _squeeze(xp: Any, name: str, function: Any, args: Any, kwargs: dict[str, Any]) -> Any:
    """Remove all axes of length 1."""
    x = array_of(xp, args[0])
    return function(x, tuple(i for i, n in enumerate(x.shape) if n == 1), **kwargs)


def _pad(xp: Any, name: str, function: Any, args: Any, kwargs: dict[str, Any]) -> Any:
    """Pad by a rule that has parameters."""
    mode, out = kwargs.pop("mode", "constant"), kwargs.pop("out", None)
    option = OPTIONS.get(mode, ("", None))[0] if isinstance(mode, str) else ""
    for given in kwargs.keys() - {option}:
        raise_value_error(name, given, f"is given with mode={mode!r}", "leave it out")
    return stored(xp, out, padded(xp, array_of(xp, args[0]), args[1], mode, kwargs))


def _permute_dims(xp: Any, name: str, function: Any, args: Any, kwargs: dict[str, Any]) -> Any:
    """Reverse the axes."""
    x = array_of(xp, args[0])
    return function(x, tuple(range(x.ndim))[::-1], **kwargs)


def _take(xp: Any, name: str, function: Any, args: Any, kwargs: dict[str, Any]) -> Any:
    """Bring indices into the bounds where `mode` says so."""
    x, indices, mode = array_of(xp, args[0]), array_of(xp, args[1]), kwargs.pop("mode")
    if mode not in ("raise", "wrap", "clip"):
        raise_value_error(name, "mode", f"is {mode!r}", "pass 'raise', 'wrap' or 'clip'")
    axis = kwargs.get("axis")
    length = x.size if axis is None else x.shape[axis]
    if mode == "wrap":
        indices = xp.remainder(indices, length)
    elif mode == "clip":
        indices = xp.clip(indices, 0, length - 1)
    return function(x, indices, **kwargs)


def _where(xp: Any, name: str, function: Any, args: Any, kwargs: dict[str, Any]) -> Any:
    """Return the indices of what is True where the condition is all that is given."""
    if len(args) != 1 or kwargs:
        raise_type_error(name, "x2", "is missing", "pass both of x1 and x2, or neither")
    return xp.nonzero(array_of(xp, args[0]))


# --- linear algebra ------------------------------------------------------------------------------


def _product(xp: Any, name: str, function: Any, args: Any, kwargs: dict[str, Any]) -> Any:
    """Compute in the data type `dtype`; keep the axis of `vecdot`."""
    dtype, keepdims = kwargs.pop("dtype", None), kwargs.pop("keepdims", False)
    out, axis = kwargs.pop("out", None), kwargs.get("axis", -1)
    args = args if dtype is None else tuple(_cast(xp, name, value, dtype) for value in args)
    result = function(*args, **kwargs)
    return stored(xp, out, xp.expand_dims(result, axis=axis) if keepdims else result)


def _hermitian(xp: Any, name: str, function: Any, args: Any, kwargs: dict[str, Any]) -> Any:
    """Read one triangle alone: the lower one, or the upper one where `UPLO` is "U".

    With `symmetrize_input` it is the mean of x and its adjoint.
    """
    x, triangle = array_of(xp, args[0]), kwargs.pop("UPLO", None)
    if kwargs.pop("symmetrize_input", False):
        x = (x + _adjoint(xp, x)) / 2
    if triangle is None:
        return function(x, **kwargs)
    if triangle not in ("L", "U", "l", "u"):
        raise_value_error(name, "UPLO", f"is {triangle!r}", "pass 'L' or 'U'")
    lower = triangle in "Ll"
    part, strict = (xp.tril(x), xp.tril(x, k=-1)) if lower else (xp.triu(x), xp.triu(x, k=1))
    return function(part + _adjoint(xp, strict), **kwargs)


def _adjoint(xp: Any, x: Any) -> Any:
    conjugate = xp.conj(x) if xp.isdtype(x.dtype, "complex floating") else x
    return xp.matrix_transpose(conjugate)


def _matrix_rank(xp: Any, name: str, function: Any, args: Any, kwargs: dict[str, Any]) -> Any:
    """Count the singular values above `tol`."""
    tol = kwargs.pop("tol", None)
    if tol is None:
        return function(*args, **kwargs)
    if kwargs.get("rtol") is not None:
        raise_type_error(name, "tol", "is given with rtol", "pass one of them")
    values = xp.linalg.svdvals(array_of(xp, args[0]))
    limit = array_of(xp, tol)
    limit = xp.expand_dims(limit, -1) if limit.ndim else limit
    return stored(xp, kwargs.get("out"), xp.sum(values > limit, axis=-1))


def _svd(xp: Any, name: str, function: Any, args: Any, kwargs: dict[str, Any]) -> Any:
    """Return the singular values alone where `compute_uv` is False."""
    if kwargs.pop("compute_uv", True):
        return function(*args, **kwargs)
    return xp.linalg.svdvals(args[0])


def _weighted(xp: Any, name: str, function: Any, args: Any, kwargs: dict[str, Any]) -> Any:
    """Compute quantiles with weights by NumPy, on the host."""
    weights = kwargs.pop("weights", None)
    if weights is None:
        return function(*args, **kwargs)
    numpy = importlib.import_module("numpy")
    return getattr(numpy, name)(array_of(xp, args[0]), *args[1:], weights=weights, **kwargs)


def _of_columns(xp: Any, name: str, function: Any, args: Any, kwargs: dict[str, Any]) -> Any:
    """Put the columns of a list side by side."""
    columns = [array_of(xp, one) for one in args[0]]
    return function(xp.stack(columns, axis=1), *args[1:], **kwargs)


_QUANTILES: Final = (
    "median", "nanmedian", "nanpercentile", "nanquantile", "percentile", "quantile",
)  # fmt: skip
# Parameters that choose an algorithm, or promise something of the arguments: results are the same.
_IGNORED: Final[dict[str, tuple[str, ...]]] = {
    "argsort": ("kind",), "sort": ("kind",), "isin": ("assume_unique", "kind", "method"),
    "searchsorted": ("method",), "take": ("unique_indices", "indices_are_sorted"),
    "linalg.lstsq": ("numpy_resid",), "linalg.slogdet": ("method",),
    "delete": ("assume_unique_indices",), "digitize": ("method",), "lexsort": ("batch_size",),
    "einsum": ("optimize",), "meshgrid": ("copy",), "linalg.matrix_rank": ("hermitian",),
    "linalg.pinv": ("hermitian",), "linalg.svd": ("hermitian",),
    **dict.fromkeys(_QUANTILES, ("overwrite_input",)),
}  # fmt: skip

_ADAPTERS: Final[dict[str, Adapter]] = {
    **REDUCTIONS,
    **dict.fromkeys(("cov", "corrcoef"), _cov),
    **dict.fromkeys(("empty_like", "full_like", "ones_like", "zeros_like"), _like),
    **dict.fromkeys(("argsort", "concat", "dstack", "stack"), _cast_result),
    **dict.fromkeys(("matmul", "vecdot"), _product),
    **dict.fromkeys(("nanpercentile", "nanquantile", "percentile", "quantile"), _weighted),
    **dict.fromkeys(("linalg.cholesky", "linalg.eigh", "linalg.eigvalsh"), _hermitian),
    "array": _new_array,
    "clip": _clip,
    "divmod": _divmod,
    "histogramdd": _of_columns,
    "linalg.matrix_rank": _matrix_rank,
    "linalg.svd": _svd,
    "linspace": _linspace,
    "logspace": _logspace,
    "meshgrid": _meshgrid,
    "nan_to_num": _nan_to_num,
    "pad": _pad,
    "permute_dims": _permute_dims,
    "round": _round,
    "split": _split,
    "squeeze": _squeeze,
    "take": _take,
    "where": _where,
}
