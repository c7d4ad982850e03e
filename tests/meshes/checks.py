"""Arrays of JAX on eight devices; `test_meshes.py` runs these tests."""

from __future__ import annotations

import pickle
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.sharding import AxisType, NamedSharding, PartitionSpec

import arrayapi_unify as unify
import arrayapi_unify.jax as xp
from arrayapi_unify.errors import (
    UnifyBufferError,
    UnifyError,
    UnifyIndexError,
    UnifyTypeError,
    UnifyValueError,
)
from tests.binding.calls import RETURNING_ARRAYS, arguments, function

ROWS = "mesh[rows=8]('rows',)"
MESH = jax.make_mesh((8,), ("rows",), axis_types=(AxisType.Auto,))
SHARDING = NamedSharding(MESH, PartitionSpec("rows", None))
TABLE = np.arange(32.0).reshape(16, 2)


@pytest.fixture
def x() -> unify.Array:
    """Sixteen rows on eight devices."""
    return unify.Array(jax.device_put(TABLE, SHARDING))


def spec(array: unify.Array) -> tuple[Any, ...]:
    return tuple(array.data.sharding.spec)


class TestDevice:
    def test_is_one_object_by_its_name(self, x: unify.Array) -> None:
        assert x.device is unify.Device(ROWS)
        assert (x.device.kind, x.device.index, x.device.native.mesh) == ("mesh", 0, MESH)
        assert x.device == ROWS
        assert hash(x.device) == hash(ROWS)
        assert x.device is xp.sum(x, axis=1).device  # of another rank

    def test_names_tell_meshes_apart(self) -> None:
        wide = jax.make_mesh((4, 2), ("a", "b"), axis_types=(AxisType.Auto,) * 2)
        both = jax.device_put(TABLE, NamedSharding(wide, PartitionSpec(("a", "b"))))
        first = jax.device_put(TABLE, NamedSharding(wide, PartitionSpec(None, "b")))
        assert unify.Array(both).device.name == "mesh[a=4, b=2](('a', 'b'),)"
        assert unify.Array(first).device.name == "mesh[a=4, b=2](None, 'b')"

    def test_the_same_axes_over_other_devices_are_another_mesh(self, x: unify.Array) -> None:
        mesh = jax.sharding.Mesh(np.array(jax.devices()[::-1]), ("rows",))
        other = unify.Array(jax.device_put(TABLE, NamedSharding(mesh, PartitionSpec("rows"))))
        assert other.device is not x.device
        assert other.device.name.startswith(f"{ROWS}#")
        assert xp.zeros(8, device=other.device).device is other.device

    def test_a_name_alone_makes_the_mesh(self) -> None:
        made = xp.zeros(4, device="mesh[left=2, right=2]('left', 'right')")
        assert made.device.native.mesh.shape == {"left": 2, "right": 2}
        assert spec(made) == ("left",)

    @pytest.mark.parametrize(
        "name", ["mesh[rows=99]('rows',)", "mesh[rows]()", "mesh[rows=8]('columns',)", "mesh[8]"]
    )
    def test_a_name_of_no_mesh_is_refused(self, name: str) -> None:
        with pytest.raises(UnifyValueError, match="isn't a device of the jax backend"):
            xp.zeros(8, device=name)

    def test_other_backends_refuse_it(self) -> None:
        with pytest.raises(UnifyValueError, match="isn't a device of the numpy backend"):
            unify.numpy.zeros(8, device=ROWS)

    @pytest.mark.parametrize("given", [jax.devices()[3], unify.Device("cpu:3")])
    def test_single_devices_are_named_as_before(self, given: Any) -> None:
        assert xp.ones(3, device=given).device == "cpu:3"

    def test_a_stranger_is_refused(self) -> None:
        with pytest.raises(UnifyTypeError, match="device"):
            xp.ones(3, device=object())

    def test_inspection(self, x: unify.Array) -> None:
        info = xp.__array_namespace_info__()
        assert info.dtypes(device=x.device) == info.dtypes()


class TestCreation:
    @pytest.mark.parametrize("device", [unify.Device(ROWS), SHARDING, ROWS])
    @pytest.mark.parametrize(
        "make",
        [
            lambda device: xp.zeros((16, 2), device=device),
            lambda device: xp.full((16,), 3, device=device),
            lambda device: xp.empty((16,), device=device),
            lambda device: xp.arange(16, device=device),
            lambda device: xp.linspace(0.0, 1.0, 16, device=device),
            lambda device: xp.eye(16, device=device),
            lambda device: xp.asarray([1.0] * 16, device=device),
            lambda device: xp.asarray(TABLE, device=device),
            lambda device: xp.asarray(xp.ones(16), device=device),
            lambda device: xp.ones_like(xp.ones(16), device=device),
            lambda device: xp.full_like(xp.ones(16), 2.0, device=device),
            lambda device: xp.astype(xp.ones(16), xp.float32, device=device),
            lambda device: xp.fft.fftfreq(16, device=device),
            lambda device: xp.one_hot(xp.arange(16), 4, device=device),
            lambda device: xp.ones(16).to_device(device),
        ],
    )
    def test_is_split(self, make: Callable[[Any], unify.Array], device: Any) -> None:
        made = make(device)
        assert spec(made)[0] == "rows"
        assert made.device == ROWS

    def test_axes_that_do_not_divide_are_whole(self) -> None:
        for shape in ((7, 8), (0, 8), (12,), ()):
            made = xp.ones(shape, device=ROWS)
            assert made.data.sharding.is_fully_replicated
            assert len(made.data.sharding.device_set) == 8

    def test_like(self, x: unify.Array) -> None:
        for made in (xp.zeros_like(x), xp.imag(x), xp.empty_like(x), x + 1, xp.asarray(x)):
            assert made.device is x.device
            assert spec(made)[0] == "rows"

    def test_the_preferred_device(self) -> None:
        unify.set_backend("jax")
        try:
            for device in (ROWS, SHARDING):
                with unify.default_device(device):
                    assert unify.arange(16).device == ROWS
            with unify.Device(ROWS):
                made = xp.random.uniform(xp.random.key(1), (16,))
                assert len(made.data.sharding.device_set) == 8
        finally:
            unify.unset_backend()


class TestKeys:
    """A key on one device serves arrays that are split, with the numbers of one device."""

    @pytest.mark.parametrize("key", [xp.random.key(3), xp.random.key(3, device="cpu:0")])
    @pytest.mark.parametrize(
        "draw",
        [
            lambda key, x: xp.nn.dropout(x, key, 0.5),
            lambda key, x: unify.nn.Dropout(0.5, key=key)(x),
            lambda key, x: xp.random.permutation(key, x),
            lambda key, x: xp.random.choice(key, x, (3,)),
            lambda key, x: xp.random.choice(key, x, (3,), p=x[:, 0] / xp.sum(x[:, 0])),
            lambda key, x: xp.random.uniform(key, x.shape, maxval=x + 1.0),
            lambda key, x: xp.random.categorical(key, x),
            lambda key, x: xp.random.poisson(key, x, x.shape),
            lambda key, x: xp.random.fold_in(key, xp.astype(xp.sum(x), xp.int64)),
        ],
    )
    def test_beside_a_split_array(self, draw: Any, key: Any, x: unify.Array) -> None:
        wanted = draw(key, xp.asarray(TABLE))
        np.testing.assert_allclose(draw(key, x).to_numpy(), wanted.to_numpy(), rtol=1e-14)


class TestMoves:
    def test_to_where_it_is(self, x: unify.Array) -> None:
        assert x.to_device(x.device).data is x.data

    def test_back(self, x: unify.Array) -> None:
        alone = x.to_device("cpu:2")
        assert alone.device == "cpu:2"
        assert np.array_equal(alone.to_numpy(), TABLE)
        assert np.array_equal(alone.to_device(x.device).to_numpy(), TABLE)

    def test_pickles(self, x: unify.Array) -> None:
        assert pickle.loads(pickle.dumps(x.device)) is x.device
        again = pickle.loads(pickle.dumps(x))
        assert again.device is x.device
        assert np.array_equal(again.to_numpy(), TABLE)

    def test_a_pickle_where_there_is_one_device(self, x: unify.Array) -> None:
        code = (
            "import pickle, sys; x = pickle.loads(sys.stdin.buffer.read()); "
            "print(x.device, x.to_numpy().sum())"
        )
        done = subprocess.run(
            [sys.executable, "-c", code], input=pickle.dumps(x), capture_output=True, check=True,
            env={"JAX_PLATFORMS": "cpu", "PYTHONPATH": ":".join(sys.path)},
        )  # fmt: skip
        assert done.stdout.decode().split() == ["cpu", str(TABLE.sum())]

    def test_dlpack_names_the_remedy(self, x: unify.Array) -> None:
        with pytest.raises(UnifyBufferError, match=r"several devices.*to_device"):
            np.from_dlpack(x)
        assert np.array_equal(np.asarray(x), TABLE)

    def test_repr_gathers_nothing(self, x: unify.Array) -> None:
        assert repr(x) == (
            f"unify.array(<split>, shape=(16, 2), dtype=float64, backend='jax', device={ROWS!r})"
        )
        assert "496" in repr(xp.sum(x))


class TestLooks:
    """Values are checked on the devices."""

    def test_indices(self, x: unify.Array) -> None:
        inside = xp.asarray([0, 5, -16, 15, 1, 2, 3, 4], device=ROWS)
        outside = xp.asarray([0, 5, -17, 15, 1, 2, 3, 4], device=ROWS)
        assert np.array_equal(xp.take(x, inside, axis=0).to_numpy(), TABLE[inside.to_numpy()])
        assert np.array_equal(x[inside].to_numpy(), TABLE[inside.to_numpy()])
        for call in (lambda: xp.take(x, outside, axis=0), lambda: x[outside]):
            with pytest.raises(UnifyIndexError, match="-17"):
                call()

    def test_unsigned_indices(self, x: unify.Array) -> None:
        far = xp.asarray([2**64 - 1] * 8, dtype=xp.uint64, device=ROWS)
        with pytest.raises(UnifyIndexError, match=str(2**64 - 1)):
            xp.take(x, far, axis=0)

    def test_masks(self, x: unify.Array) -> None:
        mask = x[:, 0] > 8
        assert np.array_equal(x[mask].to_numpy(), TABLE[TABLE[:, 0] > 8])
        x[mask] = 0.0
        assert np.array_equal(x.to_numpy(), np.where(TABLE[:, :1] > 8, 0.0, TABLE))

    def test_nothing_stays_on_the_mesh(self, x: unify.Array) -> None:
        found = x[xp.reshape(x[:, :1], (-1,)) > 99]
        assert (found.shape, found.device.kind) == ((0, 2), "mesh")

    def test_exponents(self) -> None:
        base = xp.asarray([2, 3] * 4, device=ROWS)
        assert (base ** xp.asarray([3] * 8, device=ROWS)).tolist() == [8, 27] * 4
        with pytest.raises(UnifyError, match="negative"):
            base ** xp.asarray([3] * 7 + [-1], device=ROWS)

    @pytest.mark.parametrize("name", ["fft", "ifft", "rfft", "irfft", "hfft", "ihfft"])
    def test_transforms_along_a_split_axis(self, name: str) -> None:
        """XLA ends the process where a part isn't a multiple of the number of parts."""
        values = np.arange(16.0) ** 2
        found = getattr(xp.fft, name)(xp.asarray(values, device=ROWS))
        assert np.allclose(found.to_numpy(), getattr(np.fft, name)(values))
        found = xp.fft.fftn(xp.asarray(values.reshape(8, 2), device=ROWS))
        assert np.allclose(found.to_numpy(), np.fft.fftn(values.reshape(8, 2)))

    def test_repeats(self, x: unify.Array) -> None:
        counts = xp.asarray([0, 1] * 8, device=ROWS)
        assert np.array_equal(xp.repeat(x, counts, axis=0).to_numpy(), TABLE[1::2])


@pytest.mark.slow
@pytest.mark.parametrize("size", [2, 3])
@pytest.mark.parametrize("name", RETURNING_ARRAYS)
def test_every_function(name: str, size: int) -> None:
    """With arguments that are split where they divide: the values of one device, on the mesh."""
    device = f"mesh[rows={size}]('rows',)"
    given = arguments(name, lambda value, **more: xp.asarray(value, **more).to_device(device))
    found = function(xp, name)(*given)
    expected = function(xp, name)(*arguments(name, xp.asarray))
    parts = [found] if isinstance(found, unify.Array) else list(found)
    wanted = [expected] if isinstance(expected, unify.Array) else list(expected)
    arrays = any(isinstance(value, unify.Array) for value in given)
    for part, other in zip(parts, wanted, strict=True):
        assert np.allclose(part.to_numpy(), other.to_numpy(), rtol=1e-12, equal_nan=True)
        assert part.device.kind == "mesh" or not arrays or name == "to_device"
    assert jnp.asarray(1).sharding.num_devices == 1
