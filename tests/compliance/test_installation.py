"""The built wheel contains the runner, which measures any namespace from any folder."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

from tests.compliance.conftest import REPOSITORY, Workplace

RUNNER = "arrayapi_compliance"
SOURCES = ("arrayapi_unify", "compliance", "pyproject.toml", "setup.py", "README.md", "LICENSE")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build an sdist of a copy, and a wheel from the sdist."""
    copy = tmp_path_factory.mktemp("sources")
    for name in SOURCES:
        source = REPOSITORY / name
        if source.is_dir():
            ignored = shutil.ignore_patterns("__pycache__")
            shutil.copytree(source, copy / name, ignore=ignored)
        else:
            shutil.copy(source, copy / name)
    made = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(made), str(copy)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "absent from the `packages`" not in done.stdout + done.stderr
    return made


@pytest.fixture(scope="module")
def fresh(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install the wheel into an environment with its dependencies, and without our sources."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, with_pip=False)
    scripts, (site,) = folder / "bin", folder.glob("lib/python*/site-packages")
    (wheel,) = built.glob("*.whl")
    command = [sys.executable, "-m", "pip", "--python", str(scripts / "python"), "install"]
    done = subprocess.run(
        [*command, "--quiet", "--no-deps", "--no-index", "--ignore-installed", str(wheel)],
        cwd=folder,
        env=_without_sources(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    (site / "dependencies.pth").write_text(sysconfig.get_path("purelib"), encoding="utf-8")
    return scripts


def _without_sources() -> dict[str, str]:
    """The environment of a user, without our sources on the path."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}


@pytest.mark.slow
class TestWheel:
    @pytest.mark.slow
    def test_holds_both_packages_and_their_data(self, built: Path) -> None:
        (wheel,) = built.glob("*.whl")
        names = set(zipfile.ZipFile(wheel).namelist())
        for source, package in (("arrayapi_unify", "arrayapi_unify"), ("compliance", RUNNER)):
            folder = REPOSITORY / source
            files = [path for path in folder.rglob("*") if path.is_file()]
            kept = [path for path in files if "__pycache__" not in path.parts]
            wanted = {f"{package}/{path.relative_to(folder).as_posix()}" for path in kept}
            assert {name for name in names if name.startswith(f"{package}/")} == wanted

    def test_has_no_other_package(self, built: Path) -> None:
        (wheel,) = built.glob("*.whl")
        tops = {name.partition("/")[0] for name in zipfile.ZipFile(wheel).namelist()}
        assert {top for top in tops if not top.endswith(".dist-info")} == {"arrayapi_unify", RUNNER}


@pytest.mark.slow
class TestCommand:
    def run(self, scripts: Path, place: Workplace, *arguments: str) -> str:
        """Run the command in the folder of a user's own namespace; return its output."""
        done = subprocess.run(
            [str(scripts / "arrayapi-compliance"), *arguments],
            cwd=place.folder,
            env=_without_sources() | {"ARRAY_API_TESTS_DIR": str(place.suite)},
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        assert done.returncode in (0, 1), done.stdout + done.stderr
        return done.stdout

    def test_measures_a_namespace_of_the_users_own(self, fresh: Path, workplace: Workplace) -> None:
        printed = self.run(fresh, workplace, "run", "fakens", "--workers", "0")
        assert "report: reports/fakens.json" in printed
        report = json.loads((workplace.folder / "reports" / "fakens.json").read_text("utf-8"))
        assert report["data"]["summary"]["passed"] > 0
        side = (workplace.folder / "reports" / "fakens.meta.json").read_text("utf-8")
        assert "arrayapi-compliance run fakens" in side

    @pytest.mark.parametrize("spec", ["numpy", "arrayapi_unify@numpy"])
    def test_measures_both_namespaces_as_installed(
        self, fresh: Path, workplace: Workplace, spec: str
    ) -> None:
        printed = self.run(fresh, workplace, "run", spec, "--workers", "0")
        assert "report: reports/" in printed

    def test_says_what_to_install_where_the_extra_lacks(self, fresh: Path, tmp_path: Path) -> None:
        done = subprocess.run(
            [str(fresh / "python"), "-S", "-m", RUNNER, "--help"],
            cwd=tmp_path,
            env={"PYTHONPATH": str(next(fresh.parent.glob("lib/python*/site-packages")))},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 1
        assert "pip install 'arrayapi_unify[compliance]'" in done.stderr
        assert "pip install '.[compliance]'" in done.stderr

    def test_what_it_says_needs_no_index_where_the_package_is_installed(self, fresh: Path) -> None:
        """As long as the package isn't published, pip takes the installed one and its extra."""
        command = [sys.executable, "-m", "pip", "--python", str(fresh / "python"), "install"]
        done = subprocess.run(
            [*command, "--no-index", "arrayapi_unify[compliance]"],
            cwd=fresh,
            env=_without_sources(),
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        assert "Requirement already satisfied: arrayapi_unify[compliance]" in done.stdout
