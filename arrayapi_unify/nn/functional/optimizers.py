"""Contracts of the optimizer steps: weights and state in, new weights and new state out.

One body serves all backends. Weights are an array, or any nest of arrays; derivatives and state
have the same structure.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from typing import Any, TypeAlias, cast

from arrayapi_unify.array_object import Array
from arrayapi_unify.backends import file_of, name_of, python_scalar
from arrayapi_unify.backends._common.algorithms.nn import Steps
from arrayapi_unify.binding import standalone
from arrayapi_unify.dtypes import REDUCED_PRECISION, float32
from arrayapi_unify.errors import (
    raise_type_error,
    raise_value_error,
)
from arrayapi_unify.functional._carried import lowered, raised
from arrayapi_unify.functional._transforms import (
    admitted,
    binding_for,
    transforms_of,
    tree_arrays,
    tree_map,
    tree_zip,
)
from arrayapi_unify.functional._traversal import is_nest
from arrayapi_unify.functional.gradients import stop_gradient

Step: TypeAlias = Callable[..., tuple[Array, ...]]
"""The arrays that stand at one place of nests -> the new ones."""


def _stepped(
    function: str, formula: Callable[..., Step], stop: bool, w: Any, options: dict[str, Any],
    **nests: Any,
) -> tuple[Any, ...]:  # fmt: skip
    """Make a step for each array of the weights; return a nest for each of its results.

    `formula` makes the step of the options. A backend may make it for all arrays at once.
    """
    w = lowered(function, "w", w, traces=False)
    nests = {name: lowered(function, name, nest, traces=False) for name, nest in nests.items()}
    binding = binding_for(function, "w", tree_arrays(w))

    def column(argument: str, nest: Any) -> list[Any]:
        if python_scalar(nest) is not None:  # the same for all, as at the start
            return [nest for _ in tree_zip(function, argument, w, w)]
        return [value for _, value in tree_zip(function, argument, w, nest)]

    columns = [column(argument, nest) for argument, nest in {"w": w, **nests}.items()]
    found = _together(function, binding, columns, options)
    if found is None:
        rows = _rows(function, binding, formula(**options), stop, columns)
        found = zip(*rows, strict=True)
    results = [iter(column) for column in found]
    return tuple(raised(tree_map(w, functools.partial(_next, left))) for left in results)


@functools.cache
def _steps_of(backend: str) -> Steps | None:
    return cast("Steps | None", file_of(backend, "nn._steps"))


def _together(
    function: str, binding: Any, columns: list[list[Any]], options: dict[str, Any]
) -> Iterable[Iterable[Array]] | None:
    """Make a step for all arrays at once; None if the backend doesn't make it for these."""
    steps = None if binding.backend.is_compiling() else _steps_of(binding.name)
    if steps is None or function not in steps.STEPS:
        return None
    # Formulas cast these two alone, so that any other array takes part in the promotion.
    scalars = {k: options[k] for k in ("lr", "step") if isinstance(options.get(k), Array)}
    if not all(type(x) in (bool, float, int) for k, x in options.items() if k not in scalars):
        return None
    if not all(type(x) is binding.array for x in chain(*columns, scalars.values())):
        return None
    lists = [[x._data for x in column] for column in columns]
    natives = {k: x._data for k, x in scalars.items()}
    if not steps.fits(lists, list(natives.values())):
        return None
    made = steps.STEPS[function](*lists, **{**options, **natives})
    return (map(binding.wrap, column) for column in made)


def _rows(
    function: str, binding: Any, step: Step, stop: bool, columns: Sequence[Sequence[Any]]
) -> Iterator[tuple[Array, ...]]:
    """Make a step for one array after the other."""
    detached = transforms_of(function, binding.name).detached
    for leaf, *others in zip(*columns, strict=True):
        if name_of(leaf) is None:
            raise_type_error(
                function, "w", f"holds a {type(leaf).__qualname__}", "pass arrays, in any nesting"
            )
        first, *given = [
            x if isinstance(x, Array) or name_of(x) is None else Array(x)
            for x in admitted(function, "dcdw", (leaf, *others))
        ]
        made = _precise(step, first, given)
        if not stop:
            yield made
        elif all(type(x) is binding.array for x in made):
            yield tuple([binding.wrap(detached(x._data)) for x in made])
        else:
            yield tuple(map(stop_gradient, made))


def _precise(step: Step, x: Array, others: list[Any]) -> tuple[Array, ...]:
    """Make a step in float32 at least, in which the state stays: squares exceed float16."""
    if x.dtype not in REDUCED_PRECISION:
        return step(x, *others)
    arrays = [y if python_scalar(y) is not None else _wide(y) for y in (x, *others)]
    made, *state = step(*arrays)
    return made.astype(x.dtype), *state


def _wide(x: Array) -> Array:
    return x.astype(float32) if x.dtype in REDUCED_PRECISION else x


def _next(values: Iterator[Array], _: Any) -> Array:
    return next(values)


def _descent(lr: Any) -> Step:
    def step(x: Array, g: Any) -> tuple[Array]:
        return (x - _like(lr, x) * g,)

    return step


@standalone(overridable=True)
def optimizer_update(
    w: Any, effective_grad: Any, lr: Any, /, *, stop_gradients: bool = True
) -> Any:
    """Return weights after a step against a direction, ``w - lr * effective_grad``.

    Parameters
    ----------
    w
        The weights: an array, or a nest of arrays.
    effective_grad
        The direction, in the same structure.
    lr
        The learning rate, a number or a zero-dimensional array.
    stop_gradients
        If True, the results are detached from the framework's tracking.

    Returns
    -------
    The new weights.

    Raises
    ------
    UnifyTypeError
        If `w` holds no arrays, or something else.
    UnifyValueError
        If the structures or shapes differ.

    References
    ----------
    A Stochastic Approximation Method, Annals of Mathematical Statistics 22(3), 1951.

    Examples
    --------
    >>> unify.nn.optimizer_update(unify.array([1.0, 2.0]), unify.array([10.0, 20.0]), 0.1)
    unify.array([0., 0.])
    """
    name, options = "nn.optimizer_update", {"lr": lr}
    return _stepped(name, _descent, stop_gradients, w, options, effective_grad=effective_grad)[0]


@standalone(overridable=True)
def gradient_descent_update(w: Any, dcdw: Any, lr: Any, /, *, stop_gradients: bool = True) -> Any:
    """Return weights after a step of gradient descent.

    Parameters
    ----------
    w
        The weights: an array, or a nest of arrays.
    dcdw
        The derivatives of the cost by the weights, in the same structure.
    lr
        The learning rate, a number or a zero-dimensional array.
    stop_gradients
        If True, the results are detached from the framework's tracking.

    Returns
    -------
    The new weights.

    Raises
    ------
    UnifyTypeError
        If `w` holds no arrays, or something else.
    UnifyValueError
        If the structures or shapes differ.

    References
    ----------
    PyTorch's ``torch.optim.SGD``.

    Examples
    --------
    >>> w = unify.Container(a=unify.array([1.0]), b=unify.array([2.0]))
    >>> unify.nn.gradient_descent_update(w, w, 0.5).b
    unify.array([1.])
    """
    name, options = "nn.gradient_descent_update", {"lr": lr}
    return _stepped(name, _descent, stop_gradients, w, options, dcdw=dcdw)[0]


@standalone(overridable=True)
def momentum_update(
    w: Any,
    dcdw: Any,
    lr: Any,
    velocity: Any,
    /,
    *,
    momentum: Any = 0.9,
    nesterov: bool = False,
    stop_gradients: bool = True,
) -> tuple[Any, Any]:
    """Return weights and velocity after a step of gradient descent with momentum.

    The velocity is ``v = momentum * velocity + dcdw``. The weights move by ``-lr * v``, or by
    ``-lr * (dcdw + momentum * v)`` where `nesterov` is true.

    Parameters
    ----------
    w
        The weights: an array, or a nest of arrays.
    dcdw
        The derivatives of the cost by the weights, in the same structure.
    lr
        The learning rate, a number or a zero-dimensional array.
    velocity
        The velocity after the step before, in the same structure; 0 at the start.
    momentum
        The share of the velocity that is kept.
    nesterov
        If True, use Nesterov's momentum.
    stop_gradients
        If True, the results are detached from the framework's tracking.

    Returns
    -------
    The new weights and the new velocity.

    Raises
    ------
    UnifyTypeError
        If `w` holds no arrays, or something else.
    UnifyValueError
        If the structures or shapes differ.

    References
    ----------
    PyTorch's ``torch.optim.SGD``; On the importance of initialization and momentum in deep
    learning, ICML 2013.

    Examples
    --------
    >>> w, v = unify.array([1.0]), 0.0
    >>> for _ in range(2):
    ...     w, v = unify.nn.momentum_update(w, 2 * w, 0.1, v)
    >>> w, v
    (unify.array([0.46]), unify.array([3.4]))
    """
    options = {"lr": lr, "momentum": momentum, "nesterov": bool(nesterov)}
    name, nests = "nn.momentum_update", {"dcdw": dcdw, "velocity": velocity}
    found = _stepped(name, _with_momentum, stop_gradients, w, options, **nests)
    return found[0], found[1]


def _with_momentum(lr: Any, momentum: Any, nesterov: bool) -> Step:
    def step(x: Array, g: Any, v: Any) -> tuple[Array, Array]:
        v = momentum * v + g
        return x - _like(lr, x) * (g + momentum * v if nesterov else v), v

    return step


def _moments(g: Any, m: Any, v: Any, beta1: Any, beta2: Any) -> tuple[Any, Any]:
    """Return the new moments of the derivatives."""
    return beta1 * m + (1 - beta1) * g, beta2 * v + (1 - beta2) * _by_component(_square, g)


def _corrections(step: Any, beta1: Any, beta2: Any) -> tuple[Any, Any]:
    """Return the factors that the moments lack: one computation for all arrays of a nest."""
    return 1 - beta1**step, 1 - beta2**step


def _direction(m: Any, v: Any, corrections: tuple[Any, Any], epsilon: Any) -> Array:
    def quotient(m: Array, v: Array) -> Array:
        first, second = (_like(factor, m) for factor in corrections)
        return (m / first) / (m.__array_namespace__().sqrt(v / second) + epsilon)

    return _by_component(quotient, m, v)


def _square(x: Array) -> Array:
    return x * x


def _by_component(function: Callable[..., Array], *arrays: Array) -> Array:
    """Call a function for real and imaginary parts alone, which are two numbers as in PyTorch."""
    x = arrays[0]
    if x.dtype.kind != "c":
        return function(*arrays)
    xp = x.__array_namespace__()
    re, im = (function(*[part(y) for y in arrays]) for part in (xp.real, xp.imag))
    return xp.astype(re, x.dtype) + xp.astype(im, x.dtype) * 1j


def _norm(x: Array) -> Array:
    xp = x.__array_namespace__()
    size = xp.abs(x) if x.dtype.kind == "c" else x
    return xp.sqrt(xp.sum(size * size))


def _like(number: Any, x: Any) -> Any:
    """Return a number in the data type of an array, so that a rate or a step doesn't widen it."""
    if isinstance(number, Array):
        return number.__array_namespace__().astype(number, x.dtype, copy=False)
    return number


def _decays(decay: Any) -> dict[str, Any]:
    """Return weight decays as an argument of a step, if each array has its own."""
    return {"decay_lambda": decay} if is_nest(decay) else {}


def _check_step(function: str, step: Any) -> None:
    if isinstance(step, int | float) and step < 1:
        raise_value_error(function, "step", f"is {step}", "count the steps from 1")


@standalone(overridable=True)
def adam_update(
    w: Any,
    dcdw: Any,
    lr: Any,
    mw_tm1: Any,
    vw_tm1: Any,
    step: Any,
    /,
    *,
    beta1: Any = 0.9,
    beta2: Any = 0.999,
    epsilon: Any = 1e-8,
    stop_gradients: bool = True,
) -> tuple[Any, Any, Any]:
    """Return weights and moments after a step of Adam.

    Parameters
    ----------
    w
        The weights: an array, or a nest of arrays.
    dcdw
        The derivatives of the cost by the weights, in the same structure.
    lr
        The learning rate, a number or a zero-dimensional array.
    mw_tm1
        The mean of the derivatives after the step before, in the same structure; 0 at the start.
    vw_tm1
        The mean of their squares after the step before, in the same structure; 0 at the start.
    step
        The number of the step, counted from 1.
    beta1
        The share of the mean that is kept.
    beta2
        The share of the mean of squares that is kept.
    epsilon
        Number added to the divisor.
    stop_gradients
        If True, the results are detached from the framework's tracking.

    Returns
    -------
    The new weights, the new mean, and the new mean of squares.

    Raises
    ------
    UnifyTypeError
        If `w` holds no arrays, or something else.
    UnifyValueError
        If the structures or shapes differ, or `step` is below 1.

    References
    ----------
    Adam: A Method for Stochastic Optimization, arXiv:1412.6980, Algorithm 1.

    Examples
    --------
    >>> w, m, v = unify.nn.adam_update(unify.array([1.0]), unify.array([4.0]), 0.1, 0.0, 0.0, 1)
    >>> w, m, v
    (unify.array([0.9]), unify.array([0.4]), unify.array([0.016]))
    """
    return _adam(
        "nn.adam_update", w, dcdw, lr, mw_tm1, vw_tm1, step, beta1, beta2, epsilon, 0.0,
        stop_gradients,
    )  # fmt: skip


def _adam(
    name: str, w: Any, dcdw: Any, lr: Any, mw: Any, vw: Any, step: Any, beta1: Any, beta2: Any,
    epsilon: Any, decay: Any, stop: bool,
) -> tuple[Any, Any, Any]:  # fmt: skip
    _check_step(name, step)
    options = {
        "lr": lr, "step": step, "beta1": beta1, "beta2": beta2, "epsilon": epsilon, "decay": decay,
    }  # fmt: skip
    nests = {"dcdw": dcdw, "mw_tm1": mw, "vw_tm1": vw, **_decays(decay)}
    found = _stepped(name, _by_moments, stop, w, options, **nests)
    return found[0], found[1], found[2]


def _by_moments(lr: Any, step: Any, beta1: Any, beta2: Any, epsilon: Any, decay: Any) -> Step:
    """Return a step of Adam, after weights have decayed."""
    corrections = _corrections(step, beta1, beta2)

    def each(x: Array, g: Any, m: Any, v: Any, decay: Any = decay) -> tuple[Array, ...]:
        m, v = _moments(g, m, v, beta1, beta2)
        rate = _like(lr, x)
        kept = x if type(decay) is float and not decay else x - rate * (_like(decay, x) * x)
        return kept - rate * _direction(m, v, corrections, epsilon), m, v

    return each


@standalone(overridable=True)
def adamw_update(
    w: Any,
    dcdw: Any,
    lr: Any,
    mw_tm1: Any,
    vw_tm1: Any,
    step: Any,
    /,
    *,
    beta1: Any = 0.9,
    beta2: Any = 0.999,
    epsilon: Any = 1e-8,
    decay_lambda: Any = 0.01,
    stop_gradients: bool = True,
) -> tuple[Any, Any, Any]:
    """Return weights and moments after a step of Adam with decoupled weight decay.

    Parameters
    ----------
    w
        The weights: an array, or a nest of arrays.
    dcdw
        The derivatives of the cost by the weights, in the same structure.
    lr
        The learning rate, a number or a zero-dimensional array.
    mw_tm1
        The mean of the derivatives after the step before, in the same structure; 0 at the start.
    vw_tm1
        The mean of their squares after the step before, in the same structure; 0 at the start.
    step
        The number of the step, counted from 1.
    beta1
        The share of the mean that is kept.
    beta2
        The share of the mean of squares that is kept.
    epsilon
        Number added to the divisor.
    decay_lambda
        Weight decay: a step subtracts this times `lr` times the weights. A number, or a nest of
        numbers in the structure of the weights.
    stop_gradients
        If True, the results are detached from the framework's tracking.

    Returns
    -------
    The new weights, the new mean, and the new mean of squares.

    Raises
    ------
    UnifyTypeError
        If `w` holds no arrays, or something else.
    UnifyValueError
        If the structures or shapes differ, or `step` is below 1.

    References
    ----------
    Decoupled Weight Decay Regularization, arXiv:1711.05101, Algorithm 2.

    Examples
    --------
    >>> one = unify.array([1.0])
    >>> unify.nn.adamw_update(one, 4 * one, 0.1, 0.0, 0.0, 1, decay_lambda=0.5)[0]
    unify.array([0.85])
    """
    return _adam(
        "nn.adamw_update", w, dcdw, lr, mw_tm1, vw_tm1, step, beta1, beta2, epsilon, decay_lambda,
        stop_gradients,
    )  # fmt: skip


@standalone(overridable=True)
def lamb_update(
    w: Any,
    dcdw: Any,
    lr: Any,
    mw_tm1: Any,
    vw_tm1: Any,
    step: Any,
    /,
    *,
    beta1: Any = 0.9,
    beta2: Any = 0.999,
    epsilon: Any = 1e-6,
    max_trust_ratio: Any = 10.0,
    decay_lambda: Any = 0.0,
    stop_gradients: bool = True,
) -> tuple[Any, Any, Any]:
    """Return weights and moments after a step of LAMB.

    The direction is that of Adam, with ``decay_lambda * w`` added. It is scaled by the trust ratio:
    the norm of the array's weights over that of the direction, at most `max_trust_ratio`, and 1
    where one of the norms is 0.

    Parameters
    ----------
    w
        The weights: an array, or a nest of arrays. Each array is a layer with its own ratio.
    dcdw
        The derivatives of the cost by the weights, in the same structure.
    lr
        The learning rate, a number or a zero-dimensional array.
    mw_tm1
        The mean of the derivatives after the step before, in the same structure; 0 at the start.
    vw_tm1
        The mean of their squares after the step before, in the same structure; 0 at the start.
    step
        The number of the step, counted from 1.
    beta1
        The share of the mean that is kept.
    beta2
        The share of the mean of squares that is kept.
    epsilon
        Number added to the divisor.
    max_trust_ratio
        The largest trust ratio.
    decay_lambda
        Weight decay: a number, or a nest of numbers in the structure of the weights.
    stop_gradients
        If True, the results are detached from the framework's tracking.

    Returns
    -------
    The new weights, the new mean, and the new mean of squares.

    Raises
    ------
    UnifyTypeError
        If `w` holds no arrays, or something else.
    UnifyValueError
        If the structures or shapes differ, or `step` is below 1.

    References
    ----------
    Large Batch Optimization for Deep Learning: Training BERT in 76 minutes, arXiv:1904.00962,
    Algorithm 2.

    Examples
    --------
    >>> w = unify.array([3.0, 4.0])
    >>> unify.nn.lamb_update(w, w, 0.1, 0.0, 0.0, 1, epsilon=0.0)[0]
    unify.array([2.64644661, 3.64644661])
    """
    _check_step("nn.lamb_update", step)
    corrections = _corrections(step, beta1, beta2)

    def each(
        x: Array, g: Any, m: Any, v: Any, decay: Any = decay_lambda
    ) -> tuple[Array, Array, Array]:
        xp = x.__array_namespace__()
        m, v = _moments(g, m, v, beta1, beta2)
        r = _direction(m, v, corrections, epsilon) + _like(decay, x) * x
        own, other = _norm(x), _norm(r)
        some = xp.logical_and(own > 0, other > 0)
        ratio = xp.where(some, own / xp.where(some, other, 1.0), 1.0)
        return x - _like(lr, x) * _like(xp.minimum(ratio, max_trust_ratio), x) * r, m, v

    nests = {"dcdw": dcdw, "mw_tm1": mw_tm1, "vw_tm1": vw_tm1, **_decays(decay_lambda)}
    found = _stepped("nn.lamb_update", lambda: each, stop_gradients, w, {}, **nests)
    return found[0], found[1], found[2]


@standalone(overridable=True)
def ema_update(average: Any, values: Any, decay: Any, /, *, stop_gradients: bool = True) -> Any:
    """Return the exponential moving average after new values.

    It is ``decay * average + (1 - decay) * values`` for each array. Arrays that aren't
    floating-point are those of `values`.

    Parameters
    ----------
    average
        The average so far: an array, or a nest of arrays.
    values
        The new values, in the same structure.
    decay
        The share of the average that is kept, a number or a zero-dimensional array.
    stop_gradients
        If True, the results are detached from the framework's tracking.

    Returns
    -------
    The new average.

    Raises
    ------
    UnifyTypeError
        If `average` holds no arrays, or something else.
    UnifyValueError
        If the structures or shapes differ.

    References
    ----------
    Polyak and Juditsky, SIAM Journal on Control and Optimization 30(4), 1992; optax's ``ema``
    without its correction, PyTorch's ``torch.optim.swa_utils.get_ema_avg_fn``.

    Examples
    --------
    >>> unify.nn.ema_update(unify.array([1.0, 2.0]), unify.array([3.0, 2.0]), 0.75)
    unify.array([1.5, 2. ])
    """

    def step(x: Array, new: Any) -> tuple[Array]:
        xp = x.__array_namespace__()
        if not xp.isdtype(x.dtype, ("real floating", "complex floating")):
            return (new,)
        share = _like(decay, x)
        return (share * x + (1 - share) * new,)

    return _stepped("nn.ema_update", lambda: step, stop_gradients, average, {}, values=values)[0]


@standalone
def global_norm(nest: Any, /) -> Array:
    """Return the norm of all elements of a nest of arrays, as of one long vector.

    Parameters
    ----------
    nest
        An array, or a nest of arrays, such as derivatives.

    Returns
    -------
    A zero-dimensional array of real floating-point data type.

    Raises
    ------
    UnifyTypeError
        If the nest holds no arrays.

    References
    ----------
    TensorFlow's ``tf.linalg.global_norm``, optax's ``global_norm``.

    Examples
    --------
    >>> unify.nn.global_norm({"w": unify.array([3.0]), "b": unify.array([4.0])})
    unify.array(5.)
    """
    binding = binding_for("nn.global_norm", "nest", tree_arrays(nest))
    xp = binding.namespace
    arrays = [x if isinstance(x, Array) else Array(x) for x in tree_arrays(nest)]
    norms = [xp.linalg.vector_norm(_wide(_floating(x))) for x in arrays]
    widest = xp.result_type(*norms)
    return xp.linalg.vector_norm(xp.stack([xp.astype(n, widest) for n in norms]))


def _floating(x: Array) -> Array:
    """Return an array that has a norm: integers in the default floating-point data type."""
    xp = x.__array_namespace__()
    if xp.isdtype(x.dtype, ("real floating", "complex floating")):
        return x
    return x * 1.0


@standalone
def clip_by_global_norm(nest: Any, max_norm: Any, /) -> Any:
    """Scale all arrays of a nest down so that their common norm doesn't exceed a limit.

    Where `global_norm` is at most the limit, the arrays stay as they are. Where it isn't finite,
    all elements of the result are NaN.

    Parameters
    ----------
    nest
        An array, or a nest of floating-point arrays, such as derivatives.
    max_norm
        The largest norm, above 0: a number or a zero-dimensional array.

    Returns
    -------
    The nest with other arrays.

    Raises
    ------
    UnifyTypeError
        If the nest holds no arrays.
    UnifyValueError
        If `max_norm` isn't above 0.

    References
    ----------
    Pascanu, Mikolov and Bengio, arXiv:1211.5063; optax's and TensorFlow's ``clip_by_global_norm``,
    PyTorch's ``clip_grad_norm_``.

    Examples
    --------
    >>> grads = {"w": unify.array([3.0]), "b": unify.array([4.0])}
    >>> unify.nn.clip_by_global_norm(grads, 1.0)
    {'w': unify.array([0.6]), 'b': unify.array([0.8])}
    """
    if isinstance(max_norm, int | float) and not max_norm > 0:
        raise_value_error(
            "nn.clip_by_global_norm", "max_norm", f"is {max_norm}", "pass a number above 0"
        )
    norm = global_norm(nest)
    xp = norm.__array_namespace__()
    limit = _like(max_norm, norm)
    # NaN in place of 0, which infinity would be multiplied by.
    factor = xp.where(xp.isfinite(norm), limit / xp.maximum(norm, limit), xp.nan)
    return _mapped(nest, lambda x: _precise(lambda x: (x * _like(factor, x),), x, [])[0])


@standalone
def clip_by_value(nest: Any, min: Any, max: Any, /) -> Any:
    """Limit each element of all arrays of a nest.

    Parameters
    ----------
    nest
        An array, or a nest of arrays, such as derivatives.
    min
        The least value of an element; None for no limit.
    max
        The largest value of an element; None for no limit.

    Returns
    -------
    The nest with other arrays.

    Raises
    ------
    UnifyTypeError
        If the nest holds no arrays.

    References
    ----------
    TensorFlow's ``tf.clip_by_value``, PyTorch's ``clip_grad_value_``, optax's ``clip``.

    Examples
    --------
    >>> unify.nn.clip_by_value([unify.array([3.0, -4.0])], -1.0, 1.0)
    [unify.array([ 1., -1.])]
    """
    binding_for("nn.clip_by_value", "nest", tree_arrays(nest))
    return _mapped(nest, lambda x: x.__array_namespace__().clip(x, min, max))


def _mapped(nest: Any, change: Callable[[Array], Array]) -> Any:
    """Change the arrays of a nest, whatever backend's they are; others stay."""

    def changed(x: Any) -> Any:
        if not isinstance(x, Array) and name_of(x) is None:
            return x
        return change(x if isinstance(x, Array) else Array(x))

    return tree_map(nest, changed)
