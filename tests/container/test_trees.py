"""Containers and Arrays in the frameworks' own transformations."""

from __future__ import annotations

import subprocess
import sys
from types import ModuleType
from typing import Any

import pytest

import arrayapi_unify as unify
from arrayapi_unify import Container
from arrayapi_unify._core import container_base
from arrayapi_unify.binding import binding_of
from tests.installed import INSTALLED


def sample(xp: ModuleType) -> Container:
    return Container(b=xp.asarray([1.0, 2.0]), a={"c": xp.asarray([[3.0]]), "d": xp.ones((2, 2))})


def scaled(c: Any) -> Any:
    """A function of a Container, through operators, methods and functions."""
    return unify.multiply(c, 2.0) + c.b.sum() - c.sin()


def needs(framework: str) -> Any:
    here = [framework] if framework in INSTALLED else []
    return pytest.mark.parametrize("xp", here, indirect=True)


@needs("jax")
class TestJax:
    def test_trees(self, xp: ModuleType) -> None:
        from jax import tree_util

        c = sample(xp)
        leaves, structure = tree_util.tree_flatten(c)
        assert [leaf is x.data for leaf, x in zip(leaves, (c.a.c, c.a.d, c.b), strict=True)]
        again = tree_util.tree_unflatten(structure, leaves)
        assert again.identical(c)
        assert list(again.key_chains()) == list(c.key_chains())
        doubled = tree_util.tree_map(lambda x, y: x + y, c, Container(a=c.a, b=c.b))
        assert doubled.identical(c * 2)

    def test_jit(self, xp: ModuleType) -> None:
        import jax

        c = sample(xp)
        traced = jax.jit(scaled)
        for _ in range(2):
            made = traced(c)
            assert made.same_structure(c)
            difference = abs(made - scaled(c))
            assert all(float(leaf.max()) < 1e-12 for leaf in difference.leaves())
        x = xp.ones(3)
        assert jax.jit(lambda v: v.exp() + x)(x).shape == (3,)

    def test_grad_and_vmap(self, xp: ModuleType) -> None:
        import jax

        c = sample(xp)
        gradient = jax.grad(lambda v: sum(leaf.square().sum().data for leaf in v.leaves()))(c)
        assert gradient.identical(c * 2)
        assert jax.grad(lambda x: x.square().sum().data)(c.b).tolist() == [2.0, 4.0]
        mapped = jax.vmap(lambda v: v.sum())(Container(a=xp.ones((2, 3)), b=xp.ones((2, 4, 5))))
        assert mapped.map(lambda x, k: x.tolist()).to_dict() == {"a": [3.0] * 2, "b": [20.0] * 2}


@needs("torch")
class TestTorch:
    def test_trees(self, xp: ModuleType) -> None:
        from torch.utils import _pytree as pytree

        c = sample(xp)
        leaves, structure = pytree.tree_flatten(c)
        assert len(leaves) == 3
        assert pytree.tree_unflatten(leaves, structure).identical(c)
        assert pytree.tree_map(lambda x: x * 2, c).identical(c * 2)
        assert list(pytree.tree_map(lambda x: x, c).key_chains()) == list(c.key_chains())

    def test_func(self, xp: ModuleType) -> None:
        import torch

        c = sample(xp)
        total = lambda v: sum(leaf.square().sum().data for leaf in v.leaves())  # noqa: E731
        assert torch.func.grad(total)(c).identical(c * 2)
        nest = Container(a=xp.ones((2, 3)), b=xp.ones((2, 4, 5)))
        mapped = torch.func.vmap(lambda v: v.sum())(nest)
        assert mapped.map(lambda x, k: x.tolist()).to_dict() == {"a": [3.0] * 2, "b": [20.0] * 2}

    def test_compile(self, xp: ModuleType) -> None:
        import torch

        c = sample(xp)
        compiled = torch.compile(scaled, backend="eager", fullgraph=True)
        assert compiled(c).identical(scaled(c))


@needs("tensorflow")
class TestTensorFlow:
    def test_nests(self, xp: ModuleType) -> None:
        import tensorflow as tf

        c = sample(xp)
        assert len(tf.nest.flatten(c)) == 3
        assert tf.nest.map_structure(lambda x: x * 2, c).identical(c * 2)
        assert tf.nest.pack_sequence_as(c, tf.nest.flatten(c)).identical(c)
        assert tf.nest.map_structure(lambda x: x + 1, xp.ones(2)).tolist() == [2.0, 2.0]

    def test_function(self, xp: ModuleType) -> None:
        import tensorflow as tf

        c = sample(xp)
        traces: list[int] = []

        @tf.function(autograph=False)
        def traced(v: Any) -> Any:
            traces.append(1)
            return scaled(v)

        for factor in (1, 2):
            made = traced(c * factor)
            assert made.same_structure(c)
            difference = abs(made - scaled(c * factor))
            assert all(float(leaf.max()) < 1e-12 for leaf in difference.leaves())
        assert len(traces) == 1
        doubled = tf.function(lambda x: x + x, autograph=False)
        assert doubled(xp.ones(2)).tolist() == [2.0, 2.0]


class TestRegistration:
    def test_classes_defined_later_are_registered_too(self, xp: ModuleType) -> None:
        class Later(Container):
            pass

        assert Later in list(container_base.kinds())
        if "jax" in INSTALLED:
            import jax

            assert binding_of("jax")
            mapped = jax.tree_util.tree_map(lambda x: x + 1, Later(a={"b": 1}))
            assert type(mapped) is Later
            assert mapped.to_dict() == {"a": {"b": 2}}

    def test_no_framework_is_imported(self) -> None:
        program = (
            "import sys, arrayapi_unify as unify; c = unify.Container(a=1) + 1; "
            "print([m for m in ('torch', 'tensorflow', 'jax') if m in sys.modules])"
        )
        done = subprocess.run(
            [sys.executable, "-c", program], check=True, capture_output=True, text=True
        )
        assert done.stdout.strip() == "[]"
