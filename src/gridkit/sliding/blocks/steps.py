"""Moves between placements, resolved into single steps of numbered blocks."""

from __future__ import annotations

import heapq
from collections.abc import Sequence

from gridkit.sliding.blocks.breadth import Metrics, Slides
from gridkit.sliding.blocks.packing import Packing
from gridkit.sliding.blocks.rules import BlockMetric, Steps

__all__ = ["steps_of"]


def steps_of(packing: Packing, moves: Slides, metrics: Metrics) -> Steps:
    """Return the single steps of moves between placements.

    Each move goes the way with the fewest slides or steps, whichever is weighed.
    """
    if moves and "move" not in metrics:
        return _straight_steps(packing, moves)
    return _unroll(packing, moves, "slide" if "slide" in metrics else "step")


def _straight_steps(packing: Packing, moves: Slides) -> Steps:
    """Turn slides between placements into single steps of numbered blocks."""
    ref, cols = packing.ref, packing.cols
    block_at = {pid: number for number, pid in enumerate(packing.start)}
    steps = []
    for origin, target in moves:
        block_at[target] = block = block_at.pop(origin)
        begin, end = ref[origin], ref[target]
        # A block that goes along a row ends in that row.
        stride = 1 if begin // cols == end // cols else cols
        stride = stride if end > begin else -stride
        steps += [(block, at, at + stride) for at in range(begin, end, stride)]
    return steps


def _unroll(packing: Packing, moves: Slides, shortest: BlockMetric) -> Steps:
    """Turn moves between placements into single steps of numbered blocks."""
    ref, mask, near = packing.ref, packing.mask, packing.near
    block_at = {pid: number for number, pid in enumerate(packing.start)}
    cells = 0
    for pid in packing.start:
        cells |= mask[pid]
    steps = []
    for origin, target in moves:
        block = block_at.pop(origin)
        block_at[target] = block
        others = cells ^ mask[origin]
        at = origin
        for reached in _way(near, mask, origin, target, others, shortest):
            steps.append((block, ref[at], ref[reached]))
            at = reached
        cells = others | mask[target]
    return steps


def _way(
    near: Sequence[Sequence[int]],
    mask: Sequence[int],
    origin: int,
    target: int,
    others: int,
    shortest: BlockMetric,
) -> list[int]:
    """Return the placements a block passes, `target` last, with the fewest steps or slides.

    Of those ways the one with the fewest of the other is taken.
    """
    for direction in range(4):
        run: list[int] = []
        at = near[origin][direction]
        while at >= 0 and not mask[at] & others:
            run.append(at)
            if at == target:
                return run
            at = near[at][direction]
    return _bent_way(near, mask, origin, target, others, shortest)


def _bent_way(
    near: Sequence[Sequence[int]],
    mask: Sequence[int],
    origin: int,
    target: int,
    others: int,
    shortest: BlockMetric,
) -> list[int]:
    """Search by (steps, slides), or (slides, steps), over placements and last directions."""
    heap: list[tuple[int, int, list[int], int]] = [(0, 0, [origin], -1)]
    done = set()
    while heap:
        first, second, way, last = heapq.heappop(heap)
        at = way[-1]
        if at == target:
            return way[1:]
        if (at, last) in done:
            continue
        done.add((at, last))
        for direction, reached in enumerate(near[at]):
            if reached >= 0 and not mask[reached] & others:
                turn = int(direction != last)
                step, slide = (1, turn) if shortest == "step" else (turn, 1)
                entry = (first + step, second + slide, [*way, reached], direction)
                heapq.heappush(heap, entry)
    raise AssertionError("a block cannot get where the search put it")
