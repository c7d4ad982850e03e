"""PyTorch's functions, methods and classes, and those of ours with the same meaning."""

from __future__ import annotations

from typing import Final

__all__ = [
    "CLASSES", "MISSING", "NOTES", "OTHER_MEANING", "RENAMED", "SAME", "TENSOR",
]  # fmt: skip


def _inverted(prefix: str, names: dict[str, str]) -> dict[str, str]:
    """Return our names by PyTorch's; one of ours may stand for several of its functions."""
    return {f"{prefix}{old}": new for new, found in names.items() for old in found.split()}


RENAMED: Final = {
    **_inverted(
        "torch.",
        {
            "Container.load": "load", "Container.save": "save", "any": "is_nonzero",
            "argwhere": "nonzero", "array_equal": "equal", "array_split": "chunk tensor_split",
            "asarray": "as_tensor from_numpy frombuffer scalar_tensor tensor",
            "broadcast_arrays": "broadcast_tensors", "clip": "clamp", "concat": "cat",
            "copy": "clone", "digitize": "bucketize", "divide": "div",
            "equal": "eq", "expand_dims": "unsqueeze", "greater": "gt", "greater_equal": "ge",
            "histogram": "histc", "is_array": "is_tensor",
            "isdtype": "is_complex is_floating_point is_signed", "less": "lt",
            "less_equal": "le",
            "linalg.cholesky": "cholesky", "linalg.det": "det", "linalg.expm": "matrix_exp",
            "linalg.inv": "inverse", "linalg.matrix_power": "matrix_power",
            "linalg.norm": "norm dist", "linalg.pinv": "pinverse", "linalg.qr": "qr",
            "linalg.slogdet": "logdet slogdet", "linalg.solve_triangular": "triangular_solve",
            "linalg.svd": "svd", "matmul": "bmm mm mv", "matrix_transpose": "t", "mean": "std_mean",
            "moveaxis": "movedim", "multiply": "mul", "negative": "neg", "not_equal": "ne",
            "outer": "ger", "permute_dims": "permute", "arange": "range",
            "random.bernoulli": "bernoulli", "random.categorical": "multinomial",
            "random.integers": "randint", "random.normal": "normal randn",
            "random.permutation": "randperm", "random.poisson": "poisson",
            "random.binomial": "binomial",
            "random.seed": "manual_seed seed", "random.uniform": "rand", "ravel": "flatten",
            "repeat": "repeat_interleave", "result_type": "promote_types", "size": "numel",
            "segment_sum": "segment_reduce", "set_default_dtype": "set_default_tensor_type",
            "default_dtype": "get_default_dtype", "default_device": "get_default_device",
            "sort": "msort", "special.digamma": "digamma", "special.erfinv": "erfinv",
            "special.gammainc": "igamma", "special.gammaincc": "igammac", "special.i0": "i0",
            "special.logit": "logit", "special.polygamma": "polygamma", "special.xlogy": "xlogy",
            "stop_gradient": "detach", "subtract": "sub", "swapaxes": "swapdims transpose",
            "take": "index_select", "take_along_axis": "gather take_along_dim",
            "top_k": "topk", "trapezoid": "trapz", "trunc": "fix", "unstack": "unbind",
            "vstack": "row_stack", "where": "masked_fill", "conv1d_transpose": "conv_transpose1d",
            "conv2d_transpose": "conv_transpose2d", "conv3d_transpose": "conv_transpose3d",
            "var": "var_mean",
        },
    ),
    **_inverted(
        "torch.nn.functional.",
        {
            "conv1d_transpose": "conv_transpose1d", "conv2d_transpose": "conv_transpose2d",
            "conv3d_transpose": "conv_transpose3d", "interpolate": "upsample",
            "l2_normalize": "normalize", "mae": "l1_loss", "mse": "mse_loss",
            "huber": "huber_loss", "smooth_l1": "smooth_l1_loss",
            "poisson_nll": "poisson_nll_loss",
            "binary_cross_entropy": "binary_cross_entropy_with_logits",
            "sparse_cross_entropy": "cross_entropy nll_loss",
            "multi_head_attention": "multi_head_attention_forward",
        },
    ),
    **_inverted("torch.linalg.", {"linalg.expm": "matrix_exp", "matmul": "multi_dot"}),
    **_inverted(
        "torch.fft.",
        {
            "fft.irfftn": "irfft2",
        },
    ),
    **_inverted(
        "torch.special.",
        {
            "exp2": "exp2", "expm1": "expm1", "log1p": "log1p", "round": "round", "sinc": "sinc",
            "special.digamma": "psi", "special.i0": "modified_bessel_i0",
            "special.i1": "modified_bessel_i1",
        },
    ),
    **_inverted(
        "torch.func.",
        {
            "grad": "grad", "value_and_grad": "grad_and_value", "hessian": "hessian",
            "jac": "jacfwd jacrev", "jvp": "jvp", "vjp": "vjp", "vmap": "vmap",
            "Module": "functional_call",
        },
    ),
    "torch.autograd.grad": "grad",
    "torch.no_grad": "stop_gradient",
    "torch.utils.checkpoint.checkpoint": "checkpoint",
    **_inverted(
        "torch.optim.lr_scheduler.",
        {
            "schedules.Constant": "ConstantLR", "schedules.CosineDecay": "CosineAnnealingLR",
            "schedules.ExponentialDecay": "ExponentialLR StepLR", "schedules.Join": "SequentialLR",
            "schedules.Linear": "LinearLR", "schedules.OneCycle": "OneCycleLR",
            "schedules.Piecewise": "MultiStepLR",
        },
    ),
    "torch.nn.utils.clip_grad_norm_": "clip_by_global_norm",
    "torch.nn.utils.clip_grad_value_": "clip_by_value",
    "torch.optim.Adam": "optimizers.Adam",
    "torch.optim.AdamW": "optimizers.AdamW",
    "torch.optim.SGD": "optimizers.SGD",
}  # fmt: skip
"""Our functions by PyTorch's, which have another name."""

NOTES: Final = {
    "torch.as_tensor": "The elements keep their data type; Python floats become float64.",
    "torch.bucketize": "The boundaries come second.",
    "torch.chunk": "For a number of parts; `split` takes sizes by name.",
    "torch.clamp": "`min` and `max` may be arrays, as there.",
    "torch.dist": "Of the difference: `linalg.norm(x - y)`.",
    "torch.fft.irfft2": "With `axes=(-2, -1)`.",
    "torch.flatten": "All axes; for some of them `reshape`.",
    "torch.func.functional_call": "A Module takes its variables as `net(x, v=v)`.",
    "torch.histc": "The number of bins is `bins=`, and the edges are returned, too.",
    "torch.is_complex": "`isdtype(x.dtype, 'complex floating')`, and so on.",
    "torch.is_nonzero": "Or `bool(x)`.",
    "torch.linalg.multi_dot": "Or `einsum`.",
    "torch.logdet": "The second result.",
    "torch.masked_fill": "`where(mask, value, x)`, or `x[mask] = value`.",
    "torch.multinomial": "Of logits: `log` of the weights. `random.choice` draws with `p=`.",
    "torch.nn.functional.binary_cross_entropy_with_logits": "With `from_logits=True`.",
    "torch.nn.functional.cross_entropy": "Labels come first; logits need `from_logits=True`.",
    "torch.nn.functional.huber_loss": "True values come first, as in all losses.",
    "torch.nn.functional.nll_loss": "Of probabilities, not of their logarithms.",
    "torch.nn.functional.upsample": "To a size, which isn't a factor.",
    "torch.nn.utils.clip_grad_norm_": "Returns other derivatives, which a step takes.",
    "torch.nn.utils.clip_grad_value_": "Returns other derivatives, which a step takes.",
    "torch.no_grad": "Nothing is recorded outside of `grad`; `stop_gradient` is for one array.",
    "torch.nonzero": "`nonzero` returns a tuple of arrays, as NumPy's.",
    "torch.optim.lr_scheduler.StepLR": "With `staircase=True`.",
    "torch.permute": "`permute_dims(x, axes)`.",
    "torch.rand": "With a key: [random numbers](random.md). So are all of `random`.",
    "torch.repeat_interleave": "`torch.Tensor.repeat` is `tile`.",
    "torch.segment_reduce": "Sums only.",
    "torch.std_mean": "`std` and `mean`, one after the other.",
    "torch.t": "Or `x.T`, `x.mT`.",
    "torch.tensor": "Copies with `copy=True`.",
    "torch.transpose": "`transpose` takes all axes, as NumPy's.",
    "torch.var_mean": "`var` and `mean`, one after the other.",
}

OTHER_MEANING: Final = {
    "torch.cond": "a branch, as here; the condition number is `linalg.cond`",
    "torch.cross": "`cross` takes the last axis by default",
    "torch.cummax": "the values only",
    "torch.cummin": "the values only",
    "torch.max": "the values only, with an axis; `maximum` of two arrays",
    "torch.median": "the mean of the two in the middle",
    "torch.meshgrid": 'the default is `indexing="xy"`',
    "torch.min": "the values only, with an axis; `minimum` of two arrays",
    "torch.nanmedian": "the mean of the two in the middle",
    "torch.nn.functional.batch_norm": "returns the result and the new statistics",
    "torch.nn.functional.conv2d": "channels come last; `data_format` changes that, also in "
    "other convolutions, in poolings and `interpolate`",
    "torch.nn.functional.dropout": "takes a key",
    "torch.nn.functional.embedding": "the weights come first",
    "torch.nn.functional.kl_div": "of probabilities; the logarithms are `log_target=True`",
    "torch.nn.functional.layer_norm": "takes axes instead of their sizes",
    "torch.nn.functional.pad": "a pair for each axis, the first axis first",
    "torch.nn.functional.rms_norm": "takes axes instead of their sizes",
    "torch.pow": "integers to a negative power raise",
    "torch.select": "chooses among arrays by conditions; an index is `x[:, i]`",
    "torch.sort": "the values only; the indices are `argsort`'s",
    "torch.split": "sizes are given by name: `num_or_size_splits=`",
    "torch.squeeze": "an axis has to be named",
    "torch.std": "divides by n; `correction=1` divides by n - 1",
    "torch.sum": "the axis is `axis`, as in all functions; `dim` and `keepdim` aren't taken",
    "torch.take": "takes along an axis",
    "torch.trace": "of the first two axes; `linalg.trace` of the last two",
    "torch.unique": "inverse and counts are separate options",
    "torch.var": "divides by n; `correction=1` divides by n - 1",
    "torch.vdot": "flattens its arguments",
}
"""Functions of the same name that differ, and what ours does."""

TENSOR: Final = {
    "backward": "`unify.grad(f)(x)`: a function is differentiated",
    "clone": "`x.copy()`",
    "contiguous": "nothing: the layout isn't visible",
    "cpu": '`x.to_device("cpu")`',
    "cuda": '`x.to_device("gpu:0")`',
    "detach": "`x.stop_gradient()`",
    "dim": "`x.ndim`",
    "double": "`x.astype(unify.float64)`",
    "element_size": "`x.itemsize`",
    "expand": "`x.broadcast_to(shape)`",
    "float": "`x.astype(unify.float32)`",
    "grad": "the result of `unify.grad(f)(x)`",
    "half": "`x.astype(unify.float16)`",
    "int": "`x.astype(unify.int32)`",
    "long": "`x.astype(unify.int64)`",
    "masked_fill": "`unify.where(mask, value, x)`, or `x[mask] = value`",
    "new_zeros": "`xp.zeros(shape, dtype=x.dtype, device=x.device)`",
    "numpy": "`x.to_numpy()`, or `np.asarray(x)`, which shares memory",
    "permute": "`x.permute_dims(axes)`",
    "repeat": "`x.tile(repetitions)`",
    "requires_grad": "`x.requires_gradient()`, within a transformation",
    "size": "`x.shape`",
    "stride": "nothing: the layout isn't visible",
    "to": "`x.astype(dtype)`, `x.to_device(device)`",
    "transpose": "`x.swapaxes(0, 1)`",
    "type": "`x.dtype`",
    "unsqueeze": "`x.expand_dims(axis=0)`",
    "view": "`x.reshape(shape)`",
    "zero_": "`x[...] = 0`",
    "add_": "`x += y`; so are the others that end with an underscore",
    "scatter_": "`x[keys] = values`",
}
"""Methods of tensors that have another form here."""

CLASSES: Final = _inverted(
    "torch.nn.",
    {
        "BatchNorm": "BatchNorm1d BatchNorm2d BatchNorm3d", "Dropout": "Dropout",
        "Embedding": "Embedding", "Flatten": "Flatten", "GRU": "GRU", "GroupNorm": "GroupNorm",
        "Identity": "Identity", "InstanceNorm": "InstanceNorm1d InstanceNorm2d InstanceNorm3d",
        "LSTM": "LSTM", "LayerNorm": "LayerNorm", "Linear": "Linear", "Module": "Module",
        "MultiHeadAttention": "MultiheadAttention", "RMSNorm": "RMSNorm",
        "RNN": "RNN", "RNNCell": "RNNCell", "GRUCell": "GRUCell", "LSTMCell": "LSTMCell",
        "Sequential": "Sequential", "TransformerEncoder": "TransformerEncoder",
        "TransformerEncoderLayer": "TransformerEncoderLayer", "Upsample": "Upsample",
        **{
            f"{ours}{n}D{end}": f"{ours}{theirs}{n}d"
            for n in (1, 2, 3)
            for ours, end, theirs in (
                ("Conv", "", ""), ("Conv", "Transpose", "Transpose"), ("MaxPool", "", ""),
                ("AvgPool", "", ""), ("AdaptiveAvgPool", "", ""), ("AdaptiveMaxPool", "", ""),
            )
        },
    },
)  # fmt: skip
"""Our classes by those of `torch.nn`; activations and losses are functions."""

SAME: Final = {
    "torch.": """
        abs absolute acos acosh adaptive_avg_pool1d add all allclose amax amin angle any
        arange arccos arccosh arcsin arcsinh arctan arctan2 arctanh argmax argmin argsort
        argwhere asarray asin asinh atan atan2 atanh atleast_1d atleast_2d atleast_3d
        avg_pool1d bincount bitwise_and bitwise_left_shift bitwise_not bitwise_or
        bitwise_right_shift bitwise_xor broadcast_shapes broadcast_to can_cast ceil clip
        column_stack compile concat concatenate cond conj conv1d conv2d conv3d copysign
        corrcoef cos cosh cosine_similarity count_nonzero cov cross cummax cummin cumprod
        cumsum deg2rad diag diagonal diff divide dot dsplit dstack einsum empty empty_like
        erf erfc exp exp2 expm1 eye flip fliplr flipud float_power floor floor_divide fmax
        fmin fmod from_dlpack full full_like gradient greater greater_equal heaviside
        histogram hsplit hstack hypot imag inner isclose isfinite isin isinf isnan isneginf
        isposinf kron less less_equal lgamma linspace log log10 log1p log2 logaddexp
        logical_and logical_not logical_or logical_xor logspace logsumexp matmul max maximum
        mean median meshgrid min minimum moveaxis multiply nan_to_num nanmean nanmedian
        nanquantile nansum negative nextafter not_equal ones ones_like outer positive pow
        prelu prod quantile rad2deg ravel real reciprocal remainder reshape result_type roll
        rot90 round searchsorted select set_default_device set_default_dtype sigmoid sign
        signbit sin sinc sinh softmax sort split sqrt square squeeze stack std subtract sum
        swapaxes take tan tanh tensordot tile trace trapezoid tril tril_indices triu
        triu_indices true_divide trunc unique unravel_index var vdot vmap vsplit vstack
        where while_loop zeros zeros_like
    """,
    "torch.nn.functional.": """
        adaptive_avg_pool1d adaptive_avg_pool2d adaptive_avg_pool3d adaptive_max_pool1d
        adaptive_max_pool2d adaptive_max_pool3d avg_pool1d avg_pool2d avg_pool3d batch_norm
        binary_cross_entropy celu conv1d conv2d conv3d cosine_similarity dropout elu embedding
        gelu glu group_norm hardsigmoid hardswish hardtanh instance_norm interpolate kl_div
        layer_norm leaky_relu linear local_response_norm log_softmax logsigmoid max_pool1d
        max_pool2d max_pool3d mish one_hot pad prelu relu relu6 rms_norm
        scaled_dot_product_attention selu sigmoid silu softmax softplus softsign tanh threshold
    """,
    "torch.linalg.": """
        cholesky cond cross det diagonal eig eigh eigvals eigvalsh inv lstsq lu matmul matrix_norm
        matrix_power matrix_rank norm pinv qr slogdet solve solve_triangular svd svdvals
        vecdot vector_norm
    """,
    "torch.fft.": """
        fft fft2 fftfreq fftn fftshift hfft ifft ifft2 ifftn ifftshift ihfft irfft irfftn rfft
        rfft2 rfftfreq rfftn
    """,
    "torch.special.": """
        digamma entr erf erfc erfcx erfinv expit gammainc gammaincc gammaln i0 i0e i1 i1e
        log_ndtr log_softmax logit logsumexp ndtr ndtri polygamma softmax xlog1py xlogy zeta
    """,
}
"""Functions of ours with the same name, by the prefix there; `OTHER_MEANING` has exceptions."""

MISSING: Final = {
    "Several operations in one: write the operations, or let `compile` join them.": """
        torch.addbmm torch.addmm torch.addmv torch.addcdiv torch.addcmul torch.addr
        torch.baddbmm torch.lerp torch.chain_matmul torch.aminmax torch.rsqrt torch.bilinear
        torch.cdist torch.nn.functional.bilinear torch.nn.functional.pairwise_distance
        torch.nn.functional.pdist torch.pairwise_distance torch.pdist torch.renorm
        torch.nn.functional.linear_cross_entropy
    """,
    "A copy of a view, or a view that copies: here views are NumPy's, and `copy` copies.": """
        torch.*_copy torch.as_strided* torch.narrow torch.unsafe_* torch.resolve_* torch.is_conj
        torch.conj_physical torch.view_as_* torch.diagonal_scatter torch.select_scatter
        torch.slice_scatter torch.empty_permuted torch.empty_strided torch.unflatten
    """,
    "A write or a read at indices: `x[keys] = values`, `x[mask]`, `take_along_axis`.": """
        torch.index_copy torch.scatter torch.masked_select torch.nonzero_static
    """,
    "The powers of a vector: `x[:, None] ** arange(n)`.": "torch.vander torch.linalg.vander",
    "Adds up at indices: `x + segment_sum(values, indices, x.shape[0])`.": """
        torch.index_add torch.scatter_add
    """,
    "Reduces at indices by maxima or products; here only sums, by `segment_sum`.": """
        torch.index_reduce torch.scatter_reduce
    """,
    "Here `sort` and `argsort`, which give the others.": """
        torch.kthvalue torch.mode torch.unique_consecutive
    """,
    "Complex numbers are made by arithmetic: `a + 1j * b`; here `x.real`, `x.mT`, `sign`.": """
        torch.complex torch.polar torch.adjoint torch.sgn
    """,
    "Here `meshgrid`, `diag`, `kron`, `linspace`, `concat` and arithmetic.": """
        torch.block_diag torch.cartesian_prod torch.combinations torch.diag_embed torch.diagflat
        torch.cumulative_trapezoid torch.logcumsumexp
        torch.histogramdd
    """,
    "Works on bits or integers, and most libraries lack it.": """
        torch.frac torch.frexp torch.ldexp torch.gcd torch.lcm torch.hash_tensor
    """,
    "A few others do the same: `logaddexp`, `imag`, `isfinite`.": """
        torch.logaddexp2 torch.isreal
    """,
    "Factors of a matrix that another function uses: here `linalg.solve`, `inv`, `qr`, `eigh`.": """
        torch.cholesky_inverse torch.cholesky_solve torch.lu torch.lu_solve torch.lu_unpack
        torch.geqrf torch.orgqr torch.ormqr torch.lobpcg torch.svd_lowrank torch.pca_lowrank
        torch.linalg.*_ex torch.linalg.householder_product torch.linalg.ldl_factor
        torch.linalg.ldl_solve torch.linalg.lu_factor torch.linalg.lu_solve
        torch.linalg.tensorinv torch.linalg.tensorsolve
    """,
    "Transforms of windows, and windows: those of `scipy.signal`.": """
        torch.stft torch.istft torch.*_window
    """,
    "Transforms of Hermitian arrays of several axes: `fft.hfft` and `fft.fftn`.": """
        torch.fft.hfft2 torch.fft.hfftn torch.fft.ihfft2 torch.fft.ihfftn
    """,
    "Polynomials and Bessel functions of `scipy.special`.": """
        torch.mvlgamma torch.special.airy_ai torch.special.bessel_* torch.special.*polynomial*
        torch.special.multigammaln torch.special.*_bessel_*
    """,
    "A rare activation or loss: a line of `where`, `abs` and `exp`.": """
        torch.hardshrink torch.nn.functional.hardshrink torch.nn.functional.softshrink
        torch.nn.functional.tanhshrink torch.nn.functional.softmin torch.nn.functional.rrelu
        torch.nn.functional.gumbel_softmax torch.nn.functional.gaussian_nll_loss
        torch.nn.functional.*margin*loss torch.nn.functional.cosine_embedding_loss
        torch.nn.functional.hinge_embedding_loss
    """,
    "NumPy and JAX have none, and those of PyTorch and TensorFlow differ.": """
        torch.nn.functional.ctc_loss
    """,
    "A rare layer: `reshape` and `permute_dims`, or the patterns of `einops_rearrange`.": """
        torch.channel_shuffle torch.nn.functional.channel_shuffle torch.pixel_*
        torch.nn.functional.pixel_* torch.conv_tbc torch.nn.functional.conv_tbc
        torch.nn.functional.fold torch.nn.functional.unfold torch.nn.functional.embedding_bag
        torch.nn.functional.*_with_indices torch.nn.functional.fractional_*
        torch.nn.functional.lp_pool* torch.nn.functional.max_unpool*
        torch.nn.functional.upsample_*
    """,
    "Samples an image between its pixels: indices, and a mean of four neighbours.": """
        torch.nn.functional.affine_grid torch.nn.functional.grid_sample
    """,
    "Another form of dropout: `random.bernoulli` and a product.": """
        torch.nn.functional.alpha_dropout torch.nn.functional.feature_alpha_dropout
        torch.nn.functional.dropout?d
    """,
    "Draws by the shape of another array: `random.normal(key, x.shape)`, and so on.": """
        torch.rand*_like
    """,
    "Sparse or quantized arrays, which the standard doesn't have.": """
        torch.sparse_* torch.hspmm torch.smm torch.sspaddmm torch.*quantize* torch.quantized_*
        torch.nn.functional.scaled_*mm torch.nn.functional.grouped_mm
    """,
    "State of the process, of PyTorch's own: set it there.": """
        torch.are_* torch.get_* torch.set_* torch.initial_seed torch.init_num_threads
        torch.is_deterministic_* torch.is_grad_enabled torch.is_inference*
        torch.is_warn_always_enabled torch.use_deterministic_algorithms
        torch.compiled_with_cxx11_abi torch.thread_safe_generator
    """,
    "A part of PyTorch's own compiler, files or classes.": """
        torch.fork torch.wait torch.from_file torch.import_ir_* torch.merge_type_* torch.parse_*
        torch.sym_* torch.typename torch.unify_type_list torch.is_storage torch.to_dlpack
        torch.native_channel_shuffle torch.nn.functional.native_channel_shuffle
        torch.nn.functional.Optional torch.nn.functional.boolean_dispatch
        torch.nn.functional.*has_torch_function* torch.nn.functional.handle_torch_function
    """,
}
"""PyTorch's functions that nothing has here, by reason; a star stands for any letters."""
