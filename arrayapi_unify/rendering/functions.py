"""The functions that users call, made of source that `renderer` and its neighbours render.

A wrapper that takes `*args, **kwargs` and walks a contract costs microseconds per call. A function
with the contract's own signature costs one Python frame. Such functions differ only by signature,
so many have the same source, which is compiled once: `_template`. Each has its own global names,
which torch.compile finds again; what a closure holds it doesn't. `GeneratedFunctions.refresh`
changes those that vary. Each function has a file name of its own, too, under which `linecache`
has its lines: tracebacks, profilers and `inspect.getsource` show them.
"""

from __future__ import annotations

import builtins
import functools
import linecache
from collections.abc import Callable
from types import CodeType, FunctionType
from typing import Any, Final, TypeVar, cast

from arrayapi_unify._core.container_base import reject_nested, single
from arrayapi_unify.contracts.contract import MISSING, PACKAGE, Contract
from arrayapi_unify.errors import UnifyError
from arrayapi_unify.rendering.signature import PLACEHOLDER, Source

__all__ = [
    "SCALAR_TYPES", "GeneratedFunctions", "compile_function", "compile_on_first_call",
    "no_autograph", "render_all", "rendered", "set_metadata",
]  # fmt: skip

_waiting: list[Callable[[], None]] | None = []

F = TypeVar("F", bound=Callable[..., Any])

# Tuples, where sets would do: torch.compile follows them. The commonest come first.
SCALAR_TYPES: Final[tuple[type, ...]] = (float, int, bool, complex)

_NAMES: Final[dict[str, Any]] = {
    "__builtins__": vars(builtins),  # torch.compile looks for them here
    "_scalars": SCALAR_TYPES,
    "_scalar_set": frozenset(SCALAR_TYPES),
    # The types of an optional array argument that need no unwrapping.
    "_optional_types": (*SCALAR_TYPES, type(None), type(MISSING)),
    "_sequences": (list, tuple),
    "_type": type,
    "_M": MISSING,
    "_UnifyError": UnifyError,
    "_reject_nested": reject_nested,
    "_single": single,
}


def compile_function(path: str, source: str, names: dict[str, Any]) -> FunctionType:
    """Make the function `add`, or `numpy.add` of a backend, in which `names` are global names."""
    template = _template(source)
    code = _code(template, path, source)
    function = FunctionType(code, {**_NAMES, **names}, code.co_name)
    function.__defaults__, function.__kwdefaults__ = template.__defaults__, template.__kwdefaults__
    return no_autograph(function)


class GeneratedFunctions:
    """Functions of one backend that call the same native function, and change with it."""

    __slots__ = ("_backend", "_made")

    def __init__(self, backend: str) -> None:
        """Begin with no function."""
        self._backend = backend
        self._made: list[tuple[FunctionType, Callable[[], Source]]] = []

    def make(self, name: str, render: Callable[[], Source]) -> FunctionType:
        """Make a function."""
        made = compile_function(f"{self._backend}.{name}", *render())
        self._made.append((made, render))
        return made

    def refresh(self) -> None:
        """Render again, and update the global names of all functions."""
        for function, render in self._made:
            function.__globals__.update(render().names)


def _code(template: FunctionType, path: str, source: str) -> CodeType:
    """Return the code of a source under the name of one function, and file its lines.

    The interpreter remembers in the code where it found a global name: each function has its own.
    """
    name, file = path.rpartition(".")[2], f"<{PACKAGE}.{path}>"
    shown = source.replace(f"def {PLACEHOLDER}(", f"def {name}(", 1)
    linecache.cache[file] = (len(shown), None, shown.splitlines(keepends=True), file)
    return template.__code__.replace(co_name=name, co_qualname=name, co_filename=file)


def compile_on_first_call(path: str, render: Callable[[FunctionType], Source]) -> FunctionType:
    """Make a function whose source is rendered and compiled at its first call.

    Its identity, by which overrides are registered, is the same before and after.
    """
    name = path.rpartition(".")[2]
    unrendered = _unrendered.__code__.replace(co_name=name, co_qualname=name)
    function = FunctionType(unrendered, {**_NAMES}, name)

    def render_once() -> None:
        if function.__code__ is unrendered:
            source, names = render(function)
            template = _template(source)
            code = _code(template, path, source)
            function.__globals__.update(names)
            function.__defaults__ = template.__defaults__
            function.__kwdefaults__ = template.__kwdefaults__
            function.__code__ = code

    function.__globals__.update(_render=render_once, _rendered=function)
    if _waiting is None:
        render_once()
    else:
        _waiting.append(render_once)
    return no_autograph(function)


def render_all() -> None:
    """Render what waits for its first call, and from now on all at once.

    torch.compile remembers the parameters of each function that it has met.
    """
    global _waiting
    waiting, _waiting = _waiting, None
    for render in waiting or ():
        render()


def rendered(function: FunctionType) -> FunctionType:
    """Return a function whose code is the rendered one, if it is of `compile_on_first_call`."""
    render = function.__globals__.get("_render")
    if render is not None:
        render()
    return function


def _unrendered(*args: Any, **kwargs: Any) -> Any:
    _render()  # type: ignore[name-defined]  # noqa: F821  # a global name of who has this code
    return _rendered(*args, **kwargs)  # type: ignore[name-defined]  # noqa: F821  # likewise


def no_autograph(function: F) -> F:
    """Mark a function as autograph marks its own, so that it doesn't rewrite this one."""
    # torch.compile follows this, and no other way to set an attribute.
    function.autograph_info__ = {}  # type: ignore[attr-defined]  # a flag on a function
    return function


@functools.cache
def _template(source: str) -> FunctionType:
    """Compile a source: once, however many functions have it."""
    scope: dict[str, Any] = {"_M": MISSING}
    exec(compile(source, f"<{PACKAGE}>", "exec"), scope)
    return cast(FunctionType, scope[PLACEHOLDER])


def set_metadata(function: FunctionType, contract: Contract, module: str, **attributes: Any) -> Any:
    """Give a function the documentation of its contract, whose source and signature it shows."""
    if function is not contract.function:
        vars(function).update(__wrapped__=contract.function)
    function.__module__ = module
    function.__doc__ = contract.documentation
    function.__annotations__ = contract.function.__annotations__
    function.__dict__.update(
        kind=contract.kind,
        convenience=contract.convenience,
        nestable=contract.nestable,
        container_dependent=contract.container_dependent,
        contract=contract,
        **attributes,
    )
    return function
