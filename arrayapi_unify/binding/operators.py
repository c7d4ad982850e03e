"""The operators of one backend's array class: the functions' natives, one Python frame away."""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import TYPE_CHECKING, Any, cast

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
from arrayapi_unify.binding.functions import compile_function, render_function
from arrayapi_unify.binding.source import (
    Renderer,
    attempt,
    kernel_call,
    wrap,
)
from arrayapi_unify.dtypes import same_kind
from arrayapi_unify.errors import UnifyError
from arrayapi_unify.overrides import takes_over
from arrayapi_unify.views import emulation

if TYPE_CHECKING:
    from arrayapi_unify.backends.kernel import InPlaceKernel
    from arrayapi_unify.binding.namespace import Binding

__all__ = [
    "computing",
    "emulated_operators",
    "functions_of_operators",
    "in_place_of_any",
    "in_place_operators",
    "operators",
    "transposes",
]

_WRITES = {
    "_is_self_assignment": emulation.is_self_assignment,
    "_update_immutable": emulation.update_immutable,
    "_update": emulation.update,
    "_assign": emulation.assign,
}
_BASIC_KEYS = (int, slice, type(None), type(Ellipsis))


def _result(binding: Binding) -> list[str]:
    backend = binding.backend
    new = wrap(backend.RESULT_TYPE is not None, isinstance(backend.VIEW_EMULATION, str))
    return [*new, "return _a"]


def _make(
    binding: Binding, key: str, header: str, lines: list[str], names: dict[str, Any]
) -> FunctionType:
    return compile_function(f"{binding.name}.{key}", render_function(header, lines), names)


def _binary(binding: Binding, key: str, bound: BoundFunction, reflected: bool) -> Any:
    pair = ("other", "self._data") if reflected else ("self._data", "other")

    def call(*both: Any) -> Any:
        return bound.slow(both, {})

    def slow(self: Any, other: Any) -> Any:
        if key in UNLIKE:
            return compared(call, self, other, key)
        first, second = (other, self) if reflected else (self, other)
        return unless_declined(call, first, second, other)

    args = "(other, self)" if reflected else "(self, other)"
    arrays = [name.replace("other", "other._data") for name in pair]
    fast_kernel, wrap = bound.fast_kernel, _result(binding)
    listed = [name.replace("other", "_l") for name in pair]
    again, lists = fast_kernel is not None, binding.from_list is not None
    lines = [
        "t = _type(other)",
        *attempt(_is_array(bound), kernel_call(fast_kernel, arrays) + wrap, again, args),
        *attempt("t in _scalars", kernel_call(fast_kernel, list(pair)) + wrap, again, args),
        *(attempt(_IS_LIST, kernel_call(fast_kernel, listed) + wrap, again, args) if lists else []),
        "return _operate(self, other)",
    ]
    names = binding.names(bound) | {"_operate": slow}
    return _make(binding, key, "self, other, /", lines, names)


def _is_array(bound: BoundFunction) -> str:
    """Render the check that the type of an operand is that of Arrays."""
    return "t in _kinds" if bound.accepts_views else "t is _cls"


def _unary(binding: Binding, key: str, bound: BoundFunction) -> Any:
    call = kernel_call(bound.fast_kernel, ["self._data"])
    lines = attempt("True", call + _result(binding), bound.fast_kernel is not None, "(self,)")
    return _make(binding, key, "self, /", lines, binding.names(bound))


def _store(binding: Binding, call: str, emulated: bool) -> list[str]:
    """Render a write: `call` takes the data and gives what holds the result, in place or not."""
    function, _, operands = call.partition(", ")
    if emulated:
        update = "_update_immutable" if binding.backend.VIEW_EMULATION is True else "_update"
        return [f"{update}(self, {function}, {operands})"]
    return [
        "_d = self._data",
        f"_r = {function}(_d, {operands})",
        "if _r is not _d: _assign(self, _r)",
    ]


def _in_place(binding: Binding, key: str, bound: BoundFunction, emulated: bool) -> Any:
    """Make `x op= y`: it keeps x's dtype and shape, and changes x only when it succeeds."""
    assert bound.native is not None  # the operators' functions are primary
    change: Callable[[Any, Any], Any] = binding.backend.in_place(bound.native)
    update = emulation.writer(binding.backend)

    def slow(self: Any, other: Any) -> Any:
        # NotImplemented lets Python go on to `x = x op y`, which knows the override protocol.
        if takes_over(other) or not is_operand(other):
            return NotImplemented
        parameter = bound.contract.parameters[1]
        try:
            operand = bound.arguments.convert(parameter.name, other)
            update(self, bound.in_place(change, self._data, operand), operand)
        except Exception as error:
            return failed(error, (self, other), {})
        return self

    def failed(error: Exception, given: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        failure = _in_place_error(bound, error, *given)
        try:
            if failure is error:
                raise error
            raise failure from error
        finally:
            del error, failure

    def lines(operand: str) -> list[str]:
        return [*_store(binding, f"_native, {operand}", emulated), "return self"]

    args = "(self, other)"
    in_place_kernel = None if emulated else kernel_of(change).in_place_kernel
    body = [
        "t = _type(other)",
        *(_in_place_kernel_lines(binding, in_place_kernel) if in_place_kernel else []),
        *attempt(_is_array(bound), lines("other._data"), False, args),
        *attempt("t in _scalars", lines("other"), False, args),
        "return _operate(self, other)",
    ]
    names = binding.names(bound) | _WRITES
    names |= {"_operate": slow, "_native": change, "_recover": failed}
    if in_place_kernel is not None:
        names |= {"_guard_dtype": in_place_kernel.dtype, "_in_place_kernel": in_place_kernel.call}
    made = _make(binding, key, "self, other, /", body, names)
    guard_writes = kernel_of(change).guard_writes
    if in_place_kernel is not None and guard_writes is not None:
        guard_writes(made.__globals__)
    vars(made).update(slow=slow)
    return made


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
        problem = uncastable(result.dtype, x.dtype)
        error = TypeError(f"{problem}; {remedy}")
    return bound.error_to_raise(error, (x, other), {})


_IS_LIST = "t is list and (_l := _from_list(other)) is not None"
_BASIC_KEY = "t in _basic_types or (t is tuple and _basic.issuperset(map(_type, key)))"
_ALL_INTS = "_ints.issuperset(map(_type, key))"


def _getitem(binding: Binding, bound: BoundFunction) -> Any:
    by_array = (
        bound.native if isinstance(binding.backend.VIEW_EMULATION, str) else bound.fast_native
    )
    kernel = bound.kernel
    names = _key_names(binding, bound)
    names |= {"_by_array": by_array, "_forward": kernel.supports_basic_key}
    names["_index"] = binding.bound["asarray"].native
    args, copied = "(self, key)", _result(binding)
    wrap = copied
    when = binding.backend.VIEW_EMULATION
    view = ["return _make_view(_r, self, key)"] if when else []
    if isinstance(when, str):
        view = [f"if self._data.{when}: {view[0]}"]
        # The library's window onto one element is a value, unless an ellipsis asks for a view.
        wrap = [
            *copied[:-1],
            f"if not _r.ndim and (t is int or t is tuple and {_ALL_INTS}): _a._data = _copy(_r)",
            "else: _register_alias(self, _a)",
            copied[-1],
        ]
    # The native function may serve a key for which the library's own subscript raises.
    again = kernel.fast_call is not None
    basic = _BASIC_KEY
    lists = kernel.accepts_index_lists
    if again and isinstance(when, str):
        known = "t is int or t is slice and key.step is None"
        basic = f"{known} or (t is tuple or t in _basic_types) and _forward(key)"
    names["_get_element"] = element = kernel.get_element
    lines = [
        "t = _type(key)",
        *(_get_element_lines(copied) if element else []),
        *attempt(basic, ["_r = _native(self._data, key)", *view, *wrap], again, args),
        *attempt("t is _cls", ["_r = _by_array(self._data, key._data)", *copied], False, args),
        # An empty list says nothing of its type.
        *attempt(
            f"t is list and key and {_ALL_INTS}",
            [f"_r = _by_array(self._data, {'key' if lists else '_index(key)'})", *copied],
            False,
            args,
        ),
        f"return _slow({args}, {{}})",
    ]
    return _make(binding, "__getitem__", "self, key, /", lines, names)


def _get_element_lines(wrap: list[str]) -> list[str]:
    """Render the selection of one element, where the backend has a short way to it.

    Most tuples that select more end in something else than an integer, or begin with it.
    """
    ends = "key and _type(key[-1]) is int and _type(key[0]) is int"
    return [
        f"if t is int or t is tuple and {ends} and {_ALL_INTS}:",
        "    _r = _get_element(self._data, key)",
        "    if _r is not None:",
        *(f"        {line}" for line in wrap),
    ]


def _in_place_kernel_lines(binding: Binding, in_place_kernel: InPlaceKernel) -> list[str]:
    """Render the library's own in-place operation for two arrays that ask for no more."""
    emulation = binding.backend.VIEW_EMULATION
    checks = [f"_d.dtype is _guard_dtype and _d.{in_place_kernel.base} is None"]
    checks += [f"_o.{in_place_kernel.base} is None", f"not _d.{emulation}", f"not _o.{emulation}"]
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


def _setitem(binding: Binding, bound: BoundFunction, emulated: bool) -> Any:
    args = "(self, key, value)"

    def store(value: str) -> list[str]:
        key = "key._data if t is _cls else key"
        return [*_store(binding, f"_native, {key}, {value}", emulated), "return"]

    there = [
        "if basic and v is _cls and t is not _cls and _is_self_assignment(self, key, value): return"
    ]
    lines = [
        *([] if emulated else _set_element(binding, bound)),
        "t = _type(key)",
        "v = _type(value)",
        f"basic = t is _cls or {_BASIC_KEY}",
        *(there if emulated else []),
        *attempt("basic and v is _cls", store("value._data"), False, args),
        *attempt("basic and v in _scalars", store("value"), False, args),
        f"_slow({args}, {{}})",
    ]
    names = _key_names(binding, bound) | {"_guard_dtype": bound.kernel.guard_dtype}
    key = _key("__setitem__", emulated)
    made = _make(binding, key, "self, key, value, /", lines, names)
    if bound.kernel.guard_writes is not None:
        bound.kernel.guard_writes(made.__globals__)
    return made


def _set_element(binding: Binding, bound: BoundFunction) -> list[str]:
    """Render the commonest write, where the library's own subscript does just what is meant.

    That is so for floats in an array of the native data type `guard_dtype`, at an integer or a
    slice. If it raises, the native function is asked, which says what is wrong.
    """
    if bound.kernel.guard_dtype is None:
        return []
    emulation = binding.backend.VIEW_EMULATION
    untracked = f" and not _d.{emulation}" if isinstance(emulation, str) else ""
    return [
        "if _type(value) is float and (_type(key) is int or _type(key) is slice):",
        "    _d = self._data",
        f"    if _d.dtype is _guard_dtype{untracked}:",
        "        try:",
        "            _d[key] = value",
        "            return",
        "        except Exception: pass",
    ]


def _key_names(binding: Binding, bound: BoundFunction) -> dict[str, Any]:
    keys = {
        "_basic_types": _BASIC_KEYS,
        "_basic": frozenset(_BASIC_KEYS),
        "_ints": frozenset({int}),
    }
    return binding.names(bound) | _WRITES | keys | {"_copy": binding.backend.copy}


def _key(name: str, emulated: bool) -> str:
    return f"emulated.{name}" if emulated else name


def in_place_operators(binding: Binding, emulated: bool) -> dict[str, Callable[[Any, Any], Any]]:
    """Make `x op= y` of every arithmetic function, by the function's name."""
    return {
        function: _in_place(
            binding, _key(f"__i{name}__", emulated), binding.bound[function], emulated
        )
        for name, function in ARITHMETIC.items()
    }


def in_place_of_any(binding: Binding) -> dict[str, Callable[[Any, Any], Any]]:
    """Make `x op= y` for the classes of which nothing is known: those of users, and of halves."""

    def chosen(operator: Any) -> Callable[[Any, Any], Any]:
        def in_place(self: Any, other: Any) -> Any:
            return (operator.slow if binding.is_reduced_precision(self._data) else operator)(
                self, other
            )

        return in_place

    return {name: chosen(found) for name, found in in_place_operators(binding, True).items()}


def operators(binding: Binding) -> dict[str, Any]:
    """Make the special methods of a backend's array class."""
    made = writing_operators(binding, binding.backend.VIEW_EMULATION is True)
    made["__getitem__"] = _getitem(binding, binding.bound["get_item"])
    for name, function in {**ARITHMETIC, **COMPARISON}.items():
        for key in (f"__{name}__", f"__r{name}__")[: 2 if name in ARITHMETIC else 1]:
            reflected = key.startswith("__r") and key != f"__{name}__"
            made[key] = _binary(binding, key, binding.bound[function], reflected)
    for name, function in UNARY.items():
        key = f"__{name}__"
        made[key] = _unary(binding, key, binding.bound[function])
    return _named(made, binding.array.__name__)


def functions_of_operators() -> list[str]:
    """List the functions that the special methods are made of."""
    others = ("get_item", "set_item", "asarray", "to_scalar", "matrix_transpose")
    tables = (ARITHMETIC, COMPARISON, UNARY)
    return [*(function for table in tables for function in table.values()), *others]


def transposes(binding: Binding) -> dict[str, property]:
    """Make `x.T` and `x.mT`, frames shorter than those of `Array`."""
    transpose, bound = binding.functions["matrix_transpose"], binding.bound["matrix_transpose"]
    known = hasattr(binding.backend.NATIVE_TYPE, "ndim")
    rank = "x._data.ndim" if known else "len(_shape_of(x._data))"
    whole = cast(property, vars(Array)["T"]).fget
    names = binding.names(bound) | {"_shape_of": binding.backend.shape_of, "_slow": whole}
    lines = Renderer(bound.contract, bound.codegen_options()).attribute(f"{rank} == 2")
    made = _make(binding, "T", "x, /", lines, names)
    return {
        "T": property(made, doc=Array.T.__doc__),
        "mT": property(transpose, doc=Array.mT.__doc__),
    }


def computing(binding: Binding) -> list[FunctionType]:
    """Return the special methods that compute a new array."""
    names = [key for name in (*ARITHMETIC, *COMPARISON) for key in (f"__{name}__", f"__r{name}__")]
    names += [f"__{name}__" for name in UNARY]
    members = vars(binding.array)
    return [members[name] for name in dict.fromkeys(names) if name in members]


def emulated_operators(binding: Binding) -> dict[str, Any]:
    """Make the special methods that differ where a library's arrays share memory, but not all."""
    made = writing_operators(binding, emulated=True)
    names = binding.names(binding.bound["get_item"])
    lines = ["return _slow((self, key), {})"]
    made["__getitem__"] = _make(binding, "emulated.__getitem__", "self, key, /", lines, names)
    return _named(made, binding.array.__name__)


def writing_operators(binding: Binding, emulated: bool) -> dict[str, Any]:
    """Make `x[key] = value` and `x op= y`."""
    in_place = in_place_operators(binding, emulated)
    made = {f"__i{name}__": in_place[function] for name, function in ARITHMETIC.items()}
    return {"__setitem__": _setitem(binding, binding.bound["set_item"], emulated), **made}


def _named(made: dict[str, Any], owner: str) -> dict[str, Any]:
    for name, operator in made.items():
        operator.__qualname__ = f"{owner}.{name}"
    return made
