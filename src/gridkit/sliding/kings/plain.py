"""Plans of kings on small boards, plain Python: shortest plans, and quick good ones.

A state is a string with one character a king, whose code is the king's cell.
"""

from __future__ import annotations

import heapq
import sys
from itertools import pairwise

from gridkit.sliding.kings.reach import Placement, Rule

__all__ = ["ShortestSearch", "greedy_steps"]

Step = tuple[int, int, int]
_DIRECTIONS = ((-1, 0), (0, -1), (0, 1), (1, 0), (-1, -1), (-1, 1), (1, -1), (1, 1))


class _Board:
    """Neighbours and neighbourhoods of the cells, the latter as bit masks."""

    def __init__(self, rows: int, cols: int, rule: Rule) -> None:
        directions = _DIRECTIONS if rule == "king" else _DIRECTIONS[:4]
        self.ways: list[list[tuple[int, str, int]]] = []  # (cell, its character, cells around it)
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
            self.ways.append([(v, chr(v), around[v]) for v in to])

    def moves(self, state: str) -> list[tuple[str, int]]:
        """Return the states one move away and the number of the king that moves."""
        cells = [ord(mark) for mark in state]
        taken = 0
        for cell in cells:
            taken |= 1 << cell
        result = []
        for number, cell in enumerate(cells):
            others = taken ^ (1 << cell)
            for _, mark, near in self.ways[cell]:
                if not others & near:
                    result.append((state[:number] + mark + state[number + 1 :], number))
        return result


def _state(placement: Placement) -> str:
    return "".join(chr(placement.cells[king]) for king in sorted(placement.cells))


def _steps_between(states: list[str]) -> list[Step]:
    steps = []
    for one, other in pairwise(states):
        number = next(i for i, (a, b) in enumerate(zip(one, other, strict=True)) if a != b)
        steps.append((number, ord(one[number]), ord(other[number])))
    return steps


class ShortestSearch:
    """Breadth-first search from both ends; the smaller front grows by whole levels.

    Parameters
    ----------
    start, target : Placement
        A reachable pair.
    rule : {"king", "orthogonal"}
        How a king may step.

    Notes
    -----
    Nodes are states expanded.  Time and memory grow with the number of states within half the
    length of a shortest plan.
    """

    def __init__(self, start: Placement, target: Placement, rule: Rule) -> None:
        self._board = _Board(start.rows, start.cols, rule)
        ends = (_state(start), _state(target))
        self._before: list[dict[str, str]] = [{end: end} for end in ends]
        self._fronts = [[end] for end in ends]
        self._next: list[str] = []
        self._side = 0
        self._at = 0
        self.nodes = 0
        self.found = 0
        self._meeting = ends[0] if ends[0] == ends[1] else None
        self._state_bytes = sys.getsizeof(ends[0]) + 110  # two dictionary places and a list place

    def fraction(self) -> float:
        """Return 1 at the end; the depth of a search is not known beforehand."""
        return float(self._meeting is not None)

    def memory(self) -> int:
        """Return the bytes held by the states."""
        return self._state_bytes * sum(len(before) for before in self._before)

    def token(self) -> None:
        """Return None: the search cannot be continued in another call."""

    def value(self) -> list[Step] | None:
        """Return the steps (king number, from, to) of a shortest plan once it is found."""
        if self._meeting is None:
            return None
        halves = []
        for before in self._before:
            states = [self._meeting]
            while before[states[-1]] != states[-1]:
                states.append(before[states[-1]])
            halves.append(states)
        return _steps_between(halves[0][::-1] + halves[1][1:])

    def advance(self, budget: int) -> bool:
        """Expand about `budget` states; return whether the plan is found."""
        stop = self.nodes + budget
        while self._meeting is None and self.nodes < stop:
            front = self._fronts[self._side]
            if self._at == len(front):
                self._fronts[self._side], self._next, self._at = self._next, [], 0
                self._side = int(len(self._fronts[1]) < len(self._fronts[0]))
                continue
            state = front[self._at]
            self._at += 1
            self.nodes += 1
            mine, theirs = self._before[self._side], self._before[1 - self._side]
            for following, _ in self._board.moves(state):
                if following not in mine:
                    mine[following] = state
                    self._next.append(following)
                    if following in theirs:
                        self._meeting = following
                        break
        return self._meeting is not None


def greedy_steps(
    start: Placement, target: Placement, rule: Rule, nodes: int, weight: int = 3
) -> list[Step] | None:
    """Look for a good plan by weighted best-first search; None when `nodes` states do not do.

    States are taken by moves + weight * (sum of the kings' distances to their targets).
    """
    cols = start.cols
    goal = _state(target)
    first = _state(start)
    aims = [divmod(ord(mark), cols) for mark in goal]
    board = _Board(start.rows, start.cols, rule)

    def distance(number: int, mark: str) -> int:
        r, c = divmod(ord(mark), cols)
        down, across = abs(r - aims[number][0]), abs(c - aims[number][1])
        return max(down, across) if rule == "king" else down + across

    total = sum(distance(number, mark) for number, mark in enumerate(first))
    before = {first: first}
    moves = {first: 0}
    heap = [(weight * total, total, first)]
    while heap and nodes > 0:
        _, left, state = heapq.heappop(heap)
        if state == goal:
            states = [state]
            while before[states[-1]] != states[-1]:
                states.append(before[states[-1]])
            return _steps_between(states[::-1])
        nodes -= 1
        made = moves[state] + 1
        for following, number in board.moves(state):
            if made < moves.get(following, made + 1):
                moves[following] = made
                before[following] = state
                less = left - distance(number, state[number])
                less += distance(number, following[number])
                heapq.heappush(heap, (made + weight * less, less, following))
    return None
