"""One play of a game: plain Python first, the kernel when it becomes long."""

from __future__ import annotations

from array import array
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from gridkit.run import Run, Tier, Work, call_name
from gridkit.stacking.position import Position, Setup, Snapshot
from gridkit.stacking.result import Outcome, StackingResult
from gridkit.stacking.state import Move

if TYPE_CHECKING:
    from gridkit.stacking.long import KernelPlay, KernelState

__all__ = ["play"]

# A plain turn takes about a microsecond; the kernel costs half a second before its first one.
_PLAIN_TURNS = 300_000
_TURNS_A_CHUNK = 20_000


def play(game: Setup, last: int | None, trace: bool, run: Run) -> StackingResult:
    """Play `game` up to round `last`; see `StackingGame.play`."""
    call = call_name(
        "StackingGame.play", game.cells, game.pieces, game.order, game.rules, last, trace
    )
    work = _Play(game, last, trace, run.tier)
    state = run.resumed(call, "rounds 1")
    if isinstance(state, _PlayState):
        work.restore(state)
    run.drive(work)
    return work.result(run.seconds())


class _PlayState(NamedTuple):
    """A play cut short: where the plain engine stands, and the kernel where it goes on."""

    plain: PlainState
    kernel: KernelState | None


class _Play(Work):
    """The plain engine, and from some length on the kernel."""

    def __init__(self, game: Setup, last: int | None, trace: bool, tier: Tier) -> None:
        self._game, self._last = game, last
        self._plain = PlainPlay(game, last, trace)
        self._kernel: KernelPlay | None = None
        self._done = False
        self._hands_over = not trace and not game.rules.has_hooks and tier != "plain"
        self._plain_turns = 0 if tier == "compiled" else _PLAIN_TURNS

    @property
    def nodes(self) -> int:
        return self._plain.nodes + (self._kernel.nodes if self._kernel else 0)

    def fraction(self) -> float:
        """Say how much of a limited play is over; of an unlimited one nobody knows."""
        return self.value() / self._last if self._last else 0.0

    def memory(self) -> int:
        return self._kernel.memory() if self._kernel else self._plain.memory()

    def value(self) -> int:
        """Return the rounds that the game is known to go on for."""
        return self._kernel.rounds() if self._kernel else self._plain.nodes

    def token(self) -> _PlayState:
        kernel = None if self._kernel is None else self._kernel.snapshot()
        return _PlayState(self._plain.snapshot(), kernel)

    def restore(self, state: _PlayState) -> None:
        """Go on from a token."""
        self._plain.restore(state.plain)
        if state.kernel is not None:
            from gridkit.stacking.long import KernelPlay  # loads numpy

            self._kernel = KernelPlay(self._game, self._last, state.kernel)

    def advance(self, budget: int) -> bool:
        if not self._done:
            self._done = self._advance(budget)
        return self._done

    def _advance(self, budget: int) -> bool:
        if self._kernel is not None:
            return self._kernel.advance(budget)
        game = self._game
        pieces = max(1, len(game.pieces))
        done = self._plain.advance(min(budget, max(1, _TURNS_A_CHUNK // pieces)))
        if not done and self._hands_over and self._plain.nodes * pieces > self._plain_turns:
            from gridkit.stacking.long import KernelPlay, fits  # loads numpy

            if fits(game.rows, game.cols, pieces):
                self._kernel = KernelPlay(game, self._last)
                self._plain.forget()
            else:
                self._hands_over = False
        return done

    def result(self, seconds: float) -> StackingResult:
        engine = self._kernel or self._plain
        return engine.result(self.nodes, seconds)


class PlainState(NamedTuple):
    """Where the plain engine stands.

    `keys` holds the states so far, each as so many numbers as the last one has: bytes, which are
    copied at once.
    """

    position: Snapshot
    keys: bytes
    trace: tuple[Move, ...] | None
    nodes: int


class PlainPlay:
    """Plays round by round and looks every state up in a table."""

    def __init__(self, game: Setup, last: int | None, trace: bool) -> None:
        self._game = game
        self._position = Position(game)
        self._last = last
        self._round_of: dict[tuple[int, ...], int] = {}  # by the key of the state after it
        self._trace: list[Move] | None = [] if trace else None
        self._turn = 0
        self._cycle: tuple[int, int] | None = None
        self.nodes = 0

    def memory(self) -> int:
        """Return about the bytes held: a state is a tuple of small integers."""
        moves = len(self._trace or ())
        return len(self._round_of) * (8 * len(self._position._key()) + 150) + 250 * moves

    def forget(self) -> None:
        """Drop the table."""
        self._round_of.clear()

    def snapshot(self) -> PlainState:
        """Return the state for a token."""
        keys = array("q", chain.from_iterable(self._round_of)).tobytes()
        trace = None if self._trace is None else tuple(self._trace)
        return PlainState(self._position._snapshot(), keys, trace, self.nodes)

    def restore(self, state: PlainState) -> None:
        """Take up a state again."""
        self._position._restore(state.position)
        width = len(self._position._key())
        numbers = iter(array("q", state.keys))
        keys = zip(*[numbers] * width, strict=True) if width else [()]
        self._round_of = {key: number for number, key in enumerate(keys)}
        self._trace = None if state.trace is None else list(state.trace)
        self.nodes = state.nodes

    def advance(self, budget: int) -> bool:
        """Play at most `budget` rounds; return whether the game is decided."""
        position, round_of = self._position, self._round_of
        for remaining in range(budget, -1, -1):
            earlier = round_of.setdefault(position._key(), self.nodes)
            if earlier < self.nodes:
                self._cycle = earlier, self.nodes - earlier
                return True
            if self.nodes == self._last:
                return True
            if remaining == 0:
                return False
            self.nodes += 1
            if self._trace is None:
                self._turn = position._play_round_quickly()
            else:
                self._record(self._trace)
            if position.stopped:
                return True
        return False

    def _record(self, trace: list[Move]) -> None:
        position = self._position
        position.round += 1
        for piece in range(len(self._game.pieces)):
            move = position._advance(piece)
            if move is not None:
                trace.append(move)
            if position.stopped:
                self._turn = piece + 1
                return

    def result(self, nodes: int, seconds: float) -> StackingResult:
        """Return what the play came to."""
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
            self._game.cells, "plain", nodes, seconds,
        )  # fmt: skip
