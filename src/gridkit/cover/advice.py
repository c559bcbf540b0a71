"""Which engine counts the tilings of a problem without searching, and why."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from gridkit.cover.determinant import kasteleyn
from gridkit.cover.frontier.count import FrontierEstimate, estimate
from gridkit.cover.frontier.sweep import is_unlimited
from gridkit.cover.instance import Instance

__all__ = ["Advice", "advise"]

# Dominoes on wider boards: 2**16 states a step cost as much as the determinant.
_DETERMINANT_WIDTH = 16


@dataclass(frozen=True, slots=True)
class Advice:
    """The engine that ``method="auto"`` counts with.

    Attributes
    ----------
    method : {"frontier", "kasteleyn", "search"}
    reason : str
    estimate : FrontierEstimate or None
        What counting by a sweep would cost; None where copies are limited, so that a search
        is tried first.
    """

    method: Literal["frontier", "kasteleyn", "search"]
    reason: str
    estimate: FrontierEstimate | None

    def __str__(self) -> str:
        return f"{self.method}: {self.reason}"


def advise(instance: Instance, memory: int = 4 << 30) -> Advice:
    """Choose between sweeping, the determinant and searching.

    Parameters
    ----------
    instance : Instance
        The problem.
    memory : int
        Bytes that a sweep may be expected to need.

    Examples
    --------
    >>> import gridkit as gk
    >>> board = gk.Board.rectangle(30, 30)
    >>> print(advise(gk.Tiling(board, gk.pieces.domino(), copies=None).instance))
    kasteleyn: dominoes on a board whose frontier is 30 cells wide: a determinant is smaller
    >>> print(advise(gk.Tiling(board, gk.pieces.domino(), copies=450).instance).method)
    search
    """
    if not is_unlimited(instance):
        return Advice("search", "copies are limited", None)
    cost = estimate(instance)
    if cost.width > _DETERMINANT_WIDTH and kasteleyn.suits(instance):
        reason = (
            f"dominoes on a board whose frontier is {cost.width} cells wide: "
            "a determinant is smaller"
        )
        return Advice("kasteleyn", reason, cost)
    told = f"a frontier of {cost.width} cells with about {_rounded(cost.states)} states"
    if cost.memory <= memory:
        return Advice("frontier", f"any number of copies, and {told}", cost)
    return Advice("search", f"{told} would not fit into {memory >> 20} MiB", cost)


def _rounded(number: int) -> str:
    return (
        str(number)
        if number < 10_000
        else f"{float(number):.1e}"
        if number < 1 << 900
        else "no end of"
    )
