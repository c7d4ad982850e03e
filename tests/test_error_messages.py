"""Errors name the function that was called, its argument and a remedy, on all backends.

B20 and B52; no message of a library is passed on if the arguments show the fault.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from types import ModuleType
from typing import Any, Final

import pytest

import arrayapi_unify as unify
from arrayapi_unify.errors import BackendError, UnifyError
from tests.installed import EAGER, INSTALLED
from tests.tables import each

Call = Callable[[Any], Any]


def _add_in_place(x: Any, y: Any) -> None:
    x += y


def _cyclic() -> Any:
    made: list[Any] = []
    made.append(made)
    return made


def _deep(levels: int) -> Any:
    made: Any = 1.0
    for _ in range(levels):
        made = [made]
    return made


# The beginning of each message.
INVALID_CALLS: Final[dict[str, Call]] = {
    "add(x1=float64 array of shape (2,), x2=": lambda xp: xp.add(xp.ones(2), xp.ones(3)),
    "multiply(x1=float64 array of shape (2,), x2=": lambda xp: xp.ones(2) * xp.ones(3),
    "less(x1=float64 array of shape (2,), x2=": lambda xp: xp.ones(2) < xp.ones(3),
    "atan2(x1=float64 array of shape (2,), x2=": lambda xp: xp.atan2(xp.ones(2), xp.ones(3)),
    "where(condition=bool array of shape (2,), x1=": lambda xp: xp.where(
        xp.ones(2) > 0, xp.ones(3), xp.ones(2)
    ),
    "isclose(x1=float64 array of shape (2,), x2=": lambda xp: xp.isclose(xp.ones(2), xp.ones(3)),
    "nn.cross_entropy(true=float64 array of shape (2,), pred=float64": lambda xp: xp.cross_entropy(
        xp.ones(2), xp.ones(3)
    ),
    "nn.cosine_similarity(x1=float64 array of shape (2,), x2=float64 array of shape (3,)) failed "
    "on the numpy backend: x2 of": lambda xp: xp.cosine_similarity(xp.ones(2), xp.ones(3)),
    "add(x1=float64 array of shape (3,), x2=": lambda xp: _add_in_place(
        xp.ones(3), xp.ones((2, 3))
    ),
    "add(x1=int8 array of shape (3,), x2=1.5) failed": lambda xp: _add_in_place(
        xp.ones(3, dtype=xp.int8), 1.5
    ),
    "add: argument 'out' has shape (3,), the result has (2,)": lambda xp: xp.add(
        xp.ones(2), xp.ones(2), out=xp.ones(3)
    ),
    "add: argument 'out' has data type int8, to which": lambda xp: xp.add(
        xp.ones(2), xp.ones(2), out=xp.ones(2, dtype=xp.int8)
    ),
    "sqrt: argument 'out' has data type float32, to which": lambda xp: xp.sqrt(
        xp.ones(2), out=xp.ones(2, dtype=xp.float32)
    ),
    # Arguments that NumPy or TensorFlow would accept, and others refuse.
    "ones: argument 'shape' is float64 array of shape (0,)": lambda xp: xp.ones(xp.ones(0)),
    "full: argument 'shape' is int64 array of shape (2,)": lambda xp: xp.full(
        xp.asarray([2, 3]), 1.0
    ),
    "moveaxis: argument 'destination' is float64 array of shape (0, 3)": lambda xp: xp.moveaxis(
        xp.ones(1), (), xp.ones((0, 3))
    ),
    "std: argument 'correction' is complex128 array of shape ()": lambda xp: xp.std(
        xp.ones(2), correction=xp.asarray(1j)
    ),
    "var: argument 'correction' is float64 array of shape (1,)": lambda xp: xp.var(
        xp.ones(2), correction=xp.asarray([1.0])
    ),
    "__dlpack__: argument 'copy' is [1]": lambda xp: xp.ones(2).__dlpack__(copy=[1]),
    # TensorFlow crashed for lists of this depth.
    "diag: argument 'k' holds itself": lambda xp: xp.diag(xp.ones(1), k=_deep(2000)),
    # Arguments that the libraries refuse with their own messages.
    "__dlpack__: argument 'max_version' is 5": lambda xp: xp.ones(2).__dlpack__(max_version=5),
    "__array__: argument 'dtype' is 'nonsense'": lambda xp: xp.ones(2).__array__("nonsense"),
    "result_type: argument 'arrays_and_dtypes' doesn't fit: None": lambda xp: xp.result_type(
        xp.ones(1), None
    ),
    "__array_namespace_info__: argument 'device' ": lambda xp: xp.__array_namespace_info__().dtypes(
        device=[[]]
    ),
    "__array_namespace_info__: argument 'kind' is [[]]": lambda xp: (
        xp.__array_namespace_info__().dtypes(kind=[[]])
    ),
    "compile_graph: argument 'x' is range": lambda xp: unify.compile_graph(abs, xp.ones(2))(
        range(3)
    ),
    "Adam.stateless_step: argument 'state' is 5": lambda xp: unify.optimizers.Adam().stateless_step(
        xp.ones(2), xp.ones(2), 5
    ),
    "SGD.step(v=float64 array of shape (2,), grads='a') failed": lambda xp: (
        unify.optimizers.SGD().step(xp.ones(2), "a")
    ),
    "vjp: argument 'primals' holds itself": lambda xp: unify.vjp(abs, _cyclic()),
    "cond: argument 'operands' holds itself": lambda xp: unify.cond(True, abs, abs, _cyclic()),
    "vmap: argument 'args' holds itself": lambda xp: unify.vmap(abs)(_deep(2000)),
    "checkpoint: argument 'args' holds itself": lambda xp: unify.checkpoint(abs)(_cyclic()),
    "vjp: argument 'upstream' holds itself": lambda xp: unify.vjp(abs, xp.ones(2), via="torch")[1](
        _cyclic()
    ),
    "vjp: argument 'via' is float64 array": lambda xp: unify.vjp(abs, xp.ones(2), via=xp.ones(2)),
    "grad: argument 'via' is 'no', which is no backend": lambda xp: unify.grad(abs, via="no")(
        xp.ones(2)
    ),
    "fori_loop: argument 'upper' is a number of data type": lambda xp: unify.fori_loop(
        0, 1e300, lambda i, x: x, xp.ones(2)
    ),
    "broadcast_shapes: argument 'shapes' holds itself, or lists in more than": lambda xp: (
        xp.broadcast_shapes(_deep(2000))
    ),
    "broadcast_shapes: argument 'shapes' holds a range": lambda xp: xp.broadcast_shapes(
        range(10**18)
    ),
    "reshape: argument 'shape' is (4,)": lambda xp: xp.reshape(xp.ones(6), (4,)),
    "matmul: argument 'x2' is zero-dimensional": lambda xp: xp.ones(2) @ 2,
    "matmul: argument 'x2' has shape (2, 3)": lambda xp: xp.ones((2, 3)) @ xp.ones((2, 3)),
    "linalg.inv: argument 'x' has shape (2, 3)": lambda xp: xp.linalg.inv(xp.ones((2, 3))),
    "linalg.inv: argument 'x' holds a matrix that is singular": lambda xp: xp.linalg.inv(
        xp.zeros((2, 2))
    ),
    "linalg.trace: argument 'x' has shape (3,)": lambda xp: xp.linalg.trace(xp.ones(3)),
    "linspace: argument 'start' is": lambda xp: xp.linspace(xp.ones(2), 1, 3),
    "zeros: argument 'shape' is -1": lambda xp: xp.zeros(-1),
    "full: argument 'shape' is -1": lambda xp: xp.full(-1, 2),
    "asarray: argument 'obj' is, or holds, a list": lambda xp: xp.asarray([[1], [2, 3]]),
    "concat: argument 'arrays' holds arrays of the shapes": lambda xp: xp.concat(
        [xp.ones(2), xp.ones((2, 2))]
    ),
    "sum: argument 'axis' is 2": lambda xp: xp.sum(xp.ones(2), axis=2),
    "max: argument 'x' has shape (0,)": lambda xp: xp.max(xp.zeros(0)),
    "bitwise_and: argument 'x1' has": lambda xp: xp.bitwise_and(xp.ones(2), xp.ones(2)),
    "fft.fft: argument 'n' is 0": lambda xp: xp.fft.fft(xp.ones(3), n=0),
    "get_item(x=float64 array of shape (3,), key=5) failed": lambda xp: xp.ones(3)[5],
    "nn.softmax: argument 'axis' is 3": lambda xp: xp.softmax(xp.ones(2), axis=3),
    "take: argument 'indices' holds 5": lambda xp: xp.take(xp.ones(3), xp.asarray([5])),
}


def _message(call: Call, backend: str) -> str:
    with pytest.raises(UnifyError) as caught:
        unify.compute(call(importlib.import_module(f"arrayapi_unify.{backend}")))
    return str(caught.value)


@pytest.mark.quick
@each("beginning", INVALID_CALLS)
def test_message_on_numpy(beginning: str) -> None:
    message = _message(INVALID_CALLS[beginning], "numpy")
    assert message.startswith(beginning)
    assert len(message.split("; ")) == 2, "one remedy, and no more"


@pytest.mark.parametrize("beginning", INVALID_CALLS)
def test_messages_are_alike(beginning: str) -> None:
    names = EAGER if beginning.startswith("compile_graph") else INSTALLED
    messages = {name: _message(INVALID_CALLS[beginning], name) for name in names}
    for name, message in messages.items():
        assert message.replace(name, "") == messages["numpy"].replace("numpy", "")


class TestOtherBackends:
    """B20: an array of another backend is named, with a remedy that works."""

    def test_element_is_named(self, xp: ModuleType, frozen: ModuleType) -> None:
        for namespace in (unify, xp):
            with pytest.raises(BackendError, match=r"'arrays\[1\]'.*to_backend\(arrays\[1\]"):
                namespace.stack([xp.ones(2), frozen.ones(2)])

    def test_remedy_works(self, xp: ModuleType, frozen: ModuleType) -> None:
        x, y = xp.ones(2), frozen.ones(2)
        with pytest.raises(BackendError, match=r"matmul: argument 'x2'.*unify.to_backend\(x2,"):
            x @ y
        assert float(x @ unify.to_backend(y, x.backend)) == 2.0

    def test_natives_of_others(self, xp: ModuleType, frozen: ModuleType) -> None:
        native = frozen.ones(2).data
        with pytest.raises(BackendError, match=r"matmul: argument 'x2'.*unify.to_backend\(x2,"):
            xp.ones(2) @ native


class TestCallbacks:
    """B52: an exception of the user's own code reaches the user unchanged."""

    @pytest.mark.parametrize(
        "error", [ValueError("mine"), TypeError("mine"), KeyboardInterrupt(), unify.UnifyError("m")]
    )
    def test_unchanged(self, error: BaseException, xp: ModuleType) -> None:
        def fail(*args: Any, **kwargs: Any) -> Any:
            raise error

        class Failing:
            """Its handler raises."""

            __ivy_array_function__ = fail

        x = xp.ones((1, 2, 2))
        calls: list[Callable[[], Any]] = [
            lambda: unify.Container(a=x).map(fail),
            lambda: unify.nested_map(fail, [x]),
            lambda: unify.add(Failing(), x),
            lambda: x + Failing(),
            lambda: xp.multi_head_attention(x, 1.0, 1, to_q_fn=fail),
            lambda: unify.multi_head_attention(x, 1.0, 1, to_q_fn=fail),
            lambda: unify.portable(fail)(x),
        ]
        for call in calls:
            with pytest.raises(type(error)) as caught:
                call()
            assert caught.value is error
            assert caught.value.__cause__ is None
