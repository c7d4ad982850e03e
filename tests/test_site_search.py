"""The search of the site, as `docs/search.py` repeats it, and what `docs/built.py` makes of it.

`python -m docs.site` asks for every word of `docs.built.WANTED` in the site that it has built, and
compares the results with those of Sphinx's own JavaScript where a Chromium is installed.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from docs import browser, built, keywords, site
from docs.search import Result, Search

INDEX: dict[str, Any] = {
    "docnames": ["guide", "list", "names", "other"],
    "titles": ["Saving and loading", "Functions", "Names", "Something else"],
    "alltitles": {
        "Saving and loading": [[0, None]],
        "Functions": [[1, None]],
        "Names": [[2, None]],
        "Saving": [[3, "saving"]],
        "Something else": [[3, None]],
    },
    "titleterms": {"save": [0, 3], "load": 0, "function": 1, "name": 2, "someth": 3},
    "terms": {"save": [0, 1], "array": [1, 2], "numpi": 2},
    "indexentries": {"keep": [[3, "index-0", "main"]], "keeper": [[1, "", ""]]},
    "objects": {"unify": [[1, 0, 1, "", "save"], [1, 0, 1, "", "save_all"]]},
    "objnames": {"0": ["py", "function", "Python function"]},
}
FOUND = Search(INDEX, lambda word: word.removesuffix("s"), frozenset({"the"}))


def shown(query: str) -> list[tuple[str, int]]:
    return [(result.page + result.anchor, result.score) for result in FOUND.results(query)]


class TestScores:
    def test_of_objects_headings_and_terms(self) -> None:
        """11 + 5 for an object's name, 6 + 5 for a part, 15 for a word of a heading, 5 in texts."""
        assert shown("save") == [
            ("list#unify.save", 16), ("guide", 15), ("other", 15), ("list#unify.save_all", 11),
            ("list", 5),
        ]  # fmt: skip

    def test_of_a_heading_by_its_length(self) -> None:
        """15 for the whole heading, less for a part, one more for a page's own title."""
        assert shown("functions")[0] == ("list", 16)
        assert shown("saving")[0] == ("other#saving", 15)
        assert ("guide", 6 * 15 // 18) not in shown("saving")

    def test_of_index_entries(self) -> None:
        """A main entry has a hundred; others come last, whatever their score."""
        assert shown("keep") == [("other#index-0", 100), ("list", 67)]

    def test_parts_of_words_count_less(self) -> None:
        assert shown("arra") == [("list", 2), ("names", 2)]

    def test_all_words_are_required(self) -> None:
        assert [page for page, _ in shown("array numpi")] == ["names"]
        assert shown("array nowhere") == []

    def test_stop_words_are_not(self) -> None:
        assert shown("the numpi") == [("names", 5)]

    def test_two_pages_of_one_title_keep_an_order(self) -> None:
        """The later one comes first."""
        index = {**INDEX, "titles": ["B", "A", "A", "C"]}
        assert [result.page for result in Search(index, str).results("array")] == ["names", "list"]


class TestWanted:
    def test_a_page_that_is_not_found_is_named(self) -> None:
        wanted = {"save": "list", "keep": "guide", "nothing": "names"}
        assert [line.partition(" finds ")[2] for line in built.missed(FOUND, wanted)] == [
            "other, list, not guide", "nothing, not names",
        ]  # fmt: skip

    def test_only_the_first_three_count(self) -> None:
        results = [Result(name, name, "", None, 0) for name in "abcd"]

        class Fixed(Search):
            def results(self, query: str) -> list[Result]:
                return results

        fixed = Fixed({}, str)
        assert not [*built.missed(fixed, {"x": "c"})]
        assert [*built.missed(fixed, {"x": "d"})]

    def test_the_words_that_users_of_other_libraries_know_are_asked_for(self) -> None:
        needed = {
            "migrate", "performance", "interoperability", "schedule", "debug", "save", "autograd",
            "concatenate", "continuous integration", "segfault",
        }  # fmt: skip
        assert needed <= set(built.WANTED)
        assert len(built.WANTED) >= 25


class TestKeywords:
    def test_stand_below_their_headings(self) -> None:
        made = keywords.indexed("ci.md", "# Continuous integration\n\ntext\n")
        entry = "```{index} ! single: continuous integration\n```\n"
        assert made.startswith(f"# Continuous integration\n\n{entry}")

    def test_a_heading_that_is_gone_is_named(self) -> None:
        with pytest.raises(KeyError, match="Saving and resuming"):
            keywords.indexed("modules.md", "# Modules\n")

    def test_are_of_pages_that_exist(self) -> None:
        assert set(keywords.KEYWORDS) <= set(site.sources())


class TestBrowser:
    def test_no_chromium_is_said(
        self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        monkeypatch.setattr(browser, "find", lambda: None)
        monkeypatch.setattr(built.search, "load", lambda _: FOUND)
        monkeypatch.setattr(built, "missed", lambda _: iter(()))
        assert [*built.problems(Path("site"))] == []
        assert "No Chromium is installed" in capsys.readouterr().err

    @pytest.mark.skipif(browser.find() is None, reason="no Chromium is installed")
    def test_a_wide_page_is_noticed(self, tmp_path: Path) -> None:
        head = "<!doctype html><meta name=viewport content='width=device-width'>"
        wide = "<div style='width: 800px'>too wide</div>"
        scrolls = f"<div style='overflow-x: auto'>{wide}</div>"
        (tmp_path / "narrow.html").write_text(f"{head}{scrolls}", encoding="utf-8")
        (tmp_path / "wide.html").write_text(f"{head}{wide}", encoding="utf-8")
        with browser.started(browser.find() or "") as tab:
            found = [*browser.overflowing(tab, tmp_path)]
        assert len(found) == 1
        assert found[0].startswith("wide.html overflows 390 pixels: 8")
        assert "div: too wide" in found[0]
