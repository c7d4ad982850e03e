"""Source of the special methods of one backend's array class."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any, Final

from arrayapi_unify.backends.kernel import InPlaceKernel
from arrayapi_unify.rendering.renderer import Renderer, Target
from arrayapi_unify.rendering.signature import Names, Source, attempt, indented
from arrayapi_unify.views import aliasing, writes

__all__ = ["SpecialMethod", "namespace_method"]

_BASIC_KEYS: Final = (int, slice, type(None), type(Ellipsis))
# A set of the types takes longer than both parts of the commonest tuples.
_BASIC_PAIR: Final = (
    "len(key) == 2 and _type(key[0]) in _basic_types and _type(key[1]) in _basic_types"
)
_BASIC_TUPLE: Final = f"({_BASIC_PAIR} or _basic.issuperset(map(_type, key)))"
_BASIC_KEY: Final = f"t in _basic_types or (t is tuple and {_BASIC_TUPLE})"
_ALL_INTS: Final = "_ints.issuperset(map(_type, key))"


class SpecialMethod(Renderer):
    """The source of one special method, which calls the target of a function."""

    def __init__(self, target: Target, emulated: bool = False) -> None:
        """Render for Arrays whose views are emulated, or for others."""
        super().__init__(target)
        self._emulated = emulated
        # The attribute that says if an array's views are emulated, where that depends on the array.
        self._tracked = self._backend.VIEW_EMULATION if self._has_aliases else None
        self._result = [*self.new(self._has_aliases), "return _a"]
        self.use(
            _update=writes.writer(self._backend),
            _assign=writes.assign,
            _is_self_assignment=writes.is_self_assignment,
            _basic_types=_BASIC_KEYS,
            _basic=frozenset(_BASIC_KEYS),
            _ints=frozenset({int}),
        )

    # --- operators that compute -----------------------------------------------------------------

    def binary(self, reflected: bool, operate: Callable[[Any, Any], Any]) -> Source:
        """Render `self op other`; `operate` serves other operands than those of the function."""
        kernel, from_list = self.fast_kernel, self.target.from_list
        given = ["_o", "self._data"] if reflected else ["self._data", "_o"]
        args = "(other, self)" if reflected else "(self, other)"
        of_list = f"elif t is list: _o = {self.use(_from_list=from_list)}(other)"
        lines = [
            f"if {self.is_array('t')}: _o = other._data",
            "elif t in _scalars: _o = other",
            *([] if from_list is None else [of_list]),
            "else: _o = None",
            "if _o is not None:",
            *indented([*self.call(given), *self._result]),
        ]
        tried = attempt(lines, f"{args}, {{}}", kernel is not None)
        otherwise = f"return {self.use(_operate=operate)}(self, other)"
        return self.use.function("self, other, /", ["t = _type(other)", *tried, otherwise])

    def unary(self) -> Source:
        """Render `op self`."""
        lines = [*self.call(["self._data"]), *self._result]
        tried = attempt(lines, "(self,), {}", self.fast_kernel is not None)
        return self.use.function("self, /", tried)

    def transpose(self, slow: Callable[[Any], Any]) -> Source:
        """Render `x.T`, a frame shorter than that of `Array`, whose own is `slow`."""
        known = hasattr(self._backend.NATIVE_TYPE, "ndim")
        rank = f"len({self.use(_shape_of=self._backend.shape_of)}(x._data))"
        return self.attribute(f"{'x._data.ndim' if known else rank} == 2", slow)

    # --- writes ---------------------------------------------------------------------------------

    def _store(self, native: Any, call: str) -> list[str]:
        """Render a write: `call` takes the data and gives the data to keep, in place or not."""
        update = f"_update(self, {self.use(_native=native)}, {call})"
        if self._emulated:
            return [update]
        store = [
            "_d = self._data",
            f"_r = _native(_d, {call})",
            "if _r is not _d: _assign(self, _r)",
        ]
        if not self._tracked:
            return store
        # While derivatives may be asked for, a write may replace the data: one at a time.
        self.use.setdefault("_guard_dtype", True)
        return [f"if _guard_dtype is None: {update}", "else:", *indented(store)]

    def in_place(
        self,
        change: Callable[[Any, Any], Any],
        kernel: InPlaceKernel | None,
        operate: Callable[[Any, Any], Any],
        failed: Callable[..., Any],
    ) -> Source:
        """Render `self op= other`; `operate` serves other operands than those of `change`."""
        lines = ["t = _type(other)", *(self._in_place_kernel(kernel) if kernel else [])]
        known = self.is_array("t")
        self.use(_recover=failed, _operate=operate)
        for check, operand in ((known, "other._data"), ("t in _scalars", "other")):
            store = [*self._store(change, operand), "return self"]
            lines += [f"if {check}:", *indented(attempt(store, "(self, other), {}"))]
        return self.use.function("self, other, /", [*lines, "return _operate(self, other)"])

    def _in_place_kernel(self, kernel: InPlaceKernel) -> list[str]:
        """Render the library's own in-place operation for two arrays that ask for no more."""
        guard = self.use(_guard_dtype=kernel.dtype)
        checks = [
            f"_d.dtype is {guard} and _d.{kernel.base} is None",
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
            f"            {self.use(_in_place_kernel=kernel.call)}(_d, _o)",
            "            return self",
            "        except Exception: pass",
        ]

    def set_item(self) -> Source:
        """Render `self[key] = value`."""
        args, direct = "(self, key, value)", self.target.kernel.guard_dtype is not None
        key, same = "key._data if t is _cls else key", []
        if self._emulated:
            is_same = "t is not _cls and _is_self_assignment(self, key, value)"
            same = [f"if basic and v is _cls and {is_same}: return"]
        lines = [
            *(self._set_element() if direct and not self._emulated else []),
            "t = _type(key)",
            "v = _type(value)",
            f"basic = t is _cls or {_BASIC_KEY}",
            *same,
        ]
        for check, data in (("v is _cls", "value._data"), ("v in _scalars", "value")):
            store = [*self._store(self.target.call, f"{key}, {data}"), "return"]
            tried = attempt(store, f"{args}, {{}}")
            lines += [f"if basic and {check}:", *indented(tried)]
        lines.append(f"_slow({args}, {{}})")
        return self.use.function("self, key, value, /", lines)

    def _set_element(self) -> list[str]:
        """Render the commonest write, where the library's own subscript does just what is meant.

        That is so for floats in an array of the native data type `guard_dtype`, at an integer, a
        slice, or an array. If it raises, the native function is called, which says what is wrong.
        """
        fill = self.target.kernel.fill
        guard = self.use(_guard_dtype=self.target.kernel.guard_dtype)
        untracked = f" and not _d.{self._tracked}" if self._tracked else ""
        return [
            "if _type(value) is float and (_type(key) is int or _type(key) is slice):",
            "    _d = self._data",
            f"    if _d.dtype is {guard}{untracked}:",
            "        try:",
            "            _d[key] = value",
            "            return",
            "        except Exception: pass",
            *([] if fill is None else [
                "elif _type(value) is float and _type(key) is _cls:",
                "    _d = self._data",
                f"    if _d.dtype is {guard}{untracked}:",
                "        try:",
                f"            {self.use(_fill=fill)}(_d, key._data, value)",
                "            return",
                "        except Exception: pass",
            ]),
        ]  # fmt: skip

    # --- reads by a key -------------------------------------------------------------------------

    def get_item(self, asarray: Callable[..., Any] | None) -> Source:
        """Render `self[key]`; `asarray` makes a key of a list of integers."""
        args, kernel, use, wrapped = "(self, key), {}", self.target.kernel, self.use, self._result
        # The native function may serve a key for which the library's own subscript raises.
        again, basic = kernel.fast_call is not None, _BASIC_KEY
        view = [f"return {use(_make_view=self.target.view_factory)}(_r, self, key)"]
        if self._tracked:
            # The library's alias of one element is a value, unless an ellipsis asks for a view.
            value = f"not _r.ndim and (t is int or t is tuple and {_ALL_INTS})"
            copied = f"if {value}: _a._data = {use(_copy=self._backend.copy)}(_r)"
            mark = f"else: {use(_register_alias=aliasing.register_alias)}(self, _a)"
            view = [f"if self._data.{self._tracked}: {view[0]}"]
            view += [*wrapped[:-1], copied, mark, wrapped[-1]]
            known = "t is int or t is slice and key.step is None"
            forward = f"{use(_forward=kernel.supports_basic_key)}(key)"
            basic = (
                f"{known} or (t is tuple or t in _basic_types) and {forward}" if again else basic
            )
        read = [f"_r = {use(_native=self.target.call)}(self._data, key)"]
        read += view if self._backend.VIEW_EMULATION else wrapped
        by_array = use(_by_array=self.target.native if self._tracked else self.target.call)
        index = "key" if kernel.accepts_index_lists else f"{use(_index=asarray)}(key)"
        lines = ["t = _type(key)", *(self._get_element() if kernel.get_element else [])]
        lines += [f"if {basic}:", *indented(attempt(read, args, again))]
        # An empty list says nothing of its type.
        of_list = f"t is list and key and {_ALL_INTS}"
        for check, place in (("t is _cls", "key._data"), (of_list, index)):
            selected = [f"_r = {by_array}(self._data, {place})", *self._result]
            lines += [f"if {check}:", *indented(attempt(selected, args))]
        return use.function("self, key, /", [*lines, f"return _slow({args})"])

    def get_emulated_item(self) -> Source:
        """Render `self[key]` of an Array whose views are emulated."""
        return self.use.function("self, key, /", ["return _slow((self, key), {})"])

    def _get_element(self) -> list[str]:
        """Render the selection of one element, where the backend has a short way to it.

        Most tuples that select more end in something else than an integer, or begin with it.
        """
        select = self.use(_get_element=self.target.kernel.get_element)
        ends = "key and _type(key[-1]) is int and _type(key[0]) is int"
        return [
            f"if t is int or t is tuple and {ends} and {_ALL_INTS}:",
            f"    _r = {select}(self._data, key)",
            "    if _r is not None:",
            *indented(indented(self._result)),
        ]


def namespace_method(namespace: ModuleType, of_version: Callable[[str | None], Any]) -> Source:
    """Render `__array_namespace__` with the namespace as one of its global names.

    So torch.compile knows where to find it again, and follows `xp.float32` of it.
    """
    use = Names()
    call = f"{use(_namespace_for=of_version)}(api_version)"
    line = f"return {use(_namespace=namespace)} if api_version is None else {call}"
    return use.function("self, /, *, api_version=None", [line])
