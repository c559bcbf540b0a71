"""Kernels of the polyomino package."""
