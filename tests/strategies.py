"""Hypothesis strategies for grids, pieces and exact covers."""

from __future__ import annotations

from hypothesis import strategies as st

from gridkit.cover.matrix import Matrix
from gridkit.grid.board import Board
from gridkit.grid.cell import Cell
from gridkit.polyomino.polyomino import Polyomino

__all__ = ["boards", "matrices", "polyominoes"]


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


@st.composite
def matrices(draw: st.DrawFn, *, plain: bool = False) -> Matrix:
    """Small exact covers with colours, and with multiplicities unless `plain`."""
    primary, secondary = draw(st.integers(1, 6)), draw(st.integers(0, 3))
    options: list[tuple[int, ...]] = []
    colors: list[tuple[int, ...]] = []
    for _ in range(draw(st.integers(0, 9))):
        shown = draw(st.sets(st.integers(0, primary - 1), min_size=int(plain), max_size=3))
        hidden = st.sets(st.integers(primary, primary + secondary - 1), max_size=2)
        items = sorted(shown | (draw(hidden) if secondary else set())) or [0]
        options.append(tuple(items))
        colors.append(tuple(draw(st.integers(0, 2)) if i >= primary else 0 for i in items))
    low, high = [1] * primary, [1] * primary
    if not plain:
        for item in range(primary):
            low[item] = draw(st.integers(0, 2))
            high[item] = low[item] + draw(st.integers(0, 2))
    painted = tuple(colors) if secondary else None
    return Matrix(tuple(options), primary, tuple(low), tuple(high), painted)
