"""The packages whose tests run here: their parts, and the selected tests."""

import importlib.metadata
import importlib.util
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import platformdirs

from ..disk import put
from ..errors import ComplianceError

_FETCH_SECONDS = 600


@dataclass(frozen=True)
class Package:
    """A consumer, as it is installed."""

    name: str  # of the distribution
    module: str
    parts: tuple[str, ...]  # measured separately, as folders below the module's own
    select: str  # a pattern of the ids of tests that run with `array_api_strict`
    options: tuple[str, ...] = ()  # for pytest
    environment: Mapping[str, str] = field(default_factory=dict)
    imports: str = ""  # prefix of modules whose functions import the namespace instead of NumPy

    @property
    def version(self) -> str:
        """The version that is installed."""
        try:
            return importlib.metadata.version(self.name)
        except importlib.metadata.PackageNotFoundError:
            remedy = f"Install it with: pip install {self.name}"
            raise ComplianceError(f"{self.name} is not installed.", remedy) from None

    def titles(self) -> list[str]:
        """Return the titles of the parts: `scipy.special`, or `einops` if there is only one."""
        return [self.title(part) for part in self.parts]

    def title(self, part: str) -> str:
        """The name of a part."""
        return f"{self.module}.{part}".rstrip(".").replace("/", ".")


# Fast ones first. Parts without tests for arrays of the standard aren't listed.
SCIPY = Package(
    name="scipy",
    module="scipy",
    parts=(
        "constants", "special", "fft", "cluster", "linalg", "differentiate", "integrate", "_lib",
        "optimize", "interpolate", "spatial", "ndimage", "signal", "stats",
    ),
    select=r"\barray_api_strict\b",
    options=("-m", "array_api_backends"),
    environment={"SCIPY_ARRAY_API": "1"},
)  # fmt: skip
SKLEARN = Package(
    name="scikit-learn",
    module="sklearn",
    parts=(
        "_loss", "decomposition", "linear_model", "metrics", "mixture", "model_selection",
        "preprocessing", "utils", "tests",
    ),
    select=r"array_api_strict",
    environment={"SCIPY_ARRAY_API": "1"},
)  # fmt: skip
# `array_api_strictest` is a mode of that library itself: without extensions and masks.
EXTRA = Package(
    name="array-api-extra",
    module="array_api_extra",
    parts=("",),
    select=r"\barray_api_strict\b",
)
EINOPS = Package(
    name="einops",
    module="einops",
    parts=("",),
    select=r"_array_api\b",
    environment={"EINOPS_TEST_BACKENDS": "numpy"},
    # They treat NumPy itself as a library of the standard.
    imports="einops.tests",
)
PACKAGES = (SCIPY, SKLEARN, EXTRA, EINOPS)


def chosen(names: tuple[str, ...]) -> list[tuple[Package, str]]:
    """The parts of names such as `scipy` or `scipy.special`; all parts without a name."""
    everything = [(package, part) for package in PACKAGES for part in package.parts]
    found = []
    for name in names or tuple(package.name for package in PACKAGES):
        fits = [
            (package, part)
            for package, part in everything
            if name in (package.name, package.module, package.title(part))
        ]
        if not fits:
            known = ", ".join(sorted({package.name for package in PACKAGES}))
            raise ComplianceError(
                f"{name} is no package whose tests are known.",
                f"Known are {known}, and parts of them such as {SCIPY.titles()[1]}.",
            )
        found += [fit for fit in fits if fit not in found]
    return found


def folder(package: Package) -> Path:
    """The folder above the package's own, where its tests are: installed, or fetched."""
    package.version  # noqa: B018  # raises if the package is missing
    spec = importlib.util.find_spec(package.module)
    assert spec is not None, f"{package.name} is installed"
    assert spec.origin is not None, f"{package.name} has files"
    own = Path(spec.origin).parent
    if any(own.rglob("test_*.py")):
        return own.parent
    return fetched(package)


def fetched(package: Package, cache: Path | None = None) -> Path:
    """The source distribution of the installed version, unpacked in the user's cache."""
    root = cache or Path(platformdirs.user_cache_dir("arrayapi_unify"))
    target = root / f"{package.name}-{package.version}"
    if target.exists():
        return target
    try:
        root.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=root, prefix="fetching-") as scratch:
            archive = _download(package, Path(scratch))
            with tarfile.open(archive) as packed:
                # Python before 3.11.4 has no filters.
                packed.extraction_filter = getattr(tarfile, "data_filter", lambda member, _: member)
                packed.extractall(scratch)
            # It contains one folder, which is moved when it is complete.
            (unpacked,) = (path for path in Path(scratch).iterdir() if path.is_dir())
            put(unpacked, target)
    except (OSError, EOFError, ValueError, tarfile.TarError) as error:
        raise _unavailable(package, str(error)) from error
    return target


def _unavailable(package: Package, problem: str) -> ComplianceError:
    return ComplianceError(
        f"The source distribution of {package.name} can't be had: {problem}",
        f"Its wheel has no tests. Install {package.name} from its sources.",
    )


def _download(package: Package, scratch: Path) -> Path:
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps"]
    # A source distribution of this package only: its build dependencies may be wheels.
    command += ["--no-binary", package.name, "--dest", str(scratch)]
    command.append(f"{package.name}=={package.version}")
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=_FETCH_SECONDS, check=False
        )
        archives = list(scratch.glob("*.tar.gz"))
        problem = done.stderr.strip().splitlines()[-1:] or ["pip gave no reason"]
    except subprocess.TimeoutExpired:
        archives, problem = [], ["it took too long"]
    if not archives:
        raise _unavailable(package, problem[0])
    return archives[0]
