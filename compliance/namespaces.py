"""From what the user types to an array namespace.

===============================  =====================================================
``numpy`` (torch, ...)           ``arrayapi_unify.numpy`` (this project's namespaces)
``arrayapi_unify@torch``         the top level of ``arrayapi_unify`` with that backend set
``compiled:jax``                 ``arrayapi_unify.compiled_namespace("jax")``
``chunked:dask``                 the same as without, with Dask's default chunks of 32 bytes
``split2:jax``, ``split4:jax``   the same as without, with arrays split over 2 or 4 devices
``draft:numpy``                  the same as without, by tests for the draft of the standard
``class:pkg.mod:Cls@torch``      the top level, with its arrays made by ``pkg.mod.Cls``
``bare:numpy``                   the library itself; the only way to reach bare numpy or torch
``array_api_compat.torch``       any other importable dotted name
===============================  =====================================================

This module is imported inside the measured process, so it imports next to nothing.
"""

import importlib
import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from arrayapi_unify.backends import REGISTRY, names

from . import chunks, custom_class, splits
from .errors import NamespaceError

PROJECT = "arrayapi_unify"
# The module with a library's functions of the standard, if not the module of its name.
_WITHIN = {
    "dask": "dask.array", "jax": "jax.numpy", "tensorflow": "tensorflow.experimental.numpy",
}  # fmt: skip
# The namespaces that know several devices as one.
_ON_MESHES = ("jax", f"{PROJECT}@jax")
# The prefixes of other kinds of runs, and the names that each of them takes.
_KINDS: dict[str, Callable[[str, tuple[str, ...]], bool]] = {
    "compiled": lambda rest, known: rest in known,
    "chunked": lambda rest, known: "dask" in re.split("[.@]", rest),
    "draft": lambda rest, known: True,
    **dict.fromkeys(splits.KINDS, lambda rest, known: rest in _ON_MESHES),
}
# The options of the compilers. PyTorch's would generate code for seconds; here it traces the whole
# function, as always, and runs the traced operations.
_OPTIONS: dict[str, dict[str, Any]] = {"torch": {"fullgraph": True, "backend": "eager"}}
# The device on which the measured process creates arrays, where one was chosen.
DEVICE_VARIABLE = "COMPLIANCE_DEVICE"
_DOTTED = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*")
_CLASS = re.compile(
    rf"class:(?P<module>{_DOTTED.pattern}):(?P<make>[A-Za-z_]\w*)(@(?P<backend>\w+))?"
)


@dataclass(frozen=True)
class Namespace:
    """One measurable namespace."""

    spec: str  # the argument of `run`; parse(spec) returns an equal Namespace
    name: str  # the name of reports
    module: str  # the module to import
    backend: str | None = None  # set on the module after the import
    kind: str = ""  # the prefix: "compiled" functions, "chunked" arrays, arrays in "split2"
    make: str = ""  # the class of the module, or its function, that makes arrays


def backends() -> tuple[str, ...]:
    """The backends of the registry, those of other packages among them."""
    return names()


def bare(backend: str) -> str:
    """Return the name of the library's own namespace."""
    return _WITHIN.get(backend, REGISTRY[backend])


def parse(text: str) -> Namespace:
    """Understand a namespace as typed on the command line."""
    known = backends()
    if match := _CLASS.fullmatch(text):
        module, make, backend = match["module"], match["make"], match["backend"]
        if backend in (None, *known):
            name = f"{module}.{make}" + f"@{backend}" * bool(backend)
            return Namespace(text, name, module, backend, make=make)
    prefix, _, rest = text.rpartition(":")
    dotted, _, backend = rest.partition("@")
    wrong_form = prefix not in ("", "bare", *_KINDS) or not _DOTTED.fullmatch(dotted)
    wrong_backend = "@" in rest and (dotted != PROJECT or backend not in known or prefix == "bare")
    wrong_kind = prefix in _KINDS and not _KINDS[prefix](rest, known)
    if wrong_form or wrong_backend or wrong_kind:
        raise NamespaceError(
            f"{text!r} does not name a namespace.",
            f"Give one of {', '.join(known)} (for {PROJECT}.<name>), {PROJECT}@<backend>, "
            "compiled:<name>, chunked:dask, split2:jax, draft:<name>, bare:<module>, "
            "class:<module>:<class>, or an importable dotted name such as array_api_strict.",
        )
    kind = prefix if prefix in _KINDS else ""
    if backend:
        return Namespace(text, rest, dotted, backend, kind)
    if dotted in known and prefix != "bare":
        full = f"{PROJECT}.{dotted}"
        return Namespace(text if kind else full, full, full, kind=kind)
    # A bare name keeps its prefix only if it would mean something else without it.
    spec = text if kind else f"bare:{dotted}" if dotted in known else dotted
    return Namespace(spec, dotted, dotted, kind=kind)


def load(text: str) -> Any:
    """Import the namespace; used by the official suite, the own checks and the probe alike."""
    loaded = _import(parse(text))
    if device := os.environ.get(DEVICE_VARIABLE):
        _place(loaded, text, device)
    return loaded


def _place(loaded: Any, text: str, device: str) -> None:
    """Make a namespace create its arrays on a device."""
    setter = getattr(loaded, "set_default_device", None)
    if setter is None:
        raise NamespaceError(
            f"{text} has no set_default_device, which --device {device} calls.",
            "Leave out --device, and choose the device by the library's own settings.",
        )
    try:
        setter(device)
    except Exception as error:
        raise NamespaceError(
            f"{text} can't create arrays on --device {device}: {error}",
            "Name one of __array_namespace_info__().devices().",
        ) from error


def _import(namespace: Namespace) -> Any:
    if namespace.make:
        return custom_class.namespace_of(namespace.module, namespace.make, namespace.backend)
    if namespace.kind == "chunked":
        chunks.cut()
    if namespace.kind in splits.KINDS:
        splits.prepare(splits.KINDS[namespace.kind])
    if namespace.kind == "compiled":
        backend = namespace.module.removeprefix(f"{PROJECT}.")
        made = importlib.import_module(PROJECT).compiled_namespace
        return made(backend, **_OPTIONS.get(backend, {}))
    loaded = _import_dotted(namespace.module)
    if namespace.backend is not None:
        loaded.set_backend(namespace.backend)
    if namespace.kind in splits.KINDS:
        splits.split(loaded, splits.KINDS[namespace.kind])
    return loaded


def _import_dotted(dotted: str) -> Any:
    """Import ``a.b.c``, where the last names may be attributes instead of modules.

    Submodules come first: a package may have an attribute of the same name that is another
    library (``pkg.numpy`` may be bare numpy that ``pkg/__init__.py`` imported).
    """
    parts = dotted.split(".")
    loaded: Any = importlib.import_module(parts[0])
    for depth, part in enumerate(parts[1:], start=2):
        path = ".".join(parts[:depth])
        try:
            loaded = importlib.import_module(path)
        except ModuleNotFoundError as error:
            # Only the absence of this very name is covered by an attribute; a dependency
            # that is missing inside it must be reported as such.
            if not path.startswith(error.name or "?") or not hasattr(loaded, part):
                raise
            loaded = getattr(loaded, part)
    return loaded


def suite_variable(namespace: Namespace) -> str:
    """The value of ``ARRAY_API_TESTS_MODULE`` that makes the suite use `load`.

    The suite's plain form prefers attributes to submodules and can't set a backend; its
    ``exec('...')`` form runs any code that defines ``xp``, in every xdist worker too.
    """
    return f"exec('from {__name__} import load; xp = load(\"{namespace.spec}\")')"
