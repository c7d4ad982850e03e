"""Measurements of libraries that take any array, with ours, by the tests that they ship.

SciPy, scikit-learn, array-api-extra and einops have tests that run with an array library of the
standard, `array_api_strict`. Here a namespace of ours takes its place, and no file of theirs is
changed. The same tests also run with `array_api_strict` under another name. This identifies the
failures that any strictly conforming library with an unknown name has.

``python -m compliance consumers scipy --backend numpy`` measures, and writes `consumers.json` and
`consumers.md`.
"""
