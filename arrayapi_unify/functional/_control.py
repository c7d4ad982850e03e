"""Loops and branches over nests of Arrays: in Python, or as an operation of the framework.

A framework that traces without values has operations for them, which a backend's `_control_flow`
module takes: functions of flat native arrays. Everywhere else Python's own loops and branches do.
What goes round is the same in both: arrays, of one structure, and of the same shapes and data types
each time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NoReturn

from arrayapi_unify._core import lazy_access
from arrayapi_unify._core.registered import Flat
from arrayapi_unify.array_object import Array
from arrayapi_unify.backends import handler, name_of, python_scalar
from arrayapi_unify.backends._common.checks.sizes import check_held
from arrayapi_unify.binding import binding_of
from arrayapi_unify.binding.arguments import admit
from arrayapi_unify.dtypes import promote_scalar
from arrayapi_unify.errors import describe, raise_type_error, raise_value_error
from arrayapi_unify.functional._carried import lowered, raised
from arrayapi_unify.functional._held import refuse_held
from arrayapi_unify.functional._transforms import (
    admitted,
    isolate,
    native,
    share_memory,
    state_of,
    traced_once,
    tree_arrays,
    tree_map,
    written_since,
)
from arrayapi_unify.functional._traversal import is_nest, items


def _same_structure(nest: Any, other: Any) -> bool:
    if not is_nest(nest):
        return not is_nest(other)
    if type(nest) is not type(other) or (isinstance(nest, Flat) and not nest.is_like(other)):
        return False
    ours, theirs = dict(items(nest)), dict(items(other))
    return ours.keys() == theirs.keys() and all(
        _same_structure(value, theirs[name]) for name, value in ours.items()
    )


class Leaves:
    """A nest, whose arrays are also known in a row, place by place."""

    def __init__(self, binding: Any, nest: Any) -> None:
        """Take a nest apart; Python's numbers become arrays."""
        self.binding = binding
        self.nest = tree_map(nest, self._array)
        self.arrays: list[Array] = list(tree_arrays(self.nest))

    def _array(self, leaf: Any) -> Any:
        if python_scalar(leaf) is not None or handler.is_guest(leaf):
            return self.binding.functions["asarray"](leaf)
        foreign = name_of(leaf) is not None and not isinstance(leaf, Array)
        return self.binding.wrap(native(leaf)) if foreign else leaf

    @property
    def natives(self) -> tuple[Any, ...]:
        """The native arrays."""
        return tuple([x._data for x in self.arrays])

    def unflatten(self, natives: Iterable[Any]) -> Any:
        """Return the nest with other arrays, to which a user's function may write."""
        left = iter(natives)
        return tree_map(
            self.nest,
            lambda leaf: isolate(self.binding, next(left)) if isinstance(leaf, Array) else leaf,
        )

    def wrapped(self, natives: Iterable[Any]) -> Any:
        """Return the nest with new arrays, without other references."""
        left = iter(natives)
        wrap = self.binding.wrap
        return raised(tree_map(
            self.nest, lambda leaf: wrap(next(left)) if isinstance(leaf, Array) else leaf
        ))  # fmt: skip


class Around:
    """The loop-carried value of a loop: checks that its structure and types don't change."""

    def __init__(self, function: str, argument: str, binding: Any, init: Any) -> None:
        """Take what is there at the start."""
        self.function = function
        self.argument = argument
        self.binding = binding
        self.start = Leaves(binding, init)

    def taken(self, nest: Any) -> tuple[Any, ...]:
        """Return the native arrays of what a user's function returned."""
        nest = lowered(self.function, self.argument, nest, returned=True)
        if not _same_structure(self.start.nest, nest):
            self._refuse(f"returns {_words(nest)} where {_words(self.start.nest)} went in")
        left = iter(self.start.arrays)
        found: list[Any] = []

        def take(leaf: Any, like: Any) -> None:
            if isinstance(like, Array):
                found.append(self._fitting(leaf, next(left)))
            elif leaf is not like:
                refuse_held(self.function, self.argument, leaf)
                if type(leaf) is not type(like) or leaf != like:
                    self._refuse(f"returns {describe(leaf)} where {describe(like)} went in")

        _side_by_side(nest, self.start.nest, take)
        return tuple(found)

    def _fitting(self, leaf: Any, like: Array) -> Any:
        if python_scalar(leaf) is not None:
            if promote_scalar(like.dtype, leaf) is not like.dtype:
                self._refuse(f"returns {leaf!r} where an array of {like.dtype} went in")
            return self.binding.functions["full_like"](like, leaf)._data
        if name_of(leaf) is None:
            self._refuse(f"returns a {type(leaf).__qualname__} where an array went in")
        leaf = admit(self.function, self.argument, leaf, like)
        handler.check_backend(self.function, self.argument, leaf, self.binding.name)
        array = self.binding.wrap(native(leaf))
        if array.dtype is not like.dtype or array.shape != like.shape:
            self._refuse(
                f"returns {array.dtype} of shape {array.shape} where {like.dtype} of shape "
                f"{like.shape} went in"
            )
        return array._data

    def _refuse(self, problem: str) -> NoReturn:
        raise_type_error(
            self.function, self.argument, problem,
            "return what the function gets, of the same structure, shapes and data types",
        )  # fmt: skip


def _words(nest: Any) -> str:
    if isinstance(nest, Flat):
        return f"a {nest.kind.__qualname__} with {nest.aux!r}"
    if not is_nest(nest):
        return "an array" if name_of(nest) is not None else f"a {type(nest).__qualname__}"
    return f"a {type(nest).__qualname__} of {[name for name, _ in items(nest)][:8]}"


def _side_by_side(nest: Any, other: Any, take: Callable[[Any, Any], None]) -> None:
    if not is_nest(other):
        take(nest, other)
        return
    ours = dict(items(nest))
    for name, value in items(other):
        _side_by_side(ours[name], value, take)


def _binding(function: str, *named: tuple[str, Any]) -> Any:
    """Return the binding of the arrays' backend; without an array that of the one that is set."""
    found = [(argument, array) for argument, nest in named for array in tree_arrays(nest)]
    if found and isinstance(found[0][1], Array):
        # Compilers of Python's code follow no choice by what is set.
        binding = binding_of(found[0][1].backend)
        if binding.backend.is_compiling():
            return binding
    return binding_of(handler.choose(function, found))


def lowers_control_flow(x: Any) -> bool:
    """Return True if x's framework is in an abstract trace, where loops must be its operations."""
    control_flow = binding_of(x.backend).control_flow if isinstance(x, Array) else None
    return control_flow is not None and control_flow.lowers_control_flow()


# --- scan ---------------------------------------------------------------------------------------


class _Scan:
    """A call of `scan`."""

    def __init__(
        self, f: Callable[..., Any], init: Any, xs: Any, length: int | None,
        names: tuple[str, str, str],
    ) -> None:  # fmt: skip
        self.f = f
        init, xs = lowered(names[0], names[2], init), lowered(names[0], "xs", xs)
        init, xs = admitted(names[0], "xs", (init, xs))
        self.binding = _binding(names[0], ("init", init), ("xs", xs))
        self.around = Around(*names[:2], self.binding, init)
        self.xs = Leaves(self.binding, xs)
        self.length = self._length(length)
        self.ys: Any = None  # the Leaves of what the last step gave to keep

    def _length(self, length: int | None) -> int:
        if any(not x.ndim for x in self.xs.arrays):
            raise_value_error(
                "scan", "xs", "holds an array without an axis",
                "pass arrays whose first axes are as long as the loop",
            )  # fmt: skip
        found = {x.shape[0] for x in self.xs.arrays} | ({length} - {None})
        if len(found) != 1:
            raise_value_error(
                "scan", "xs", f"tells {len(found)} numbers of steps",
                "pass arrays whose first axes have one size, or a length that fits",
            )  # fmt: skip
        count = found.pop()
        if not isinstance(count, int):
            raise_value_error(
                "scan", "xs", "has a size that isn't known while tracing", "pass the length"
            )
        return count

    def step(self, carry: Sequence[Any], x: Sequence[Any]) -> tuple[Any, Any]:
        """Call the user's function with native arrays."""
        ret = self.f(*raised((self.around.start.unflatten(carry), self.xs.unflatten(x))))
        if not isinstance(ret, tuple) or len(ret) != 2:
            raise_type_error(
                "scan", "f", f"returns {_words(ret)}",
                "return a tuple of what goes round and what is kept of this step",
            )  # fmt: skip
        kept = lowered("scan", "f", ret[1], returned=True)
        refuse_held("scan", "f", kept)
        before, self.ys = self.ys, Leaves(self.binding, kept)
        if before is not None and not (
            len(before.arrays) == len(self.ys.arrays) and _same_structure(before.nest, self.ys.nest)
        ):
            raise_type_error(
                "scan", "f", f"keeps {_words(kept)} of a step, and {_words(before.nest)} before",
                "return the same structure in each step",
            )  # fmt: skip
        return self.around.taken(ret[0]), self.ys.natives

    def in_python(self, reverse: bool) -> tuple[Any, Any]:
        """Loop in Python."""
        functions, carry = self.binding.functions, self.around.start.natives
        columns: list[list[Any]] = []
        for i in range(self.length - 1, -1, -1) if reverse else range(self.length):
            carry, y = self.step(carry, [x[i, ...]._data for x in self.xs.arrays])
            columns = columns or [[] for _ in y]
            for column, part in zip(columns, y, strict=True):
                column.append(self.binding.wrap(part))
        if not self.length:
            self._shapes_of_nothing()
            nothing = [functions["zeros"]((0, *y.shape), dtype=y.dtype) for y in self.ys.arrays]
            return carry, [y._data for y in nothing]
        stack = functions["stack"]
        return carry, [stack(column[::-1] if reverse else column)._data for column in columns]

    def _shapes_of_nothing(self) -> None:
        """Make a step with zeros, for the shapes of its results."""
        zeros = self.binding.functions["zeros"]
        xs = [zeros(x.shape[1:], dtype=x.dtype) for x in self.xs.arrays]
        self.step(self.around.start.natives, [x._data for x in xs])


def scanned(
    f: Callable[..., Any], init: Any, xs: Any, length: int | None, reverse: bool,
    names: tuple[str, str, str] = ("scan", "f", "init"),
) -> Any:  # fmt: skip
    """Run a loop over the first axes of arrays; the names are those of what the user called."""
    scan = _Scan(f, init, xs, length, names)
    control_flow, start = scan.binding.control_flow, scan.around.start.natives
    if scan.length and control_flow is not None and control_flow.lowers_control_flow():
        carry, ys = control_flow.lowered_scan(
            lambda *given: traced_once(
                names[0], scan.binding, [x for part in given for x in part],
                lambda: scan.step(*given),
            ),
            start, scan.xs.natives, scan.length, reverse,
        )  # fmt: skip
    else:
        check_held(names[0], "length", scan.length, scan.length)
        carry, ys = scan.in_python(reverse)
    return scan.around.start.wrapped(carry), scan.ys.wrapped(ys)


# --- while_loop ---------------------------------------------------------------------------------


def looped(
    function: str, test: Callable[[Any], Any], step: Callable[[Any], Any], init: Any,
    names: tuple[str, str], most: int | None = None,
) -> Any:  # fmt: skip
    """Run a loop as long as a test says so; the test says no after `most` steps, if it is given."""
    init = lowered(function, "init_val", init)
    binding = _binding(function, ("init_val", init))
    around = Around(function, names[1], binding, init)

    def tested(*natives: Any) -> Any:
        return _truth(function, names[0], binding, test(raised(around.start.unflatten(natives))))

    def stepped(*natives: Any) -> tuple[Any, ...]:
        return around.taken(step(raised(around.start.unflatten(natives))))

    control_flow, value = binding.control_flow, around.start.natives
    while control_flow is None or not control_flow.lowers_control_flow():
        go_on = tested(*value)
        if control_flow is not None and not control_flow.is_known(go_on):
            break
        if not _holds(function, f"{names[0]}(...)", binding, go_on):
            return around.start.wrapped(value)
        value = stepped(*value)
    abstract = [
        lambda *v, call=call: traced_once(function, binding, v, lambda: call(*v))
        for call in (tested, stepped)
    ]
    return around.start.wrapped(control_flow.lowered_while(*abstract, value, most))


def _truth(function: str, argument: str, binding: Any, value: Any) -> Any:
    """Return a native array of bool without dimensions."""
    if python_scalar(value) is None and name_of(value) is None:
        problem = f"gives a {type(value).__qualname__}"
    else:
        array = binding.functions["asarray"](value)
        if array.ndim == 0 and array.dtype.kind == "b":
            return array._data
        problem = f"gives {array.dtype} of shape {array.shape}"
    raise_type_error(function, argument, problem, "let it be a bool, or a 0-d array of bool")


def _holds(function: str, argument: str, binding: Any, truth: Any) -> bool:
    """Return the value of a native array of bool; of a lazy one it is looked at."""
    if binding.backend.lazy is None:
        return bool(truth)
    with lazy_access.asked(function, truth, argument):
        return bool(binding.wrap(truth))


def repeated(lower: Any, upper: Any, body_fun: Callable[[Any, Any], Any], init: Any) -> Any:
    """Run a loop over integers: a scan, where their number is known."""
    init = lowered("fori_loop", "init_val", init)
    binding = _binding("fori_loop", ("lower", lower), ("upper", upper), ("init_val", init))
    asarray = binding.functions["asarray"]

    def step(i: Array, value: Any) -> tuple[Any, Any]:
        return (i + 1, body_fun(i, value)), None

    ends = asarray(lower), asarray(upper)
    for argument, end in zip(("lower", "upper"), ends, strict=True):
        if end.dtype.kind not in "iu" or end.ndim:
            problem = f"is {'an array' if end.ndim else 'a number'} of data type {end.dtype}"
            remedy = "pass an integer, or a zero-dimensional array of one"
            raise_type_error("fori_loop", argument, problem, remedy)
    start = (ends[0], init)
    if type(lower) is int and type(upper) is int:
        found = scanned(
            lambda around, _: step(*around), start, None, max(upper - lower, 0), False,
            ("fori_loop", "body_fun", "init_val"),
        )  # fmt: skip
        return found[0][1]
    names = ("upper", "body_fun")
    return looped("fori_loop", lambda v: v[0] < ends[1], lambda v: step(*v)[0], start, names)[1]


# --- cond ---------------------------------------------------------------------------------------


def branched(
    pred: Any, true_fun: Callable[..., Any], false_fun: Callable[..., Any], operands: Any
) -> Any:
    """Call one of two functions."""
    pred, operands = admitted("cond", "operands", (pred, operands))
    binding = _binding("cond", ("pred", pred), ("operands", operands))
    truth = _truth("cond", "pred", binding, pred)
    control_flow = binding.control_flow
    if control_flow is None or control_flow.is_known(truth):
        chosen = true_fun if _holds("cond", "pred", binding, truth) else false_fun
        return Leaves(binding, chosen(*Leaves(binding, operands).nest)).nest
    taken = Leaves(binding, lowered("cond", "operands", operands))
    return _Branches(binding, taken, (true_fun, false_fun)).chosen(truth)


class _Branches:
    """Two functions of the same operands, as an operation of the framework."""

    def __init__(
        self, binding: Any, taken: Leaves, functions: tuple[Callable[..., Any], Callable[..., Any]]
    ) -> None:
        self.binding = binding
        self.taken = taken
        self.functions = functions
        self.results: list[Around] = []
        # The places of the operands that a branch writes to.
        self.written: set[int] = set()

    def chosen(self, truth: Any) -> Any:
        """Return the result of the function that is called; its writes reach the operands."""
        control_flow = self.binding.control_flow
        if control_flow.TRACES_BRANCHES_FIRST:
            for function in self.functions:
                self._called(function, self.taken.natives, True)
        places = sorted(self.written)
        found = self._lowered(truth, places)
        if places != sorted(self.written):  # as the trace has shown
            places = sorted(self.written)
            found = self._lowered(truth, places)
        count = len(found) - len(places)
        for place, data in zip(places, found[count:], strict=True):
            self.taken.arrays[place][...] = self.binding.wrap(data)
        return self.results[0].start.wrapped(found[:count])

    def _lowered(self, truth: Any, places: Sequence[int]) -> Any:
        control_flow = self.binding.control_flow
        if places and share_memory(control_flow.share_memory, self.taken.arrays):
            raise_value_error(
                "cond", "operands", "are arrays that share memory, and a branch writes to them",
                "pass copies, or return new arrays instead of writing",
            )  # fmt: skip

        def branch(function: Callable[..., Any]) -> Callable[..., tuple[Any, ...]]:
            def call(*natives: Any) -> tuple[Any, ...]:
                looks = not control_flow.TRACES_BRANCHES_FIRST
                ret, given = self._called(function, natives, looks)
                return *ret, *[given[place]._data for place in places]

            return lambda *natives: traced_once("cond", self.binding, (), lambda: call(*natives))

        return control_flow.lowered_cond(truth, *map(branch, self.functions), self.taken.natives)

    def _called(
        self, function: Callable[..., Any], natives: Sequence[Any], looks: bool
    ) -> tuple[tuple[Any, ...], list[Any]]:
        """Call one of the functions; return its results, and the operands after the call."""
        nest = self.taken.unflatten(natives)
        given = list(tree_arrays(nest))
        before = state_of(self.binding, given)
        ret = function(*raised(nest))
        argument = "true_fun" if function is self.functions[0] else "false_fun"
        ret = lowered("cond", argument, ret, returned=True)
        refuse_held("cond", argument, ret)
        if looks:
            self.written.update(written_since(self.binding, before, given))
        if not self.results:
            self.results.append(Around("cond", "false_fun", self.binding, ret))
            return self.results[0].start.natives, given
        return self.results[0].taken(ret), given
