"""Behaviour specific to the JAX backend."""

from __future__ import annotations

import inspect
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import arrayapi_unify.jax as xp
from arrayapi_unify import backends, dtypes
from arrayapi_unify.backends import jax as backend
from arrayapi_unify.backends._protocol import Backend
from arrayapi_unify.contracts.contract import CONTRACTS
from arrayapi_unify.devices import Device
from arrayapi_unify.errors import UnifyError, UnifyIndexError, UnifyTypeError, UnifyValueError
from tests.tables import each


class TestProtocol:
    def test_it_is_complete(self) -> None:
        names = {n for n in vars(Backend) if not n.startswith("_")} | set(Backend.__annotations__)
        assert names <= set(vars(backend))

    @pytest.mark.parametrize("dtype", dtypes.EVERY, ids=str)
    def test_data_types_go_there_and_back(self, dtype: dtypes.DType) -> None:
        assert backend.as_dtype(backend.DTYPES[dtype]) is dtype
        assert backend.dtype_of(jnp.zeros(1, backend.DTYPES[dtype])) is dtype

    def test_types_outside_the_standard(self) -> None:
        assert backend.as_dtype(jnp.dtype("float8_e5m2")) is None
        with pytest.raises(UnifyTypeError, match="float8_e5m2"):
            backend.dtype_of(jnp.zeros(1, "float8_e5m2"))

    def test_it_owns_arrays_and_tracers(self) -> None:
        assert backends.name_of(jnp.ones(1)) == "jax"
        jax.jit(lambda x: [backends.name_of(x), x][1])(jnp.ones(1))
        assert backend.is_native_type(jax.core.Tracer)
        assert not backend.is_native_type(np.ndarray)

    def test_devices(self) -> None:
        assert backend.device_of(jnp.ones(1)) is backend.devices()[0]
        assert backend.native_device(backend.devices()[0]) in jax.devices()
        with pytest.raises(UnifyValueError, match="isn't a device of"):
            backend.native_device(Device("abacus"))

    def test_values_are_seen_without_a_copy(self) -> None:
        x = jnp.arange(1000.0)
        assert np.shares_memory(backend.to_numpy(x), backend.to_numpy(x))
        assert backend.to_numpy(x, copy=True).flags.writeable

    def test_errors_about_shapes_are_value_errors(self) -> None:
        with pytest.raises(UnifyValueError):
            xp.ones(2) + xp.ones(3)


class TestSignatures:
    @each("name", [n for n, c in CONTRACTS.items() if c.kind == "primary"])
    def test_natives_take_the_contracts_parameters(self, name: str) -> None:
        native = xp_native(name)
        wanted = [p for p in CONTRACTS[name].signature.parameters.values() if p.name != "out"]
        given = list(inspect.signature(native).parameters.values())
        assert [(p.name, p.kind, p.default) for p in given] == [
            (p.name, p.kind, p.default) for p in wanted
        ]


def xp_native(name: str) -> Any:
    contract = CONTRACTS[name]
    module = __import__(
        f"arrayapi_unify.backends.jax.{contract.category}", fromlist=[contract.name]
    )
    return getattr(module, contract.name)


class TestTracing:
    """Native functions don't read values, so functions of `Array` can be traced."""

    @pytest.mark.parametrize(
        "function",
        [
            lambda x: xp.sum(x * 2 + 1),
            lambda x: xp.sqrt(xp.abs(x)) // 0.7,
            lambda x: xp.sort(x[::-1]),
            lambda x: xp.std(x, correction=1),
            lambda x: xp.astype(x, xp.uint8) ** 2,
            lambda x: xp.where(x > 1, x, 0),
            lambda x: xp.take(x, xp.asarray([0, 2])),
            lambda x: xp.stack([x, xp.asarray([x[0], 1.0, 2])]),
            lambda x: xp.cumulative_sum(x, include_initial=True),
            lambda x: xp.linalg.inv(xp.eye(3) * x),
            lambda x: xp.fft.rfft(x),
            lambda x: xp.exp(xp.astype(x, xp.complex128)),
        ],
    )
    def test_jit(self, function: Any) -> None:
        x = jnp.asarray([0.5, 1.5, 2.5])

        def run(native: Any) -> Any:
            return function(xp.asarray(native)).data

        np.testing.assert_allclose(jax.jit(run)(x), run(x), rtol=1e-12)

    def test_assignment(self) -> None:
        def run(native: Any) -> Any:
            x = xp.asarray(native)
            x[x > 1] = 9
            x[0] += 1
            return x.data

        assert jax.jit(run)(jnp.asarray([0.0, 2.0])).tolist() == [1.0, 9.0]

    @pytest.mark.parametrize(
        ("name", "slope"),
        [("sinh", np.cosh(0.0)), ("log1p", 1.0), ("atanh", 1.0), ("tan", 1.0), ("expm1", 1.0)],
    )
    def test_gradient_at_zero(self, name: str, slope: float) -> None:
        gradient = jax.grad(lambda x: getattr(xp, name)(xp.asarray(x)).data)
        np.testing.assert_allclose(gradient(0.0), slope)

    def test_vmap(self) -> None:
        x = jnp.arange(6.0).reshape(2, 3)
        assert jax.vmap(lambda r: xp.sum(xp.asarray(r)).data)(x).tolist() == [3.0, 12.0]


class TestBroadcasting:
    """The functions of jax.lax require equal ranks."""

    @pytest.mark.sample(6)
    @pytest.mark.parametrize("dtype", [xp.int8, xp.float32, xp.complex64], ids=str)
    @pytest.mark.parametrize(
        "name", ["divide", "floor_divide", "remainder", "pow", "maximum", "less", "atan2", "hypot"]
    )
    def test_ranks_may_differ(self, name: str, dtype: dtypes.DType) -> None:
        x, y = xp.ones((2, 3), dtype=dtype), xp.ones(3, dtype=dtype)
        function = getattr(xp, name)
        try:
            expected = function(x, x)
        except UnifyTypeError:
            return  # not for this data type
        assert xp.all(function(x, y) == expected)
        assert xp.all(function(y, x) == expected)


class TestWhereJaxDeparts:
    """JAX clamps or drops out-of-bounds indices; the backend raises."""

    @pytest.mark.parametrize("key", [3, -4, np.asarray([0, 5]), (0, 0)])
    def test_out_of_bounds(self, key: Any) -> None:
        with pytest.raises(UnifyIndexError):
            xp.ones(3)[key]
        x = xp.ones(3)
        with pytest.raises(UnifyIndexError):
            x[key] = 2
        assert xp.all(x == 1)

    def test_take_out_of_bounds(self) -> None:
        with pytest.raises(UnifyIndexError):
            xp.take(xp.ones(3), xp.asarray([3]))

    def test_0d_masks(self) -> None:
        x = xp.ones((2, 3))
        assert x[True].shape == (1, 2, 3)
        assert x[xp.asarray(False)].shape == (0, 2, 3)
        x[x[0, 0] == 1] = 4
        assert xp.all(x == 4)

    def test_scalars_don_t_wrap(self) -> None:
        with pytest.raises(UnifyError, match="300"):
            xp.ones(1, dtype=xp.int8) + 300
        assert bool((xp.ones(1, dtype=xp.int8) < 300)[0])

    def test_bool_times_infinity_is_nan(self) -> None:
        assert bool(xp.isnan(xp.asarray([False]) * xp.asarray([xp.inf]))[0])

    def test_large_integers_compare_exactly(self) -> None:
        x, y = xp.asarray([2**63 - 1]), xp.asarray([2**63], dtype=xp.uint64)
        assert not bool((x == y)[0])
        assert bool((x < y)[0])

    def test_integer_powers_use_every_bit_of_the_exponent(self) -> None:
        assert int(xp.asarray([3]) ** xp.asarray([100])) == (3**100 + 2**63) % 2**64 - 2**63
        with pytest.raises(UnifyValueError, match="negative"):
            xp.asarray([2]) ** -1

    @pytest.mark.parametrize(("kind", "wider"), [("f4", "f8"), ("f8", np.longdouble)], ids=str)
    @pytest.mark.parametrize("exponent", range(2, 9))
    def test_small_powers_lose_half_an_epsilon_in_each_factor(
        self, exponent: int, kind: str, wider: Any
    ) -> None:
        x = np.random.default_rng(0).uniform(-4, 4, 2000).astype(kind)
        wanted = x.astype(wider) ** exponent
        found = np.asarray(xp.asarray(x) ** exponent)
        assert found.dtype == kind
        bound = (exponent - 1) * np.finfo(kind).eps / 2
        assert np.max(np.abs((found - wanted) / wanted)) <= bound * (1 + 1e-3)
        special = np.asarray([0.0, -0.0, np.inf, -np.inf, np.nan, 1e300, -1e-300])
        with np.errstate(over="ignore"):
            wanted = special**exponent
        np.testing.assert_array_equal(np.asarray(xp.asarray(special) ** exponent), wanted)

    def test_complex_division_keeps_numpys_rules(self) -> None:
        z = xp.asarray([complex(0, -1)])
        assert np.signbit(np.asarray(1 / z).real) == np.signbit((1 / np.asarray([-1j])).real)

    def test_mutating_numpy_memory_doesn_t_show(self) -> None:
        values = np.zeros(1000)
        x = xp.asarray(values)
        values[0] = 1
        assert x[0] == 0

    def test_singular_matrix(self) -> None:
        with pytest.raises(UnifyValueError, match="singular"):
            xp.linalg.inv(xp.zeros((2, 2)))
