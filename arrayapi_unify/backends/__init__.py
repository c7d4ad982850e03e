"""The registry: the only list of backends, loaded lazily, detected by the type of a value.

To add a backend, add its folder here and one line to `REGISTRY`. Other packages declare theirs by
entry points (`backends.plugins`). A framework is considered only once it is in `sys.modules`: a
framework that was never imported has no arrays. The answer is cached by type.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterable, Iterator
from types import ModuleType
from typing import Any, Final, cast

from arrayapi_unify import dtypes
from arrayapi_unify._core import lazy_access
from arrayapi_unify._core.container_base import Nested
from arrayapi_unify._core.locks import new_lock
from arrayapi_unify._core.suggestions import BACKENDS, near
from arrayapi_unify.backends._protocol import Backend
from arrayapi_unify.errors import (
    DIAGNOSERS,
    BackendError,
    UnifyValueError,
    fault,
    raise_value_error,
    shown,
)

__all__ = [
    "BUILT_IN",
    "DEFAULT",
    "DIFFERENTIATING",
    "REGISTRY",
    "Backend",
    "arrays_by_name",
    "arrays_in",
    "as_dtype",
    "check",
    "discover",
    "file_of",
    "known",
    "load",
    "name_of",
    "names",
    "native_dtype_of",
    "package_of",
    "present",
    "python_scalar",
    "register",
    "register_wrapper",
]

REGISTRY: Final[dict[str, str]] = {
    # backend: the module whose presence in sys.modules makes its arrays possible
    "numpy": "numpy",
    "torch": "torch",
    "tensorflow": "tensorflow",
    "jax": "jax",
    "dask": "dask",
}
BUILT_IN: Final = tuple(REGISTRY)
"""The backends of this package."""
DEFAULT: Final = "numpy"
# Of packages that need more than their name.
_REQUIREMENTS: Final = {"dask": "'dask[array]'"}
DIFFERENTIATING: Final = ("torch", "tensorflow", "jax")
"""The backends of this package that differentiate: a message names them, and imports none."""
_PACKAGE: Final = __name__.partition(".")[0]
_packages: dict[str, str] = {}  # of backends that live elsewhere

_NO_COPY: Final = "asarray(x, copy=True) returns x, or shares its memory: a write reaches both"

_SCALARS: Final = (bool, int, float, complex)

_discovered: Final[list[bool]] = []
_contested: dict[str, tuple[str, ...]] = {}  # the packages of one name
_loaded: dict[str, Backend] = {}
_IMPORTING: Final = new_lock()
# Compilers of Python code find these classes here, and can't ask them for their modules.
_name_by_type: dict[type, str | None] = dict.fromkeys(
    (list, tuple, dict, set, frozenset, bool, int, float, complex, str, type(None))
)


def _diagnose(error: Exception, function: str, arguments: dict[str, Any]) -> Exception:
    """Return what says best why a call failed; what knows it is loaded when the first call does."""
    diagnostics = importlib.import_module(f"{__name__}._common.checks.diagnostics")
    return diagnostics.diagnose(error, function, arguments)


DIAGNOSERS.append(_diagnose)
dtypes.NATIVE_READERS.append(lambda value: native_dtype_of(value))


def names() -> tuple[str, ...]:
    """Return the names of all backends: of ours also those whose library isn't installed."""
    discover()
    return tuple(REGISTRY)


def register(name: str, framework: str, package: str) -> None:
    """Add a backend that lives outside of this package.

    `framework` is the module whose presence in `sys.modules` makes its arrays possible, `package`
    the one that `_protocol` describes, with the category files in it.
    """
    REGISTRY[name] = framework
    _packages[name] = package


def discover() -> None:
    """Register the backends that installed packages declare.

    They are read once. A name that is registered already keeps its backend.
    """
    if not _discovered:
        for name, packages in _plugins().declared().items():
            if name not in REGISTRY:
                register(name, framework=name, package=packages[0])
                if packages[1:]:
                    _contested[name] = packages
        _discovered.append(True)


def _plugins() -> Any:
    """Import what reads entry points when it is needed: that takes 40 ms."""
    return importlib.import_module(f"{__name__}.plugins")


def known(function: str, backend: Any) -> str:
    """Return the name of a backend that is given by its name or its namespace; nothing is loaded.

    `function` is whose argument it is.
    """
    # Not that of `sys.modules`: there it is missing while another thread imports it.
    name: Any = backend
    if isinstance(backend, ModuleType) and backend.__name__.startswith(f"{_PACKAGE}."):
        name = getattr(backend.__spec__, "name", "").removeprefix(f"{_PACKAGE}.")
    if isinstance(name, str) and _is_registered(name):
        return name
    raise_value_error(
        function, "backend", f"is {shown(backend)}, which is no backend", _meant(backend)
    )


def _meant(backend: Any) -> str:
    """Return the remedy for what is no backend."""
    name = backend.lower() if isinstance(backend, str) else ""
    meant = BACKENDS.get(name) or near(name, REGISTRY, cutoff=0.75)
    if meant in REGISTRY:
        return f"use {meant!r}"
    return f"the known backends are {', '.join(REGISTRY)}"


def check(name: str) -> list[str]:
    """Return the names of the protocol that a backend's package lacks, and what is wrong in it.

    There are none if it is complete. What the names mean is described by
    `backends._protocol.Backend`. `_common.protocols.defaults` has most of them for a plain library.
    Native functions aren't part of it: a backend may lack any of them. If there is an `asarray`,
    its copies must not share memory with their source.
    """
    members = {*Backend.__annotations__, *vars(Backend)}
    backend = load(name)
    lacking = sorted(m for m in members if not m.startswith("_") and not hasattr(backend, m))
    asarray = getattr(file_of(name, "creation"), "asarray", None)
    if asarray is None or {"to_numpy", "write"}.intersection(lacking):
        return lacking
    return lacking + ([] if _copies(backend, asarray) else [_NO_COPY])


def _copies(backend: Backend, asarray: Any) -> bool:
    """Return True if a write to a copy doesn't reach its source."""
    x = asarray([1.0, 2.0])
    copied = asarray(x, copy=True)
    if copied is x:  # an Array would be its own copy
        return False
    with lazy_access.ALLOW:
        backend.write(copied, asarray([3.0, 4.0]))
        return [float(value) for value in backend.to_numpy(x)] == [1.0, 2.0]


def package_of(name: str) -> str:
    """Return the package in which a backend's category files are."""
    return _packages.get(name, f"{__name__}.{name}")


def file_of(name: str, file: str) -> Any:
    """Import a file of a backend's package; None if it has no such file."""
    path = f"{package_of(name)}.{file}"
    try:
        return importlib.import_module(path)
    except ModuleNotFoundError as error:
        if error.name != path:
            raise
        return None


def _checked(name: str) -> str:
    """Return the name of a backend; refuse what is none."""
    if not isinstance(name, str) or not _is_registered(name):
        raise fault(UnifyValueError, name, "is no backend", _meant(name))
    return name


def _is_registered(name: str) -> bool:
    if name not in REGISTRY:
        discover()
    return name in REGISTRY


def _imported(package: str) -> Any:
    """Import a backend's package, one of ours at a time.

    Where two threads import NumPy and a framework that imports NumPy, Python may take that for a
    deadlock, and hand out partially initialized modules. Modules of ours use no namespace while
    they are imported, so that no thread waits for this lock while it holds that of a module.
    """
    if not package.startswith(f"{__name__}."):
        return importlib.import_module(package)
    with _IMPORTING:
        # A compiler that follows Python's code finds the class here, and can't ask it for more.
        _name_by_type[importlib.import_module("numpy").ndarray] = DEFAULT
        return importlib.import_module(package)


def load(name: str) -> Backend:
    """Import a backend (and with it its framework) and return it."""
    backend = _loaded.get(name) if isinstance(name, str) else None
    if backend is None:
        if name in _contested:
            _plugins().refuse(name, _contested[name])
        try:
            module = _imported(package_of(_checked(name)))
        except ModuleNotFoundError as error:
            package = REGISTRY[name]
            if error.name is None or error.name.partition(".")[0] != package:
                raise
            raise BackendError(
                f"backend {name!r} needs the package {package!r}, which isn't installed; "
                f"install it with: pip install {_REQUIREMENTS.get(package, package)}"
            ) from error
        backend = _loaded[name] = cast(Backend, module)
    return backend


def register_wrapper(kind: type, name: str) -> None:
    """Declare that `kind` wraps native arrays of backend `name`."""
    _name_by_type[kind] = name


def name_of(value: Any) -> str | None:
    """Return the backend of an array (native or wrapped), None for anything else."""
    kind = type(value)
    try:
        return _name_by_type[kind]
    except KeyError:
        pass
    # Subclasses of Array written by users can wrap natives of any backend, so each value tells.
    if hasattr(kind, "__unify_backend__"):
        return getattr(value, "__unify_backend__", None)
    name = _owner(kind)
    if name is None and _may_be_declared(kind):
        discover()
        name = _owner(kind)
    # "None" can be cached too: a class can't inherit from a framework that isn't imported.
    _name_by_type[kind] = name
    return name


def _owner(kind: type) -> str | None:
    return next((name for name in present() if load(name).is_native_type(kind)), None)


def _may_be_declared(kind: type) -> bool:
    """Return True if the arrays of a library that isn't registered yet may be of a class."""
    root = kind.__module__.partition(".")[0]
    return root not in ("builtins", _PACKAGE, *(f.partition(".")[0] for f in REGISTRY.values()))


def present() -> list[str]:
    """Return the names of the backends whose frameworks are imported."""
    return [name for name, framework in list(REGISTRY.items()) if framework in sys.modules]


def arrays_in(values: Iterable[Any]) -> Iterator[Any]:
    """Find the arrays, native or wrapped, in any nesting of lists, tuples, dicts, Containers."""
    for value in values:
        if isinstance(value, list | tuple):
            yield from arrays_in(value)
        elif isinstance(value, dict):
            yield from arrays_in(value.values())
        elif isinstance(value, Nested):
            yield from arrays_in(value._nodes.values())
        elif name_of(value) is not None:
            yield value


def arrays_by_name(name: str, value: Any) -> Iterator[tuple[str, Any]]:
    """Find the arrays in an argument, each with the expression that leads to it: `arrays[1]`."""
    if isinstance(value, list | tuple):
        for i, part in enumerate(value):
            yield from arrays_by_name(f"{name}[{i}]", part)
    elif isinstance(value, dict | Nested):
        for key, part in (value if isinstance(value, dict) else value._nodes).items():
            yield from arrays_by_name(f"{name}[{key!r}]", part)
    elif name_of(value) is not None:
        yield name, value


def python_scalar(value: Any) -> Any:
    """Return the Python scalar for a Python or NumPy scalar, None for anything else.

    NumPy's scalars count as Python scalars on every backend, so that `x * np.sqrt(2)` has x's
    dtype whichever backend x belongs to.
    """
    kind = type(value)
    if kind in _SCALARS:
        return value
    for scalar in _SCALARS:
        if isinstance(value, scalar):
            convert: Any = scalar  # np.float64 is a float, an enumeration can be an int
            return convert(value)
    numpy = sys.modules.get("numpy")
    # A tuple of types, since torch.compile makes no unions of them.
    if numpy is None or not isinstance(value, (numpy.number, numpy.bool)):
        return float(cast(Any, value)) if kind.__name__ == "bfloat16" else None
    converted = {"b": bool, "i": int, "u": int, "f": float, "c": complex}.get(value.dtype.kind)
    return None if converted is None else converted(value)


def native_dtype_of(value: Any) -> dtypes.DType | None:
    """Return the `DType` of a loaded framework's own data type, None for anything else."""
    for name in present():
        found = load(name).as_dtype(value)
        if found is not None:
            return found
    return None


def as_dtype(value: Any) -> dtypes.DType:
    """Return the `DType` for a `DType`, a name, a Python type or any loaded backend's own dtype."""
    return (
        value
        if isinstance(value, dtypes.DType)
        else (native_dtype_of(value) or dtypes.as_dtype(value))
    )
