"""Operators of `Container`, and structures that are compatible but not identical."""

from __future__ import annotations

import operator
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import arrayapi_unify as unify
from arrayapi_unify import Container
from arrayapi_unify.array_object.operators import ARITHMETIC, COMPARISON, UNARY
from arrayapi_unify.errors import StructureError, UnifyError, UnifyTypeError

X = {"a": {"b": 2, "c": 4}, "d": {"e": 6, "f": 8}}
Y = {"a": 2, "d": 3}
Z = {"a": {"b": 10, "c": {"g": 11, "h": 12}}, "d": {"e": 13, "f": 14}}
SUMS = {"a": {"b": 14, "c": {"g": 17, "h": 18}}, "d": {"e": 22, "f": 25}}


def made(nest: dict[str, Any], leaf: Any) -> Container:
    return Container(nest).map(lambda value, key_chain: leaf(value))


def numbers(c: Any) -> Any:
    """The Container as dicts of Python numbers."""
    return c.map(lambda v, k: unify.to_list(v) if unify.is_array(v) else v).to_dict()


SIX = np.arange(6.0).reshape(2, 3)
VIEWS: dict[str, Callable[[Any], Any]] = {
    "row": lambda x: x[1],
    "reversed": lambda x: x[:, ::-1],
    "transposed": lambda x: x.T,
    "part of the reversed": lambda x: x[::-1].T[1:],
}
LEAVES = {
    "scalars": lambda xp: lambda v: v,
    "arrays": lambda xp: lambda v: xp.asarray(v),
    "natives": lambda xp: lambda v: xp.asarray(v).data,
}


@pytest.mark.parametrize("kind", list(LEAVES))
class TestSharedStructure:
    """B12: shared structures."""

    def test_divides(self, xp: ModuleType, kind: str) -> None:
        x, y = (made(nest, LEAVES[kind](xp)) for nest in (X, Y))
        got = numbers(x / y)
        assert got["a"] == {"b": 1.0, "c": 2.0}
        assert got["d"] == {"e": 2.0, "f": pytest.approx(8 / 3)}

    def test_broadcasts_either_way(self, xp: ModuleType, kind: str) -> None:
        x, y, z = (made(nest, LEAVES[kind](xp)) for nest in (X, Y, Z))
        assert numbers(x + y + z) == SUMS
        assert numbers(y + x) == numbers(x + y)
        assert numbers(z + (y + x)) == SUMS

    def test_through_functions_and_static_forms(self, xp: ModuleType, kind: str) -> None:
        """B11 too."""
        x, y, z = (made(nest, LEAVES[kind](xp)) for nest in (X, Y, Z))
        assert numbers(unify.add(unify.add(x, y), z)) == SUMS
        assert numbers(Container.static_add(Container.static_add(x, y), z)) == SUMS
        assert numbers(x.add(y).add(z)) == SUMS
        assert all(isinstance(leaf, unify.Array) for leaf in x.add(y).leaves())


class TestUnsharedStructure:
    """B13: structure errors."""

    X, Y = Container(X), Container({**Y, "g": 4})
    Z = Container({"a": Z["a"], "d": {"e": 13, "g": 14}})

    @pytest.mark.parametrize(
        ("call", "named"),
        [
            (lambda x, y, z: x + y, "'g'"),
            (lambda x, y, z: y + x, "'g'"),
            (lambda x, y, z: x + z, "'d/g'"),
            (lambda x, y, z: y + z, "'g'"),
            (lambda x, y, z: x + y + z, "'g'"),
            (lambda x, y, z: unify.add(x, z), "'d/f'"),
            (lambda x, y, z: x.multiply(z), "'d/f'"),
            (lambda x, y, z: unify.sum(unify.ones((2, 2)), axis=x, keepdims=y), "'g'"),
        ],
    )
    def test_raises_one_error_that_names_the_key_chains(self, call: Any, named: str) -> None:
        with pytest.raises(StructureError, match="don't share") as caught:
            call(self.X, self.Y, self.Z)
        assert named in str(caught.value)
        assert "; " in str(caught.value)
        assert isinstance(caught.value, UnifyError)


NUMERIC = ["add", "sub", "mul", "truediv", "floordiv", "mod", "pow"]


class TestOperators:
    """B10, through the operators: each is applied leaf by leaf."""

    @pytest.mark.parametrize("name", [*ARITHMETIC, *COMPARISON])
    def test_binary(self, xp: ModuleType, name: str) -> None:
        function = getattr(operator, f"__{name}__")
        dtype = xp.float64 if name == "matmul" else xp.int64
        x, y = xp.asarray([[5, 6], [7, 8]], dtype=dtype), xp.asarray([[1, 2], [3, 1]], dtype=dtype)
        c, d = Container(a=x, b={"c": y}), Container(a=y, b={"c": x})
        assert function(c, d).identical(Container(a=function(x, y), b={"c": function(y, x)}))
        for other in (x, x.data):
            right = Container(a=function(x, x), b={"c": function(y, x)})
            left = Container(a=function(x, x), b={"c": function(x, y)})
            assert function(c, other).identical(right)
            if other is x or name not in COMPARISON:  # TensorFlow's comparisons convert first
                assert function(other, c).identical(left)
        if name != "matmul":
            assert function(c, 2).identical(Container(a=function(x, 2), b={"c": function(y, 2)}))
            assert function(2, c).identical(Container(a=function(2, x), b={"c": function(2, y)}))

    @pytest.mark.parametrize("name", list(UNARY))
    def test_unary(self, xp: ModuleType, name: str) -> None:
        function = getattr(operator, f"__{name}__")
        x = xp.asarray([1, -2])
        assert function(Container(a=x, b=3)).identical(Container(a=function(x), b=function(3)))

    def test_python_numbers_stay_python_numbers(self) -> None:
        c = Container(a=7, b=2.5) // 2
        assert c.to_dict() == {"a": 3, "b": 1.0}
        assert type(c.a) is int

    def test_native_leaves_become_arrays(self, xp: ModuleType) -> None:
        native = xp.ones(2).data
        for c in (Container(a=native) + 1, 1 - Container(a=native), -Container(a=native)):
            assert type(c.a) is type(xp.ones(1))

    def test_what_is_no_operand(self) -> None:
        for other in (object(), "text", {"a": 1}, None):
            with pytest.raises(TypeError):
                Container(a=1) + other
        with pytest.raises(TypeError) as caught:
            Container(a={"b": "text"}) + unify.ones(1)
        assert any("'a/b'" in note for note in caught.value.__notes__)

    def test_a_numpy_scalar_and_array(self) -> None:
        assert (np.float64(2) * Container(a=3)).to_dict() == {"a": 6.0}
        assert (np.ones(2) * Container(a=3)).a.tolist() == [3.0, 3.0]


class TestInPlace:
    @pytest.mark.parametrize("name", [n for n in ARITHMETIC if n not in ("truediv", "matmul")])
    def test_changes_the_leaves_under_all_their_names(self, xp: ModuleType, name: str) -> None:
        function = getattr(operator, f"__i{name}__")
        x, y = xp.asarray([5, 6]), xp.asarray([1, 2])
        c = Container(a=x, b={"c": y})
        first, inner = c, c.b
        expected = getattr(operator, f"__{name}__")(c, 2)
        c = function(c, 2)
        assert c is first
        assert c.b is inner
        assert c.a is x
        assert inner.c is y
        assert c.identical(expected)

    def test_keeps_dtype_and_shape(self, xp: ModuleType) -> None:
        c = Container(a=xp.ones(2, dtype=xp.float32))
        c += xp.ones(2, dtype=xp.float64)
        assert c.a.dtype is xp.float32
        assert c.a.tolist() == [2.0, 2.0]

    def test_all_or_none(self, xp: ModuleType) -> None:
        x, y = xp.ones(2), xp.ones(2, dtype=xp.int64)
        c = Container(a=x, b={"c": y})
        with pytest.raises(UnifyError):
            c += 0.5  # the integers can't store it
        with pytest.raises(UnifyError):
            c += Container(a=xp.ones(2), b=xp.ones(3))
        assert x.tolist() == [1.0, 1.0]
        assert y.tolist() == [1, 1]
        assert c.a is x

    @pytest.mark.parametrize("shape", [(), (0,), (2, 1)])
    def test_any_shape(self, xp: ModuleType, shape: tuple[int, ...]) -> None:
        x, y = xp.ones(shape), xp.ones(shape, dtype=xp.int64)
        c = Container(a=x, b={"c": y, "d": xp.ones(shape)})
        c += Container(b={"d": xp.ones(shape), "c": 2}, a=3.0)
        assert c.a is x
        assert c.b.c is y
        for leaf, value in ((x, 4.0), (y, 3), (c.b.d, 2.0)):
            assert leaf.shape == shape
            assert isinstance(leaf.data, type(xp.ones(shape).data))
            assert bool(xp.all(leaf == value))

    def test_a_shallower_operand_meets_every_leaf_below(self, xp: ModuleType) -> None:
        c = Container(a={"b": xp.ones(2), "c": xp.ones(3)}, d=xp.ones(2))
        c *= Container(a=xp.asarray([3.0]), d=xp.asarray([1.0, 2.0]))
        assert numbers(c) == {"a": {"b": [3.0, 3.0], "c": [3.0, 3.0, 3.0]}, "d": [1.0, 2.0]}

    def test_a_result_of_another_shape_is_refused(self, xp: ModuleType) -> None:
        c = Container(a=xp.ones((1, 0)), b=xp.ones((2, 1)))
        with pytest.raises(UnifyError, match=r"shape|broadcast"):
            c += Container(a=xp.ones((5, 0)), b=xp.ones((2, 1)))
        assert c.a.shape == (1, 0)
        assert numbers(c)["b"] == [[1.0], [1.0]]

    def test_leaves_of_two_backends(self, xp: ModuleType) -> None:
        c = Container(a=xp.ones(2), b=unify.to_backend(xp.ones(2), "numpy"))
        c += 1.0
        assert numbers(c) == {"a": [2.0, 2.0], "b": [2.0, 2.0]}

    @pytest.mark.parametrize("made", VIEWS)
    @pytest.mark.parametrize("whole", [False, True], ids=["leaf by leaf", "whole"])
    def test_views_of_leaves_see_it(self, xp: ModuleType, made: str, whole: bool) -> None:
        x, twin = xp.asarray(SIX, copy=True), SIX.copy()
        view, seen = VIEWS[made](x), VIEWS[made](twin)
        rest = xp.ones(3) if whole else 1
        c = Container(a=x, b={"c": rest})
        c += 1.5
        twin += 1.5
        np.testing.assert_array_equal(np.asarray(view), seen)
        assert c.a is x

    @pytest.mark.parametrize("made", VIEWS)
    @pytest.mark.parametrize("whole", [False, True], ids=["leaf by leaf", "whole"])
    def test_a_view_as_a_leaf(self, xp: ModuleType, made: str, whole: bool) -> None:
        x, twin = xp.asarray(SIX, copy=True), SIX.copy()
        view, seen = VIEWS[made](x), VIEWS[made](twin)
        c = Container(a=view, b={"c": xp.ones(3) if whole else 1})
        c *= 2.0
        seen *= 2.0
        np.testing.assert_array_equal(np.asarray(x), twin)
        assert c.a is view

    @pytest.mark.parametrize("whole", [False, True], ids=["leaf by leaf", "whole"])
    def test_leaves_that_share_are_computed_before_any_is_written(
        self, xp: ModuleType, whole: bool
    ) -> None:
        x = xp.asarray([1.0, 2.0, 3.0])
        c = Container(a=x, b=x[1:], c=x, d=xp.ones(1) if whole else 1)
        c += 10.0
        assert x.tolist() == [11.0, 12.0, 13.0]

    @pytest.mark.parametrize("whole", [False, True], ids=["leaf by leaf", "whole"])
    def test_a_leaf_that_is_read_only_leaves_all_as_they_were(
        self, xp: ModuleType, whole: bool
    ) -> None:
        x, y = xp.asarray(SIX, copy=True), xp.ones(2)
        view, flipped = x[0], xp.flip(y)
        c = Container(a=x, b={"c": xp.broadcast_to(y, (3, 2))}, d=y, e=xp.ones(1) if whole else 1)
        for change in (lambda: operator.iadd(c, 1.0), lambda: operator.setitem(c, ..., 7)):
            with pytest.raises(UnifyError, match="copy") as caught:
                change()
            assert isinstance(caught.value, ValueError)
            assert (x.tolist(), view.tolist()) == (SIX.tolist(), SIX[0].tolist())
            assert y.tolist() == flipped.tolist() == [1.0, 1.0]
        view += 1  # still a view
        assert x.tolist() == [[1.0, 2.0, 3.0], [3.0, 4.0, 5.0]]

    def test_the_memory_of_natives(self, xp: ModuleType) -> None:
        """Native arrays of users change if the library's arrays are mutable, and not otherwise."""
        x, y = xp.ones(2), xp.zeros(2)
        natives = x.data, y.data
        c = Container(a=x, b=y)
        c += 1.0
        changed = x.backend in ("numpy", "torch")
        assert [unify.to_list(n) for n in natives] == (
            [[2.0, 2.0], [1.0, 1.0]] if changed else [[1.0, 1.0], [0.0, 0.0]]
        )

    def test_numbers_and_natives_are_replaced(self, xp: ModuleType) -> None:
        native = xp.ones(2).data
        c = Container(a=1, b=native)
        c += 1
        assert c.a == 2
        assert c.b.tolist() == [2.0, 2.0]
        assert xp.asarray(native).tolist() == [1.0, 1.0]

    def test_the_target_must_be_as_deep(self) -> None:
        c = Container(a=unify.ones(2))
        with pytest.raises(StructureError, match="written to"):
            c += Container(a={"b": 1, "c": 2})
        assert c.a.tolist() == [1.0, 1.0]

    def test_an_array_becomes_a_container(self, xp: ModuleType) -> None:
        x = y = xp.ones(2)
        x += Container(a=1, b=2)
        assert x.b.tolist() == [3.0, 3.0]
        assert y.tolist() == [1.0, 1.0]


class TestInPlaceOnTorch:
    def _leaf(self) -> Any:
        torch = pytest.importorskip("torch")
        return torch.tensor([1.0, 2.0, 3.0], dtype=torch.float64, requires_grad=True)

    def test_what_autograd_tracks_is_replaced(self) -> None:
        leaf = self._leaf()
        x, y = unify.Array(leaf), unify.Array(leaf.detach().clone())
        c = Container(a=x * 2.0, b={"c": y})
        view = y[1:]
        c *= x
        unify.sum(c.a + c.b.c).data.backward()
        assert (c.a.tolist(), view.tolist()) == ([2.0, 8.0, 18.0], [4.0, 9.0])
        assert leaf.tolist() == [1.0, 2.0, 3.0]
        assert leaf.grad.tolist() == [5.0, 10.0, 15.0]

    def test_without_gradients_it_is_written_to(self) -> None:
        """As in optimizers."""
        leaf = self._leaf()
        torch = pytest.importorskip("torch")
        x = unify.Array(leaf)
        c = Container(a=x, b={"c": x[1:]})
        with torch.no_grad():
            c -= 1.0
        assert c.a.data is leaf
        assert leaf.requires_grad
        assert leaf.tolist() == [0.0, 1.0, 2.0]

    @pytest.mark.parametrize("inference", [False, True], ids=["elements share", "inference"])
    def test_what_pytorch_refuses_leaves_all_as_they_were(self, inference: bool) -> None:
        torch = pytest.importorskip("torch")
        with torch.inference_mode(inference):
            native = torch.ones(2) if inference else torch.ones(1).expand(2)
        x = unify.Array(torch.zeros(2))
        c = Container(a=x, b=unify.Array(native))
        with pytest.raises(UnifyError):
            c += 1.0
        assert x.tolist() == [0.0, 0.0]


class TestIndexing:
    def test_goes_to_all_leaves(self, xp: ModuleType) -> None:
        x, y = xp.reshape(xp.arange(6), (3, 2)), xp.arange(3)
        c = Container(a=x, b={"c": y})
        for key in (0, slice(0, 2), (slice(None, None, -1),), ..., xp.asarray([True, False, True])):
            assert c[key].identical(Container(a=x[key], b={"c": y[key]}))
        assert c[..., 0].identical(Container(a=x[..., 0], b={"c": y[..., 0]}))

    def test_by_a_container(self, xp: ModuleType) -> None:
        c = Container(a=xp.arange(3), b=xp.arange(4))
        assert numbers(c[c > 1]) == {"a": [2], "b": [2, 3]}
        assert numbers(xp.arange(4)[Container(a=0, b=slice(2))]) == {"a": 0, "b": [0, 1]}

    def test_assignment(self, xp: ModuleType) -> None:
        x, y = xp.arange(3), xp.arange(4)
        c = Container(a=x, b={"c": y})
        c[0] = 9
        c[1:3] = Container(a=xp.asarray([7, 8]), b=6)
        assert x.tolist() == [9, 7, 8]
        assert y.tolist() == [9, 6, 6, 3]

    def test_assignment_is_whole_or_not_at_all(self, xp: ModuleType) -> None:
        x, y = xp.arange(4), xp.arange(2)
        c = Container(a=x, b={"c": y})
        with pytest.raises(UnifyError):
            c[3] = 9
        assert x.tolist() == [0, 1, 2, 3]

    def test_views_of_leaves_see_that_an_assignment_failed(self, xp: ModuleType) -> None:
        x, y = xp.arange(4), xp.arange(2)
        view, flipped = x[2:], xp.flip(x)
        c = Container(a=x, aa=view, b={"c": y})
        with pytest.raises(UnifyError):
            c[Container(a=3, aa=0, b=9)] = 9
        assert (x.tolist(), view.tolist()) == ([0, 1, 2, 3], [2, 3])
        assert flipped.tolist() == [3, 2, 1, 0]
        x[3] = 5
        assert (view.tolist(), flipped.tolist()) == ([2, 5], [5, 2, 1, 0])

    def test_one_array_takes_no_container(self) -> None:
        x = unify.arange(3)
        with pytest.raises(UnifyTypeError, match="every leaf would be written"):
            x[0] = Container(a=1, b=2)
        assert x.tolist() == [0, 1, 2]
