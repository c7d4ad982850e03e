"""NumPy's functions that return views share memory of Arrays as of NumPy's own arrays."""

from __future__ import annotations

import functools
import itertools
import warnings
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any, Final, NamedTuple

import numpy as np
import pytest

import arrayapi_unify as unify
from arrayapi_unify.array_object.numpy_views import VIEWS
from arrayapi_unify.errors import UnifyTypeError
from tests.installed import DIFFERENTIATING, EAGER

MODULES: Final = (np, np.linalg, np.fft, np.lib.stride_tricks)
# Functions whose sharing depends on the result of the caller's own function.
OF_CALLERS: Final = frozenset({"apply_over_axes"})
FILES: Final = frozenset({"save", "savetxt", "savez", "savez_compressed"})
# Conversions of Arrays to NumPy's arrays.
CONVERSIONS: Final = frozenset({"atleast_1d", "atleast_2d", "atleast_3d"})
# Broadcast memory and diagonals are read-only here.
READ_ONLY: Final = frozenset({"broadcast_arrays", "einsum", "meshgrid"})

ARRAYS: Final[dict[str, Callable[[], Any]]] = {
    "matrix": lambda: np.arange(1.0, 7).reshape(2, 3),
    "vector": lambda: np.arange(4.0),
    "cube": lambda: np.arange(1.0, 9).reshape(2, 2, 2),
    "complex": lambda: np.arange(4.0).reshape(2, 2) * (1 + 1j),
    "number": lambda: np.asarray(2.0),
    "row": lambda: np.asarray([[[1.0], [2.0]]]),
}
# The layout of a drawn array: contiguous, transposed, or with gaps.
LAYOUTS: Final[dict[str, Callable[[Any], Any]]] = {
    "plain": lambda x: x,
    "turned": lambda x: x.transpose(),
    "gaps": lambda x: x[..., ::2] if x.ndim else x,
    "backward": lambda x: x[::-1] if x.ndim else x,
}
ARGUMENTS: Final[dict[str, Callable[[Any], tuple[Any, ...]]]] = {
    "x": lambda x: (x,),
    "x, 0": lambda x: (x, 0),
    "x, 1": lambda x: (x, 1),
    "x, 2": lambda x: (x, 2),
    "x, -1": lambda x: (x, -1),
    "x, 0, 1": lambda x: (x, 0, 1),
    "x, [1]": lambda x: (x, [1]),
    "x, (0, 1)": lambda x: (x, (0, 1)),
    "x, (-1,)": lambda x: (x, (-1,)),
    "x, (2, *shape)": lambda x: (x, (2, *x.shape)),
    "x, 'float64'": lambda x: (x, "float64"),
    "x, [0], [0]": lambda x: (x, [0], [0]),
    "x, [3, 2], [2, 3]": lambda x: (x, [3, 2], [2, 3]),
    "x, x + 1": lambda x: (x, x + 1),
    "x, 'F'": lambda x: (x, "F"),
    "x, 'A'": lambda x: (x, "A"),
    "x, 'K'": lambda x: (x, "K"),
    "x, -1, 'F'": lambda x: (x, -1, "F"),
    "x, -1, 'A'": lambda x: (x, -1, "A"),
    "x, 10, x": lambda x: (x + 1, np.arange(4.0), x),
    "'ij->ji', x": lambda x: ("ij->ji", x),
    "'ji', x": lambda x: ("ji", x),
    "'ii->i', x": lambda x: ("ii->i", x),
    "'iji->ij', x": lambda x: ("iji->ij", x),
}
# Arguments of specific functions.
ONLY: Final[dict[str, frozenset[str]]] = {
    **dict.fromkeys([k for k in ARGUMENTS if k[-2:] in ("F'", "A'", "K'")],
                    frozenset({"ravel", "reshape"})),
    **dict.fromkeys([k for k in ARGUMENTS if k[0] == "'" or "], [" in k or k == "x, [0], [0]"],
                    frozenset({"einsum"})),
    "x, x + 1": frozenset({"broadcast_arrays", "meshgrid"}),
    "x, 'float64'": frozenset({"astype"}),
}  # fmt: skip
OPTIONS: Final[tuple[dict[str, Any], ...]] = ({}, {"copy": False}, {"axes": ()})


class Call(NamedTuple):
    """A call of a NumPy function whose result shares the array's memory."""

    module: str
    name: str
    array: str
    layout: str
    arguments: str
    options: int

    def function(self) -> Any:
        return getattr(next(m for m in MODULES if m.__name__ == self.module), self.name)

    def run(self, x: Any) -> list[Any]:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # NumPy's, about unusual arguments
            found = self.function()(*ARGUMENTS[self.arguments](x), **OPTIONS[self.options])
        return list(arrays_in(found))


def arrays_in(found: Any) -> Iterator[Any]:
    if isinstance(found, list | tuple):
        for one in found:
            yield from arrays_in(one)
    elif isinstance(found, np.ndarray | unify.Array):
        yield found


def dispatched() -> Iterator[tuple[str, str]]:
    """The functions with NumPy's dispatch protocol, which other classes may implement."""
    for module in MODULES:
        for name in sorted(vars(module)):
            function = getattr(module, name)
            if hasattr(function, "_implementation") and name not in {*OF_CALLERS, *FILES}:
                yield module.__name__, name


@functools.cache
def sharing() -> dict[tuple[str, str], list[Call]]:
    """The calls whose results share memory, determined on NumPy's own arrays."""
    found: dict[tuple[str, str], list[Call]] = {}
    for (module, name), arguments, options, array in itertools.product(
        dispatched(), ARGUMENTS, range(len(OPTIONS)), ARRAYS
    ):
        if name not in ONLY.get(arguments, (name,)):
            continue
        call = Call(module, name, array, "plain", arguments, options)
        x = ARRAYS[array]()
        try:
            results = call.run(x)
        except Exception:
            continue
        # A positional `out` isn't intended.
        if any(np.shares_memory(one, x) for one in results) and np.array_equal(x, ARRAYS[array]()):
            found.setdefault((module, name), []).append(call)
    return found


def chosen(calls: list[Call], backend: str) -> Iterator[Call]:
    """Each form of arguments once, fewer on JAX; some in every layout."""
    seen: set[Any] = set()
    for call in calls:
        key = (call.arguments, call.options)
        if key in seen:
            continue
        seen.add(key)
        if backend == "jax" and len(seen) > 4:
            return
        layouts = ["plain"] if backend == "jax" and len(seen) > 1 else list(LAYOUTS)
        yield from (call._replace(layout=layout) for layout in layouts)


def same(found: list[Any], expected: list[Any]) -> bool:
    return len(found) == len(expected) and all(
        np.array_equal(np.array(one), other) and one.shape == other.shape
        for one, other in zip(found, expected, strict=True)
    )


def fault(call: Call, xp: ModuleType) -> str | None:
    """Describe differences from NumPy: values, and effects of writes to x or the result."""
    numpys_root, root = ARRAYS[call.array](), xp.asarray(ARRAYS[call.array]())
    numpys, x = LAYOUTS[call.layout](numpys_root), LAYOUTS[call.layout](root)
    try:
        expected = call.run(numpys)
    except Exception as error:
        try:
            call.run(x)
        except (type(error), ValueError):  # LinAlgError is one
            return None
        return f"no {type(error).__name__}"
    found = call.run(x)
    if not same(found, expected):
        return "values"
    for one, source in ((root, xp.asarray), (numpys_root, np.asarray)):
        one[...] = source(np.flip(ARRAYS[call.array]() + 10))
    if not same(found, expected):
        return "a write to x"
    for number, (ours, theirs) in enumerate(zip(found, expected, strict=True)):
        if not theirs.flags.writeable:
            if not is_read_only(ours):
                return f"result {number} isn't read-only"
            continue
        if call.name in READ_ONLY and is_read_only(ours):
            continue
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about writes to broadcast arrays
            theirs[...] = 50 + number
        ours[...] = 50 + number
        if not same([root, *found], [numpys_root, *expected]):
            return f"a write to result {number}"
    return None


def is_read_only(x: Any) -> bool:
    try:
        x[...] = x[...] if isinstance(x, np.ndarray) else x + 0
    except ValueError:
        return True
    return False


def test_the_walk_finds_them() -> None:
    found = {name for _, name in sharing()}
    assert found >= {
        "array_split", "atleast_1d", "atleast_2d", "atleast_3d", "broadcast_arrays", "broadcast_to",
        "diag", "diagonal", "diff", "dsplit", "einsum", "expand_dims", "fftn", "flip", "fliplr",
        "flipud", "hsplit", "imag", "ix_", "matrix_power", "matrix_transpose", "meshgrid",
        "moveaxis", "nan_to_num", "ravel", "real", "real_if_close", "reshape", "rollaxis", "rot90",
        "sliding_window_view", "split", "squeeze", "swapaxes", "transpose", "trim_zeros", "unstack",
        "vsplit",
    }  # fmt: skip


def test_every_view_function_of_the_table_is_numpys() -> None:
    for module, functions in VIEWS.items():
        owner = next(one for one in MODULES if one.__name__ == module)
        assert set(functions) <= set(vars(owner))


# NumPy's broadcast arrays will be read-only, as they are here.
@pytest.mark.slow_on("torch", "tensorflow", "jax")
@pytest.mark.filterwarnings("ignore:future versions will not create a writeable:FutureWarning")
@pytest.mark.parametrize("backend", EAGER)
def test_memory_is_shared_as_in_numpy(backend: str) -> None:
    """B53: views, for each function that NumPy dispatches to other classes."""
    xp = getattr(unify, backend)
    faults = []
    for calls in sharing().values():
        for call in chosen(calls, backend):
            try:
                found = fault(call, xp)
            except Exception as error:
                found = f"{type(error).__name__}: {error}"
            if found is not None:
                faults.append((call, found))
    assert not faults, f"{len(faults)} calls, such as {faults[:8]}"


class TestCalls:
    def test_arguments_by_name(self, xp: ModuleType) -> None:
        x = xp.asarray(np.arange(6.0).reshape(2, 3))
        assert np.swapaxes(a=x, axis1=0, axis2=1).shape == (3, 2)
        assert np.array_split(x, 2, axis=-1)[1].tolist() == [[2.0], [5.0]]
        assert np.diagonal(x, axis2=0, axis1=1, offset=-1).tolist() == [1.0, 5.0]
        assert np.reshape(x, shape=(3, 2), order="F").tolist() == [[0, 4], [3, 2], [1, 5]]

    @pytest.mark.parametrize(
        "call",
        [
            lambda x: np.swapaxes(x, 0, 2), lambda x: np.rollaxis(x, 0, 4),
            lambda x: np.transpose(x, (0, 0)), lambda x: np.split(x, 2, axis=1),
            lambda x: np.array_split(x, 0), lambda x: np.hsplit(x[0, 0], 2),
            lambda x: np.rot90(x, axes=(0, 0)), lambda x: np.rot90(x, axes=(0, 5)),
            lambda x: np.fliplr(x[0]), lambda x: np.diagonal(x[0]),
            lambda x: np.diagonal(x, 0, 1, 1), lambda x: np.diag(x[None]),
            lambda x: np.squeeze(x, 0), lambda x: np.reshape(x, (4, 4)),
            lambda x: np.reshape(x, (4, 4), order="F"), lambda x: np.ravel(x, "Z"),
            lambda x: np.einsum("ii->i", x), lambda x: np.broadcast_arrays(x, x[:, :2]),
            lambda x: np.ix_(x), lambda x: np.transpose(x, wrong=1),
            lambda x: np.lib.stride_tricks.sliding_window_view(x, (9, 9)),
        ],
    )  # fmt: skip
    def test_wrong_ones_fail_as_numpys(self, call: Any, xp: ModuleType) -> None:
        """Of shape (2, 3); also if our function would accept the arguments."""
        values = np.arange(6.0).reshape(2, 3)
        with pytest.raises(Exception) as expected:  # noqa: PT011  # any class
            call(values)
        with pytest.raises(expected.type) as found:
            call(xp.asarray(values))
        assert str(found.value) == str(expected.value)

    def test_out_by_position_is_written_to(self, xp: ModuleType) -> None:
        x, out = xp.asarray([-1.5, 2.5]), xp.zeros(2)
        assert np.cumsum(x, None, None, out) is out
        assert out.tolist() == [-1.5, 1.0]
        total = xp.zeros(())
        assert np.nansum(x, None, None, total) is total
        assert total.item() == 1.0

    def test_what_numpy_gives_back_is_ours(self, xp: ModuleType) -> None:
        x = xp.asarray([1.0, 2.0, 3.0])
        assert np.polyint(x, 0) is x
        assert np.diff(x, 0) is x
        assert np.histogram([1, 2], bins=x)[1] is x
        assert np.nan_to_num(x, copy=False) is x

    def test_methods_share_as_numpys(self, xp: ModuleType) -> None:
        """`ravel` copies non-contiguous elements, even if `reshape` returns a view."""
        for take in (lambda x: x, lambda x: x[::2], lambda x: x[::-1], lambda x: x[2:]):
            numpys, x = np.arange(6.0), xp.arange(6.0)
            pairs = [(take(numpys).ravel(), take(x).ravel())]
            pairs += [(take(numpys).reshape(-1), take(x).reshape((-1,)))]
            numpys[...] = x[...] = 9.0
            for theirs, ours in pairs:
                assert ours.tolist() == theirs.tolist()


class TestTraces:
    @pytest.fixture(params=DIFFERENTIATING)
    def xp(self, request: pytest.FixtureRequest) -> ModuleType:
        return getattr(unify, request.param)

    def test_derivatives_go_on(self, xp: ModuleType) -> None:
        x = xp.asarray([[1.0, 2.0], [3.0, 4.0]])

        def loss(x: Any) -> Any:
            first, second = np.split(np.rot90(np.transpose(x)), 2)
            return xp.sum(np.ravel(first) * np.squeeze(second)) + xp.sum(np.einsum("ii->i", x))

        # 3 * 1 + 4 * 2, products of the transposed matrix's rows, and the trace.
        assert unify.grad(loss)(x).tolist() == [[3.0 + 1, 4.0], [1.0, 2.0 + 1]]

    def test_values_of_traced_arrays_are_refused(self, xp: ModuleType) -> None:
        with pytest.raises(UnifyTypeError, match=r"np\.trim_zeros.*constant"):
            unify.grad(lambda x: xp.sum(np.trim_zeros(x)))(xp.asarray([0.0, 1.0]))

    @pytest.mark.slow_on("torch")
    @pytest.mark.filterwarnings("ignore:`torch.jit:DeprecationWarning")
    def test_compiled(self, xp: ModuleType) -> None:
        x = xp.asarray([[1.0, 2.0], [3.0, 4.0]])
        found = unify.compile(lambda x: np.swapaxes(x, 0, 1) * 2 + np.fliplr(x))(x)
        assert found.tolist() == [[4.0, 7.0], [8.0, 11.0]]
