"""Short, obviously right twins for kings that keep apart."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, permutations

import pytest

from gridkit.run.jit import JIT_DISABLED
from gridkit.sliding.kings import window as kings_window

State = tuple[tuple[int, int], ...]  # cell of king 1, king 2, ...


def touch(a: tuple[int, int], b: tuple[int, int]) -> bool:
    return max(abs(a[0] - b[0]), abs(a[1] - b[1])) <= 1


def placements(rows: int, cols: int, kings: int) -> list[State]:
    """All sets of cells for so many kings, each in reading order."""
    cells = [(r, c) for r in range(rows) for c in range(cols)]
    return [
        chosen
        for chosen in combinations(cells, kings)
        if not any(touch(a, b) for a, b in combinations(chosen, 2))
    ]


def labelled(rows: int, cols: int, kings: int) -> list[State]:
    """All placements with all labellings."""
    return [order for chosen in placements(rows, cols, kings) for order in permutations(chosen)]


def moves(rows: int, cols: int, state: State, rule: str) -> Iterator[State]:
    for number, (r, c) in enumerate(state):
        for dr in (-1, 0, 1):
            for dc in (-1, 0, 1):
                if (dr, dc) == (0, 0) or (rule == "orthogonal" and dr and dc):
                    continue
                to = (r + dr, c + dc)
                if not (0 <= to[0] < rows and 0 <= to[1] < cols):
                    continue
                others = state[:number] + state[number + 1 :]
                if not any(touch(to, other) for other in others):
                    yield (*state[:number], to, *state[number + 1 :])


def distances(rows: int, cols: int, start: State, rule: str) -> dict[State, int]:
    """The least number of moves to everything that can be reached."""
    found = {start: 0}
    queue = deque([start])
    while queue:
        state = queue.popleft()
        for following in moves(rows, cols, state, rule):
            if following not in found:
                found[following] = found[state] + 1
                queue.append(following)
    return found


def board(rows: int, cols: int, state: State) -> list[list[int]]:
    matrix = [[0] * cols for _ in range(rows)]
    for number, (r, c) in enumerate(state, 1):
        matrix[r][c] = number
    return matrix


def follow(
    start: list[list[int]], steps: Sequence[tuple[int, int, int]], rule: str
) -> list[list[int]]:
    """Make moves (id, row, column), checking each by the rules; return the last board."""
    rows, cols = len(start), len(start[0])
    at = {start[r][c]: (r, c) for r in range(rows) for c in range(cols) if start[r][c]}
    taken = set(at.values())
    for king, r, c in steps:
        assert 0 <= r < rows
        assert 0 <= c < cols
        down, across = abs(at[king][0] - r), abs(at[king][1] - c)
        assert (max(down, across) if rule == "king" else down + across) == 1
        taken.remove(at[king])
        assert not any((r + dr, c + dc) in taken for dr in (-1, 0, 1) for dc in (-1, 0, 1))
        taken.add((r, c))
        at[king] = (r, c)
    result = [[0] * cols for _ in range(rows)]
    for king, (r, c) in at.items():
        result[r][c] = king
    return result


def displacing(
    tile: int, origin: int, to: int, goal: Sequence[int], q: int, price: Callable[..., int]
) -> int:
    """What moving a tile from a cell to the next costs: price(goal, how far off, 0 near or 1)."""
    (r, c), (y, x) = divmod(origin, q), divmod(goal[tile], q)
    off = y - r if abs(origin - to) != 1 or q == 1 else x - c
    return price(goal[tile], abs(off), 0 if off * (to - origin) > 0 else 1)


def cheapest_emptying(
    grid: Sequence[int],
    goal: Sequence[int],
    locked: Sequence[int],
    sources: Sequence[int],
    q: int,
    price: Callable[..., int],
) -> int | None:
    """Return the least price of bringing a blank to one of the sources, by plain relaxation."""
    cost = {source: 0 for source in sources if source >= 0 and not locked[source]}
    changed = True
    while changed:
        changed = False
        for u in range(len(grid)):
            if u not in cost or grid[u] < 0:
                continue
            for v in (u - q, u + q, u - 1, u + 1):
                apart = abs(u // q - v // q) + abs(u % q - v % q)
                if not 0 <= v < len(grid) or apart != 1 or locked[v]:
                    continue
                now = cost[u] + displacing(grid[u], u, v, goal, q, price)
                if v not in cost or now < cost[v]:
                    cost[v] = now
                    changed = True
    return min((c for cell, c in cost.items() if grid[cell] < 0), default=None)


@pytest.fixture(scope="module")
def less_polishing() -> Iterator[None]:
    """Polish plans only a little, so that many can be made."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kings_window, "_EXACT_STATES", 100 if JIT_DISABLED else 10_000)
        patch.setattr(kings_window, "_WORK", 200 if JIT_DISABLED else 30_000)
        yield
