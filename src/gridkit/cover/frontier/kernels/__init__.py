"""Kernels of the frontier sweeps."""
