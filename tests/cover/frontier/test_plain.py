"""The plain tier: a dictionary of frontier states."""

from __future__ import annotations

import subprocess
import sys
from collections import deque
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gridkit.cover.frontier.order import plan_sweep
from gridkit.cover.frontier.plain import count_plain, states_after
from gridkit.cover.instance import Instance
from gridkit.run import Run
from twins import frontier as twin

PIECES: list[list[twin.Point]] = [
    twin.DOMINO,
    twin.L_TROMINO,
    twin.I_TROMINO,
    twin.MONOMINO,
    twin.TETROMINOES["T"],
]


@st.composite
def instances(draw: st.DrawFn) -> Instance:
    """Small boards with holes, a few pieces, bounds on copies and cells that may stay empty."""
    rows, cols = draw(st.integers(1, 4)), draw(st.integers(1, 4))
    board = twin.rectangle(rows, cols)
    cells = draw(st.lists(st.sampled_from(board), unique=True, max_size=9))
    pieces = draw(st.lists(st.sampled_from(PIECES), min_size=1, max_size=3))
    bounds: list[tuple[int, int | None]] = []
    for _ in pieces:
        least = draw(st.integers(0, 2))
        greatest = draw(st.none() | st.integers(least, 4))
        bounds.append((least, greatest) if draw(st.booleans()) else (0, None))
    optional = draw(st.lists(st.sampled_from(cells), unique=True)) if cells else []
    return twin.instance_of(cells, pieces, bounds, reflect=True, optional=optional)


@given(instances())
@settings(max_examples=150, deadline=None)
def test_equals_plain_backtracking(instance: Instance) -> None:
    assert count_plain(instance, Run()) == twin.count(instance)


@given(instances(), st.randoms(use_true_random=False))
@settings(max_examples=60, deadline=None)
def test_any_order_of_cells_gives_the_same_number(instance: Instance, random: Random) -> None:
    order = list(range(len(instance.coordinates)))
    random.shuffle(order)
    sweep = plan_sweep(instance, Run(), order=order)
    last = deque(states_after(sweep), maxlen=1).pop()
    assert sum(ways for state, ways in last.items() if sweep.accepts(state)) == twin.count(instance)


def test_empty_board_has_one_covering() -> None:
    assert count_plain(Instance((), (), (), frozenset()), Run()) == 1
    assert count_plain(Instance((), (), ((0, None),), frozenset()), Run()) == 1
    assert count_plain(Instance((), (), ((1, None),), frozenset()), Run()) == 0


def test_pentominoes_once_each() -> None:
    pieces = list(twin.PENTOMINOES.values())
    board = twin.instance_of(twin.rectangle(3, 20), pieces, (1, 1), reflect=True)
    assert count_plain(board, Run()) == 8


@pytest.mark.parametrize(("shape", "slots"), [((20, 20), 21), ((3, 200), 4), ((200, 3), 4)])
def test_sweep_runs_along_the_longer_side(shape: tuple[int, int], slots: int) -> None:
    board = twin.instance_of(twin.rectangle(*shape), [twin.L_TROMINO])
    assert plan_sweep(board, Run()).width == slots


def test_needs_neither_numpy_nor_numba() -> None:
    program = (
        "import sys\n"
        "from gridkit.cover.frontier.plain import count_plain\n"
        "from gridkit.run import Run\n"
        "from gridkit.cover.instance import Instance\n"
        "one = Instance(((0, 0),), ((0, (0,)),), ((0, None),), frozenset())\n"
        "assert count_plain(one, Run()) == 1\n"
        "assert not {'numpy', 'numba'} & set(sys.modules)\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
