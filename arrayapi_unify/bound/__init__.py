"""The namespaces by the names that `__name__` has: without the name of another library.

Consumers look for such names, and then call that library in place of the namespace.

Written by `python -m arrayapi_unify._generate` from the registry; don't edit.
"""
