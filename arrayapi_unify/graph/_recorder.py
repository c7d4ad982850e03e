"""The recorder: records each native call, as proxies and our own functions report it.

A call of ours is one step, the native function with native arguments, so it is as correct as an
eager call. Memory exists while a function is traced and when its graph runs. Writes are repeated in
the same order, so views and writes have the same effect.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, Final

from arrayapi_unify._core.container_base import find
from arrayapi_unify._core.override_protocol import takes_over
from arrayapi_unify.array_object import Array
from arrayapi_unify.array_object.operators import is_operand
from arrayapi_unify.backends import handler
from arrayapi_unify.backends._common.algorithms.graph_values import (
    Portable,
    Ref,
    map_values,
    refs_in,
    value_needed,
)
from arrayapi_unify.binding.arguments import Arguments
from arrayapi_unify.contracts import CONTRACTS
from arrayapi_unify.contracts.annotations import Role
from arrayapi_unify.contracts.contract import Returns
from arrayapi_unify.errors import UnifyError
from arrayapi_unify.graph._nests import holds_array
from arrayapi_unify.graph._steps import RESHAPES, Steps

__all__ = ["Recorder"]

# Functions that return an array's contents, which differ in each call of the graph.
_VALUES: Final = frozenset({"to_scalar", "to_list", "to_numpy", "to_device_numpy", "all_equal"})


class Recorder(Steps):
    """One trace on a backend whose functions run while they are traced."""

    def __init__(self, binding: Any, engine: Any) -> None:
        """Start with nothing."""
        super().__init__(binding, engine)
        self._plain = _plain_functions(binding)

    # --- our own functions ----------------------------------------------------------------------

    def call(
        self, name: str, own: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Any:
        """Record a call of a function of ours."""
        if not kwargs and name in self._plain:
            found = self._record_simple(name, args)
            if found is not None:
                return found
        contract = CONTRACTS[name]
        given, named = contract.given_arguments(args, kwargs)
        everything = [*given, *named.values()]
        if contract.is_numpys(given, named):
            return own(*args, **kwargs)  # which calls other functions
        elsewhere = any(map(takes_over, everything)) or not self._is_ours(everything)
        if elsewhere or (contract.nestable and find(given, named) is not None):
            return own(*args, **kwargs)
        bound = self.binding.bound[name]
        bound.contract.signature_error(given, named)
        bound, positional, keywords = bound.prepare(given, named, Arguments(contract, given, named))
        out = keywords.pop("out", None)
        self.portable = self._carried(Portable(name, given, _without_out(named)))
        try:
            if contract.mutates:
                return self._assigned(bound, given[0], positional)
            result = self._leaf(bound, name, tuple(positional), keywords)
            if out is None:
                return result
            self.portable = self._carried(Portable(name, given, named))
            return self._into(bound, out, result)
        except UnifyError:
            raise
        except Exception as error:
            with self.paused():
                shown = map_values((given, named), self._shown)
                raise bound.error_to_raise(error, *shown) from error
        finally:
            self.portable = None

    def _record_simple(self, name: str, args: tuple[Any, ...]) -> Any:
        """Record a call with Arrays and numbers only; return None for any other call."""
        kind = self.binding.array
        natives = []
        for value in args:
            if type(value) is kind:
                natives.append(value._data)
            elif type(value) is float or type(value) is int:
                natives.append(value)
            else:
                return None
        if len(args) != self._plain[name] or type(args[0]) is not kind:
            return None
        try:
            found = self.engine.equivalent(name, tuple(natives), {})
            if found is None:
                return None
            target, given, named = found
            label = self.engine.name_of(target)
            self.step(label, target, given, named, (), self.binding.backend.as_native_array)
        except Exception:  # the general case raises the better error
            return None
        step = self.steps[-1]
        step.portable = Portable(name, tuple(map(self._ref, natives)), {})
        wrapped = kind()
        wrapped._data = self.proxies[id(self.values[step.outputs[0]])]
        return wrapped

    def _is_ours(self, values: list[Any]) -> bool:
        """Return True if all arrays among the arguments are of this backend."""
        return all(
            v.backend == self.binding.name for v in values if isinstance(v, Array)
        )  # fmt: skip

    def _shown(self, value: Any) -> Any:
        """Return an Array that error messages can describe."""
        traced = isinstance(value, Array) and type(value) is not self.engine.STAND_IN
        return self.binding.wrap(self._real(value._data)) if traced else self._real(value)

    def _leaf(
        self, bound: Any, name: str, positional: tuple[Any, ...], keywords: dict[str, Any]
    ) -> Any:
        contract, backend = bound.contract, self.binding.backend
        if name in _VALUES:
            traced = refs_in(map_values([positional, keywords], self._ref), [])
            if traced:
                raise value_needed(name)
        arrays = contract.returns is not Returns.OTHER
        as_native_array = backend.as_native_array if arrays else None
        with self.paused():
            found = self.engine.equivalent(name, positional, keywords)
        target, args, kwargs = found or (bound.native, positional, keywords)
        label = self.engine.name_of(target) if found else name
        result = self.step(label, target, args, kwargs, (), as_native_array)
        if not arrays:
            if not self.steps[-1].outputs:
                self.steps.pop()
            return result
        if name in RESHAPES and not keywords.get("copy"):
            self.note_copy(result, positional[0])
        if bound.view_factory is not None:
            result = self._emulate_view(bound, positional, keywords, result)
        return self._wrapped(contract, result)

    def _wrapped(self, contract: Any, result: Any) -> Any:
        wrap = self.binding.wrap
        if contract.returns is Returns.ARRAY:
            return wrap(result)
        parts = [wrap(part) for part in result]
        return contract.result_type(*parts) if contract.result_type else tuple(parts)

    def _emulate_view(
        self, bound: Any, positional: tuple[Any, ...], keywords: dict[str, Any], result: Any
    ) -> Any:
        """Make a result share memory if NumPy's does, or make it read-only."""
        if bound.contract.returns is not Returns.ARRAY:
            return result  # the aliases of `unstack` and the like
        source, *rest = positional
        if type(source) is not self.engine.STAND_IN:
            return result
        view_factory, backend = bound.view_factory, self.binding.backend
        with self.paused():
            real = self.values[result.ref]
            mine = self.values[source.ref]
            given, named = map_values(rest, self._real), map_values(keywords, self._real)
            apart = view_factory.is_copy(real, given, named)
            shared = real is mine or backend.shares_memory(real, mine)
            locked = not apart and view_factory.is_read_only(mine, given, named)
        if not apart and getattr(real, "requires_grad", False):
            self.tracked |= {result.ref, source.ref}
        if apart and shared:
            self.portable = Portable("asarray", (Ref(result.ref),), {"copy": True})
            return self.step("copy", backend.copy, (result,), {})
        if not apart and not shared and isinstance(backend.VIEW_EMULATION, str):
            root = self.roots[source.ref]
            root = self.frozen.setdefault(root, root)
            self.frozen[self.roots[result.ref]] = root
        if locked:
            self.sealed.add(result.ref)
        return result

    # --- writes ---------------------------------------------------------------------------------

    def _target(self, array: Any) -> Any:
        """Return the proxy of the data of an Array before a write."""
        data = array._data if isinstance(array, Array) and type(array) is not self.engine.STAND_IN \
            else array  # fmt: skip
        self._written(data)
        return data

    def _write(self, name: str, change: Callable[..., Any], target: Any, *operands: Any) -> None:
        """Write to an Array's memory, or give the Array the new array that the library returns."""
        data = self._target(target)
        result = self.step(name, change, (data, *operands), {}, (data,))
        if result is not None and result is not data and isinstance(target, Array):
            target._data = result

    def _assigned(self, bound: Any, target: Any, positional: list[Any]) -> Any:
        """Record `x[key] = value`."""
        with self.paused():
            change = self.engine.assignment(*positional) or bound.native
        self._write("set_item", change, target, *positional[1:])
        return target

    def _into(self, bound: Any, out: Any, result: Any) -> Any:
        """Record the write of a result to `out`."""
        with self.paused():
            bound._check_out(out)
            real = self._real(result._data)
            bound._checked_for_out(out, real)
        self._write("write", self.binding.backend.write, out, result._data)
        return out

    # --- operators ------------------------------------------------------------------------------

    def top_level(self, name: str, own: Any, args: Any, kwargs: Any) -> Any:
        """Record a call at the top level, unless another backend is to compute it."""
        explicit = handler.active_backend()
        if explicit is None and not holds_array([*args, *kwargs.values()]):
            explicit = handler.choose(name, ())
        if explicit is not None and explicit != self.binding.name:
            return own(*args, **kwargs)
        return self.call(name, own, args, kwargs)

    def unary(
        self, name: str, own: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Any:
        """Record an operator with the arguments of its function."""
        return self.call(name, own, args, kwargs)

    def transposed(
        self, name: str, own: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Any:
        """Record `x.T`, which only matrices have."""
        if args[0].ndim != 2:
            return own(*args, **kwargs)
        return self.call(name, own, args, kwargs)

    def operator(
        self, name: str, own: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Any:
        """Record `x op y`."""
        if not is_operand(args[1]):
            return NotImplemented
        return self.call(name, own, args, kwargs)

    def reflected(
        self, name: str, own: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Any:
        """Record `y op x`."""
        if not is_operand(args[1]):
            return NotImplemented
        return self.call(name, lambda x, y: own(y, x), (args[1], args[0]), kwargs)

    def in_place(
        self, name: str, own: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Any:
        """Record `x op= y`."""
        target, other = args
        if takes_over(other) or not is_operand(other) or find(args, {}) is not None:
            return NotImplemented
        bound = self.binding.bound[name]
        operand = bound.arguments.operand(target, other)
        change = bound.in_place(self._change(bound), target._data, operand)
        self.portable = self._carried(Portable(f"i{name}", args, {}))
        try:
            with self.paused():
                found = self.engine.update(name, target._data, operand)
            if found is None or self._may_share(target._data, operand):
                self._write(f"{name}_", change, target, operand)
            else:
                self._target(target)
                change, given, named = found
                self.step(self.engine.name_of(change), change, given, named, (target._data,))
        finally:
            self.portable = None
        return target

    def _may_share(self, target: Any, operand: Any) -> bool:
        """Return True if both values belong to arguments, and may be aliases in another call."""
        kind = self.engine.STAND_IN
        if type(target) is not kind or type(operand) is not kind:
            return False
        given = {self.roots[n] for n in self.inputs}
        return self.roots[target.ref] in given and self.roots[operand.ref] in given

    def _change(self, bound: Any) -> Any:
        changes = self.engine.CHANGES
        if bound.native not in changes:
            changes[bound.native] = self.binding.backend.in_place(bound.native)
        return changes[bound.native]


def _without_out(named: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in named.items() if key != "out"}


@functools.cache
def _plain_functions(binding: Any) -> dict[str, int]:
    """Return the number of arrays of the functions that only take arrays and never share memory."""
    binding.complete()  # functions that another thread binds later would be missing
    return {
        name: sum(1 for _ in bound.contract.inputs)
        for name, bound in list(binding.bound.items())
        if bound.contract.of_arrays_alone
        and bound.contract.returns is Returns.ARRAY
        and not bound.contract.mutates
        and bound.view_factory is None
        and not any(p.optional or p.star for p in bound.contract.inputs)
        and all(p.role in (Role.ARRAY, Role.OPERAND) for p in bound.contract.inputs)
    }
