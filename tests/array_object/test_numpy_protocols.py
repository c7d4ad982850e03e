"""NumPy's functions and ufuncs of our arrays."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np
import pytest

import arrayapi_unify as unify
from arrayapi_unify.array_object.numpy_protocols import _FUNCTIONS
from arrayapi_unify.errors import BackendError, UnifyTypeError
from tests.installed import DIFFERENTIATING
from tests.tables import each

UFUNCS = sorted(
    name
    for name in dir(np)
    if isinstance(getattr(np, name), np.ufunc) and getattr(np, name).nin <= 2
)


class TestUfuncs:
    def test_unary(self, either: ModuleType) -> None:
        x = either.asarray([0.0, 1.0])
        result = np.sin(x)
        assert type(result) is type(x)
        assert result.tolist() == np.sin([0.0, 1.0]).tolist()

    def test_binary_with_a_numpy_array_on_either_side(self, xp: ModuleType) -> None:
        x, y = unify.asarray([1, 2]), np.asarray([3, 4])
        for result in (np.add(y, x), np.add(x, y), np.add(x, x), np.add(3, x), np.add(x, 3)):
            assert type(result) is type(x)
        assert np.subtract(y, x).tolist() == [2, 2]

    @each("name", UFUNCS)
    def test_each_gives_our_arrays(self, name: str, xp: ModuleType) -> None:
        ufunc = getattr(np, name)
        values = [[0.25, 0.5], [0.75, 1.0]]
        if "bit" in name or "shift" in name or "invert" in name or name in ("gcd", "lcm"):
            values = [[1, 2], [3, 1]]  # type: ignore[list-item]  # of integers only
        if name in ("acosh", "arccosh"):
            values = [[1.25, 1.5]]
        if name in ("atanh", "arctanh"):
            values = [[0.25, 0.5]]
        if name == "isnat":  # for dates, which Arrays don't support
            with pytest.raises(TypeError, match="isnat"):
                ufunc(xp.asarray(values))
            return
        arrays = [np.asarray(values)] * ufunc.nin
        if name == "ldexp":
            arrays[1] = np.asarray([[1, 2]])
        found, expected = ufunc(*map(xp.asarray, arrays)), ufunc(*arrays)
        pairs = zip(found, expected, strict=True) if ufunc.nout > 1 else [(found, expected)]
        for ours, numpys in pairs:
            assert type(ours) is type(xp.ones(1))
            assert np.asarray(ours).dtype == numpys.dtype
            np.testing.assert_allclose(np.asarray(ours), numpys, rtol=1e-14)

    def test_methods_of_ufuncs(self, xp: ModuleType) -> None:
        values = [[1.0, 2.0], [3.0, 4.0]]
        x, numpys = xp.asarray(values), np.asarray(values)
        for method, more in (("reduce", ()), ("accumulate", ()), ("outer", (numpys,))):
            expected = getattr(np.add, method)(numpys, *more)
            found = getattr(np.add, method)(x, *more)
            assert type(found) is type(x)
            assert np.array_equal(np.asarray(found), expected)
        assert np.add.reduceat(x, [0]).tolist() == [[4.0, 6.0]]

    def test_at_writes_into_our_array(self, xp: ModuleType) -> None:
        x = xp.ones(3)
        assert np.add.at(x, [0, 0, 2], 1) is None  # type: ignore[func-returns-value]
        assert x.tolist() == [3.0, 1.0, 2.0]

    def test_options(self, xp: ModuleType) -> None:
        x, mask = xp.asarray([1.0, 2.0]), [True, False]
        out = xp.asarray([7.0, 7.0])
        assert np.add(x, x, out=out, where=mask) is out
        assert out.tolist() == [2.0, 7.0]
        single = np.sin(x, dtype="f4")
        assert type(single) is type(x)
        assert single.dtype is xp.float32
        with pytest.raises(TypeError, match="casting"):
            np.add(x, 1.5, out=xp.zeros(2, dtype=xp.int64), casting="no")

    def test_a_mask_alone_is_ours(self, xp: ModuleType) -> None:
        values, mask = np.asarray([90.0, 180.0]), xp.asarray([True, False])
        out = np.asarray([7.0, 7.0])
        assert np.radians(values, out=out, where=mask) is out
        assert out.tolist() == [np.pi / 2, 7.0]
        found = np.add.reduce(values, where=mask)
        assert type(found) is type(mask)
        assert found.item() == 90.0

    def test_out(self, either: ModuleType) -> None:
        x, out = either.asarray([1.0, 2.0]), either.zeros(2)
        assert np.add(x, x, out=out) is out
        assert out.tolist() == [2.0, 4.0]
        assert np.square(x, out) is out
        assert out.tolist() == [1.0, 4.0]

    def test_out_that_is_a_numpy_array(self, xp: ModuleType) -> None:
        x, out = xp.ones(2), np.zeros(2)
        np.add(x, x, out=out)
        assert out.tolist() == [2.0, 2.0]
        out += x
        assert type(out) is np.ndarray
        assert out.tolist() == [3.0, 3.0]

    def test_numpy_scalars_on_the_left(self, either: ModuleType) -> None:
        x = either.asarray([1.0, 2.0], dtype=either.float32)
        for result, expected in (
            (np.float64(2) * x, [2.0, 4.0]),
            (np.int8(2) - x, [1.0, 0.0]),
            (np.sqrt(4.0) ** x, [2.0, 4.0]),
        ):
            assert type(result) is type(x)
            assert result.dtype is either.float32
            assert result.tolist() == expected

    def test_numpy_scalars_on_the_left_of_comparisons(self, either: ModuleType) -> None:
        """NumPy passes a 0-d array of the scalar to its ufunc there."""
        x = either.asarray([1.0, 2.0])
        for result, expected in (
            (np.float64(1.5) < x, [False, True]),
            (np.int8(2) == x, [False, True]),
            (np.float32(2) != x, [True, False]),
        ):
            assert type(result) is type(x)
            assert result.tolist() == expected


VALUES = np.asarray([[4.0, 1.0, 0.5], [1.0, 3.0, -2.0], [0.5, -2.0, 5.0]])
# Additional arguments of functions.
MORE: dict[str, tuple[Any, ...]] = {
    "broadcast_to": ((2, 3, 3),), "expand_dims": (0,), "full_like": (7.0,), "isclose": (1.0,),
    "matrix_power": (3,), "moveaxis": (0, 1), "repeat": (2,), "reshape": ((1, 9),), "roll": (1,),
    "append": (9.0,), "delete": (1,), "insert": (1, 9.0),
    "round": (1,), "around": (1,), "tile": ((2, 1),), "clip": (0.0, 2.0),
}  # fmt: skip
OPTIONS: dict[str, dict[str, Any]] = {
    **{name: {"axis": 0, "ddof": 1} for name in ("std", "var", "nanstd", "nanvar")},
    **{name: {"axis": 1, "keepdims": True} for name in ("sum", "prod", "max", "mean", "any")},
    **{name: {"axis": 1} for name in ("cumulative_sum", "cumulative_prod", "sort", "argsort")},
}  # fmt: skip
CALLS = [(module, name) for module, names in _FUNCTIONS.items() for name in names]


def same(found: Any, expected: Any) -> bool:
    """Return True if structure, data types and shapes are equal, and the values close."""
    if isinstance(expected, tuple | list):
        return len(found) == len(expected) and all(map(same, found, expected))
    assert isinstance(found, unify.Array)
    values, expected = np.asarray(found), np.asarray(expected)  # NumPy 2.2 counts as an int
    # Other libraries' transforms and decompositions round differently.
    close = np.allclose(values, expected, rtol=1e-12, atol=1e-12)
    return close and values.dtype == expected.dtype and values.shape == expected.shape


def call(module: str, name: str, x: Any) -> Any:
    """Call NumPy's function on x."""
    function: Any = np
    for part in f"{module}.{name}".split(".")[1:]:
        function = getattr(function, part)
    if name in ("stack", "concatenate"):
        return function([x, x], axis=1)
    if name in ("column_stack", "dstack", "hstack", "vstack"):
        return function([x, x])
    if name == "where":
        return function(x > 0, x, x)
    if name == "take_along_axis":
        return function(x, (x > 0).astype("int64"), axis=1)
    if name in ("cross", "dot", "inner", "outer", "solve", "tensordot", "vdot"):
        return function(x, x)
    if name == "eigh":  # the signs of its vectors are arbitrary
        return [np.abs(found) for found in function(x)]
    if name == "lstsq":  # NumPy's rank is an int32
        solution, residuals, rank, values = function(x, np.ones(3))
        assert int(rank) == 3
        return [solution, residuals, values]
    return function(x, *MORE.get(name, ()), **OPTIONS.get(name, {}))


class TestFunctions:
    @pytest.mark.slow_on("jax", "tensorflow")
    @each("module", ["numpy", "numpy.linalg"])
    def test_of_stacks(self, module: str, xp: ModuleType) -> None:
        """With three axes of different sizes, no axis stands for another one."""
        values = np.random.default_rng(3).normal(size=(2, 3, 4))
        functions = np.linalg if module == "numpy.linalg" else np
        for name in set(functions.__all__) & {
            "argmax", "cross", "cumsum", "diagonal", "diff", "fliplr", "flipud", "flip", "gradient",
            "matrix_norm", "matrix_transpose", "mean", "median", "moveaxis", "norm", "outer",
            "pinv", "ptp", "qr", "ravel", "roll", "rot90", "sort", "squeeze", "sum", "svdvals",
            "trace", "transpose", "unstack", "vector_norm",
        }:  # fmt: skip
            function = getattr(functions, name)
            try:
                expected = function(values)
            except (TypeError, ValueError, IndexError, np.linalg.LinAlgError):
                continue
            assert same(function(xp.asarray(values)), expected), name

    @pytest.mark.slow_on("jax")
    @each("module, name", CALLS)
    def test_counterparts(self, module: str, name: str, xp: ModuleType) -> None:
        expected = call(module, name, VALUES)
        if name == "empty_like":
            assert np.empty_like(xp.asarray(VALUES)).shape == (3, 3)
            return
        assert same(call(module, name, xp.asarray(VALUES)), expected)

    @pytest.mark.parametrize(
        "function",
        [
            np.cumsum, np.ravel, np.squeeze, np.linalg.svd, np.histogram,
            np.trapezoid, np.linalg.norm, np.gradient, np.rot90, np.transpose,
            np.ptp, np.percentile, np.deg2rad, np.modf, np.meshgrid, np.vstack, np.nancumsum,
        ],
    )  # fmt: skip
    def test_on_the_host(self, function: Any, xp: ModuleType) -> None:
        more = (30,) if function is np.percentile else ()
        assert same(function(xp.asarray(VALUES), *more), function(VALUES, *more))

    def test_numpys_arrays_beside_ours(self, xp: ModuleType) -> None:
        x = xp.asarray(VALUES)
        assert same(np.concatenate([x, VALUES]), np.concatenate([VALUES, VALUES]))
        assert same(np.where(VALUES > 0, x, 0), np.where(VALUES > 0, VALUES, 0))
        assert same(np.dot(VALUES, x), np.dot(VALUES, VALUES))

    def test_an_option_alone_is_an_array(self, xp: ModuleType) -> None:
        """As `np.testing.assert_allclose` of NumPy's values has them, with a computed tolerance."""
        atol = xp.asarray(0.1, dtype=xp.float64)
        others = VALUES + np.linspace(0, 0.2, VALUES.size).reshape(VALUES.shape)
        expected = np.isclose(VALUES, others, rtol=0, atol=0.1)
        assert 0 < np.sum(expected) < VALUES.size
        assert same(np.isclose(VALUES, others, rtol=0, atol=atol), expected)
        np.testing.assert_allclose(VALUES, VALUES + 0.01, atol=atol)

    @pytest.mark.parametrize(
        "options", [{"initial": 2.0}, {"where": VALUES > 0}, {"dtype": "f4"}, {"axis": None}]
    )
    def test_what_ours_has_not(self, options: dict[str, Any], xp: ModuleType) -> None:
        assert same(np.sum(xp.asarray(VALUES), **options), np.sum(VALUES, **options))

    def test_text_goes_to_numpy(self, xp: ModuleType) -> None:
        x, values = xp.ones(2), np.ones(2)
        assert np.append(x, "a").tolist() == np.append(values, "a").tolist()
        assert same(np.insert(x, 0, "7"), np.insert(values, 0, "7"))  # type: ignore[call-overload]  # any

    def test_none_means_a_flat_array(self, xp: ModuleType) -> None:
        assert same(np.sort(xp.asarray(VALUES), axis=None), np.sort(VALUES, axis=None))

    @each("kind", list("bhilqpBHILQPefdFD?"))
    def test_types_by_kind_and_size(self, xp: ModuleType, kind: str) -> None:
        """NumPy has several types of one kind and size, such as np.uint64 and np.ulonglong."""
        values = np.ones(2, kind)
        for made in (xp.asarray(values), xp.asarray(values[0]), xp.add(xp.asarray(values), values)):
            assert str(made.dtype).endswith(values.dtype.name)
        assert xp.zeros(2, dtype=values.dtype).dtype == xp.asarray(values).dtype

    def test_arrays_like_ours(self, xp: ModuleType) -> None:
        """Of `like=`, NumPy passes nothing on but the call of the method."""
        x = xp.ones(2)
        calls: dict[str, tuple[Any, ...]] = {
            "zeros": (3,), "ones": ((2, 2),), "empty": (0,), "full": (3, 2.0), "arange": (4,),
            "asarray": ([1, 2],), "array": ([1.5],), "eye": (2,), "identity": (2,), "tri": (2,),
            "fromiter": ([1.0, 2.0], float), "loadtxt": (["1 2"],), "frombuffer": (b"12345678",),
        }  # fmt: skip
        for name, args in calls.items():
            found, expected = getattr(np, name)(*args, like=x), getattr(np, name)(*args)
            assert type(found) is type(x), name
            assert np.asarray(found).dtype == expected.dtype
            np.testing.assert_array_equal(np.asarray(found), expected)
        assert np.zeros(2, dtype=xp.float32, like=x).dtype == xp.float32

    def test_what_is_no_array(self, xp: ModuleType) -> None:
        x = xp.asarray(VALUES)
        assert np.shape(x) == (3, 3)
        assert (np.ndim(x), np.size(x), np.iscomplexobj(x)) == (2, 9, False)
        assert np.allclose(x, x) is True
        assert np.result_type(x, 1) == np.float64
        assert np.array2string(x[0]) == "[4.  1.  0.5]"
        labels = np.char.add(np.asarray(["a"]), np.asarray(["b"]))
        assert np.broadcast_to(labels, np.shape(x)[:1]).tolist() == ["ab"] * 3

    @pytest.mark.parametrize(
        "function",
        [np.atleast_1d, np.atleast_2d, np.atleast_3d, np.copy, np.unique, np.unique_values],
    )
    def test_conversions(self, function: Any, xp: ModuleType) -> None:
        """Callers use them to get a NumPy array, and combine it with other NumPy arrays."""
        found = function(xp.asarray(VALUES))
        assert type(found) is np.ndarray
        assert np.array_equal(found, function(VALUES))

    @pytest.mark.eager
    @pytest.mark.parametrize("shares", [np.may_share_memory, np.shares_memory])
    def test_shared_memory(self, shares: Any, xp: ModuleType) -> None:
        """scikit-learn copies before it writes if this says that an argument is written to."""
        x = xp.zeros((2, 2))
        host = np.asarray(x)
        assert shares(host, x)
        assert shares(x, host)
        assert shares(x, x[1:])
        assert not shares(host, np.zeros(2))
        assert not shares(x, xp.zeros(2))
        host[0, 0] = 7.0
        assert x[0, 0] == 7.0

    def test_writers(self, xp: ModuleType) -> None:
        x = xp.zeros((2, 2))
        np.fill_diagonal(x, 5.0)
        assert x.tolist() == [[5.0, 0.0], [0.0, 5.0]]
        np.copyto(x, 1.0)
        assert x.tolist() == [[1.0, 1.0], [1.0, 1.0]]
        values = np.zeros((2, 2))
        np.copyto(values, x)
        assert values.tolist() == [[1.0, 1.0], [1.0, 1.0]]

    def test_out(self, xp: ModuleType) -> None:
        x, out = xp.asarray(VALUES), xp.zeros(3)
        assert np.sum(x, axis=0, out=out) is out
        assert out.tolist() == VALUES.sum(axis=0).tolist()
        assert np.percentile(x, 50, axis=0, out=out) is out
        assert out.tolist() == np.percentile(VALUES, 50, axis=0).tolist()

    def test_arrays_of_two_backends_are_refused(self) -> None:
        others = DIFFERENTIATING
        for other in others[:1]:
            x, y = unify.numpy.ones(3), getattr(unify, other).ones(3)
            with pytest.raises(BackendError, match=r"np\.interp: .*numpy"):
                np.interp(x, y, y)

    def test_wrong_calls_fail_as_numpys(self, xp: ModuleType) -> None:
        with pytest.raises(TypeError, match="unexpected keyword argument 'wrong'"):
            np.sum(xp.ones(1), wrong=1)

    def test_an_unknown_class_is_asked(self) -> None:
        class Other:
            def __array_function__(self, *given: Any) -> str:
                return "asked"

        assert np.concatenate([unify.ones(1), Other()]) == "asked"  # type: ignore[comparison-overlap, arg-type]


class TestDerivatives:
    """A derivative continues through a function of ours, and never becomes a constant."""

    @pytest.fixture(params=DIFFERENTIATING)
    def xp(self, request: pytest.FixtureRequest) -> ModuleType:
        return getattr(unify, request.param)

    def test_counterparts_are_differentiated(self, xp: ModuleType) -> None:
        x = xp.asarray([1.0, 2.0, 3.0])
        found = unify.grad(lambda x: np.sum(np.concatenate([x, np.square(x)])))(x)
        assert found.tolist() == [3.0, 5.0, 7.0]

    @pytest.mark.parametrize(
        "function",
        [lambda x: np.trapezoid(x), lambda x: np.sum(np.spacing(x)), lambda x: np.add.reduce(x)],
    )
    def test_others_are_refused(self, function: Any, xp: ModuleType) -> None:
        with pytest.raises(UnifyTypeError, match=r"np\.\w+.*constant"):
            unify.grad(function)(xp.asarray([1.0, 2.0]))

    @pytest.mark.slow_on("torch")
    @pytest.mark.filterwarnings("ignore:`torch.jit:DeprecationWarning")
    def test_traces(self, xp: ModuleType) -> None:
        x = xp.asarray([1.0, 2.0])
        assert unify.compile(lambda x: np.sum(x * 2))(x).item() == 6.0
