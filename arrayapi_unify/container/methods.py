"""The functions of the namespace as methods and static forms of `Container`, and its operators.

They are derived from the contracts and the table of operators, like those of `Array`; `methods.pyi`
declares them for type checkers and editors (`python -m arrayapi_unify._generate`).
"""

from __future__ import annotations

from typing import Final

from arrayapi_unify.binding import Contract
from arrayapi_unify.binding.array_class import as_method, on_contract
from arrayapi_unify.binding.contract import WITHOUT_METHODS
from arrayapi_unify.container.operators import operators

__all__ = ["STATIC", "ContainerWithFunctions", "ContainerWithOperators", "has_method"]

STATIC: Final = "static_"
"""The prefix of the name of a static form."""


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


def has_method(contract: Contract) -> bool:
    """Return True if a contract becomes a method: its argument may, or must, be a Container."""
    if contract.name.startswith("__") or contract.category in WITHOUT_METHODS:
        return False
    return contract.nestable or (contract.container_dependent and bool(contract.parameters))


def _add(contract: Contract) -> None:
    known = getattr(vars(ContainerWithFunctions).get(contract.name), "contract", None)
    if has_method(contract) and known is not contract:
        public = contract.public
        setattr(ContainerWithFunctions, STATIC + contract.name, staticmethod(public))
        setattr(ContainerWithFunctions, contract.name, as_method(contract, public))


on_contract(_add)
for _name, _operator in operators().items():
    setattr(ContainerWithOperators, _name, _operator)
