"""A helper for authors of classes that override functions by `__ivy_array_function__`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from arrayapi_unify.array_object import Array
from arrayapi_unify.backends import name_of
from arrayapi_unify.functional._traversal import is_nest, items, tree_unflatten

__all__ = ["map_arrays"]


def map_arrays(
    func: Callable[..., Any],
    args: Sequence[Any],
    kwargs: Mapping[str, Any],
    unwrap: Callable[[Any], Any],
    wrap: Callable[[Any], Any],
) -> Any:
    """Call a function with the arrays that objects hold, and wrap the arrays of its result.

    Parameters
    ----------
    func
        Function to call: that of `__ivy_array_function__`.
    args
        Its arguments. Objects are also found in lists, tuples, dicts and Containers.
    kwargs
        Its keyword arguments.
    unwrap
        Function of a value that returns the array of an object, and any other value itself.
    wrap
        Function of an array that returns an object.

    Returns
    -------
    The result, with an object in place of each array; other values, such as data types, stay. An
    array of an argument that is returned, as for `out=` and `set_item`, is the argument's object.

    References
    ----------
    NEP 18, "A dispatch mechanism for NumPy's high level array functions".

    Examples
    --------
    >>> class Proxy:
    ...     def __init__(self, array):
    ...         self.array = array
    ...
    ...     def __ivy_array_function__(self, func, types, args, kwargs):
    ...         unwrap = lambda x: x.array if isinstance(x, Proxy) else x
    ...         return overrides.map_arrays(func, args, kwargs, unwrap, Proxy)
    >>> unify.concat([Proxy(unify.ones(2)), unify.zeros(1)]).array
    unify.array([1., 1., 0.])
    """
    owners: dict[int, tuple[Any, Any]] = {}

    def taken(value: Any) -> Any:
        found = unwrap(value)
        if found is not value:
            owners[id(found)] = found, value
            return found
        return _each(value, taken)

    def given(value: Any) -> Any:
        if id(value) in owners:
            return owners[id(value)][1]
        if isinstance(value, Array) or name_of(value) is not None:
            return wrap(value)
        return _each(value, given)

    named = {name: taken(value) for name, value in kwargs.items()}
    return given(func(*[taken(value) for value in args], **named))


def _each(value: Any, change: Callable[[Any], Any]) -> Any:
    if isinstance(value, Array) or not is_nest(value):
        return value
    return tree_unflatten(value, [(name, change(one)) for name, one in items(value)])
