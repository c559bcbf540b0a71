"""The one place that owns every numba option.

Kernel modules import `kernel` (compiled for explicit signatures when the module is imported) and
the bit helpers from here; engines import kernel modules inside functions, so that ``import
gridkit`` loads no numba.  A cache that cannot be read or written costs the compilation, never a
failure.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any, TypeVar

import numba
import numpy as np
from numba.core import config, types
from numba.core.errors import NumbaWarning
from numba.extending import intrinsic

__all__ = ["JIT_DISABLED", "kernel", "popcount", "trailing_zeros"]

F = TypeVar("F", bound=Callable[..., Any])

JIT_DISABLED: bool = bool(getattr(config, "DISABLE_JIT", False))


def kernel(*signatures: str) -> Callable[[F], F]:
    """Compile a function for explicit signatures, without the GIL, cached on disk.

    Parameters
    ----------
    *signatures : str
        numba signatures such as ``"int64(uint64[::1], int64)"``.  Arguments of another type are
        refused.  Several signatures make several specialisations.

    Returns
    -------
    callable
        A decorator.  With ``NUMBA_DISABLE_JIT=1`` the function stays plain Python.
    """

    def decorate(function: F) -> F:
        if JIT_DISABLED:
            return function
        try:
            compiled: F = _compile(function, signatures, cache=True)
        except Exception:
            # A cache numba cannot locate, read or write: the kernel itself compiles as ever.
            compiled = _compile(function, signatures, cache=False)
        return compiled

    return decorate


def _compile(function: Callable[..., Any], signatures: tuple[str, ...], *, cache: bool) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NumbaWarning)
        return numba.njit(list(signatures), nogil=True, cache=cache)(function)


if JIT_DISABLED:

    def trailing_zeros(word: np.uint64) -> int:
        """Number of zero bits below the lowest set bit (64 for 0)."""
        value = int(word)
        return (value & -value).bit_length() - 1 if value else 64

    def popcount(word: np.uint64) -> int:
        """Return the number of set bits."""
        return int(word).bit_count()

else:

    @intrinsic
    def _cttz(typing_context: Any, word: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            from llvmlite import ir

            return builder.cttz(args[0], ir.Constant(ir.IntType(1), 0))

        return types.uint64(types.uint64), codegen

    @intrinsic
    def _ctpop(typing_context: Any, word: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.ctpop(args[0])

        return types.uint64(types.uint64), codegen

    _count_zeros: Any = _cttz
    _count_ones: Any = _ctpop

    @numba.njit("int64(uint64)", nogil=True)
    def trailing_zeros(word: np.uint64) -> int:
        """Number of zero bits below the lowest set bit (64 for 0)."""
        return np.int64(_count_zeros(word))  # type: ignore[return-value]  # an int64 once compiled

    @numba.njit("int64(uint64)", nogil=True)
    def popcount(word: np.uint64) -> int:
        """Return the number of set bits."""
        return np.int64(_count_ones(word))  # type: ignore[return-value]  # an int64 once compiled
