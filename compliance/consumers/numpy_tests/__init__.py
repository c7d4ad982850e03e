"""NumPy's own tests, which its wheel ships, with our functions or on our arrays.

`plugin` puts another object in the place of NumPy in each test module, `reasons` tells which tests
ask for more than functions of arrays, `command` measures, and `page` renders.
"""
