"""The namespace bound to JAX: `import arrayapi_unify.jax as xp`."""

import sys

from arrayapi_unify.binding import namespace_of

# The binding made the module; this file only says where it is imported from.
sys.modules[__name__] = namespace_of("jax")
