"""Small rectangles that pieces tile, and how large rectangles are cut into them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gridkit.cover.instance import Instance, Point, lay_out
from gridkit.cover.proof.areas import sums
from gridkit.run import Run

__all__ = ["Block", "Tiles", "cut", "orientations", "tileable_blocks", "tiled"]

Block = tuple[int, int]
"""Rows and columns."""
Tiles = list[tuple[int, tuple[Point, ...]]]
"""Pieces laid: their numbers and cells."""

_LONGEST = 14  # of the sides of a block
_LARGEST = 100  # cells of a block
_NODES = 3000  # of the search for the tiling of a block


def orientations(instance: Instance) -> list[list[list[Point]]]:
    """Return the orientations of each piece, turned and, where it may be, reflected."""
    result = []
    for shape in instance.shapes:
        cells = [(row, col) for row, col in shape]
        forms: dict[tuple[Point, ...], None] = {}
        for flip in (False, True) if instance.reflect else (False,):
            form = [(row, -col) for row, col in cells] if flip else cells
            for _ in range(4):
                form = [(col, -row) for row, col in form]
                top, left = (min(axis) for axis in zip(*form, strict=True))
                forms[tuple(sorted((row - top, col - left) for row, col in form))] = None
        result.append([list(form) for form in forms])
    return result


def tiled(
    cells: Sequence[Point],
    forms: list[list[list[Point]]],
    optional: frozenset[Point],
    nodes: int,
    run: Run,
) -> Tiles | None:
    """Return a tiling of some cells that a short search finds; None where it finds none.

    Parameters
    ----------
    cells : sequence of (row, col)
        Increasing.
    forms : list of lists of lists of (row, col)
        The orientations of each piece, each used any number of times.
    optional : frozenset of (row, col)
        Cells that may stay empty.
    nodes : int
        After which the search gives up.
    run : Run
        The call.
    """
    from gridkit.cover.search import listing  # late: a small board needs no search

    least = len(cells) - sum(1 for cell in cells if cell in optional)
    free = [(0, None)] * len(forms)
    if not sums([len(form[0]) for form in forms], free, len(cells)) >> least:
        return None
    instance = Instance(
        tuple(cells),
        lay_out(cells, forms),
        ((0, None),) * len(forms),
        frozenset(number for number, cell in enumerate(cells) if cell in optional),
    )
    seek = listing.Seek(instance.matrix, "auto", 1, run)
    if not run.drive(seek, at_most=nodes) or not seek.solutions:
        return None
    laid = [instance.placements[number] for number in seek.solutions[0]]
    return [(piece, tuple(cells[number] for number in covered)) for piece, covered in laid]


def tileable_blocks(
    forms: list[list[list[Point]]], most: Block, run: Run
) -> Iterator[tuple[Block, Tiles]]:
    """Give small rectangles that the pieces tile, smallest first, each also turned.

    Those that smaller ones, laid side by side, make up are left out.
    """
    known: set[Block] = set()
    sides = range(1, _LONGEST + 1)
    sizes = sorted((h * w, h, w) for h in sides for w in sides if h <= w and h * w <= _LARGEST)
    shortest, longest = min(most), max(most)
    for _, h, w in sizes:
        if h > shortest or w > longest or cut((h, w), known) is not None:
            continue
        cells = [(row, col) for row in range(h) for col in range(w)]
        tiles = tiled(cells, forms, frozenset(), _NODES, run)
        if tiles is None:
            continue
        known |= {(h, w), (w, h)}
        yield (h, w), tiles
        if h < w:
            turned: Tiles = [
                (piece, tuple((col, row) for row, col in laid)) for piece, laid in tiles
            ]
            forms_of = {
                (piece, _shape(form)) for piece, all_of in enumerate(forms) for form in all_of
            }
            if all((piece, _shape(laid)) in forms_of for piece, laid in turned):
                yield (w, h), turned
            else:  # reflected: a quarter turn is one for certain
                quarter: Tiles = [
                    (piece, tuple((col, h - 1 - row) for row, col in laid)) for piece, laid in tiles
                ]
                yield (w, h), quarter


def _shape(cells: Sequence[Point]) -> tuple[Point, ...]:
    top, left = (min(axis) for axis in zip(*cells, strict=True))
    return tuple(sorted((row - top, col - left) for row, col in cells))


def cut(size: Block, blocks: set[Block]) -> list[tuple[Point, Block]] | None:
    """Cut a rectangle into strips, and each strip into blocks as high as it is.

    Parameters
    ----------
    size : (rows, cols)
    blocks : set of (rows, cols)

    Returns
    -------
    list of ((row, col), block) or None
        The corner of each block; None where there is no such cut.  Takes time proportional to the
        sides times the blocks.

    Examples
    --------
    >>> cut((4, 5), {(2, 3), (2, 2)})
    [((0, 0), (2, 2)), ((0, 2), (2, 3)), ((2, 0), (2, 2)), ((2, 2), (2, 3))]
    >>> cut((3, 5), {(2, 3), (2, 2)}) is None
    True
    """
    rows, cols = size
    strips = {}
    for height in sorted({h for h, _ in blocks}):
        widths = _summands(cols, sorted(w for h, w in blocks if h == height))
        if widths is not None:
            strips[height] = widths
    heights = _summands(rows, list(strips))
    if heights is None:
        return None
    result: list[tuple[Point, Block]] = []
    row = 0
    for height in heights:
        col = 0
        for width in strips[height]:
            result.append(((row, col), (height, width)))
            col += width
        row += height
    return result


def _summands(total: int, numbers: list[int]) -> list[int] | None:
    """Return some of the numbers, increasing, that add up to a total; None where none do."""
    last: list[int | None] = [0, *[None] * total]
    for number in numbers:
        for reached in range(number, total + 1):
            if last[reached] is None and last[reached - number] is not None:
                last[reached] = number
    if last[total] is None:
        return None
    result = []
    while total:
        number = last[total] or 0
        result.append(number)
        total -= number
    return result[::-1]
