"""NumPy's order of parameters, and the parameters that NumPy has and the standard hasn't.

A call such as `sum(x, 0)` or `std(x, ddof=1)` is NumPy's. Generated functions take NumPy's
positions behind the standard's positional parameters, and NumPy's further parameters by keyword.
Contracts, and what `inspect` shows, stay the standard's. Classes that override functions get an
argument under the standard's name where there is one.

`functional._numpy_parameters` computes calls with further parameters, by the functions of the
standard. The module is imported at the first such call.
"""

from __future__ import annotations

import importlib
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from arrayapi_unify.errors import UnifyTypeError, UnifyValueError

if TYPE_CHECKING:
    from arrayapi_unify.contracts.contract import Contract

__all__ = [
    "ELEMENTWISE", "NOT_TAKEN", "ORDERS", "NumpyParameters", "compute", "numpy_parameters",
]  # fmt: skip

_REDUCTION: Final = "axis dtype out keepdims initial where, promote_integers"
_EXTREMUM: Final = "axis out keepdims initial where"
_MOMENT: Final = "axis dtype out ddof=correction keepdims, where mean correction"
_RUNNING: Final = "axis dtype out"
_QUANTILE: Final = "axis out overwrite_input method keepdims, weights"
_TRANSFORM: Final = "n axis norm out"
_TRANSFORM_OF_AXES: Final = "s axes norm out"
ELEMENTWISE: Final = "out, where dtype"

# A list of arrays as their first argument is one of columns, where an array has rows.
_OF_COLUMNS: Final = ("histogramdd",)

# NumPy's order behind the arrays. `ddof=correction`: `ddof` is NumPy's name of `correction`.
# `repeats`: NumPy takes a positional-only parameter of the contract by keyword, too.
# `num?`: NumPy doesn't require it, or has another name for it. `shape*`: it takes further
# positional arguments. `axis~`: None means that the array is flattened. Names behind a comma have
# no position in NumPy. Generated functions take them by position anyway, since Python is slower
# with keyword-only parameters.
ORDERS: Final[dict[str, str]] = {
    # creation
    "arange": "stop step dtype",
    "array": "dtype, order ndmin",
    "asarray": "dtype order",
    "astype": "order",
    "copy": "order",
    "empty": "dtype order",
    "empty_like": "dtype order, shape",
    "eye": "n_rows? k dtype order, N=n_rows M=n_cols",
    "full": "dtype order",
    "full_like": "dtype order, shape",
    "linspace": "start stop num? endpoint retstep dtype axis",
    "logspace": "start stop num? base axis",
    "meshgrid": "copy sparse indexing",
    "ones": "dtype order",
    "ones_like": "dtype order, shape",
    "tril": "k out",
    "triu": "k out",
    "zeros": "dtype order",
    "zeros_like": "dtype order, shape",
    # elementwise
    "clip": "min max out, a_min=min a_max=max where dtype",
    "divmod": ", out where dtype",
    "real": "",
    "imag": "",
    "round": "decimals out",
    "nan_to_num": "copy nan posinf neginf",
    "isclose": "rtol atol equal_nan",
    "allclose": "rtol atol equal_nan",
    # linear algebra
    "cross": "",
    "diag": "k",
    "einsum": ", optimize",
    "matmul": "out, dtype",
    "tensordot": "axes",
    "vecdot": "out, axis dtype keepdims",
    "linalg.cholesky": ", upper symmetrize_input",
    "linalg.eigh": "UPLO, symmetrize_input",
    "linalg.eigvalsh": "UPLO, symmetrize_input",
    "linalg.lstsq": "rcond, numpy_resid",
    "linalg.matrix_power": "n",
    "linalg.matrix_rank": "tol hermitian, rtol",
    "linalg.pinv": "rcond=rtol hermitian, rtol",
    "linalg.qr": "mode",
    "linalg.slogdet": ", method",
    "linalg.svd": "full_matrices compute_uv hermitian",
    # manipulation
    "concat": "axis out, dtype",
    "dstack": ", dtype",
    "expand_dims": "axis",
    "flip": "axis",
    "pad": "mode, stat_length end_values reflect_type",
    "permute_dims": "axes?*",
    "moveaxis": "source destination",
    "ravel": "order",
    "repeat": "repeats axis",
    "reshape": "shape*, order",
    "roll": "shift axis",
    "split": "sections axis, indices_or_sections num_or_size_splits",
    "squeeze": "axis?",
    "stack": "axis out, dtype",
    "tile": "repetitions?, reps=repetitions",
    # searching, sorting, sets, indexing
    "argmax": "axis out, keepdims",
    "argmin": "axis out, keepdims",
    "argsort": "axis~ kind, stable dtype",
    "delete": ", assume_unique_indices",
    "digitize": "right, method",
    "count_nonzero": "axis, keepdims",
    "isin": "x2? assume_unique invert, kind method test_elements=x2",
    "lexsort": "axis, batch_size",
    "searchsorted": "x2? side sorter, method v=x2",
    "sort": "axis~ kind, stable",
    "take": "indices axis~ out mode, unique_indices indices_are_sorted",
    "take_along_axis": "indices axis~",
    "where": "x1? x2?",
    # statistics
    "all": "axis out keepdims, where",
    "any": "axis out keepdims, where",
    "bincount": "weights minlength",
    "corrcoef": "y rowvar, dtype",
    "cov": "y rowvar bias ddof fweights aweights, dtype",
    **dict.fromkeys(("cumprod", "cumsum", "cumulative_prod", "cumulative_sum"), _RUNNING),
    "diff": "n axis prepend append",
    "ediff1d": "x? to_end to_begin, ary=x",
    "histogram": "bins range density weights",
    "histogram2d": "bins range density weights",
    "histogramdd": "bins range density weights",
    "interp": "left right period",
    "max": _EXTREMUM,
    "mean": "axis dtype out keepdims, where",
    "median": "axis out overwrite_input keepdims",
    "min": _EXTREMUM,
    "nanmax": _EXTREMUM,
    **dict.fromkeys(("nanargmax", "nanargmin"), "axis out, keepdims"),
    **dict.fromkeys(("nancumprod", "nancumsum"), _RUNNING),
    "nanmedian": "axis out overwrite_input keepdims",
    "nanpercentile": _QUANTILE,
    "nanquantile": _QUANTILE,
    "nanmean": "axis dtype out keepdims, where",
    "nanmin": _EXTREMUM,
    "nanprod": _REDUCTION,
    "nanstd": _MOMENT,
    "nansum": _REDUCTION,
    "nanvar": _MOMENT,
    "percentile": _QUANTILE,
    "prod": _REDUCTION,
    "ptp": "axis out keepdims",
    "quantile": _QUANTILE,
    "std": _MOMENT,
    "sum": _REDUCTION,
    "trapezoid": "x dx axis",
    "var": _MOMENT,
    # Fourier transforms
    **dict.fromkeys(("fft.fft", "fft.ifft", "fft.rfft", "fft.irfft"), _TRANSFORM),
    **dict.fromkeys(("fft.hfft", "fft.ihfft"), _TRANSFORM),
    **dict.fromkeys(("fft.fft2", "fft.ifft2", "fft.rfft2"), _TRANSFORM_OF_AXES),
    **dict.fromkeys(("fft.fftn", "fft.ifftn", "fft.rfftn", "fft.irfftn"), _TRANSFORM_OF_AXES),
    **dict.fromkeys(("fft.fftfreq", "fft.rfftfreq"), "d device"),
    **dict.fromkeys(("fft.fftshift", "fft.ifftshift"), "axes"),
}

_COMPILED: Final = "the values determine the size of a result"
_PLACED: Final = "a result lies on its operands' devices"
_GUFUNC: Final = "moveaxis and matrix_transpose bring the axes into place"

NOT_TAKEN: Final[dict[str, str]] = {
    "NumPy axes": _GUFUNC,
    "NumPy axis of matmul": _GUFUNC,
    "NumPy copy of dtype": "a DType is immutable",
    "NumPy keepdims of matmul": _GUFUNC,
    "NumPy ndmax": "it counts the axes of object arrays",
    "JAX fill_value, size": _COMPILED,
    "JAX mode, wrap_negative_indices of take_along_axis": "indices have to be within bounds",
    "JAX out_sharding": _PLACED,
    "JAX precision, preferred_element_type": "the data types of the operands decide",
    "JAX subset_by_index": "a slice of the result is the same",
    "JAX total_repeat_length": _COMPILED,
}
"""Parameters of NumPy's and jax.numpy's functions that ours don't take, with the reason."""


@dataclass(frozen=True, slots=True)
class NumpyParameters:
    """Parameters of one function as NumPy has them."""

    order: tuple[str, ...]
    """The parameters behind those that the contract requires, in NumPy's order."""
    positions: tuple[str, ...]
    """Those of them that NumPy takes by position."""
    extras: frozenset[str]
    """The parameters that the contract lacks, without those of `renamed`."""
    renamed: dict[str, str]
    """NumPy's names of parameters that the contract has."""
    optional: frozenset[str]
    """Parameters that the contract requires, and NumPy doesn't, or has under another name."""
    omissible: frozenset[str]
    """Those of them that NumPy doesn't require."""
    named: frozenset[str]
    """The parameters that may be given by their names."""
    variadic: str
    """The parameter that takes further positional arguments, or nothing."""
    flattens: bool
    """True if the array is flattened where `axis` is None."""
    of_columns: bool
    """True if a list as the first argument has columns."""

    def resolve(
        self, contract: Contract, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """Return the arguments under the contract's names; `kwargs` is the caller's own."""
        positional = contract.by_position
        if self.variadic and len(args) > len(positional):
            last = len(positional) - 1
            args = (*args[:last], args[last:])
        elif len(args) > len(positional) and not contract.star:
            names = (*positional, *(name for name in self.positions if name not in positional))
            named = dict(zip(names[len(positional) :], args[len(positional) :], strict=False))
            if kwargs.keys().isdisjoint(named):  # otherwise there are too many, which is said later
                kwargs |= named
                args = (*args[: len(positional)], *args[len(names) :])
        renamed = self._rename(contract, args, kwargs)
        for name in positional[len(args) :]:
            if name not in kwargs or not (name in self.named or name in renamed):
                break
            args = (*args, kwargs.pop(name))
        return args, kwargs

    def _rename(
        self, contract: Contract, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> list[str]:
        """Give arguments the contract's names in place of NumPy's, and list these."""
        given = [name for name in self.renamed if name in kwargs]
        for name in given:
            standard = self.renamed[name]
            if name == "ddof" and standard in kwargs and kwargs[name] == 0:  # as NumPy has it
                del kwargs[name]
                continue
            if standard in kwargs or standard in contract.by_position[: len(args)]:
                kind = UnifyValueError if name == "ddof" else UnifyTypeError  # NumPy's
                raise kind(
                    f"{contract.name}: arguments {name!r} and {standard!r} are the same "
                    f"parameter; pass one of them"
                )
            kwargs[standard] = kwargs.pop(name)
        return [self.renamed[name] for name in given]


_COMPUTING: Final = "arrayapi_unify.functional._numpy_parameters"


def compute(contract: Contract, xp: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Compute a call that the contract doesn't serve, in the namespace `xp`."""
    return computing().compute(contract, xp, args, kwargs)


def computing() -> Any:
    """Return the module that computes such calls; compilers of Python code can't import it."""
    return sys.modules.get(_COMPUTING) or importlib.import_module(_COMPUTING)


def numpy_parameters(contract: Contract) -> NumpyParameters | None:
    """Return NumPy's parameters of a contract, if they aren't the contract's own."""
    order = ORDERS.get(contract.qualified_name)
    if order is None:
        if contract.category != "elementwise" or not contract.of_arrays_alone:
            return None
        order = ELEMENTWISE
    if not order:
        return None
    return _parsed(contract, order)


def _parsed(contract: Contract, order: str) -> NumpyParameters:
    """Read an entry of `ORDERS`."""
    names: list[str] = []
    renamed: dict[str, str] = {}
    optional: set[str] = set()
    variadic = ""
    for item in order.replace(",", "").split():
        name, _, standard = item.partition("=")
        plain = name.rstrip("?*~")
        if standard:
            renamed[plain] = standard
        if "?" in name:
            optional.add(plain)
        if "*" in name:
            variadic = plain
        names.append(plain)
    extras = frozenset(n for n in names if n not in contract.by_name and n not in renamed)
    positions = tuple(names[: len(order.partition(",")[0].split())])
    return NumpyParameters(
        order=tuple(names),
        positions=positions,
        extras=extras,
        renamed=renamed,
        optional=frozenset(optional),
        omissible=frozenset(optional - set(renamed.values())),
        named=frozenset(names) - optional,
        variadic=variadic,
        flattens="axis~" in order,
        of_columns=contract.name in _OF_COLUMNS,
    )
