"""The draw of mutants, their operators, planting, the choice of tests, and results."""

from __future__ import annotations

import ast
import importlib
import inspect
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.mutants import results
from tests.mutants.choose import CoverageMap, Limits
from tests.mutants.draw import AREAS, Mutant, area, draw, drawn_of, find, mutants_of
from tests.mutants.operators import OPERATORS, Change, Source
from tests.mutants.plant import Planter
from tests.mutants.results import Result
from tests.mutants.tracing import IMPORT, Tracer

# Source before and after the first change of each operator.
SAMPLES = {
    "negate_if": ("x = a if b else c", "x = a if not (b) else c"),
    "drop_not": ("x = not a", "x = (a)"),
    "swap_operands": ("x = (a + 1) - b", "x = (b) - (a + 1)"),
    "reverse_comparison": ("x = a is not b", "x = a is b"),
    "move_boundary": ("x = a < b", "x = a <= b"),
    "swap_arguments": ("f(a, b, c)", "f(b, a, c)"),
    "shift_integer": ("f(axis=-1)", "f(axis=0)"),
    "drop_keyword": ("f(a, axis=(0, 1), out=b)", "f(a,  out=b)"),
    "wrong_dtype": ("x = np.float64", "x = np.float32"),
    "and_or": ("x = a and b", "x = ((a) or (b))"),
    "remove_call": ("f(a)", "pass"),
    "remove_recovery": ("try:\n    f()\nfinally:\n    a = 1", "try:\n    f()\nfinally:\n    pass"),
    "return_first": ("def f(a): return g(a, 1)", "def f(a): return a"),
    "flip_boolean": ("x = True", "x = False"),
    "code_string": ('x = f"if {a}: b"', 'x = f"if not {a}: b"'),
}
DRAWN = ("container/", "rendering/")


def changes(operator: str, text: str) -> list[Change]:
    source, (kinds, change) = Source(text.encode()), OPERATORS[operator]
    for node in ast.walk(tree := ast.parse(text)):
        for child in ast.iter_child_nodes(node):
            child.parent = node  # type: ignore[attr-defined]
    return [c for n in ast.walk(tree) if isinstance(n, kinds) for c in change(n, source)]


@pytest.fixture(autouse=True, scope="module")
def _mutants_go() -> Iterator[None]:
    """Drop the mutants of the whole package: 40,000 objects."""
    yield
    mutants_of.cache_clear()


class TestDraw:
    def test_every_area_has_its_share(self) -> None:
        assert sum(AREAS.values()) >= 200
        drawn = draw()
        assert {a: sum(area(m.file) == a for m in drawn) for a in AREAS} == AREAS
        assert len({mutant.id for mutant in drawn}) == len(drawn)

    def test_it_is_the_same_in_each_run_and_another_with_another_seed(self) -> None:
        first = drawn_of("container/")
        drawn_of.cache_clear()
        mutants_of.cache_clear()
        assert drawn_of("container/") == first
        assert drawn_of("container/", 1) != first

    def test_a_new_function_changes_few(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def more(file: str) -> tuple[Mutant, ...]:
            own = mutants_of(file)
            return own + own[:3] if file != "container/files.py" else own[40:]

        monkeypatch.setattr("tests.mutants.draw.mutants_of", more)
        kept = {*drawn_of.__wrapped__("container/")} & {*drawn_of("container/")}
        assert len(kept) > AREAS["container/"] / 2

    @pytest.mark.parametrize("prefix", DRAWN)
    def test_ids_find_mutants(self, prefix: str) -> None:
        for mutant in drawn_of(prefix):
            assert find(mutant.id) == mutant
            assert mutant.id in mutant.describe()
            assert mutant.first <= mutant.last


class TestOperators:
    def test_each_has_a_sample(self) -> None:
        assert SAMPLES.keys() == OPERATORS.keys()

    @pytest.mark.parametrize("operator", SAMPLES)
    def test_sample(self, operator: str) -> None:
        text, expected = SAMPLES[operator]
        start, end, new = changes(operator, text)[0]
        assert text[:start] + new + text[end:] == expected
        ast.parse(expected)
        assert changes(operator, "x = a") == []

    @pytest.mark.parametrize(
        "text",
        ['"""True"""', "x: f(1, 2)", "raise E(1, 2)", "__all__ = [True]", "@f(1, 2)\ndef g(): ..."],
    )
    def test_left_out(self, text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        (tmp_path / "left_out.py").write_text(text)
        monkeypatch.setattr("tests.mutants.draw.PACKAGE", tmp_path)
        assert mutants_of("left_out.py") == ()
        mutants_of.cache_clear()


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Write a module that can be imported as `planted_sample`."""
    path = tmp_path / "planted_sample.py"
    path.write_text("def f(x):\n    if x:\n        return 1\n    return 2\n")
    monkeypatch.syspath_prepend(tmp_path)
    yield path
    sys.modules.pop(path.stem, None)


def test_a_mutant_is_planted_and_no_file_changes(
    module: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = module.read_bytes()
    planter = Planter(module, before.replace(b"if x", b"if not x"))
    monkeypatch.setattr(sys, "meta_path", [planter, *sys.meta_path])
    planted = importlib.import_module(module.stem)
    assert planted.f(True) == 2
    assert "if not x" in inspect.getsource(planted.f)
    assert module.read_bytes() == before
    assert sorted(module.parent.iterdir()) == [module]


def test_the_tracer_records_lines(module: Path) -> None:
    tracer = Tracer({str(module): {3: ["one"], 4: ["two"]}})
    planted, before = importlib.import_module(module.stem), sys.gettrace()
    tracer.start()
    planted.f(True)
    tracer.stop()
    sys.settrace(before)
    assert tracer.ran == {"one"}


class TestChoice:
    def choose(self, mutant: Mutant, covering: list[str], **limits: int) -> list[str]:
        durations = {f"tests/container/test_a.py::t{i}": i / 10 for i in range(9)}
        durations |= {"tests/test_b.py::quick": 0.0, "tests/container/test_c.py::rest": 0.0}
        found = CoverageMap(
            {"tests": {mutant.id: covering or [*durations]}, "durations": durations}
        )
        return found.choose(mutant, Limits(**limits))

    def test_quick_ones_of_several_files(self) -> None:
        chosen = self.choose(drawn_of("container/")[0], [], tests=4)
        assert chosen[:2] == ["tests/container/test_a.py::t0", "tests/container/test_c.py::rest"]
        assert {test.partition("::")[0] for test in chosen} == {
            "tests/container/test_a.py", "tests/container/test_c.py", "tests/test_b.py",
        }  # fmt: skip
        assert len(chosen) == 4

    def test_a_line_that_runs_at_import_has_the_tests_of_its_folder(self) -> None:
        chosen = self.choose(drawn_of("container/")[0], [IMPORT])
        assert len(chosen) == 10
        assert "tests/test_b.py::quick" not in chosen


class TestResults:
    def result(self, name: str, status: str) -> Result:
        return Result(f"views/a.py:f:{name}:1", status, "t", "", 1, 0.1)

    def test_what_is_done_is_skipped(self, tmp_path: Path) -> None:
        file = tmp_path / "results.jsonl"
        every = [self.result("a", "noticed"), self.result("b", "survived")]
        for result in every:
            results.add(file, result)
        with file.open("a") as lines:
            lines.write('{"id": "views/a.py:f:c')  # an interrupted run
        known = results.read(tmp_path)
        ids = [*known, "views/a.py:f:c:1"]
        assert results.left(ids, known, again=False) == ids[2:]
        assert results.left(ids, known, again=True) == ids[1:]

    def test_the_last_result_counts(self, tmp_path: Path) -> None:
        for status in ("survived", "noticed"):
            results.add(tmp_path / "results.jsonl", self.result("a", status))
        assert [result.status for result in results.read(tmp_path).values()] == ["noticed"]

    def test_lost_ones_are_named(self) -> None:
        old = {r.id: r for r in (self.result(n, "noticed") for n in "abcd")}
        new = {r.id: r for r in [self.result("a", "crashed"), self.result("b", "survived")]}
        new["views/a.py:f:c:1"] = self.result("c", "timed out")
        lines, share = results.compare(old, new)
        assert share == 0.5
        assert [line.split()[1] for line in lines if line.startswith("lost")] == [
            "views/a.py:f:b:1", "views/a.py:f:d:1",
        ]  # fmt: skip
        assert lines[1].split() == ["views/", "4", "4", "2"]
