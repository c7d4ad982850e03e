"""Contracts of lazy arrays, which are computed when their values are needed.

`computing` sets the operations that may need values.
"""

from __future__ import annotations

from typing import Any

from arrayapi_unify._core import lazy_access
from arrayapi_unify._core.lazy_access import Policy
from arrayapi_unify._core.settings import Change
from arrayapi_unify.binding import standalone
from arrayapi_unify.functional import _transforms


@standalone(convenience=True, nestable=False)
def computing(policy: str | None = None, /) -> Policy:
    """Return a policy if one is given, else the one that holds: what a look at lazy values does.

    As a context manager, what it returns holds for the block, for the current thread or async task:
    ``with unify.computing("refuse"):``. A look is whatever needs values of a lazy array: `bool(x)`,
    `float(x)`, ``np.asarray(x)``, `to_list`, and functions whose algorithm needs them. To have
    values computed by `compute` is no look. Arrays of eager backends have their values.

    Parameters
    ----------
    policy
        ``"allow"`` has values computed whenever they are needed. ``"warn"`` does so, too, and gives
        a `ComputingWarning`. ``"refuse"`` raises a `ComputingError`; sizes that aren't known are
        None then, as the standard has it. Warning and error name the function, the argument, what
        would be computed, and the remedy.

    Returns
    -------
    The policy, which is a string. It is ``"allow"`` unless it was set.

    Raises
    ------
    UnifyValueError
        If `policy` is none of these.

    References
    ----------
    B58: lazy arrays (docs/behaviours.md).

    Examples
    --------
    >>> unify.computing()
    'allow'
    >>> with unify.computing("refuse"):
    ...     unify.computing(), float(unify.sum(unify.ones(3)))
    ('refuse', 3.0)
    """
    return lazy_access.policy.get() if policy is None else lazy_access.as_policy(policy)


@standalone(convenience=True, nestable=False)
def set_computing(policy: str, /) -> Change[Policy]:
    """Set the policy of `computing`.

    The setting holds at once, for the whole process, all threads included. It is no context
    manager: ``with unify.computing(policy):`` is a block, which holds for the current thread or
    async task and comes first.

    Parameters
    ----------
    policy
        ``"allow"``, ``"warn"`` or ``"refuse"``.

    Returns
    -------
    The change. Its method ``undo`` takes it back.

    Raises
    ------
    UnifyValueError
        If `policy` is none of these.

    References
    ----------
    B58: lazy arrays (docs/behaviours.md).

    Examples
    --------
    >>> change = unify.set_computing("warn")
    >>> unify.computing()
    'warn'
    >>> change.undo()
    """
    return Change(lazy_access.policy, lazy_access.as_policy(policy), "set_computing", "computing")


@standalone(convenience=True, nestable=False)
def compute(*arrays: Any) -> Any:
    """Compute lazy arrays in one pass, in which common parts are computed once.

    The results are arrays that have their values: on Dask they are Arrays of the library that holds
    the blocks, which is NumPy. Arrays of eager backends are returned as they are.

    Parameters
    ----------
    arrays
        Arrays, native or wrapped, and lists, tuples, dicts and Containers with arrays in them.
        Everything else is returned as it is.

    Returns
    -------
    For one argument what it is with computed arrays, for several a tuple of these. A native array
    gives a native one.

    References
    ----------
    B58: lazy arrays (docs/behaviours.md).

    Examples
    --------
    >>> x = unify.array([1, 2])
    >>> unify.compute(x) is x
    True
    >>> unify.compute(x, {"a": x})
    (unify.array([1, 2]), {'a': unify.array([1, 2])})
    """
    values = _transforms.computed(arrays)
    return values[0] if len(arrays) == 1 else values


@standalone(convenience=True, nestable=False)
def is_lazy(x: Any, /) -> bool:
    """Return True if a value is an array that records how its values are computed.

    That is so for arrays of lazy backends, computed or not. A traced array isn't lazy: its values
    never exist.

    Parameters
    ----------
    x
        Array, native or wrapped, or anything else.

    Returns
    -------
    A bool.

    References
    ----------
    B58: lazy arrays (docs/behaviours.md).

    Examples
    --------
    >>> unify.is_lazy(unify.array([1, 2]))
    False
    """
    return _transforms.is_lazy(x)
