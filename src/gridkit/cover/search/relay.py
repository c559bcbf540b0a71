"""A search that begins on Python ints and goes on in a compiled engine when it turns out long."""

from __future__ import annotations

import sys
from collections.abc import Collection
from typing import TYPE_CHECKING, Literal, get_args

from gridkit.cover.matrix import Matrix
from gridkit.cover.search.engine import Engine, Prefix
from gridkit.cover.search.plain import PlainSearch
from gridkit.errors import InputError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from gridkit.run.limits import Tier

__all__ = ["Allowance", "Method", "Relay", "check_method", "compiled_method", "plain_allowance"]

Method = Literal["auto", "plain", "bitset", "sparse"]

# What the plain engine may spend before a compiled one takes over, in item tests of 512 options:
# about what importing numba costs (0.3 s), or a few milliseconds when that is done.
_PLAIN_STEPS, _PLAIN_STEPS_WHEN_LOADED = 1_000_000, 20_000
_LEAST_ALLOWANCE = 20  # fewer are not worth setting up
_FEW_OPTIONS = 100  # more are not worth trying in Python when the kernels are at hand
_NO_END = 1 << 62
# Above so many options most of them are dead nearly everywhere, and linked structures win.
_BITSET_OPTIONS = 8_000


def check_method(method: str, known: Collection[str] = get_args(Method)) -> None:
    """Refuse the name of a method that does not exist."""
    if method not in known:
        raise InputError(f"method must be one of {', '.join(known)}, got {method!r}")


class Allowance:
    """How many nodes the plain engine may still visit before a compiled one takes over."""

    def __init__(self, nodes: int) -> None:
        self.nodes = nodes


class Relay(Engine):
    """A search by one engine, or by "plain" first and then by the compiled one that suits.

    Parameters
    ----------
    matrix : Matrix
        The problem.
    method : Method
        The engine; "auto" changes from one to the other.
    prefix, path, keep
        As for `PlainSearch`.
    allowance : Allowance
        What "auto" may spend on Python ints, shared by all searches of a call.
    """

    def __init__(
        self,
        matrix: Matrix,
        method: str = "auto",
        prefix: Prefix = (),
        path: tuple[int, ...] = (),
        *,
        keep: bool = False,
        allowance: Allowance | None = None,
    ) -> None:
        self._matrix, self._prefix, self._keep = matrix, prefix, keep
        self._allowance: Allowance | None = None
        if method == "auto":
            self._allowance = allowance or plain_allowance(matrix)
            method = "plain" if self._allowance.nodes > 0 else compiled_method(matrix)
        self._engine = _start(method, matrix, prefix, path, keep=keep)
        self._kept_earlier: list[tuple[int, ...]] = []
        self._nodes = self._found = 0

    @property
    def nodes(self) -> int:
        """Nodes visited."""
        return self._nodes + self._engine.nodes

    @property
    def found(self) -> int:
        """Solutions found."""
        return self._found + self._engine.found

    def path(self) -> tuple[int, ...]:
        """Return the option chosen at each level below the prefix."""
        return self._engine.path()

    def fraction(self) -> float:
        """Estimate the part done."""
        return self._engine.fraction()

    def memory(self) -> int:
        """Bytes held."""
        return self._engine.memory()

    def advance(self, budget: int, most: int | None = None) -> bool:
        """Visit up to `budget` nodes, or until `most` solutions are kept; True at the end."""
        allowance = self._allowance
        if allowance is None or allowance.nodes <= 0:
            return self._engine.advance(budget, most)
        before = self._engine.nodes
        done = self._engine.advance(min(budget, allowance.nodes), most)
        allowance.nodes -= self._engine.nodes - before
        if not done and allowance.nodes <= 0:
            self._hand_over()
        return done

    def take(self) -> list[tuple[int, ...]]:
        """Return the solutions kept since the last call."""
        solutions, self._kept_earlier = self._kept_earlier + self._engine.take(), []
        return solutions

    def take_array(self) -> NDArray[np.int32]:
        """Return the same as rows, filled up with -1."""
        return super().take_array() if self._kept_earlier else self._engine.take_array()

    def _hand_over(self) -> None:
        plain = self._engine
        self._nodes, self._found, self._kept_earlier = plain.nodes, plain.found, plain.take()
        method = compiled_method(self._matrix)
        path = plain.path()
        self._engine = _start(method, self._matrix, self._prefix, path, keep=self._keep)


def compiled_method(matrix: Matrix) -> Method:
    """Return the compiled engine that suits a problem; "plain" where none does."""
    if matrix.amounts is not None:
        return "plain"
    return "bitset" if len(matrix.options) <= _BITSET_OPTIONS and matrix.plain else "sparse"


def plain_allowance(matrix: Matrix, tier: Tier = "auto", kernel: str | None = None) -> Allowance:
    """Return what the plain engine may spend on a problem before `kernel` takes over.

    Less where the kernels are loaded already: that changes when the engines take turns, and
    nothing else, as they visit the same nodes in the same order.
    """
    if matrix.amounts is not None or tier == "plain":
        return Allowance(_NO_END)
    if tier == "compiled":
        return Allowance(0)
    loaded = f"gridkit.cover.search.kernels.{kernel or compiled_method(matrix)}" in sys.modules
    if loaded and len(matrix.options) > _FEW_OPTIONS:
        return Allowance(0)
    steps = max(1, matrix.items) * (1 + len(matrix.options) // 512)
    nodes = (_PLAIN_STEPS_WHEN_LOADED if loaded else _PLAIN_STEPS) // steps
    return Allowance(nodes if nodes >= _LEAST_ALLOWANCE else 0)


def _start(
    method: str, matrix: Matrix, prefix: Prefix, path: tuple[int, ...], *, keep: bool
) -> Engine:
    # Compiled engines load numpy and numba.
    if method == "bitset":
        from gridkit.cover.search.bitset import BitsetSearch

        return BitsetSearch(matrix, prefix, path, keep=keep)
    if method == "sparse":
        from gridkit.cover.search.sparse import SparseSearch

        return SparseSearch(matrix, prefix, path, keep=keep)
    return PlainSearch(matrix, prefix, path, keep=keep)
