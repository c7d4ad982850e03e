"""Libraries that are measured, and which of their versions: the last one of each minor version."""

import re
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass

from ..errors import ComplianceError

_LISTED = re.compile(r"^Available versions: (.+)$", re.MULTILINE)
_RELEASE = re.compile(r"\d+(\.\d+)+")
_SECONDS = 120


@dataclass(frozen=True)
class Library:
    """A namespace, and the package whose versions are compared."""

    name: str  # the column
    package: str
    namespace: str  # as `compliance run` takes it
    since: str  # the first minor version of the last years
    beside: tuple[str, ...] = ()  # what it needs to run, other than what it requires itself
    every: int = 1  # every how many minor versions, from the newest one back

    def requirement(self, version: str) -> str:
        """Return the requirement of a version, for pip."""
        return f"{self.package}=={version}"


LIBRARIES = (
    Library("numpy", "numpy", "bare:numpy", "1.26"),
    Library("torch", "torch", "bare:torch", "2.4", ("numpy",)),
    Library("tensorflow", "tensorflow-cpu", "tensorflow.experimental.numpy", "2.18"),
    Library("jax", "jax", "jax.numpy", "0.4.30", ("jaxlib=={version}",)),
    Library("array-api-strict", "array-api-strict", "array_api_strict", "2.0"),
    Library(
        "array-api-compat, numpy", "array-api-compat", "array_api_compat.numpy", "1.9", ("numpy",)
    ),
    Library(
        "array-api-compat, torch", "array-api-compat", "array_api_compat.torch", "1.9",
        ("torch", "numpy"),
    ),
    Library("dask", "dask[array]", "dask.array", "2024.8", every=4),
    Library(
        "array-api-compat, dask", "array-api-compat", "array_api_compat.dask.array", "1.9",
        ("dask[array]",),
    ),
    Library("ndonnx", "ndonnx", "ndonnx", "0.9", ("onnxruntime",)),
    Library("sparse", "sparse", "sparse", "0.15"),
    Library("cubed", "cubed", "cubed.array_api", "0.18"),
    Library("arrayapi_unify, numpy", "numpy", "numpy", "2.2.5", ("ml_dtypes",)),
    Library("arrayapi_unify, torch", "torch", "torch", "2.13", ("numpy>=2.2.5",)),
    Library(
        "arrayapi_unify, tensorflow", "tensorflow-cpu", "tensorflow", "2.21", ("numpy>=2.2.5",)
    ),
    Library("arrayapi_unify, jax", "jax", "jax", "0.4.36", ("jaxlib=={version}", "numpy>=2.2.5")),
    Library("arrayapi_unify, dask", "dask[array]", "dask", "2025.3", ("numpy>=2.2.5",), every=4),
)  # fmt: skip


def number(version: str) -> tuple[int, ...]:
    """Return a version's numbers, to compare it by."""
    return tuple(map(int, version.split(".")))


def minors(versions: Sequence[str], since: str, every: int = 1) -> list[str]:
    """Select the last version of each minor one, newest first; no previews."""
    newest: dict[tuple[int, ...], str] = {}
    for version in sorted(filter(_RELEASE.fullmatch, versions), key=number):
        if number(version) >= number(since):
            newest[number(version)[:2]] = version
    return [newest[minor] for minor in sorted(newest, reverse=True)][::every]


def available(package: str) -> list[str]:
    """Return the versions of a package that pip installs for this Python."""
    name = package.partition("[")[0]
    command = [sys.executable, "-m", "pip", "index", "versions", name]
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=_SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        raise ComplianceError(f"pip lists no versions of {name} in {_SECONDS} s.") from None
    listed = _LISTED.search(done.stdout)
    if listed is None:
        problem = (done.stderr.strip().splitlines() or ["pip gave no reason"])[-1]
        raise ComplianceError(f"pip lists no versions of {name}: {problem}")
    return listed[1].split(", ")


def selected(text: str) -> tuple[list[Library], str]:
    """Return the libraries of `numpy` or `numpy==2.1.3`, and the version, if one is given."""
    name, _, version = text.partition("==")
    found = [library for library in LIBRARIES if name in (library.name, library.package)]
    exact = [library for library in LIBRARIES if library.name == name]
    if not found:
        names = ", ".join(repr(library.name) for library in LIBRARIES)
        raise ComplianceError(f"{name!r} is no library of the matrix.", f"Known are {names}.")
    if version and not _RELEASE.fullmatch(version):
        raise ComplianceError(f"{version!r} is no released version.", "Give one such as 2.1.3.")
    return exact or found, version
