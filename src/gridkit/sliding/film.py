"""Plans as films: how the blocks of a puzzle glide from the start to the goal, and captions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby

from gridkit import render

__all__ = ["Row", "plan_film"]

Row = Sequence[int]
"""A step of a plan: block, cell before, cell after."""

_ARROWS = {
    (0, 1): "→", (0, -1): "←", (-1, 0): "↑", (1, 0): "↓",
    (-1, 1): "↗", (-1, -1): "↖", (1, 1): "↘", (1, -1): "↙",
}  # fmt: skip
_LISTED = 3  # so many equal arrows are written out, more with their number


def plan_film(
    stage: render.Stage, names: Sequence[str], moves: Iterable[Iterable[Row]], unit: str
) -> render.Film:
    """Return the film of a plan.

    Parameters
    ----------
    stage : Stage
        The puzzle at the start; sprite k is block k.
    names : sequence of str
        The name of each block.
    moves : iterable of runs of steps
        What is shown as one move: steps of several blocks happen at the same time.
    unit : str
        What the moves are called.
    """
    shown, captions = [], []
    where = [round(sprite.y) * stage.cols + round(sprite.x) for sprite in stage.sprites]
    for steps in moves:
        paths: dict[int, list[tuple[float, float]]] = {}
        for block, before, after in steps:
            if where[block] != before:  # steps of equal tiles may name any of them
                block = _twin(where, before, names, block)
            where[block] = after
            row, col = divmod(after, stage.cols)
            paths.setdefault(block, []).append((col, row))
        shown.append([render.Change(block, tuple(path)) for block, path in paths.items()])
        who = ", ".join(names[block] for block in paths)
        captions.append(f"{who} {_arrows(steps, stage.cols)}")
    return render.Film(stage, shown, captions, unit)


def _twin(where: Sequence[int], cell: int, names: Sequence[str], block: int) -> int:
    """Return the block of the same name on a cell; the block itself where there is none."""
    alike = (one for one, at in enumerate(where) if at == cell and names[one] == names[block])
    return next(alike, block)


def _arrows(steps: Iterable[Row], cols: int) -> str:
    """Return the ways of the first block that moves, as arrows."""
    signs, first = [], None
    for block, before, after in steps:
        first = block if first is None else first
        if block != first:
            break
        (row, col), (to_row, to_col) = divmod(before, cols), divmod(after, cols)
        signs.append(_ARROWS.get((to_row - row, to_col - col), "?"))
    parts = []
    for sign, run in groupby(signs):
        length = len(list(run))
        parts.append(sign * length if length <= _LISTED else f"{length}{sign}")
    return "".join(parts)
