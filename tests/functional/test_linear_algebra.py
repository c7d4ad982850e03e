"""`diag`, `einsum`, `kron` and `matrix_transpose` compared with NumPy's, on every backend."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np
import pytest

import arrayapi_unify as unify
from arrayapi_unify import dtypes
from arrayapi_unify.binding import namespace_of
from arrayapi_unify.errors import UnifyError, UnifyTypeError, UnifyValueError
from tests.differential.tracing import COMPILERS
from tests.installed import INSTALLED
from tests.numbers import generator
from tests.tables import each
from tests.ulps import assert_ulps

GENERATOR = generator(10)
DTYPES = pytest.mark.parametrize("dtype", [d.name for d in dtypes.ALL])


def random_array(shape: tuple[int, ...], dtype: str = "float64") -> Any:
    if dtype == "bool":
        return GENERATOR.uniform(size=shape) < 0.5
    if dtype[0] in "iu":
        return GENERATOR.integers(0, 9, shape).astype(dtype)
    x = GENERATOR.normal(size=shape)
    return (x + 1j * GENERATOR.normal(size=shape) if dtype[0] == "c" else x).astype(dtype)


def check(result: Any, expected: Any, ulps: float = 16, magnitude: float = 16) -> None:
    """Compare exactly, or floating-point numbers in ulps of the summands."""
    assert result.dtype.name == expected.dtype.name
    if expected.dtype.kind in "fc":
        assert_ulps(result, expected, ulps, magnitude=magnitude)
    else:
        np.testing.assert_array_equal(np.asarray(result), expected)


EQUATIONS = [
    ("i", [(3,)]), ("i->", [(3,)]), ("ij->ji", [(2, 3)]), ("ij", [(2, 3)]), ("ba", [(2, 3)]),
    ("ii", [(3, 3)]), ("ii->i", [(3, 3)]), ("iij->ji", [(2, 2, 3)]), ("iii->i", [(2, 2, 2)]),
    ("ijij->", [(2, 3, 2, 3)]), ("i,i", [(3,), (3,)]), ("i,j", [(3,), (2,)]), (",i", [(), (2,)]),
    (",", [(), ()]), ("ij,jk", [(2, 3), (3, 4)]), ("ij,jk->ki", [(2, 3), (3, 4)]),
    ("ij,kj->ik", [(2, 3), (4, 3)]), ("ij,ij->i", [(2, 3), (2, 3)]), ("ij,ij", [(2, 3), (2, 3)]),
    ("bij,bjk->bik", [(2, 3, 4), (2, 4, 5)]), ("bij,bjk->ik", [(2, 3, 4), (2, 4, 5)]),
    ("...ij,...jk->...ik", [(2, 3, 4), (2, 4, 5)]), ("...ij,jk", [(2, 2, 3, 4), (4, 5)]),
    ("...ij,...jk->...ik", [(3, 1, 2, 4), (2, 4, 5)]), ("...,...", [(2, 3), (3,)]),
    ("i...->...i", [(2, 3, 4)]), ("...ii->...i", [(2, 3, 3)]),
    ("ij,jk,kl", [(2, 3), (3, 4), (4, 2)]),
    ("i,i,i->i", [(3,), (3,), (3,)]), ("ij,jk,ik->", [(2, 3), (3, 4), (2, 4)]),
    ("i, j -> j i", [(2,), (3,)]), ("Ab,bA", [(2, 3), (3, 2)]), ("ij,jk", [(0, 3), (3, 2)]),
    ("ij,jk", [(2, 0), (0, 3)]), ("ij->i", [(2, 0)]), ("ij,ij->ij", [(2, 1), (1, 3)]),
    ("bif,bof->bio", [(2, 4, 3), (2, 2, 3)]),
]  # fmt: skip


class TestEinsum:
    @each("equation, shapes", EQUATIONS)
    def test_equals_numpys(self, xp: ModuleType, equation: str, shapes: Any) -> None:
        """The native functions on floating-point numbers, the body on integers."""
        for dtype in ("float64", "int64"):
            arrays = [random_array(shape, dtype) for shape in shapes]
            result = xp.einsum(equation, *map(xp.asarray, arrays))
            check(result, np.asarray(np.einsum(equation, *arrays)))

    @DTYPES
    @each("equation", ["ij,jk", "ij,ij->", "ij,kj->jik"])
    def test_every_dtype(self, xp: ModuleType, dtype: str, equation: str) -> None:
        arrays = [random_array((3, 3), dtype) for _ in range(2)]
        result = xp.einsum(equation, *map(xp.asarray, arrays))
        check(result, np.asarray(np.einsum(equation, *arrays)))

    def test_promotes(self, xp: ModuleType) -> None:
        result = xp.einsum("i,i", xp.asarray([1, 2], dtype=xp.int8), xp.asarray([0.5, 4]))
        assert (result.dtype, result.item()) == (unify.float64, 8.5)

    def test_several_axes_to_sum_before_the_product(self, xp: ModuleType) -> None:
        x, y = random_array((2, 3, 4)), random_array((3, 5))
        result = xp.einsum("abc,bd->b", xp.asarray(x), xp.asarray(y))
        check(result, np.einsum("abc,bd->b", x, y), magnitude=64)

    def test_an_ellipsis_that_the_result_has_not_is_summed(self, xp: ModuleType) -> None:
        assert xp.einsum("...i->i", xp.ones((2, 3))).tolist() == [2.0] * 3

    def test_method_out_and_native_arrays(self, xp: ModuleType) -> None:
        """B42: einsum is a method too."""
        x, out = xp.asarray([[1.0, 2.0], [3.0, 4.0]]), xp.zeros((2, 2))
        assert x.einsum("ij->ji").tolist() == [[1.0, 3.0], [2.0, 4.0]]
        assert xp.einsum("ij,jk", x.data, x, out=out) is out
        assert out.tolist() == [[7.0, 10.0], [15.0, 22.0]]

    @pytest.mark.parametrize(
        ("equation", "shapes"),
        [
            ("ij", [(3,)]), ("i", [(2, 3)]), ("i,j", [(3,)]), ("i->j", [(3,)]), ("i->ii", [(3,)]),
            ("ij,jk", [(2, 3), (4, 5)]), ("ii", [(2, 3)]), ("i?", [(2, 3)]), ("i......", [(2,)]),
        ],
    )  # fmt: skip
    @pytest.mark.parametrize("dtype", ["float64", "int8"])
    def test_mistakes(self, xp: ModuleType, equation: str, shapes: Any, dtype: str) -> None:
        with pytest.raises(UnifyValueError, match="einsum: argument 'equation'"):
            xp.einsum(equation, *(xp.ones(s, dtype=getattr(xp, dtype)) for s in shapes))

    def test_no_operand_and_no_equation(self, xp: ModuleType) -> None:
        with pytest.raises(UnifyValueError, match="einsum: argument 'operands' is empty"):
            xp.einsum("i")
        with pytest.raises(UnifyTypeError, match="einsum: argument 'equation'"):
            xp.einsum(5, xp.ones(3))


class TestDiag:
    @DTYPES
    @each("k", [0, 1, -2])
    def test_equals_numpys(self, xp: ModuleType, dtype: str, k: int) -> None:
        for shape in ((3,), (1,), (0,), (3, 4), (4, 2)):
            x = random_array(shape, dtype)
            check(xp.diag(xp.asarray(x), k=k), np.diag(x, k), ulps=0)

    def test_documented_product(self, xp: ModuleType) -> None:
        """B28: graphs of matmul."""
        result = xp.matmul(xp.diag(xp.asarray([1, 2, 3])), xp.asarray([[2], [3], [4]]))
        assert result.tolist() == [[2], [6], [12]]

    def test_infinities_stay_on_the_diagonal(self, xp: ModuleType) -> None:
        assert xp.diag(xp.asarray([np.inf, 1.0])).tolist() == [[np.inf, 0.0], [0.0, 1.0]]

    def test_out_and_mistakes(self, xp: ModuleType) -> None:
        out = xp.ones((2, 2))
        assert xp.diag(xp.asarray([1.0, 2.0]).data, out=out) is out
        assert out.tolist() == [[1.0, 0.0], [0.0, 2.0]]
        for shape in ((), (1, 2, 3)):
            with pytest.raises(UnifyValueError, match="diag: argument 'x' has shape"):
                xp.diag(xp.ones(shape))


class TestKron:
    @DTYPES
    @each(
        "shapes",
        [((2,), (3,)), ((2, 3), (4,)), ((2,), (2, 3)), ((), (2,)), ((), ()), ((0, 2), (3, 1)),
         ((2, 1, 3), (1, 2))],
    )  # fmt: skip
    def test_equals_numpys(self, xp: ModuleType, dtype: str, shapes: Any) -> None:
        x, y = (random_array(shape, dtype) for shape in shapes)
        check(xp.kron(xp.asarray(x), xp.asarray(y)), np.asarray(np.kron(x, y)), 4)

    def test_out_and_promotion(self, xp: ModuleType) -> None:
        out = xp.zeros(4)
        assert xp.kron(xp.asarray([1, 10]), xp.asarray([0.5, 1.0]), out=out) is out
        assert out.tolist() == [0.5, 1.0, 5.0, 10.0]
        with pytest.raises(UnifyError):
            xp.kron(xp.ones(2), "text")

    def test_transposed_operands(self, xp: ModuleType) -> None:
        """PyTorch's kernel returns a wrong shape for some layouts of a product."""
        x, y = random_array((2, 3)), random_array((3, 2))
        found = xp.kron(xp.permute_dims(xp.asarray(x), (1, 0)), xp.asarray(y))
        np.testing.assert_allclose(np.asarray(found), np.kron(x.T, y), rtol=1e-15)
        np.testing.assert_allclose(
            np.asarray(xp.kron(xp.asarray(y), xp.permute_dims(xp.asarray(x), (1, 0)))),
            np.kron(y, x.T),
            rtol=1e-15,
        )

    @pytest.mark.slow_on("torch")
    @pytest.mark.parametrize("framework", [name for name in INSTALLED if name in COMPILERS])
    def test_transposed_operands_traced(self, framework: str) -> None:
        xp, x, y = namespace_of(framework), random_array((2, 3)), random_array((3, 2))

        def product(a: Any, b: Any) -> Any:
            return xp.kron(xp.permute_dims(xp.asarray(a), (1, 0)), xp.asarray(b)).data

        found = COMPILERS[framework](product)(xp.asarray(x).data, xp.asarray(y).data)
        np.testing.assert_allclose(np.asarray(unify.Array(found)), np.kron(x.T, y), rtol=1e-15)


class TestMatrixTranspose:
    @pytest.mark.filterwarnings("ignore:Tensor.mT is deprecated on 0-D tensors")
    @pytest.mark.parametrize("shape", [(), (3,)])
    def test_no_matrix(self, xp: ModuleType, shape: tuple[int, ...]) -> None:
        """PyTorch's own transpose of a 0-d value is the value, with a warning."""
        for transposed in (xp.matrix_transpose, lambda x: x.mT):
            with pytest.raises(UnifyValueError, match=r"matrix_transpose|mT"):
                transposed(xp.ones(shape))
