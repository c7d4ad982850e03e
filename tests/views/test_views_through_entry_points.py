"""Views through every entry point: bound namespace, top level, method, Container."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from types import ModuleType
from typing import Any, Final

import numpy as np
import pytest

import arrayapi_unify as unify
from arrayapi_unify.contracts.contract import CONTRACTS
from arrayapi_unify.views.sharing import SHARING
from tests.tables import each

VALUES: Final = np.array([[1.0 + 1.0j, 2.0, 3.0j]])

# Additional arguments of functions; other functions have none.
REST: Final[dict[str, tuple[Any, ...]]] = {
    "get_item": ((0, slice(None, None, -1)),),
    "reshape": ((3, 1),),
    "permute_dims": ((1, 0),),
    "moveaxis": (0, 1),
    "broadcast_to": ((2, 1, 3),),
}
NAMED: Final[dict[str, dict[str, Any]]] = {
    "squeeze": {"axis": 0},
    "expand_dims": {"axis": 1},
    "split": {"num_or_size_splits": [1, 2], "axis": 1},
}


def _of(function: Callable[..., Any], name: str, x: Any) -> Any:
    """Call a function, and return its view, or the first one."""
    result = function(x, *REST.get(name, ()), **NAMED.get(name, {}))
    if isinstance(result, unify.Container):
        result = result.a
    return result[0] if isinstance(result, tuple) else result


def _called(module: Any, name: str) -> Callable[..., Any]:
    for part in name.split("."):
        module = getattr(module, part)
    found: Callable[..., Any] = module
    return found


def _set(xp: ModuleType, name: str, x: Any) -> Any:
    with unify.use_backend(x.backend):
        return _of(_called(unify, name), name, x)


def _method(xp: ModuleType, name: str, x: Any) -> Any:
    bound = getattr(x, name.rpartition(".")[2], None)
    if not callable(bound):  # some names are attributes
        bound = _called(xp, name).__get__(x)
    return _of(lambda _, *rest, **named: bound(*rest, **named), name, x)


def _container(xp: ModuleType, name: str, x: Any) -> Any:
    nest = unify.Container(a=x) if CONTRACTS[name].nestable else x
    return _of(_called(unify, name), name, nest)


ENTRY_POINTS: Final[dict[str, Callable[[ModuleType, str, Any], Any]]] = {
    "bound": lambda xp, name, x: _of(_called(xp, name), name, x),
    "top level": lambda xp, name, x: _of(_called(unify, name), name, x),
    "top level, set": _set,
    "method": _method,
    "Container": _container,
}


def _numpys(name: str, x: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Return NumPy's own view."""
    layout = SHARING[name].layout
    more = (
        (x.shape,) if name == "broadcast_arrays" else (0,) if name in ("unstack", "split") else ()
    )
    view: np.ndarray[Any, Any] = layout(x, *more, *REST.get(name, ()), **NAMED.get(name, {}))
    return view


@each("name, entry_point", itertools.product(SHARING, ENTRY_POINTS))
def test_a_view_sees_a_write(xp: ModuleType, name: str, entry_point: str) -> None:
    x, twin = xp.asarray(VALUES.copy()), VALUES.copy()
    view = ENTRY_POINTS[entry_point](xp, name, x)
    reference = _numpys(name, twin)
    x[0, 0] = twin[0, 0] = 7.0 - 2.0j
    assert {7.0, -2.0} & {*reference.real.flat, *reference.imag.flat}
    np.testing.assert_array_equal(np.asarray(view), reference, strict=True)


@each("name, entry_point", itertools.product(SHARING, ENTRY_POINTS))
def test_a_view_sees_a_tracked_value(name: str, entry_point: str) -> None:
    torch = pytest.importorskip("torch")
    xp = unify.get_backend("torch")
    x = xp.asarray(VALUES.copy(), copy=True)
    view = ENTRY_POINTS[entry_point](xp, name, x)
    leaf = torch.tensor(4.0 + 3.0j, dtype=torch.complex128, requires_grad=True)
    x[0, 0] = xp.asarray(leaf)
    assert view.data.requires_grad
    torch.view_as_real(view.data.to(torch.complex128)).sum().backward()
    assert leaf.grad is not None
    assert leaf.grad.abs().item() > 0.0
