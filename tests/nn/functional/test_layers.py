"""Layer functions compared with PyTorch's modules and extended precision, on every backend."""

from __future__ import annotations

import importlib
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import arrayapi_unify as unify
from arrayapi_unify.errors import UnifyTypeError, UnifyValueError
from tests.numbers import generator
from tests.ulps import assert_ulps

FLOATS = pytest.mark.parametrize("dtype", ["float32", "float64"])
GENERATOR = generator(7)


def random_array(*shape: int, dtype: str = "float64") -> Any:
    return GENERATOR.normal(size=shape).astype(dtype)


class TestLinear:
    @FLOATS
    @pytest.mark.parametrize("inner", [(), (4,), (2, 5)])
    def test_one_matrix_within_8_ulps(
        self, xp: ModuleType, dtype: str, inner: tuple[int, ...]
    ) -> None:
        x, weight, bias = (
            random_array(*inner, 3, dtype=dtype),
            random_array(2, 3, dtype=dtype),
            random_array(2),
        )
        bias = bias.astype(dtype)
        result = xp.linear(xp.asarray(x), xp.asarray(weight), bias=xp.asarray(bias))
        expected = x.astype("g") @ weight.astype("g").T + bias
        assert_ulps(result, expected, 8, magnitude=8)
        without = xp.linear(xp.asarray(x), xp.asarray(weight))
        assert_ulps(without, expected - bias, 8, magnitude=8)

    def test_batched_matrices_equal_einsum(self, xp: ModuleType) -> None:
        """B7: partial native implementations."""
        x, weight, bias = (xp.asarray(random_array(*s)) for s in ((2, 4, 3), (2, 2, 3), (2,)))
        result = xp.linear(x, weight, bias=bias)
        expected = np.einsum("bif,bof->bio", np.asarray(x), np.asarray(weight)) + np.asarray(bias)
        assert_ulps(result, expected, 8, magnitude=8)

    def test_a_bias_for_each_matrix(self, xp: ModuleType) -> None:
        x, weight, bias = random_array(2, 5, 4, 3), random_array(2, 6, 3), random_array(2, 6)
        result = xp.linear(xp.asarray(x), xp.asarray(weight), bias=xp.asarray(bias))
        expected = np.einsum("bijf,bof->bijo", x, weight) + bias[:, None, None, :]
        assert_ulps(result, expected, 8, magnitude=8)

    def test_integers_and_mixed_dtypes(self, xp: ModuleType) -> None:
        x, weight = xp.asarray([[1, 2]]), xp.asarray([[3, 4]])
        assert xp.linear(x, weight).tolist() == [[11]]
        assert xp.linear(x, weight).dtype is unify.int64
        mixed = xp.linear(xp.asarray([[1, 2]], dtype=xp.int8), xp.asarray([[0.5, 4]]))
        assert mixed.tolist() == [[8.5]]

    def test_out_native_arrays_and_zero_size(self, xp: ModuleType) -> None:
        x, weight, out = xp.ones((2, 3)), xp.ones((4, 3)), xp.zeros((2, 4))
        assert xp.linear(x.data, weight.data, out=out) is out
        assert out.tolist() == [[3.0] * 4] * 2
        assert xp.linear(xp.ones((2, 0)), xp.ones((4, 0))).tolist() == [[0.0] * 4] * 2
        assert xp.linear(xp.ones((0, 3)), weight).shape == (0, 4)

    @pytest.mark.parametrize("shapes", [((2, 3), (4, 5)), ((3,), (2, 4, 3)), ((2, 3), (3,))])
    def test_shapes_that_do_not_fit(self, xp: ModuleType, shapes: Any) -> None:
        with pytest.raises(UnifyValueError, match="linear"):
            xp.linear(xp.ones(shapes[0]), xp.ones(shapes[1]))

    @pytest.mark.parametrize("weight", [(4, 3), (2, 4, 3)])
    def test_a_bias_that_does_not_fit(self, xp: ModuleType, weight: tuple[int, ...]) -> None:
        with pytest.raises(UnifyValueError, match="linear: argument 'bias' has shape"):
            xp.linear(xp.ones((2, 5, 3)), xp.ones(weight), bias=xp.ones(5))


class TestPartialMixed:
    """B6 and B7, on PyTorch."""

    @pytest.fixture
    def calls(self, monkeypatch: pytest.MonkeyPatch) -> list[Any]:
        functional = pytest.importorskip("torch").nn.functional
        native, made = functional.linear, []

        def counted(*args: Any) -> Any:
            made.append(args)
            return native(*args)

        monkeypatch.setattr(functional, "linear", counted)
        return made

    def test_a_matrix_makes_one_native_call(self, calls: list[Any]) -> None:
        xp = unify.get_backend("torch")
        x, weight, bias = xp.ones((2, 4, 3)), xp.ones((2, 3)), xp.ones(2)
        assert xp.linear(x, weight, bias=bias).shape == (2, 4, 2)
        assert len(calls) == 1

    def test_a_stack_of_matrices_makes_none(self, calls: list[Any]) -> None:
        xp = unify.get_backend("torch")
        assert xp.linear(xp.ones((2, 4, 3)), xp.ones((2, 2, 3))).shape == (2, 4, 2)
        assert calls == []

    @pytest.mark.parametrize("chosen", [False, True])
    def test_whether_or_not_a_backend_is_set(self, calls: list[Any], chosen: bool) -> None:
        xp = unify.get_backend("torch")
        x, weight = xp.ones((2, 3)), xp.ones((2, 3))
        if chosen:
            with unify.use_backend("torch"):
                unify.linear(x, weight)
        else:
            unify.linear(x, weight)
        x.linear(weight)
        unify.linear(x.data, weight.data)
        assert len(calls) == 3

    def test_the_handler_can_be_read(self) -> None:
        native = importlib.import_module("arrayapi_unify.backends.torch.nn.layers").linear
        torch = pytest.importorskip("torch")
        assert native.partial_mixed_handler(torch.ones(3), torch.ones(2, 3))
        assert not native.partial_mixed_handler(torch.ones(1, 3), torch.ones(1, 2, 3))

    def test_errors_of_the_body_are_ours(self) -> None:
        xp = unify.get_backend("torch")
        with pytest.raises(UnifyValueError, match="linear: argument 'weight'"):
            xp.linear(xp.ones((2, 4, 3)), xp.ones((2, 2, 5)))


def attended(query: Any, keys: Any, values: Any, scale: float, mask: Any = None) -> Any:
    """Compute attention in extended precision."""
    q, k, v = (part.astype("g") for part in (query, keys, values))
    scores = q @ np.swapaxes(k, -1, -2) * np.longdouble(scale)
    if mask is not None:
        scores = np.where(mask, scores, -np.inf) if mask.dtype.kind == "b" else scores + mask
    powers = np.exp(scores - scores.max(-1, keepdims=True))
    return (powers / powers.sum(-1, keepdims=True)) @ v


class TestScaledDotProductAttention:
    @FLOATS
    @pytest.mark.parametrize("batch", [(), (2,), (2, 3)])
    @pytest.mark.parametrize("scale", [None, 0.7])
    def test_within_32_ulps(
        self, xp: ModuleType, dtype: str, batch: tuple[int, ...], scale: float | None
    ) -> None:
        q, k, v = (random_array(*batch, *s, dtype=dtype) for s in ((4, 3), (5, 3), (5, 6)))
        result = xp.scaled_dot_product_attention(*map(xp.asarray, (q, k, v)), scale=scale)
        expected = attended(q, k, v, 3**-0.5 if scale is None else scale)
        assert_ulps(result, expected, 32, magnitude=4)

    @pytest.mark.parametrize("kind", ["bool", "added"])
    def test_masks(self, xp: ModuleType, kind: str) -> None:
        q, k, v = random_array(2, 4, 3), random_array(2, 5, 3), random_array(2, 5, 6)
        mask = random_array(4, 5) > -0.5 if kind == "bool" else random_array(2, 4, 5)
        mask[..., 0] = True
        result = xp.scaled_dot_product_attention(*map(xp.asarray, (q, k, v)), mask=xp.asarray(mask))
        assert_ulps(result, attended(q, k, v, 3**-0.5, mask), 32, magnitude=4)

    @pytest.mark.parametrize("count", [3, 6])
    def test_causal(self, xp: ModuleType, count: int) -> None:
        q, k, v = random_array(2, count, 3), random_array(2, 5, 3), random_array(2, 5, 6)
        result = xp.scaled_dot_product_attention(*map(xp.asarray, (q, k, v)), is_causal=True)
        mask = np.tril(np.ones((count, 5), bool))
        assert_ulps(result, attended(q, k, v, 3**-0.5, mask), 32, magnitude=4)

    def test_integers_promote_with_floats(self, xp: ModuleType) -> None:
        q, k, v = np.array([[4], [7]], "uint8"), random_array(3, 1), random_array(3, 2)
        k, v = k.astype("float32"), v.astype("float32")
        result = xp.scaled_dot_product_attention(*map(xp.asarray, (q, k, v)))
        assert result.dtype == xp.float32
        assert_ulps(result, attended(q, k, v, 1), 32, magnitude=8)

    def test_a_query_that_sees_nothing_gets_zeros(self, xp: ModuleType) -> None:
        mask = xp.asarray([[True, False], [False, False]])
        arrays = xp.ones((2, 3)), xp.ones((2, 3)), xp.ones((2, 4))
        result = xp.scaled_dot_product_attention(*arrays, mask=mask)
        assert result.tolist() == [[1.0] * 4, [0.0] * 4]
        batched = [xp.expand_dims(a, axis=0) for a in arrays]
        result = xp.scaled_dot_product_attention(*batched, mask=mask)
        assert result.tolist() == [[[1.0] * 4, [0.0] * 4]]

    def test_without_keys(self, xp: ModuleType) -> None:
        arrays = xp.ones((1, 2, 3)), xp.ones((1, 0, 3)), xp.ones((1, 0, 4))
        assert xp.scaled_dot_product_attention(*arrays).tolist() == [[[0.0] * 4] * 2]

    def test_far_scores(self, xp: ModuleType) -> None:
        q, k, v = xp.full((1, 1, 1), 1e4), xp.asarray([[[1.0], [-1.0]]]), xp.asarray([[[3.0], [7]]])
        assert xp.scaled_dot_product_attention(q, k, v).tolist() == [[[3.0]]]

    def test_out_and_mistakes(self, xp: ModuleType) -> None:
        x, out = xp.ones((2, 3)), xp.zeros((2, 3))
        assert xp.scaled_dot_product_attention(x, x, x, out=out) is out
        assert out.tolist() == [[1.0] * 3] * 2
        with pytest.raises(UnifyValueError, match="scaled_dot_product_attention: argument 'keys'"):
            xp.scaled_dot_product_attention(x, xp.ones((2, 4)), x)
        with pytest.raises(UnifyTypeError, match="argument 'values'"):
            xp.scaled_dot_product_attention(x, x, xp.asarray([[1j], [1j]]))


X = [[[0.2, 1.0], [2.2, 3.0], [4.4, 5.6]]]
CONTEXT = [[[0.2, 1.0, 1.1, 4.2], [2.2, 3.0, 0.9, 3.6], [4.4, 5.6, 2.2, 0.4]]]
ATTENDED = [[[1.567876, 0.654418], [2.189697, 0.401314], [2.199919, 0.400002]]]


class TestMultiHeadAttention:
    def test_documented_numbers(self, xp: ModuleType) -> None:
        """B15: multi-head attention."""

        def to_q(x: Any, v: Any) -> Any:
            return x

        def to_kv(x: Any, v: Any) -> Any:
            return xp.split(x, num_or_size_splits=2, axis=-1)

        x, context = xp.asarray(X), xp.asarray(CONTEXT)
        result = xp.multi_head_attention(x, 1, 2, context=context, to_q_fn=to_q, to_kv_fn=to_kv)
        np.testing.assert_allclose(np.asarray(result), ATTENDED, atol=1e-6)
        plain = unify.multi_head_attention(x, 1, 2, context)
        np.testing.assert_array_equal(np.asarray(plain), np.asarray(result))

    def test_equals_pytorchs_module(self, xp: ModuleType) -> None:
        torch = pytest.importorskip("torch")
        module = torch.nn.MultiheadAttention(6, 3, batch_first=True, dtype=torch.float64)
        x, context = random_array(2, 4, 6), random_array(2, 5, 6)
        mask = GENERATOR.uniform(size=(4, 5)) > 0.3
        mask[:, 0] = True
        with torch.no_grad():
            source = torch.from_numpy(context)
            expected, _ = module(
                torch.from_numpy(x), source, source, attn_mask=torch.from_numpy(~mask)
            )

        def map_by(x: Any, v: Any) -> Any:
            return xp.linear(x, v.weight, bias=v.bias)

        taken = [p.detach().numpy() for p in (module.in_proj_weight, module.in_proj_bias)]
        q_v = [xp.asarray(p[:6]) for p in taken]
        kv_v = [xp.asarray(p[6:]) for p in taken]
        out_v = [xp.asarray(p.detach().numpy()) for p in module.out_proj.parameters()]
        result = xp.multi_head_attention(
            xp.asarray(x), 2**-0.5, 3, xp.asarray(context), xp.asarray(mask),
            map_by, map_by, map_by, *({"weight": w, "bias": b} for w, b in (q_v, kv_v, out_v)),
        )  # fmt: skip
        assert_ulps(result, expected.numpy(), 64, magnitude=1)

    def test_masks_of_a_batch_count_as_true_where_not_zero(self, xp: ModuleType) -> None:
        x, context = xp.asarray(random_array(2, 3, 4)), xp.asarray(random_array(2, 5, 8))
        mask = np.asarray([[[1, 0, 2, 0, 0]] * 3, [[0, 0, 0, 0, 3]] * 3])
        result = np.asarray(xp.multi_head_attention(x, 1.0, 2, context, xp.asarray(mask)))
        values = np.asarray(context)[1, 4, 4:]
        np.testing.assert_allclose(result[1], [values] * 3, rtol=1e-14)
        seen = xp.asarray(np.asarray(context)[:1, [0, 2], :])
        first = np.asarray(xp.multi_head_attention(x[:1, ...], 1.0, 2, seen))
        np.testing.assert_allclose(result[:1], first, rtol=1e-13)

    def test_attends_to_itself_without_a_context(self, xp: ModuleType) -> None:
        x = xp.asarray(random_array(2, 3, 4))
        out = xp.zeros((2, 3, 4))
        assert xp.multi_head_attention(x, 1.0, 1, out=out) is out
        expected = xp.scaled_dot_product_attention(x, x, x, scale=1.0)
        np.testing.assert_allclose(np.asarray(out), np.asarray(expected), rtol=1e-14)

    @pytest.mark.parametrize("returned", [1, None, ["one"]])
    def test_a_function_that_returns_something_else(self, xp: ModuleType, returned: Any) -> None:
        with pytest.raises(UnifyTypeError, match="multi_head_attention: argument 'to_kv_fn'"):
            xp.multi_head_attention(xp.ones((2, 4)), 1.0, 2, to_kv_fn=lambda x, v: returned)

    @pytest.mark.parametrize("heads", [0, 3])
    def test_heads_that_do_not_fit(self, xp: ModuleType, heads: int) -> None:
        with pytest.raises(UnifyValueError, match="multi_head_attention: argument 'num_heads'"):
            xp.multi_head_attention(xp.ones((2, 4)), 1.0, heads)


class TestContainerDependent:
    """B14: the functions get the whole Container, and are called once."""

    def test_the_whole_container_comes_through(self, xp: ModuleType) -> None:
        x = xp.asarray([[[0.2, 1.0], [2.2, 3.0], [4.4, 5.6]]])
        weights = unify.Container(w=xp.asarray([[2.0, 0.0], [0.0, 1.0]]), b=xp.ones(2))
        seen: list[object] = []

        def to_q(x: Any, v: Any) -> Any:
            seen.append(v)
            return xp.matmul(x, v.w) + v.b

        expected = xp.multi_head_attention(
            x, 0.5, 2, to_q_fn=lambda x, v: to_q(x, weights), to_kv_fn=lambda x, v: (x, x)
        )
        for namespace in (xp, unify):
            for given in (weights, {"w": weights.w, "b": weights.b}):
                del seen[:]
                result = namespace.multi_head_attention(
                    x, 0.5, 2, to_q_fn=to_q, to_kv_fn=lambda x, v: (x, x), to_q_v=given
                )
                assert isinstance(result, unify.Array)
                np.testing.assert_array_equal(np.asarray(result), np.asarray(expected))
                assert len(seen) == 1
                assert isinstance(seen[0], unify.Container)

    @pytest.mark.parametrize("name", ["to_q_v", "to_kv_v", "to_out_v"])
    def test_anything_else_is_refused(self, xp: ModuleType, name: str) -> None:
        with pytest.raises(UnifyTypeError, match=f"'{name}'.*pass a Container"):
            xp.multi_head_attention(xp.ones((2, 4)), 1.0, 2, **{name: 3})

    def test_the_flag_says_so(self) -> None:
        assert unify.multi_head_attention.container_dependent  # type: ignore[attr-defined]
        assert not unify.multi_head_attention.nestable  # type: ignore[attr-defined]
        assert "container_dependent" in unify.kinds()["nn.multi_head_attention"].flags
