"""The metaclasses of `Array`, its subclasses and the classes of backends, and `NativeArray`.

`BindingHooks` are late-bound references to `binding`, which imports this layer and is needed by it.
"""

from __future__ import annotations

import copyreg
import importlib
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar, Final, Protocol, runtime_checkable

from arrayapi_unify import backends
from arrayapi_unify._core.suggestions import hide
from arrayapi_unify.errors import class_name
from arrayapi_unify.views import emulation

__all__ = [
    "ArrayMeta",
    "BackendArrayMeta",
    "BindingHooks",
    "NativeArray",
    "binding_for_pickle",
    "load_binding",
    "register_binding",
]


class BindingHooks:
    """The functions that `binding` brings along."""

    binding_of: ClassVar[Callable[[str], Any]]
    make: ClassVar[Callable[[Any], Any]]


def load_binding() -> None:
    """Import `binding` in a process that begins with a pickle, and has loaded nothing."""
    importlib.import_module("arrayapi_unify.binding")


def binding_for_pickle(name: str) -> Any:
    """Return a backend's binding in such a process."""
    load_binding()
    return BindingHooks.binding_of(name)


def register_binding(binding_of: Callable[[str], Any], make: Callable[[Any], Any]) -> None:
    """Let `binding` say how to find a backend's binding, and what `Array(data)` makes."""
    BindingHooks.binding_of = staticmethod(binding_of)
    BindingHooks.make = staticmethod(make)


def _refresh_missing_or(theirs: Callable[[Any, str], Any]) -> Callable[[Any, str], Any]:
    """Join our `__getattr__` with that of a class."""

    def __getattr__(self: Any, name: str) -> Any:
        return (
            emulation.refresh_missing(self, name)
            if name in ("_aliases", "_data", "_view")
            else theirs(self, name)
        )

    return __getattr__


# The errors of a subclass whose `__new__` makes its instances as subclasses of NumPy's array do.
_AS_NUMPY_MAKES_THEM: Final = ("object.__new__() takes", "attribute 'view'", "data-type for array")
_WRITE_INSTEAD: Final = (
    "{}: in a class that inherits from Array, __new__ makes an instance by super().__new__(cls) "
    "and sets its attributes; the data is given to Array.__init__, as the first argument"
)


class ArrayMeta(type):
    """Makes `Array(data)` return the backend's own class."""

    root: ClassVar[type | None] = None
    """`Array` itself, the first of these classes."""

    def __init__(cls, name: str, bases: tuple[type, ...], namespace: dict[str, Any]) -> None:
        """Let users' classes find data that they share (`views.emulation.refresh_missing`)."""
        super().__init__(name, bases, namespace)
        if not any(isinstance(base, ArrayMeta) for base in bases):
            ArrayMeta.root = cls
            return
        if isinstance(cls, BackendArrayMeta):
            return
        theirs = namespace.get("__getattr__")
        # Declared, `__getattr__` would tell type checkers that an Array has any attribute.
        changed: Any = cls
        if theirs is not None:
            changed.__getattr__ = _refresh_missing_or(theirs)
        elif not hasattr(cls, "__getattr__"):
            changed.__getattr__ = emulation.refresh_missing

    def __dir__(cls) -> list[str]:
        """List the attributes that there are."""
        return sorted(hide(cls, super().__dir__()))

    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        """Make an instance: that of a backend's class, where it is `Array` that is called."""
        if cls is ArrayMeta.root:
            return BindingHooks.make(*args, **kwargs)
        try:
            return type.__call__(cls, *args, **kwargs)
        except (AttributeError, TypeError, ValueError) as error:
            if any(part in str(error) for part in _AS_NUMPY_MAKES_THEM):
                error.add_note(_WRITE_INSTEAD.format(cls.__name__))
            raise


class BackendArrayMeta(ArrayMeta):
    """The classes that binding makes: `cls()` is the bare allocation, which the fast path needs."""

    __unify_backend__: str
    # A slot wrapper, not a Python function, so that calling the class stays in C.
    __call__ = type.__call__

    def __init__(cls, name: str, bases: tuple[type, ...], namespace: dict[str, Any]) -> None:
        """Raise for a class that inherits from one of these."""
        final = not namespace.get("__unify_variant__")
        if final and any(isinstance(base, BackendArrayMeta) for base in bases):
            raise TypeError(f"{class_name(bases[0])} is final; inherit from arrayapi_unify.Array")
        super().__init__(name, bases, namespace)

    def __repr__(cls) -> str:
        """Return the name by which users import the class; `__module__` has another one."""
        return f"<class 'arrayapi_unify.{cls.__unify_backend__}.{cls.__qualname__}'>"


def _class_of(backend: str, number: int) -> Any:
    return binding_for_pickle(backend).classes[number]


def _reduced(kind: Any) -> Any:
    """Pickle a class by its backend: no module has it as an attribute."""
    backend = kind.__unify_backend__
    return _class_of, (backend, BindingHooks.binding_of(backend).classes.index(kind))


copyreg.pickle(BackendArrayMeta, _reduced)


class _NativeArrayMeta(type):
    """Makes `isinstance` ask the registry, since the frameworks' classes can't inherit from us."""

    def __instancecheck__(cls, instance: object) -> bool:
        return cls.__subclasscheck__(type(instance))

    def __subclasscheck__(cls, kind: type) -> bool:
        return kind is cls or any(
            backends.load(name).is_native_type(kind)
            for name, framework in backends.REGISTRY.items()
            if framework in sys.modules
        )


if TYPE_CHECKING:
    import numpy as np

    class _TorchDType(Protocol):
        """A data type of PyTorch."""

        @property
        def is_complex(self) -> bool: ...
        @property
        def is_floating_point(self) -> bool: ...

    @runtime_checkable
    class NativeArray(Protocol):
        """An array of a framework, by attributes of which `Array` lacks one, and scalars all.

        The frameworks' classes can't inherit from ours.
        """

        @property
        def shape(self) -> Any:
            """The size of each dimension."""

        @property
        def dtype(self) -> np.dtype[Any] | _TorchDType:
            """The data type of the elements; of a Container, `dtype` is a method."""

        @property
        def view(self) -> Callable[..., Any]:
            """A method that no `Array` has."""

else:

    class NativeArray(metaclass=_NativeArrayMeta):
        """The arrays of the frameworks themselves, for `isinstance` and type hints.

        Holds for `np.ndarray` and the tensor classes of the other frameworks as soon as they are
        imported; not for `Array`, lists or scalars. It can't be instantiated.

        Examples
        --------
        >>> import numpy as np
        >>> isinstance(np.ones(2), NativeArray), isinstance([1, 2], NativeArray)
        (True, False)
        """

        def __new__(cls) -> NativeArray:
            """Raise: native arrays come from their frameworks."""
            raise TypeError("NativeArray is for isinstance and type hints; make an array instead")
