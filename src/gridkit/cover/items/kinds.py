"""What each item of a problem asks of a state: a bit, a count, a colour, or nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

from gridkit.cover.matrix import Matrix
from gridkit.run import Run

__all__ = ["Kinds", "classify"]

Entry = tuple[int, int]
"""An amount, how often an option covers a counted item, or the colour it gives a painted one."""

_BETWEEN_CHECKS = 1024


@dataclass(frozen=True, slots=True, eq=False)
class Kinds:
    """A problem without what cannot be chosen and what asks nothing.

    Attributes
    ----------
    options : tuple of int
        The usable options, by their numbers in the matrix.
    held : tuple of tuple of int
        The items each of them holds that a state has to remember.
    values : tuple of tuple of int
        Parallel to `held`: 1 for an item covered at most once, the amount for a counted item;
        for a painted item 1 without a colour, else the number of the colour, from 2.
    anchors : tuple of tuple of int
        The items at which each option may begin: its demanded ones, else all it holds.
    bounds : tuple of (least, greatest)
        Of each item; greatest None where the options cannot exceed what is allowed.
    bits : tuple of int
        Bits of a state that each item takes: 1 where it is covered at most once.
    painted : frozenset of int
        The secondary items that may be covered repeatedly in one colour.
    free : tuple of int
        The options that any solution may take or leave.
    possible : bool
        False where some item demands more than all options together hold.
    """

    options: tuple[int, ...]
    held: tuple[tuple[int, ...], ...]
    values: tuple[tuple[int, ...], ...]
    anchors: tuple[tuple[int, ...], ...]
    bounds: tuple[tuple[int, int | None], ...]
    bits: tuple[int, ...]
    painted: frozenset[int]
    free: tuple[int, ...]
    possible: bool

    @property
    def plain(self) -> bool:
        """Whether every item that is remembered is covered at most once."""
        return all(self.is_bit(item) for item, size in enumerate(self.bits) if size)

    def is_bit(self, item: int) -> bool:
        """Whether an item is covered at most once, so that its options exclude one another."""
        return self.bits[item] == 1 and item not in self.painted and self.bounds[item][1] == 1


def classify(matrix: Matrix, run: Run) -> Kinds:
    """Return what each item asks.

    Parameters
    ----------
    matrix : Matrix
        The problem.
    run : Run
        The call.

    Notes
    -----
    Time is linear in the matrix.
    """
    usable = _usable(matrix, run)
    amounts, colors = matrix.amounts, matrix.colors
    holders = Counter(chain.from_iterable(map(matrix.options.__getitem__, usable)))
    total = holders if amounts is None else _amounts(matrix, usable)
    palette: list[dict[int, int]] = [{} for _ in range(matrix.items - matrix.primary)]
    for option in usable if palette else ():
        for place, item in enumerate(matrix.options[option]):
            if item >= matrix.primary:
                color = 0 if colors is None else colors[option][place]
                codes = palette[item - matrix.primary]
                codes.setdefault(color, 1 if color == 0 else len(codes) + 2)
    possible = all(least <= total[item] for item, least in enumerate(matrix.low))
    bounds: list[tuple[int, int | None]] = []
    bits: list[int] = []
    painted = set()
    for item in range(matrix.items):
        if item < matrix.primary:
            least = matrix.low[item]
            greatest = None if matrix.high[item] >= total[item] else matrix.high[item]
            if holders[item] and least == matrix.high[item] == 1:
                greatest = 1  # its options exclude one another, and one alone is forced
            bounds.append((least, greatest))
            most = least if greatest is None else greatest
            bits.append(most.bit_length())
            continue
        codes = palette[item - matrix.primary]
        bounds.append((0, 1))
        if holders[item] < 2 or (len(codes) == 1 and 0 not in codes):
            bits.append(0)  # all its options go together
        elif set(codes) <= {0}:
            bits.append(1)
        else:
            painted.add(item)
            bits.append(max(codes.values()).bit_length())
    return _kept(matrix, usable, bounds, bits, palette, frozenset(painted), possible)


def _amounts(matrix: Matrix, usable: Sequence[int]) -> Counter[int]:
    """Return how often all usable options together cover each item."""
    total: Counter[int] = Counter()
    for option in usable:
        for place, item in enumerate(matrix.options[option]):
            total[item] += 1 if matrix.amounts is None else matrix.amounts[option][place]
    return total


def _usable(matrix: Matrix, run: Run) -> list[int]:
    """Return the options that a solution may hold."""
    usable = []
    primary, high, amounts = matrix.primary, matrix.high, matrix.amounts
    any_closed = amounts is not None or not all(high)
    for number, option in enumerate(matrix.options):
        if not number % _BETWEEN_CHECKS:
            run.check()
        if option[0] >= primary:
            continue
        if any_closed:
            times = (1,) * len(option) if amounts is None else amounts[number]
            pairs = zip(option, times, strict=True)
            if any(item < primary and often > high[item] for item, often in pairs):
                continue
        usable.append(number)
    return usable


def _kept(
    matrix: Matrix,
    usable: Sequence[int],
    bounds: list[tuple[int, int | None]],
    bits: list[int],
    palette: list[dict[int, int]],
    painted: frozenset[int],
    possible: bool,
) -> Kinds:
    """Return the problem with those items only that a state has to remember."""
    numbers, held, values, anchors = [], [], [], []
    free: list[int] = []
    demanded = [bool(bits[item] and bounds[item][0]) for item in range(matrix.items)]
    simple = all(bits) and not painted and matrix.amounts is None
    whole = simple and all(demanded)
    for option in usable:
        items: tuple[int, ...] = matrix.options[option]
        if simple:
            value: tuple[int, ...] = (1,) * len(items)
        else:
            places = [place for place, item in enumerate(items) if bits[item]]
            value = tuple([_value(matrix, option, place, palette, painted) for place in places])
            items = tuple([items[place] for place in places])
        if not items:
            free.append(option)
            continue
        numbers.append(option)
        held.append(items)
        values.append(value)
        first = items if whole else tuple([item for item in items if demanded[item]])
        anchors.append(first or items)
    return Kinds(
        tuple(numbers), tuple(held), tuple(values), tuple(anchors), tuple(bounds), tuple(bits),
        painted,
        tuple(free),
        possible,
    )  # fmt: skip


def _value(
    matrix: Matrix,
    option: int,
    place: int,
    palette: list[dict[int, int]],
    painted: frozenset[int],
) -> int:
    item = matrix.options[option][place]
    if item in painted:
        colors = matrix.colors
        assert colors is not None
        return palette[item - matrix.primary][colors[option][place]]
    return 1 if matrix.amounts is None else matrix.amounts[option][place]
