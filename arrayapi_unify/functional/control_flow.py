"""Contracts of loops and branches that trace.

Where values are known, Python's own loops and branches run. Where a framework traces without
values, they become its own operations: a loop isn't unrolled, and a branch may depend on values.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from arrayapi_unify.binding import standalone
from arrayapi_unify.errors import check_depth
from arrayapi_unify.functional._common import check_function
from arrayapi_unify.functional._control import branched, looped, repeated, scanned


@standalone
def cond(
    pred: Any, true_fun: Callable[..., Any], false_fun: Callable[..., Any], /, *operands: Any
) -> Any:
    """Call one of two functions.

    `jax.jit`, `tf.function` and `torch.compile` trace both functions, whose results then have to
    have one structure, and the same shapes and data types. Otherwise one of them is called.

    Parameters
    ----------
    pred
        Bool, or zero-dimensional array of bool.
    true_fun
        Function that is called if `pred` is true.
    false_fun
        Function that is called if `pred` is false.
    operands
        The arguments of both: arrays, or nests of arrays. Python's numbers become arrays. A write
        of the function that is called reaches them, as in a call without `cond`. While a framework
        traces, operands that share memory with each other can't be written to.

    Returns
    -------
    What the function returns, with arrays in the place of Python's numbers.

    Raises
    ------
    UnifyTypeError
        If `pred` is no bool, or the two results don't fit while they are traced.

    References
    ----------
    JAX's ``jax.lax.cond``, Frostig et al., "Compiling machine learning programs via high-level
    tracing", 2018.

    Examples
    --------
    >>> x = unify.array([1.0, -4.0])
    >>> unify.cond(unify.sum(x) > 0, lambda x: x, lambda x: -x, x)
    unify.array([-1.,  4.])
    """
    check_function("cond", "true_fun", true_fun)
    check_function("cond", "false_fun", false_fun)
    try:
        return branched(pred, true_fun, false_fun, operands)
    except RecursionError:
        check_depth("cond", [("operands", operands)])
        raise


@standalone
def scan(
    f: Callable[[Any, Any], tuple[Any, Any]],
    init: Any,
    xs: Any = None,
    /,
    length: int | None = None,
    *,
    reverse: bool = False,
) -> tuple[Any, Any]:
    """Run a loop over the first axes of arrays, and stack what each step gives.

    `jax.jit` and `tf.function` trace one step, not all of them. Otherwise Python loops, and
    `torch.compile` unrolls that.

    Parameters
    ----------
    f
        Function of what goes round and of the rows of this step. It returns a tuple: what goes
        round next, of the same structure, shapes and data types, and what is kept of this step.
        It may write to its arguments, which changes nothing outside.
    init
        What goes round at the start: an array or a nest of arrays. Python's numbers become arrays.
    xs
        Array or nest of arrays, whose first axes have one size. None, if `length` is given.
    length
        The number of steps; by default that of the rows of `xs`.
    reverse
        If True, the last row comes first. The output of a step has the position of its row.

    Returns
    -------
    The loop state after the last step, and the outputs of all steps, stacked along a first axis.

    Raises
    ------
    UnifyTypeError
        If what goes round changes its structure, a shape or a data type.
    UnifyValueError
        If the number of steps isn't known, or there are several.

    References
    ----------
    JAX's ``jax.lax.scan``, Frostig et al., "Compiling machine learning programs via high-level
    tracing", 2018.

    Examples
    --------
    >>> def add(total, x):
    ...     return total + x, total
    >>> unify.scan(add, 0.0, unify.array([1.0, 2.0, 3.0]))
    (unify.array(6.), unify.array([0., 1., 3.]))
    """
    return scanned(f, init, xs, length, reverse)


@standalone
def while_loop(
    cond_fun: Callable[[Any], Any], body_fun: Callable[[Any], Any], init_val: Any, /
) -> Any:
    """Run a loop as long as a function gives true.

    `jax.jit`, `tf.function` and `torch.compile` trace one step. Of a loop that is traced by
    `jax.jit`, JAX pulls no derivative back, and of one that `torch.compile` traces PyTorch none at
    all: where the number of steps is known, `fori_loop` and `scan` have derivatives.

    Parameters
    ----------
    cond_fun
        Function of what goes round that gives a bool, or a zero-dimensional array of bool.
    body_fun
        Function of what goes round that returns what goes round next, of the same structure, shapes
        and data types. It may write to its argument, which changes nothing outside.
    init_val
        What goes round at the start: an array or a nest of arrays. Python's numbers become arrays.

    Returns
    -------
    The loop state when the condition is false.

    Raises
    ------
    UnifyTypeError
        If what goes round changes its structure, a shape or a data type, or the test is no bool.

    References
    ----------
    JAX's ``jax.lax.while_loop``, Frostig et al., "Compiling machine learning programs via
    high-level tracing", 2018.

    Examples
    --------
    >>> unify.while_loop(lambda x: x < 100.0, lambda x: x * 3.0, unify.asarray(1.0))
    unify.array(243.)
    """
    return looped("while_loop", cond_fun, body_fun, init_val, ("cond_fun", "body_fun"))


@standalone
def fori_loop(lower: Any, upper: Any, body_fun: Callable[[Any, Any], Any], init_val: Any, /) -> Any:
    """Run a loop over the integers from `lower` to `upper`, which is left out.

    With Python's integers as bounds it is a `scan`, and has derivatives as that has. With arrays as
    bounds it is a `while_loop`.

    Parameters
    ----------
    lower
        The first integer, or a zero-dimensional array of one.
    upper
        The integer behind the last one, or a zero-dimensional array of one.
    body_fun
        Function of the integer, as an array of the default integer data type, and of what goes
        round. It returns what goes round next, of the same structure, shapes and data types.
    init_val
        What goes round at the start: an array or a nest of arrays. Python's numbers become arrays.

    Returns
    -------
    The loop state after the last step.

    Raises
    ------
    UnifyTypeError
        If what goes round changes its structure, a shape or a data type.

    References
    ----------
    JAX's ``jax.lax.fori_loop``, Frostig et al., "Compiling machine learning programs via high-level
    tracing", 2018.

    Examples
    --------
    >>> unify.fori_loop(1, 5, lambda i, product: product * i, unify.asarray(1))
    unify.array(24)
    """
    return repeated(lower, upper, body_fun, init_val)
