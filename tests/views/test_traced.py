"""Programs of views and writes in `jax.jit`, `tf.function` and `torch.compile`, and gradients.

A program is drawn beforehand and run by NumPy; the framework traces or differentiates it as a
whole.
"""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from arrayapi_unify.array_object import Array
from arrayapi_unify.binding import namespace_of
from tests.differential.runner import check_examples
from tests.differential.tracing import COMPILERS
from tests.installed import INSTALLED
from tests.views.roots import tensor
from tests.views.source import compiled, source
from tests.views.traced import Program, linear, programs, slopes

DTYPES = ("float64", "float32", "int64", "complex128")
FRAMEWORKS = [name for name in INSTALLED if name in COMPILERS]
# Tracing takes 0.1 to 1 s on PyTorch and JAX.
SHARES = {"torch": 0.25}
# Layouts of arrays in libraries that keep them.
LAID = {"torch": ("C", "transposed", "rolled", "strided", "offset")}


def _natives(program: Program, xp: ModuleType) -> Callable[[Any], list[Any]]:
    function = compiled(source(program.steps))
    return lambda native: [x.data for x in function(xp, xp.asarray(native))]


@pytest.mark.slow_on("torch")
@pytest.mark.parametrize("framework", FRAMEWORKS)
def test_traced_as_numpy_runs_it(framework: str) -> None:
    xp = namespace_of(framework)

    def check(program: Program) -> str | None:
        function = COMPILERS[framework](_natives(program, xp))
        try:
            given = program.laid(program.first.values)
            found = function(tensor(given) if framework in LAID else xp.asarray(given).data)
        except Exception as error:
            return f"{program}raises {error!r}"
        for i, (native, twin) in enumerate(zip(found, program.results, strict=True)):
            x = Array(native)
            same = x.dtype.name == twin.dtype.name and x.shape == twin.shape
            if not same or not np.array_equal(np.asarray(x), twin):
                return f"{program}result {i} is {x!r}, in NumPy {twin!r}"
        return None

    drawn = programs(DTYPES, layouts=LAID.get(framework, ("C",)))
    check_examples(drawn, check, xp, share=SHARES.get(framework, 1.0))


# --- derivatives --------------------------------------------------------------------------------

Total = Callable[[Any], Any]


def _autograd(total: Total, first: Any) -> Any:
    import torch

    leaf = tensor(first).requires_grad_()
    found = total(leaf)
    assert leaf.tolist() == first.tolist(), "a leaf was changed"
    if not found.requires_grad:
        return np.zeros(first.shape)
    (gradient,) = torch.autograd.grad(found, leaf, allow_unused=True)
    return np.zeros(first.shape) if gradient is None else gradient.numpy()


def _func(total: Total, first: Any) -> Any:
    import torch

    return torch.func.grad(total)(tensor(first)).numpy()


def _tape(total: Total, first: Any) -> Any:
    import tensorflow as tf

    constant = tf.constant(first)
    with tf.GradientTape() as tape:
        tape.watch(constant)
        found = total(constant)
    gradient = tape.gradient(found, constant)
    return np.zeros(first.shape) if gradient is None else tf.convert_to_tensor(gradient).numpy()


def _grad(total: Total, first: Any) -> Any:
    import jax

    return np.asarray(jax.jit(jax.grad(total))(first))


GRADIENTS: dict[str, tuple[str, Callable[[Total, Any], Any]]] = {
    "torch.autograd": ("torch", _autograd),
    "torch.func": ("torch", _func),
    "tensorflow": ("tensorflow", _tape),
    "jax": ("jax", _grad),
}


@pytest.mark.parametrize("way", [w for w, (name, _) in GRADIENTS.items() if name in INSTALLED])
def test_derivative(way: str) -> None:
    framework, gradient = GRADIENTS[way]
    xp = namespace_of(framework)

    def check(program: Program) -> str | None:
        function = compiled(source(program.steps))

        def total(native: Any) -> Any:
            parts = [x for x in function(xp, xp.asarray(native)) if x.dtype is xp.float64]
            return xp.asarray(sum((xp.sum(x) for x in parts), xp.zeros(()))).data

        try:
            found = gradient(total, program.laid(program.first.values))
        except Exception as error:
            return f"{program}raises {error!r}"
        wanted = slopes(program)
        return None if np.array_equal(found, wanted) else f"{program}{found} for {wanted}"

    check_examples(programs(("float64",), linear, LAID.get(framework, ("C",))), check, xp)
