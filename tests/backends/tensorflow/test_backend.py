"""Behaviour specific to the TensorFlow backend."""

from __future__ import annotations

import contextlib
import importlib
import inspect
import subprocess
import sys
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

import arrayapi_unify as unify
import arrayapi_unify.tensorflow as xp
from arrayapi_unify import backends, dtypes
from arrayapi_unify.backends import tensorflow as backend
from arrayapi_unify.backends._protocol import Backend
from arrayapi_unify.contracts.contract import CONTRACTS
from arrayapi_unify.devices import Device
from arrayapi_unify.errors import (
    UnifyBufferError,
    UnifyIndexError,
    UnifyOverflowError,
    UnifyTypeError,
    UnifyValueError,
)
from tests.tables import each


def address(x: Any) -> Any:
    return np.asarray(x, copy=False).__array_interface__["data"][0]


class TestProtocol:
    def test_it_is_complete(self) -> None:
        names = {n for n in vars(Backend) if not n.startswith("_")} | set(Backend.__annotations__)
        assert names <= set(vars(backend))

    @pytest.mark.parametrize("dtype", dtypes.EVERY, ids=str)
    def test_data_types_go_there_and_back(self, dtype: dtypes.DType) -> None:
        assert backend.as_dtype(backend.DTYPES[dtype]) is dtype
        assert backend.dtype_of(tf.zeros(1, backend.DTYPES[dtype])) is dtype

    def test_types_outside_the_standard(self) -> None:
        assert backend.as_dtype(tf.qint8) is None
        with pytest.raises(UnifyTypeError, match="string"):
            backend.dtype_of(tf.constant(["a"]))

    def test_it_owns_tensors_and_variables(self) -> None:
        assert backends.name_of(tf.ones(1)) == "tensorflow"
        assert backends.name_of(tf.Variable([1.0])) == "tensorflow"
        assert not backend.is_native_type(np.ndarray)

    def test_devices(self) -> None:
        assert backend.device_of(tf.ones(1)) is backend.devices()[0]
        with tf.device(backend.native_device(backend.devices()[0])):
            assert backend.device_of(tf.ones(1)) is backend.devices()[0]
        with pytest.raises(UnifyValueError, match="isn't a device of"):
            backend.native_device(Device("abacus"))

    def test_numpy_behaviour_stays_off(self) -> None:
        assert not hasattr(tf.ones(1), "reshape")

    @each("name", [n for n, c in CONTRACTS.items() if c.kind == "primary"])
    def test_natives_take_the_contracts_parameters(self, name: str) -> None:
        contract = CONTRACTS[name]
        module = f"arrayapi_unify.backends.tensorflow.{contract.category}"
        native = getattr(importlib.import_module(module), contract.name)
        wanted = [p for p in contract.signature.parameters.values() if p.name != "out"]
        given = list(inspect.signature(native).parameters.values())
        assert [(p.name, p.kind, p.default) for p in given] == [
            (p.name, p.kind, p.default) for p in wanted
        ]


class TestVariables:
    def test_a_variable_is_read(self) -> None:
        variable = tf.Variable([1.0, 2.0])
        x = unify.Array(variable)
        for y in (+x, x + 0, x[:], xp.reshape(x, (2,)), xp.asarray(x), xp.concat([x])):
            assert isinstance(y.data, tf.Tensor)
            assert y.tolist() == [1, 2]
        assert (x.dtype, x.shape, float(x[1])) == (unify.float32, (2,), 2.0)
        assert np.from_dlpack(x).tolist() == [1, 2]

    def test_writing_leaves_the_variable_alone(self) -> None:
        variable = tf.Variable([1.0, 2.0])
        x = unify.Array(variable)
        x[0] = 9
        x += 1
        assert x.tolist() == [10, 3]
        assert variable.numpy().tolist() == [1, 2]


FUNCTIONS = [
    lambda x: xp.sum(x * 2 + 1),
    lambda x: xp.sqrt(xp.abs(x)) // 0.7 + x % 0.7,
    lambda x: xp.sort(x[::-1]),
    lambda x: xp.std(x, correction=1),
    lambda x: xp.astype(x, xp.uint8) ** 2,
    lambda x: xp.where(x > 1, x, 0),
    lambda x: xp.take(x, xp.asarray([0, 2])),
    lambda x: xp.stack([x, xp.asarray([x[0], 1.0, 2])]),
    lambda x: xp.cumulative_sum(x, include_initial=True),
    lambda x: xp.linalg.inv(xp.eye(3) * x),
    lambda x: xp.fft.rfft(x),
    lambda x: xp.exp(xp.astype(x, xp.complex128)) / 2j,
    lambda x: xp.argmax(x),
    lambda x: xp.unique_values(x),
    lambda x: x[x > 1],
]


class TestTracing:
    @staticmethod
    def runner(function: Any) -> Any:
        @tf.autograph.experimental.do_not_convert
        def run(native: Any) -> Any:
            return function(xp.asarray(native)).data

        return run

    @pytest.mark.parametrize("function", FUNCTIONS)
    def test_tf_function(self, function: Any) -> None:
        x = tf.constant([0.5, 1.5, 2.5], tf.float64)
        run = self.runner(function)
        np.testing.assert_allclose(tf.function(run)(x), run(x), rtol=1e-12)

    @pytest.mark.parametrize("function", FUNCTIONS[:-2])
    def test_xla(self, function: Any) -> None:
        x = tf.constant([0.5, 1.5, 2.5], tf.float64)
        run = self.runner(function)
        np.testing.assert_allclose(tf.function(run, jit_compile=True)(x), run(x), rtol=1e-12)

    def test_unknown_sizes(self) -> None:
        run = self.runner(lambda x: xp.mean(xp.sort(x + 1), axis=0) + x[-1] + xp.sum(x[1:]))
        unknown = [tf.TensorSpec([None, 2], tf.float64)]
        x = tf.constant([[3.0, 2.0], [1.0, 5.0]], tf.float64)
        np.testing.assert_allclose(tf.function(run, input_signature=unknown)(x), run(x))

    @pytest.mark.parametrize("name", ["argmin", "argmax"])
    @pytest.mark.parametrize("xla", [False, True])
    def test_the_first_nan_is_an_extreme(self, name: str, xla: bool) -> None:
        rows = np.array(
            [
                [3.0, 1.0, 1.0, 2.0],
                [-np.inf, np.inf, np.nan, np.nan],
                [np.nan, -1.7e308, 1.7e308, 0.0],
                [0.0, -0.0, np.inf, -np.inf],
            ]
        )
        run = tf.function(self.runner(lambda x: getattr(xp, name)(x, axis=1)), jit_compile=xla)
        for values in (rows, rows[:1], rows[3:]):  # with NaN and without
            np.testing.assert_array_equal(run(tf.constant(values)), getattr(np, name)(values, 1))

    @pytest.mark.parametrize("name", ["min", "max"])
    @pytest.mark.parametrize("dtype", [np.float32, np.float64])
    def test_xla_keeps_nan(self, name: str, dtype: type[np.floating[Any]]) -> None:
        """The bare library's extremes ignore it; nested traces are compiled, too."""
        rows = np.array([[3.0, np.nan, 1.0], [np.nan, np.nan, np.nan], [2.0, 5.0, 4.0]], dtype)
        run = self.runner(lambda x: getattr(xp, name)(x, axis=1, keepdims=True))
        nested = tf.function(run)
        bare = getattr(tf, f"reduce_{name}")
        assert not np.isnan(tf.function(bare, jit_compile=True)(rows[0]).numpy())
        for function in (run, lambda x: nested(x)):
            found = tf.function(function, jit_compile=True, autograph=False)(tf.constant(rows))
            np.testing.assert_array_equal(found, getattr(np, name)(rows, 1, keepdims=True))

    def test_assignment(self) -> None:
        def function(x: Any) -> Any:
            x[x > 1] = 9
            x[0] += 1
            return x

        run = self.runner(function)
        assert tf.function(run)(tf.constant([0.0, 2.0])).numpy().tolist() == [1.0, 9.0]

    def test_constants_of_a_trace_dont_leak(self) -> None:
        run = self.runner(lambda x: xp.reshape(x, (1, 7, 1)))
        tf.function(run)(tf.ones(7))
        assert run(tf.ones(7)).shape == (1, 7, 1)

    @pytest.mark.parametrize(
        ("function", "slope"),
        [
            (lambda x: xp.log1p(x), 1.0),
            (lambda x: xp.copysign(x + 1, -1.0), -1.0),
            (lambda x: xp.array([x, x], copy=True)[1], 1.0),
            (lambda x: xp.hypot(x + 3, xp.asarray(4.0)), 0.6),
            (lambda x: xp.logaddexp(x, xp.asarray(0.0)), 0.5),
            (lambda x: xp.real(xp.exp(xp.astype(x, xp.complex128))), 1.0),
        ],
    )
    def test_gradient_at_zero(self, function: Any, slope: float) -> None:
        x = tf.constant(0.0, tf.float64)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = self.runner(function)(x)
        np.testing.assert_allclose(tape.gradient(y, x), slope)

    def test_gradient_of_a_complex_sign_at_zero(self) -> None:
        x = tf.constant([0, 3 + 4j], tf.complex128)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = self.runner(lambda x: xp.real(xp.sign(x)))(x)
        np.testing.assert_allclose(tape.gradient(y, x), [0, 0.128 - 0.096j])


class TestProductsInGraphs:
    """A graph doesn't copy a matrix to transpose it."""

    @staticmethod
    def ops(graph: Any) -> list[str]:
        """Return the operations on which the results depend."""
        found, left = {}, [x.op for x in graph.outputs]
        while left:
            op = left.pop()
            found[op.name] = op.type
            left += [x.op for x in op.inputs]
        return list(found.values())

    @pytest.mark.parametrize("dtype", ["float64", "int64", "uint8", "complex128"])
    @pytest.mark.parametrize("shape", [(3, 3), (2, 3, 3)], ids=str)
    def test_of_transposed_matrices(self, dtype: str, shape: tuple[int, ...]) -> None:
        generator = np.random.default_rng(0)
        a, b = generator.integers(-9, 9, (2, *shape)).astype(dtype)
        if dtype == "complex128":
            a, b = a + 1j * b, b - 2j * a
        for left, right in ((0, 0), (0, 1), (1, 0), (1, 1)):

            @tf.autograph.experimental.do_not_convert
            def product(x: Any, y: Any, left: int = left, right: int = right) -> Any:
                x, y = xp.asarray(x), xp.asarray(y)
                return xp.matmul(x.mT if left else x, y.mT if right else y).data

            graph = tf.function(product).get_concrete_function(a, b)
            wanted = np.matmul(a.mT if left else a, b.mT if right else b)
            np.testing.assert_array_equal(graph(tf.constant(a), tf.constant(b)), wanted)
            copies = self.ops(graph.graph).count("Transpose")
            assert copies == (left + right if dtype in ("complex128", "uint8") else 0)

    def test_other_axes_are_moved(self) -> None:
        a = np.arange(24.0).reshape(2, 3, 4)
        run = tf.function(
            lambda x: xp.matmul(xp.permute_dims(xp.asarray(x), (1, 0, 2)), xp.ones((4, 2))).data,
            autograph=False,
        )
        np.testing.assert_array_equal(run(tf.constant(a)), a.transpose(1, 0, 2) @ np.ones((4, 2)))

    def test_derivative_with_respect_to_the_transposed_matrix(self) -> None:
        @tf.function(autograph=False)
        def slopes(native: Any) -> tuple[Any, Any]:
            turned = xp.asarray(native).T
            with tf.GradientTape() as tape:
                tape.watch(turned.data)
                total = xp.sum(xp.matmul(turned, xp.asarray([[1.0], [2.0]]))).data
            ours = unify.grad(lambda x: xp.sum(xp.matmul(x, xp.asarray([[1.0], [2.0]]))))(turned)
            return tape.gradient(total, turned.data), ours.data

        for found in slopes(tf.ones((2, 3), tf.float64)):
            np.testing.assert_array_equal(found, [[1.0, 2.0]] * 3)

    def test_a_graph_knows_the_slope_of_what_was_transposed_only(self) -> None:
        """`tf.gradients` (docs/backends.md), which differentiates after the computation."""

        @tf.function(autograph=False)
        def slope(native: Any) -> Any:
            turned = xp.asarray(native).T
            total = xp.sum(xp.matmul(turned, xp.asarray([[1.0], [2.0]]))).data
            assert tf.gradients(total, turned.data) == [None]
            return tf.gradients(total, native)[0]

        np.testing.assert_array_equal(slope(tf.ones((2, 3), tf.float64)), [[1.0] * 3, [2.0] * 3])


class TestMemory:
    def test_to_numpy_is_a_view_that_can_t_be_written_to(self) -> None:
        x = xp.arange(1000)
        view = unify.to_numpy(x)
        assert address(view) == address(unify.to_numpy(x))
        assert not view.flags.writeable
        assert address(unify.to_numpy(x, copy=True)) != address(view)

    def test_to_numpy_of_bfloat16_is_a_view(self) -> None:
        x = xp.asarray([1.5, -2.0], dtype=unify.bfloat16)
        view = unify.to_numpy(x, copy=False)
        assert view.dtype.name == "bfloat16"
        assert view.tolist() == [1.5, -2.0]
        assert address(view) == address(unify.to_numpy(x, copy=False))
        assert not view.flags.writeable
        assert address(unify.to_numpy(x, copy=True)) != address(view)

    def test_copies(self) -> None:
        x = xp.arange(1000)
        assert address(xp.asarray(x)) == address(x)
        assert address(xp.array(x)) != address(x)

    def test_mutating_numpy_memory_doesn_t_show(self) -> None:
        values = np.zeros(1000)
        x = xp.asarray(values)
        values[0] = 1
        assert x[0] == 0

    def test_aligned_memory_is_shared_where_one_asks_for_it(self) -> None:
        """By default it isn't shared: writes to that memory would change the tensor."""
        buffer = np.zeros(128)
        start = -buffer.ctypes.data % 64 // 8
        values = buffer[start : start + 8]
        assert address(xp.from_dlpack(values, copy=False)) == address(values)
        assert address(xp.from_dlpack(values)) != address(values)
        assert address(xp.from_dlpack(values, copy=True)) != address(values)

    @pytest.mark.parametrize("values", [np.zeros(128)[1:], np.zeros(8)[::2]])
    def test_other_memory_is_copied(self, values: Any) -> None:
        if values.flags.c_contiguous and values.ctypes.data % 64 == 0:
            values = values[1:]
        # This memory would crash a kernel.
        x = xp.from_dlpack(values)
        assert xp.sum(x + 1) == values.size
        with pytest.raises(UnifyBufferError):
            xp.from_dlpack(values, copy=False)


class TestWhereTensorFlowDeparts:
    """TensorFlow raises, rounds or lacks kernels; the backend doesn't."""

    @pytest.mark.parametrize("key", [3, -4, np.asarray([0, 5]), (0, 0)])
    def test_out_of_bounds(self, key: Any) -> None:
        x = xp.ones(3)
        with pytest.raises(UnifyIndexError):
            x[key]
        with pytest.raises(UnifyIndexError):
            x[key] = 2
        assert xp.all(x == 1)

    def test_division_of_integers_by_zero(self) -> None:
        x = xp.asarray([7, -7])
        assert (x // 0).tolist() == [0, 0]
        assert (x % 0).tolist() == [0, 0]

    def test_floor_division_doesn_t_round_first(self) -> None:
        assert (xp.asarray([1.0, 6.0]) // xp.asarray([0.1, 2.0])).tolist() == [9.0, 3.0]

    def test_shifts_by_all_bits(self) -> None:
        x = xp.asarray([-1, 1], dtype=xp.int8)
        assert (x << 8).tolist() == [0, 0]
        assert (x >> 9).tolist() == [-1, 0]

    def test_scalars_don_t_wrap(self) -> None:
        with pytest.raises(UnifyOverflowError, match="300"):
            xp.ones(1, dtype=xp.int8) + 300
        assert bool((xp.ones(1, dtype=xp.int8) < 300)[0])

    def test_negative_zero_survives(self) -> None:
        xp.asarray(0.0)
        assert bool(xp.signbit(xp.where(xp.asarray(True), -0.0, 1.0)))

    def test_large_integers_compare_exactly(self) -> None:
        x, y = xp.asarray([2**63 - 1]), xp.asarray([2**63], dtype=xp.uint64)
        assert not bool((x == y)[0])
        assert bool((x < y)[0])

    def test_uint64_powers(self) -> None:
        x = xp.asarray([3, 2, 5], dtype=xp.uint64)
        y = xp.asarray([2**64 - 1, 2**63, 2**63 + 3], dtype=xp.uint64)
        assert (x**y).tolist() == [pow(3, 2**64 - 1, 2**64), 0, pow(5, 2**63 + 3, 2**64)]

    @pytest.mark.parametrize(
        ("dtype", "x", "y"),
        [
            (np.float32, 1.395872712135315, 263.9353332519531),
            (np.float64, 0.1767447544053383, -388.3591846253964),
        ],
    )
    @pytest.mark.parametrize("taped", [False, True])
    def test_powers_with_large_exponents(
        self, dtype: type[np.floating[Any]], x: float, y: float, taped: bool
    ) -> None:
        """TensorFlow's kernel is off by 6 units in single precision, and by 114 in double."""
        points = np.tile([x, 2.0, 1e-30, 0.0, 1e30], 8).astype(dtype)
        base, exponent = tf.constant(points), tf.constant(np.full(40, y, dtype))
        with tf.GradientTape() if taped else contextlib.nullcontext() as tape:
            if taped:
                tape.watch(base)
            result = xp.pow(xp.asarray(base), xp.asarray(exponent)).data
        with np.errstate(all="ignore"):
            expected = np.power(points.astype(np.longdouble), np.longdouble(dtype(y)))
            overflows = np.abs(expected) > np.finfo(dtype).max
        least = np.finfo(dtype).tiny  # which TensorFlow's addition flushes
        expected = np.where(overflows, np.inf, np.where(expected < least, 0, expected))
        values = np.where(result.numpy() < least, 0, result)
        np.testing.assert_allclose(values, expected.astype(dtype), np.finfo(dtype).eps)

    def test_singular_and_indefinite_matrices(self) -> None:
        with pytest.raises(UnifyValueError):
            xp.linalg.inv(xp.zeros((2, 2)))
        with pytest.raises(UnifyValueError, match="definite"):
            xp.linalg.cholesky(-xp.eye(2))

    @pytest.mark.parametrize("rank", [6, 9, 12])
    def test_many_dimensions(self, rank: int) -> None:
        shape = ((1, 2) * rank)[:rank]
        x = xp.broadcast_to(xp.reshape(xp.arange(2 ** (rank // 2)), shape), (2,) * rank)
        assert x.shape == (2,) * rank
        assert x[(1,) * rank] == 2 ** (rank // 2) - 1
        assert x[..., ::-1].shape == x.shape

    def test_an_ellipsis_of_no_axes_parts_index_arrays(self) -> None:
        x, i = xp.zeros((5, 3, 4)), xp.asarray([0, 1])
        assert x[:, i, i].shape == (5, 2)
        assert x[:, i, ..., i].shape == (2, 5)


@pytest.mark.parametrize("dtype", ["float64", "complex128", "int32"])
@pytest.mark.parametrize("function", ["multiply", "add", "equal"])
def test_broadcasts_many_axes_in_turns(function: str, dtype: str) -> None:
    """The kernels themselves support at most five alternations of broadcast sizes."""
    first = np.arange(12).astype(dtype).reshape((2, 1, 3, 1, 2, 1))
    second = np.arange(12).astype(dtype).reshape((1, 2, 1, 3, 1, 2))
    narrow = second.astype({"float64": "f4", "complex128": "c8", "int32": "i2"}[dtype])
    for other in (second, narrow):  # the narrow one is promoted first
        found = getattr(xp, function)(xp.asarray(first), xp.asarray(other))
        np.testing.assert_array_equal(np.asarray(found), getattr(np, function)(first, second))


IMPORTS = """
import importlib, pkgutil, sys
import tensorflow as tf
import arrayapi_unify.backends.tensorflow as backend

@tf.autograph.experimental.do_not_convert
def import_all():
    for module in pkgutil.walk_packages(backend.__path__, backend.__name__ + "."):
        importlib.import_module(module.name)

tf.function(import_all, autograph=False)()
for name, module in sorted(sys.modules.items()):
    if name.startswith("arrayapi_unify"):
        for key, value in vars(module).items():
            if isinstance(value, tf.Tensor) and tf.is_symbolic_tensor(value):
                print(name, key)
"""


def test_no_constant_belongs_to_the_function_that_is_traced_at_its_import() -> None:
    """No later function can use it, as `diag`, first called inside `tf.function`, showed."""
    run = subprocess.run(
        [sys.executable, "-c", IMPORTS], capture_output=True, text=True, check=True
    )
    assert run.stdout == ""
