"""The rendered pages."""

import itertools
import json
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from compliance import report, store, view
from compliance.errors import ComplianceError


class Parser(HTMLParser):
    """Collects tags, and what they would load from elsewhere."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.loaded: list[str] = []
        self.ids: list[str] = []
        self.targets: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note one element."""
        self.tags.append(tag)
        for name, value in attrs:
            if name == "src" or (name == "href" and tag == "link"):
                self.loaded.append(str(value))
            if name == "id":
                self.ids.append(str(value))
            if name == "href" and str(value).startswith("#"):
                self.targets.append(str(value)[1:])


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
        text = (rendered / "index.html").read_text(encoding="utf-8")
        parser = Parser()
        parser.feed(text)
        assert parser.loaded == []
        assert "script" not in parser.tags
        assert "&lt;script&gt;x" in text
        assert "{{ 3 }}" in text
        assert "url(" not in text

    def test_links_lead_somewhere(self, rendered: Path) -> None:
        parser = Parser()
        parser.feed((rendered / "index.html").read_text(encoding="utf-8"))
        assert set(parser.targets) <= set(parser.ids)
        assert len(parser.ids) == len(set(parser.ids))

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
        assert "````text\n<script>x</script> ``` | `a`\n````" in text
        assert "official suite NOT RUN" in text

    def test_tables_are_whole(self, rendered: Path) -> None:
        lines = (rendered / "README.md").read_text(encoding="utf-8").splitlines()
        for above, below in itertools.pairwise(lines):
            if above.startswith("|") and below.startswith("|"):
                assert above.count("|") == below.count("|")

    def test_many_failures_are_a_table(
        self, tmp_path: Path, make_report: Any, side: dict[str, Any]
    ) -> None:
        failing = {f"f{i}": "failed" for i in range(100)}
        store.save(tmp_path / "fakens.json", make_report(**failing), side)
        report.render(tmp_path)
        assert "100 failures (minimal inputs" in (tmp_path / "README.md").read_text(
            encoding="utf-8"
        )

    def test_escaping(self) -> None:
        assert report.markdown("a_b __c__ x|y <i>") == (
            "a_b &#95;&#95;c&#95;&#95; x&#124;y &lt;i&gt;"
        )


def test_same_reports_give_the_same_pages(rendered: Path) -> None:
    before = [(rendered / name).read_bytes() for name in ("index.html", "README.md")]
    report.render(rendered)
    assert before == [(rendered / name).read_bytes() for name in ("index.html", "README.md")]


def test_nothing_to_render(tmp_path: Path) -> None:
    with pytest.raises(ComplianceError, match="no report"):
        report.render(tmp_path)


class TestView:
    """The numbers."""

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
