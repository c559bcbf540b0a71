"""A play of a stacking game as a film: pieces seen from the side ride on one another."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from gridkit import render
from gridkit.stacking.picture import GROUNDS
from gridkit.stacking.position import Position, Setup
from gridkit.stacking.state import Move

__all__ = ["MOST_TURNS", "play_film"]

MOST_TURNS = 5000
"""A film shows so many changes; what comes later is left out."""

_TURNS = (0, 180, 270, 90)  # right, left, up, down, as degrees clockwise
_ARROWS = "→←↑↓"
_WIDE, _STEP, _FOOT = 2.0, 0.62, 0.28  # of a cell, of a piece in its pile, below the pile


class _Place(NamedTuple):
    """Where a piece is: its cell, the number of pieces below it, its direction."""

    row: int
    col: int
    height: int
    direction: int


def play_film(game: Setup, rounds: int | None) -> tuple[render.Film, bool]:
    """Return the film of a game up to a round, and whether it shows all of it.

    Complexity: the height of the stacks that a turn touches, for each turn.
    """
    position = Position(game)
    start = [_place(position, piece) for piece in range(len(game.pieces))]
    seen: list[tuple[Move, dict[int, _Place | None]]] = []
    whole = True
    now: list[_Place | None] = list(start)
    for move in _moves(position, rounds):
        if len(seen) == MOST_TURNS:
            whole = False
            break
        touched = {move.piece, *move.pile}
        for cell in (move.start, move.end):
            if cell is not None:
                touched.update(position.stack(*cell))
        changed = {piece: _place(position, piece) for piece in sorted(touched)}
        changed = {piece: place for piece, place in changed.items() if place != now[piece]}
        for piece, place in changed.items():
            now[piece] = place
        seen.append((move, changed))
    places = [*start, *(place for _, changed in seen for place in changed.values())]
    tallest = 1 + max((place.height for place in places if place is not None), default=0)
    high = max(1.2, 2 * _FOOT + _STEP * tallest)
    moves = [
        [_change(piece, place, high) for piece, place in changed.items()] for _, changed in seen
    ]
    stage = _stage(game, start, high)
    return render.Film(stage, moves, [_caption(move) for move, _ in seen], "turns"), whole


def _moves(position: Position, rounds: int | None) -> Iterator[Move]:
    """Play and yield what each turn changed, while the position stands as after it."""
    while not position.stopped and position.round != rounds:
        position.round += 1
        for piece in range(len(position.game.pieces)):
            move = position._advance(piece)
            if move is not None:
                yield move
            if position.stopped:
                return


def _place(position: Position, piece: int) -> _Place | None:
    cell = position.cell(piece)
    if cell is None:
        return None
    height = position.stack(*cell).index(piece)
    return _Place(*cell, height, position._way[piece])


def _change(piece: int, place: _Place | None, high: float) -> render.Change:
    if place is None:
        return render.Change(piece, (), render.SUNK)
    return render.Change(piece, (_corner(place, high),), _TURNS[place.direction])


def _corner(place: _Place, high: float) -> tuple[float, float]:
    """Return the top left corner of a piece in its pile."""
    bottom = (place.row + 1) * high - _FOOT / 2 - place.height * _STEP
    return place.col * _WIDE + 0.25, round(bottom - _STEP, 2)


def _stage(game: Setup, start: list[_Place | None], high: float) -> render.Stage:
    floor = [[GROUNDS[code] if code < len(GROUNDS) else code for code in row] for row in game.cells]
    right, bottom = _WIDE - 0.5, _STEP - 0.04
    bar: render.Loop = ((right, 0.0), (right, bottom), (0.0, bottom), (0.0, 0.0))
    sprites = [
        render.Sprite(
            (bar,), str(piece), piece, *_corner(place, high), _TURNS[place.direction], 0.22
        )
        for piece, place in enumerate(start)
        if place is not None
    ]
    title = "stacking game"
    return render.Stage(game.rows, game.cols, floor, sprites, title=title, wide=_WIDE, high=high)


def _caption(move: Move) -> str:
    arrow = _ARROWS[move.direction]
    if not move.pile:
        return f"round {move.round}: {move.piece} turns {arrow}"
    pile = ", ".join(map(str, move.pile))
    return f"round {move.round}: {pile} " + (arrow if move.end is not None else "sinks")
