"""The operators of one backend's array class: the functions' natives, one Python frame away."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, cast

from arrayapi_unify._core.failures import raise_better
from arrayapi_unify._core.override_protocol import takes_over
from arrayapi_unify.array_object import Array
from arrayapi_unify.array_object.operators import (
    ARITHMETIC,
    COMPARISON,
    UNARY,
    UNLIKE,
    compared,
    is_operand,
    unless_declined,
)
from arrayapi_unify.backends._common.algorithms.memory import uncastable
from arrayapi_unify.backends.kernel import kernel_of
from arrayapi_unify.binding.bound import BoundFunction
from arrayapi_unify.dtypes import same_kind
from arrayapi_unify.errors import UnifyError
from arrayapi_unify.rendering.functions import GeneratedFunctions
from arrayapi_unify.rendering.lines import attempt, kernel_call, wrap
from arrayapi_unify.rendering.renderer import Renderer
from arrayapi_unify.views import writes

if TYPE_CHECKING:
    from arrayapi_unify.backends.kernel import InPlaceKernel
    from arrayapi_unify.binding.namespace import Binding

__all__ = ["OPERATOR_FUNCTIONS", "Operators"]

OPERATOR_FUNCTIONS: Final = (
    *ARITHMETIC.values(), *COMPARISON.values(), *UNARY.values(),
    "get_item", "set_item", "asarray", "to_scalar", "matrix_transpose",
)  # fmt: skip
"""The functions that the special methods are made of."""

_BASIC_KEYS: Final = (int, slice, type(None), type(Ellipsis))
# Global names of the functions that read and write by keys.
_NAMES: Final = {
    "_is_self_assignment": writes.is_self_assignment,
    "_update_immutable": writes.update_immutable,
    "_update": writes.update,
    "_assign": writes.assign,
    "_basic_types": _BASIC_KEYS,
    "_basic": frozenset(_BASIC_KEYS),
    "_ints": frozenset({int}),
}
_BASIC_KEY: Final = "t in _basic_types or (t is tuple and _basic.issuperset(map(_type, key)))"
_ALL_INTS: Final = "_ints.issuperset(map(_type, key))"


class Operators:
    """The special methods of one array class of a backend."""

    def __init__(self, binding: Binding, emulated: bool) -> None:
        """Make those of Arrays whose views are emulated, or of others."""
        backend = binding.backend
        self._binding = binding
        self._backend = backend
        self._emulated = emulated
        # The attribute that says if an array's views are emulated, where that depends on the array.
        self._tracked = backend.VIEW_EMULATION if isinstance(backend.VIEW_EMULATION, str) else None
        new = wrap(backend, self._tracked is not None)
        self._result = [*new, "return _a"]

    def every(self) -> dict[str, Any]:
        """Make all special methods."""
        bound = self._binding.bound
        made = self.writing()
        made["__getitem__"] = self._getitem(bound["get_item"])
        for name, function in {**ARITHMETIC, **COMPARISON}.items():
            for key in (f"__{name}__", f"__r{name}__")[: 2 if name in ARITHMETIC else 1]:
                reflected = key.startswith("__r") and key != f"__{name}__"
                made[key] = self._binary(key, bound[function], reflected)
        for name, function in UNARY.items():
            made[f"__{name}__"] = self._unary(f"__{name}__", bound[function])
        return {**self._named(made), **self._transposes()}

    def of_emulated_views(self) -> dict[str, Any]:
        """Make the special methods that differ for Arrays whose views are emulated."""
        bound = self._binding.bound["get_item"]
        made = self.writing()
        path, lines = self._path("__getitem__"), ["return _slow((self, key), {})"]
        made["__getitem__"] = self._apart(bound).make(path, "self, key, /", lines)
        return self._named(made)

    def writing(self) -> dict[str, Any]:
        """Make `x[key] = value` and `x op= y`."""
        in_place = self.in_place()
        made = {f"__i{name}__": in_place[function] for name, function in ARITHMETIC.items()}
        return {"__setitem__": self._setitem(self._binding.bound["set_item"]), **made}

    def in_place(self) -> dict[str, Any]:
        """Make `x op= y` of every arithmetic function, by the function's name."""
        bound = self._binding.bound
        return {f: self._in_place(f"__i{name}__", bound[f]) for name, f in ARITHMETIC.items()}

    def in_place_of_any(self) -> dict[str, Callable[[Any, Any], Any]]:
        """Make `x op= y` for classes of which nothing is known: those of users, and of float16."""

        def chosen(operator: Any) -> Callable[[Any, Any], Any]:
            def in_place(self: Any, other: Any) -> Any:
                call = operator.slow if reduced(self._data) else operator
                return call(self, other)

            return in_place

        reduced = self._binding.is_reduced_precision
        return {name: chosen(found) for name, found in self.in_place().items()}

    def _named(self, made: dict[str, Any]) -> dict[str, Any]:
        for name, operator in made.items():
            operator.__qualname__ = f"{self._binding.array.__name__}.{name}"
        return made

    def _apart(self, bound: BoundFunction, **names: Any) -> GeneratedFunctions:
        """Return what makes functions whose names differ from those of a bound function."""
        return GeneratedFunctions(self._binding.name, bound.generated.names | _NAMES | names)

    def _path(self, key: str) -> str:
        """Return the name under which a special method's lines are filed."""
        return f"emulated.{key}" if self._emulated else key

    # --- operators that compute -----------------------------------------------------------------

    def _binary(self, key: str, bound: BoundFunction, reflected: bool) -> Any:
        def call(*both: Any) -> Any:
            return bound.slow(both, {})

        def slow(self: Any, other: Any) -> Any:
            if key in UNLIKE:
                return compared(call, self, other, key)
            first, second = (other, self) if reflected else (self, other)
            return unless_declined(call, first, second, other)

        args = "(other, self)" if reflected else "(self, other)"
        kernel = bound.fast_kernel
        forms = {_is_array(bound): "other._data", "t in _scalars": "other"}
        if self._binding.from_list is not None:
            forms["t is list and (_l := _from_list(other)) is not None"] = "_l"
        lines = ["t = _type(other)"]
        for check, operand in forms.items():
            given = [operand, "self._data"] if reflected else ["self._data", operand]
            computed = [*kernel_call(kernel, given), *self._result]
            lines += attempt(check, computed, kernel is not None, args)
        lines.append("return _operate(self, other)")
        return bound.generated.make(key, "self, other, /", lines, _operate=slow)

    def _unary(self, key: str, bound: BoundFunction) -> Any:
        call = kernel_call(bound.fast_kernel, ["self._data"])
        lines = attempt("True", call + self._result, bound.fast_kernel is not None, "(self,)")
        return bound.generated.make(key, "self, /", lines)

    def _transposes(self) -> dict[str, property]:
        """Make `x.T` and `x.mT`, frames shorter than those of `Array`."""
        bound = self._binding.bound["matrix_transpose"]
        known = hasattr(self._backend.NATIVE_TYPE, "ndim")
        rank = "x._data.ndim" if known else "len(_shape_of(x._data))"
        lines = Renderer(bound.contract, bound).attribute(f"{rank} == 2")
        slow = cast(property, vars(Array)["T"]).fget
        names = {"_slow": slow, "_shape_of": self._backend.shape_of}
        made = self._apart(bound, **names).make("T", "x, /", lines)
        transpose = self._binding.functions["matrix_transpose"]
        return {
            "T": property(made, doc=Array.T.__doc__),
            "mT": property(transpose, doc=Array.mT.__doc__),
        }

    # --- writes ---------------------------------------------------------------------------------

    def _store(self, call: str) -> list[str]:
        """Render a write: `call` takes the data and gives the data to keep, in place or not."""
        if self._emulated:
            update = "_update_immutable" if self._backend.VIEW_EMULATION is True else "_update"
            return [f"{update}(self, _native, {call})"]
        return [
            "_d = self._data",
            f"_r = _native(_d, {call})",
            "if _r is not _d: _assign(self, _r)",
        ]

    def _in_place(self, key: str, bound: BoundFunction) -> Any:
        """Make `x op= y`: it keeps x's dtype and shape, and changes x only when it succeeds."""
        assert bound.native is not None  # the operators' functions are primary
        change: Callable[[Any, Any], Any] = self._backend.in_place(bound.native)
        update = writes.writer(self._backend)

        def slow(self: Any, other: Any) -> Any:
            # NotImplemented lets Python go on to `x = x op y`, which knows the override protocol.
            if takes_over(other) or not is_operand(other):
                return NotImplemented
            try:
                operand = bound.arguments.operand(self, other)
                update(self, bound.in_place(change, self._data, operand), operand)
            except Exception as error:
                failed(error, (self, other), {})
            return self

        def failed(error: Exception, given: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
            try:
                raise_better(error, _in_place_error(bound, error, *given))
            finally:
                del error

        kernel = None if self._emulated else kernel_of(change).in_place_kernel
        args, done = "(self, other)", ["return self"]
        lines = [
            "t = _type(other)",
            *(self._in_place_kernel(kernel) if kernel else []),
            *attempt(_is_array(bound), self._store("other._data") + done, False, args),
            *attempt("t in _scalars", self._store("other") + done, False, args),
            "return _operate(self, other)",
        ]
        names = {"_operate": slow, "_native": change, "_recover": failed}
        if kernel is not None:
            names |= {"_guard_dtype": kernel.dtype, "_in_place_kernel": kernel.call}
        generated = self._apart(bound, **names)
        made = generated.make(self._path(key), "self, other, /", lines)
        guard_writes = kernel_of(change).guard_writes
        if kernel is not None and guard_writes is not None:
            guard_writes(generated.set_guard_dtype)
        vars(made).update(slow=slow)
        return made

    def _in_place_kernel(self, kernel: InPlaceKernel) -> list[str]:
        """Render the library's own in-place operation for two arrays that ask for no more."""
        checks = [f"_d.dtype is _guard_dtype and _d.{kernel.base} is None"]
        checks += [
            f"_o.{kernel.base} is None",
            f"not _d.{self._tracked}",
            f"not _o.{self._tracked}",
        ]
        return [
            "if t is _cls:",
            "    _d = self._data",
            "    _o = other._data",
            f"    if {' and '.join(checks)}:",
            "        try:",
            "            _in_place_kernel(_d, _o)",
            "            return self",
            "        except Exception: pass",
        ]

    def _setitem(self, bound: BoundFunction) -> Any:
        args, kernel = "(self, key, value)", bound.kernel
        key = "key._data if t is _cls else key"
        same = "basic and v is _cls and t is not _cls and _is_self_assignment(self, key, value)"
        lines = [
            *(self._set_element() if kernel.guard_dtype is not None and not self._emulated else []),
            "t = _type(key)",
            "v = _type(value)",
            f"basic = t is _cls or {_BASIC_KEY}",
            *([f"if {same}: return"] if self._emulated else []),
        ]
        for check, value in (("v is _cls", "value._data"), ("v in _scalars", "value")):
            store = [*self._store(f"{key}, {value}"), "return"]
            lines += attempt(f"basic and {check}", store, False, args)
        lines.append(f"_slow({args}, {{}})")
        generated = self._apart(bound, _guard_dtype=kernel.guard_dtype)
        if kernel.guard_writes is not None:
            kernel.guard_writes(generated.set_guard_dtype)
        return generated.make(self._path("__setitem__"), "self, key, value, /", lines)

    def _set_element(self) -> list[str]:
        """Render the commonest write, where the library's own subscript does just what is meant.

        That is so for floats in an array of the native data type `guard_dtype`, at an integer or a
        slice. If it raises, the native function is called, which says what is wrong.
        """
        untracked = f" and not _d.{self._tracked}" if self._tracked else ""
        return [
            "if _type(value) is float and (_type(key) is int or _type(key) is slice):",
            "    _d = self._data",
            f"    if _d.dtype is _guard_dtype{untracked}:",
            "        try:",
            "            _d[key] = value",
            "            return",
            "        except Exception: pass",
        ]

    # --- reads by a key -------------------------------------------------------------------------

    def _getitem(self, bound: BoundFunction) -> Any:
        args, kernel, tracked = "(self, key)", bound.kernel, self._tracked
        copied = wrapped = self._result
        view = ["return _make_view(_r, self, key)"] if self._backend.VIEW_EMULATION else []
        # The native function may serve a key for which the library's own subscript raises.
        again, basic = kernel.fast_call is not None, _BASIC_KEY
        if tracked:
            view = [f"if self._data.{tracked}: {view[0]}"]
            # The library's alias of one element is a value, unless an ellipsis asks for a view.
            value = f"not _r.ndim and (t is int or t is tuple and {_ALL_INTS})"
            mark = [f"if {value}: _a._data = _copy(_r)", "else: _register_alias(self, _a)"]
            wrapped = [*copied[:-1], *mark, copied[-1]]
            if again:
                known = "t is int or t is slice and key.step is None"
                basic = f"{known} or (t is tuple or t in _basic_types) and _forward(key)"
        index = "key" if kernel.accepts_index_lists else "_index(key)"
        by_array = ["_r = _by_array(self._data, key._data)", *copied]
        by_list = [f"_r = _by_array(self._data, {index})", *copied]
        lines = [
            "t = _type(key)",
            *(self._get_element() if kernel.get_element else []),
            *attempt(basic, ["_r = _native(self._data, key)", *view, *wrapped], again, args),
            *attempt("t is _cls", by_array, False, args),
            # An empty list says nothing of its type.
            *attempt(f"t is list and key and {_ALL_INTS}", by_list, False, args),
            f"return _slow({args}, {{}})",
        ]
        names = self._apart(
            bound,
            _by_array=bound.native if tracked else bound.fast_native,
            _forward=kernel.supports_basic_key,
            _index=self._binding.bound["asarray"].native,
            _get_element=kernel.get_element,
            _copy=self._backend.copy,
        )
        return names.make("__getitem__", "self, key, /", lines)

    def _get_element(self) -> list[str]:
        """Render the selection of one element, where the backend has a short way to it.

        Most tuples that select more end in something else than an integer, or begin with it.
        """
        ends = "key and _type(key[-1]) is int and _type(key[0]) is int"
        return [
            f"if t is int or t is tuple and {ends} and {_ALL_INTS}:",
            "    _r = _get_element(self._data, key)",
            "    if _r is not None:",
            *(f"        {line}" for line in self._result),
        ]


def _is_array(bound: BoundFunction) -> str:
    """Render the check that the type of an operand is that of Arrays."""
    return "t in _kinds" if bound.accepts_views else "t is _cls"


def _in_place_error(bound: BoundFunction, error: Exception, x: Any, other: Any) -> Exception:
    """Return what to raise where `x op= other` failed: why x can't store it, if that is why."""
    if isinstance(error, UnifyError):
        return error
    try:
        result = bound.slow((x, other), {})
    except UnifyError as better:
        return better
    remedy = f"write x = {bound.contract.qualified_name}(x, y) instead"
    if result.shape != x.shape:
        problem = f"an array of shape {x.shape} can't store the result's {result.shape}"
        error = ValueError(f"{problem}; {remedy}")
    elif not same_kind(result.dtype, x.dtype):
        error = TypeError(f"{uncastable(result.dtype, x.dtype)}; {remedy}")
    return bound.error_to_raise(error, (x, other), {})
