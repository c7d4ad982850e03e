"""The base class of optimizers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias, cast

from arrayapi_unify._core.failures import naming
from arrayapi_unify._core.suggestions import (
    OPTIMIZER,
    WithForeignNames,
    check_keywords,
    set_foreign_names,
)
from arrayapi_unify.array_object import Array
from arrayapi_unify.backends import load, name_of
from arrayapi_unify.container import Container
from arrayapi_unify.dtypes import REDUCED_PRECISION, float32
from arrayapi_unify.errors import UnifyTypeError, describe, raise_type_error
from arrayapi_unify.functional._transforms import tree_arrays, tree_map

__all__ = ["Optimizer", "Rate", "namespace_of"]

Rate: TypeAlias = float | Array | Callable[[Any], Any]
"""A learning rate: a number, an array without axes, or a schedule."""


class _NamesOfOthers(WithForeignNames):
    """Attributes that optimizers of other libraries have; each says what to use in its place."""


set_foreign_names(_NamesOfOthers, OPTIMIZER)


class Optimizer(_NamesOfOthers):
    """The base class of optimizers: a step, and the state between steps.

    Variables are an array, or any nest of arrays, such as ``net.v``. The learning rate is a number,
    an array without axes, or a schedule: a function of the number of steps made before, such as
    those of `unify.nn.schedules`.
    """

    def __new__(cls, *args: Any, **kwargs: Any) -> Any:
        """Refuse options that the class doesn't have by the names of those that are meant."""
        check_keywords(cls, kwargs)
        return super().__new__(cls)

    def __init__(self, lr: Rate) -> None:
        """Store the learning rate, which may be set between steps."""
        rate = callable(lr) or isinstance(lr, int | float) or name_of(lr) is not None
        if isinstance(lr, bool) or not rate:
            raise_type_error(
                type(self).__name__, "lr", f"is {describe(lr)}", "pass a number or a schedule"
            )
        self.lr = lr
        self.state = Container()

    @naming("{}.init")
    def init(self, v: Any, /) -> Container:
        """Return the state before the first step: zeros of the variables' shapes, and step 0."""
        first = next(iter(tree_arrays(v)), None)
        if first is None:
            raise_type_error(f"{type(self).__name__}.init", "v", "holds no arrays", "pass some")
        xp = namespace_of(first)
        zeros = {name: tree_map(v, zeros_of) for name in self._moments()}
        return Container({"step": xp.asarray(0, dtype=xp.int64), **zeros})

    @naming("{}.stateless_step")
    def stateless_step(self, v: Any, grads: Any, state: Any, /) -> tuple[Any, Container]:
        """Return the new variables and the new state, without storing it.

        >>> sgd = unify.nn.optimizers.SGD(0.5)
        >>> v = unify.Container(w=unify.asarray(3.0))
        >>> sgd.stateless_step(v, v, sgd.init(v))[0].w
        unify.array(1.5)
        """
        return self._both("stateless_step", v, grads, state)

    def _both(self, function: str, v: Any, grads: Any, state: Any) -> tuple[Any, Container]:
        wanted = {"step", *self._moments()}
        if not isinstance(state, Container | dict) or not wanted <= set(state):
            raise_type_error(
                f"{type(self).__name__}.{function}", "state",
                f"is {describe(state)}, without {sorted(wanted)}",
                "pass what init or the step before returned",
            )  # fmt: skip
        lr = self.lr(state["step"]) if callable(self.lr) else self.lr
        made, moments = self._stepped(v, grads, lr, state, state["step"] + 1)
        return made, Container({"step": state["step"] + 1, **moments})

    @naming("{}.step")
    def step(self, v: Any, grads: Any, /) -> Any:
        """Return the new variables, and store the new state.

        >>> adam = unify.nn.optimizers.Adam(0.1)
        >>> adam.step(unify.asarray([1.0]), unify.asarray([4.0])), int(adam.state.step)
        (unify.array([0.9]), 1)
        """
        state = self.state if len(self.state) else self.init(v)
        made, state = self._both("step", v, grads, state)
        step = state["step"]
        if load(step.backend).tracer_of(step._data) is not None:
            raise UnifyTypeError(
                f"{type(self).__name__}.step: can't keep a state that is being traced; use "
                "stateless_step(v, grads, state) where a function is compiled"
            )
        self.state = state
        return made

    def reset(self) -> None:
        """Reset the state: the next step is the first."""
        self.state = Container()

    def __repr__(self) -> str:
        """Show the options."""
        told = ", ".join(f"{k}={x!r}" for k, x in vars(self).items() if k != "state")
        return f"unify.nn.optimizers.{type(self).__name__}({told})"

    def _moments(self) -> tuple[str, ...]:
        raise NotImplementedError("an optimizer says what its state is")

    def _stepped(
        self, v: Any, grads: Any, lr: Any, state: Any, step: Any
    ) -> tuple[Any, dict[str, Any]]:
        raise NotImplementedError("an optimizer says what its step is")


def zeros_of(x: Any) -> Array:
    """Return zeros of an array's shape, in float32 at least: squares exceed float16."""
    x = x if isinstance(x, Array) else Array(x)
    dtype = float32 if x.dtype in REDUCED_PRECISION else x.dtype
    return cast(Array, namespace_of(x).zeros_like(x, dtype=dtype))


def namespace_of(x: Any) -> Any:
    """Return the namespace of an array, also of a native one."""
    return (x if isinstance(x, Array) else Array(x)).__array_namespace__()
