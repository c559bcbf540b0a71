"""What a sliding-block puzzle is made of: checks, plain data for engines, and the rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import combinations
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias, get_args

from gridkit.errors import InputError, InvalidPlanError, PlacementError
from gridkit.grid.board import Board
from gridkit.grid.cell import Cell
from gridkit.grid.components import components
from gridkit.reading import read_cell
from gridkit.sliding.steps import Steps as PackedSteps

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = [
    "METRICS",
    "Axis",
    "Block",
    "BlockMetric",
    "Edge",
    "Instance",
    "MetricChoice",
    "Snapshot",
    "Steps",
    "check_instance",
    "check_steps",
    "checked_axes",
    "checked_blocks",
    "checked_cell",
    "checked_gates",
    "checked_goal",
    "checked_groups",
    "checked_metric",
    "checked_metrics",
    "edge_sets",
    "free_cells",
    "is_connected",
]

Axis = Literal["horizontal", "vertical"]
Edge = Literal["left", "right", "top", "bottom"]
AXES: tuple[Axis, ...] = get_args(Axis)
EDGES: tuple[Edge, ...] = get_args(Edge)
GROUP_RULES = ("unnamed", "all", "none")
BlockMetric = Literal["step", "slide", "move"]
MetricChoice = BlockMetric | tuple[BlockMetric, ...]
METRICS: tuple[BlockMetric, ...] = get_args(BlockMetric)  # by the codes of `kernels.codes`

Offsets = tuple[tuple[int, int], ...]
Place = tuple[int, int]
# Rows (block, reference cell before, and after); cells by row-major index.
Steps: TypeAlias = "list[tuple[int, int, int]] | NDArray[np.int32]"
# The state of a search in plain data, for a token.
Snapshot: TypeAlias = tuple[Any, ...]


class Block(NamedTuple):
    """One block of an `Instance`.

    Attributes
    ----------
    name : str
    cells : tuple of Cell
        Where it is at the start, in order.
    allowed : int
        The cells that it may cover, as bits by row-major index.
    axis : {"horizontal", "vertical"} or None
        The axis that it keeps to, if any.
    """

    name: str
    cells: tuple[Cell, ...]
    allowed: int
    axis: Axis | None


@dataclass(frozen=True, eq=False)
class Instance:
    """A puzzle in plain data, as the engines take it; the puzzle has checked it.

    Attributes
    ----------
    rows, cols : int
        Size of the frame.
    free : int
        The open cells as bits by row-major index.
    blocks : tuple of Block
    goal : tuple of (int, Cell or edge)
        The number of a block, and where its reference cell has to be or what it has to touch.
    alone : frozenset of int
        The blocks that are interchangeable with no other one.
    listed : tuple of tuple of int, or None
        The groups of interchangeable blocks; None: all blocks of the same shape, axis and allowed
        cells that are not `alone`.
    """

    rows: int
    cols: int
    free: int
    blocks: tuple[Block, ...]
    goal: tuple[tuple[int, Cell | Edge], ...]
    alone: frozenset[int]
    listed: tuple[tuple[int, ...], ...] | None

    @cached_property
    def places(self) -> tuple[Cell, ...]:
        """Reference cell of each block at the start."""
        return tuple([_outline(block.cells)[0] for block in self.blocks])

    @cached_property
    def shapes(self) -> tuple[Offsets, ...]:
        """Cells of each block as offsets from its reference cell."""
        return tuple([_outline(block.cells)[1] for block in self.blocks])

    @cached_property
    def groups(self) -> tuple[int, ...]:
        """Number of each block's group: blocks of one group are interchangeable."""
        numbers: dict[object, int] = {}
        if self.listed is not None:
            labels: dict[int, object] = {
                block: label for label, group in enumerate(self.listed) for block in group
            }
        else:
            labels = {
                number: (shape, block.axis, block.allowed)
                for number, (block, shape) in enumerate(zip(self.blocks, self.shapes, strict=True))
                if number not in self.alone
            }
        return tuple(
            numbers.setdefault(labels.get(number, (number,)), len(numbers))
            for number in range(len(self.blocks))
        )

    @cached_property
    def goals(self) -> dict[int, tuple[list[Cell], list[Edge]]]:
        """The cells and the edges that the goal asks for, by group."""
        goals: dict[int, tuple[list[Cell], list[Edge]]] = {}
        for block, target in self.goal:
            cells, edges = goals.setdefault(self.groups[block], ([], []))
            if isinstance(target, tuple):
                cells.append(target)
            else:
                edges.append(target)
        return goals

    def is_solved(self, places: Sequence[Place]) -> bool:
        """Return whether the blocks can be matched to the goals of their groups, one to one.

        By P. Hall's theorem (1935) each set of goals of a group needs as many blocks that meet one
        of them.  Goals that are cells lie apart, so the sets that matter are single cells, and
        edges together with the cells where a block touches one of those.
        """
        for group, (cells, edges) in self.goals.items():
            members = [number for number, own in enumerate(self.groups) if own == group]
            taken = [Cell(*places[number]) for number in members]
            if not set(taken).issuperset(cells):
                return False
            for chosen in edge_sets(edges):
                ends = [self._touches(members[0], place, chosen) for place in taken]
                need = sum(edge in chosen for edge in edges)
                need += sum(self._touches(members[0], cell, chosen) for cell in cells)
                if sum(ends) < need:
                    return False
        return True

    def _touches(self, block: int, place: Place, edges: Sequence[Edge]) -> bool:
        """Return whether a block touches one of some edges when its reference cell is there."""
        top, left = place
        bottom = top + max(row for row, _ in self.shapes[block])
        right = left + max(col for _, col in self.shapes[block])
        ends = {
            "top": top == 0,
            "left": left == 0,
            "bottom": bottom == self.rows - 1,
            "right": right == self.cols - 1,
        }
        return any(ends[edge] for edge in edges)

    def __getstate__(self) -> dict[str, object]:
        """Leave out what is computed from the fields."""
        return {name: vars(self)[name] for name in self.__dataclass_fields__}


def edge_sets(edges: Sequence[Edge]) -> Iterator[tuple[Edge, ...]]:
    """Iterate over the sets of different edges."""
    different = list(dict.fromkeys(edges))
    for size in range(1, len(different) + 1):
        yield from combinations(different, size)


@lru_cache(maxsize=4096)
def _outline(cells: tuple[Cell, ...]) -> tuple[Cell, Offsets]:
    """Return the top left corner of the bounding box of sorted cells, and offsets from it.

    Cached, because puzzles on one board share most blocks.
    """
    top, left = cells[0][0], min([col for _, col in cells])
    return Cell(top, left), tuple([(row - top, col - left) for row, col in cells])


@lru_cache(maxsize=64)
def free_cells(board: Board) -> int:
    """Return the open cells as bits by row-major index."""
    free = 0
    for row, col in board.cells:
        free |= 1 << (row * board.cols + col)
    return free


# -- the constructor's checks -----------------------------------------------------------------


def checked_metrics(metric: object) -> tuple[BlockMetric, ...]:
    """Return a metric, or a pair of two different ones, as a tuple."""
    if isinstance(metric, str) and metric in METRICS:
        return (METRICS[METRICS.index(metric)],)
    chosen = metric if isinstance(metric, tuple | list) else (metric,)
    known = tuple(own for name in chosen for own in METRICS if own == name)
    if len(known) != len(chosen) or not 1 <= len(known) <= 2 or len(set(known)) < len(known):
        raise InputError(
            f"metric must be one of {METRICS} or a pair of two of them, got {metric!r}"
        )
    return known


def checked_metric(metric: object, call: str) -> BlockMetric:
    """Return a single metric."""
    metrics = checked_metrics(metric)
    if len(metrics) != 1:
        raise InputError(f"{call}: metric must be a single metric, got {metric!r}")
    return metrics[0]


def checked_blocks(blocks: object) -> dict[str, tuple[Cell, ...]]:
    """Return the blocks in the order given, their cells sorted."""
    if not isinstance(blocks, Mapping):
        raise InputError(f"blocks must be a mapping, got {type(blocks).__name__}")
    cells_of = {}
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
        cells_of[name] = tuple(own)
    if not cells_of:
        raise InputError("expected at least one block, found none")
    return cells_of


def _visible(name: str) -> bool:
    return name.isprintable() and not name.isspace()


def checked_cell(cell: object, what: str) -> Cell:
    """Return a pair of integers as a cell."""
    return Cell(*read_cell(cell, what))


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
    guests_of = {}
    for cell, guests in gates.items():
        gate = checked_cell(cell, "gates")
        if gate not in board:
            raise InputError(f"gates: cell {tuple(gate)} is not an open cell of the board")
        if not isinstance(guests, Iterable):
            raise InputError(f"gates: expected names of blocks, got {guests!r}")
        guests_of[gate] = frozenset(_known(name, names, "gates") for name in guests)
    return guests_of


def checked_goal(goal: object, names: Iterable[str]) -> dict[str, Cell | Edge]:
    """Return the goal of each named block."""
    if not isinstance(goal, Mapping):
        raise InputError(f"goal must be a mapping, got {type(goal).__name__}")
    if not goal:
        raise InputError("expected a goal for at least one block, found none")
    targets: dict[str, Cell | Edge] = {}
    for name, target in goal.items():
        _known(name, names, "goal")
        if isinstance(target, str):
            edge = next((edge for edge in EDGES if edge == target), None)
            if edge is None:
                raise InputError(
                    f"goal: {name!r} must go to a cell or to one of {EDGES}, got {target!r}"
                )
            targets[name] = edge
        else:
            targets[name] = checked_cell(target, f"goal of {name!r}")
    return targets


def _known(name: object, names: Iterable[str], what: str) -> str:
    if not isinstance(name, str) or name not in names:
        raise InputError(f"{what}: there is no block {name!r} (blocks: {', '.join(names)})")
    return name


def checked_groups(rule: object, names: Iterable[str]) -> str | tuple[tuple[str, ...], ...]:
    """Return the rule, or the groups with at least two blocks, in order."""
    if isinstance(rule, str) or not isinstance(rule, Iterable):
        if rule not in GROUP_RULES:
            raise InputError(
                f"interchangeable must be one of {GROUP_RULES} or groups of names, got {rule!r}"
            )
        return str(rule)
    seen: set[str] = set()
    groups = []
    for members in rule:
        if not isinstance(members, Iterable):
            raise InputError(f"interchangeable: expected groups of names, got {members!r}")
        group = tuple(sorted(_known(name, names, "interchangeable") for name in members))
        for name in group:
            if name in seen:
                raise InputError(f"interchangeable: block {name!r} is named twice")
            seen.add(name)
        if len(group) > 1:
            groups.append(group)
    return tuple(sorted(groups))


def check_instance(instance: Instance) -> None:
    """Refuse groups of unlike blocks, blocks that overlap, and goals where they cannot be."""
    blocks, shapes = instance.blocks, instance.shapes
    for first, *others in instance.listed or ():
        for other in others:
            if shapes[other] != shapes[first] or blocks[other][2:] != blocks[first][2:]:
                raise InputError(
                    f"interchangeable: blocks {blocks[first].name!r} and {blocks[other].name!r} "
                    "differ in shape, axis or gates"
                )
    owner: dict[Cell, str] = {}
    for block in blocks:
        _put_down(instance, block, block.cells, owner, "")
    owner = {}
    for number, target in instance.goal:
        if isinstance(target, tuple):
            cells = [Cell(row + target[0], col + target[1]) for row, col in shapes[number]]
            _put_down(instance, blocks[number], cells, owner, "goal: ")


def _put_down(
    instance: Instance, block: Block, cells: Iterable[Cell], owner: dict[Cell, str], what: str
) -> None:
    """Note that a block covers cells; refuse cells that are not free for it."""
    rows, cols, name = instance.rows, instance.cols, block.name
    for cell in cells:
        outside = not (0 <= cell[0] < rows and 0 <= cell[1] < cols)
        if outside or not block.allowed >> (cell[0] * cols + cell[1]) & 1:
            if outside:
                fault = f"leaves the {rows} x {cols} board"
            elif instance.free >> (cell[0] * cols + cell[1]) & 1:
                fault = "may not cover the gate"
            else:
                fault = "covers a wall"
            raise PlacementError(f"{what}block {name!r} {fault} at {tuple(cell)}")
        if owner.setdefault(cell, name) != name:
            raise PlacementError(
                f"{what}blocks {owner[cell]!r} and {name!r} overlap at {tuple(cell)}"
            )


def is_connected(cells: Sequence[Cell]) -> bool:
    """Return whether cells are joined by their edges."""
    return len(components(cells, Cell.neighbours)) == 1


# -- plans ------------------------------------------------------------------------------------


def check_steps(instance: Instance, steps: PackedSteps) -> None:
    """Replay steps by the rules alone, on sets of cells.

    Raises
    ------
    InvalidPlanError
        At the first fault, or if the goal is missed.
    """
    blocks, shapes, cols = instance.blocks, instance.shapes, instance.cols
    places: list[Place] = list(instance.places)
    owner = {cell: number for number, block in enumerate(blocks) for cell in block.cells}
    for index, (number, before, after) in enumerate(steps):
        if not 0 <= number < len(places):
            raise InvalidPlanError(f"there is no block number {number}", index)
        origin, target = divmod(before, cols), divmod(after, cols)
        name = blocks[number].name
        if places[number] != origin:
            at = tuple(places[number])
            raise InvalidPlanError(f"block {name!r} is at {at}, not {origin}", index)
        _check_direction(blocks[number], target[0] - origin[0], target[1] - origin[1], index)
        new = [Cell(row + target[0], col + target[1]) for row, col in shapes[number]]
        for cell in new:
            inside = 0 <= cell[0] < instance.rows and 0 <= cell[1] < cols
            if not inside or not blocks[number].allowed >> (cell[0] * cols + cell[1]) & 1:
                raise InvalidPlanError(f"block {name!r} may not cover cell {tuple(cell)}", index)
            if owner.get(cell, number) != number:
                hit = blocks[owner[cell]].name
                raise InvalidPlanError(f"block {name!r} runs into {hit!r} at {tuple(cell)}", index)
        for row, col in shapes[number]:
            del owner[Cell(row + origin[0], col + origin[1])]
        owner.update(dict.fromkeys(new, number))
        places[number] = target
    if not instance.is_solved(places):
        raise InvalidPlanError(f"the goal is not met after {len(steps)} steps")


def _check_direction(block: Block, down: int, right: int, index: int) -> None:
    if abs(down) + abs(right) != 1:
        raise InvalidPlanError(
            f"block {block.name!r} moves by {(down, right)}, not by one cell", index
        )
    if block.axis == ("vertical" if down == 0 else "horizontal"):
        raise InvalidPlanError(f"block {block.name!r} moves along {block.axis} only", index)
