"""A search that splits where the rest falls apart, and remembers what it has counted.

The options that may still be chosen say all about the rest of a problem.  Where they fall apart
into sets without common items, the counts of these multiply; and a set of options that was counted
before is not counted again.  Sets are compared whole.

Source: the memo of D. E. Knuth, The Art of Computer Programming 7.2.2.1 (2020), and components
with a cache as in model counting (R. J. Bayardo and J. D. Pehoushek, 2000).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from gridkit.cover.matrix import Matrix
from gridkit.errors import UnsupportedError
from gridkit.run import Run, Work

__all__ = ["MemoSearch"]

_ENTRY_BYTES = 150  # of a remembered set, beside its bits
_DEFAULT_MEMORY = 256 << 20
_SPLIT = 12  # options or fewer are not worth taking apart


@dataclass(slots=True)
class _Frame:
    """A set of options whose solutions are being counted: a sum of products."""

    key: int
    rest: int = 0
    """Options of the item branched on that are still to try."""
    chosen: bool = False
    """Whether an option is being tried."""
    total: int = 0
    product: int = 1
    parts: list[int] = field(default_factory=list)
    """Independent sets that are still to be multiplied into the product."""


class MemoSearch(Work):
    """Counts a problem whose items are covered at most once, or in one colour.

    Parameters
    ----------
    matrix : Matrix
        The problem.
    run : Run
        The call; its limit of memory bounds what is remembered, 256 MiB where none is given: the
        oldest is thrown away.

    Raises
    ------
    UnsupportedError
        For multiplicities, and for options that hold no demanded item.
    """

    nodes = 0

    def __init__(self, matrix: Matrix, run: Run) -> None:
        if not matrix.plain:
            raise UnsupportedError("method 'memo' needs items that are covered at most once")
        self._run = run
        options = len(matrix.options)
        allowed = run.limit.memory or _DEFAULT_MEMORY
        self._entry = _ENTRY_BYTES + options // 4
        self._most = max(1, allowed // 2 // self._entry)
        self._known: dict[int, int] = {0: 1}
        self._result: int | None = None
        self._masks = [0] * matrix.items
        self._demanded = [item for item, least in enumerate(matrix.low) if least]
        self._matrix = matrix
        live = 0
        closed = {item for item, most in enumerate(matrix.high) if most == 0}
        for number, option in enumerate(matrix.options):
            if option[0] < matrix.primary and closed.isdisjoint(option):
                live |= 1 << number
                for item in option:
                    self._masks[item] |= 1 << number
        self._items_of = [
            tuple(item for item in option if _is_demanded(matrix, item))
            for option in matrix.options
        ]
        self._near: dict[int, int] = {}
        self._conflicts: dict[int, int] = {}
        self._frames: list[_Frame] = []
        if any(not self._masks[item] for item in self._demanded):
            self._result = 0
        elif not self._demanded:
            self._result = 1
        else:
            self._frames.append(self._opened(live))

    def count(self) -> int:
        """Return the number of solutions, at the end."""
        assert self._result is not None
        return self._result

    def value(self) -> int:
        """Return the number of solutions at the end, 0 before."""
        return self._result or 0

    def memory(self) -> int:
        """Bytes held, roughly."""
        return self._entry * (len(self._known) + len(self._conflicts) + len(self._near))

    def advance(self, budget: int) -> bool:
        """Branch about `budget` times; return whether all is counted."""
        frames = self._frames
        while frames and budget > 0:
            frame = frames[-1]
            if frame.product and frame.parts:
                part = frame.parts[-1]
                ways = self._known.get(part)
                if ways is None:
                    budget -= 1
                    self.nodes += 1
                    frames.append(self._opened(part))
                    continue
                frame.parts.pop()
                frame.product *= ways
                continue
            if frame.chosen:
                frame.total += frame.product
            if frame.rest:
                bit = frame.rest & -frame.rest
                frame.rest ^= bit
                frame.chosen = True
                frame.parts, frame.product = self._after(frame.key, bit.bit_length() - 1)
                continue
            frames.pop()
            if len(self._known) >= self._most:
                self._forget()
            self._known[frame.key] = frame.total
            if not frames:
                self._result = frame.total
        return not frames

    def _forget(self) -> None:
        """Throw away the older half of what is known, and keep the empty set."""
        oldest = list(self._known)[: max(1, len(self._known) // 2)]
        for key in oldest:
            if key:
                del self._known[key]

    def _opened(self, options: int) -> _Frame:
        """Branch on the demanded item that leaves the fewest options."""
        fewest, best = 1 << 62, 0
        seen = 0
        rest = options
        while rest:
            bit = rest & -rest
            for item in self._items_of[bit.bit_length() - 1]:
                if not seen >> item & 1:
                    seen |= 1 << item
                    holders = options & self._masks[item]
                    ways = holders.bit_count()
                    if ways < fewest:
                        fewest, best = ways, holders
            rest &= rest - 1
            if fewest == 1:
                break
        return _Frame(options, rest=best)

    def _after(self, options: int, chosen: int) -> tuple[list[int], int]:
        """Return the independent sets that are left, and 0 where an item cannot be covered."""
        matrix = self._matrix
        live = options & ~self._conflict(chosen)
        gone = options & ~live
        covered = matrix.options[chosen]
        checked = 0
        rest = gone
        while rest:
            bit = rest & -rest
            rest ^= bit
            for item in self._items_of[bit.bit_length() - 1]:
                if not checked >> item & 1:
                    checked |= 1 << item
                    if item not in covered and not live & self._masks[item]:
                        return [], 0
        if live.bit_count() <= _SPLIT:
            return [live], 1
        parts = []
        while live:
            part, fresh = 0, live & -live
            while fresh:
                part |= fresh
                reach = 0
                while fresh:
                    bit = fresh & -fresh
                    fresh ^= bit
                    reach |= self._neighbours(bit.bit_length() - 1)
                    if not live & ~reach & ~part:
                        reach = live
                        break
                fresh = reach & live & ~part
            parts.append(part)
            live &= ~part
        return parts, 1

    def _neighbours(self, option: int) -> int:
        """Return the options that share an item with one."""
        near = self._near.get(option)
        if near is None:
            near = 0
            for item in self._matrix.options[option]:
                near |= self._masks[item]
            self._near[option] = near
        return near

    def _conflict(self, option: int) -> int:
        """Return the options that cannot be chosen beside one, itself among them."""
        mask = self._conflicts.get(option)
        if mask is None:
            mask = 1 << option
            colors = self._matrix.colors
            for place, item in enumerate(self._matrix.options[option]):
                holders = self._masks[item]
                color = 0 if colors is None else colors[option][place]
                if color and colors is not None:
                    while holders:
                        bit = holders & -holders
                        holders ^= bit
                        other = bit.bit_length() - 1
                        at = self._matrix.options[other].index(item)
                        if colors[other][at] != color:
                            mask |= bit
                else:
                    mask |= holders
            self._conflicts[option] = mask
        return mask


def _is_demanded(matrix: Matrix, item: int) -> bool:
    """Whether an item has to be covered."""
    return item < matrix.primary and matrix.low[item] > 0
