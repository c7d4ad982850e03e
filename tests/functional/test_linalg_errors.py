"""Failed factorizations: the errors that users of NumPy and of PyTorch catch."""

from __future__ import annotations

import pickle
import subprocess
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pytest
import scipy.linalg

import arrayapi_unify as unify
from arrayapi_unify import errors
from tests.differential.tracing import COMPILERS
from tests.installed import INSTALLED, LAZY

SQUARE = ("cholesky", "det", "eig", "eigh", "eigvals", "eigvalsh", "inv", "slogdet")
ANY_SHAPE = ("pinv", "qr", "svd", "svdvals")
INDEFINITE = [[1.0, 2.0], [2.0, 1.0]]
NAN = [[float("nan"), 2.0], [2.0, 1.0]]


def _expm(xp: Any) -> Any:
    """Return the function of a namespace, SciPy's for NumPy, which has none."""
    return scipy.linalg.expm if xp is np else xp.linalg.expm


# Calls that raise NumPy's LinAlgError if `xp` is NumPy.
CALLS: dict[str, Callable[[Any], Any]] = {
    "cholesky": lambda xp: xp.linalg.cholesky(xp.asarray(INDEFINITE)),
    "inv": lambda xp: xp.linalg.inv(xp.zeros((2, 2))),
    "inv, complex": lambda xp: xp.linalg.inv(xp.zeros((3, 2, 2), dtype=xp.complex64)),
    "inv, integers": lambda xp: xp.linalg.inv(xp.zeros((2, 2), dtype=xp.int64)),
    "solve": lambda xp: xp.linalg.solve(xp.zeros((2, 2)), xp.ones(2)),
    "lstsq of a vector": lambda xp: xp.linalg.lstsq(xp.ones(3), xp.ones(3)),
    "lstsq of other rows": lambda xp: xp.linalg.lstsq(xp.ones((3, 2)), xp.ones(2)),
    "cond, not square": lambda xp: xp.linalg.cond(xp.ones((2, 3)), 1),
    "cond of a vector": lambda xp: xp.linalg.cond(xp.ones(3)),
    "cond, empty": lambda xp: xp.linalg.cond(xp.ones((0, 0))),
    "solve, not square": lambda xp: xp.linalg.solve(xp.ones((3, 2)), xp.ones(3)),
    "expm, not square": lambda xp: _expm(xp)(xp.ones((2, 3))),
    "expm of a vector": lambda xp: _expm(xp)(xp.ones(2)),
    "matrix_power": lambda xp: xp.linalg.matrix_power(xp.zeros((2, 2)), -1),
    "matrix_power, not square": lambda xp: xp.linalg.matrix_power(xp.ones((2, 3)), 2),
    "matrix_rank of NaN": lambda xp: xp.linalg.matrix_rank(xp.asarray(NAN)),
    "matrix_norm of NaN": lambda xp: xp.linalg.matrix_norm(xp.asarray(NAN), ord="nuc"),
    **{
        f"{name} of NaN": lambda xp, name=name: getattr(xp.linalg, name)(xp.asarray(NAN))
        for name in ("eig", "eigvals", "lu", "svd", "svdvals", "pinv")
    },
    **{
        f"{name}, not square": lambda xp, name=name: getattr(xp.linalg, name)(xp.ones((2, 3)))
        for name in SQUARE
    },
    **{
        f"{name} of a vector": lambda xp, name=name: getattr(xp.linalg, name)(xp.ones(2))
        for name in (*SQUARE, *ANY_SHAPE)
    },
}
# Those that raise another ValueError.
OTHER: dict[str, Callable[[Any], Any]] = {
    "solve": lambda xp: xp.linalg.solve(xp.eye(2), xp.ones(3)),
    "trace": lambda xp: xp.linalg.trace(xp.ones(3)),
    "diagonal": lambda xp: xp.linalg.diagonal(xp.ones(3)),
    "matrix_transpose": lambda xp: xp.linalg.matrix_transpose(xp.ones(3)),
}


@pytest.mark.parametrize("name", CALLS)
def test_is_an_error_of_numpy(xp: ModuleType, name: str) -> None:
    """B62."""
    if name == "lu of NaN" and xp.zeros(1).backend in LAZY:
        return  # the body checks values; LAPACK, which checks those of the others, is in the graph
    call = CALLS[name]
    if "NaN" not in name or "eig" in name:  # in others the build of LAPACK decides
        with pytest.raises(np.linalg.LinAlgError):
            call(np)
    with pytest.raises(np.linalg.LinAlgError) as caught:
        unify.compute(call(xp))
    error = caught.value
    assert isinstance(error, errors.UnifyLinAlgError)
    assert isinstance(error, errors.UnifyValueError)
    assert "linalg." in str(error)
    copied = pickle.loads(pickle.dumps(error))
    assert type(copied) is type(error)
    assert str(copied) == str(error)


@pytest.mark.parametrize("call", OTHER.values(), ids=OTHER)
def test_other_errors(xp: ModuleType, call: Callable[[Any], Any]) -> None:
    for namespace, kind in ((np, ValueError), (xp, errors.UnifyValueError)):
        with pytest.raises(kind) as caught:
            call(namespace)
        assert not isinstance(caught.value, np.linalg.LinAlgError)


@pytest.mark.parametrize("entry", ["top level", "of Containers", "of NumPy", "with reductions"])
def test_by_each_entry(xp: ModuleType, entry: str) -> None:
    x = xp.zeros((2, 2))
    calls: dict[str, Callable[[], Any]] = {
        "top level": lambda: unify.linalg.inv(x),
        "of Containers": lambda: unify.linalg.inv(unify.Container(a=x)),
        "of NumPy": lambda: np.linalg.inv(x),
        "with reductions": lambda: xp.linalg.inv(xp.astype(x, unify.bfloat16)),
    }
    with pytest.raises(np.linalg.LinAlgError, match=r"linalg\.inv.*singular"):
        unify.compute(calls[entry]())


def test_name_of_the_namespaces(xp: ModuleType) -> None:
    """Programs write `except xp.linalg.LinAlgError`."""
    assert xp.linalg.LinAlgError is unify.linalg.LinAlgError is errors.UnifyLinAlgError
    with pytest.raises(xp.linalg.LinAlgError):
        unify.compute(xp.linalg.cholesky(-xp.eye(2)))
    for absent in (xp.linalg, unify.linalg):
        assert not hasattr(absent, "LinAlgErrors")
    assert not hasattr(errors, "LinAlgErrors")


@pytest.mark.parametrize("name", INSTALLED)
def test_traced(name: str) -> None:
    """B62: traced, values aren't known: the result is NaN, or the library's own error."""
    if name != "jax":
        return
    inverse = COMPILERS[name](lambda x: unify.linalg.inv(unify.asarray(x)).data)
    assert not np.isfinite(inverse(unify.get_backend(name).zeros((2, 2)).data)).any()


if "torch" in INSTALLED:

    def test_is_an_error_of_pytorch() -> None:
        """B62: what programs for PyTorch catch, which is a RuntimeError there."""
        torch = pytest.importorskip("torch")
        xp = unify.get_backend("torch")
        for call in CALLS.values():
            with pytest.raises(torch.linalg.LinAlgError):
                call(xp)
        with pytest.raises(RuntimeError, match="holds NaN") as caught:
            unify.linalg.svd(xp.asarray(NAN))
        assert caught.value.__context__ is None  # the message is shown once


def test_one_class_which_needs_no_numpy_before() -> None:
    code = (
        "import sys, arrayapi_unify.errors as errors; assert 'numpy' not in sys.modules\n"
        "made = errors.UnifyLinAlgError; assert made is errors.UnifyLinAlgError\n"
        "import numpy; assert issubclass(made, numpy.linalg.LinAlgError)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
