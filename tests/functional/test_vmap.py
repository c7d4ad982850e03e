"""B69: vectorized functions compared with NumPy's row by row: writes, checks, nesting."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import arrayapi_unify as unify
from arrayapi_unify.errors import UnifyError, UnifyIndexError, UnifyValueError
from tests.functional.differentiating import on_each as on_each, same

ROWS = np.array([[1.0, 3.0, 2.0], [6.0, 4.0, 5.0]])
INTEGERS = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")


# --- functions that a library's vectorization once got wrong -------------------------------------


@pytest.mark.parametrize(
    ("function", "wanted"),
    [
        (
            lambda xp, v: xp.pad(v, 1, constant_values=5.0),
            lambda v: np.pad(v, 1, constant_values=5),
        ),
        (
            lambda xp, v: xp.cumulative_prod(v, include_initial=True),
            lambda v: np.concatenate([[1.0], np.cumprod(v)]),
        ),
        (lambda xp, v: xp.take_along_axis(v, xp.argsort(v)), np.sort),
        (lambda xp, v: xp.nanmedian(v), np.median),
        (lambda xp, v: xp.lexsort((v, v)), np.argsort),
        (lambda xp, v: 2 ** xp.astype(v, xp.int64), lambda v: 2 ** v.astype(int)),
        (lambda xp, v: xp.astype(v, xp.int64) ** 2, lambda v: v.astype(int) ** 2),
    ],
    ids=["pad", "cumulative_prod", "take_along_axis", "nanmedian", "lexsort", "2**k", "k**2"],
)
def test_as_row_by_row(function: Any, wanted: Any, on_each: ModuleType) -> None:
    found = unify.vmap(lambda v: function(on_each, v))(on_each.asarray(ROWS))
    same(found, np.stack([wanted(row) for row in ROWS]))


def test_checks_look_at_all_rows(on_each: ModuleType) -> None:
    if on_each.__unify_backend__ == "torch":  # the others trace, without values
        k = on_each.asarray([[0, 1], [0, 3]])
        with pytest.raises(UnifyIndexError, match="holds 3, but axis 0 has size 2"):
            unify.vmap(lambda k: on_each.take_along_axis(k, k))(k)
        with pytest.raises(UnifyValueError, match="holds a negative integer"):
            unify.vmap(lambda k: 2**k)(on_each.asarray([1, -1]))
    singular = on_each.asarray([[[1.0, 0.0], [0.0, 1.0]], [[np.nan, 0.0], [0.0, 1.0]]])
    if on_each.__unify_backend__ != "jax":
        with pytest.raises(UnifyValueError, match=r"NaN|finite|infinit"):
            unify.vmap(on_each.linalg.eigvalsh)(singular)


# --- writes --------------------------------------------------------------------------------------


def item(xp: Any, v: Any) -> Any:
    b = xp.zeros(3)
    b[0] = v[1]
    return b


def item_of_view(xp: Any, v: Any) -> Any:
    b = xp.zeros(4)
    c = b[1:]
    c[0] = v[1]
    b[3] = v[0] * 2.0
    return b


def read_by_views(xp: Any, v: Any) -> Any:
    b = xp.zeros(4)
    c, d = b[1:], xp.reshape(b, (4, 1)) if xp is not np else b.reshape(4, 1)
    b[1:] = v
    return b * 0.0 + c[0] + d[2, 0]


def negative_step(xp: Any, v: Any) -> Any:
    b = xp.zeros(3)
    c = b[::-1]
    c[0] = v[0]
    return b


def mask(xp: Any, v: Any) -> Any:
    b = xp.zeros(3)
    b[v > 2.5] = 7.0
    return b


def index_array(xp: Any, v: Any) -> Any:
    b = xp.zeros(3)
    b[xp.asarray([2, 0])] = v[:2]
    return b


def augmented(xp: Any, v: Any) -> Any:
    b = xp.ones((2, 3))
    b[1] += v
    b *= 2.0
    b[:, 1:] -= v[1:]
    return b


def to_row(xp: Any, v: Any) -> Any:
    b = xp.zeros((2, 3))
    r = b[0]
    r[...] = v
    b[1, 0] = v[1]
    return b


def by_mapped_index(xp: Any, v: Any) -> Any:
    k = xp.argmax(v)
    b = xp.zeros(3)
    b[k] = v[0]
    v[k] = -1.0
    return b + v


def mask_of_element(xp: Any, v: Any) -> Any:
    x = v[0] * 1.0 if xp is not np else np.array(v[0])
    x[x > 2] = 0.0
    return x


def in_checkpoint(xp: Any, v: Any) -> Any:
    def write(x: Any) -> Any:
        x[0] = x[1] * 2
        return x

    b = v * 1.0
    (write if xp is np else unify.checkpoint(write))(b)
    return b


WRITES = [
    item, item_of_view, read_by_views, negative_step, mask, index_array, augmented, to_row,
    by_mapped_index, mask_of_element, in_checkpoint,
]  # fmt: skip


@pytest.mark.parametrize("function", WRITES, ids=lambda f: f.__name__)
def test_write(function: Callable[..., Any], on_each: ModuleType) -> None:
    """Arrays that the function made take values of the rows."""
    x = on_each.asarray(ROWS)
    wanted = np.stack([function(np, row.copy()) for row in ROWS])
    same(unify.vmap(lambda v: function(on_each, v))(x), wanted)
    twice = unify.vmap(unify.vmap(lambda v: function(on_each, v)))(on_each.asarray([ROWS, ROWS]))
    same(twice, np.stack([wanted, wanted]))
    same(x, ROWS)


def test_rows_of_two_sizes(xp: ModuleType) -> None:
    x = xp.asarray([[1.0, -2.0], [3.0, 4.0]])
    cause = r"of shape (\(1,\) and \(2,\)|\(nan,\)) for two rows|is being traced"
    with pytest.raises(UnifyError, match=cause):
        unify.vmap(lambda v: v[v > 0])(x)


@pytest.mark.parametrize("dtype", INTEGERS)
def test_write_at_a_mapped_index(dtype: str, on_each: ModuleType) -> None:
    def write(v: Any, k: Any) -> Any:
        v[k] = -1.0
        return v

    k = on_each.asarray(np.array([0, 2], dtype))
    same(unify.vmap(write)(on_each.asarray(ROWS), k), [[-1.0, 3.0, 2.0], [6.0, 4.0, -1.0]])


@pytest.mark.slow_on("tensorflow")
def test_write_between_levels(on_each: ModuleType) -> None:
    """Each of two arguments is mapped by another one of two nested functions."""

    def write(v: Any, k: Any) -> Any:
        b = on_each.zeros(3) + v
        b[k] = v[0]
        return b

    f = unify.vmap(unify.vmap(write, in_axes=(None, 0)), in_axes=(0, None))
    wanted = ROWS[:, None, :].repeat(3, 1)
    for k in range(3):
        wanted[:, k, k] = ROWS[:, 0]
    same(f(on_each.asarray(ROWS), on_each.arange(3)), wanted)


# --- arrays from outside -------------------------------------------------------------------------


def writing(outside: Any) -> Callable[[Any], Any]:
    def write(v: Any) -> Any:
        outside[0] = v[0]
        return unify.sum(outside * v)

    return write


TRANSFORMED: dict[str, Callable[[Any, Any], Any]] = {
    "vmap": lambda f, x: unify.vmap(f)(unify.stack([x, x])),
    "grad": lambda f, x: unify.grad(f)(x),
    "jvp": lambda f, x: unify.jvp(f, (x,), (x,)),
    "hessian": lambda f, x: unify.hessian(f)(x),
    "checkpoint": lambda f, x: unify.checkpoint(f)(x),
    "compile": lambda f, x: unify.compile(f)(x),
    "compile_graph": lambda f, x: unify.compile_graph(f, x)(x),
    "scan": lambda f, x: unify.compile(
        lambda x: unify.scan(lambda c, r: (c + f(r), None), 0.0, unify.stack([x, x]))[0]
    )(x),
    "cond": lambda f, x: unify.compile(lambda x: unify.cond(x[0] > 0, f, f, x))(x),
}


@pytest.mark.parametrize("way", TRANSFORMED)
@pytest.mark.parametrize("by_view", [False, True], ids=["itself", "view"])
def test_array_from_outside_keeps_no_traced_value(
    way: str, by_view: bool, on_each: ModuleType
) -> None:
    """It is written to as by an eager call, or the function is refused and changes nothing."""
    if on_each.__unify_backend__ == "torch" and way != "vmap":
        return  # PyTorch's tensors keep their values there, or compiling takes long
    outside, x = on_each.zeros(3), on_each.asarray([2.0, 3.0, 4.0])
    f = writing(outside[:2][:1] if by_view else outside)
    if by_view:
        f = lambda v, f=f: f(v[:1])  # noqa: E731  # one element is written to and read
    derives = ("grad", "jvp", "hessian", "checkpoint")  # TensorFlow's tensors have values there
    if on_each.__unify_backend__ == "tensorflow" and way in derives:
        TRANSFORMED[way](f, x)
        same(outside, [2.0, 0.0, 0.0])
        return
    with pytest.raises(UnifyError, match="writes to an array from outside"):
        TRANSFORMED[way](f, x)
    same(outside, [0.0, 0.0, 0.0])


def test_array_of_a_cycle_is_the_functions_own(on_each: ModuleType) -> None:
    def function(v: Any) -> Any:
        b = on_each.zeros(3)
        holder: list[Any] = [b]
        holder.append(holder)
        b[0] = v[0]
        return b

    same(unify.vmap(function)(on_each.asarray(ROWS)), [[1.0, 0.0, 0.0], [6.0, 0.0, 0.0]])


# --- results that depend on no row ---------------------------------------------------------------


@pytest.mark.parametrize("dtype", ["bool", *INTEGERS, "float32", "complex64"])
def test_result_without_rows(dtype: str, on_each: ModuleType) -> None:
    known = on_each.asarray(np.array([1, 0, 3]), dtype=getattr(on_each, dtype))
    x = on_each.asarray(ROWS)
    made, closure, given = unify.vmap(
        lambda v, k: (on_each.ones(2, dtype=k.dtype), known, k), in_axes=(0, None)
    )(x, known)
    wanted = np.stack([np.asarray(known)] * 2)
    for found in (closure, given):
        assert found.dtype is known.dtype
        np.testing.assert_array_equal(np.asarray(found), wanted)
    assert made.dtype is known.dtype
    np.testing.assert_array_equal(np.asarray(made), np.ones((2, 2)))


# --- with other transformations ------------------------------------------------------------------


class TestCombined:
    def test_gradient_of_norms(self, on_each: ModuleType) -> None:
        x, w = on_each.asarray(ROWS), on_each.asarray(2.0)
        norm = on_each.linalg.vector_norm
        slope = unify.grad(lambda w: on_each.sum(unify.vmap(lambda r: norm(w * r))(x)))(w)
        same(slope, np.sum(np.linalg.norm(ROWS, axis=1)))

    @pytest.mark.slow_on("tensorflow")
    def test_of_single_elements(self, on_each: ModuleType) -> None:
        f = unify.vmap(
            unify.vmap(lambda v: (on_each.argmax(v), on_each.special.gamma(v), on_each.exp(v * 1j)))
        )
        position, gamma, power = f(on_each.asarray(ROWS))
        same(position, np.zeros((2, 3)))
        same(gamma, [[1.0, 2.0, 1.0], [120.0, 6.0, 24.0]])
        same(power, np.exp(ROWS * 1j))

    @pytest.mark.slow_on("tensorflow")
    def test_of_matrices(self, on_each: ModuleType) -> None:
        x = np.array([[[[0.0, 1.0], [0.0, 0.0]]], [[[0.0, 0.0], [3.0, 0.0]]]])
        expm = unify.vmap(unify.vmap(on_each.linalg.expm))
        same(expm(on_each.asarray(x)), x + np.eye(2))  # their squares are zero

    def test_unmapped_argument(self, on_each: ModuleType) -> None:
        f = unify.vmap(unify.vmap(on_each.nn.mse, in_axes=(0, None)), in_axes=(None, 0))
        wanted = [[np.mean((row - t) ** 2) for row in ROWS] for t in ROWS[:, 0]]
        same(f(on_each.asarray(ROWS), on_each.asarray(ROWS[:, 0])), wanted)

    def test_checkpoint(self, on_each: ModuleType) -> None:
        f = unify.checkpoint(lambda r: unify.sum(unify.sin(r) ** 2))
        x = on_each.asarray(ROWS)
        same(unify.vmap(unify.grad(f))(x), np.sin(2 * ROWS))
        same(unify.grad(lambda x: unify.sum(unify.vmap(f)(x)))(x), np.sin(2 * ROWS))
        second = unify.grad(lambda x: unify.sum(unify.grad(f)(x)))(on_each.asarray(ROWS[0]))
        same(second, 2 * np.cos(2 * ROWS[0]))


@pytest.mark.parametrize("write", ["v /= 2", "v[0] = 7.0", "v += v"])
def test_writes_after_a_use_that_is_differentiated(on_each: ModuleType, write: str) -> None:
    """The derivative needs the rows as they were."""
    names: dict[str, Any] = {"xp": on_each}
    exec(f"def row(v):\n    ret = xp.sum(v * v)\n    {write}\n    return ret", names)
    x = on_each.asarray([[1.0, 2.0], [3.0, 4.0]])
    found = unify.grad(lambda x: on_each.sum(unify.vmap(names["row"])(x)))(x)
    assert found.tolist() == [[2.0, 4.0], [6.0, 8.0]]


WRITTEN = {
    "v[::2] *= 2": [2, 1, 2],
    "v[1:] *= 2": [1, 2, 2],
    "v[0] = v[1] * 2": [0, 3, 1],
    "w = v[::2]; w *= 2": [2, 1, 2],
}


@pytest.mark.parametrize("write", WRITTEN)
def test_derivatives_of_writes_to_views(on_each: ModuleType, write: str) -> None:
    """Elements that aren't written to have derivatives, too."""
    names: dict[str, Any] = {}
    exec(f"def row(v):\n    {write}\n    return v", names)
    x = on_each.asarray([[1.0, 2.0, 5.0], [3.0, 4.0, 6.0]])
    found = unify.grad(lambda x: on_each.sum(unify.vmap(names["row"])(x)))(x)
    assert found.tolist() == [WRITTEN[write]] * 2


def test_branches_of_several_results(on_each: ModuleType) -> None:
    """`torch.cond` gives one result of mapped rows."""
    function = unify.vmap(
        lambda v: unify.cond(v[0] > 0, lambda v: (v, v[1]), lambda v: (v * 2, v[0]), v)
    )
    rows, ends = function(on_each.asarray([[1.0, 2.0], [-3.0, 4.0]]))
    assert (rows.tolist(), ends.tolist()) == ([[1.0, 2.0], [-6.0, 8.0]], [2.0, -3.0])
