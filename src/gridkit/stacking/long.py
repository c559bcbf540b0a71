"""Long plays of one game by the kernel: the outcome, and exactly where its circle begins."""

from __future__ import annotations

from copy import deepcopy
from typing import NamedTuple

import numpy as np

from gridkit.grid.cell import Cell
from gridkit.stacking.arrays import ENDLESS, Arrays, fits, make_arrays
from gridkit.stacking.kernels import games, turns
from gridkit.stacking.position import Setup
from gridkit.stacking.result import Outcome, StackingResult

__all__ = ["KernelPlay", "KernelState", "fits"]

_ROUNDS_A_CHUNK = 1 << 20


class KernelState(NamedTuple):
    """Where a play stands.

    Attributes
    ----------
    step : str
        "play" goes on to a stop, a repeat or the last round; "beyond" plays as long again to learn
        whether the last state lies on a circle, and of what length; "lead" moves a second copy of
        the game ahead by that length; "meet" walks both until they agree, where the circle begins.
    arrays, leader, final : Arrays
        The game, its copy that is ahead, and the game as it is to be told in the end.
    length : int
        Of the circle, 0 while it is not known.
    nodes : int
        Rounds played.
    """

    step: str
    arrays: Arrays
    leader: Arrays
    final: Arrays
    length: int
    nodes: int


class KernelPlay:
    """A long play, in the steps of `KernelState`."""

    def __init__(self, game: Setup, last: int | None, state: KernelState | None = None) -> None:
        self._game = game
        self._last = last
        self._stopped = False
        self._start: int | None = None
        if state is None:
            arrays = self._at_start(game, last)
            state = KernelState("play", arrays, arrays, arrays, 0, 0)
        (
            self._step, self._arrays, self._leader, self._final, self._length, self.nodes
        ) = state  # fmt: skip

    def snapshot(self) -> KernelState:
        """Return the state for a token."""
        arrays = self._arrays, self._leader, self._final
        return deepcopy(KernelState(self._step, *arrays, self._length, self.nodes))

    @staticmethod
    def _at_start(game: Setup, last: int | None, marks: bool = True) -> Arrays:
        arrays = make_arrays(game.rules, game.rows, game.cols, len(game.pieces), last)
        codes = np.array([game.cells], dtype=np.int8)
        # The kernel stacks in the order of the numbers, so pieces are put there in game.order.
        pieces = np.array(game.pieces, dtype=np.int32).reshape(1, -1, 3)
        one = games.Games(codes, pieces, np.zeros(1, np.int8), np.zeros(1, np.int64))
        games.set_up(arrays, one, 0, ENDLESS if last is None else min(last, ENDLESS))
        _restack(arrays, game)
        arrays.clock[turns.STAMP] = 1
        arrays.clock[turns.MARKED] = ENDLESS
        arrays.clock[turns.NEXT_MARK] = arrays.rule[turns.LOGGED] if marks else -1
        return arrays

    def rounds(self) -> int:
        """Return the rounds that the game is known to go on for."""
        return int(self._arrays.clock[turns.ROUND]) if self._step == "play" else self._last or 0

    def memory(self) -> int:
        """Return the bytes held."""
        return self._arrays.nbytes() + self._leader.nbytes()

    def advance(self, budget: int) -> bool:
        """Play about `budget` rounds; return whether everything is known."""
        budget = max(1, min(budget, _ROUNDS_A_CHUNK))
        with np.errstate(over="ignore"):  # the hash wraps round, which plain numpy would report
            if self._step == "play":
                return self._play(budget)
            if self._step == "beyond":
                return self._beyond(budget)
            if self._step == "lead":
                return self._lead(budget)
            return self._meet(budget)

    def _play(self, budget: int) -> bool:
        arrays = self._arrays
        status = self._rounds(arrays, budget)
        if status == games.REPEAT:
            self._close(arrays)
        elif status == games.STOPPED:
            self._stopped = True
            return True
        elif status == games.LIMIT:
            assert self._last is not None
            if self._last < arrays.rule[turns.LOGGED]:
                return True
            self._final = deepcopy(arrays)
            arrays.mark[:] = arrays.piece
            arrays.clock[turns.MARKED] = self._last
            arrays.clock[turns.NEXT_MARK] = -1
            arrays.clock[turns.LAST] = 2 * self._last
            self._step = "beyond"
        return False

    def _beyond(self, budget: int) -> bool:
        status = self._rounds(self._arrays, budget)
        if status == games.REPEAT:
            self._close(self._arrays)
            return False
        return status != games.SPENT

    def _close(self, arrays: Arrays) -> None:
        """A circle is known: find where it begins."""
        self._length = int(arrays.clock[turns.ROUND] - arrays.clock[turns.MARKED])
        self._leader = self._at_start(self._game, None, marks=False)
        self._arrays = self._at_start(self._game, None, marks=False)
        self._step = "lead"

    def _lead(self, budget: int) -> bool:
        todo = self._length - int(self._leader.clock[turns.ROUND])
        if todo:
            self._rounds(self._leader, min(budget, todo))
        else:
            self._step = "meet"
        return False

    def _meet(self, budget: int) -> bool:
        arrays, leader = self._arrays, self._leader
        before = int(arrays.clock[turns.ROUND])
        met = games.walk_together(arrays, leader, budget)
        start = int(arrays.clock[turns.ROUND])
        self.nodes += start - before
        if not met:
            return False
        if self._last is None or start + self._length <= self._last:
            self._start = start
            self._final = arrays
        return True

    def _rounds(self, arrays: Arrays, budget: int) -> int:
        before = int(arrays.clock[turns.ROUND])
        status = games.play_rounds(arrays, budget)
        self.nodes += int(arrays.clock[turns.ROUND]) - before
        return status

    def result(self, nodes: int, seconds: float) -> StackingResult:
        """Return what the play came to."""
        stacks, directions = _unpack(self._final, self._game.cols + 2)
        round_, turn = int(self._final.clock[turns.ROUND]), 0
        start, length = None, None
        outcome = Outcome.ROUND_LIMIT
        if self._stopped:
            outcome, turn = Outcome.STOPPED, int(self._final.clock[turns.TURN])
        elif self._start is not None:
            outcome, round_ = Outcome.NEVER, -1
            start, length = self._start, self._length
        return StackingResult(
            outcome, round_, turn, stacks, None, start, length, directions,
            self._game.cells, "kernel", nodes, seconds,
        )  # fmt: skip


def _restack(arrays: Arrays, game: Setup) -> None:
    """Put pieces that share a start cell in the game's order."""
    below: dict[int, int] = {}
    for piece in game.order:
        place = int(arrays.piece[piece + 1]) >> 24 & 0xFFFFFF
        arrays.piece[piece + 1] += below.get(place, 0) - (arrays.piece[piece + 1] & 0xFFFFFF)
        below[place] = piece + 1
    for place, top in below.items():
        arrays.cell[place] = (arrays.cell[place] & 0xFFFFFFFF) | top << 32


def _unpack(arrays: Arrays, width: int) -> tuple[dict[Cell, tuple[int, ...]], tuple[int, ...]]:
    """Return the stacks, in reading order, and the directions."""
    words = arrays.piece.tolist()
    stacks = {}
    for place in sorted({word >> 24 & 0xFFFFFF for word in words} - {0}):
        stack = []
        piece = int(arrays.cell[place]) >> 32
        while piece:
            stack.append(piece - 1)
            piece = words[piece] & 0xFFFFFF
        row, col = divmod(place, width)
        stacks[Cell(row - 1, col - 1)] = tuple(reversed(stack))
    ways = {0: 0, 1: 0, -1: 1, -width: 2, width: 3}
    return stacks, tuple(ways[word >> 48] for word in words[1:])
