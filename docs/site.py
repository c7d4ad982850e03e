"""`python -m docs.site [FOLDER]`: build the documentation site, where a warning is an error.

The pages are those of `docs/`, the reports, CONTRIBUTING.md and CHANGELOG.md, which can be read in
the repository as well, and the reference, which is generated from the contracts. All are copied to
a temporary folder with adjusted links, from which Sphinx builds the site.
"""

from __future__ import annotations

import posixpath
import re
import shutil
import sys
import tempfile
from pathlib import Path

from compliance import report
from compliance.matrix import page
from docs import built, reference
from docs.keywords import indexed

__all__ = [
    "FROM_ELSEWHERE", "NAVIGATION", "add_reports", "foreign", "main", "put_together", "relinked",
    "sources",
]  # fmt: skip

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
SITE = ROOT / "site"
# Files of the repository outside docs/, with their names on the site.
FROM_ELSEWHERE = {
    "README.md": "index.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "LICENSE": "LICENSE",
    "reports/README.md": "reports/conformance.md",
    **{
        f"reports/{path.name}": f"reports/{path.name}"
        for path in sorted((ROOT / "reports").iterdir())
        if path.suffix in (".md", ".svg") and path.name != "README.md"
    },
}
_HOME = {site: name for name, site in FROM_ELSEWHERE.items() if name != "README.md"}
# The sidebar. The sections "Reference" and "Reports" also list the generated pages.
NAVIGATION: dict[str, list[str]] = {
    "First steps": ["install", "getting_started", "tutorial"],
    "Tasks": [
        "adopt", "numpy_names", "torch_names", "migrate_from_compat", "migrate_from_ivy",
        "custom_class", "three_classes", "subclass", "new_backend", "measure", "ci", "devices",
        "fast_path",
        "troubleshooting",
    ],
    "Guides": [
        "backends", "promotion", "views", "interop", "random", "gradients", "containers",
        "modules", "training_loop", "compiling", "graphs", "lazy", "larger_than_memory",
        "many_devices", "lstm_classifier", "train_digits",
    ],
    "Reference": ["functions", "completeness"],
    "Background": [
        "design", "glossary", "behaviours", "differences", "upstream", "contributing", "testing",
        "changelog",
    ],
    "Reports": ["reports/conformance"],
}  # fmt: skip
_LINK = re.compile(r"(\]\()([^)\s#]+)((?:#[^)\s]*)?\))")
_LOADED = re.compile(
    r"""<(?:script|img|link|iframe)\b[^>]*\s(?:src|href)=["']?(?:https?:)?//|@import\s*["']https?:"""
    r"""|url\(["']?(?:https?:)?//"""
)
# Text between backticks is no link.
_CODE = re.compile(r"^( *)(`{3,}).*?^\1\2 *$|(`+)[^`].*?\3", re.DOTALL | re.MULTILINE)
_NAMED = re.compile(r"^\| `([\w.]+)` \|", re.MULTILINE)
# The page of the reports ends before the list of failures, which another file shows better.
_FAILURES = "\n## Namespaces and failures\n"


def _shown(repository: str) -> str:
    """Return the text of a page outside docs/, as the site shows it."""
    text = (ROOT / repository).read_text(encoding="utf-8")
    if repository == "reports/README.md":
        text = text.partition(_FAILURES)[0]
        text += '\n\nEvery failure, with its message, is in <a href="index.html">all details</a>.\n'
    if repository == "reports/matrix.md":
        text += '\n\nVersions and filters are in <a href="matrix.html">the whole matrix</a>.\n'
    return text


def relinked(markdown: str, site: str) -> str:
    """Replace the links of a page, which are valid in the repository, by those of the site."""
    folder = posixpath.dirname(_HOME.get(site, f"docs/{site}"))
    here = posixpath.dirname(site)

    def link(found: re.Match[str]) -> str:
        before, target, after = found.groups()
        if "://" in target:
            return found[0]
        path = posixpath.normpath(posixpath.join(folder, target))
        place = FROM_ELSEWHERE.get(path) or path.removeprefix("docs/")
        return f"{before}{posixpath.relpath(place, here or '.')}{after}"

    parts, end = [], 0
    for code in _CODE.finditer(markdown):
        parts += [_LINK.sub(link, markdown[end : code.start()]), code[0]]
        end = code.end()
    return "".join([*parts, _LINK.sub(link, markdown[end:])])


def _functions(markdown: str) -> str:
    """Lead from each row of the list of functions to what the reference says of it."""

    def link(found: re.Match[str]) -> str:
        known = found[1] in reference.CONTRACTS
        return f"| {reference.linked(found[1])} |" if known else found[0]

    return _NAMED.sub(link, markdown)


def _navigation() -> str:
    """Return the lists of pages for the sidebar."""
    made = [f"{reference.FOLDER}/{page}" for page in ("index", *reference.titles())]
    reports = [site.removesuffix(".md") for site in _HOME if re.match(r"reports/.*\.md$", site)]
    found = {
        title: list(
            dict.fromkeys([*pages, *{"Reference": made, "Reports": reports}.get(title, [])])
        )
        for title, pages in NAVIGATION.items()
    }
    return "".join(
        "\n".join(["", "```{toctree}", ":hidden:", f":caption: {title}", "", *pages, "```", ""])
        for title, pages in found.items()
    )


def sources() -> dict[str, str]:
    """Return every page of the site in Markdown, by its path there."""
    pages = {path.name: path.read_text(encoding="utf-8") for path in sorted(DOCS.glob("*.md"))}
    pages |= {site: _shown(name) for site, name in _HOME.items() if site.endswith(".md")}
    pages = {site: relinked(text, site) for site, text in pages.items()}
    pages["functions.md"] = _functions(pages["functions.md"])
    pages["index.md"] += _navigation()
    pages |= reference.pages()
    return {site: indexed(site, text) for site, text in pages.items()}


def put_together(folder: Path) -> None:
    """Write the sources of the site, and the files that pages link to."""
    for site, text in sources().items():
        path = folder / site
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    for path in DOCS.iterdir():
        if path.is_file() and path.suffix != ".md":
            shutil.copy(path, folder / path.name)
    for site, name in _HOME.items():
        if not site.endswith(".md"):
            shutil.copy(ROOT / name, folder / site)


def add_reports(folder: Path) -> None:
    """Write the pages of the reports that need no Sphinx, and are not in the repository."""
    report.render(ROOT / "reports", folder / "reports")
    page.render(ROOT / "reports", folder / "reports")
    for name in ("README.md", page.MARKDOWN):  # the site has them as pages of its own
        (folder / "reports" / name).unlink()


def foreign(folder: Path) -> list[str]:
    """List pages that load something from another host: the site has to work without a network."""
    files = sorted([*folder.rglob("*.html"), *folder.rglob("*.css")])
    return [
        path.relative_to(folder).as_posix()
        for path in files
        if _LOADED.search(path.read_text(encoding="utf-8"))
    ]


def main(arguments: list[str]) -> int:
    """Build the site; return the exit code."""
    from sphinx.cmd.build import build_main

    folder = Path(arguments[0]) if arguments else SITE
    with tempfile.TemporaryDirectory() as together:
        put_together(Path(together))
        # Warnings are errors, and all are shown; references to missing names are warnings.
        flags = ["-W", "--keep-going", "-n", "-q", "-E", "-d", f"{together}/.doctrees"]
        status = build_main([*flags, "-c", str(DOCS), "-b", "html", together, str(folder)])
    if status != 0:
        return status
    add_reports(folder)
    wrong = [f"{path} loads something from another host" for path in foreign(folder)]
    for problem in [*wrong, *built.problems(folder)]:
        print(f"error: {problem}", file=sys.stderr)
        status = 1
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
