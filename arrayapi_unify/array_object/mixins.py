"""One mixin per category; their methods come from the contracts.

A contract that takes an array becomes a method of its category's mixin (`add_method` in
`binding.array_class`). `mixins.pyi` has the derived methods for type checkers and editors:
`python -m arrayapi_unify._generate` writes it, and a test compares.
"""

from __future__ import annotations

from typing import Final

__all__ = ["MIXINS", "ArrayMethods"]

_METHODS: Final = {
    "creation": "the creation functions that start from an array (`x.zeros_like()`)",
    "data_type": "the data type functions (`x.astype(dtype)`)",
    "device": "the device functions (`x.to_device(device)`)",
    "einops": "the functions of einops (`x.einops_rearrange('a b -> b a')`)",
    "elementwise": "the elementwise functions (`x.sin()`)",
    "fft": "the Fourier transforms (`x.rfft()`)",
    "general": "the general functions (`x.to_numpy()`)",
    "gradients": "the derivatives that take an array (`x.stop_gradient()`)",
    "indexing": "the indexing functions (`x.take(indices)`)",
    "linalg": "the linear algebra extension (`x.svd()`)",
    "linear_algebra": "the linear algebra functions of the main namespace (`x.matmul(y)`)",
    "manipulation": "the manipulation functions (`x.reshape(shape)`)",
    "nn.activations": "the activation functions (`x.softmax()`)",
    "nn.convolutions": "the convolutions and resizing (`x.conv2d(filters)`)",
    "nn.layers": "the functions that layers compute (`x.linear(weight)`)",
    "nn.losses": "the loss functions (`true.cross_entropy(pred)`, `true.mse(pred)`)",
    "nn.norms": "the normalizations (`x.layer_norm(-1)`, `x.group_norm(2)`)",
    "nn.pooling": "pooling, over windows and to a size (`x.max_pool2d(2)`)",
    "nn.recurrent": "the recurrent layers (`x.rnn_cell(h, kernel, recurrent_kernel)`)",
    "searching": "the searching functions (`x.argmax()`)",
    "set": "the set functions (`x.unique_values()`)",
    "sorting": "the sorting functions (`x.sort()`)",
    "statistical": "the statistical functions (`x.mean()`)",
    "utility": "the utility functions (`x.any()`)",
}


def _mixin(category: str, methods: str) -> type:
    """Make `ArrayWithLinearAlgebra` for `linear_algebra`, `ArrayWithLosses` for `nn.losses`."""
    name = "ArrayWith" + category.rpartition(".")[2].title().replace("_", "")
    doc = f"Methods of {methods}."
    return type(name, (), {"__slots__": (), "__doc__": doc, "__module__": __name__})


MIXINS: Final = {category: _mixin(category, methods) for category, methods in _METHODS.items()}
"""The mixin of each category."""

ArrayMethods = type("ArrayMethods", tuple(MIXINS.values()), {"__slots__": ()})
"""All of them, from which `Array` inherits."""
