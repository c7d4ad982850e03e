"""Inspects a namespace in its own process, before any test runs.

``python -m compliance.probe SPEC FILE`` writes the result to FILE as JSON, not to stdout, because
some frameworks print while they are imported.
"""

import importlib.metadata
import json
import platform
import re
import sys
import traceback
from pathlib import Path
from typing import Any

from arrayapi_unify.backends import REGISTRY

from .errors import NamespaceError
from .namespaces import load, parse
from .provenance import host, provenance
from .standard import STANDARD

# The computing library, most specific first: jax.numpy is JAX, array_api_compat.torch is torch.
_LIBRARIES = sorted(REGISTRY.values(), key=lambda library: library == "numpy")
_WRAPPERS = ("jaxlib", "scipy", "arrayapi_unify", "array_api_compat", "array_api_strict")
# This package itself contains only the names of the backends.
_IN_USE = {"arrayapi_unify": "arrayapi_unify.functional"}
_TOOLS = ("hypothesis", "pytest", "pytest-xdist", "pytest-json-report")


def probe(spec: str) -> dict[str, Any]:
    """Describe the namespace, or give the reason under ``error`` if it can't be measured."""
    try:
        xp = load(spec)
    except NamespaceError as error:
        return {"error": "device", "detail": error.message, "remedy": error.remedy}
    except BaseException as error:  # a native library may even raise SystemExit
        detail = f"{type(error).__name__}: {error}"
        return {"error": "import", "detail": detail, "trace": traceback.format_exc()}
    missing = [name for name in ("asarray", "bool") if not hasattr(xp, name)]
    if missing == ["bool"] and hasattr(xp, "bool_"):
        missing = []  # the suite accepts NumPy's old spelling too
    if missing or not hasattr(xp, "__name__"):
        return {"error": "namespace", "detail": f"it has no {' and no '.join(missing)}"}
    return describe(xp, spec)


def describe(xp: Any, spec: str) -> dict[str, Any]:
    """Versions, dtypes, extensions and device: everything a reader needs to repeat the run."""
    device = _default_device(xp)
    library = _library(parse(spec).name)
    versions = _versions()
    return {
        "version": _version_of(xp, parse(spec).module),
        "claims": _claims(xp),
        "library": provenance(),
        "versions": versions,
        "runtime": f"{library} {versions.get(library, 'unknown')}",
        "dtypes": [name for name in STANDARD.dtypes if hasattr(xp, name)],
        "extensions": [name for name in STANDARD.extensions if hasattr(xp, name)],
        "missing": _missing(xp),
        "not_compiled": _not_compiled(xp),
        "device": device,
        "kind": _kind(device),
        "python": platform.python_version(),
        "platform": host(),
    }


def _claims(xp: Any) -> str | None:
    """The version of the standard that the namespace claims."""
    claimed = getattr(xp, "__array_api_version__", None)
    return claimed if isinstance(claimed, str) else None


def _not_compiled(xp: Any) -> list[str]:
    """Name the functions of a compiled namespace that run eagerly, with the affected calls.

    The shapes of their results depend on values.
    """
    found: dict[str, str] = getattr(xp, "data_dependent", {})
    return [f"{name} ({calls})" for name, calls in sorted(found.items())]


def _missing(xp: Any) -> list[str]:
    """Name the functions of the standard that the namespace lacks; an extension counts as one."""
    found: list[str] = []
    for category, functions in STANDARD.functions.items():
        extension = category in STANDARD.extensions
        holder = getattr(xp, category, None) if extension else xp
        if holder is None:
            found.append(category)
            continue
        lacking = [name for name in functions if not hasattr(holder, name)]
        found += [f"{category}.{name}" if extension else name for name in lacking]
    return found


def _version_of(xp: Any, module: str) -> str:
    # The package first: array_api_compat.numpy passes on the version of NumPy as its own.
    for candidate in (sys.modules.get(module.split(".")[0]), xp):
        version = getattr(candidate, "__version__", None)
        if isinstance(version, str) and version:
            return version
    return "unknown"


def _versions() -> dict[str, str]:
    """Versions of the test tools, and of the imported array libraries."""
    everything = (*_LIBRARIES, *_WRAPPERS)
    loaded = [name for name in everything if _IN_USE.get(name, name) in sys.modules]
    found: dict[str, str] = {}
    for name in (*loaded, *_TOOLS):
        version = getattr(sys.modules.get(name), "__version__", None)
        if not isinstance(version, str):
            try:
                version = importlib.metadata.version(name)
            except importlib.metadata.PackageNotFoundError:
                continue
        found[name] = version
    return found


def _library(name: str) -> str:
    words = re.split(r"[.@]", name)
    named = [library for library in _LIBRARIES if library in words]
    loaded = [library for library in _LIBRARIES if library in sys.modules]
    return [*named, *loaded, words[0]][0]


def _default_device(xp: Any) -> str:
    try:
        return str(xp.__array_namespace_info__().default_device())
    except Exception:  # bare libraries lack the function, or parts of it: use an array instead
        try:
            return str(xp.asarray(1.0).device)
        except Exception:
            return "unknown"


def _kind(device: str) -> str:
    lowered = device.lower()
    if any(word in lowered for word in ("cuda", "gpu", "rocm", "mps")):
        return "gpu"
    return "tpu" if "tpu" in lowered else "cpu"


def main() -> None:
    """Entry point of the probing process."""
    spec, target = sys.argv[1:]
    Path(target).write_text(json.dumps(probe(spec)), encoding="utf-8")


if __name__ == "__main__":
    main()
