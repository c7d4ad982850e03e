"""Write the files that are derived from the contracts: `python -m arrayapi_unify._generate`.

`array_object/mixins.pyi` and `container/methods.pyi` spell the derived methods out for type
checkers and editors, `_signatures.pyi` the functions, and `_namespace.pyi` the type of
`x.__array_namespace__()`. The modules of the bound namespaces come from the registry, those of the
versions of the standard from `_core/standard.py`.
`contracts/index.py` lists the functions of each category. With `--check` the command only says
whether the files are what it would write. A test runs the check.
"""

from __future__ import annotations

from pathlib import Path

import arrayapi_unify
from arrayapi_unify._generate.arrays import render
from arrayapi_unify._generate.containers import render_container
from arrayapi_unify._generate.functions import render_signatures
from arrayapi_unify._generate.namespaces import render_modules
from arrayapi_unify._generate.parts import GENERATED
from arrayapi_unify._generate.versions import render_versions
from arrayapi_unify.binding.array_class import method_names
from arrayapi_unify.contracts import CONTRACTS

__all__ = ["PATH", "main", "render"]

_ROOT = Path(arrayapi_unify.__file__).parent
PATH = _ROOT / "array_object" / "mixins.pyi"

_INDEX = """{generated}
FUNCTIONS: dict[str, str] = {{
{functions}}}
\"""The functions that each category defines, by their qualified names.\"""

METHODS: dict[str, str] = {{
{methods}}}
\"""Those that become methods of `Array`.\"""
"""


def _render_index() -> str:
    """Return the text of the file that says where each function is defined."""
    functions: dict[str, list[str]] = {}
    methods: dict[str, list[str]] = {}
    for name, contract in sorted(CONTRACTS.items()):
        functions.setdefault(contract.category, []).append(name)
        if names := method_names(contract):
            methods.setdefault(contract.category, []).extend(names)
    return _INDEX.format(
        generated=GENERATED, functions=_listed(functions), methods=_listed(methods)
    )


def _listed(table: dict[str, list[str]]) -> str:
    """Render a table of names, one line for each category."""
    return "".join(f'    "{c}": "{" ".join(names)}",\n' for c, names in sorted(table.items()))


def main(arguments: list[str]) -> int:
    """Write the stub files, or with `--check` compare them; return the exit code."""
    stale = 0
    texts = {
        PATH: render(),
        _ROOT / "_signatures.pyi": render_signatures(),
        _ROOT / "container" / "methods.pyi": render_container(),
        _ROOT / "contracts" / "index.py": _render_index(),
        **{_ROOT / name: text for name, text in (render_modules() | render_versions()).items()},
    }
    for path, text in texts.items():
        if path.exists() and path.read_text(encoding="utf-8") == text:
            continue
        if "--check" not in arguments:
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
        else:
            print(f"{path.name} is out of date; run: python -m arrayapi_unify._generate")
            stale = 1
    return stale
