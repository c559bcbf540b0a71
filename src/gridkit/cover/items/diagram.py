"""Families of sets of options as decision diagrams whose nodes are numbered from the leaves on.

A node asks whether one option is chosen.  Nodes are shared, a node whose option leads nowhere is
left out, and options are asked for in one order on every way, so that equal families have equal
diagrams (the zero-suppressed diagrams of S. Minato, 1993).  Children have smaller numbers than
their parents: whatever is computed from the leaves on is a loop over the nodes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from gridkit.cover.frontier.memory import MemoryGuard
from gridkit.cover.items.plan import Plan
from gridkit.cover.items.sweep import successor
from gridkit.run import Run, Work

__all__ = ["EMPTY", "UNIT", "Diagram", "PlanDiagram", "common"]

EMPTY, UNIT = 0, 1  # the nodes of no set at all, and of the set without options
_NODE_BYTES = 200

Node = tuple[int, int, int]
"""The option's place in the order, the node without it, the node with it."""


@dataclass(frozen=True, slots=True)
class Diagram:
    """A family of sets of options.

    Attributes
    ----------
    options : tuple of int
        The options in the order in which they are asked for.
    nodes : tuple of Node
        From number 2 on; `EMPTY` and `UNIT` have none.
    root : int
        The node of the family.
    """

    options: tuple[int, ...]
    nodes: tuple[Node, ...]
    root: int

    def counts(self) -> list[int]:
        """Return how many sets lie below each node."""
        counts = [0, 1]
        for _, without, chosen in self.nodes:
            counts.append(counts[without] + counts[chosen])
        return counts

    def ways_to(self, counts: Sequence[int]) -> list[int]:
        """Return, for each option by its place, in how many sets it is; `counts` from `counts`."""
        above = [0] * len(counts)
        above[self.root] = 1
        times = [0] * len(self.options)
        for number in range(len(counts) - 1, 1, -1):
            place, without, chosen = self.nodes[number - 2]
            ways = above[number]
            if ways:
                times[place] += ways * counts[chosen]
                above[without] += ways
                above[chosen] += ways
        return times

    def holds_nothing(self) -> bool:
        """Whether the set without options is in the family."""
        number = self.root
        while number > UNIT:
            number = self.nodes[number - 2][1]
        return number == UNIT

    def sets(self) -> Iterator[tuple[int, ...]]:
        """Give the sets, those that hold an option asked for early first."""
        stack: list[tuple[int, tuple[int, ...]]] = [(self.root, ())]
        while stack:
            number, chosen_options = stack.pop()
            if number == UNIT:
                yield tuple(sorted(chosen_options))
            elif number != EMPTY:
                place, without, chosen = self.nodes[number - 2]
                stack.append((without, chosen_options))
                stack.append((chosen, (*chosen_options, self.options[place])))

    def restricted(self, place: int, *, chosen: bool, keep: bool = True) -> Diagram:
        """Return the sets that hold an option, or that do not.

        Parameters
        ----------
        place : int
            The option's place in the order.
        chosen : bool
            Whether the sets are to hold it.
        keep : bool
            Whether the sets go on holding it.
        """
        builder = Builder(self.options)
        image = [EMPTY, UNIT]
        # Below the option nothing changes; above it, ways that do not ask for it hold it not.
        for at, without, high in self.nodes:
            if at > place:
                image.append(builder.node(at, image[without], image[high]))
            elif at == place:
                if chosen:
                    with_it = builder.node(at, EMPTY, image[high]) if keep else image[high]
                    image.append(with_it)
                else:
                    image.append(image[without])
            else:
                low = without if not chosen or self._asks(without, place) else EMPTY
                up = high if not chosen or self._asks(high, place) else EMPTY
                image.append(builder.node(at, image[low], image[up]))
        root = self.root if not chosen or self._asks(self.root, place) else EMPTY
        return builder.diagram(image[root])

    def _asks(self, number: int, place: int) -> bool:
        """Whether a node lies at an option or above it, so that ways from it may hold it."""
        return number > UNIT and self.nodes[number - 2][0] <= place


class Builder:
    """Makes a diagram from the leaves on, each node once."""

    def __init__(self, options: Sequence[int]) -> None:
        self.options = tuple(options)
        self.nodes: list[Node] = []
        self._numbers: dict[Node, int] = {}

    def node(self, place: int, without: int, chosen: int) -> int:
        """Return the number of a node."""
        if chosen == EMPTY:
            return without
        key = (place, without, chosen)
        number = self._numbers.get(key)
        if number is None:
            number = self._numbers[key] = len(self.nodes) + 2
            self.nodes.append(key)
        return number

    def diagram(self, root: int) -> Diagram:
        """Return the diagram of a node: those below it, each child before its parents."""
        image = {EMPTY: EMPTY, UNIT: UNIT}
        kept: list[Node] = []
        stack = [root]
        while stack:
            number = stack[-1]
            if number in image:
                stack.pop()
                continue
            place, without, chosen = self.nodes[number - 2]
            waiting = [child for child in (chosen, without) if child not in image]
            if waiting:
                stack += waiting
                continue
            image[number] = len(kept) + 2
            kept.append((place, image[without], image[chosen]))
        return Diagram(self.options, tuple(kept), image[root])


def common(first: Diagram, second: Diagram, run: Run) -> Diagram:
    """Return the sets that two families have in common; their options may be in other orders.

    Parameters
    ----------
    first, second : Diagram
        The families.
    run : Run
        The call; its limit of memory bounds the nodes.
    """
    if first.options != second.options:
        second = ordered(second, first.options, run)
    builder = Builder(first.options)
    known: dict[tuple[int, int], int] = {}
    guard = MemoryGuard(run)
    stack = [(first.root, second.root)]
    visits = 0

    def settled(a: int, b: int) -> int | None:
        if EMPTY in (a, b):
            return EMPTY
        if a == b == UNIT:
            return UNIT
        return known.get((a, b))

    def children(a: int, b: int) -> tuple[int, tuple[int, int], tuple[int, int]]:
        last = len(first.options)
        at, low, high = first.nodes[a - 2] if a > UNIT else (last, a, EMPTY)
        place, without, chosen = second.nodes[b - 2] if b > UNIT else (last, b, EMPTY)
        if at < place:
            return at, (low, b), (EMPTY, EMPTY)
        if place < at:
            return place, (a, without), (EMPTY, EMPTY)
        return at, (low, without), (high, chosen)

    while stack:
        pair = stack[-1]
        if settled(*pair) is not None:
            stack.pop()
            continue
        visits += 1
        if not visits & 255:
            _look(run, guard, 256, len(known))
        place, low, high = children(*pair)
        below, above = settled(*low), settled(*high)
        if below is None:
            stack.append(low)
        if above is None:
            stack.append(high)
        if below is not None and above is not None:
            known[pair] = builder.node(place, below, above)
            stack.pop()
    return builder.diagram(settled(first.root, second.root) or EMPTY)


def ordered(diagram: Diagram, options: Sequence[int], run: Run) -> Diagram:
    """Return the sets of a family that hold only given options, asked for in a given order.

    The sets with and without the first option, with and without the second, and so on, are split
    off one by one; equal families are split once.
    """
    place_of = {option: place for place, option in enumerate(diagram.options)}
    builder = Builder(options)
    guard = MemoryGuard(run)
    current: list[Diagram] = [diagram]
    arcs: list[list[tuple[int, ...]]] = []
    made = 0
    for option in options:
        number_of: dict[Diagram, int] = {}
        row = []
        for family in current:
            made += len(family.nodes)
            _look(run, guard, 1 + len(family.nodes), made)
            if option in place_of:
                at = place_of[option]
                without = family.restricted(at, chosen=False)
                chosen = family.restricted(at, chosen=True, keep=False)
            else:
                without, chosen = family, Diagram(family.options, (), EMPTY)
            row.append(
                tuple(number_of.setdefault(each, len(number_of)) for each in (without, chosen))
            )
        arcs.append(row)
        current = list(number_of)
    # Sets that hold options beyond the order are left out.
    numbers = [UNIT if family.holds_nothing() else EMPTY for family in current]
    for place in range(len(options) - 1, -1, -1):
        numbers = [builder.node(place, numbers[low], numbers[high]) for low, high in arcs[place]]
    return builder.diagram(numbers[0])


def _look(run: Run, guard: MemoryGuard, nodes: int, held: int) -> None:
    """Look at the limits after some nodes, and tell how far the call is."""
    run.check(nodes, _NODE_BYTES * held)
    guard.check(_NODE_BYTES * held, held)
    if run.is_report_due():
        run.report(run.spent, 0, 0.0)


class PlanDiagram(Work):
    """Keeps the steps of a sweep, as a diagram of all its ways.

    Parameters
    ----------
    plan : Plan
        The steps; a step is kept as the arcs from each of its states.
    run : Run
        The call.
    """

    nodes = 0

    def __init__(self, plan: Plan, run: Run) -> None:
        self.plan = plan
        self._guard = MemoryGuard(run)
        self._states = {0: 0}
        self._arcs: list[list[list[tuple[int, int]]]] = []

    def memory(self) -> int:
        """Bytes held, roughly."""
        return _NODE_BYTES * self.nodes

    def fraction(self) -> float:
        """Return the part of the steps that is done."""
        return len(self._arcs) / max(1, len(self.plan.steps))

    def advance(self, budget: int) -> bool:
        """Take whole steps until about `budget` arcs are made; return whether all are done."""
        while len(self._arcs) < len(self.plan.steps):
            if budget <= 0:
                return False
            step = self.plan.steps[len(self._arcs)]
            after: dict[int, int] = {}
            rows = []
            before = self.nodes
            for state in self._states:
                row = []
                passes = state & step.own >= step.least
                ends = [(-1, state)] if passes else []
                if not step.least or not passes:
                    for number, move in enumerate(step.moves):
                        if not state & move.test:
                            ends.append((number, successor(state, move)))
                for number, end in ends:
                    if end >= 0 and end & step.need == step.need:
                        end &= ~step.clear
                        row.append((number, after.setdefault(end, len(after))))
                rows.append(row)
                self.nodes += 1 + len(row)
            self._guard.check(self.memory(), self.nodes)
            self._states = after
            self._arcs.append(rows)
            budget -= self.nodes - before
        return True

    def diagram(self, free: Sequence[int]) -> Diagram:
        """Return the diagram when all steps are done; `free` options may be chosen at will."""
        options = [*free, *(move.option for step in self.plan.steps for move in step.moves)]
        builder = Builder(options)
        numbers = [EMPTY] * len(self._states)
        if self.plan.end in self._states:
            numbers[self._states[self.plan.end]] = UNIT
        first = len(options)
        for step, rows in zip(reversed(self.plan.steps), reversed(self._arcs), strict=True):
            first -= len(step.moves)
            below = numbers
            numbers = []
            for row in rows:
                number = below[row[0][1]] if row and row[0][0] < 0 else EMPTY
                for move, end in reversed(row):
                    if move >= 0:
                        number = builder.node(first + move, number, below[end])
                numbers.append(number)
        root = numbers[0]
        for place in range(len(free) - 1, -1, -1):
            root = builder.node(place, root, root)
        return builder.diagram(root)
