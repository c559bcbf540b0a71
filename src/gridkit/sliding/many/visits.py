"""Visits to rows of a batch: what is under way stays in the process that works on it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import cast

from gridkit.run import Work
from gridkit.run.parallel import Order, Part, spend

__all__ = ["BoardWork", "RowWork", "rows_part", "visit_rows"]

_MOST_UNDER_WAY = 64


class RowWork(Work):
    """Work on rows one after the other; `found` says how many are done.

    Its token is plain data and keeps the rows that are done: the row under way begins anew.
    """


class BoardWork(RowWork):
    """Work on boards, each a row.

    Attributes
    ----------
    row : int
        The board under way.
    spent : int
        Nodes of what is done.
    """

    def __init__(self, boards: int) -> None:
        self._boards_in_all = boards
        self.row = self.spent = 0

    @property
    def found(self) -> int:
        """Boards done."""
        return self.row

    def fraction(self) -> float:
        """Return the part of the boards that is done."""
        return self.row / max(1, self._boards_in_all)


def rows_part(place: int, facts: object, rows: int, value: object) -> Part:
    """Return a part, not begun, of so many rows."""
    return Part((place, facts, None, 0), weight=rows, value=value)


def visit_rows(order: Order, part: Part, begin: Callable[[object, object], RowWork]) -> Part:
    """Go on with some rows; a part that comes back to the same process goes on where it was.

    Elsewhere the row under way begins anew, for twice as long each time that it was not done.

    Parameters
    ----------
    order, part
        As `run_parts` passes them.
    begin : callable
        Returns the work of the facts of a part, and of what its token said, or None.
    """
    place, facts, begun, stuck = cast("tuple[int, object, object, int]", part.state)
    work = _under_way.pop((order.run, place, part.nodes), None)
    if work is None:
        work = begin(facts, begun)
        limit = order.limit
        if stuck and limit.seconds is not None:
            order = replace(order, limit=replace(limit, seconds=limit.seconds * 2**stuck))
    answered = work.found
    after = spend(order, work, part)
    if after.done:
        return replace(after, state=None)
    _under_way[order.run, place, after.nodes] = work
    while len(_under_way) > _MOST_UNDER_WAY:
        _under_way.pop(next(iter(_under_way)), None)
    stuck = stuck + 1 if work.found == answered else 0
    return replace(after, state=(place, facts, after.state, stuck))


# Parts that this process works on, by the run, the part's place and its nodes.
_under_way: dict[tuple[str, int, int], RowWork] = {}
