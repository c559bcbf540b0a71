"""SVG pictures of labelled grids."""

from __future__ import annotations

from collections.abc import Sequence

from gridkit.reading import read_int
from gridkit.render.text import escaped

__all__ = ["BLOCKED", "colour", "grid_svg"]

BLOCKED = -1
Labels = Sequence[Sequence[int | None]]

# After Paul Tol's "light" and "muted" schemes: colour-blind safe, dark text stays legible.
_PALETTE = (
    "#77aadd", "#ee8866", "#eedd88", "#ffaabb", "#99ddff", "#44bb99", "#bbcc33", "#aaaa00",
    "#dddddd", "#88ccee", "#ddcc77", "#cc99bb", "#66ccaa", "#f4a582", "#b2abd2", "#a6d96a",
)  # fmt: skip


def colour(label: int) -> str:
    """Return the fill colour of a label (0, 1, 2, ...); colours recur after the palette's end."""
    return _PALETTE[label % len(_PALETTE)]


def grid_svg(
    labels: Labels,
    captions: Sequence[Sequence[str]] | None = None,
    *,
    cell_size: int = 24,
    colours: Sequence[str] | None = None,
    title: str | None = None,
) -> str:
    """Draw a grid whose cells carry labels; borders run between cells of different labels.

    Parameters
    ----------
    labels : rows of int or None
        The owner of each cell: None is an open, empty cell; `BLOCKED` (-1) a blocked one; 0, 1,
        2, ... pieces.  Pieces that share a colour still have their own labels.
    captions : rows of str, optional
        Text in the middle of each cell.
    cell_size : int
        Side of a cell in pixels, 1 to 1000.
    colours : sequence of str, optional
        Fill colour of each label instead of the palette.
    title : str, optional
        Accessible name of the picture.

    Returns
    -------
    str
        A complete ``<svg>`` element.

    Raises
    ------
    InputError
        For a `cell_size` that is no integer or out of range.

    Examples
    --------
    >>> grid_svg([[0, 0], [None, -1]]).startswith("<svg")
    True
    """
    rows, cols = len(labels), len(labels[0]) if labels else 0
    size = read_int(cell_size, "cell_size", 1, 1000)
    width, height = cols * size + 2, rows * size + 2
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="-1 -1 {width} {height}" role="img">'
    ]
    if title:
        parts.append(f"<title>{escaped(title)}</title>")
    for r, row in enumerate(labels):
        for c, label in enumerate(row):
            fill = _fill(label, colours)
            parts.append(
                f'<rect x="{c * size}" y="{r * size}" width="{size}" height="{size}" '
                f'fill="{fill}" stroke="#000" stroke-opacity="0.13"/>'
            )
    parts.append(f'<path d="{_borders(labels, size)}" stroke="#222" stroke-width="2" fill="none" '
                 'stroke-linecap="square"/>')  # fmt: skip
    if captions is not None:
        parts.extend(_captions(captions, size))
    parts.append("</svg>")
    return "".join(parts)


def _fill(label: int | None, colours: Sequence[str] | None) -> str:
    if label is None:
        return "#ffffff"
    if label == BLOCKED:
        return "#555555"
    return colours[label] if colours is not None else colour(label)


def _borders(labels: Labels, size: int) -> str:
    rows, cols = len(labels), len(labels[0]) if labels else 0
    outside = object()

    def at(r: int, c: int) -> object:
        return labels[r][c] if 0 <= r < rows and 0 <= c < cols else outside

    moves = []
    for r in range(rows + 1):
        for c in range(cols):
            if at(r - 1, c) != at(r, c):
                moves.append(f"M{c * size} {r * size}h{size}")
    for r in range(rows):
        for c in range(cols + 1):
            if at(r, c - 1) != at(r, c):
                moves.append(f"M{c * size} {r * size}v{size}")
    return "".join(moves)


def _captions(captions: Sequence[Sequence[str]], size: int) -> list[str]:
    longest = max((len(text) for row in captions for text in row), default=1)
    font = max(6, min(size * 0.55, size * 1.5 / max(longest, 1)))
    return [
        f'<text x="{c * size + size / 2:g}" y="{r * size + size / 2:g}" font-size="{font:g}" '
        'font-family="sans-serif" text-anchor="middle" dominant-baseline="central" '
        f'fill="#222">{escaped(text)}</text>'
        for r, row in enumerate(captions)
        for c, text in enumerate(row)
        if text
    ]
