"""The page of the names that NumPy and jax.numpy share: what has them here, or why nothing does."""

from __future__ import annotations

from typing import Final

import numpy as np

import arrayapi_unify as unify
from arrayapi_unify._core.absent_names import MISSING
from arrayapi_unify.array_object.numpy_names import ALIASES, LINALG_ONLY
from arrayapi_unify.contracts import CONTRACTS
from arrayapi_unify.contracts.numpy_parameters import ELEMENTWISE, NOT_TAKEN, ORDERS

__all__ = ["MISSING", "TENSORFLOW", "TORCH", "render", "shared"]


def _expanded(prefix: str, names: str, renamed: dict[str, str]) -> dict[str, str]:
    """Return a library's names by NumPy's: the same ones, and the others."""
    return {**{name: prefix + name for name in names.split()}, **renamed}


TORCH: Final = _expanded(
    "torch.",
    """
    abs absolute acos acosh add all allclose amax amin angle any arange arccos arccosh arcsin
    arcsinh arctan arctan2 arctanh argmax argmin argsort argwhere asarray asin asinh atan atan2
    atanh atleast_1d atleast_2d atleast_3d bincount bitwise_and bitwise_left_shift bitwise_not
    bitwise_or bitwise_right_shift bitwise_xor broadcast_shapes broadcast_to can_cast ceil clip
    column_stack concat concatenate conj copysign corrcoef cos cosh count_nonzero cov cross
    cumprod cumsum deg2rad diag diagonal diff divide dot dsplit dstack einsum empty empty_like
    exp exp2 expm1 eye finfo flip fliplr flipud float_power floor floor_divide fmax fmin fmod
    from_dlpack full full_like gradient greater greater_equal heaviside histogram hsplit hstack
    hypot iinfo imag inner isclose isfinite isin isinf isnan isneginf isposinf kron less
    less_equal linspace log log10 log1p log2 logaddexp logical_and logical_not logical_or
    logical_xor logspace matmul maximum mean median meshgrid minimum moveaxis multiply
    nan_to_num nanmean nanmedian nanquantile nansum negative nextafter nonzero not_equal ones
    ones_like outer positive pow prod quantile rad2deg ravel real reciprocal remainder reshape
    result_type roll rot90 round searchsorted sign signbit sin sinc sinh sort split sqrt square
    squeeze stack std subtract sum swapaxes tan tanh tensordot tile trace trapezoid tril
    tril_indices triu triu_indices true_divide trunc unique unravel_index var vdot vsplit vstack
    where zeros zeros_like
    """,
    {
        "append": "torch.cat", "around": "torch.round", "array": "torch.tensor",
        "array_equal": "torch.equal", "array_split": "torch.tensor_split",
        "astype": "torch.Tensor.to", "bitwise_invert": "torch.bitwise_not",
        "broadcast_arrays": "torch.broadcast_tensors", "conjugate": "torch.conj",
        "copy": "torch.clone", "cumulative_prod": "torch.cumprod",
        "cumulative_sum": "torch.cumsum", "degrees": "torch.rad2deg",
        "digitize": "torch.bucketize", "equal": "torch.eq", "expand_dims": "torch.unsqueeze",
        "invert": "torch.bitwise_not", "left_shift": "torch.bitwise_left_shift",
        "max": "torch.amax", "min": "torch.amin", "mod": "torch.remainder",
        "pad": "torch.nn.functional.pad", "permute_dims": "torch.permute",
        "power": "torch.pow", "radians": "torch.deg2rad", "repeat": "torch.repeat_interleave",
        "right_shift": "torch.bitwise_right_shift", "rint": "torch.round", "size": "torch.numel",
        "take": "torch.index_select", "take_along_axis": "torch.take_along_dim",
        "transpose": "torch.permute", "unique_values": "torch.unique", "unstack": "torch.unbind",
        "vecdot": "torch.linalg.vecdot",
    },
)  # fmt: skip
"""PyTorch's function of the same meaning, apart from the names of parameters."""

TENSORFLOW: Final = {
    **_expanded(
        "tf.",
        """
        abs acos acosh add argmax argmin argsort asin asinh atan atan2 atanh broadcast_to concat cos
        cosh cumsum divide einsum equal exp expand_dims eye floor greater greater_equal less
        less_equal linspace logical_and logical_not logical_or matmul maximum meshgrid minimum
        multiply negative not_equal ones ones_like pad pow repeat reshape roll round searchsorted
        shape sign sin sinh size sort split sqrt square squeeze stack subtract tan tanh tensordot
        tile transpose unique unravel_index unstack where zeros zeros_like
        """,
        {
            "absolute": "tf.abs", "all": "tf.reduce_all", "amax": "tf.reduce_max",
            "amin": "tf.reduce_min", "any": "tf.reduce_any", "arange": "tf.range",
            "arccos": "tf.acos", "arccosh": "tf.acosh", "arcsin": "tf.asin",
            "arcsinh": "tf.asinh", "arctan": "tf.atan", "arctan2": "tf.atan2",
            "arctanh": "tf.atanh", "argwhere": "tf.where", "around": "tf.round",
            "array": "tf.convert_to_tensor", "asarray": "tf.convert_to_tensor",
            "astype": "tf.cast", "broadcast_shapes": "tf.broadcast_static_shape",
            "clip": "tf.clip_by_value", "concatenate": "tf.concat", "copy": "tf.identity",
            "cumulative_sum": "tf.cumsum", "digitize": "tf.searchsorted", "flip": "tf.reverse",
            "full": "tf.fill", "max": "tf.reduce_max", "mean": "tf.reduce_mean",
            "min": "tf.reduce_min", "permute_dims": "tf.transpose", "power": "tf.pow",
            "prod": "tf.reduce_prod", "sum": "tf.reduce_sum", "take": "tf.gather",
            "true_divide": "tf.divide",
        },
    ),
    **_expanded(
        "tf.math.",
        """
        angle bincount ceil conj count_nonzero cumprod expm1 imag log log1p logical_xor nextafter
        real reciprocal rint
        """,
        {
            "conjugate": "tf.math.conj", "cumulative_prod": "tf.math.cumprod",
            "floor_divide": "tf.math.floordiv", "isfinite": "tf.math.is_finite",
            "isinf": "tf.math.is_inf", "isnan": "tf.math.is_nan", "mod": "tf.math.floormod",
            "remainder": "tf.math.floormod", "std": "tf.math.reduce_std",
            "var": "tf.math.reduce_variance",
        },
    ),
    **_expanded("tf.linalg.", "cross diag matrix_transpose trace", {}),
    **_expanded(
        "tf.bitwise.",
        "bitwise_and bitwise_or bitwise_xor invert left_shift right_shift",
        {
            "bitwise_invert": "tf.bitwise.invert", "bitwise_not": "tf.bitwise.invert",
            "bitwise_left_shift": "tf.bitwise.left_shift",
            "bitwise_right_shift": "tf.bitwise.right_shift",
        },
    ),
}  # fmt: skip
"""TensorFlow's function of the same meaning, apart from the names of parameters."""

_NOTES: Final = {
    "astype": "NumPy's also casts a complex array to a real data type.",
    "dtype": "NumPy's is the class of data types.",
    "equal": "`torch.equal` is `array_equal`.",
    "logspace": "Here the base stands before the axis: B18 (docs/behaviours.md).",
    "max": "`torch.max` with an axis returns the indices, too.",
    "median": "PyTorch's is the lower one of two medians.",
    "min": "`torch.min` with an axis returns the indices, too.",
    "repeat": "`torch.Tensor.repeat` is `tile`.",
    "select": "`torch.select` is an index.",
    "size": "`torch.Tensor.size` is the shape.",
    "split": (
        "A number is that of the parts in NumPy and TensorFlow, and their size in PyTorch; a list "
        "has the places of cuts in NumPy, and sizes in the others. Here a list is taken by name."
    ),
    "std": "PyTorch divides by one less.",
    "take": "`torch.take` takes from the flattened array.",
    "trace": "TensorFlow's sums the last two axes, as `linalg.trace` does.",
    "cross": "PyTorch's and TensorFlow's are `linalg.cross`.",
    "transpose": "`torch.transpose` is `swapaxes`.",
    "unique": "TensorFlow's are in the order of their first occurrence.",
    "var": "PyTorch divides by one less.",
}
"""Other meanings of a name in another library."""

_PAGE: Final = """# Migrating from NumPy, name by name

Written by `python -m docs` from `arrayapi_unify/array_object/numpy_names.py` and the contracts.

Programs for NumPy need another import and few changes:

```python
import arrayapi_unify as np

x = np.asarray([[1.0, 2.0], [3.0, 4.0]])
print(np.concatenate([x, x], axis=1).shape, x.mean(axis=0), np.linalg.norm(x, axis=1) > 3)
```

```text
(2, 4) unify.array([2., 3.]) unify.array([False,  True])
```

The changes that most programs need:

| NumPy | here |
|---|---|
| `rng.normal(size=3)` | `random.normal(random.key(0), 3)` ([Random numbers](random.md)) |
| `np.save`, `np.load` | `Container.save` ([Files](containers.md#saving-and-loading)) |
| `np.vectorize`, `np.apply_along_axis` | `vmap` ([Gradients](gradients.md)) |
| `x.astype(int)` | the same; data types are `unify.int64` and so on, or their names |
| NumPy arrays for a library | `numpy.asarray(x)` ([Interoperability](interop.md)) |

Each name that NumPy and jax.numpy share is on this page. A function has NumPy's name and meaning
on every backend, or nothing has the name: `hasattr(xp, name)` decides. Functions take NumPy's
parameters, in NumPy's order behind those of the standard. Parameters for arrays are positional
only, and `subok`, `casting` and `like` aren't taken. `order` is "C", "A" or "K"; "F" is refused.

Another name of a function is the same object: `xp.{alias} is xp.{target}`. Functions are methods of
arrays, too; Containers have them as static forms only (`Container.static_{alias}`), since their
methods would hide keys. Array attributes (`x.flat`, `x.real`, `x.size`) are as NumPy's.

## Functions

The names of PyTorch and TensorFlow are those of the nearest function; its parameters may differ.

{functions}

Data types (`float32`, ...) and constants (`pi`, `e`, `inf`, `nan`, `newaxis`) have the same names,
too. `linalg` has the functions of the standard and those of NumPy and SciPy that are missed most:
{linalg}; they are no methods. `fft` has the functions of the standard.

## Missing names

{missing}

## Parameters

A function takes the parameters that the standard gives it, and those that NumPy's function of the
same name has: `sum(x, 0)`, `std(x, ddof=1)`, `round(x, 2)`, `x.reshape(3, 1)`. `inspect.signature`
and the documentation show those of the standard; type checkers know both. A class that overrides
functions gets an argument under the standard's name if there is one: `correction=1` for `ddof=1`.
The exceptions:

- `logspace` takes `base` and `axis` by position behind `num`.
- `split(x, 3)` takes a number of parts by position, and a list by name only: `indices_or_sections=`
  for NumPy's indices, `num_or_size_splits=` for sizes. `np.split(x, [3, 6])` cuts as always.
- `linalg.lstsq` returns residuals for a matrix of lower rank, too: shapes don't depend on values.
- `zeros(2, 3)` is an error, as in NumPy: the shape is one tuple.

The parameters behind those that each function requires, in NumPy's order. NumPy takes those after a
semicolon by keyword only:

{parameters}

Not taken:

{not_taken}
"""


def shared() -> list[str]:
    """Return the names of our functions that NumPy has, too; jax.numpy then has them as well."""
    names = {name for name in CONTRACTS if "." not in name} | ALIASES.keys()
    return sorted(n for n in names if hasattr(np, n) and not n.startswith("_"))


def _row(name: str) -> str:
    contract = getattr(unify, name).contract
    summary = (contract.function.__doc__ or "").partition("\n")[0]
    meaning = " ".join([summary, *filter(None, [_NOTES.get(name)])]).replace("|", "\\|")
    here = contract.qualified_name
    others = [f"`{table[name]}`" if name in table else "" for table in (TORCH, TENSORFLOW)]
    return f"| `{name}` | {' | '.join(others)} | `{here}` | {meaning} |"


def _parameters() -> str:
    """Render the table of NumPy's parameters, functions with the same ones in one row."""
    rows: dict[str, list[str]] = {}
    for name, order in ORDERS.items():
        if order:
            rows.setdefault(order, []).append(f"`{name}`")
    rows.setdefault(ELEMENTWISE, []).append("other elementwise functions")
    lines = [f"| {', '.join(names)} | {_shown(order)} |" for order, names in rows.items()]
    return "\n".join(["| functions | parameters |\n|---|---|", *lines])


def _shown(order: str) -> str:
    """Render NumPy's parameters of an entry of `ORDERS`."""
    positions, comma, keywords = order.partition(",")
    shown = [
        ", ".join(f"`{_plain(item)}`" for item in part.split()) for part in (positions, keywords)
    ]
    return f"{shown[0] or 'none'}; {shown[1]}" if comma else shown[0]


def _plain(item: str) -> str:
    return item.partition("=")[0].rstrip("?*~")


def render() -> str:
    """Return the page."""
    columns = "| NumPy and JAX | PyTorch | TensorFlow | here | what it computes |"
    missing = (
        f"| {', '.join(f'`{name}`' for name in names.split())} | {reason} |"
        for reason, names in MISSING.items()
    )
    return _PAGE.format(
        alias="arccos",
        linalg=", ".join(f"`{name}`" for name in sorted(LINALG_ONLY)),
        target="acos",
        functions="\n".join([columns, "|---" * 5 + "|", *map(_row, shared())]),
        missing="\n".join(["| names | reason |\n|---|---|", *missing]),
        parameters=_parameters(),
        not_taken="\n".join(f"- {names}: {reason}." for names, reason in NOT_TAKEN.items()),
    )
