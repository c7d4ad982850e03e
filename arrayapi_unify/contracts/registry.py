"""The catalogue of contracts: a category's file is imported when one of its functions is used.

Defining all contracts takes a third of the time that NumPy's import takes; most programs use few
categories. `contracts.index`, which is generated, says where each function is defined. A function
that isn't in it yet is found anyway: then everything is imported.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator, MutableMapping
from typing import TYPE_CHECKING, Final

from arrayapi_unify.backends._common.protocols.module_getattr import category_files
from arrayapi_unify.contracts.index import FUNCTIONS

if TYPE_CHECKING:
    from arrayapi_unify.contracts.contract import Contract

__all__ = ["Catalog", "categories", "category_of", "path_of"]

_PACKAGE: Final = __name__.partition(".")[0]
# The packages of contracts, by the prefix of their categories: `nn.losses` is in the second.
_FOLDERS: Final = {"": f"{_PACKAGE}.functional", "nn.": f"{_PACKAGE}.nn.functional"}


def categories() -> list[str]:
    """List the categories: the public files in the packages of contracts."""
    return sorted(p + name for p, folder in _FOLDERS.items() for name in category_files(folder))


def category_of(module: str) -> str:
    """Return the category of a file of contracts by the name of its module; "" for other files."""
    folder, _, name = module.rpartition(".")
    return next((prefix + name for prefix, path in _FOLDERS.items() if path == folder), "")


def path_of(category: str) -> str:
    """Return the name of the module of a category."""
    prefix, dot, name = category.rpartition(".")
    return f"{_FOLDERS[prefix + dot]}.{name}"


class Catalog(MutableMapping[str, "Contract"]):
    """Every contract by its qualified name: `"add"`, `"linalg.svd"`.

    Iterating over it, or taking its length, imports every category. The contracts of a category are
    shown when all of its file has run: an import may be interrupted, and other threads look names
    up meanwhile.
    """

    def __init__(self) -> None:
        """Begin with nothing."""
        self._defined: dict[str, Contract] = {}
        self._arriving: dict[str, dict[str, Contract]] = {}  # by the module that defines them
        self._category = {name: c for c, names in FUNCTIONS.items() for name in names.split()}
        self._complete = False

    def load(self, category: str) -> None:
        """Define the functions of a category."""
        path = path_of(category)
        importlib.import_module(path)
        arrived = self._arriving.get(path)
        if arrived:
            # Two threads may come here, and neither goes on before the contracts are there.
            self._defined.update(arrived)
            self._arriving.pop(path, None)

    def lists(self, name: str) -> bool:
        """Return True if a function is in the index or has been defined; nothing is imported."""
        return name in self._category or name in self._defined

    def forward(self, name: str) -> str:
        """Return the qualified name of what the main namespace has, or forwards to `nn`."""
        there = f"nn.{name}"
        return there if there in self._category and name not in self._category else name

    def defined(self) -> list[Contract]:
        """List the contracts of what has been imported by now."""
        return list(self._defined.values())

    def __getitem__(self, name: str) -> Contract:
        """Return a contract; a KeyError says that no category has it."""
        found = self._defined.get(name)
        if found is None:
            self._find(name)
            found = self._defined[name]
        return found

    def __setitem__(self, name: str, contract: Contract) -> None:
        """File a contract."""
        module = contract.function.__module__
        if category_of(module):
            self._arriving.setdefault(module, {})[name] = contract
        else:
            self._defined[name] = contract

    def __delitem__(self, name: str) -> None:
        """Forget a contract."""
        del self._defined[name]

    def __iter__(self) -> Iterator[str]:
        """Go through all names, in the order of the index, whatever was imported first."""
        self._complete_all()
        defined = list(self._defined)
        listed = [name for name in self._category if name in self._defined]
        return iter([*listed, *(name for name in defined if name not in self._category)])

    def __len__(self) -> int:
        """Count all contracts."""
        self._complete_all()
        return len(self._defined)

    def _find(self, name: str) -> None:
        category = self._category.get(name)
        if category is not None:
            self.load(category)
        if name not in self._defined:
            self._complete_all()

    def _complete_all(self) -> None:
        if not self._complete:
            for category in categories():
                self.load(category)
            self._complete = True
