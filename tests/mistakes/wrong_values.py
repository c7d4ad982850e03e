"""Keys, scalars, memory, backends, traces, derivatives, random keys, Containers and Modules."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from arrayapi_unify.errors import (
    BackendError,
    StructureError,
    UnifyError,
    UnifyIndexError,
    UnifyKeyError,
    UnifyTypeError,
    UnifyValueError,
)
from tests.installed import DIFFERENTIATING, EAGER
from tests.mistakes.mistake import TRACED, Mistake, mistake

_ERRORS: Final[Any] = np.linalg.LinAlgError

MISTAKES: Final[list[Mistake]] = [
    # --- keys
    mistake("v[5]", UnifyIndexError, "get_item(x=float64", "key=5", "use indices"),
    mistake("x[0, 0, 0]", UnifyIndexError, "get_item(x=", "key=(0, 0, 0)", "drop some"),
    mistake("v['a']", UnifyIndexError, "get_item(x=", "key='a'", "use integers"),
    mistake("v[mask[:2]]", UnifyIndexError, "get_item(x=", "key=bool array of shape (2,)", "use a"),
    mistake("v[v]", UnifyIndexError, "get_item(x=", "key=float64 array", "use integers or a mask"),
    mistake("v[5] = 1", UnifyIndexError, "set_item(x=", "key=5", "use indices"),
    mistake("v[:2] = v", UnifyValueError, "set_item: argument 'value'", "(3,)", "pass a scalar"),
    mistake("v[0] = 'a'", BackendError, "set_item: argument 'value' is 'a'", "pass an array"),
    mistake(
        "xp.broadcast_to(v, (2, 3))[0, 0] = 1.0", UnifyValueError,
        "set_item(x=", "key=(0, 0)", "read-only", "asarray(x, copy=True)",
    ),
    mistake("del v[0]", UnifyTypeError, "del x[key]", "(3,)", "x[mask]"),
    # --- scalars
    mistake("float(v)", UnifyValueError, "float(x): argument 'x'", "(3,)", "pick an element"),
    mistake("int(v)", UnifyValueError, "int(x): argument 'x' has shape (3,)", "pick an element"),
    mistake("bool(v)", UnifyValueError, "bool(x): argument 'x' has shape (3,)", "any(x) or all(x)"),
    mistake("if v > 1 and v < 3: pass", UnifyValueError, "bool(x): argument 'x'", "& and |"),
    mistake("v.item()", UnifyValueError, "item: argument 'x' has shape (3,)", "pick an element"),
    mistake("float(xp.asarray(1j))", UnifyTypeError, "float(x): argument 'x'", "real(x)"),
    mistake("range(v)", UnifyTypeError, "index(x): argument 'x'", "float64", "astype"),
    mistake("len(xp.asarray(1.0))", UnifyTypeError, "len(x)", "0-d", "use x.size"),
    mistake("list(xp.asarray(1.0))", UnifyTypeError, "iter(x)", "0-d", "use x.item()"),
    # --- out
    mistake("xp.add(v, v, out=v[:2])", UnifyValueError, "add: argument 'out'", "(2,)", "pass"),
    mistake("xp.add(v, v, out=n)", UnifyTypeError, "add: argument 'out'", "int64", "float64"),
    mistake("xp.add(v, v, out=v.data)", UnifyTypeError, "add: argument 'out'", "unify.Array("),
    mistake("xp.add(v, v, out=3)", UnifyTypeError, "add: argument 'out' is 3", "pass an Array"),
    # --- backends
    mistake("x + other", BackendError, "add: argument 'x2'", "backend", "unify.to_backend(x2"),
    mistake("unify.stack([v, other])", BackendError, "stack: argument 'arrays[1]'", "to_backend("),
    mistake("net(other)", BackendError, "Linear: argument 1", "backend", "net.to_backend("),
    mistake(
        "unify.array_namespace(x, other)", BackendError,
        "array_namespace: argument 'arrays[1]'", "unify.to_backend(arrays[1]",
    ),
    mistake(
        "unify.array_namespace(x, 'a')", UnifyTypeError,
        "array_namespace: argument 'arrays[1]' is 'a'", "pass arrays",
    ),
    # --- other classes
    mistake("unify.sin(Foreign())", BackendError, "sin: argument 'x' is a", "Foreign", "asarray"),
    mistake(
        "unify.sin(Declining())", BackendError, "sin:", "Declining", "register", "convert the"
    ),
    mistake("unify.asarray(Declining())", BackendError, "asarray:", "Declining", "register"),
    mistake("unify.from_dlpack(3)", UnifyTypeError, "from_dlpack: argument 'x' is 3", "asarray"),
    mistake("class D(type(x)): pass", TypeError, "arrayapi_unify.", ".Array is final", "inherit"),
    # --- traces
    mistake(
        "unify.compile(lambda a: a if a.sum() > 0 else -a)(v)", UnifyTypeError,
        "bool(x): argument 'x' is being traced", "unify.where", "unify.cond", on=TRACED,
    ),
    mistake(
        "unify.compile(lambda a: a * float(a.sum()))(v)", UnifyTypeError,
        "float(x): argument 'x' is being traced", "unify.where", "unify.cond", on=TRACED,
    ),
    mistake(
        "unify.compile(lambda a: a[a > 1])(v)", UnifyTypeError,
        "get_item: argument 'key' is being traced", "unify.where", "unify.cond", on=("jax",),
    ),
    mistake(
        "unify.compile(lambda a: np.asarray(a))(v)", UnifyTypeError,
        "np.asarray: argument 'x' is being traced", "unify.where", "unify.cond", on=TRACED,
    ),
    mistake(
        "unify.compile(lambda a: a if a.sum() > 0 else -a)(v)", UnifyError,
        "compile_graph: at ", "bool(x)", "value of a traced array", "unify.where", "unify.cond",
        on=("numpy",),
    ),
    mistake(
        "unify.compile_graph(lambda a: a if a.sum() > 0 else -a, v)", UnifyError,
        "compile_graph: at ", "value of a traced array", "unify.where", "unify.cond",
        on=tuple(EAGER),
    ),
    mistake(
        "unify.vmap(lambda a: a if a > 0 else -a)(v)", UnifyTypeError,
        "bool(x): argument 'x' is being traced", "unify.where", "unify.cond", on=DIFFERENTIATING,
    ),
    mistake("unify.compile(3)", UnifyTypeError, "compile: argument 'fn' is 3", "pass a function"),
    mistake("unify.compile_graph(3, v)", UnifyTypeError, "compile_graph: argument 'fn' is 3"),
    mistake(
        "unify.compile_graph(lambda a: a + 1, v)(x)", UnifyError,
        "compile_graph: argument 'a' has shape (2, 3)", "trace the function again",
        on=tuple(EAGER),
    ),
    mistake("unify.cond(v > 0, abs, abs, v)", UnifyTypeError, "cond: argument 'pred'", "0-d array"),
    mistake("unify.cond(True, 1, 2, v)", UnifyTypeError, "cond: argument 'true_fun' is 1", "pass"),
    # --- derivatives
    mistake(
        "unify.grad(lambda a: a * 2)(v)", UnifyValueError,
        "grad: argument 'func' returns an array of shape (3,); use unify.jac", on=DIFFERENTIATING,
    ),
    mistake(
        "unify.grad(lambda a: a.sum())(v)", BackendError,
        "grad: the numpy backend can't differentiate", "pass via='torch'", on=("numpy",),
    ),
    mistake("unify.grad(3)", UnifyTypeError, "grad: argument 'func' is 3", "pass a function"),
    mistake("unify.vmap(3)", UnifyTypeError, "vmap: argument 'func' is 3", "pass a function"),
    mistake("unify.portable(3)", UnifyTypeError, "portable: argument 'function' is 3", "pass"),
    mistake(
        "unify.grad(lambda a: a.sum(), argnums=3)(v)", UnifyValueError,
        "grad: argument 'argnums' is 3", "pass the places",
    ),
    # --- random keys
    mistake(
        "unify.random.normal((2, 3))", UnifyTypeError,
        "random.normal: argument 'key' is (2, 3)", "random.key(seed)",
    ),
    mistake(
        "unify.random.uniform(5, (2,))", UnifyTypeError,
        "random.uniform: argument 'key' is 5", "random.key(seed)",
    ),
    mistake(
        "unify.dropout(x, 0.5)", UnifyTypeError, "dropout: argument 'key' is 0.5", "random.key("
    ),
    mistake("unify.random.key('a')", UnifyTypeError, "random.key: argument 'seed' is 'a'", "pass"),
    # --- Containers
    mistake("c['z']", UnifyKeyError, "Container", "'z'", "it has 'a', 'b', 'b/c'"),
    mistake("c + unify.Container(z=1)", StructureError, "'a', 'b'", "'z'", "give both the same"),
    mistake("bool(c)", UnifyTypeError, "bool(container)", "use len(c)"),
    mistake("unify.Container({1: 2})", UnifyTypeError, "Container", "1 of type int", "str(key)"),
    mistake("unify.Container(3)", UnifyTypeError, "Container: argument 'mapping' is 3", "pass a"),
    mistake("c.map(3)", UnifyTypeError, "Container.map: argument 'function' is 3", "pass"),
    mistake("unify.sum(c, axis=5)", UnifyIndexError, "sum: argument 'axis' is 5", "-1 to 0"),
    # --- Modules and optimizers
    mistake("net(xp.zeros((2, 4)))", UnifyValueError, "linear:", "(2, 4)", "pass x of shape"),
    mistake("net(v, v={'a': 1})", UnifyValueError, "Linear: argument 'v'", "['a']", "pass a"),
    mistake("net.v.w = xp.ones((5, 5))", UnifyValueError, "argument 'w'", "(5, 5)", "pass"),
    mistake("net.train = 3", UnifyTypeError, "Linear: 'train'", "choose another name"),
    mistake(
        "unify.Sequential([net])", UnifyTypeError, "Sequential: argument 'layers[0]'",
        "[an arrayapi_unify.Linear]", "Sequential(*layers)",
    ),
    mistake("unify.optimizers.Adam('a')", UnifyTypeError, "Adam: argument 'lr' is 'a'", "a number"),
    mistake(
        "sgd.step(net.v, {'a': v})", UnifyValueError, "SGD.step(v=a Container of 'w', 'b'", "pass a"
    ),
    mistake(
        "unify.cross_entropy(labels, x)", UnifyValueError,
        "nn.cross_entropy: argument 'true' has shape (2,)",
        "use nn.sparse_cross_entropy(true, pred)",
    ),
    mistake(
        "unify.cross_entropy(x, labels)", UnifyValueError,
        "nn.cross_entropy: argument 'pred' has shape (2,)",
        "use nn.sparse_cross_entropy(true, pred)",
    ),
    # --- linear algebra and transforms
    mistake("xp.linalg.inv(x)", _ERRORS, "linalg.inv: argument 'x' has shape (2, 3)", "square"),
    mistake(
        "xp.linalg.inv(xp.zeros((2, 2)))", _ERRORS, "linalg.inv: argument 'x'", "singular", "pinv"
    ),
    mistake(
        "xp.linalg.solve(xp.eye(2), v)", UnifyValueError,
        "linalg.solve: argument 'x2' has shape (3,)", "pass 2 rows",
    ),
    mistake(
        "xp.linalg.cholesky(-xp.eye(2))", _ERRORS,
        "linalg.cholesky: argument 'x'", "positive definite", "svd or eigh",
    ),
    mistake(
        "xp.linalg.qr(x, mode='nope')", UnifyValueError,
        "linalg.qr: argument 'mode' is 'nope'", "pass 'reduced'",
    ),
    mistake("xp.fft.fft(v, n=0)", UnifyValueError, "fft.fft: argument 'n' is 0", "at least one"),
    mistake("xp.fft.rfft(v + 1j)", UnifyTypeError, "fft.rfft: argument 'x'", "pass real(x)"),
    # --- files and settings
    mistake("unify.Container.load('nowhere.npz')", FileNotFoundError, "nowhere.npz"),
    mistake("net.load('nowhere.npz')", FileNotFoundError, "nowhere.npz"),
    mistake(
        "unify.Container(a=object()).save('nowhere.npz')", UnifyTypeError,
        "Container.save: argument 'a' is an object", "save arrays",
    ),
    mistake(
        "unify.set_verbosity(5)", UnifyValueError, "set_verbosity: argument 'level' is 5", "pass 0"
    ),
]  # fmt: skip
