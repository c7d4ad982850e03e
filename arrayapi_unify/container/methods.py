"""The functions of the namespace as methods and static forms of `Container`, and its operators.

They are derived from the contracts and the table of operators, like those of `Array`; `methods.pyi`
declares them for type checkers and editors (`python -m arrayapi_unify._generate`).
"""

from __future__ import annotations

from typing import Any, Final

from arrayapi_unify.array_object.numpy_compat import COMPONENTS
from arrayapi_unify.array_object.numpy_names import FUNCTIONS, other_names
from arrayapi_unify.binding.array_class import as_method, is_hidden, on_contract
from arrayapi_unify.container.operators import operators
from arrayapi_unify.contracts import Contract
from arrayapi_unify.contracts.contract import WITHOUT_METHODS

__all__ = [
    "STATIC", "ContainerWithFunctions", "ContainerWithOperators", "has_method", "static_names",
]  # fmt: skip

STATIC: Final = "static_"
"""The prefix of the name of a static form."""

# They were methods when linalg alone had them.
_ALSO_IN_LINALG: Final = frozenset({"cross", "diagonal", "outer", "trace"})


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


def static_names(contract: Contract) -> list[str]:
    """Return the names of a contract's static forms: its argument may, or must, be a Container."""
    if (
        contract.name.startswith("__")
        or contract.category in WITHOUT_METHODS
        or is_hidden(contract)
    ):
        return []
    takes = contract.nestable or (contract.container_dependent and bool(contract.parameters))
    return [contract.name, *other_names(contract.qualified_name)] if takes else []


def has_method(contract: Contract) -> bool:
    """Return True if a contract becomes a method; NumPy's names are left to keys."""
    return bool(static_names(contract)) and contract.name not in FUNCTIONS - _ALSO_IN_LINALG


def _add(contract: Contract) -> None:
    names = static_names(contract)
    known = getattr(vars(ContainerWithFunctions).get(STATIC + contract.name), "contract", None)
    if not names or known is contract:
        return
    for name in names:
        setattr(ContainerWithFunctions, STATIC + name, staticmethod(contract.public))
    if has_method(contract):
        method: Any = as_method(contract, contract.public)
        attribute = property(method) if contract.name in COMPONENTS else method
        setattr(ContainerWithFunctions, contract.name, attribute)


on_contract(_add)
for _name, _operator in operators().items():
    setattr(ContainerWithOperators, _name, _operator)
