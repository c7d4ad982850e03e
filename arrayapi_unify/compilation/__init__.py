"""The engine of `compile`: functions of nests of Arrays, compiled by the frameworks.

The contracts are in `functional.compilation`; this package is imported at their first call.
"""

from arrayapi_unify.compilation._dispatch import compiled, prepare
from arrayapi_unify.compilation._namespace import namespace

__all__ = ["compiled", "namespace", "prepare"]
