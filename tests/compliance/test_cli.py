"""Whole runs through the command line, with a tiny suite."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from compliance import badge, cli, consumers, runner, store, view
from compliance.provenance import digest
from compliance.results import validate
from tests.compliance.conftest import REPOSITORY

SLOW = """
import os
import time
import pytest

with open("../processes", "a") as stream:
    stream.write(f"{os.getpid()} ")

@pytest.mark.parametrize("i", range(4))
def test_slow(i):
    time.sleep(0 if i == 0 else 60)
"""
CRASHING = """
import os

def test_add(): pass
def test_crash(): os._exit(3)
"""
# Endless loops. No alarm interrupts the last one, which never returns to Python.
HANGING = {
    "python": """
    while True: pass
""",
    "masked": """
    try:
        while True: pass
    except BaseException as error:
        raise ValueError("other") from error
""",
    "swallowed": """
    try:
        while True: pass
    except BaseException:
        pass
""",
    "native": """
    import collections, itertools
    collections.deque(itertools.repeat(0), maxlen=0)
""",
}
FAILING = """
from hypothesis import given, strategies as st

@given(st.integers())
def test_subtract(x):
    assert x < 17, f"out=<script>alert({x})</script>, but should be 16 [subtract({x})]"
"""


@pytest.fixture
def reported(workplace: Any, measured: Any) -> bytes:
    """An existing report, which an unusable run may not change."""
    shutil.copytree(measured.output, workplace.output)
    return bytes(workplace.report_path.read_bytes())


class TestRun:
    """`run`, to its end."""

    @pytest.mark.slow
    def test_quick(self, workplace: Any) -> None:
        """Few examples, none of which is made smaller; `--max-examples` still counts."""
        workplace.write_tests(
            "from hypothesis import Phase, settings\n"
            "def test_phases():\n    assert Phase.shrink not in settings().phases\n"
            "    assert Phase.generate in settings().phases\n"
        )
        assert workplace.measure().returncode == 1
        for more, examples in (([], 10), (["--max-examples", "3"], 3)):
            done = workplace.measure("--quick", *more)
            assert done.returncode == 0, done.stderr
            assert workplace.report()["data"]["summary"]["max_examples"] == examples
            meta = json.loads((workplace.output / "fakens.meta.json").read_text("utf-8"))
            assert meta["settings"]["quick"]
            assert "--quick" in meta["command"]

    def test_all_passed(self, workplace: Any) -> None:
        done = workplace.measure("--seed", "7", "--max-examples", "5")
        assert done.returncode == 0, done.stderr
        report = workplace.report()
        validate(report)
        summary = report["data"]["summary"]
        assert (report["name"], report["version"]) == ("fakens", "1.2.3")
        assert (summary["passed"], summary["total"], summary["official"]) == (1, 1, 1)
        assert (summary["seed"], summary["max_examples"]) == (7, 5)
        assert report["data"]["tests"][0]["category"] == "elementwise"
        assert "1 passed" in done.stdout
        assert "pinned to" in done.stderr  # the stand-in is at another commit
        meta = json.loads((workplace.output / "fakens.meta.json").read_text(encoding="utf-8"))
        assert meta["official_suite"]["status"] == "run"
        assert meta["official_suite"]["commit"] == report["test_suite"]
        assert meta["dtypes"] == ["bool", "float32"]
        assert meta["library"]["sources"] == digest(REPOSITORY / "arrayapi_unify")

    @pytest.mark.slow
    def test_failure_is_reported_and_escaped(self, workplace: Any) -> None:
        workplace.write_tests(FAILING)
        done = workplace.measure("--workers", "2")
        assert done.returncode == 1, done.stderr
        (test,) = workplace.report()["data"]["tests"]
        assert test["expected"] == "16"
        assert test["got"] == "out=<script>alert(17)</script>"
        assert "x=17" in test["falsifying_example"]
        assert test["function"] == "subtract"
        assert "--node" in test["reproduce"]
        page = (workplace.output / "index.html").read_text(encoding="utf-8")
        assert "<script" not in page
        assert "&lt;script&gt;alert(17)" in page
        assert (workplace.output / "README.md").exists()

    @pytest.mark.slow
    def test_no_machine_path_in_report(self, workplace: Any) -> None:
        workplace.write_tests("def test_add(tmp_path):\n    assert str(tmp_path) == __file__\n")
        assert workplace.measure().returncode == 1
        written = [path for path in workplace.output.rglob("*") if path.is_file()]
        assert len(written) > 3
        for path in written:
            text = path.read_text(encoding="utf-8")
            assert str(workplace.folder) not in text
            assert os.getcwd() not in text

    @pytest.mark.slow
    def test_node_alone_reproduces(self, workplace: Any) -> None:
        workplace.write_tests(FAILING + "\n\ndef test_add():\n    pass\n")
        workplace.measure()
        test = workplace.report()["data"]["tests"][1]
        done = workplace.measure("--node", test["nodeid"])
        assert done.returncode == 1
        alone = json.loads(
            (workplace.output / "partial" / "fakens.json").read_text(encoding="utf-8")
        )
        (again,) = alone["data"]["tests"]
        assert again["falsifying_example"] == test["falsifying_example"]
        assert alone["data"]["summary"]["partial"] == 1

    @pytest.mark.slow
    def test_environment_can_not_change_the_outcome(self, workplace: Any) -> None:
        name = "ARRAY_API_TESTS_SKIP_DTYPES"
        workplace.write_tests(
            f"import os\n\ndef test_add():\n    assert '{name}' not in os.environ\n"
        )
        done = workplace.measure(
            PYTEST_ADDOPTS="--nope", ARRAY_API_TESTS_SKIP_DTYPES="int8", PYTHONWARNINGS="error"
        )
        assert done.returncode == 0, done.stderr

    @pytest.mark.slow
    def test_assertions_can_not_be_switched_off(self, workplace: Any) -> None:
        workplace.write_tests("def test_add():\n    assert 1 == 2\n")
        assert workplace.measure(PYTHONOPTIMIZE="1").returncode == 1

    @pytest.mark.slow
    def test_change_since_previous(self, workplace: Any, reported: bytes) -> None:
        workplace.write_tests("def test_add():\n    assert 1 == 2\n")
        done = workplace.measure()
        assert "1 newly failing" in done.stdout
        meta = json.loads((workplace.output / "fakens.meta.json").read_text(encoding="utf-8"))
        assert meta["change"]["newly_failing"] == ["array_api_tests/test_things.py::test_add"]
        assert meta["change"]["previous_summary"]["passed"] == 1

    @pytest.mark.slow
    @pytest.mark.parametrize("workers", ["0", "2"])
    def test_a_file_that_can_not_be_collected_fails(self, workplace: Any, workers: str) -> None:
        workplace.write_tests("def test_add():\n    pass\n")
        broken = workplace.suite / "array_api_tests" / "test_inspection_functions.py"
        broken.write_text("import fakens\n\nfakens.nothing_of_that_name\n", encoding="utf-8")
        done = workplace.measure("--workers", workers)
        assert done.returncode == 1, done.stderr
        passed, failed = sorted(
            workplace.report()["data"]["tests"], key=lambda test: str(test["outcome"]), reverse=True
        )
        assert passed["nodeid"].endswith("::test_add")
        assert failed["nodeid"] == "array_api_tests/test_inspection_functions.py"
        assert (failed["category"], failed["function"]) == ("inspection", "the whole file")
        assert "could not be collected" in failed["message"]
        assert "nothing_of_that_name" in failed["message"]
        assert "--node" not in failed["reproduce"]
        assert workplace.report()["data"]["summary"]["total"] == 2


# The beginnings of namespaces whose import does something.
PRINTING = """
import os
import sys

print("to Python's output")
os.write(1, b"to the process's output")
print("an error", file=sys.stderr)
"""
NEEDY = """
import os

if os.environ["FAKENS_LICENCE"] != "a = b":
    raise RuntimeError("there is no licence")
"""


@pytest.mark.slow
class TestImport:
    """Namespaces whose import does something."""

    def write(self, workplace: Any, source: str) -> None:
        """Put a source before the namespace's own."""
        path = workplace.folder / "fakens.py"
        path.write_text(source + path.read_text("utf-8"), encoding="utf-8")

    @pytest.mark.parametrize("workers", ["0", "2"])
    def test_prints(self, workplace: Any, workers: str) -> None:
        self.write(workplace, PRINTING)
        done = workplace.measure("--workers", workers)
        assert done.returncode == 0, done.stderr

    def test_needs_a_variable(self, workplace: Any) -> None:
        """It comes from the environment, or from the option, and then the report has it."""
        self.write(workplace, NEEDY)
        assert workplace.measure(FAKENS_LICENCE="a = b").returncode == 0
        done = workplace.measure("--env", "FAKENS_LICENCE=a = b")
        assert done.returncode == 0, done.stderr
        meta = json.loads((workplace.output / "fakens.meta.json").read_text("utf-8"))
        assert meta["environment"]["FAKENS_LICENCE"] == "a = b"
        assert "--env 'FAKENS_LICENCE=a = b'" in meta["command"]
        for wrong in ("FAKENS_LICENCE", "=x", "PYTEST_ADDOPTS=-x"):
            done = workplace.measure("--env", wrong)
            assert done.returncode == 2
            assert "no NAME=VALUE" in done.stderr

    @pytest.mark.parametrize(
        ("source", "said"),
        [
            (NEEDY, "RuntimeError: there is no licence"),
            ("raise SystemExit('not today')", "SystemExit: not today"),
            ("import os; os.write(2, b'out of memory'); os._exit(1)", "out of memory"),
        ],
    )
    def test_the_error_is_the_report(self, workplace: Any, source: str, said: str) -> None:
        self.write(workplace, source)
        done = workplace.measure(FAKENS_LICENCE="")
        assert done.returncode == 2
        assert said in done.stderr
        path = workplace.output / "partial" / "fakens.json"
        assert f"report: {path}" in done.stdout
        report = json.loads(path.read_text(encoding="utf-8"))
        validate(report)
        (test,) = report["data"]["tests"]
        assert (test["nodeid"], test["outcome"], test["state"]) == (
            "import fakens", "error", "wrong",
        )  # fmt: skip
        assert said in test["message"]
        assert str(workplace.folder) not in test["message"]
        stored = store.load(path)
        assert badge.badge(stored).message == "can't be imported"
        assert view.remarks(stored)[0] == "the namespace can't be imported"


@pytest.mark.slow
class TestHang:
    """A test that hangs is ended, and the others still run."""

    def failed(self, workplace: Any, kind: str, workers: str) -> dict[str, Any]:
        """The result of a test that hangs, with one before it and one after it."""
        workplace.write_tests(
            f"def test_a(): pass\n\ndef test_b():{HANGING[kind]}\ndef test_c(): pass\n"
        )
        done = workplace.measure("--timeout-per-test", "1.5", "--workers", workers)
        assert done.returncode == 1, done.stderr
        first, test, last = workplace.report()["data"]["tests"]
        assert [t["outcome"] for t in (first, test, last)] == ["passed", "failed", "passed"]
        assert "--timeout-per-test 1.5" in test["reproduce"]
        return dict(test)

    @pytest.mark.sample(2)
    @pytest.mark.parametrize(
        ("kind", "workers"), [("python", "0"), ("python", "2"), ("masked", "0"), ("swallowed", "0")]
    )
    def test_python(self, workplace: Any, kind: str, workers: str) -> None:
        test = self.failed(workplace, kind, workers)
        assert "longer than 1.5 s" in test["message"]

    def test_python_in_hypothesis(self, workplace: Any) -> None:
        """Hypothesis neither retries the example nor shrinks it."""
        workplace.write_tests(
            "from hypothesis import given, strategies as st\n\n@given(st.integers())\n"
            "def test_b(x):\n    try:\n        while True: pass\n    except Exception: pass\n"
        )
        started = time.monotonic()
        done = workplace.measure("--timeout-per-test", "1.5")
        assert time.monotonic() - started < 20
        assert done.returncode == 1, done.stderr
        (test,) = workplace.report()["data"]["tests"]
        assert "longer than 1.5 s" in test["message"]

    def test_native(self, workplace: Any) -> None:
        test = self.failed(workplace, "native", "1")
        assert "ended with its process" in test["message"]
        assert "in test_b" in test["message"]


@pytest.mark.slow
class TestReportIsLeftAlone:
    """A run without a usable result leaves the previous report unchanged."""

    def check(self, workplace: Any, before: bytes, done: Any, code: int, text: str) -> None:
        """The exit status, the message, and the untouched report."""
        assert done.returncode == code, done.stderr
        assert text in done.stderr
        assert "Traceback" not in done.stdout
        assert workplace.report_path.read_bytes() == before
        assert not list(workplace.output.glob(".*"))

    def test_part_of_the_suite(self, workplace: Any, reported: bytes) -> None:
        done = workplace.measure("-k", "add")
        self.check(workplace, reported, done, 0, "")
        assert "no full report was replaced" in done.stdout

    def test_nothing_selected(self, workplace: Any, reported: bytes) -> None:
        self.check(workplace, reported, workplace.measure("-k", "zzz"), 2, "No test was")

    @pytest.mark.sample(1)
    @pytest.mark.parametrize("workers", ["0", "2"])
    def test_crash(self, workplace: Any, reported: bytes, workers: str) -> None:
        workplace.write_tests(CRASHING)
        done = workplace.measure("--workers", workers)
        self.check(workplace, reported, done, 2, "test_crash" if workers == "2" else "ended with 3")

    @pytest.mark.sample(1)
    @pytest.mark.parametrize("workers", ["0", "2"])
    def test_collection_error(self, workplace: Any, reported: bytes, workers: str) -> None:
        workplace.write_tests("import nothing_of_that_name\n")
        done = workplace.measure("--workers", workers)
        self.check(workplace, reported, done, 2, "could not be collected")
        assert "nothing_of_that_name" in done.stderr

    def test_namespace_that_fails_to_import(self, workplace: Any, reported: bytes) -> None:
        (workplace.folder / "fakens.py").write_text("import nothing_of_that_name", encoding="utf-8")
        self.check(workplace, reported, workplace.measure(), 2, "nothing_of_that_name")

    def test_namespace_that_ends_the_process(self, workplace: Any, reported: bytes) -> None:
        (workplace.folder / "fakens.py").write_text("import os; os._exit(1)", encoding="utf-8")
        self.check(workplace, reported, workplace.measure(), 2, "ended the process")

    def test_no_array_namespace(self, workplace: Any, reported: bytes) -> None:
        (workplace.folder / "fakens.py").write_text("x = 1", encoding="utf-8")
        self.check(workplace, reported, workplace.measure(), 2, "no array namespace")

    def test_folder_is_no_suite(self, workplace: Any, reported: bytes) -> None:
        done = workplace.run("run", "fakens", "--suite", str(workplace.folder))
        self.check(workplace, reported, done, 2, "is not the official suite")

    def test_suite_with_skips(self, workplace: Any, reported: bytes) -> None:
        (workplace.suite / "skips.txt").touch()
        self.check(workplace, reported, workplace.measure(), 2, "skips.txt")

    def test_official_suite_is_required(self, workplace: Any, reported: bytes) -> None:
        done = workplace.run("run", "fakens", "--require-official")
        self.check(workplace, reported, done, 2, "fetching")

    def test_pinned_suite_is_required(self, workplace: Any, reported: bytes) -> None:
        done = workplace.measure("--require-official")
        self.check(workplace, reported, done, 2, "is not the pinned official suite")

    def test_own_checks(self, workplace: Any, reported: bytes) -> None:
        done = workplace.run("run", "fakens", "-k", "exists and abs")
        self.check(workplace, reported, done, 1, "official suite: NOT RUN")

    @pytest.mark.sample(1)
    @pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
    def test_interrupt(self, workplace: Any, reported: bytes, number: signal.Signals) -> None:
        """The run heeds the signal, also where `nohup` makes the tests ignore SIGHUP."""
        before = signal.signal(number, signal.SIG_DFL)
        try:
            done = interrupted(workplace, "2", number)
        finally:
            signal.signal(number, before)
        self.check(workplace, reported, done, 130, "Interrupted")


class TestUnwritable:
    """Unwritable output raises before the tests run, not after them."""

    @pytest.mark.parametrize("words", [("run", "numpy"), ("consumers", "scipy.constants")])
    def test_a_folder(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
    ) -> None:
        def measure(*_: object) -> None:
            raise AssertionError("something was measured")

        for module in (runner, consumers.runner):
            monkeypatch.setattr(module, "measure", measure)
        monkeypatch.setattr(runner, "look_at", measure)
        (tmp_path / "file").touch()
        output = tmp_path / "file" / "inside"
        done = CliRunner().invoke(cli.main, [*words, "--output", str(output)])
        assert done.exit_code == 2, done.output
        assert f"{output} can't be written: Not a directory" in done.output
        assert "Choose a folder you may write to with --output" in done.output
        assert [path.name for path in tmp_path.iterdir()] == ["file"]


def interrupted(
    workplace: Any, workers: str, number: signal.Signals
) -> subprocess.CompletedProcess[str]:
    """Send a signal to a run after one of its four tests has passed; all of its processes end."""
    workplace.write_tests(SLOW)
    command = workplace.command("run", "fakens", "--suite", str(workplace.suite))
    with subprocess.Popen(
        [*command, "--workers", workers],
        cwd=workplace.folder,
        env=workplace.environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    ) as process:
        assert process.stderr is not None
        first = process.stderr.readline()  # the warning about the commit
        while "1/4" not in first:
            first = process.stderr.readline()
            assert first, "the run ended early"
        numbers = [int(text) for text in (workplace.folder / "processes").read_text().split()]
        assert any(alive(number) for number in numbers)
        process.send_signal(number)
        out, err = process.communicate(timeout=60)
    assert not any(alive(number) for number in numbers)
    return subprocess.CompletedProcess(command, process.returncode, out, err)


def alive(number: int) -> bool:
    """Return True if a process runs; a zombie has ended."""
    try:
        status = Path(f"/proc/{number}/stat").read_text()
    except OSError:
        return False
    return status.rpartition(")")[2].split()[0] != "Z"


class TestInterrupted:
    """Results finished before an interruption are kept, and marked."""

    @pytest.mark.slow
    @pytest.mark.parametrize("workers", ["0", "2"])
    def test_keeps_what_was_finished(self, workplace: Any, workers: str) -> None:
        done = interrupted(workplace, workers, signal.SIGTERM)
        assert done.returncode == 130
        assert "no full report was replaced: the run was interrupted" in done.stdout
        path = workplace.output / "partial" / "fakens.json"
        report = json.loads(path.read_text(encoding="utf-8"))
        validate(report)
        (test,) = report["data"]["tests"]
        assert (test["nodeid"].partition("::")[2], test["outcome"]) == ("test_slow[0]", "passed")
        summary = report["data"]["summary"]
        assert (summary["interrupted"], summary["partial"]) == (1, 1)
        assert (summary["total"], summary["collected"]) == (1, 4)
        (remark,) = [r for r in view.remarks(store.load(path)) if "interrupted" in r]
        assert remark == "the run was interrupted when 1 of 4 tests had a result"
        assert not workplace.report_path.exists()
        assert badge.badge(store.load(path)).message == "interrupted"


class TestOwnChecks:
    """Without the official suite."""

    @pytest.mark.slow
    def test_report_says_not_run(self, workplace: Any) -> None:
        done = workplace.run("run", "array_api_strict", "--workers", "0")
        assert done.returncode in (0, 1), done.stderr
        assert "official suite: NOT RUN" in done.stderr
        report = json.loads(
            (workplace.output / "array_api_strict.json").read_text(encoding="utf-8")
        )
        validate(report)
        assert report["test_suite"] == "0" * 40
        assert report["data"]["summary"]["official"] == 0
        assert report["data"]["summary"]["passed"] > 600
        for page in ("index.html", "README.md"):
            assert "NOT RUN" in (workplace.output / page).read_text(encoding="utf-8")


class TestSuite:
    """`suite`, whose exit status shows if the suite is available."""

    @pytest.mark.parametrize(
        ("arguments", "code", "text"),
        [(["--suite", "suite"], 2, "is not the pinned official suite"), ([], 3, "fetching")],
    )
    def test_not_there(self, workplace: Any, arguments: list[str], code: int, text: str) -> None:
        found = subprocess.run(
            [sys.executable, "-m", "compliance", "suite", *arguments],
            cwd=workplace.folder,
            env=workplace.environment(),
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        assert found.returncode == code
        assert text in found.stderr


class TestCompare:
    """`compare`."""

    @pytest.mark.slow
    def test_new_failure(self, workplace: Any, make_report: Any) -> None:
        workplace.output.mkdir()
        for name, outcome in (("numpy", "passed"), ("torch", "failed")):
            report = make_report(name, add=outcome, abs="passed")
            (workplace.output / f"{name}.json").write_text(json.dumps(report), encoding="utf-8")
        forth = workplace.run("compare", "bare:numpy", "bare:torch")
        assert forth.returncode == 1, forth.stderr
        assert "test_add" in forth.stdout
        back = workplace.run("compare", "bare:torch", str(workplace.output / "numpy.json"))
        assert back.returncode == 0, back.stderr

    @pytest.mark.slow
    def test_markdown(self, workplace: Any, make_report: Any) -> None:
        workplace.output.mkdir()
        for name, outcome in (("numpy", "passed"), ("torch", "failed")):
            text = json.dumps(make_report(name, add=outcome))
            (workplace.output / f"{name}.json").write_text(text, encoding="utf-8")
        done = workplace.run("compare", "--markdown", "bare:numpy", "bare:torch")
        assert done.returncode == 1, done.stderr
        assert done.stdout.startswith("## Array API: torch: 0 tests gained, 1 lost\n")

    @pytest.mark.slow
    def test_only_what_is_lost_fails_a_run(self, workplace: Any) -> None:
        """Also where the run replaces the report with which it is compared."""
        workplace.write_tests("def test_add(): pass\n\ndef test_abs(): assert False\n")
        assert workplace.measure().returncode == 1
        baseline = ("--fail-on-regression", str(workplace.report_path))
        done = workplace.measure(*baseline)
        assert done.returncode == 0, done.stderr
        assert "0 tests gained, 0 lost" in done.stdout
        workplace.write_tests("def test_add(): assert False\n\ndef test_abs(): pass\n")
        done = workplace.measure(*baseline)
        assert done.returncode == 1, done.stderr
        assert "lost: array_api_tests/test_things.py::test_add" in done.stdout
        assert "1 tests gained, 1 lost" in done.stdout
        done = workplace.measure("--fail-on-regression", "no such file")
        assert done.returncode == 2

    def test_no_such_report(self, workplace: Any) -> None:
        done = workplace.run("compare", "bare:numpy", "bare:torch")
        assert done.returncode == 2
        assert "python -m compliance run bare:numpy" in done.stderr


class TestReport:
    """`report`."""

    def test_nothing_there(self, workplace: Any) -> None:
        done = workplace.run("report")
        assert done.returncode == 2
        assert "There is no report" in done.stderr
