"""The operations to measure, and the libraries whose functions are called."""

from __future__ import annotations

import importlib
import importlib.util
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

__all__ = [
    "BACKENDS",
    "NAMES",
    "OPERATIONS",
    "SIZES",
    "Candidate",
    "load_candidates",
    "installed",
    "scope",
]

SIZES: Final = (4, 1_000, 1_000_000)

# operation -> statement. x, y and o have the size's number of elements, m is a square matrix, i and
# mask are index arrays, values is a list of Python floats. `native` is a native array of y's
# values, `np` is NumPy.
OPERATIONS: Final[dict[str, str]] = {
    "add(x, y)": "xp.add(x, y)",
    "add(x, 2)": "xp.add(x, 2.0)",
    "add(x, native)": "xp.add(x, native)",
    "add(x, y, out=o)": "xp.add(x, y, out=o)",
    "x + y": "x + y",
    "x * 2": "x * 2.0",
    "x ** 2": "x ** 2",
    "x // y": "x // y",
    "x > 0": "x > 0",
    "x += y": "x += y",
    "sin(x)": "xp.sin(x)",
    "floor_divide(x, y)": "xp.floor_divide(x, y)",
    "sum(x)": "xp.sum(x)",
    "reshape(x)": "xp.reshape(x, (2, -1))",
    "astype(x)": "xp.astype(x, xp.float32)",
    "result_type(x, y)": "xp.result_type(x, y)",
    "x.dtype": "x.dtype",
    "x[1:3]": "x[1:3]",
    "m[0, 1]": "m[0, 1]",
    "x[i]": "x[i]",
    "x[[0]]": "x[[0]]",
    "x[mask]": "x[mask]",
    "float(x[0])": "float(x[0])",
    "np.asarray(x)": "np.asarray(x)",
    "x[1] = 2": "x[1] = 2.0",
    "x[1:3] += 1": "x[1:3] += 1",
    "concat((x, y))": "xp.concat((x, y))",
    "matmul(m, m)": "xp.matmul(m, m)",
    "m @ m": "m @ m",
    "arange(n)": "xp.arange(n)",
    "zeros(n)": "xp.zeros(n)",
    "asarray(list)": "xp.asarray(values)",
}
# Statements that pass objects other than Python's own: measured for our candidates only.
_OURS: Final = (
    "add(x, native)", "add(x, y, out=o)", "astype(x)", "result_type(x, y)", "x[[0]]",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Candidate:
    """A way to call: a namespace, its arrays, and its own statements."""

    name: str
    namespace: Any
    make: Callable[[Any], Any]
    # Operators need no namespace, so only one candidate of a library is measured with them.
    operators: bool = True
    # True if its arrays are Arrays.
    ours: bool = False
    # Statements that differ for a library; None if it has no equivalent.
    spelled: Mapping[str, str | None] = field(default_factory=dict)

    def statement(self, operation: str) -> str | None:
        """Return this candidate's statement for an operation, or None if it isn't measured."""
        statement = self.spelled.get(operation, OPERATIONS[operation])
        if statement is None or not (self.operators or "xp." in statement):
            return None
        return statement


@dataclass(frozen=True, slots=True)
class _Library:
    """A bare library: the modules of its functions, and its own statements."""

    functions: str
    arrays: str
    spelled: Mapping[str, str | None] = field(default_factory=dict)
    peers: tuple[str, ...] = ()


_NUMPY: Final = {"astype(x)": "x.astype(xp.float32)"}
_TORCH: Final = {
    "astype(x)": "x.to(xp.float32)",
    "zeros(n)": "xp.zeros(n, dtype=xp.float64)",
    "asarray(list)": "xp.asarray(values, dtype=xp.float64)",
}
_TENSORFLOW: Final = {
    "add(x, y, out=o)": "xp.add(x, y)",
    "astype(x)": "xp.cast(x, xp.float32)",
    "result_type(x, y)": None,
    "x[i]": "xp.gather(x, i)",
    "x[[0]]": "xp.gather(x, [0])",
    "x[mask]": "xp.boolean_mask(x, mask)",
    "arange(n)": "xp.range(n, dtype=xp.int64)",
    "floor_divide(x, y)": "xp.math.floordiv(x, y)",
    "sum(x)": "xp.reduce_sum(x)",
    "x[1] = 2": "xp.tensor_scatter_nd_update(x, [[1]], [2.0])",
    "x[1:3] += 1": "xp.tensor_scatter_nd_add(x, [[1], [2]], [1.0, 1.0])",
    "concat((x, y))": "xp.concat((x, y), 0)",
    "zeros(n)": "xp.zeros(n, xp.float64)",
    "asarray(list)": "xp.constant(values, xp.float64)",
}
_JAX: Final = {
    "add(x, y, out=o)": "xp.add(x, y)",
    "x[[0]]": "x[xp.asarray([0])]",
    "x[1] = 2": "x.at[1].set(2.0)",
    "x[1:3] += 1": "x.at[1:3].add(1)",
}
_KERAS: Final = {
    **dict.fromkeys(_OURS),
    "x[1] = 2": None,
    "x[1:3] += 1": None,
    "concat((x, y))": "xp.concatenate((x, y))",
    "zeros(n)": "xp.zeros((n,), 'float64')",
    "asarray(list)": "xp.array(values, 'float64')",
}
_DOUBLE_LISTS: Final = {
    **dict.fromkeys(_OURS),
    "zeros(n)": "xp.zeros(n, dtype=xp.float64)",
    "asarray(list)": "xp.asarray(values, dtype=xp.float64)",
}
BACKENDS: Final[dict[str, _Library]] = {
    "numpy": _Library(
        "numpy", "numpy.asarray", _NUMPY, peers=("array_api_compat.numpy", "array_api_strict")
    ),
    "torch": _Library(
        "torch",
        "torch.asarray",
        _TORCH,
        peers=("array_api_compat.torch", "keras.ops"),
    ),
    "tensorflow": _Library(
        "tensorflow", "tensorflow.convert_to_tensor", _TENSORFLOW, peers=("keras.ops",)
    ),
    "jax": _Library(
        "jax.numpy",
        "jax.numpy.asarray",
        _JAX,
        peers=("keras.ops",),
    ),
}


def installed() -> list[str]:
    """Return the names of the backends with installed libraries."""
    return [name for name in BACKENDS if importlib.util.find_spec(name) is not None]


def _resolve(dotted: str) -> Any:
    module, _, name = dotted.rpartition(".")
    try:
        return importlib.import_module(dotted)
    except ModuleNotFoundError:
        return getattr(importlib.import_module(module), name)


def _peer(name: str, library: _Library) -> Candidate:
    namespace = _resolve(name)
    if name == "array_api_strict":
        return Candidate(name, namespace, namespace.asarray, spelled=dict.fromkeys(_OURS))
    spelled = _KERAS if name == "keras.ops" else _DOUBLE_LISTS
    return Candidate(name, namespace, _resolve(library.arrays), operators=False, spelled=spelled)


def _without_arrays(backend: str) -> dict[str, str | None]:
    """Omit functions without an array, which the top level runs on NumPy."""
    return {} if backend == "numpy" else dict.fromkeys(("arange(n)", "zeros(n)", "asarray(list)"))


def load_candidates(backend: str) -> tuple[Candidate, list[Candidate]]:
    """Return the bare library, and the candidates to compare with it."""
    # Keras reads its backend from here at its first import.
    os.environ["KERAS_BACKEND"] = backend
    library = BACKENDS[backend]
    unify = importlib.import_module("arrayapi_unify")
    bound = unify.get_backend(backend)
    if backend == "jax":
        # Synchronous, so that a call's time includes its work.
        importlib.import_module("jax").config.update("jax_cpu_enable_async_dispatch", False)
    native = Candidate(
        backend, _resolve(library.functions), _resolve(library.arrays), spelled=library.spelled
    )
    return native, [
        Candidate("bound namespace", bound, bound.asarray, ours=True),
        Candidate("top level", unify, bound.asarray, False, True, _without_arrays(backend)),
        *(_peer(name, library) for name in library.peers),
    ]


NAMES: Final = "xp, x, y, o, m, i, mask, n, values, native, np"
"""The names whose values `scope` returns."""


def scope(candidate: Candidate, size: int) -> dict[str, Any]:
    """Return the values of the statements' names for a candidate."""
    side = max(2, int(size**0.5))
    values = np.linspace(0.5, 2.5, size)
    arrays = (
        values.copy(),
        values[::-1].copy(),
        np.zeros(size),
        np.resize(values, (side, side)),
        np.arange(size)[::-2].copy(),
        np.arange(size) % 2 == 0,
    )
    made = [candidate.make(array) for array in arrays]
    native = getattr(made[1], "data", made[1]) if candidate.ours else made[1]
    return {"scope": (candidate.namespace, *made, size, values.tolist(), native, np)}
