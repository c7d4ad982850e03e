"""The selection of slow tests, for small files of tests."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from tests import slow

pytest_plugins = ["pytester"]

CONFTEST = """
import pytest
from tests import slow

def pytest_configure(config):
    for name in ("eager", "sample", "slow", "slow_on", "exhaustive"):
        config.addinivalue_line("markers", name)

@pytest.hookimpl(wrapper=True)
def pytest_generate_tests(metafunc):
    yield
    slow.thin(metafunc)

@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    slow.mark(items)
    items[:] = [test for test in items if not slow.needs_eager(test)]
"""
BACKENDS = ["numpy", "torch", "jax"]
Named = Callable[..., list[str]]


@pytest.fixture
def staying(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> Named:
    """Return a function that lists the tests of a file that aren't slow, for all backends."""
    monkeypatch.setattr(slow, "INSTALLED", BACKENDS)

    def names(source: str, path: str = "test_it.py") -> list[str]:
        pytester.makeconftest(CONFTEST)
        file = pytester.path / path
        file.parent.mkdir(exist_ok=True)
        file.write_text(f"import pytest\n{source}", encoding="utf-8")
        found = pytester.inline_run(
            "--collect-only", "-q", "-m", "not slow", "-p", "no:randomly", "--import-mode=importlib"
        )
        (call,) = found.getcalls("pytest_collection_finish")
        return [item.nodeid.partition("::")[2] for item in call.session.items]

    return names


def cases(backends: list[str], count: int) -> str:
    """Return the line of a test with this many cases on each of the backends."""
    return (
        f"@pytest.mark.parametrize('number', range({count}))\n"
        f"@pytest.mark.parametrize('backend', {backends})\n"
    )


def count(names: list[str], backend: str) -> int:
    return sum(backend in name for name in names)


class TestEager:
    def test_lazy_cases_are_left_out(self, staying: Named, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(slow, "INSTALLED", [*BACKENDS, "dask"])
        source = "".join(
            f"{cases(['numpy', 'dask'], 1)}{mark}def test_{letter}(backend, number): pass\n"
            for letter, mark in (("a", "@pytest.mark.eager\n"), ("b", ""))
        )
        found = staying(source)
        assert found == ["test_a[numpy-0]", "test_b[numpy-0]", "test_b[dask-0]"]


class TestSample:
    def test_as_many_on_each_backend(self, staying: Named) -> None:
        chosen = ["numpy", "torch"]
        found = staying(
            f"{cases(chosen, 9)}@pytest.mark.sample(3)\ndef test_a(backend, number): pass"
        )
        assert {name: count(found, name) for name in chosen} == dict.fromkeys(chosen, 3)

    def test_each_test_of_a_class(self, staying: Named) -> None:
        source = (
            "@pytest.mark.sample(2)\n@pytest.mark.parametrize('n', range(5))\nclass TestA:\n"
            "    def test_a(self, n): pass\n    def test_b(self, n): pass\n"
        )
        found = staying(source)
        assert count(found, "test_a") == count(found, "test_b") == 2

    def test_another_test_moves_none(self, staying: Named) -> None:
        source = (
            f"{cases(['numpy'], 30)}@pytest.mark.sample(3)\ndef test_a(backend, number): pass\n"
        )
        assert set(staying(source)) < set(staying(f"{source}\ndef test_b(): pass\n"))


class TestManyCases:
    def test_a_few_on_each_backend(self, staying: Named) -> None:
        chosen = ["numpy", "torch"]
        found = staying(f"{cases(chosen, 9)}def test_a(backend, number): pass")
        assert {name: count(found, name) for name in chosen} == dict.fromkeys(chosen, 2)

    def test_a_few_for_each_function(self, staying: Named) -> None:
        source = (
            f"{cases(['numpy'], 9)}"
            "@pytest.mark.parametrize('function', ['sin', 'cos', 'sum'])\n"
            "def test_a(backend, number, function): pass"
        )
        found = staying(source)
        assert {f: count(found, f) for f in ("sin", "cos", "sum")} == dict.fromkeys(
            ("sin", "cos", "sum"), 2
        )

    def test_all_where_no_backend_is_named(self, staying: Named) -> None:
        source = "@pytest.mark.parametrize('n', range(9))\ndef test_a(n): pass"
        assert len(staying(source)) == 9


class TestSlowOn:
    def test_there_alone(self, staying: Named) -> None:
        found = staying(
            "@pytest.mark.parametrize('backend', ['numpy', 'numpy+'])\n"
            "@pytest.mark.slow_on('numpy')\ndef test_a(backend): pass"
        )
        assert found == ["test_a[numpy+]"]


class TestWhereEachCallIsCompiled:
    def test_one_test(self, staying: Named) -> None:
        """And two of each elsewhere, in fixtures and in tuples of names, too."""
        source = (
            "@pytest.fixture(params=[('numpy', 'torch'), ('jax',)], ids='+'.join)\n"
            "def several(request): pass\n"
            "@pytest.fixture(params=['numpy', 'jax'])\ndef one(request): pass\n"
            "class TestA:\n    def test_a(self, one): pass\n    def test_b(self, several): pass\n"
            f"{cases(['jax', 'numpy'], 4)}def test_c(backend, number): pass\n"
        )
        found = staying(source)
        assert (count(found, "numpy"), count(found, "jax")) == (4, 1)

    @pytest.mark.parametrize(("folder", "number"), [("functional", 1), ("views", 2)])
    def test_one_test_of_a_folder_or_file(self, staying: Named, folder: str, number: int) -> None:
        source = f"{cases(['jax', 'numpy'], 1)}def test_a(backend, number): pass\n"
        staying(source, f"{folder}/test_one.py")
        found = staying(source, f"{folder}/test_two.py")
        assert (count(found, "numpy"), count(found, "jax")) == (2, number)

    def test_one_function(self, staying: Named) -> None:
        found = staying(
            "@pytest.mark.parametrize('function', ['sin', 'cos', 'sum', 'mean'])\n"
            "@pytest.mark.parametrize('backend', ['jax'])\ndef test_a(backend, function): pass"
        )
        assert len(found) == 1

    def test_all_of_what_is_exhaustive_and_of_its_own_folder(self, staying: Named) -> None:
        source = f"{cases(['jax'], 4)}%sdef test_a(backend, number): pass"
        assert len(staying(source % "@pytest.mark.exhaustive\n")) == 4
        assert len(staying(source % "", "jax/test_it.py")) == 4 + 1

    def test_what_sample_leaves(self, staying: Named) -> None:
        found = staying(
            f"{cases(['jax', 'numpy'], 6)}@pytest.mark.sample(2)\ndef test_a(backend, number): pass"
        )
        assert (count(found, "jax"), count(found, "numpy")) == (1, 2)


class TestShare:
    def test_every_slow_test_is_in_one_part(self) -> None:
        """And fast tests are in all of them."""
        mark = SimpleNamespace(get_closest_marker=lambda name: name == "slow")
        tests: list[Any] = [
            SimpleNamespace(nodeid=f"t.py::test[{i}]", **vars(mark)) for i in range(700)
        ]
        fast: Any = SimpleNamespace(nodeid="t.py::fast", get_closest_marker=lambda name: None)
        rests = [slow.left_out([*tests, fast], f"7:{part}") for part in range(7)]
        assert all(60 < len(tests) - len(rest) < 140 for rest in rests)
        assert all(fast not in rest for rest in rests)
        assert all(sum(test not in rest for rest in rests) == 1 for test in tests)
        assert slow.left_out(tests, "1:0") == []
