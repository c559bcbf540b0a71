"""Listing the solutions of an exact cover, one by one or as an array."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from gridkit.cover.matrix import Matrix
from gridkit.cover.search.methods import check_method
from gridkit.cover.search.walk import Token, Walk, checked_token
from gridkit.reading import read_int
from gridkit.run.control import Limit, ProgressCallback, drive_found

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["Listing", "solutions", "solutions_array"]


class Listing:
    """Lists solutions; a `Resumable` for `drive_found`."""

    def __init__(self, matrix: Matrix, method: str, resume: object = None) -> None:
        path: tuple[int, ...] = ()
        self._fingerprint = matrix.fingerprint
        self._given = self._earlier = 0
        if resume is not None:
            token = checked_token(resume, self._fingerprint(), "solutions")
            path, self._given, self._earlier = token.path, token.found, token.nodes
        self.walk = Walk(matrix, method, (), path, keep=True)
        self._wanted = 1

    @property
    def nodes(self) -> int:
        """Nodes spent so far."""
        return self._earlier + self.walk.nodes

    @property
    def found(self) -> int:
        """Solutions found so far."""
        return self._given + self.walk.found

    def value(self) -> int:
        """Return how many solutions were given."""
        return self.found

    def fraction(self) -> float:
        """Estimate the part done."""
        return self.walk.fraction()

    def memory(self) -> int:
        """Bytes held."""
        return self.walk.memory()

    def advance(self, budget: int) -> bool:
        """Search on until the budget is spent or some solutions wait to be taken."""
        before = self.walk.found
        done = self.walk.advance(budget, self._wanted)
        if self.walk.found > before:
            self._wanted = min(4 * self._wanted, 4096)
        return done

    def token(self) -> Token:
        """Return what ``resume=`` needs."""
        path = self.walk.path()
        return Token(self._fingerprint(), "solutions", 0, path, 0, self.found, self.nodes)


def solutions(
    matrix: Matrix,
    *,
    method: str = "auto",
    limit: Limit | None = None,
    progress: ProgressCallback | None = None,
    resume: object = None,
) -> Iterator[tuple[int, ...]]:
    """Iterate over the solutions, each a tuple of increasing option numbers."""
    check_method(method)
    work = Listing(matrix, method, resume)
    return drive_found(work, work.walk.take, limit=limit, progress=progress)


def solutions_array(
    matrix: Matrix,
    most: int | None = None,
    *,
    method: str = "auto",
    limit: Limit | None = None,
    progress: ProgressCallback | None = None,
) -> NDArray[np.int32]:
    """Return solutions as rows of increasing option numbers, then -1."""
    if most is not None:
        most = read_int(most, "solutions_array: most", 0)
    check_method(method)
    work = Listing(matrix, method)
    blocks: list[NDArray[np.int32]] = []
    rows = 0
    found = drive_found(work, lambda: (work.walk.take_array(),), limit=limit, progress=progress)
    for block in found:
        blocks.append(block if most is None else block[: most - rows])
        rows += len(blocks[-1])
        if rows == most:
            break
    return _stacked(blocks)


def _stacked(blocks: Sequence[NDArray[np.int32]]) -> NDArray[np.int32]:
    import numpy as np

    width = max((block.shape[1] for block in blocks), default=0)
    rows = np.full((sum(map(len, blocks)), width), -1, dtype=np.int32)
    at = 0
    for block in blocks:
        rows[at : at + len(block), : block.shape[1]] = block
        at += len(block)
    return rows
