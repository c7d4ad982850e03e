"""Networks: activations, losses, layers with variables, and the parts of training loops.

`unify.nn` is an extension, like `unify.linalg`: `unify.nn.relu(x)`, `unify.nn.Linear(3, 2)`,
`xp.nn.softmax(x)`. Its names are loaded at the first use of one. The rest of the package doesn't
import it before.
"""

import importlib as _importlib
from typing import TYPE_CHECKING as _TYPE_CHECKING
from typing import Any as _Any

if _TYPE_CHECKING:
    from arrayapi_unify.nn._public import *


def __getattr__(name: str) -> _Any:
    """Load all public names when one is first used."""
    if (name.startswith("_") and name != "__all__") or name in globals():
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    public = _importlib.import_module(f"{__name__}._public")
    globals().update({key: getattr(public, key) for key in public.__all__}, __all__=public.__all__)
    return globals()[name]
