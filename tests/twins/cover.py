"""Exact cover and tilings by trying every subset: short and obviously right, for tiny problems."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from gridkit.cover.matrix import Matrix
from gridkit.grid.board import Board
from gridkit.polyomino.polyomino import Polyomino

__all__ = ["covers", "orbits", "tilings", "undominated"]


def covers(matrix: Matrix) -> set[tuple[int, ...]]:
    """Every set of options that covers all items as often as they ask for."""
    usable = [option for option, items in enumerate(matrix.options) if min(items) < matrix.primary]
    return {
        chosen
        for size in range(len(usable) + 1)
        for chosen in combinations(usable, size)
        if _covers(matrix, chosen)
    }


def _covers(matrix: Matrix, chosen: Sequence[int]) -> bool:
    times = [0] * matrix.items
    colors: dict[int, int] = {}
    for option in chosen:
        painted = (0,) * len(matrix.options[option])
        if matrix.colors is not None:
            painted = matrix.colors[option]
        for item, color in zip(matrix.options[option], painted, strict=True):
            times[item] += 1
            if item >= matrix.primary and times[item] > 1 and not color == colors[item] != 0:
                return False
            colors[item] = color
    bounds = zip(matrix.low, times, matrix.high, strict=False)
    return all(low <= count <= high for low, count, high in bounds)


def undominated(matrix: Matrix, costs: Sequence[int], k: int) -> list[int]:
    """The options for which fewer others can stand in than `k` cheapest covers ask for."""
    shown, hidden = [], []
    for option, items in enumerate(matrix.options):
        colors = matrix.colors[option] if matrix.colors is not None else (0,) * len(items)
        demanded = {i for i in items if i < matrix.primary and matrix.low[i]}
        shown.append(demanded)
        hidden.append({pair for pair in zip(items, colors, strict=True) if pair[0] not in demanded})
    options = range(len(matrix.options))
    return [
        o
        for o in options
        if not shown[o]
        or sum(
            shown[p] == shown[o] and hidden[p] <= hidden[o] and (costs[p], p) < (costs[o], o)
            for p in options
        )
        < min(matrix.high[i] for i in shown[o]) - 1 + k
    ]


def tilings(
    board: Board,
    pieces: Sequence[Polyomino],
    copies: Sequence[tuple[int, int]],
    *,
    reflect: bool = False,
    optional: Sequence[tuple[int, int]] = (),
) -> set[frozenset[tuple[int, tuple[tuple[int, int], ...]]]]:
    """Every set of disjoint placements (piece, cells) that leaves optional cells only."""
    placements = [
        (number, cells)
        for number, piece in enumerate(pieces)
        for cells in piece.placements(board, reflect=reflect)
    ]
    found: set[frozenset[tuple[int, tuple[tuple[int, int], ...]]]] = set()

    def lay(chosen: list[int], covered: set[tuple[int, int]]) -> None:
        used = [sum(placements[c][0] == number for c in chosen) for number in range(len(pieces))]
        left = set(board.cells) - covered - set(optional)
        if not left and all(
            low <= times <= high for (low, high), times in zip(copies, used, strict=True)
        ):
            found.add(frozenset(placements[c] for c in chosen))
        for candidate in range(chosen[-1] + 1 if chosen else 0, len(placements)):
            if covered.isdisjoint(placements[candidate][1]):
                lay([*chosen, candidate], covered | set(placements[candidate][1]))

    lay([], set())
    return found


def orbits(solutions: set[tuple[int, ...]], group: Sequence[Sequence[int]]) -> int:
    """Number of classes of solutions that permutations of the options carry into one another."""
    return len({min(tuple(sorted(g[o] for o in chosen)) for g in group) for chosen in solutions})
