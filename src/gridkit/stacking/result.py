"""What a play of a stacking game came to, and its picture."""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum

from gridkit import render
from gridkit.errors import UnsupportedError
from gridkit.grid.cell import Cell
from gridkit.render.motion.playable import Playable
from gridkit.stacking.film import MOST_TURNS, play_film
from gridkit.stacking.picture import flat_game_scene, game_scene
from gridkit.stacking.position import Setup
from gridkit.stacking.state import Move
from gridkit.value import Value

__all__ = ["Outcome", "StackingResult"]


class Outcome(IntEnum):
    """How a play ended.

    Examples
    --------
    >>> Outcome(2)
    <Outcome.NEVER: 2>
    """

    STOPPED = 0
    ROUND_LIMIT = 1
    NEVER = 2


class StackingResult(Value, Playable):
    """What a play came to.

    Two results are equal when they say the same of the game, however it was found out.

    Attributes
    ----------
    outcome : Outcome
        STOPPED: the rules stopped it.  ROUND_LIMIT: `max_rounds` were played, and no state among
        them occurred twice.  NEVER: within `max_rounds` a state occurred for the second time, so
        play goes round in a circle and never stops.
    round : int
        The round of the stop, counted from 1; `max_rounds` for ROUND_LIMIT; -1 for NEVER.
    turn : int
        Which turn of that round stopped play, counted from 1 (piece number + 1); 0 if none did.
    stacks : mapping of Cell to tuple of int
        The pieces at the end (for NEVER: at the cycle's start) from the bottom up, row by row;
        read-only.
    trace : tuple of Move or None
        What every turn changed, if it was asked for.
    cycle_start, cycle_length : int or None
        For NEVER: the state after round `cycle_start` (0 is the start of the game) is the first
        that comes back, for the first time `cycle_length` rounds later.
    directions : tuple of int
        The pieces' directions at the end.
    cells : tuple of tuple of int
        The code of each cell of the board.
    engine : str
        "plain" or "kernel".
    nodes : int
        Rounds that were played to find this out.
    seconds : float
        Wall-clock time.

    Notes
    -----
    `to_html`, `to_gif` and ``to_svg(animate=True)`` play the game turn by turn, 5000 turns at most.

    Examples
    --------
    >>> import gridkit as gk
    >>> result = gk.StackingGame.parse(".0>  .  .1<").play()
    >>> print(result)
    never stops: the state after round 2 comes back every 3 rounds
    >>> result.outcome.name, result.cycle_length
    ('NEVER', 3)
    """

    _fields = (
        "outcome", "round", "turn", "stacks", "trace", "cycle_start", "cycle_length",
        "directions", "cells", "engine", "nodes", "seconds",
    )  # fmt: skip

    outcome: Outcome
    round: int
    turn: int
    stacks: Mapping[Cell, tuple[int, ...]]
    trace: tuple[Move, ...] | None
    cycle_start: int | None
    cycle_length: int | None
    directions: tuple[int, ...]
    cells: tuple[tuple[int, ...], ...]
    engine: str
    nodes: int
    seconds: float
    _game: Setup | None  # what was played, for the film; not part of the value

    def __init__(
        self,
        outcome: Outcome,
        round: int,
        turn: int,
        stacks: Mapping[Cell, tuple[int, ...]],
        trace: tuple[Move, ...] | None = None,
        cycle_start: int | None = None,
        cycle_length: int | None = None,
        directions: tuple[int, ...] = (),
        cells: tuple[tuple[int, ...], ...] = (),
        engine: str = "plain",
        nodes: int = 0,
        seconds: float = 0.0,
    ) -> None:
        self._put(
            outcome=outcome, round=round, turn=turn, stacks=dict(stacks), trace=trace,
            cycle_start=cycle_start, cycle_length=cycle_length, directions=directions,
            cells=cells, engine=engine, nodes=nodes, seconds=seconds, _game=None,
        )  # fmt: skip

    def _key(self) -> tuple[object, ...]:
        return super()._key()[:-3]  # without engine, nodes and seconds

    def _arguments(self) -> list[str]:
        return [f"outcome=Outcome.{self.outcome.name}", *super()._arguments()[1:]]

    def _scene(self) -> render.Scene:
        """Return the board at the end, its piles seen from the side."""
        return game_scene(self.cells, self.stacks, self.directions)

    def _flat_scene(self) -> render.Scene:
        return flat_game_scene(self.cells, self.stacks, self.directions)

    def _film(self) -> tuple[render.Film, str]:
        """Return the play from the start, for `Outcome.NEVER` once around the circle."""
        if self._game is None:
            raise UnsupportedError("only a result of StackingGame.play can be played back")
        rounds = self.round
        if self.cycle_start is not None and self.cycle_length is not None:
            rounds = self.cycle_start + self.cycle_length
        film, is_whole = play_film(self._game, rounds)
        return film, str(self) if is_whole else f"{self} (here: the first {MOST_TURNS} turns)"

    def __str__(self) -> str:
        if self.outcome is Outcome.STOPPED:
            return f"stopped in round {self.round}, turn {self.turn}"
        if self.outcome is Outcome.ROUND_LIMIT:
            return f"still going after round {self.round}"
        return (
            f"never stops: the state after round {self.cycle_start} comes back every "
            f"{self.cycle_length} rounds"
        )
