"""Plans for boards with walls and for lines: block after block, ear after ear.

With one blank, each 2-connected block of the board is filled by itself.  A block is built up from
a small base by ears (paths that begin and end in what stands already); the ears are filled in the
opposite order, each like a queue: a tile is brought to the ear's mouth and pushed in by the blank
coming through from the other end.  The base is solved by search.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise

from gridkit.errors import UnsupportedError
from gridkit.grid.components import permutation_is_even
from gridkit.run import Run
from gridkit.sliding.npuzzle.breadth import PlanSearch, step_rays
from gridkit.sliding.npuzzle.graph import (
    Check,
    Graph,
    Instance,
    Route,
    blocks,
    components,
    path_between,
    same_blanks,
)

__all__ = ["walled_route"]

_GHOST = -2  # a blank that is treated as a tile
_SEARCHED = 60_000  # states


class _StuckError(Exception):
    """A way of building a plan that does not apply here."""


def walled_route(instance: Instance, run: Run) -> Route:
    """Return the tile moves, between open cells, of a plan for a solvable puzzle.

    Raises
    ------
    LimitReached, Interrupted
        Without a value.
    UnsupportedError
        Where neither the construction nor a search of moderate size finds a plan: several blanks
        that have to pass cut cells, or blocks made of long corridors only.
    """
    route: Route = []
    for part in components(instance.graph):
        place = {v: index for index, v in enumerate(part)}
        graph = [[place[w] for w in instance.graph[v]] for v in part]
        start, goal = ([side[v] for v in part] for side in (instance.start, instance.goal))
        moves = _part_route(graph, start, goal, run)
        route += [(part[source], part[target]) for source, target in moves]
    return route


def _part_route(graph: Graph, start: list[int], goal: list[int], run: Run) -> Route:
    """Return the moves in one connected part."""
    tiles, route = same_blanks(graph, start, goal, run.check)
    if tiles == goal:
        return route
    for walk, home in _beginnings(graph, start, goal, run):
        try:
            return walk.solve(goal, home)
        except _StuckError:
            continue
    search = PlanSearch(step_rays(graph), start, goal)
    has_limit = run.limit.nodes is not None or run.limit.seconds is not None
    if not run.drive(search, at_most=None if has_limit else _SEARCHED):
        raise UnsupportedError(
            "no quick plan is known for this board (several blanks around cut cells, or long "
            "corridors only); solve with optimal=True and a limit"
        )
    moves = search.route()
    assert moves is not None, "the puzzle was proved solvable"
    return moves


def _beginnings(
    graph: Graph, start: list[int], goal: list[int], run: Run
) -> Iterator[tuple[_Walk, int]]:
    """Choose which blank moves, and where it ends; the others are tiles like any other."""
    blanks = [v for v, tile in enumerate(start) if tile == 0]
    homes = [v for v, tile in enumerate(goal) if tile == 0]
    for blank in blanks[:3]:
        for home in homes[:3]:
            yield _Walk(graph, start, blank, run), home
    for second in blanks[1:3]:  # let another blank take one step first, which changes its colour
        for cell in graph[second]:
            if start[cell]:
                moved = list(start)
                moved[second], moved[cell] = moved[cell], 0
                walk = _Walk(graph, moved, blanks[0], run)
                walk.route.append((cell, second))
                yield walk, homes[0]


class _Walk:
    """One blank at work: the tiles, and the moves made so far."""

    def __init__(self, graph: Graph, start: Sequence[int], blank: int, run: Run) -> None:
        self.graph = graph
        self.run = run
        self.tiles = [tile or _GHOST for tile in start]
        self.blank = blank
        self.tiles[blank] = 0
        # Within the block at work: the cell where what stands on each cell belongs.
        self.aim = list(range(len(start)))
        self.route: Route = []

    def solve(self, goal: Sequence[int], home: int) -> Route:
        """Return the moves to the goal, the blank ending at `home`."""
        target = [tile or _GHOST for tile in goal]
        target[home] = 0
        self.lead(home, set())
        for gate, block in blocks(self.graph, home):
            inner = [v for v in block if v != gate]
            if [self.tiles[v] for v in inner] == [target[v] for v in inner]:
                continue
            if Counter(self.tiles[v] for v in inner) != Counter(target[v] for v in inner):
                raise _StuckError
            way = path_between(self.graph, home, gate)
            self.follow(way[1:])
            self._solve_block(gate, block, target)
            self.follow(way[-2::-1])
        return self.route

    def step(self, cell: int) -> None:
        self.run.check()
        if self.tiles[cell] != _GHOST:
            self.route.append((cell, self.blank))
        for what in (self.tiles, self.aim):
            what[self.blank], what[cell] = what[cell], what[self.blank]
        self.blank = cell

    def follow(self, way: Iterable[int]) -> None:
        for cell in way:
            self.step(cell)

    def lead(self, cell: int, avoid: set[int], inside: set[int] | None = None) -> None:
        """Take the blank to a cell."""
        came = {self.blank: self.blank}
        waiting = deque([self.blank])
        while cell not in came:
            if not waiting:
                raise _StuckError
            v = waiting.popleft()
            for w in self.graph[v]:
                if w not in came and w not in avoid and (inside is None or w in inside):
                    came[w] = v
                    waiting.append(w)
        way = [cell]
        while way[-1] != self.blank:
            way.append(came[way[-1]])
        self.follow(way[-2::-1])

    def carry(self, source: int, target: int, inside: set[int]) -> None:
        """Take the tile on `source` to `target`, the blank staying `inside`."""
        way = path_between(self.graph, source, target, inside)
        for here, ahead in pairwise(way):
            self.lead(ahead, {here}, inside)
            self.step(here)

    def _solve_block(self, gate: int, block: list[int], target: list[int]) -> None:
        members = set(block)
        degrees = [sum(w in members for w in self.graph[v]) for v in block]
        if all(degree == 2 for degree in degrees):
            self._turn_cycle(gate, members, target)
            return
        base, ears = _ears(self.graph, block, self.run.check)
        home = min(base)
        # Let the goal's blank stand in the base; the way back is made at the end.
        way = path_between(self.graph, gate, home, members)
        goal_tiles = list(target)
        goal_tiles[gate] = 0
        for here, ahead in pairwise(way):
            goal_tiles[here], goal_tiles[ahead] = goal_tiles[ahead], goal_tiles[here]
        goal_tiles[home] = 0
        self.follow(way[1:])
        self._give_aims(block, goal_tiles)
        rest = set(members)
        for ear in reversed(ears):
            rest.difference_update(ear[1:-1])
            if any(self.aim[v] != v for v in ear[1:-1]):
                self._fill_ear(ear, rest)
        self.lead(home, set(), rest)
        self._solve_base(sorted(base))
        self.follow(way[-2::-1])

    def _turn_cycle(self, gate: int, members: set[int], target: list[int]) -> None:
        around = [gate]
        while len(around) < len(members):
            around.append(
                next(w for w in self.graph[around[-1]] if w in members and w not in around[-2:])
            )
            if len(around) > 2 and around[-1] == gate:
                raise _StuckError
        inner = around[1:]
        goal_order = [target[v] for v in inner]
        order = [self.tiles[v] for v in inner]
        size = len(inner)
        turns = next(k for k in range(size) if order[k:] + order[:k] == goal_order)
        # One round of the blank moves every tile one place against its sense.
        rounds = (inner, turns) if turns <= size // 2 else (inner[::-1], size - turns)
        for _ in range(rounds[1]):
            self.follow([*rounds[0], gate])

    def _give_aims(self, block: list[int], goal_tiles: list[int]) -> None:
        """Give every tile of the block its own goal cell, mending the parity with equal tiles."""
        goals: dict[int, deque[int]] = {}
        for v in block:
            goals.setdefault(goal_tiles[v], deque()).append(v)
        for v in block:
            self.aim[v] = goals[self.tiles[v]].popleft()
        if permutation_is_even([self.aim[v] for v in block], block):  # the blank is at home
            return
        first: dict[int, int] = {}
        for v in block:
            twin = first.setdefault(self.tiles[v], v)
            if twin != v:
                self.aim[v], self.aim[twin] = self.aim[twin], self.aim[v]
                return
        raise _StuckError

    def _fill_ear(self, ear: list[int], rest: set[int]) -> None:
        """Fill the inner cells of an ear whose ends belong to `rest`."""
        mouth, inner, far = ear[0], ear[1:-1], ear[-1]
        self.lead(far, set(), rest.union(inner))
        ear_cells = set(inner)
        while any(self.aim[v] in ear_cells for v in inner):  # flush what would come too early
            self._push_in(mouth, inner, far, rest, lambda aim: aim not in ear_cells)
        for goal in reversed(inner):
            self._push_in(mouth, inner, far, rest, goal.__eq__)

    def _push_in(
        self, mouth: int, inner: list[int], far: int, rest: set[int], fits: Callable[[int], bool]
    ) -> None:
        """Bring the nearest fitting tile to the mouth, and let the blank come through the ear."""
        seen = {mouth}
        order = [mouth]
        for v in order:
            if v != self.blank and fits(self.aim[v]):
                break
            near = [w for w in self.graph[v] if w in rest and w not in seen]
            seen.update(near)
            order += near
        else:
            raise _StuckError
        self.carry(v, mouth, rest)
        self.lead(far, {mouth}, rest)
        self.follow([*reversed(inner), mouth])

    def _solve_base(self, base: list[int]) -> None:
        place = {v: index for index, v in enumerate(base)}
        graph = [[place[w] for w in self.graph[v] if w in place] for v in base]
        names = {v: index + 1 for index, v in enumerate(base)}
        names[self.blank] = 0
        search = PlanSearch(
            step_rays(graph), [names[self.aim[v]] for v in base], [names[v] for v in base]
        )
        route = search.route() if self.run.drive(search, at_most=_SEARCHED) else None
        if route is None:
            raise _StuckError
        self.follow([base[source] for source, _ in route])


def _ears(graph: Graph, block: list[int], check: Check) -> tuple[set[int], list[list[int]]]:
    """Return a base (a cycle with one ear, as small as found) and the ears that build the block."""
    members = set(block)
    base = _double_square(graph, members) or _small_cycle(graph, members, check)
    ears: list[list[int]] = []
    built = set(base)
    if all(sum(w in base for w in graph[v]) == 2 for v in base):
        built.update(_shortest_ear(graph, members, built, check))
        base = set(built)
    while len(built) < len(members):
        ear = _shortest_ear(graph, members, built, check)
        ears.append(ear)
        built.update(ear)
    return base, ears


def _double_square(graph: Graph, members: set[int]) -> set[int] | None:
    """Return two squares that share an edge, if there are any."""
    for a in members:
        for b in graph[a]:
            if b not in members:
                continue
            sides = [
                (c, d)
                for c in graph[a]
                for d in graph[b]
                if c in members and d in members and c != b and d != a and c in graph[d]
            ]
            for c, d in sides:
                for e, f in sides:
                    if len({a, b, c, d, e, f}) == 6:
                        return {a, b, c, d, e, f}
    return None


def _small_cycle(graph: Graph, members: set[int], check: Check) -> set[int]:
    """Return a shortest cycle."""
    best: list[int] = []
    for root in sorted(members):
        check()
        came, depth = {root: root}, {root: 0}
        order = [root]
        for v in order:
            if best and 2 * depth[v] >= len(best):
                break
            for w in graph[v]:
                if w not in members:
                    continue
                if w not in came:
                    came[w], depth[w] = v, depth[v] + 1
                    order.append(w)
                elif w != came[v] and (not best or depth[v] + depth[w] + 1 < len(best)):
                    one_way, other_way = [v], [w]
                    for side in (one_way, other_way):
                        while side[-1] != root:
                            side.append(came[side[-1]])
                    cycle = {*one_way, *other_way}
                    if len(cycle) == len(one_way) + len(other_way) - 1:
                        best = [*cycle]
    return set(best)


def _shortest_ear(graph: Graph, members: set[int], built: set[int], check: Check) -> list[int]:
    """Return a path over vertices not yet built, its different ends being built already."""
    best: list[int] = []
    for mouth in sorted(built):
        check()
        for first in graph[mouth]:
            if first not in members or first in built:
                continue
            came = {first: mouth}
            waiting = deque([first])
            end = -1
            while waiting and end < 0:
                v = waiting.popleft()
                for w in graph[v]:
                    if w in built and w != mouth:
                        came[w] = v
                        end = w
                        break
                    if w in members and w not in built and w not in came:
                        came[w] = v
                        waiting.append(w)
            if end >= 0:
                ear = [end]
                while ear[-1] != mouth:
                    ear.append(came[ear[-1]])
                if not best or len(ear) < len(best):
                    best = ear
                if len(best) == 3:
                    return best
    return best
