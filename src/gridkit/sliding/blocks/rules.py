"""What a sliding-block puzzle may be made of: every check of the constructor."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Literal, get_args

from gridkit.errors import InputError, PlacementError
from gridkit.grid.board import Board
from gridkit.grid.cell import Cell
from gridkit.grid.components import components

if TYPE_CHECKING:
    from gridkit.sliding.blocks.puzzle import SlidingPuzzle

__all__ = [
    "Axis",
    "Edge",
    "check_goal_places",
    "check_start",
    "checked_axes",
    "checked_blocks",
    "checked_gates",
    "checked_goal",
    "checked_groups",
]

Axis = Literal["horizontal", "vertical"]
Edge = Literal["left", "right", "top", "bottom"]
AXES: tuple[Axis, ...] = get_args(Axis)
EDGES: tuple[Edge, ...] = get_args(Edge)
GROUP_RULES = ("unnamed", "all", "none")


def checked_blocks(blocks: object) -> dict[str, tuple[Cell, ...]]:
    """Return the blocks in the order given, their cells sorted."""
    if not isinstance(blocks, Mapping):
        raise InputError(f"blocks must be a mapping, got {type(blocks).__name__}")
    found = {}
    for name, cells in blocks.items():
        if not isinstance(name, str) or len(name) != 1 or name in ".#" or not _visible(name):
            raise InputError(
                f"a block's name must be one visible character other than '.' and '#', got {name!r}"
            )
        if isinstance(cells, str) or not isinstance(cells, Iterable):
            raise InputError(f"block {name!r}: expected cells, got {cells!r}")
        own = sorted([c if type(c) is Cell else checked_cell(c, f"block {name!r}") for c in cells])
        if not own:
            raise InputError(f"block {name!r} has no cells")
        if len(set(own)) != len(own):
            raise InputError(f"block {name!r} names a cell twice")
        found[name] = tuple(own)
    if not found:
        raise InputError("expected at least one block, found none")
    return found


def _visible(name: str) -> bool:
    return name.isprintable() and not name.isspace()


def checked_cell(cell: object, what: str) -> Cell:
    """Return a pair of ints as a cell."""
    if isinstance(cell, tuple | list) and len(cell) == 2:
        row, col = cell
        if type(row) is int and type(col) is int:
            return Cell(row, col)
    raise InputError(f"{what}: expected a cell as (row, col) of ints, got {cell!r}")


def checked_axes(axes: object, names: Iterable[str]) -> dict[str, Axis]:
    """Return the axis of each limited block."""
    if not isinstance(axes, Mapping):
        raise InputError(f"axes must be a mapping, got {type(axes).__name__}")
    for name, axis in axes.items():
        _known(name, names, "axes")
        if axis not in AXES:
            raise InputError(f"axes: {name!r} must move along one of {AXES}, got {axis!r}")
    return dict(axes)


def checked_gates(gates: object, board: Board, names: Iterable[str]) -> dict[Cell, frozenset[str]]:
    """Return the names of the blocks that may cover each gate."""
    if not isinstance(gates, Mapping):
        raise InputError(f"gates must be a mapping, got {type(gates).__name__}")
    found = {}
    for cell, guests in gates.items():
        gate = checked_cell(cell, "gates")
        if gate not in board:
            raise InputError(f"gates: cell {tuple(gate)} is not an open cell of the board")
        if not isinstance(guests, Iterable):
            raise InputError(f"gates: expected names of blocks, got {guests!r}")
        found[gate] = frozenset(_known(name, names, "gates") for name in guests)
    return found


def checked_goal(goal: object, names: Iterable[str]) -> dict[str, Cell | Edge]:
    """Return the goal of each named block."""
    if not isinstance(goal, Mapping):
        raise InputError(f"goal must be a mapping, got {type(goal).__name__}")
    if not goal:
        raise InputError("expected a goal for at least one block, found none")
    found: dict[str, Cell | Edge] = {}
    for name, wanted in goal.items():
        _known(name, names, "goal")
        if isinstance(wanted, str):
            edge = next((edge for edge in EDGES if edge == wanted), None)
            if edge is None:
                raise InputError(
                    f"goal: {name!r} must go to a cell or to one of {EDGES}, got {wanted!r}"
                )
            found[name] = edge
        else:
            found[name] = checked_cell(wanted, f"goal of {name!r}")
    return found


def _known(name: object, names: Iterable[str], what: str) -> str:
    if not isinstance(name, str) or name not in names:
        raise InputError(f"{what}: there is no block {name!r} (blocks: {', '.join(names)})")
    return name


def checked_groups(rule: object, puzzle: SlidingPuzzle) -> str | tuple[tuple[str, ...], ...]:
    """Return the rule, or the groups with at least two blocks, in order."""
    if isinstance(rule, str) or not isinstance(rule, Iterable):
        if rule not in GROUP_RULES:
            raise InputError(
                f"interchangeable must be one of {GROUP_RULES} or groups of names, got {rule!r}"
            )
        return str(rule)
    seen: set[str] = set()
    groups = []
    for names in rule:
        if not isinstance(names, Iterable):
            raise InputError(f"interchangeable: expected groups of names, got {names!r}")
        group = tuple(sorted(_known(name, puzzle.names, "interchangeable") for name in names))
        for name in group:
            if name in seen:
                raise InputError(f"interchangeable: block {name!r} is named twice")
            seen.add(name)
            if puzzle.make(name) != puzzle.make(group[0]):
                raise InputError(
                    f"interchangeable: blocks {group[0]!r} and {name!r} differ in shape, axis or "
                    "gates"
                )
        if len(group) > 1:
            groups.append(group)
    return tuple(sorted(groups))


def check_start(puzzle: SlidingPuzzle) -> None:
    """Refuse blocks that overlap or leave the board."""
    owner: dict[Cell, str] = {}
    board, gates = puzzle.board, puzzle.gates
    for name, cells in puzzle.blocks.items():
        for cell in cells:
            if gates or cell not in board:
                _check_cover(puzzle, name, cell, "")
            if owner.setdefault(cell, name) != name:
                raise PlacementError(
                    f"blocks {owner[cell]!r} and {name!r} overlap at {tuple(cell)}"
                )


def check_goal_places(puzzle: SlidingPuzzle) -> None:
    """Refuse goals off the board and goals that overlap."""
    owner: dict[Cell, str] = {}
    for name, wanted in puzzle.goal.items():
        if isinstance(wanted, str):
            continue
        for row, col in puzzle.shapes[puzzle.number[name]]:
            cell = Cell(row + wanted[0], col + wanted[1])
            _check_cover(puzzle, name, cell, "goal: ")
            if owner.setdefault(cell, name) != name:
                raise PlacementError(
                    f"goal: blocks {owner[cell]!r} and {name!r} overlap at {tuple(cell)}"
                )


def _check_cover(puzzle: SlidingPuzzle, name: str, cell: Cell, what: str) -> None:
    if cell not in puzzle.board:
        outside = not (0 <= cell[0] < puzzle.rows and 0 <= cell[1] < puzzle.cols)
        place = f"leaves the {puzzle.rows} x {puzzle.cols} board" if outside else "covers a wall"
        raise PlacementError(f"{what}block {name!r} {place} at {tuple(cell)}")
    if puzzle.gates and name not in puzzle.gates.get(cell, (name,)):
        raise PlacementError(f"{what}block {name!r} may not cover the gate at {tuple(cell)}")


def is_connected(cells: Sequence[Cell]) -> bool:
    """Return whether cells are joined by their edges."""
    return len(components(cells, Cell.neighbours)) == 1
