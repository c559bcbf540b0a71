"""Rush Hour by the rules alone: every board as a set of cars, slides one by one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations

Car = tuple[tuple[int, int], ...]
Traffic = frozenset[Car]
Cells = frozenset[tuple[int, int]]
Facts = tuple[int, int, int, tuple[int, ...], Counter[tuple[int, int]]]


def boards(rows: int, cols: int, walls: Cells) -> Iterator[Traffic]:
    """Iterate over the boards in which the last car of the middle row has two cells."""
    cars = [
        tuple((row + down * at, col + (1 - down) * at) for at in range(length))
        for row in range(rows)
        for col in range(cols)
        for length in (2, 3)
        for down in (0, 1)
    ]
    cars = [car for car in cars if car[-1][0] < rows and car[-1][1] < cols and not walls & {*car}]

    def place(number: int, chosen: tuple[Car, ...], taken: Cells) -> Iterator[Traffic]:
        if number == len(cars):
            if leaving(frozenset(chosen), rows) is not None:
                yield frozenset(chosen)
            return
        yield from place(number + 1, chosen, taken)
        if not taken & {*cars[number]}:
            yield from place(number + 1, (*chosen, cars[number]), taken | {*cars[number]})

    return place(0, (), frozenset())


def leaving(board: Traffic, rows: int) -> Car | None:
    """Return the car that is to leave."""
    row = (rows - 1) // 2
    lying = [car for car in board if car[0][0] == car[1][0] == row]
    last = max(lying, default=None)
    return last if last is not None and len(last) == 2 else None


def slides(board: Traffic, rows: int, cols: int, walls: Cells) -> Iterator[Traffic]:
    """Iterate over the boards one slide of a car away."""
    taken = walls | {cell for car in board for cell in car}
    for car in board:
        down, across = car[1][0] - car[0][0], car[1][1] - car[0][1]
        for way in (-1, 1):
            moved = car
            while True:
                moved = tuple((row + way * down, col + way * across) for row, col in moved)
                if not all(
                    0 <= row < rows and 0 <= col < cols and (row, col) not in taken - {*car}
                    for row, col in moved
                ):
                    break
                yield board - {car} | {moved}


def facts(rows: int, cols: int, walls: int) -> Facts:
    """Return boards, components, those that can be solved, their optima, (optimum, boards)."""
    total, parts, solvable = 0, 0, 0
    optima: Counter[int] = Counter()
    kept: Counter[tuple[int, int]] = Counter()
    cells = [(row, col) for row in range(rows) for col in range(cols)]
    for some in combinations(cells, walls):
        fixed = frozenset(some)
        rest = set(boards(rows, cols, fixed))
        total += len(rest)
        while rest:
            component = _reached({min(rest, key=sorted)}, rows, cols, fixed)
            rest -= component.keys()
            parts += 1
            goals = set()
            for board in component:
                car = leaving(board, rows)
                assert car is not None
                if car[-1][1] == cols - 1:
                    goals.add(board)
            if goals:
                solvable += 1
                optimum = max(_reached(goals, rows, cols, fixed).values())
                optima[optimum] += 1
                kept[optimum, len(component)] += 1
    histogram = tuple(optima[optimum] for optimum in range(max(optima, default=-1) + 1))
    return total, parts, solvable, histogram, kept


def _reached(first: set[Traffic], rows: int, cols: int, walls: Cells) -> dict[Traffic, int]:
    distance = dict.fromkeys(first, 0)
    queue = list(first)
    for board in queue:
        for reached in slides(board, rows, cols, walls):
            if reached not in distance:
                distance[reached] = distance[board] + 1
                queue.append(reached)
    return distance
