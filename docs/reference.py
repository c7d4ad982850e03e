"""The reference of every public function and class, written from the contracts and docstrings.

It is made when the site is built, and stands in no file of the repository: its source is the code.
"""

from __future__ import annotations

import inspect
import operator
import re
import textwrap
from collections.abc import Iterator
from itertools import chain
from typing import Any

import arrayapi_unify as unify
from arrayapi_unify import backends, errors
from arrayapi_unify.binding import binding_of
from arrayapi_unify.contracts import CONTRACTS
from docs.render_readme import TITLES
from docs.signatures import aliases
from tests.docstrings import Docstring, read

__all__ = ["CLASSES", "FOLDER", "GROUPS", "TYPES", "linked", "pages", "titles"]

FOLDER = "reference"
PACKAGE = unify.__name__
# The repr of a parameter's default that has no literal.
_UNSPELLABLE = re.compile(r"<[^<>]*>")

# The pages of functions, and the categories on each.
GROUPS: dict[str, tuple[str, tuple[str, ...]]] = {
    "creation": ("Creation", ("creation",)),
    "elementwise": ("Elementwise", ("elementwise",)),
    "data_types": ("Data types", ("data_type",)),
    "manipulation": ("Manipulation and indexing", ("manipulation", "indexing", "einops")),
    "statistics": ("Statistics", ("statistical",)),
    "searching": ("Searching, sorting, sets", ("searching", "sorting", "set", "utility")),
    "general": ("General", ("general",)),
    "linear_algebra": ("Linear algebra", ("linear_algebra", "linalg")),
    "fft": ("Fourier transforms", ("fft",)),
    "random": ("Random functions", ("random",)),
    "special": ("Special functions", ("special",)),
    "activations": ("Activations", ("nn.activations",)),
    "layers": (
        "Layers",
        ("nn.layers", "nn.norms", "nn.recurrent"),
    ),
    "images": (
        "Convolutions and pooling", ("nn.convolutions", "nn.pooling"),
    ),
    "losses": ("Losses", ("nn.losses",)),
    "derivatives": ("Gradients and optimizers", ("gradients", "nn.optimizers")),
    "programs": (
        "Loops, branches, compilers, lazy arrays", ("control_flow", "compilation", "lazy")
    ),
    "nests": ("Nests", ("nest",)),
    "library": ("Backends and devices", ("backend", "device", "inspection")),
}  # fmt: skip


def _members(module: str) -> dict[str, Any]:
    """Return the public members of a module, by their public names."""
    found = operator.attrgetter(module)(unify)
    return {f"{module}.{name}": getattr(found, name) for name in found.__all__}


# The pages of classes, and the classes on each, by their public names.
CLASSES: dict[str, tuple[str, dict[str, Any]]] = {
    "arrays": (
        "Arrays, data types, devices",
        {
            name: getattr(unify, name)
            for name in ("Array", "NativeArray", "Namespace", "DType", "Device")
        },
    ),
    "containers": ("Container class", {"Container": unify.Container}),
    "modules": (
        "Module classes",
        {n: v for n, v in _members("nn").items() if isinstance(v, type) or n == "nn.batches"},
    ),
    **{
        name: (name.capitalize(), _members(f"nn.{name}"))
        for name in ("initializers", "optimizers", "schedules")
    },
    "custom_classes": (
        "Custom classes",
        {
            "UnifyOperatorsMixin": unify.UnifyOperatorsMixin,
            "overrides.map_arrays": unify.overrides.map_arrays,
        },
    ),
    "graphs": ("Graphs", {name: getattr(unify, name) for name in ("compile_graph", "Graph")}),
    "errors": ("Errors", {name: getattr(errors, name) for name in errors.__all__}),
}

TYPES = ("types", "Types in signatures")
# Types in annotations are looked up there.
_HERE = f"```{{py:currentmodule}} {PACKAGE}\n```"

_OVERVIEW = """\
# Reference

All public functions and classes, generated from the contracts when the site is built. All examples
run in the tests, each with `unify` imported. A function is available at the top level
(`unify.sin(x)`), in each bound namespace (`xp.sin(x)`), and as a method (`x.sin()`) if it takes
arrays. The functions of `random` aren't methods.

[Functions and their kinds](../functions.md) lists all functions by category, and explains the
signatures. [Completeness](../completeness.md) shows how each backend computes them.
"""
_BEHAVIOURS = re.compile(r"(B\d+[^()\n]*: [^()\n]+) \(docs/behaviours\.md\)")
_DESIGN = re.compile(r'docs/design\.md, "([^"]+)"')
_LITERAL = re.compile(r"``(.+?)``")


def linked(name: str) -> str:
    """Return a link to the entry of a function or class."""
    return f"{{py:obj}}`{name} <{PACKAGE}.{name}>`"


def _prose(text: str) -> str:
    """Return the Markdown of a docstring's text: literals, and links for citations."""
    text = _LITERAL.sub(r"`\1`", text)
    text = _BEHAVIOURS.sub(r"[\1](../behaviours.md)", text)
    return _DESIGN.sub(r'[the design, "\1"](../design.md)', text)


def _entries(text: str) -> Iterator[str]:
    """Yield the entries of a docstring section as a list of definitions."""
    for entry in re.split(r"\n(?=\S)", text):
        name, _, meaning = entry.partition("\n")
        described = _prose(textwrap.dedent(meaning)).strip()
        names = ", ".join(f"`{part}`" for part in name.split(", "))
        yield f"{names}\n:   {textwrap.indent(described, '    ').lstrip()}\n"


def _sections(docstring: Docstring) -> Iterator[str]:
    """Yield the parts of a docstring as Markdown."""
    yield _prose(docstring.summary)
    if docstring.details:
        yield _prose(docstring.details)
    for title, text in docstring.sections.items():
        yield f"**{title}**"
        if title in ("Parameters", "Raises") and re.search(r"\n +\S", text):
            yield "\n".join(_entries(text))
        elif title == "Examples":
            yield f"```pycon\n{text}\n```"
        else:
            yield _prose(text)


def _signature(documented: Any) -> str:
    """Return how something is called; annotations stand there without quotes."""
    try:
        signature = str(inspect.signature(documented))
    except (TypeError, ValueError):
        return ""
    if signature.startswith("(*args: Any, **kwargs: Any)"):  # a metaclass takes whatever comes
        return ""
    return _UNSPELLABLE.sub("...", signature.replace("'", ""))


def _entry(kind: str, name: str, signature: str, parts: Iterator[str]) -> str:
    """Return a directive of Sphinx, which makes it an entry of the index and of the search."""
    head = f"`````{{py:{kind}}} {name}{signature}\n:module: {PACKAGE}"
    return "\n\n".join([head, *filter(None, parts), "`````"])


def _served(name: str) -> str:
    """Say which backends have an implementation of their own, and which run the body."""
    contract = CONTRACTS[name]
    if contract.kind == "standalone":
        return "one implementation for all backends"
    own = [b for b in backends.BUILT_IN if binding_of(b).bound[name].native is not None]
    if contract.kind == "compositional" or not own:
        return "one body on all backends"
    rest = [b for b in backends.BUILT_IN if b not in own]
    said = f"implemented by {_named(own)}"
    return f"{said}; the common body on {_named(rest)}" if rest else said


def _named(found: list[str]) -> str:
    return ", ".join(TITLES.get(name, name) for name in found)


def _flags(name: str) -> str:
    flags = CONTRACTS[name].flags
    return "".join(f", {flag.replace('_', ' ')}" for flag in flags)


def _function(name: str) -> str:
    """Return the entry of a function."""
    contract = CONTRACTS[name]
    kind = f"{{.kind}}\n*{contract.kind}*{_flags(name)}: {_served(name)}."
    parts = chain([kind], _sections(read(contract.public)))
    return _entry("function", name, _signature(contract.public), parts)


def _members(kind: type) -> dict[str, Any]:
    """Return the public attributes that a class, and the parts it is made of, define and document.

    Parts are bases in private modules that have no entry, such as the conversions of a Module.
    """
    entries = [one for _, found in CLASSES.values() for one in found.values()]
    parts = [
        base
        for base in kind.__bases__
        if base not in entries and base.__module__.startswith(f"{PACKAGE}.module._")
    ]
    return {
        name: value
        for one in (kind, *parts)
        for name, value in vars(one).items()
        if not name.startswith("_") and name not in CONTRACTS and inspect.getdoc(value)
    }


def _member(owner: str, name: str, value: Any) -> str:
    """Return the entry of a method or attribute."""
    if isinstance(value, classmethod | staticmethod):
        value = value.__func__
    kind = "method" if inspect.isfunction(value) else "attribute"
    signature = _signature(value) if kind == "method" else ""
    signature = re.sub(r"^\((self|cls)(, /)?(, )?", "(", signature)
    return _entry(kind, f"{owner}.{name}", signature, _sections(read(value)))


def _class(name: str, documented: Any) -> str:
    """Return the entries of a class and its members, or of a function that has no contract."""
    if not isinstance(documented, type):
        return _entry("function", name, _signature(documented), _sections(read(documented)))
    error = issubclass(documented, Exception)
    signature = "" if error else _signature(documented)
    entry = _entry("exception" if error else "class", name, signature, _sections(read(documented)))
    members = [_member(name, member, value) for member, value in _members(documented).items()]
    return "\n\n".join([entry, *members])


def _of(categories: tuple[str, ...]) -> list[str]:
    return [
        name
        for category in categories
        for name, contract in CONTRACTS.items()
        if contract.category == category
    ]


def _functions(title: str, categories: tuple[str, ...]) -> str:
    names = sorted(_of(categories))
    return "\n\n".join([f"# {title}", _HERE, _contents(names), *map(_function, names), ""])


def _contents(names: list[str]) -> str:
    rows = (f"| {linked(n)} | {_summary(CONTRACTS[n].public)} |" for n in names)
    return "\n".join(["| function | what it computes |", "|---|---|", *rows])


def _summary(documented: Any) -> str:
    return _prose(read(documented).summary).replace("|", "\\|")


def _index() -> str:
    """Return the page that leads to the others."""
    lines = [
        _OVERVIEW,
        "## Functions",
        "",
        *(
            f"- [{title}]({page}.md): {', '.join(map(linked, sorted(_of(found))))}"
            for page, (title, found) in GROUPS.items()
        ),
        "",
        "## Classes",
        "",
        *(
            f"- [{title}]({page}.md): {', '.join(map(linked, found))}"
            for page, (title, found) in CLASSES.items()
        ),
        "",
    ]
    return "\n".join(lines)


def _types() -> str:
    """Return the page of the aliases, to which signatures link."""
    entries = (
        _entry("type", name, "", iter([f"`{kind}`: {taken}."])) for name, kind, taken in aliases()
    )
    return "\n\n".join([f"# {TYPES[1]}", *entries, ""])


def titles() -> dict[str, str]:
    """Return the title of each page except the overview."""
    listed = {page: title for page, (title, _) in [*GROUPS.items(), *CLASSES.items()]}
    return listed | dict([TYPES])


def pages() -> dict[str, str]:
    """Return every page of the reference by its path among the sources of the site."""
    made = {f"{FOLDER}/index.md": _index()}
    for page, (title, categories) in GROUPS.items():
        made[f"{FOLDER}/{page}.md"] = _functions(title, categories)
    for page, (title, found) in CLASSES.items():
        entries = [_class(name, documented) for name, documented in found.items()]
        made[f"{FOLDER}/{page}.md"] = "\n\n".join([f"# {title}", _HERE, *entries, ""])
    made[f"{FOLDER}/{TYPES[0]}.md"] = _types()
    return made
