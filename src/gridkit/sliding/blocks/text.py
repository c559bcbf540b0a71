"""Sliding-block puzzles as text: grids of letters, Rush Hour strings, and drawings of states."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from gridkit import render
from gridkit.errors import InputError, ParseError
from gridkit.grid.board import Board
from gridkit.grid.cell import Cell
from gridkit.grid.text import parse_rows
from gridkit.sliding.blocks.rules import Axis, Instance, is_connected

__all__ = [
    "block_stage",
    "draw_text",
    "goal_scene",
    "goal_text",
    "read_puzzle",
    "read_rush_hour",
    "shape_of",
    "state_scene",
]

Blocks = dict[str, list[Cell]]
Place = tuple[int, int]


def read_puzzle(
    text: str, goal: Mapping[str, Place | str] | str | None
) -> tuple[Board, Blocks, Mapping[str, Place | str]]:
    """Split a text into board, blocks and goal (see `SlidingPuzzle.parse`)."""
    grids = _grids(text)
    if len(grids) > (2 if goal is None else 1):
        expected = "a start grid and a goal grid" if goal is None else "one grid beside the goal"
        raise ParseError(f"expected {expected}, found {len(grids)} grids")
    grid = parse_rows(grids[0])
    rows = grid.rows
    blocks, walls = _letters(rows, grid.first_line)
    for name, cells in blocks.items():
        if not is_connected(cells):
            raise ParseError(
                f"block {name!r} is not connected: its cells are {[tuple(cell) for cell in cells]}"
            )
    if not blocks:
        raise ParseError("expected at least one block, found none")
    board = _board(len(rows), len(rows[0]), tuple(walls))
    if goal is None:
        if len(grids) == 1:
            raise ParseError("no goal: expected a blank line and a goal grid after the start grid")
        goal = grids[1]
    if isinstance(goal, str):
        return board, blocks, _read_goal(goal, board, blocks)
    return board, blocks, goal


def _grids(text: str) -> list[str]:
    """Split at blank lines; each part keeps its line numbers."""
    if not isinstance(text, str):
        raise InputError(f"expected a text, got {type(text).__name__}")
    grids: list[str] = []
    fresh = True
    for number, line in enumerate(text.removeprefix("\ufeff").splitlines()):
        if not line.strip():
            fresh = True
        elif fresh:
            grids.append("\n" * number + line)
            fresh = False
        else:
            grids[-1] += "\n" + line
    if not grids:
        raise ParseError("expected at least one row, found an empty text")
    return grids


def _letters(rows: list[str], first_line: int = 1) -> tuple[Blocks, list[Cell]]:
    blocks: Blocks = {}
    walls = []
    for row, line in enumerate(rows):
        for col, mark in enumerate(line):
            if mark == "#":
                walls.append(Cell(row, col))
            elif mark != ".":
                if mark.isspace() or not mark.isprintable():
                    raise ParseError(
                        f"invalid character {mark!r} (expected '.', '#' or a block's letter)",
                        first_line + row,
                        col + 1,
                    )
                blocks.setdefault(mark, []).append(Cell(row, col))
    return blocks, walls


def _read_goal(text: str, board: Board, blocks: Blocks) -> dict[str, Place | str]:
    first_line, rows = parse_rows(text)
    if (len(rows), len(rows[0])) != (board.rows, board.cols):
        raise ParseError(
            f"the goal grid is {len(rows)} x {len(rows[0])} "
            f"(expected {board.rows} x {board.cols}, as the start)"
        )
    targets, walls = _letters(rows, first_line)
    for cell in walls:
        if cell in board:
            raise ParseError(f"the goal grid has a wall at {tuple(cell)}, where the board is open")
    if not targets:
        raise ParseError("no goal: the goal grid names no block")
    goal: dict[str, Place | str] = {}
    for name, cells in targets.items():
        if name not in blocks:
            raise ParseError(f"the goal grid names block {name!r}, which the start does not have")
        place, shape = shape_of(cells)
        if shape != shape_of(blocks[name])[1]:
            raise ParseError(f"block {name!r} has another shape in the goal grid than at the start")
        goal[name] = place
    return goal


def shape_of(cells: Sequence[Cell]) -> tuple[Cell, list[Place]]:
    """Return the corner of the bounding box of cells, and the cells as offsets from it.

    Examples
    --------
    >>> corner, offsets = shape_of([Cell(2, 3), Cell(3, 3)])
    >>> tuple(corner), offsets
    ((2, 3), [(0, 0), (1, 0)])
    """
    top, left = min(row for row, _ in cells), min(col for _, col in cells)
    return Cell(top, left), [(row - top, col - left) for row, col in cells]


@lru_cache(maxsize=64)
def _board(rows: int, cols: int, walls: tuple[Cell, ...]) -> Board:
    """Return a board; puzzles read one after the other often share it."""
    board = Board(rows, cols)
    return board.without(walls) if walls else board


_CELLS = tuple(Cell(row, col) for row in range(6) for col in range(6))


def read_rush_hour(text: str) -> tuple[Board, dict[str, tuple[Cell, ...]], dict[str, Axis]]:
    """Split a Rush Hour string into board, cars and axes (see `SlidingPuzzle.parse_rush_hour`).

    The cars lie on the board and apart, so they need no other check.
    """
    if not isinstance(text, str):
        raise InputError(f"expected a text, got {type(text).__name__}")
    text = text.removeprefix("\ufeff").strip()
    if len(text) != 36:
        raise ParseError(f"expected 36 characters of a 6 x 6 board, found {len(text)}")
    marks = text.replace("o", ".").replace("x", "#")
    if not marks.isprintable() or " " in marks:
        _letters([marks])  # says where
    walls = tuple([_CELLS[at] for at, mark in enumerate(marks) if mark == "#"])
    cars: dict[str, tuple[Cell, ...]] = {}
    axes: dict[str, Axis] = {}
    for name in dict.fromkeys(marks):
        if name in ".#":
            continue
        first, size = marks.index(name), marks.count(name)
        car = name * size
        if size > 1 and marks[first : first + size] == car and first % 6 + size <= 6:
            cars[name] = _CELLS[first : first + size]
            axes[name] = "horizontal"
        elif size > 1 and marks[first : first + 6 * size - 5 : 6] == car:
            cars[name] = _CELLS[first : first + 6 * size - 5 : 6]
            axes[name] = "vertical"
        else:
            own = [tuple(_CELLS[at]) for at, mark in enumerate(marks) if mark == name]
            raise ParseError(f"car {name!r} is not a straight row of two cells or more: {own}")
    if axes.get("A") != "horizontal":
        raise ParseError("expected a horizontal car 'A', which has to reach the right edge")
    return _board(6, 6, walls), cars, axes


def _labels(instance: Instance, places: Sequence[Place]) -> list[list[int | None]]:
    """Return the number of the block on each cell: None where there is none, -1 for walls.

    Blocks beyond the end of `places` are left out.
    """
    rows, cols = instance.rows, instance.cols
    labels: list[list[int | None]] = [
        [None if instance.free >> (row * cols + col) & 1 else -1 for col in range(cols)]
        for row in range(rows)
    ]
    for number, (shape, (top, left)) in enumerate(zip(instance.shapes, places, strict=False)):
        for row, col in shape:
            labels[row + top][col + left] = number
    return labels


def draw_text(instance: Instance, places: Sequence[Place]) -> str:
    """Draw a state in the puzzle's own letters."""
    marks: dict[int | None, str] = {None: ".", -1: "#"}
    marks.update((number, block.name) for number, block in enumerate(instance.blocks))
    return "\n".join("".join(marks[label] for label in row) for row in _labels(instance, places))


def goal_text(instance: Instance) -> str | None:
    """Draw the goal, or return None where it asks for edges."""
    goal = []
    for number, target in instance.goal:
        if not isinstance(target, tuple):
            return None
        goal.append((number, target))
    rows = [
        [
            "." if instance.free >> (row * instance.cols + col) & 1 else "#"
            for col in range(instance.cols)
        ]
        for row in range(instance.rows)
    ]
    for number, target in goal:
        for row, col in instance.shapes[number]:
            rows[row + target[0]][col + target[1]] = instance.blocks[number].name
    return "\n".join("".join(row) for row in rows)


def state_scene(instance: Instance, places: Sequence[Place]) -> render.Scene:
    """Return a state, each block in a hue of its own and named in its middle."""
    names = {number: block.name for number, block in enumerate(instance.blocks)}
    labels, hues = _labels(instance, places), _hues(instance)
    scene = render.grid_scene(labels, fills=hues, title="sliding blocks").named(names)
    return replace(scene, lines=tuple(_exits(instance, places)), seams=False)


def _hues(instance: Instance) -> list[render.Fill]:
    """Return the hue of each block, the same in every state; at the start no neighbours' are alike.

    The first dozen hues are all unlike one another: a puzzle of few blocks takes them in turn.
    """
    numbers: list[render.Fill] = list(range(len(instance.blocks)))
    if len(numbers) > 12:
        start = render.grid_scene(_labels(instance, instance.places))
        for cell in start.coloured({number: number for number in range(len(numbers))}).cells:
            if isinstance(cell.owner, int) and cell.owner >= 0:
                numbers[cell.owner] = cell.fill
    return numbers


def _exits(instance: Instance, places: Sequence[Place]) -> Iterator[render.Line]:
    """Give an arrow out of the board beside each block whose goal is an edge."""
    rows, cols = instance.rows, instance.cols
    for number, target in instance.goal:
        if isinstance(target, str):
            top, left = places[number]
            y = top + (1 + max(row for row, _ in instance.shapes[number])) / 2
            x = left + (1 + max(col for _, col in instance.shapes[number])) / 2
            ends = {
                "left": ((-0.2, y), (-0.8, y)),
                "right": ((cols + 0.2, y), (cols + 0.8, y)),
                "top": ((x, -0.2), (x, -0.8)),
                "bottom": ((x, rows + 0.2), (x, rows + 0.8)),
            }
            yield render.Line(ends[target], 0.09, arrow=True)


def goal_scene(instance: Instance) -> render.Scene | None:
    """Return the blocks that have a place in the goal, or None where none has one."""
    labels = _labels(instance, ())
    names = {}
    for number, target in instance.goal:
        if isinstance(target, tuple):
            names[number] = instance.blocks[number].name
            for row, col in instance.shapes[number]:
                labels[row + target[0]][col + target[1]] = number
    if not names:
        return None
    return replace(render.grid_scene(labels, fills=_hues(instance)).named(names), seams=False)


def block_stage(instance: Instance) -> render.Stage:
    """Return the start for a film: sprite k is block k, and goals are outlined."""
    floor = [
        ["blocked" if label == -1 else "open" for label in row] for row in _labels(instance, ())
    ]
    hues = _hues(instance)
    sprites = [
        render.block(shape, own.name, hues[number], place)
        for number, (own, shape, place) in enumerate(
            zip(instance.blocks, instance.shapes, instance.places, strict=True)
        )
    ]
    goals = [
        render.block(instance.shapes[number], "", hues[number], target)
        for number, target in instance.goal
        if isinstance(target, tuple)
    ]
    return render.Stage(instance.rows, instance.cols, floor, sprites, goals, "sliding blocks")
