"""Valid calls of everything that `tests/differential` doesn't draw: one line each."""

from __future__ import annotations

from typing import Final

__all__ = ["LINES"]

_X = "xp.ones((2, 3))"
_V = "xp.asarray([1.0, 2.0])"
_KEY = "xp.random.key(0)"
_NEST = "{'a': [1, 2], 'b': (3, {'c': 4})}"
_C = f"unify.Container(a={_V}, b={{'c': {_X}}})"
# By the name of the target, or of its class.
LINES: Final[dict[str, tuple[str, ...]]] = {
    # state
    "set_backend": ("unify.set_backend(backend)",),
    "unset_backend": ("unify.unset_backend()",),
    "previous_backend": ("unify.previous_backend()",),
    "current_backend": (f"unify.current_backend({_V}, a=1)",),
    "current_backend_str": (f"unify.current_backend_str({_V}, a=1)",),
    "get_backend": ("unify.get_backend(backend)",),
    "use_backend": ("unify.use_backend(backend)", "unify.use_backend(backend)(double)"),
    "set_verbosity": ("unify.set_verbosity(0)",),
    "set_default_dtype": ("unify.set_default_dtype(unify.float32)",),
    "set_default_int_dtype": ("unify.set_default_int_dtype('int64')",),
    "set_default_float_dtype": ("unify.set_default_float_dtype(unify.float64)",),
    "set_default_complex_dtype": ("unify.set_default_complex_dtype('complex128')",),
    "default_dtype": ("unify.default_dtype(dtype=None, item=1.0)", "unify.default_dtype()"),
    "default_int_dtype": ("unify.default_int_dtype(1)",),
    "default_float_dtype": ("unify.default_float_dtype(1.0)",),
    "default_complex_dtype": ("unify.default_complex_dtype(1j)",),
    "default_device": ("unify.default_device('cpu')",),
    "set_default_device": ("unify.set_default_device('cpu')",),
    "num_gpus": ("unify.num_gpus()",),
    "num_cpu_cores": ("unify.num_cpu_cores(logical=True)",),
    "total_mem_on_dev": ("unify.total_mem_on_dev('cpu')",),
    "used_mem_on_dev": ("unify.used_mem_on_dev('cpu', process_specific=True)",),
    "get_all_arrays_on_dev": ("unify.get_all_arrays_on_dev('cpu')",),
    "num_arrays_on_dev": ("unify.num_arrays_on_dev('cpu')",),
    "dev": (f"unify.dev({_X})",),
    "kinds": ("unify.kinds()",),
    "overridable_functions": ("unify.overridable_functions()",),
    "issubdtype": ("unify.issubdtype(unify.float32, 'float64')",),
    "isscalar": (f"unify.isscalar({_X})", "unify.isscalar(1.0)"),
    "functions_used": ("unify.functions_used('kron')",),
    "__array_namespace_info__": (
        "xp.__array_namespace_info__()",
        "xp.__array_namespace_info__().dtypes(device='cpu', kind='integral')",
        "xp.__array_namespace_info__().default_dtypes(device='cpu')",
    ),
    # random state
    "random.seed": ("xp.random.seed(0)",),
    "random.next_key": ("xp.random.next_key()",),
    "random.randint": ("xp.random.randint(0, 10, (2, 3))",),
    "random.random_normal": ("xp.random.random_normal(0.0, 1.0, (2, 3), dtype='float32')",),
    "random.random_uniform": ("xp.random.random_uniform(0.0, 1.0, (2, 3), dtype='float32')",),
    "random.shuffle": (f"xp.random.shuffle({_X})",),
    # small helpers
    "exists": ("unify.exists(1)",),
    "default": ("unify.default(None, 1)", "unify.default(double, 1, catch_exceptions=True)"),
    "try_else_none": ("unify.try_else_none(double, 1.0)",),
    "arg_names": ("unify.arg_names(double)",),
    "match_kwargs": ("unify.match_kwargs({'x': 1}, double, same)",),
    "cache_fn": ("unify.cache_fn(double)", f"unify.cache_fn(double)({_X})"),
    "as_native_dtype": ("xp.as_native_dtype('float32')",),
    "is_native_dtype": ("xp.is_native_dtype('float32')",),
    "as_unify_dtype": ("xp.as_unify_dtype('float32')",),
    "to_native": (f"unify.to_native({_X})",),
    "is_array": (f"unify.is_array({_X})",),
    "is_native_array": (f"unify.is_native_array({_X})",),
    "to_backend": (f"unify.to_backend({_X}, 'numpy')",),
    "array_namespace": (f"unify.array_namespace({_X}, 1.0)",),
    "portable": ("unify.portable(double)", f"unify.portable(double)({_X})"),
    # nests
    "index_nest": (f"unify.index_nest({_NEST}, ['a', 0])",),
    "multi_index_nest": (f"unify.multi_index_nest({_NEST}, [['a', 0], ['b', 1, 'c']])",),
    "set_nest_at_index": (f"unify.set_nest_at_index({_NEST}, ['a', 0], 7, in_place=False)",),
    "set_nest_at_indices": (
        f"unify.set_nest_at_indices({_NEST}, [['a', 0]], [7], in_place=False)",
    ),
    "insert_into_nest_at_index": (
        f"unify.insert_into_nest_at_index({_NEST}, ['a', 0], 7, in_place=False)",
    ),
    "insert_into_nest_at_indices": (
        f"unify.insert_into_nest_at_indices({_NEST}, [['a', 0]], [7], in_place=False)",
    ),
    "prune_nest_at_index": (f"unify.prune_nest_at_index({_NEST}, ['a', 0], in_place=False)",),
    "prune_nest_at_indices": (
        f"unify.prune_nest_at_indices({_NEST}, [['a', 0]], in_place=False)",
    ),
    "map_nest_at_index": (
        f"unify.map_nest_at_index({_NEST}, ['a', 0], double, in_place=False)",
    ),
    "map_nest_at_indices": (
        f"unify.map_nest_at_indices({_NEST}, [['a', 0]], double, in_place=False)",
    ),
    "nested_map": (f"unify.nested_map(double, {_NEST}, in_place=False)",),
    "nested_multi_map": ("unify.nested_multi_map(same, [[1, [2]], [3, [4]]])",),
    "nested_any": (f"unify.nested_any({_NEST}, double, check_nests=False)",),
    "nested_argwhere": (f"unify.nested_argwhere({_NEST}, unify.exists, check_nests=True)",),
    "all_nested_indices": (f"unify.all_nested_indices({_NEST}, include_nests=True)",),
    "copy_nest": (f"unify.copy_nest({_NEST}, to_mutable=True)",),
    "prune_empty": (f"unify.prune_empty({_NEST}, keep_nones=True)",),
    "duplicate_array_index_chains": (f"unify.duplicate_array_index_chains([{_X}, {_X}])",),
    "register_nest": ("unify.register_nest(Pair, double, double)",),
    "register_dataclass": ("unify.register_dataclass(Point, ['x'], ['y'])",),
    # functions of functions
    "execute_with_gradients": (
        f"unify.execute_with_gradients(total, {_V}, retain_grads=False)",
        f"unify.execute_with_gradients(total, {_C})",
    ),
    "value_and_grad": (
        f"unify.value_and_grad(total, argnums=0)({_V})", "unify.value_and_grad(total, argnums=0)",
    ),
    "grad": (f"unify.grad(total)({_V})", "unify.grad(total, argnums=0)"),
    "compute": (f"unify.compute({_X})", f"unify.compute({_X}, [{_V}, 1])"),
    "computing": ("unify.computing()", "unify.computing('allow')"),
    "set_computing": ("unify.set_computing('allow')",),
    "is_lazy": (f"unify.is_lazy({_X})",),
    "jac": (f"unify.jac(double)({_V})", "unify.jac(double, argnums=0)"),
    "hessian": (f"unify.hessian(total)({_V})", "unify.hessian(total, argnums=0)"),
    "jvp": (f"unify.jvp(double, ({_V},), ({_V},))",),
    "vjp": (f"unify.vjp(double, {_V})", f"unify.vjp(double, {_V})[1]({_V})"),
    "vmap": (f"unify.vmap(double, in_axes=0, out_axes=0)({_X})", "unify.vmap(double, in_axes=0)"),
    "checkpoint": (f"unify.checkpoint(double)({_V})", "unify.checkpoint(double)"),
    "bind_custom_gradient_function": (
        "unify.bind_custom_gradient_function(double, same)",
        f"unify.bind_custom_gradient_function(double, same)({_V})",
    ),
    "cond": (f"unify.cond(True, double, same, {_V})",),
    "scan": (f"unify.scan(carried, xp.asarray(0.0), {_V}, length=2, reverse=False)",),
    "while_loop": (f"unify.while_loop(below, double, {_V})",),
    "fori_loop": (f"unify.fori_loop(0, 3, indexed, {_V})",),
    "compile": (f"unify.compile(double)({_V})", "unify.compile(double)"),
    "compiled_namespace": ("unify.compiled_namespace(backend)",),
    "compile_graph": (
        f"unify.compile_graph(double, {_V})", f"unify.compile_graph(double, {_V})({_V})",
    ),
    # optimizers
    "nn.optimizer_update": (f"unify.optimizer_update({_V}, {_V}, 0.1, stop_gradients=True)",),
    "nn.gradient_descent_update": (f"unify.gradient_descent_update({_V}, {_V}, 0.1)",),
    "nn.momentum_update": (f"unify.momentum_update({_V}, {_V}, {_V}, 0.1, 0.9)",),
    "nn.adam_update": (f"unify.adam_update({_V}, {_V}, 0.1, {_V}, {_V}, 1)",),
    "nn.adamw_update": (f"unify.adamw_update({_V}, {_V}, 0.1, {_V}, {_V}, 1)",),
    "nn.lamb_update": (f"unify.lamb_update({_V}, {_V}, 0.1, {_V}, {_V}, 1)",),
    "nn.ema_update": (f"unify.ema_update({_V}, {_V}, 0.9)", f"unify.ema_update({_C}, {_C}, 0.9)"),
    "nn.global_norm": (f"unify.global_norm({_C})", f"unify.global_norm([{_V}, {_X}])"),
    "nn.clip_by_global_norm": (f"unify.clip_by_global_norm({_C}, 0.5)",),
    "nn.clip_by_value": (f"unify.clip_by_value({_C}, -1.0, 1.0)",),
    "optimizers.Accumulate": (
        f"unify.optimizers.Accumulate(unify.optimizers.SGD(0.1), 2).step({_V}, {_V})",
        "unify.optimizers.Accumulate(unify.optimizers.SGD(0.1), every=2)",
    ),
    "schedules.Constant": ("unify.schedules.Constant(0.1)(2)",),
    "schedules.Linear": ("unify.schedules.Linear(0.0, 0.1, 4)(xp.asarray(2))",),
    "schedules.ExponentialDecay": (
        "unify.schedules.ExponentialDecay(0.1, 4, 0.5, staircase=True)(2)",
    ),
    "schedules.CosineDecay": ("unify.schedules.CosineDecay(0.1, 4, end=0.0)(xp.asarray(2))",),
    "schedules.Piecewise": ("unify.schedules.Piecewise((2, 4), (0.1, 0.01, 0.001))(3)",),
    "schedules.Join": (
        "unify.schedules.Join([unify.schedules.Constant(0.1), abs], [2])(xp.asarray(3))",
    ),
    "schedules.OneCycle": ("unify.schedules.OneCycle(0.1, 10, warmup=0.3)(2)",),
    **{
        f"optimizers.{name}": (
            f"unify.optimizers.{name}(0.1)",
            f"unify.optimizers.{name}(0.1).step({_V}, {_V})",
            f"unify.optimizers.{name}(0.1).step({_C}, {_C})",
            f"unify.optimizers.{name}(0.1).init({_V})",
            f"unify.optimizers.{name}().stateless_step({_V}, {_V}, "
            f"unify.optimizers.{name}().init({_V}))",
        )
        for name in ("Adam", "AdamW", "Lamb", "SGD")
    },
    # modules
    **{
        f"initializers.{name}": (f"unify.initializers.{name}({_KEY}, (2, 3), dtype='float32')",)
        for name in (
            "glorot_normal", "glorot_uniform", "he_normal", "he_uniform", "normal", "ones",
            "orthogonal", "truncated_normal", "uniform", "zeros",
        )
    },
    "Linear": (
        "unify.Linear(3, 2, bias=True, dtype='float32')", f"unify.Linear(3, 2)({_X})",
        f"unify.Linear(3, 2).stateless_call(unify.Linear(3, 2).v, {{}}, {_X})",
    ),
    "Embedding": (
        f"unify.Embedding(3, 2, key={_KEY})", "unify.Embedding(3, 2)(xp.asarray([0, 1]))",
    ),
    "Dropout": (f"unify.Dropout(0.5, key={_KEY})", f"unify.Dropout(0.5)({_X})"),
    "Sequential": (
        "unify.Sequential(unify.Linear(3, 2), double)",
        f"unify.Sequential(unify.Linear(3, 2), double)({_X})",
    ),
    "MultiHeadAttention": (
        "unify.MultiHeadAttention(4, 2, context_features=4, head_features=2, dropout=0.1)",
        "unify.MultiHeadAttention(4, 2)(xp.ones((1, 3, 4)))",
    ),
    "TransformerEncoderLayer": (
        "unify.TransformerEncoderLayer(4, 2, 3, dropout=0.1, activation='gelu', eps=1e-5)",
        "unify.TransformerEncoderLayer(4, 2, 3, norm_first=True)(xp.ones((1, 3, 4)))",
    ),
    "TransformerEncoder": (
        "unify.TransformerEncoder([double, double], norm=double)",
    ),
    "PositionalEncoding": ("unify.PositionalEncoding(4)(xp.ones((1, 3, 4)))",),
    "Conv1D": (
        "unify.Conv1D(1, 2, 3, strides=1, padding='SAME', dilations=1, groups=1)",
        "unify.Conv1D(1, 2, 3)(xp.ones((1, 5, 1)))",
    ),
    "Conv2D": (
        "unify.Conv2D(1, 2, 3, strides=1, padding='SAME', dilations=1, groups=1)",
        "unify.Conv2D(1, 2, 3)(xp.ones((1, 5, 5, 1)))",
    ),
    "Conv3D": ("unify.Conv3D(1, 2, 3)", "unify.Conv3D(1, 2, 3)(xp.ones((1, 4, 4, 4, 1)))"),
    **{
        f"Conv{n}DTranspose": (
            f"unify.Conv{n}DTranspose(1, 2, 3, strides=1, output_padding=0, groups=1)",
            f"unify.Conv{n}DTranspose(1, 2, 3)(xp.ones((1, {'4, ' * n}1)))",
        )
        for n in (1, 2, 3)
    },
    **{
        f"{name}Pool{n}D": (
            f"unify.{name}Pool{n}D(2, strides=1, padding='SAME', data_format='channels_last')",
            f"unify.{name}Pool{n}D(2)(xp.ones((1, {'4, ' * n}1)))",
        )
        for name in ("Max", "Avg")
        for n in (1, 2, 3)
    },
    **{
        f"Adaptive{name}Pool{n}D": (
            f"unify.Adaptive{name}Pool{n}D(2, data_format='channels_last')",
            f"unify.Adaptive{name}Pool{n}D(2)(xp.ones((1, {'4, ' * n}1)))",
        )
        for name in ("Max", "Avg")
        for n in (1, 2, 3)
    },
    **{
        f"Global{name}Pool": (
            f"unify.Global{name}Pool(keepdims=True, data_format='channels_last')",
            f"unify.Global{name}Pool()(xp.ones((1, 4, 4, 1)))",
        )
        for name in ("Max", "Avg")
    },
    "Upsample": (
        "unify.Upsample(2, mode='linear', data_format='channels_last')",
        "unify.Upsample(2)(xp.ones((1, 4, 4, 1)))",
    ),
    "Flatten": ("unify.Flatten(1, -1)", "unify.Flatten()(xp.ones((1, 4, 4, 1)))"),
    "Identity": (f"unify.Identity()({_X})",),
    "Residual": ("unify.Residual(double, double)", f"unify.Residual(double)({_X})"),
    "GroupNorm": (
        "unify.GroupNorm(1, 4, axis=-1, eps=1e-5, affine=True, dtype='float32')",
        "unify.GroupNorm(2, 4)(xp.ones((1, 3, 4)))",
    ),
    "InstanceNorm": (
        "unify.InstanceNorm(4, axis=-1, eps=1e-5, affine=True, dtype='float32')",
        "unify.InstanceNorm(4)(xp.ones((1, 3, 4)))",
    ),
    "RMSNorm": (
        "unify.RMSNorm(3, eps=1e-5, affine=True, dtype='float32')", f"unify.RMSNorm(3)({_X})",
    ),
    "LayerNorm": (
        "unify.LayerNorm(3, eps=1e-5, affine=True, dtype='float32')", f"unify.LayerNorm(3)({_X})",
    ),
    "BatchNorm": (
        "unify.BatchNorm(3, axis=-1, momentum=0.1, eps=1e-5)", f"unify.BatchNorm(3)({_X})",
    ),
    "LSTM": ("unify.LSTM(3, 2)", "unify.LSTM(3, 2)(xp.ones((1, 4, 3)))"),
    "RNN": (
        "unify.RNN(3, 2, num_layers=2, activation='relu', bias=True)",
        "unify.RNN(3, 2)(xp.ones((1, 4, 3)))",
    ),
    **{
        f"{name}Cell": (
            f"unify.{name}Cell(3, 2, bias=True, dtype='float32')", f"unify.{name}Cell(3, 2)({_X})",
        )
        for name in ("RNN", "GRU", "LSTM")
    },
    "GRU": ("unify.GRU(3, 2)", "unify.GRU(3, 2)(xp.ones((1, 4, 3)))"),
    "batches": (
        f"unify.batches({_X}, size=2)",
        f"unify.batches({_X}, size=2, key=unify.random.key(0), drop_last=True)",
    ),
    "Module": (
        "unify.Linear(3, 2).train(True)", "unify.Linear(3, 2).to_device('cpu')",
        "unify.Linear(3, 2).to_backend('numpy')", "unify.Linear(3, 2).save('m.npz')",
        "unify.Linear(3, 2).astype('float32')", f"unify.Linear(3, 2).summary({_X})",
        "unify.Linear(3, 2).load('missing.npz')", "unify.Module.from_torch(unify.Linear(3, 2))",
        "unify.Module.from_keras(unify.Linear(3, 2))",
        "setattribute(unify.Linear(3, 2), 'v', {'w': xp.ones((2, 3)), 'b': xp.ones(2)})",
    ),
    # Containers, and Arrays
    "Container": (
        f"unify.Container({{'a': {_V}}}, b=1)", f"{_C}.map(same)", f"{_C}.filter(same)",
        f"{_C}.at('b/c')", f"{_C}.set_at('b/c', 1)", f"{_C}.prune('b/c', in_place=False)",
        f"{_C}.combine({_C})", f"unify.Container.unflatten({{'a/b': {_V}}})",
        f"unify.Container.from_dict({{'a': {_V}}})", f"{_C}.identical({_C})",
        f"{_C}.same_structure({_C})", f"{_C}.save('c.npz')",
        "unify.Container.load('missing.npz', backend=None)", f"{_C}.get('a', 1)",
        f"{_C}.pop('a', 1)", f"{_C}.setdefault('d', 1)", f"{_C}.update({{'a': 1}})",
        f"{_C}.__getitem__('a')", f"setitem({_C}, 'a', 1)", f"{_C}.__add__({_C})",
        f"{_C}.__delitem__('a')", f"{_C}.__getitem__(0)",
    ),
    "Array": (
        f"unify.Array({_X}.data)", f"{_X}.item()", f"{_V}.item(1)", f"{_X}.tolist()",
        f"{_X}.flatten()", f"{_X}.ravel()", f"{_X}.copy()", f"{_X}.transpose(1, 0)",
        f"{_X}.__array_namespace__(api_version='2025.12')", f"{_X}.to_device('cpu', stream=None)",
        f"{_X}.__dlpack__(stream=None)", f"{_X}.__array__(None)",
    ),
    **{
        f"operator.{name}": (f"operator.{name}({_X}, {_X})", f"operator.i{name}({_X}, {_X})")
        for name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow")
    },
    "operator.matmul": (f"operator.matmul({_X}, {_X}.mT)",),
    "operator.and_": ("operator.and_(xp.asarray([1]), 3)",),
    "operator.lshift": ("operator.lshift(xp.asarray([1]), 3)",),
    "operator.lt": (f"operator.lt({_X}, {_X})",),
    "operator.eq": (f"operator.eq({_X}, {_X})",),
    "get_item": (f"{_X}.__getitem__((0, slice(1, None)))",),
    "set_item": (f"setitem({_X}, (0, slice(1, None)), 1.0)",),
    # targets of the instrument's own test; not among `functions()`
    "instrument.ends": ("ends()",),
    "instrument.hangs": ("hangs()",),
    "DType": ("unify.DType('float32')",),
    "Device": ("unify.Device('cpu')",),
}  # fmt: skip
