"""Nodes of counts with a chosen engine: none may grow, and a better engine lowers its row."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import gridkit as gk
from gridkit.cover.decide import CountMethod
from gridkit.run import use_tier
from gridkit.run.jit import JIT_DISABLED
from gridkit.run.limits import Tier
from node_counts import nodes_of

pytestmark = pytest.mark.skipif(JIT_DISABLED, reason="as many nodes take long without kernels")

ELL = [gk.Polyomino.parse("#.\n##")]
SMALL = [gk.Polyomino.parse("#"), gk.Polyomino.parse("##")]


def queens(n: int) -> gk.ExactCover:
    options = [[r, n + c, 2 * n + r + c, 5 * n - 2 + r - c] for r in range(n) for c in range(n)]
    return gk.ExactCover(options, range(2 * n), range(2 * n, 6 * n))


def langford(n: int) -> gk.ExactCover:
    options = [
        [k - 1, n + at, n + at + k + 1] for k in range(1, n + 1) for at in range(2 * n - k - 1)
    ]
    return gk.ExactCover(options, range(3 * n))


def pentominoes() -> gk.Tiling:
    return gk.Tiling(gk.Board.rectangle(4, 15), gk.pieces.pentominoes(), reflect=True)


def trominoes(rows: int, cols: int) -> gk.Tiling:
    return gk.Tiling(gk.Board.rectangle(rows, cols), ELL, copies=None)


def dimers() -> gk.Tiling:
    return gk.Tiling(gk.Board.rectangle(8, 8), SMALL, copies=None)


def soma() -> gk.Tiling:
    return gk.Tiling(gk.Box(3, 3, 3), gk.pieces.soma())


Model = gk.ExactCover | gk.Tiling


@pytest.mark.parametrize(
    ("build", "method", "tier", "answer", "most"),
    [
        (lambda: queens(9), "bitset", "auto", 352, 5_271),
        (lambda: queens(9), "sparse", "auto", 352, 5_271),
        (lambda: langford(8), "bitset", "auto", 300, 3_162),
        (lambda: langford(8), "sparse", "auto", 300, 3_162),
        (pentominoes, "bitset", "auto", 1472, 262_914),
        (pentominoes, "masks", "auto", 1472, 179_088),
        (soma, "bitset", "auto", 11_520, 5_344),
        (lambda: trominoes(6, 6), "plain", "auto", 162, 928),
        (lambda: trominoes(9, 10), "frontier", "plain", 9_567_192, 16_872),
        (lambda: trominoes(9, 10), "frontier", "compiled", 9_567_192, 87_552),
        (dimers, "frontier", "plain", 179_788_343_101_980_135, 13_180),
        (dimers, "frontier", "compiled", 179_788_343_101_980_135, 15_616),
    ],
)
def test_no_engine_spends_more_nodes(
    build: Callable[[], Model], method: CountMethod, tier: Tier, answer: int, most: int
) -> None:
    with use_tier(tier):
        count, nodes = nodes_of(lambda: build().count(method=method))  # type: ignore[arg-type]  # by row
    assert count == answer
    assert 0 < nodes <= most
