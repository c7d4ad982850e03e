"""The distance of elementwise functions from the truth, in units in the last place (ulp)."""
