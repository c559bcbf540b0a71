"""Kernels of the kings."""
