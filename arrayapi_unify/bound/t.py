"""The namespace bound to the tensorflow backend: `import arrayapi_unify.tensorflow as xp`.

Written by `python -m arrayapi_unify._generate` from the registry; don't edit.
"""

import sys

from arrayapi_unify.binding import namespace_of

# The binding made the module; this file only says where it is imported from.
sys.modules[__name__] = namespace_of("tensorflow")
