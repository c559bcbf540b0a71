"""Kernels of the cover wing, one file an engine."""
