"""Protocols of other libraries: Arrow's, by a stand-in for PyArrow, and the chunks of Dask."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any, Final

import numpy as np
import pytest

import arrayapi_unify as unify
from arrayapi_unify.errors import BackendError, UnifyValueError
from tests.installed import EAGER
from tests.tables import each

da = pytest.importorskip("dask.array")


class Made:
    """An array of the stand-in for PyArrow, which holds its arguments."""

    def __init__(self, values: Any, type: Any = None) -> None:
        self.values, self.type = values, type

    def __arrow_c_array__(self, schema: Any) -> Any:
        return schema, self.values


class TestArrow:
    def test_values(self, xp: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
        arrow: Any = ModuleType("pyarrow")
        arrow.array = Made
        monkeypatch.setitem(sys.modules, "pyarrow", arrow)
        x = xp.asarray([1.0, 2.0])
        with unify.computing("allow"):
            made = x.__arrow_array__("float32")
            assert (type(made.values), made.type) == (np.ndarray, "float32")
            np.testing.assert_array_equal(made.values, [1.0, 2.0])
            assert x.__arrow_c_array__("schema")[0] == "schema"
        with pytest.raises(UnifyValueError, match=r"Arrow has one axis.*\(1, 2\).*columns"):
            x[None].__arrow_array__()

    def test_is_needed(self, xp: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(sys.modules, "pyarrow", None)
        with pytest.raises(BackendError, match="pip install pyarrow"):
            xp.asarray([1.0]).__arrow_array__()


# Functions of Dask that ask chunks for more than the standard's functions.
ON_CHUNKS: Final[dict[str, Callable[[Any], Any]]] = {
    "dot": lambda x: x.dot(x.T),
    "tensordot": lambda x: da.tensordot(x, x, axes=((0,), (0,))),
    "percentile": lambda x: da.percentile(x.ravel(), [30, 60]),
    "cov": da.cov,
    "vdot": lambda x: da.vdot(x[0], x[1]),
    "solve": lambda x: da.linalg.solve(x @ x.T + 9 * da.eye(4, chunks=2), x[:, 0]),
    "median": lambda x: da.median(x, axis=0),
    "topk": lambda x: da.topk(x, 2, axis=0),
    "histogram": lambda x: da.histogram(x, bins=3, range=(-2, 2))[0],
    "map_overlap": lambda x: da.overlap.map_overlap(
        lambda b: b + 1, x, depth=1, boundary="nearest"
    ),
    "nanargmax": lambda x: da.nanargmax(x, axis=0),
    "choose": lambda x: da.choose((x > 1).astype("int64"), [x, -x]),
    "fft": lambda x: da.fft.fft(x.rechunk((4, 6))),
    "lu": lambda x: da.linalg.lu(x @ x.T + 9 * da.eye(4, chunks=2))[2],
}


@pytest.mark.slow_on("tensorflow", "jax")
@each("name", list(ON_CHUNKS))
@pytest.mark.parametrize("backend", EAGER)
def test_chunks_of_dask(backend: str, name: str) -> None:
    values = np.random.default_rng(5).normal(size=(4, 6))
    x = unify.get_backend(backend).asarray(values)

    def computed(chunks: Any) -> Any:
        whole = da.from_array(chunks, chunks=(2, 3), asarray=False)
        return np.asarray(ON_CHUNKS[name](whole).compute(scheduler="sync"))

    np.testing.assert_allclose(computed(x), computed(values), rtol=1e-10)


class Named(unify.Array):
    """An Array with an attribute."""

    def __init__(self, data: Any, name: str) -> None:
        super().__init__(data)
        self.name = name


def test_tokens_of_chunks() -> None:
    """Equal tokens make one chunk of two: of equal arrays alone."""
    tokenize = pytest.importorskip("dask.base").tokenize
    x = unify.numpy.asarray([1.0, 2.0])
    assert tokenize(x) == tokenize(unify.numpy.asarray([1.0, 2.0]))
    others = [x + 1, x.astype("float32"), Named(x, "m"), Named(x, "s")]
    assert len({tokenize(one) for one in (x, *others)}) == 5
