"""Shrinking an exact-cover problem before it is counted: forced options, dominated items, parts."""

from __future__ import annotations

from collections.abc import Sequence

from gridkit.cover.matrix import Matrix

__all__ = ["components", "reduce"]

Prefix = tuple[int, ...]


def reduce(matrix: Matrix) -> Prefix | None:
    """Return options to take and to rule out (as ``~o``) that change no count, or None: count 0.

    An item with a single option left forces it.  When every option of an item holds a second
    item as well, the second item's other options can never be used.  Only problems whose items
    are covered at most once are reduced.

    Notes
    -----
    Each round takes time linear in the matrix.
    """
    options_of = _holders(matrix)
    if any(not options_of[item] for item, least in enumerate(matrix.low) if least):
        return None
    if not matrix.plain:
        return ()
    return _Reduction(matrix, options_of).run()


def _holders(matrix: Matrix) -> list[set[int]]:
    """Return the usable options of each item."""
    holders: list[set[int]] = [set() for _ in range(matrix.items)]
    banned = {item for item, most in enumerate(matrix.high) if most == 0}
    for number, option in enumerate(matrix.options):
        if option[0] < matrix.primary and banned.isdisjoint(option):
            for item in option:
                holders[item].add(number)
    return holders


class _Reduction:
    """The reduction of one problem."""

    def __init__(self, matrix: Matrix, options_of: list[set[int]]) -> None:
        self.matrix, self.options_of = matrix, options_of
        self.open = {item for item, least in enumerate(matrix.low) if least}
        self.prefix: list[int] = []
        self.waiting = sorted(self.open)

    def run(self) -> Prefix | None:
        while self.waiting:
            item = self.waiting.pop()
            if item not in self.open:
                continue
            holders = self.options_of[item]
            if not holders:
                return None
            if len(holders) == 1:
                self._take(next(iter(holders)))
            else:
                self._dominate(item, holders)
        return tuple(self.prefix)

    def _dominate(self, item: int, holders: set[int]) -> None:
        options = self.matrix.options
        shared: set[int] | None = None
        for option in holders:
            shared = (
                set(options[option]) if shared is None else shared.intersection(options[option])
            )
            if len(shared) == 1:
                return
        for other in sorted(shared or ()):
            if other != item and other in self.open:
                for option in sorted(self.options_of[other] - holders):
                    self._drop(option)
                    self.prefix.append(~option)

    def _take(self, option: int) -> None:
        self.prefix.append(option)
        colors = self.matrix.colors
        for place, item in enumerate(self.matrix.options[option]):
            color = 0 if colors is None else colors[option][place]
            for other in list(self.options_of[item]):
                if other != option and not (color and self._color(other, item) == color):
                    self._drop(other)
            self.open.discard(item)
        self._drop(option)

    def _color(self, option: int, item: int) -> int:
        colors = self.matrix.colors
        assert colors is not None
        return colors[option][self.matrix.options[option].index(item)]

    def _drop(self, option: int) -> None:
        for item in self.matrix.options[option]:
            self.options_of[item].discard(option)
            if item in self.open:
                self.waiting.append(item)


def components(matrix: Matrix, prefix: Prefix) -> list[Matrix]:
    """Split what is left after a prefix into problems without common items, smallest first.

    The numbers of solutions multiply.
    """
    alive, covered = _left(matrix, prefix)
    holders: dict[int, list[int]] = {}
    for number in alive:
        for item in matrix.options[number]:
            holders.setdefault(item, []).append(number)
    parts = []
    waiting = set(alive)
    for seed in alive:
        if seed in waiting:
            group = _reached(seed, matrix, holders, waiting)
            if len(group) == len(matrix.options) and len(holders) == matrix.items:
                return [matrix]
            parts.append(_part(matrix, sorted(group), covered))
    for item, least in enumerate(matrix.low):
        if least and item not in covered and item not in holders:
            parts.append(Matrix((), 1, (least,), (matrix.high[item],)))
    return sorted(parts, key=lambda part: len(part.options))


def _reached(
    seed: int, matrix: Matrix, holders: dict[int, list[int]], waiting: set[int]
) -> list[int]:
    """Take the options that hang together with one out of those that wait."""
    waiting.remove(seed)
    group, stack = [seed], [seed]
    known: set[int] = set()
    while stack:
        for item in matrix.options[stack.pop()]:
            if item not in known:
                known.add(item)
                for other in holders[item]:
                    if other in waiting:
                        waiting.remove(other)
                        group.append(other)
                        stack.append(other)
    return group


def _left(matrix: Matrix, prefix: Prefix) -> tuple[list[int], set[int]]:
    """Return the options still usable after a prefix of a plain problem, and the items covered."""
    primary = matrix.primary
    if not prefix and all(matrix.high):
        shown = (number for number, option in enumerate(matrix.options) if option[0] < primary)
        return list(shown), set()
    gone = {~choice if choice < 0 else choice for choice in prefix}
    painted: dict[int, int] = {}
    for choice in prefix:
        if choice >= 0:
            colors = (0,) * len(matrix.options[choice])
            if matrix.colors is not None:
                colors = matrix.colors[choice]
            painted.update(zip(matrix.options[choice], colors, strict=True))
    alive = []
    for number, option in enumerate(matrix.options):
        if number in gone or option[0] >= primary:
            continue
        if any(item < primary and matrix.high[item] == 0 for item in option):
            continue
        fits = True
        for place, item in enumerate(option):
            if item in painted:
                color = 0 if matrix.colors is None else matrix.colors[number][place]
                fits = fits and color != 0 and color == painted[item]
        if fits:
            alive.append(number)
    return alive, set(painted)


def _part(matrix: Matrix, options: Sequence[int], covered: set[int]) -> Matrix:
    """Return the problem of some options alone, without the items covered already."""
    rows = [list(matrix.options[number]) for number in options]
    used = sorted({item for row in rows for item in row if item not in covered})
    number_of = {item: number for number, item in enumerate(used)}
    primary = sum(item < matrix.primary for item in used)
    kept = [[place for place, item in enumerate(row) if item in number_of] for row in rows]
    colors = None
    if matrix.colors is not None:
        painted = matrix.colors
        colors = tuple(
            tuple(painted[number][place] for place in places)
            for number, places in zip(options, kept, strict=True)
        )
    amounts = None
    if matrix.amounts is not None:
        times = matrix.amounts
        amounts = tuple(
            tuple(times[number][place] for place in places)
            for number, places in zip(options, kept, strict=True)
        )
    return Matrix(
        tuple(
            tuple(number_of[row[place]] for place in places)
            for row, places in zip(rows, kept, strict=True)
        ),
        primary,
        tuple(matrix.low[item] for item in used[:primary]),
        tuple(matrix.high[item] for item in used[:primary]),
        colors,
        amounts,
    )
