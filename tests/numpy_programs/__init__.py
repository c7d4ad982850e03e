"""Programs of others: code for NumPy, by packages that never heard of this one.

Each is a function of a namespace and a conversion to its arrays, and returns ten results.
"""
