"""A backend-independent call, which can be made on each backend and printed as source."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field, fields, is_dataclass
from types import ModuleType
from typing import Any

import numpy as np

from arrayapi_unify.dtypes import DType
from tests.differential.layouts import OWN, VIEWS, View, evaluated, takes

__all__ = ["VIEWS", "ArrayArg", "Case", "build", "leaves", "literal", "replaced", "source"]


@dataclass(frozen=True, eq=False)
class ArrayArg:
    """An array argument: its values, and its memory layout."""

    values: Any
    view: str | None = None

    def build(self, xp: ModuleType) -> Any:
        """Create the array on a backend."""
        return evaluated(self._way, self.values, xp)

    def __repr__(self) -> str:
        """Return the expression that creates the array."""
        way = self._way
        return way.spelled(self.values).replace("$", _array_text(way.base(self.values)))

    @property
    def _way(self) -> View:
        return VIEWS[self.view] if self.view else OWN

    def laid(self, view: str | None) -> ArrayArg:
        """Return the same values in another layout, if that exists for their shape."""
        fits = view is not None and VIEWS[view].fits(self.values.shape)
        return ArrayArg(self.values, view if fits else None)


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

    def laid(self, view: str) -> Case:
        """Return the call with all arrays in another layout, if the function supports it."""
        return self._replaced(lambda array: array.laid(view)).taken()

    def taken(self) -> Case:
        """Return the call with arrays in C order, if the function supports no other layout."""
        copy = self.kwargs.get("copy")
        return self._replaced(
            lambda array: array if takes(self.function, array.view, copy) else array.laid(None)
        )

    def _replaced(self, function: Callable[[ArrayArg], ArrayArg]) -> Case:
        args, kwargs = replaced([self.args, self.kwargs], function)
        return Case(self.function, args, kwargs)

    def arrays(self) -> list[Any]:
        """Return the NumPy values of all array arguments except `out`."""
        given = [*self.args, *(v for k, v in self.kwargs.items() if k != "out")]
        return [leaf.values for leaf in leaves(given) if isinstance(leaf, ArrayArg)]


def leaves(spec: Any) -> list[Any]:
    """Return the leaves of nested lists, tuples and dicts."""
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
    """Create the arguments of a backend from backend-independent ones."""
    if hasattr(spec, "build"):  # an ArrayArg, or another object with a form for each backend
        return spec.build(xp)
    if isinstance(spec, list | tuple):
        return type(spec)([build(item, xp) for item in spec])
    if isinstance(spec, dict):
        return {name: build(value, xp) for name, value in spec.items()}
    return spec


def literal(value: Any) -> str:
    """Return the source text of a value; `nan` and `inf` are NumPy's."""
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


def source(value: Any) -> str:
    """Return source text of plain data, which `tests/examples.py` keeps."""
    if is_dataclass(value) and not isinstance(value, DType | type):
        parts = [source(getattr(value, part.name)) for part in fields(value)]
        return f"{type(value).__name__}({', '.join(parts)})"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{name!r}: {source(v)}' for name, v in value.items())}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(source, value))}]"
    if isinstance(value, tuple):
        return f"({''.join(source(item) + ', ' for item in value).rstrip()})"
    return literal(value)
