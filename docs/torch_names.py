"""The page for programs of PyTorch: each function, and what has its meaning here, or why not."""

from __future__ import annotations

from typing import Final

from arrayapi_unify import nn
from docs.torch_tables import CLASSES, MISSING, NOTES, OTHER_MEANING, RENAMED, SAME, TENSOR

__all__ = ["render"]

_PAGE: Final = """# Migrating from PyTorch, name by name

Written by `python -m docs` from `docs/torch_tables.py`.

Functions have NumPy's and the standard's names and parameters: `axis` and `keepdims` instead of
`dim` and `keepdim`. They take tensors and return Arrays, whose `x.data` is the tensor. The
functions of this page are at the top level (`unify.concat`) and in each namespace (`xp.concat`,
`xp.nn.relu`). Classes are at the top level (`unify.nn.Linear`).

```python
import arrayapi_unify.torch as xp

x = xp.ones((2, 3))
y = xp.concat([x, x], axis=0)  # torch.cat([x, x], dim=0)
z = xp.expand_dims(y, axis=1)  # y.unsqueeze(1)
print(z.shape, type(z.data))
```

```text
(4, 1, 3) <class 'torch.Tensor'>
```

The main differences:

- Floats are float64 by default; `unify.set_default_dtype("float32")` changes that.
- Gradients are functions of functions, with no `backward` and no `requires_grad`:
  [Gradients](gradients.md). A Module's variables are an argument: [Modules](modules.md).
- Random numbers take a key: [Random numbers](random.md).
- Losses take the true values first. Images have their channels last by default.
- `Module.from_torch(layer)` converts a layer with its weights, `net.to_torch()` converts it back.

## Functions with another name

| PyTorch | here | remarks |
|---|---|---|
{renamed}

## Functions with the same name that differ

| PyTorch | here |
|---|---|
{differing}

## Functions with the same name

{same}

## Methods and attributes of tensors

Functions are methods of an Array, too. These have another form:

| tensor | Array |
|---|---|
{tensor}

## Layers

| PyTorch | here |
|---|---|
{classes}

Activations and losses are functions, also in a `Sequential`:
`unify.nn.Sequential(unify.nn.Linear(3, 4), unify.nn.relu)`.

## Functions without a counterpart

A star stands for any letters. `x.data` is the tensor, for PyTorch's own functions.

| PyTorch | reason, or what to use |
|---|---|
{missing}
"""


def _row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


def _placed(name: str) -> str:
    """Return the name of a function or class in the namespace that lists it."""
    return f"nn.{name}" if name.partition(".")[0] in nn.__all__ else name


def _same() -> str:
    """List the functions of the same name, without those that differ."""
    parts = []
    for prefix, names in SAME.items():
        here = prefix.removeprefix("torch.").removeprefix("nn.functional.")
        shown = [n for n in names.split() if f"{prefix}{n}" not in OTHER_MEANING]
        parts.append(f"`{prefix}*`: {', '.join(f'`{_placed(here + n)}`' for n in shown)}.")
    return "\n\n".join(parts)


def render() -> str:
    """Return the page."""
    return _PAGE.format(
        renamed="\n".join(
            _row(f"`{old}`", f"`{_placed(new)}`", NOTES.get(old, ""))
            for old, new in sorted(RENAMED.items())
        ),
        differing="\n".join(_row(f"`{name}`", text) for name, text in OTHER_MEANING.items()),
        same=_same(),
        tensor="\n".join(_row(f"`{name}`", text) for name, text in sorted(TENSOR.items())),
        classes="\n".join(
            _row(f"`{old}`", f"`{_placed(new)}`") for old, new in sorted(CLASSES.items())
        ),
        missing="\n".join(
            _row(", ".join(f"`{name}`" for name in names.split()), reason)
            for reason, names in MISSING.items()
        ),
    )
