"""`python -m tests.differential`: list every distinct difference of a backend.

    python -m tests.differential --backend torch --function add --examples 500
    python -m tests.differential --backend jax --category elementwise
    python -m tests.differential --backend torch --partial     (an incomplete backend)

Differences are distinct by function, kind of mismatch and data types; the shortest call is shown.
The exit code is 1 if there is any.
"""

from __future__ import annotations

import argparse
import sys
from contextlib import ExitStack
from types import ModuleType
from typing import Any

from hypothesis import HealthCheck, Phase, given, seed, settings

from arrayapi_unify.binding import namespace, namespace_of
from arrayapi_unify.contracts import CONTRACTS, Contract
from arrayapi_unify.errors import BackendError
from tests import immutable_backend
from tests.differential.arguments import cases
from tests.differential.case import ArrayArg, Case, leaves
from tests.differential.check import difference, report
from tests.differential.coverage import compared


class PartialBinding(namespace.Binding):
    """A binding of a backend under construction: missing functions raise at their call."""

    def _native(self, contract: Contract) -> Any:
        try:
            return super()._native(contract)
        except (BackendError, ImportError) as error:
            reason = f"{contract.qualified_name} is missing on {self.name}: {error}"

        def missing(*args: Any, **kwargs: Any) -> Any:
            raise NotImplementedError(reason)

        return missing


def _key(case: Case, what: str, error: str | None) -> tuple[str, ...]:
    kinds = [
        leaf.values.dtype.name if isinstance(leaf, ArrayArg) else type(leaf).__name__
        for leaf in leaves([*case.args, *case.kwargs.values()])
        if isinstance(leaf, ArrayArg | int | float | complex)
    ]
    return (case.function, what.partition(",")[0], error or "", *kinds[:2])


def explore(
    function: str, xp: ModuleType, examples: int, start: int, by_dtype: bool
) -> dict[tuple[str, ...], str]:
    """Return the shortest report of each distinct difference of one function."""
    found: dict[tuple[str, ...], str] = {}

    @seed(start)
    @settings(
        max_examples=examples,
        phases=[Phase.generate],
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(cases(function))
    def try_one(case: Case) -> None:
        differs = difference(case, xp)
        if differs is None:
            return
        key = _key(case, differs[0], differs[2].error_class)
        key = key if by_dtype else key[:3]
        text = report(case, xp, differs)
        if key not in found or len(text) < len(found[key]):
            found[key] = text

    try_one()
    return found


def _functions(options: argparse.Namespace) -> list[str]:
    chosen = options.function or compared()
    if options.category:
        chosen = [f for f in chosen if CONTRACTS[f].category in options.category]
    return list(chosen)


def _arguments(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.differential", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--backend", required=True)
    parser.add_argument("--function", nargs="*", help="qualified names; all if none is given")
    parser.add_argument("--category", nargs="*")
    parser.add_argument("--examples", type=int, default=100, help="per function (100)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--partial", action="store_true", help="allow missing functions")
    parser.add_argument("--by-dtype", action="store_true", help="one report per pair of dtypes")
    return parser.parse_args(arguments)


def main(arguments: list[str]) -> int:
    """Explore, print, and return the exit code."""
    options = _arguments(arguments)
    with ExitStack() as stack:
        if options.backend == immutable_backend.NAME:
            stack.enter_context(immutable_backend.registered())
        if options.partial:
            namespace.Binding = PartialBinding  # type: ignore[misc]  # for this process only
        xp = namespace_of(options.backend)
        total = 0
        for function in _functions(options):
            found = explore(function, xp, options.examples, options.seed, options.by_dtype)
            for text in found.values():
                print(f"\n{function}: {text}", flush=True)
            total += len(found)
    print(f"\n{total} distinct differences of {options.backend} from numpy")
    return 1 if total else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
