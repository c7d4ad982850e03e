"""Optimizers: the functional steps with their state.

``optimizer.step(v, grads)`` returns the new variables, and stores the optimizer's state in the
Container `optimizer.state`. ``optimizer.stateless_step(v, grads, state)`` returns both and stores
nothing, for compiled functions.
"""

from __future__ import annotations

from typing import Any

from arrayapi_unify._core.failures import naming
from arrayapi_unify.array_object import Array
from arrayapi_unify.backends import load
from arrayapi_unify.container import Container
from arrayapi_unify.errors import describe, raise_type_error, raise_value_error
from arrayapi_unify.functional._transforms import tree_arrays, tree_map
from arrayapi_unify.nn.functional.optimizers import (
    adam_update,
    adamw_update,
    gradient_descent_update,
    lamb_update,
    momentum_update,
    optimizer_update,
)
from arrayapi_unify.nn.training._optimizer import Optimizer, Rate, zeros_of
from arrayapi_unify.nn.training.initializers import check_sizes

__all__ = ["Accumulate", "Adam", "AdamW", "Lamb", "Optimizer", "SGD"]


class SGD(Optimizer):
    """Gradient descent, optionally with momentum: `gradient_descent_update`, `momentum_update`.

    Parameters
    ----------
    lr
        The learning rate, or a schedule of it.
    momentum
        Decay rate of the velocity.
    nesterov
        If True, use Nesterov's momentum.

    References
    ----------
    PyTorch's ``torch.optim.SGD``.

    Examples
    --------
    >>> sgd = unify.nn.optimizers.SGD(0.1, momentum=0.9)
    >>> w = unify.asarray([1.0])
    >>> for _ in range(2):
    ...     w = sgd.step(w, 2 * w)
    >>> w
    unify.array([0.46])
    """

    def __init__(self, lr: Rate = 0.01, *, momentum: float = 0.0, nesterov: bool = False) -> None:
        """Store the options."""
        super().__init__(lr)
        self.momentum, self.nesterov = momentum, nesterov

    def _moments(self) -> tuple[str, ...]:
        return ("velocity",) if self.momentum else ()

    def _stepped(
        self, v: Any, grads: Any, lr: Any, state: Any, step: Any
    ) -> tuple[Any, dict[str, Any]]:
        if not self.momentum:
            return gradient_descent_update(v, grads, lr), {}
        v, velocity = momentum_update(
            v, grads, lr, state["velocity"], momentum=self.momentum, nesterov=self.nesterov
        )
        return v, {"velocity": velocity}


class Adam(Optimizer):
    """Adam: `adam_update`.

    Parameters
    ----------
    lr
        The learning rate, or a schedule of it.
    beta1
        Decay rate of the mean of gradients.
    beta2
        Decay rate of the mean of squared gradients.
    epsilon
        Number added to the divisor.

    References
    ----------
    Kingma and Ba, arXiv:1412.6980, Algorithm 1.

    Examples
    --------
    >>> unify.nn.optimizers.Adam(0.1).step(unify.asarray([1.0]), unify.asarray([4.0]))
    unify.array([0.9])
    """

    def __init__(
        self, lr: Rate = 0.001, *, beta1: float = 0.9, beta2: float = 0.999, epsilon: float = 1e-8
    ) -> None:
        """Store the options."""
        super().__init__(lr)
        self.beta1, self.beta2, self.epsilon = beta1, beta2, epsilon
        for name, beta in (("beta1", beta1), ("beta2", beta2)):
            if isinstance(beta, int | float) and not 0 <= beta < 1:
                raise_value_error(
                    type(self).__name__, name, f"is {beta}", "pass a number from 0 to 1, 1 excluded"
                )

    def _moments(self) -> tuple[str, ...]:
        return ("mean", "square")

    def _stepped(
        self, v: Any, grads: Any, lr: Any, state: Any, step: Any
    ) -> tuple[Any, dict[str, Any]]:
        given = (v, grads, lr, state["mean"], state["square"], step)
        v, mean, square = self._update(*given)
        return v, {"mean": mean, "square": square}

    def _update(self, *given: Any) -> tuple[Any, Any, Any]:
        return adam_update(*given, **self._options())

    def _options(self) -> dict[str, Any]:
        return {"beta1": self.beta1, "beta2": self.beta2, "epsilon": self.epsilon}


class AdamW(Adam):
    """Adam with decoupled weight decay: `adamw_update`.

    Parameters
    ----------
    lr
        The learning rate, or a schedule of it.
    beta1
        Decay rate of the mean of gradients.
    beta2
        Decay rate of the mean of squared gradients.
    epsilon
        Number added to the divisor.
    weight_decay
        Weight decay: a step subtracts this times `lr` times the weights.
    mask
        A nest of bools in the structure of the variables, or a function that makes it of them:
        False for those that don't decay, such as biases. None for all.

    References
    ----------
    Loshchilov and Hutter, arXiv:1711.05101, Algorithm 2.

    Examples
    --------
    >>> one = unify.asarray([1.0])
    >>> unify.nn.optimizers.AdamW(0.1, weight_decay=0.5).step(one, 4 * one)
    unify.array([0.85])
    """

    def __init__(
        self,
        lr: Rate = 0.001,
        *,
        beta1: float = 0.9,
        beta2: float = 0.999,
        epsilon: float = 1e-8,
        weight_decay: float = 0.01,
        mask: Any = None,
    ) -> None:
        """Store the options."""
        super().__init__(lr, beta1=beta1, beta2=beta2, epsilon=epsilon)
        self.weight_decay, self.mask = weight_decay, mask

    def _update(self, *given: Any) -> tuple[Any, Any, Any]:
        return adamw_update(
            *given, **self._options(), decay_lambda=_masked(self.weight_decay, self.mask, given[0])
        )


class Lamb(Adam):
    """LAMB, for large batches: `lamb_update`.

    Parameters
    ----------
    lr
        The learning rate, or a schedule of it.
    beta1
        Decay rate of the mean of gradients.
    beta2
        Decay rate of the mean of squared gradients.
    epsilon
        Number added to the divisor.
    weight_decay
        Weight decay.
    mask
        A nest of bools in the structure of the variables, or a function that makes it of them:
        False for those that don't decay. None for all.
    max_trust_ratio
        The largest trust ratio.

    References
    ----------
    You et al., arXiv:1904.00962, Algorithm 2.

    Examples
    --------
    >>> w = unify.asarray([3.0, 4.0])
    >>> unify.nn.optimizers.Lamb(0.1, epsilon=0.0).step(w, w)
    unify.array([2.64644661, 3.64644661])
    """

    def __init__(
        self,
        lr: Rate = 0.001,
        *,
        beta1: float = 0.9,
        beta2: float = 0.999,
        epsilon: float = 1e-6,
        weight_decay: float = 0.0,
        mask: Any = None,
        max_trust_ratio: float = 10.0,
    ) -> None:
        """Store the options."""
        super().__init__(lr, beta1=beta1, beta2=beta2, epsilon=epsilon)
        self.weight_decay, self.mask, self.max_trust_ratio = weight_decay, mask, max_trust_ratio

    def _update(self, *given: Any) -> tuple[Any, Any, Any]:
        return lamb_update(
            *given, **self._options(),
            decay_lambda=_masked(self.weight_decay, self.mask, given[0]),
            max_trust_ratio=self.max_trust_ratio,
        )  # fmt: skip


def _masked(decay: float, mask: Any, v: Any) -> Any:
    """Return the weight decay, or a nest of weight decays if a mask says which variables decay."""
    if mask is None:
        return decay
    return tree_map(mask(v) if callable(mask) else mask, lambda decays: decay if decays else 0.0)


class Accumulate(Optimizer):
    """Steps of another optimizer, each with the mean of the derivatives of several calls.

    The variables stay until a call completes a group. A large batch that doesn't fit into memory
    can so be taken in parts of one size: the mean of their derivatives is that of the batch.

    Parameters
    ----------
    optimizer
        The optimizer that makes the steps; its schedule counts these.
    every
        The number of calls for a step.

    Raises
    ------
    UnifyTypeError
        If `optimizer` is none, or `every` is no integer.
    UnifyValueError
        If `every` is below 1.

    References
    ----------
    optax's ``MultiSteps``.

    Examples
    --------
    >>> twice = unify.nn.optimizers.Accumulate(unify.nn.optimizers.SGD(0.5), 2)
    >>> w = unify.asarray([4.0])
    >>> for gradient in (1.0, 3.0):
    ...     w = twice.step(w, unify.asarray([gradient]))
    ...     print(w)
    unify.array([4.])
    unify.array([3.])
    """

    def __init__(self, optimizer: Optimizer, every: int) -> None:
        """Store the optimizer."""
        if not isinstance(optimizer, Optimizer):
            raise_type_error(
                "Accumulate", "optimizer", f"is {describe(optimizer)}", "pass an optimizer"
            )
        check_sizes("Accumulate", every=every)
        self.optimizer, self.every = optimizer, every
        super().__init__(optimizer.lr)

    @property
    def lr(self) -> Rate:
        """The optimizer's learning rate, which may be set between steps."""
        return self.optimizer.lr

    @lr.setter
    def lr(self, value: Rate) -> None:
        self.optimizer.lr = value

    def _moments(self) -> tuple[str, ...]:
        return ("total", "inner")

    @naming("{}.init")
    def init(self, v: Any, /) -> Container:
        """Return the state before the first call: no derivatives, and the optimizer's own state."""
        inner = self.optimizer.init(v)
        return Container({"step": inner["step"], "total": tree_map(v, zeros_of), "inner": inner})

    def _stepped(
        self, v: Any, grads: Any, lr: Any, state: Any, step: Any
    ) -> tuple[Any, dict[str, Any]]:
        total = optimizer_update(state["total"], grads, -1.0 / self.every)

        complete = step % self.every == 0
        kept = (v, {"total": total, "inner": state["inner"]})
        backend = load(step.backend)
        traced = backend.is_compiling() or backend.tracer_of(step._data) is not None
        if not traced and not complete:
            return kept
        v, inner = self.optimizer.stateless_step(v, total, state["inner"])
        made = (v, {"total": tree_map(total, zeros_of), "inner": inner})
        return _chosen(complete, made, kept) if traced else made


def _chosen(condition: Array, nest: Any, other: Any) -> Any:
    """Return the arrays of one nest or the other: PyTorch traces no branch with our settings."""
    where = condition.__array_namespace__().where
    pairs = zip(tree_arrays(nest), tree_arrays(other), strict=True)
    chosen = iter([where(condition, x, y) for x, y in pairs])
    return tree_map(nest, lambda x: next(chosen))
