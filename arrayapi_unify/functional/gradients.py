"""Contracts of the derivatives: functions of nests of arrays are differentiated and vectorized.

There are no variables and no hidden state. A function takes arrays and returns arrays, and so does
its derivative.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

from arrayapi_unify._core.failures import shorten
from arrayapi_unify.array_object import Array
from arrayapi_unify.binding import primary, standalone
from arrayapi_unify.contracts.annotations import ArrayIn
from arrayapi_unify.errors import check_depth, raise_type_error, raise_value_error
from arrayapi_unify.functional import _custom_gradients, _jvp_vjp_vmap, _value_and_grad
from arrayapi_unify.functional._carried import lowered, raised
from arrayapi_unify.functional._common import check_function
from arrayapi_unify.functional._transforms import (
    BackendTransfer,
    on_backend,
    single_array,
    tree_arrays,
    uncompiled,
    wraps,
)


@standalone
def execute_with_gradients(
    func: Callable[[Any], Any],
    xs: Any,
    /,
    *,
    retain_grads: bool = False,
    xs_grad_idxs: Sequence[Any] | None = None,
    ret_grad_idxs: Sequence[Any] | None = None,
    via: str | None = None,
) -> tuple[Any, Any]:
    """Call a function of a nest, and differentiate its scalars by the arrays of the nest.

    The rules are the same on every backend:

    - An array that occurs several times in `xs` has the same total derivative wherever it stands.
    - Integers are floating-point numbers of the default data type for the function. Bools stay what
      they are, and have zeros as derivatives.
    - A derivative that is NaN or infinite is 0.
    - What the framework tracks is left alone: inputs are detached first, results are detached.
    - The function may write to its arguments. That changes nothing outside of it.

    The derivative by a complex z = x + iy is d/dx + i d/dy: the direction in which the result
    grows.

    Parameters
    ----------
    func
        Function of one argument, a nest like `xs` with Arrays in it. It returns a zero-dimensional
        real array, or a nest of such arrays.
    xs
        Array, or a list, tuple, dict or Container with arrays in it, in any nesting.
    retain_grads
        If True, nothing is detached, so that results and derivatives can be differentiated.
    xs_grad_idxs
        Nest indices of what to differentiate by: ``[[0]]``, ``[["a"], [1, "b"]]``. None means all.
    ret_grad_idxs
        Nest indices of the results that are differentiated. None means all.
    via
        Name of a backend that differentiates. The function gets arrays of that backend, of the same
        memory where possible. The results are arrays of the backend that they came from.

    Returns
    -------
    The function's result, and the derivatives. For one differentiated result these have the
    structure of the selected part of `xs`: of the node itself for one index, and of `xs` without
    all else for several. For several results they have the structure of the selected part of what
    the function returned, with that in the place of each result.

    Raises
    ------
    BackendError
        If the backend can't differentiate, as NumPy can't; the message names the remedy.
    UnifyTypeError
        If no array is selected to differentiate by, or a result is complex.
    UnifyValueError
        If a result that is differentiated has dimensions.
    UnifyIndexError, UnifyKeyError
        If an index doesn't lead to a node.

    References
    ----------
    B30, B31, B32, B33, B34, B35, B36, B37 and B40: gradients (docs/behaviours.md).

    Examples
    --------
    >>> def func(xs):
    ...     return unify.sum(xs[0] * xs[1])
    >>> xs = [unify.array([1.0, 2.0]), unify.array([3.0])]
    >>> unify.execute_with_gradients(func, xs, via="torch")
    (unify.array(9.), [unify.array([3., 3.]), unify.array([3.])])
    >>> unify.execute_with_gradients(func, xs, xs_grad_idxs=[[1]], via="torch")
    (unify.array(9.), unify.array([3.]))
    >>> def several(x):
    ...     return {"sum": unify.sum(x), "first": x[0]}
    >>> _, grads = unify.execute_with_gradients(several, xs[0], via="torch")
    >>> grads
    {'sum': unify.array([1., 1.]), 'first': unify.array([1., 0.])}
    """
    name = "execute_with_gradients"

    def run(args: Any) -> tuple[Any, Any]:
        part = _value_and_grad.selected(name, "xs_grad_idxs", args[0], xs_grad_idxs)
        return _value_and_grad.differentiate(name, func, args, part, ret_grad_idxs, retain_grads)

    return on_backend(via, name, (xs,), run)


def _part(function: str, argnums: Any, args: tuple[Any, ...]) -> Any:
    """Return the argument to differentiate by, or a tuple of several."""
    alone = isinstance(argnums, int)
    places = [argnums] if alone else list(argnums)
    for place in places:
        if not -len(args) <= place < len(args):
            raise_value_error(
                function, "argnums", f"is {argnums} for {len(args)} arguments",
                "pass the places of positional arguments",
            )  # fmt: skip
    return args[argnums] if alone else tuple(args[place] for place in places)


@standalone
def value_and_grad(
    func: Callable[..., Any],
    /,
    argnums: int | Sequence[int] = 0,
    *,
    has_aux: bool = False,
    via: str | None = None,
) -> Callable[..., tuple[Any, Any]]:
    """Make of a function the function that returns its value and its derivatives.

    The rules are those of `execute_with_gradients`, but for one: what is made is a function like
    any other, so it can be differentiated itself. Where something tracks the arguments, the results
    are tracked; otherwise they aren't.

    Parameters
    ----------
    func
        Function of arrays, or nests of arrays, that returns a zero-dimensional real array or a nest
        of such arrays.
    argnums
        The place of the positional argument to differentiate by, or several places.
    has_aux
        If True, the function returns a pair: what is differentiated, and anything else.
    via
        Name of a backend that differentiates, as in `execute_with_gradients`.

    Returns
    -------
    The function of the same arguments. It returns what the function returns, and the derivatives:
    those by one argument in its structure, those by several in a tuple. With
    `has_aux` the first of both is the pair.

    Raises
    ------
    UnifyValueError
        If `argnums` isn't the place of a positional argument, when the function is called.
    UnifyTypeError
        If `has_aux`, and the function returns no pair.
    BackendError
        If the backend can't differentiate, when the function is called.

    References
    ----------
    B38: value_and_grad and its like (docs/behaviours.md).

    Examples
    --------
    >>> f = unify.value_and_grad(lambda x: unify.sum(x * x), via="torch")
    >>> f(unify.array([1.0, 2.0]))
    (unify.array(5.), unify.array([2., 4.]))
    """
    return _make_value_and_grad("value_and_grad", func, argnums, has_aux, via)


def _differentiate_one(
    name: str, func: Callable[..., Any], x: Any, binding: Any, transforms: Any
) -> tuple[Any, Any]:
    """Differentiate by a single array, the most common case."""
    try:
        pair: tuple[Any, Any] = transforms.uncompiled(
            lambda x: _value_and_grad.differentiate_one(name, func, x, binding, transforms), x
        )
    except Exception as error:
        shorten(error)
        raise
    return raised(pair)


def _in_pairs(name: str, func: Callable[..., Any]) -> Callable[..., tuple[Any, Any]]:
    """Return a function that raises if another one returns no pair."""

    def pair(*args: Any, **kwargs: Any) -> tuple[Any, Any]:
        found = func(*args, **kwargs)
        if not isinstance(found, tuple) or len(found) != 2:
            raise_type_error(
                name, "func", f"returns {type(found).__name__}, which is no pair",
                "return (result, aux), or leave out has_aux",
            )  # fmt: skip
        return found

    return raised(pair)


def _make_value_and_grad(
    name: str, func: Callable[..., Any], argnums: int | Sequence[int], aux: bool, via: str | None
) -> Callable[..., tuple[Any, Any]]:
    check_function(name, "func", func)
    results = [[0]] if aux else None
    body = _in_pairs(name, func) if aux else func

    @wraps(func)
    def differentiated(*args: Any, **kwargs: Any) -> tuple[Any, Any]:
        called = functools.partial(body, **kwargs) if kwargs else body
        plain = single_array(args) if via is None and argnums == 0 and not aux else None
        if plain is not None:
            return _differentiate_one(name, called, args[0], *plain)

        def run(given: Any) -> tuple[Any, Any]:
            part = _part(name, argnums, given)
            return _value_and_grad.differentiate(name, called, given, part, results, None)

        return on_backend(via, name, args, run)

    return differentiated


@standalone
def grad(
    func: Callable[..., Any],
    /,
    argnums: int | Sequence[int] = 0,
    *,
    has_aux: bool = False,
    via: str | None = None,
) -> Callable[..., Any]:
    """Make of a function its derivative.

    It is what `value_and_grad` makes, without the value. So ``grad(grad(f))`` is a second
    derivative.

    Parameters
    ----------
    func
        Function of arrays, or nests of arrays, that returns a zero-dimensional real array or a nest
        of such arrays.
    argnums
        The place of the positional argument to differentiate by, or several places.
    has_aux
        If True, the function returns a pair: what is differentiated, and anything else.
    via
        Name of a backend that differentiates, as in `execute_with_gradients`.

    Returns
    -------
    The function of the same arguments. It returns the derivatives by one argument in its structure,
    those by several in a tuple. With `has_aux` it
    returns the derivatives and the second part of the pair.

    Raises
    ------
    UnifyValueError
        If `argnums` isn't the place of a positional argument, when the function is called.
    UnifyTypeError
        If `has_aux`, and the function returns no pair.
    BackendError
        If the backend can't differentiate, when the function is called.

    References
    ----------
    B38: value_and_grad and its like (docs/behaviours.md).

    Examples
    --------
    >>> cube = lambda x: x**3
    >>> x = unify.array(2.0)
    >>> unify.grad(cube, via="torch")(x)
    unify.array(12.)
    >>> unify.grad(unify.grad(unify.grad(cube)), via="torch")(x)
    unify.array(6.)
    """
    both = _make_value_and_grad("grad", func, argnums, has_aux, via)

    @wraps(func)
    def derivative(*args: Any, **kwargs: Any) -> Any:
        found, slopes = both(*args, **kwargs)
        return (slopes, found[1]) if has_aux else slopes

    return derivative


@standalone
def jac(
    func: Callable[..., Any],
    /,
    argnums: int | Sequence[int] = 0,
    *,
    has_aux: bool = False,
    via: str | None = None,
) -> Callable[..., Any]:
    """Make of a function the one that returns its Jacobian.

    Parameters
    ----------
    func
        Function of arrays, or nests of arrays, that returns a real array of any shape or a nest of
        such arrays.
    argnums
        The place of the positional argument to differentiate by, or several places.
    has_aux
        If True, the function returns a pair: what is differentiated, and anything else.
    via
        Name of a backend that differentiates, as in `execute_with_gradients`.

    Returns
    -------
    The function of the same arguments. It returns the structure of the results; in the place of
    each result is the structure of the argument (a tuple of these for several), with arrays whose
    shape is that of the result and then that of the argument's array. The rules for integers, NaN
    and complex arguments are those of `execute_with_gradients`. With `has_aux` it returns the
    Jacobian and the second part of the pair.

    Raises
    ------
    UnifyTypeError
        If a result is complex, or `has_aux` and the function returns no pair.
    UnifyValueError
        If `argnums` isn't the place of a positional argument, when the function is called.
    BackendError
        If the backend can't differentiate, when the function is called.

    References
    ----------
    B38: value_and_grad and its like (docs/behaviours.md).

    Examples
    --------
    >>> f = unify.jac(lambda x: x**2, via="torch")
    >>> f(unify.array([1.0, 2.0]))
    unify.array([[2., 0.],
                 [0., 4.]])
    """
    check_function("jac", "func", func)
    return _jac("jac", func, argnums, has_aux, via)


def _jac(
    name: str, func: Callable[..., Any], argnums: int | Sequence[int], aux: bool, via: str | None
) -> Callable[..., Any]:
    body = _in_pairs(name, func) if aux else func

    @wraps(func)
    def jacobian(*args: Any, **kwargs: Any) -> Any:
        called = functools.partial(body, **kwargs) if kwargs else body

        def run(given: Any) -> Any:
            part = _part(name, argnums, given)
            return _jvp_vjp_vmap.jacobian(name, called, given, part, aux)

        return on_backend(via, name, args, run)

    return jacobian


@standalone
def hessian(
    func: Callable[..., Any], /, argnums: int | Sequence[int] = 0, *, via: str | None = None
) -> Callable[..., Any]:
    """Make of a function the one that returns its Hessian, the Jacobian of its derivative.

    Parameters
    ----------
    func
        Function of arrays, or nests of arrays, that returns a zero-dimensional real array.
    argnums
        The place of the positional argument to differentiate by, or several places.
    via
        Name of a backend that differentiates, as in `execute_with_gradients`.

    Returns
    -------
    The function of the same arguments. It returns the structure of the argument with that structure
    in the place of each array; the shapes there are those of both arrays together.

    Raises
    ------
    UnifyTypeError
        If an array to differentiate by is complex, when the function is called.
    UnifyValueError
        If `argnums` isn't the place of a positional argument, when the function is called.
    BackendError
        If the backend can't differentiate, when the function is called.

    References
    ----------
    B38: value_and_grad and its like (docs/behaviours.md).

    Examples
    --------
    >>> f = unify.hessian(lambda x: x[0] ** 2 * x[1], via="torch")
    >>> f(unify.array([3.0, 5.0]))
    unify.array([[10.,  6.],
                 [ 6.,  0.]])
    """
    check_function("hessian", "func", func)
    derivative = _make_value_and_grad("hessian", func, argnums, False, None)

    @wraps(func)
    def slope(*args: Any, **kwargs: Any) -> Any:
        return derivative(*args, **kwargs)[1]

    return _jac("hessian", slope, argnums, False, via)


def _arguments(primals: Any) -> tuple[Any, ...]:
    return primals if isinstance(primals, tuple) else (primals,)


@standalone
def jvp(
    func: Callable[..., Any], primals: Any, tangents: Any, /, *, via: str | None = None
) -> tuple[Any, Any]:
    """Call a function, and differentiate it along a direction.

    Parameters
    ----------
    func
        Function of arrays, or nests of arrays, that returns an array or a nest of arrays.
    primals
        Tuple of the arguments; anything else is the only argument.
    tangents
        The direction, in the same structure, with arrays of the same shapes.
    via
        Name of a backend that differentiates, as in `execute_with_gradients`.

    Returns
    -------
    The function's result, and its derivatives along the direction in the same structure.

    Raises
    ------
    UnifyTypeError
        If there is no array among the arguments.
    UnifyValueError
        If the tangents don't fit the primals.
    BackendError
        If the backend can't differentiate.

    References
    ----------
    B38: value_and_grad and its like (docs/behaviours.md).

    Examples
    --------
    >>> x = unify.array([1.0, 2.0])
    >>> unify.jvp(lambda x: x**2, x, unify.array([1.0, 10.0]), via="torch")
    (unify.array([1., 4.]), unify.array([ 2., 40.]))
    """

    def run(given: Any) -> tuple[Any, Any]:
        return _jvp_vjp_vmap.pushed("jvp", func, given[0], given[1])

    both = (_arguments(primals), _arguments(tangents))
    return on_backend(via, "jvp", both, run)


@standalone
def vjp(
    func: Callable[..., Any], /, *primals: Any, has_aux: bool = False, via: str | None = None
) -> tuple[Any, ...]:
    """Call a function, and return what pulls back to its arguments.

    Parameters
    ----------
    func
        Function of arrays, or nests of arrays, that returns an array or a nest of arrays.
    primals
        Its arguments.
    has_aux
        If True, the function returns a pair: what is differentiated, and anything else.
    via
        Name of a backend that differentiates, as in `execute_with_gradients`.

    Returns
    -------
    What the function returned, and a function. That takes weights in the structure of the results,
    and returns a tuple: the derivatives by each argument of the sum of all weighted results. For
    complex results the sum is that of ``real(conj(weight) * result)``. With `has_aux`, the
    second part of the pair comes third.

    Raises
    ------
    UnifyTypeError
        If there is no array among the arguments, or `has_aux` and the function returns no pair.
    UnifyValueError
        If the weights don't fit the results, when the function is called.
    BackendError
        If the backend can't differentiate.

    References
    ----------
    B38: value_and_grad and its like (docs/behaviours.md).

    Examples
    --------
    >>> y, pull = unify.vjp(lambda x: x**2, unify.array([1.0, 2.0]), via="torch")
    >>> pull(unify.array([1.0, 10.0]))
    (unify.array([ 2., 40.]),)
    """

    check_function("vjp", "func", func)

    def run(given: Any) -> Any:
        called = _in_pairs("vjp", func) if has_aux else func
        return _jvp_vjp_vmap.pulled("vjp", called, given, has_aux)

    if via is None:
        return uncompiled("vjp", primals, run, "primals")
    primals = lowered("vjp", "primals", primals)
    transfer = BackendTransfer("vjp", primals, via)
    with transfer.active():
        ret, pull, *rest = uncompiled("vjp", transfer.to(primals, "primals"), run)

    @wraps(pull)
    def pull_back(upstream: Any) -> tuple[Any, ...]:
        with transfer.active():
            found: tuple[Any, ...] = transfer.back(pull(transfer.to(upstream, "upstream")))
        return found

    return (transfer.back(ret), pull_back, *map(transfer.back, rest))


@standalone
def vmap(
    func: Callable[..., Any], /, in_axes: Any = 0, out_axes: Any = 0, *, via: str | None = None
) -> Callable[..., Any]:
    """Make of a function of rows the function of many rows at once.

    Parameters
    ----------
    func
        Function of arrays, or nests of arrays. It must not decide by values: it is called once, for
        all rows. On NumPy, which can't do that, it is called for one row after the other. It may
        write to its arguments and to arrays that it made. It draws no random numbers without a key,
        and writes to no variable of a Module.
    in_axes
        The axis of the rows: an integer for all arguments, None for arguments that are the same for
        all rows, or a tuple with one of these for each argument, or a nest for a nest.
    out_axes
        Position of that axis in the results: an integer for all, or a nest in their structure. None
        takes the result of the first row.
    via
        Name of a backend to run on, as in `execute_with_gradients`.

    Returns
    -------
    The function of arguments with one axis more.

    Raises
    ------
    UnifyTypeError
        If there is no array among the arguments, or hidden state would change, when the function is
        called.
    UnifyValueError
        If the axes have different sizes, `in_axes` doesn't fit the arguments, or `func` writes
        values of the rows to an array from outside, when the function is called.
    UnifyIndexError
        If an axis is out of bounds, when the function is called.

    References
    ----------
    B39: custom gradients (docs/behaviours.md).

    Examples
    --------
    >>> dot = unify.vmap(lambda x, y: unify.sum(x * y), in_axes=(0, None))
    >>> dot(unify.array([[1.0, 2.0], [3.0, 4.0]]), unify.array([1.0, 10.0]))
    unify.array([21., 43.])
    """
    check_function("vmap", "func", func)

    @wraps(func)
    def for_all(*args: Any, **kwargs: Any) -> Any:
        called = functools.partial(func, **kwargs) if kwargs else func
        return on_backend(
            via,
            "vmap",
            args,
            lambda given: _jvp_vjp_vmap.vectorized(called, given, in_axes, out_axes),
        )

    return for_all


@primary
def stop_gradient(x: ArrayIn, /, *, preserve_type: bool = True) -> Array:
    """Copy the values of an array, as a constant that nothing differentiates through.

    Parameters
    ----------
    x
        Array of any shape and data type.
    preserve_type
        If True, a tensor of a subclass of the library's own class remains one of that class.

    Returns
    -------
    Array with the values of `x`.

    References
    ----------
    B37: untracked results (docs/behaviours.md).

    Examples
    --------
    >>> f = unify.grad(lambda x: x * unify.stop_gradient(x), via="torch")
    >>> f(unify.array(3.0))
    unify.array(3.)
    """


@primary
def requires_gradient(x: ArrayIn, /) -> bool:
    """Return True if an array is differentiated by, or was computed from one that is.

    Parameters
    ----------
    x
        Array of any shape and data type.

    Returns
    -------
    True or False.

    References
    ----------
    B37: untracked results (docs/behaviours.md).

    Examples
    --------
    >>> unify.requires_gradient(unify.array(3.0))
    False
    """


@standalone
def checkpoint(func: Callable[..., Any], /) -> Callable[..., Any]:
    """Make a function remember nothing for its derivative: it is computed again when that is asked.

    So a long computation takes more time and less memory.

    Parameters
    ----------
    func
        Function of arrays, or nests of arrays, that gives the same results when it is called again.
        All that is differentiated by must be among its arguments. It may write to them. If some of
        them share memory, it is called once, and intermediate results are stored. The second call
        finds the hidden state of the first one (random numbers without a key, variables of a
        Module), and changes nothing.

    Returns
    -------
    The function, with the same results, writes and derivatives. The results are new arrays, where
    those of `func` share memory with its arguments or each other.

    Raises
    ------
    UnifyValueError
        If `func` is traced, and writes to an array from outside, when the function is called.

    References
    ----------
    Training Deep Nets with Sublinear Memory Cost, arXiv:1604.06174.

    Examples
    --------
    >>> f = unify.checkpoint(lambda x: unify.sum(unify.sin(x)))
    >>> unify.grad(f, via="torch")(unify.array([0.0]))
    unify.array([1.])
    """
    check_function("checkpoint", "func", func)

    @wraps(func)
    def recomputed(*args: Any, **kwargs: Any) -> Any:
        called = functools.partial(func, **kwargs) if kwargs else func
        try:
            holds_arrays = any(True for _ in tree_arrays(args))
        except RecursionError:
            check_depth("checkpoint", [("args", args)])
            raise
        if not holds_arrays:
            return called(*args)
        return uncompiled(
            "checkpoint", args, lambda given: _custom_gradients.recomputed(called, given)
        )

    return recomputed


@standalone
def bind_custom_gradient_function(
    func: Callable[[Any], Any], custom_grad_fn: Callable[..., Any], /
) -> Callable[[Any], Any]:
    """Give a function a derivative of its own.

    The rule holds wherever the function is differentiated: inside of other functions, by the
    functions of this package or those of the framework, vectorized, and compiled.

    Parameters
    ----------
    func
        Function of one argument, an array or a nest of arrays, that returns an array or a nest of
        arrays. All that is differentiated by must be in its argument.
    custom_grad_fn
        The rule, called as ``custom_grad_fn((xs, ret), upstream)``: the argument, what the function
        returned, and the derivatives of the final result by what it returned, in its structure. It
        returns the derivatives of the final result by `xs`, in its structure. A tuple of one in the
        place of anything else stands for its element, and None for zeros.

    Returns
    -------
    The function with that derivative.

    Raises
    ------
    UnifyValueError
        If what the rule returned doesn't fit `xs`, when the function is differentiated.

    References
    ----------
    B39: custom gradients (docs/behaviours.md).

    Examples
    --------
    >>> inter = unify.bind_custom_gradient_function(
    ...     lambda x: unify.log1p(unify.exp(x)),
    ...     lambda given, upstream: upstream * (1 - 10 / (1 + given[0])),
    ... )
    >>> f = unify.value_and_grad(lambda x: inter(x) ** 2, via="torch")
    >>> f(unify.array(50.0))
    (unify.array(2500.), unify.array(80.39215686))
    """

    @wraps(func)
    def bound(xs: Any) -> Any:
        if not any(True for _ in tree_arrays(xs)):
            return func(xs)
        return uncompiled(
            "bind_custom_gradient_function",
            xs,
            lambda given: _custom_gradients.with_rule(func, custom_grad_fn, given),
        )

    return bound
