"""Measurements of libraries that accept any array, by the tests that they ship.

SciPy, scikit-learn, array-api-extra and einops have tests that run with an array library of the
standard, `array_api_strict`. Here a namespace of ours replaces it, without changes to their files.
The same tests also run with `array_api_strict` under another name, to identify the failures of any
strictly conforming library with an unknown name.

``python -m compliance consumers scipy --backend numpy`` measures, and writes `consumers.json` and
`consumers.md`.
"""
