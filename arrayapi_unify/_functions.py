"""Every function and constant of the main namespace; `_functions.pyi` is for type checkers."""

from arrayapi_unify.binding.modules import CONSTANTS, public_functions

__all__ = [*public_functions(), *CONSTANTS]

globals().update(public_functions(), **CONSTANTS)
