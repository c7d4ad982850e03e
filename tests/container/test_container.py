"""`Container` as a nested mapping: construction, access, key chains, structure, text, copies."""

from __future__ import annotations

import copy
import doctest
import pickle
from collections.abc import MutableMapping
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import arrayapi_unify as unify
from arrayapi_unify import Container
from arrayapi_unify.container.structure import ContainerWithStructure
from arrayapi_unify.errors import (
    UnifyAttributeError,
    UnifyKeyError,
    UnifyTypeError,
    UnifyValueError,
)


def sample() -> Container:
    return Container(a={"b": 1, "c": {"d": 2}}, e=3)


class TestConstruction:
    def test_keywords_dicts_pairs_and_key_chains(self) -> None:
        wanted = {"a": {"b": 1, "c": {"d": 2}}, "e": 3}
        for made in (
            sample(),
            Container(wanted),
            Container(Container(wanted)),
            Container(list(wanted.items())),
            Container({"a/b": 1, "a/c/d": 2, "e": 3}),
            Container({"a": {"b": 1}}, **{"a/c": {"d": 2}, "e": 3}),
            Container.from_dict(wanted),
            Container.unflatten({"a/b": 1, "a/c/d": 2, "e": 3}),
        ):
            assert made.to_dict() == wanted
            assert type(made.a) is type(made["a/c"]) is Container

    def test_leaves_are_what_is_no_dict(self) -> None:
        c = Container(a=[{"b": 1}], b=(1, 2), c=None, d="text", e=unify.ones(1))
        assert list(c.key_chains()) == ["a", "b", "c", "d", "e"]
        assert c.a == [{"b": 1}]

    def test_does_not_share_the_dict(self) -> None:
        given = {"a": {"b": 1}}
        c = Container(given)
        c["a/b"] = 2
        assert given == {"a": {"b": 1}}

    @pytest.mark.parametrize("key", ["", "a/", "/a", "a//b"])
    def test_empty_keys(self, key: str) -> None:
        with pytest.raises(UnifyValueError, match="empty part"):
            Container({key: 1})
        c = sample()
        with pytest.raises(UnifyValueError, match="empty part"):
            c[key] = 1
        assert c.identical(sample())

    @pytest.mark.parametrize("key", [1, None, ("a", "b")])
    def test_keys_that_are_no_strings(self, key: Any) -> None:
        with pytest.raises(UnifyTypeError, match="strings"):
            Container({key: 1})


class TestAccess:
    def test_items_attributes_key_chains(self) -> None:
        c = sample()
        assert c["a"]["b"] == c.a.b == c["a/b"] == 1
        assert c["a/c/d"] == c.a.c.d == 2
        assert c.get("a/c/d") == 2
        assert c.get("a/x", 7) == 7
        assert "a/c" in c
        assert "a/x" not in c
        assert "e/x" not in c
        assert 3 not in c

    def test_is_a_mapping_of_its_own_level(self) -> None:
        c = sample()
        assert isinstance(c, MutableMapping)
        assert list(c) == list(c.keys()) == ["a", "e"]
        assert len(c) == 2
        assert list(c.values())[1] == 3
        assert dict(c.items())["e"] == 3
        assert c.pop("a/b") == 1
        assert list(c.key_chains()) == ["a/c/d", "e"]
        c.update({"e": 4, "f/g": 5})
        assert c.to_dict() == {"a": {"c": {"d": 2}}, "e": 4, "f": {"g": 5}}

    def test_set(self) -> None:
        c = sample()
        c["a/b"] = 10
        c.e = {"x": 11}
        c["new/deep/key"] = 12
        c.a.c.d = 13
        wanted = {"a/b": 10, "a/c/d": 13, "e/x": 11, "new/deep/key": 12}
        assert c.flatten() == wanted
        assert type(c.e) is Container
        c["e/x/y"] = 14  # a nest replaces a leaf
        assert c["e/x"].to_dict() == {"y": 14}

    def test_delete(self) -> None:
        c = sample()
        del c["a/c"]
        del c.e
        assert c.to_dict() == {"a": {"b": 1}}
        with pytest.raises(UnifyKeyError, match="'a/x'"):
            del c["a/x"]
        with pytest.raises(UnifyAttributeError, match="'x'"):
            del c.x

    @pytest.mark.parametrize("key", ["x", "a/x", "a/b/x", "x/y"])
    def test_keys_that_lack(self, key: str) -> None:
        with pytest.raises(UnifyKeyError, match=f"no key chain '{key}'"):
            sample()[key]

    def test_messages_say_what_was_meant(self) -> None:
        c = Container(weight=1, bias=2)
        with pytest.raises(UnifyKeyError, match="did you mean 'weight'"):
            c["wieght"]
        with pytest.raises(UnifyAttributeError, match="did you mean 'weight'"):
            _ = c.wieght
        with pytest.raises(UnifyAttributeError, match="empty"):
            _ = Container().x

    def test_messages_list_a_key_once(self) -> None:
        with pytest.raises(UnifyKeyError) as caught:
            Container(a=1, b=Container(c=2))["q"]
        assert str(caught.value).endswith("it has 'a', 'b', 'b/c'")

    def test_names_of_methods_are_keys_only(self) -> None:
        c = Container({"sum": 1})
        assert c["sum"] == 1
        assert callable(c.sum)
        with pytest.raises(UnifyAttributeError, match=r"container\['sum'\] = value"):
            c.sum = 2
        assert c["sum"] == 1

    def test_cannot_hold_itself(self) -> None:
        c = sample()
        for value in (c, Container(x=c), {"x": {"y": c}}):
            with pytest.raises(UnifyValueError, match=r"c\.copy\(\)"):
                c["a/c"] = value
        assert c.identical(sample())

    def test_dir_lists_the_keys(self) -> None:
        names = dir(Container({"weight": 1, "no name": 2}))
        assert {"weight", "sin", "static_sin", "map"} <= set(names)
        assert "no name" not in names


class TestIteration:
    def test_leaves_and_key_chains(self) -> None:
        c = sample()
        assert list(c.leaves()) == [1, 2, 3]
        assert list(c.key_chains()) == ["a/b", "a/c/d", "e"]
        assert list(c.leaf_items()) == [("a/b", 1), ("a/c/d", 2), ("e", 3)]
        assert list(Container(a={}).leaves()) == []


class TestForms:
    def test_there_and_back(self) -> None:
        c = Container(a={"b": 1, "c": {}}, e=3)
        assert Container.from_dict(c.to_dict()).identical(c)
        assert Container.unflatten(c.flatten()).identical(c)
        assert type(c.to_dict()["a"]) is dict

    def test_map_filter_prune(self) -> None:
        c = sample()
        assert c.map(lambda v, k: (k, v)).flatten() == {
            "a/b": ("a/b", 1),
            "a/c/d": ("a/c/d", 2),
            "e": ("e", 3),
        }
        assert c.map(lambda v, k: {"x": v})["a/b/x"] == 1
        assert c.filter(lambda v, k: v != 2).to_dict() == {"a": {"b": 1}, "e": 3}
        assert c.prune("a/c").to_dict() == {"a": {"b": 1}, "e": 3}
        assert c.prune(["a/c", "e"]).to_dict() == {"a": {"b": 1}}
        assert Container(a={"b": {}}, c=1).prune_empty().to_dict() == {"c": 1}
        assert c.identical(sample())

    def test_prune_in_place_is_whole_or_not_at_all(self) -> None:
        c = sample()
        inner = c.a
        with pytest.raises(UnifyKeyError):
            c.prune(["e", "x"], in_place=True)
        assert c.identical(sample())
        assert c.prune(["a/c", "e"], in_place=True) is c
        assert c.to_dict() == {"a": {"b": 1}}
        assert c.a is inner

    def test_set_at(self) -> None:
        c = sample()
        assert c.set_at("a/b", 9)["a/b"] == 9
        assert c.set_at(["a/b", "x/y"], 9).flatten() == {"a/b": 9, "a/c/d": 2, "e": 3, "x/y": 9}
        assert c.set_at({"a/b": 8, "e": {"f": 7}}).flatten() == {"a/b": 8, "a/c/d": 2, "e/f": 7}
        assert c.identical(sample())
        assert c.set_at("e", 5, in_place=True) is c
        assert c.e == 5
        with pytest.raises(UnifyTypeError, match="'value'"):
            c.set_at("e")
        with pytest.raises(UnifyTypeError, match="'value'"):
            c.set_at({"e": 1}, 2)

    def test_at(self) -> None:
        assert sample().at(["a/c", "e"]).to_dict() == {"a": {"c": {"d": 2}}, "e": 3}
        assert sample().at("a/b").to_dict() == {"a": {"b": 1}}

    def test_combine(self) -> None:
        made = sample().combine(Container(a={"b": 5, "x": 6}), {"e": {"y": 7}})
        assert made.to_dict() == {"a": {"b": 5, "c": {"d": 2}, "x": 6}, "e": {"y": 7}}

    @pytest.mark.parametrize("name", [n for n in vars(ContainerWithStructure) if n[0] != "_"])
    def test_documented_examples(self, name: str) -> None:
        member = vars(ContainerWithStructure)[name]
        doc = getattr(member, "__doc__", None)
        assert doc
        test = doctest.DocTestParser().get_doctest(doc, {"unify": unify}, name, None, None)
        report: list[str] = []
        runner = doctest.DocTestRunner()
        runner.run(test, out=report.append)
        assert not runner.failures, "".join(report)

    def test_class_example(self) -> None:
        doc = Container.__doc__ or ""
        test = doctest.DocTestParser().get_doctest(doc, {"unify": unify}, "Container", None, None)
        assert test.examples
        report: list[str] = []
        runner = doctest.DocTestRunner()
        runner.run(test, out=report.append)
        assert not runner.failures, "".join(report)


class TestViews:
    def test_shapes_dtypes_devices(self, xp: ModuleType) -> None:
        x = xp.ones((2, 3), dtype=xp.float32)
        c = Container(a=x, b={"c": x.data}, d=4)
        assert c.shapes.to_dict() == {"a": (2, 3), "b": {"c": (2, 3)}, "d": None}
        assert c.dtypes.to_dict() == {"a": xp.float32, "b": {"c": xp.float32}, "d": None}
        assert c.devices.a == x.device
        assert c.devices.d is None


class TestComparison:
    def test_identical(self, xp: ModuleType) -> None:
        c = Container(a=xp.asarray([1.0, 2.0]), b={"c": "x"})
        assert c.identical(Container(b={"c": "x"}, a=xp.asarray([1.0, 2.0])))
        for other in (
            Container(a=xp.asarray([1.0, 3.0]), b={"c": "x"}),
            Container(a=xp.asarray([1.0]), b={"c": "x"}),
            Container(a=xp.asarray([1.0, 2.0], dtype=xp.float32), b={"c": "x"}),
            Container(a=c.a.data, b={"c": "x"}),
            Container(a=c.a, b={"c": "y"}),
            Container(a=c.a, b={"d": "x"}),
            Container(a=c.a, b=1),
            Container(a=1, b={"c": "x"}),
            {"a": 1},
        ):
            assert not c.identical(other)

    def test_identical_parts_of_tuples(self, xp: ModuleType) -> None:
        def parts(*values: float) -> Container:
            return Container(a=(xp.ones(2), xp.asarray(list(values)), "x"))

        assert parts(1.0, 2.0).identical(parts(1.0, 2.0))
        assert not parts(1.0, 2.0).identical(parts(1.0, 3.0))
        assert not parts(1.0, 2.0).identical(Container(a=parts(1.0, 2.0).a[:2]))
        assert not parts(1.0, 2.0).identical(Container(a=xp.ones(2)))
        assert not Container(a=xp.ones(2)).identical(parts(1.0, 2.0))

    def test_nan_is_not_itself(self) -> None:
        c = Container(a=unify.asarray([unify.nan]))
        assert not c.identical(c.copy())

    def test_same_structure(self) -> None:
        assert sample().same_structure(Container({"e": 0, "a/c/d": 0, "a/b": 0}))
        assert not sample().same_structure(Container(a=1, e=3))
        assert not sample().same_structure({"a": 1})

    def test_has_no_truth_value(self) -> None:
        for c in (Container(), sample(), Container(a=True)):
            with pytest.raises(UnifyTypeError, match="truth value"):
                bool(c)
        with pytest.raises(TypeError):
            hash(sample())

    def test_is_no_array(self) -> None:
        with pytest.raises(UnifyTypeError, match="no array"):
            np.asarray(Container(a=1))


class TestCopies:
    def test_copy_shares_leaves_and_not_structure(self) -> None:
        x = unify.ones(2)
        c = Container(a={"b": x})
        for new in (c.copy(), copy.copy(c)):
            new["a/c"] = 1
            assert new.a.b is x
            assert "a/c" not in c

    def test_deepcopy_and_pickle(self, xp: ModuleType) -> None:
        c = Container(a={"b": xp.asarray([1.0, 2.0])}, c="text")
        for new in (copy.deepcopy(c), pickle.loads(pickle.dumps(c))):
            assert new.identical(c)
            assert new.a is not c.a
            assert new.a.b is not c.a.b

    def test_subclasses_stay(self) -> None:
        class Mine(Container):
            pass

        c = Mine(a={"b": 1})
        for new in (c + 1, c.map(lambda v, k: v), c.copy(), c.at("a/b"), unify.add(c, 1)):
            assert type(new) is Mine
            assert type(new.a) is Mine


class TestText:
    def test_small(self) -> None:
        assert repr(Container()) == "unify.Container({})"
        assert repr(Container(a=1, b={})) == "unify.Container({'a': 1, 'b': {}})"
        c = Container({"a": {"odd key": "x"}})
        assert eval(repr(c)).identical(c)

    def test_indented(self) -> None:
        c = Container(a={"b": unify.asarray([[1, 2], [3, 4]])}, c=unify.ones((5, 5)))
        assert repr(c) == (
            "unify.Container({\n"
            "    'a': {\n"
            "        'b': unify.array([[1, 2],\n"
            "                          [3, 4]]),\n"
            "    },\n"
            "    'c': <float64 array of shape (5, 5)>,\n"
            "})"
        )

    @pytest.mark.eager
    def test_every_backend(self, xp: ModuleType) -> None:
        c = Container(a=xp.ones((9, 9), dtype=xp.int8), b=xp.ones((9, 9)).data, c=xp.ones(1))
        text = repr(c)
        assert "'a': <int8 array of shape (9, 9)" in text
        assert "'b': <native float64 array of shape (9, 9)" in text
        assert "'c': unify.array([1.]" in text
