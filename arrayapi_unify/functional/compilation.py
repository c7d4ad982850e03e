"""Contracts of compilation by the frameworks' own compilers.

The package `compilation` does the work. It is imported at the first use.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from typing import Any, Final

from arrayapi_unify._namespace import Namespace
from arrayapi_unify.backends import known
from arrayapi_unify.binding import standalone
from arrayapi_unify.contracts.contract import PACKAGE
from arrayapi_unify.errors import describe, raise_type_error

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
