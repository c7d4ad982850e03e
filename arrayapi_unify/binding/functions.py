"""The functions that users call, made of source that `codegen` and its neighbours spell.

A wrapper that takes `*args, **kwargs` and walks a contract costs microseconds per call. A function
with the contract's own signature costs one Python frame. Such functions differ only by signature,
so many share a *shape*: the same source, and so the same lines in a file of `binding/shapes/`,
which `python -m arrayapi_unify._generate` writes. What a function needs are its global names: each
has its own. torch.compile asks of everything it meets where it can be found again, which it
couldn't say of what a closure holds.

Source that stands in no file, of a backend or a contract that isn't ours, is compiled here.
"""

from __future__ import annotations

import builtins
import functools
import importlib
import inspect
import linecache
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from types import FunctionType
from typing import Any, Final, TypeVar, cast

from arrayapi_unify.binding.contract import MISSING, PACKAGE, Contract
from arrayapi_unify.container_base import single, visible
from arrayapi_unify.errors import UnifyError

__all__ = [
    "PLACEHOLDER",
    "SCALAR_TYPES",
    "TOP_LEVEL",
    "dress",
    "make",
    "not_rewritten",
    "prepare",
    "recording",
    "spelled",
]

F = TypeVar("F", bound=Callable[..., Any])

TOP_LEVEL: Final = "top_level"
"""What owns the functions that belong to no backend."""
PLACEHOLDER: Final = "function"
"""The name that spelled functions have until they are made."""

# Tuples, where sets would do: torch.compile follows them. The commonest come first.
SCALAR_TYPES = (float, int, bool, complex)

_recorded: dict[str, dict[str, str]] | None = None


_NAMES: Final[dict[str, Any]] = {
    "__builtins__": vars(builtins),  # torch.compile looks for them here
    "_scalars": SCALAR_TYPES,
    "_scalar_set": frozenset(SCALAR_TYPES),
    # What an optional array parameter may be without any unwrapping.
    "_plain": (*SCALAR_TYPES, type(None), type(MISSING)),
    "_sequences": (list, tuple),
    "_type": type,
    "_M": MISSING,
    "_UnifyError": UnifyError,
    "_visible": visible,
    "_single": single,
}


def spelled(header: str, body: Iterable[str]) -> str:
    """Spell a function."""
    lines = [f"def {PLACEHOLDER}({header}):", *(f"    {line}" for line in body)]
    return "\n".join(lines) + "\n"


@contextmanager
def recording() -> Iterator[dict[str, dict[str, str]]]:
    """Collect the source of all functions that are made meanwhile, by owner and key."""
    global _recorded
    _recorded = {}
    try:
        yield _recorded
    finally:
        _recorded = None


def make(
    owner: str,
    key: str,
    spell: Callable[[], str],
    names: dict[str, Any],
    contract: Contract | None = None,
) -> FunctionType:
    """Make the function `key` of a backend or the top level, in which `names` are global names.

    `spell` is asked for the source where no generated file has it. The function of a `contract` is
    taken from the file only if it has the contract's parameters still.
    """
    template = _shapes(owner).get(key)
    if template is None or (contract and not _alike(template, contract)) or _recorded is not None:
        source = spell()
        if _recorded is not None:
            _recorded.setdefault(owner, {})[key] = source
        template = _compiled(source, f"<{PACKAGE} binding: {owner} {key}>")
    name = key.rpartition(".")[2]
    # The interpreter remembers in the code where it found a global name.
    code = template.__code__.replace(co_name=name, co_qualname=name)
    function = FunctionType(code, {**_NAMES, **names}, name, template.__defaults__)
    function.__kwdefaults__ = template.__kwdefaults__
    return not_rewritten(function)


def not_rewritten(function: F) -> F:
    """Mark a function as autograph marks its own, so that it doesn't rewrite this one."""
    # torch.compile follows this, and no other way to set an attribute.
    function.autograph_info__ = {}  # type: ignore[attr-defined]  # a flag on a function
    return function


def prepare(owner: str) -> None:
    """Import the generated file of a backend or the top level."""
    _shapes(owner)


@functools.cache
def _shapes(owner: str) -> dict[str, FunctionType]:
    """Return the functions of a generated file by their keys; none where there is no file."""
    path = f"{__package__}.shapes.{owner}"
    try:
        return cast("dict[str, FunctionType]", importlib.import_module(path).SHAPES)
    except ModuleNotFoundError as error:
        if error.name != path:
            raise
        return {}


def _alike(template: FunctionType, contract: Contract) -> bool:
    """Whether two functions have the same parameters, but for those that are passed on."""
    ours, theirs = template.__code__, contract.function.__code__
    if ours.co_flags & inspect.CO_VARKEYWORDS:
        count = ours.co_posonlyargcount
        return ours.co_varnames[:count] == theirs.co_varnames[:count]
    count = ours.co_argcount + ours.co_kwonlyargcount
    return (
        ours.co_varnames[:count] == theirs.co_varnames[:count]
        and ours.co_argcount == theirs.co_argcount
        and ours.co_posonlyargcount == theirs.co_posonlyargcount
        and ours.co_kwonlyargcount == theirs.co_kwonlyargcount
    )


@functools.cache
def _compiled(source: str, filename: str) -> FunctionType:
    """Compile a function; its lines are shown in tracebacks as those of a file are."""
    scope: dict[str, Any] = {"_M": MISSING}
    exec(compile(source, filename, "exec"), scope)
    linecache.cache[filename] = (len(source), None, source.splitlines(keepends=True), filename)
    return cast(FunctionType, scope[PLACEHOLDER])


def dress(function: FunctionType, contract: Contract, module: str, **attributes: Any) -> Any:
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
