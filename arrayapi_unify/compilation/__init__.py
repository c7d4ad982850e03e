"""How functions of nests of Arrays are compiled by the frameworks: the engine of `compile`.

The contracts stand in `functional.compilation`; this package is loaded when one is first called.
"""

from arrayapi_unify.compilation._dispatch import compiled, prepare
from arrayapi_unify.compilation._namespace import namespace

__all__ = ["compiled", "namespace", "prepare"]
