"""A short, slow search of sliding-block puzzles on sets of cells: the twin of the kernels."""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from itertools import permutations, product

from gridkit.grid.cell import Cell
from gridkit.sliding.blocks.puzzle import SlidingPuzzle

State = tuple[tuple[int, int], ...]
Label = tuple[tuple[int, tuple[int, int]], ...]
Way = tuple[State, dict[str, int]]
DELTAS = ((0, 1), (0, -1), (-1, 0), (1, 0))


def canonical(puzzle: SlidingPuzzle, state: State) -> Label:
    """Forget which of several interchangeable blocks is which."""
    return tuple(sorted(zip(puzzle.groups, state, strict=True)))


def cells(puzzle: SlidingPuzzle, number: int, place: tuple[int, int]) -> set[tuple[int, int]]:
    return {(row + place[0], col + place[1]) for row, col in puzzle.shapes[number]}


def meets_goal(puzzle: SlidingPuzzle, state: State) -> bool:
    """Try every way to hand the blocks' names around within the groups."""
    groups, names = puzzle.groups, puzzle.names
    members = [[n for n, own in enumerate(groups) if own == group] for group in set(groups)]
    for orders in product(*map(permutations, members)):
        place: dict[str, int] = {}
        for order, own in zip(orders, members, strict=True):
            place |= {names[name]: at for name, at in zip(own, order, strict=True)}
        if all(
            _touches(puzzle, place[name], state[place[name]], target)
            for name, target in puzzle.goal.items()
        ):
            return True
    return False


def _touches(puzzle: SlidingPuzzle, number: int, place: tuple[int, int], target: object) -> bool:
    if isinstance(target, tuple):
        return place == target
    rows = [row for row, _ in cells(puzzle, number, place)]
    cols = [col for _, col in cells(puzzle, number, place)]
    ends = {"top": 0, "left": 0, "bottom": puzzle.rows - 1, "right": puzzle.cols - 1}
    return ends[str(target)] in (rows if target in ("top", "bottom") else cols)


def steps(puzzle: SlidingPuzzle, state: State, number: int) -> Iterator[tuple[int, State]]:
    """Move one block by one cell in each direction that the rules allow."""
    name = puzzle.names[number]
    taken = {
        cell
        for other, place in enumerate(state)
        if other != number
        for cell in cells(puzzle, other, place)
    }
    for direction, (down, right) in enumerate(DELTAS):
        if puzzle.axes.get(name) == ("vertical" if right else "horizontal"):
            continue
        place = state[number][0] + down, state[number][1] + right
        own = cells(puzzle, number, place)
        if own & taken or not own <= set(puzzle.board.cells):
            continue
        if any(name not in puzzle.gates.get(Cell(*cell), (name,)) for cell in own):
            continue
        yield direction, (*state[:number], place, *state[number + 1 :])


def ways(puzzle: SlidingPuzzle, state: State, metric: str) -> Iterator[Way]:
    """Move one block in every way that a metric counts as one, with its lengths."""
    for number in range(len(state)):
        if metric == "step":
            for _, new in steps(puzzle, state, number):
                yield new, {"step": 1, "slide": 1, "move": 1}
            continue
        best: dict[State, tuple[int, int]] = {}
        for order in ((0, 1), (1, 0)):  # fewest steps first, then fewest slides first
            for new, found in _walk(puzzle, state, number, order).items():
                old = best.get(new, found)
                best[new] = min(old[0], found[0]), min(old[1], found[1])
        for new, (length, slides) in best.items():
            if metric == "move" or slides == 1:
                yield new, {"step": length, "slide": slides, "move": 1}


def _walk(
    puzzle: SlidingPuzzle, state: State, number: int, order: tuple[int, int]
) -> dict[State, tuple[int, int]]:
    """Return the (steps, slides) of the walks of one block that are least in an order."""
    best: dict[tuple[State, int], tuple[int, int]] = {}
    heap = [((0, 0), state, -1)]
    while heap:
        spent, at, last = heapq.heappop(heap)
        if best.setdefault((at, last), spent) != spent:
            continue
        for direction, new in steps(puzzle, at, number):
            add = (1, int(direction != last))
            total = spent[0] + add[order[0]], spent[1] + add[order[1]]
            if (new, direction) not in best:
                heapq.heappush(heap, (total, new, direction))
    found: dict[State, tuple[int, int]] = {}
    for (at, _), spent in best.items():
        if at != state:
            found[at] = min(found.get(at, spent), spent)
    return {at: (spent[order.index(0)], spent[order.index(1)]) for at, spent in found.items()}


def solve_lengths(puzzle: SlidingPuzzle, metrics: tuple[str, ...]) -> tuple[int, ...] | None:
    """Return the least lengths, or None when the goal cannot be reached."""
    unit = "move" if "move" in metrics else "slide" if "slide" in metrics else "step"
    heap: list[tuple[tuple[int, ...], State]] = [((0,) * len(metrics), puzzle.places)]
    done = set()
    while heap:
        spent, state = heapq.heappop(heap)
        if meets_goal(puzzle, state):
            return spent
        label = canonical(puzzle, state)
        if label in done:
            continue
        done.add(label)
        for new, lengths in ways(puzzle, state, unit):
            total = tuple(
                before + lengths[metric] for before, metric in zip(spent, metrics, strict=True)
            )
            heapq.heappush(heap, (total, new))
    return None


def space_facts(puzzle: SlidingPuzzle, metric: str) -> dict[str, int | None]:
    """Return what `StateSpace` says, from one search a state."""
    states: dict[Label, State] = {canonical(puzzle, puzzle.places): puzzle.places}
    links: dict[Label, list[Label]] = {}
    waiting = list(states)
    for label in waiting:
        links[label] = []
        for new, _ in ways(puzzle, states[label], metric):
            reached = canonical(puzzle, new)
            links[label].append(reached)
            if reached not in states:
                states[reached] = new
                waiting.append(reached)
    goals = [label for label, state in states.items() if meets_goal(puzzle, state)]
    spans = [max(_distances(links, [label]).values()) for label in states]
    to_goal = _distances(links, goals)
    start = waiting[0]
    ways_to: dict[Label, int] = dict.fromkeys(goals, 1)
    for label in sorted(to_goal, key=to_goal.__getitem__):
        if label not in ways_to:
            ways_to[label] = sum(
                ways_to[reached]
                for reached in links[label]
                if to_goal[reached] == to_goal[label] - 1
            )
    return {
        "states": len(states),
        "goal_states": len(goals),
        "edges": sum(map(len, links.values())),
        "distance": to_goal.get(start),
        "solutions": ways_to.get(start, 0),
        "eccentricity": spans[0],
        "diameter": max(spans),
        "radius": min(spans),
        "hardest_distance": max(to_goal.values(), default=None),
    }


def _distances(links: dict[Label, list[Label]], sources: list[Label]) -> dict[Label, int]:
    distance = dict.fromkeys(sources, 0)
    queue = list(sources)
    for label in queue:
        for reached in links[label]:
            if reached not in distance:
                distance[reached] = distance[label] + 1
                queue.append(reached)
    return distance


def connected_without(near: list[set[int]], cut: int) -> bool:
    """Whether a connected graph is still connected without a node."""
    rest = set(range(len(near))) - {cut}
    reached = {min(rest)} if rest else set()
    waiting = list(reached)
    for at in waiting:
        new = near[at] - reached - {cut}
        reached |= new
        waiting += new
    return reached == rest
