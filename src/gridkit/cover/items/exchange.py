"""States that symmetries of the problem carry into one another, and one state for all of them.

How many ways there are to go on depends on the items that are still open and on nothing else, so
a symmetry of the problem carries a state to one with as many.  A state is exchanged for another
that has its earliest items covered: items that may be permuted at will are sorted, and exchanges of
pairs are made as long as they move a covered item to an earlier place.  Whatever is exchanged, the
count is exact; the better the states are sorted, the fewer they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

__all__ = ["Exchange", "Swap", "exchange"]

Swap = tuple[tuple[int, int], ...]
"""An exchange of pairs of items, all at once, that carries the options to the options."""


@dataclass(frozen=True, slots=True, eq=False)
class Exchange:
    """Symmetries of a plan, as masks of its states.

    Attributes
    ----------
    classes : tuple of (mask, tuple of int)
        Bits that may be permuted at will, and for each number of ones their first bits.
    swaps : tuple of tuple of (mask, mask)
        Pairs of bits, those with the earliest bit first.
    places : tuple of Swap
        All of them as numbers of bits, the classes as exchanges of neighbours.
    """

    classes: tuple[tuple[int, tuple[int, ...]], ...]
    swaps: tuple[tuple[tuple[int, int], ...], ...]
    places: tuple[Swap, ...]

    def least(self, state: int) -> int:
        """Return the state that stands for a state and for others that have as many ways."""
        for mask, firsts in self.classes:
            state = state & ~mask | firsts[(state & mask).bit_count()]
        improved = bool(self.swaps)
        while improved:
            improved = False
            for pairs in self.swaps:
                for early, late in pairs:
                    has_late = state & late
                    if bool(state & early) == bool(has_late):
                        continue
                    if has_late:
                        for low, high in pairs:
                            if bool(state & low) != bool(state & high):
                                state ^= low | high
                        improved = True
                    break
        return state


def exchange(
    classes: Sequence[Sequence[int]], swaps: Sequence[Swap], positions: Sequence[int]
) -> Exchange:
    """Return symmetries of items as those of states.

    Parameters
    ----------
    classes : sequence of sequences of int
        Items that may be permuted at will.
    swaps : sequence of Swap
        Other symmetries.
    positions : sequence of int
        The bit of each item in a state.

    Examples
    --------
    >>> exchange([(0, 1, 2)], [], (0, 1, 2)).least(0b110)
    3
    """
    masks, places = [], []
    for items in classes:
        bits = sorted(positions[item] for item in items)
        firsts = [0]
        for bit in bits:
            firsts.append(firsts[-1] | 1 << bit)
        masks.append((firsts[-1], tuple(firsts)))
        places += [((low, high),) for low, high in pairwise(bits)]
    moved = []
    for swap in swaps:
        pairs = [sorted((positions[a], positions[b])) for a, b in swap]
        moved.append(tuple((low, high) for low, high in sorted(pairs)))
    moved.sort(key=lambda pairs: (len(pairs), pairs))
    return Exchange(
        tuple(masks),
        tuple(tuple((1 << low, 1 << high) for low, high in pairs) for pairs in moved),
        (*places, *moved),
    )
