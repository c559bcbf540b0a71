"""Galleries: many tilings in one picture, those that are the same when turned shown once."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from math import ceil, sqrt

from gridkit import render
from gridkit.cover.solution import Solution
from gridkit.cover.symmetry import elements, placement_permutation
from gridkit.errors import InputError
from gridkit.reading import read_bool, read_int
from gridkit.render.drawable import Drawable
from gridkit.run import Run
from gridkit.value import Value

__all__ = ["Gallery"]


class Gallery(Value, Drawable):
    """Tilings side by side; with `fold`, symmetric copies of one another are shown once.

    Parameters
    ----------
    solutions : iterable of Solution
        Tilings of one problem.
    columns : int, optional
        How many stand side by side; about as many as make the picture half as wide again as high
        when left out.
    fold : bool
        Show one of the tilings that a symmetry of the problem maps to one another, with how many
        of them were given.

    Raises
    ------
    InputError
        For what is no solution, none at all, or solutions of different problems.

    Examples
    --------
    >>> import gridkit as gk
    >>> tiling = gk.Tiling(gk.Board.rectangle(2, 3), gk.pieces.domino(), copies=None)
    >>> gallery = Gallery(tiling.solutions())
    >>> len(gallery.solutions), [copies for _, copies in gallery.shown]
    (3, [2, 1])
    """

    _fields = ("solutions", "columns", "fold")

    solutions: tuple[Solution, ...]
    columns: int | None
    fold: bool

    def __init__(
        self, solutions: Iterable[Solution], columns: int | None = None, *, fold: bool = True
    ) -> None:
        try:
            given = tuple(solutions)
        except TypeError:
            raise InputError(f"Gallery: expected solutions, got {solutions!r}") from None
        for solution in given:
            if not isinstance(solution, Solution):
                raise InputError(f"Gallery: expected solutions, got {type(solution).__name__}")
            if solution.tiling != given[0].tiling:
                raise InputError("Gallery: expected solutions of one problem")
        if not given:
            raise InputError("Gallery: expected at least one solution, got none")
        if columns is not None:
            columns = read_int(columns, "Gallery: columns", 1)
        self._put(solutions=given, columns=columns, fold=read_bool(fold, "Gallery: fold"))

    @cached_property
    def shown(self) -> tuple[tuple[Solution, int], ...]:
        """The tilings shown, in the order given, each with how many it stands for."""
        if not self.fold:
            return tuple((solution, 1) for solution in self.solutions)
        instance = self.solutions[0].tiling.instance
        group = [placement_permutation(instance, each) for each in elements(instance, Run())]
        first: dict[tuple[int, ...], Solution] = {}
        copies: dict[tuple[int, ...], int] = {}
        for solution in self.solutions:
            images = (sorted(image[number] for number in solution.placements) for image in group)
            orbit = tuple(min(images))
            first.setdefault(orbit, solution)
            copies[orbit] = copies.get(orbit, 0) + 1
        return tuple((first[orbit], number) for orbit, number in copies.items())

    def _scene(self) -> render.Scene:
        return self._laid_out([solution._scene() for solution, _ in self.shown])

    def _flat_scene(self) -> render.Scene:
        return self._laid_out([solution._flat_scene() for solution, _ in self.shown])

    def _laid_out(self, scenes: list[render.Scene]) -> render.Scene:
        width, height = scenes[0].size
        columns = self.columns or ceil(sqrt(1.5 * len(scenes) * (height + 1) / (width + 1)))
        folded = any(copies > 1 for _, copies in self.shown)
        captions = [f"×{copies}" for _, copies in self.shown] if folded else []
        title = f"{len(self.solutions)} tilings"
        return render.joined(scenes, columns=columns, captions=captions, title=title)

    def _arguments(self) -> list[str]:
        arguments = [repr(list(self.solutions))]
        if self.columns is not None:
            arguments.append(f"columns={self.columns}")
        return arguments if self.fold else [*arguments, "fold=False"]
