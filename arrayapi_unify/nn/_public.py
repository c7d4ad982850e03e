"""Public names of networks: `nn/__init__.py` shows them when one is first used."""

from typing import TYPE_CHECKING as _TYPE_CHECKING

from arrayapi_unify import (
    initializers as initializers,
    optimizers as optimizers,
    schedules as schedules,
)
from arrayapi_unify.binding import modules as _modules
from arrayapi_unify.nn.core.module import Module as Module
from arrayapi_unify.nn.layers.attention import MultiHeadAttention as MultiHeadAttention
from arrayapi_unify.nn.layers.convolutional import (
    Conv1D as Conv1D,
    Conv1DTranspose as Conv1DTranspose,
    Conv2D as Conv2D,
    Conv2DTranspose as Conv2DTranspose,
    Conv3D as Conv3D,
    Conv3DTranspose as Conv3DTranspose,
    Upsample as Upsample,
)
from arrayapi_unify.nn.layers.linear import (
    Dropout as Dropout,
    Embedding as Embedding,
    Flatten as Flatten,
    Identity as Identity,
    Linear as Linear,
    Residual as Residual,
    Sequential as Sequential,
)
from arrayapi_unify.nn.layers.normalization import (
    BatchNorm as BatchNorm,
    GroupNorm as GroupNorm,
    InstanceNorm as InstanceNorm,
    LayerNorm as LayerNorm,
    RMSNorm as RMSNorm,
)
from arrayapi_unify.nn.layers.pooling import (
    AdaptiveAvgPool1D as AdaptiveAvgPool1D,
    AdaptiveAvgPool2D as AdaptiveAvgPool2D,
    AdaptiveAvgPool3D as AdaptiveAvgPool3D,
    AdaptiveMaxPool1D as AdaptiveMaxPool1D,
    AdaptiveMaxPool2D as AdaptiveMaxPool2D,
    AdaptiveMaxPool3D as AdaptiveMaxPool3D,
    AvgPool1D as AvgPool1D,
    AvgPool2D as AvgPool2D,
    AvgPool3D as AvgPool3D,
    GlobalAvgPool as GlobalAvgPool,
    GlobalMaxPool as GlobalMaxPool,
    MaxPool1D as MaxPool1D,
    MaxPool2D as MaxPool2D,
    MaxPool3D as MaxPool3D,
)
from arrayapi_unify.nn.layers.recurrent import GRU as GRU, LSTM as LSTM, RNN as RNN
from arrayapi_unify.nn.layers.recurrent_cells import (
    GRUCell as GRUCell,
    LSTMCell as LSTMCell,
    RNNCell as RNNCell,
)
from arrayapi_unify.nn.layers.transformer import (
    PositionalEncoding as PositionalEncoding,
    TransformerEncoder as TransformerEncoder,
    TransformerEncoderLayer as TransformerEncoderLayer,
)
from arrayapi_unify.nn.training.batches import batches as batches

if _TYPE_CHECKING:
    from arrayapi_unify.nn._functions import *

globals().update(_modules.public_functions("nn"))
