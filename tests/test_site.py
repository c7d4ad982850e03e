"""The documentation site: its pages, their links, the reference; `tox -e docs` builds it."""

from __future__ import annotations

import importlib.util
import inspect
import posixpath
import re
from collections import Counter
from pathlib import Path

import pytest
import yaml

import arrayapi_unify as unify
from arrayapi_unify import errors
from arrayapi_unify.contracts import CONTRACTS, annotations
from docs import reference, site
from tests.documents import check_command

ROOT = Path(__file__).parent.parent
WORKFLOW = ROOT / "docs" / "workflow-compliance.yml"
LINK = re.compile(r"\]\(([^)\s#]+)(#[^)\s]*)?\)")
CODE = re.compile(r"```.*?```|`[^`\n]*`", re.DOTALL)


@pytest.fixture(scope="module")
def pages() -> dict[str, str]:
    return site.sources()


class TestNavigation:
    def test_every_page_of_docs_stands_in_it_once(self) -> None:
        listed = Counter(page for pages in site.NAVIGATION.values() for page in pages)
        written = {path.stem for path in (ROOT / "docs").glob("*.md")} - {"index"}
        elsewhere = {name.removesuffix(".md") for name in site.FROM_ELSEWHERE.values()}
        assert set(listed.values()) == {1}
        assert written <= set(listed) <= written | elsewhere

    def test_shows_the_reference_and_every_report(self, pages: dict[str, str]) -> None:
        shown = re.findall(r"^(\S+)$", pages["index.md"].partition("```{toctree}")[2], re.MULTILINE)
        made = [page.removesuffix(".md") for page in pages if page != "index.md"]
        assert set(made) <= set(shown)
        reports = [f"reports/{path.stem}" for path in (ROOT / "reports").glob("*.md")]
        assert set(reports) - {"reports/README"} <= set(shown)


class TestLinks:
    def test_every_link_leads_to_something(self, tmp_path: Path) -> None:
        site.put_together(tmp_path)
        for path in tmp_path.rglob("*.md"):
            for target, _ in LINK.findall(CODE.sub("", path.read_text("utf-8"))):
                assert "://" in target or (path.parent / target).exists(), (path.name, target)

    @pytest.mark.parametrize(
        ("page", "link", "wanted"),
        [
            ("views.md", "../reports/views.md", "reports/views.md"),
            ("views.md", "containers.md#files", "containers.md#files"),
            ("measure.md", "../reports/README.md", "reports/conformance.md"),
            ("measure.md", "https://example.org/a.md", "https://example.org/a.md"),
            ("contributing.md", "docs/design.md", "design.md"),
            ("contributing.md", "README.md", "index.md"),
            ("reports/special_value_cost.md", "../docs/differences.md", "../differences.md"),
            ("reports/special_value_cost.md", "README.md", "conformance.md"),
            ("index.md", "reports/matrix.md", "reports/matrix.md"),
            (
                "design.md",
                "../CONTRIBUTING.md#adding-a-backend",
                "contributing.md#adding-a-backend",
            ),
        ],
    )
    def test_those_of_the_repository_become_those_of_the_site(
        self, page: str, link: str, wanted: str
    ) -> None:
        assert site.relinked(f"see [it]({link}).", page) == f"see [it]({wanted})."

    @pytest.mark.parametrize(
        "text", ["`f[0](README.md)`", "```python\nx[0](README.md)\n```", "``a ` [b](README.md)``"]
    )
    def test_code_stays(self, text: str) -> None:
        assert site.relinked(text, "reports/special_value_cost.md") == text


@pytest.mark.slow
def test_the_site_has_the_pages_that_are_not_in_the_repository(tmp_path: Path) -> None:
    site.add_reports(tmp_path)
    made = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*.*")}
    assert {"reports/index.html", "reports/matrix.html"} <= made
    assert "reports/namespaces/ns-torch.html" in made
    assert all(path.stat().st_size < 400_000 for path in tmp_path.rglob("*.html"))
    assert not [name for name in made if name.endswith(".md")]


class TestReference:
    def test_every_category_stands_on_one_page(self) -> None:
        listed = [c for _, categories in reference.GROUPS.values() for c in categories]
        assert Counter(listed) == Counter({c.category for c in CONTRACTS.values()})

    def test_every_function_has_one_entry(self, pages: dict[str, str]) -> None:
        text = "\n".join(pages.values())
        entries = Counter(re.findall(r"^`````\{py:\w+\} ([\w.]+)", text, re.MULTILINE))
        assert set(CONTRACTS) <= set(entries)
        assert set(entries.values()) == {1}

    def test_every_public_class_has_one(self, pages: dict[str, str]) -> None:
        listed = {name for _, found in reference.CLASSES.values() for name in found}
        public = {name for name in unify.__all__ if inspect.isclass(getattr(unify, name))}
        assert public <= listed
        assert set(errors.__all__) <= listed
        for short in ("initializers", "optimizers", "schedules"):
            names = getattr(unify.nn, short).__all__
            assert {f"nn.{short}.{name}" for name in names} <= listed
        classes = {name for name in unify.nn.__all__ if inspect.isclass(getattr(unify.nn, name))}
        assert {f"nn.{name}" for name in classes} <= listed

    def test_an_entry_says_all(self, pages: dict[str, str]) -> None:
        text = pages["reference/elementwise.md"]
        entry = text.partition("{py:function} tan(")[2].partition("\n`````\n")[0]
        assert entry.startswith("x: ArrayIn, /, *, out: Out = None) -> Array\n")
        assert "*primary*, nestable: implemented by NumPy, PyTorch, TensorFlow, JAX, Dask." in entry
        assert "`x`\n:   Angles in radians." in entry
        assert "A real infinity gives NaN." in entry
        assert ">>> unify.tan(unify.array([0., 1., 2.]))" in entry

    def test_aliases_in_signatures_have_entries(self, pages: dict[str, str]) -> None:
        known = set(
            re.findall(r"^`````\{py:type\} (\w+)$", pages["reference/types.md"], re.MULTILINE)
        )
        named = {p.annotation for c in CONTRACTS.values() for p in c.parameters}
        assert {"ArrayIn", "Operand", "Out"} <= named & set(annotations.__all__) <= known
        assert "`Array | NativeArray | int | float`: " in pages["reference/types.md"]

    def test_which_backend_computes_what(self, pages: dict[str, str]) -> None:
        """The entries agree with the files of the backends."""
        text = "\n".join(pages.values())
        for name in ("diag", "gelu", "histogram", "huber"):
            contract = CONTRACTS[CONTRACTS.forward(name)]
            own = [
                title
                for backend, title in reference.TITLES.items()
                if _defines(f"arrayapi_unify.backends.{backend}.{contract.category}", name)
            ]
            entry = text.partition(f"{{py:function}} {contract.qualified_name}(")[2].partition(
                "\n`````\n"
            )[0]
            said = re.search(r"implemented by ([^;.]*)", entry)
            assert (said[1].split(", ") if said else []) == own, name

    def test_examples_are_those_of_the_docstrings(self, pages: dict[str, str]) -> None:
        text = "\n".join(pages.values())
        for name, contract in CONTRACTS.items():
            examples = inspect.getdoc(contract.public).partition("Examples\n--------\n")[2]
            assert examples.strip() in text, name


def _defines(module: str, name: str) -> bool:
    try:
        found = importlib.util.find_spec(module)
    except ModuleNotFoundError:
        return False
    return found is not None and hasattr(importlib.import_module(module), name)


class TestNothingFromElsewhere:
    @pytest.mark.parametrize(
        ("page", "loads"),
        [
            ('<script src="https://example.org/a.js"></script>', True),
            ('<link rel="stylesheet" href="//example.org/a.css">', True),
            ('<img alt="" src="https://example.org/a.png">', True),
            ("<style>a { background: url(https://example.org/a.png) }</style>", True),
            ('<a href="https://example.org/">there</a>', False),
            ('<script src="_static/a.js"></script>', False),
        ],
    )
    def test_is_noticed(self, page: str, loads: bool, tmp_path: Path) -> None:
        (tmp_path / "page.html").write_text(page, encoding="utf-8")
        assert site.foreign(tmp_path) == (["page.html"] if loads else [])


class TestWorkflow:
    """docs/workflow-compliance.yml, which other projects copy."""

    def test_its_commands_exist(self) -> None:
        jobs = yaml.safe_load(WORKFLOW.read_text("utf-8"))["jobs"]
        steps = [*jobs["measure"]["steps"], *jobs["compare"]["steps"]]
        lines = [
            line.partition(" > ")[0]
            for step in steps
            if step.get("name") != "Show the comparison"
            for line in step.get("run", "").splitlines()
        ]
        for line in lines:
            check_command(line)
        asked = " ".join(lines)
        names = ("run", "badge", "compare --markdown")
        assert all(f"arrayapi-compliance {name}" in asked for name in names)

    def test_a_failure_fails_the_run_and_is_published(self) -> None:
        jobs = yaml.safe_load(WORKFLOW.read_text("utf-8"))["jobs"]
        by_name = {step.get("name"): step for step in jobs["measure"]["steps"]}
        assert "continue-on-error" not in by_name["Measure"]
        assert by_name["Keep the report"]["if"] == "always()"
        assert jobs["publish"]["needs"] == "measure"
        assert "always()" in jobs["publish"]["if"]

    def test_the_page_says_the_same(self) -> None:
        page = (ROOT / "docs" / "ci.md").read_text("utf-8")
        assert posixpath.basename(WORKFLOW.name) in page
        assert "badge reports/my_package.namespace.json" in page
