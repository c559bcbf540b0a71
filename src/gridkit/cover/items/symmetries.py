"""Symmetries of a problem that exchange items in pairs, found in the options alone.

Items that may be permuted at will are found by exchanging two in all options.  Other symmetries
are found by refining two colourings of the problem side by side, in one of which a and b have the
colours that b and a have in the other: whatever then has a colour of its own must be exchanged
accordingly (the refinement of B. D. McKay, Practical graph isomorphism, 1981).  Colours are hashes,
which only suggest: every symmetry is checked against the options before it is used.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import TYPE_CHECKING

from gridkit.cover.items.exchange import Swap
from gridkit.cover.items.kinds import Kinds
from gridkit.run import Run

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["interchangeable", "swaps"]

_MOST_STEPS = 4_000_000  # options looked at for items that may be permuted
_MOST_TRIES = 400
_MOST_SWAPS = 600
_MOST_ROUNDS = 12
_MOST_ENTRIES = 40_000
_MOST_WORK = 40_000_000  # entries of arrays that refinement may handle, a second or less
_ROUND = 3_000  # what a round of it takes beside its entries


def interchangeable(kinds: Kinds, run: Run) -> list[list[int]]:
    """Return classes of two items or more that may be permuted at will.

    Parameters
    ----------
    kinds : Kinds
        A problem of items covered at most once.
    run : Run
        The call.
    """
    holders: list[list[int]] = [[] for _ in kinds.bounds]
    bits = [1 << item for item in range(len(kinds.bounds))]
    masks = [sum(map(bits.__getitem__, held)) for held in kinds.held]
    for number, held in enumerate(kinds.held):
        for item in held:
            holders[item].append(number)
    times = Counter(masks)
    repeated = len(times) < len(masks)
    groups: dict[tuple[int, tuple[int, int | None]], list[list[int]]] = {}
    steps = 0
    for item, numbers in enumerate(holders):
        if not numbers:
            continue
        classes = groups.setdefault((len(numbers), kinds.bounds[item]), [])
        for members in classes:
            run.check()
            first = members[0]
            steps += 2 * len(numbers)
            if steps > _MOST_STEPS:
                return _several(groups)
            both = 1 << item | 1 << first
            own = {masks[number] for number in numbers if not masks[number] >> first & 1}
            images = {masks[n] ^ both for n in holders[first] if not masks[n] >> item & 1}
            if own == images and not (
                repeated and any(times[mask] != times[mask ^ both] for mask in own)
            ):
                members.append(item)
                break
        else:
            classes.append([item])
    return _several(groups)


def _several(groups: dict[tuple[int, tuple[int, int | None]], list[list[int]]]) -> list[list[int]]:
    return [items for classes in groups.values() for items in classes if len(items) > 1]


def swaps(kinds: Kinds, apart: Iterable[int], run: Run) -> list[Swap]:
    """Return symmetries that exchange pairs of items, those with few pairs first.

    Parameters
    ----------
    kinds : Kinds
        A problem of items covered at most once.
    apart : iterable of int
        Items that need no other symmetry: they may be permuted at will.
    run : Run
        The call.
    """
    if not 0 < sum(map(len, kinds.held)) <= _MOST_ENTRIES:
        return []
    excluded = set(apart)
    if all(item in excluded for held in kinds.held for item in held):
        return []
    search = _PairSearch(kinds)
    known: dict[Swap, None] = {}
    mapped: set[tuple[int, int]] = set()
    for tries, (a, b) in enumerate(search.candidates(excluded)):
        run.check()
        if tries >= _MOST_TRIES or search.work > _MOST_WORK:
            break
        if (a, b) not in mapped:
            swap = search.find(a, b)
            if swap is not None:
                known[swap] = None
                mapped.update(swap)
    return _closed(_reduced(list(known)), run)


class _PairSearch:
    """Finds a symmetry that exchanges two given items."""

    def __init__(self, kinds: Kinds) -> None:
        import numpy as np  # late: only long counts look for symmetries

        self._np = np
        self.work = 0
        self._kinds = kinds
        self._items = len(kinds.bounds)
        lengths = np.array([len(held) for held in kinds.held], np.int64)
        self._entries = np.array([item for held in kinds.held for item in held], np.int64)
        self._starts = np.concatenate([[0], np.cumsum(lengths)[:-1]]).astype(np.int64)
        owners = np.repeat(np.arange(len(lengths)), lengths)
        by_item = np.argsort(self._entries, kind="stable")
        self._owners = owners[by_item]
        held_items, firsts = np.unique(self._entries[by_item], return_index=True)
        self._held, self._firsts = held_items, firsts
        self._options = Counter(tuple(sorted(held)) for held in kinds.held)
        demanded = np.array([least for least, _ in kinds.bounds], np.uint64)
        self._base = self._refined(self._mixed(demanded))

    def candidates(self, excluded: set[int]) -> Iterator[tuple[int, int]]:
        """Give pairs of items that look alike: neighbours by number, then the first with all."""
        groups: dict[int, list[int]] = {}
        for item in self._held.tolist():
            if item not in excluded:
                groups.setdefault(int(self._base[item]), []).append(item)
        for items in groups.values():
            yield from pairwise(items)
        for items in groups.values():
            yield from ((items[0], other) for other in items[2:])

    def find(self, a: int, b: int) -> Swap | None:
        """Return a symmetry of order two that exchanges a and b; None where none shows."""
        np = self._np
        left, right = self._base.copy(), self._base.copy()
        left[a] = right[b] = 1
        left[b] = right[a] = 2
        for colour in range(3, 3 + _MOST_ROUNDS):
            left, right = self._refined(left), self._refined(right)
            if not np.array_equal(np.sort(left[self._held]), np.sort(right[self._held])):
                return None
            alone, counts = np.unique(left[self._held], return_counts=True)
            if counts.max() == 1:
                return self._checked(left, right)
            several = np.isin(left[self._held], alone[counts > 1])
            open_items = self._held[several]
            same = open_items[left[open_items] == right[open_items]]
            if len(same):  # everything else may stay in place
                fresh = self._mixed(same.astype(np.uint64) + np.uint64(colour << 32))
                left[same] = fresh
                right[same] = fresh
                continue
            x = int(open_items[0])
            y = int(open_items[right[open_items] == left[x]][0])
            if left[y] != right[x]:
                return None
            left[x] = right[y] = colour
            left[y] = right[x] = colour + (1 << 20)
        return None

    def _mixed(self, words: NDArray[np.uint64]) -> NDArray[np.uint64]:
        """Return well spread hashes (the finalizer of splitmix64, Steele and others, 2014)."""
        np = self._np
        words = words + np.uint64(0x9E3779B97F4A7C15)
        words = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        words = (words ^ (words >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return words ^ (words >> np.uint64(31))  # type: ignore[no-any-return]  # numpy is loaded late

    def _refined(self, colours: NDArray[np.uint64]) -> NDArray[np.uint64]:
        """Return the coarsest colouring below one, in which equal items see equal options."""
        np = self._np
        number = 0
        while True:
            self.work += len(self._entries) + _ROUND
            spread = self._mixed(colours)[self._entries]
            options = self._mixed(np.add.reduceat(spread, self._starts))
            seen = np.add.reduceat(options[self._owners], self._firsts)
            colours = colours.copy()
            colours[self._held] = self._mixed(colours[self._held] * np.uint64(3) + seen)
            distinct = len(np.unique(colours[self._held]))
            if distinct == number:
                return colours
            number = distinct

    def _checked(self, left: NDArray[np.uint64], right: NDArray[np.uint64]) -> Swap | None:
        """Return the exchange that two discrete colourings suggest, if it is a symmetry."""
        where = {colour: item for item, colour in enumerate(right.tolist())}
        image = list(range(self._items))
        for item in self._held.tolist():
            image[item] = where[int(left[item])]
        if any(image[image[item]] != item for item in range(self._items)):
            return None
        if any(self._kinds.bounds[image[item]] != self._kinds.bounds[item] for item in image):
            return None
        moved = Counter(tuple(sorted([image[item] for item in held])) for held in self._kinds.held)
        if moved != self._options:
            return None
        return tuple((item, image[item]) for item in range(self._items) if item < image[item])


def _product(first: Swap, second: Swap) -> Swap | None:
    """Return the product of two exchanges where that is an exchange of pairs too."""
    one = {x: y for a, b in first for x, y in ((a, b), (b, a))}
    two = {x: y for a, b in second for x, y in ((a, b), (b, a))}
    image = {item: two.get(one.get(item, item), one.get(item, item)) for item in one | two}
    if any(image.get(target, target) != item for item, target in image.items()):
        return None
    return tuple(sorted((a, b) for a, b in image.items() if a < b))


def _reduced(found: list[Swap]) -> list[Swap]:
    """Replace exchanges by products with fewer pairs, as long as there are any."""
    found.sort(key=lambda swap: (len(swap), swap))
    small: list[Swap] = []
    for swap in found:
        improved = True
        while improved:
            improved = False
            for other in small:
                product = _product(swap, other)
                if product is not None and len(product) < len(swap):
                    swap, improved = product, True
        if swap and swap not in small:
            small.append(swap)
    return sorted(set(small), key=lambda swap: (len(swap), swap))


def _closed(found: list[Swap], run: Run) -> list[Swap]:
    """Add the conjugates of exchanges by one another, up to a bound."""
    known = dict.fromkeys(found)
    waiting = list(found)
    for swap in waiting:
        for other in found:
            run.check()
            if len(known) >= _MOST_SWAPS:
                return list(known)
            image = {x: y for a, b in other for x, y in ((a, b), (b, a))}
            moved = []
            for a, b in swap:
                low, high = image.get(a, a), image.get(b, b)
                moved.append((low, high) if low < high else (high, low))
            conjugate = tuple(sorted(moved))
            if conjugate not in known:
                known[conjugate] = None
                waiting.append(conjugate)
    return list(known)
