"""The items that a sweep branches on, and orders of them that keep its frontier narrow.

An option *begins* at the first of its anchors: its demanded items, or all its items where none of
them is demanded.  An item is *open* from the step at which the first option that holds it may
begin to the step at which the last one does; the items open between two steps are the frontier.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from heapq import heapify, heappop, heappush

from gridkit.cover.items.kinds import Kinds
from gridkit.run import Run

__all__ = ["begin_places", "best_order", "orders", "widths"]

_BETWEEN_CHECKS = 1024


def best_order(kinds: Kinds, run: Run) -> list[int]:
    """Return the order with the fewest states by a crude bound: two to the power of the frontier.

    Parameters
    ----------
    kinds : Kinds
        The problem.
    run : Run
        The call.
    """
    best: list[int] = []
    least: tuple[int, int] | None = None
    for order in orders(kinds, run):
        sizes = widths(kinds, order)
        widest = max(sizes, default=0)
        cost = widest, sum(1 << min(size, 4000) for size in sizes)
        if least is None or cost < least:
            best, least = order, cost
    return best


def orders(kinds: Kinds, run: Run) -> Iterator[list[int]]:
    """Give orders of the items to branch on: as numbered, greedy, by breadth.

    The greedy ones settle next the item that adds fewest items to the frontier (the min-fill rule
    for orders of elimination), either of the frontier, the longest open first, or of all, which
    suits trees; the last one is that of Cuthill and McKee (1969), from an item at the edge.
    """
    natural = sorted({item for anchors in kinds.anchors for item in anchors})
    yield natural
    near = _neighbours(kinds, run)
    if all(len(near[item]) == len(natural) for item in natural):
        return  # every item is beside every other
    yield _greedy(natural, near, run, anywhere=False)
    yield _greedy(natural, near, run, anywhere=True)
    yield _by_breadth(natural, near, run)


def begin_places(kinds: Kinds, order: Sequence[int]) -> list[int]:
    """Return at which place of an order each usable option begins."""
    place = [len(order)] * len(kinds.bounds)
    for number, item in enumerate(order):
        place[item] = number
    get = place.__getitem__
    return [min(map(get, anchors)) for anchors in kinds.anchors]


def widths(kinds: Kinds, order: Sequence[int]) -> list[int]:
    """Return the bits of the frontier after each step of an order."""
    opened = [len(order)] * len(kinds.bounds)
    closed = [-1] * len(kinds.bounds)
    for begin, held in zip(begin_places(kinds, order), kinds.held, strict=True):
        for item in held:
            if begin < opened[item]:
                opened[item] = begin
            if begin > closed[item]:
                closed[item] = begin
    change = [0] * (len(order) + 1)
    for item, bits in enumerate(kinds.bits):
        if closed[item] >= 0:
            change[opened[item]] += bits
            change[closed[item]] -= bits
    sizes, size = [], 0
    for delta in change[:-1]:
        size += delta
        sizes.append(size)
    return sizes


def _neighbours(kinds: Kinds, run: Run) -> list[set[int]]:
    """Return, for each item, the items that share an option with it."""
    near: list[set[int]] = [set() for _ in kinds.bounds]
    for number, held in enumerate(kinds.held):
        if not number % _BETWEEN_CHECKS:
            run.check()
        for item in held:
            if len(near[item]) < len(near):
                near[item].update(held)
    return near


def _greedy(
    natural: Sequence[int], near: Sequence[set[int]], run: Run, *, anywhere: bool
) -> list[int]:
    """Return a greedy order of `orders`: among the items reached, or among all."""
    waiting = set(natural)
    touched: set[int] = set()
    fresh = {item: len(near[item]) for item in natural}
    holders: dict[int, list[int]] = {}
    for item in natural:
        for neighbour in near[item]:
            holders.setdefault(neighbour, []).append(item)
    since = dict.fromkeys(natural, 0)
    heap = [(fresh[item], 0, item) for item in natural]
    heapify(heap)
    rest = iter(sorted(natural, key=lambda item: (fresh[item], item)))
    order: list[int] = []
    while waiting:
        run.check()
        item = -1
        while heap and item < 0:
            number, place, candidate = heappop(heap)
            if candidate in waiting and (number, place) == (fresh[candidate], since[candidate]):
                item = candidate
        if item < 0:
            item = next(item for item in rest if item in waiting)
        if not anywhere and not order:
            heap.clear()
        waiting.discard(item)
        order.append(item)
        # The longest open first; anywhere, the one reached last, to finish what is near.
        place = -len(order) if anywhere else len(order)
        for neighbour in sorted(near[item] - touched):
            touched.add(neighbour)
            if neighbour in waiting:
                since[neighbour] = place
                heappush(heap, (fresh[neighbour], place, neighbour))
            for holder in holders[neighbour]:
                fresh[holder] -= 1
                if holder in waiting and (anywhere or holder in touched):
                    heappush(heap, (fresh[holder], since[holder], holder))
    return order


def _by_breadth(natural: Sequence[int], near: Sequence[set[int]], run: Run) -> list[int]:
    """Return the order of Cuthill and McKee, each connected part from an item at its edge."""
    items = set(natural)
    order: list[int] = []
    done: set[int] = set()
    for start in sorted(natural, key=lambda item: len(near[item])):
        if start not in done:
            edge = _levels(start, near, items, run)[-1]
            part = _levels(edge, near, items, run)
            done.update(part)
            order += part
    return order


def _levels(start: int, near: Sequence[set[int]], items: set[int], run: Run) -> list[int]:
    """Return a connected part by growing distance, neighbours with few neighbours first."""
    found = {start}
    part = [start]
    for item in part:
        run.check()
        following = [n for n in near[item] if n in items and n not in found]
        following.sort(key=lambda n: (len(near[n]), n))
        found.update(following)
        part += following
    return part
