"""Binding: contract + native function + array class -> a plain, almost free Python function."""

from arrayapi_unify.binding.contract import ALWAYS, CONTRACTS, Contract, DataDependent
from arrayapi_unify.binding.decorators import (
    PublicFunction,
    compositional,
    mixed,
    primary,
    standalone,
)
from arrayapi_unify.binding.functions import no_autograph
from arrayapi_unify.binding.namespace import binding_of, body_namespace, namespace_of

__all__ = [
    "ALWAYS",
    "CONTRACTS",
    "Contract",
    "DataDependent",
    "PublicFunction",
    "binding_of",
    "body_namespace",
    "compositional",
    "mixed",
    "namespace_of",
    "no_autograph",
    "primary",
    "standalone",
]
