"""Work to try the run contract on: counting queens, resumable, in parts, obviously right."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from gridkit.errors import Interrupted, LimitReached
from gridkit.run import Limit, ProgressCallback, Run, Token, Work
from gridkit.run.parallel import Order, Part, run_parts, spend

__all__ = [
    "SOLUTIONS",
    "CompiledQueens",
    "Endless",
    "Queens",
    "count_queens",
    "drive",
    "drive_found",
    "parts_of_queens",
    "placements",
    "state_of",
    "total",
    "visit_compiled_queens",
    "visit_queens",
]

# OEIS A000170.
SOLUTIONS = {1: 1, 4: 2, 5: 10, 6: 4, 7: 40, 8: 92, 9: 352, 10: 724, 11: 2680, 12: 14200}

T = TypeVar("T")
State = tuple[tuple[int, ...], ...]


def named(limit: Limit | None = None, progress: ProgressCallback | None = None) -> Run:
    """Make the run of a call whose tokens are those of queens."""
    run = Run(limit=limit, progress=progress)
    run.resumed("queens", "queens 1")
    return run


def drive(
    work: Work, *, limit: Limit | None = None, progress: ProgressCallback | None = None
) -> None:
    """Drive work as a call of its own."""
    named(limit, progress).drive(work)


def drive_found(
    work: Work, take: Callable[[], Iterable[T]], *, limit: Limit | None = None
) -> Iterator[T]:
    """Drive work as a call of its own and yield what it finds."""
    return named(limit).drive_found(work, take)


def state_of(cut: LimitReached | Interrupted) -> State:
    """Return the state in the token of a call cut short, pickled and back."""
    assert isinstance(cut.token, Token)
    data: State = pickle.loads(pickle.dumps(cut.token)).data
    return data


def placements(size: int, above: tuple[int, ...] = ()) -> int:
    """Count by trying every column in every row."""
    row = len(above)
    if row == size:
        return 1
    safe = (
        column
        for column in range(size)
        if all(column != c and abs(column - c) != row - r for r, c in enumerate(above))
    )
    return sum(placements(size, (*above, column)) for column in safe)


class Queens(Work):
    """Counts the ways to complete the rows below `above`, in plain Python.

    A row holds: columns to try, columns tried or to try, and the columns, left and right diagonals
    taken by the rows above.
    """

    nodes = found = 0

    def __init__(self, size: int, above: tuple[int, ...] = (), resume: State | None = None) -> None:
        self.size = size
        if resume is not None:
            (self.row, self.nodes, self.found, self.top), *rows = resume
            self.rows = [list(row) for row in rows]
            return
        self.rows = [[0] * 5 for _ in range(size)]
        self.row = self.top = len(above)
        self.nodes = self.found = 0
        columns = left = right = 0
        for column in above:
            columns, left, right = self._below(1 << column, columns, left, right)
        self._open(columns, left, right)

    def _below(self, bit: int, columns: int, left: int, right: int) -> tuple[int, int, int]:
        return columns | bit, ((left | bit) << 1) & ((1 << self.size) - 1), (right | bit) >> 1

    def _open(self, columns: int, left: int, right: int) -> None:
        free = ((1 << self.size) - 1) & ~(columns | left | right)
        self.rows[self.row] = [free, free, columns, left, right]

    def value(self) -> int:
        return self.found

    def memory(self) -> int:
        return 40 * self.size

    def fraction(self) -> float:
        fraction, share = 0.0, 1.0
        for depth in range(self.top, self.row + 1):
            free, whole = self.rows[depth][:2]
            if not whole:
                return fraction + share
            share /= whole.bit_count()
            # A row above the current one has its last choice in work, not done.
            fraction += share * ((whole ^ free).bit_count() - (depth < self.row))
        return fraction

    def advance(self, budget: int) -> bool:
        last = self.nodes + budget
        while self.row >= self.top and self.nodes < last:
            free, _, columns, left, right = self.rows[self.row]
            if not free:
                self.row -= 1
                continue
            self.nodes += 1
            bit = free & -free
            self.rows[self.row][0] = free ^ bit
            if self.row == self.size - 1:
                self.found += 1
                continue
            self.row += 1
            self._open(*self._below(bit, columns, left, right))
        return self.row < self.top

    def token(self) -> State:
        return ((self.row, self.nodes, self.found, self.top), *map(tuple, self.rows))


class CompiledQueens(Queens):
    """The same, by a kernel."""

    def advance(self, budget: int) -> bool:
        import numpy as np

        from programs.run_kernels import queens

        rows = np.array(self.rows, dtype=np.int64)
        counters = np.array([self.row, self.nodes, self.found, self.top], dtype=np.int64)
        done = bool(queens(self.size, rows, counters, budget))
        self.rows = rows.tolist()
        self.row, self.nodes, self.found, _ = counters.tolist()
        return done


class Endless(Work):
    """Work that never ends: a node is nothing."""

    nodes = 0

    def memory(self) -> int:
        return self.nodes

    def fraction(self) -> float:
        return 1 - 1 / (self.nodes + 1)

    def advance(self, budget: int) -> bool:
        self.nodes += budget
        return False


def visit_queens(order: Order, size: int, part: Part) -> Part:
    state = part.state
    assert isinstance(state, tuple)
    if state and isinstance(state[0], tuple):
        return spend(order, Queens(size, resume=state), part)
    return spend(order, Queens(size, state), part)


def visit_compiled_queens(order: Order, size: int, part: Part) -> Part:
    state = part.state
    assert isinstance(state, tuple)
    if state and isinstance(state[0], tuple):
        return spend(order, CompiledQueens(size, resume=state), part)
    return spend(order, CompiledQueens(size, state), part)


def parts_of_queens(size: int) -> list[Part]:
    """One part for every column of the first two rows, taking squares too."""
    pairs = ((a, b) for a in range(size) for b in range(size) if abs(a - b) > 1)
    return [Part(state=pair) for pair in pairs]


def total(values: list[object]) -> int:
    return sum(value for value in values if isinstance(value, int))


def count_queens(
    size: int,
    *,
    executor: object = None,
    limit: Limit | None = None,
    progress: ProgressCallback | None = None,
    split: Callable[[int], list[Part]] = parts_of_queens,
    ledger: object = None,
    visit: Callable[[Order, int, Part], Part] = visit_queens,
) -> int:
    books = split(size) if ledger is None else ledger
    run = Run(limit=limit, progress=progress, executor=executor)  # type: ignore[arg-type]  # wrong ones are tried as well
    run.resumed("queens", "queens in parts 1")
    result = run_parts(visit, size, books, run, combine=total)  # type: ignore[arg-type]  # as above
    assert isinstance(result, int)
    return result
