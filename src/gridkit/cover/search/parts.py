"""Counting in parts: subtrees of a search, through executors, with checkpoints."""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import replace
from functools import lru_cache

from gridkit.cover.search.tree import Counting, Task, hash_of, split_weighted
from gridkit.cover.search.walk import compiled_method
from gridkit.errors import InputError, Token, UnsupportedError
from gridkit.reading import read_int
from gridkit.run.checkpoint import Checkpoint
from gridkit.run.control import Limit, ProgressCallback
from gridkit.run.parallel import Ledger, Order, Part, run_parts, spend

__all__ = ["LEAST_PARTS", "count_in_parts"]

LEAST_PARTS = 64
# To be raised whenever a prefix or path comes to mean another subtree.
_ENGINE = "search 1"

Tasks = tuple[Task, ...]


def count_in_parts(
    tasks: Task | Sequence[Task],
    *,
    executor: Executor | None = None,
    parts: int | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    limit: Limit | None = None,
    progress: ProgressCallback | None = None,
    resume: object = None,
) -> int:
    """Count independent searches in parts and multiply.

    Parameters
    ----------
    tasks : Task or sequence of Task
        The searches, the largest last: that one is split.
    executor : concurrent.futures.Executor, optional
        Who counts; the calling thread when left out.
    parts : int, optional
        At least how many parts to make; 64 when left out.  A checkpoint file and a token keep
        the parts they were made with.
    checkpoint : path, optional
        A file that keeps what was counted.
    limit, progress
        As everywhere.
    resume : object, optional
        The token of a `LimitReached` or `Interrupted` of a call in parts.

    Raises
    ------
    LimitReached, Interrupted
        With a lower bound in ``.partial`` (0 until every search found something) and a token.
    CheckpointError
        For a checkpoint file of another problem, or one that is damaged.
    """
    work = (tasks,) if isinstance(tasks, Task) else tuple(tasks)
    parts = LEAST_PARTS if parts is None else read_int(parts, "parts", 1)
    key = hash_of([task.fingerprint for task in work])
    ledger: Ledger | list[Part]
    if checkpoint is not None:
        if resume is not None:
            raise UnsupportedError(
                "resume: a checkpoint knows itself where to continue; pass one of the two"
            )
        ledger = Checkpoint(
            checkpoint,
            problem=key,
            engine=_ENGINE,
            split=lambda: _split(work, parts),
        )
    elif resume is not None:
        ledger = _continued(resume, key)
    else:
        ledger = _split(work, parts)
    count = run_parts(
        _visit,
        work,
        ledger,
        executor=executor,
        combine=_Product(len(work)),
        key=key,
        limit=limit,
        progress=progress,
    )
    assert isinstance(count, int)
    return count


def _continued(token: object, key: str) -> list[Part]:
    if isinstance(token, tuple):
        raise UnsupportedError(
            "resume: the token is that of a call without parts; continue it without executor=, "
            "parts= and checkpoint="
        )
    if not isinstance(token, Token):
        raise InputError("resume: expected the token of a LimitReached raised by the same call")
    if token.call != key:
        raise InputError("resume: the token belongs to another problem")
    assert isinstance(token.data, tuple)
    return list(token.data)


def _split(tasks: Tasks, parts: int) -> list[Part]:
    """Return the parts; a state is the number of the task, the prefix and the token within."""
    found = []
    for number, task in enumerate(tasks):
        wanted = parts if number == len(tasks) - 1 else 1
        for prefix, weight in split_weighted(task, wanted):
            found.append(Part((number, prefix, None), weight, value=(number, 0)))
    return found


def _visit(order: Order, tasks: Tasks, part: Part) -> Part:
    state = part.state
    assert isinstance(state, tuple)
    number, prefix, token = state
    left = spend(order, Counting(_ready(tasks[number]), prefix, token), part)
    return replace(
        left,
        state=None if left.done else (number, prefix, left.state),
        value=(number, left.value),
    )


def _ready(task: Task) -> Task:
    """Return the task for the compiled engine when that is loaded: it begins sooner."""
    compiled = _compiled(task)
    return compiled if f"gridkit.cover.kernels.{compiled.method}" in sys.modules else task


@lru_cache(maxsize=8)
def _compiled(task: Task) -> Task:
    # The cache also makes equal tasks, which every visit brings anew, one and the same.
    return replace(task, method=compiled_method(task.matrix)) if task.method == "auto" else task


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
