"""The states of a sliding-block search in plain Python: dicts and ints, any number of bits.

It answers small puzzles before compiled code could be loaded, and is the readable twin of the
compiled `Space`: both take the states in the same order, so both find the same plan.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple, Self

from gridkit.sliding.blocks.breadth import Metrics, Slides
from gridkit.sliding.blocks.kernels.codes import (
    BUDGET,
    CHILDREN,
    EXHAUSTED,
    FIRST,
    FOUND,
    LAYER,
    NEVER,
    PAUSED,
)
from gridkit.sliding.blocks.packing import Packing
from gridkit.sliding.blocks.rules import BlockMetric, Snapshot

__all__ = ["Edge", "PlainSpace", "edges", "unit_of"]

# Bytes that a state of `PlainSpace` holds, about.
_STATE_BYTES = 250
_FAR = 1 << 30


class Edge(NamedTuple):
    """One block goes from placement `origin` to `target`; its length in each metric."""

    origin: int
    target: int
    step: int
    slide: int
    move: int = 1


def unit_of(metrics: Metrics) -> BlockMetric:
    """Return what one move is when these metrics are weighed."""
    if len(metrics) == 1:
        return metrics[0]
    return "move" if "move" in metrics else "slide"


def edges(packing: Packing, pids: Sequence[int], metric: BlockMetric) -> Iterator[Edge]:
    """Iterate over the moves of a state, as a metric counts them."""
    mask, near = packing.mask, packing.near
    cells = 0
    for pid in pids:
        cells |= mask[pid]
    for pid in pids:
        others = cells ^ mask[pid]
        if metric == "move":
            yield from _flood(packing, pid, others)
            continue
        for direction in range(4):
            at, distance = near[pid][direction], 1
            while at >= 0 and not mask[at] & others:
                yield Edge(pid, at, distance, 1)
                if metric == "step":
                    break
                at, distance = near[at][direction], distance + 1


def _flood(packing: Packing, pid: int, others: int) -> Iterator[Edge]:
    mask, near = packing.mask, packing.near
    steps, slides = {pid: 0}, {pid: 0}
    queue = [pid]
    for at in queue:
        for reached in near[at]:
            if reached >= 0 and reached not in steps and not mask[reached] & others:
                steps[reached] = steps[at] + 1
                queue.append(reached)
    if len(queue) == 1:
        return
    runs = [pid]
    for at in runs:
        for direction in range(4):
            reached = near[at][direction]
            while reached >= 0 and not mask[reached] & others:
                if reached not in slides:
                    slides[reached] = slides[at] + 1
                    runs.append(reached)
                reached = near[reached][direction]
    for reached in queue[1:]:
        yield Edge(pid, reached, steps[reached], slides[reached])


class PlainSpace:
    """States reached from the start or the goal in plain Python (a `LayeredSpace`).

    Parameters
    ----------
    packing : Packing
    metrics : tuple of str
        What is minimised, first things first: one metric or two.
    first : sequence of int
        Placements of the first state.
    stop : int
        When to stop, see `kernels.codes`.
    pause : bool
        Whether to stop after each layer that `pause_after` names, 0 at first.
    """

    def __init__(
        self,
        packing: Packing,
        metrics: Metrics,
        first: Sequence[int],
        stop: int,
        *,
        pause: bool = False,
    ) -> None:
        self._packing = packing
        self._metrics, self._metric = metrics, metrics[0]
        self._stop = stop
        self._image = packing.word
        if packing.mirror is not None:
            self._image = [packing.word[pid] for pid in packing.mirror]
        self._goal_rows = packing.goal_rows()
        self.keys = [min(packing.key(first), self._image_of(first))]
        self._number = {self.keys[0]: 0}
        self._layers = [0]
        self._labels: list[int] = []
        self._layer_end = self._pause = self.expanded = self.relaxed = 0
        self.depth = self.goal = -1
        if not pause:
            self._pause = -2

    def _image_of(self, pids: Sequence[int]) -> int:
        image = 0
        for pid in pids:
            image ^= self._image[pid]
        return image

    @property
    def size(self) -> int:
        """Number of states reached."""
        return len(self.keys)

    @property
    def nbytes(self) -> int:
        """Bytes held by the states, about."""
        return _STATE_BYTES * len(self.keys)

    def snapshot(self) -> Snapshot:
        """Return the states as plain data."""
        return (
            self.keys, self._layers, self._labels, self._layer_end, self._pause, self.expanded,
            self.relaxed, self.depth, self.goal,
        )  # fmt: skip

    def restore(self, data: Snapshot) -> None:
        """Go on from a snapshot."""
        (
            self.keys, self._layers, self._labels, self._layer_end, self._pause, self.expanded,
            self.relaxed, self.depth, self.goal,
        ) = data  # fmt: skip
        self._number = {key: number for number, key in enumerate(self.keys)}

    def key_at(self, number: int) -> int:
        """Return the key of a state."""
        return self.keys[number]

    def pause_after(self, depth: int) -> None:
        """Let `advance` stop when all layers up to `depth` are expanded."""
        self._pause = depth

    def meeting(self, across: Self) -> int | None:
        """Return the key of the first state of the last layer that another space knows, if any."""
        return next((key for key in self.keys[self.expanded :] if key in across._number), None)

    def advance(self, budget: int) -> int:
        """Expand at most `budget` states; return why it stopped."""
        end = self.expanded + budget
        children_left = CHILDREN * budget
        keys, number = self.keys, self._number
        while True:
            if self.expanded == self._layer_end:
                if self._stop == LAYER and self.goal >= 0:
                    if len(self._layers) == self.depth + 2:
                        self._layers.append(len(keys))
                        self._labels = [0] + [_FAR] * (len(keys) - 1)
                    return FOUND
                if self.expanded == len(keys):
                    return EXHAUSTED
                if self.depth == self._pause:
                    return PAUSED
                self.depth += 1
                self._layer_end = len(keys)
                self._layers.append(len(keys))
            if self.expanded >= end or children_left < 0:
                return BUDGET
            self.expanded += 1
            children = self._children(keys[self.expanded - 1])
            children_left -= len(children)
            for reached in children:
                if reached not in number:
                    number[reached] = len(keys)
                    keys.append(reached)
                    if self._stop != NEVER and self.goal < 0 and self._meets_goal(reached):
                        self.goal = len(keys) - 1
            if self._stop == FIRST and self.goal >= 0:
                return FOUND

    def _children(self, state: int) -> list[int]:
        """Return the states one move away; written out, for speed, where `relax` asks `edges`."""
        packing, image = self._packing, self._image
        mask, near, word = packing.mask, packing.near, packing.word
        has_mirror, metric = packing.mirror is not None, self._metric
        pids = packing.unpack(state)
        cells = state_image = 0
        for pid in pids:
            cells |= mask[pid]
            state_image ^= image[pid]
        children = []
        for pid in pids:
            others = cells ^ mask[pid]
            reached = []
            if metric == "move":
                stack, seen = [pid], {pid}
                while stack:
                    for at in near[stack.pop()]:
                        if at >= 0 and at not in seen and not mask[at] & others:
                            seen.add(at)
                            stack.append(at)
                            reached.append(at)
            else:
                for direction, at in enumerate(near[pid]):
                    while at >= 0 and not mask[at] & others:
                        reached.append(at)
                        if metric == "step":
                            break
                        at = near[at][direction]
            bare, bare_image = state ^ word[pid], state_image ^ image[pid]
            if has_mirror:
                children += [min(bare ^ word[at], bare_image ^ image[at]) for at in reached]
            else:
                children += [bare ^ word[at] for at in reached]
        return children

    def _meets_goal(self, key: int) -> bool:
        for need, rows in self._goal_rows:
            met = 0
            for mask, value in rows:
                if key & mask == value:
                    met += 1
                    if met == need:
                        break
            if met < need:
                return False
        return True

    def _moves(self, key: int) -> Iterator[tuple[Edge, int, int]]:
        """Iterate over moves, the keys they lead to, and the numbers of those states (-1: none)."""
        packing, image = self._packing, self._image
        pids = packing.unpack(key)
        key_image = self._image_of(pids)
        for edge in edges(packing, pids, unit_of(self._metrics)):
            reached = key ^ packing.word[edge.origin] ^ packing.word[edge.target]
            reached_image = key_image ^ image[edge.origin] ^ image[edge.target]
            yield edge, reached, self._number.get(min(reached, reached_image), -1)

    def relax(self, budget: int) -> bool:
        """Find the least second length of more states among their ways of the least first length.

        States are numbered by layers, so each one's label is final when its turn comes.
        """
        first, second = self._metrics
        layers, labels, last = self._layers, self._labels, self.depth + 1
        end = min(self.relaxed + budget, layers[last])
        layer = next(own for own in range(last) if layers[own + 1] > self.relaxed)
        moves_left = CHILDREN * budget
        while self.relaxed < end and moves_left > 0:
            number = self.relaxed
            self.relaxed += 1
            while number >= layers[layer + 1]:
                layer += 1
            for edge, _, reached in self._moves(self.keys[number]):
                moves_left -= 1
                target = layer + getattr(edge, first)
                if target <= last and layers[target] <= reached < layers[target + 1]:
                    label = labels[number] + getattr(edge, second)
                    labels[reached] = min(labels[reached], label)
        return self.relaxed == layers[last]

    def best_goal(self) -> int:
        """Return the number of the goal state with the least second length."""
        last = range(self._layers[self.depth + 1], self._layers[self.depth + 2])
        goals = [number for number in last if self._meets_goal(self.keys[number])]
        return min(goals, key=self._labels.__getitem__)

    def way(self, key: int) -> tuple[Slides, int]:
        """Return the moves from a first state to one of the last layer, and the first one's key."""
        layers, labels = self._layers, self._labels
        layer = self.depth + 1
        label = labels[self._number[key]] if labels else 0
        moves = []
        while layer > 0:
            for edge, before, number in self._moves(key):
                target = layer - getattr(edge, self._metric)
                if target < 0 or not layers[target] <= number < layers[target + 1]:
                    continue
                if labels:
                    if labels[number] + getattr(edge, self._metrics[1]) != label:
                        continue
                    label = labels[number]
                moves.append((edge.target, edge.origin))
                key, layer = before, target
                break
            else:
                raise AssertionError("no state of the layer before leads to this one")
        return moves[::-1], key
