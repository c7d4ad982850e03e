"""The functions that are compared, and the reasons for exceptions."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any, Final

import pytest

from arrayapi_unify.contracts import CONTRACTS
from arrayapi_unify.contracts.annotations import ARRAY_ROLES, Role

__all__ = [
    "GIVE_NO_ARRAYS", "NOT_COMPARED", "compared", "groups", "parameters", "slow_but_first",
    "takes_arrays",
]  # fmt: skip

_STATE = "sets or reads the state of the process, which belongs to no backend"
_NEST = "takes nests of anything and no array; see tests/functional/test_nest.py"
_OF_FUNCTIONS = ("compilation", "control_flow", "gradients", "lazy", "nn.optimizers")
_DRAWS = "draws with hidden state, other numbers each time; see tests/functional/test_random.py"
_FUNCTIONS = (
    "takes functions, or nests of arrays; see test_gradients.py and others in tests/functional"
)
_NATIVE = "takes or returns what is a backend's own, and can't be the same; see its unit tests"

NOT_COMPARED: Final[Mapping[str, str]] = MappingProxyType(
    {
        **dict.fromkeys(
            [
                "set_backend", "unset_backend", "previous_backend", "current_backend_str",
                "current_backend", "get_backend", "set_verbosity", "use_backend",
                "set_default_dtype", "set_default_int_dtype", "set_default_float_dtype",
                "set_default_complex_dtype", "default_dtype", "default_int_dtype",
                "default_float_dtype", "default_complex_dtype", "default_device",
                "set_default_device", "num_gpus", "num_cpu_cores", "total_mem_on_dev",
                "used_mem_on_dev", "get_all_arrays_on_dev", "num_arrays_on_dev", "kinds",
                "overridable_functions",
                "functions_used",
            ],
            _STATE,
        ),
        **dict.fromkeys(
            [
                f"random.{name}"
                for name in (
                    "next_key", "randint", "random_normal", "random_uniform", "seed", "shuffle",
                )
            ],
            _DRAWS,
        ),
        **dict.fromkeys(
            [
                "isscalar", "exists", "default", "try_else_none", "arg_names", "match_kwargs",
                "cache_fn",
            ],
            "touches no array",
        ),
        **dict.fromkeys(
            [
                "as_native_dtype", "is_native_dtype", "as_unify_dtype", "to_native", "is_array",
                "is_native_array", "dev", "to_backend", "array_namespace", "portable",
                "__array_namespace_info__", "issubdtype",
            ],
            _NATIVE,
        ),
        **dict.fromkeys([n for n, c in CONTRACTS.items() if c.category == "nest"], _NEST),
        **dict.fromkeys(
            [
                n
                for n, c in CONTRACTS.items()
                if c.category in _OF_FUNCTIONS and c.kind == "standalone"
            ],
            _FUNCTIONS,
        ),
    }
)  # fmt: skip


# Functions of arrays with other results, so that there is nothing to trace.
GIVE_NO_ARRAYS: Final = frozenset(
    {
        "can_cast", "dtype", "finfo", "iinfo", "iscomplexobj", "ndim", "requires_gradient",
        "result_type", "shape", "size", "to_list", "to_numpy", "to_scalar",
    }
)  # fmt: skip


def takes_arrays(function: str) -> bool:
    """Return True if a function takes arrays outside of keys; `from_dlpack` takes any object."""
    roles = {p.role for p in CONTRACTS[function].parameters}
    return function == "from_dlpack" or bool(roles & (ARRAY_ROLES - {Role.KEY}))


def compared() -> list[str]:
    """Return the qualified names of all functions that are compared."""
    return [name for name in CONTRACTS if name not in NOT_COMPARED]


@functools.cache
def groups() -> Mapping[str, list[str]]:
    """Return the functions that are compared, by category."""
    found: dict[str, list[str]] = {}
    for name in compared():
        found.setdefault(CONTRACTS[name].category, []).append(name)
    return MappingProxyType(found)


def parameters(wanted: Callable[[str], bool] = lambda _: True) -> list[Any]:
    """Return the compared functions as a test's parameters, with their categories."""
    return [
        pytest.param(name, id=f"{category}-{name}")
        for category, names in groups().items()
        for name in names
        if wanted(name)
    ]


def slow_but_first(functions: Iterable[Any]) -> list[Any]:
    """Mark all functions except the first of each category as slow.

    Tracing or differentiating every function takes minutes: `tox -e tests` runs one function of
    each category, and `tox -e differential` all.
    """
    met: set[str] = set()
    found = []
    for function in functions:
        known = function if hasattr(function, "values") else pytest.param(function, id=function)
        category = CONTRACTS[known.values[0]].category
        found.append(
            pytest.param(*known.values, id=known.id, marks=pytest.mark.slow)
            if category in met
            else known
        )
        met.add(category)
    return found
