"""Classes of users as nests: `register_nest`, `register_dataclass`, and the functions of nests."""

from __future__ import annotations

import dataclasses
import subprocess
import sys
import textwrap
from typing import Any

import pytest

import arrayapi_unify as unify
from arrayapi_unify import Array
from arrayapi_unify.errors import UnifyKeyError, UnifyTypeError, UnifyValueError
from tests.installed import DIFFERENTIATING, EAGER

Container = unify.Container
pytestmark = pytest.mark.filterwarnings("ignore:.*script_method:DeprecationWarning")


@unify.register_nest
class Pair:
    """Two children and a name, with the methods of JAX's decorator."""

    def __init__(self, first: Any, second: Any, name: str = "p") -> None:
        self.first, self.second, self.name = first, second, name

    def tree_flatten(self) -> tuple[Any, Any]:
        return (self.first, self.second), self.name

    @classmethod
    def tree_unflatten(cls, name: str, children: Any) -> Pair:
        return cls(*children, name)


@unify.register_dataclass
@dataclasses.dataclass(frozen=True)
class Line:
    slope: Any
    at: Any
    name: str = dataclasses.field(default="", metadata={"static": True})


def _parts(pair: Any) -> Any:
    assert type(pair) is Pair
    return pair.first, pair.second, pair.name


class TestFunctionsOfNests:
    PAIR = Pair(1, {"a": (2, 3)}, "q")

    def test_nested_map(self) -> None:
        (found,) = unify.nested_map(lambda x: x + 1, [self.PAIR])
        assert _parts(found) == (2, {"a": (3, 4)}, "q")
        line = unify.nested_map(lambda x: -x, Line(1, [2], "n"))
        assert line == Line(-1, [-2], "n")

    def test_indices(self) -> None:
        assert unify.all_nested_indices([self.PAIR]) == [[0, 0], [0, 1, "a", 0], [0, 1, "a", 1]]
        assert unify.all_nested_indices(Line(1, [2])) == [["slope"], ["at", 0]]
        assert unify.index_nest([Line(1, [2])], [0, "at", 0]) == 2
        assert unify.index_nest(self.PAIR, [1, "a", 1]) == 3
        found = unify.set_nest_at_index(self.PAIR, [1, "a", 0], 9)
        assert _parts(found) == (1, {"a": (9, 3)}, "q")
        assert _parts(self.PAIR) == (1, {"a": (2, 3)}, "q")
        with pytest.raises(UnifyKeyError, match=r"the Line there has \['slope', 'at'\]"):
            unify.index_nest(Line(1, 2), ["name"])

    def test_in_place(self) -> None:
        nest = [Pair(1, 2)]
        assert unify.set_nest_at_index(nest, [0, 0], 5, in_place=True) is nest
        assert _parts(nest[0]) == (5, 2, "p")
        with pytest.raises(UnifyTypeError, match="is a Pair, which can't be changed in place"):
            unify.nested_map(lambda x: x, Pair(1, 2), in_place=True)

    def test_children_are_neither_added_nor_removed(self) -> None:
        with pytest.raises(UnifyTypeError, match="'children' are 1 in place of 2"):
            unify.prune_nest_at_index(Pair(1, 2), [0])

    def test_leaves_of_containers_stay_leaves(self) -> None:
        pair = Pair(1, 2)
        assert Container({"a": pair}).a is pair

    def test_optimizers(self) -> None:
        xp = unify.numpy
        w, slope = Pair(xp.ones(2), [xp.ones(1)]), Pair(xp.ones(2), [xp.zeros(1)])
        first, second, _ = _parts(unify.gradient_descent_update(w, slope, 0.5))
        assert (first.tolist(), second[0].tolist()) == ([0.5, 0.5], [1.0])


class TestRegistration:
    def test_fields_by_name(self) -> None:
        @dataclasses.dataclass
        class Named:
            name: str
            x: Any
            size: int = dataclasses.field(init=False, default=3)

        assert unify.register_dataclass(Named, ["x"], ["name"]) is Named
        assert unify.nested_map(lambda x: x + 1, Named("n", 1)) == Named("n", 2)

    @pytest.mark.parametrize(
        ("fields", "message"),
        [
            ((["slope"], ["name"]), r"don't name each field once: \['at'\]"),
            ((["slope", "at", "at"], ["name"]), "don't name each field once"),
            ((["slope", "at"],), "'meta_fields' is missing beside data_fields"),
        ],
    )
    def test_wrong_fields(self, fields: Any, message: str) -> None:
        with pytest.raises((UnifyValueError, UnifyTypeError), match=message):
            unify.register_dataclass(Line, *fields)

    def test_wrong_arguments(self) -> None:
        with pytest.raises(UnifyTypeError, match=r"'cls' is .*, no dataclass"):
            unify.register_dataclass(Pair)
        with pytest.raises(UnifyTypeError, match=r"'cls' is .*; pass a class"):
            unify.register_nest(3, len, len)
        with pytest.raises(UnifyTypeError, match="is list, which can't be registered"):
            unify.register_nest(list, len, len)
        with pytest.raises(UnifyTypeError, match="'flatten' is missing, and Plain has no method"):
            unify.register_nest(type("Plain", (), {}))
        unhashable = type("Unhashable", (), {})
        parts = (unify.numpy.ones(2),)
        unify.register_nest(unhashable, lambda x: (parts, [1]), lambda rest, parts: unhashable())
        for change in (unify.compile, unify.vmap, unify.grad, unify.checkpoint):
            with pytest.raises(UnifyTypeError, match=r"a Unhashable, whose rest .*hashable"):
                change(lambda x: x)(unhashable())
        wrong = unify.register_nest(type("Wrong", (), {}), lambda x: 3, lambda rest, parts: 3)
        with pytest.raises(UnifyTypeError, match=r"returns .* for a Wrong; return a tuple"):
            unify.nested_map(lambda x: x, wrong())

    def test_derived_classes_are_leaves(self) -> None:
        derived = type("Derived", (Pair,), {})(1, 2)
        assert unify.nested_map(lambda x: x, [derived]) == [derived]


@pytest.mark.parametrize("backend", EAGER)
def test_subclass_of_array_with_attributes(backend: str) -> None:
    class Meters(Array):
        def __init__(self, data: Any, scale: float = 1.0) -> None:
            super().__init__(data)
            self.scale = scale

        def __ivy_array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
            found = super().__ivy_array_function__(func, types, args, kwargs)
            return Meters(found, self.scale) if isinstance(found, Array) else found

    unify.register_nest(
        Meters, lambda x: ((x.__array_namespace__().asarray(x.data),), x.scale),
        lambda scale, parts: Meters(parts[0], scale),
    )  # fmt: skip
    x = Meters(unify.get_backend(backend).asarray([1.0, 2.0]), 1000.0)
    found = unify.vmap(lambda x: x + x)(x)
    assert (type(found), found.scale, unify.to_list(found)) == (Meters, 1000.0, [2.0, 4.0])


class TestOtherLibraries:
    def test_jax(self) -> None:
        jax, xp = pytest.importorskip("jax"), unify.get_backend("jax")
        pair = Pair(xp.ones(2), jax.numpy.ones(3))

        def more(x: Any) -> Any:
            return jax.tree.map(lambda leaf: leaf + 1, x)

        first, second, name = _parts(jax.jit(more)(pair))
        assert (type(first).__name__, second.tolist(), name) == ("Array", [2.0] * 3, "p")
        assert unify.to_list(first) == [2.0, 2.0]

    def test_torch(self) -> None:
        trees, xp = pytest.importorskip("torch.utils._pytree"), unify.get_backend("torch")
        found = trees.tree_map(lambda leaf: leaf * 2, Line(xp.ones(2).data, 3, "n"))
        assert (found.slope.tolist(), found.at, found.name) == ([2.0, 2.0], 6, "n")

    def test_tensorflow(self) -> None:
        tf, xp = pytest.importorskip("tensorflow"), unify.get_backend("tensorflow")
        found = tf.nest.map_structure(lambda leaf: leaf * 2, Line(xp.ones(2).data, 3, "n"))
        assert (found.slope.numpy().tolist(), found.at, found.name) == ([2.0, 2.0], 6, "n")

    @pytest.mark.parametrize("library", ["jax", "torch"])
    def test_registration_of_a_library(self, library: str) -> None:
        """`register_nest` of the class alone takes it, and leaves it there as it is."""
        names = {"jax": "jax.tree_util", "torch": "torch.utils._pytree"}
        trees = pytest.importorskip(names[library])
        kind = type("Theirs", (Pair,), {"tree_flatten": None, "tree_unflatten": None})
        with pytest.raises(UnifyTypeError, match="nor functions of an imported library"):
            unify.register_nest(kind)

        def unflatten(*both: Any) -> Any:
            parts, (name,) = both if library == "torch" else both[::-1]
            return kind(*parts, f"{name}!")

        trees.register_pytree_node(kind, lambda x: ([x.first, x.second], [x.name]), unflatten)
        unify.register_nest(kind)
        found = unify.nested_map(lambda x: x + 1, [kind(1, {"a": 2})])[0]
        assert (type(found), found.first, found.second, found.name) == (kind, 2, {"a": 3}, "p!")
        found = unify.vmap(lambda x: x)(kind(unify.numpy.ones(2), unify.numpy.ones(2)))
        assert (found.first.tolist(), found.name.rstrip("!")) == ([1.0, 1.0], "p")
        pair = kind(unify.numpy.ones(2), 1, unify.numpy.ones(2))
        with pytest.raises(UnifyTypeError, match=r"a Theirs, whose rest .* isn't hashable"):
            unify.vmap(lambda x: x.first)(pair)

    def test_children_of_an_iterator(self) -> None:
        """JAX names as many children as an iterator of them gives."""
        trees = pytest.importorskip("jax.tree_util")
        kind = type("Iterated", (Pair,), {})
        unify.register_nest(
            kind, lambda x: (iter((x.first, x.second)), x.name), lambda name, parts: kind(*parts)
        )
        keys = [path for path, _ in trees.tree_flatten_with_path(kind(1, 2))[0]]
        assert list(map(str, keys)) == ["(GetAttrKey(name='[0]'),)", "(GetAttrKey(name='[1]'),)"]

    @pytest.mark.parametrize("first", ["import jax", "", "import arrayapi_unify.jax"])
    def test_order_of_imports(self, first: str) -> None:
        """A class that is registered with JAX stays there what it is."""
        pytest.importorskip("jax")
        source = f"""
            import arrayapi_unify as unify
            {first}
            class Box:
                def __init__(self, x): self.x = x
            class Known(Box): pass
            for kind in (Box, Known):
                if kind is Known:
                    import jax
                    jax.tree_util.register_pytree_node(
                        Known, lambda x: ((x.x,), None), lambda rest, parts: Known("theirs"))
                unify.register_nest(
                    kind, lambda x: ((x.x,), None), lambda rest, parts, kind=kind: kind(*parts))
            import arrayapi_unify.jax as xp
            import jax
            assert jax.jit(lambda box: Box(box.x + 1))(Box(xp.ones(2))).x.tolist() == [2.0, 2.0]
            assert jax.tree.map(lambda x: x, Known(1)).x == "theirs"
            assert unify.nested_map(lambda x: x + 1, Known(1)).x == 2
        """
        done = subprocess.run(
            [sys.executable, "-c", textwrap.dedent(source)], capture_output=True, text=True
        )
        assert not done.returncode, done.stderr


@pytest.mark.slow_on("torch")
@pytest.mark.parametrize("backend", DIFFERENTIATING)
def test_training_state(backend: str) -> None:
    """A dataclass of parameters through a compiled step with derivatives."""
    xp = unify.get_backend(backend)

    @unify.compile
    def step(line: Line, x: Any, y: Any) -> Line:
        slope = unify.grad(lambda line: unify.mean((line.slope * x + line.at - y) ** 2))(line)
        return unify.gradient_descent_update(line, slope, 0.1)

    x = xp.asarray([0.0, 1.0, 2.0])
    line = Line(xp.asarray(0.0), xp.asarray(0.0), "fit")
    for _ in range(300):
        line = step(line, x, 3.0 * x - 1.0)
    assert line.name == "fit"
    assert float(line.slope) == pytest.approx(3.0, abs=1e-3)
    assert float(line.at) == pytest.approx(-1.0, abs=1e-3)
