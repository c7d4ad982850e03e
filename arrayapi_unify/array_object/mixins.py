"""One mixin per category of the standard; their methods come from the contracts.

A contract that takes an array becomes a method of its category's mixin (`add_method` in
`binding.array_class`); a method written here by hand would win over the derived one. `mixins.pyi`
spells the derived methods out for type checkers and editors: `python -m arrayapi_unify._generate`
writes it, and a test compares.
"""

from __future__ import annotations

from typing import Final

__all__ = [
    "MIXINS",
    "ArrayWithActivations",
    "ArrayWithAdaptivePooling",
    "ArrayWithChannelNorms",
    "ArrayWithConvenience",
    "ArrayWithConvolutions",
    "ArrayWithCorrelation",
    "ArrayWithCounting",
    "ArrayWithCreation",
    "ArrayWithDataType",
    "ArrayWithDevice",
    "ArrayWithDropout",
    "ArrayWithElementwise",
    "ArrayWithEmbeddings",
    "ArrayWithFft",
    "ArrayWithGeneral",
    "ArrayWithGradients",
    "ArrayWithHardActivations",
    "ArrayWithIndexing",
    "ArrayWithLayers",
    "ArrayWithLinalg",
    "ArrayWithLinearAlgebra",
    "ArrayWithLosses",
    "ArrayWithManipulation",
    "ArrayWithNan",
    "ArrayWithNorms",
    "ArrayWithOrderStatistics",
    "ArrayWithPooling",
    "ArrayWithRearranging",
    "ArrayWithRecurrent",
    "ArrayWithRecurrentCells",
    "ArrayWithRegressionLosses",
    "ArrayWithResizing",
    "ArrayWithSearching",
    "ArrayWithSeries",
    "ArrayWithSet",
    "ArrayWithSmoothActivations",
    "ArrayWithSorting",
    "ArrayWithStatistical",
    "ArrayWithTransposedConvolutions",
    "ArrayWithUtility",
]


class ArrayWithActivations:
    """Methods of the activation functions (`x.softmax()`)."""

    __slots__ = ()


class ArrayWithAdaptivePooling:
    """Methods of pooling to a given size (`x.adaptive_avg_pool2d(7)`)."""

    __slots__ = ()


class ArrayWithChannelNorms:
    """Methods of the normalizations of channels (`x.group_norm(2)`)."""

    __slots__ = ()


class ArrayWithConvenience:
    """Methods of the convenience functions that take an array (`x.stable_divide(y)`)."""

    __slots__ = ()


class ArrayWithConvolutions:
    """Methods of the convolutions (`x.conv2d(filters)`)."""

    __slots__ = ()


class ArrayWithCorrelation:
    """Methods of the covariances (`x.cov()`)."""

    __slots__ = ()


class ArrayWithCounting:
    """Methods of the counts and sums by number (`x.bincount()`)."""

    __slots__ = ()


class ArrayWithCreation:
    """Methods of the creation functions that start from an array (`x.zeros_like()`)."""

    __slots__ = ()


class ArrayWithDataType:
    """Methods of the data type functions (`x.astype(dtype)`)."""

    __slots__ = ()


class ArrayWithDevice:
    """Methods of the device functions (`x.to_device(device)`)."""

    __slots__ = ()


class ArrayWithDropout:
    """The method of dropping elements (`x.dropout(key)`)."""

    __slots__ = ()


class ArrayWithElementwise:
    """Methods of the elementwise functions (`x.sin()`)."""

    __slots__ = ()


class ArrayWithEmbeddings:
    """The method of looking rows up (`weights.embedding(indices)`)."""

    __slots__ = ()


class ArrayWithFft:
    """Methods of the Fourier transforms (`x.rfft()`)."""

    __slots__ = ()


class ArrayWithGeneral:
    """Methods of the general functions (`x.to_numpy()`)."""

    __slots__ = ()


class ArrayWithGradients:
    """Methods of the derivatives that take an array (`x.stop_gradient()`)."""

    __slots__ = ()


class ArrayWithHardActivations:
    """Methods of the activation functions of straight lines (`x.leaky_relu()`)."""

    __slots__ = ()


class ArrayWithIndexing:
    """Methods of the indexing functions (`x.take(indices)`)."""

    __slots__ = ()


class ArrayWithLayers:
    """Methods of the functions that layers compute (`x.linear(weight)`)."""

    __slots__ = ()


class ArrayWithLinalg:
    """Methods of the linear algebra extension (`x.svd()`)."""

    __slots__ = ()


class ArrayWithLinearAlgebra:
    """Methods of the linear algebra functions of the main namespace (`x.matmul(y)`)."""

    __slots__ = ()


class ArrayWithLosses:
    """Methods of the loss functions (`true.cross_entropy(pred)`)."""

    __slots__ = ()


class ArrayWithManipulation:
    """Methods of the manipulation functions (`x.reshape(shape)`)."""

    __slots__ = ()


class ArrayWithNan:
    """Methods of the functions that deal with NaN (`x.nansum()`)."""

    __slots__ = ()


class ArrayWithNorms:
    """Methods of the normalizations (`x.layer_norm(-1)`)."""

    __slots__ = ()


class ArrayWithOrderStatistics:
    """Methods of the order statistics (`x.median()`)."""

    __slots__ = ()


class ArrayWithPooling:
    """Methods of pooling over windows (`x.max_pool2d(2)`)."""

    __slots__ = ()


class ArrayWithRearranging:
    """Methods of the functions of einops (`x.einops_rearrange('a b -> b a')`)."""

    __slots__ = ()


class ArrayWithRecurrent:
    """Methods of the recurrent layers (`x.lstm_update(h, c, kernel, recurrent_kernel)`)."""

    __slots__ = ()


class ArrayWithRecurrentCells:
    """Methods of single recurrent steps (`x.rnn_cell(h, kernel, recurrent_kernel)`)."""

    __slots__ = ()


class ArrayWithRegressionLosses:
    """Methods of the losses of numbers (`true.mse(pred)`)."""

    __slots__ = ()


class ArrayWithResizing:
    """The method of resizing (`x.interpolate(8)`)."""

    __slots__ = ()


class ArrayWithSearching:
    """Methods of the searching functions (`x.argmax()`)."""

    __slots__ = ()


class ArrayWithSeries:
    """Methods of the functions of series (`x.cummax()`)."""

    __slots__ = ()


class ArrayWithSet:
    """Methods of the set functions (`x.unique_values()`)."""

    __slots__ = ()


class ArrayWithSmoothActivations:
    """Methods of the smooth activation functions (`x.silu()`)."""

    __slots__ = ()


class ArrayWithSorting:
    """Methods of the sorting functions (`x.sort()`)."""

    __slots__ = ()


class ArrayWithStatistical:
    """Methods of the statistical functions (`x.mean()`)."""

    __slots__ = ()


class ArrayWithTransposedConvolutions:
    """Methods of the transposed convolutions (`x.conv2d_transpose(filters)`)."""

    __slots__ = ()


class ArrayWithUtility:
    """Methods of the utility functions (`x.any()`)."""

    __slots__ = ()


MIXINS: Final[dict[str, type]] = {
    "activations": ArrayWithActivations,
    "adaptive_pooling": ArrayWithAdaptivePooling,
    "channel_norms": ArrayWithChannelNorms,
    "convenience": ArrayWithConvenience,
    "convolutions": ArrayWithConvolutions,
    "correlation": ArrayWithCorrelation,
    "counting": ArrayWithCounting,
    "creation": ArrayWithCreation,
    "data_type": ArrayWithDataType,
    "device": ArrayWithDevice,
    "dropout": ArrayWithDropout,
    "elementwise": ArrayWithElementwise,
    "embeddings": ArrayWithEmbeddings,
    "fft": ArrayWithFft,
    "general": ArrayWithGeneral,
    "gradients": ArrayWithGradients,
    "hard_activations": ArrayWithHardActivations,
    "indexing": ArrayWithIndexing,
    "layers": ArrayWithLayers,
    "linalg": ArrayWithLinalg,
    "linear_algebra": ArrayWithLinearAlgebra,
    "losses": ArrayWithLosses,
    "manipulation": ArrayWithManipulation,
    "nan": ArrayWithNan,
    "norms": ArrayWithNorms,
    "order_statistics": ArrayWithOrderStatistics,
    "pooling": ArrayWithPooling,
    "rearranging": ArrayWithRearranging,
    "recurrent": ArrayWithRecurrent,
    "recurrent_cells": ArrayWithRecurrentCells,
    "regression_losses": ArrayWithRegressionLosses,
    "resizing": ArrayWithResizing,
    "searching": ArrayWithSearching,
    "series": ArrayWithSeries,
    "set": ArrayWithSet,
    "smooth_activations": ArrayWithSmoothActivations,
    "sorting": ArrayWithSorting,
    "statistical": ArrayWithStatistical,
    "transposed_convolutions": ArrayWithTransposedConvolutions,
    "utility": ArrayWithUtility,
}
"""The mixin of each category."""
