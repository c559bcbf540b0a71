"""Short, obviously right twins of the counting engines, and problems built from drawings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from gridkit.cover.instance import Instance

Point = tuple[int, ...]


def drawn(text: str) -> list[Point]:
    """Cells of a drawing: every character but '.' and blank for a piece, or '#' for a board."""
    return [
        (row, col)
        for row, line in enumerate(text.split("\n"))
        for col, mark in enumerate(line)
        if mark == "#"
    ]


def rectangle(rows: int, cols: int, holes: Iterable[tuple[int, int]] = ()) -> list[Point]:
    gone = set(holes)
    return [(r, c) for r in range(rows) for c in range(cols) if (r, c) not in gone]


def turned(piece: Sequence[Point], reflect: bool = False) -> list[list[Point]]:
    """Rotations (and reflections) of a plane piece, each starting at the origin, no two equal."""
    shapes = []
    for flip in (1, -1) if reflect else (1,):
        cells = [(r, flip * c) for r, c in piece]
        for _ in range(4):
            cells = [(c, -r) for r, c in cells]
            top, left = min(r for r, _ in cells), min(c for _, c in cells)
            shape = sorted((r - top, c - left) for r, c in cells)
            if shape not in shapes:
                shapes.append(shape)
    return [list(shape) for shape in shapes]


def instance_of(
    cells: Iterable[Point],
    pieces: Sequence[Sequence[Point]],
    copies: Sequence[tuple[int, int | None]] | tuple[int, int | None] = (0, None),
    *,
    reflect: bool = False,
    optional: Iterable[Point] = (),
) -> Instance:
    """Lay the pieces on the cells in every way."""
    ordered = sorted(cells)
    number = {cell: place for place, cell in enumerate(ordered)}
    found = set()
    for piece, drawing in enumerate(pieces):
        plane = len(drawing[0]) == 2
        for shape in turned(drawing, reflect) if plane else [list(drawing)]:
            for cell in ordered:
                for corner in shape:
                    shift = [a - b for a, b in zip(cell, corner, strict=True)]
                    placed = [tuple(a + b for a, b in zip(c, shift, strict=True)) for c in shape]
                    if all(c in number for c in placed):
                        found.add((piece, tuple(sorted(number[c] for c in placed))))
    bounds = [copies] * len(pieces) if isinstance(copies, tuple) else list(copies)
    return Instance(
        tuple(ordered),
        tuple(sorted(found, key=lambda p: (p[1][0], p[0], p[1]))),
        tuple(bounds),
        frozenset(number[cell] for cell in optional),
    )


def coverings(instance: Instance) -> Iterator[tuple[int, ...]]:
    """Every covering, as increasing numbers of placements, by plain backtracking."""
    placements = instance.placements

    def extend(
        cell: int, covered: frozenset[int], used: tuple[int, ...]
    ) -> Iterator[tuple[int, ...]]:
        while cell in covered:
            cell += 1
        if cell == len(instance.coordinates):
            tally = Counter(placements[p][0] for p in used)
            if all(
                least <= tally[piece] and (greatest is None or tally[piece] <= greatest)
                for piece, (least, greatest) in enumerate(instance.copies)
            ):
                yield used
            return
        if cell in instance.optional:
            yield from extend(cell + 1, covered, used)
        for number, (_, cells) in enumerate(placements):
            if cells[0] == cell and covered.isdisjoint(cells):
                yield from extend(cell + 1, covered.union(cells), (*used, number))

    yield from extend(0, frozenset(), ())


def count(instance: Instance) -> int:
    return sum(1 for _ in coverings(instance))


def count_by(instance: Instance) -> dict[tuple[int, ...], int]:
    tally: Counter[tuple[int, ...]] = Counter()
    for covering in coverings(instance):
        used = Counter(instance.placements[number][0] for number in covering)
        tally[tuple(used[piece] for piece in range(len(instance.copies)))] += 1
    return dict(tally)


L_TROMINO: list[Point] = [(0, 0), (1, 0), (1, 1)]
I_TROMINO: list[Point] = [(0, 0), (0, 1), (0, 2)]
DOMINO: list[Point] = [(0, 0), (0, 1)]
MONOMINO: list[Point] = [(0, 0)]
TETROMINOES = {
    "I": drawn("####"),
    "O": drawn("##\n##"),
    "T": drawn("###\n.#."),
    "S": drawn(".##\n##."),
    "L": drawn("###\n#.."),
}
PENTOMINOES = {
    "F": drawn(".##\n##.\n.#."),
    "I": drawn("#####"),
    "L": drawn("####\n#..."),
    "N": drawn("###.\n..##"),
    "P": drawn("###\n##."),
    "T": drawn("###\n.#.\n.#."),
    "U": drawn("###\n#.#"),
    "V": drawn("###\n#..\n#.."),
    "W": drawn("##.\n.##\n..#"),
    "X": drawn(".#.\n###\n.#."),
    "Y": drawn("####\n.#.."),
    "Z": drawn("##.\n.#.\n.##"),
}
