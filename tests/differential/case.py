"""A call, independent of any backend: it can be made on each of them, and printed as source."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

import numpy as np

from arrayapi_unify.dtypes import DType

__all__ = ["VIEWS", "ArrayArg", "Case", "build", "leaves", "literal", "replaced"]


def _interleaved(values: Any) -> Any:
    base = np.zeros((*values.shape[:-1], 2 * values.shape[-1]), values.dtype)
    base[..., ::2] = values
    return base


@dataclass(frozen=True)
class View:
    """A way to an array through another one: what to make, and how to look at it."""

    base: Callable[[Any], Any]
    key: Any
    text: str


VIEWS: dict[str, View] = {
    "reversed": View(lambda v: v[::-1], slice(None, None, -1), "[::-1]"),
    "every second": View(_interleaved, (..., slice(None, None, 2)), "[..., ::2]"),
    "behind": View(lambda v: np.concatenate([v[:1], v]), slice(1, None), "[1:]"),
    "reversed last": View(lambda v: v[..., ::-1], (..., slice(None, None, -1)), "[..., ::-1]"),
}


@dataclass(frozen=True, eq=False)
class ArrayArg:
    """An array argument: its values, and the view through which the backend sees them."""

    values: Any
    view: str | None = None

    def build(self, xp: ModuleType) -> Any:
        """Make the array on a backend."""
        if self.view is None:
            return xp.asarray(np.array(self.values), copy=True)
        view = VIEWS[self.view]
        return xp.asarray(np.array(view.base(self.values), order="C"), copy=True)[view.key]

    def __repr__(self) -> str:
        """Return the expression that makes the array."""
        if self.view is None:
            return f"xp.asarray({_array_text(self.values)})"
        view = VIEWS[self.view]
        return f"xp.asarray({_array_text(view.base(self.values))}){view.text}"


def _array_text(values: Any) -> str:
    if values.size:
        return f"np.array({literal(values.tolist())}, {values.dtype.name!r})"
    return f"np.zeros({values.shape}, {values.dtype.name!r})"


@dataclass(frozen=True, eq=False)
class Case:
    """One call: the qualified name of the function, and its arguments."""

    function: str
    args: tuple[Any, ...] = ()
    kwargs: dict[str, Any] = field(default_factory=dict)

    def __repr__(self) -> str:
        """Return the call as source; `xp` is the namespace of a backend."""
        parts = [literal(value) for value in self.args]
        parts += [f"{name}={literal(value)}" for name, value in self.kwargs.items()]
        return f"xp.{self.function}({', '.join(parts)})"

    def arrays(self) -> list[Any]:
        """Return the NumPy values of all array arguments, `out` left out."""
        given = [*self.args, *(v for k, v in self.kwargs.items() if k != "out")]
        return [leaf.values for leaf in leaves(given) if isinstance(leaf, ArrayArg)]


def leaves(spec: Any) -> list[Any]:
    """Return everything in nested lists, tuples and dicts that is none of these."""
    if isinstance(spec, dict):
        spec = list(spec.values())
    if isinstance(spec, list | tuple):
        return [leaf for item in spec for leaf in leaves(item)]
    return [spec]


def replaced(
    spec: Any,
    function: Callable[[ArrayArg], Any],
    among: Callable[[ArrayArg], bool] = lambda array: True,
) -> Any:
    """Replace the arrays of nested arguments, or some of them, in their order."""
    if isinstance(spec, dict):
        return {name: replaced(value, function, among) for name, value in spec.items()}
    if isinstance(spec, list | tuple):
        return type(spec)([replaced(item, function, among) for item in spec])
    return function(spec) if isinstance(spec, ArrayArg) and among(spec) else spec


def build(spec: Any, xp: ModuleType) -> Any:
    """Make the arguments of a backend out of backend-independent ones."""
    if hasattr(spec, "build"):  # an ArrayArg, or what another module makes on each backend
        return spec.build(xp)
    if isinstance(spec, list | tuple):
        return type(spec)([build(item, xp) for item in spec])
    if isinstance(spec, dict):
        return {name: build(value, xp) for name, value in spec.items()}
    return spec


def literal(value: Any) -> str:
    """Return source text that gives the value; `nan` and `inf` are NumPy's."""
    if isinstance(value, np.ndarray):
        return _array_text(value)
    if isinstance(value, np.generic):
        return f"np.{value.dtype.name}({literal(value.item())})"
    if isinstance(value, complex):
        return f"complex({literal(value.real)}, {literal(value.imag)})"
    if isinstance(value, float) and not math.isfinite(value):
        return "nan" if math.isnan(value) else ("inf" if value > 0 else "-inf")
    if isinstance(value, DType):
        return f"unify.{value}"
    if value is Ellipsis:
        return "..."
    if isinstance(value, list):
        return f"[{', '.join(map(literal, value))}]"
    if isinstance(value, tuple):
        return f"({''.join(literal(item) + ', ' for item in value).rstrip()})"
    return repr(value)
