"""Mirror images of states: a symmetry of the board that keeps blocks, rules and goal."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

from gridkit.grid.cell import Cell, Symmetry

__all__ = ["find_mirror"]

_INVOLUTIONS = (
    Symmetry.MIRROR_LEFT_RIGHT,
    Symmetry.MIRROR_UP_DOWN,
    Symmetry.ROT180,
    Symmetry.MIRROR_DIAGONAL,
    Symmetry.MIRROR_ANTIDIAGONAL,
)
_TURNS = frozenset(symmetry for symmetry in _INVOLUTIONS if symmetry.swaps_axes)
Steps = Sequence[tuple[int, int, int, int]]
Kinds = Sequence[tuple[int, list[int]]]
Goal = Sequence[tuple[int, tuple[int, ...]]]


def find_mirror(
    board: tuple[int, int, int],
    mask: Sequence[int],
    near: Steps,
    kinds: Kinds,
    goal: Goal,
    check: Callable[[], None],
) -> list[int] | None:
    """Return the mirror image of each placement, or None when the puzzle is not symmetric.

    Parameters
    ----------
    board : (int, int, int)
        Rows, columns, and the open cells as bits.
    mask, near : sequence
        For each placement its cells as bits, and the placements one step right, left, up and down
        (-1: none).
    kinds : sequence of (int, list of int)
        How many blocks there are of each kind, and its placements.
    goal : sequence of (int, tuple of int)
        Conditions: how many of these placements have to be taken.
    check : callable
        Called now and then; may raise.
    """
    rows, cols, free = board
    goal_masks = {mask[pid] for _, pids in goal for pid in pids}
    for symmetry in _INVOLUTIONS:
        if symmetry in _TURNS and rows != cols:
            continue
        check()
        bits = _bit_images(symmetry, rows, cols)
        if any(_image(own, bits) not in goal_masks for own in goal_masks):
            continue
        if _image(free, bits) != free:
            continue
        mirror = _mirrored_placements(mask, kinds, bits, check)
        if mirror is not None and _keeps_rules(mirror, symmetry, near, goal, check):
            return mirror
    return None


def _mirrored_placements(
    mask: Sequence[int], kinds: Kinds, bits: tuple[int, ...], check: Callable[[], None]
) -> list[int] | None:
    """Pair the kinds so that the image of each one's placements are the other's."""
    at_mask: list[dict[int, int]] = []
    for _, pids in kinds:
        check()
        at_mask.append({mask[pid]: pid for pid in pids})
    mirror = [-1] * len(mask)
    paired: set[int] = set()
    for number, (blocks, pids) in enumerate(kinds):
        if number in paired:
            continue
        check()
        images = {pid: _image(mask[pid], bits) for pid in pids}
        for partner in range(number, len(kinds)):
            if (
                partner not in paired
                and kinds[partner][0] == blocks
                and at_mask[partner].keys() == set(images.values())
            ):
                paired |= {number, partner}
                for pid, image in images.items():
                    twin = at_mask[partner][image]
                    mirror[pid], mirror[twin] = twin, pid
                break
        else:
            return None
    return mirror


def _keeps_rules(
    mirror: list[int], symmetry: Symmetry, near: Steps, goal: Goal, check: Callable[[], None]
) -> bool:
    """Check that steps map to steps and the goal to itself."""
    order = [(0, 1), (0, -1), (-1, 0), (1, 0)]
    turned = [order.index(symmetry.vector(*delta)) for delta in order]
    for pid, steps in enumerate(near):
        if pid & 0xFFF == 0:
            check()
        images = near[mirror[pid]]
        for direction, reached in enumerate(steps):
            if images[turned[direction]] != (mirror[reached] if reached >= 0 else -1):
                return False
    conditions = {(need, frozenset(pids)) for need, pids in goal}
    return {(need, frozenset(mirror[pid] for pid in pids)) for need, pids in goal} == conditions


@lru_cache(maxsize=256)
def _bit_images(symmetry: Symmetry, rows: int, cols: int) -> tuple[int, ...]:
    """Return the bit that each cell's bit becomes."""
    images = []
    for at in range(rows * cols):
        row, col = symmetry.image(Cell(*divmod(at, cols)), rows, cols)
        images.append(1 << (row * cols + col))
    return tuple(images)


def _image(mask: int, bits: tuple[int, ...]) -> int:
    """Return the mirror image of cells."""
    result = 0
    while mask:
        low = mask & -mask
        mask ^= low
        result |= bits[low.bit_length() - 1]
    return result
