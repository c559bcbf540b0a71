"""Kernels of the sliding wing."""
