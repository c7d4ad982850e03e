"""A backend's binding: its array class, its functions, and its namespace (`binding.modules`).

A binding is made once, when its backend is first used, and never changes; that is why
`x.__array_namespace__()` can return the identical module every time. It is made under a lock, and
shown when it is whole. So all threads get the same one, and an interrupt leaves none.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any, cast

from arrayapi_unify import backends, dtypes
from arrayapi_unify._core import settings, versions
from arrayapi_unify._core.locks import MAKING, lazy
from arrayapi_unify.array_object import Array, register_binding
from arrayapi_unify.array_object.lazy_arrays import lazy_operators
from arrayapi_unify.array_object.numpy_compat import COMPONENTS, component
from arrayapi_unify.backends import handler
from arrayapi_unify.backends.kernel import kernel_of
from arrayapi_unify.binding import array_class, modules
from arrayapi_unify.binding.arguments import register_array_type
from arrayapi_unify.binding.bound import BoundFunction
from arrayapi_unify.binding.conversions import Conversions
from arrayapi_unify.binding.dtype_policy import DTypePolicy, if_usual
from arrayapi_unify.binding.native_functions import NativeFunctions
from arrayapi_unify.binding.operators import OPERATOR_FUNCTIONS, Operators
from arrayapi_unify.contracts import numpy_parameters
from arrayapi_unify.contracts.contract import CONTRACTS, PACKAGE, Contract
from arrayapi_unify.errors import UnifyValueError
from arrayapi_unify.rendering import functions
from arrayapi_unify.rendering.operators import namespace_method

__all__ = ["Binding", "binding_of", "body_namespace", "complete", "namespace_of"]

_bindings: dict[str, Binding] = {}
# Bindings that were complete, but not published yet when an interrupt came.
_unshown: dict[str, Binding] = {}


class _OnDemand(dict[str, Any]):
    """Bound functions by name, each made when it is first looked up."""

    def __init__(self, bind: Callable[[str], None]) -> None:
        """Call `bind` with the name of a missing contract; it adds the function to this dict."""
        super().__init__()
        self._bind = bind

    def __missing__(self, name: str) -> Any:
        self._bind(name)  # raises the KeyError of a name that no contract has
        if name not in self:  # a standalone function has nothing bound behind it
            raise KeyError(name)
        return self[name]


class Binding(Conversions):
    """All that is bound to one backend."""

    def __init__(self, name: str) -> None:
        """Bind every contract to the backend `name`."""
        self.name = name
        self.backend = backends.load(name)
        self.natives = NativeFunctions(name)
        self.array: Any = array_class.make(name, self.backend)
        # Arrays that are more than an alias of memory, where the others are no more than that.
        self.emulated_array: Any = array_class.emulated(self.array, self.backend)
        # The classes of float16 and bfloat16 (`binding.dtype_policy`), in memory of either kind.
        self.reduced_precision = {
            kind: array_class.variant(kind) for kind in (self.array, self.emulated_array)
        }
        for kind in self.classes:
            backends.register_wrapper(kind, name)
            register_array_type(kind, name)
        standard = {d: self.backend.DTYPES[d] for d in dtypes.ALL if d in self.backend.DTYPES}
        self._dtypes: dict[str, Any] = {d.name: native for d, native in standard.items()}
        self.standard_dtypes = frozenset(standard.values())
        self._applies_default_dtypes = False  # whether another default data type has been set
        self._applies_creation_defaults = False  # whether a default integer or device has
        self.dtype_policy = DTypePolicy(self)
        self.functions: dict[str, Any] = _OnDemand(self._bind)
        self.bound: dict[str, BoundFunction] = _OnDemand(self._bind)
        self.namespace, self._namespaces = modules.make(
            name, self.backend.DTYPES, self.functions, self.natives.lacking
        )
        self._versions = versions.make(self.namespace)
        # True if the classes have operators of their own; True while these are being made.
        self._operates = self._operating = False
        self._shown = False  # whether the top level may know the functions
        # The framework's tracing of loops and branches; None if it has none.
        self.control_flow: Any = self.natives.file("_control_flow")

    @lazy
    def _is_complex(self) -> Callable[[Any], bool]:
        """The test of an Array for complex numbers."""
        dtype_of = self.backend.dtype_of
        return lambda x: dtype_of(x._data).kind == "c"

    @property
    def from_list(self) -> Any:
        """The function that makes native arrays of plain lists, and returns None for others."""
        found = kernel_of(getattr(self.natives.file("creation"), "asarray", None)).from_list
        return if_usual(found) if found and self._applies_default_dtypes else found

    @lazy
    def cast(self) -> Callable[[Any, Any], Any]:
        """The shortest way to a native array of another native data type."""
        native = self.bound["astype"].native
        fast = kernel_of(native).fast_kernel
        return cast("Callable[[Any, Any], Any]", fast.call if fast else native)

    @lazy
    def in_place(self) -> dict[str, Callable[[Any, Any], Any]]:
        """`x op= y` of the classes that have no operators of their own, by the function's name."""
        return Operators(self, emulated=True).in_place_of_any()

    def operate(self) -> None:
        """Give the array classes their own operators, which are shorter than those of `Array`.

        That is done with the first function: it takes as long as the rest of an import.
        """
        if self._operates:
            return
        for name in OPERATOR_FUNCTIONS:
            self.natives.file(CONTRACTS[name].category)
        with MAKING:
            if self._operates or self._operating:  # making them binds functions, which come here
                return
            self._operating = True
            try:
                made = list(self._special_methods())
                made += [
                    (kind, array_class.reduced_precision_operators())
                    for kind in self.reduced_precision.values()
                ]
                for kind, members in made:
                    for member, method in members.items():
                        setattr(kind, member, method)
                self._operates = True
            finally:
                self._operating = False

    def _special_methods(self) -> Iterator[tuple[Any, dict[str, Any]]]:
        """Make the special methods of the array classes."""
        made = Operators(self, self.backend.VIEW_EMULATION is True).every()
        if self.backend.lazy is not None:
            made = lazy_operators(made)
        namespace = self._namespace_method()
        yield self.array, {**made, **array_class.scalars(self), "__array_namespace__": namespace}
        if self.emulated_array is not self.array:
            yield self.emulated_array, Operators(self, emulated=True).of_emulated_views()

    @property
    def classes(self) -> tuple[Any, ...]:
        """The array classes, in an order that is the same in each process."""
        return tuple(dict.fromkeys((*self.reduced_precision, *self.reduced_precision.values())))

    def show(self) -> None:
        """Let all know what was made, or the rest of it if an interrupt came between."""
        array_class.register_nodes(self)
        settings.FLOATS.call(self.apply_default_dtypes)
        settings.CREATION.call(self.apply_creation_defaults)
        modules.show({**self._namespaces, **self._versions})
        self._shown = True
        _fill_tables(self)

    def complete(self) -> None:
        """Bind the functions that aren't bound yet."""
        for qualified_name in CONTRACTS:
            self._bind(qualified_name)

    def _bind(self, qualified_name: str) -> None:
        """Bind a function; everything there is would take a third of the time of an import."""
        contract = CONTRACTS[qualified_name]
        self.natives.file(contract.category)
        self.operate()
        with MAKING:
            if qualified_name in self.functions:
                return
            if contract.kind == "standalone":
                function = contract.public
            else:
                bound = BoundFunction(contract, self, self.natives.find(contract, self.wrap))
                if self._applies_default_dtypes or (
                    self._applies_creation_defaults and bound.creates
                ):
                    bound.apply_default_dtypes()
                module = contract.public_module.replace(PACKAGE, f"{PACKAGE}.{self.name}", 1)
                function = functions.set_metadata(
                    bound.make(), contract, module, without_overrides=bound.without_overrides
                )
                self.bound[qualified_name] = bound
            if contract.qualified_name in COMPONENTS:
                made = component(contract.name, function, self._is_complex)
                setattr(self.array, contract.name, made)
            for name in array_class.method_names(contract):
                setattr(self.array, name, array_class.as_method(contract, function))
            self.functions[qualified_name] = function
            self._dispatch(contract)

    def apply_default_dtypes(self) -> None:
        """Let all functions follow the default data types from now on."""
        with MAKING:
            self._applies_default_dtypes = True
            for bound in list(self.bound.values()):
                bound.apply_default_dtypes()
            _fill_tables(self)

    def apply_creation_defaults(self) -> None:
        """Let functions that create arrays follow all defaults from now on."""
        with MAKING:
            self._applies_creation_defaults = True
            for bound in list(self.bound.values()):
                if bound.creates:
                    bound.apply_default_dtypes()

    def _dispatch(self, contract: Contract) -> None:
        """Put a function into the fast path of the top level's.

        While choices are logged its tables stay empty, so that every call passes through the
        choice; so do those of a backend that is still being made, or has gone.
        """
        dispatch = contract.public.dispatch
        if dispatch is None or handler.log_level or not self._is_shown():
            return
        bound, function = (
            self.bound[contract.qualified_name],
            self.functions[contract.qualified_name],
        )
        for key in (*self.classes, self.name):
            dispatch.functions[key] = function
        if bound.makes_new:
            backend = self.backend
            native = (bound.called, backend.RESULT_TYPE, backend.as_native_array, self.array)
            for kind in (self.array, self.emulated_array):
                dispatch.natives[kind] = (*native, None)
            if backend.NATIVE_TYPE is not None:
                dispatch.natives[backend.NATIVE_TYPE] = (*native, self.standard_dtypes)
                dispatch.bare[backend.NATIVE_TYPE] = ((None, self.name), function, bound.from_list)

    def _is_shown(self) -> bool:
        return self._shown and self in (_bindings.get(self.name), _unshown.get(self.name))

    def namespace_for(self, api_version: str | None) -> ModuleType:
        """Return the namespace: that of a pinned version, or the one that serves all others."""
        if api_version is not None and api_version not in (*modules.API_VERSIONS, modules.DRAFT):
            raise UnifyValueError(
                f"__array_namespace__: api_version {api_version!r} isn't a released version of "
                f"the standard; use one of {', '.join(modules.API_VERSIONS)}, or None"
            )
        if api_version not in versions.PINNED:
            return self.namespace
        return self._versions[f"{PACKAGE}.{versions.folder(api_version)}.{self.name}"]

    def _namespace_method(self) -> Any:
        """Make `__array_namespace__`."""
        source = namespace_method(self.namespace, self.namespace_for)
        method = functions.compile_function(f"{self.name}.__array_namespace__", *source)
        return functools.wraps(Array.__array_namespace__)(method)


def binding_of(name: str) -> Binding:
    """Return the binding of a backend, made at its first use."""
    return _bindings.get(name) or _first_use(name)


def _first_use(name: str) -> Binding:
    """Make the binding of a backend, unless another thread has."""
    backend = backends.load(name)
    _import(name, backend.EAGER_BINDING)
    with MAKING:
        binding = _bindings.get(name) or _unshown.get(name)
        if binding is None:
            binding = Binding(name)
            if backend.EAGER_BINDING:
                binding.complete()
                functions.render_all()
            _unshown[name] = binding
        if name not in _bindings:
            binding.show()
            _bindings[name] = binding
        _unshown.pop(name, None)
    return binding


def _import(name: str, all_of_it: bool) -> None:
    """Import what the making of a binding needs: nothing is imported under its lock."""
    CONTRACTS.load("constants")  # a namespace has them from the first
    categories = {contract.category for contract in CONTRACTS.values()} if all_of_it else set()
    for category in ("_control_flow", *sorted(categories)):
        NativeFunctions(name).file(category)
    if all_of_it:
        numpy_parameters.computing()
        backends.discover()
        for other in backends.present():  # to ask whose a value is, is no time to import
            backends.load(other)


def _fill_tables(binding: Binding) -> None:
    """Put what is bound by now into the fast path of the top-level functions."""
    for qualified_name in list(binding.functions):
        binding._dispatch(CONTRACTS[qualified_name])


def complete() -> None:
    """Bind everything on the backends in use, to know what they lack."""
    for binding in list(_bindings.values()):
        binding.complete()


def _on_verbosity(level: int) -> None:
    with MAKING:  # so that no other thread fills a table meanwhile
        for contract in CONTRACTS.defined():
            dispatch = contract.public.dispatch
            if dispatch is not None:
                dispatch.clear()
        for binding in list(_bindings.values()):
            _fill_tables(binding)


def namespace_of(name: str) -> ModuleType:
    """Return the namespace bound to a backend, without touching any state."""
    return binding_of(name).namespace


def body_namespace() -> ModuleType:
    """Return the namespace in which a body runs that may get no array to ask for it."""
    return namespace_of(modules.body_backend())


def _make_array(data: Any) -> Array:
    """Make what `Array(data)` returns: a wrapper without a copy, or `asarray` of other data."""
    if isinstance(data, Array):
        return binding_of(data.backend).share(data)
    name = backends.name_of(data)
    if name is not None:
        backends.load(name).dtype_of(data)  # refuses data types that the standard doesn't have
        return binding_of(name).adopt(data)
    return cast(Array, CONTRACTS["asarray"].public(data))


_make_array.__qualname__ = Array.__name__  # Python's own error for a call that doesn't fit
register_binding(binding_of, _make_array)
handler.verbosity_listeners.append(_on_verbosity)
