"""`Module`, layers, initializers and optimizers, which keep variables between calls.

They are built on the functions of `functional/`, which are stateless.
"""

from arrayapi_unify.module._module import Module as Module
from arrayapi_unify.module.attention import MultiHeadAttention as MultiHeadAttention
from arrayapi_unify.module.convolutional import Conv1D as Conv1D
from arrayapi_unify.module.convolutional import Conv2D as Conv2D
from arrayapi_unify.module.convolutional import Conv3D as Conv3D
from arrayapi_unify.module.layers import Dropout as Dropout
from arrayapi_unify.module.layers import Embedding as Embedding
from arrayapi_unify.module.layers import Linear as Linear
from arrayapi_unify.module.layers import Sequential as Sequential
from arrayapi_unify.module.normalization import BatchNorm as BatchNorm
from arrayapi_unify.module.normalization import LayerNorm as LayerNorm
from arrayapi_unify.module.recurrent import GRU as GRU
from arrayapi_unify.module.recurrent import LSTM as LSTM

__all__ = [
    "GRU", "LSTM", "BatchNorm", "Conv1D", "Conv2D", "Conv3D", "Dropout", "Embedding", "LayerNorm",
    "Linear", "Module", "MultiHeadAttention", "Sequential",
]  # fmt: skip
