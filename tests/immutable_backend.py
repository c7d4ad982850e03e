"""A second backend for the tests, based on NumPy, with immutable arrays like JAX's.

It provides two backends, and data that can only be replaced, on a machine with NumPy only.
"""

from __future__ import annotations

import functools
import importlib
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from types import ModuleType
from typing import Any

import numpy as np

from arrayapi_unify import backends
from arrayapi_unify.backends import handler, numpy as numpy_backend
from arrayapi_unify.backends._protocol import Backend
from arrayapi_unify.backends.kernel import kernel_of
from arrayapi_unify.binding import binding_of, namespace_of
from arrayapi_unify.binding.namespace import Binding, _bindings, _fill_tables
from arrayapi_unify.contracts import CONTRACTS

NAME = "frozen"
PACKAGE = "arrayapi_unify.backends"


class FrozenArray(np.ndarray):
    """A read-only array of an imaginary framework."""


def freeze(value: Any) -> Any:
    """Convert NumPy's results to native arrays of this backend."""
    if isinstance(value, tuple):
        return tuple(map(freeze, value))
    if not isinstance(value, np.ndarray | np.generic):
        return value
    # In C order, like the arrays of immutable libraries: views are taken of written arrays, and
    # `reshape(copy=False)` is impossible in another order.
    array = np.array(value, subok=False, order="C").view(FrozenArray)
    array.flags.writeable = False
    return array


def thaw(value: Any) -> Any:
    """Convert this backend's arrays to writable NumPy copies."""
    if isinstance(value, FrozenArray):
        return np.array(value, subok=False)
    return type(value)(map(thaw, value)) if type(value) in (list, tuple) else value


def _adapted(native: Callable[..., Any], passes_through: bool) -> Callable[..., Any]:
    """Create a native function of this backend, which may return its argument if so declared."""

    @functools.wraps(native)
    def function(*args: Any, **kwargs: Any) -> Any:
        thawed = list(map(thaw, args))
        result = native(*thawed, **{k: thaw(v) for k, v in kwargs.items()})
        return args[0] if passes_through and result is thawed[0] else freeze(result)

    vars(function).update(supports_native_out=False)
    # The functions of NumPy itself would bypass this one.
    faster = {"fast_call": None, "from_list": None, "fast_kernel": None}
    return replace(kernel_of(native), **faster)(function)


def _write(target: Any, value: Any) -> Any:
    return freeze(thaw(value).astype(target.dtype))


def _in_place(native: Callable[..., Any]) -> Callable[[Any, Any], Any]:
    def update(x: Any, y: Any) -> Any:
        new = thaw(x)
        numpy_backend.in_place(lambda a, b: thaw(native(freeze(a), b)))(new, y)
        return freeze(new)

    return update


def _to_numpy(x: Any, /, *, copy: bool | None = None) -> Any:
    return thaw(x)


def _modules() -> Iterator[ModuleType]:
    package = ModuleType(f"{PACKAGE}.{NAME}")
    for name in {*vars(Backend), *Backend.__annotations__} & set(vars(numpy_backend)):
        setattr(package, name, getattr(numpy_backend, name))
    vars(package).update(
        NAME=NAME,
        RESULT_TYPE=FrozenArray,
        NATIVE_TYPE=None,
        as_native_array=freeze,
        copy=freeze,
        # Views are emulated, as for all immutable arrays.
        VIEW_EMULATION=True,
        LAZY_REFRESH=True,
        asarray=lambda values, **_: freeze(values),
        in_place=_in_place,
        join_complex=lambda real, imag: freeze(numpy_backend.join_complex(real, imag)),
        write_through=_write,
        shares_memory=lambda x, y: False,
        write_all=lambda targets, values: False,
        is_native_type=lambda kind: issubclass(kind, FrozenArray),
        to_numpy=_to_numpy,
        write=_write,
    )
    yield package
    for category in {c.category for c in CONTRACTS.values() if c.kind == "primary"}:
        module = ModuleType(f"{PACKAGE}.{NAME}.{category}")
        source = importlib.import_module(f"{PACKAGE}.numpy.{category}")
        for contract in CONTRACTS.values():
            if contract.category == category and contract.kind == "primary":
                native = _adapted(getattr(source, contract.name), contract.passes_through)
                setattr(module, contract.name, native)
        if category == "general":
            vars(module)["to_numpy"] = _to_numpy
        yield module


_made: list[tuple[dict[str, ModuleType], Binding]] = []


def _make() -> tuple[dict[str, ModuleType], Binding]:
    """Create the backend's modules and its binding, once for all tests."""
    if not _made:
        modules = {module.__name__: module for module in _modules()}
        sys.modules.update(modules)
        backends.REGISTRY[NAME] = __name__
        backends.register_wrapper(FrozenArray, NAME)
        binding = binding_of(NAME)
        binding.complete()  # while its modules can be imported
        modules |= {n: m for n, m in sys.modules.items() if NAME in n.split(".") and n != __name__}
        _made.append((modules, binding))
    return _made[0]


@contextmanager
def registered() -> Iterator[ModuleType]:
    """Register the backend temporarily, and yield its bound namespace."""
    modules, binding = _make()
    entries: list[tuple[dict[Any, Any], dict[Any, Any]]] = [
        (backends.REGISTRY, {NAME: __name__}),
        (backends._loaded, {NAME: binding.backend}),
        (backends._name_by_type, {FrozenArray: NAME, binding.array: NAME}),
        (_bindings, {NAME: binding}),
        (sys.modules, modules),
    ]
    for table, content in entries:
        table.update(content)
    _fill_tables(binding)
    try:
        yield binding.namespace
    finally:
        for contract in CONTRACTS.values():
            dispatch = getattr(contract.public, "dispatch", None)
            for table in (dispatch.functions, dispatch.natives) if dispatch else ():
                table.pop(binding.array, None)
                table.pop(NAME, None)
        handler.ever_set[:] = [name for name in handler.ever_set if name != NAME]
        for table, content in entries:
            for key in content:
                table.pop(key, None)


@contextmanager
def namespace(name: str) -> Iterator[ModuleType]:
    """Yield the bound namespace of a backend, including this one."""
    if name == NAME:
        with registered() as found:
            yield found
    else:
        yield namespace_of(name)
