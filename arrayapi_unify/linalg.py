"""The linalg extension of the standard, on the backend of the arrays."""

from typing import Any as _Any

from arrayapi_unify import errors as _errors
from arrayapi_unify.binding import modules as _modules

__all__ = list(_modules.public_functions("linalg"))

globals().update(_modules.public_functions("linalg"))


def __getattr__(name: str) -> _Any:
    """Return the error for matrices that can't be factorized or solved, which is made when used."""
    if name != _modules.LINALG_ERROR:
        return _modules.without(__name__)(name)
    return _errors.UnifyLinAlgError
