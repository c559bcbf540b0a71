"""One domino tiling, as a perfect matching between the black and the white cells."""

from __future__ import annotations

from collections.abc import Iterator

from gridkit.cover.frontier.sweep import paced
from gridkit.cover.instance import Instance
from gridkit.run import Run

__all__ = ["domino_tiling"]

Option = tuple[int, int]  # a white cell beside a black one, and the placement that covers both


def domino_tiling(instance: Instance, run: Run) -> tuple[int, ...] | None:
    """Return a covering by dominoes, always the same, or None: there is none.

    Parameters
    ----------
    instance : Instance
        A problem that suits `gridkit.cover.determinant.kasteleyn.count`.
    run : Run
        The call.

    Returns
    -------
    tuple of int or None
        Increasing numbers of placements.  Takes time proportional to the cells times the square
        root of their number at most.

    Notes
    -----
    Shortest augmenting paths in phases (Hopcroft and Karp, 1973), from a greedy matching on.

    Examples
    --------
    >>> cells = ((0, 0), (0, 1), (1, 0), (1, 1))
    >>> dominoes = ((0, (0, 1)), (0, (0, 2)), (0, (1, 3)), (0, (2, 3)))
    >>> domino_tiling(Instance(cells, dominoes, ((0, None),), frozenset()), Run())
    (0, 3)
    """
    placed = _greedy(instance, run)
    if placed is not None:
        return placed
    black = [sum(point) % 2 == 0 for point in instance.coordinates]
    options: dict[int, list[Option]] = {cell: [] for cell, is_black in enumerate(black) if is_black}
    if 2 * len(options) != len(black):
        return None
    for number, (piece, (a, b)) in enumerate(instance.placements):
        if instance.copies[piece][1] != 0:
            cell, white = (a, b) if black[a] else (b, a)
            options[cell].append((white, number))
    laid: dict[int, int] = {}  # the placement that covers a black cell
    owner: dict[int, int] = {}  # the black cell that a white one is covered with
    for cell, beside in options.items():
        free = next(((white, number) for white, number in beside if white not in owner), None)
        if free is not None:
            owner[free[0]], laid[cell] = cell, free[1]
    while len(laid) < len(options):
        run.check()
        levels = _levels(options, laid, owner)
        untried = {cell: iter(beside) for cell, beside in options.items()}
        before = len(laid)
        for cell in options:
            if cell not in laid:
                run.check()
                _augment(cell, levels, untried, laid, owner)
        if len(laid) == before:
            return None
    return tuple(sorted(laid.values()))


def _greedy(instance: Instance, run: Run) -> tuple[int, ...] | None:
    """Lay a domino wherever two cells are free, in order; None where that leaves cells over.

    Rectangles and many other boards are covered so, in a single pass.
    """
    cells = len(instance.coordinates)
    free = bytearray(b"\x01") * cells
    placed = []
    for number, (piece, (a, b)) in enumerate(paced(instance.placements, run)):
        if free[a] and free[b] and instance.copies[piece][1] != 0:
            free[a] = free[b] = 0
            placed.append(number)
    return tuple(placed) if 2 * len(placed) == cells else None


def _levels(
    options: dict[int, list[Option]], laid: dict[int, int], owner: dict[int, int]
) -> dict[int, int]:
    """Return how many white cells the way from an uncovered cell to each black one passes."""
    levels = {cell: 0 for cell in options if cell not in laid}
    front = list(levels)
    while front:
        following = []
        for cell in front:
            for white, _ in options[cell]:
                beyond = owner.get(white)
                if beyond is not None and beyond not in levels:
                    levels[beyond] = levels[cell] + 1
                    following.append(beyond)
        front = following
    return levels


def _augment(
    start: int,
    levels: dict[int, int],
    untried: dict[int, Iterator[Option]],
    laid: dict[int, int],
    owner: dict[int, int],
) -> None:
    """Cover one more black cell by exchanging dominoes along a shortest way, if there is one."""
    way: list[tuple[int, int, int]] = []  # a black cell, the white one after it, their placement
    cell = start
    while True:
        for white, number in untried[cell]:
            beyond = owner.get(white)
            if beyond is None:
                for black, next_white, placement in [*way, (cell, white, number)]:
                    laid[black], owner[next_white] = placement, black
                return
            if levels.get(beyond) == levels[cell] + 1:
                way.append((cell, white, number))
                cell = beyond
                break
        else:
            if not way:
                return
            cell, _, _ = way.pop()
