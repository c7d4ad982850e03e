"""What a backend's `gradients` module has, beside the native functions of the contracts.

All of it takes and returns native arrays in flat tuples. Nests, Arrays and the rules that are the
same everywhere are the business of `functional`.
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
"""What comes from above each output, and whether it is the last time that this is asked -> the
derivatives by each input. From above an output comes an array, None for nothing, or `ONES`, which
says that nothing comes from above the others."""
ONES: Final = object()
Rule: TypeAlias = Callable[[Natives, Natives, Natives], Natives]
"""Inputs, outputs, what comes from above each output -> the derivatives by each input."""


class Transforms(Protocol):
    """How a library differentiates and vectorizes functions of native arrays.

    The derivative of a real number by a complex z = x + iy is d/dx + i d/dy everywhere: that is the
    direction in which the number grows. `pull` of any function follows from that.
    """

    DIFFERENTIATES: bool
    """Whether the library differentiates at all."""

    def uncompiled(self, call: Callable[[Any], Any], argument: Any) -> Any:
        """Call a function that a compiler of Python's code shall not follow."""

    def detached(self, x: Any) -> Any:
        """Return x as a number that nothing differentiates by."""

    def tracking(self, xs: Natives) -> bool:
        """Whether something may differentiate what is computed of these arrays."""

    def finite(self, xs: Natives) -> bool:
        """Whether all elements are finite; False also where a look would cost or isn't possible."""

    def pullback(
        self, func: Callable[..., Any], xs: Natives, keep: bool
    ) -> tuple[Natives, Natives, Pull]:
        """Call `func`, and return its outputs, what else it gives, and how to pull back.

        `func` returns a tuple of differentiated outputs and a tuple of all others. `keep` says that
        what is pulled back may be differentiated again.
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
