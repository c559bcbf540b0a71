"""The steps of a sweep over items, and the state that passes between them.

A state is a whole number.  Each item owns some of its bits, its *field*, while it is open: whether
it is covered, how often, or in which colour.  At a step all options that begin at one item are
decided: exactly one of them is taken or the item is covered already, where it is covered at most
once; else they are taken or left one by one.  Then the items are closed whose last option has
begun: a demanded one has to be covered by now, and the bits are free for others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from gridkit.cover.items.kinds import Kinds
from gridkit.cover.items.order import begin_places
from gridkit.run import Run

__all__ = ["WORD", "Counted", "Move", "Painted", "Plan", "Step", "lay_out"]

WORD = 64  # a field lies within one word of so many bits
_BETWEEN_CHECKS = 1024


class Counted(NamedTuple):
    """A field that counts covers."""

    field: int
    amount: int
    """What the option adds, in the place of the field."""
    full: int
    """The most that is held, in the place of the field."""
    saturates: bool
    """Whether more covers than that are allowed and no longer counted."""


class Painted(NamedTuple):
    """A field that holds a colour: it has to be empty or to hold the same."""

    field: int
    color: int


class Move(NamedTuple):
    """Taking an option: the state must have none of the bits `test`, and gets the bits `put`."""

    option: int
    test: int
    put: int
    counted: tuple[Counted, ...]
    painted: tuple[Painted, ...]


class Step(NamedTuple):
    """What is decided at once.

    A state passes without a move when its bits `own` are at least `least`; every move that the
    state allows gives one more.  Of those that come out, the ones with all bits `need` go on,
    without the bits `clear`, and with the bits `settle`.
    """

    own: int
    least: int
    moves: tuple[Move, ...]
    need: int
    clear: int
    settle: int


@dataclass(frozen=True, slots=True, eq=False)
class Plan:
    """The steps of a sweep.

    Attributes
    ----------
    steps : tuple of Step
    bits : int
        Bits of a state.
    width : int
        Bits in use at once, at most.
    free : int
        Options that any solution may take or leave.
    end : int
        The only state after the last step.
    positions : tuple of int
        In a plan whose states may be exchanged for others: the bit of each item, -1 for none.
    """

    steps: tuple[Step, ...]
    bits: int
    width: int
    free: int
    end: int
    positions: tuple[int, ...] = ()


def lay_out(kinds: Kinds, order: Sequence[int], run: Run, *, fixed: bool = False) -> Plan:
    """Return the steps that settle the items in an order.

    Parameters
    ----------
    kinds : Kinds
        The problem.
    order : sequence of int
        All items at which an option may begin.
    run : Run
        The call.
    fixed : bool
        Give each item a bit for good, in the order in which items are closed, rather than for the
        time that it is open; closed items count as covered.  A state then says all about the rest
        of the problem, and may be exchanged for its image under a symmetry.  For problems of items
        covered at most once.
    """
    begins = begin_places(kinds, order)
    begun: list[list[int]] = [[] for _ in order]
    opened, closed = [-1] * len(kinds.bounds), [-1] * len(kinds.bounds)
    for number, begin in enumerate(begins):
        begun[begin].append(number)
    for place, numbers in enumerate(begun):
        for number in numbers:
            for item in kinds.held[number]:
                if opened[item] < 0:
                    opened[item] = place
                closed[item] = place
    closings: list[list[int]] = [[] for _ in order]
    for item, place in enumerate(closed):
        if place >= 0:
            closings[place].append(item)
    fields = _Fields(kinds, closings if fixed else None)
    steps: list[Step] = []
    for place, item in enumerate(order):
        run.check()
        if begun[place]:
            alone = opened[item] == closed[item] == place and not fixed and kinds.is_bit(item)
            stage = _Stage(kinds, fields, item, begun[place], closings[place], alone)
            stage.add_to(steps, run)
    end = (1 << fields.bits) - 1 if fixed else 0
    positions = tuple(fields.shift) if fixed else ()
    return Plan(tuple(steps), fields.bits, fields.width, len(kinds.free), end, positions)


class _Fields:
    """The bits of the state, given to items and taken back."""

    def __init__(self, kinds: Kinds, fixed: list[list[int]] | None) -> None:
        self.kinds = kinds
        self.fixed = fixed is not None
        self.plain = kinds.plain
        self.shift = [-1] * len(kinds.bounds)
        self.bits = self.width = self._used = 0
        self._busy = 0  # bits that are owned
        self.owned: dict[int, int] = {}  # the bits of each item that has any
        for items in fixed or ():
            for item in items:
                self.field(item)

    def field(self, item: int) -> int:
        """Return the bits of an item, from now on its own."""
        if item in self.owned:
            return self.owned[item]
        size = self.kinds.bits[item]
        ones = (1 << size) - 1
        shift, busy = 0, self._busy
        if size == 1:
            shift = (~busy & (busy + 1)).bit_length() - 1
        else:
            while busy >> shift & ones or shift % WORD + size > WORD:
                shift += 1
        self.shift[item] = shift
        self.owned[item] = ones << shift
        self._busy |= ones << shift
        self._used += size
        self.width = max(self.width, self._used)
        self.bits = max(self.bits, shift + size)
        return ones << shift

    def release(self, item: int) -> None:
        """Give the bits of an item back."""
        if not self.fixed:
            self._busy &= ~self.owned.pop(item)
            self._used -= self.kinds.bits[item]


class _Stage:
    """All that happens at one item of the order."""

    def __init__(
        self,
        kinds: Kinds,
        fields: _Fields,
        item: int,
        numbers: Sequence[int],
        closings: Sequence[int],
        alone: bool,
    ) -> None:
        self.kinds, self.fields, self.item = kinds, fields, item
        self.numbers, self.closings = numbers, closings
        self.skipped = item if alone else -1  # an item of this stage only needs no bit

    def add_to(self, steps: list[Step], run: Run) -> None:
        kinds, fields, item = self.kinds, self.fields, self.item
        demanded = kinds.bounds[item][0] > 0
        exclusive = kinds.is_bit(item)
        skipped = self.skipped
        moves = []
        for count, number in enumerate(self.numbers):
            if not count % _BETWEEN_CHECKS:
                run.check()
            moves.append(self._move(number, skipped))
        need = clear = 0
        late: list[Step] = []
        for closing in self.closings:
            if closing == skipped:
                continue
            field = fields.field(closing)
            clear |= field
            least = kinds.bounds[closing][0]
            if least and kinds.is_bit(closing):
                need |= field
            elif least:
                late.append(Step(field, least << fields.shift[closing], (), 0, 0, 0))
        settle = 0
        if fields.fixed:
            clear, settle = 0, clear
        if exclusive:
            own = 0 if item == skipped else fields.field(item)
            least = (own or 1) if demanded else 0
            steps.append(Step(own, least, tuple(moves), need, 0, 0))
        else:
            steps += [Step(0, 0, (move,), 0, 0, 0) for move in moves]
            steps[-1] = steps[-1]._replace(need=need)
        steps += late
        steps[-1] = steps[-1]._replace(clear=clear, settle=settle)
        for closing in self.closings:
            if closing != skipped:
                fields.release(closing)

    def _move(self, number: int, skipped: int) -> Move:
        kinds, fields = self.kinds, self.fields
        test = put = 0
        if fields.plain:
            held = kinds.held[number]
            try:  # fields have no bit in common
                test = sum(map(fields.owned.__getitem__, held))
            except KeyError:  # an item that has no bits yet, or needs none
                for item in held:
                    if item != skipped:
                        test |= fields.field(item)
            return Move(kinds.options[number], test, test, (), ())
        counted: list[Counted] = []
        painted: list[Painted] = []
        for item, value in zip(kinds.held[number], kinds.values[number], strict=True):
            if item == skipped:
                continue
            field = fields.field(item)
            shift = fields.shift[item]
            if item in kinds.painted:
                if value == 1:
                    test |= field
                    put |= 1 << shift
                else:
                    painted.append(Painted(field, value << shift))
            elif kinds.is_bit(item):
                test |= field
                put |= field
            else:
                least, greatest = kinds.bounds[item]
                most = least if greatest is None else greatest
                amount = min(value, most) << shift
                counted.append(Counted(field, amount, most << shift, greatest is None))
        return Move(kinds.options[number], test, put, tuple(counted), tuple(painted))
