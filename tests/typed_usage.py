"""Uses of the package for type checkers; `tox -e types` checks them without running them."""

from typing import Any, assert_type

import arrayapi_unify as unify
import arrayapi_unify.numpy as xp
from arrayapi_unify import Array, Container, DType, UnifyError


def functions(x: Array) -> None:
    """The namespaces' functions have the types of their contracts."""
    assert_type(unify.add(x, 1.0), Array)
    assert_type(unify.linalg.inv(x), Array)
    assert_type(xp.sum(x, axis=0, dtype=xp.float32), Array)
    assert_type(unify.float64, DType)
    unify.add(x, "1")  # type: ignore[call-overload]  # text isn't an operand


def calls_of_numpys(x: Array) -> None:
    """Positions and parameters of NumPy's have types, too."""
    assert_type(xp.sum(x, 0), Array)
    assert_type(unify.std(x, 0, ddof=1), Array)
    assert_type(unify.sum(x, 0, None, None, True, where=x > 0, initial=1), Array)
    assert_type(x.sum(0), Array)
    assert_type(x.reshape(3, 1), Array)
    unify.sum(x, nonsense=0)  # type: ignore[call-overload]  # no parameter of either


def containers(c: Container, x: Array) -> None:
    """Nestable functions take Containers as well."""
    assert_type(unify.sum(c, axis=0), Any)
    assert_type(unify.add(x, c), Any)
    assert_type(c.sum(axis=0), Container)
    assert_type(c + x, Container)


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
    assert_type(pull(value), tuple[Any, ...])
    assert_type(unify.vmap(cost, in_axes=(0,), out_axes=0)(x), Any)
    assert_type(unify.stop_gradient(x, preserve_type=False), Array)
    assert_type(x.stop_gradient(), Array)
    assert_type(unify.requires_gradient(x), bool)
    assert_type(unify.checkpoint(cost)(x), Any)
    bound = unify.bind_custom_gradient_function(cost, lambda given, upstream: upstream * given[0])
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
