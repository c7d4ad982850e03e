"""The override protocol where functions are transformed: the class stays, or is refused by name."""

from __future__ import annotations

import inspect
import itertools
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

import arrayapi_unify as unify
from arrayapi_unify.backends._common.algorithms.graph_values import GraphError
from arrayapi_unify.errors import UnifyTypeError, UnifyValueError
from tests.installed import DIFFERENTIATING, EAGER

# PyTorch's compiler reads the gradient of each tensor that it meets.
pytestmark = [
    pytest.mark.filterwarnings("ignore:.*script_method:DeprecationWarning"),
    pytest.mark.filterwarnings("ignore:The .grad attribute of a Tensor that is not a leaf"),
]


class Modulo(unify.Array):
    """Integers modulo 7, as floats."""

    def __ivy_array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
        found = super().__ivy_array_function__(func, types, args, kwargs)
        if not isinstance(found, unify.Array) or found.dtype.kind != "f":
            return found
        rest = super().__ivy_array_function__(unify.remainder, types, (found, 7), {})
        return Modulo(rest)


class Boxed:
    """Holds an array, and adds 100 to each sum."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def __ivy_array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
        plain = [x.value if isinstance(x, Boxed) else x for x in args]
        return Boxed(func(*plain, **kwargs) + 100)


class Named(unify.Array):
    """An Array with an attribute, which isn't registered."""

    def __init__(self, data: Any) -> None:
        super().__init__(data)
        self.name = "n"

    def __ivy_array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
        return Named(super().__ivy_array_function__(func, types, args, kwargs))


class Length:
    """A quantity with a unit, which is registered; it has the operators that are used here."""

    def __init__(self, value: Any, unit: str = "m") -> None:
        self.value, self.unit = value, unit

    def __ivy_array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
        found = func(*[x.value if isinstance(x, Length) else x for x in args], **kwargs)
        units = [x.unit for x in args if isinstance(x, Length)]
        unit = " ".join(units) if func is unify.multiply else units[0]
        return Length(found, unit) if unify.is_array(found) and found.dtype.kind == "f" else found


unify.register_nest(Length, lambda x: ((x.value,), x.unit), lambda unit, x: Length(*x, unit))
CARRIED = (Modulo, Length)


def _values(x: Any) -> Any:
    """Return class, unit and values of an object, also in nests."""
    if isinstance(x, list | tuple):
        return [_values(one) for one in x]
    if isinstance(x, Length):
        return "Length", x.unit, _values(x.value)
    return (type(x).__name__ if isinstance(x, Modulo) else "Array"), unify.to_list(x)


def _twice(x: Any) -> Any:
    return unify.add(x, x)


def _times(x: Any, y: Any) -> Any:
    return unify.add(x, y)


Function = Callable[[Any], Any]


def _is_five(x: Any) -> Any:
    return x[0] == 5


# Functions that take a function, with calls of it for an object x.
TRANSFORMING: dict[str, Callable[[Function, Any], Any]] = {
    "compile": lambda f, x: unify.compile(f)(x),
    "compile_graph": lambda f, x: unify.compile_graph(f, x)(x),
    "vmap": lambda f, x: unify.vmap(f)(x),
    "scan": lambda f, x: unify.scan(lambda c, _: (f(c), None), x, length=1),
    "fori_loop": lambda f, x: unify.fori_loop(0, 1, lambda i, c: f(c), x),
    "while_loop": lambda f, x: unify.while_loop(_is_five, f, x),
}
# These need a backend that differentiates, or `via=`.
DERIVATIVES: dict[str, Callable[[Any, str | None], Any]] = {
    "execute_with_gradients": lambda x, via: unify.execute_with_gradients(_twice, x, via=via),
    "value_and_grad": lambda x, via: unify.value_and_grad(_twice, via=via)(x),
    "grad": lambda x, via: unify.grad(_twice, via=via)(x),
    "jac": lambda x, via: unify.jac(_twice, via=via)(x),
    "hessian": lambda x, via: unify.hessian(_twice, via=via)(x),
    "vjp": lambda x, via: unify.vjp(_twice, x, via=via),
    "jvp": lambda x, via: unify.jvp(_twice, x, x, via=via),
}
# These find no array in a Boxed, and call the function.
RECOMPUTING: dict[str, Callable[[Function, Any], Any]] = {
    "checkpoint": lambda f, x: unify.checkpoint(f)(x),
    "bind_custom_gradient_function": lambda f, x: unify.bind_custom_gradient_function(
        f, lambda given, upstream: upstream
    )(x),
}
# These call a function with what they are given.
CALLING: dict[str, Callable[[Any], Any]] = {
    "cond": lambda x: unify.cond(True, _twice, _twice, x),
    "nested_map": lambda x: unify.nested_map(_twice, [x])[0],
    "nested_multi_map": lambda x: unify.nested_multi_map(lambda xs, _: _times(*xs), [[x], [x]])[0],
    "map_nest_at_index": lambda x: unify.map_nest_at_index([x], [0], _twice)[0],
    "map_nest_at_indices": lambda x: unify.map_nest_at_indices([x], [[0]], _twice)[0],
    "cache_fn": lambda x: unify.cache_fn(lambda: _twice(x))(),
    "try_else_none": lambda x: unify.try_else_none(lambda: _twice(x)),
}
# These return no array.
OTHERS = {"nested_any", "nested_argwhere", "arg_names", "match_kwargs", "register_nest"}


class TestTransformations:
    """B73: no override is dropped where a function is transformed."""

    def test_every_function_that_takes_a_function_is_here(self) -> None:
        public = [(name, getattr(unify, name)) for name in dir(unify)]
        hints = {
            name: [str(p.annotation) for p in inspect.signature(one).parameters.values()]
            for name, one in public if inspect.isfunction(one)
        }  # fmt: skip
        taking = {name for name, given in hints.items() if any("Callable" in x for x in given)}
        assert taking == {*TRANSFORMING, *DERIVATIVES, *RECOMPUTING, *CALLING, *OTHERS}

    @pytest.mark.parametrize("kind", [Named, Boxed])
    @pytest.mark.parametrize("name", TRANSFORMING)
    def test_arrays_that_are_traced(self, xp: ModuleType, name: str, kind: type) -> None:
        with pytest.raises(UnifyTypeError, match=rf"holds a {kind.__name__}, whose class"):
            TRANSFORMING[name](_twice, kind(xp.asarray([5.0])))
        with pytest.raises(UnifyTypeError, match=rf"holds a {kind.__name__}, whose class"):
            TRANSFORMING[name](_twice, {"a": [xp.asarray([5.0]), kind(xp.asarray([5.0]))]})

    @pytest.mark.parametrize("kind", [Named, Boxed])
    @pytest.mark.parametrize("name", DERIVATIVES)
    def test_arrays_that_are_differentiated(self, xp: ModuleType, name: str, kind: type) -> None:
        x = kind(xp.asarray([5.0]))
        via = None if xp.ones(1).backend in DIFFERENTIATING else DIFFERENTIATING[0]
        with pytest.raises(UnifyTypeError, match=rf"holds a {kind.__name__}, whose class"):
            DERIVATIVES[name](x, via)

    @pytest.mark.parametrize("name", RECOMPUTING)
    def test_functions_that_are_called_again(self, xp: ModuleType, name: str) -> None:
        with pytest.raises(UnifyTypeError, match="holds a Named, whose class"):
            RECOMPUTING[name](_twice, Named(xp.asarray([5.0])))
        found = RECOMPUTING[name](_twice, Boxed(xp.asarray([5.0])))
        assert found.value.tolist() == [110.0]

    @pytest.mark.parametrize("name", CALLING)
    def test_functions_that_are_called(self, xp: ModuleType, name: str) -> None:
        for x in (Modulo(xp.asarray([5.0])), Length(xp.asarray([5.0]))):
            assert _values(CALLING[name](x)) == _values(_twice(x))
        assert CALLING[name](Boxed(xp.asarray([5.0]))).value.tolist() == [110.0]

    def test_compiled_namespace_asks_the_class(self, xp: ModuleType) -> None:
        compiled = unify.compiled_namespace(xp.ones(1).backend)
        found = compiled.add(Modulo(xp.asarray([5.0])), xp.asarray([4.0]))
        assert _values(found) == ("Modulo", [2.0])
        assert compiled.add(Boxed(xp.asarray([5.0])), 1.0).value.tolist() == [106.0]


# Functions of an object and a number of calls: what they return is that of the function itself.
WAYS: dict[str, Callable[[Function], Function]] = {
    "compile": unify.compile,
    "compile_graph": lambda f: lambda x: unify.compile_graph(f, x)(x),
    "vmap": unify.vmap,
    "checkpoint": unify.checkpoint,
    "bind_custom_gradient_function": lambda f: unify.bind_custom_gradient_function(
        f, lambda given, upstream: _twice(upstream)
    ),
    "scan": lambda f: lambda x: unify.scan(lambda c, _: (f(c), None), x, length=1)[0],
    "scan over rows": lambda f: lambda x: unify.scan(lambda c, y: (c, f(y)), 0.0, x)[1],
    "fori_loop": lambda f: lambda x: unify.fori_loop(0, 1, lambda i, c: f(c), x),
    "while_loop": lambda f: (
        lambda x: unify.while_loop(lambda c: c[0] < 1, lambda c: (c[0] + 1, f(c[1])), (0, x))[1]
    ),
    "cond": lambda f: lambda x: unify.cond(True, f, f, x),
    "portable": unify.portable,
}
# Graphs of NumPy and PyTorch take no loop or branch that looks at values, and `compile` is a graph
# on NumPy.
LOOKING = ("while_loop", "cond")


def _is_known(xp: ModuleType, outer: str, inner: str = "") -> bool:
    """Return True if a backend has a way, or a pair of two; the others are refused by name."""
    backend = xp.ones(1).backend
    graphs = {"numpy": ("compile", "compile_graph"), "torch": ("compile_graph",)}
    if backend == "dask" and outer in ("compile", "compile_graph"):
        return False
    return not (outer in graphs.get(backend, ()) and inner in LOOKING)


def _total(x: Any) -> Any:
    return unify.sum(_twice(x))


GRADIENTS: dict[str, Callable[[Function], Function]] = {
    "value_and_grad": lambda f: lambda x: unify.value_and_grad(f)(x)[1],
    "execute_with_gradients": lambda f: lambda x: unify.execute_with_gradients(f, x)[1],
    "grad": unify.grad,
    # The weight 1 has class and unit of what the function returns.
    "vjp": lambda f: lambda x: (lambda y, pull: pull(_one(y))[0])(*unify.vjp(f, x)),
}


def _one(x: Any) -> Any:
    made = unify.ones_like(x.value if isinstance(x, Length) else x.__array_namespace__().asarray(x))
    return Length(made, x.unit) if isinstance(x, Length) else type(x)(made)


class TestCarried:
    """B73: objects of registered classes, and of subclasses of Array, keep class and result."""

    @pytest.mark.parametrize("kind", CARRIED)
    @pytest.mark.parametrize("name", WAYS)
    def test_singly(self, xp: ModuleType, name: str, kind: Any) -> None:
        x = kind(xp.asarray([5.0, 4.0]))
        if _is_known(xp, name):
            assert _values(WAYS[name](_twice)(x)) == _values(_twice(x))
        else:
            with pytest.raises(unify.BackendError, match="the dask backend has no compiler"):
                WAYS[name](_twice)(x)

    @pytest.mark.slow_on("torch")
    @pytest.mark.parametrize("outer", WAYS)
    @pytest.mark.parametrize("backend", EAGER)
    def test_in_pairs(self, backend: str, outer: str) -> None:
        xp = unify.get_backend(backend)
        for inner, kind in itertools.product(WAYS, CARRIED):
            if _is_known(xp, outer, inner):
                x = kind(xp.asarray([[5.0, 4.0], [2.0, 6.0]]))
                found = WAYS[outer](WAYS[inner](_twice))(x)
                assert _values(found) == _values(_twice(x)), (inner, kind)

    @pytest.mark.slow_on("torch")
    @pytest.mark.parametrize("name", WAYS)
    @pytest.mark.parametrize("backend", DIFFERENTIATING)
    def test_with_derivatives(self, backend: str, name: str) -> None:
        """Of the sum of twice x: 2 for each element, with the class and unit of x."""
        xp, way = unify.get_backend(backend), WAYS[name]
        for (of, gradient), kind in itertools.product(GRADIENTS.items(), CARRIED):
            x = kind(xp.asarray([[5.0, 4.0], [2.0, 6.0]]))
            wanted = _values(kind(xp.full((2, 2), 2.0)))
            outside = gradient(lambda x: unify.sum(way(_twice)(x)))
            inside = way(lambda x, take=gradient: take(_total)(x))
            assert _values(outside(x)) == wanted, (of, kind)
            assert _values(inside(x)) == wanted, (of, kind)

    @pytest.mark.parametrize("backend", DIFFERENTIATING)
    def test_directions(self, backend: str) -> None:
        xp = unify.get_backend(backend)
        x = Length(xp.asarray([5.0, 4.0]))
        assert _values(unify.jvp(_twice, x, x)) == [("Length", "m", ("Array", [10.0, 8.0]))] * 2
        rows = unify.jac(lambda x: _twice(x).value)(x)
        assert _values(rows) == ("Length", "m", ("Array", [[2.0, 0.0], [0.0, 2.0]]))
        with pytest.raises(UnifyValueError, match="a Length with 'km' where a Length with 'm'"):
            unify.jvp(_twice, x, Length(x.value, "km"))

    @pytest.mark.parametrize("backend", EAGER)
    def test_through_another_backend(self, backend: str) -> None:
        for kind in CARRIED:
            x = kind(unify.get_backend(backend).asarray([5.0, 4.0]))
            found = unify.grad(_total, via=DIFFERENTIATING[0])(x)
            assert _values(found) == _values(kind(unify.get_backend(backend).full(2, 2.0)))

    @pytest.mark.parametrize("name", ["compile", "compile_graph", "checkpoint"])
    @pytest.mark.parametrize("backend", EAGER)
    def test_writes_reach_the_object(self, backend: str, name: str) -> None:
        xp = unify.get_backend(backend)

        def write(x: Any) -> Any:
            (x.value if isinstance(x, Length) else x)[0] = 1.0
            return _twice(x)

        for kind in CARRIED:
            x = kind(xp.asarray([5.0, 4.0]))
            example = kind(xp.asarray([5.0, 4.0]))
            way = (
                unify.compile_graph(write, example)
                if name == "compile_graph"
                else WAYS[name](write)
            )
            assert _values(way(x)) == _values(_twice(kind(xp.asarray([1.0, 4.0]))))
            assert _values(x) == _values(kind(xp.asarray([1.0, 4.0])))

    @pytest.mark.parametrize("backend", EAGER)
    def test_modules(self, backend: str) -> None:
        class Twice(unify.nn.Module):
            def _forward(self, x: Any) -> Any:
                return _twice(x)

        for kind in CARRIED:
            x, net = kind(unify.get_backend(backend).asarray([5.0, 4.0])), Twice()
            net.compile_graph(x)
            assert _values(net(x)) == _values(_twice(x))

    @pytest.mark.parametrize("backend", EAGER)
    def test_steps_of_optimizers(self, backend: str) -> None:
        """A step computes with the arrays of an object in a nest, and keeps its class."""
        for kind in CARRIED:
            w, slope = (kind(unify.get_backend(backend).asarray([x])) for x in (5.0, 2.0))
            found = unify.gradient_descent_update({"w": w}, {"w": slope}, 0.5)["w"]
            assert _values(found) == _values(kind(unify.get_backend(backend).asarray([4.0])))
            made = unify.adam_update([w], [slope], 0.1, 0.0, 0.0, 1)
            assert [type(x) for (x,) in made] == [kind] * 3
        with pytest.raises(UnifyTypeError, match="holds a Boxed, whose class overrides"):
            unify.adam_update([Boxed(w)], [slope], 0.1, 0.0, 0.0, 1)

    @pytest.mark.parametrize("backend", EAGER)
    def test_steps_call_the_functions_of_a_subclass(self, backend: str) -> None:
        """1 - 0.5 * 4 is 6 modulo 7, also beside plain arrays."""
        plain = [unify.get_backend(backend).asarray([x]) for x in (1.0, 4.0)]
        for w, slope in itertools.product(*((x, Modulo(x)) for x in plain)):
            if type(w) is not type(slope) or isinstance(w, Modulo):
                (found,) = unify.gradient_descent_update([w], [slope], 0.5)
                assert (type(found), unify.to_list(found)) == (Modulo, [6.0])

    @pytest.mark.parametrize("backend", EAGER)
    def test_the_rest_is_part_of_the_program(self, backend: str) -> None:
        xp = unify.get_backend(backend)
        compiled = unify.compile(lambda x: (x, x.unit))
        for unit in ("m", "km"):
            assert compiled(Length(xp.asarray([5.0]), unit))[1] == unit
        graph = unify.compile_graph(_twice, Length(xp.asarray([5.0])))
        for other in (
            Length(xp.asarray([5.0]), "km"),
            xp.asarray([5.0]),
            Modulo(xp.asarray([5.0])),
        ):
            with pytest.raises(GraphError, match="traced structure"):
                graph(other)
        with pytest.raises(UnifyTypeError, match="returns a Length with 'm m' where a Length with"):
            unify.scan(
                lambda c, _: (unify.multiply(c, c), None), Length(xp.asarray([5.0])), length=1
            )

    @pytest.mark.parametrize("backend", EAGER)
    def test_in_place_operators_write(self, backend: str) -> None:
        """Views and aliases see the result of the class."""
        part = unify.get_backend(backend).asarray([5.0, 4.0])
        x = same = Modulo(part)
        x += 4.0
        assert x is same
        assert _values(x) == ("Modulo", [2.0, 1.0])
        assert unify.to_list(part) == [2.0, 1.0]
        with pytest.raises(UnifyTypeError, match="can't store the result of float64 and shape"):
            x += unify.get_backend(backend).ones((3, 2))
