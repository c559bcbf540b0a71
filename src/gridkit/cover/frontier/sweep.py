"""What sweeps are made of: steps, the slots of frontier cells, counters of pieces.

A sweep settles the cells one by one.  Before a cell is settled, all earlier ones are; the
*frontier* is the set of later cells that placements begun earlier may already cover.  Each
frontier cell owns a bit (a slot) from the first step that can reach it until it is settled, so a
state is a small integer however the board looks.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

from gridkit.cover.instance import Instance
from gridkit.run import Run

__all__ = ["Choice", "Counter", "Step", "Sweep", "build_sweep", "paced"]

T = TypeVar("T")

Choice = tuple[int, int, int]
"""A placement that may begin at a step: slots of its other cells, piece, number in the instance."""


class Step(NamedTuple):
    """What settling one cell means."""

    bit: int
    """Slot of the cell, 0 where no earlier placement reaches it."""
    optional: bool
    choices: tuple[Choice, ...]


@dataclass(frozen=True, slots=True)
class Counter:
    """A field of the state that counts how often a piece was used.

    Attributes
    ----------
    piece : int
        Number of the piece.
    unit : int
        Added to the state for each use.
    field : int
        Bits of the state that hold the number.
    least, full : int
        Uses needed at the end, uses held at most.
    saturates : bool
        Whether uses beyond `full` are allowed and no longer counted.
    """

    piece: int
    unit: int
    field: int
    least: int
    full: int
    saturates: bool

    def uses(self, state: int) -> int:
        """Return how often the state says the piece was used."""
        return (state & self.field) // self.unit


@dataclass(frozen=True, slots=True, eq=False)  # known by identity: caches need not hash it
class Sweep:
    """The steps of a sweep.

    Attributes
    ----------
    cells : tuple of int
        The cells in the order in which they are settled.
    steps : tuple of Step
        One for each cell.
    width : int
        Bits that the slots of frontier cells take.
    bits : int
        Bits of a state: slots and counters.
    visits : int
        Sum over the steps of two to the power of the frontier's size, a crude measure of work.
    sizes : tuple of int
        Number of frontier cells after each step.
    peak : int
        Largest frontier.
    counters : tuple of Counter
        Which pieces' uses the state carries.
    """

    cells: tuple[int, ...]
    steps: tuple[Step, ...]
    width: int
    bits: int
    visits: int
    sizes: tuple[int, ...]
    peak: int
    counters: tuple[Counter, ...]

    def accepts(self, state: int) -> bool:
        """Whether the copies used by a state after the last step are enough."""
        return all(counter.uses(state) >= counter.least for counter in self.counters)


def build_sweep(instance: Instance, order: list[int], run: Run, *, tally: bool = False) -> Sweep:
    """Return the sweep that settles the cells in an order; `tally` counts every piece's uses."""
    position = [0] * len(order)
    for number, cell in enumerate(order):
        position[cell] = number
    moved = order != list(range(len(order)))
    begun: list[list[tuple[int, int, Sequence[int]]]] = [[] for _ in order]
    for placement, (piece, cells) in enumerate(paced(instance.placements, run)):
        places: Sequence[int] = sorted([position[cell] for cell in cells]) if moved else cells
        begun[places[0]].append((piece, placement, places))

    slots = [0] * len(order)
    free = -1  # slots not owned, lowest first; as many as needed
    used = size = peak = visits = 0
    steps, sizes = [], []
    unused = {piece for piece, (_, greatest) in enumerate(instance.copies) if greatest == 0}
    optional = instance.optional
    for place, cell in enumerate(paced(order, run)):
        bit = slots[place]
        if bit:  # given back first: a cell reached by this very step may take it over
            free |= bit
            size -= 1
        choices = []
        for piece, placement, places in begun[place]:
            if piece in unused:
                continue
            mask = 0
            for later in places[1:]:
                slot = slots[later]
                if not slot:
                    slot = slots[later] = free & -free
                    free ^= slot
                    used |= slot
                    size += 1
                mask |= slot
            choices.append((mask, piece, placement))
        peak = max(peak, size)
        visits += 1 << size
        sizes.append(size)
        steps.append(Step(bit, cell in optional, tuple(choices)))
    width = used.bit_length()

    counters = _counters(instance, width, tally)
    bits = max([width, *(counter.field.bit_length() for counter in counters)])
    return Sweep(tuple(order), tuple(steps), width, bits, visits, tuple(sizes), peak, counters)


def paced(items: Iterable[T], run: Run) -> Iterator[T]:
    """Give the items of a loop that prepares a sweep, and look at the limits now and then."""
    for number, item in enumerate(items):
        if not number & 2047:
            run.check()
        yield item


def _counters(instance: Instance, width: int, tally: bool) -> tuple[Counter, ...]:
    pieces = range(len(instance.copies)) if tally else instance.limited
    counters = []
    shift = width
    for piece in pieces:
        least, greatest = instance.copies[piece]
        most = instance.most_uses.get(piece, 0)
        full = most if greatest is None else min(greatest, most)
        saturates = greatest is None and not tally
        if saturates:
            full = least
        size = full.bit_length()
        field = ((1 << size) - 1) << shift
        counters.append(Counter(piece, 1 << shift, field, least, full, saturates))
        shift += size
    return tuple(counters)
