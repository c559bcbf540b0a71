"""Kernels of the n-puzzles."""
