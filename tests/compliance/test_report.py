"""The rendered pages."""

import itertools
import json
import shutil
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from compliance import report, store, suite, view
from compliance.errors import ComplianceError
from compliance.matrix import page
from compliance.provenance import digest
from tests import immutable_backend
from tests.compliance.conftest import REPOSITORY


class Parser(HTMLParser):
    """Collects tags, and the external resources that they load."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.loaded: list[str] = []
        self.ids: list[str] = []
        self.targets: list[str] = []
        self.pages: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Record one element."""
        self.tags.append(tag)
        for name, value in attrs:
            if name == "src" or (name == "href" and tag == "link"):
                self.loaded.append(str(value))
            if name == "id":
                self.ids.append(str(value))
            if name == "href" and str(value).startswith("#"):
                self.targets.append(str(value)[1:])
            elif name == "href" and "://" not in str(value):
                self.pages.append(str(value).partition("#")[0])


@pytest.fixture
def rendered(tmp_path: Path, make_report: Any, side: dict[str, Any]) -> Path:
    """Pages of three namespaces."""
    ours = make_report("arrayapi_unify.numpy", add="passed", abs="failed", sort="skipped")
    failing = ours["data"]["tests"][1]
    failing |= {"message": "<script>x</script> ``` | `a`", "expected": "1|2", "got": "{{ 3 }}"}
    store.save(tmp_path / "arrayapi_unify.numpy.json", ours, side)
    store.save(tmp_path / "numpy.json", make_report("numpy", add="failed", abs="failed"), side)
    own = make_report("torch", official=0, add="passed")
    store.save(tmp_path / "torch.json", own, side)
    report.render(tmp_path)
    return tmp_path


class TestHtml:
    """index.html."""

    def test_self_contained_and_escaped(self, rendered: Path) -> None:
        own = rendered / "namespaces" / "ns-arrayapi_unify-numpy.html"
        for path, scripts in ((rendered / "index.html", 2), (own, 0)):
            text = path.read_text(encoding="utf-8")
            parser = Parser()
            parser.feed(text)
            assert parser.loaded == []
            assert parser.tags.count("script") == scripts
            assert "&lt;script&gt;x" in text
            assert "url(" not in text
        assert "{{ 3 }}" in text

    def test_links_lead_somewhere(self, rendered: Path) -> None:
        pages = [rendered / "index.html", *(rendered / "namespaces").iterdir()]
        assert len(pages) == 4
        for path in pages:
            parser = Parser()
            parser.feed(path.read_text(encoding="utf-8"))
            assert set(parser.targets) <= set(parser.ids)
            assert len(parser.ids) == len(set(parser.ids))
            for link in parser.pages:
                assert (path.parent / link).is_file()

    def test_functions_are_data_of_the_script(self, rendered: Path) -> None:
        text = (rendered / "index.html").read_text(encoding="utf-8")
        inside = text.partition('id="data">')[2].partition("</script>")[0]
        assert "<" not in inside
        found = json.loads(inside)
        rows = {name: [found["cells"][c] for c in cells] for _, name, *cells in found["functions"]}
        assert rows["abs"] == [["wrong", "✗ 0/1"], ["wrong", "✗ 0/1"], ["", "-"]]
        assert rows["add"] == [["right", "✓ 1/1"], ["wrong", "✗ 0/1"], ["right", "✓ 1/1"]]
        assert [len(found[key]) for key in ("pages", "categories")] == [3, 1]

    def test_pages_of_namespaces_that_are_gone(self, rendered: Path) -> None:
        (rendered / "numpy.json").unlink()
        report.render(rendered)
        names = [path.name for path in (rendered / "namespaces").iterdir()]
        assert sorted(names) == ["ns-arrayapi_unify-numpy.html", "ns-torch.html"]

    def test_many_failures_are_no_long_page(
        self, tmp_path: Path, make_report: Any, side: dict[str, Any]
    ) -> None:
        found = make_report(**{f"f{i}": "failed" for i in range(400)})
        for i, test in enumerate(found["data"]["tests"]):
            test |= {"message": f"{i} {'m' * 4000}", "got": "g" * 4000, "expected": "e" * 4000}
        store.save(tmp_path / "fakens.json", found, side)
        report.render(tmp_path)
        for path in tmp_path.rglob("*.html"):
            assert path.stat().st_size < 400_000, path.name

    def test_own_checks_are_no_score(self, rendered: Path) -> None:
        text = (rendered / "index.html").read_text(encoding="utf-8")
        assert "torch: official suite NOT RUN" in text
        page = view.build(store.load_all(rendered))
        assert [library for library, _ in page.libraries()] == ["numpy"]


class TestMarkdown:
    """README.md."""

    def test_content_can_not_break_out(self, rendered: Path) -> None:
        text = (rendered / "README.md").read_text(encoding="utf-8")
        assert "`JAX_ENABLE_X64=1`" in text
        assert (
            "| 1 test fails | &lt;script&gt;x&lt;/script&gt; &#96;&#96;&#96; &#124; &#96;a&#96; |"
            in text
        )
        assert "official suite NOT RUN" in text

    def test_tables_are_whole(self, rendered: Path) -> None:
        lines = (rendered / "README.md").read_text(encoding="utf-8").splitlines()
        for above, below in itertools.pairwise(lines):
            if above.startswith("|") and below.startswith("|"):
                assert above.count("|") == below.count("|")

    def test_many_failures_have_one_cause(
        self, tmp_path: Path, make_report: Any, side: dict[str, Any]
    ) -> None:
        failing = {f"f{i}": "failed" for i in range(100)}
        store.save(tmp_path / "fakens.json", make_report(**failing), side)
        report.render(tmp_path)
        text = (tmp_path / "README.md").read_text(encoding="utf-8")
        assert "| 100 tests fail | failed | array_api_tests/test_things.py::test_f0 |" in text

    @pytest.mark.parametrize(
        ("text", "shown"),
        [
            ("run numpy", "`run numpy`"),
            ("-k 'a`b'", "``-k 'a`b'``"),
            ("`a` and ``b``", "``` `a` and ``b`` ```"),
            ("two\nlines", "`two lines`"),
            ("", "` `"),
        ],
    )
    def test_code_that_no_content_closes(self, text: str, shown: str) -> None:
        """As CommonMark says: the first run of as many backticks ends it."""
        assert report.code(text) == shown

    def test_a_command_ends_no_code(
        self, tmp_path: Path, make_report: Any, side: dict[str, Any]
    ) -> None:
        side |= {"command": "run x -k '`<b>`'\n# a heading", "environment": {"A": "`<i>`"}}
        store.save(tmp_path / "fakens.json", make_report(add="passed"), side)
        report.render(tmp_path)
        text = (tmp_path / "README.md").read_text(encoding="utf-8")
        assert "\n- command: ``run x -k '`<b>`' # a heading``\n" in text
        assert "`` A=`<i>` ``" in text

    def test_escaping(self) -> None:
        assert report.markdown("a_b __c__ x|y <i> 'q' #1") == (
            "a_b &#95;&#95;c&#95;&#95; x&#124;y &lt;i&gt; 'q' &#35;1"
        )


def test_same_reports_give_the_same_pages(rendered: Path) -> None:
    before = [(rendered / name).read_bytes() for name in ("index.html", "README.md")]
    report.render(rendered)
    assert before == [(rendered / name).read_bytes() for name in ("index.html", "README.md")]


@pytest.mark.quick
def test_committed_pages_are_those_of_the_committed_reports(tmp_path: Path) -> None:
    """If this fails, `python -m compliance report` renders the pages again."""
    committed = REPOSITORY / "reports"
    copy = shutil.copytree(committed, tmp_path / "reports")
    report.render(copy)
    page.render(copy)
    for name in ("README.md", page.MARKDOWN):
        assert (copy / name).read_bytes() == (committed / name).read_bytes(), name


def test_nothing_to_render(tmp_path: Path) -> None:
    with pytest.raises(ComplianceError, match="no report"):
        report.render(tmp_path)


class TestRemarks:
    """Limits of a report are stated next to it."""

    def remarks(self, found: dict[str, Any], **meta: Any) -> list[str]:
        """Return the remarks on one report."""
        stored = store.Stored(Path("x.json"), found, meta)
        return view.build([stored]).entries[0].remarks

    def test_none(self, make_report: Any) -> None:
        found = self.pinned(make_report)
        assert self.remarks(found, library={"sources": "0"}) == []
        # A report on another library doesn't depend on the sources of this one.
        assert self.remarks(found | {"name": "numpy"}) == []

    def test_sources(self, make_report: Any) -> None:
        assert "which sources" in self.remarks(self.pinned(make_report))[0]

    def test_a_page_stays_as_it_is_when_the_sources_change(self, make_report: Any) -> None:
        """Otherwise a small fix would have to wait for hours of measurements."""
        found, now = self.pinned(make_report), digest(REPOSITORY / "arrayapi_unify")
        for sources, old in ((now, False), ("0", True)):
            stored = store.Stored(Path("x.json"), found, {"library": {"sources": sources}})
            assert view.outdated(stored) is old
            assert view.build([stored]).entries[0].remarks == []

    @pytest.mark.parametrize(
        ("key", "value", "text"),
        [
            ("partial", 1, "only a part"),
            ("pinned_suite", 0, "not the pinned suite"),
            ("uncollected", 4, "4 tests could not be collected"),
        ],
    )
    def test_summary(self, make_report: Any, key: str, value: int, text: str) -> None:
        found = self.pinned(make_report) | {"name": "numpy"}
        found["data"]["summary"][key] = value
        assert [text in remark for remark in self.remarks(found)] == [True]

    def test_commit_of_the_suite(self, make_report: Any) -> None:
        """The flag alone isn't trusted."""
        found = self.pinned(make_report) | {"name": "numpy", "test_suite": "a" * 40}
        assert "not the pinned suite" in self.remarks(found)[0]

    def test_shown(self, tmp_path: Path, make_report: Any, side: dict[str, Any]) -> None:
        store.save(tmp_path / "numpy.json", make_report("numpy", add="passed"), side)
        for path in report.render(tmp_path):
            assert "it is not the pinned suite" in path.read_text(encoding="utf-8")

    def pinned(self, make_report: Any) -> dict[str, Any]:
        """A report of the pinned suite."""
        found: dict[str, Any] = make_report("arrayapi_unify.numpy", add="passed")
        found["data"]["summary"]["pinned_suite"] = 1
        return found | {"test_suite": suite.COMMIT}


class TestView:
    """The numbers."""

    def test_every_outcome_counts_as_what_it_is(self, make_report: Any) -> None:
        outcomes = {"a": "passed", "b": "failed", "c": "error", "d": "skipped", "e": "xfailed"}
        found = make_report(**outcomes, f="lost_extension")
        score = view.score(store.Stored(Path("x.json"), found))
        assert (score.passed, score.failed, score.ran, score.skipped, score.lost) == (1, 3, 4, 1, 1)
        assert score.total == 6

    def test_files_that_can_not_be_collected(self, make_report: Any) -> None:
        found = make_report(a="passed", b="failed")
        found["data"]["tests"][1]["nodeid"] = "array_api_tests/test_x.py"
        found["data"]["summary"] |= {"collected": 1, "uncollected": 4}
        score = view.score(store.Stored(Path("x.json"), found))
        assert (score.passed, score.failed) == (1, 4)

    def test_columns_of_runs_of_other_kinds(self, tmp_path: Path, make_report: Any) -> None:
        """They exist without a result, and then show it."""
        store.save(tmp_path / "jax.numpy.json", make_report("jax.numpy", add="passed"), {})
        titles = [way.title for way in view.WAYS if way.kind]
        kinds = [
            "compiled", "in chunks", "by the draft", "on a GPU", "split over 2 devices",
            "split over 4 devices",
        ]  # fmt: skip
        assert titles == kinds
        ((library, entries),) = view.build(store.load_all(tmp_path)).libraries()
        assert (library, [e is not None for e in entries]) == (
            "jax",
            [False, False, True] + [False] * 7,
        )
        report = make_report("arrayapi_unify.jax", add="passed")
        store.save(tmp_path / "compiled" / "arrayapi_unify.jax.json", report, {})
        ((_, entries),) = view.build(store.load_all(tmp_path)).libraries()
        measured = [i for i, entry in enumerate(entries) if entry]
        assert measured == [2, 4]

    def test_backends_of_the_registry(self, tmp_path: Path, make_report: Any) -> None:
        with immutable_backend.registered():
            name = "arrayapi_unify.frozen"
            store.save(tmp_path / f"{name}.json", make_report(name, add="passed"), {})
            ((library, entries),) = view.build(store.load_all(tmp_path)).libraries()
        assert library == "frozen"
        assert entries[0] is not None

    def test_percent_never_rounds_up(self) -> None:
        assert view.Cell(1383, 1384).percent == "99.9%"
        assert view.Cell(1384, 1384).percent == "100%"
        assert view.Cell().text == "-"

    def test_matrix(self, rendered: Path) -> None:
        page = view.build(store.load_all(rendered))
        (row,) = page.matrix(page.official)
        assert [cell.text for cell in row.cells] == ["1/2", "0/2"]
        assert {line.label: line.cells[0].status for line in row.functions} == {
            "abs": "no",
            "add": "all",
            "sort": "none",
        }

    def test_proof_of_a_defect(self) -> None:
        defects = [{"test": "x.py::test_a[1]", "proof": "one"}, {"test": "y.py*", "proof": "all"}]
        assert view.proof("x.py::test_a[1]", defects) == "one"
        assert view.proof("x.py::test_a[12]", defects) == ""
        assert view.proof("y.py::test_b", defects) == "all"

    def test_shipped_defects_have_proofs(self) -> None:
        for defect in view.load_defects():
            assert json.dumps(defect)
            assert defect["test"]
            assert defect["proof"]
