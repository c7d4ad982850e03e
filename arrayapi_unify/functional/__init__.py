"""Contracts, one file per category.

`binding.CONTRACTS` imports a category's file when one of its functions is first asked for.
"""
