"""Networks: activations, losses, layers with variables, and the parts of training loops.

`unify.nn` is an extension like `unify.linalg`, with classes as well: `unify.nn.relu(x)`,
`unify.nn.Linear(3, 2)`. A bound namespace has its functions: `xp.nn.relu(x)`. Names are loaded at
the first use of one, so a program without networks never imports them.
"""

import importlib as _importlib
from typing import TYPE_CHECKING as _TYPE_CHECKING, Any as _Any

if _TYPE_CHECKING:
    from arrayapi_unify.nn._public import *


def _load() -> None:
    """Make all public names plain attributes of this module."""
    public = vars(_importlib.import_module(f"{__name__}._public"))
    names = sorted(name for name in public if not name.startswith("_"))
    globals().update({name: public[name] for name in names}, __all__=names)
    _importlib.import_module("arrayapi_unify.binding.modules").claim(__name__)


def _find(name: str) -> _Any:
    """Load the public names when one is first used."""
    if "__all__" not in globals() and (name == "__all__" or not name.startswith("__")):
        _load()
    if name in globals():
        return globals()[name]
    return _importlib.import_module("arrayapi_unify.binding.modules").without(__name__)(name)


# Under its own name type checkers would take it that any name may be there.
globals()["__getattr__"] = _find


def __dir__() -> list[str]:
    """List the public names, without the packages that define them."""
    if "__all__" not in globals():
        _load()
    return sorted({*globals()["__all__"], *(name for name in globals() if name.startswith("__"))})
