"""The plain tier of the sliding-block search: dicts and Python ints, any number of bits.

It answers small puzzles before compiled code could be loaded, and is the readable twin that the
kernels are tested against.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from typing import NamedTuple

from gridkit.sliding.blocks.packing import Packing

__all__ = ["Edge", "PlainSearch", "edges"]

Metric = str
# Bytes a state holds in the dicts and lists below, about.
_STATE_BYTES = 450


class Edge(NamedTuple):
    """One block goes from placement `origin` to `target`; its length in each metric."""

    origin: int
    target: int
    step: int
    slide: int
    move: int = 1


def edges(packing: Packing, pids: tuple[int, ...], metric: Metric) -> Iterator[Edge]:
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


class PlainSearch:
    """Search for a shortest way from the start to the goal; see `gridkit.run.control.Resumable`.

    Parameters
    ----------
    packing : Packing
    metrics : tuple of str
        What is minimised, first things first: one metric or two.
    """

    def __init__(self, packing: Packing, metrics: tuple[str, ...]) -> None:
        self.packing = packing
        self.metrics = metrics
        self.metric = "move" if "move" in metrics else metrics[0] if len(metrics) == 1 else "slide"
        self.moves: list[tuple[int, int]] | None = None
        self.nodes = 0
        start = tuple(packing.start)
        self._states = [start]
        self._from: list[tuple[int, int, int]] = [(-1, -1, -1)]  # state before, origin, target
        self._number = {self._canonical(packing.key(start), start): 0}
        self._cost = [(0,) * len(metrics)]
        self._heap = [(self._cost[0], 0)]
        self._single = len(metrics) == 1

    def _canonical(self, key: int, pids: tuple[int, ...]) -> int:
        mirror = self.packing.mirror
        if mirror is None:
            return key
        return min(key, self.packing.key(mirror[pid] for pid in pids))

    @property
    def found(self) -> int:
        """States reached so far."""
        return len(self._states)

    def fraction(self) -> float:
        """Return the part of the known states that is expanded."""
        return self.nodes / (len(self._states) + 1)

    def memory(self) -> int:
        """Return the bytes held, about."""
        return len(self._states) * _STATE_BYTES

    def value(self) -> None:
        """Return what is known of the plan: nothing before the end."""

    def token(self) -> None:
        """The call that drives the search says how it continues."""

    def advance(self, budget: int) -> bool:
        """Expand at most `budget` states; return whether a plan, or its absence, is found."""
        return self._breadth_first(budget) if self._single else self._best_first(budget)

    def _breadth_first(self, budget: int) -> bool:
        """Expand states in the order they were reached.

        Written out, for speed, where `_best_first` asks `edges`.
        """
        packing, number, states, came = self.packing, self._number, self._states, self._from
        mask, near, word, goal = packing.mask, packing.near, packing.word, packing.goal
        mirror = packing.mirror
        image = word if mirror is None else [word[pid] for pid in mirror]
        one, far = self.metric == "step", self.metric == "move"
        for at in range(self.nodes, min(self.nodes + budget, len(states))):
            pids = states[at]
            self.nodes += 1
            cells = key = key_image = 0
            for pid in pids:
                cells |= mask[pid]
                key ^= word[pid]
                key_image ^= image[pid]
            for pid in pids:
                others = cells ^ mask[pid]
                reached = []
                for direction, target in enumerate(near[pid]):
                    while target >= 0 and not mask[target] & others:
                        reached.append(target)
                        if one or far:
                            break
                        target = near[target][direction]
                if far and reached:
                    reached = [edge.target for edge in _flood(packing, pid, others)]
                for target in reached:
                    new_key = key ^ word[pid] ^ word[target]
                    if mirror is not None:
                        new_key = min(new_key, key_image ^ image[pid] ^ image[target])
                    if new_key in number:
                        continue
                    number[new_key] = len(states)
                    new = tuple([target if own == pid else own for own in pids])
                    states.append(new)
                    came.append((at, pid, target))
                    if all(any(own in new for own in condition) for condition in goal):
                        self.moves = self._way(len(states) - 1)
                        return True
        return self.nodes == len(states)

    def _best_first(self, budget: int) -> bool:
        packing, number, cost = self.packing, self._number, self._cost
        while self._heap and budget > 0:
            spent, at = heapq.heappop(self._heap)
            if spent != cost[at]:
                continue
            pids = self._states[at]
            if self._is_goal(pids):
                self.moves = self._way(at)
                return True
            self.nodes += 1
            budget -= 1
            for edge in edges(packing, pids, self.metric):
                new = tuple([edge.target if pid == edge.origin else pid for pid in pids])
                total = tuple(
                    before + getattr(edge, metric)
                    for before, metric in zip(spent, self.metrics, strict=True)
                )
                key = self._canonical(packing.key(new), new)
                reached = number.setdefault(key, len(self._states))
                if reached == len(self._states):
                    self._states.append(new)
                    self._from.append((at, edge.origin, edge.target))
                    cost.append(total)
                elif total < cost[reached]:
                    # The way leads to this image of the state, so it is the one to go on from.
                    self._states[reached] = new
                    self._from[reached] = (at, edge.origin, edge.target)
                    cost[reached] = total
                else:
                    continue
                heapq.heappush(self._heap, (total, reached))
        return not self._heap

    def _is_goal(self, pids: tuple[int, ...]) -> bool:
        return all(any(pid in pids for pid in condition) for condition in self.packing.goal)

    def _way(self, number: int) -> list[tuple[int, int]]:
        moves = []
        while number:
            number, origin, target = self._from[number]
            moves.append((origin, target))
        return moves[::-1]
