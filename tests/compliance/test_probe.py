"""The probe, which describes a namespace before it is measured."""

import importlib
import json
import subprocess
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

from compliance import probe as probing
from compliance.probe import main, probe


def test_describe(tmp_path: Path) -> None:
    # In its own process, as in a run: other tests may have imported other libraries.
    target = tmp_path / "probe.json"
    command = [sys.executable, "-m", "compliance.probe", "array_api_strict", str(target)]
    subprocess.run(command, check=True, cwd=Path(__file__).parents[2])
    found = json.loads(target.read_text(encoding="utf-8"))
    assert found["extensions"] == ["linalg", "fft"]
    assert found["missing"] == []
    assert "complex128" in found["dtypes"]
    assert found["kind"] == "cpu"
    assert found["runtime"].startswith("numpy ")
    assert {"numpy", "array_api_strict", "hypothesis", "pytest"} <= found["versions"].keys()


@pytest.mark.parametrize(
    ("spec", "kind"), [("nothing_of_that_name", "import"), ("math", "namespace")]
)
def test_unusable(spec: str, kind: str) -> None:
    assert probe(spec)["error"] == kind


def test_written_to_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "probe.json"
    monkeypatch.setattr(sys, "argv", ["probe", "array_api_strict", str(target)])
    main()
    assert json.loads(target.read_text(encoding="utf-8"))["python"]


def test_version_is_that_of_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    package = SimpleNamespace(__version__="1.16", __spec__=None, __path__=[])
    inner = SimpleNamespace(__name__="a.b", __version__="2.4", asarray=list, bool=bool)
    monkeypatch.setitem(sys.modules, "wrapping_sample", package)
    monkeypatch.setitem(sys.modules, "wrapping_sample.numpy", inner)
    assert probe("wrapping_sample.numpy")["version"] == "1.16"


def test_says_what_a_namespace_lacks() -> None:
    """For a partial backend, and for any other namespace."""
    whole = importlib.import_module("numpy")
    part = ModuleType("part")
    vars(part).update(vars(whole))
    for name in ("sin", "fft", "__getattr__"):
        vars(part).pop(name, None)
    part.linalg = ModuleType("linalg")  # type: ignore[attr-defined]  # made by hand
    vars(part.linalg).update({k: v for k, v in vars(whole.linalg).items() if k != "svd"})
    gone = set(probing._missing(part)) - set(probing._missing(whole))
    assert gone == {"sin", "linalg.svd", "fft"}
