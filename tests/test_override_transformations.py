"""The override protocol where functions are transformed: the class stays, or is refused by name."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

import arrayapi_unify as unify
from arrayapi_unify.errors import UnifyTypeError
from tests.installed import DIFFERENTIATING, EAGER

pytestmark = pytest.mark.filterwarnings("ignore:.*script_method:DeprecationWarning")


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
OTHERS = {"nested_any", "nested_argwhere", "arg_names", "match_kwargs"}


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

    @pytest.mark.parametrize("kind", [Modulo, Boxed])
    @pytest.mark.parametrize("name", TRANSFORMING)
    def test_arrays_that_are_traced(self, xp: ModuleType, name: str, kind: type) -> None:
        with pytest.raises(UnifyTypeError, match=rf"holds a {kind.__name__}, whose class"):
            TRANSFORMING[name](_twice, kind(xp.asarray([5.0])))
        with pytest.raises(UnifyTypeError, match=rf"holds a {kind.__name__}, whose class"):
            TRANSFORMING[name](_twice, {"a": [xp.asarray([5.0]), kind(xp.asarray([5.0]))]})

    @pytest.mark.parametrize("kind", [Modulo, Boxed])
    @pytest.mark.parametrize("name", DERIVATIVES)
    def test_arrays_that_are_differentiated(self, xp: ModuleType, name: str, kind: type) -> None:
        x = kind(xp.asarray([5.0]))
        via = None if xp.ones(1).backend in DIFFERENTIATING else DIFFERENTIATING[0]
        with pytest.raises(UnifyTypeError, match=rf"holds a {kind.__name__}, whose class"):
            DERIVATIVES[name](x, via)

    @pytest.mark.parametrize("name", RECOMPUTING)
    def test_functions_that_are_called_again(self, xp: ModuleType, name: str) -> None:
        with pytest.raises(UnifyTypeError, match="holds a Modulo, whose class"):
            RECOMPUTING[name](_twice, Modulo(xp.asarray([5.0])))
        found = RECOMPUTING[name](_twice, Boxed(xp.asarray([5.0])))
        assert found.value.tolist() == [110.0]

    @pytest.mark.parametrize("name", CALLING)
    def test_functions_that_are_called(self, xp: ModuleType, name: str) -> None:
        found = CALLING[name](Modulo(xp.asarray([5.0])))
        assert type(found) is Modulo
        assert unify.to_list(found) == [3.0]
        assert CALLING[name](Boxed(xp.asarray([5.0]))).value.tolist() == [110.0]

    def test_compiled_namespace_asks_the_class(self, xp: ModuleType) -> None:
        compiled = unify.compiled_namespace(xp.ones(1).backend)
        found = compiled.add(Modulo(xp.asarray([5.0])), xp.asarray([4.0]))
        assert type(found) is Modulo
        assert unify.to_list(found) == [2.0]
        assert compiled.add(Boxed(xp.asarray([5.0])), 1.0).value.tolist() == [106.0]

    @pytest.mark.parametrize("name", [*TRANSFORMING, *RECOMPUTING])
    @pytest.mark.parametrize("backend", EAGER)
    def test_results_that_are_made_in_the_function(self, backend: str, name: str) -> None:
        """They have their class, or the error names it."""
        x = unify.get_backend(backend).asarray([5.0])

        def made(x: Any) -> Any:
            return Modulo(x) + Modulo(x)

        try:
            found = {**TRANSFORMING, **RECOMPUTING}[name](made, x)
        except UnifyTypeError as error:
            found = error
        if isinstance(found, UnifyTypeError):
            assert "a Modulo, whose class" in str(found)
        else:
            assert type(found) is Modulo
            assert unify.to_list(found) == [3.0]
