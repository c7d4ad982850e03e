"""The functions of the namespace as methods and static forms of `Container`, and its operators.

They are derived from the contracts and the table of operators, like those of `Array`; `methods.pyi`
declares them for type checkers and editors (`python -m arrayapi_unify._generate`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from arrayapi_unify.array_object.numpy_compat import COMPONENTS
from arrayapi_unify.array_object.numpy_names import FUNCTIONS, other_names
from arrayapi_unify.binding.array_class import as_method, is_hidden, on_contract, takes_lists
from arrayapi_unify.container.operators import operators
from arrayapi_unify.contracts import Contract
from arrayapi_unify.contracts.contract import WITHOUT_METHODS

__all__ = [
    "AFTER_KEYS", "STATIC", "ContainerWithFunctions", "ContainerWithOperators", "has_method",
    "method_name", "static_names",
]  # fmt: skip

STATIC: Final = "static_"
"""The prefix of the name of a static form."""

# They were methods when linalg alone had them.
_ALSO_IN_LINALG: Final = frozenset({"cross", "diagonal", "outer", "trace"})
# Libraries take an object with these attributes for an array; Container has its own `copy`.
_NO_METHODS: Final = frozenset({"copy", "ndim", "shape", "size"})

AFTER_KEYS: Final[dict[str, Callable[..., Any]]] = {}
"""Methods whose names mean keys where there are such keys: `c.ravel()` unless `"ravel" in c`."""


class ContainerWithFunctions:
    """`c.sin()` and `Container.static_sin(c)` for every function that takes Containers."""

    __slots__ = ()


class ContainerWithOperators:
    """`c + d`, leaf by leaf."""

    __slots__ = ()
    # NumPy's arrays then defer `array + container` to the Container.
    __array_ufunc__ = None
    # Equality is leaf by leaf, so a Container is unhashable, like an Array.
    __hash__ = None


def method_name(contract: Contract) -> str:
    """Return a function's name; `special_gamma` if `gamma` means something else of an array."""
    apart = contract.category in WITHOUT_METHODS or is_hidden(contract)
    return contract.qualified_name.replace(".", "_") if apart else contract.name


def static_names(contract: Contract) -> list[str]:
    """Return the names of a contract's static forms: its argument may, or must, be a Container."""
    takes = contract.nestable or (contract.container_dependent and bool(contract.parameters))
    if not takes or contract.name.startswith("__"):
        return []
    own = method_name(contract)
    return [own, *other_names(contract.qualified_name)] if own == contract.name else [own]


def has_method(contract: Contract) -> bool:
    """Return True if a contract becomes a method: self can stand for its first argument."""
    possible = bool(contract.by_position) and not takes_lists(contract)
    return possible and bool(static_names(contract)) and contract.name not in _NO_METHODS


def _yields_to_keys(contract: Contract) -> bool:
    """Return True for names of NumPy and of extensions, which users have as keys."""
    name = method_name(contract)
    return name != contract.name or name in FUNCTIONS - _ALSO_IN_LINALG


def _add(contract: Contract) -> None:
    names = static_names(contract)
    own = method_name(contract)
    known = getattr(vars(ContainerWithFunctions).get(STATIC + own), "contract", None)
    if not names or known is contract:
        return
    for name in names:
        setattr(ContainerWithFunctions, STATIC + name, staticmethod(contract.public))
    if has_method(contract):
        method: Any = as_method(contract, contract.public)
        if _yields_to_keys(contract):
            AFTER_KEYS[own] = method
        else:
            attribute = property(method) if contract.name in COMPONENTS else method
            setattr(ContainerWithFunctions, own, attribute)


on_contract(_add)
for _name, _operator in operators().items():
    setattr(ContainerWithOperators, _name, _operator)
