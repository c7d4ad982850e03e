"""Limits of the data types, compared with NumPy's."""

from __future__ import annotations

import numpy as np
import pytest

import arrayapi_unify as unify
from arrayapi_unify import dtypes
from arrayapi_unify.dtypes import DType
from arrayapi_unify.errors import UnifyTypeError


class TestLimits:
    @pytest.mark.parametrize("name", ["float32", "float64", "complex64", "complex128"])
    def test_finfo_as_in_numpy(self, name: str) -> None:
        ours, theirs = unify.finfo(getattr(unify, name)), np.finfo(name)
        for attribute in ("bits", "eps", "max", "min", "smallest_normal"):
            value = getattr(ours, attribute)
            assert value == getattr(theirs, attribute)
            assert type(value) is (int if attribute == "bits" else float)
        assert ours.dtype.name == np.dtype(theirs.dtype).name

    @pytest.mark.parametrize("dtype", sorted(dtypes.KINDS["integral"], key=str), ids=str)
    def test_iinfo_as_in_numpy(self, dtype: DType) -> None:
        ours, theirs = unify.iinfo(dtype), np.iinfo(dtype.name)
        assert (ours.bits, ours.max, ours.min) == (theirs.bits, theirs.max, theirs.min)
        assert type(ours.max) is type(ours.min) is int
        assert ours.dtype is dtype

    def test_arrays_are_taken(self) -> None:
        assert unify.finfo(unify.ones(1)) == unify.finfo(unify.float64)
        assert unify.iinfo(np.ones(1, "i2")) == unify.iinfo(unify.int16)
        assert unify.ones(1).finfo() == unify.finfo(unify.float64)

    def test_the_wrong_kind_is_refused_with_a_remedy(self) -> None:
        with pytest.raises(UnifyTypeError, match="use iinfo"):
            unify.finfo(unify.int8)
        with pytest.raises(UnifyTypeError, match="use finfo"):
            unify.iinfo(unify.float32)
        with pytest.raises(UnifyTypeError):
            unify.iinfo(unify.bool)
