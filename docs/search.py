"""The search of the built site: the results of a query, in the order in which a reader sees them.

It repeats what Sphinx's `searchtools.js` computes from `searchindex.js`: matches of headings, of
index entries, of objects and of words, with Sphinx's scores. `docs/browser.py` compares both where
a Chromium is installed.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

__all__ = ["Result", "Search", "load"]

# The scores of searchtools.js.
_OBJECT, _OBJECT_PART, _TITLE, _TITLE_PART, _TERM, _TERM_PART = 11, 6, 15, 7, 5, 2
_PRIORITY = {0: 15, 1: 5, 2: -5}
_INDEX_ENTRY = 100
_WORDS = re.compile(r"\w+")


@dataclass(frozen=True)
class Result:
    """One line of the list of results."""

    page: str
    title: str
    anchor: str
    note: str | None
    score: int


@dataclass(frozen=True)
class Search:
    """The index of a site, with the stemmer and the stop words of its language."""

    index: dict[str, Any]
    stem: Callable[[str], str]
    stopwords: frozenset[str] = frozenset()

    def results(self, query: str) -> list[Result]:
        """Return what the site shows for a query, first things first."""
        words = list(dict.fromkeys(_WORDS.findall(query.lower())))
        found = [*self._headings(query.lower().strip())]
        entries = [*self._entries(query.lower().strip())]
        found += [result for main, result in entries if main]
        found += [result for word in words for result in self._objects(word, words)]
        found += self._pages(words)
        minor = [result for main, result in entries if not main]
        # A page appears once for each anchor, with its highest score.
        unique: dict[Result, Result] = {}
        for result in [*_ordered(found), *_ordered(minor)]:
            unique.setdefault(replace(result, score=0), result)
        return list(unique.values())

    def _headings(self, query: str) -> Iterator[Result]:
        titles = self.index["titles"]
        for title, places in self.index["alltitles"].items():
            if query not in title.lower().strip() or len(query) < len(title) / 2:
                continue
            score = _rounded(_TITLE * len(query) / len(title))
            for page, anchor in places:
                own = titles[page] == title
                shown = title if own else f"{titles[page]} > {title}"
                link = "" if anchor is None else f"#{anchor}"
                yield Result(self._name(page), shown, link, None, score + own)

    def _entries(self, query: str) -> Iterator[tuple[bool, Result]]:
        for entry, places in self.index["indexentries"].items():
            if query not in entry or len(query) < len(entry) / 2:
                continue
            score = _rounded(_INDEX_ENTRY * len(query) / len(entry))
            for page, anchor, main in places:
                link = f"#{anchor}" if anchor else ""
                title = self.index["titles"][page]
                yield bool(main), Result(self._name(page), title, link, None, score)

    def _objects(self, word: str, words: list[str]) -> Iterator[Result]:
        for prefix, found in self.index["objects"].items():
            for page, kind, priority, anchor, name in found:
                full = f"{prefix}.{name}" if prefix else name
                if word not in full.lower():
                    continue
                _, category, described = self.index["objnames"][str(kind)]
                title = self.index["titles"][page]
                text = f"{prefix} {name} {described} {title}".lower()
                if any(other not in text for other in words if other != word):
                    continue
                score = _object_score(full.lower(), word) + _PRIORITY.get(priority, 0)
                link = {"": full, "-": f"{category}-{full}"}.get(anchor, anchor)
                note = f"{described}, in {title}"
                yield Result(self._name(page), full, f"#{link}", note, score)

    def _pages(self, words: list[str]) -> Iterator[Result]:
        kept = [w for w in words if w not in self.stopwords and not re.fullmatch(r"\d+", w)]
        stems = list(dict.fromkeys(map(self.stem, kept)))
        scores: dict[int, dict[str, int]] = {}
        for stem in stems:
            for page, score in self._of_term(stem):
                scores.setdefault(page, {})[stem] = score
        enough = {len(stems), sum(len(stem) > 2 for stem in stems)}
        for page, found in scores.items():
            if len(found) in enough:
                title = self.index["titles"][page]
                yield Result(self._name(page), title, "", None, max(found.values()))

    def _of_term(self, stem: str) -> Iterator[tuple[int, int]]:
        """Yield pages with their scores; a later score replaces an earlier one of the same page."""
        tables = (("terms", _TERM, _TERM_PART), ("titleterms", _TITLE, _TITLE_PART))
        for table, score, _ in tables:
            yield from ((page, score) for page in _listed(self.index[table].get(stem, [])))
        if len(stem) <= 2:
            return
        for table, _, score in tables:
            if stem not in self.index[table]:
                for term, pages in self.index[table].items():
                    if stem in term:
                        yield from ((page, score) for page in _listed(pages))

    def _name(self, page: int) -> str:
        return str(self.index["docnames"][page])


def _ordered(results: Sequence[Result]) -> list[Result]:
    """Sort by score, then by title; JavaScript sorts upwards and shows the list from its end."""
    last_first = results[::-1]
    return sorted(last_first, key=lambda result: (-result.score, result.title.lower()))


def _object_score(full: str, word: str) -> int:
    last = full.rpartition(".")[2]
    if word in (full, last):
        return _OBJECT
    return _OBJECT_PART if word in last else 0


def _rounded(number: float) -> int:
    """Round as JavaScript does: halves up."""
    return math.floor(number + 0.5)


def _listed(pages: int | list[int]) -> list[int]:
    return [pages] if isinstance(pages, int) else pages


def load(folder: Path) -> Search:
    """Return the search of a built site."""
    from sphinx.search.en import SearchEnglish

    language = SearchEnglish({})
    text = (folder / "searchindex.js").read_text(encoding="utf-8")
    index = json.loads(text.removeprefix("Search.setIndex(").removesuffix(")"))
    return Search(index, language.stem, frozenset(language.stopwords))
