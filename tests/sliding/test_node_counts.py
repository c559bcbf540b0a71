"""Nodes of plans and whole spaces: none may grow, and a better search lowers its row."""

from __future__ import annotations

import random
from collections.abc import Callable, Sized

import pytest

import gridkit as gk
from gridkit.run.jit import JIT_DISABLED
from gridkit.sliding import kings
from gridkit.sliding.blocks.rules import BlockMetric
from node_counts import nodes_of

pytestmark = pytest.mark.skipif(JIT_DISABLED, reason="as many nodes take long without kernels")

KLOTSKI = "ABBC\nABBC\nDEEF\nDGHF\nI..J"
RUSH_HOUR = "IBBxooIooLDDJAALooJoKEEMFFKooMGGHHHM"
KORF_79 = (0, 1, 9, 7, 11, 13, 5, 3, 14, 12, 4, 2, 8, 6, 10, 15)


def klotski() -> gk.SlidingPuzzle:
    return gk.SlidingPuzzle.parse(KLOTSKI, goal={"B": (3, 1)})


def length(plan: Sized | None) -> int | None:
    return None if plan is None else len(plan)


def blocks(metric: BlockMetric) -> Callable[[], int | None]:
    return lambda: length(klotski().solve(metric=metric, method="kernel"))


def rush_hour() -> int | None:
    puzzle = gk.SlidingPuzzle.parse_rush_hour(RUSH_HOUR)
    return length(puzzle.solve(metric="slide", method="kernel"))


def fifteen(tables: str) -> Callable[[], int | None]:
    return lambda: gk.NPuzzle(4, 4, KORF_79, goal=range(16)).distance(tables=tables)


def twelve_by_twelve() -> bool:
    tiles = list(range(144))
    random.Random(1).shuffle(tiles)
    puzzle = gk.NPuzzle(12, 12, tiles)
    if not puzzle.is_solvable():
        one, two = tiles.index(1), tiles.index(2)
        tiles[one], tiles[two] = 2, 1
        puzzle = gk.NPuzzle(12, 12, tiles)
    return (length(puzzle.solve()) or 0) <= 2739


def crowded() -> bool:
    """99 kings in the 100 blocks of 20 x 20 cells, and the same in reverse."""
    start, target = ([[0] * 20 for _ in range(20)] for _ in range(2))
    for at in range(99):
        start[at // 10 * 2][at % 10 * 2] = at + 1
        target[(99 - at) // 10 * 2][(99 - at) % 10 * 2] = at + 1
    return (length(kings.plan(start, target, effort="fast")) or 0) <= 3824


@pytest.mark.parametrize(
    ("call", "answer", "most"),
    [
        (blocks("step"), 116, 12_018),
        (blocks("slide"), 90, 11_898),
        (blocks("move"), 81, 11_885),
        (rush_hour, 60, 2_119),
        (lambda: klotski().explore(diameter=False).states, 25_955, 129_646),
        (fifteen("6-6-3"), 42, 6_736),
        (fifteen("manhattan"), 42, 107_087),
        (twelve_by_twelve, True, 2_752_888),
        (crowded, True, 534_671),
    ],
)
def test_no_search_spends_more_nodes(call: Callable[[], object], answer: object, most: int) -> None:
    found, nodes = nodes_of(call)
    assert found == answer
    assert 0 < nodes <= most
