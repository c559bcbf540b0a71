"""Options that no cheapest covers need, since enough others serve as well and cost no more."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence

from gridkit.cover.matrix import Matrix

__all__ = ["undominated"]

Entry = tuple[int, int]  # an item and its colour

# Comparisons of two options, for each option: beyond them only equal ones are noticed.
_PATIENCE = 16


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
    patience = _PATIENCE * len(matrix.options)
    for held, group in groups.items():
        enough = min(matrix.high[item] for item in held) - 1 + k
        if len(group) <= enough:
            kept += group
            continue
        others = [_entries(matrix, number, set(held)) for number in group]
        known = _Known(others, enough)
        for at in sorted(range(len(group)), key=lambda at: (costs[group[at]], group[at])):
            if not known.stands_in(others[at], patience):
                known.add(others[at])
                kept.append(group[at])
        patience -= known.compared
    return sorted(kept)


def _entries(matrix: Matrix, number: int, held: set[int]) -> frozenset[Entry]:
    """Return what an option covers besides the demanded items."""
    option = matrix.options[number]
    colors = (0,) * len(option) if matrix.colors is None else matrix.colors[number]
    pairs = zip(option, colors, strict=True)
    return frozenset(entry for entry in pairs if entry[0] not in held)


class _Known:
    """The options kept of those with the same demanded items, each found by its rarest entry."""

    def __init__(self, others: Sequence[frozenset[Entry]], enough: int) -> None:
        self._enough = enough
        self._often = Counter(entry for entries in others for entry in entries)
        self._times: Counter[frozenset[Entry]] = Counter()
        self._filed: dict[Entry, list[frozenset[Entry]]] = {}
        self.compared = 0

    def stands_in(self, entries: frozenset[Entry], patience: int) -> bool:
        """Whether enough of the options kept can stand in for one."""
        found = self._times[entries]
        if entries:
            found += self._times[frozenset()]
        for entry in entries:
            if found >= self._enough or self.compared >= patience:
                break
            for fewer in self._filed.get(entry, ()):
                self.compared += 1
                if fewer < entries:
                    found += self._times[fewer]
        return found >= self._enough

    def add(self, entries: frozenset[Entry]) -> None:
        """Take in an option that is kept."""
        self._times[entries] += 1
        if entries and self._times[entries] == 1:
            rarest = min(entries, key=lambda entry: (self._often[entry], entry))
            self._filed.setdefault(rarest, []).append(entries)
