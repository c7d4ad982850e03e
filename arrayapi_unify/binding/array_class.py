"""The members of the array classes, apart from operators.

Methods are derived from the contracts: self is the first array parameter. The attributes and
conversions of one backend's Arrays (`x.dtype`, `float(x)`, `np.asarray(x)`) are one or two calls
away from the native array; `Array` defines the same for subclasses of users.
"""

from __future__ import annotations

import inspect
import operator
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final, cast

from arrayapi_unify._core import container_base, versions
from arrayapi_unify._core.registered import REGISTERED, tell
from arrayapi_unify.array_object import Array, BackendArrayMeta
from arrayapi_unify.array_object.lazy_arrays import lazy_members, lazy_scalars
from arrayapi_unify.array_object.mixins import MIXINS
from arrayapi_unify.array_object.numpy_compat import ArrayWithNumPyMethods
from arrayapi_unify.array_object.numpy_names import FUNCTIONS, LINALG_ONLY, other_names
from arrayapi_unify.array_object.operators import ArrayWithOperators
from arrayapi_unify.backends import Backend
from arrayapi_unify.backends._common.checks.arguments import TracedError, traced_error
from arrayapi_unify.backends._common.protocols.module_getattr import extension_of
from arrayapi_unify.contracts.annotations import Role
from arrayapi_unify.contracts.contract import CONTRACTS, PACKAGE, Contract, Parameter
from arrayapi_unify.contracts.index import METHODS
from arrayapi_unify.rendering import functions
from arrayapi_unify.views.emulation import DATA_PROPERTY, export_view, refresh_missing
from arrayapi_unify.views.view import view_of

if TYPE_CHECKING:
    from arrayapi_unify.binding.namespace import Binding

__all__ = [
    "add_method", "as_method", "define", "emulated", "is_hidden", "is_method", "make",
    "method_names", "method_signature", "on_contract", "reduced_precision_operators",
    "register_nodes", "scalars", "variant", "takes_lists",
]  # fmt: skip

_watching: Final[list[Callable[[Contract], None]]] = []


class _LazyMethod:
    """A descriptor for a method whose category isn't imported yet; the import replaces it."""

    __slots__ = ("_category", "_name", "forwarded")

    def __init__(self, category: str, name: str) -> None:
        self._category = category
        self._name = name
        self.forwarded = extension_of(category) == "nn"

    def __get__(self, instance: Any, owner: type) -> Any:
        CONTRACTS.load(self._category)
        mixin = MIXINS[self._category]
        if vars(mixin).get(self._name) is self:  # the index is of another version
            delattr(mixin, self._name)
            raise AttributeError(f"{owner.__name__!r} object has no attribute {self._name!r}")
        # A subclass may have a method of this name that asks for this one.
        return vars(mixin)[self._name].__get__(instance, owner)


def _promise_methods() -> None:
    """Let the mixins have the methods of all categories, imported or not."""
    for category, names in METHODS.items():
        mixin = MIXINS[category]
        for name in names.split():
            if name not in vars(mixin):
                setattr(mixin, name, _LazyMethod(category, name))


def define(contract: Contract) -> None:
    """Create the methods of a contract: `Array`'s, and those of the registered watchers."""
    add_method(contract)
    for told in _watching:
        told(contract)


def on_contract(told: Callable[[Contract], None]) -> None:
    """Have `told` called with every contract: those there are, and each that is defined."""
    # Other threads may define some meanwhile, so that `told` may hear of one twice.
    _watching.append(told)
    for contract in CONTRACTS.values():
        told(contract)


def is_hidden(contract: Contract) -> bool:
    """Return True if a function of an extension is one of its namespace only, without a method.

    NumPy's function of the main namespace has its name, or the standard lacks it.
    """
    name = contract.name
    of_main = name in FUNCTIONS and CONTRACTS.lists(name)
    return bool(contract.extension) and (of_main or name in LINALG_ONLY)


def takes_lists(contract: Contract) -> bool:
    """Return True if arguments are lists of arrays that belong together."""
    arrays = contract.array_parameters
    return len(arrays) > 1 and arrays[0].role is Role.SEQUENCE


def is_method(contract: Contract) -> bool:
    """Return True if a contract becomes a method: it takes an array, and its name is free."""
    name = contract.name
    return (
        contract.category in MIXINS
        and bool(contract.array_parameters)
        and not takes_lists(contract)
        and not is_hidden(contract)
        and name not in vars(Array)
        and name not in vars(ArrayWithNumPyMethods)
    )


def method_names(contract: Contract) -> list[str]:
    """Return the names under which a contract is a method."""
    names = [contract.name, *other_names(contract.qualified_name)]
    return names if is_method(contract) else []


def add_method(contract: Contract) -> None:
    """Give the mixin of the contract's category its method, unless it is written there."""
    names = method_names(contract)
    if not names:
        return
    mixin = MIXINS[contract.category]
    found = vars(mixin).get(contract.name)
    # One with a contract is left of an import that was interrupted.
    if isinstance(found, _LazyMethod | None) or hasattr(found, "contract"):
        method = _method_of_subclasses(contract)
        for name in names:
            setattr(mixin, name, method)


def _method_of_subclasses(contract: Contract) -> Callable[..., Any]:
    """Return the method of all classes: it runs on the array's own backend.

    Binding the function puts a shorter one into the class of the backend's arrays.
    """
    name = contract.qualified_name

    def method(self: Any, /, *args: Any, **kwargs: Any) -> Any:
        bound = as_method(contract, self._binding().functions[name])
        return bound(self, *args, **kwargs)

    return functions.no_autograph(_with_metadata(method, contract))


class _SignatureProxy:
    """The `__wrapped__` of a method: source for `inspect`, and a signature made when needed."""

    def __init__(self, contract: Contract) -> None:
        self._contract = contract
        self.__wrapped__ = contract.function

    @property
    def __signature__(self) -> inspect.Signature:
        return method_signature(self._contract)


def _with_metadata(method: Any, contract: Contract) -> Callable[..., Any]:
    method.__name__ = method.__qualname__ = contract.name
    method.__doc__ = contract.documentation
    # They are read in the module of the contract.
    method.__annotations__ = contract.function.__annotations__
    method.__dict__.update(__wrapped__=_SignatureProxy(contract), contract=contract)
    return cast("Callable[..., Any]", method)


def _self_parameter(contract: Contract) -> Parameter:
    """Return the parameter that self stands for: the first array, else the first of all."""
    return (contract.array_parameters or contract.parameters)[0]


def as_method(contract: Contract, function: Callable[..., Any]) -> Callable[..., Any]:
    """Return what to put in a class so that `x.name(...)` calls `function` with x in its place."""
    first = _self_parameter(contract)
    name, position = first.name, contract.parameters.index(first)
    sequence = contract.parameters[position].role is Role.SEQUENCE
    if position == 0 and not sequence:
        return function  # a function in a class is a method: no detour at all

    if sequence:

        def method(self: Any, arrays: Any = (), /, *args: Any, **kwargs: Any) -> Any:
            return function([self, *arrays], *args, **kwargs)
    else:

        def method(self: Any, /, *args: Any, **kwargs: Any) -> Any:
            if len(args) < position:  # what stands before self was given by keyword
                return function(*args, **kwargs, **{name: self})
            return function(*args[:position], self, *args[position:], **kwargs)

    return _with_metadata(method, contract)


def method_signature(contract: Contract) -> inspect.Signature:
    """Return the signature of the method, self included."""
    signature = contract.signature
    parameters = list(signature.parameters.values())
    first = _self_parameter(contract)
    position = contract.parameters.index(first)
    self_ = inspect.Parameter("self", inspect.Parameter.POSITIONAL_ONLY)
    if first.role is Role.SEQUENCE:
        parameters[position] = parameters[position].replace(default=())
    elif first.role is not Role.STAR:
        del parameters[position]
    return signature.replace(parameters=[self_, *parameters])


def make(name: str, backend: Backend) -> Any:
    """Make the class of a backend's Arrays; its operators follow with the first function."""
    fallback = {"__getattr__": refresh_missing} if backend.VIEW_EMULATION is True else {}
    members = {
        **fallback,
        "__slots__": (),
        "__module__": versions.bound_name(f"{PACKAGE}.{name}", name),
        "__doc__": f"An array of the {name} backend.",
        "__unify_backend__": name,
        # No Python code runs when the fast path allocates: `cls()` stays in C.
        "__init__": object.__init__,
        "backend": name,
        **_attributes(backend),
        **({} if backend.lazy is None else lazy_members(backend)),
    }
    return BackendArrayMeta(Array.__name__, (Array,), members)


def variant(kind: Any, **members: Any) -> Any:
    """Make a class of Arrays that differ from those of `kind` in a few members."""
    members |= {
        "__slots__": (),
        "__module__": kind.__module__,
        "__doc__": kind.__doc__,
        "__unify_variant__": True,
        "__init__": object.__init__,
    }
    return BackendArrayMeta(kind.__name__, (kind,), members)


def emulated(kind: Any, backend: Backend) -> Any:
    """Make the class of Arrays that `memory` gives their data; it is `kind` where all are such."""
    some = isinstance(backend.VIEW_EMULATION, str)
    return variant(kind, _data=DATA_PROPERTY) if some else kind


def register_nodes(binding: Binding) -> None:
    """Let the framework's own transformations look into Arrays and Containers."""
    array, standard, register = (
        binding.array,
        binding.standard_dtypes,
        binding.backend.register_node,
    )

    def unflatten(structure: Any, parts: Sequence[Any]) -> Array:
        (data,) = parts
        dtype = getattr(data, "dtype", None)
        if dtype is not None and dtype not in standard:
            return binding.wrap(data)  # which finds the class of float16 and bfloat16
        made = array()
        made._data = data  # frameworks also put in what is no array
        return cast(Array, made)

    def register_nest(kind: type[container_base.Nested]) -> None:
        names = operator.attrgetter("names")
        register(kind, kind._flatten_node, kind._unflatten_node, names)

    for kind in binding.classes:
        register(kind, lambda x: ((x._data,), None), unflatten, lambda structure: ("data",))
    # Other threads may define a class meanwhile: better twice than not at all.
    container_base.on_subclass(register_nest)
    for nest in container_base.kinds():
        register_nest(nest)
    for user in list(REGISTERED):
        tell(user, register)


def _attributes(backend: Backend) -> dict[str, Any]:
    """Return the attributes and NumPy's protocol."""
    dtype_of, shape_of, to_numpy = backend.dtype_of, backend.shape_of, backend.to_numpy
    alone, changeless = backend.VIEW_EMULATION is False, backend.VIEW_EMULATION is True

    def __array__(self: Any, dtype: Any = None, copy: bool | None = None) -> Any:
        try:
            if dtype is None and copy is None:
                if changeless:
                    values = export_view(backend, self)
                    if values is not None:
                        return values
                elif alone or view_of(self) is None:
                    values = to_numpy(self._data)
                    if values.flags.num & 0x400:  # as `is_writeable`, without a call
                        return values
            return Array.__array__(self, dtype, copy)
        except Exception as error:
            meaning = backend.translate_error(error)
            if isinstance(meaning, TracedError):
                raise traced_error("np.asarray", "x", meaning) from error
            raise

    def __len__(self: Any) -> int:
        try:
            return len(self._data)
        except TypeError:  # `Array`'s own says why
            pass
        return Array.__len__(self)

    dtype, shape = (cast(property, vars(Array)[name]) for name in ("dtype", "shape"))
    # Setting them raises in `Array`.
    return {
        **({"__len__": __len__} if alone else {}),
        "dtype": dtype.getter(lambda self: dtype_of(self._data)),
        "shape": shape.getter(lambda self: shape_of(self._data)),
        "ndim": property(lambda self: len(shape_of(self._data)), doc=Array.ndim.__doc__),
        "__array__": __array__,
    }


def scalars(binding: Binding) -> dict[str, Callable[[Any], Any]]:
    """Return the conversions of the only element to Python's scalars."""
    bound = binding.bound["to_scalar"]
    fast = bound.kernel.fast_kernel
    to_scalar = fast.call if fast else bound.fast_native

    def item(self: Any) -> Any:
        try:
            return to_scalar(self._data)
        except Exception:  # `Array`'s own says why
            return Array._scalar(self, "item")

    def __float__(self: Any) -> float:
        try:
            value = to_scalar(self._data)
        except Exception:
            value = None
        return value if type(value) is float else Array.__float__(self)

    def __int__(self: Any) -> int:
        try:
            value = to_scalar(self._data)
        except Exception:
            value = None
        return value if type(value) is int else Array.__int__(self)

    def __bool__(self: Any) -> bool:
        try:
            return bool(to_scalar(self._data))
        except Exception:
            return Array.__bool__(self)

    def __complex__(self: Any) -> complex:
        try:
            return complex(to_scalar(self._data))
        except Exception:
            return Array.__complex__(self)

    item.__qualname__ = "Array.item"
    made = {f.__name__: f for f in (item, __float__, __int__, __bool__, __complex__)}
    return made if binding.backend.lazy is None else lazy_scalars(made)


_promise_methods()


def reduced_precision_operators() -> dict[str, Any]:
    """Return the special methods that look at the data: those of the classes that users write."""
    made = {
        name: operator
        for name, operator in vars(ArrayWithOperators).items()
        if name.startswith("__") and callable(operator)
    }
    return {**made, "__getitem__": Array.__getitem__, "__setitem__": Array.__setitem__}
