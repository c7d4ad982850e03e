"""The default floating-point data types, wherever integers become floating-point numbers.

Native functions make float64 and complex128 of integers. While these are the defaults, that is
all. When another default is first set, every function gets a native function that casts results
made of integers alone. A program that never sets one pays nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from types import FunctionType
from typing import TYPE_CHECKING, Any

from arrayapi_unify import dtypes
from arrayapi_unify.array_object import Array
from arrayapi_unify.backends.kernel import kernel_of
from arrayapi_unify.binding.annotations import Role
from arrayapi_unify.binding.bound import BoundFunction
from arrayapi_unify.binding.contract import Contract, Returns
from arrayapi_unify.binding.failures import RareDTypeError

if TYPE_CHECKING:
    from arrayapi_unify.binding.namespace import Binding

__all__ = ["apply_default_dtypes"]


def _float() -> Any:
    return dtypes.default_float()


def _complex() -> Any:
    return dtypes.default_complex()


def _usual_float() -> bool:
    return dtypes.default_float() is dtypes.float64


def _usual_complex() -> bool:
    return dtypes.default_complex() is dtypes.complex128


# torch.compile can't trace the context variables: it takes what these return now for constants. A
# data type that it meets as a constant and elsewhere, too, is an error of its own in PyTorch 2.15.
for _constant in (_float, _complex, _usual_float, _usual_complex):
    vars(_constant).update(_dynamo_marked_constant=True)


class _DefaultCaster:
    """Casts the results of one function; those of a data type in `exempt` are right."""

    def __init__(self, binding: Binding, contract: Contract) -> None:
        known = binding.backend.DTYPES
        exact = [d for d in dtypes.ALL if d in known and d.kind in "bui"]
        self._exact = frozenset([*exact, *(known[d] for d in exact)])
        self._wide: dict[Any, tuple[Callable[[], bool], Callable[[], Any]]] = {}
        for wide, usual, default in (
            (dtypes.float64, _usual_float, _float),
            (dtypes.complex128, _usual_complex, _complex),
        ):
            self._wide |= dict.fromkeys((wide, known.get(wide, wide)), (usual, default))
        others = [d for d in dtypes.ALL if d in known and d not in self._wide]
        self.exempt = frozenset([*others, *(known[d] for d in others)])
        self._binding = binding
        self._by_position = tuple(
            i
            for i, p in enumerate(contract.parameters)
            if p.role is Role.DTYPE and not p.keyword_only
        )
        self._by_name = tuple(p.name for p in contract.parameters if p.role is Role.DTYPE)

    def cast_result(self, result: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Return a result in the default data type if it was made of integers alone."""
        if isinstance(result, tuple | list):
            parts = [self.cast_result(part, args, kwargs) for part in result]
            return type(result)(*parts) if hasattr(result, "_fields") else type(result)(parts)
        found = self._wide.get(getattr(result, "dtype", None))
        if found is None or found[0]() or not self.concerns(args, kwargs):
            return result
        return self._cast(result, found[1]())

    def concerns(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
        """Return True if all arrays of a call are integers or bools, and no dtype is given."""
        if any(i < len(args) and args[i] is not None for i in self._by_position):
            return False
        if any(kwargs.get(name) is not None for name in self._by_name):
            return False
        found = [*_dtypes(args), *_dtypes(kwargs.values())]
        return bool(found) and all(dtype in self._exact for dtype in found)

    def _cast(self, value: Any, dtype: dtypes.DType) -> Any:
        binding = self._binding
        native = getattr(value, "_data", value)
        cast: Any = binding.bound["astype"].native
        native = cast(native, binding.any_dtype(dtype), copy=False)
        return binding.wrap(native) if isinstance(value, Array) else native


def _dtypes(values: Iterable[Any]) -> list[Any]:
    """List the data types of the arrays, native or wrapped, in nested arguments."""
    found = []
    for value in values:
        if isinstance(value, list | tuple):
            found += _dtypes(value)
        elif (dtype := getattr(value, "dtype", None)) is not None:
            found.append(dtype)
    return found


def _usual() -> bool:
    return _usual_float() and _usual_complex()


def _with_defaults(caster: _DefaultCaster, function: Any) -> Any:
    """Return a native function, or a body, whose results follow the defaults."""

    def with_defaults(*args: Any, **kwargs: Any) -> Any:
        result = function(*args, **kwargs)
        if getattr(result, "dtype", None) in caster.exempt:
            return result
        return caster.cast_result(result, args, kwargs)

    # Faster functions, and those that write into `out`, see no default.
    record = replace(kernel_of(function), fast_call=None, fast_kernel=None, compute_into=None)
    return record(with_defaults)


def _names(bound: BoundFunction, caster: _DefaultCaster, given: dict[str, Any]) -> dict[str, Any]:
    """Return what a generated function is given instead, where it follows the defaults."""
    fast_kernel, into = bound.fast_kernel, given["_compute_into"]

    def whole(*args: Any, out: Any, **kwargs: Any) -> Any:
        if not _usual() and caster.concerns(args, kwargs):
            raise RareDTypeError  # the slow path computes, casts, and then stores
        return given["_whole"](*args, out=out, **kwargs)

    def settle(result: Any, *args: Any) -> Any:
        assert fast_kernel is not None
        result = fast_kernel.fix_up(result, *args) if fast_kernel.fix_up else result
        return caster.cast_result(result, args, {})

    names = {"_native": _with_defaults(caster, given["_native"]), "_whole": whole}
    if into is not None:
        names["_compute_into"] = lambda *natives: _usual() and into(*natives)
    if given["_from_list"] is not None:
        names["_from_list"] = lambda values: given["_from_list"](values) if _usual() else None
    if fast_kernel is not None:
        short = fast_kernel.call if fast_kernel.fix_up else _with_defaults(caster, fast_kernel.call)
        names |= {"_fast_kernel": short, "_fix_up": settle}
    return names


def apply_default_dtypes(
    binding: Binding, made: Mapping[BoundFunction, Iterable[FunctionType]]
) -> None:
    """Let functions of a backend follow the defaults, with what users call that is made of each.

    Those that do already stay as they are.
    """
    for bound, functions in made.items():
        if bound.contract.returns is Returns.OTHER or bound.applies_defaults:
            continue
        bound.applies_defaults = True
        caster = _DefaultCaster(binding, bound.contract)
        names = _names(bound, caster, binding.names(bound))
        for function in functions:
            function.__globals__.update(names)
        if bound.native is None:
            bound.body = _with_defaults(caster, bound.body)
        else:
            bound.native = _with_defaults(caster, bound.native)
