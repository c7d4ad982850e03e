"""NumPy's positions and parameters beyond the standard, compared with NumPy itself."""

from __future__ import annotations

import inspect
import operator
import warnings
from collections.abc import Iterator
from types import ModuleType
from typing import Any, Final

import numpy as np
import pytest

import arrayapi_unify as unify
from arrayapi_unify.contracts import CONTRACTS, Contract
from arrayapi_unify.contracts.annotations import ARRAY_ROLES
from arrayapi_unify.contracts.numpy_parameters import NOT_TAKEN
from arrayapi_unify.errors import BackendError, UnifyTypeError, UnifyValueError
from tests.functional.differentiating import DIFFERENTIATING
from tests.tables import each

# A is a float64 matrix with negative numbers, N has NaN, I is of integers, M a mask, C is complex.
CALLS: Final = """
xp.sum(A, 0) | xp.sum(A, 0, xp.float32) | xp.sum(A, 1, None, None, True)
xp.sum(I, 0, None, None) | xp.sum(A, axis=0, where=M, initial=3) | xp.sum(I, where=M)
xp.sum(I, initial=2) | A.sum(0) | xp.prod(A, where=M) | xp.prod(A, 1, initial=2) | xp.max(A, 0)
xp.min(A, 1, None, True) | xp.max(A, axis=1, where=M, initial=0)
xp.max(A[:0], axis=0, initial=2.0) | xp.max(I, initial=7) | xp.min(A, initial=-9)
xp.min(A[:, :0], axis=1, initial=4) | A.min(0, initial=-8) | xp.mean(A, 1)
xp.mean(A, axis=1, where=W) | xp.mean(I, axis=0, where=W, keepdims=True) | A.mean(1)
xp.mean(A, dtype=xp.float32) | xp.mean(I, 0, xp.float32) | xp.mean(C, where=W) | xp.std(A, ddof=1)
xp.std(A, 0, ddof=1) | xp.std(I, ddof=2) | A.std(0, ddof=1) | xp.std(A, 0, xp.float32)
xp.var(A, 1, where=W) | xp.var(A, where=W, ddof=1) | xp.var(A, 0, None, None, 1, True)
xp.var(C, where=W) | xp.var(A, 1, mean=xp.mean(A, axis=1, keepdims=True), ddof=1)
xp.std(A, 0, where=W, keepdims=True) | xp.all(M, 0, where=W) | xp.any(M, 1)
xp.all(M, 1, None, True) | xp.any(M, where=W) | A.any(0) | xp.nansum(N, 0)
xp.nansum(N, 1, where=M) | xp.nansum(N, initial=1.5) | xp.nanprod(N, where=M)
xp.nanmax(N, 1, initial=0, where=M) | xp.nanmin(N, 0) | xp.nanmin(N, 1, initial=9.0)
xp.nanmean(N, 1, where=W) | xp.nanstd(N, 0, ddof=1) | xp.nanvar(N, 1, where=W) | xp.nanvar(N, 0)
xp.median(A, 1) | xp.median(A, 0, None, False, True) | xp.quantile(A, 0.3, 0)
xp.percentile(A, 30, 1) | xp.quantile(A, 0.3, overwrite_input=True)
xp.percentile(A, 30, method="nearest") | xp.round(A, 1) | xp.round(A, decimals=-1)
xp.round(I * 37, -1) | xp.round(I, 2) | A.round(1) | xp.round(C, 1) | xp.where(M) | xp.where(I)
xp.take(A, J, 1) | xp.take(A, J, 0) | A.take(J, 1) | xp.take(A, J * 7, 1, mode="clip")
xp.take(A, J * 7, 1, mode="wrap") | xp.take(A, J, 1, None, "raise") | xp.trapezoid(A, x=V)
xp.trapezoid(A, V) | xp.trapezoid(A, dx=2.0, axis=0) | xp.trapezoid(A, None, 3.0, 0)
xp.meshgrid(A[0], A[:, 0], sparse=True) | xp.meshgrid(A[0], A[:, 0], sparse=True, indexing="ij")
xp.meshgrid(A[0], sparse=True) | xp.meshgrid(A[0], V, A[:, 0], sparse=True, copy=False)
xp.linspace(0.0, 1.0) | xp.linspace(0.0, 1.0, 5, False) | xp.linspace(0.0, 1.0, 5, retstep=True)
xp.linspace(0.0, 1.0, 5, False, True) | xp.linspace(0.0, 1.0, 1, retstep=True)
xp.logspace(0.0, 1.0) | xp.clip(A, a_min=0.0, a_max=5.0) | xp.clip(A, 0, 5) | xp.clip(A, None, 5)
xp.clip(A, None, a_max=5) | A.clip(0, 5) | xp.clip(A, 0, 5, out=Z, where=M) | xp.argsort(A, 0)
xp.sort(A, 0) | xp.sort(A, kind="stable") | xp.argsort(A, 1, "stable") | xp.argmax(A, 1)
xp.argmin(A, 0, keepdims=True) | A.argmax(1) | xp.concat([A, A], 1)
xp.concat([A, A], axis=1, dtype=xp.float32) | xp.stack([A, A], 1)
xp.concatenate([I, I], 0, dtype=xp.float64) | xp.stack([A, A], -1, dtype=xp.float32)
xp.cumulative_sum(A, axis=1) | xp.diff(A, 2) | xp.diff(A, 1, 0) | xp.diff(A, 1, -1, A[:, :1])
xp.tril(A, 1) | xp.triu(A, -1) | xp.diag(V, 1) | xp.tensordot(A, A.T, 1) | xp.eye(3, 4, 1)
xp.eye(3, M=4) | xp.zeros((2, 3), xp.float32) | xp.ones(3, xp.int32)
xp.full((2,), 1, xp.float32) | xp.arange(0, 5, 1, xp.float32) | xp.zeros_like(A, xp.int32)
xp.zeros_like(A, shape=(2,)) | xp.full_like(A, 3, shape=(2, 2)) | xp.ones_like(I, shape=4)
xp.asarray(A, xp.float32) | xp.array([1, 2], xp.float64) | xp.array([1, 2], ndmin=3)
xp.array(A, ndmin=1) | xp.add(A, A, where=M, out=Z) | xp.add(A, A, Z)
xp.multiply(I, 2, dtype=xp.float64) | xp.sqrt(I, dtype=xp.float32) | xp.less(A, 3, where=M, out=M)
xp.logical_and(M, W, where=M, out=M) | xp.negative(A, Z) | xp.exp(A, where=M, out=Z)
xp.divide(A, V, Z, where=M) | xp.maximum(A, 1, dtype=xp.float64)
xp.squeeze(A[None]) | xp.squeeze(A[None], 0) | A[:, None].squeeze() | xp.permute_dims(A)
xp.permute_dims(A, (1, 0)) | xp.expand_dims(A, 0) | xp.flip(A, 0) | xp.roll(A, 1, 0)
xp.repeat(A, 2, 1) | A.repeat(2, 0) | xp.pad(A, 1, "edge") | xp.reshape(A, (4, 3))
A.reshape(4, 3) | A.reshape(2, -1, 2) | A.reshape((4, 3)) | A.reshape(-1) | xp.split(A, 3)
xp.reshape(A, (4, 3), order="C") | A.T.reshape(-1, order="A") | A.T.ravel("K") | A.T.flatten("A")
A[:, ::2].copy("K") | xp.ravel(A.T, "C") | xp.copy(A, order="K") | A.astype(xp.float32, "C")
xp.asarray(A, None, "C") | xp.array(A, order="A") | xp.zeros(3, xp.float32, "C")
xp.full((2,), 1, order="C") | xp.zeros_like(A, order="K") | xp.eye(2, order="C")
xp.ones((2,), order="C") | xp.empty_like(A, xp.int32, "C").shape | xp.full_like(A, 3, order="A")
xp.roll(A, (1, 2, 1), 0) | xp.roll(A, (1, 2)) | xp.roll(A, (1,), (0, 1))
xp.roll(A, (1, 2), (1, 1)) | xp.unique(xp.zeros((2, 0)), axis=0, return_index=True)
xp.split(A, 2, 1) | xp.split(A, indices_or_sections=[1, 3], axis=1)
xp.split(A, indices_or_sections=2, axis=1) | xp.linalg.eigvalsh(S, "U")
xp.linalg.eigvalsh(S, UPLO="L") | xp.linalg.matrix_rank(A, 1e-3)
xp.linalg.matrix_rank(S, 100.0, True) | xp.linalg.svd(A, compute_uv=False)
abs(xp.linalg.svd(A, False)[0]) | xp.linalg.qr(A, "complete")[1] | xp.linalg.pinv(A, 1e-3)
xp.linalg.pinv(S, rcond=1e-3, hermitian=False) | xp.linalg.matrix_rank(A, rtol=1e-3)
xp.matmul(A, A.T, dtype=xp.float64) | xp.matmul(I, I.T, dtype=xp.float32)
xp.vecdot(A, A, keepdims=True) | xp.vecdot(A, A, axis=0)
xp.einsum("ij,kj->ik", A, A, optimize=True) | xp.fft.fft(A, 3, 0) | xp.fft.fftn(A, (3, 3), (0, 1))
xp.fft.fftfreq(5, 0.1) | xp.fft.ifft(A, None, 0, "ortho") | xp.fft.fftshift(A, 0)
xp.count_nonzero(M, 0) | xp.searchsorted(V, A, "right") | xp.isin(A, A[0], True)
xp.isin(I, I[0], invert=True, kind="sort") | xp.cov(A, bias=True) | xp.cov(A, ddof=0)
xp.cov(A, None, False) | xp.cov(A, y=A) | xp.cov(A, None, True, True, 2)
xp.corrcoef(A, None, False) | xp.cov(A, dtype=xp.float32) | xp.nan_to_num(N, True, 1.0)
xp.nan_to_num(N, copy=False) | xp.isclose(A, A + 1e-4, 1e-3) | xp.allclose(A, A, 1e-3)
xp.histogram(A, 5) | xp.histogram(A, 5, (0.0, 10.0), True) | xp.bincount(J, None, 6)
xp.interp(A, V, V * 2, -1.0) | xp.take_along_axis(A, xp.argsort(A, axis=0), 0)
xp.cumsum(A, 0, None, Z) | xp.ptp(A, 0, Z[0]) | xp.nanargmax(A, 0) | xp.nancumsum(N, 1, None, Z)
xp.divmod(A, 2, where=M, out=(Z, Z * 2)) | xp.divmod(I, 2, dtype=xp.float64) | xp.divmod(A, V)
xp.exp2(A, where=M, out=Z) | xp.heaviside(A, 0.5, Z) | xp.average(A, 0, A)
xp.average(A, 1, V, True) | xp.nanmedian(N, 0, None, False, True)
xp.nanquantile(N, 0.5, 1, None, False, "lower", True)
xp.gradient(A, 2, V, axis=(0, 1)) | xp.unique(I, True, True, True) | xp.digitize(A, V, True)
xp.convolve(V, V, "same") | xp.ediff1d(A, 1.5, V) | xp.intersect1d(I, J, False, True)
xp.take_along_axis(A, xp.argsort(A, axis=1), axis=1) | xp.take(A, J) | A.take(J) | xp.sort(A, None)
xp.repeat(A, repeats=2, axis=1) | A.repeat(repeats=2) | xp.tile(A, reps=(2, 1)) | xp.eye(N=3)
xp.eye(N=3, M=2, k=1) | xp.linspace(start=0.0, stop=1.0, num=3) | xp.linspace(0.0, stop=1.0)
xp.moveaxis(A, source=0, destination=1) | xp.take(A, indices=J, axis=1) | A.take(indices=J)
xp.isin(I, test_elements=J) | xp.interp(A, xp=V, fp=V * 2)
xp.take_along_axis(A, indices=xp.argsort(A, axis=1), axis=1) | xp.linalg.matrix_power(S, n=2)
xp.searchsorted(V, v=A) | xp.searchsorted(V, v=A, side="right") | xp.quantile(A, q=0.3, axis=1)
xp.percentile(A, q=30) | xp.nanquantile(N, q=0.5) | xp.nanpercentile(N, q=50, axis=0)
xp.pad(A, pad_width=1) | xp.append(V, values=V) | xp.digitize(A, bins=V)
xp.unravel_index(J, shape=(2, 2))[1] | xp.select([M, W], choicelist=[A, -A], default=2.0)
xp.pad(A, 2, "mean") | xp.pad(I, (1, 2), "median") | xp.pad(A, 3, "maximum", stat_length=(1, 2))
xp.pad(I, 2, "mean", stat_length=2) | xp.pad(I, ((1, 2), (9, 0)), "linear_ramp", end_values=(3, -2))
xp.pad(A, 2, "linear_ramp") | xp.pad(I, (9, 8), "reflect", reflect_type="odd") | xp.pad(I, {1: 2})
xp.pad(A, (5, 6), "symmetric", reflect_type="odd") | xp.pad(A, 1, mode="empty")[1:-1, 1:-1]
xp.pad(I, {0: (2, 1), -1: 3}, "minimum") | xp.pad(V[:1], 3, "reflect", reflect_type="odd")
xp.pad(C, 2, "linear_ramp", end_values=1j) | xp.pad(A, J[:2]) | xp.pad(I % 7, 2, "mean")
xp.quantile(A, 0.3, 1, weights=V, method="inverted_cdf") | xp.ediff1d(ary=V, to_end=2.0)
xp.nanpercentile(N, 40, weights=A + 9, method="inverted_cdf") | xp.quantile(A, 0.3, weights=None)
xp.var(A, ddof=0, correction=1) | xp.fft.fft(A, norm=None) | xp.fft.irfftn(C, norm=None)
xp.gradient(A[0], xp.asarray([9, 7, 4, 2], dtype="uint8")) | xp.delete(V, [[0, 1], [2, 1]])
xp.gradient(A[0], xp.asarray([-100, 100, 101, 127], dtype="int8"))
xp.unique(xp.asarray([float("nan"), 1.0, float("nan")]), axis=0)
xp.histogramdd([V, V * 2], bins=(2, 3))[1][1] | xp.histogramdd((V, V, V), bins=1)[1][2]
xp.histogram2d(V, V, xp.asarray([2, 3]))[2] | xp.histogram2d(V, V, V)[1]
xp.histogramdd(A, bins=2, range=[(0, 9)] * 4)[1][0] | xp.histogram2d(V, V, 2)[1]
xp.zeros((2, 3, 4)).T | V.T | xp.reshape(A, (3, 2, 2)).T
xp.argsort(A, axis=None) | xp.take_along_axis(A, xp.argsort(A, None), None) | xp.take(V, J)
"""
EXPRESSIONS: Final = [text for line in CALLS.split("\n") for text in line.split(" | ") if text]


def values() -> dict[str, Any]:
    """Return the arrays of the expressions, made by NumPy."""
    a = np.arange(12.0).reshape(3, 4) + 0.3
    a[1, 2] = -7.77
    mask = np.array([[True, False, True, True], [False] * 3 + [True], [True] * 4])
    nan = np.where(mask, a, np.nan)
    weights = np.array([[True, True, False, True]] * 3)
    return {
        "A": a, "N": nan, "I": a.astype(np.int64), "M": mask, "W": weights, "C": a * (1 - 2j),
        "J": np.array([0, 2, 1]), "V": np.array([1.0, 2, 4, 7]), "Z": np.ones_like(a),
        "S": a @ a.T,
    }  # fmt: skip


def evaluated(expression: str, namespace: Any, arrays: dict[str, Any]) -> list[Any]:
    """Return the result of an expression, and the arrays that it may write to, as NumPy arrays."""
    with np.errstate(all="ignore"), warnings.catch_warnings():
        if namespace is np:
            warnings.simplefilter("ignore", RuntimeWarning)
        result = eval(expression, {"xp": namespace, **arrays})
    parts = list(result) if isinstance(result, list | tuple) else [result]
    return [np.asarray(part) for part in (*parts, *(arrays[name] for name in "ZMN"))]


@pytest.mark.slow_on("tensorflow", "jax", "dask")
@each("expression", EXPRESSIONS)
def test_results_are_numpys(xp: ModuleType, expression: str) -> None:
    expected = evaluated(expression, np, values())
    for namespace in (xp, unify):
        arrays = {name: xp.asarray(value) for name, value in values().items()}
        with unify.use_backend(arrays["A"].backend):
            found = evaluated(expression, namespace, arrays)
        assert len(found) == len(expected)
        for ours, theirs in zip(found, expected, strict=True):
            assert (ours.shape, ours.dtype) == (theirs.shape, theirs.dtype)
            tolerance = 1e-5 if ours.dtype in (np.float32, np.complex64) else 1e-12
            np.testing.assert_allclose(ours, theirs, rtol=tolerance, atol=tolerance)


def test_flags_of_one_value_are_given(xp: ModuleType) -> None:
    """The first call compiles a function, the next ones run it."""
    x = xp.asarray([[3.0, 1.0], [1.0, 2.0], [0.0, 1.0]])
    for _ in range(3):
        assert unify.linalg.svd(x, False, False, False).shape == (2,)
        lower = unify.linalg.solve_triangular(
            x[:2], x[:2], trans=True, lower=True, unit_diagonal=True
        )
        np.testing.assert_allclose(np.asarray(lower), [[2.0, -1.0], [1.0, 2.0]])


JAX_CALLS: Final = {
    "xp.lexsort((J, J[::-1]), batch_size=2)": "xp.lexsort((J, J[::-1]))",
    "xp.searchsorted(V, A, method='sort')": "xp.searchsorted(V, A)",
    "xp.digitize(A, V, method='scan')": "xp.digitize(A, V)",
    "xp.take(A, J, 1, unique_indices=True, indices_are_sorted=False)": "xp.take(A, J, 1)",
    "xp.isin(I, I[0], method='sort')": "xp.isin(I, I[0])",
    "xp.delete(V, J, assume_unique_indices=True)": "xp.delete(V, J)",
    "xp.linalg.slogdet(S[:2, :2], method='qr')[1]": "xp.linalg.slogdet(S[:2, :2])[1]",
    "xp.linalg.lstsq(A, V[:3], numpy_resid=True)[0]": "xp.linalg.lstsq(A, V[:3])[0]",
}
"""Calls with parameters of jax.numpy that choose an algorithm, and NumPy's calls without them."""


@each("expression", list(JAX_CALLS))
def test_algorithms_of_jax_give_the_same(xp: ModuleType, expression: str) -> None:
    expected = evaluated(JAX_CALLS[expression], np, values())[0]
    for namespace in (xp, unify):
        arrays = {name: xp.asarray(value) for name, value in values().items()}
        with unify.use_backend(arrays["A"].backend):
            found = evaluated(expression, namespace, arrays)[0]
        np.testing.assert_allclose(found, expected, rtol=1e-10)


def taken(name: str) -> set[str]:
    """Return the names of the parameters that a function takes."""
    contract = CONTRACTS[name]
    numpy = contract.numpy
    extras = numpy.extras | set(numpy.renamed) if numpy else set()
    return set(contract.by_name) | set(extras)


EXCLUDED: Final = {"subok", "order", "casting", "like", "signature", "align"}


def leading_arrays(contract: Contract) -> int:
    """Count the arrays that come first: their names differ, and NumPy's callers don't use them."""
    roles = [p.role for p in contract.parameters if p.required]
    return max(1, next((i for i, role in enumerate(roles) if role not in ARRAY_ROLES), len(roles)))


def not_taken(module: Any) -> Iterator[tuple[str, str]]:
    """Find the parameters of a library's functions that ours don't take, each with its function."""
    for name, contract in CONTRACTS.items():
        try:
            function = operator.attrgetter(name)(module)
            parameters = list(inspect.signature(function).parameters.values())
        except (AttributeError, TypeError, ValueError):  # there is none, or its signature is hidden
            continue
        if contract.category == "random":  # a key comes first
            continue
        arrays = leading_arrays(contract)
        for place, p in enumerate(parameters):
            is_array = place < arrays and p.kind is not p.KEYWORD_ONLY
            hidden = p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD) or p.name.startswith("_")
            if not (is_array or hidden) and p.name not in taken(name) | EXCLUDED:
                yield p.name, name


class TestEveryParameter:
    """B61: what NumPy's and jax.numpy's functions take, ours do."""

    @pytest.mark.parametrize("library", ["NumPy", "JAX"])
    def test_what_is_not_taken_has_a_reason(self, library: str) -> None:
        listed: dict[str, set[str] | None] = {}
        for entry in NOT_TAKEN:
            owner, _, text = entry.partition(" ")
            names, _, functions = text.partition(" of ")
            if owner == library or owner == "NumPy":
                for name in names.split(", "):
                    listed[name] = set(functions.split(", ")) if functions else None
        module = np if library == "NumPy" else pytest.importorskip("jax.numpy")
        found = set(not_taken(module))
        assert found
        for parameter, function in found:
            functions = listed.get(parameter, set())
            assert functions is None or function in functions, f"{function}({parameter}=)"
        if library == "NumPy":
            assert set(listed) == {parameter for parameter, _ in found}

    def test_there_are_few(self) -> None:
        names = [n for entry in NOT_TAKEN for n in entry.partition(" of ")[0].split(", ")]
        assert len(names) <= 15


class Recorder:
    """Returns the arguments of its override."""

    def __ivy_array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
        return func, args, kwargs


class TestOverrides:
    """B48: an argument in NumPy's position, or under its name, has the standard's name."""

    @pytest.mark.parametrize("entry_point", ["top", "bound"])
    def test_names(self, xp: ModuleType, entry_point: str) -> None:
        namespace: Any = unify if entry_point == "top" else xp
        x = Recorder()
        assert namespace.sum(x, 0) == (unify.sum, (x,), {"axis": 0})
        assert namespace.std(x, ddof=1) == (unify.std, (x,), {"correction": 1})
        assert namespace.clip(x, a_min=1) == (unify.clip, (x, 1), {})
        assert namespace.add(x, 1, None) == (unify.add, (x, 1), {"out": None})
        assert namespace.add(x, 1, where=True) == (unify.add, (x, 1), {"where": True})
        assert namespace.reshape(x, 2, 3) == (unify.reshape, (x, (2, 3)), {})
        assert namespace.concat([x], 1) == (unify.concat, ([x],), {"axis": 1})
        assert namespace.trapezoid(x, x=x) == (unify.trapezoid, (x, x), {})
        assert namespace.where(x) == (unify.where, (x,), {})


class TestMistakes:
    """The error names the function, the argument and the remedy; nothing is written."""

    def test_the_same_parameter_twice(self, xp: ModuleType) -> None:
        x = xp.ones(3)
        for namespace in (unify, xp):
            with pytest.raises(UnifyValueError, match="std: arguments 'ddof' and 'correction'"):
                namespace.std(x, ddof=1, correction=1)
            with pytest.raises(TypeError, match="axis"):
                namespace.sum(x, 0, axis=0)
            with pytest.raises(TypeError, match="add"):
                namespace.add(x, x, x, out=x)

    def test_a_list_of_split_by_position(self, xp: ModuleType) -> None:
        for places in ([1, 2], (1, 2), np.asarray([1, 2]), xp.asarray([1, 2])):
            with pytest.raises(UnifyTypeError, match=r"split: .* indices_or_sections= has NumPy's"):
                xp.split(xp.ones(3), places)
        with pytest.raises(UnifyTypeError, match="split: argument 'sections' is among"):
            xp.split(xp.ones(4), 2, num_or_size_splits=[1, 3])

    def test_a_shape_by_numbers(self, xp: ModuleType) -> None:
        for namespace in (unify, xp):
            for name in ("zeros", "ones", "empty"):
                with pytest.raises(UnifyTypeError, match=rf"as one tuple: {name}\(\(2, 3\)\)"):
                    getattr(namespace, name)(2, 3)

    def test_values(self, xp: ModuleType) -> None:
        x, out = xp.ones(3), xp.zeros(3)
        with pytest.raises(UnifyTypeError, match="add: argument 'where' is int64, not bool"):
            xp.add(x, x, out=out, where=xp.asarray([1, 0, 1]))
        with pytest.raises(UnifyValueError, match="max: argument 'initial' is needed"):
            xp.max(x, where=x > 0)
        with pytest.raises(UnifyTypeError, match="where: argument 'x2' is missing"):
            xp.where(x > 0, 1)
        with pytest.raises(UnifyTypeError, match="round: argument 'decimals' is a str"):
            xp.round(x, "1")
        with pytest.raises(UnifyTypeError, match="add: argument 'dtype' is int64"):
            xp.add(x, x, out=out, dtype=xp.int64)
        with pytest.raises(UnifyValueError, match="take: argument 'mode' is 'mirror'"):
            xp.take(x, xp.asarray([0]), mode="mirror")
        assert out.tolist() == [0, 0, 0]

    def test_another_library(self, xp: ModuleType) -> None:
        class Silent:
            """A class without the protocol."""

        with pytest.raises(BackendError, match="Silent"):
            xp.sum(Silent(), 0)


class TestContainers:
    def test_leaf_by_leaf(self, xp: ModuleType) -> None:
        c = unify.Container(a=xp.ones((2, 3)), b=xp.asarray([1.0, 2.0]))
        for namespace in (unify, xp):
            result = namespace.sum(c, 0, initial=2)
            assert result.a.tolist() == [4, 4, 4]
            assert float(result.b) == 5


@pytest.mark.parametrize("backend", DIFFERENTIATING)
class TestDerivatives:
    """Adapters are differentiated through the functions of the standard."""

    def test_of_a_mask(self, backend: str) -> None:
        with unify.use_backend(backend):
            x = unify.asarray([1.0, 2.0, 4.0])
            mask = unify.asarray([True, False, True])
            gradient = unify.grad(lambda v: unify.sum(v * v, where=mask, initial=3.0))(x)
            assert gradient.tolist() == [2, 0, 8]
            gradient = unify.grad(lambda v: unify.mean(v, where=mask))(x)
            assert gradient.tolist() == [0.5, 0, 0.5]
            gradient = unify.grad(lambda v: unify.var(v, ddof=1))(x)
            np.testing.assert_allclose(np.asarray(gradient), [-4 / 3, -1 / 3, 5 / 3], rtol=1e-12)


@pytest.mark.eager
class TestTraced:
    """A compiled function gives what an eager one gives."""

    @pytest.mark.slow_on("torch")
    @pytest.mark.filterwarnings("ignore:.*script_method:DeprecationWarning")  # of inductor itself
    @pytest.mark.parametrize(
        "call",
        [
            lambda xp, x: xp.sum(x, 0),
            lambda xp, x: xp.std(x, 1, ddof=1),
            lambda xp, x: xp.sum(x, where=x > 2, initial=1.0),
            lambda xp, x: xp.round(x, 1),
            lambda xp, x: x.reshape(2, -1),
            lambda xp, x: xp.max(x, 1, initial=3.0),
        ],
    )
    def test_compiled(self, xp: ModuleType, call: Any) -> None:
        x = xp.reshape(xp.arange(12.0) / 7, (3, 4))
        compiled = unify.compile(lambda v: call(xp, v))
        np.testing.assert_allclose(
            np.asarray(compiled(x)), np.asarray(call(xp, x)), rtol=1e-12, atol=0
        )
