"""Shortest plans for many boards: through an executor, with checkpoints, nothing lost."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from os import PathLike
from typing import NamedTuple, cast

import numpy as np

from gridkit.errors import GridkitError, InputError, RowError
from gridkit.reading import read_bool
from gridkit.run import Limit, ProgressCallback, Run, Work
from gridkit.run.checkpoint import books_of
from gridkit.run.limits import Tier
from gridkit.run.parallel import Order, Part, run_parts
from gridkit.sliding.many.asking import asked_count, asked_plan
from gridkit.sliding.many.boards import BlockBoards, Boards, TileBoards, boards_of
from gridkit.sliding.many.labelled import (
    I16,
    REFUSED,
    Columns,
    SolvedBoards,
    empty_columns,
    packed,
)
from gridkit.sliding.many.visits import BoardWork, RowWork, rows_part, visit_rows
from gridkit.sliding.npuzzle.search import check_options

__all__ = ["solve_many"]

_ENGINE = "boards 1"
_MOST_PARTS, _LEAST_BOARDS = 256, 16
_METRICS = {"tiles": ("step", "push"), "blocks": ("step", "slide", "move")}


class _Wish(NamedTuple):
    """What is asked of every board."""

    metrics: tuple[str, ...]
    tables: str
    plans: bool
    counts: bool


def solve_many(
    boards: TileBoards | BlockBoards,
    *,
    metric: str | Sequence[str] = "step",
    tables: str = "auto",
    plans: bool = False,
    counts: bool = False,
    limit: Limit | None = None,
    progress: ProgressCallback | None = None,
    executor: Executor | None = None,
    parts: int | None = None,
    checkpoint: str | PathLike[str] | None = None,
    resume: object = None,
) -> SolvedBoards:
    """Return the optimum length, and more, of many boards.

    Parameters
    ----------
    boards : TileBoards or BlockBoards
    metric : str or sequence of str
        "step" or "push" for tiles; "step", "slide" or "move" for blocks; several give a column of
        lengths each.
    tables : str
        What guides the search for tiles, as in `NPuzzle.solve`.
    plans : bool
        Whether to keep a shortest plan of each board in the first metric.
    counts : bool
        Whether to count the shortest plans in the first metric, which explores the whole space of
        every board of blocks; for tiles in steps only.
    limit : Limit, optional
        A node is a state; ``memory`` is that of one worker.
    progress : callable, optional
        Called with a `Progress`; ``found`` counts the boards answered.
    executor : concurrent.futures.Executor, optional
        Solves parts of the boards side by side, in threads or processes.
    parts : int, optional
        Into how many parts to cut the boards (up to 256 when left out).
    checkpoint : path, optional
        A file that keeps the answers of the parts, from which a killed call goes on.
    resume : object, optional
        The token of a `LimitReached` or `Interrupted` of the same call; the board under way begins
        anew.

    Returns
    -------
    SolvedBoards
        The same whatever the executor, the parts and the interruptions.

    Raises
    ------
    RowError
        When some boards are no puzzles, once all others are answered: it names the first, and has
        all answers in ``.partial``.
    LimitReached, Interrupted
        With the `SolvedBoards` so far in ``partial.value``.

    Notes
    -----
    Each answer is that of the single call (`SlidingPuzzle.solve`, `NPuzzle.distance`); pattern
    tables are loaded once.

    Examples
    --------
    >>> import gridkit as gk
    >>> boards = gk.sliding.BlockBoards.rush_hour(["BCDDE.BCF.EGB.FAAGHHHI.G..JIKKLLJMM."])
    >>> gk.sliding.solve_many(boards, metric=["slide", "step"]).lengths.tolist()
    [[51, 83]]
    """
    with Run(
        limit=limit, progress=progress, executor=executor, parts=parts, checkpoint=checkpoint,
        resume=resume,
    ) as run:  # fmt: skip
        wish = _checked(boards, metric, tables, plans, counts)
        call = _name(boards, wish)
        ledger = books_of(run, call, _ENGINE, lambda: _split(boards, wish, run))

        def combine(values: list[object]) -> SolvedBoards:
            return _joined(boards, wish, values)

        run.nothing = combine([empty_columns(len(boards), len(wish.metrics))])
        answers = run_parts(_visit, wish, ledger, run, combine=combine)
        assert isinstance(answers, SolvedBoards)
        refused = np.flatnonzero((answers.lengths == REFUSED).any(axis=1))
        if len(refused):
            raise _refusal(boards, int(refused[0]), answers)
        return answers


def _checked(
    boards: object, metric: object, tables: object, plans: object, counts: object
) -> _Wish:
    """Return the options of a call, checked."""
    if not isinstance(boards, TileBoards | BlockBoards):
        raise InputError(
            f"solve_many: expected TileBoards or BlockBoards, got {type(boards).__name__}"
        )
    kind = "tiles" if isinstance(boards, TileBoards) else "blocks"
    names = (metric,) if isinstance(metric, str) else metric
    known = _METRICS[kind]
    if not isinstance(names, Sequence) or not names or not all(name in known for name in names):
        raise InputError(f"solve_many: expected a metric of {known}, or several, got {metric!r}")
    metrics = tuple(str(name) for name in names)
    if len(set(metrics)) < len(metrics):
        raise InputError(f"solve_many: a metric is named twice in {metric!r}")
    if not isinstance(tables, str):
        raise InputError(f"solve_many: expected tables such as 'auto', got {tables!r}")
    wish = _Wish(
        metrics, tables, read_bool(plans, "solve_many: plans"),
        read_bool(counts, "solve_many: counts"),
    )  # fmt: skip
    if kind == "tiles":
        if wish.counts and metrics[0] != "step":
            raise InputError("solve_many: shortest plans of tiles are counted in steps only")
        rows, cols = boards.array.shape[1:]
        check_options(tables, "step", rows * cols - 1)
    elif tables != "auto":
        raise InputError(f"solve_many: tables are for tiles, got {tables!r} with blocks")
    return wish


def _joined(boards: Boards, wish: _Wish, values: Sequence[object]) -> SolvedBoards:
    """Join the columns of parts, given in order."""
    columns = [cast("Columns", value) for value in values]
    lengths = np.concatenate([own[0] for own in columns])
    states = np.concatenate([own[1] for own in columns])
    indptr = moves = None
    if wish.plans:
        per_board = np.concatenate([own[3] for own in columns])
        indptr = np.concatenate(([0], np.cumsum(per_board))).astype(np.int64)
        moves = np.concatenate([own[4] for own in columns])
    counts = tuple(count for own in columns for count in own[2]) if wish.counts else None
    for array in (lengths, states, indptr, moves):
        if array is not None:
            array.flags.writeable = False
    return SolvedBoards(boards, wish.metrics, lengths, states, counts, indptr, moves)


def _refusal(boards: Boards, row: int, answers: SolvedBoards) -> RowError:
    try:
        boards.puzzle(row)
        message = "is no puzzle"
    except GridkitError as error:
        message = str(error)
    return RowError(f"solve_many: board {row}: {message}", row, answers)


def _name(boards: Boards, wish: _Wish) -> str:
    """Return the name of a call, by a digest of its boards."""
    digest = hashlib.sha256(repr((wish, boards.array.shape)).encode())
    for fact in boards.facts():
        digest.update(fact.tobytes() if isinstance(fact, np.ndarray) else repr(fact).encode())
    return f"solve_many {digest.hexdigest()[:16]}"


def _split(boards: Boards, wish: _Wish, run: Run) -> list[Part]:
    number = run.parts or max(1, min(_MOST_PARTS, len(boards) // _LEAST_BOARDS))
    parts = []
    shares = np.array_split(np.arange(len(boards)), max(1, min(len(boards), number)))
    for place, rows in enumerate(shares):
        own = boards.taken(rows)
        nothing = empty_columns(len(own), len(wish.metrics))
        parts.append(rows_part(place, own.facts(), len(own), nothing))
    return parts


def _visit(order: Order, wish: _Wish, part: Part) -> Part:
    def begin(facts: object, begun: object) -> RowWork:
        return _Solving(boards_of(facts), _Wish(*wish), order.tier, begun)

    return visit_rows(order, part, begin)


class _Solving(BoardWork):
    """Solves boards one after the other."""

    def __init__(self, boards: Boards, wish: _Wish, tier: Tier, begun: object = None) -> None:
        self._boards, self._wish, self._tier = boards, wish, tier
        super().__init__(len(boards))
        lengths, states, counts, sizes, moves = empty_columns(len(boards), len(wish.metrics))
        self._counts, self._moves = list(counts), [moves]
        if begun is not None:
            self.row, self.spent, columns = cast("tuple[int, int, Columns]", begun)
            lengths, states, counts, sizes, moves = columns
            lengths, states, sizes = lengths.copy(), states.copy(), sizes.copy()
            self._counts, self._moves = list(counts), [moves]
        self._lengths, self._states, self._sizes = lengths, states, sizes
        self._questions: list[Callable[[], _Open]] = []
        self._open: _Open | None = None
        self._results = _Results(0)

    @property
    def nodes(self) -> int:
        """States expanded, and one for each board."""
        return self.spent + (0 if self._open is None else self._open.nodes)

    def memory(self) -> int:
        """Return the bytes of the search under way and of the answers."""
        inner = 0 if self._open is None or self._open.work is None else self._open.work.memory()
        return (
            inner
            + self._lengths.nbytes
            + self._states.nbytes
            + sum(moves.nbytes for moves in self._moves)
        )

    def value(self) -> Columns:
        """Return the columns so far; moves are those of the boards answered."""
        moves = np.concatenate(self._moves)
        counts = tuple(self._counts)
        return self._lengths.copy(), self._states.copy(), counts, self._sizes.copy(), moves

    def token(self) -> tuple[int, int, Columns]:
        """Return the answers; the board under way begins anew."""
        return self.row, self.spent, self.value()

    def advance(self, budget: int) -> bool:
        """Go on with the board under way and those after it."""
        end = self.nodes + budget
        while self.nodes < end:
            if self._open is None and not self._begin():
                return True
            question = self._open
            assert question is not None
            before = question.nodes
            if question.work is None or question.work.advance(end - self.nodes):
                self._close(question)
            elif question.nodes == before:
                break  # these states had many children
        return False

    def _begin(self) -> bool:
        """Open the next question; return False when there is none."""
        if not self._questions:
            if self.row == len(self._boards):
                return False
            self._questions = self._asked()
        self._open = self._questions.pop()()
        return True

    def _asked(self) -> list[Callable[[], _Open]]:
        """Return the questions of the next board, the last one first."""
        wish, row = self._wish, self.row
        self._results = results = _Results(len(wish.metrics))
        try:
            puzzle = self._boards.puzzle(row)
        except GridkitError:
            results.lengths = [REFUSED] * len(wish.metrics)
            return [lambda: _Open(None, lambda: self._enter(results))]

        def plan(column: int) -> _Open:
            asked = asked_plan(puzzle, wish.metrics[column], wish.tables, self._tier)

            def read() -> None:
                answer = asked.answer()
                results.lengths[column] = answer.length
                if column == 0 and wish.plans:
                    results.moves = packed(answer.steps, puzzle.cols)

            return _Open(asked.work, read)

        def count() -> _Open:
            work, number = asked_count(puzzle, wish.metrics[0], wish.tables)

            def read() -> None:
                results.count = number()

            return _Open(work, read)

        def last() -> _Open:
            return _Open(None, lambda: self._enter(results))

        questions: list[Callable[[], _Open]] = [last]
        if wish.counts:
            questions.append(count)
        for column in reversed(range(len(wish.metrics))):
            questions.append(lambda column=column: plan(column))  # type: ignore[misc]  # bound now
        return questions

    def _close(self, question: _Open) -> None:
        """Read the answer of a question."""
        self.spent += question.nodes
        self._results.states += question.nodes
        self._open = None
        question.read()

    def _enter(self, results: _Results) -> None:
        """Enter the answers of a board, which is a node of its own."""
        row = self.row
        self._lengths[row] = results.lengths
        self._states[row] = results.states
        self._counts[row] = results.count
        self._sizes[row] = len(results.moves)
        self._moves.append(results.moves)
        self.spent += 1
        self.row += 1


class _Open(NamedTuple):
    """A question under way."""

    work: Work | None
    read: Callable[[], None]

    @property
    def nodes(self) -> int:
        return 0 if self.work is None else self.work.nodes


class _Results:
    """The answers of one board, as they come."""

    def __init__(self, metrics: int) -> None:
        self.lengths = [0] * metrics
        self.count = self.states = 0
        self.moves: I16 = np.empty(0, dtype=np.int16)
