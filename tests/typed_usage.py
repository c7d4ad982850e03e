"""Uses of the package for type checkers; `tox -e types` checks them without running them."""

# pyright: strict

from collections.abc import Callable
from typing import Any, assert_type

import jax
import numpy as np
import torch

import arrayapi_unify as unify
import arrayapi_unify.numpy as xp
from arrayapi_unify import Array, Container, DType, Namespace, NativeArray, UnifyError

Floats = np.ndarray[tuple[int, ...], np.dtype[np.float64]]


def functions(x: Array) -> None:
    """The namespaces' functions have the types of their contracts."""
    assert_type(unify.add(x, 1.0), Array)
    assert_type(unify.linalg.inv(x), Array)
    assert_type(xp.sum(x, axis=0, dtype=xp.float32), Array)
    assert_type(unify.float64, DType)
    assert_type(unify.sum.kind == "primary", bool)
    assert_type(unify.random.normal(unify.random.key(0), (3,)), Array)
    assert_type(unify.special.erf(x), Array)
    assert_type(unify.linalg.eigh(x).eigenvalues, Array)
    assert_type(unify.where(x > 0, x, 0.0), Array)
    assert_type(unify.concat([x, x], axis=0), Array)
    assert_type(unify.meshgrid(x, x), tuple[Array, ...])
    assert_type(unify.zeros((2, 3)), Array)
    assert_type(unify.asarray([1.0, 2.0]), Array)
    assert_type(unify.is_array(x), bool)
    assert_type(unify.shape(x), tuple[int, ...])


def data_types_and_devices(x: Array) -> None:
    """A name, a type and a library's own are taken in place of ours."""
    assert_type(unify.zeros(3, dtype="float32"), Array)
    assert_type(unify.zeros(3, dtype=np.float32, device="cpu"), Array)
    assert_type(xp.ones(3, dtype=torch.float32, device=torch.device("cpu")), Array)
    assert_type(xp.arange(3, dtype=np.dtype("int8")), Array)
    assert_type(unify.result_type(x, "float32", np.float64), DType)
    assert_type(x.astype("float32"), Array)
    assert_type(unify.astype(x, float), Array)
    assert_type(x.sum(dtype="float64"), Array)
    assert_type(xp.to_device(x, torch.device("cpu")), Array)


def namespaces(x: Array) -> None:
    """A namespace has a type, and so has each function in it."""
    xp = x.__array_namespace__()
    assert_type(xp, Namespace)
    assert_type(xp.exp(x), Array)
    assert_type(xp.sum(x, 0), Array)
    assert_type(xp.arccos(x), Array)
    assert_type(xp.fft.fft(x), Array)
    assert_type(xp.linalg.inv(x), Array)
    assert_type(xp.linalg.svd(x).S, Array)
    assert_type(xp.random.uniform(xp.random.key(0), (3,)), Array)
    assert_type(xp.float32, DType)
    assert_type(xp.pi, float)
    assert_type(xp.newaxis, None)
    assert_type(xp.grad(xp.sum)(x), Any)
    assert_type(xp.__array_namespace_info__().default_dtypes()["integral"], DType)
    assert_type(unify.__array_namespace_info__().capabilities(), dict[str, Any])
    assert_type(unify.array_namespace(x), Namespace)
    assert_type(unify.get_backend("torch"), Namespace)
    with unify.use_backend("torch") as torch_xp:
        assert_type(torch_xp.ones(3), Array)
    unify.set_backend(unify.previous_backend())
    unify.set_backend(unify.numpy)
    norm(xp, x)
    norm(unify.torch, x)


def norm(xp: Namespace, x: Array) -> Array:
    """A function of a namespace, as a library writes it."""
    return xp.sqrt(xp.sum(x * x))


def native(x: Array, a: Floats, t: torch.Tensor, j: jax.Array) -> None:
    """Functions and operators take the libraries' own arrays, and return Arrays."""
    assert_type(unify.sin(a), Array)
    assert_type(unify.sin(t), Array)
    assert_type(unify.sin(j), Array)
    assert_type(unify.add(a, 1.0), Array)
    assert_type(unify.concat([t, t]), Array)
    assert_type(x + a, Array)
    assert_type(x * t, Array)


def either(x: Array | NativeArray) -> Array:
    """`isinstance` tells the libraries' arrays from ours."""
    if isinstance(x, NativeArray):
        assert_type(unify.sin(x), Array)
        return unify.asarray(x)
    assert_type(x, Array)
    return x


def operators(x: Array) -> None:
    """Operators take numbers and lists, and return Arrays."""
    assert_type(x == x, Array)
    assert_type(x != 2, Array)
    assert_type(x < 2.0, Array)
    assert_type(2.0 - x, Array)
    assert_type(x**2, Array)
    assert_type(x @ x, Array)
    assert_type(x & True, Array)
    assert_type(-x, Array)
    assert_type(x * [1.0, 2.0], Array)
    assert_type(divmod(x, 2), tuple[Array, Array])
    assert_type(x[0, ..., None], Array)
    x += 1
    assert_type(x, Array)
    assert_type(float(x), float)
    assert_type(x.T, Array)
    assert_type(x.dtype, DType)


@unify.portable
def scaled(x: Array, factor: Array | float = 2.0, *, axis: int = 0) -> Array:
    """A function for Arrays and native arrays alike."""
    return x * factor / x.shape[axis]


@unify.portable
def distance(x: Array, y: Array) -> Array:
    """A function of two arrays."""
    return unify.sum((x - y) ** 2)


@unify.portable
def moments(x: Array) -> tuple[Array, Array]:
    """A function with two results."""
    return x.mean(), x.std()


@unify.portable
def count(x: Array) -> int:
    """A function whose result is no array."""
    return x.size


class Scaler:
    """Methods are portable, too."""

    @unify.portable
    def apply(self, x: Array, power: int = 1) -> Array:
        """Return a power of an array."""
        return x**power


def portable(x: Array, a: Floats, t: torch.Tensor, j: jax.Array) -> None:
    """A portable function returns the kind of array that it is given."""
    assert_type(scaled(x), Array)
    assert_type(scaled(x, 3.0, axis=0), Array)
    assert_type(scaled(x=x), Array)
    assert_type(scaled(a), Floats)
    assert_type(scaled(t), torch.Tensor)
    assert_type(scaled(t, 3.0, axis=0), torch.Tensor)
    assert_type(scaled(j), jax.Array)
    assert_type(scaled(x=a), Any)
    scaled(t, t)
    assert_type(distance(t, t), torch.Tensor)
    assert_type(distance(t, 1.0), torch.Tensor)
    assert_type(distance(x, x), Array)
    assert_type(moments(t), tuple[torch.Tensor, torch.Tensor])
    assert_type(moments(x), tuple[Array, Array])
    assert_type(count(x), int)
    assert_type(count(t), Any)
    assert_type(Scaler().apply(t), torch.Tensor)
    assert_type(Scaler().apply(x, 2), Array)
    takes_callback(scaled)
    takes_callback(unify.sin)
    takes_callback(unify.add)


def takes_callback(function: Callable[..., Array]) -> None:
    """Public functions are callables."""


def calls_of_numpys(x: Array) -> None:
    """Positions and parameters of NumPy's have types, too."""
    assert_type(xp.sum(x, 0), Array)
    assert_type(unify.std(x, 0, ddof=1), Array)
    assert_type(unify.sum(x, 0, None, None, True, where=x > 0, initial=1), Array)
    assert_type(x.sum(0), Array)
    assert_type(x.reshape(3, 1), Array)
    assert_type(unify.reshape(x, 3, 1), Array)


def containers(c: Container, x: Array) -> None:
    """Nestable functions take Containers as well."""
    assert_type(unify.sum(c, axis=0), Container)
    assert_type(unify.sum(c, axis=c), Container)
    assert_type(unify.add(x, c), Container)
    assert_type(unify.where(x > 0, c, 0.0), Container)
    assert_type(unify.where(x > 0, 0.0, c), Container)
    assert_type(unify.concat(c), Container)
    assert_type(unify.zeros(c), Container)
    assert_type(unify.linalg.eigh(c), Container)
    assert_type(unify.meshgrid(x, c), Container)
    assert_type(c.sum(axis=0), Container)
    assert_type(c + x, Container)
    assert_type(x + c, Container)
    assert_type(x < c, Container)
    assert_type(x == c, Container)
    assert_type(c.weights, Any)


def names_of_numpy(x: Array) -> None:
    """NumPy's names have the types of the functions; methods are the same."""
    assert_type(unify.arccos(x), Array)
    assert_type(x.conjugate(), Array)
    assert_type(unify.swapaxes(x, 0, 1), Array)
    assert_type(x.dot(x).trace(0, 0, 1), Array)
    assert_type(unify.hsplit(x, 2), tuple[Array, ...])
    assert_type(unify.vstack([x, x]), Array)
    assert_type(unify.shape(x), tuple[int, ...])
    assert_type(x.flat[0], Array)
    x.flat = 0.0
    assert_type(Container.static_arccos(Container(a=x)), Container)


def derivatives(x: Array, c: Container) -> None:
    """Functions of functions have plain types, because the contents of a nest are unknown."""

    def cost(v: Array) -> Array:
        return unify.sum(v * v)

    ret, grads = unify.execute_with_gradients(cost, x, retain_grads=True, xs_grad_idxs=None)
    assert_type((ret, grads), tuple[Any, Any])
    unify.execute_with_gradients(lambda v: v.a, c, xs_grad_idxs=[["a"]], ret_grad_idxs=[[0, "b"]])
    assert_type(unify.value_and_grad(cost)(x), tuple[Any, Any])
    assert_type(unify.grad(cost, argnums=(0,), via="torch")(x), Any)
    assert_type(unify.jac(cost)(x), Any)
    assert_type(unify.hessian(cost)(x), Any)
    assert_type(unify.jvp(cost, x, x), tuple[Any, Any])
    value, pull = unify.vjp(cost, x)
    assert_type(pull(value), Any)  # two parts or, with has_aux, three
    assert_type(unify.vmap(cost, in_axes=(0,), out_axes=0)(x), Any)
    assert_type(unify.stop_gradient(x, preserve_type=False), Array)
    assert_type(x.stop_gradient(), Array)
    assert_type(unify.requires_gradient(x), bool)
    assert_type(unify.checkpoint(cost)(x), Any)

    def slope(given: tuple[Array, ...], upstream: Array) -> Array:
        return upstream * given[0]

    bound = unify.bind_custom_gradient_function(cost, slope)
    assert_type(bound(x), Any)


def optimizers(w: Container, g: Container) -> None:
    """Steps take nests and return nests."""
    assert_type(unify.gradient_descent_update(w, g, 0.1), Any)
    assert_type(unify.optimizer_update(w, g, 0.1, stop_gradients=False), Any)
    assert_type(unify.momentum_update(w, g, 0.1, 0.0, nesterov=True), tuple[Any, Any])
    assert_type(unify.adam_update(w, g, 0.1, 0.0, 0.0, 1, beta1=0.8), tuple[Any, Any, Any])
    assert_type(unify.adamw_update(w, g, 0.1, 0.0, 0.0, 1), tuple[Any, Any, Any])
    assert_type(unify.lamb_update(w, g, 0.1, 0.0, 0.0, 1), tuple[Any, Any, Any])


def errors(error: UnifyError) -> None:
    """Errors are caught by their names."""
    raise error
