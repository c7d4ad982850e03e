"""The operators of `Container`, from the same tables as those of `Array`.

An operator applies leaf by leaf. For Arrays and native arrays it calls the function (`x + y` is
`add`), so the result is an Array; for Python scalars only, it uses Python's arithmetic.
"""

from __future__ import annotations

import copy
import operator
from collections.abc import Callable
from typing import Any, NamedTuple

from arrayapi_unify import backends
from arrayapi_unify._core.container_base import Nested
from arrayapi_unify._core.override_protocol import takes_over
from arrayapi_unify.array_object import Array
from arrayapi_unify.array_object.operators import ARITHMETIC, COMPARISON, UNARY, is_operand
from arrayapi_unify.backends import python_scalar
from arrayapi_unify.container.calls import restored_on_failure
from arrayapi_unify.container.in_place import write_results
from arrayapi_unify.container.tree_map import replace_leaves, tree_map
from arrayapi_unify.contracts import CONTRACTS
from arrayapi_unify.views import writes

__all__ = ["operators"]


def _python(name: str) -> Callable[..., Any]:
    """Return Python's function of an operator; two have names that are keywords."""
    return getattr(operator, f"__{name}__")


def _leaf(name: str, function: str) -> Callable[..., Any]:
    """Create the function of a leaf: Python's operator, or ours for native arrays."""
    fast_function = _python(name)
    public = CONTRACTS[function].public

    def leaf(*values: Any) -> Any:
        if any(isinstance(value, Array) for value in values) or all(
            python_scalar(value) is not None for value in values
        ):
            return fast_function(*values)
        return public(*values)

    return leaf


def _binary(name: str, function: str, reflected: bool) -> Callable[[Any, Any], Any]:
    leaf, fast_function = _leaf(name, function), _python(name)
    public = CONTRACTS[function].public

    def method(self: Any, other: Any, /) -> Any:
        if not (isinstance(other, Nested) or is_operand(other)):
            return NotImplemented
        pair = (other, self) if reflected else (self, other)
        # An overriding operand gets the whole Container, as in every function.
        return public(*pair) if takes_over(other) else tree_map(pair, leaf, fast_function)

    return method


class _Result(NamedTuple):
    """The result of `x op= y` at one leaf, not written to the leaf's Array yet."""

    value: Any
    to_write: bool  # into the leaf's Array; otherwise it replaces the leaf


def _in_place(name: str, function: str) -> Callable[[Any, Any], Any]:
    """Create `x op= y`: it changes every leaf as its own operator does, or none."""
    apart = _leaf(name, function)
    update = _python(f"i{name}")

    def computed(value: Any, other: Any) -> _Result:
        if not isinstance(value, Array):
            return _Result(apart(value, other), False)
        aside = copy.copy(value)
        result = update(aside, other)
        return _Result(result, result is aside)

    def written(value: Any, other: Any, result: _Result) -> Any:
        if not result.to_write:
            return result.value
        try:
            backend = backends.load(value.backend)
            writes.writer(backend)(value, backend.write, result.value._data)
        except Exception as error:
            raise (
                value._binding().bound[function].error_to_raise(error, (value, other), {})
            ) from error
        return value

    def method(self: Any, other: Any, /) -> Any:
        if takes_over(other) or not (isinstance(other, Nested) or is_operand(other)):
            return NotImplemented
        if write_results(self, other, function):
            return self
        results = tree_map((self, other), computed, deepest=0)
        with restored_on_failure(self):
            replace_leaves(self, tree_map((self, other, results), written))
        return self

    return method


def _unary(name: str, function: str) -> Callable[[Any], Any]:
    leaf, fast_function = _leaf(name, function), _python(name)

    def method(self: Any, /) -> Any:
        return tree_map((self,), leaf, fast_function)

    return method


def operators() -> dict[str, Callable[..., Any]]:
    """Create the special methods of `Container` by their names."""
    made: dict[str, Callable[..., Any]] = {}
    for name, function in {**ARITHMETIC, **COMPARISON}.items():
        made[f"__{name}__"] = _binary(name, function, reflected=False)
        if name in ARITHMETIC:
            made[f"__r{name}__"] = _binary(name, function, reflected=True)
            made[f"__i{name}__"] = _in_place(name, function)
    for name, function in UNARY.items():
        made[f"__{name}__"] = _unary(name, function)
    for name, method in made.items():
        method.__name__, method.__qualname__ = name, f"Container.{name}"
        method.__doc__ = f"Apply the operator to each leaf: `{name.strip('_')}`."
    return made
