"""Code that only accelerators run, run on the CPU."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import arrayapi_unify as unify

_SHAPES = [(3, 2), (2, 3), (3, 3)]
_SIZES = [1e-45, 1e-38, 1e-20, 1.0, 1e20, 1e38]


def _matrices(dtype: str, shape: tuple[int, int]) -> Any:
    """Return a stack of matrices of each size, and one of zeros."""
    drawn = np.random.default_rng(5).uniform(-1, 1, (len(_SIZES) + 1, *shape, 2))
    stack = drawn[..., 0] + 1j * drawn[..., 1] if dtype.startswith("c") else drawn[..., 0]
    sizes = np.array([*_SIZES, 0.0])[:, None, None]
    return (stack * sizes).astype(dtype)


class TestScaledQr:
    """QR of stacks, for devices whose kernels square the elements."""

    def scaled(self, name: str, x: Any, mode: str) -> Any:
        if name == "jax":
            linalg = pytest.importorskip("arrayapi_unify.backends.jax.linalg")
            return tuple(map(np.asarray, linalg._scaled_qr(linalg.jnp.asarray(x), mode)))
        linalg = pytest.importorskip("arrayapi_unify.backends.torch.linalg")
        return tuple(r.numpy() for r in linalg._scaled_qr(linalg.torch.asarray(x), mode))

    @pytest.mark.slow_on("jax")
    @pytest.mark.parametrize("name", ["torch", "jax"])
    @pytest.mark.parametrize("shape", _SHAPES)
    @pytest.mark.parametrize("dtype", ["float32", "complex64"])
    def test_factors(self, name: str, dtype: str, shape: tuple[int, int]) -> None:
        x = _matrices(dtype, shape)
        wide = np.complex128 if dtype == "complex64" else np.float64
        for mode in ("reduced", "complete"):
            q, r = self.scaled(name, x, mode)
            gram = q.astype(wide).conj().swapaxes(-1, -2) @ q
            assert np.abs(gram - np.eye(q.shape[-1])).max() < 2e-6
            error = np.abs(q.astype(wide) @ r - x).max((-2, -1))
            # XLA takes numbers below the smallest normal one for zero.
            floor = 4 * np.finfo(np.float32).tiny if name == "jax" else 1e-44
            assert (error <= np.maximum(1e-6 * np.abs(x).max((-2, -1)), floor)).all()

    @pytest.mark.parametrize("name", ["torch", "jax"])
    def test_elements_are_small_inside(self, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
        """The kernel gets no element whose square would overflow, and none of NaN's scale."""
        library = pytest.importorskip(f"arrayapi_unify.backends.{name}.linalg")
        seen: list[Any] = []
        inner = library.torch.linalg if name == "torch" else library.jnp.linalg
        kernel = inner.qr

        def spy(x: Any, mode: str) -> Any:
            seen.append(x)
            return kernel(x, mode)

        monkeypatch.setattr(inner, "qr", spy)
        self.scaled(name, _matrices("float32", (3, 2)), "reduced")
        largest = np.abs(np.asarray(seen[0])).max((-2, -1))
        assert (largest[2:-1] >= 4).all()
        assert (largest < 8).all()
        q, _ = self.scaled(name, np.array([[[np.inf, 1.0], [1.0, 2.0]]]), "reduced")
        assert q.shape == (1, 2, 2)

    @pytest.mark.slow
    def test_derivative(self) -> None:
        jax = pytest.importorskip("jax")
        linalg = pytest.importorskip("arrayapi_unify.backends.jax.linalg")
        x = np.random.default_rng(6).uniform(-1, 1, (2, 3, 3)) * 1e3
        found, expected = (
            jax.jacobian(lambda x, f=f: f(x, "reduced")[1])(x)
            for f in (linalg._scaled_qr, linalg._plain_qr)
        )
        np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12)


class TestIntegerProducts:
    """Matrix products of integers, which accelerators don't have."""

    @pytest.mark.parametrize(
        ("first", "second"),
        [((3,), (3,)), ((2, 3), (3,)), ((3,), (3, 4)), ((5, 2, 3), (3, 4)), ((0,), (0,))],
    )
    def test_values(self, first: tuple[int, ...], second: tuple[int, ...]) -> None:
        module = pytest.importorskip("arrayapi_unify.backends.torch.linear_algebra")
        generator = np.random.default_rng(7)
        x, y = (generator.integers(-(2**40), 2**40, shape) for shape in (first, second))
        found = module._sum_of_products(module.torch.asarray(x), module.torch.asarray(y))
        np.testing.assert_array_equal(np.asarray(found), np.matmul(x, y), strict=True)

    @pytest.mark.parametrize(
        ("first", "second"), [((1,), (0,)), ((1,), (3,)), ((2, 1), (4, 2)), ((2, 3), (1,))]
    )
    def test_shapes_that_do_not_fit(self, first: tuple[int, ...], second: tuple[int, ...]) -> None:
        """An axis of length 1 is no axis of any length. Tensors of shape alone are on no CPU."""
        torch = pytest.importorskip("torch")
        x, y = (torch.empty(shape, dtype=torch.int64, device="meta") for shape in (first, second))
        with pytest.raises(unify.UnifyError, match="matmul"):
            unify.matmul(x, y)


class TestUnsignedIntegers:
    """CUDA moves no unsigned integers wider than 8 bits; PyTorch's kernels for the CPU do."""

    @pytest.mark.parametrize("dtype", ["uint16", "uint32", "uint64"])
    def test_kernels_get_signed_ones(self, dtype: str, monkeypatch: pytest.MonkeyPatch) -> None:
        torch = pytest.importorskip("torch")
        seen: list[Any] = []
        for place, name in ((torch, "roll"), (torch.Tensor, "__getitem__")):
            kernel = getattr(place, name)

            def spy(x: Any, *args: Any, kernel: Any = kernel, **kwargs: Any) -> Any:
                seen.append(x.dtype)
                return kernel(x, *args, **kwargs)

            monkeypatch.setattr(place, name, spy)
        xp = unify.get_backend("torch")
        x = xp.asarray([7, 3, 5], dtype=getattr(xp, dtype))
        assert xp.to_list(xp.roll(x, 1)) == xp.to_list(xp.fft.fftshift(x)) == [5, 7, 3]
        order = xp.asarray([1, 2, 0])
        assert xp.to_list(xp.searchsorted(x, x, sorter=order)) == [2, 0, 1]
        signed = getattr(torch, dtype[1:])
        assert seen.count(signed) == 3
        assert getattr(torch, dtype) not in seen


class TestDlpack:
    """Export to a device where the array isn't."""

    @pytest.mark.eager
    def test_without_a_copy(self, xp: Any) -> None:
        """The standard's error where only a copy can move the values."""
        x = xp.ones(2)
        code, index = x.__dlpack_device__()
        with pytest.raises(BufferError, match=r"__dlpack__: 'copy' is False.*dl_device \(2, 0\)"):
            x.__dlpack__(dl_device=(2, 0), copy=False)
        x.__dlpack__(dl_device=(code, index), copy=False)
