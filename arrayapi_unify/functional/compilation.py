"""Contracts of compilation, of loops and branches that trace, and of lazy arrays.

Functions are compiled by the frameworks' own compilers. That work is done in the package
`compilation`, which is imported when it is first asked for. Where values are known, Python's own
loops and branches run. Where a framework traces without values, they become its own operations: a
loop isn't unrolled, and a branch may depend on values. Lazy arrays are computed when their values
are needed: `computing` says what may need them.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from typing import Any, Final

from arrayapi_unify._core import lazy_access
from arrayapi_unify._core.lazy_access import Policy
from arrayapi_unify._core.settings import Change
from arrayapi_unify._namespace import Namespace
from arrayapi_unify.backends import known
from arrayapi_unify.binding import standalone
from arrayapi_unify.contracts.contract import PACKAGE
from arrayapi_unify.errors import check_depth, describe, raise_type_error
from arrayapi_unify.functional import _transforms
from arrayapi_unify.functional._common import check_function
from arrayapi_unify.functional._control import branched, looped, repeated, scanned

_ENGINE: Final = f"{PACKAGE}.compilation"


@standalone(nestable=False)
def compile(
    fn: Callable[..., Any] | None = None,
    /,
    *,
    dynamic: bool | None = None,
    example_inputs: Any = None,
    static_argnums: int | Sequence[int] | None = None,
    static_argnames: str | Sequence[str] | None = None,
    backend: str | Namespace | None = None,
) -> Any:
    """Compile a function with the compiler of its arrays' backend.

    That is `jax.jit`, `tf.function` or `torch.compile`; on NumPy the function is traced to a graph.
    Each backend compiles for itself when it is first called with its arrays, and what was compiled
    is kept. The compiled function returns what the function returns, Arrays or native arrays in any
    nesting, and takes part in derivatives and `vmap`.

    Arrays are traced. All other arguments are part of the program: for other numbers or strings,
    and other structures, another one is compiled. So a number that changes from call to call is
    better passed as an array. Side effects of the function, such as printing, happen only while it
    is traced. What it writes to its arguments reaches the caller.

    Parameters
    ----------
    fn
        Function of arrays, of nests of arrays, and of values that are hashable. None returns a
        decorator with the other options.
    dynamic
        If True, one program serves several shapes on PyTorch and TensorFlow. None
        leaves it to them. JAX and NumPy compile for each shape.
    example_inputs
        Tuple of arguments, or a single one, for which the function is compiled at once.
    static_argnums
        Places of arguments that hold no arrays. These are found by themselves; to name them has an
        array among them refused.
    static_argnames
        Names of such arguments.
    backend
        Name or namespace of the backend on which the function runs. None means that of the arrays
        among the arguments; without any it is the one that is set.

    Returns
    -------
    The compiled function, or the decorator.

    Raises
    ------
    UnifyTypeError
        If `fn` is no function, a static argument holds an array, or a value isn't hashable.
    BackendError
        If arrays of several backends are among the arguments of a call.

    References
    ----------
    B29: compile (docs/behaviours.md).

    Examples
    --------
    >>> import arrayapi_unify.jax as xp
    >>> @unify.compile
    ... def norm(x):
    ...     return unify.sqrt(unify.sum(x * x))
    >>> norm(xp.asarray([3.0, 4.0]))
    unify.array(5., backend='jax')
    >>> unify.compile(unify.value_and_grad(norm))(xp.asarray([3.0, 4.0]))
    (unify.array(5., backend='jax'), unify.array([0.6, 0.8], backend='jax'))
    """
    name = None if backend is None else known("compile", backend)
    numbers = (static_argnums,) if isinstance(static_argnums, int) else tuple(static_argnums or ())
    names = (static_argnames,) if isinstance(static_argnames, str) else tuple(static_argnames or ())

    def decorate(function: Callable[..., Any]) -> Any:
        if isinstance(function, type) or not callable(function):
            raise_type_error(
                "compile", "fn", f"is {function!r}, which is no function",
                "pass a function of arrays; of a class compile its methods",
            )  # fmt: skip
        engine: Any = importlib.import_module(_ENGINE)
        made = engine.compiled(function, name, dynamic, (numbers, names))
        if example_inputs is not None:
            engine.prepare(made, example_inputs)
        return made

    return decorate if fn is None else decorate(fn)


@standalone(nestable=False)
def compiled_namespace(
    backend: str | Namespace, /, *, dynamic: bool | None = None, **options: Any
) -> Any:
    """Return a backend's namespace in which each function is compiled.

    The arrays among the arguments of a call are traced, everything else is part of the program,
    and so are the shapes and data types. Calls without an array, which have nothing to trace, are
    computed by the namespace's own functions. So are those of which the shape of the result depends
    on values: ``data_dependent`` of the namespace says which calls of which functions these are.
    Operators and methods of arrays are those of the backend's namespace.

    Parameters
    ----------
    backend
        Name of the backend, or its namespace.
    dynamic
        If True, one program serves several shapes, as for `compile`.
    options
        Further options of the framework's compiler: ``fullgraph=True`` and
        ``backend="eager"`` for `torch.compile`, ``jit_compile=True`` for `tf.function`.

    Returns
    -------
    The namespace, the same object every time.

    Raises
    ------
    UnifyValueError
        If there is no such backend; the message lists the known ones.

    References
    ----------
    B29: compile (docs/behaviours.md).

    Examples
    --------
    >>> xp = unify.compiled_namespace("jax")
    >>> xp.sum(xp.asarray([1.0, 2.0]), axis=0)
    unify.array(3., backend='jax')
    >>> sorted(xp.data_dependent)[:2]
    ['argwhere', 'bincount']
    """
    if not isinstance(dynamic, bool | None):
        problem = f"is {describe(dynamic)}"
        raise_type_error("compiled_namespace", "dynamic", problem, "pass True, False or None")
    engine: Any = importlib.import_module(_ENGINE)
    return engine.namespace(known("compiled_namespace", backend), dynamic, options)


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
        The arguments of both: arrays, or nests of arrays. Python's numbers become arrays.

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
    found: tuple[Any, Any] = scanned(f, init, xs, length, reverse)
    return found


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
    B69: lazy arrays (docs/behaviours.md).

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
    B69: lazy arrays (docs/behaviours.md).

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
    B69: lazy arrays (docs/behaviours.md).

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
    B69: lazy arrays (docs/behaviours.md).

    Examples
    --------
    >>> unify.is_lazy(unify.array([1, 2]))
    False
    """
    return _transforms.is_lazy(x)
