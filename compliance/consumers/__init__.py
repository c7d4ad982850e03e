"""Measures what libraries that take any array do with ours, by the tests that they ship.

SciPy, scikit-learn, array-api-extra and einops have tests that run with an array library of the
standard, `array_api_strict`. Here a namespace of ours takes its place, and no file of theirs is
changed. Beside it, the same tests run with `array_api_strict` under another name: a failure that a
strictly conforming library shares because nobody knows it is told apart.

``python -m compliance consumers scipy --backend numpy`` measures, and writes `consumers.json` and
`consumers.md`.
"""
