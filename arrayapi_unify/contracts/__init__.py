"""Contracts: what each function promises, read off its definition."""

from arrayapi_unify.contracts.contract import ALWAYS, CONTRACTS, Contract, DataDependent

__all__ = ["ALWAYS", "CONTRACTS", "Contract", "DataDependent"]
