"""Backends of other packages, which declare them by entry points.

The name of an entry point of the group `arrayapi_unify.backends` is the name of the backend, and
that of the module of its library: arrays are looked for once it is in `sys.modules`. The value is
the package that `backends._protocol` describes. docs/new_backend.md, "Publish it", has an example.
"""

from __future__ import annotations

from importlib import metadata
from typing import Final, NoReturn

from arrayapi_unify.errors import BackendError

__all__ = ["GROUP", "declared", "refuse"]

GROUP: Final = "arrayapi_unify.backends"


def declared() -> dict[str, tuple[str, ...]]:
    """Return the packages that declare a backend, by its name: one, or more by mistake."""
    found: dict[str, set[str]] = {}
    for entry in metadata.entry_points(group=GROUP):
        found.setdefault(entry.name, set()).add(entry.value)
    return {name: tuple(sorted(packages)) for name, packages in found.items()}


def refuse(name: str, packages: tuple[str, ...]) -> NoReturn:
    """Raise for a backend that several packages declare."""
    raise BackendError(
        f"backend {name!r} is declared by {len(packages)} packages: {', '.join(packages)} "
        f"(metadata of the group {GROUP!r}); uninstall all but one of them"
    )
