"""B9: the nest functions, on lists, tuples, named tuples, dicts and Containers."""

from __future__ import annotations

import copy
from collections import OrderedDict, defaultdict
from typing import Any, NamedTuple

import pytest

import arrayapi_unify as unify
from arrayapi_unify import Container
from arrayapi_unify.contracts import CONTRACTS
from arrayapi_unify.errors import (
    StructureError,
    UnifyIndexError,
    UnifyKeyError,
    UnifyTypeError,
    UnifyValueError,
)


class Pair(NamedTuple):
    first: Any
    second: Any


class Mine(list[Any]):
    """A user's list."""


def sample() -> Any:
    return [1, {"a": (2, 3), "b": Pair(4, [5])}, Container(c={"d": 6})]


def plain(nest: Any) -> Any:
    """The nest with Containers as dicts, so that `==` compares it."""
    if isinstance(nest, Container):
        return nest.to_dict()
    if isinstance(nest, dict):
        return {key: plain(value) for key, value in nest.items()}
    if isinstance(nest, tuple):
        parts = map(plain, nest)
        return type(nest)(*parts) if hasattr(nest, "_fields") else tuple(parts)
    return [plain(value) for value in nest] if isinstance(nest, list) else nest


INDICES = [[0], [1, "a", 0], [1, "a", 1], [1, "b", 0], [1, "b", 1, 0], [2, "c", "d"]]


class TestContracts:
    """B1 and B9: kinds of functions, standalone functions."""

    @pytest.mark.parametrize("name", [n for n, c in CONTRACTS.items() if c.category == "nest"])
    def test_are_standalone_and_meet_nests_whole(self, name: str) -> None:
        function = getattr(unify, name)
        assert function.kind == "standalone"
        assert not function.nestable
        assert not hasattr(unify.Array, name)


class TestIndexNest:
    def test_of_the_design(self) -> None:
        assert unify.index_nest([1, {"a": (2, 3)}], [1, "a", 0]) == 2

    @pytest.mark.parametrize(("index", "value"), list(zip(INDICES, range(1, 7), strict=True)))
    def test_every_kind_of_nest(self, index: list[Any], value: int) -> None:
        assert unify.index_nest(sample(), index) == value
        assert unify.index_nest(sample(), tuple(index)) == value

    def test_negative_positions_key_chains_lone_names(self) -> None:
        assert unify.index_nest(sample(), [-1, "c/d"]) == 6
        assert unify.index_nest({"x": 1}, "x") == 1
        assert unify.index_nest([7], 0) == 7

    @pytest.mark.parametrize(
        ("index", "error"),
        [
            ([5], UnifyIndexError),
            (["a"], UnifyIndexError),
            ([1, "z"], UnifyKeyError),
            ([2, "c", "z"], UnifyKeyError),
            ([2, 0], UnifyKeyError),
            ([0, 0], UnifyKeyError),
            ([], UnifyIndexError),
            (3.5, UnifyTypeError),
        ],
    )
    def test_that_leads_nowhere(self, index: Any, error: type[Exception]) -> None:
        with pytest.raises(error, match=r"index_nest: argument 'index'.*; "):
            unify.index_nest(sample(), index)

    def test_makes_no_default(self) -> None:
        nest: Any = defaultdict(list, a=[1])
        with pytest.raises(UnifyKeyError):
            unify.index_nest(nest, ["b"])
        assert dict(nest) == {"a": [1]}


class TestMultiIndexNest:
    def test_of_all_leaves(self) -> None:
        assert unify.multi_index_nest(sample(), INDICES) == [1, 2, 3, 4, 5, 6]

    @pytest.mark.parametrize("indices", ["ab", 3, {"a": 1}])
    def test_what_is_no_list(self, indices: Any) -> None:
        with pytest.raises(UnifyTypeError, match="'indices'"):
            unify.multi_index_nest(sample(), indices)


class TestSetNestAtIndex:
    @pytest.mark.parametrize("index", INDICES)
    def test_makes_a_new_nest(self, index: list[Any]) -> None:
        nest, before = sample(), plain(sample())
        made = unify.set_nest_at_index(nest, index, 9)
        assert unify.index_nest(made, index) == 9
        assert plain(nest) == before
        others = [i for i in INDICES if i != index]
        assert unify.multi_index_nest(made, others) == unify.multi_index_nest(nest, others)
        assert type(made[1]["b"]) is Pair
        assert type(made[2]) is Container

    @pytest.mark.parametrize("index", INDICES)
    def test_in_place(self, index: list[Any]) -> None:
        nest = sample()
        inner, container = nest[1], nest[2]
        assert unify.set_nest_at_index(nest, index, 9, in_place=True) is nest
        assert unify.index_nest(nest, index) == 9
        assert nest[1] is inner
        assert nest[2] is container

    def test_shares_what_is_not_on_the_way(self) -> None:
        nest = sample()
        made = unify.set_nest_at_index(nest, [0], 9)
        assert made[1] is nest[1]
        assert made[2] is nest[2]

    def test_new_keys(self) -> None:
        assert unify.set_nest_at_index({"a": 1}, ["b"], 2) == {"a": 1, "b": 2}
        assert unify.set_nest_at_index({0: 1}, [1], 2) == {0: 1, 1: 2}
        made = unify.set_nest_at_index(Container(a={"b": 1}), ["a/c"], 2)
        assert made.to_dict() == {"a": {"b": 1, "c": 2}}

    def test_derived_classes_stay(self) -> None:
        nest: Any = Mine([OrderedDict(a=1), defaultdict(int, b=2)])
        made = unify.set_nest_at_index(nest, [1, "b"], 3)
        assert type(made) is Mine
        assert type(made[0]) is OrderedDict
        assert made[1]["missing"] == 0
        assert made[1]["b"] == 3
        assert nest[1]["b"] == 2

    @pytest.mark.parametrize("index", [[9], [1, "a", 9], ["a"], [0, 1], [2, 5]])
    @pytest.mark.parametrize("in_place", [False, True])
    def test_that_leads_nowhere(self, index: Any, in_place: bool) -> None:
        nest = sample()
        with pytest.raises((UnifyIndexError, UnifyKeyError, UnifyTypeError), match="'index'"):
            unify.set_nest_at_index(nest, index, 9, in_place=in_place)
        assert plain(nest) == plain(sample())

    def test_a_tuple_itself_stays(self) -> None:
        with pytest.raises(UnifyTypeError, match="leave in_place out"):
            unify.set_nest_at_index((1, 2), [0], 3, in_place=True)
        nest = ([1], 2)
        assert unify.set_nest_at_index(nest, [0, 0], 3, in_place=True) is nest
        assert nest == ([3], 2)


class TestSetNestAtIndices:
    @pytest.mark.parametrize("in_place", [False, True])
    def test_each_its_own(self, in_place: bool) -> None:
        nest = sample()
        made = unify.set_nest_at_indices(nest, INDICES, list("abcdef"), in_place=in_place)
        assert unify.multi_index_nest(made, INDICES) == list("abcdef")
        assert (made is nest) is in_place
        assert in_place or plain(nest) == plain(sample())

    def test_nothing_is_changed_where_one_leads_nowhere(self) -> None:
        nest = sample()
        with pytest.raises(UnifyIndexError):
            unify.set_nest_at_indices(nest, [[0], [7]], [1, 2], in_place=True)
        assert plain(nest) == plain(sample())

    def test_as_many_values_as_indices(self) -> None:
        with pytest.raises(UnifyValueError, match="as many values"):
            unify.set_nest_at_indices([1, 2], [[0], [1]], [3])
        with pytest.raises(UnifyTypeError, match="'values'"):
            unify.set_nest_at_indices([1, 2], [[0], [1]], "ab")


class TestInsertIntoNest:
    def test_lists_and_tuples(self) -> None:
        assert unify.insert_into_nest_at_index([1, [2, 3]], [1, 1], 9) == [1, [2, 9, 3]]
        assert unify.insert_into_nest_at_index((1, 2), [7], 9) == (1, 2, 9)
        assert unify.insert_into_nest_at_index(Pair(1, 2), [0], 9) == (9, 1, 2)

    def test_dicts_and_containers(self) -> None:
        assert unify.insert_into_nest_at_index({"a": 1}, ["b"], 9) == {"a": 1, "b": 9}
        made = unify.insert_into_nest_at_index(Container(a={"b": 1}), ["a", "c"], 9)
        assert made.flatten() == {"a/b": 1, "a/c": 9}

    def test_in_place(self) -> None:
        nest: Any = [1, (2,)]
        assert unify.insert_into_nest_at_index(nest, [1, 0], 9, in_place=True) is nest
        assert nest == [1, (9, 2)]

    def test_several_one_after_the_other(self) -> None:
        assert unify.insert_into_nest_at_indices([1, 2], [[0], [1]], [5, 6]) == [5, 6, 1, 2]
        nest: Any = [[1]]
        with pytest.raises(UnifyIndexError):
            unify.insert_into_nest_at_indices(nest, [[0, 0], [4, 0]], [5, 6], in_place=True)
        assert nest == [[1]]


class TestPruneNest:
    @pytest.mark.parametrize("index", [*INDICES, [1], [1, "b"], [-1]])
    @pytest.mark.parametrize("in_place", [False, True])
    def test_takes_the_node_out(self, index: list[Any], in_place: bool) -> None:
        nest = sample()
        count = len(unify.all_nested_indices(nest))
        gone = unify.index_nest(nest, index)
        made = unify.prune_nest_at_index(nest, index, in_place=in_place)
        lost = len(unify.all_nested_indices([gone]))
        assert len(unify.all_nested_indices(made)) == count - lost
        assert (made is nest) is in_place
        assert in_place or plain(nest) == plain(sample())

    def test_several_by_their_old_indices(self) -> None:
        nest = [0, 1, 2, {"a": 3, "b": (4, 5, 6)}]
        indices = [[0], [-2], [3, "b", 0], [3, "b", 2], [3, "a"]]
        assert unify.prune_nest_at_indices(nest, indices) == [1, {"b": (5,)}]
        assert unify.prune_nest_at_indices(nest, indices, in_place=True) is nest
        assert nest == [1, {"b": (5,)}]

    def test_a_node_and_what_is_in_it(self) -> None:
        assert unify.prune_nest_at_indices([1, [2, 3]], [[1], [1, 0], [1]]) == [1]

    def test_that_leads_nowhere(self) -> None:
        nest = sample()
        for index in ([9], [1, "z"], [2, "c/z"]):
            with pytest.raises((UnifyIndexError, UnifyKeyError), match="'index'"):
                unify.prune_nest_at_index(nest, index)
            with pytest.raises((UnifyIndexError, UnifyKeyError)):
                unify.prune_nest_at_indices(nest, [[0], index], in_place=True)
        assert plain(nest) == plain(sample())


class TestMapNest:
    @pytest.mark.parametrize("in_place", [False, True])
    def test_at_one_and_several(self, in_place: bool) -> None:
        nest = sample()
        made = unify.map_nest_at_index(nest, [1, "a"], sum, in_place=in_place)
        assert made[1]["a"] == 5
        made = unify.map_nest_at_indices(sample(), INDICES, lambda x: -x, in_place=in_place)
        assert unify.multi_index_nest(made, INDICES) == [-1, -2, -3, -4, -5, -6]

    def test_a_failing_function_changes_nothing(self) -> None:
        nest = [2, 1, 0]
        with pytest.raises(ZeroDivisionError):
            unify.map_nest_at_indices(nest, [[0], [2]], lambda x: 1 / x, in_place=True)
        assert nest == [2, 1, 0]


class TestNestedMap:
    def test_never_mutates_unless_asked(self) -> None:
        nest = sample()
        made = unify.nested_map(lambda x: x * 10, nest)
        assert plain(nest) == plain(sample())
        assert unify.multi_index_nest(made, INDICES) == [10, 20, 30, 40, 50, 60]
        assert type(made[1]["b"]) is Pair

    def test_in_place(self) -> None:
        nest = sample()
        inner = nest[1]
        assert unify.nested_map(lambda x: x * 10, nest, in_place=True) is nest
        assert unify.multi_index_nest(nest, INDICES) == [10, 20, 30, 40, 50, 60]
        assert nest[1] is inner
        with pytest.raises(UnifyTypeError, match="tuple"):
            unify.nested_map(abs, (1,), in_place=True)

    def test_a_lone_leaf_and_arrays(self) -> None:
        assert unify.nested_map(abs, -3) == 3
        made = unify.nested_map(unify.sin, [unify.zeros(2)])
        assert made[0].tolist() == [0.0, 0.0]


class TestNestedMultiMap:
    def test_meets_the_leaves_of_all(self) -> None:
        seen: list[Any] = []

        def add(xs: list[Any], index: list[Any]) -> Any:
            seen.append(index)
            return sum(xs)

        made = unify.nested_multi_map(add, [sample(), sample(), sample()])
        assert unify.multi_index_nest(made, INDICES) == [3, 6, 9, 12, 15, 18]
        assert seen == INDICES

    @pytest.mark.parametrize("other", [[1], [1, 2, 3], [1, {"b": 2}], {"a": 1}, 5])
    def test_of_another_structure(self, other: Any) -> None:
        with pytest.raises(StructureError, match="at the index"):
            unify.nested_multi_map(lambda xs, index: xs, [[1, {"a": 2}], other])

    def test_of_nothing(self) -> None:
        with pytest.raises(UnifyTypeError, match="at least one"):
            unify.nested_multi_map(lambda xs, index: xs, [])


class TestSearch:
    def test_any(self) -> None:
        assert unify.nested_any(sample(), lambda x: x == 5)
        assert not unify.nested_any(sample(), lambda x: x == 50)
        assert unify.nested_any(sample(), lambda x: isinstance(x, Pair), check_nests=True)
        assert not unify.nested_any(sample(), lambda x: isinstance(x, Pair))
        assert unify.nested_any(3, lambda x: x == 3)

    def test_argwhere(self) -> None:
        assert unify.nested_argwhere(sample(), lambda x: x > 3) == INDICES[3:]
        first = unify.nested_argwhere(sample(), lambda x: x > 1, stop_after_n_found=2)
        assert first == INDICES[1:3]
        pairs = unify.nested_argwhere(sample(), lambda x: isinstance(x, tuple), check_nests=True)
        assert pairs == [[1, "a"], [1, "b"]]

    def test_all_indices(self) -> None:
        assert unify.all_nested_indices(sample()) == INDICES
        nests = [[1], [1, "a"], [1, "b"], [1, "b", 1], [2], [2, "c"]]
        with_nests = unify.all_nested_indices(sample(), include_nests=True)
        assert [i for i in with_nests if i not in INDICES] == nests
        assert unify.all_nested_indices(3) == []


class TestCopyNest:
    def test_new_nests_same_leaves(self) -> None:
        x = unify.ones(2)
        nest = [x, {"a": (x,)}, Container(b=x)]
        made = unify.copy_nest(nest)
        assert made is not nest
        assert made[1] is not nest[1]
        assert made[2] is not nest[2]
        assert all(leaf is x for leaf in (made[0], made[1]["a"][0], made[2].b))

    def test_to_mutable(self) -> None:
        made = unify.copy_nest((1, Pair(2, (3,))), to_mutable=True)
        assert made == [1, [2, [3]]]


class TestPruneEmpty:
    def test_drops_empty_nests_and_none(self) -> None:
        nest = [1, {"a": (), "b": None}, [[]], {"c": 2}, Container(d={}, e=3)]
        before = copy.copy(nest)
        made = unify.prune_empty(nest)
        assert plain(made) == [1, {"c": 2}, {"e": 3}]
        assert nest == before or plain(nest) == plain(before)
        assert unify.prune_empty([None, []], keep_nones=True) == [None]
        assert unify.prune_empty([[]]) == []


class TestDuplicateArrayIndexChains:
    def test_groups_the_same_arrays(self, xp: Any) -> None:
        x, y = xp.ones(2), xp.ones(2)
        nest = [x, {"a": y, "b": (x,)}, Container(c=y, d=xp.ones(2)), 3, 3]
        chains = unify.duplicate_array_index_chains(nest)
        assert chains == [[[0], [1, "b", 0]], [[1, "a"], [2, "c"]]]

    def test_native_and_wrapped(self) -> None:
        x = unify.ones(2)
        assert unify.duplicate_array_index_chains([x, x.data]) == [[[0], [1]]]
        assert unify.duplicate_array_index_chains([x, 1]) == []
