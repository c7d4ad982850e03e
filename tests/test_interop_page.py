"""Each line of the tables in docs/interop.md, on all backends, and further checks."""

from __future__ import annotations

import importlib
import pickle
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import arrayapi_unify as unify
from tests.tables import each

PAGE = Path(__file__).resolve().parents[1] / "docs" / "interop.md"
LINES = re.findall(r"^\| `(.+)` \| `(\w+)` \|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
MODULES = {
    "copy": "copy", "joblib": "joblib", "jnp": "jax.numpy", "json": "json", "keras": "keras",
    "np": "numpy", "pd": "pandas", "pickle": "pickle", "plt": "matplotlib.pyplot",
    "tf": "tensorflow", "torch": "torch", "xr": "xarray",
}  # fmt: skip
VALUES = [[1.0, 2.0, 3.0], [3.0, 4.0, 5.0]]
# Values that the table doesn't show, because the class alone wouldn't detect a wrong one.
NUMBERS: dict[str, Any] = {
    "np.radians(x)": np.radians(VALUES),
    "np.add(x, 1, where=x > 1, out=xp.zeros(x.shape))": [[0.0, 3.0, 4.0], [4.0, 5.0, 6.0]],
    "np.add(x, x, out=np.zeros(x.shape))": np.add(VALUES, VALUES),
    "np.percentile(x, 50)": 3.0,
    "x.transpose(1, 0)": np.transpose(VALUES),
    "x.ravel()": np.ravel(VALUES),
    "x.nbytes": 48,
    "x.itemsize": 8,
    "pd.Series(v)": VALUES[0],
    "pd.DataFrame(x)": VALUES,
    "xr.DataArray(x, dims=('a', 'b')).mean('a').data": [2.0, 3.0, 4.0],
    "xr.DataArray(x, dims=('a', 'b')).std('a').data": [1.0, 1.0, 1.0],
    "xr.DataArray(x, dims=('a', 'b')).dot(xr.DataArray(v, dims='b')).data": [14.0, 26.0],
    "pickle.loads(pickle.dumps(x))": VALUES,
    "torch.asarray(x)": VALUES,
    "next(iter(torch.utils.data.DataLoader([v, v], batch_size=2, collate_fn=xp.stack)))": [
        VALUES[0], VALUES[0],
    ],
}  # fmt: skip


def names(code: str, xp: ModuleType) -> dict[str, Any]:
    """The names in a line; PyTorch is imported before TensorFlow, as elsewhere."""
    x = xp.asarray(VALUES)
    asked = [name for name in MODULES if re.search(rf"\b{name}\.", code)]
    found = {name: importlib.import_module(MODULES[name]) for name in asked}
    return {"x": x, "v": x[0, :], "xp": xp, **found}


def test_the_page_is_read() -> None:
    assert len(LINES) > 60
    assert not NUMBERS.keys() - {code for code, _ in LINES}


@pytest.mark.slow_on("jax")
@each("code, result", LINES)
def test_line(code: str, result: str, xp: ModuleType) -> None:
    known = names(code, xp)
    if result.endswith("Error"):
        with pytest.raises((TypeError, AttributeError)) as caught:
            eval(code, known)
        assert result in {kind.__name__ for kind in type(caught.value).__mro__}
        return
    found = eval(code, known)
    assert result == ("Array" if isinstance(found, unify.Array) else type(found).__name__)
    if result == "Array":
        assert found.backend == known["x"].backend
    if code in NUMBERS:
        np.testing.assert_allclose(np.asarray(found), NUMBERS[code])


def test_shuffle(xp: ModuleType) -> None:
    x = xp.asarray([1.0, 2.0, 3.0, 4.0])
    with pytest.warns(UserWarning, match="shuffling"):
        np.random.default_rng(0).shuffle(x)  # type: ignore[arg-type]  # the reason of the warning
    assert x.tolist() != [1.0, 2.0, 3.0, 4.0]
    assert sorted(x.tolist()) == [1.0, 2.0, 3.0, 4.0]
    rows = xp.asarray(VALUES)
    order = np.random.default_rng(0).permutation(2)
    assert rows[order, ...].tolist() == np.asarray(VALUES)[order].tolist()


def test_a_pickle_is_the_first_that_a_process_sees() -> None:
    """As in a worker of joblib.Parallel."""
    text = "import pickle, sys; print(pickle.loads(sys.stdin.buffer.read()).tolist())"
    given = pickle.dumps(unify.numpy.asarray([1.0, 2.0]))
    command = [sys.executable, "-c", text]
    done = subprocess.run(command, input=given, capture_output=True, check=True)
    assert done.stdout.split() == [b"[1.0,", b"2.0]"]


class TestFftOfTheLastAxes:
    """`s` without `axes`, as in NumPy, which means the last axes."""

    @pytest.mark.filterwarnings("ignore:`axes` should not be `None`:DeprecationWarning")
    @pytest.mark.parametrize("name", ["fftn", "ifftn", "rfftn", "irfftn"])
    @pytest.mark.parametrize("s", [(2,), (4, 3), (2, 3, 4)])
    def test_as_numpy(self, name: str, s: tuple[int, ...], xp: ModuleType) -> None:
        values = np.arange(24.0).reshape(2, 3, 4)
        expected = getattr(np.fft, name)(values, s=s)
        found = getattr(xp.fft, name)(xp.asarray(values), s=s)
        np.testing.assert_allclose(np.asarray(found), expected, rtol=1e-12, atol=1e-12)

    def test_more_lengths_than_axes(self, xp: ModuleType) -> None:
        with pytest.raises(IndexError, match="axis -2 is out of bounds"):
            xp.fft.fftn(xp.ones(3), s=(2, 2))


class TestNanReductionsInADataType:
    @pytest.mark.parametrize("name", ["nanmean", "nanstd", "nanvar", "nansum", "nanprod"])
    def test_computed_in_it(self, name: str, xp: ModuleType) -> None:
        values = np.asarray([1.0, np.nan, 2.0, 1e-4], dtype="float32")
        # NumPy's own nanvar(dtype=) computes the distances in float32.
        expected = getattr(np, name)(values.astype("float64"))
        found = getattr(xp, name)(xp.asarray(values), dtype=xp.float64)
        assert found.dtype is xp.float64
        np.testing.assert_allclose(np.asarray(found), expected, rtol=1e-15)

    @pytest.mark.parametrize("name", ["nanmean", "nanstd", "nanvar"])
    def test_integers_hold_no_mean(self, name: str, xp: ModuleType) -> None:
        with pytest.raises(TypeError, match=f"{name}: argument 'dtype' is int64"):
            getattr(xp, name)(xp.ones(3), dtype=xp.int64)
        with pytest.raises(TypeError, match="a complex one for complex numbers"):
            getattr(xp, name)(xp.ones(3, dtype=xp.complex128), dtype=xp.float64)

    def test_a_deviation_is_real(self, xp: ModuleType) -> None:
        found = xp.nanstd(xp.asarray([1.0, 3.0]), dtype=xp.complex64)
        assert (found.dtype, found.item()) == (xp.float32, 1.0)
