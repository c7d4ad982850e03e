"""B48: operators and bodies for classes that override functions (docs/custom_class.md)."""

from __future__ import annotations

import operator
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import arrayapi_unify as unify
from arrayapi_unify.contracts import CONTRACTS
from arrayapi_unify.contracts.annotations import Role
from arrayapi_unify.errors import BackendError
from tests.documents import run
from tests.installed import INSTALLED
from tests.measured_classes import Derived, Proxy
from tests.test_bodies import Minimal

BINARY = {
    operator.add: "add", operator.sub: "subtract", operator.mul: "multiply",
    operator.truediv: "divide", operator.floordiv: "floor_divide", operator.mod: "remainder",
    operator.pow: "pow", operator.matmul: "matmul", operator.and_: "bitwise_and",
    operator.or_: "bitwise_or", operator.xor: "bitwise_xor",
    operator.lshift: "bitwise_left_shift", operator.rshift: "bitwise_right_shift",
}  # fmt: skip
COMPARISONS = {
    operator.lt: "less", operator.le: "less_equal", operator.gt: "greater",
    operator.ge: "greater_equal", operator.eq: "equal", operator.ne: "not_equal",
}  # fmt: skip
UNARY = {
    operator.neg: "negative", operator.pos: "positive", operator.abs: "abs",
    operator.invert: "bitwise_invert",
}  # fmt: skip


class Recording(unify.UnifyOperatorsMixin):
    """Returns the function and the arguments of its override."""

    def __ivy_array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
        return func, args


class Declining(unify.UnifyOperatorsMixin):
    """Overrides nothing."""

    def __ivy_array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
        return NotImplemented


class WithoutMixin:
    """Overrides nothing, and has no operators."""

    __ivy_array_function__ = Declining.__ivy_array_function__


def the_same(result: Any, function: str, *expected: Any) -> None:
    func, args = result
    assert func is getattr(unify, function)
    assert all(a is b for a, b in zip(args, expected, strict=True))


class TestMixin:
    @pytest.mark.parametrize("op", BINARY)
    def test_binary(self, xp: ModuleType, op: Callable[[Any, Any], Any]) -> None:
        q = Recording()
        for other in (xp.ones(2), 2.0, xp.ones(2).data, np.ones(2), Recording()):
            the_same(op(q, other), BINARY[op], q, other)
            the_same(op(other, q), BINARY[op], other, q)

    @pytest.mark.parametrize("op", COMPARISONS)
    def test_comparisons(self, xp: ModuleType, op: Callable[[Any, Any], Any]) -> None:
        q, x = Recording(), xp.ones(2)
        the_same(op(q, x), COMPARISONS[op], q, x)
        the_same(op(x, q), COMPARISONS[op], x, q)

    def test_unary_divmod_and_in_place(self) -> None:
        q = Recording()
        for op, name in UNARY.items():
            the_same(op(q), name, q)
        the_same(divmod(q, 2)[0], "floor_divide", q, 2)
        the_same(divmod(2, q)[1], "remainder", 2, q)
        p = q
        p += 2.0
        the_same(p, "add", q, 2.0)

    def test_what_is_no_operand(self) -> None:
        with pytest.raises(TypeError, match="unsupported operand"):
            Recording() + object()
        with pytest.raises(TypeError, match="unhashable"):
            hash(Recording())

    def test_the_other_operand_is_asked(self) -> None:
        class Other:
            def __radd__(self, other: Any) -> str:
                return "reflected"

            __ivy_array_function__ = Declining.__ivy_array_function__

        assert Declining() + Other() == "reflected"
        for call in (lambda q: q + 2.0, lambda q: 2.0 + q, lambda q: q < 2, lambda q: q - [1]):
            with pytest.raises(TypeError, match=r"(add|less|subtract): every"):
                call(Declining())


class TestEquality:
    """No comparison is silently False because a class declines it."""

    @pytest.mark.parametrize("kind", [Declining, WithoutMixin])
    def test_declined(self, xp: ModuleType, kind: Any) -> None:
        x, q = xp.ones(2), kind()
        for first, second in ((x, q), (q, x)):
            with pytest.raises(BackendError, match=f"equal.*{kind.__qualname__}"):
                first == second  # noqa: B015  # it raises
            with pytest.raises(BackendError, match="not_equal"):
                first != second  # noqa: B015  # it raises

    def test_declined_between_two(self) -> None:
        with pytest.raises(BackendError, match="equal"):
            Declining() == Declining()  # noqa: B015  # it raises

    def test_a_method_of_the_class_is_asked(self, xp: ModuleType) -> None:
        class Named(WithoutMixin):
            def __eq__(self, other: object) -> Any:
                return "equal"

            __hash__ = None  # type: ignore[assignment]  # as the class has no hash

        assert (xp.ones(2) == Named()) == "equal"

    def test_others_are_unlike_each_element(self, xp: ModuleType) -> None:
        for other in (None, "a", object()):
            assert (xp.ones(2) == other).tolist() == [False, False]
            assert (xp.ones(2) != other).tolist() == [True, True]

    def test_no_cycle_holds_the_arguments(self, xp: ModuleType) -> None:
        with pytest.raises(BackendError) as caught:
            xp.ones(2) == WithoutMixin()  # noqa: B015  # it raises
        assert caught.value.__context__ is None


class Wrapped(unify.UnifyOperatorsMixin):
    """Overrides primary functions, each by the function of its Array."""

    __ivy_run_bodies__ = True

    def __init__(self, data: Any) -> None:
        self.data = data

    def __ivy_array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
        if func.kind != "primary":
            return NotImplemented
        result = func(*map(opened, args), **{key: opened(x) for key, x in kwargs.items()})
        return Wrapped(result) if isinstance(result, unify.Array) else result

    def __getitem__(self, key: Any) -> Wrapped:
        return Wrapped(self.data[key])

    def __array_namespace__(self, **options: Any) -> Any:
        return self.data.__array_namespace__()

    def astype(self, dtype: Any, **options: Any) -> Any:
        return unify.astype(self, dtype, **options)  # type: ignore[arg-type]  # it overrides

    @property
    def dtype(self) -> Any:
        return self.data.dtype

    @property
    def shape(self) -> Any:
        return self.data.shape

    @property
    def ndim(self) -> Any:
        return self.data.ndim

    @property
    def device(self) -> Any:
        return self.data.device


def opened(x: Any) -> Any:
    if isinstance(x, (list, tuple)):
        return type(x)(map(opened, x))
    return x.data if isinstance(x, Wrapped) else x


BODIES: dict[str, Callable[[Any, Any], Any]] = {
    "outer": lambda x, y: unify.outer(x, y),
    "outer with an array": lambda x, y: unify.outer(opened(x), y),
    "outer with a native array": lambda x, y: unify.outer(opened(x).data, y),
    "vdot": lambda x, y: unify.vdot(x, y),
    "allclose": lambda x, y: unify.allclose(x, y),
    "cumsum": lambda x, y: unify.cumsum(x),
    "exp2": lambda x, y: unify.exp2(x),
    "deg2rad": lambda x, y: unify.deg2rad(x),
    "bound": lambda x, y: x.__array_namespace__().inner(x, y),
}


class TestBodies:
    @pytest.mark.parametrize("name", BODIES)
    def test_functions(self, xp: ModuleType, name: str) -> None:
        x, y = xp.asarray([1.0, 2.0, 4.0]), xp.asarray([3.0, 2.0, 1.0])
        result, expected = BODIES[name](Wrapped(x), Wrapped(y)), BODIES[name](x, y)
        assert isinstance(result, Wrapped)
        np.testing.assert_allclose(np.asarray(result.data), np.asarray(expected))

    def test_unless_the_class_asks(self) -> None:
        class Plain(Wrapped):
            __ivy_run_bodies__ = False

        x = unify.ones(2)
        for given in ((Plain(x), Plain(x)), (Plain(x), Wrapped(x))):
            with pytest.raises(BackendError, match=r"outer.*Plain"):
                unify.outer(*given)

    def test_primaries_and_out_stay_declined(self) -> None:
        class Nothing(Wrapped):
            def __ivy_array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
                return NotImplemented

        x = unify.ones(2)
        with pytest.raises(BackendError, match=r"^sin: every overriding type"):
            unify.sin(Nothing(x))
        with pytest.raises(BackendError, match=r"^outer: its body calls reshape: every"):
            unify.outer(Nothing(x), x)

        class Some(Minimal):
            def __ivy_array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
                if func in (unify.multiply, unify.less):
                    return NotImplemented
                return super().__ivy_array_function__(func, types, args, kwargs)

        for call, message in (
            (lambda: unify.sinc(Some(x)), "sinc: its body calls multiply: every"),
            (lambda: unify.special.erf(Some(x)), "special.erf: its body calls less: every"),
        ):
            with pytest.raises(BackendError, match=message):
                call()
        with pytest.raises(BackendError, match=r"^outer: every overriding type"):
            unify.outer(Wrapped(x), x, out=unify.zeros((2, 2)))


class TestOverridableFunctions:
    def test_which(self) -> None:
        functions = unify.overridable_functions()
        assert {unify.add, unify.concat, unify.linalg.qr, unify.get_item} <= functions
        assert not {unify.ones, unify.kinds, unify.set_backend} & functions

    def test_each_reaches_the_override(self) -> None:
        by_function = {contract.public: contract for contract in CONTRACTS.values()}
        for function in unify.overridable_functions():
            contract, q = by_function[function], Recording()
            required = [p for p in contract.inputs if not (p.optional or p.any_keyword)]
            given: list[Any] = [[q] if p.role is Role.SEQUENCE else q for p in required]
            named = {} if given else {contract.array_parameters[0].name: q}
            func, _ = function(*given, **named)
            assert func is function

    @pytest.mark.parametrize("xp", [unify, unify.numpy], ids=["top level", "namespace"])
    def test_functions_that_declare_no_arrays(self, xp: Any) -> None:
        """An argument is asked; if it declines, the function runs."""
        x = unify.ones(2)
        for kind in (Proxy, Derived):
            assert type(xp.from_dlpack(kind(x))) is kind
        found = xp.nn.momentum_update(Proxy(x), Proxy(x), 0.5, Proxy(x))
        assert [type(part) for part in found] == [Proxy, Proxy]
        assert xp.broadcast_shapes((2, 1), (3,)) == (2, 3)
        assert xp.broadcast_shapes(Recording(), (3,))[0] is unify.broadcast_shapes

        class Asked:
            def __ivy_array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
                return types

        types: Any = xp.nn.gradient_descent_update(Asked(), x, 0.1)
        assert list(types) == [Asked, type(x)]

        class Declining(Proxy):
            def __ivy_array_function__(self, *_: Any) -> Any:
                return NotImplemented

        assert xp.from_dlpack(Declining(x)).tolist() == [1.0, 1.0]
        for kind in (Proxy, Derived):  # an object of another backend is moved
            moved = unify.dask.from_dlpack(kind(x))
            assert moved.backend == "dask"
        with pytest.raises(unify.UnifyError, match="register the class"):
            xp.nn.momentum_update(Declining(x), Declining(x), 0.5, Declining(x))


@pytest.mark.slow_on("torch")
@pytest.mark.filterwarnings("ignore:.*script_method:DeprecationWarning")  # of inductor itself
@pytest.mark.filterwarnings("ignore:The .grad attribute of a Tensor that is not a leaf")
@pytest.mark.parametrize("name", ["custom_class.md", "three_classes.md"])
@pytest.mark.parametrize("backend", INSTALLED)
def test_pages(backend: str, name: str, tmp_path: Path) -> None:
    """The examples give the same on each backend; Dask has no compiler."""
    text = (Path(__file__).parent.parent / "docs" / name).read_text(encoding="utf-8")
    if backend == "dask":
        assert "unify.compile(" in text
        text = text.replace("unify.compile(", "(")
    (tmp_path / name).write_text(text, encoding="utf-8")
    with unify.use_backend(backend):
        assert run(tmp_path / name, {}) == []
