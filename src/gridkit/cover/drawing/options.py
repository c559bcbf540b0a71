"""The options an exact cover chose, drawn on a grid where some of its items are cells."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping
from functools import cached_property

from gridkit import render
from gridkit.cover.exact_cover import Colored, ExactCover
from gridkit.errors import InputError
from gridkit.reading import read_int
from gridkit.render.drawable import Drawable
from gridkit.value import Value

__all__ = ["CoverPicture"]

Place = tuple[int, int]
Option = tuple[Hashable, ...]


class CoverPicture(Value, Drawable):
    """What a solution of an exact cover problem looks like, where items are cells of a grid.

    Items that are pairs of ints are cells, (row, column).  An option that covers several is drawn
    as a piece.  Where every option covers one cell, as in a sudoku, the cell bears a label, and
    groups of cells that are neither rows nor columns, the boxes, have strong borders.

    Parameters
    ----------
    cover : ExactCover
        The problem.
    solution : iterable of int
        The numbers of the options chosen.

    Raises
    ------
    InputError
        For a problem of which no item is a cell, or an unknown option.

    Notes
    -----
    An option's label is what its other items have in common: the last part that most of them
    have, a digit in a sudoku, the name of a piece in a tiling.

    Examples
    --------
    >>> from gridkit import ExactCover
    >>> cover = ExactCover([["A", (0, 0), (0, 1)], ["B", (0, 2)], ["B", (0, 1)]])
    >>> print(CoverPicture(cover, cover.first()).to_terminal())
    ┌───────┬───┐
    │   A   │ B │
    └───────┴───┘
    """

    _fields = ("cover", "solution")

    cover: ExactCover
    solution: tuple[int, ...]

    def __init__(self, cover: ExactCover, solution: Iterable[int]) -> None:
        if not isinstance(cover, ExactCover):
            raise InputError(f"expected an ExactCover, got {type(cover).__name__}")
        if not any(_is_cell(item) for item in (*cover.primary, *cover.secondary)):
            raise InputError("no item of the problem is a cell: a pair of ints (row, column)")
        last = len(cover.options) - 1
        try:
            chosen = tuple(read_int(number, "option", 0, last) for number in solution)
        except TypeError:
            raise InputError(f"expected the numbers of options, got {solution!r}") from None
        self._put(cover=cover, solution=chosen)

    @cached_property
    def _places(self) -> tuple[Place, ...]:
        """The cells of the problem, in order."""
        return tuple(sorted(_cells((*self.cover.primary, *self.cover.secondary))))

    def _scene(self) -> render.Scene:
        options = [self.cover.options[number] for number in self.solution]
        lists = [list(_cells(option)) for option in options]
        if all(len(cells) == 1 for cells in lists):
            return self._labelled(
                {cells[0]: option for cells, option in zip(lists, options, strict=True)}
            )
        owner = {cell: number for number, cells in enumerate(lists) for cell in cells}
        drawn = [render.square(row, col, owner.get((row, col))) for row, col in self._places]
        names = {number: _label(option) for number, option in enumerate(options) if lists[number]}
        hues = {number: number for number in names}
        return render.Scene(tuple(drawn), title="exact cover").coloured(hues).named(names)

    def _labelled(self, option_on: Mapping[Place, Option]) -> render.Scene:
        """Return the cells with a label each, in boxes where the problem has such groups."""
        box = self._boxes()
        hues = {number: "soft" if number % 2 else "open" for number in box.values()}
        drawn, labels = [], []
        for row, col in self._places:
            number = box.get((row, col), 0)
            drawn.append(render.square(row, col, number, hues.get(number, "open")))
            if (row, col) in option_on:
                text = _label(option_on[row, col])
                labels.append(render.Label(text, col + 0.5, row + 0.5, height=0.55))
        return render.Scene(tuple(drawn), tuple(labels), title="exact cover")

    def _boxes(self) -> dict[Place, int]:
        """Return the box of each cell, counted in the order of their first cells."""
        groups: dict[Hashable, dict[Hashable, set[Place]]] = defaultdict(lambda: defaultdict(set))
        for option in self.cover.options:
            cells = list(_cells(option))
            for item in option:
                if isinstance(item, tuple) and not _is_cell(item) and len(item) > 2:
                    groups[item[0]][item[:-1]].update(cells)
        for of_kind in groups.values():
            boxes = sorted(sorted(cells) for cells in of_kind.values())
            placed = [cell for cells in boxes for cell in cells]
            if sorted(placed) == list(self._places) and all(_is_wide(cells) for cells in boxes):
                return {cell: number for number, cells in enumerate(boxes) for cell in cells}
        return {}


def _is_wide(cells: list[Place]) -> bool:
    """Whether cells lie in several rows and in several columns."""
    return len({row for row, _ in cells}) > 1 and len({col for _, col in cells}) > 1


def _is_cell(item: object) -> bool:
    return isinstance(item, tuple) and len(item) == 2 and all(type(part) is int for part in item)


def _cells(items: Iterable[Hashable]) -> Iterator[Place]:
    for item in items:
        if isinstance(item, tuple) and _is_cell(item):
            yield item[0], item[1]


def _label(option: Option) -> str:
    """Return the last part that most of an option's other items have."""
    rest = [item.item if isinstance(item, Colored) else item for item in option]
    parts = [
        str(item[-1] if isinstance(item, tuple) else item) for item in rest if not _is_cell(item)
    ]
    return Counter(parts).most_common(1)[0][0] if parts else ""
