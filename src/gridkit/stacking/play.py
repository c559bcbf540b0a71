"""One play of a game: plain Python first, the kernel when it becomes long."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from gridkit.errors import InputError
from gridkit.run.control import Limit, ProgressCallback, drive
from gridkit.stacking.position import Move

if TYPE_CHECKING:
    from gridkit.stacking.game import StackingGame, StackingResult
    from gridkit.stacking.long import KernelPlay

__all__ = ["play"]

# A plain turn takes about a microsecond; the kernel costs half a second before its first one.
_PLAIN_TURNS = 300_000
_TURNS_A_CHUNK = 20_000


def play(
    game: StackingGame,
    last: int | None,
    trace: bool,
    limit: Limit | None,
    progress: ProgressCallback | None,
    resume: object,
) -> StackingResult:
    """Play `game` up to round `last`; see `StackingGame.play`."""
    work = _Play(game, last, trace) if resume is None else resume
    if not isinstance(work, _Play) or (work.game, work.last, work.trace) != (game, last, trace):
        raise InputError("resume: this token belongs to another call")
    begun = time.perf_counter()
    drive(work, limit=limit, progress=progress)
    return work.result(time.perf_counter() - begun)


class _Play:
    """A play as resumable work: the plain engine, and from some length on the kernel."""

    def __init__(self, game: StackingGame, last: int | None, trace: bool) -> None:
        self.game, self.last, self.trace = game, last, trace
        self._plain = PlainPlay(game, last, trace)
        self._kernel: KernelPlay | None = None
        self._done = False
        self._hands_over = not trace and not game.rules.has_hooks

    @property
    def nodes(self) -> int:
        return self._plain.nodes + (self._kernel.nodes if self._kernel else 0)

    @property
    def found(self) -> int:
        return 0

    def fraction(self) -> float:
        """Say how much of a limited play is over; of an unlimited one nobody knows."""
        return self.value() / self.last if self.last else 0.0

    def memory(self) -> int:
        return self._kernel.memory() if self._kernel else self._plain.memory()

    def value(self) -> int:
        return self._kernel.rounds() if self._kernel else self._plain.nodes

    def token(self) -> _Play:
        return self

    def advance(self, budget: int) -> bool:
        if not self._done:
            self._done = self._advance(budget)
        return self._done

    def _advance(self, budget: int) -> bool:
        if self._kernel is not None:
            return self._kernel.advance(budget)
        pieces = max(1, len(self.game.pieces))
        done = self._plain.advance(min(budget, max(1, _TURNS_A_CHUNK // pieces)))
        if not done and self._hands_over and self._plain.nodes * pieces > _PLAIN_TURNS:
            from gridkit.stacking.long import KernelPlay, fits

            if fits(self.game.rows, self.game.cols, pieces):
                self._kernel = KernelPlay(self.game, self.last)
                self._plain.forget()
            else:
                self._hands_over = False
        return done

    def result(self, seconds: float) -> StackingResult:
        engine = self._kernel or self._plain
        return engine.result(self.nodes, seconds)


class PlainPlay:
    """Plays round by round and looks every state up in a table."""

    def __init__(self, game: StackingGame, last: int | None, trace: bool) -> None:
        self._position = game.start()
        self._last = last
        self._seen: dict[tuple[int, ...], int] = {}
        self._trace: list[Move] | None = [] if trace else None
        self._turn = 0
        self._cycle: tuple[int, int] | None = None
        self.nodes = 0

    def memory(self) -> int:
        """Bytes held, roughly: a state is a tuple of small integers."""
        key = self._position.key()
        moves = len(self._trace or ())
        return len(self._seen) * (8 * len(key) + 150) + 250 * moves

    def forget(self) -> None:
        """Drop the table."""
        self._seen.clear()

    def advance(self, budget: int) -> bool:
        """Play at most `budget` rounds; return whether the game is decided."""
        position, seen = self._position, self._seen
        for left in range(budget, -1, -1):
            earlier = seen.setdefault(position.key(), self.nodes)
            if earlier < self.nodes:
                self._cycle = earlier, self.nodes - earlier
                return True
            if self.nodes == self._last:
                return True
            if left == 0:
                return False
            self.nodes += 1
            if self._trace is None:
                self._turn = position.play_round_quickly()
            else:
                self._record()
            if position.stopped:
                return True
        return False

    def _record(self) -> None:
        assert self._trace is not None
        position = self._position
        position.round += 1
        for piece in range(len(position.game.pieces)):
            move = position.advance(piece)
            if move is not None:
                self._trace.append(move)
            if position.stopped:
                self._turn = piece + 1
                return

    def result(self, nodes: int, seconds: float) -> StackingResult:
        """Return what the play came to."""
        from gridkit.stacking.game import Outcome, StackingResult

        state = self._position.state()
        outcome, round_, start, length = Outcome.ROUND_LIMIT, self.nodes, None, None
        if self._position.stopped:
            outcome = Outcome.STOPPED
        elif self._cycle is not None:
            outcome, round_ = Outcome.NEVER, -1
            start, length = self._cycle
        trace = None if self._trace is None else tuple(self._trace)
        return StackingResult(
            outcome, round_, self._turn, state.stacks, trace, start, length, state.directions,
            "plain", nodes, seconds,
        )  # fmt: skip
