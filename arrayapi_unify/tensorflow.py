"""The namespace bound to TensorFlow: `import arrayapi_unify.tensorflow as xp`."""

import sys

from arrayapi_unify.binding import namespace_of

# The binding made the module; this file only says where it is imported from.
sys.modules[__name__] = namespace_of("tensorflow")
