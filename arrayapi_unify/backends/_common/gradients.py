"""The protocol of a backend's `gradients` module, in addition to the contracts' native functions.

All functions take and return native arrays in flat tuples. `functional` handles nests, Arrays and
the rules that are the same on all backends.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, NoReturn, Protocol, TypeAlias

from arrayapi_unify.errors import BackendError

__all__ = ["ONES", "Function", "Natives", "Pull", "Rule", "Transforms", "raise_not_differentiable"]

Natives: TypeAlias = Sequence[Any]
Function: TypeAlias = Callable[..., tuple[Any, ...]]
"""Native arrays -> native arrays."""
Pull: TypeAlias = Callable[[Natives, bool], Natives]
"""The upstream gradient of each output, and True on the last call -> the derivatives by each input.
An upstream gradient is an array, None for zeros, or `ONES`, in which case all others are None."""
ONES: Final = object()
Rule: TypeAlias = Callable[[Natives, Natives, Natives], Natives]
"""Inputs, outputs, upstream gradients of the outputs -> the derivatives by each input."""


class Transforms(Protocol):
    """A library's differentiation and vectorization of functions of native arrays.

    The derivative of a real number by a complex z = x + iy is d/dx + i d/dy everywhere: that is the
    direction in which the number grows. `pull` of any function follows from that.
    """

    DIFFERENTIATES: bool
    """True if the library differentiates at all."""

    def uncompiled(self, call: Callable[[Any], Any], argument: Any) -> Any:
        """Call a function that a compiler of Python code must not trace."""

    def detached(self, x: Any) -> Any:
        """Return x as a constant of differentiation."""

    def tracking(self, xs: Natives) -> bool:
        """Return True if results computed from these arrays may be differentiated."""

    def finite(self, xs: Natives) -> bool:
        """Return True if all elements are finite; False also if a check is costly or impossible."""

    def pullback(
        self, func: Callable[..., Any], xs: Natives, keep: bool
    ) -> tuple[Natives, Natives, Pull]:
        """Call `func`, and return its outputs, its other results, and the pullback.

        `func` returns a tuple of differentiated outputs and a tuple of all others. If `keep` is
        True, the pullback may be differentiated again.
        """

    def vectorized(self, func: Function, xs: Natives) -> tuple[Any, ...]:
        """Call a function for each row of arrays, and stack what it returns."""

    def with_rule(self, func: Function, rule: Rule, xs: Natives) -> tuple[Any, ...]:
        """Call a function whose derivative is what a rule says."""

    def recomputed(self, func: Function, xs: Natives) -> tuple[Any, ...]:
        """Call a function that is called again when it is differentiated."""


def raise_not_differentiable(function: str, backend: str, others: Sequence[str]) -> NoReturn:
    """Say that a library can't differentiate, and what can be done."""
    first, *rest = (f"via={name!r}" for name in others)
    more = f" (or {', '.join(rest)})" if rest else ""
    raise BackendError(
        f"{function}: the {backend} backend can't differentiate; pass {first}{more}, which runs "
        f"the same function on that backend, or move the arrays there with unify.to_backend"
    )
