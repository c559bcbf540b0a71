"""Hypothesis strategies for grids and pieces."""

from __future__ import annotations

from hypothesis import strategies as st

from gridkit.grid.board import Board
from gridkit.grid.cell import Cell
from gridkit.polyomino.polyomino import Polyomino

__all__ = ["boards", "polyominoes"]


@st.composite
def boards(draw: st.DrawFn, max_rows: int = 5, max_cols: int = 5) -> Board:
    """Boards with any cells blocked."""
    rows, cols = draw(st.integers(1, max_rows)), draw(st.integers(1, max_cols))
    flags = draw(st.lists(st.booleans(), min_size=rows * cols, max_size=rows * cols))
    return Board(rows, cols, [(n // cols, n % cols) for n, flag in enumerate(flags) if flag])


@st.composite
def polyominoes(draw: st.DrawFn, max_size: int = 6) -> Polyomino:
    """Polyominoes grown cell by cell."""
    cells = [Cell(0, 0)]
    for _ in range(draw(st.integers(0, max_size - 1))):
        around = sorted({c for cell in cells for c in cell.neighbours()} - set(cells))
        cells.append(draw(st.sampled_from(around)))
    return Polyomino(cells)
