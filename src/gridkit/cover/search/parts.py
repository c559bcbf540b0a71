"""Counting in parts: subtrees of a search, through executors, with checkpoints."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from gridkit.cover.search.tree import (
    PARTS_ENGINE,
    WHOLE_ENGINE,
    Counting,
    Task,
    split_weighted,
)
from gridkit.errors import UnsupportedError
from gridkit.run import Run
from gridkit.run.checkpoint import books_of
from gridkit.run.parallel import Ledger, Order, Part, run_parts, spend

__all__ = ["LEAST_PARTS", "count_in_parts"]

LEAST_PARTS = 64

Tasks = tuple[Task, ...]


def count_in_parts(tasks: Sequence[Task], run: Run, name: str) -> int:
    """Count independent searches in parts and multiply.

    Parameters
    ----------
    tasks : sequence of Task
        The searches, the largest last: that one is split.
    run : Run
        The call, with a token of a call in parts or none.
    name : str
        Names the call and its problem.

    Raises
    ------
    LimitReached, Interrupted
        With a lower bound in ``.partial`` (0 until every search found something) and a token.
    CheckpointError
        For a checkpoint file of another problem, or one that is damaged.
    """
    ledger = _ledger(tuple(tasks), run, name)
    count = run_parts(_visit, tuple(tasks), ledger, run, combine=_Product(len(tasks)))
    assert isinstance(count, int)
    return count


def _ledger(tasks: Tasks, run: Run, name: str) -> Sequence[Part] | Ledger:
    """Return the parts that a call is to count: new ones, those of its token, or of its file."""
    if run.resumed_engine == WHOLE_ENGINE:
        raise UnsupportedError(
            "resume: the token is that of a call without parts; continue it without executor=, "
            "parts= and checkpoint="
        )
    return books_of(run, name, PARTS_ENGINE, lambda: _split(tasks, run))


def _split(tasks: Tasks, run: Run) -> list[Part]:
    """Return the parts; a state is the number of the task, the prefix and the state within."""
    parts = []
    for number, task in enumerate(tasks):
        least = 1 if number < len(tasks) - 1 else run.parts or LEAST_PARTS
        for prefix, weight in split_weighted(task, least, run):
            parts.append(Part((number, prefix, None), weight, value=(number, 0)))
    return parts


def _visit(order: Order, tasks: Tasks, part: Part) -> Part:
    state = part.state
    assert isinstance(state, tuple)
    number, prefix, inner = state
    after = spend(order, Counting(_same(tasks[number]), prefix, inner, order.tier), part)
    return replace(
        after,
        state=None if after.done else (number, prefix, after.state),
        value=(number, after.value),
    )


@lru_cache(maxsize=8)
def _same(task: Task) -> Task:
    """Return one and the same object for equal tasks, which every visit brings anew.

    The engines keep what they made of the last problems, by identity.
    """
    return task


class _Product:
    """Combines the values of parts: the product over tasks of the sums over their parts."""

    def __init__(self, tasks: int) -> None:
        self._tasks = tasks

    def __call__(self, values: list[object]) -> int:
        sums = [0] * self._tasks
        for value in values:
            assert isinstance(value, tuple)
            number, count = value
            sums[number] += count
        return math.prod(sums)
