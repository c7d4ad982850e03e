"""Protocols of a backend's modules: compilation, loops and branches, derivatives."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any, Final, NoReturn, Protocol, TypeAlias

from arrayapi_unify.errors import BackendError, UnifyValueError


class Compilation(Protocol):
    """The compilation of functions of flat native arrays by a library."""

    WHOLE: bool
    """True if compiled functions may return Arrays, nests and any other Python object."""

    def compiled(
        self, function: Callable[..., Any], dynamic: bool | None, **options: Any
    ) -> Callable[..., Any]:
        """Return the compiled function, which is traced when it is called.

        If `dynamic` is True, one program serves several shapes; None leaves it to the library.
        `options` are the library's own.
        """


class Derived(Compilation, Protocol):
    """The additional functions of a library whose compiler reads Python code (`WHOLE`)."""

    TRACKED: str
    """The attribute of a native array that is true if a write has to make another array."""

    def refusal(self, function: str, error: Exception) -> Exception | None:
        """Return an error of ours if it is the compiler that fails, and not the function."""

    def relation(self, natives: Sequence[Any]) -> tuple[Hashable, bool] | None:
        """Return the overlap of arrays, and True if the compiler sees it; None without one."""

    def overlap(self, *natives: Any) -> bool:
        """Return False only if no two arrays lie in one memory, or that can't be known."""

    def versions(self, natives: Sequence[Any]) -> Any:
        """Return a value that a write to one of the arrays changes."""

    def transforming(self) -> bool:
        """Return True if a write may have to make another array, as of mapped rows."""

    def derivatives(self) -> int:
        """Return how many derivatives this thread has computed outside of compiled functions."""

    def traceable(self, natives: Sequence[Any]) -> bool:
        """Return True if `traced` takes these arrays."""

    def traced(
        self, function: Callable[..., Any], natives: Sequence[Any], **options: Any
    ) -> Callable[..., Any]:
        """Return the function compiled for such arrays, including its derivatives.

        Tracing runs the function on arrays without values.
        """


Natives: TypeAlias = Sequence[Any]
Function: TypeAlias = Callable[..., tuple[Any, ...]]
"""Native arrays -> native arrays."""
Pull: TypeAlias = Callable[[Natives, bool], Natives]
"""The upstream gradient of each output, and True on the last call -> the derivatives by each input.
An upstream gradient is an array, None for zeros, or `ONES`, in which case all others are None."""
ONES: Final = object()
Rule: TypeAlias = Callable[[Natives, Natives, Natives], Natives]
"""Inputs, outputs, upstream gradients of the outputs -> the derivatives by each input."""

Step: TypeAlias = Callable[[Natives, Natives], tuple[Natives, Natives]]
"""The carry, the rows of this step -> the next carry, the outputs of the step."""


class OutsideWrite(UnifyValueError):
    """A derivative or a loop that is traced wrote to an array from outside of it."""


class ControlFlow(Protocol):
    """Loops and branches as operations of a framework."""

    TRACES_BRANCHES_FIRST: bool
    """True if one branch is also called outside of the operation, to learn what it returns."""

    def lowers_control_flow(self) -> bool:
        """Return True if the framework traces without values, so that loops become operations."""

    def is_known(self, truth: Any) -> bool:
        """Return True if the value of a 0-d array of bool can be read."""

    def count_writes(self, x: Any) -> Any:
        """Return a value that a write to a native array of a trace changes; None if none does."""

    def share_memory(self, x: Any, y: Any) -> bool:
        """Return True if two native arrays of a trace may share memory."""

    def lowered_scan(
        self, step: Step, carry: Natives, xs: Natives, length: int, reverse: bool
    ) -> tuple[Natives, Natives]:
        """Run a loop over the first axes of arrays, at least one step."""

    def lowered_while(
        self, test: Callable[..., Any], step: Function, carry: Natives, most: int | None
    ) -> Natives:
        """Run a loop as long as the test gives true.

        Derivatives are pulled back through a loop with a bound of its steps, if one is given.
        """

    def lowered_cond(
        self, truth: Any, true_fun: Function, false_fun: Function, operands: Natives
    ) -> Natives:
        """Call one of two functions, which give arrays of the same shapes and data types."""


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

    def requires_gradient(self, x: Any, /) -> bool:
        """Return True if the library tracks an array, to differentiate by what it depends on."""

    def depends(self, func: Callable[..., Any], xs: Natives) -> bool:
        """Return True if outputs of `func` depend on floating-point arrays by untracked functions.

        Those are functions whose derivative is zero, such as `floor`.
        """

    def pullback(
        self, func: Callable[..., Any], xs: Natives, keep: bool
    ) -> tuple[Natives, Natives, Pull]:
        """Call `func`, and return its outputs, its other results, and the pullback.

        `func` returns a tuple of differentiated outputs and a tuple of all others. If `keep` is
        True, the pullback may be differentiated again. An operation whose own derivative isn't
        finite adds nothing to what is pulled back.
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


def raise_not_compiled(function: str, backend: str) -> NoReturn:
    """Say that a library has no compiler and its functions aren't traced, and what can be done."""
    raise BackendError(
        f"{function}: the {backend} backend has no compiler, and its functions aren't traced to "
        f"graphs; call the function as it is, or move the arrays to a backend that compiles, as by "
        f"unify.to_backend(x, 'numpy')"
    )
