"""`portable`, `array_namespace` and `to_backend`: entry points for other code and arrays."""

from __future__ import annotations

import asyncio
from typing import Any, NamedTuple

import numpy as np
import pytest

import arrayapi_unify as unify
from arrayapi_unify import dtypes
from arrayapi_unify.errors import BackendError, UnifyTypeError, UnifyValueError
from tests.immutable_backend import NAME, registered
from tests.installed import INSTALLED, PAIRS, native
from tests.tables import each


class Pair(NamedTuple):
    first: Any
    second: Any


@unify.portable
def norm(x: Any) -> Any:
    xp = x.__array_namespace__()
    return xp.sqrt(xp.sum(x * x))


@unify.portable
def same(value: Any, **named: Any) -> Any:
    return (value, named) if named else value


@pytest.mark.parametrize("backend", INSTALLED)
class TestPortable:
    def test_native_in_native_out(self, backend: str) -> None:
        x = native(backend, [3.0, 4.0])
        result = norm(x)
        assert type(result) is type(x)
        assert float(result) == 5.0

    def test_array_in_array_out(self, backend: str) -> None:
        x = unify.Array(native(backend, [3.0, 4.0]))
        result = norm(x)
        assert type(result) is type(x)
        assert float(result) == 5.0

    def test_nothing_is_copied(self, backend: str) -> None:
        x = native(backend, [1.0, 2.0])
        assert same(x) is x

    def test_nested_in_and_out(self, backend: str) -> None:
        x = native(backend, [1.0])
        nested = [x, (x, {"a": x, "b": 2}), Pair(x, None), "text"]
        value, named = same(nested, more={"x": x})
        assert value[0] is x
        assert value[1][0] is x
        assert value[1][1] == {"a": x, "b": 2}
        assert isinstance(value[2], Pair)
        assert value[2].first is x
        assert value[3] == "text"
        assert named["more"]["x"] is x

    def test_scalars_beside_arrays_stay(self, backend: str) -> None:
        @unify.portable
        def scale(x: Any, factor: float) -> Any:
            assert type(factor) is float
            return x * factor

        assert float(scale(native(backend, 2.0), 1.5)) == 3.0

    def test_the_body_sees_arrays_only(self, backend: str) -> None:
        @unify.portable
        def kinds(*values: Any) -> list[bool]:
            return [isinstance(value, unify.Array) for value in values]

        assert kinds(native(backend, 1.0), unify.Array(native(backend, 1.0))) == [True, True]


@pytest.mark.parametrize("backend", INSTALLED)
class TestPortableKinds:
    """For every kind of function, the caller gets back the kind of array that it passed."""

    def test_generators(self, backend: str) -> None:
        @unify.portable
        def doubled(x: Any) -> Any:
            sent = yield x + x
            assert isinstance(sent, unify.Array)
            yield [sent * 2]
            return {"x": x}

        x = native(backend, [1.0, 2.0])
        generator = doubled(x)
        assert type(next(generator)) is type(x)
        assert type(generator.send(x)[0]) is type(x)
        with pytest.raises(StopIteration) as ended:
            next(generator)
        assert type(ended.value.value["x"]) is type(x)
        assert isinstance(next(doubled(unify.Array(x))), unify.Array)

    def test_coroutines_and_async_generators(self, backend: str) -> None:
        @unify.portable
        async def total(x: Any) -> Any:
            await asyncio.sleep(0)
            return x + x

        @unify.portable
        async def each(x: Any) -> Any:
            yield x
            await asyncio.sleep(0)
            yield x + 1

        async def main(x: Any) -> list[Any]:
            return [await total(x), *[item async for item in each(x)]]

        x = native(backend, [1.0, 2.0])
        assert {type(item) for item in asyncio.run(main(x))} == {type(x)}

    def test_iterators_that_a_function_returns(self, backend: str) -> None:
        @unify.portable
        def shifted(x: Any) -> Any:
            return (x + number for number in [1, 2])

        x = native(backend, [1.0, 2.0])
        assert [type(item) for item in shifted(x)] == [type(x)] * 2

    def test_methods(self, backend: str) -> None:
        class Model:
            @unify.portable
            def method(self, x: Any) -> Any:
                return x + 1

            @unify.portable
            @classmethod
            def of_class(cls, x: Any) -> Any:
                return x + 1

            @unify.portable
            @staticmethod
            def of_none(x: Any) -> Any:
                return x + 1

        x, model = native(backend, [1.0, 2.0]), Model()
        for call in (model.method, model.of_class, Model.of_class, model.of_none):
            assert type(call(x)) is type(x)
            assert isinstance(call(unify.Array(x)), unify.Array)


@unify.portable
def noisy(x: Any, key: Any) -> Any:
    xp = x.__array_namespace__()
    return x + xp.random.uniform(key, x.shape, dtype=x.dtype), key


@unify.portable
def applied(x: Any, f: Any, /, *others: Any, **options: Any) -> Any:
    assert isinstance(x, unify.Array)
    result = f(x, **options)
    assert isinstance(result, unify.Array)
    return result


@pytest.mark.parametrize("backend", INSTALLED)
class TestPortableKeys:
    """A key of `unify.random` follows the other arrays, and doesn't decide about the results."""

    def test_natives(self, backend: str) -> None:
        x = native(backend, [1.0, 2.0])
        expected = np.asarray([1.0, 2.0]) + unify.to_numpy(
            unify.random.uniform(unify.random.key(3), (2,), dtype="float64")
        )
        for key in (unify.random.key(3), unify.get_backend(backend).random.key(3)):
            result, same_key = noisy(x, key)
            assert type(result) is type(x)
            assert type(same_key) is type(x)
            np.testing.assert_array_equal(np.asarray(result), expected)
        assert type(noisy(x, key=unify.random.key(3))[0]) is type(x)

    def test_arrays_and_a_key_alone(self, backend: str) -> None:
        xp = unify.get_backend(backend)
        assert isinstance(noisy(xp.ones(2), xp.random.key(3))[0], unify.Array)
        assert isinstance(same(xp.random.key(3)), unify.Array)


@pytest.mark.parametrize("backend", INSTALLED)
class TestPortableCallbacks:
    """A callable gets the caller's kind of arrays, and the body gets Arrays of it."""

    def test_natives(self, backend: str) -> None:
        x, seen = native(backend, [1.0, 2.0]), []

        def double(value: Any, *, factor: Any = 1) -> Any:
            seen.append((type(value), type(factor)))
            return value + value

        class Doubler:
            name = "doubler"

            def __call__(self, value: Any) -> Any:
                return double(value)

        for f in (double, Doubler()):
            assert type(applied(x, f)) is type(x)
        assert type(applied(x, double, factor=x)) is type(x)
        assert seen == [(type(x), int), (type(x), int), (type(x), type(x))]

        @unify.portable
        def attributes(x: Any, f: Any) -> Any:
            return f.name, f.__wrapped__

        doubler = Doubler()
        assert attributes(x, doubler) == ("doubler", doubler)

    def test_arrays(self, backend: str) -> None:
        x = unify.Array(native(backend, [1.0, 2.0]))

        def double(value: Any) -> Any:
            assert isinstance(value, unify.Array)
            return value + value

        assert isinstance(applied(x, double), unify.Array)

    def test_functions_and_classes_of_ours_stay(self, backend: str) -> None:
        @unify.portable
        def same_one(x: Any, f: Any) -> Any:
            return [f]

        for f in (unify.sin, unify.Linear, unify.float32, float, unify.get_backend(backend)):
            assert same_one(native(backend, [1.0]), f)[0] is f

    def test_self_stays(self, backend: str) -> None:
        class Model:
            calls = 0

            @unify.portable
            def __call__(self, x: Any) -> Any:
                self.calls += 1
                assert isinstance(self, Model)
                return x

        model = Model()
        model(native(backend, [1.0]))
        assert model.calls == 1

    def test_errors_are_the_callers(self, backend: str) -> None:
        class MineError(Exception):
            pass

        def fail(value: Any) -> Any:
            raise MineError

        with pytest.raises(MineError) as caught:
            applied(native(backend, [1.0]), fail)
        assert caught.value.__context__ is None


@pytest.mark.parametrize("backend", INSTALLED)
class TestPortableOperands:
    """Lists next to arrays become Arrays, and numbers for a parameter that names arrays."""

    def test_required_parameters(self, backend: str) -> None:
        @unify.portable
        def kinds(x, y: unify.Array, axis=0, *, z=1.0):  # type: ignore[no-untyped-def]  # as users write it
            return x * y, isinstance(y, unify.Array), isinstance(axis, int), isinstance(z, float)

        x = native(backend, [1.0, 2.0], "float32")
        for args, named in (((2.0,), {}), ((2.0, 1), {"z": 2.0}), ((), {"y": 2.0})):
            result, *found = kinds(x, *args, **named)
            assert found == [True, True, True]
            assert type(result) is type(x)
            assert unify.to_list(result) == [2.0, 4.0]
            assert unify.Array(result).dtype is unify.float32
        result, *found = kinds(x, [2.0, 3.0])
        assert (unify.to_list(result), found) == ([2.0, 6.0], [True, True, True])
        assert unify.to_list(kinds(2.0, x)[0]) == [2.0, 4.0]
        assert isinstance(kinds(unify.Array(x), 2)[0], unify.Array)

    def test_numbers_stay_numbers(self, backend: str) -> None:
        """A window is no array: `//` of it is an integer, for `pad` and slices (FAULTS 7.4)."""

        @unify.portable
        def smooth(x, window, rate: Any):  # type: ignore[no-untyped-def]  # as users write it
            xp = x.__array_namespace__()
            return xp.pad(x, (window // 2, 0))[:window] * rate

        x = native(backend, [1.0, 2.0])
        for result in (smooth(x, 3, 2), smooth(x, window=3, rate=2.0)):
            assert type(result) is type(x)
            assert unify.to_list(result) == [0.0, 2.0, 4.0]

    def test_annotations_decide(self, backend: str) -> None:
        @unify.portable
        def kinds(x: Any, shape: list[int], order: int, flag, name) -> list[type]:  # type: ignore[no-untyped-def]  # as users write it
            return [type(value) for value in (shape, order, flag, name)]

        x = native(backend, [1.0])
        assert kinds(x, [1, 2], 3, True, "a") == [list, int, bool, str]

    def test_errors_have_no_context(self, backend: str) -> None:
        @unify.portable
        def fail(x: Any, y: Any) -> Any:
            raise ValueError("of the body")

        x = native(backend, [1.0])
        for given in (x, unify.Array(x), [1.0], 2.0, {"a": x}, object()):
            with pytest.raises(ValueError, match="of the body") as caught:
                fail(x, given)
            assert caught.value.__context__ is None

    def test_numpys_arrays_next_to_arrays(self, backend: str) -> None:
        @unify.portable
        def product(x: Any, y: Any) -> Any:
            assert isinstance(y, unify.Array)
            return x * y

        x = unify.Array(native(backend, [1.0, 2.0]))
        assert unify.to_list(product(x, np.asarray([2.0, 3.0]))) == [2.0, 6.0]


class TestPortableScalars:
    def test_a_class_is_refused(self) -> None:
        with pytest.raises(UnifyTypeError, match="decorate its methods"):
            unify.portable(Pair)

    def test_numbers_alone_become_arrays_and_numbers_again(self) -> None:
        assert norm(-3.0) == 3.0
        assert type(norm(4)) is float

    def test_keeps_name_and_documentation(self) -> None:
        assert norm.__name__ == "norm"
        assert norm.__wrapped__.__name__ == "norm"


class TestArrayNamespace:
    @pytest.mark.parametrize("backend", INSTALLED)
    def test_of_native_arrays_and_arrays(self, backend: str) -> None:
        x = native(backend, [1.0])
        namespace = unify.get_backend(backend)
        assert unify.array_namespace(x) is namespace
        assert unify.array_namespace(unify.Array(x), x, 2.0, None, True) is namespace

    @pytest.mark.parametrize("backend", INSTALLED)
    def test_ignores_what_is_set(self, backend: str) -> None:
        with unify.use_backend("numpy"):
            assert unify.array_namespace(native(backend, 1.0)) is unify.get_backend(backend)

    def test_without_an_array(self) -> None:
        with pytest.raises(UnifyTypeError, match="no array"):
            unify.array_namespace(1.0, None)

    def test_of_something_else(self) -> None:
        with pytest.raises(UnifyTypeError, match=r"'arrays\[1\]' is 'text'"):
            unify.array_namespace(np.ones(1), "text")  # type: ignore[arg-type]

    def test_of_two_backends(self) -> None:
        with registered():
            first, second = unify.ones(1), unify.get_backend(NAME).ones(1)
            with pytest.raises(BackendError, match=f"{NAME} backend.*numpy backend"):
                unify.array_namespace(first, second)


@pytest.mark.parametrize(("source", "target"), PAIRS)
class TestToBackend:
    @each("dtype", [d.name for d in dtypes.ALL])
    def test_values_dtype_and_shape(self, source: str, target: str, dtype: str) -> None:
        values = [[0, 1, 1], [1, 0, 1]]
        x = unify.Array(native(source, values, dtype))
        y = unify.to_backend(x, target)
        assert y.backend == target
        assert y.dtype is x.dtype
        assert y.shape == (2, 3)
        assert y.tolist() == x.tolist()

    def test_native_arrays_too(self, source: str, target: str) -> None:
        assert unify.to_backend(native(source, [1.0, 2.0]), target).tolist() == [1.0, 2.0]

    @pytest.mark.parametrize("shape", [(), (0,), (2, 0, 3)])
    def test_without_dimensions_or_elements(
        self, source: str, target: str, shape: tuple[int, ...]
    ) -> None:
        x = unify.get_backend(source).zeros(shape)
        assert unify.to_backend(x, target).shape == shape

    def test_a_write_is_seen_where_both_write_to_memory(self, source: str, target: str) -> None:
        x = unify.get_backend(source).asarray([1.0, 2.0, 3.0])
        y = unify.to_backend(x, target)
        y[0] = 9.0
        x[1] = 7.0
        if source == target or {source, target} == {"numpy", "torch"}:
            assert x.tolist() == y.tolist() == [9.0, 7.0, 3.0]
        else:
            assert x.tolist() == [1.0, 7.0, 3.0]
            assert y.tolist() == [9.0, 2.0, 3.0]

    def test_from_dlpack(self, source: str, target: str) -> None:
        x = unify.get_backend(source).asarray([1.0, 2.0, 3.0])
        y = unify.get_backend(target).from_dlpack(x)
        assert (y.backend, y.tolist()) == (target, [1.0, 2.0, 3.0])


class TestToBackendItself:
    @pytest.mark.parametrize("backend", INSTALLED)
    def test_an_array_of_the_backend_comes_back(self, backend: str) -> None:
        x = unify.get_backend(backend).ones(3)
        assert unify.to_backend(x, backend) is x

    def test_unknown_backend(self) -> None:
        with pytest.raises(UnifyValueError, match="known backends are numpy"):
            unify.to_backend(unify.ones(1), "cupy")
