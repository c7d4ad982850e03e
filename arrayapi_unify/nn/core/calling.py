"""Calls of a Module: by its variables or by others, stateless, and compiled."""

from __future__ import annotations

import importlib
from typing import Any, TypeVar

from arrayapi_unify import backends
from arrayapi_unify._core.failures import shorten
from arrayapi_unify.errors import BackendError
from arrayapi_unify.nn.core.traversal import ModuleBase, matched_arrays, named, places, read
from arrayapi_unify.nn.core.variables import call_context

__all__ = ["Calling"]

C = TypeVar("C", bound="Calling")


class Calling(ModuleBase):
    """The calls of a Module."""

    def _forward(self, *args: Any, **kwargs: Any) -> Any:
        """Compute the result; subclasses implement this."""
        raise NotImplementedError(
            f"{type(self).__name__} has no _forward; define it: def _forward(self, x): ..."
        )

    def __call__(self, *args: Any, v: Any = None, **kwargs: Any) -> Any:
        """Compute with the Module's variables, or with `v` instead.

        Raises
        ------
        UnifyValueError
            If `v` doesn't have the names of `net.v`.
        """
        try:
            if self._state.program is not None:
                return self._state.program(self, v, args, kwargs)
            return self._computed(v, args, kwargs)
        except Exception as error:
            shorten(error)
            if isinstance(error, BackendError):
                self._check_backend((*args, *kwargs.values()), v)
            raise

    def _check_backend(self, args: tuple[Any, ...], v: Any) -> None:
        """Raise for arrays of another backend than the variables are on."""
        own = {variable.value.backend for variable in named(places(self, "variables")).values()}
        for place, name in enumerate(map(backends.name_of, args)):
            if v is None and name is not None and own and name not in own:
                raise BackendError(
                    f"{type(self).__name__}: argument {place + 1} is an array of the {name} "
                    f"backend, but the variables are on {' and '.join(sorted(own))}; convert the "
                    f"Module: net.to_backend({name!r})"
                ) from None

    def _computed(self, v: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Run `_forward`, even if there is a program."""
        if v is None:
            return self._forward(*args, **kwargs)
        arrays = matched_arrays(type(self).__name__, "v", places(self, "variables"), v)
        before = call_context.arrays
        call_context.arrays = arrays if before is None else {**before, **arrays}
        try:
            return self._forward(*args, **kwargs)
        finally:
            call_context.arrays = before

    def stateless_call(self, v: Any, buffers: Any, /, *args: Any, **kwargs: Any) -> Any:
        """Return the result and the new buffers, for given variables and buffers.

        Only the layers of the Module are used, and it isn't modified. Compiled functions can
        therefore train a Module with buffers.

        Examples
        --------
        >>> norm = unify.nn.BatchNorm(1, momentum=0.5)
        >>> x = unify.asarray([[1.0], [3.0]])
        >>> y, buffers = norm.stateless_call(norm.v, norm.buffers, x)
        >>> buffers.running_mean, norm.buffers.running_mean
        (unify.array([1.]), unify.array([0.]))
        """
        where = places(self, "buffers")
        written = matched_arrays(type(self).__name__, "buffers", where, buffers)
        before = call_context.written
        call_context.written = written if before is None else {**before, **written}
        try:
            result = self._computed(v, args, kwargs)
            return result, read(where)
        finally:
            call_context.written = before

    def compile(self: C, **options: Any) -> C:
        """Compile calls by the framework, as `unify.compile` does; return the Module.

        Each structure, shape and mode has its own program. The options are those of
        `unify.compile`. Attributes that aren't arrays are read only while a program is traced.

        >>> import arrayapi_unify.jax as xp
        >>> net = unify.nn.Linear(2, 1, bias=False).to_backend("jax").compile()
        >>> net(xp.zeros(2))
        unify.array([0.], backend='jax')
        """
        self._state.program = _compiling().compiled(self, options)
        return self

    def compile_graph(self, *args: Any, **kwargs: Any) -> Any:
        """Trace a call with these arguments, and run its graph from now on; return the graph.

        Calls with other shapes, data types or modes run as before. The graph's arguments are the
        modes of the layers, variables, buffers, arguments and keyword arguments.

        >>> net = unify.nn.Linear(2, 1, bias=False)
        >>> [node.name for node in net.compile_graph(unify.zeros(2)).nodes]
        ['reshape', 'swapaxes', 'matmul', 'reshape']
        """
        graph, self._state.program = _compiling().graphed(self, args, kwargs)
        return graph


def _compiling() -> Any:
    """Return the module for compilation, which imports the compilers lazily."""
    return importlib.import_module("arrayapi_unify.nn.core.compiling")
