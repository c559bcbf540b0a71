"""Many games at once: arrays in, outcomes and rounds out."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gridkit.errors import InputError, Interrupted, LimitReached, Token
from gridkit.run import Limit, ProgressCallback, Run, Work
from gridkit.run.parallel import Order, Part, run_parts, spend
from gridkit.stacking.game import StackingGame, checked_rounds
from gridkit.stacking.rules import StackingRules

if TYPE_CHECKING:
    from gridkit.stacking.arrays import Arrays

__all__ = ["pack", "play_many"]

Integers = NDArray[np.integer[Any]]
Words = NDArray[np.int64]
_BLOCK = 4096  # games converted and played at a time
_MOST_PARTS, _LEAST_GAMES = 64, 256
_UNDECIDED = -1
_ENGINE = "batch 1"


@dataclass(frozen=True)
class _State:
    """A batch cut short: what is decided, and the kernel's arrays of the game under way."""

    outcome: NDArray[np.int8]
    ended: Words
    arrays: Arrays | None = None
    desk: Words | None = None


def play_many(
    cells: ArrayLike,
    pieces: ArrayLike,
    rules: StackingRules | None = None,
    max_rounds: int | None = 1000,
    *,
    limit: Limit | None = None,
    progress: ProgressCallback | None = None,
    executor: Executor | None = None,
    parts: int | None = None,
    resume: object = None,
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Play many games under the same rules, at compiled speed.

    Parameters
    ----------
    cells : array_like of int, shape (games, rows, cols)
        Cell codes, of any integer type.
    pieces : array_like of int, shape (games, pieces, 3)
        Row, column and direction of each piece, as in `StackingGame`.  Of several pieces on one
        cell an earlier one lies below a later one.
    rules : StackingRules, optional
        Those of New Game 2 when left out.
    max_rounds : int or None
        The last round to play; None decides every game.
    limit : Limit, optional
        ``nodes`` counts rounds, of all games together; ``memory`` is that of one worker.
    progress : callable, optional
        Called with a `Progress`; ``found`` counts the games decided.
    executor : concurrent.futures.Executor, optional
        Plays parts of the batch side by side; threads do (the kernel releases the GIL).
    parts : int, optional
        Into how many parts an executor's work is cut (by default up to 64).
    resume : object, optional
        The token of a `LimitReached` or `Interrupted` that a call with the same games raised.

    Returns
    -------
    outcome : ndarray of int64, shape (games,)
        0 STOPPED, 1 ROUND_LIMIT, 2 NEVER, exactly as `StackingGame.play` would say.
    round : ndarray of int64, shape (games,)
        The round of the stop; `max_rounds` for ROUND_LIMIT; -1 for NEVER.

    Raises
    ------
    InputError
        For arrays of other shapes or types, unknown codes, pieces outside their board.
    UnsupportedError
        For rules with a callable effect, or with a schedule left to the caller.
    LimitReached, Interrupted
        With ``partial.value`` the pair of arrays so far, outcome -1 where a game is undecided.

    Notes
    -----
    Games of different sizes go into one array by padding: fill a smaller board up with cells that
    act as the border does (a blocking code where the border blocks, a sinking one where it sinks;
    a board that wraps cannot be padded), and missing pieces with rows of (-1, -1, -1).  `pack`
    does that.

    Stacks are linked lists in arrays.  The states of a game's first rounds are looked up in a
    hash table, later ones compared with marks after Brent (1980).

    Complexity: O(pieces) a round; memory 1 KB a piece and one converted block of games.

    Examples
    --------
    >>> import numpy as np
    >>> cells = np.zeros((2, 4, 4), dtype=np.int8)
    >>> pieces = [[(0, c, 0) for c in range(4)], [(r, 0, 0) for r in range(4)]]
    >>> outcome, rounds = play_many(cells, pieces)
    >>> outcome.tolist(), rounds.tolist()
    ([0, 2], [1, -1])
    """
    with Run(limit=limit, progress=progress, executor=executor, parts=parts, resume=resume) as run:
        rules = StackingRules() if rules is None else rules
        if not isinstance(rules, StackingRules):
            raise InputError(f"expected StackingRules, got {type(rules).__name__}")
        last = checked_rounds(max_rounds)
        boards, placed = _checked(cells, pieces, rules)
        run.nothing = np.full(len(boards), _UNDECIDED), np.zeros(len(boards), np.int64)
        state = None
        if resume is not None:
            state = run.resumed(_call(boards, placed, rules, last), _ENGINE)
        work = _Batch(boards, placed, rules, last, cast("_State | None", state))
        try:
            if run.in_parts and work.waiting.size:
                return _share_out(work, run)
            run.drive(work)
        except (LimitReached, Interrupted) as cut:
            # Only here, since the name of the call is a digest of all games.
            data = cut.token.data if isinstance(cut.token, Token) else cut.token
            if not isinstance(data, _State):  # played in parts
                data = _state_of(cut.partial.value)
            token = Token(_call(boards, placed, rules, last), _ENGINE, data)
            if isinstance(cut, Interrupted):
                raise Interrupted(cut.partial, token) from None
            raise LimitReached(cut.reason, cut.partial, token) from None
        return work.value()


def pack(games: Sequence[StackingGame]) -> tuple[NDArray[np.int8], NDArray[np.int32]]:
    """Return the arrays (cells, pieces) that `play_many` takes, smaller games padded.

    Parameters
    ----------
    games : sequence of StackingGame
        All under the same rules.

    Raises
    ------
    InputError
        When the rules differ, when a smaller board has no code to be padded with (or wraps), or
        when pieces that share a cell are not stacked in the order of their numbers.

    Examples
    --------
    >>> small = StackingGame([[0]], [(0, 0, 0)])
    >>> large = StackingGame([[0, 1]], [(0, 0, 0), (0, 1, 1)])
    >>> cells, pieces = pack([small, large])
    >>> cells.tolist(), pieces[0].tolist()
    ([[[0, 2]], [[0, 1]]], [[0, 0, 0], [-1, -1, -1]])
    """
    games = list(games)
    if not games:
        return np.zeros((0, 1, 1), np.int8), np.zeros((0, 0, 3), np.int32)
    rules = games[0].rules
    shapes = {(game.rows, game.cols) for game in games}
    rows, cols = max(r for r, _ in shapes), max(c for _, c in shapes)
    *by_code, border = rules.flags()
    fill = by_code.index(border) if border in by_code else -1
    if len(shapes) > 1 and (fill < 0 or rules.border == "wrap"):
        raise InputError(f"boards of different sizes need a code that acts as the border does "
                         f"({rules.border!r}) to be padded with")  # fmt: skip
    cells = np.full((len(games), rows, cols), max(fill, 0), dtype=np.int8)
    pieces = np.full((len(games), max(len(g.pieces) for g in games), 3), -1, dtype=np.int32)
    for number, game in enumerate(games):
        if game.rules != rules:
            raise InputError(f"game {number} has other rules than game 0")
        if game != StackingGame(game.cells, game.pieces, rules):
            raise InputError(f"game {number}: its stacks are not in the order of the numbers")
        cells[number, : game.rows, : game.cols] = game.cells
        if game.pieces:
            pieces[number, : len(game.pieces)] = game.pieces
    return cells, pieces


def _call(cells: Integers, pieces: Integers, rules: StackingRules, last: int | None) -> str:
    """Return the name of a call, by a digest of its games."""
    digest = hashlib.sha256(repr((rules, last)).encode())
    for array in (cells, pieces):
        digest.update(repr(array.shape).encode())
        for first in range(0, len(array), _BLOCK):
            digest.update(array[first : first + _BLOCK].astype(np.int64).tobytes())
    return f"play_many {digest.hexdigest()[:16]}"


def _state_of(value: object) -> _State:
    """Return the state of a batch of which no game is under way."""
    outcome, ended = cast("tuple[Words, Words]", value)
    return _State(outcome.astype(np.int8), ended)


class _Batch(Work):
    """Plays games one after another; undecided games have outcome -1."""

    found = 0

    def __init__(
        self,
        cells: Integers,
        pieces: Integers,
        rules: StackingRules,
        last: int | None,
        state: _State | None = None,
    ) -> None:
        from gridkit.stacking.arrays import ENDLESS, make_arrays
        from gridkit.stacking.kernels import games as kernels  # both load numba

        self._kernels = kernels
        self._last_round = ENDLESS if last is None else min(last, ENDLESS)
        self.cells, self.pieces, self.rules, self.last = cells, pieces, rules, last
        games, rows, cols = cells.shape
        self._arrays = make_arrays(rules, rows, cols, pieces.shape[1], last)
        self._desk = np.zeros(kernels.DESK_SIZE, dtype=np.int64)
        self._block: tuple[NDArray[np.int8], NDArray[np.int32]] | None = None
        self._next = 0  # first game in self.waiting that is not in a finished block
        self.outcome = np.full(games, _UNDECIDED, dtype=np.int8)
        self.ended = np.zeros(games, dtype=np.int64)
        if state is not None:
            self.outcome, self.ended = state.outcome.copy(), state.ended.copy()
            if state.arrays is not None and state.desk is not None:
                # The game under way is the first one waiting.
                self._arrays = state.arrays.copy()
                self._desk = state.desk.copy()
                self._desk[kernels.GAME] = 0
        self.waiting = np.flatnonzero(self.outcome == _UNDECIDED)
        self.found = games - len(self.waiting)

    @property
    def nodes(self) -> int:
        return int(self._desk[self._kernels.NODES])

    def fraction(self) -> float:
        return float(self.found / max(1, len(self.outcome)))

    def memory(self) -> int:
        block = sum(array.nbytes for array in self._block or ())
        return self._arrays.nbytes() + block + self.outcome.nbytes + self.ended.nbytes

    def value(self) -> tuple[Words, Words]:
        self._store()
        return self.outcome.astype(np.int64), self.ended.copy()

    def token(self) -> _State:
        self._store()
        arrays, desk = self._arrays.copy(), self._desk.copy()
        return _State(self.outcome.copy(), self.ended.copy(), arrays, desk)

    def advance(self, budget: int) -> bool:
        kernels = self._kernels
        if self._block is None:
            if self._next == len(self.waiting):
                return True
            self._load()
        assert self._block is not None
        codes, pieces = self._block
        with np.errstate(over="ignore"):  # the hash wraps round, which plain numpy would report
            games = kernels.Games(codes, pieces, self._outcome, self._ended)
            done = kernels.play_batch(self._arrays, games, self._desk, self._last_round, budget)
        self.found = (
            len(self.outcome) - len(self.waiting) + self._next + int(self._desk[kernels.GAME])
        )
        if done:
            self._store()
            self._next += len(codes)
            self._desk[[kernels.GAME, kernels.PHASE]] = 0
            self._block = None
        return done and self._next == len(self.waiting)

    def _load(self) -> None:
        """Convert the next games for the kernel."""
        chosen = self.waiting[self._next : self._next + _BLOCK]
        self._block = (
            np.ascontiguousarray(self.cells[chosen], dtype=np.int8),
            np.ascontiguousarray(self.pieces[chosen], dtype=np.int32),
        )
        self._outcome = np.full(len(chosen), _UNDECIDED, dtype=np.int8)
        self._ended = np.zeros(len(chosen), dtype=np.int64)

    def _store(self) -> None:
        """Copy what the block in hand has decided."""
        if self._block is not None:
            chosen = self.waiting[self._next : self._next + len(self._outcome)]
            self.outcome[chosen] = self._outcome
            self.ended[chosen] = self._ended


# -- executors ---------------------------------------------------------------------------------


def _visit(order: Order, problem: tuple[StackingRules, int | None], part: Part) -> Part:
    """Play on some of the games in a worker."""
    cells, pieces, state = cast("tuple[Integers, Integers, _State | None]", part.state)
    visited = spend(order, _Batch(cells, pieces, *problem, state), part)
    return replace(visited, state=None if visited.done else (cells, pieces, visited.state))


def _share_out(work: _Batch, run: Run) -> tuple[Words, Words]:
    """Play the waiting games in parts."""
    games = work.waiting
    count = run.parts or max(1, min(_MOST_PARTS, len(games) // _LEAST_GAMES))
    shares = np.array_split(games, min(len(games), count))

    def combine(values: list[object]) -> tuple[Words, Words]:
        outcome, ended = work.outcome.astype(np.int64), work.ended.copy()
        for share, value in zip(shares, values, strict=True):
            outcome[share], ended[share] = cast("tuple[Words, Words]", value)
        return outcome, ended

    ledger = [
        Part(
            (work.cells[share], work.pieces[share], None),
            weight=len(share),
            value=(np.full(len(share), _UNDECIDED), np.zeros(len(share), dtype=np.int64)),
        )
        for share in shares
    ]
    result = run_parts(_visit, (work.rules, work.last), ledger, run, combine=combine)
    return cast("tuple[Words, Words]", result)


# -- checking ----------------------------------------------------------------------------------


def _checked(
    cells: ArrayLike, pieces: ArrayLike, rules: StackingRules
) -> tuple[Integers, Integers]:
    boards = _integers(cells, "cells", "(games, rows, cols)")
    placed = _integers(pieces, "pieces", "(games, pieces, 3)")
    if boards.shape[1] == 0 or boards.shape[2] == 0:
        raise InputError(f"cells: expected boards of at least one cell, got shape {boards.shape}")
    if placed.shape[2] != 3:
        raise InputError(f"pieces: expected shape (games, pieces, 3), got {placed.shape}")
    if len(boards) != len(placed):
        raise InputError(f"cells has {len(boards)} games, pieces has {len(placed)}")
    known = len(rules.effects)
    where = _first_outside(boards, 0, known)
    if where is not None:
        raise InputError(
            f"cells{list(where)}: unknown code {boards[where]} (these rules know 0 to {known - 1})"
        )
    absent = None
    if placed.size and placed.min() < 0:
        absent = (placed == -1).all(axis=2)
    bounds = (("row", boards.shape[1]), ("column", boards.shape[2]), ("direction", 4))
    for axis, (name, end) in enumerate(bounds):
        values = placed[:, :, axis]
        where = _first_outside(values, 0, end, absent)
        if where is not None:
            raise InputError(
                f"pieces{list(where)}: {name} must be from 0 to {end - 1}, got {values[where]}"
            )
    return boards, placed


def _integers(values: ArrayLike, name: str, shape: str) -> Integers:
    try:
        array = np.asarray(values)
    except (ValueError, OverflowError, TypeError) as error:
        raise InputError(f"{name}: expected an integer array {shape}: {error}") from None
    if array.ndim != 3:
        raise InputError(f"{name}: expected shape {shape}, got {array.shape}")
    if array.dtype.kind not in "iu":
        if array.size:
            raise InputError(f"{name}: expected integers, got dtype {array.dtype}")
        array = array.astype(np.int64)
    return cast("Integers", array)


def _first_outside(
    values: Integers, least: int, end: int, absent: NDArray[np.bool_] | None = None
) -> tuple[int, ...] | None:
    """Return the index of the first value outside [least, end) that is not absent."""
    if not values.size or (values.min() >= least and values.max() < end):
        return None
    outside = (values < least) | (values >= end)
    if absent is not None:
        outside &= ~absent
    if not outside.any():
        return None
    return tuple(int(i) for i in np.unravel_index(int(outside.argmax()), values.shape))
