"""Kernels of the stacking game."""
