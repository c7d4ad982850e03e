"""Names that aren't there: those of other libraries, near misses, backends, devices, data types."""

from __future__ import annotations

from typing import Final

from arrayapi_unify.errors import UnifyTypeError, UnifyValueError
from tests.mistakes.mistake import Mistake, mistake

MISTAKES: Final[list[Mistake]] = [
    # --- namespaces
    mistake("unify.unsqueeze(x, 0)", AttributeError, "arrayapi_unify", "unsqueeze", "expand_dims"),
    mistake("xp.unsqueeze(x, 0)", AttributeError, "arrayapi_unify.", "unsqueeze", "expand_dims"),
    mistake("unify.cat([x, x])", AttributeError, "arrayapi_unify", "'cat'", "use concat(arrays)"),
    mistake("unify.tensor([1.0])", AttributeError, "'tensor'", "use asarray"),
    mistake("unify.from_numpy(np.ones(2))", AttributeError, "'from_numpy'", "use asarray"),
    mistake("unify.reduce_sum(x)", AttributeError, "'reduce_sum'", "use sum(x)"),
    mistake("unify.cast(x, 'float32')", AttributeError, "'cast'", "use astype(x, dtype)"),
    mistake("unify.clamp(x, 0, 1)", AttributeError, "'clamp'", "use clip(x, min, max)"),
    mistake("unify.jit(abs)", AttributeError, "'jit'", "use compile(function)"),
    mistake("unify.no_grad()", AttributeError, "'no_grad'", "stop_gradient"),
    mistake("unify.GradientTape()", AttributeError, "'GradientTape'", "value_and_grad"),
    mistake("unify.nn.Conv2d(3, 2)", AttributeError, "'Conv2d'", "use Conv2D"),
    mistake("unify.optim.Adam()", AttributeError, "'optim'", "use nn.optimizers"),
    mistake("unify.rearrange(x, 'a b -> b a')", AttributeError, "'rearrange'", "einops_rearrange"),
    mistake("unify.mse_loss(v, v)", AttributeError, "'mse_loss'", "use nn.mse(true, pred)"),
    mistake("unify.Tensor", AttributeError, "'Tensor'", "use Array"),
    mistake("xp.double", AttributeError, "'double'", "use float64"),
    mistake("unify.summ(x)", AttributeError, "'summ'", "Did you mean: 'sum'?"),
    mistake("xp.expp(x)", AttributeError, "'expp'", "Did you mean: 'exp'?"),
    mistake("unify.arcsine(x)", AttributeError, "'arcsine'", "Did you mean: 'arcsin'?"),
    mistake("unify.linalg.inverse(x)", AttributeError, "arrayapi_unify.linalg", "use inv(x)"),
    mistake("xp.linalg.lstq(x, x)", AttributeError, "linalg", "'lstq'", "Did you mean: 'lstsq'?"),
    mistake("unify.random.randn(2)", AttributeError, "random", "'randn'", "use normal(key, shape)"),
    mistake("unify.random.default_rng(0)", AttributeError, "'default_rng'", "use key(seed)"),
    mistake("unify.fft.fftt(v)", AttributeError, "fft", "'fftt'", "Did you mean: 'fft"),
    mistake("unify.optimizers.Adamm()", AttributeError, "'Adamm'", "Did you mean: 'Adam"),
    mistake(
        "unify.initializers.xavier_uniform_(v)", AttributeError, "initializers",
        "'xavier_uniform_'", "use glorot_uniform",
    ),
    # --- attributes
    mistake("x.numpy()", AttributeError, "'Array'", "'numpy'", "use to_numpy()", "np.asarray(x)"),
    mistake("x.to('cuda')", AttributeError, "'Array'", "'to'", "use to_device(device)"),
    mistake("x.cpu()", AttributeError, "'cpu'", "use to_device('cpu')"),
    mistake("x.detach()", AttributeError, "'detach'", "use stop_gradient()"),
    mistake("x.backward()", AttributeError, "'backward'", "use unify.grad"),
    mistake("x.view(3, 2)", AttributeError, "'view'", "use reshape(shape)"),
    mistake("x.permute(1, 0)", AttributeError, "'permute'", "use permute_dims(axes)"),
    mistake("x.numel()", AttributeError, "'numel'", "use size"),
    mistake("x.float()", AttributeError, "'float'", "use astype(unify.float32)"),
    mistake("x.at[0].set(1.0)", AttributeError, "'at'", "set_item", "x[key] = value"),
    mistake("x.add_(1)", AttributeError, "'add_'", "add(other)", "x += other"),
    mistake("net.parameters()", AttributeError, "'Linear'", "'parameters'", "use v"),
    mistake("net.state_dict()", AttributeError, "'state_dict'", "save(path)"),
    mistake("net.forward(v)", AttributeError, "'forward'", "net(x)"),
    mistake("net.trainable_variables", AttributeError, "'trainable_variables'", "use v"),
    mistake("net.weight", AttributeError, "'weight'", "use v.w"),
    mistake("sgd.zero_grad()", AttributeError, "'SGD'", "'zero_grad'", "use step(v, grads)"),
    mistake("sgd.apply_gradients(v)", AttributeError, "'apply_gradients'", "use step(v, grads)"),
    mistake("c.nonsense", AttributeError, "Container", "'nonsense'", "it has 'a', 'b', 'b/c'"),
    mistake("v.shape = (1, 3)", AttributeError, "Array.shape", "(1, 3)", "x.reshape(shape)"),
    mistake("v.dtype = 'float32'", AttributeError, "Array.dtype", "'float32'", "x.astype(dtype)"),
    # --- backends
    mistake(
        "unify.get_backend('pytorch')", UnifyValueError,
        "get_backend: argument 'backend' is 'pytorch'", "use 'torch'",
    ),
    mistake(
        "unify.set_backend('jnp')", UnifyValueError,
        "set_backend: argument 'backend' is 'jnp'", "use 'jax'",
    ),
    mistake(
        "unify.use_backend('tensorflo')", UnifyValueError,
        "use_backend: argument 'backend' is 'tensorflo'", "use 'tensorflow'",
    ),
    mistake(
        "unify.set_backend('cupy')", UnifyValueError,
        "set_backend: argument 'backend' is 'cupy'", "the known backends are numpy, torch",
    ),
    mistake(
        "unify.set_backend(3)", UnifyValueError,
        "set_backend: argument 'backend' is 3", "the known backends are numpy",
    ),
    mistake(
        "unify.to_backend(x, 'pytorch')", UnifyValueError,
        "to_backend: argument 'backend' is 'pytorch'", "use 'torch'",
    ),
    mistake(
        "net.to_backend('tf')", UnifyValueError,
        "to_backend: argument 'backend' is 'tf'", "use 'tensorflow'",
    ),
    # --- devices
    mistake(
        "xp.zeros(3, device='cuda:7')", UnifyValueError,
        "zeros: argument 'device' is 'cuda:7'", "its devices are 'cpu'", "'gpu:0'",
    ),
    mistake(
        "x.to_device('cuda:7')", UnifyValueError,
        "to_device: argument 'device' is 'cuda:7'", "its devices are 'cpu'",
    ),
    mistake(
        "xp.asarray([1.0], device=3)", UnifyTypeError,
        "asarray: argument 'device' is 3", "pass a Device or its name",
    ),
    # --- data types
    mistake(
        "xp.zeros(3, dtype='float33')", UnifyTypeError,
        "zeros: argument 'dtype' is 'float33', which is no data type", "use 'float32'",
    ),
    mistake(
        "x.astype('string')", UnifyTypeError,
        "astype: argument 'dtype' is 'string'", "use one of bool, uint8",
    ),
    mistake(
        "xp.asarray([1.0], dtype=object)", UnifyTypeError,
        "asarray: argument 'dtype' is <class 'object'>", "use one of bool, uint8",
    ),
    mistake(
        "xp.can_cast('nope', 'float32')", UnifyTypeError,
        "can_cast: argument 'from_' is 'nope'", "use one of bool",
    ),
    mistake(
        "unify.set_default_dtype('nope')", UnifyTypeError,
        "set_default_dtype: argument 'dtype' is 'nope'", "use one of bool",
    ),
]  # fmt: skip
