"""B53: `np.asarray(x)` is x's memory, also of libraries with immutable arrays."""

from __future__ import annotations

import copy
import gc
import pickle
import subprocess
import sys
import threading
import weakref
from types import ModuleType

import numpy as np
import pytest
from scipy import ndimage

import arrayapi_unify as unify
from arrayapi_unify.views import numpy_mirror
from tests.installed import EAGER, INSTALLED
from tests.tables import each

WINDOWS = ("numpy", "torch")
CHANGELESS = [name for name in EAGER if name not in WINDOWS]


@pytest.mark.eager
class TestWritesOfNumpy:
    def test_are_seen_by_all_who_share(self, xp: ModuleType) -> None:
        x = xp.zeros((2, 3))
        row, turned, other = x[1], xp.flip(x), unify.Array(x)
        exported = np.asarray(x)
        exported[1, 2] = 5.0
        assert x.tolist() == other.tolist() == [[0, 0, 0], [0, 0, 5]]
        assert row.tolist() == [0, 0, 5]
        assert turned.tolist() == [[5, 0, 0], [0, 0, 0]]
        exported *= 2
        assert xp.sum(x).item() == row[2].item() == 10

    @pytest.mark.slow_on("tensorflow")
    def test_through_a_view_that_outlives_the_array(self, xp: ModuleType) -> None:
        x = xp.zeros(4)
        view = np.asarray(x)[::-1][:2]
        gc.collect()
        assert x.tolist() == [0, 0, 0, 0]
        view[:] = [1, 2]
        assert x.tolist() == [0, 0, 2, 1]

    @pytest.mark.slow_on("tensorflow", "torch")
    def test_before_the_array_is_given_back(self, xp: ModuleType) -> None:
        x = xp.zeros(3)
        np.asarray(x)[1] = 4.0
        gc.collect()
        assert x.tolist() == [0, 4, 0]
        assert (x + 1).tolist() == [1, 5, 1]

    def test_through_a_part(self, xp: ModuleType) -> None:
        x = xp.zeros((3, 4))
        np.asarray(x[1:, ::-2])[0, :] = [1, 2]
        np.asarray(xp.permute_dims(x, (1, 0)))[0] += 7
        np.asarray(xp.reshape(x, (2, 6)))[1, 5] = 9
        assert x.tolist() == [[7, 0, 0, 0], [7, 2, 0, 1], [7, 0, 0, 9]]

    def test_through_one_component(self, xp: ModuleType) -> None:
        z = xp.asarray([1 + 2j, 3 + 4j])
        np.asarray(xp.real(z))[0] = 7
        np.asarray(xp.imag(z))[...] *= -1
        assert z.tolist() == [7 - 2j, 3 - 4j]

    @each("dtype", [*map(str, unify.__array_namespace_info__().dtypes()), "float16", "bfloat16"])
    def test_of_each_data_type(self, xp: ModuleType, dtype: str) -> None:
        x = xp.asarray([1, 0, 1], dtype=dtype)
        np.asarray(x)[1] = 1
        assert x.tolist() == [1, 1, 1]

    @each("count", [1, numpy_mirror._FEW // 8, numpy_mirror._FEW // 8 + 1, 5000])
    @each("dtype", ["float32", "float64", "complex128"])
    def test_that_differ_in_a_sign_or_a_nan_alone(
        self, xp: ModuleType, count: int, dtype: str
    ) -> None:
        x = xp.zeros(2 * count, dtype=dtype)
        part = x[::2]
        exported = np.asarray(part)
        exported[-1] = -0.0
        assert np.signbit(part.to_numpy().real).tolist() == [*[False] * (count - 1), True]
        exported[-1] = np.nan
        assert np.isnan(part.to_numpy()).tolist() == [*[False] * (count - 1), True]
        if dtype == "complex128":
            exported[0] = complex(0, -0.0)
            assert np.signbit(part.to_numpy().imag)[0]

    def test_of_zero_dimensions(self, xp: ModuleType) -> None:
        x = xp.asarray(1.0)
        np.asarray(x)[...] = 3.0
        assert x.item() == 3.0

    def test_of_no_elements(self, xp: ModuleType) -> None:
        x = xp.zeros((0, 2))
        assert np.asarray(x).shape == (0, 2)
        assert x.shape == (0, 2)

    def test_of_compiled_code(self, xp: ModuleType) -> None:
        """SciPy's compiled code writes to `output=`."""
        x, out = xp.asarray(np.eye(4)), xp.zeros((4, 4))
        ndimage.gaussian_filter(np.asarray(x), 1.0, output=np.asarray(out))
        assert np.array_equal(out.to_numpy(), ndimage.gaussian_filter(np.eye(4), 1.0))

    def test_of_a_users_own_class(self, xp: ModuleType) -> None:
        class Own(unify.Array):
            pass

        x = Own(xp.zeros(2))
        np.asarray(x)[0] = 5.0
        assert x.tolist() == [5, 0]

    def test_that_fail_change_nothing(self, xp: ModuleType) -> None:
        x = xp.asarray([1.0, 2.0])
        with pytest.raises(ValueError, match="broadcast"):
            np.asarray(x)[:] = [1, 2, 3]
        assert x.tolist() == [1, 2]


@pytest.mark.eager
class TestWritesOfOurs:
    def test_are_seen_by_numpy(self, xp: ModuleType) -> None:
        x = xp.zeros((2, 2))
        exported, part = np.asarray(x), np.asarray(x[0])
        x[0, 1] = 3.0
        assert exported.tolist() == [[0, 3], [0, 0]]
        x += 1
        assert part.tolist() == [1, 4]
        xp.square(x[0], out=x[1])
        assert exported.tolist() == [[1, 4], [1, 16]]

    def test_in_turns(self, xp: ModuleType) -> None:
        x = xp.zeros(3)
        exported, half = np.asarray(x), x[1:]
        for step in range(1, 4):
            exported[step - 1] = step
            half += 10 * step
        assert x.tolist() == exported.tolist() == [1, 52, 33]

    def test_beside_what_is_lent(self, xp: ModuleType) -> None:
        x = xp.zeros(6)
        exported, beside = np.asarray(x[:3]), x[3:]
        beside += 1
        exported[0] = 5
        beside *= 2
        assert x.tolist() == [5, 0, 0, 2, 2, 2]


@pytest.mark.eager
class TestArraysThatAreLent:
    def test_of_one_memory_share(self, xp: ModuleType) -> None:
        x = xp.zeros((3, 3))
        whole, row, column = np.asarray(x), np.asarray(x[1]), np.asarray(x[:, 1])
        assert np.shares_memory(whole, row)
        row[1] = 4
        assert whole[1, 1] == column[1] == 4
        assert not np.shares_memory(np.asarray(x[0]), row)

    def test_have_the_layout_of_numpy(self, xp: ModuleType) -> None:
        x = xp.zeros((2, 3))
        assert np.asarray(xp.flip(x)).strides == (-24, -8)
        assert type(np.asarray(x)) is np.ndarray

    def test_twice(self, xp: ModuleType) -> None:
        x = xp.zeros(2)
        first = np.asarray(x)
        second = np.asarray(x)
        second[0] = 1
        first[1] = 2
        assert x.tolist() == first.tolist() == second.tolist() == [1, 2]

    def test_a_copy_is_none(self, xp: ModuleType) -> None:
        x = xp.zeros(2)
        exported = np.asarray(x)
        for copied in (np.array(x), x.to_numpy(copy=True), copy.copy(x), xp.asarray(x, copy=True)):
            exported[0] += 1
            copied[1] = 9.0
        assert x.tolist() == [4, 0]

    @pytest.mark.slow
    def test_stay_when_ours_is_gone(self, xp: ModuleType) -> None:
        x = xp.asarray([1.0, 2.0])
        exported = np.asarray(x)
        del x
        gc.collect()
        exported += 1
        assert exported.tolist() == [2, 3]

    def test_copies_and_pickles_of_ours_are_of_now(self, xp: ModuleType) -> None:
        x = xp.zeros(2)
        exported = np.asarray(x)
        for step, made in enumerate((copy.copy, copy.deepcopy, xp.array), start=1):
            exported[0] = step
            assert made(x).tolist() == [step, 0]
        if x.backend in INSTALLED:
            exported[1] = 7
            assert pickle.loads(pickle.dumps(x)).tolist() == [3, 7]

    def test_from_threads(self, xp: ModuleType) -> None:
        x = xp.zeros(8)
        errors = []

        def write(number: int) -> None:
            try:
                for step in range(20):
                    np.asarray(x)[number] = step
                    assert x[number : number + 1].tolist() == [step]
            except Exception as error:
                errors.append(error)

        threads = [threading.Thread(target=write, args=(number,)) for number in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert not errors
        assert x.tolist() == [19] * 8


@pytest.fixture(params=CHANGELESS)
def changeless(request: pytest.FixtureRequest) -> ModuleType:
    """The bound namespace of each backend with immutable arrays."""
    return unify.get_backend(request.param)  # type: ignore[no-any-return]  # a module


class TestLoansOfLibrariesThatNeverWrite:
    def test_native_arrays_stay(self, changeless: ModuleType) -> None:
        x = changeless.zeros(2)
        native = x.data
        exported = np.asarray(x)
        assert x.data is native
        exported[0] = 1
        assert unify.to_list(native) == [0, 0]
        changed = x.data
        assert unify.to_list(changed) == [1, 0]
        assert x.data is changed  # no write in between
        part = x[:1]
        assert part.data is part.data

    def test_memory_goes_back_unasked(self, changeless: ModuleType) -> None:
        """Arrays are often converted, and not read again."""
        x = changeless.zeros(1000)
        exported = np.asarray(x)
        memory = weakref.ref(exported.base)
        del exported
        assert memory() is None

    def test_what_was_given_back_is_kept_again(self, changeless: ModuleType) -> None:
        x = changeless.zeros(3)
        np.asarray(x)[0] = 1.0
        assert x.tolist() == [1, 0, 0]
        assert type(x)._data.__get__(x) is x.data  # the slot itself

    def test_reading_in_a_trace(self, changeless: ModuleType) -> None:
        x = changeless.zeros(2)
        exported = np.asarray(x)
        function = unify.compile(lambda y: x[0] + y)
        exported[0] = 5.0
        assert function(changeless.asarray(1.0)).item() == 6.0
        assert x.tolist() == [5, 0]  # no value of the trace was left
        exported[1] = 7.0
        assert (x + 1).tolist() == [6, 8]

    def test_traced_arrays_are_refused(self, changeless: ModuleType) -> None:
        with pytest.raises(Exception, match=r"traced|Tracer"):
            unify.compile(lambda x: changeless.asarray(np.asarray(x)))(changeless.ones(2))

    @pytest.mark.slow_on("tensorflow")
    def test_ends_without_a_word(self, changeless: ModuleType) -> None:
        program = (
            f"import numpy as np, arrayapi_unify.{changeless.__unify_backend__} as xp\n"
            "x = xp.zeros(3); exported = np.asarray(x); exported[0] = 1; part = np.asarray(x[1:])\n"
            "lost = np.asarray(xp.ones(3))\n"
            "class Late:\n"
            "    def __del__(self): exported[1] = 2\n"
            "late = Late()\n"
        )
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
        assert done.returncode == 0
        assert "Error" not in done.stderr
        assert "ignored" not in done.stderr
