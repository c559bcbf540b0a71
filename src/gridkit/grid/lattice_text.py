"""Cells of a lattice as text: each kind of cell has its mark, each cell its place.

A cell that is meant bears the mark of its kind (``V`` and ``A`` for triangles that point down and
up), another place of the lattice a dot; blanks are no places.  The first mark says where the
lattice lies, so that a text may begin anywhere.  Layers are separated by blank lines.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from gridkit.errors import InputError, ParseError
from gridkit.grid.lattice import Lattice

__all__ = ["lattice_text", "read_lattice_text", "text_rows"]

Cell = tuple[int, ...]
Rows = tuple[tuple[int | None, ...], ...]


def lattice_text(lattice: Lattice, marks: Mapping[Cell, str]) -> str:
    """Draw cells, each with a mark.

    Parameters
    ----------
    lattice : Lattice
        Where the cells are.
    marks : mapping from cell to str
        The character of each cell that is not a dot; at least one cell.

    Examples
    --------
    >>> print(lattice_text(Lattice("triangular"), {(0, 1, 0): "A", (0, 1, 1): "B", (1, 0, 1): "C"}))
    AB
    C.
    """
    places = {cell: _place(lattice, cell) for cell in marks}
    layers, lines, columns = zip(*places.values(), strict=True)
    top, left, width = min(lines), min(columns), max(columns) - min(columns) + 1
    rows = range(top, max(lines) + 1)
    mark_at = {place: marks[cell] for cell, place in places.items()}

    def drawn(layer: int, line: int) -> str:
        characters = []
        for column in range(left, left + width):
            empty = " " if _cell_at(lattice, line, column) is None else "."
            characters.append(mark_at.get((layer, line, column), empty))
        return "".join(characters).rstrip()

    # A blank line would read as the end of a layer.
    while lattice.table.layers and not all(drawn(layers[0], line) for line in rows):
        width += 1
    return "\n\n".join(
        "\n".join(drawn(layer, line) for line in rows)
        for layer in range(min(layers), max(layers) + 1)
    )


def text_rows(lattice: Lattice, label_of: Mapping[Cell, int | None]) -> Rows:
    """Return labels of cells as the rows of a text: -1 where there is none of the cells.

    Layers stand side by side, a column of -1 between.

    Examples
    --------
    >>> text_rows(Lattice("hexagonal"), {(0, 0): 5, (0, 1): None, (1, 0): 6})
    ((5, -1, None), (-1, 6, -1))
    """
    if not label_of:
        return ((),)
    places = {_place(lattice, cell): label for cell, label in label_of.items()}
    layers, lines, columns = zip(*places, strict=True)
    across = range(min(columns), max(columns) + 1)
    rows = []
    for line in range(min(lines), max(lines) + 1):
        row: list[int | None] = []
        for layer in range(min(layers), max(layers) + 1):
            row += [-1] * (layer > min(layers))
            row += [places.get((layer, line, column), -1) for column in across]
        rows.append(tuple(row))
    return tuple(rows)


def read_lattice_text(lattice: Lattice, text: str) -> list[Cell]:
    """Return the cells that bear marks, in the order of the text.

    The cell of the first mark has translation 0.

    Raises
    ------
    ParseError
        On an empty text, an unknown character, or a mark where its kind cannot stand, naming line
        and column.

    Examples
    --------
    >>> read_lattice_text(Lattice("triangular"), ".VA\\n.A")
    [(0, 0, 0), (0, 0, 1), (1, -1, 1)]
    """
    if not isinstance(text, str):
        raise InputError(f"expected a text, got {type(text).__name__}")
    table, cells = lattice.table, []
    start: tuple[int, int, int] | None = None
    for layer, line, column, mark, number in _characters(text, layers=table.layers):
        if mark in " .":
            continue
        kind = table.marks.find(mark)
        if kind < 0:
            expected = ", ".join(map(repr, table.marks))
            message = f"invalid character {mark!r} (expected {expected}, '.' or a blank)"
            raise ParseError(message, number, column + 1)
        if start is None:
            start = layer, line - table.text_places[kind][0], column - table.text_places[kind][1]
        found = _cell_at(lattice, line - start[1], column - start[2])
        if found is None or found[1] != kind:
            there = "no cell" if found is None else f"a cell {table.marks[found[1]]!r}"
            raise ParseError(
                f"{mark!r} cannot stand here: after the first mark there is {there} in this place",
                number,
                column + 1,
            )
        place = (layer - start[0], *found[0]) if table.layers else found[0]
        cells.append((*place, kind) if lattice.kinds > 1 else place)
    if not cells:
        raise ParseError(f"expected at least one mark of {table.marks!r}, found none")
    return cells


def _characters(text: str, *, layers: bool) -> Iterator[tuple[int, int, int, str, int]]:
    """Give each character with its layer, line in the layer, column and line number."""
    layer = line = 0
    lines = text.removeprefix("\ufeff").splitlines()
    for number, row in enumerate(lines, 1):
        if layers and not row.strip():
            layer, line = layer + (line > 0), 0
            continue
        for column, mark in enumerate(row.rstrip()):
            yield layer, line, column, mark, number
        line += 1


def _place(lattice: Lattice, cell: Cell) -> tuple[int, int, int]:
    """Return layer, line and column of a cell."""
    table = lattice.table
    kind = cell[-1] if lattice.kinds > 1 else 0
    first = int(table.layers)
    row, col = cell[first : first + 2]
    (a, b), (c, d) = table.text_steps
    line, column = table.text_places[kind]
    return cell[0] if first else 0, line + row * a + col * c, column + row * b + col * d


def _cell_at(lattice: Lattice, line: int, column: int) -> tuple[tuple[int, int], int] | None:
    """Return row and column of the cell at a place in a layer, and its kind; None for no cell."""
    (a, b), (c, d) = lattice.table.text_steps
    area = a * d - b * c
    for kind, (first_line, first_column) in enumerate(lattice.table.text_places):
        down, across = line - first_line, column - first_column
        row, col = down * d - across * c, across * a - down * b
        if row % area == 0 and col % area == 0:
            return (row // area, col // area), kind
    return None
