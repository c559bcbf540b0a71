"""How many nodes a public call spends: a guard against regressions that needs no clock."""

from __future__ import annotations

from collections.abc import Callable
from types import TracebackType
from unittest.mock import patch

from gridkit.run import Run

__all__ = ["nodes_of"]


def nodes_of(call: Callable[[], object]) -> tuple[object, int]:
    """Return what a call returns, and the nodes of all runs that it made."""
    spent: list[int] = []
    leave = Run.__exit__

    def exit_and_tell(
        run: Run,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        spent.append(run.spent)
        leave(run, kind, error, trace)

    with patch.object(Run, "__exit__", exit_and_tell):
        answer = call()
    return answer, sum(spent)
