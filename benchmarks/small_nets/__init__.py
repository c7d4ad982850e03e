"""Training steps of small networks, eager and compiled, beside each framework's own layers."""
