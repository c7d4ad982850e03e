"""JAX arrays that are split over a mesh of devices."""
