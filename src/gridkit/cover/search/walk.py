"""Walking a search tree: from Python ints to a compiled engine, and tokens to go on from.

The engines "plain", "bitset" and "sparse" walk the same tree in the same order, so a search is
handed from one to another by its path alone, and a token is a few small numbers.
"""

from __future__ import annotations

import hashlib
import sys
from typing import TYPE_CHECKING, NamedTuple, Protocol

from gridkit.cover.matrix import Matrix
from gridkit.cover.search.plain import PlainSearch
from gridkit.errors import InputError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = [
    "Allowance",
    "Engine",
    "Prefix",
    "Token",
    "Walk",
    "checked_token",
    "compiled_method",
    "hash_of",
    "plain_allowance",
]

Prefix = tuple[int, ...]

# What the plain engine may spend before a compiled one takes over, in item tests of 512 options:
# about what importing numba costs (0.3 s), or a few milliseconds when that is done.
_PLAIN_STEPS, _PLAIN_STEPS_WHEN_LOADED = 1_000_000, 20_000
_LEAST_ALLOWANCE = 20  # fewer are not worth setting up
_FEW_OPTIONS = 100  # more are not worth trying in Python when the kernels are at hand
# Above so many options most of them are dead nearly everywhere, and linked structures win.
_BITSET_OPTIONS = 8_000


class Engine(Protocol):
    """A depth-first search of one subtree (`PlainSearch` documents the order)."""

    @property
    def nodes(self) -> int:
        """Nodes visited."""

    @property
    def found(self) -> int:
        """Solutions found."""

    def advance(self, budget: int, wanted: int | None = None) -> bool:
        """Visit up to `budget` nodes, or until `wanted` solutions are kept; True at the end."""

    def path(self) -> tuple[int, ...]:
        """Return the option chosen at each level below the prefix."""

    def fraction(self) -> float:
        """Estimate the part done."""

    def memory(self) -> int:
        """Bytes held."""


class KeepingEngine(Engine, Protocol):
    """An engine that can hand out solutions."""

    def take(self) -> list[tuple[int, ...]]:
        """Return the solutions kept since the last call."""


def hash_of(value: object) -> str:
    """Return a short digest of a value's repr."""
    return hashlib.sha256(repr(value).encode()).hexdigest()[:16]


class Token(NamedTuple):
    """Where a search stands; a plain tuple of numbers and words.

    Attributes
    ----------
    fingerprint : str
        Of the task it belongs to.
    kind : str
        Of the call.
    root : int
        Number of the subtree.
    path : tuple of int
        Options chosen below it.
    total, found, nodes : int
        Counted in earlier subtrees (weighted), found in this one, nodes in all.
    """

    fingerprint: str
    kind: str
    root: int
    path: tuple[int, ...]
    total: int
    found: int
    nodes: int


def checked_token(token: object, fingerprint: str, kind: str) -> Token:
    """Return a token that belongs to this call, or refuse it."""
    if not isinstance(token, tuple) or len(token) != 7 or token[1] != kind:
        raise InputError("resume: expected the token of a LimitReached raised by the same call")
    if token[0] != fingerprint:
        raise InputError("resume: the token belongs to another problem")
    return Token(*token)


class Allowance:
    """How many nodes the plain engine may still visit before a compiled one takes over."""

    def __init__(self, nodes: int) -> None:
        self.left = nodes


class Walk:
    """A search that begins on Python ints and goes on compiled when it turns out long."""

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
            method = "plain" if self._allowance.left > 0 else compiled_method(matrix)
        self._engine = _start(method, matrix, prefix, path, keep=keep)
        self._earlier: list[tuple[int, ...]] = []
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

    def advance(self, budget: int, wanted: int | None = None) -> bool:
        """Visit up to `budget` nodes, or until `wanted` solutions are kept; True at the end."""
        allowance = self._allowance
        if allowance is None or allowance.left <= 0:
            return self._engine.advance(budget, wanted)
        before = self._engine.nodes
        done = self._engine.advance(min(budget, allowance.left), wanted)
        allowance.left -= self._engine.nodes - before
        if not done and allowance.left <= 0:
            self._hand_over()
        return done

    def take(self) -> list[tuple[int, ...]]:
        """Return the solutions kept since the last call."""
        taken, self._earlier = self._earlier + self._engine.take(), []
        return taken

    def take_array(self) -> NDArray[np.int32]:
        """Return the same as rows, filled up with -1."""
        import numpy as np

        if not self._earlier and not isinstance(self._engine, PlainSearch):
            rows: NDArray[np.int32] = self._engine.take_array()  # type: ignore[attr-defined]  # compiled engines have it
            return rows
        taken = self.take()
        rows = np.full((len(taken), max(map(len, taken), default=0)), -1, dtype=np.int32)
        for row, solution in zip(rows, taken, strict=True):
            row[: len(solution)] = solution
        return rows

    def _hand_over(self) -> None:
        plain = self._engine
        self._nodes, self._found, self._earlier = plain.nodes, plain.found, plain.take()
        self._engine = _start(
            compiled_method(self._matrix),
            self._matrix,
            self._prefix,
            plain.path(),
            keep=self._keep,
        )


def compiled_method(matrix: Matrix) -> str:
    """Return the compiled engine that suits a problem."""
    if matrix.amounts is not None:
        return "plain"
    return "bitset" if len(matrix.options) <= _BITSET_OPTIONS and matrix.plain else "sparse"


def plain_allowance(matrix: Matrix, kernel: str | None = None) -> Allowance:
    """Return what the plain engine may spend on a problem before `kernel` takes over."""
    steps = max(1, matrix.items) * (1 + len(matrix.options) // 512)
    if matrix.amounts is not None:
        return Allowance(1 << 62)
    loaded = f"gridkit.cover.kernels.{kernel or compiled_method(matrix)}" in sys.modules
    if loaded and len(matrix.options) > _FEW_OPTIONS:
        return Allowance(0)
    nodes = (_PLAIN_STEPS_WHEN_LOADED if loaded else _PLAIN_STEPS) // steps
    return Allowance(nodes if nodes >= _LEAST_ALLOWANCE else 0)


def _start(
    method: str, matrix: Matrix, prefix: Prefix, path: tuple[int, ...], *, keep: bool
) -> KeepingEngine:
    if method == "bitset":
        from gridkit.cover.search.bitset import BitsetSearch

        return BitsetSearch(matrix, prefix, path, keep=keep)
    if method == "sparse":
        from gridkit.cover.search.sparse import SparseSearch

        return SparseSearch(matrix, prefix, path, keep=keep)
    return PlainSearch(matrix, prefix, path, keep=keep)
