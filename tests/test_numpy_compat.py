"""NumPy idioms work on all backends, or the error names the alternative."""

from __future__ import annotations

import copy
import inspect
import pickle
import re
import typing
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import numpy as np
import pytest

import arrayapi_unify as unify
from arrayapi_unify import Container
from arrayapi_unify.array_object import Array
from arrayapi_unify.binding import binding_of
from arrayapi_unify.container.methods import has_method
from arrayapi_unify.contracts import CONTRACTS
from arrayapi_unify.contracts.contract import Returns
from arrayapi_unify.errors import UnifyTypeError, UnifyValueError
from tests.installed import INSTALLED
from tests.tables import each

needs = {name: [name] if name in INSTALLED else [] for name in ("jax", "tensorflow", "torch")}


class TestTypeHints:
    @each("name", CONTRACTS)
    def test_resolve(self, name: str) -> None:
        contract = CONTRACTS[name]
        bound = [binding_of(b).functions[name] for b in INSTALLED if b not in contract.missing_on]
        for function in (contract.public, *bound):
            hints = typing.get_type_hints(function)
            assert set(hints) == {*inspect.signature(function).parameters, "return"}
            # A function of the module can have the name of a built-in: `bool`, `abs`, `set`.
            assert not [hint for hint in hints.values() if isinstance(hint, FunctionType)]

    def test_say_what_is_meant(self) -> None:
        assert typing.get_type_hints(unify.tan)["return"] is Array
        hints = typing.get_type_hints(unify.sum)
        assert hints["keepdims"] is bool
        assert hints["axis"] == int | tuple[int, ...] | None

    def test_of_methods(self, xp: ModuleType) -> None:
        for name in ("sin", "sum", "reshape", "concat", "median"):
            for owner in (type(xp.ones(1)), Array, Container):
                assert "return" in typing.get_type_hints(getattr(owner, name))
        assert has_method(CONTRACTS["sin"])


@pytest.mark.eager
class TestRepr:
    """B21: the data type is shown if it isn't the current default."""

    @pytest.mark.parametrize("dtype", ["int8", "int32", "int64", "float32", "float64", "bool"])
    @pytest.mark.parametrize("values", [[1, 0], [], [[1], [0]]])
    def test_is_source_of_the_same_array(self, dtype: str, values: Any, xp: ModuleType) -> None:
        floats, integers = unify.default_dtype("float32"), unify.default_dtype("int32")
        with floats, integers, unify.use_backend(xp):
            x = xp.asarray(values, dtype=dtype)
            names = {d.name: d for d in (unify.int8, unify.int64, unify.float64, unify.bool)}
            names |= {"int32": unify.int32, "float32": unify.float32, "unify": unify}
            text = re.sub(r", backend='\w+'", "", repr(x)).replace("dtype=bool", "dtype='bool'")
            again = eval(text, names)
            assert again.dtype is x.dtype
            assert np.array_equal(np.asarray(again), np.asarray(x).reshape(again.shape))

    def test_shows_what_is_not_the_default(self, xp: ModuleType) -> None:
        x, y = xp.asarray([1.5], dtype="float32"), xp.asarray([1.5], dtype="float64")
        assert ("dtype=float32" in repr(x), "dtype" in repr(y)) == (True, False)
        with unify.default_dtype("float32"):
            assert ("dtype" in repr(x), "dtype=float64" in repr(y)) == (False, True)
        z = xp.asarray([1], dtype="int32")
        with unify.default_dtype("int32"):
            assert "dtype" not in repr(z)
        assert "dtype=int32" in repr(z)


class TestBackends:
    """B20: a backend is given by its name or its namespace."""

    def test_previous_backend_can_be_set(self, xp: ModuleType) -> None:
        unify.set_backend(xp)
        try:
            assert unify.ones(1).backend == xp.ones(1).backend
            unify.set_backend(unify.previous_backend())
            assert unify.current_backend() is xp
        finally:
            unify.unset_backend()
        with unify.use_backend(xp) as inside:
            assert inside is xp

    def test_previous_backend_can_be_set_where_none_was(self) -> None:
        before = unify.current_backend()
        assert unify.previous_backend() is None
        assert unify.set_backend(unify.previous_backend()) is before
        assert unify.current_backend() is before
        assert unify.previous_backend() is None

    def test_use_backend_fails_when_called(self) -> None:
        for wrong in ("tf", np, None, 3, "arrayapi_unify.tf", unify):
            remedy = "use 'tensorflow'" if wrong == "tf" else "numpy, torch"
            for function in (unify.use_backend, unify.set_backend):
                if function is unify.set_backend and wrong is None:
                    continue  # the result of `previous_backend`
                with pytest.raises(UnifyValueError, match=rf"^{function.__name__}: .*{remedy}"):
                    function(wrong)
        assert unify.current_backend_str() == "numpy"


class TestFiles:
    def test_tuples_and_scalars(self, xp: ModuleType, tmp_path: Path) -> None:
        square = xp.asarray([[2.0, 1.0], [1.0, 3.0]])
        c = Container(
            results=unify.linalg.eigh(square),
            mixed=(1, (2.5, None, "x", 1j), square, square.data, True),
            nothing=(),
            nested={
                "f": np.float32(1.5),
                "i": np.uint8(7),
                "b": np.bool_(True),
                "c": np.complex64(2j),
            },
        )
        c.save(tmp_path / "file")
        again = Container.load(tmp_path / "file")
        assert type(again.results) is type(c.results)
        assert [p.tolist() for p in again.results] == [p.tolist() for p in c.results]
        assert again.mixed[:2] == c.mixed[:2]
        assert type(again.mixed[1]) is tuple
        assert again.mixed[2].tolist() == square.tolist()
        assert type(again.mixed[3]) is type(square.data)
        assert again.nothing == ()
        for key, scalar in c.nested.to_dict().items():
            assert type(again.nested[key]) is type(scalar)
            assert again.nested[key] == scalar

    def test_what_it_cannot_hold_is_named(self, tmp_path: Path) -> None:
        c = Container(a={"b": (1, (object(),))})
        with pytest.raises(UnifyTypeError, match=r"'a/b/1/0' is an object"):
            c.save(tmp_path / "file")
        assert not list(tmp_path.iterdir())


class TestPaths:
    @pytest.mark.parametrize("xp", needs["jax"], indirect=True)
    def test_jax(self, xp: ModuleType) -> None:
        from jax import tree_util

        nest = {"x": Container(b=xp.ones(1), a={"c": xp.zeros(2)})}
        found, structure = tree_util.tree_flatten_with_path(nest)
        paths = {tree_util.keystr(path): leaf for path, leaf in found}
        assert set(paths) == {"['x']['a']['c'].data", "['x']['b'].data"}
        assert paths["['x']['b'].data"] is nest["x"].b.data
        leaves = [leaf for _, leaf in found]
        assert tree_util.tree_unflatten(structure, leaves)["x"].identical(nest["x"])
        assert tree_util.tree_flatten(nest)[1] == structure

    @pytest.mark.parametrize("xp", needs["torch"], indirect=True)
    def test_torch(self, xp: ModuleType) -> None:
        from torch.utils import _pytree as pytree

        nest = {"x": Container(b=xp.ones(1), a={"c": xp.zeros(2)})}
        found, _ = pytree.tree_flatten_with_path(nest)
        paths = {pytree.keystr(path): leaf for path, leaf in found}
        assert set(paths) == {"['x']['a']['c'].data", "['x']['b'].data"}
        assert paths["['x']['b'].data"] is nest["x"].b.data


class TestConversions:
    """B46: a framework's explicit conversions take Arrays, its other functions don't."""

    @pytest.mark.parametrize("name", needs["jax"])
    def test_jax(self, name: str, xp: ModuleType) -> None:
        import jax
        import jax.numpy as jnp

        x = xp.asarray([1.0, 2.0])
        for convert in (jnp.asarray, jnp.array):
            assert isinstance(convert(x), jax.Array)
            assert convert(x).tolist() == [1.0, 2.0]
        assert jnp.asarray(x, dtype="float32").dtype == "float32"
        assert jnp.asarray([x, x]).shape == (2, 2)
        if x.backend == name:
            assert jnp.asarray(x) is x.data
            slope = jax.grad(lambda v: (jnp.asarray(v) ** 2).sum())(x)
            assert slope.tolist() == [2.0, 4.0]
            assert type(jax.jit(jnp.asarray)(x)) is type(x.data)
        for function in (jnp.sin, jnp.sum, jax.lax.sin):
            with pytest.raises(TypeError):
                function(x)
        y = xp.to_backend(x, name)
        assert type(y.data + y) is type(y)
        assert type(y.data < y) is type(y)
        assert not hasattr(x, "__jax_array__")

    @pytest.mark.parametrize("name", needs["torch"])
    def test_torch(self, name: str, xp: ModuleType) -> None:
        import torch

        x = xp.asarray([1.0, 2.0])
        for convert in (torch.asarray, torch.as_tensor, torch.tensor):
            assert type(convert(x)) is torch.Tensor
            assert convert(x).tolist() == [1.0, 2.0]
        assert torch.asarray(x, dtype=torch.float32).dtype is torch.float32
        if x.backend == name:
            assert torch.asarray(x).data_ptr() == x.data.data_ptr()
        for function in (torch.sin, torch.sum):
            with pytest.raises(TypeError):
                function(x)

    @pytest.mark.parametrize("name", needs["tensorflow"])
    def test_tensorflow(self, name: str, xp: ModuleType) -> None:
        import tensorflow as tf

        x = xp.asarray([1.0, 2.0])
        assert isinstance(tf.convert_to_tensor(x), tf.Tensor)
        assert tf.convert_to_tensor(x).numpy().tolist() == [1.0, 2.0]
        assert tf.convert_to_tensor(value=x, dtype=tf.float64).dtype is tf.float64
        if x.backend == name:
            assert tf.convert_to_tensor(x) is x.data
            assert tf.function(lambda v: tf.convert_to_tensor(v) * 2)(x).numpy().tolist() == [2, 4]
        for function in (tf.sin, tf.reduce_sum, tf.Variable):
            with pytest.raises(TypeError, match="doesn't take an Array"):
                function(x)
        y = xp.to_backend(x, name)
        assert type(y.data + y) is type(y)
        with pytest.raises(ValueError, match="unsupported type"):
            tf.convert_to_tensor(object())

    @pytest.mark.parametrize("name", needs["torch"])
    def test_torch_differentiates_through_native_arrays_only(self, name: str) -> None:
        """`torch.asarray` uses DLPack, which has no derivatives: see docs/gradients.md."""
        import torch

        given = torch.tensor([1.0, 2.0], requires_grad=True)
        doubled = unify.get_backend(name).asarray(given) * 2
        for convert in (torch.asarray, torch.as_tensor, torch.tensor):
            assert not convert(doubled).requires_grad
        for native in (unify.to_native(doubled), doubled.data):
            (slope,) = torch.autograd.grad(native.sum(), given, retain_graph=True)
            assert slope.tolist() == [2.0, 2.0]

    @pytest.mark.parametrize("name", needs["jax"])
    def test_jax_differentiates_through_conversions(self, name: str) -> None:
        import jax
        import jax.numpy as jnp

        xp = unify.get_backend(name)
        slope = jax.grad(lambda v: jnp.sum(jnp.asarray(xp.asarray(v) * 2)))(jnp.ones(2))
        assert slope.tolist() == [2.0, 2.0]

    @pytest.mark.parametrize("name", needs["tensorflow"])
    def test_tensorflow_differentiates_through_conversions(self, name: str) -> None:
        import tensorflow as tf

        xp, given = unify.get_backend(name), tf.constant([1.0, 2.0])
        with tf.GradientTape() as tape:
            tape.watch(given)
            total = tf.reduce_sum(tf.convert_to_tensor(xp.asarray(given) * 2))
        assert tape.gradient(total, given).numpy().tolist() == [2.0, 2.0]

    @pytest.mark.slow  # a process of its own
    def test_works_before_the_backend_is_loaded(self) -> None:
        import subprocess
        import sys

        program = (
            "import arrayapi_unify as unify; x = unify.asarray([1.0]); import {0} as m; "
            "print(type(m.{1}(x)).__module__.split('.')[0])"
        )
        for name, function in (("jax.numpy", "asarray"), ("tensorflow", "convert_to_tensor")):
            if name.partition(".")[0] in INSTALLED:
                run = subprocess.run(
                    [sys.executable, "-c", program.format(name, function)],
                    capture_output=True,
                    text=True,
                    check=True,
                )
                assert run.stdout.strip() in ("jaxlib", "jax", "tensorflow")


class Quantity(unify.Array):
    """A class written like a subclass of NumPy's array."""

    unit: str

    def __new__(cls, data: Any, unit: str = "") -> Quantity:
        made = super().__new__(cls)
        made.unit = unit
        return made


class TestNew:
    """B49: a subclass of Array may have a `__new__`."""

    def test_takes_more_than_data(self, xp: ModuleType) -> None:
        data = xp.asarray([1.0, 2.0])
        for x in (Quantity(data, "m"), Quantity(data.data, unit="m")):
            assert (type(x), x.unit, x.tolist()) == (Quantity, "m", [1.0, 2.0])
            assert x.backend == xp.ones(1).backend
            assert (x + 1).tolist() == [2.0, 3.0]
            for again in (copy.copy(x), copy.deepcopy(x), pickle.loads(pickle.dumps(x))):
                assert (type(again), again.unit, again.tolist()) == (Quantity, "m", [1.0, 2.0])

    def test_says_what_to_write(self) -> None:
        class Given(unify.Array):
            def __new__(cls, data: Any, unit: str) -> Any:
                return super().__new__(cls, data)  # type: ignore[call-arg]  # the mistake

        class Viewed(unify.Array):
            def __new__(cls, data: Any, unit: str) -> Any:
                return np.asarray(data).view(cls)

        class Ours(unify.Array):
            def __new__(cls, data: Any, unit: str) -> Any:
                return unify.asarray(data).view(cls)  # type: ignore[attr-defined]  # the mistake

        for kind in (Given, Viewed, Ours):
            with pytest.raises((TypeError, ValueError, AttributeError)) as caught:
                kind([1.0], "m")
            assert "super().__new__(cls)" in "".join(caught.value.__notes__)

        class Plain(unify.Array):
            """Accepts the data only."""

        with pytest.raises(UnifyTypeError, match=r"Plain.*write an __init__"):
            Plain([1.0], "m")


# Functions whose result is the argument, its memory, or a read-only array.
WITHOUT_OUT = {
    "array",
    "asarray",
    "from_dlpack",
    "nn.global_norm",
    "to_backend",
    "set_item",
    "stop_gradient",
}


class TestOut:
    def test_every_function_that_returns_one_array_has_it(self) -> None:
        names = {n for n, c in CONTRACTS.items() if c.returns is Returns.ARRAY}
        names |= {"stable_divide", "stable_pow"}
        assert {n for n in names if not CONTRACTS[n].takes_out} == WITHOUT_OUT

    def test_of_stable_functions(self, xp: ModuleType) -> None:
        x, y = xp.asarray([2.0, 3.0]), xp.asarray([0.0, 2.0])
        for function, arguments, expected in (
            (unify.stable_divide, {"min_denominator": 1.0}, [2.0, 1.0]),
            (unify.stable_pow, {"min_base": 1.0}, [1.0, 16.0]),
        ):
            out = xp.zeros(2)
            view = out[:]
            assert function(x, y, **arguments, out=out) is out
            assert view.tolist() == expected
            with pytest.raises(TypeError, match="out"):
                function(x, y, out=out.data)
            nest = Container(a=xp.zeros(2))
            assert function(Container(a=x), y, **arguments, out=nest).a is nest.a
            assert nest.a.tolist() == expected
        out = xp.zeros(())
        assert unify.stable_divide(1.0, 0.0, min_denominator=2.0, out=out) is out
        assert out.item() == 0.5
        assert unify.stable_pow(1, 2, min_base=0.5, out=out) is out
        assert out.item() == 2.25
