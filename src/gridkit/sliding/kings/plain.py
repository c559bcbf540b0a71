"""Plans of kings on small boards, plain Python: shortest plans, and quick good ones.

A state is a string with one character a king, whose code is the king's cell.
"""

from __future__ import annotations

import heapq
import sys
from collections.abc import Sequence
from itertools import pairwise

from gridkit.run import Run, Work
from gridkit.sliding.kings.reach import Placement, Rule
from gridkit.sliding.meet import MeetInTheMiddle

__all__ = ["GreedySearch", "ShortestSearch", "small_plan"]

Step = tuple[int, int, int]
_NODES = 20_000  # a second or two
_DIRECTIONS = ((-1, 0), (0, -1), (0, 1), (1, 0), (-1, -1), (-1, 1), (1, -1), (1, 1))


class _Board:
    """Neighbours and neighbourhoods of the cells, the latter as bit masks."""

    def __init__(self, rows: int, cols: int, rule: Rule) -> None:
        directions = _DIRECTIONS if rule == "king" else _DIRECTIONS[:4]
        self.ways: list[list[tuple[str, int]]] = []  # (character of a cell, cells around it)
        around = []
        for cell in range(rows * cols):
            r, c = divmod(cell, cols)
            mask = 1 << cell
            for dr, dc in _DIRECTIONS:
                if 0 <= r + dr < rows and 0 <= c + dc < cols:
                    mask |= 1 << (cell + dr * cols + dc)
            around.append(mask)
        for cell in range(rows * cols):
            r, c = divmod(cell, cols)
            to = [
                cell + dr * cols + dc
                for dr, dc in directions
                if 0 <= r + dr < rows and 0 <= c + dc < cols
            ]
            self.ways.append([(chr(v), around[v]) for v in to])

    def moves(self, state: str) -> list[tuple[str, int]]:
        """Return the states one move away and the number of the king that moves."""
        cells = [ord(mark) for mark in state]
        occupied = 0
        for cell in cells:
            occupied |= 1 << cell
        result = []
        for number, cell in enumerate(cells):
            others = occupied ^ (1 << cell)
            for mark, near in self.ways[cell]:
                if not others & near:
                    result.append((state[:number] + mark + state[number + 1 :], number))
        return result

    def successors(self, state: str) -> list[str]:
        """Return the states one move away."""
        return [following for following, _ in self.moves(state)]


def _steps_between(states: Sequence[str]) -> list[Step]:
    steps = []
    for before, after in pairwise(states):
        number = next(i for i, (a, b) in enumerate(zip(before, after, strict=True)) if a != b)
        steps.append((number, ord(before[number]), ord(after[number])))
    return steps


class ShortestSearch(MeetInTheMiddle[str]):
    """Breadth-first search from both ends for a shortest plan.

    Parameters
    ----------
    rows, cols : int
        Sides of the board.
    rule : {"king", "orthogonal"}
        How a king may step.
    start, target : sequence of int
        Cells of the kings, of a reachable pair.
    most : int, optional
        States expanded after which the search is given up.

    Notes
    -----
    Nodes are states expanded.  Time and memory grow with the number of states within half the
    length of a shortest plan.
    """

    def __init__(
        self,
        rows: int,
        cols: int,
        rule: Rule,
        start: Sequence[int],
        target: Sequence[int],
        most: int | None = None,
    ) -> None:
        first, last = "".join(map(chr, start)), "".join(map(chr, target))
        state_bytes = sys.getsizeof(first) + 110  # two dictionary places and a list place
        board = _Board(rows, cols, rule)
        super().__init__(first, last, board.successors, state_bytes=state_bytes)
        self._most = most

    @property
    def steps(self) -> list[Step] | None:
        """The steps (king number, from, to) of a shortest plan once it is found."""
        way = self.way()
        return None if way is None else _steps_between(way)

    def advance(self, budget: int) -> bool:
        """Expand about `budget` states; return whether the plan is found, or given up."""
        if self._most is not None:
            budget = min(budget, self._most - self.nodes)
        return super().advance(budget) or self.nodes == self._most


class GreedySearch(Work):
    """Weighted best-first search for a good plan: by moves + weight * (sum of distances).

    Parameters
    ----------
    rows, cols, rule, start, target
        As for `ShortestSearch`.
    most : int
        States expanded after which the search is given up.
    weight : int
        Of the sum of the kings' distances to their targets.
    """

    nodes = 0

    def __init__(
        self,
        rows: int,
        cols: int,
        rule: Rule,
        start: Sequence[int],
        target: Sequence[int],
        most: int,
        weight: int = 3,
    ) -> None:
        self._cols, self._diagonal = cols, rule == "king"
        self._board = _Board(rows, cols, rule)
        self._most, self._weight = most, weight
        self._goal = "".join(map(chr, target))
        self._goals = [divmod(cell, cols) for cell in target]
        first = "".join(map(chr, start))
        distance = sum(self._distance(number, mark) for number, mark in enumerate(first))
        self._before = {first: first}
        self._moves = {first: 0}
        self._heap = [(weight * distance, distance, first)]
        self.steps: list[Step] | None = None

    def _distance(self, number: int, mark: str) -> int:
        row, col = divmod(ord(mark), self._cols)
        down, across = abs(row - self._goals[number][0]), abs(col - self._goals[number][1])
        return max(down, across) if self._diagonal else down + across

    def memory(self) -> int:
        """Return the bytes held by the states, about."""
        return len(self._before) * (sys.getsizeof(self._goal) + 300)

    def advance(self, budget: int) -> bool:
        """Expand about `budget` states; return whether the search is over."""
        end = min(self.nodes + budget, self._most)
        before, moves, heap = self._before, self._moves, self._heap
        while heap and self.nodes < end:
            _, distance, state = heapq.heappop(heap)
            if state == self._goal:
                self.steps = _steps_between(self._way(state))
                return True
            self.nodes += 1
            length = moves[state] + 1
            for following, number in self._board.moves(state):
                if length < moves.get(following, length + 1):
                    moves[following] = length
                    before[following] = state
                    nearer = distance - self._distance(number, state[number])
                    nearer += self._distance(number, following[number])
                    heapq.heappush(heap, (length + self._weight * nearer, nearer, following))
        return not heap or self.nodes >= self._most

    def _way(self, state: str) -> list[str]:
        states = [state]
        while (before := self._before[states[-1]]) != states[-1]:
            states.append(before)
        return states[::-1]


def small_plan(
    start: Placement, target: Placement, rule: Rule, optimal: bool, run: Run
) -> list[Step] | None:
    """Return the steps of a plan for a reachable pair without numpy; None for too large boards.

    The plan is a shortest one where that is asked for, or found soon.
    """
    kings = sorted(start.cells)
    ends = [start.cells[king] for king in kings], [target.cells[king] for king in kings]
    most = None if optimal else _NODES
    shortest = ShortestSearch(start.rows, start.cols, rule, *ends, most)
    run.drive(shortest)
    if shortest.steps is not None or optimal:
        return shortest.steps
    greedy = GreedySearch(start.rows, start.cols, rule, *ends, _NODES)
    run.drive(greedy)
    return greedy.steps
