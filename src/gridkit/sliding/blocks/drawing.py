"""Sliding-block puzzles as text, as pictures and as expressions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from gridkit.render.svg import grid_svg

if TYPE_CHECKING:
    from gridkit.sliding.blocks.puzzle import SlidingPuzzle

__all__ = ["expression", "goal_text", "svg", "text"]

Place = tuple[int, int]


def _labels(puzzle: SlidingPuzzle, places: Sequence[Place]) -> list[list[int | None]]:
    labels: list[list[int | None]] = [
        [None if (row, col) in puzzle.board else -1 for col in range(puzzle.cols)]
        for row in range(puzzle.rows)
    ]
    for number, (shape, (top, left)) in enumerate(zip(puzzle.shapes, places, strict=True)):
        for row, col in shape:
            labels[row + top][col + left] = number
    return labels


def text(puzzle: SlidingPuzzle, places: Sequence[Place]) -> str:
    """Draw a state in the puzzle's own letters."""
    marks = {None: ".", -1: "#"} | dict(enumerate(puzzle.names))
    return "\n".join("".join(marks[label] for label in row) for row in _labels(puzzle, places))


def goal_text(puzzle: SlidingPuzzle) -> str | None:
    """Draw the goal, or return None where it asks for edges."""
    rows = [
        ["." if (row, col) in puzzle.board else "#" for col in range(puzzle.cols)]
        for row in range(puzzle.rows)
    ]
    for name, wanted in puzzle.goal.items():
        if not isinstance(wanted, tuple):
            return None
        for row, col in puzzle.shapes[puzzle.number[name]]:
            rows[row + wanted[0]][col + wanted[1]] = name
    return "\n".join("".join(row) for row in rows)


def svg(puzzle: SlidingPuzzle, places: Sequence[Place]) -> str:
    """Draw a state as an ``<svg>`` element, each block named once."""
    captions = [[""] * puzzle.cols for _ in range(puzzle.rows)]
    for name, shape, (top, left) in zip(puzzle.names, puzzle.shapes, places, strict=True):
        row, col = shape[0]
        captions[row + top][col + left] = name
    return grid_svg(_labels(puzzle, places), captions)


def expression(puzzle: SlidingPuzzle) -> str:
    """Return an expression that makes the puzzle again."""
    cells = {name: [tuple(cell) for cell in own] for name, own in puzzle.blocks.items()}
    goal = {name: tuple(to) if isinstance(to, tuple) else to for name, to in puzzle.goal.items()}
    parts = [repr(puzzle.board), repr(cells), repr(goal)]
    if puzzle.axes:
        parts.append(f"axes={dict(puzzle.axes)!r}")
    if puzzle.gates:
        gates = {tuple(cell): sorted(names) for cell, names in puzzle.gates.items()}
        parts.append(f"gates={gates!r}")
    if puzzle.interchangeable != "unnamed":
        parts.append(f"interchangeable={puzzle.interchangeable!r}")
    return f"SlidingPuzzle({', '.join(parts)})"
