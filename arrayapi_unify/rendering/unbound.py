"""Source of functions that no backend binds: they pass on what their body can't serve."""

from __future__ import annotations

from arrayapi_unify.contracts.annotations import Role
from arrayapi_unify.contracts.contract import Contract
from arrayapi_unify.rendering.functions import render_function
from arrayapi_unify.rendering.renderer import Renderer

__all__ = ["render_standalone", "render_with_recovery"]


def render_standalone(contract: Contract) -> str:
    """Render a standalone function of arrays: its body serves what needs no dispatch."""
    renderer = Renderer(contract)
    star, lines = [p.name for p in contract.parameters if p.role is Role.STAR], [renderer.slow]
    if star and len(contract.parameters) == 1:
        lines.insert(0, f"if _needs_no_dispatch({star[0]}): return _native(*{star[0]})")
    if contract.cache_by_dtypes:
        lines = [
            f"if len({star[0]}) == 2:",
            f"    _a, _b = {star[0]}",
            "    _t = _results.get((_type(_a), _type(_b)))",
            "    _r = _t.get((_a._data.dtype, _b._data.dtype)) if _t else None",
            "    if _r is not None: return _r",
            *lines,
        ]
    return render_function(renderer.header, lines)


def render_with_recovery(contract: Contract) -> str:
    """Render a function that calls `_native` as it was called, and `_recover` if that raises."""
    renderer = Renderer(contract)
    lines = [
        "try:",
        *(f"    {line}" for line in renderer.call()),
        "except Exception as error:",
        f"    return _recover(error, {renderer.args}, {renderer.kwargs})",
        "return _r",
    ]
    return render_function(renderer.header, lines)
