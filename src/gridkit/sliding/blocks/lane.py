"""Puzzles like Rush Hour, in which one block has to run along a lane that others block.

Every block in the lane ahead has to move at least once.  That bound on the moves that are needed
changes by at most one in a move, so the first plan that A* finds with it is a shortest one.
"""

from __future__ import annotations

from dataclasses import dataclass

from gridkit.sliding.blocks.packing import Packing

__all__ = ["Lane", "distances_to_goal", "lane_of"]


@dataclass(frozen=True, slots=True)
class Lane:
    """For each placement of the block that runs: the cells ahead, and its steps to the goal."""

    ray: dict[int, int]
    steps: dict[int, int]


def lane_of(packing: Packing) -> Lane | None:
    """Return the lane of a puzzle of this sort, or None for other puzzles."""
    if len(packing.goal) != 1 or len(packing.goal[0]) != 1 or packing.mirror is not None:
        return None
    goal = packing.goal[0][0]
    kind = packing.kind_of[goal]
    near = packing.near
    if len(packing.kinds[kind].blocks) != 1 or not packing.fits_one_word:
        return None
    # The goal is at the end of a line of placements: one way leads on from it, straight.
    ways = [direction for direction in range(4) if near[goal][direction] >= 0]
    if len(ways) != 1:
        return None
    ray: dict[int, int] = {}
    steps: dict[int, int] = {}
    cells, at = 0, goal
    while at >= 0:
        ray[at] = cells & ~packing.mask[at]
        steps[at] = len(steps)
        cells |= packing.mask[at]
        at = near[at][ways[0]]
    if len(ray) != len(packing.kinds[kind].pids):
        return None
    lane = 0
    for ahead in ray.values():
        lane |= ahead
    start = packing.start[packing.kinds[kind].blocks[0]]
    for number, own in enumerate(packing.kinds):
        if number == kind:
            continue
        for pid in own.pids.values():
            if (packing.mask[pid] & lane).bit_count() > 1 and not _stays_behind(
                packing, number, ray[start], ways[0]
            ):
                return None
    return Lane(ray, steps)


def _stays_behind(packing: Packing, kind: int, ray: int, way: int) -> bool:
    """Return whether blocks move along the lane only, and begin behind the one that runs."""
    own = packing.kinds[kind]
    across = [direction for direction in range(4) if direction // 2 != way // 2]
    return all(
        packing.near[pid][direction] < 0 for pid in own.pids.values() for direction in across
    ) and not any(packing.mask[packing.start[block]] & ray for block in own.blocks)


def distances_to_goal(packing: Packing) -> dict[int, int]:
    """Return the steps from each placement to the nearest goal of its kind, on an empty board."""
    distances: dict[int, int] = {}
    wanted: dict[int, list[int]] = {}
    for condition in packing.goal:
        for pid in condition:
            wanted.setdefault(packing.kind_of[pid], []).append(pid)
    for goals in wanted.values():
        distances.update(dict.fromkeys(goals, 0))
        queue = list(dict.fromkeys(goals))
        for at in queue:
            for reached in packing.near[at]:
                if reached >= 0 and reached not in distances:
                    distances[reached] = distances[at] + 1
                    queue.append(reached)
    return distances
