"""`out=` of native functions: no temporary, and the values of a call without it.

B8 and B80 (docs/behaviours.md).
"""

from __future__ import annotations

import importlib
import tracemalloc
from collections.abc import Callable
from types import ModuleType
from typing import Any, Final

import numpy as np
import pytest
import torch

import arrayapi_unify as unify
from arrayapi_unify.binding import namespace_of
from arrayapi_unify.binding.native_functions import NativeFunctions
from arrayapi_unify.contracts import CONTRACTS
from tests.tables import each

SIZE: Final = 1 << 16
BYTES: Final = 8 * SIZE
# Arguments of functions for which those of an elementwise function won't do: keywords, by name.
OF_SEQUENCES: Final = {"concat", "stack"}
OF_BOOLS: Final = {"all", "any"}
OF_INTEGERS: Final = {
    "bitwise_and", "bitwise_invert", "bitwise_left_shift", "bitwise_or", "bitwise_right_shift",
    "bitwise_xor",
}  # fmt: skip
OF_MATRICES: Final = {"matmul", "tril", "triu"}


def marked(backend: str) -> list[str]:
    """Return the functions whose native ones say that they write into `out`."""
    declared = NativeFunctions(backend).declared
    found = {name: declared(c) for name, c in CONTRACTS.items() if c.takes_out}
    return sorted(n for n, native in found.items() if getattr(native, "supports_native_out", False))


MARKED: Final = [(backend, name) for backend in ("numpy", "torch") for name in marked(backend)]


def call_of(xp: ModuleType, name: str) -> Callable[..., Any]:
    """Return a call of a function with large arguments."""
    random = np.random.default_rng(5)
    shape = (256, 256) if name in OF_MATRICES else (4, SIZE // 4)
    values: Any = random.uniform(0.1, 0.9, shape)
    if name in OF_INTEGERS | OF_BOOLS:
        values = (values * 4).astype(np.int64 if name in OF_INTEGERS else np.bool_)
    if name == "acosh":
        values = values + 1
    x, y = xp.asarray(values), xp.asarray(np.flip(values).copy())
    function = getattr(xp.linalg, name.partition(".")[2]) if "." in name else getattr(xp, name)
    if name == "linalg.outer":
        return lambda **out: function(x[0, :256], y[0, :256], **out)
    if name in OF_SEQUENCES:
        return lambda **out: function([x, y], **out)
    if name == "where":
        return lambda **out: function(x > y, x, y, **out)
    if name == "clip":
        return lambda **out: function(x, 0.25, 0.5, **out)
    if name.startswith(("cumulative", "arg")):
        return lambda **out: function(x, axis=1, **out)
    if CONTRACTS[name].category in ("statistical", "searching", "utility"):
        return lambda **out: function(x, axis=0, **out)
    operands = [p for p in CONTRACTS[name].parameters if p.name in ("x1", "x2")]
    return lambda **out: function(*([x, y] if operands else [x]), **out)


def allocated(backend: str, call: Callable[[], Any]) -> int:
    """Return the bytes of the largest piece of memory that a call of a library takes."""
    call()
    if backend == "numpy":
        tracemalloc.start()
        call()
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return peak
    with torch.autograd.profiler_legacy.profile(profile_memory=True) as profile:  # type: ignore[no-untyped-call]  # not annotated
        call()
    return max([event.self_cpu_memory_usage for event in profile.function_events], default=0)


class TestNoTemporary:
    @each("backend, name", MARKED)
    def test_of_a_result_in_out(self, backend: str, name: str) -> None:
        xp: Any = namespace_of(backend)
        call = call_of(xp, name)
        expected = call()
        out = xp.empty_like(expected)
        data = out.data
        size = expected.size * expected.data.dtype.itemsize
        assert allocated(backend, lambda: call(out=out)) < size / 2 + 2000
        assert out.data is data
        assert bool(xp.all(out == expected))

    @pytest.mark.parametrize("backend", ["numpy", "torch"])
    def test_a_temporary_is_noticed(self, backend: str) -> None:
        call = call_of(namespace_of(backend), "add")
        assert allocated(backend, call) >= BYTES

    @pytest.mark.parametrize("backend", ["numpy", "torch"])
    def test_the_seeds_are_marked(self, backend: str) -> None:
        seeds = {"stack", "concat", "matmul", "where", "sum", "prod", "max", "min", "mean"}
        assert seeds | {"all", "any", "argmax", "cumulative_sum"} <= set(marked(backend))


def _memory(backend: str) -> tuple[Any, Any]:
    values = np.linspace(0.5, 3.0, 64)
    return values, (torch.from_numpy(values) if backend == "torch" else values)


# Windows of 64 numbers in which inputs and `out` lie over each other, in several layouts.
WINDOWS: Final[dict[str, Callable[[Any], Any]]] = {
    "begin": lambda m: m[:16].reshape(4, 4),
    "shifted": lambda m: m[8:24].reshape(4, 4),
    "turned": lambda m: m[:16].reshape(4, 4).T,
    "spread": lambda m: (
        m[:32:2].reshape(4, 4) if isinstance(m, np.ndarray) else m[:32].view(4, 8)[:, ::2]
    ),
    "apart": lambda m: m[32:48].reshape(4, 4),
}
CALLS: Final[dict[str, Callable[..., Any]]] = {
    "add": lambda xp, x, y, **o: xp.add(x, y, **o),
    "matmul": lambda xp, x, y, **o: xp.matmul(x, y, **o),
    "where": lambda xp, x, y, **o: xp.where(x > 1.0, x, y, **o),
    "pow": lambda xp, x, y, **o: xp.pow(x, 2, **o),
    "concat": lambda xp, x, y, **o: xp.concat([x[:1], y[1:]], **o),
    "stack": lambda xp, x, y, **o: xp.stack([x[0], y[1], x[2], y[3]], axis=1, **o),
    "cumulative_sum": lambda xp, x, y, **o: xp.cumulative_sum(x, axis=0, **o),
    "negative": lambda xp, x, y, **o: xp.negative(x, **o),
    "tril": lambda xp, x, y, **o: xp.tril(x, **o),
    "clip": lambda xp, x, y, **o: xp.clip(x, 1.0, 2.0, **o),
    "outer": lambda xp, x, y, **o: xp.linalg.outer(x[:, 1], y[1], **o),
}


class TestValues:
    @each("backend", ["numpy", "torch"])
    @each("name", list(CALLS))
    def test_of_overlapping_memory(self, backend: str, name: str) -> None:
        xp, call = namespace_of(backend), CALLS[name]
        for first in WINDOWS.values():
            for second in WINDOWS.values():
                for target in WINDOWS.values():
                    values, memory = _memory(backend)
                    x, y, out = (unify.Array(w(memory)) for w in (first, second, target))
                    expected = np.array(unify.to_numpy(call(xp, x, y)))
                    assert call(xp, x, y, out=out) is out
                    np.testing.assert_allclose(unify.to_numpy(out), expected, rtol=1e-14)
                    wanted = values if backend == "numpy" else memory.numpy()
                    assert np.shares_memory(unify.to_numpy(out), wanted)

    @each("backend", ["numpy", "torch"])
    @each("name", ["sum", "prod", "max", "mean", "var", "std"])
    @each("axis", [None, (), 0, (0, 1), -1])
    @each("dtype", ["float32", "float64", "int32", "int64", "uint16", "complex64"])
    def test_of_reductions(self, backend: str, name: str, axis: Any, dtype: str) -> None:
        if name == "max" and dtype == "complex64":
            return
        xp: Any = namespace_of(backend)
        x = xp.astype(xp.reshape(xp.arange(12), (3, 4)), getattr(xp, dtype))
        for keepdims in (False, True):
            expected = getattr(xp, name)(x, axis=axis, keepdims=keepdims)
            for target in (expected.dtype, xp.complex128):
                out = xp.zeros(expected.shape, dtype=target)
                assert getattr(xp, name)(x, axis=axis, keepdims=keepdims, out=out) is out
                assert bool(xp.all(out == xp.astype(expected, target)))
            wrong = xp.ones((5, *expected.shape), dtype=expected.dtype)
            with pytest.raises(ValueError, match="argument 'out'"):
                getattr(xp, name)(x, axis=axis, keepdims=keepdims, out=wrong)
            assert bool(xp.all(wrong == 1))

    @each("backend", ["numpy", "torch"])
    @each("name", ["add", "matmul", "sum", "concat", "where", "cumulative_sum"])
    def test_of_a_narrower_out_is_refused(self, backend: str, name: str) -> None:
        xp: Any = namespace_of(backend)
        x = xp.ones((4, 4))
        given: Any = {"sum": (x,), "cumulative_sum": (x[0],), "concat": ([x],)}.get(name, (x, x))
        given = (x > 0, x, x) if name == "where" else given
        expected = getattr(xp, name)(*given)
        out = xp.zeros(expected.shape, dtype=xp.float32)
        with pytest.raises(
            TypeError, match="Cannot cast|argument 'out'" if name == "matmul" else "argument 'out'"
        ):
            getattr(xp, name)(*given, out=out)
        assert not bool(xp.any(out))

    @each("name", ["matmul", "sum", "stack", "where"])
    def test_of_tracked_tensors(self, name: str) -> None:
        xp: Any = namespace_of("torch")
        leaf = torch.ones((2, 2), dtype=torch.float64, requires_grad=True)
        x = unify.Array(leaf)
        given: Any = {"sum": (x,), "stack": ([x, x],), "where": (x > 0, x, x)}.get(name, (x, x))
        plain = getattr(xp, name)(*given)
        out = xp.zeros(plain.shape)
        assert getattr(xp, name)(*given, out=out) is out
        xp.sum(out).data.backward()
        assert leaf.grad is not None
        assert bool((leaf.grad != 0).all())

    def test_of_a_registered_alias(self) -> None:
        xp: Any = namespace_of("torch")
        memory = xp.zeros((2, 3))
        row = memory[0]
        xp.stack([xp.asarray(1.0), xp.asarray(2.0), xp.asarray(3.0)], out=row)
        xp.sum(xp.ones((4, 3)), axis=0, out=memory[1])
        assert memory.tolist() == [[1.0, 2.0, 3.0], [4.0, 4.0, 4.0]]

    def test_of_natives(self) -> None:
        """A function of a backend writes, or raises; it never returns and leaves `out` behind."""
        native: Any = importlib.import_module("arrayapi_unify.backends.torch")
        x = torch.ones((2, 2), dtype=torch.float64)
        out = torch.zeros((2, 2), dtype=torch.complex128)
        assert native.matmul(x, x, out=out) is out
        assert out.tolist() == [[2, 2], [2, 2]]
        with pytest.raises(ValueError, match="argument 'out'"):
            native.matmul(x, x, out=torch.zeros(4, dtype=torch.float64))
