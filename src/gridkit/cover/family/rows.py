"""Answers rows of given options: by one compiled search, or one problem after the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import accumulate, chain
from typing import NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from gridkit.cover.family import kernels
from gridkit.cover.matrix import Matrix
from gridkit.cover.search.listing import Seek
from gridkit.run import Run, Work
from gridkit.run.checkpoint import books_of
from gridkit.run.parallel import Order, Part, run_parts, spend

__all__ = ["Answers", "answer_rows", "forced"]

_ENGINE = "given options 1"
_MOST_PARTS, _LEAST_ROWS = 64, 64
# A visit copies the answers of its part: parts are small, so that this takes no time.
_MOST_ROWS = 4096
_UNLIMITED = (1 << 63) - 1

I32 = NDArray[np.int32]
I64 = NDArray[np.int64]

Answers = tuple[I64, I32]
"""How many covers each row has, and one cover each, -1 beyond its end."""


class _Wish(NamedTuple):
    """What is asked of every row: covers that end it, and whether one of them is kept."""

    most: int
    first: bool


def answer_rows(
    matrix: Matrix, given: I32, most: int | None, first: bool, run: Run, call: str
) -> Answers:
    """Count the covers of each row, up to `most`, or find one.

    Parameters
    ----------
    matrix : Matrix
    given : int32 array, shape (rows, width)
        Options that a cover has to hold, -1 for none.
    most : int or None
        Covers that end a row; None counts them all.
    first : bool
        Whether to keep a cover of each row.
    run : Run
        The call; a node is a row, or a choice.
    call : str
        Its name, for the token.
    """
    wish = _Wish(_UNLIMITED if most is None else most, first)
    parts = books_of(run, call, _ENGINE, lambda: _split(matrix, given, wish, run))
    answers = run_parts(_visit, (matrix, wish), parts, run, combine=_joined)
    return cast("Answers", answers)


def _split(matrix: Matrix, given: I32, wish: _Wish, run: Run) -> list[Part]:
    number = -(-len(given) // _MOST_ROWS)
    if run.executor is not None:
        number = max(number, min(_MOST_PARTS, len(given) // _LEAST_ROWS))
    number = run.parts or number
    parts = []
    for rows in np.array_split(given, max(1, min(number, len(given)))):
        nothing = np.zeros(len(rows), np.int64), _no_covers(matrix, len(rows), wish)
        parts.append(Part((rows, None), weight=len(rows), value=nothing))
    return parts


def _no_covers(matrix: Matrix, rows: int, wish: _Wish) -> I32:
    depth = _depth(matrix) if wish.first else 0
    return np.full((rows, depth), -1, dtype=np.int32)


def _depth(matrix: Matrix) -> int:
    """Return how many options a cover has at most: each takes its share of what can be covered."""
    shares = [sum(item < matrix.primary for item in option) for option in matrix.options]
    least = min(filter(None, shares), default=1)  # options without a primary item are not chosen
    return min(len(matrix.options), sum(matrix.high) // least)


def _joined(values: Sequence[object]) -> Answers:
    answers = cast("Sequence[Answers]", values)
    return np.concatenate([own[0] for own in answers]), np.concatenate([own[1] for own in answers])


def _visit(order: Order, problem: tuple[Matrix, _Wish], part: Part) -> Part:
    matrix, wish = problem
    rows, begun = cast("tuple[I32, object]", part.state)
    kind = _Compiled if matrix.plain and matrix.colors is None else _OneByOne
    after = spend(order, kind(matrix, _Wish(*wish), rows, begun), part)
    return replace(after, state=None if after.done else (rows, after.state))


class _Rows(Work):
    """Rows under way."""

    def __init__(self, matrix: Matrix, wish: _Wish, given: I32) -> None:
        self._matrix, self._wish, self._given = matrix, wish, given
        self._number: I64 = np.zeros(len(given), dtype=np.int64)
        self._first = _no_covers(matrix, len(given), wish)

    @property
    def found(self) -> int:
        """Rows answered."""
        return 0

    def fraction(self) -> float:
        """Return the part of the rows that is answered."""
        return self.found / max(1, len(self._given))

    def value(self) -> Answers:
        """Return the answers so far."""
        return self._number.copy(), self._first.copy()


class _Compiled(_Rows):
    """Rows of a problem in which each item is covered at most once, without colours."""

    def __init__(self, matrix: Matrix, wish: _Wish, given: I32, begun: object) -> None:
        super().__init__(matrix, wish, given)
        self._problem = _arrays(matrix)
        options, items = len(matrix.options), matrix.items
        self._control = np.zeros(kernels.CONTROL_SIZE, dtype=np.int64)
        self._control[kernels.MOST] = wish.most
        self._desk = kernels.Desk(
            left=np.zeros(self._problem.item_words[-1], dtype=np.uint64),
            count=np.zeros(items, dtype=np.int32),
            covered=np.zeros(items, dtype=np.uint8),
            chosen=np.zeros(options, dtype=np.uint8),
            trail=np.zeros(options + 1, dtype=np.int32),
            pending=np.zeros(items + 1, dtype=np.uint32),
            marks=np.zeros(items + 1, dtype=np.int32),
            choices=np.zeros(items + 1, dtype=np.int32),
        )
        if begun is not None:
            control, desk, (number, first) = cast(
                "tuple[I64, tuple[NDArray[np.uint8], ...], Answers]", begun
            )
            self._control = control.copy()
            arrays: list[NDArray[np.uint8]] = list(self._desk)  # type: ignore[arg-type]  # of ints
            for own, kept in zip(arrays, desk, strict=True):
                np.copyto(own, kept)
            self._number, self._first = number.copy(), first.copy()

    @property
    def nodes(self) -> int:
        """Rows begun, and choices."""
        return int(self._control[kernels.NODES])

    @property
    def found(self) -> int:
        """Rows answered."""
        return int(self._control[kernels.ROW])

    def memory(self) -> int:
        """Return the bytes of the answers."""
        return self._number.nbytes + self._first.nbytes + self._given.nbytes

    def token(self) -> object:
        """Return the state to go on from."""
        desk = tuple(array.copy() for array in self._desk)
        return self._control.copy(), desk, self.value()

    def advance(self, budget: int) -> bool:
        """Search on until the budget is spent or all rows are answered."""
        rows = kernels.Given(self._given, self._number, self._first)
        done = kernels.solve_rows(self._control, self._problem, self._desk, rows, budget)
        return bool(done)


@lru_cache(maxsize=8)
def _arrays(matrix: Matrix) -> kernels.Problem:
    """Return a problem as arrays."""
    items = matrix.items
    ends = np.array([0, *accumulate(map(len, matrix.options))])
    held = np.array(list(chain.from_iterable(matrix.options)), dtype=np.int64)
    options = np.repeat(np.arange(len(matrix.options)), np.diff(ends))
    sizes = np.bincount(held, minlength=items)
    words = np.concatenate(([0], np.cumsum((sizes + 63) // 64)))
    order = np.argsort(held, kind="stable")  # by item, then by option
    place = np.arange(len(held)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    slots = np.empty(len(held), dtype=np.int64)
    slots[order] = 64 * words[held[order]] + place
    slot_options = np.zeros(64 * int(words[-1]), dtype=np.int64)
    slot_options[slots] = options
    primary = np.zeros(items, dtype=np.uint8)
    primary[: matrix.primary] = [least > 0 for least in matrix.low]
    return kernels.Problem(
        option_ends=ends.astype(np.uint32),
        option_items=held.astype(np.uint32),
        option_slots=slots.astype(np.uint32),
        item_words=words.astype(np.uint32),
        slot_options=slot_options.astype(np.uint32),
        primary=primary,
        never=np.array([_is_never_chosen(matrix, option) for option in matrix.options], np.uint8),
    )


def _is_never_chosen(matrix: Matrix, option: Sequence[int]) -> bool:
    """Whether an option holds no primary item, or one that is not to be covered."""
    demanded = [item for item in option if item < matrix.primary]
    return not demanded or any(matrix.high[item] == 0 for item in demanded)


class _OneByOne(_Rows):
    """Rows of any problem, each made a problem of its own."""

    def __init__(self, matrix: Matrix, wish: _Wish, given: I32, begun: object) -> None:
        super().__init__(matrix, wish, given)
        self._row, self._spent = 0, 0
        self._search: Seek | None = None
        if begun is not None:
            self._row, self._spent, (number, first), inner = cast(
                "tuple[int, int, Answers, object]", begun
            )
            self._number, self._first = number.copy(), first.copy()
            if inner is not None:
                self._search = self._seek(inner)

    @property
    def nodes(self) -> int:
        """Nodes of the searches, and one for each row."""
        return self._spent + (0 if self._search is None else self._search.nodes)

    @property
    def found(self) -> int:
        """Rows answered."""
        return self._row

    def token(self) -> object:
        """Return the answers so far, and the search under way."""
        inner = None if self._search is None else self._search.token()
        return self._row, self._spent, self.value(), inner

    def advance(self, budget: int) -> bool:
        """Search on until the budget is spent or all rows are answered."""
        end = self.nodes + budget
        while self._row < len(self._given) and self.nodes < end:
            search = self._search
            if search is None:
                options = self._matrix.options
                if any(_is_never_chosen(self._matrix, options[option]) for option in self._now()):
                    self._next_row()
                else:
                    self._search = self._seek()
                continue
            done = search.advance(end - self.nodes)
            self._number[self._row] = min(search.found, self._wish.most)
            if self._wish.first and search.solutions and self._first[self._row, 0] < 0:
                cover = search.solutions[0]
                self._first[self._row, : len(cover)] = cover
            search.solutions.clear()
            if not done:
                break
            self._next_row()
        return self._row == len(self._given)

    def _now(self) -> list[int]:
        """Return the options of the row under way."""
        return [option for option in self._given[self._row].tolist() if option >= 0]

    def _seek(self, state: object = None) -> Seek:
        problem = forced(self._matrix, self._now())
        return Seek(problem, "auto", self._wish.most, Run(), state)

    def _next_row(self) -> None:
        self._spent, self._search = self.nodes + 1, None
        self._row += 1


def forced(matrix: Matrix, given: Sequence[int]) -> Matrix:
    """Return a problem whose covers are those that hold some options: each has an own item.

    Examples
    --------
    >>> forced(Matrix(((0,), (0, 1), (1,)), 2, (1, 1), (1, 1)), [0]).options
    ((0, 2), (0, 1), (1,))
    """
    own = {option: matrix.primary + place for place, option in enumerate(dict.fromkeys(given))}
    more, border = len(own), matrix.primary
    options: list[tuple[int, ...]] = []
    colors: list[tuple[int, ...]] = []
    amounts: list[tuple[int, ...]] = []
    for number, items in enumerate(matrix.options):
        at = sum(item < border for item in items)
        extra = (own[number],) if number in own else ()
        options.append((*items[:at], *extra, *(item + more for item in items[at:])))
        for told, rows, plain in ((matrix.colors, colors, 0), (matrix.amounts, amounts, 1)):
            if told is not None:
                values = told[number]
                rows.append((*values[:at], *((plain,) * len(extra)), *values[at:]))
    ones = (1,) * more
    return Matrix(
        tuple(options), border + more, matrix.low + ones, matrix.high + ones,
        tuple(colors) if matrix.colors is not None else None,
        tuple(amounts) if matrix.amounts is not None else None,
    )  # fmt: skip
