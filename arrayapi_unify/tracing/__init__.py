"""The memory of a traced function's arguments and results, and the Arrays that it reaches itself.

`graph` and `compilation` need both: a trace is valid for one layout of what shares memory.
"""
