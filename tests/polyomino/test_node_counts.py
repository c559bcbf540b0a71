"""Nodes of counts of polyominoes: none may grow, and a better engine lowers its row."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest

from gridkit import polyomino
from gridkit.run.jit import JIT_DISABLED
from node_counts import nodes_of


@pytest.mark.skipif(JIT_DISABLED, reason="as many nodes take long without kernels")
@pytest.mark.parametrize(
    ("call", "answer", "most"),
    [
        (partial(polyomino.count_fixed, 12, method="enumerate"), 505_861, 185_416),
        (partial(polyomino.count_fixed, 16, method="transfer"), 104_592_937, 123_898),
        (partial(polyomino.count_free, 10), 4_655, 6_269),
    ],
)
def test_no_count_spends_more_nodes(call: Callable[[], int], answer: int, most: int) -> None:
    count, nodes = nodes_of(call)
    assert count == answer
    assert 0 < nodes <= most
