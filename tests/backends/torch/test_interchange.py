"""Memory that PyTorch's tensors share with other libraries."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

import arrayapi_unify as unify  # noqa: E402  # after the check that there is a PyTorch
import arrayapi_unify.torch as xp  # noqa: E402
from arrayapi_unify.errors import UnifyBufferError, UnifyValueError  # noqa: E402


def sealed(values: Any) -> Any:
    values.flags.writeable = False
    return values


def overlapping() -> Any:
    return np.lib.stride_tricks.as_strided(np.ones(1), (3,), (0,))


# Tensors that can't be shared, and a word of the reason.
OTHERS = {
    "read-only": lambda: sealed(np.ones(3)),
    "negative strides": lambda: np.ones(3)[::-1],
    "strides of parts of an element": lambda: np.ones(3, "f4,f8")["f1"],
    "foreign byte order": lambda: np.ones(3, ">f8"),
    "elements share memory": overlapping,
}


class TestSharedWithNumpy:
    @pytest.mark.parametrize(
        "values",
        [np.ones(4), np.ones((2, 3)).T, np.ones(6)[1::2], np.ones((3, 1)), np.ones((0, 3)),
         np.ones(4, "uint16"), np.lib.stride_tricks.sliding_window_view(
             np.ones(5), 2, writeable=True)],
    )  # fmt: skip
    @pytest.mark.parametrize("copy", [None, False])
    @pytest.mark.parametrize("make", [xp.asarray, xp.from_dlpack])
    def test_memory_is_shared_where_pytorch_shares_it(
        self, values: Any, copy: bool | None, make: Any
    ) -> None:
        x = make(values, copy=copy)
        assert x.data.data_ptr() == torch.asarray(values).data_ptr()
        # NumPy 2.2 changes the strides of no elements in DLPack, which lead nowhere.
        assert not values.size or x.data.stride() == torch.asarray(values).stride()

    @pytest.mark.parametrize("why", OTHERS)
    def test_other_memory_is_copied(self, why: str) -> None:
        values = OTHERS[why]()
        x = xp.asarray(values)
        before = values.tolist()
        x.data.zero_()
        assert values.tolist() == before
        assert x.tolist() == [0.0, 0.0, 0.0]
        with pytest.raises(UnifyValueError, match=rf"asarray: .*{why}.*; pass copy=None"):
            xp.asarray(values, copy=False)

    @pytest.mark.parametrize("why", ["read-only", "negative strides", "elements share memory"])
    def test_imports_of_other_memory_are_copied(self, why: str) -> None:
        values = OTHERS[why]()
        before = values.tolist()
        for copy in (None, True):
            x = xp.from_dlpack(values, copy=copy)
            x.data.zero_()
            assert values.tolist() == before
        with pytest.raises(UnifyBufferError, match=rf"from_dlpack: .*{why}.*; pass copy=None"):
            xp.from_dlpack(values, copy=False)

    @pytest.mark.parametrize("copy", [None, False])
    def test_tensors_are_shared(self, copy: bool | None) -> None:
        native = torch.ones(3)
        for x in (xp.asarray(native, copy=copy), xp.from_dlpack(native, copy=copy)):
            assert x.data.data_ptr() == native.data_ptr()
        for x in (xp.asarray(native, copy=True), xp.array(native)):
            assert x.data.data_ptr() != native.data_ptr()


# Native tensors that own their memory according to PyTorch, or declare that they don't.
HELD = {
    "new": lambda: torch.tensor([1.0, 2.0]),
    "computed": lambda: torch.ones(2) * 2.0,
    "tracked": lambda: torch.ones(2, requires_grad=True),
    "of NumPy's memory, tracked": lambda: torch.from_numpy(np.ones(2)).requires_grad_(),
    "detached": lambda: torch.ones(2, requires_grad=True).detach(),
    "a part": lambda: torch.ones(4)[1:3],
    "transposed": lambda: torch.ones(2, 3).T,
    "of no elements": lambda: torch.ones(0),
}
VIEWED = {
    "of NumPy's memory": lambda: torch.from_numpy(np.ones(2)),
    "a detached part": lambda: torch.ones(4)[1:3].detach(),
    "of another order": lambda: torch.linalg.inv(torch.eye(2)),
}


class TestWrapped:
    @pytest.mark.parametrize("kind", HELD)
    def test_held_itself(self, kind: str) -> None:
        native = HELD[kind]()
        assert unify.Array(native).data is native

    @pytest.mark.parametrize("kind", VIEWED)
    def test_viewed(self, kind: str) -> None:
        native = VIEWED[kind]()
        x = unify.Array(native)
        x[0] = 5.0
        assert x.data.data_ptr() == native.data_ptr()
        assert x.tolist() == native.tolist()
        assert native.flatten()[0] == 5.0


class TestExports:
    def test_negated_tensors_keep_their_sign(self) -> None:
        """PyTorch exports the memory of a negated tensor as if it weren't."""
        x = unify.Array(torch.tensor([1 + 2j]).conj().imag)
        assert x.data.is_neg()
        assert np.from_dlpack(x).tolist() == [-2.0]
        assert xp.from_dlpack(x).tolist() == [-2.0]

    def test_conjugated_tensors(self) -> None:
        x = unify.Array(torch.tensor([1 + 2j]).conj())
        assert x.data.is_conj()
        assert np.from_dlpack(x).tolist() == [1 - 2j]
        with pytest.raises(UnifyBufferError, match="conjugated"):
            x.__dlpack__(copy=False)

    def test_broadcast_tensors_are_not_written_to(self) -> None:
        native = torch.ones(1)
        x = unify.Array(native.expand(3))
        for values in (np.from_dlpack(x), np.asarray(x), x.to_numpy()):
            assert values.strides == (0,)
            assert not values.flags.writeable

    def test_what_autograd_tracks_is_not_written_to(self) -> None:
        w = torch.tensor([1.0, 2.0], requires_grad=True)
        x = unify.Array(w)
        for values in (np.from_dlpack(x), unify.to_backend(x, "numpy").data):
            values[:] = 5.0
            assert w.tolist() == [1.0, 2.0]
        for values in (np.asarray(x), x.to_numpy()):
            assert np.shares_memory(values, w.detach().numpy())
            with pytest.raises(ValueError, match="read-only"):
                values[:] = 5.0
        assert np.shares_memory(np.asarray(x, copy=False), w.detach().numpy())
        with pytest.raises(UnifyBufferError, match="autograd"):
            x.__dlpack__(copy=False)


class TestWhileADerivativeMayBeAskedFor:
    """Autograd's copies of written tensors are for those alone that it has saved."""

    def test_writes_reach_importers(self) -> None:
        held = unify.vjp(lambda x: x * x, xp.asarray(3.0))
        x = xp.asarray([1.0, 2.0, 3.0])
        y = np.from_dlpack(x)
        z = torch.from_dlpack(x)
        x[1] = 7.0
        assert y.tolist() == z.tolist() == [1.0, 7.0, 3.0]
        del held

    def test_saved_values_stay(self) -> None:
        factor = xp.asarray([1.0, 2.0, 3.0])
        _, pullback = unify.vjp(lambda x: x * factor, xp.ones(3))
        shared = np.from_dlpack(factor)
        factor[1] = 7.0
        assert shared.tolist() == [1.0, 2.0, 3.0]
        assert pullback(xp.ones(3))[0].tolist() == [1.0, 2.0, 3.0]
