"""B51: float16 and bfloat16 on every backend.

`tests/differential/test_reduced_precision.py` draws calls of all functions.
"""

from __future__ import annotations

import copy
import importlib
import math
import pickle
import subprocess
import sys
import warnings
from pathlib import Path
from types import ModuleType
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given, strategies as st

import arrayapi_unify as unify
from arrayapi_unify import dtypes, limits
from arrayapi_unify.dtypes import DType
from arrayapi_unify.errors import BackendError, UnifyTypeError
from tests.installed import INSTALLED

NATIVE = {unify.float16: np.dtype(np.float16), unify.bfloat16: np.dtype(ml_dtypes.bfloat16)}
FOREIGN = sorted(set(INSTALLED) - {"numpy"})


@pytest.fixture(params=sorted(NATIVE, key=str), ids=str)
def half(request: pytest.FixtureRequest) -> DType:
    found: DType = request.param
    return found


def numpy_of(x: Any, dtype: DType) -> Any:
    """Return the values of an Array, and check its data type."""
    assert x.dtype is dtype
    values = np.asarray(x)
    assert values.dtype == NATIVE.get(dtype, np.dtype(str(dtype)) if dtype not in NATIVE else None)
    return values.astype("f8") if dtype in NATIVE else values


class TestDataTypes:
    @pytest.mark.parametrize("other", dtypes.ALL, ids=str)
    def test_promotion_is_that_of_numpy_and_ml_dtypes(self, half: DType, other: DType) -> None:
        operands = np.ones(1, NATIVE[half]), np.ones(1, str(other))
        wanted = np.add(*operands).dtype.name
        assert unify.result_type(half, other).name == unify.result_type(other, half).name == wanted
        assert unify.can_cast(other, half) is (wanted == half.name)

    def test_both_together_are_float32(self) -> None:
        assert unify.result_type(unify.float16, unify.bfloat16) is unify.float32
        assert not unify.can_cast(unify.float16, unify.bfloat16)

    def test_scalars_take_the_data_type(self, half: DType) -> None:
        found = [unify.result_type(half, scalar) for scalar in (True, 3, 1e300, 1j)]
        assert found == [half, half, half, unify.complex64]

    def test_limits(self) -> None:
        for dtype, wanted in (
            (unify.float16, np.finfo(np.float16)),
            (unify.bfloat16, ml_dtypes.finfo(ml_dtypes.bfloat16)),
        ):
            info = unify.finfo(dtype)
            names = ("bits", "eps", "max", "min", "smallest_normal")
            assert all(getattr(info, n) == float(getattr(wanted, n)) for n in names)

    def test_they_are_real_floating_and_no_default(self, half: DType) -> None:
        assert unify.isdtype(half, "real floating")
        assert unify.isdtype(half, "numeric")
        assert not unify.isdtype(half, "integral")
        with pytest.raises(UnifyTypeError, match="float16 can't be the default"):
            unify.set_default_dtype(half)

    def test_the_inspection_keeps_to_the_standard(self, xp: ModuleType) -> None:
        assert len(xp.__array_namespace_info__().dtypes()) == 13
        assert (xp.float16, xp.bfloat16) == (unify.float16, unify.bfloat16)

    @given(st.floats() | st.floats(-70000, 70000) | st.integers(-(2**70), 2**70))
    def test_rounding_is_that_of_the_libraries(self, value: float) -> None:
        for dtype, native in NATIVE.items():
            with np.errstate(all="ignore"):
                wanted = float(np.asarray(float(value)).astype(native))
            found = limits.rounded(value, dtype)
            assert found == wanted or (found != found and wanted != wanted)
            assert math.copysign(1, found) == math.copysign(1, wanted)


class TestArrays:
    def test_reductions_add_up_in_float32(self, xp: ModuleType, half: DType) -> None:
        ones = xp.ones(4096, dtype=half)
        assert numpy_of(xp.sum(ones), half) == 4096  # a sum in bfloat16 would end at 256
        assert numpy_of(xp.cumulative_sum(ones)[-1], half) == 4096
        assert numpy_of(xp.mean(xp.full(4, 60000.0, dtype=half)), half) == pytest.approx(
            60000, 4e-3
        )
        assert numpy_of(xp.matmul(ones, ones), half) == 4096
        assert numpy_of(xp.sum(ones, dtype=xp.float64), xp.float64) == 4096
        assert numpy_of(xp.sum(xp.ones(3), dtype=half), half) == 3

    def test_named_results_of_bodies_keep_their_names(self, xp: ModuleType, half: DType) -> None:
        found = xp.histogram(xp.asarray([0.0, 1.0, 1.0, 2.0], dtype=half), bins=2)
        assert found.counts.tolist() == [1, 3]
        assert numpy_of(found.bin_edges, half).tolist() == [0.0, 1.0, 2.0]

    def test_scalars_are_rounded_first(self, xp: ModuleType, half: DType) -> None:
        x = xp.asarray([0.1, 300.0], dtype=half)
        tenth = float(np.asarray(0.1).astype(NATIVE[half]))
        assert np.asarray(x == 0.1).tolist() == [True, False]
        wanted = (np.asarray([tenth, 300.0]) + tenth).astype(NATIVE[half]).astype("f8")
        np.testing.assert_array_equal(numpy_of(x + 0.1, half), wanted)
        np.testing.assert_array_equal(numpy_of(0.1 + x, half), wanted)
        assert (x * 1j).dtype is xp.complex64
        assert numpy_of(x * np.float64(2), half)[1] == 600  # NumPy's scalars count as Python's

    def test_operators_and_methods(self, xp: ModuleType, half: DType) -> None:
        x = xp.asarray([1.5, -2.25], dtype=half)
        for found, wanted in (
            (-x, [-1.5, 2.25]), (abs(x), [1.5, 2.25]), (x - x, [0, 0]), (2 / x, [4 / 3, -8 / 9]),
            (x**2, [2.25, 5.0625]), (x // 1, [1, -3]), (x % 2, [1.5, 1.75]),
            (x.square(), [2.25, 5.0625]),
        ):  # fmt: skip
            rounded = np.asarray(wanted).astype(NATIVE[half]).astype("f8")
            np.testing.assert_array_equal(numpy_of(found, half), rounded)
        assert np.asarray(x > 0).tolist() == [True, False]
        assert numpy_of(x @ x, half) == np.asarray(7.3125).astype(NATIVE[half]).astype("f8")
        assert (x[0].item(), float(x[1]), int(x[1]), x.tolist()) == (1.5, -2.25, -2, [1.5, -2.25])
        assert [type(v) for v in x.tolist()] == [float, float]

    def test_in_place_operations_keep_the_data_type(self, xp: ModuleType, half: DType) -> None:
        x, single = xp.asarray([1.0, 2.0], dtype=half), xp.asarray([0.5, 0.25], dtype=xp.float32)
        same = x
        x += single
        x *= 2.0
        x -= x[0]
        assert same is x
        np.testing.assert_array_equal(numpy_of(x, half), [0, 1.5])
        single += x
        np.testing.assert_array_equal(numpy_of(single, xp.float32), [0.5, 1.75])
        with pytest.raises(UnifyTypeError, match="complex"):
            x += 1j
        np.testing.assert_array_equal(numpy_of(x, half), [0, 1.5])

    def test_views_share_memory(self, xp: ModuleType, half: DType) -> None:
        x = xp.asarray([[1.0, 2.0], [3.0, 4.0]], dtype=half)
        turned, back = x.T, xp.flip(x)
        turned[0, 1] = 7.0
        back += 1
        np.testing.assert_array_equal(numpy_of(x, half), [[2, 3], [8, 5]])
        np.testing.assert_array_equal(numpy_of(turned, half), [[2, 8], [3, 5]])
        np.testing.assert_array_equal(numpy_of(back + 0.5, half), [[5.5, 8.5], [3.5, 2.5]])
        np.testing.assert_array_equal(numpy_of(back + back, half), [[10, 16], [6, 4]])
        assert (-back).dtype is half

    def test_assignment_casts(self, xp: ModuleType, half: DType) -> None:
        x = xp.zeros(3, dtype=half)
        x[0], x[1], x[2] = 1e300, -(2**70), xp.asarray(0.1, dtype=xp.float64)
        with np.errstate(over="ignore"):
            wanted = np.asarray([np.inf, -(2.0**70), 0.1]).astype(NATIVE[half]).astype("f8")
        np.testing.assert_array_equal(numpy_of(x, half), wanted)
        for value in (1j, xp.asarray(1j)):
            with pytest.raises(UnifyTypeError, match="imaginary"):
                x[0] = value
        with pytest.raises(OverflowError):
            x[0] = 2**200
        np.testing.assert_array_equal(numpy_of(x, half), wanted)

    def test_out(self, xp: ModuleType, half: DType) -> None:
        x, out, single = (
            xp.ones(2, dtype=half),
            xp.zeros(2, dtype=half),
            xp.zeros(2, dtype=xp.float32),
        )
        assert xp.add(x, x, out=out) is out
        assert xp.exp(x, out=single) is single
        np.testing.assert_array_equal(numpy_of(out, half), [2, 2])
        assert np.asarray(single)[0] == np.asarray(np.e).astype(NATIVE[half]).astype("f4")
        for function in (xp.add, xp.multiply, xp.atan2):
            with pytest.raises(UnifyTypeError, match=str(half)):
                function(single, single, out=out)

    def test_subclasses_of_users(self, xp: ModuleType, half: DType) -> None:
        class Length(unify.Array):
            pass

        x = Length(xp.ones(2, dtype=half))
        x += 0.5
        assert type(x) is Length
        np.testing.assert_array_equal(numpy_of(x * 2.0, half), [3, 3])
        np.testing.assert_array_equal(numpy_of(unify.sum(x), half), 3)

    def test_linear_algebra_rebuilds_the_matrix(self, xp: ModuleType, half: DType) -> None:
        values = np.asarray([[2.0, 0.5, 0.0], [0.5, 3.0, 1.0], [0.0, 1.0, 4.0]])
        x = xp.asarray(values, dtype=half)
        close = {"rtol": 0, "atol": 8 * float(limits.finfo(half).eps)}
        q, r = (numpy_of(part, half) for part in xp.linalg.qr(x))
        np.testing.assert_allclose(q @ r, values, **close)
        np.testing.assert_allclose(q.T @ q, np.eye(3), **close)
        u, s, vh = (numpy_of(part, half) for part in xp.linalg.svd(x))
        np.testing.assert_allclose(u * s @ vh, values, **close)
        w, v = (numpy_of(part, half) for part in xp.linalg.eigh(x))
        np.testing.assert_allclose(v * w @ v.T, values, **close)
        np.testing.assert_allclose(w, np.linalg.eigvalsh(values), **close)
        inverse = numpy_of(xp.linalg.inv(x), half)
        np.testing.assert_allclose(inverse, np.linalg.inv(values), **close)
        assert xp.linalg.eigvals(x).dtype is xp.complex64
        assert xp.fft.fft(x).dtype is xp.complex64

    def test_what_is_not_defined_is_refused_by_name(self, xp: ModuleType, half: DType) -> None:
        x = xp.ones(2, dtype=half)
        with pytest.raises(UnifyTypeError, match=r"bitwise_and.*float"):
            x & x
        with pytest.raises(UnifyTypeError, match="complex"):
            xp.astype(xp.asarray([1j]), half)

    @pytest.mark.parametrize("dtype", ["O", "U3", "g"])
    def test_other_data_types_are_refused_where_they_come_in(self, dtype: str) -> None:
        with pytest.raises(UnifyTypeError, match="argument 'x' has data type"):
            unify.sin(np.ones(2, dtype))


class TestInterchange:
    def test_native_arrays(self, xp: ModuleType, half: DType) -> None:
        native = xp.asarray([0.5, 2.0], dtype=half).data
        for made in (
            unify.Array(native),
            xp.asarray(native),
            unify.square(native),
            xp.from_dlpack(native),
        ):
            assert made.dtype is half
            assert (made + 1).dtype is half
        assert unify.dtype(native) is unify.as_unify_dtype(native.dtype) is half
        assert xp.asarray([native, native]).dtype is half
        assert xp.zeros(2, dtype=native.dtype).dtype is xp.zeros(2, dtype=str(half)).dtype is half

    def test_lists_of_numpy_arrays(self, half: DType) -> None:
        part = np.ones(2, NATIVE[half])
        assert unify.numpy.asarray([part, [1.5, 2]]).dtype is half
        assert unify.numpy.asarray([part, np.ones(2, np.int32)]).dtype is unify.float64
        assert unify.numpy.asarray([part, np.ones(2, np.float32)]).dtype is unify.float32

    @pytest.mark.parametrize("target", INSTALLED)
    def test_to_backend(self, xp: ModuleType, half: DType, target: str) -> None:
        moved = unify.to_backend(xp.asarray([[0.1, -2.0], [3.0, 4.0]], dtype=half), target)
        wanted = np.asarray([[0.1, -2.0], [3.0, 4.0]]).astype(NATIVE[half]).astype("f8")
        np.testing.assert_array_equal(numpy_of(moved, half), wanted)
        np.testing.assert_array_equal(numpy_of(moved + moved, half), 2 * wanted)

    def test_numpy_scalars_are_weak(self, xp: ModuleType, half: DType) -> None:
        scalar = NATIVE[half].type(2)
        assert numpy_of(xp.ones((), dtype=xp.float32) * scalar, xp.float32) == 2
        assert numpy_of(xp.ones((), dtype=half) * scalar, half) == 2

    def test_copies_and_pickles(self, xp: ModuleType, half: DType) -> None:
        x = xp.asarray([0.1, 2.0], dtype=half)
        for made in (copy.copy(x), copy.deepcopy(x), pickle.loads(pickle.dumps(x))):
            np.testing.assert_array_equal(numpy_of(made + 0.0, half), numpy_of(x, half))
            assert made is not x

    @pytest.mark.eager
    def test_text(self, xp: ModuleType, half: DType) -> None:
        x = xp.asarray([0.1, 30.0], dtype=half)
        assert repr(x).startswith(f"unify.array([ 0.1, 30. ], dtype={half}")
        assert f"{x[0]:.1f}" == "0.1"

    def test_containers(self, xp: ModuleType, half: DType, tmp_path: Path) -> None:
        c = unify.Container(a=xp.asarray([0.5, 1.0], dtype=half), b={"c": xp.ones((), dtype=half)})
        np.testing.assert_array_equal(numpy_of((c * 2).a, half), [1, 2])
        assert numpy_of(unify.exp(c).b.c, half) == np.asarray(np.e).astype(NATIVE[half])
        c.save(tmp_path / "file")
        loaded = unify.Container.load(tmp_path / "file")
        np.testing.assert_array_equal(numpy_of(loaded.a + 0.0, half), [0.5, 1.0])
        assert loaded.b.c.dtype is half

    def test_portable_functions(self, xp: ModuleType, half: DType) -> None:
        @unify.portable
        def grown(x: Any) -> Any:
            return x + x.sum()

        for dtype, wanted in ((xp.float32, xp.float32), (half, half)) * 2:
            native = xp.ones(3, dtype=dtype).data
            result = grown(native)
            assert isinstance(result, type(native))
            np.testing.assert_array_equal(numpy_of(unify.Array(result), wanted), [4, 4, 4])


class TestTransformations:
    """The class of an Array matches its data, also after a framework replaces it."""

    def test_jax(self, half: DType) -> None:
        jax = importlib.import_module("jax")
        x = unify.jax.asarray([1.0, 2.0], dtype=half)
        assert numpy_of(jax.jit(lambda a: (a * a).sum())(x), half) == 5
        np.testing.assert_array_equal(
            numpy_of(jax.grad(lambda a: (a * a).sum().data)(x), half), [2, 4]
        )
        wide = jax.tree_util.tree_map(lambda a: a.astype("float32"), {"x": x})["x"]
        assert numpy_of(wide + 0.1, unify.float32)[0] == np.float32(1.1)
        narrow = jax.tree_util.tree_map(lambda a: a.astype(NATIVE[half]), {"x": wide})["x"]
        np.testing.assert_array_equal(numpy_of(narrow + 1, half), [2, 3])

    def test_tensorflow(self, half: DType) -> None:
        tf = importlib.import_module("tensorflow")
        x = unify.tensorflow.asarray([1.0, 2.0], dtype=half)
        assert numpy_of(tf.function(lambda a: (a * a).sum())(x), half) == 5
        with tf.GradientTape() as tape:
            tape.watch(x.data)
            y = (x * x).sum()
        np.testing.assert_array_equal(np.asarray(tape.gradient(y.data, x.data), "f8"), [2, 4])

    @pytest.mark.slow
    def test_torch(self, half: DType) -> None:
        torch = importlib.import_module("torch")
        x = unify.torch.asarray([1.0, 2.0], dtype=half)
        x.data.requires_grad_()
        (x * x).sum().data.backward()
        assert x.data.grad.tolist() == [2, 4]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the compiler's own
            traced = torch.compile(lambda a: (a * a).sum(), fullgraph=True, backend="eager")
            assert numpy_of(traced(unify.torch.asarray([1.0, 2.0], dtype=half)), half) == 5


class TestWithoutMlDtypes:
    @staticmethod
    def run(code: str) -> str:
        process = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=False
        )
        assert process.returncode == 0, process.stderr
        return process.stdout

    def test_bfloat16_of_numpy_names_the_remedy(self) -> None:
        code = (
            "import sys; sys.modules['ml_dtypes'] = None\n"
            "import arrayapi_unify as unify\n"
            "print(unify.numpy.ones(2, dtype='float16') + 1)\n"
            "assert unify.bfloat16 in {unify.bfloat16: 1} and unify.bfloat16 != unify.float16\n"
            "assert unify.bfloat16 != 'f2' and unify.bfloat16 == 'bfloat16'\n"
            "try: unify.numpy.ones(2, dtype='bfloat16')\n"
            "except unify.UnifyError as error: print(error)"
        )
        text = self.run(code)
        assert "unify.array([2., 2.], dtype=float16)" in text
        assert "ml_dtypes" in text
        assert "pip install ml_dtypes" in text

    def test_it_is_not_imported_before_it_is_needed(self) -> None:
        code = (
            "import sys, arrayapi_unify as unify\n"
            "unify.numpy.ones(2, dtype='float16') + 1; unify.result_type(unify.bfloat16, 1)\n"
            "print('ml_dtypes' in sys.modules); unify.numpy.ones(2, dtype='bfloat16')\n"
            "print('ml_dtypes' in sys.modules)"
        )
        assert self.run(code).split() == ["False", "True"]


def test_backends_in_one_call_are_refused(half: DType) -> None:
    for other in FOREIGN:
        with pytest.raises(BackendError):
            unify.add(unify.numpy.ones(2, dtype=half), getattr(unify, other).ones(2, dtype=half))
