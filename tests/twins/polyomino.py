"""Slow, obviously right twins for the polyomino package."""

from __future__ import annotations

from gridkit.grid.board import Board
from gridkit.grid.cell import Cell
from gridkit.polyomino.polyomino import Polyomino

__all__ = ["fixed_by_growth", "placements_by_trial", "symmetries_by_trial"]


def fixed_by_growth(n: int) -> set[Polyomino]:
    """All fixed polyominoes of n cells: add a neighbour to each of n - 1 cells."""
    current = {Polyomino([(0, 0)])}
    for _ in range(n - 1):
        current = {
            Polyomino([*piece.cells, cell])
            for piece in current
            for known in piece.cells
            for cell in known.neighbours()
            if cell not in piece.cells
        }
    return current


def placements_by_trial(piece: Polyomino, board: Board, *, reflect: bool) -> set[tuple[Cell, ...]]:
    """Try every orientation at every corner of the frame."""
    return {
        placed
        for turned in piece.orientations(reflect=reflect)
        for dr in range(board.rows)
        for dc in range(board.cols)
        for placed in [tuple(Cell(r + dr, c + dc) for r, c in turned.cells)]
        if all(cell in board for cell in placed)
    }


def symmetries_by_trial(n: int) -> dict[str, int]:
    """Classify every free polyomino of n cells by its own symmetries."""
    names = ("none", "mirror_ortho", "mirror_diag", "rot180", "ortho2", "diag2", "rot90", "all")
    classes = dict.fromkeys(names, 0)
    for piece in {piece.canonical(reflect=True) for piece in fixed_by_growth(n)}:
        classes[piece.symmetry] += 1
    return classes
