"""Connected parts of cells, of cubes, of any graph; and whether a permutation is even."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import TypeVar

__all__ = ["components", "permutation_is_even"]

V = TypeVar("V", bound=Hashable)


def components(vertices: Iterable[V], neighbours: Callable[[V], Iterable[V]]) -> list[list[V]]:
    """Split vertices into connected parts.

    Parameters
    ----------
    vertices : iterable
        The vertices, hashable.
    neighbours : callable
        Returns the neighbours of a vertex; those that are no vertices are passed over.

    Returns
    -------
    list of list
        The parts in the order of their first vertices, each with its first vertex in front.
        Takes time linear in the number of vertices and neighbours.

    Examples
    --------
    >>> components([1, 2, 4, 5, 9], lambda n: (n - 1, n + 1))
    [[1, 2], [4, 5], [9]]
    """
    ordered = list(vertices)
    waiting = set(ordered)
    parts: list[list[V]] = []
    for seed in ordered:
        if seed not in waiting:
            continue
        waiting.remove(seed)
        part = [seed]
        for vertex in part:  # grows meanwhile
            for neighbour in neighbours(vertex):
                if neighbour in waiting:
                    waiting.remove(neighbour)
                    part.append(neighbour)
        parts.append(part)
    return parts


def permutation_is_even(start: Sequence[Hashable], goal: Sequence[Hashable]) -> bool:
    """Return whether the permutation that turns one list of distinct items into another is even.

    Examples
    --------
    >>> permutation_is_even([1, 2, 3], [2, 3, 1]), permutation_is_even([1, 2], [2, 1])
    (True, False)
    """
    place = {item: index for index, item in enumerate(goal)}
    image = [place[item] for item in start]
    even = len(image) % 2 == 0
    for index in range(len(image)):
        if image[index] >= 0:  # a cycle not yet walked
            even = not even
            while image[index] >= 0:
                image[index], index = -1, image[index]
    return even
