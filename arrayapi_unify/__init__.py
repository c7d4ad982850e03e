"""arrayapi_unify: NumPy, PyTorch, TensorFlow and JAX as one array library.

The top level is a namespace of the Python Array API standard 2025.12. Its functions run on the
backend of their arrays; without an array on the one that is set (`set_backend`), else on NumPy.
`x.__array_namespace__()`, `arrayapi_unify.numpy` and the like are bound to one backend.

Source: https://data-apis.org/array-api/2025.12/
"""

import importlib as _importlib
from typing import TYPE_CHECKING as _TYPE_CHECKING, Any as _Any

from arrayapi_unify._version import __version__ as __version__

if _TYPE_CHECKING:
    from arrayapi_unify import (
        backends as backends,
        devices as devices,
        dtypes as dtypes,
        errors as errors,
        initializers as initializers,
        limits as limits,
        nn as nn,
        optimizers as optimizers,
        overrides as overrides,
        schedules as schedules,
    )
    from arrayapi_unify._functions import __array_namespace_info__ as __array_namespace_info__
    from arrayapi_unify._modules import *
    from arrayapi_unify._public import *
    from arrayapi_unify.nn._public import *

__array_api_version__ = "2025.12"
_MODULES = ("backends", "devices", "dtypes", "errors", "limits", "nn", "overrides")


def _load() -> None:
    """Make everything public a plain attribute of this module; nothing asks `__getattr__` then."""
    public = vars(_importlib.import_module(f"{__name__}._public"))
    names = [name for name in public if not name.startswith("_")]
    every = [*names, "__array_namespace_info__"]
    globals().update({name: public[name] for name in every}, __all__=names)


def _find(name: str) -> _Any:
    """Import a module of this package, or define all that is public, when first asked for it."""
    if not name.startswith("__"):
        path = f"{__name__}.{name}"
        try:
            return _importlib.import_module(path)
        except ModuleNotFoundError as error:
            if error.name != path:
                raise
    if "__all__" not in globals():
        _load()
    if name in globals():  # by now, or since another thread has loaded it
        return globals()[name]
    if not name.startswith("_"):
        nn = _importlib.import_module(f"{__name__}.nn")
        if name in nn.__all__:
            return globals().setdefault(name, getattr(nn, name))
        if name in _importlib.import_module(f"{__name__}.backends").names():  # another package's
            return _importlib.import_module(f"{__name__}.binding").namespace_of(name)
    suggestions = _importlib.import_module(f"{__name__}._core.suggestions")
    raise suggestions.missing(f"module {__name__!r}", name, suggestions.NAMES[""], __dir__)


# Under its own name type checkers would take it that any name may be there.
globals()["__getattr__"] = _find


def __dir__() -> list[str]:
    """List what is public: not the packages in which it is made."""
    if "__all__" not in globals():
        _load()
    dunders = (name for name in globals() if name.startswith("__"))
    return sorted({*globals()["__all__"], *_MODULES, *dunders})
