"""Cells of a lattice as polygons of a picture."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gridkit import render
from gridkit.grid.lattice import Lattice

__all__ = ["lattice_scene"]

Cell = tuple[int, ...]


def lattice_scene(
    lattice: Lattice,
    owner_of: Mapping[Cell, int | None],
    fills: Mapping[int, render.Fill] | None = None,
    captions: Mapping[Cell, str] | None = None,
    *,
    title: str = "",
) -> render.Scene:
    """Return cells with their owners; layers stand side by side.

    Parameters
    ----------
    lattice : Lattice
        Where the cells are.
    owner_of : mapping from cell to int or None
        The number of the piece that each cell to be drawn belongs to; None for an empty one.
    fills : mapping from int, optional
        The fill of each owner; open when left out.
    captions : mapping from cell to str, optional
        A text in some cells.
    title : str
        Accessible name of the picture.

    Examples
    --------
    >>> scene = lattice_scene(Lattice("hexagonal"), {(0, 0): 0, (0, 1): None}, {0: 5})
    >>> len(scene.cells), len(scene.cells[0].corners), scene.cells[0].fill
    (2, 6, 5)
    """
    layers: dict[int, list[Cell]] = {}
    for cell in sorted(owner_of):
        layers.setdefault(cell[0] if lattice.table.layers else 0, []).append(cell)
    # Layers are moved alike, so that they can be compared.
    drawn = {cell: lattice.polygon(cell) for cell in owner_of}
    width = max((x for corners in drawn.values() for x, _ in corners), default=0)
    left = min((x for corners in drawn.values() for x, _ in corners), default=0)
    cells, labels = [], []
    for place, layer in enumerate(sorted(layers)):
        across = place * (width - left + 1)
        for cell in layers[layer]:
            corners = tuple((x + across, y) for x, y in drawn[cell])
            owner = owner_of[cell]
            fill: render.Fill = "open"
            if owner is not None and fills is not None:
                fill = fills[owner]
            cells.append(render.SceneCell(corners, owner, fill))
            if captions is not None and cell in captions:
                labels.append(_caption(captions[cell], corners, fill))
    return render.Scene(tuple(cells), tuple(labels), title=title)


def _caption(text: str, corners: Sequence[tuple[float, float]], fill: render.Fill) -> render.Label:
    """Return a text in the middle of a cell."""
    x = sum(x for x, _ in corners) / len(corners)
    y = sum(y for _, y in corners) / len(corners)
    return render.Label(text, x, y, room=0.5, fill=fill, height=0.4)
