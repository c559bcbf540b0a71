"""Kernels of the exact-cover searches, one file an engine."""
