"""Shrinking an exact-cover problem before it is searched.

Forced options are taken, options that no solution holds ruled out, parts without common items
separated; of equal options one is kept where all solutions count alike, and of options that serve
the same purpose the cheapest, where a cheapest cover is looked for.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import chain

from gridkit.cover.matrix import Matrix
from gridkit.cover.search.engine import Prefix
from gridkit.run import Run

__all__ = ["components", "distinct", "numbered_components", "reduce", "undominated"]

Entry = tuple[int, int]  # an item and its colour

_BETWEEN_CHECKS = 1024
# Comparisons of two options, for each option: beyond them only equal ones are noticed.
_COMPARISONS = 16


def reduce(matrix: Matrix, run: Run) -> Prefix | None:
    """Return options to take and to rule out (as ``~o``) that change no count, or None: count 0.

    An item with a single option left forces it.  When every option of an item holds a second
    item as well, the second item's other options can never be used.  Only problems whose items
    are covered at most once are reduced.

    Notes
    -----
    Each round takes time linear in the matrix.
    """
    options_of = _holders(matrix, run)
    if any(not options_of[item] for item, least in enumerate(matrix.low) if least):
        return None
    if not matrix.plain:
        return ()
    return _Reduction(matrix, options_of).prefix_of(run)


def _holders(matrix: Matrix, run: Run) -> list[set[int]]:
    """Return the usable options of each item."""
    holders: list[set[int]] = [set() for _ in range(matrix.items)]
    banned = {item for item, most in enumerate(matrix.high) if most == 0}
    for number, option in enumerate(matrix.options):
        if not number % _BETWEEN_CHECKS:
            run.check()
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

    def prefix_of(self, run: Run) -> Prefix | None:
        rounds = 0
        while self.waiting:
            rounds += 1
            if not rounds % _BETWEEN_CHECKS:
                run.check()
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
        for second in sorted(shared or ()):
            if second != item and second in self.open:
                for option in sorted(self.options_of[second] - holders):
                    self._drop(option)
                    self.prefix.append(~option)

    def _take(self, option: int) -> None:
        self.prefix.append(option)
        colors = self.matrix.colors
        for place, item in enumerate(self.matrix.options[option]):
            color = 0 if colors is None else colors[option][place]
            for rival in list(self.options_of[item]):
                if rival != option and not (color and self._color(rival, item) == color):
                    self._drop(rival)
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


def components(matrix: Matrix, prefix: Prefix, run: Run) -> list[Matrix]:
    """Split what remains after a prefix into problems without common items, smallest first.

    The numbers of solutions multiply.
    """
    return [part for part, _ in numbered_components(matrix, prefix, run)]


def numbered_components(
    matrix: Matrix, prefix: Prefix, run: Run
) -> list[tuple[Matrix, Sequence[int]]]:
    """Return the components, each with the numbers of its options in the whole problem."""
    alive, covered = _remaining(matrix, prefix, run)
    holders: dict[int, list[int]] = {}
    for number in alive:
        for item in matrix.options[number]:
            holders.setdefault(item, []).append(number)
    parts: list[tuple[Matrix, Sequence[int]]] = []
    assigned: set[int] = set()
    for number in alive:
        if number in assigned:
            continue
        group = _connected(matrix, holders, number, run)
        assigned |= group
        if len(group) == len(matrix.options) and len(holders) == matrix.items:
            return [(matrix, sorted(group))]
        parts.append((_part(matrix, sorted(group), covered), sorted(group)))
    for item, least in enumerate(matrix.low):
        if least and item not in covered and item not in holders:
            parts.append((Matrix((), 1, (least,), (matrix.high[item],)), ()))
    return sorted(parts, key=lambda part: len(part[1]))


def _connected(matrix: Matrix, holders: dict[int, list[int]], option: int, run: Run) -> set[int]:
    """Return the options that share items with an option, or with one that does, and so on."""
    connected = {option}
    expanded: set[int] = set()
    outermost = connected
    while outermost:
        run.check()
        items = set(chain.from_iterable(map(matrix.options.__getitem__, outermost))) - expanded
        expanded |= items
        outermost = set(chain.from_iterable(map(holders.__getitem__, items))) - connected
        connected |= outermost
    return connected


def _remaining(matrix: Matrix, prefix: Prefix, run: Run) -> tuple[list[int], set[int]]:
    """Return the options still usable after a prefix of a plain problem, and the items covered."""
    primary = matrix.primary
    if not prefix and all(matrix.high):
        alive = [number for number, option in enumerate(matrix.options) if option[0] < primary]
        return alive, set()
    ruled_out = {~choice if choice < 0 else choice for choice in prefix}
    painted: dict[int, int] = {}
    for choice in prefix:
        if choice >= 0:
            colors = (0,) * len(matrix.options[choice])
            if matrix.colors is not None:
                colors = matrix.colors[choice]
            painted.update(zip(matrix.options[choice], colors, strict=True))
    alive = []
    for number, option in enumerate(matrix.options):
        if not number % _BETWEEN_CHECKS:
            run.check()
        if number in ruled_out or option[0] >= primary:
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


def distinct(matrix: Matrix, run: Run) -> tuple[Matrix, int]:
    """Return a problem without equal options, and how often to count each of its solutions.

    The problem itself and 1 where none are equal, or where solutions may count differently: how
    many options a solution takes of those that occur twice, three times, ... must be the same for
    all, by a proof in integers.
    """
    if not matrix.plain:
        return matrix, 1
    times: dict[tuple[tuple[int, ...], tuple[int, ...]], int] = {}
    for number, option in enumerate(matrix.options):
        if not number % _BETWEEN_CHECKS:
            run.check()
        if option[0] < matrix.primary:  # others are never chosen
            kind = option, () if matrix.colors is None else matrix.colors[number]
            times[kind] = times.get(kind, 0) + 1
    if max(times.values(), default=1) == 1:
        return matrix, 1
    options, colors = zip(*times, strict=True)
    once = replace(matrix, options=options, colors=None if matrix.colors is None else colors)
    factor = _factor(once, list(times.values()))
    return (matrix, 1) if factor is None else (once, factor)


def _factor(matrix: Matrix, times: Sequence[int]) -> int | None:
    """Return the product of `times` over the options of a solution, if provably always the same.

    Some demanded items are held only by options that occur n times.  A solution covers each of
    them once; so where each option that occurs n times holds the same number of these items, the
    solution takes as many such options as there are items, divided by that number.
    """
    times_of: dict[int, set[int]] = {}
    for often, option in zip(times, matrix.options, strict=True):
        for item in option:
            if item < matrix.primary and matrix.low[item]:
                times_of.setdefault(item, set()).add(often)
    factor = 1
    for often in set(times) - {1}:
        items = {item for item, each in times_of.items() if each == {often}}
        held = {
            len(items.intersection(option))
            for each, option in zip(times, matrix.options, strict=True)
            if each == often
        }
        if len(held) != 1 or held == {0}:
            return None
        factor *= often ** (len(items) // held.pop())
    return factor


def undominated(matrix: Matrix, costs: Sequence[int], k: int) -> list[int]:
    """Return the options, increasing, among which `k` cheapest covers are found.

    An option stands in for another when it covers the same demanded items, every other item it
    covers is covered, in the same colour, by the other too, and it is cheaper, or as cheap and
    earlier.  A cover with at most r options of those demanded items leaves unused all but r - 1 of
    those that stand in for one of its options.  Each of the unused would make a cover at least
    as good; so an option for which r - 1 + k can stand in is in none of the `k` first covers by
    cost, then by how early their options are.

    Notes
    -----
    Time is linear in the matrix, but for the sorting of the options of equal demanded items.
    """
    if matrix.amounts is not None:
        return list(range(len(matrix.options)))
    groups: dict[tuple[int, ...], list[int]] = {}
    optional = {item for item, least in enumerate(matrix.low) if not least}
    for number, option in enumerate(matrix.options):
        held = option[: bisect_left(option, matrix.primary)]
        if not optional.isdisjoint(held):
            held = tuple(item for item in held if item not in optional)
        groups.setdefault(held, []).append(number)
    kept = groups.pop((), [])
    comparisons = _COMPARISONS * len(matrix.options)
    for held, group in groups.items():
        enough = min(matrix.high[item] for item in held) - 1 + k
        if len(group) <= enough:
            kept += group
            continue
        optional_entries = [_entries(matrix, number, set(held)) for number in group]
        known = _Known(optional_entries, enough)
        for at in sorted(range(len(group)), key=lambda at: (costs[group[at]], group[at])):
            if not known.stands_in(optional_entries[at], comparisons):
                known.add(optional_entries[at])
                kept.append(group[at])
        comparisons -= known.compared
    return sorted(kept)


def _entries(matrix: Matrix, number: int, held: set[int]) -> frozenset[Entry]:
    """Return what an option covers besides the demanded items."""
    option = matrix.options[number]
    colors = (0,) * len(option) if matrix.colors is None else matrix.colors[number]
    pairs = zip(option, colors, strict=True)
    return frozenset(entry for entry in pairs if entry[0] not in held)


class _Known:
    """The options kept of those with the same demanded items, each found by its rarest entry."""

    def __init__(self, options: Sequence[frozenset[Entry]], enough: int) -> None:
        self._enough = enough
        self._often = Counter(entry for entries in options for entry in entries)
        self._times: Counter[frozenset[Entry]] = Counter()
        self._filed: dict[Entry, list[frozenset[Entry]]] = {}
        self.compared = 0

    def stands_in(self, entries: frozenset[Entry], comparisons: int) -> bool:
        """Whether enough of the options kept can stand in for one."""
        number = self._times[entries]
        if entries:
            number += self._times[frozenset()]
        for entry in entries:
            if number >= self._enough or self.compared >= comparisons:
                break
            for fewer in self._filed.get(entry, ()):
                self.compared += 1
                if fewer < entries:
                    number += self._times[fewer]
        return number >= self._enough

    def add(self, entries: frozenset[Entry]) -> None:
        """Take in an option that is kept."""
        self._times[entries] += 1
        if entries and self._times[entries] == 1:
            rarest = min(entries, key=lambda entry: (self._often[entry], entry))
            self._filed.setdefault(rarest, []).append(entries)
