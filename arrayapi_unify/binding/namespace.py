"""A backend's binding: its array class, its functions, and its namespace (`binding.modules`).

A binding is made once, when its backend is first used, and never changes; that is why
`x.__array_namespace__()` can return the identical module every time.
"""

from __future__ import annotations

import functools
import importlib
import operator
from collections.abc import Callable, Iterable, Iterator, Sequence
from types import FunctionType, ModuleType
from typing import Any, cast

from arrayapi_unify import backends, container_base, dtypes
from arrayapi_unify.array_object import Array, BackendArrayMeta, following, set_hooks
from arrayapi_unify.array_object.views import View, is_followed, view_of
from arrayapi_unify.backends import handler
from arrayapi_unify.binding import codegen, functions, methods, modules
from arrayapi_unify.binding.attributes import attributes, scalars
from arrayapi_unify.binding.bound import BoundFunction
from arrayapi_unify.binding.calls import RareDTypeError, harmless
from arrayapi_unify.binding.contract import CONTRACTS, PACKAGE, Contract, Returns
from arrayapi_unify.binding.defaults import follow_defaults
from arrayapi_unify.binding.halves import operators_of_halves
from arrayapi_unify.binding.operators import (
    computing,
    followed_operators,
    in_place_of_any,
    in_place_operators,
    operators,
)
from arrayapi_unify.binding.partial import either, missing
from arrayapi_unify.binding.roles import Role
from arrayapi_unify.devices import as_device
from arrayapi_unify.errors import UnifyTypeError, UnifyValueError

__all__ = ["Binding", "binding_of", "namespace_of"]

_bindings: dict[str, Binding] = {}


class Binding:
    """All that is bound to one backend."""

    def __init__(self, name: str) -> None:
        """Bind every contract to the backend `name`."""
        self.name = name
        self.backend = backends.load(name)
        self.array: Any = BackendArrayMeta(f"{name.capitalize()}Array", (Array,), self._members())
        # Arrays that are more than a window onto memory, where the others are no more than that.
        self.followed: Any = self._followed()
        # Of float16 and bfloat16 (`binding.halves`), in memory of either kind.
        self._halves = {kind: self._variant(kind) for kind in (self.array, self.followed)}
        for kind in self._kinds():
            backends.register_wrapper(kind, name)
            harmless(kind)
        standard = {d: self.backend.DTYPES[d] for d in dtypes.ALL if d in self.backend.DTYPES}
        self._dtypes: dict[Any, Any] = {None: None, **standard}
        self._needed_dtypes: dict[Any, Any] = standard
        self.standard_dtypes = frozenset(standard.values())
        self.functions: dict[str, Any] = {}
        self.bound: dict[str, BoundFunction] = {}
        for qualified_name, contract in CONTRACTS.items():
            self._bind(qualified_name, contract)
        self.in_place = in_place_of_any(self)
        self.namespace = modules.make(name, self.backend.DTYPES, self.functions)
        for kind, members in self._special_methods():
            for member, method in members.items():
                setattr(kind, member, method)
        for kind in self._halves.values():
            for member, method in operators_of_halves().items():
                setattr(kind, member, method)
        self._register_nodes()

    def _special_methods(self) -> Iterator[tuple[Any, dict[str, Any]]]:
        """Make the special methods of the array classes."""
        namespace = {"__array_namespace__": self._namespace_method()}
        yield self.array, {**operators(self), **scalars(self), **namespace}
        if self.followed is not self.array:
            yield self.followed, followed_operators(self)

    def _kinds(self) -> Iterator[Any]:
        """Return the array classes."""
        return iter(dict.fromkeys((*self._halves, *self._halves.values())))

    def remake(self) -> None:
        """Make all functions once more, for who records their source."""
        for bound in self.bound.values():
            self.make(bound)
        in_place_operators(self, followed=True)
        list(self._special_methods())

    def _register_nodes(self) -> None:
        """Let the framework's own transformations look into Arrays and Containers."""

        def unflatten(structure: Any, parts: Sequence[Any]) -> Array:
            (data,) = parts
            # Frameworks also put in what is no array.
            known = hasattr(data, "dtype") and self.backend.as_dtype(data.dtype) in dtypes.HALVES
            return self.wrap(data) if known else self._wrap_standard(data)

        register = self.backend.register_node
        for array in self._kinds():
            register(array, lambda x: ((x._data,), None), unflatten, lambda structure: ("data",))

        def register_nest(kind: type[container_base.Nested]) -> None:
            names = operator.attrgetter("names")
            register(kind, kind._flatten_node, kind._unflatten_node, names)

        for kind in container_base.kinds():
            register_nest(kind)
        container_base.on_kind(register_nest)

    def _followed(self) -> Any:
        """Make the class of Arrays that `memory` gives their data."""
        if not isinstance(self.backend.FOLLOWED, str):
            return self.array
        return self._variant(self.array, _data=following.SEEN)

    def _variant(self, kind: Any, **members: Any) -> Any:
        """Make a class of Arrays that differ from those of `kind` in a few members."""
        members |= {
            "__slots__": (),
            "__module__": kind.__module__,
            "__doc__": kind.__doc__,
            "__unify_variant__": True,
            "__init__": object.__init__,
        }
        return BackendArrayMeta(kind.__name__, (kind,), members)

    def _members(self) -> dict[str, Any]:
        backend = self.backend
        late = {"__getattr__": following.late} if backend.FOLLOWED is True else {}
        return {
            **late,
            "__slots__": (),
            "__module__": f"{PACKAGE}.{self.name}",
            "__doc__": f"An array of the {self.name} backend.",
            "__unify_backend__": self.name,
            # No Python code runs when the fast path allocates: `cls()` stays in C.
            "__init__": object.__init__,
            "backend": self.name,
            **attributes(backend),
        }

    def _bind(self, qualified_name: str, contract: Contract) -> None:
        if contract.kind == "standalone":
            self.functions[qualified_name] = contract.public
        else:
            bound = self.bound[qualified_name] = BoundFunction(
                contract, self, self._native(contract)
            )
            module = contract.public_module.replace(PACKAGE, f"{PACKAGE}.{self.name}", 1)
            self.functions[qualified_name] = functions.dress(
                self.make(bound), contract, module, without_overrides=bound.without_overrides
            )
        if methods.is_method(contract):
            method = methods.as_method(contract, self.functions[qualified_name])
            setattr(self.array, contract.name, method)

    def make(self, bound: BoundFunction) -> FunctionType:
        """Make the function that users call."""
        contract = bound.contract

        def spell() -> str:
            flavour = codegen.Flavour(
                unwrap=bound.native is not None,
                result_check=self.backend.RESULT_TYPE is not None,
                natives=self.backend.NATIVE_TYPE is not None,
                writes=bound.writes and self.backend.FOLLOWED is False,
                computes_into=hasattr(bound.native, "computes_into"),
                shortcut=bound.shortcut,
                following=bound.follower.when if bound.follower else False,
            )
            return codegen.bound(contract, flavour)

        key = contract.qualified_name
        return functions.make(self.name, key, spell, self.names(bound), contract)

    def _native(self, contract: Contract) -> Callable[..., Any] | None:
        """Find the backend's own implementation; None where the contract's body serves."""
        if contract.kind == "compositional":
            return None
        path = f"{backends.package_of(self.name)}.{contract.category}"
        try:
            native = getattr(importlib.import_module(path), contract.name, None)
        except ModuleNotFoundError as error:
            # A backend needs no file of a category of which it implements nothing.
            if error.name != path:
                raise
            native = None
        if native is None and contract.kind == "primary":
            contract.missing_on.append(self.name)
            return functools.partial(missing, contract.qualified_name, self.name)
        if hasattr(native, "partial_mixed_handler"):
            native = either(
                native, self.backend.quiet(contract.function), self.backend.owns, self.wrap
            )
        return cast("Callable[..., Any] | None", native)

    def names(self, bound: BoundFunction) -> dict[str, Any]:
        """Return what a generated function of this backend closes over."""
        contract = bound.contract
        return {
            "_native": self._noticing(bound.plain) if _imports(contract) else bound.plain,
            "_whole": bound.native,
            "_cls": self.array,
            **bound.shortcut_names(),
            "_compute_into": getattr(bound.native, "computes_into", None),
            "_slow": bound.slow,
            "_fail": bound.fail,
            "_rescue": bound.rescue,
            "_retry": bound.retry,
            "_canonical": self.backend.canonical,
            "_follow": bound.follower,
            "_result_type": self.backend.RESULT_TYPE,
            "_into": bound.into,
            "_exact": self.backend.NATIVE_TYPE,
            "_known": self.standard_dtypes,
            "_wrap": lambda result: self.wrap_result(result, contract, self._wrap_standard),
            "_alias": self.wrap_aliases,
            "_note": following.note_window,
            "_dtype": self.needed_dtype if _needs_dtype(contract) else self.native_dtype,
            "_device": self.native_device,
        }

    # --- conversions ------------------------------------------------------------------------

    def wrap(self, native: Any) -> Array:
        """Wrap a native array."""
        array = self._kind_for(native, self.array)()
        array._data = native
        return cast(Array, array)

    def _wrap_standard(self, native: Any) -> Array:
        """Wrap a native array of a data type of the standard."""
        array = self.array()
        array._data = native
        return cast(Array, array)

    def _kind_for(self, native: Any, kind: Any) -> Any:
        """Return the class of an Array, which halves have for themselves."""
        return self._halves[kind] if self.is_half(native) else kind

    def wrap_view(self, native: Any, view: View) -> Array:
        """Wrap a native array that is part of a memory."""
        kind = self.array if view.kept and not view.read_only else self.followed
        array = self._kind_for(native, kind)()
        array._view = view
        if view.kept:
            array._data = native
        view.memory.join(array, view)
        return cast(Array, array)

    def is_window(self, array: Array) -> bool:
        """Whether a write to an Array's data is a write to its memory."""
        plain = view_of(array) is None
        return plain and not is_followed(self.backend, array._data)

    def share(self, array: Array) -> Array:
        """Make another Array of the same memory."""
        view = following.share(self.backend, array)
        if view is None:
            return self.wrap_alias(array, array._data)
        return self.wrap_view(array._data, view)

    def wrap_alias(self, array: Array, native: Any) -> Array:
        """Wrap a window onto the memory of an Array."""
        window = self.wrap(native)
        if isinstance(self.backend.FOLLOWED, str):
            following.note_window(array, window)
        return window

    def wrap_aliases(self, array: Array, natives: Iterable[Any]) -> tuple[Array, ...]:
        """Wrap windows onto the memory of an Array."""
        return tuple(self.wrap_alias(array, native) for native in natives)

    def wrap_result(
        self, result: Any, contract: Contract, wrap: Callable[[Any], Array] | None = None
    ) -> Any:
        """Wrap what a native function returned, as its contract says."""
        wrap = wrap or self.wrap
        if contract.returns is Returns.ARRAY:
            return wrap(self.backend.canonical(result))
        if contract.returns is Returns.ARRAYS:
            arrays = [wrap(self.backend.canonical(part)) for part in result]
            return contract.result_type(*arrays) if contract.result_type else tuple(arrays)
        return result

    def native_dtype(self, dtype: Any) -> Any:
        """Return the native data type for anything that names a data type."""
        try:
            return self._dtypes[dtype]
        except (KeyError, TypeError):
            found = backends.as_dtype(dtype)
            if found in dtypes.HALVES:
                raise RareDTypeError from None
            return self.any_dtype(found)

    def any_dtype(self, dtype: Any, needed: bool = False) -> Any:
        """Return the native data type, which may be beyond the standard."""
        if dtype is None and not needed:
            return None
        found = backends.as_dtype(dtype)
        if found not in self.backend.DTYPES:
            raise UnifyTypeError(
                f"the {self.name} backend has no {found}; it has "
                f"{', '.join(d.name for d in self.backend.DTYPES)}"
            )
        return self.backend.DTYPES[found]

    def is_half(self, native: Any) -> bool:
        """Whether a native array is of float16 or bfloat16."""
        dtype = native.dtype
        return dtype not in self.standard_dtypes and self.backend.as_dtype(dtype) in dtypes.HALVES

    def _noticing(self, native: Callable[..., Any]) -> Callable[..., Any]:
        """Return a native function for the fast path, which wraps no halves."""

        def imported(*args: Any, **kwargs: Any) -> Any:
            result = native(*args, **kwargs)
            if self.is_half(result):
                raise RareDTypeError
            return result

        return imported

    def is_half_dtype(self, value: Any) -> bool:
        """Whether a value is float16 or bfloat16, as it is or as the framework's own."""
        return (
            value in dtypes.HALVES
            if isinstance(value, dtypes.DType)
            else (self.backend.as_dtype(value) in dtypes.HALVES)
        )

    def needed_dtype(self, dtype: Any) -> Any:
        """Return the native data type where there is no default: None names none."""
        try:
            return self._needed_dtypes[dtype]
        except (KeyError, TypeError):
            return self.native_dtype(backends.as_dtype(dtype))

    def native_device(self, device: Any) -> Any:
        """Return the native device for a `Device` or its name."""
        return None if device is None else self.backend.native_device(as_device(device))

    # --- the namespace ----------------------------------------------------------------------

    def namespace_for(self, api_version: str | None) -> ModuleType:
        """Return the namespace, which serves every released version of the standard."""
        if api_version is not None and api_version not in modules.API_VERSIONS:
            raise UnifyValueError(
                f"__array_namespace__: api_version {api_version!r} isn't a released version of "
                f"the standard; use one of {', '.join(modules.API_VERSIONS)}, or None"
            )
        return self.namespace

    def _namespace_method(self) -> Any:
        """Make `__array_namespace__` with the namespace as one of its global names.

        So torch.compile knows where to find it again, and follows `xp.float32` of it.
        """
        method = functions.make(
            self.name,
            "__array_namespace__",
            lambda: functions.spelled(
                "self, /, *, api_version=None",
                ["return _namespace if api_version is None else _namespace_for(api_version)"],
            ),
            {"_namespace": self.namespace, "_namespace_for": self.namespace_for},
        )
        return functools.wraps(Array.__array_namespace__)(method)


def _needs_dtype(contract: Contract) -> bool:
    return any(p.role is Role.DTYPE and p.required for p in contract.parameters)


def _imports(contract: Contract) -> bool:
    """Whether a function takes data of which nothing is known before it is an array."""
    return contract.name == "from_dlpack"


def binding_of(name: str) -> Binding:
    """Return the binding of a backend, made at its first use."""
    binding = _bindings.get(name)
    if binding is None:
        # It defines the contracts, and stands above this module.
        importlib.import_module(f"{PACKAGE}.functional")
        made = binding = _bindings[name] = Binding(name)
        _fill_tables(made)
        dtypes.when_floats_change(lambda: _follow_defaults(made))
    return binding


def _follow_defaults(binding: Binding) -> None:
    follow_defaults(binding, computing(binding))
    _fill_tables(binding)


def _fill_tables(binding: Binding) -> None:
    """Put the binding into the fast path of the top-level functions.

    While choices are logged the tables stay empty, so that every call passes through the choice.
    """
    for qualified_name, contract in CONTRACTS.items():
        dispatch = contract.public.dispatch
        if dispatch is not None and not handler.log_level:
            names = binding.names(binding.bound[qualified_name])
            dispatch.functions[binding.array] = binding.functions[qualified_name]
            dispatch.functions[binding.name] = binding.functions[qualified_name]
            dispatch.natives[binding.array] = tuple(
                names[name] for name in ("_native", "_result_type", "_canonical")
            )


def _on_verbosity(level: int) -> None:
    for contract in CONTRACTS.values():
        dispatch = contract.public.dispatch
        if dispatch is not None:
            dispatch.functions.clear()
            dispatch.natives.clear()
    for binding in _bindings.values():
        _fill_tables(binding)


def namespace_of(name: str) -> ModuleType:
    """Return the namespace bound to a backend, without touching any state."""
    return binding_of(name).namespace


def _make_array(data: Any) -> Array:
    """Make what `Array(data)` returns: a wrapper without a copy, or `asarray` of other data."""
    if isinstance(data, Array):
        return binding_of(data.backend).share(data)
    name = backends.name_of(data)
    if name is not None:
        backends.load(name).dtype_of(data)  # refuses data types that the standard doesn't have
        return binding_of(name).wrap(data)
    return cast(Array, CONTRACTS["asarray"].public(data))


set_hooks(binding_of, _make_array)
handler.verbosity_listeners.append(_on_verbosity)
