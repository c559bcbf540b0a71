"""Kernels of the searches for sliding blocks."""
