"""The measurement of consumers' tests, with a small consumer created here."""

from __future__ import annotations

import json
import os
import tarfile
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from click.testing import CliRunner

from compliance.consumers import command, packages, page, plugin, reasons, runner, store
from compliance.consumers.packages import PACKAGES, Package
from compliance.consumers.plugin import STRICT
from compliance.consumers.reasons import UNEXPLAINED, Reason
from compliance.consumers.runner import Result
from compliance.errors import ComplianceError, Interrupted, NotAReport, RunFailed
from compliance.namespaces import backends
from compliance.redact import Redactor

CONFTEST = """
import pytest
import array_api_strict
xp_known_backends = {"numpy", "array_api_strict"}
array_api_strict.set_array_api_strict_flags(api_version="2024.12")

@pytest.fixture(params=[pytest.param(array_api_strict, id="array_api_strict"), 1])
def xp(request):
    return request.param

@pytest.fixture
def late(xp):
    yield xp
    raise RuntimeError("in the teardown")
"""

TESTS = """
import pytest

def test_name(xp):
    assert xp.__name__ == "{name}"
    assert xp.asarray([1.0]).__array_namespace__().__name__ == "{name}"

def test_known(xp):
    import sys
    found = [m.xp_known_backends for m in sys.modules.values() if "xp_known_backends" in vars(m)]
    assert xp.__name__ in found[0]

@pytest.mark.skip_xp_backends("jax.numpy", reason="its arrays never change")
@pytest.mark.skip_xp_backends(np_only=True, reason="of no library by name")
def test_wrong(xp):
    assert xp.sum(xp.asarray([1.0, 2.0])) == 4.0

def test_only_strict_passes(xp):
    assert hasattr(xp, "set_array_api_strict_flags") and "strict" in xp.__name__

def test_devices(xp):
    info = xp.__array_namespace_info__()
    assert info.dtypes(device=xp.Device("CPU_DEVICE"))
    assert xp.asarray(1, device=xp.Device("device1")).shape == ()

def test_late(late):
    pass

def test_skipped(xp):
    pytest.skip("not today")

@pytest.mark.xfail(reason="they know")
def test_expected(xp):
    assert False

def test_other_library():
    raise AssertionError("runs without array_api_strict, and isn't meant")

def test_imports_array_api_strict_sum():
    import numpy as np
    assert np.__name__ == "{name}"
"""


@pytest.fixture(scope="module")
def consumer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Create the folder in which the consumer is installed."""
    above = tmp_path_factory.mktemp("site")
    tests = above / "fake_consumer" / "tests"
    tests.mkdir(parents=True)
    (above / "fake_consumer" / "__init__.py").write_text("", encoding="utf-8")
    (tests / "conftest.py").write_text(CONFTEST, encoding="utf-8")
    ours = TESTS.format(name="arrayapi_unify.bound.n")
    (tests / "test_fake.py").write_text(ours, encoding="utf-8")
    (tests / "test_broken.py").write_text("import no_such_module_at_all\n", encoding="utf-8")
    metadata = above / "fake_consumer-1.5.dist-info"
    metadata.mkdir()
    text = "Metadata-Version: 2.1\nName: fake-consumer\nVersion: 1.5\n"
    (metadata / "METADATA").write_text(text, encoding="utf-8")
    return above


FAKE = Package(
    name="fake-consumer",
    module="fake_consumer",
    parts=("",),
    select=r"array_api_strict",
    imports="fake_consumer.tests",
)


@pytest.fixture
def installed(consumer: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Install the consumer, here and in subprocesses."""
    monkeypatch.syspath_prepend(str(consumer))
    monkeypatch.setenv("PYTHONPATH", str(consumer))
    return consumer


class TestMeasure:
    @pytest.mark.slow
    def test_our_namespace_takes_the_place(self, installed: Path) -> None:
        result = runner.measure(FAKE, "", "arrayapi_unify.numpy", workers=1)
        failed = {
            test.partition("::")[2].partition("[")[0]: m for test, m in result.failures.items()
        }
        assert set(failed) == {"test_wrong", "test_only_strict_passes", "test_late", ""}
        assert "no_such_module_at_all" in failed[""]
        assert "in the teardown" in failed["test_late"]
        assert failed["test_wrong"].startswith("AssertionError: assert")
        assert str(installed) not in json.dumps(result.failures)
        assert result.counts == {"passed": 4, "failed": 4, "skipped": 1, "expected": 1}
        assert result.skips == {"not today": 1, "they know": 1}
        (wrong,) = (test for test in result.failures if "::test_wrong" in test)
        assert result.left_out == {wrong: {"jax.numpy": "its arrays never change"}}

    @pytest.mark.slow
    def test_the_strict_library_has_another_name(self, installed: Path) -> None:
        result = runner.measure(FAKE, "", STRICT, workers=1)
        failed = {
            test.partition("::")[2].partition("[")[0]: m for test, m in result.failures.items()
        }
        assert set(failed) == {
            "test_name", "test_wrong", "test_late", "", "test_imports_array_api_strict_sum",
        }  # fmt: skip
        assert plugin.DOUBLE in failed["test_name"]

    def test_an_unusable_run_says_why(self, installed: Path) -> None:
        with pytest.raises(RunFailed, match="ended with") as caught:
            runner.measure(FAKE, "", "no_such_namespace", workers=1)
        assert "no_such_namespace" in caught.value.remedy

    def test_the_worst_of_what_was_said_counts(self) -> None:
        lines = [
            {"id": "a", "outcome": "passed", "message": ""},
            {"id": "a", "outcome": "failed", "message": "late"},
            {"id": "b", "outcome": "skipped", "message": "Skipped: why"},
        ]
        result = runner.counted(lines, Redactor())
        assert result.counts == {"passed": 0, "failed": 1, "skipped": 1, "expected": 0}
        assert (result.failures, result.skips) == ({"a": "late"}, {"why": 1})

    def test_variables_of_the_caller_decide_nothing(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("SCIPY_DEVICE", "cuda")
        monkeypatch.setenv("PYTEST_ADDOPTS", "-k nothing")
        monkeypatch.setenv("PYTHONOPTIMIZE", "2")
        found = runner._environment(packages.SCIPY, "arrayapi_unify.torch")
        assert not {"SCIPY_DEVICE", "PYTEST_ADDOPTS", "PYTHONOPTIMIZE"} & found.keys()
        assert (found["SCIPY_ARRAY_API"], found[plugin.NAMESPACE]) == ("1", "arrayapi_unify.torch")


class TestPlugin:
    @pytest.mark.parametrize(
        ("nodeid", "chosen"),
        [
            ("t.py::test_a[array_api_strict-1]", True),
            ("t.py::test_a[1-array_api_strict]", True),
            ("t.py::test_a[array_api_strictest]", False),
            ("array_api_strict/t.py::test_a[torch]", False),
        ],
    )
    def test_selects_by_name_and_parameters(self, nodeid: str, chosen: bool) -> None:
        assert plugin.selected(nodeid, packages.SCIPY.select) is chosen

    def test_names_what_went_wrong(self) -> None:
        assert (
            plugin.last("file:1\nE   TypeError: this\nE   and that\n")
            == "TypeError: this\nand that"
        )
        assert plugin.last("only this") == "only this"


class TestPackages:
    def test_names_and_parts(self) -> None:
        assert [(p.name, part) for p, part in packages.chosen(("scipy.special", "einops"))] == [
            ("scipy", "special"), ("einops", ""),
        ]  # fmt: skip
        everything = packages.chosen(())
        assert [p.name for p, _ in everything].count("scipy") == len(packages.SCIPY.parts)
        assert packages.chosen(("sklearn", "scikit-learn")) == packages.chosen(("sklearn",))

    def test_an_unknown_one_is_refused(self) -> None:
        with pytest.raises(ComplianceError, match="nobody is no package") as caught:
            packages.chosen(("nobody",))
        assert "scipy.special" in caught.value.remedy

    def test_a_missing_one_is_named(self) -> None:
        with pytest.raises(ComplianceError, match="not-there is not installed") as caught:
            packages.folder(Package("not-there", "not_there", ("",), ""))
        assert "pip install not-there" in caught.value.remedy

    def test_installed_tests_are_taken(self, installed: Path) -> None:
        assert packages.folder(FAKE) == installed

    def test_source_distribution(
        self, installed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Tests missing from the wheel are downloaded as a source distribution, and cached."""
        source = tmp_path / "fake_consumer-1.5"
        (source / "tests").mkdir(parents=True)
        (source / "tests" / "test_one.py").write_text("", encoding="utf-8")
        text = '[project]\nname = "fake-consumer"\nversion = "1.5"\n'
        text += "[tool.setuptools]\npackages = []\n"
        (source / "pyproject.toml").write_text(text, encoding="utf-8")
        index = tmp_path / "index"
        index.mkdir()
        with tarfile.open(index / "fake_consumer-1.5.tar.gz", "w:gz") as packed:
            packed.add(source, source.name)
        for name, value in (
            ("NO_INDEX", "1"),
            ("FIND_LINKS", str(index)),
            ("NO_BUILD_ISOLATION", "0"),
        ):
            monkeypatch.setenv(f"PIP_{name}", value)
        cache = tmp_path / "cache"
        found = packages.fetched(FAKE, cache)
        assert (found / "tests" / "test_one.py").exists()
        (index / "fake_consumer-1.5.tar.gz").unlink()
        assert packages.fetched(FAKE, cache) == found
        assert [path.name for path in cache.iterdir()] == [found.name]

    @pytest.mark.parametrize("content", [b"", b"no archive", b"\x1f\x8b\x08\x00half"])
    def test_an_archive_that_is_none(
        self, installed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: bytes
    ) -> None:
        def download(package: Package, scratch: Path) -> Path:
            (scratch / "fake.tar.gz").write_bytes(content)
            return scratch / "fake.tar.gz"

        monkeypatch.setattr(packages, "_download", download)
        with pytest.raises(ComplianceError, match="fake-consumer can't be had"):
            packages.fetched(FAKE, tmp_path / "cache")
        assert list((tmp_path / "cache").iterdir()) == []
        (tmp_path / "file").touch()
        with pytest.raises(ComplianceError, match="fake-consumer can't be had"):
            packages.fetched(FAKE, tmp_path / "file" / "cache")

    def test_what_cant_be_fetched(
        self, installed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("PIP_NO_INDEX", "1")
        monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path))
        with pytest.raises(ComplianceError, match="fake-consumer can't be had"):
            packages.fetched(FAKE, tmp_path / "cache")
        assert list((tmp_path / "cache").iterdir()) == []


class TestReasons:
    REASON = Reason("scipy", ("torch",), r"test_a\b", "^TypeError", "because")

    @pytest.mark.parametrize(
        ("given", "told"),
        [
            (("scipy", "torch", "x.py::test_a[1]", "TypeError: no"), "because"),
            (("scipy", "torch", "x.py::test_a[1]", "ValueError: no"), UNEXPLAINED),
            (("scipy", "torch", "x.py::test_ab", "TypeError: no"), UNEXPLAINED),
            (("scipy", "numpy", "x.py::test_a[1]", "TypeError: no"), UNEXPLAINED),
            (("einops", "torch", "x.py::test_a[1]", "TypeError: no"), UNEXPLAINED),
        ],
    )
    def test_explain_what_they_name(self, given: tuple[str, str, str, str], told: str) -> None:
        assert reasons.cause([self.REASON], *given) == told

    def test_the_table_is_whole(self) -> None:
        for reason in reasons.load():
            assert reason.package in {package.name for package in PACKAGES}
            assert set(reason.backends) <= set(backends())
            assert reason.cause.endswith(".")

    def test_half_an_entry_is_refused(self, tmp_path: Path) -> None:
        path = tmp_path / "reasons.json"
        path.write_text('[{"package": "scipy"}]', encoding="utf-8")
        with pytest.raises(ComplianceError, match="each entry has backends, cause"):
            reasons.load(path)


def measured(backend: str, *failed: str, passed: int = 5, part: str = "scipy.special") -> Any:
    """Create a result of one part."""
    return {
        "package": "scipy", "version": "1.0", "part": part, "backend": backend, "library": "l 1",
        "timestamp": "2026-01-02T00:00:00+00:00", "commit": None, "sources": "0" * 64,
        "counts": {"passed": passed, "failed": len(failed), "skipped": 2, "expected": 1},
        "skips": {"slow": 2, "known": 1},
        "failures": [{"test": test, "message": "TypeError: no"} for test in failed],
    }  # fmt: skip


class TestStore:
    def test_newer_results_replace_older_ones(self) -> None:
        old, other = measured("numpy", "a"), measured("torch", "a")
        new = measured("numpy", "b")
        found = store.merged([old, other], [new])
        assert [f["failures"][0]["test"] for f in found] == ["b", "a"]

    def test_what_the_strict_library_shares_is_told_apart(self) -> None:
        results = [measured(STRICT, "a"), measured("torch", "a", "test_a", "c")]
        _, found = store.explained(results, [TestReasons.REASON])
        told = [(f["test"], f.get("shared"), f.get("cause")) for f in found["failures"]]
        assert told == [("a", True, None), ("test_a", None, "because"), ("c", None, UNEXPLAINED)]

    def test_another_failure_of_the_same_test_is_not_shared(self) -> None:
        strict, ours = measured(STRICT, "a", "b"), measured("torch", "a", "b")
        strict["failures"][0]["message"] = "AttributeError: 'Array' has no x\nat there.py:1"
        ours["failures"][0]["message"] = "AttributeError: 'TorchArray' has no x\nat here.py:2"
        ours["failures"][1]["message"] = "TypeError: something else"
        _, found = store.explained([strict, ours], [])
        told = [(f["test"], f.get("shared"), f.get("cause")) for f in found["failures"]]
        assert told == [("a", True, None), ("b", None, UNEXPLAINED)]

    def test_a_changed_table_explains_again(self) -> None:
        results = store.explained([measured("torch", "test_a")], [])
        assert page.unexplained(results)
        assert not page.unexplained(store.explained(results, [TestReasons.REASON]))

    def test_the_libraries_with_which_a_test_is_left_out_are_kept(self) -> None:
        counts = dict.fromkeys(("passed", "skipped", "expected"), 0) | {"failed": 2}
        result = Result(counts, {"a": "no", "b": "no"}, {}, {"b": {"jax.numpy": "why"}})
        new = store.entry(packages.SCIPY, "special", "jax", "jax 1", result)
        (found,) = store.explained([new], [])
        assert [f.get(store.LEFT_OUT) for f in found["failures"]] == [None, {"jax.numpy": "why"}]

    def test_a_failure_without_a_word(self) -> None:
        """`assert False, ""` and an empty exception say nothing."""
        ours = measured("torch", "a")
        ours["failures"][0]["message"] = ""
        (found,) = store.explained([ours], [])
        (failure,) = found["failures"]
        assert (failure["test"], failure["message"]) == ("a", "")

    def test_files(self, tmp_path: Path) -> None:
        assert store.load(tmp_path) == []
        results = [measured("numpy", "a")]
        store.save(tmp_path, results, "# page\n")
        assert store.load(tmp_path) == results
        assert (tmp_path / store.PAGE).read_text(encoding="utf-8") == "# page\n"
        for text in ("{", "[]", '{"schema": "another"}'):
            (tmp_path / store.JSON).write_text(text, encoding="utf-8")
            with pytest.raises(NotAReport):
                store.load(tmp_path)


class TestPage:
    def results(self) -> Any:
        strict, ours = (
            measured(STRICT, "t.py::a[1]"),
            measured("torch", "t.py::a[1]", "t.py::test_a"),
        )
        more = measured("torch", "t.py::c[1]", "t.py::c[2]", part="scipy.fft", passed=1200)
        return store.explained([strict, ours, more], [TestReasons.REASON])

    def test_counts(self) -> None:
        lines = page.render(self.results()).splitlines()
        head = lines.index("| package | " + " | ".join(backends()) + " |")
        cells = dict(zip(backends(), lines[head + 2].split(" | ")[1:], strict=True))
        assert cells["torch"] == "1,205 passed, 3 failed, 1 shared"
        assert cells["numpy"] == page._NOTHING
        (fft,) = (line for line in lines if line.startswith("| `scipy.fft`"))
        assert "1,200 passed, 2 failed |" in fft

    def test_causes_and_tests(self) -> None:
        text = page.render(self.results())
        assert "**1: because**" in text
        assert f"**2: {UNEXPLAINED}**" in text
        assert "- `t.py::c`, 2 times" in text
        assert "**1 on torch**" in text

    def test_share_of_what_numpy_passes(self) -> None:
        results = [measured("numpy", passed=400), measured("torch", "a", "b", passed=398)]
        # There is no ratio for a part without a result on NumPy.
        results.append(measured("torch", "c", part="scipy.fft"))
        text = page.render(store.explained(results, []))
        assert "in the same parts: numpy 0.00%, torch 0.50%." in text
        assert "| all | 400 passed, 0 failed | 403 passed, 3 failed |" in text

    def test_tests_that_the_package_leaves_out_itself(self) -> None:
        ours = measured("jax", "a", "b", "c", passed=397)
        for failure, library in zip(
            ours["failures"], ("jax.numpy", "jax.numpy", "dask"), strict=True
        ):
            failure[store.LEFT_OUT] = {library: "never changes"}
        text = page.render(store.explained([measured("numpy", passed=400), ours], []))
        assert "in the same parts: numpy 0.00%, jax 0.75%." in text
        assert "leaves out with `jax.numpy` itself: numpy 0.00%, jax 0.25%." in text
        assert "leaves out 2 of them with `jax.numpy`: *never changes*." in text
        assert "leaves out 1 of them with `dask`: *never changes*." in text

    def test_nothing_failed(self) -> None:
        text = page.render([measured("torch")])
        assert text.count("None.") == 2
        assert page._NOTHING in text

    def test_the_unexplained(self) -> None:
        found = page.unexplained(self.results())
        assert [(b, f["test"]) for b, f in found] == [
            ("torch", "t.py::c[1]"),
            ("torch", "t.py::c[2]"),
        ]


class TestCommand:
    @pytest.fixture
    def run(self, installed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
        for module in (packages, page):
            monkeypatch.setattr(module, "PACKAGES", (FAKE,))
        asked = []

        def measure(package: Package, part: str, namespace: str, workers: int) -> Result:
            asked.append(namespace)
            counts = {"passed": 1, "failed": 1, "skipped": 0, "expected": 0}
            return Result(counts, {"t.py::one": "boom"}, {})

        monkeypatch.setattr(runner, "measure", measure)

        def invoke(*words: str) -> tuple[int, str, list[str]]:
            asked.clear()
            done = CliRunner().invoke(command.consumers, [*words, "--output", str(tmp_path)])
            return done.exit_code, done.output, list(asked)

        return invoke

    def test_measures_the_strict_library_once(self, run: Any, tmp_path: Path) -> None:
        code, output, asked = run("--backend", "numpy")
        assert (code, asked) == (0, [STRICT, "arrayapi_unify.numpy"])
        assert "fake_consumer on numpy: 1 passed, 0 failed, 1 shared" in output
        assert run("--backend", "numpy")[2] == ["arrayapi_unify.numpy"]
        assert "fake_consumer" in (tmp_path / store.PAGE).read_text(encoding="utf-8")

    def test_a_failure_without_a_cause(
        self, run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        store.save(tmp_path, [], "")
        monkeypatch.setattr(command, "_before", lambda *given: [])
        code, output, asked = run("--backend", "numpy")
        assert (code, asked) == (1, ["arrayapi_unify.numpy"])
        assert "unexplained on numpy: t.py::one" in output
        reason = Reason("fake-consumer", ("numpy",), "one", "boom", "known")
        monkeypatch.setattr(reasons, "load", lambda: [reason])
        assert run("--backend", "numpy")[0] == 0

    def test_keeps_what_another_run_writes_meanwhile(
        self, run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        measure = runner.measure

        def interrupted(*given: Any) -> Result:
            other = measured("torch", "other")
            store.save(tmp_path, store.merged(store.load(tmp_path), [other]), "")
            return measure(*given)

        monkeypatch.setattr(runner, "measure", interrupted)
        run("--backend", "numpy")
        assert {r["backend"] for r in store.load(tmp_path)} == {STRICT, "numpy", "torch"}

    def test_other_runs_wait_from_reading_to_writing(
        self, run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Two runs into one folder kept 45 of 80 results."""
        fcntl = pytest.importorskip("fcntl")
        seen = []

        def watched(done: Any) -> Any:
            def call(*given: Any) -> Any:
                handle = os.open(tmp_path, os.O_RDONLY)
                try:
                    fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except BlockingIOError:
                    seen.append(done.__name__)
                finally:
                    os.close(handle)
                return done(*given)

            return call

        for name in ("load", "save"):
            monkeypatch.setattr(store, name, watched(getattr(store, name)))
        run("--backend", "numpy")
        assert seen == ["load", "save"] * 2

    def test_an_interrupted_run_says_what_it_keeps(
        self, run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        measure = runner.measure

        def stopped(package: Package, part: str, namespace: str, workers: int) -> Result:
            if namespace == "arrayapi_unify.torch":
                raise Interrupted("Interrupted.")
            return measure(package, part, namespace, workers)

        monkeypatch.setattr(runner, "measure", stopped)
        code, output, _ = run("--backend", "torch", "--backend", "numpy")
        assert code == 130
        assert f"{tmp_path / store.PAGE} has what was finished: fake_consumer on " in output
        assert {r["backend"] for r in store.load(tmp_path)} == {STRICT}
        (tmp_path / store.JSON).unlink()
        monkeypatch.setattr(command, "_before", lambda *given: [])
        assert "Nothing was measured. No report was changed." in run("--backend", "torch")[1]
        assert not (tmp_path / store.JSON).exists()

    def test_all_backends_by_default(self, run: Any) -> None:
        assert run("fake-consumer")[2] == [STRICT, *(f"arrayapi_unify.{b}" for b in backends())]

    @pytest.mark.parametrize("words", [("nobody",), ("--backend", "nobody")])
    def test_wrong_names(self, run: Any, words: tuple[str, ...], tmp_path: Path) -> None:
        code, output, asked = run(*words)
        assert (code, asked) == (2, [])
        assert "nobody is no" in output
        assert not (tmp_path / store.JSON).exists()


def test_a_namespace_keeps_its_own_info(xp: ModuleType) -> None:
    info = plugin._Info(xp.__array_namespace_info__(), xp.zeros(1).device)
    genuine = xp.__array_namespace_info__()
    assert info.dtypes(device="CPU_DEVICE", kind="bool") == genuine.dtypes(kind="bool")
    assert info.default_dtypes(device="device1") == genuine.default_dtypes()
    assert info.devices() == list(genuine.devices())
