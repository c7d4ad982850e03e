"""Binding: contract + native function + array class -> a plain, almost free Python function."""

from arrayapi_unify.binding.decorators import (
    PublicFunction,
    compositional,
    mixed,
    primary,
    standalone,
)
from arrayapi_unify.binding.namespace import binding_of, body_namespace, namespace_of
from arrayapi_unify.rendering.functions import no_autograph

__all__ = [
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
