"""Lines that several generated functions share: a native call, a `try`, a new Array."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from arrayapi_unify.backends import Backend
from arrayapi_unify.backends.kernel import FastKernel

__all__ = ["PLACEHOLDER", "attempt", "kernel_call", "render_function", "wrap"]

PLACEHOLDER: Final = "function"
"""The name of each function in its source, which many functions may share."""


def kernel_call(fast_kernel: FastKernel | None, arguments: list[str]) -> list[str]:
    """Render the native call with nothing but what is required."""
    given = ", ".join(arguments)
    if fast_kernel is None:
        return [f"_r = _native({given})"]
    check = f"if _r.dtype is not _guard_dtype: _r = _fix_up(_r, {given})"
    return [f"_r = _fast_kernel({given})", *([check] if fast_kernel.fix_up else [])]


def attempt(
    condition: str, lines: list[str], again: bool, args: str, kwargs: str = "{}"
) -> list[str]:
    """Render lines in a `try` under a condition, and what happens if they fail.

    A Container for an argument that is no array reaches the native function, and raises there.
    `again` says that they call a fast kernel, after which the native function has its turn.
    """
    given = f"{args}, {kwargs}, True" if again else f"{args}, {kwargs}"
    return [
        f"if {condition}:",
        "    try:",
        *(f"        {line}" for line in lines),
        f"    except Exception as error: return _recover(error, {given})",
    ]


def wrap(backend: Backend, has_aliases: bool) -> list[str]:
    """Render the lines that make `_a` an Array of `_r`.

    For Arrays with registered aliases (`views.aliasing.register_alias`), it has none. Python takes
    longer to find out that nothing is known than all of this.
    """
    check = "if _type(_r) is not _result_type: _r = _as_native_array(_r)"
    lines = ["_a = _cls()", "_a._data = _r", *(["_a._aliases = None"] if has_aliases else [])]
    return lines if backend.RESULT_TYPE is None else [check, *lines]


def render_function(header: str, body: Iterable[str]) -> str:
    """Render a function."""
    lines = [f"def {PLACEHOLDER}({header}):", *(f"    {line}" for line in body)]
    return "\n".join(lines) + "\n"
