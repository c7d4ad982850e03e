"""Binding: contract + native function + array class -> a plain, almost free Python function."""

from arrayapi_unify.binding.contract import ALWAYS, CONTRACTS, Contract, DataDependent
from arrayapi_unify.binding.functions import not_rewritten
from arrayapi_unify.binding.namespace import binding_of, here, namespace_of
from arrayapi_unify.binding.public import (
    PublicFunction,
    compositional,
    mixed,
    primary,
    standalone,
)

__all__ = [
    "ALWAYS",
    "CONTRACTS",
    "Contract",
    "DataDependent",
    "PublicFunction",
    "binding_of",
    "compositional",
    "here",
    "mixed",
    "namespace_of",
    "not_rewritten",
    "primary",
    "standalone",
]
