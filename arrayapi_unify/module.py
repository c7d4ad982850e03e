"""Former names of the modules in `nn`, under which pickles know their classes; for reading only."""

import importlib as _importlib
import sys as _sys

_NOW = {
    "_module": "core.module",
    "_traversal": "core.traversal",
    "_variables": "core.variables",
    "adaptive_pooling": "layers.pooling",
    "attention": "layers.attention",
    "convolutional": "layers.convolutional",
    "group_normalization": "layers.normalization",
    "initializers": "training.initializers",
    "layers": "layers.linear",
    "normalization": "layers.normalization",
    "optimizers": "training.optimizers",
    "pooling": "layers.pooling",
    "recurrent": "layers.recurrent",
    "recurrent_cells": "layers.recurrent_cells",
    "resizing": "layers.convolutional",
    "schedules": "training.schedules",
    "structure": "layers.linear",
    "transformer": "layers.transformer",
}
__path__: list[str] = []
_importlib.import_module("arrayapi_unify.nn").__dir__()  # classes get their public names
for _before, _now in _NOW.items():
    _found = _importlib.import_module(f"arrayapi_unify.nn.{_now}")
    _sys.modules[f"{__name__}.{_before}"] = _found
