"""The override protocol through every entry point: top level, bound namespace, method, operator."""

from __future__ import annotations

import operator
from collections.abc import Callable, Collection
from types import ModuleType
from typing import Any, ClassVar

import numpy as np
import pytest

import arrayapi_unify as unify
from arrayapi_unify.errors import BackendError


class Recorder:
    """Returns the arguments of its override for every function."""

    def __ivy_array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
        return func, types, args, kwargs


class RecordingArray(unify.Array):
    """An Array that returns the arguments of its override for every function."""

    __ivy_array_function__ = Recorder.__ivy_array_function__


class LoudArray(unify.Array):
    """Records each function and runs our implementation."""

    log: list[Any]

    def __init__(self, data: Any) -> None:
        super().__init__(data)
        self.log = []

    def __ivy_array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
        self.log.append(func)
        return super().__ivy_array_function__(func, types, args, kwargs)


def loud_on(xp: ModuleType, values: list[Any]) -> LoudArray:
    """Create one with data of a bound namespace's backend."""
    return LoudArray(xp.asarray(values).data)


class Silent:
    """A class without the protocol."""


class TestDocumentationPattern:
    """B48: the pattern of the documentation."""

    def test_handled_functions(self) -> None:
        handled: dict[Any, Callable[..., Any]] = {}

        class MyArray:
            """A duck array."""

            def __init__(self, data: Any = None) -> None:
                self.data = data

            def __ivy_array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
                if func not in handled:
                    return NotImplemented
                if not all(issubclass(t, MyArray | unify.Array | unify.NativeArray) for t in types):
                    return NotImplemented
                return handled[func](*args, **kwargs)

        def implements(function: Any) -> Callable[[Any], Any]:
            def decorator(func: Any) -> Any:
                handled[function] = func
                return func

            return decorator

        @implements(unify.abs)
        def my_abs(my_array: MyArray) -> MyArray:
            return MyArray(abs(my_array.data))

        @implements(unify.add)
        def my_add(x: Any, y: Any) -> str:
            return "added"

        assert unify.abs(MyArray(-3)).data == 3  # type: ignore[arg-type, attr-defined]
        mine, ours, native = MyArray(-3), unify.ones(2), np.ones(2)
        for pair in [
            (mine, mine),
            (mine, ours),
            (ours, mine),
            (mine, native),
            (mine, 2),
            (2, mine),
        ]:
            assert unify.add(*pair) == "added"  # type: ignore[arg-type]
        with pytest.raises(BackendError, match=r"sin.*MyArray"):
            unify.sin(mine)  # type: ignore[arg-type]


class TestFunctionIdentity:
    """B48: `func` is the public function, whichever entry point was called."""

    @pytest.mark.parametrize("name", ["abs", "sum", "sort", "linalg.inv", "fft.fft", "astype"])
    def test_top_level_and_bound_namespace(self, xp: ModuleType, name: str) -> None:
        public = operator.attrgetter(name)(unify)
        bound = operator.attrgetter(name)(xp)
        args = (Recorder(), unify.int8) if name == "astype" else (Recorder(),)
        assert bound is not public
        assert public(*args)[0] is public
        assert bound(*args)[0] is public

    @pytest.mark.parametrize("name", ["can_cast", "finfo", "dtype", "to_native", "dev"])
    def test_standalone_functions_that_take_arrays(self, name: str) -> None:
        public = getattr(unify, name)
        args = (Recorder(), unify.int8) if name == "can_cast" else (Recorder(),)
        assert public(*args)[0] is public

    def test_method(self, xp: ModuleType) -> None:
        x = xp.ones(2)
        assert x.add(Recorder())[0] is unify.add
        assert RecordingArray([1.0]).sin()[0] is unify.sin
        assert RecordingArray([1.0]).concat([x])[0] is unify.concat

    @pytest.mark.parametrize("cls", [Recorder, RecordingArray])
    def test_operators_of_both_sides(self, xp: ModuleType, cls: Any) -> None:
        other = RecordingArray([1.0]) if cls is RecordingArray else Recorder()
        x = xp.ones(1)
        func, _, args, _ = x + other
        assert func is unify.add
        assert args[0] is x
        assert args[1] is other
        assert (x < other)[0] is unify.less
        assert (x @ other)[0] is unify.matmul

    def test_reflected_operator_of_an_overriding_array(self, xp: ModuleType) -> None:
        mine, x = RecordingArray([1.0]), xp.ones(1)
        assert (mine - x)[0] is unify.subtract
        func, _, args, _ = 2 - mine
        assert func is unify.subtract
        assert args == (2, mine) or args[0] == 2
        assert args[1] is mine

    def test_unary_operators_of_an_overriding_array(self) -> None:
        mine = RecordingArray([1.0])
        assert (-mine)[0] is unify.negative
        assert (+mine)[0] is unify.positive
        assert abs(mine)[0] is unify.abs
        assert (~mine)[0] is unify.bitwise_invert

    def test_getitem_of_an_overriding_array(self) -> None:
        mine = RecordingArray([1.0])
        func, _, args, _ = mine[0]
        assert func is unify.get_item
        assert args[1] == 0

    def test_setitem_of_an_overriding_array(self) -> None:
        mine = LoudArray([1.0, 2.0])
        mine[0] = 5
        assert mine.log == [unify.set_item]
        assert unify.to_list(mine) == [5.0, 2.0]

    def test_overriding_index_and_value(self, xp: ModuleType) -> None:
        mine = loud_on(xp, [0])
        x = xp.asarray([1, 2])
        assert xp.to_list(x[mine]) == [1]
        x[mine] = 7
        x[1:] = mine
        assert mine.log == [unify.get_item, unify.set_item, unify.set_item]
        assert xp.to_list(x) == [7, 0]

    def test_in_place_with_an_overriding_operand(self, xp: ModuleType) -> None:
        x: Any = xp.ones(1)
        other = Recorder()
        x += other
        assert x[0] is unify.add
        assert x[2][1] is other

    def test_in_place_on_an_overriding_array(self, xp: ModuleType) -> None:
        """`mine += y` is a call of `add` too, with the override of `mine + y`."""
        mine = before = loud_on(xp, [1.0, 2.0])
        mine += xp.ones(2)
        assert before.log == [unify.add]

    def test_numpy_ufunc_on_an_overriding_array(self) -> None:
        assert np.sin(RecordingArray([1.0]))[0] is unify.sin  # type: ignore[call-overload]
        func, _, args, _ = np.add(np.ones(1), RecordingArray([1.0]))  # type: ignore[misc]
        assert func is unify.add
        assert isinstance(args[0], np.ndarray)

    def test_set_backend_changes_no_identity(self) -> None:
        before = unify.add
        with unify.use_backend("numpy"):
            assert unify.add is before
            assert unify.add(Recorder(), 1)[0] is before  # type: ignore[arg-type, index]
        assert unify.add is before


class TestArguments:
    """B48: exactly the caller's arguments."""

    @pytest.mark.parametrize("entry_point", ["top", "bound"])
    def test_nothing_is_added(self, xp: ModuleType, entry_point: str) -> None:
        namespace = unify if entry_point == "top" else xp
        mine = Recorder()
        _, types, args, kwargs = namespace.sum(mine)
        assert args == (mine,)
        assert kwargs == {}
        assert type(args) is tuple
        assert type(kwargs) is dict
        assert isinstance(types, Collection)
        assert set(types) == {Recorder}
        assert namespace.sum(mine, axis=1)[2:] == ((mine,), {"axis": 1})
        assert namespace.sum(mine, axis=None, out=None)[2:] == (
            (mine,),
            {"axis": None, "out": None},
        )
        assert namespace.add(mine, 2)[2:] == ((mine, 2), {})
        assert namespace.clip(mine, 1)[2:] == ((mine, 1), {})
        assert namespace.clip(mine, max=1)[2:] == ((mine,), {"max": 1})
        assert namespace.to_numpy(mine, copy=True)[2:] == ((mine,), {"copy": True})

    def test_operators_give_two_positional_ones(self, xp: ModuleType) -> None:
        mine, x = Recorder(), xp.ones(1)
        _, types, args, kwargs = x * mine
        assert args == (x, mine) or (args[0] is x and args[1] is mine)
        assert kwargs == {}
        assert set(types) == {Recorder, type(x)}

    @pytest.mark.parametrize("entry_point", ["top", "bound"])
    @pytest.mark.parametrize("name", ["concat", "stack"])
    def test_sequences_are_searched_and_passed_on_as_they_are(
        self, xp: ModuleType, entry_point: str, name: str
    ) -> None:
        namespace = unify if entry_point == "top" else xp
        arrays = [xp.ones(1), Recorder()]
        func, types, args, kwargs = getattr(namespace, name)(arrays, axis=0)
        assert func is getattr(unify, name)
        assert args[0] is arrays
        assert kwargs == {"axis": 0}
        assert Recorder in types

    def test_starred_arrays(self, xp: ModuleType) -> None:
        x, mine = xp.ones(1), Recorder()
        func, _, args, kwargs = xp.meshgrid(x, mine, indexing="ij")
        assert func is unify.meshgrid
        assert args[0] is x
        assert args[1] is mine
        assert kwargs == {"indexing": "ij"}
        assert unify.result_type(unify.int8, mine)[0] is unify.result_type  # type: ignore[arg-type, index]

    def test_nested_data_of_asarray(self) -> None:
        func, _, args, _ = unify.asarray([[1, Recorder()]])  # type: ignore[misc]
        assert func is unify.asarray
        assert args[0][0][0] == 1

    def test_out_may_override(self, xp: ModuleType) -> None:
        mine, x = Recorder(), xp.ones(2)
        for namespace in (unify, xp):
            func, types, args, kwargs = namespace.sin(x, out=mine)
            assert func is unify.sin
            assert Recorder in types
            assert len(args) == 1
            assert args[0] is x
            assert kwargs == {"out": mine}
            assert namespace.zeros(2, out=mine)[0] is unify.zeros

    def test_optional_arrays_may_override(self, xp: ModuleType) -> None:
        mine = Recorder()
        assert unify.clip(xp.ones(1), max=mine)[3] == {"max": mine}  # type: ignore[arg-type, index]
        assert xp.diff(xp.ones(2), prepend=mine)[3] == {"prepend": mine}


class TestAnswers:
    def test_a_handler_may_return_anything(self, xp: ModuleType) -> None:
        class Odd:
            """Returns the object that it was created with."""

            def __init__(self, answer: Any) -> None:
                self.answer = answer

            def __ivy_array_function__(self, *args: Any) -> Any:
                return self.answer

        for answer in (None, "text", 3, [], {"a": 1}, False):
            assert unify.sin(Odd(answer)) is answer  # type: ignore[arg-type, comparison-overlap]
            assert xp.add(xp.ones(1), Odd(answer)) is answer
            assert (xp.ones(1) == Odd(answer)) is answer

    @pytest.mark.parametrize("swapped", [False, True])
    def test_subclass_answers_first_in_either_order(self, swapped: bool) -> None:
        class Parent:
            """Returns the name of its class."""

            def __ivy_array_function__(self, *args: Any) -> str:
                return type(self).__name__

        class Child(Parent):
            """Is asked first."""

        pair: list[Any] = [Parent(), Child()]
        assert unify.add(*(reversed(pair) if swapped else pair)) == "Child"  # type: ignore[comparison-overlap]

    @pytest.mark.parametrize("swapped", [False, True])
    def test_decliner_passes_on_in_either_order(self, swapped: bool) -> None:
        class Decliner:
            """Always declines."""

            def __ivy_array_function__(self, *args: Any) -> Any:
                return NotImplemented

        pair: list[Any] = [Decliner(), Recorder()]
        func, types, _, _ = unify.add(*(reversed(pair) if swapped else pair))  # type: ignore[misc]
        assert func is unify.add
        assert set(types) == {Decliner, Recorder}


class TestSubclassOfArray:
    """B48 and B49: overrides, subclasses."""

    def test_super_runs_our_implementation(self, xp: ModuleType) -> None:
        loud = loud_on(xp, [1.0, 4.0])
        result = unify.sqrt(loud)
        assert type(result) is type(xp.ones(1))
        assert unify.to_list(result) == [1.0, 2.0]
        assert unify.to_list(loud + xp.ones(2)) == [2.0, 5.0]
        assert unify.to_list(xp.ones(2) - loud) == [0.0, -3.0]
        assert xp.to_list(xp.sum(loud, axis=0, keepdims=True)) == [5.0]
        assert loud.log[:3] == [unify.sqrt, unify.add, unify.subtract]
        assert unify.sum in loud.log

    def test_super_writes_into_out(self, xp: ModuleType) -> None:
        loud, x = loud_on(xp, [0.0, 0.0]), xp.asarray([1.0, 4.0])
        assert xp.sqrt(x, out=loud) is loud
        assert loud.log == [unify.sqrt]
        assert unify.to_list(loud) == [1.0, 2.0]

    def test_super_ignores_the_backend_that_is_set_for_operators(self, frozen: ModuleType) -> None:
        """An operator uses its array's backend, also with an override involved."""
        loud = LoudArray([1.0])
        with unify.use_backend("frozen"):
            plain = unify.get_backend("numpy").ones(1) + 1
            assert plain.backend == "numpy"
            assert (loud + 1).backend == "numpy"


class TestBesideAnotherClass:
    """NEP 18: our implementation declines if an overriding class isn't an Array."""

    @pytest.mark.parametrize("swapped", [False, True])
    def test_functions_methods_and_operators(self, xp: ModuleType, swapped: bool) -> None:
        loud, other = loud_on(xp, [1.0]), Recorder()
        pair: list[Any] = [other, loud] if swapped else [loud, other]
        for namespace in (unify, xp):
            func, types, args, kwargs = namespace.add(*pair)
            assert (func, set(types), args, kwargs) == (
                unify.add, {LoudArray, Recorder}, tuple(pair), {},
            )  # fmt: skip
            assert namespace.concat(pair)[2] == (pair,)
            assert namespace.where(xp.ones(1) > 0, *pair)[0] is unify.where
            assert namespace.einsum("i,i", *pair)[0] is unify.einsum
        for operate in (operator.add, operator.pow, operator.matmul, operator.and_):
            assert operate(*pair)[2] == tuple(pair)
        # Python calls the array's reflected comparison.
        assert (pair[0] < pair[1])[0] is (unify.greater if swapped else unify.less)
        assert loud.log.count(unify.add) == (0 if swapped else 3)

    def test_method_key_value_and_out(self, xp: ModuleType) -> None:
        loud, other = loud_on(xp, [1.0]), Recorder()
        assert loud.add(other)[2] == (loud, other)
        assert xp.ones(1).concat([loud, other])[0] is unify.concat
        assert loud[other][0] is unify.get_item
        assert unify.sin(loud, out=other)[3] == {"out": other}  # type: ignore[arg-type, index]
        got: Any = loud
        got += other
        assert got[2] == (loud, other)

    def test_arrays_among_themselves_are_computed(self, xp: ModuleType) -> None:
        class Louder(LoudArray):
            """Is asked first."""

        class Aside(unify.Array):
            """Overrides too, unrelated to the others."""

            def __ivy_array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
                return super().__ivy_array_function__(func, types, args, kwargs)

        loud = loud_on(xp, [1.0])
        for kind in (Louder, Aside):
            beside = kind(xp.asarray([2.0]).data)
            for pair in ((loud, beside), (beside, loud)):
                assert unify.add(*pair).tolist() == [3.0]
                assert (pair[0] + pair[1]).tolist() == [3.0]
                assert sorted(unify.concat(list(pair)).tolist()) == [1.0, 2.0]

    def test_all_that_declined_are_named(self, xp: ModuleType) -> None:
        class Decliner:
            """Always declines."""

            def __ivy_array_function__(self, *args: Any) -> Any:
                return NotImplemented

        loud, other = loud_on(xp, [1.0]), Decliner()
        for call in (unify.add, xp.add):
            with pytest.raises(BackendError, match=r"add: .*LoudArray, .*Decliner"):
                call(loud, other)
        with pytest.raises(TypeError, match=r"add: .*LoudArray, .*Decliner"):
            loud + other

    def test_native_arrays_and_numbers_beside_ours(self, xp: ModuleType) -> None:
        loud, native = loud_on(xp, [1.0]), xp.asarray([2.0]).data
        assert unify.add(loud, native).tolist() == [3.0]
        assert xp.add(native, loud).tolist() == [3.0]
        assert unify.add(loud, 2).tolist() == [3.0]


class TestWithoutProtocol:
    """B48: a class without the protocol raises BackendError."""

    @pytest.mark.parametrize("entry_point", ["top", "bound"])
    def test_message_names_function_argument_class_and_remedy(
        self, xp: ModuleType, entry_point: str
    ) -> None:
        namespace = unify if entry_point == "top" else xp
        with pytest.raises(BackendError) as caught:
            namespace.multiply(xp.ones(1), Silent())
        for part in ("multiply", "'x2'", "Silent", "asarray"):
            assert part in str(caught.value)
        assert isinstance(caught.value, TypeError)

    @pytest.mark.parametrize("value", [Silent(), "text", {1, 2}, None, {"a": 1}])
    def test_every_unfit_operand(self, xp: ModuleType, value: Any) -> None:
        for namespace in (unify, xp):
            with pytest.raises(BackendError, match="sin"):
                namespace.sin(value)
            with pytest.raises(BackendError, match="add"):
                namespace.add(value, xp.ones(1))
            with pytest.raises(BackendError, match="concat"):
                namespace.concat([xp.ones(1), value])

    def test_operators_say_it_as_python_does(self, xp: ModuleType) -> None:
        with pytest.raises(TypeError, match="unsupported operand"):
            xp.ones(1) + Silent()
        with pytest.raises(TypeError, match="unsupported operand"):
            Silent() + xp.ones(1)


class TestMismatches:
    """B48: overriding operands that don't match the signature raise BackendError."""

    MISMATCHES: ClassVar[dict[str, Callable[[Any], Any]]] = {
        "abs: arguments of the types Recorder": lambda x: unify.abs(x, None, x),
        "abs: .*'foo'": lambda x: unify.abs(x, foo=2),
        "add: .*missing .*'x2'": unify.add,
        "add: arguments of the types Recorder, Array": lambda x: unify.add(
            x, unify.ones(1), None, x
        ),
        "sum: .*'axi'": lambda x: unify.sum(x, axi=0),
        r"clip: .*clip\(\) takes": lambda x: unify.clip(x, 0, 1, None, 2),
        "concat: .*too many": lambda x: unify.concat([x, unify.ones(1)], 0, None, 0),
        "where: .*too many": lambda x: unify.where(x, 1, 2, 3),
    }

    @pytest.mark.parametrize("message", MISMATCHES)
    def test_function_and_types_are_named(self, message: str) -> None:
        with pytest.raises(BackendError, match=message):
            self.MISMATCHES[message](Recorder())

    def test_what_is_too_much_and_the_remedy_are_named(self) -> None:
        """One positional argument more than the four of NumPy's `clip`."""
        for kind in (Recorder, Silent):
            with pytest.raises(BackendError) as caught:
                unify.clip(kind(), 0, 1, None, 2)
            assert str(caught.value) == (
                f"clip: arguments of the types {kind.__name__} don't fit: clip() takes "
                f"(x, /, min=None, max=None, *, out=None): too many positional arguments; "
                f"give the arguments that the signature names"
            )

    @pytest.mark.parametrize("message", MISMATCHES)
    def test_a_class_without_the_protocol_is_named(self, message: str, xp: ModuleType) -> None:
        """With any backend set: an invalid call doesn't reach a backend."""
        expected = message.replace("Recorder", "Silent")
        with unify.use_backend(xp.ones(1).backend), pytest.raises(BackendError, match=expected):
            self.MISMATCHES[message](Silent())

    @pytest.mark.parametrize("message", MISMATCHES)
    def test_others_get_what_python_says(self, message: str, xp: ModuleType) -> None:
        """An invalid call with arrays is a TypeError, never another call."""
        for x in (xp.ones(1), xp.ones(1).data, unify.Container(a=xp.ones(1))):
            with pytest.raises(TypeError) as caught:
                self.MISMATCHES[message](x)
            assert not isinstance(caught.value, BackendError)

    def test_what_fits_arrives_as_it_was_given(self) -> None:
        x, types = Recorder(), (Recorder,)
        assert unify.roll(x, shift=1) == (unify.roll, types, (x, 1), {})
        assert unify.roll(x, 1, axis=0) == (unify.roll, types, (x, 1), {"axis": 0})
        assert unify.add(x, 2, out=None) == (unify.add, types, (x, 2), {"out": None})
