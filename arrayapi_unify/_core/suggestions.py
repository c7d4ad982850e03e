"""Names that users of other libraries try, and what has that meaning here.

A table is read only after a name wasn't found. `use` is the remedy of the message: it begins with a
name that exists (`tests/mistakes/test_suggestions.py`), so that `hasattr` stays False for the names
themselves and True for the remedies.
"""

from __future__ import annotations

import difflib
import inspect
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from arrayapi_unify._core.absent_names import REASONS
from arrayapi_unify.errors import UnifyAttributeError, raise_type_error

__all__ = [
    "ARRAY", "BACKENDS", "KEYWORDS", "MODULE", "NAMES", "OPTIMIZER", "ForeignName",
    "WithForeignNames", "check_keywords", "hide", "keyword_hint", "missing", "near",
    "set_foreign_names",
]  # fmt: skip

Table = Mapping[str, str]

# "scale" isn't meant as "shape".
_SIMILAR: Final = 0.7


def _table(text: str) -> dict[str, str]:
    """Read lines of names, a colon, and the remedy that they share."""
    found: dict[str, str] = {}
    for line in text.strip().splitlines():
        names, _, remedy = line.partition(": ")
        for name in names.split():
            assert name not in found, name
            found[name] = remedy
    return found


_MAIN: Final = _table("""
tensor as_tensor astensor convert_to_tensor constant from_numpy asanyarray: asarray(obj)
variable: asarray(obj), since grad differentiates by any array
ascontiguousarray asfortranarray clone: copy(x)
frombuffer fromiter: asarray(obj)
ndarray Tensor EagerTensor: Array
TensorSpec ShapeDtypeStruct: Array
is_tensor isarray: is_array(x)
numel: size(x)
rank: ndim(x)
device: Device(name)
float float_ double float128 longdouble: float64
single: float32
half: float16
int int_ long longlong intp: int64
short: int16
byte: int8
ubyte: uint8
bool_ bool8: bool
complex complex_ cdouble complex256: complex128
cfloat csingle: complex64
Inf infty Infinity PINF: inf
NaN NAN: nan
cat concatenate_v2: concat(arrays)
unsqueeze: expand_dims(x, axis=axis)
permute: permute_dims(x, axes)
t adjoint: matrix_transpose(x)
view resize: reshape(x, shape)
flatten: ravel(x)
expand: broadcast_to(x, shape)
broadcast_tensors: broadcast_arrays(*arrays)
chunk tensor_split: split(x, num_or_size_splits)
unbind: unstack(x, axis=axis)
movedim: moveaxis(x, source, destination)
swapdims: swapaxes(x, axis1, axis2)
row_stack: vstack(arrays)
repeat_interleave: repeat(x, repeats)
reverse: flip(x)
r_: concat(arrays)
c_: column_stack(arrays)
mgrid ogrid: meshgrid(*arrays)
diagflat: diag(x)
gather: take_along_axis(x, indices, axis=axis)
index_select choose: take(x, indices, axis=axis)
masked_fill putmask masked_where piecewise: where(condition, x1, x2)
masked_select boolean_mask compress extract: get_item(x, mask), which is x[mask]
tensor_scatter_nd_update index_update scatter put: set_item(x, key, value): x[key] = value
copyto inplace_update: set_item(x, ..., y): x[...] = y
scatter_add segment_max: segment_sum(x, segment_ids, num_segments)
topk: top_k(x, k)
partition: sort(x)
argpartition: argsort(x)
msort: sort(x)
in1d: isin(x1, x2)
unique_with_counts unique_consecutive: unique_counts(x)
cast to_dtype: astype(x, dtype)
clamp: clip(x, min, max)
ge: greater_equal(x1, x2)
gt: greater(x1, x2)
le: less_equal(x1, x2)
lt: less(x1, x2)
eq: equal(x1, x2)
ne: not_equal(x1, x2)
sub: subtract(x1, x2)
mul: multiply(x1, x2)
div truediv: divide(x1, x2)
neg: negative(x)
fabs: abs(x)
fix: trunc(x)
rsqrt: sqrt(x), after which 1 / x
round_: round(x)
product: prod(x)
cumproduct: cumprod(x)
alltrue: all(x)
sometrue: any(x)
reduce_sum: sum(x)
reduce_mean: mean(x)
reduce_max: max(x)
reduce_min: min(x)
reduce_prod: prod(x)
reduce_all: all(x)
reduce_any: any(x)
reduce_std: std(x)
reduce_variance variance: var(x)
trapz: trapezoid(y)
mm bmm mv dot_general matvec vecmat batch_matmul: matmul(x1, x2)
ger: outer(x1, x2)
norm: linalg.norm(x)
inverse inv: linalg.inv(x)
det: linalg.det(x)
svd: linalg.svd(x)
qr: linalg.qr(x)
cholesky: linalg.cholesky(x)
solve: linalg.solve(x1, x2)
eigh: linalg.eigh(x)
lstsq: linalg.lstsq(x1, x2)
pinv pinverse: linalg.pinv(x)
i0: special.i0(x)
randn standard_normal: random.normal(key, shape)
rand: random.uniform(key, shape)
randint: random.integers(key, low, high)
randperm: random.permutation(key, n)
seed manual_seed set_seed set_random_seed: random.seed(seed)
PRNGKey key: random.key(seed)
lax: scan, while_loop and cond, which are names of this namespace
jnp np: get_backend(name), which returns a namespace
jit function: compile(function)
make_jaxpr: compile_graph(function, x)
no_grad inference_mode set_grad_enabled: stop_gradient(x), or nothing: only grad differentiates
enable_grad stop_grad detach: stop_gradient(x), or nothing: only grad differentiates
GradientTape autograd backward gradients: value_and_grad(function)
jacobian jacfwd jacrev: jac(function)
custom_vjp custom_jvp custom_gradient: bind_custom_gradient_function(function, gradient)
remat recompute_grad: checkpoint(function)
map_fn vectorized_map vectorize pmap apply_along_axis: vmap(function)
case switch_case switch: cond(pred, true_fun, false_fun, *operands)
foldl associative_scan: scan(f, init, xs)
tree_map tree map_structure tree_util: nested_map(function, nest)
device_put: to_device(x, device)
device_get: to_numpy(x)
rearrange: einops_rearrange(x, pattern)
reduce: einops_reduce(x, pattern, reduction)
get_default_dtype: default_float_dtype()
Tanh: tanh
save savez load: Container, which has save and load
einsum_path: einsum(equation, *arrays)
layers: nn.Linear and other Modules of nn
""")

_NETWORKS: Final = _table("""
Variable Parameter: Module, whose variables are net.v; everything else is an array
clip_by_norm: clip_vector_norm(x, max_norm)
clip_grad_norm_: clip_by_global_norm(grads, max_norm)
clip_grad_value_: clip_by_value(grads, -limit, limit)
keras: Module, Linear and optimizers
optim optax: optimizers
init: initializers
DataLoader TensorDataset data: batches(x, y, size=size, key=key)
mse_loss MSELoss mean_squared_error: mse(true, pred)
l1_loss L1Loss mean_absolute_error: mae(true, pred)
nll_loss sparse_categorical_crossentropy CrossEntropyLoss: sparse_cross_entropy(true, pred)
softmax_cross_entropy_with_integer_labels: sparse_cross_entropy(true, pred)
categorical_crossentropy softmax_cross_entropy: cross_entropy(true, pred)
binary_crossentropy binary_cross_entropy_with_logits BCELoss: binary_cross_entropy(true, pred)
BCEWithLogitsLoss: binary_cross_entropy(true, pred)
smooth_l1_loss: smooth_l1(true, pred)
huber_loss: huber(true, pred)
hinge_loss: hinge(true, pred)
swish: silu(x)
Dense: Linear(in_features, out_features)
Conv1d: Conv1D(in_channels, out_channels, kernel_size)
Conv2d: Conv2D(in_channels, out_channels, kernel_size)
Conv3d: Conv3D(in_channels, out_channels, kernel_size)
BatchNorm1d BatchNorm2d BatchNorm3d BatchNormalization: BatchNorm(features)
ConvTranspose1d Conv1dTranspose: Conv1DTranspose(in_channels, out_channels, kernel_size)
ConvTranspose2d Conv2dTranspose: Conv2DTranspose(in_channels, out_channels, kernel_size)
ConvTranspose3d Conv3dTranspose: Conv3DTranspose(in_channels, out_channels, kernel_size)
InstanceNorm1d InstanceNorm2d InstanceNorm3d: InstanceNorm(features)
UpSampling1D UpSampling2D UpSampling3D: Upsample(factor)
GlobalAveragePooling1D GlobalAveragePooling2D GlobalAveragePooling3D: GlobalAvgPool()
GlobalMaxPooling1D GlobalMaxPooling2D GlobalMaxPooling3D: GlobalMaxPool()
LayerNormalization: LayerNorm(normalized_shape)
MultiheadAttention: MultiHeadAttention(embed_dim, num_heads)
ReLU: relu
GELU: gelu
SiLU: silu
Sigmoid: sigmoid
Softmax: softmax
Adam: optimizers.Adam()
AdamW: optimizers.AdamW()
SGD: optimizers.SGD()
SGDOptimizer: optimizers.SGD()
F: relu, softmax and other functions of this namespace
losses: cross_entropy and other functions of this namespace
activations: relu and other functions of this namespace
""")

_LINALG: Final = _table("""
inverse: inv(x)
pinverse: pinv(x)
lu_factor: lu(x)
vecnorm: vector_norm(x)
matmul_transpose multi_dot: matmul(x1, x2)
symeig: eigh(x)
""")

_RANDOM: Final = _table("""
randn standard_normal: normal(key, shape)
rand random random_sample: uniform(key, shape)
random_integers: integers(key, low, high)
PRNGKey default_rng RandomState Generator manual_seed: key(seed)
set_seed: seed(seed)
randperm: permutation(key, n)
bernouli: bernoulli(key, p)
""")

_OPTIMIZERS: Final = _table("""
adam Nadam Adamax: Adam()
adamw: AdamW()
sgd RMSprop Adagrad: SGD()
LAMB LAMBOptimizer: Lamb()
MultiSteps: Accumulate(optimizer, every)
lr_scheduler: unify.nn.schedules
""")

_SCHEDULES: Final = _table("""
constant_schedule ConstantLR: Constant(value)
linear_schedule polynomial_schedule PolynomialDecay LinearLR: Linear(start, end, steps)
exponential_decay ExponentialLR StepLR: ExponentialDecay(start, steps, rate)
cosine_decay_schedule CosineAnnealingLR CosineDecayRestarts: CosineDecay(start, steps)
warmup_cosine_decay_schedule: Join([Linear(...), CosineDecay(...)], boundaries)
piecewise_constant_schedule PiecewiseConstantDecay MultiStepLR: Piecewise(boundaries, values)
join_schedules SequentialLR: Join(schedules, boundaries)
cosine_onecycle_schedule OneCycleLR: OneCycle(peak, steps)
""")

_INITIALIZERS: Final = _table("""
GlorotUniform xavier_uniform xavier_uniform_: glorot_uniform
GlorotNormal xavier_normal xavier_normal_: glorot_normal
HeNormal kaiming_normal kaiming_normal_: he_normal
HeUniform kaiming_uniform kaiming_uniform_: he_uniform
Constant constant_: constant
Zeros zeros_: zeros
Ones ones_: ones
RandomNormal normal_: normal
RandomUniform uniform_: uniform
Orthogonal orthogonal_: orthogonal
TruncatedNormal trunc_normal_: truncated_normal
""")

NAMES: Final[dict[str, Table]] = {
    "": _MAIN | {name: f"nn.{remedy}" for name, remedy in _NETWORKS.items()},
    "nn": _NETWORKS, "linalg": _LINALG, "random": _RANDOM, "optimizers": _OPTIMIZERS,
    "initializers": _INITIALIZERS, "schedules": _SCHEDULES,
}  # fmt: skip
"""The names of namespaces, by the name of the extension or module."""

ARRAY: Final = _table("""
numpy: to_numpy(), or np.asarray(x)
asnumpy get: to_numpy()
cpu: to_device('cpu')
cuda: to_device('gpu:0')
to: to_device(device), or astype(dtype)
is_cuda: device
detach: stop_gradient()
requires_grad requires_grad_ retain_grad backward: unify.grad(function), which returns gradients
grad grad_fn is_leaf: unify.grad(function), which returns gradients
unsqueeze: expand_dims(axis=axis)
view resize: reshape(shape)
permute: permute_dims(axes)
expand expand_as: broadcast_to(shape)
dim: ndim
numel: size
get_shape: shape
float: astype(unify.float32)
double: astype(unify.float64)
half: astype(unify.float16)
int long: astype(unify.int64)
bool: astype(unify.bool)
type: dtype, or astype(dtype)
contiguous clone: copy()
chunk: split(num_or_size_splits)
unbind: unstack(axis=axis)
clamp: clip(min, max)
t: T
H mH: mT, after conj()
mm bmm: matmul(other)
sub: subtract(other)
mul: multiply(other)
div: divide(other)
neg: negative()
eq: equal(other)
ne: not_equal(other)
gt: greater(other)
ge: greater_equal(other)
lt: less(other)
le: less_equal(other)
at: set_item(key, value): x[key] = value
put itemset scatter_ index_add_ index_copy_ masked_fill_ fill_: set_item(key, value): x[key] = value
copy_ zero_: set_item(key, value): x[key] = value
masked_fill: where(x1, x2)
gather: take_along_axis(indices, axis=axis)
index_select: take(indices, axis=axis)
norm: vector_norm()
inverse: inv()
topk: top_k(k)
add_: add(other), or x += other
sub_: subtract(other), or x -= other
mul_: multiply(other), or x *= other
div_: divide(other), or x /= other
tobytes ctypes base: to_numpy(), whose result has it
block_until_ready: to_numpy(), which waits for the values
""")
"""The attributes of Arrays."""

MODULE: Final = _table("""
parameters named_parameters weights variables trainable_variables trainable_weights params: v
get_weights: v
state_dict: v, or save(path)
load_state_dict set_weights: v, as in net.v = params, or load(path)
zero_grad requires_grad_ requires_grad: v, and what unify.grad returns
forward call predict: __call__, as in net(x)
cuda to: to_device(device)
cpu: to_device('cpu')
half float double: astype(dtype)
count_params: num_parameters
children named_children named_modules: modules()
register_buffer add_buffer: buffers, as in self.buffers.name = array
register_parameter add_weight: v, as in self.v.name = array
add_module: __setattr__, as in self.name = layer
weight: v.w
bias: v.b
fit train_step: train(), and unify.nn.optimizers with unify.grad
save_weights: save(path)
load_weights: load(path)
freeze: eval()
""")
"""The attributes of Modules."""

OPTIMIZER: Final = _table("""
zero_grad: step(v, grads), which keeps no gradients
minimize apply_gradients apply update: step(v, grads)
param_groups state_dict get_state: state
load_state_dict: state, as in optimizer.state = state
learning_rate: lr
""")
"""The attributes of optimizers."""

BACKENDS: Final = {
    "pytorch": "torch", "py_torch": "torch", "th": "torch",
    "tf": "tensorflow", "keras": "tensorflow", "tensor_flow": "tensorflow",
    "np": "numpy", "jnp": "jax", "jax.numpy": "jax", "flax": "jax", "xla": "jax",
}  # fmt: skip
"""The names of backends."""

KEYWORDS: Final[dict[str, tuple[str, ...]]] = {
    "dim": ("axis", "axes"), "dims": ("axis", "axes"), "axes": ("axis",), "axis": ("axes",),
    "keepdim": ("keepdims",), "keep_dims": ("keepdims",),
    "input": ("x", "x1"), "a": ("x", "x1"), "tensor": ("x",), "data": ("obj", "x"),
    "other": ("x2",), "b": ("x2",), "y": ("x2",), "tensors": ("arrays",), "values": ("arrays",),
    "size": ("shape",), "newshape": ("shape",), "type": ("dtype",),
    "logits": ("pred",), "labels": ("true",), "target": ("true",), "y_true": ("true",),
    "y_pred": ("pred",), "weight": ("filters",), "stride": ("strides",), "dilation": ("dilations",),
    "kernel": ("filters",), "p": ("rate", "ord"), "learning_rate": ("lr",),
    "weight_decay": ("decay",), "eps": ("epsilon",), "units": ("out_features",),
    "filters": ("out_channels",), "unbiased": ("correction",), "ddof": ("correction",),
    "seed": ("key",), "num": ("n",), "sections": ("num_or_size_splits",),
    "argnum": ("argnums",), "in_dims": ("in_axes",), "out_dims": ("out_axes",),
}  # fmt: skip
"""The names of parameters: the first that a function has is meant."""


def near(name: str, names: Iterable[str], cutoff: float = 0.6) -> str | None:
    """Return the name that is most similar to one, if any is."""
    found = difflib.get_close_matches(name, list(names), n=1, cutoff=cutoff)
    return found[0] if found else None


def keyword_hint(keyword: str, names: Iterable[str]) -> str | None:
    """Return the name of the parameter that is meant by a keyword."""
    known = list(names)
    foreign = next((one for one in KEYWORDS.get(keyword, ()) if one in known), None)
    return foreign or near(keyword, known, _SIMILAR)


def check_keywords(kind: type, given: Iterable[str]) -> None:
    """Raise for keywords that a class of this package doesn't take."""
    if kind.__module__.partition(".")[0] != __name__.partition(".")[0]:
        return
    parameters = inspect.signature(kind).parameters.values()
    names = [p.name for p in parameters]
    if any(p.kind is p.VAR_KEYWORD for p in parameters):
        return
    for name in given:
        if name not in names:
            meant = keyword_hint(name, names)
            remedy = f"use {meant!r}" if meant else f"it takes {', '.join(names)}"
            if name == "device" and hasattr(kind, "to_device"):
                remedy = "create it inside of unify.default_device(device), or call to_device"
            raise_type_error(kind.__name__, name, "isn't known", remedy)


def missing(
    what: str, name: str, table: Table | None, names: Callable[[], Iterable[str]] | None = None
) -> UnifyAttributeError:
    """Return the error for a name that isn't there.

    `what` describes where it was looked up. `names` are read for near misses, and only once the
    message is: `hasattr` needs none. Python, which suggests names of `obj`, gets none.
    """
    remedy = table.get(name) if table else None
    reason = REASONS.get(name) if table is NAMES[""] else None
    message = f"{what} has no attribute {name!r}"
    message += f"; use {remedy}" if remedy else f". {reason}" if reason else ""
    error = UnifyAttributeError(message, name=name)
    if remedy is reason is None:
        error.names = names
    return error


class ForeignName:
    """A class's attribute that isn't there, and says what to use in its place.

    A descriptor costs nothing where an attribute is found; `__getattr__` would, on each access.
    """

    __slots__ = ("_name", "_table")

    def __init__(self, name: str, table: Table) -> None:
        """Stand for a name of a table."""
        self._name = name
        self._table = table

    def __get__(self, instance: Any, owner: type) -> Any:
        """Raise; if the class has `__getattr__`, that is called then."""
        raise missing(f"{owner.__name__!r} object", self._name, self._table)


def set_foreign_names(kind: type, table: Table) -> None:
    """Let a class, and those that inherit from it, say what to use for the names of a table."""
    for name in table:
        setattr(kind, name, ForeignName(name, table))


class WithForeignNames:
    """The base of classes some of whose attributes only say what to use in their place."""

    __slots__ = ()

    def __dir__(self) -> list[str]:
        """List the attributes that there are."""
        own = getattr(self, "__dict__", {})
        return sorted({*hide(type(self), super().__dir__()), *own})


def hide(kind: type, names: Iterable[str]) -> list[str]:
    """Return names without remedies for other libraries' names, and without forwarded methods."""
    members: dict[str, Any] = {}
    for one in reversed(kind.__mro__):
        members.update(vars(one))
    return [name for name in names if _is_listed(members.get(name))]


def _is_listed(member: Any) -> bool:
    forwarded = getattr(getattr(member, "contract", member), "forwarded", False)
    return not isinstance(member, ForeignName) and not forwarded
