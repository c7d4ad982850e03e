"""Public names of networks: `nn/__init__.py` shows them when one is first used."""

from typing import TYPE_CHECKING as _TYPE_CHECKING

from arrayapi_unify import initializers as initializers
from arrayapi_unify import optimizers as optimizers
from arrayapi_unify import schedules as schedules
from arrayapi_unify.binding import modules as _modules
from arrayapi_unify.nn.core.module import Module as Module
from arrayapi_unify.nn.layers.adaptive_pooling import AdaptiveAvgPool1D as AdaptiveAvgPool1D
from arrayapi_unify.nn.layers.adaptive_pooling import AdaptiveAvgPool2D as AdaptiveAvgPool2D
from arrayapi_unify.nn.layers.adaptive_pooling import AdaptiveAvgPool3D as AdaptiveAvgPool3D
from arrayapi_unify.nn.layers.adaptive_pooling import AdaptiveMaxPool1D as AdaptiveMaxPool1D
from arrayapi_unify.nn.layers.adaptive_pooling import AdaptiveMaxPool2D as AdaptiveMaxPool2D
from arrayapi_unify.nn.layers.adaptive_pooling import AdaptiveMaxPool3D as AdaptiveMaxPool3D
from arrayapi_unify.nn.layers.adaptive_pooling import GlobalAvgPool as GlobalAvgPool
from arrayapi_unify.nn.layers.adaptive_pooling import GlobalMaxPool as GlobalMaxPool
from arrayapi_unify.nn.layers.attention import MultiHeadAttention as MultiHeadAttention
from arrayapi_unify.nn.layers.convolutional import Conv1D as Conv1D
from arrayapi_unify.nn.layers.convolutional import Conv1DTranspose as Conv1DTranspose
from arrayapi_unify.nn.layers.convolutional import Conv2D as Conv2D
from arrayapi_unify.nn.layers.convolutional import Conv2DTranspose as Conv2DTranspose
from arrayapi_unify.nn.layers.convolutional import Conv3D as Conv3D
from arrayapi_unify.nn.layers.convolutional import Conv3DTranspose as Conv3DTranspose
from arrayapi_unify.nn.layers.convolutional import Upsample as Upsample
from arrayapi_unify.nn.layers.linear import Dropout as Dropout
from arrayapi_unify.nn.layers.linear import Embedding as Embedding
from arrayapi_unify.nn.layers.linear import Flatten as Flatten
from arrayapi_unify.nn.layers.linear import Identity as Identity
from arrayapi_unify.nn.layers.linear import Linear as Linear
from arrayapi_unify.nn.layers.linear import Residual as Residual
from arrayapi_unify.nn.layers.linear import Sequential as Sequential
from arrayapi_unify.nn.layers.normalization import BatchNorm as BatchNorm
from arrayapi_unify.nn.layers.normalization import GroupNorm as GroupNorm
from arrayapi_unify.nn.layers.normalization import InstanceNorm as InstanceNorm
from arrayapi_unify.nn.layers.normalization import LayerNorm as LayerNorm
from arrayapi_unify.nn.layers.normalization import RMSNorm as RMSNorm
from arrayapi_unify.nn.layers.pooling import AvgPool1D as AvgPool1D
from arrayapi_unify.nn.layers.pooling import AvgPool2D as AvgPool2D
from arrayapi_unify.nn.layers.pooling import AvgPool3D as AvgPool3D
from arrayapi_unify.nn.layers.pooling import MaxPool1D as MaxPool1D
from arrayapi_unify.nn.layers.pooling import MaxPool2D as MaxPool2D
from arrayapi_unify.nn.layers.pooling import MaxPool3D as MaxPool3D
from arrayapi_unify.nn.layers.recurrent import GRU as GRU
from arrayapi_unify.nn.layers.recurrent import LSTM as LSTM
from arrayapi_unify.nn.layers.recurrent import RNN as RNN
from arrayapi_unify.nn.layers.recurrent_cells import GRUCell as GRUCell
from arrayapi_unify.nn.layers.recurrent_cells import LSTMCell as LSTMCell
from arrayapi_unify.nn.layers.recurrent_cells import RNNCell as RNNCell
from arrayapi_unify.nn.layers.transformer import PositionalEncoding as PositionalEncoding
from arrayapi_unify.nn.layers.transformer import TransformerEncoder as TransformerEncoder
from arrayapi_unify.nn.layers.transformer import TransformerEncoderLayer as TransformerEncoderLayer
from arrayapi_unify.nn.training.batches import batches as batches

if _TYPE_CHECKING:
    from arrayapi_unify.nn._functions import *

globals().update(_modules.public_functions("nn"))
