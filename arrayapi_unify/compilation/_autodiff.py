"""Programs of a library whose compiler analyses Python code, and runs derivatives in Python."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any, Final

from arrayapi_unify.backends._common.protocols.transformations import Derived
from arrayapi_unify.compilation._call_key import Leaves
from arrayapi_unify.compilation._guards import GuardBuilder
from arrayapi_unify.compilation._programs import FlatProgram, TreeProgram
from arrayapi_unify.functional import _hidden_state
from arrayapi_unify.functional._transforms import transforms_of

__all__ = ["AutodiffProgram"]

# The limit of traced signatures, so that a function of many shapes isn't compiled again and again.
_SHAPES: Final = 8


class AutodiffProgram(TreeProgram):
    """A program of a function that may compute derivatives.

    First, the compiler gets the function itself. If derivatives were computed between its graphs,
    from the next call on the function is traced while it runs, once for each signature. A function
    that can't be traced keeps the first program.
    """

    def __init__(
        self,
        binding: Any,
        library: Derived,
        options: Mapping[str, Any],
        function: Callable[..., Any],
        args: tuple[Leaves, Sequence[Any], dict[str, Any]],
    ) -> None:
        """Compile the call by the library."""
        # A module first imported while the compiler traces would cause a graph break.
        transforms_of("compile", binding.name)
        super().__init__(function, *args, library, options)
        self._options = {name: value for name, value in options.items() if name != "dynamic"}
        # The call as a function of native arrays, for tracing.
        self._flat = FlatProgram(function, *args, lambda program: program, binding)
        # True if the first call computed derivatives; None before the first call.
        self._derives: bool | None = False if options["dynamic"] else None
        self._by_signature: dict[Hashable, FlatProgram | None] = {}

    def run(self, leaves: Leaves) -> Any:
        """Make a call with other arrays."""
        if self._derives is None:
            before = self._library.derivatives()
            ret = super().run(leaves)
            self._derives = self._library.derivatives() > before
            return ret
        traced = self._traced(leaves) if self._derives else None
        if traced is None:
            return super().run(leaves)
        return self.watched(leaves, lambda: traced.run(leaves))

    def fast_path(self, guards: GuardBuilder) -> Callable[..., Any] | None:
        """Return a function of positional arguments alone."""
        return None if self._derives else super().fast_path(guards)

    def _traced(self, leaves: Leaves) -> FlatProgram | None:
        natives = leaves.natives
        if not self._library.traceable(natives):
            return None
        key = tuple([(tuple(x.shape), x.dtype, x.device) for x in natives])
        if key not in self._by_signature and len(self._by_signature) < _SHAPES:
            self._by_signature[key] = self._trace(leaves)
        return self._by_signature.get(key)

    def _trace(self, leaves: Leaves) -> FlatProgram | None:
        """Trace a call; return None if that isn't possible."""
        state = _hidden_state.current()
        try:
            found = self._flat.compiled_by(
                lambda flat: self._library.traced(flat, leaves.natives, **self._options)
            )
        except Exception:  # of any kind: the first program doesn't trace in this way
            found = None
        if _hidden_state.current() == state:
            return found
        # Random numbers were drawn, which would be the same in each call.
        _hidden_state.reset(state)
        return None
