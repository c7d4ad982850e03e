"""The native function that looks rows up, of what selects along an axis."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from arrayapi_unify.backends.kernel import partial_mixed

__all__ = ["native_embedding"]


def native_embedding(
    take: Callable[..., Any], fits: Callable[[Any, Any], bool]
) -> Callable[[Any, Any], Any]:
    """Make `embedding`; `fits` says whether there are rows, and the indices are integers."""

    def embedding(weights: Any, indices: Any, /) -> Any:
        return take(weights, indices, axis=0)

    embedding.__doc__ = "Select rows, whatever the shape of the indices is."
    return partial_mixed(fits)(embedding)
