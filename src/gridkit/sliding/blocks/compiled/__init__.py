"""The searches of sliding blocks in compiled code: what drives the kernels, and loads numba."""
