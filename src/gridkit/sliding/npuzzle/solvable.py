"""Which arrangements of tiles on a graph can be slid into which others.

The vertices are cells, tiles slide along edges into blanks.  The answer is read off the
permutation group that the blanks generate, not off a parity formula:

* one blank: the group is the direct product of the groups of the graph's blocks (its 2-connected
  parts); each of those is trivial (a bridge), cyclic (a cycle), PGL(2, 5) on one graph of seven
  vertices, the alternating group (bipartite) or the symmetric group (R. M. Wilson, 1974);
* several blanks: tiles fall into classes of mutually exchangeable ones, and every class is
  permuted at will, except on a cycle, where only the cyclic order counts (D. Kornhauser,
  G. Miller and P. Spirakis, 1984).

Everything is plain Python; equal tiles are interchangeable.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from gridkit.errors import UnsupportedError
from gridkit.grid.components import permutation_is_even
from gridkit.sliding.npuzzle.graph import (
    Check,
    Graph,
    Instance,
    around,
    blocks,
    components,
    exchange_classes,
    path_between,
    same_blanks,
)
from gridkit.value import Verdict

__all__ = ["Solvability", "decide", "solvability"]

CellName = Callable[[int], str]

# n * blanks above this is left undecided on walled boards with cut cells (seconds of work).
_EXCHANGE_BUDGET = 4_000_000


def _no_check() -> None:
    """Look at no limit."""


@dataclass(frozen=True, slots=True)
class Solvability(Verdict):
    """Whether a goal can be reached, and the reason in words; true in a condition in either case.

    Attributes
    ----------
    solvable : bool
        The verdict; it is always proved, never guessed.
    reason : str
        The argument, naming the cells or tiles that decide.

    Examples
    --------
    >>> print(Solvability(True, "nothing has to move"))
    solvable: nothing has to move
    """

    solvable: bool
    reason: str

    def __str__(self) -> str:
        return f"{'solvable' if self.solvable else 'unsolvable'}: {self.reason}"


def solvability(instance: Instance, check: Check = _no_check) -> Solvability:
    """Decide whether a puzzle can be solved.

    Parameters
    ----------
    instance : Instance
        The puzzle; `start` and `goal` hold the same tiles.
    check : callable
        Called now and then; may raise to give up.
    """
    rows, cols = instance.rows, instance.cols
    start, goal = instance.start, instance.goal
    if instance.has_walls or min(rows, cols) == 1 or (rows, cols) == (2, 2):
        return decide(instance.graph, start, goal, lambda place: str(instance.spot(place)), check)
    blanks = start.count(0)
    if blanks > 1:
        return Solvability(True, f"{blanks} blanks on a rectangle reach every arrangement")
    if not instance.is_distinct:
        return Solvability(True, "exchanging two equal tiles mends the parity")
    (row, col), (home_row, home_col) = (instance.spot(tiles.index(0)) for tiles in (start, goal))
    steps = abs(row - home_row) + abs(col - home_col)
    even = permutation_is_even(start, goal)
    return Solvability(
        even == (steps % 2 == 0),
        f"the permutation of the tiles with the blank is {'even' if even else 'odd'} and the "
        f"blank is {steps} steps from home; solvable exactly if the parities agree",
    )


def decide(
    graph: Graph,
    start: Sequence[int],
    goal: Sequence[int],
    name: CellName = str,
    check: Check = _no_check,
) -> Solvability:
    """Decide whether `start` can be slid into `goal` on a graph.

    Parameters
    ----------
    graph : sequence of sequences of int
        The neighbours of each vertex; undirected, without loops.
    start, goal : sequence of int
        The tile on each vertex, 0 for a blank; equal tiles are interchangeable.
    name : callable
        How the reason names a vertex.
    check : callable
        Called now and then where there are several blanks; may raise to give up.

    Returns
    -------
    Solvability

    Raises
    ------
    UnsupportedError
        For several blanks on a very large graph with cut vertices (vertices times blanks above
        four million).

    Notes
    -----
    Linear in the graph for one blank and for graphs without cut vertices; else about vertices
    times blanks.

    Examples
    --------
    >>> path = [[1], [0, 2], [1]]
    >>> print(decide(path, [1, 0, 2], [0, 1, 2]))
    solvable: the only blank moves along bridges, and every tile returns
    >>> decide(path, [1, 0, 2], [2, 0, 1]).solvable
    False
    """
    reasons = []
    for part in components(graph):
        verdict = _decide_part(graph, part, start, goal, name, check)
        if not verdict.solvable:
            return verdict
        reasons.append(verdict.reason)
    return Solvability(True, "; ".join(dict.fromkeys(reasons)) or "there is nothing to move")


def _decide_part(
    graph: Graph,
    part: list[int],
    start: Sequence[int],
    goal: Sequence[int],
    name: CellName,
    check: Check,
) -> Solvability:
    held, needed = Counter(start[v] for v in part), Counter(goal[v] for v in part)
    if held != needed:
        return _misplaced(f"the part around {name(part[0])}", held, needed)
    blanks = held[0]
    if [start[v] for v in part] == [goal[v] for v in part]:
        return Solvability(True, "nothing has to move")
    if blanks == 0:
        stuck = next(v for v in part if start[v] != goal[v])
        return Solvability(False, f"no blank reaches tile {start[stuck]} at {name(stuck)}")
    if len(part) >= 3 and all(len(graph[v]) == 2 for v in part):
        return _decide_cycle(around(graph, part[0], set(part)), start, goal, name)
    index = {v: i for i, v in enumerate(part)}
    local = [[index[w] for w in graph[v]] for v in part]
    tiles, target = [start[v] for v in part], [goal[v] for v in part]

    def local_name(i: int) -> str:
        return name(part[i])

    if blanks == 1:
        return _decide_one_blank(local, tiles, target, local_name)
    if len(part) * blanks > _EXCHANGE_BUDGET and _has_cut_vertex(local):
        raise UnsupportedError(
            f"{blanks} blanks on {len(part)} cells with cut cells: too large to decide"
        )
    return _decide_exchange(local, tiles, target, local_name, check)


def _misplaced(where: str, held: Counter[int], needed: Counter[int]) -> Solvability:
    extra = ", ".join(map(str, sorted((held - needed).elements())[:5]))
    missing = ", ".join(map(str, sorted((needed - held).elements())[:5]))
    return Solvability(
        False,
        f"{where} holds {extra} and must hold {missing} (0 a blank), but nothing crosses over",
    )


def _is_rotation(held: list[int], needed: list[int]) -> bool:
    """Return whether one list is a cyclic shift of the other (Knuth, Morris and Pratt)."""
    if not needed:
        return not held
    border = [0] * len(needed)
    matched = 0
    for index in range(1, len(needed)):
        while matched and needed[index] != needed[matched]:
            matched = border[matched - 1]
        matched += needed[index] == needed[matched]
        border[index] = matched
    matched = 0
    for item in held + held:
        while matched == len(needed) or (matched and item != needed[matched]):
            matched = border[matched - 1]
        matched += item == needed[matched]
        if matched == len(needed):
            return True
    return False


def _decide_cycle(
    order: list[int], start: Sequence[int], goal: Sequence[int], name: CellName
) -> Solvability:
    held = [start[v] for v in order if start[v]]
    needed = [goal[v] for v in order if goal[v]]
    solvable = _is_rotation(held, needed)
    same = "is" if solvable else "differs from"
    return Solvability(
        solvable,
        f"around the cycle through {name(order[0])} the order of the tiles {same} the goal's",
    )


def _decide_one_blank(
    graph: Graph, start: Sequence[int], goal: Sequence[int], name: CellName
) -> Solvability:
    home = list(goal).index(0)
    tiles = list(start)
    path = path_between(graph, tiles.index(0), home)
    for here, there in pairwise(path):
        tiles[here], tiles[there] = tiles[there], 0
    reasons = []
    for gate, block in blocks(graph, home):
        verdict = _decide_block(graph, gate, block, tiles, goal, name)
        if not verdict.solvable:
            return verdict
        reasons.append(verdict.reason)
    return Solvability(True, "; ".join(dict.fromkeys(reasons)))


def _decide_block(
    graph: Graph, gate: int, block: list[int], tiles: list[int], goal: Sequence[int], name: CellName
) -> Solvability:
    """Decide one block once the blank stands at its gate, the vertex nearest the blank's home."""
    inner = [v for v in block if v != gate]
    held, needed = [tiles[v] for v in inner], [goal[v] for v in inner]
    where = f"the block of {len(block)} cells at {name(gate)}"
    if sorted(held) != sorted(needed):
        return _misplaced(where, Counter(held), Counter(needed))
    if len(block) == 2:
        return Solvability(True, "the only blank moves along bridges, and every tile returns")
    members = set(block)
    degrees = {v: sum(w in members for w in graph[v]) for v in block}
    if all(degree == 2 for degree in degrees.values()):
        order = around(graph, gate, members)[1:]
        return _decide_cycle(order, tiles, goal, name)
    if _is_theta0(graph, degrees):
        solvable = _theta0_reaches(graph, gate, block, tiles, goal)
        return Solvability(solvable, f"{where} is Wilson's exception with 120 arrangements")
    if not _is_bipartite(graph, gate, members):
        return Solvability(True, f"{where} is not bipartite: all permutations (Wilson 1974)")
    if len(set(held)) < len(held):
        return Solvability(True, f"{where} has equal tiles, whose exchange mends the parity")
    even = permutation_is_even(held, needed)
    return Solvability(
        even,
        f"with the blank brought home, the tiles of {where} are an {'even' if even else 'odd'} "
        "permutation of the goal's, and exactly the even ones are reachable (Wilson 1974)",
    )


def _is_theta0(graph: Graph, degrees: dict[int, int]) -> bool:
    """Return whether a block is Wilson's graph: paths of 2, 3 and 3 edges between two vertices."""
    hubs = [v for v, degree in degrees.items() if degree == 3]
    if len(degrees) != 7 or len(hubs) != 2 or sum(degrees.values()) != 16:
        return False
    lengths = []
    for ahead in (w for w in graph[hubs[0]] if w in degrees):
        before, here, length = hubs[0], ahead, 1
        while here not in hubs:
            before, here = (here, next(w for w in graph[here] if w in degrees and w != before))
            length += 1
        lengths.append(length)
    return sorted(lengths) == [2, 3, 3]


def _theta0_reaches(
    graph: Graph, gate: int, block: list[int], tiles: list[int], goal: Sequence[int]
) -> bool:
    first = {v: tiles[v] for v in block}
    first[gate] = -1  # the blank, whatever the numbers of the tiles
    needed = tuple(-1 if v == gate else goal[v] for v in block)
    place = {v: i for i, v in enumerate(block)}
    seen = {tuple(first[v] for v in block)}
    waiting = deque(seen)
    while waiting:
        state = waiting.popleft()
        if state == needed:
            return True
        blank = state.index(-1)
        for w in graph[block[blank]]:
            if w in place:
                swapped = list(state)
                swapped[blank], swapped[place[w]] = swapped[place[w]], -1
                following = tuple(swapped)
                if following not in seen:
                    seen.add(following)
                    waiting.append(following)
    return False


def _is_bipartite(graph: Graph, root: int, members: set[int]) -> bool:
    colour = {root: 0}
    order = [root]
    for v in order:
        for w in graph[v]:
            if w in members and w not in colour:
                colour[w] = 1 - colour[v]
                order.append(w)
    return all(colour[v] != colour[w] for v in members for w in graph[v] if w in members)


def _has_cut_vertex(graph: Graph) -> bool:
    return len(blocks(graph, 0)) > 1


def _decide_exchange(
    graph: Graph, start: Sequence[int], goal: Sequence[int], name: CellName, check: Check
) -> Solvability:
    """Decide for several blanks: the classes of exchangeable tiles have to agree."""
    if not _has_cut_vertex(graph):
        return Solvability(True, "several blanks on a part without cut cells: all permutations")
    tiles, _ = same_blanks(graph, start, goal, check)
    blanks = [v for v, tile in enumerate(goal) if tile == 0]
    members: dict[int, list[int]] = {}
    for v, label in exchange_classes(graph, blanks, check).items():
        members.setdefault(label, []).append(v)
    for cells in members.values():
        held, needed = Counter(tiles[v] for v in cells), Counter(goal[v] for v in cells)
        if held != needed:
            where = f"the group of {len(cells)} exchangeable cells at {name(min(cells))}"
            return _misplaced(where, held, needed)
    return Solvability(
        True,
        f"with the blanks in place, each of the {len(members)} groups of exchangeable tiles holds "
        "what it must (Kornhauser, Miller and Spirakis 1984)",
    )
