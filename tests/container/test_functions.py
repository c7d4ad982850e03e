"""Functions of Containers: results, `out=`, flags, overrides, methods and static forms."""

from __future__ import annotations

import inspect
import math
import sys
from collections.abc import Callable
from types import FrameType, ModuleType
from typing import Any, ClassVar

import pytest

import arrayapi_unify as unify
from arrayapi_unify import Container
from arrayapi_unify.array_object.numpy_names import ALIASES, FUNCTIONS
from arrayapi_unify.binding import compositional, standalone
from arrayapi_unify.container.methods import STATIC, ContainerWithFunctions, method_name
from arrayapi_unify.contracts import CONTRACTS
from arrayapi_unify.errors import StructureError, UnifyError, UnifyTypeError
from tests.tables import each

NESTABLE = [name for name, contract in CONTRACTS.items() if contract.nestable]


class TestCalls:
    """B10: nestable functions."""

    def test_of_the_design(self, xp: ModuleType) -> None:
        x = xp.asarray([1.0, 2.0])
        c, d = Container(a=x, b={"c": x * 2}), Container(a=x, b=1)
        assert unify.sin(c).identical(Container(a=xp.sin(x), b={"c": xp.sin(x * 2)}))
        assert xp.add(c, d).identical(Container(a=x + x, b={"c": x * 2 + 1}))
        assert xp.add(c, x).identical(Container(a=x + x, b={"c": x * 2 + x}))
        assert xp.add(x, c).identical(Container(a=x + x, b={"c": x + x * 2}))
        summed = unify.sum(xp.ones((2, 3)), axis=Container(a=0, b=1))
        assert summed.identical(Container(a=xp.asarray([2.0] * 3), b=xp.asarray([3.0] * 2)))

    def test_inside_sequences(self, xp: ModuleType) -> None:
        x = xp.ones(2)
        c, d = Container(a=x, b={"c": x}), Container(a=x, b=2 * x)
        joined = xp.concat([c, d, x])
        assert joined["b/c"].tolist() == [1.0, 1.0, 2.0, 2.0, 1.0, 1.0]
        assert xp.stack((c, x), axis=Container(a=0, b=1)).shapes.to_dict() == {
            "a": (2, 2),
            "b": {"c": (2, 2)},
        }
        assert xp.broadcast_arrays(c, xp.ones((3, 1))).a[0].shape == (3, 2)

    def test_several_results_are_the_leaves(self, xp: ModuleType) -> None:
        c = Container(a=xp.asarray([[2.0, 0.0], [0.0, 1.0]]))
        found = xp.linalg.svd(c).a
        assert type(found).__name__ == "SVDResult"
        assert found.S.tolist() == [2.0, 1.0]
        assert [x.shape for x in xp.unstack(c).a] == [(2,), (2,)]

    def test_arrays_have_the_methods_too(self, xp: ModuleType) -> None:
        x = xp.ones(2)
        assert x.add(Container(a=1, b=2)).b.tolist() == [3.0, 3.0]
        assert x.sum(axis=Container(a=0, b=None)).shapes.to_dict() == {"a": (), "b": ()}

    def test_empty_nests_stay(self) -> None:
        c = Container(a={}, b=unify.ones(1))
        assert unify.sin(c).same_structure(c)
        assert (c + 1).same_structure(c)
        assert unify.sin(Container()).to_dict() == {}

    def test_standalone_functions(self, xp: ModuleType) -> None:
        x = xp.ones(1, dtype=xp.float32)
        c = Container(a=x, b=xp.ones(1))
        assert type(unify.to_native(c).a) is type(x.data)
        assert unify.dtype(c).to_dict() == {"a": xp.float32, "b": xp.float64}
        assert unify.isdtype(unify.dtype(c), "real floating").to_dict() == {"a": True, "b": True}
        assert unify.to_backend(c, Container(a="numpy", b="numpy")).a.backend == "numpy"
        assert unify.finfo(c).a.bits == 32

    def test_portable_functions(self, xp: ModuleType) -> None:
        seen: list[Any] = []

        @unify.portable
        def doubled(c: Any) -> Any:
            seen.append(type(c.a))
            return c * 2

        native = xp.ones(2).data
        made = doubled(Container(a=native, b={"c": native}))
        assert seen == [type(xp.ones(1))]
        assert type(made.a) is type(made.b.c) is type(native)
        assert type(doubled(Container(a=xp.ones(2))).a) is type(xp.ones(1))

    def test_the_backend_is_found_inside(self, xp: ModuleType) -> None:
        name = xp.__unify_backend__
        assert unify.current_backend_str(Container(a={"b": xp.ones(1)})) == name

    def test_a_failure_names_the_leaf(self) -> None:
        c = Container(a=unify.ones(2), b={"c": unify.ones(3)})
        for call in (lambda: unify.add(c, unify.ones(2)), lambda: c + unify.ones(2)):
            with pytest.raises(UnifyError) as caught:
                call()
            assert [n for n in caught.value.__notes__ if "'b/c'" in n]
            assert len(caught.value.__notes__) == 1

    def test_a_failing_leaf_is_called_once(self) -> None:
        calls: list[Any] = []

        class Loud:
            def __ivy_array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
                calls.append(func)
                raise ValueError("loud")

        with pytest.raises(ValueError, match="loud"):
            unify.get_backend("numpy").sin(Container(a=Loud()))
        assert calls == [unify.sin]


class Counting(unify.Array):
    """Counts its calls, all of which fail."""

    calls = 0

    def __ivy_array_function__(self, *args: Any) -> Any:
        Counting.calls += 1
        raise RuntimeError("of the leaf")


class TestFailures:
    CALLS: ClassVar[dict[str, Callable[[Any, Any], Any]]] = {
        "top level": lambda xp, c: unify.sin(c),
        "bound": lambda xp, c: xp.sin(c),
        "method": lambda xp, c: c.sin(),
        "static": lambda xp, c: Container.static_sin(c),
        "compositional": lambda xp, c: c.sigmoid(),
        "two arguments": lambda xp, c: xp.add(c, 1),
        "operator": lambda xp, c: 1 + c,
        "unary": lambda xp, c: -c,
        "option": lambda xp, c: unify.sum(c, axis=0),
        "list": lambda xp, c: unify.concat([c, c]),
        "out": lambda xp, c: unify.sin(c, out=c),
    }

    @pytest.mark.parametrize("nested", [False, True])
    @each("name", CALLS)
    def test_a_leaf_of_an_array_class_is_computed_once(
        self, xp: ModuleType, name: str, nested: bool
    ) -> None:
        """On every path; the error has no context from a search for the Container's class."""
        leaf: Any = Counting(xp.ones(2))
        c = Container(a=xp.ones(2), b=Container(c=leaf) if nested else leaf)
        Counting.calls = 0
        with pytest.raises(RuntimeError, match="of the leaf") as caught:
            self.CALLS[name](xp, c)
        assert Counting.calls == 1
        where = "b/c" if nested else "b"
        assert vars(caught.value)["__notes__"] == [f"at the key chain '{where}' of the Container"]
        if name == "top level" and not nested:
            assert getattr(caught.value.__context__, "args", ()) != (Container,)


class TestOneLoop:
    """A call with only a plain Container needs no more frames than its leaves."""

    def test_of_arrays(self) -> None:
        x = unify.asarray([0.0, 1.0])
        c = Container(a=x, b=x)
        unify.sin(c)  # caches the rank of the array class
        _, *one = names_of_frames(lambda: unify.sin(x))
        assert names_of_frames(lambda: unify.sin(c)) == ["<lambda>", "sin", "each", *one, *one]

    @pytest.mark.parametrize("leaf", [None, "word", {"c": 1.0}, {}])
    def test_goes_the_other_way_where_a_leaf_is_no_array(self, leaf: Any) -> None:
        """A function maps over a nest, and the error of a leaf names its key chain."""
        c = Container(a=unify.ones(1), b=leaf)
        if isinstance(leaf, dict):
            assert unify.exp(c).same_structure(c)
            return
        with pytest.raises(UnifyError, match=r"'b'"):
            unify.exp(c)

    def test_arguments_beside_it_count(self) -> None:
        c = Container(a=unify.zeros(2), b=unify.ones(2))
        with pytest.raises(TypeError, match="argument 'out' is a int"):
            unify.exp(c, 1)
        with pytest.raises(TypeError, match="too many positional arguments"):
            unify.exp(c, None, 1)
        with pytest.raises(TypeError, match="'wrong'"):
            unify.exp(c, wrong=1)
        out = Container(a=unify.ones(2), b=unify.ones(2))
        assert unify.exp(c, out=out) is out
        assert out.a.tolist() == [1.0, 1.0]

    def test_subclasses_are_made_as_they_say(self) -> None:
        class Plain(Container):
            pass

        class Counted(Container):
            __slots__ = ("made",)

            def __new__(cls, *args: Any, **nodes: Any) -> Counted:
                found: Counted = super().__new__(cls)
                object.__setattr__(found, "made", True)
                return found

        for kind in (Plain, Counted):
            found = unify.exp(kind(a=unify.zeros(1)))
            assert type(found) is kind
            assert found.a.tolist() == [1.0]
        assert object.__getattribute__(unify.exp(Counted(a=unify.zeros(1))), "made")


def names_of_frames(call: Callable[[], object]) -> list[str]:
    names: list[str] = []

    def watch(frame: FrameType, event: str, argument: Any) -> None:
        if event == "call":
            names.append(frame.f_code.co_name)

    before = sys.getprofile()
    sys.setprofile(watch)
    try:
        call()
    finally:
        sys.setprofile(before)
    return names


class TestOut:
    """B3 and B10: signatures and out, nestable functions."""

    def test_is_returned_and_holds_the_results(self, xp: ModuleType) -> None:
        c = Container(a=xp.ones(2), b={"c": xp.zeros(3)})
        for function in (unify.cos, xp.cos):
            x, y = xp.zeros(2), xp.zeros(3)
            out = Container(a=x, b={"c": y})
            assert function(c, out=out) is out
            assert out.identical(xp.cos(c))
            assert out.a is x
            assert out.b.c is y
        assert c.cos(out=c) is c

    def test_one_array_takes_no_container(self, xp: ModuleType) -> None:
        out = xp.zeros(2)
        with pytest.raises(UnifyTypeError, match=r"argument 'out'.*; pass a Container"):
            xp.cos(Container(a=xp.ones(2)), out=out)
        assert out.tolist() == [0.0, 0.0]

    def test_must_be_as_deep(self, xp: ModuleType) -> None:
        out = Container(a=xp.zeros(2))
        with pytest.raises(StructureError, match="as deep as"):
            xp.cos(Container(a={"b": xp.ones(2), "c": xp.ones(2)}), out=out)
        assert out.a.tolist() == [0.0, 0.0]

    def test_of_plain_arguments(self, xp: ModuleType) -> None:
        out = Container(a=xp.zeros(2), b=xp.zeros(2))
        assert xp.cos(xp.zeros(2), out=out) is out
        assert out.b.tolist() == [1.0, 1.0]

    def test_is_written_whole_or_not_at_all(self, xp: ModuleType) -> None:
        c = Container(a=xp.ones(2), b=xp.ones(2))
        for last in (xp.zeros(3), xp.zeros(2, dtype=xp.int8), xp.zeros(2).data):
            out = Container(a=xp.zeros(2), b=last)
            with pytest.raises(UnifyError):
                xp.exp(c, out=out)
            assert out.a.tolist() == [0.0, 0.0]


def _flat(args: Any) -> list[Any]:
    return [v for value in args for v in (value if isinstance(value, list) else [value])]


class TestOverrides:
    def test_handlers_see_leaves(self, xp: ModuleType) -> None:
        seen: list[Any] = []

        class Other:
            def __ivy_array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
                seen.append((func, args))
                return "handled"

        c, other = Container(a=xp.ones(1), b={"c": xp.ones(2)}), Other()
        handled = {"a": "handled", "b": {"c": "handled"}}
        calls = {
            "add": [lambda: unify.add(c, other), lambda: xp.add(c, other), lambda: c + other],
            "concat": [lambda: unify.concat([c, other]), lambda: xp.concat([c, other])],
            "where": [lambda: unify.where(c, other, 1.0), lambda: xp.where(c, other, 1.0)],
            "einsum": [lambda: unify.einsum("i,i->i", c, other)],
        }
        for name, made in calls.items():
            for call in made:
                seen.clear()
                assert call().to_dict() == handled
                assert [func for func, _ in seen] == [getattr(unify, name)] * 2
                for _, args in seen:
                    assert not any(isinstance(value, Container) for value in _flat(args))
                    assert any(value is other for value in _flat(args))

    def test_leaves_may_override(self) -> None:
        class Other:
            def __ivy_array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
                return func.__name__

        c = Container(a=Other(), b={"c": Other()})
        assert unify.sin(c).to_dict() == {"a": "sin", "b": {"c": "sin"}}
        assert (c * 2).a == "multiply"

    def test_without_overrides(self) -> None:
        c = Container(a=unify.zeros(2))
        assert unify.cos.without_overrides(c).a.tolist() == [1.0, 1.0]
        assert unify.get_backend("numpy").cos.without_overrides(c).a.tolist() == [1.0, 1.0]


class TestFlags:
    """docs/design.md, "Contracts and kinds": the flags can be read, and are correct."""

    def test_can_be_read(self) -> None:
        assert unify.add.nestable
        assert not unify.add.container_dependent
        assert unify.get_backend("numpy").add.nestable
        assert not unify.set_backend.nestable
        assert not unify.index_nest.nestable
        assert not unify.array_namespace.nestable

    def test_everything_that_computes_is_nestable(self) -> None:
        others = {n for n, c in CONTRACTS.items() if c.kind != "standalone" and not c.nestable}
        dependent = {n for n in others if CONTRACTS[n].container_dependent}
        assert dependent == {"nn.multi_head_attention"}
        settings = {"default_device", "num_gpus", "set_default_device"}
        assert others - dependent <= {"__array_namespace_info__"} | settings
        takes_arrays = {n for n, c in CONTRACTS.items() if c.array_parameters}
        assert takes_arrays - set(NESTABLE) - dependent <= {"array_namespace"}

    @pytest.fixture
    def _forgotten(self) -> Any:
        """Contracts that a test defines are removed."""
        before = set(CONTRACTS)
        yield
        for name in set(CONTRACTS) - before:
            del CONTRACTS[name]
            for prefix in ("", STATIC):
                delattr(ContainerWithFunctions, prefix + name)

    @pytest.mark.usefixtures("_forgotten")
    def test_container_dependent_functions_get_the_whole(self) -> None:
        """B14: container-dependent functions."""
        seen: list[Any] = []

        @standalone(container_dependent=True)
        def count_leaves(container: Any, /) -> int:
            """Count the leaves."""
            seen.append(container)
            return len(list(container.leaves()))

        c = Container(a=unify.ones(1), b={"c": 2})
        assert count_leaves.container_dependent
        assert not count_leaves.nestable
        assert count_leaves(c) == 2
        assert c.count_leaves() == Container.static_count_leaves(c) == 2
        assert all(x is c for x in seen)
        assert len(seen) == 3

    def test_no_container_dependent_function_is_nestable(self) -> None:
        """B14: container-dependent functions."""
        with pytest.raises(TypeError, match="no container-dependent function is nestable"):

            @compositional(container_dependent=True, nestable=True)
            def both(x: Any, /) -> Any:
                """Do both."""

        assert "both" not in CONTRACTS


class TestMethods:
    """B11: every function that takes Containers is a method and a static form."""

    # They say that an object is an array, they take no argument by position, or several lists.
    WITHOUT: ClassVar = {
        "ndim", "shape", "size", "random.next_key", "select",
    }  # fmt: skip

    @each("name", NESTABLE)
    def test_are_there(self, name: str) -> None:
        contract = CONTRACTS[name]
        own = method_name(contract)
        assert own in (contract.name, name.replace(".", "_"))
        assert getattr(Container, STATIC + own) is contract.public
        found = getattr(Container, own, None) or getattr(Container(), own, None)
        assert (found is None) == (name in self.WITHOUT)
        assert found is None or inspect.getdoc(found)

    def test_of_extensions(self, xp: ModuleType) -> None:
        """Names that mean something else of an array say the extension."""
        x = xp.asarray([[1.0, 2.0], [3.0, 4.0]])
        c = Container(a=x)
        assert c.linalg_trace().a.tolist() == xp.linalg.trace(x).tolist()
        assert c.special_gamma().a.tolist() == xp.special.gamma(x).tolist()
        keys = Container(a=unify.random.key(1), b=unify.random.key(2))
        drawn = Container.static_random_uniform(keys, (2,))
        assert drawn.b.tolist() == unify.random.uniform(unify.random.key(2), (2,)).tolist()

    @each("name", sorted({*ALIASES, *FUNCTIONS} - {"copy", "cross", "diagonal", "outer", "trace"}))
    def test_no_name_of_numpys_hides_a_key(self, name: str) -> None:
        """A key of such a name comes before the method; others were methods from the first."""
        assert not hasattr(Container, name)
        assert getattr(Container({name: 1}), name) == 1
        c = Container()
        setattr(c, name, 2)
        assert c.to_dict() == {name: 2}
        if name in CONTRACTS and name != "isscalar":  # a Container is none
            assert getattr(Container, STATIC + name) is CONTRACTS[name].public

    def test_self_stands_for_the_first_array(self, xp: ModuleType) -> None:
        c = Container(a=xp.asarray(2.0))
        assert c.full((2,)).a.tolist() == [2.0, 2.0]
        assert c.concat is not None
        d = Container(a=xp.ones(1))
        assert d.concat([d, xp.zeros(1)]).a.tolist() == [1.0, 1.0, 0.0]

    def test_and_where_there_is_none_for_the_first_argument(self) -> None:
        assert Container(a=2, b=(1, 3)).zeros().shapes.to_dict() == {"a": (2,), "b": (1, 3)}
        assert Container.static_arange(Container(a=3)).a.tolist() == [0, 1, 2]


class TestBeyondTheStandard:
    """B10, with functions of every kind."""

    def test_compositional(self, xp: ModuleType) -> None:
        pred = Container(a=xp.full(4, 0.25), b=xp.asarray([0.1, 0.7, 0.1, 0.1]))
        true = xp.asarray([0.0, 1.0, 0.0, 0.0])
        losses = unify.cross_entropy(true, pred, reduction=Container(a="sum", b="mean"))
        assert float(losses.a) == pytest.approx(1.386294, abs=1e-6)
        assert float(losses.b) == pytest.approx(-math.log(0.7) / 4)

    def test_standalone(self, xp: ModuleType) -> None:
        halves = unify.stable_divide(Container(a=2.0, b=xp.asarray([4.0])), 2.0, min_denominator=0)
        assert halves.a == 1.0
        assert halves.b.tolist() == [2.0]

    def test_mixed_and_partial(self, xp: ModuleType) -> None:
        x = Container(a=xp.asarray([[1.0, 2.0]]), b={"c": xp.asarray([[3.0, 4.0]])})
        weight = xp.asarray([[1.0, 1.0]])
        found = unify.linear(x, weight, bias=xp.asarray([0.5]))
        assert found.a.tolist() == [[3.5]]
        assert found.b.c.tolist() == [[7.5]]
        assert x.softmax().map(lambda value, _: value.shape).to_dict() == {
            "a": (1, 2),
            "b": {"c": (1, 2)},
        }
