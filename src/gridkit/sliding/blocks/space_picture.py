"""Pictures of state spaces: small ones as graphs, others by how many states are how far."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from gridkit.render.bars import bars_scene
from gridkit.render.drawable import Drawable
from gridkit.render.palette import Fill
from gridkit.render.scene import Label, Line, Scene, disc
from gridkit.sliding.blocks.compiled.rails import space_of
from gridkit.sliding.blocks.rails import Rails
from gridkit.sliding.blocks.rules import BlockMetric, Instance

__all__ = ["DrawnSpace", "graph_scene"]

_MOST_STATES = 250  # of a graph that can be read
_ACROSS, _SWEEPS = 1.8, 8
_START, _GOAL = 9, 7  # hues


class Reader(Protocol):
    """What knows the puzzle that the states are of."""

    @property
    def instance(self) -> Instance: ...

    @property
    def rails(self) -> Rails | None: ...


class DrawnSpace(Drawable):
    """A state space as it is drawn: a graph up to 250 states, else a histogram."""

    __slots__ = ()

    states: int
    metric: BlockMetric
    _distances: NDArray[np.int32]
    _reader: Reader

    def _scene(self) -> Scene:
        title = f"{self.states} states by their distance to the goal in {self.metric}s"
        distances: list[int] = self._distances.tolist()
        if self.states > _MOST_STATES:
            reached = self._distances[self._distances >= 0]
            fills: dict[int, Fill] = {0: _GOAL, max(0, distances[0]): _START}
            return bars_scene(np.bincount(reached).tolist(), fills=fills, title=title)
        return graph_scene(distances, self._links(), title)

    def _links(self) -> list[list[int]]:
        """Return the states one move from each state; spaces are small and found at once."""
        space = space_of(self._reader.instance, self._reader.rails, self.metric)
        while not space.advance(1 << 12):
            pass
        offsets, cursor = np.zeros(space.size + 1, np.int64), np.zeros(2, np.int64)
        done, targets = False, np.empty(0, np.int32)
        while not done:
            done, targets = space.link(cursor, offsets, targets, 1 << 12)
        bounds = offsets.tolist()
        return [targets[a:b].tolist() for a, b in pairwise(bounds)]


def graph_scene(
    distances: Sequence[int],
    links: Sequence[Sequence[int]],
    title: str,
    *,
    depths: Sequence[int] | None = None,
) -> Scene:
    """Return a graph in columns by distance (the goal at the left), state 0 being the start.

    With `depths`, moves from the start, columns are by depth (the start at the left), and colours
    go from dark at the goal to light far from it; states from which no goal is reached are plain.

    States of a column stand in the order of the mean place of their neighbours, found by sweeps to
    and fro (Sugiyama, Tagawa and Toda, 1981); states from which no goal is reached are at the end.

    Examples
    --------
    >>> graph_scene([1, 0], [[1], [0]], "").labels[0].text
    'start'
    """
    beyond = max(distances) + 1
    columns: dict[int, list[int]] = defaultdict(list)
    for state, distance in enumerate(distances if depths is None else depths):
        columns[distance if distance >= 0 else beyond].append(state)
    height = dict.fromkeys(range(len(distances)), 0.0)
    for sweep in range(_SWEEPS):
        for column in sorted(columns, reverse=sweep % 2 == 1):
            states = columns[column]
            mean = {
                state: sum(height[near] for near in links[state]) / max(1, len(links[state]))
                for state in states
            }
            states.sort(key=mean.__getitem__)
            for place, state in enumerate(states):
                height[state] = 1.3 * (place - (len(states) - 1) / 2)
    across = max(_ACROSS, max(map(len, columns.values())) / 5)
    # Neighbouring states of a column stand apart, so that their links are seen.
    at = {
        state: (column * across + 0.4 * (place % 2), height[state])
        for column, states in columns.items()
        for place, state in enumerate(states)
    }
    pairs = {tuple(sorted((a, b))) for a, near in enumerate(links) for b in near}
    lines = tuple(Line((at[a], at[b]), 0.04) for a, b in sorted(pairs))
    nodes, labels = [], []
    for state, (x, y) in at.items():
        fill: Fill = _GOAL if distances[state] == 0 else "soft"
        if depths is not None and distances[state] >= 0:
            fill = _ramp(distances[state] / max(1, beyond - 1))
        elif state == 0:
            fill = _START
        nodes.append(disc(y, x, 0.3, state, fill, sides=12))
    goal = min((state for state in at if distances[state] == 0), key=at.__getitem__, default=0)
    for word, state in (("start", 0), ("goal", goal)):
        if word == "start" or distances[state] == 0 != state:
            labels.append(Label(word, at[state][0], at[state][1] - 0.55, 1.5, "paper", 0.45))
    return Scene(tuple(nodes), tuple(labels), lines, title)


def _ramp(part: float) -> str:
    """Return a colour from dark blue (0) to pale yellow (1), lightness rising evenly."""
    dark, light = (0x2B, 0x3A, 0x8C), (0xFB, 0xF0, 0xB4)
    mixed = (round(low + part * (high - low)) for low, high in zip(dark, light, strict=True))
    return "#" + "".join(f"{value:02x}" for value in mixed)
