"""Which engine counts a tiling, and why.

Measured rules, in this order:

1. An area or a surplus of chessboard colours that the pieces cannot make up: 0, no search.
2. Pieces free to be used any number of times: the frontier engine, whose effort does not depend
   on how many tilings there are, unless its states would not fit into memory; a determinant for
   dominoes on boards wider than sixteen cells.
3. Otherwise a search, with the region's symmetry broken on a piece used exactly once.  Sweeping
   cell by cell ("masks") is fastest on narrow regions (shortest side up to 6, 7 where they have at
   most 50 cells), fewest options first ("bitset") on wider ones, and problems of a few thousand
   nodes are searched on Python ints.
4. A search without a limit that is not done after some million nodes is given up for the frontier
   engine where that is expected to take less than what is left: many pieces with bounds that
   matter little have far more tilings than states.

A count that is split into parts, or goes on from a token, is always a search.  One tiling is
searched for briefly, and put together from small blocks that are tileable where that finds none (at
once on regions of thousands of cells).  Where that fails too, the search goes on for about as long
as a sweep would take; then a sweep gives a tiling, or proves that there is none; for dominoes on
wide boards a matching does.

The copies of a single piece follow from the area, so bounds that it meets are no bounds.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

from gridkit.cover import symmetry
from gridkit.cover.blocks.join import join_blocks
from gridkit.cover.determinant import kasteleyn
from gridkit.cover.determinant.matching import domino_tiling
from gridkit.cover.frontier import count as frontier
from gridkit.cover.frontier.count import FrontierEstimate
from gridkit.cover.frontier.memory import MemoryShort
from gridkit.cover.frontier.order import planned
from gridkit.cover.frontier.sample import draw, first_covering
from gridkit.cover.frontier.source import Words
from gridkit.cover.instance import Instance
from gridkit.cover.proof import Refutation
from gridkit.cover.proof.explain import colouring_refutation, simple_refutation
from gridkit.errors import InputError, Interrupted, LimitReached, Partial, UnsupportedError
from gridkit.run import Limit, Run

if TYPE_CHECKING:
    from gridkit.cover.search.listing import Seek

__all__ = [
    "METHODS",
    "Advice",
    "CountMethod",
    "ListMethod",
    "advise",
    "check_method",
    "count",
    "first",
    "is_unique",
    "refute",
    "sample",
    "solutions",
]

CountMethod = Literal[
    "auto", "search", "plain", "bitset", "masks", "sparse", "frontier", "kasteleyn"
]
ListMethod = Literal["auto", "search", "plain", "bitset", "sparse"]
METHODS = get_args(CountMethod)

_COUNT = "Tiling.count"
# What the frontier engine may hold when it is chosen unasked.
_FRONTIER_BYTES = 4 << 30
# Dominoes on wider boards: 2**16 states a step cost as much as the determinant.
_DETERMINANT_WIDTH = 16
# How long tilings are counted one by one before weighing that against a sweep, and what it takes
# to move a state with the copies used, in nodes of a search: measured, 2 to 6.
_PATIENT_NODES = 4_000_000
_NODES_A_VISIT = 6
# How long one tiling is searched for at least before a sweep decides, and how many states a sweep
# without copies moves in the time of a node of a search: measured, 300; the search takes a third.
_BRIEF_NODES = 50_000
_VISITS_A_NODE = 1000
_LIMITED_VISITS_A_NODE = 4  # nodes of such a search seldom tell more, and each takes longer
# Cells of regions on which no search is begun before blocks, or a matching, were tried.
_LARGE = 2500
_MANY_DOMINOES = 10_000
# How long a tiling is searched for before its impossibility is, and bytes up to which a sweep
# decides rather than a search.
_GLANCE = 20_000
_SWEEPABLE = 1 << 28


@dataclass(frozen=True, slots=True)
class Advice:
    """The engine that ``method="auto"`` counts with.

    Attributes
    ----------
    method : {"frontier", "kasteleyn", "search"}
    reason : str
    estimate : FrontierEstimate or None
        What counting by a sweep would cost; None where copies are limited, so that a search
        is tried first.

    Examples
    --------
    >>> import gridkit as gk
    >>> print(gk.Tiling(gk.Board.rectangle(2, 3), gk.pieces.domino(), copies=None).advice())
    frontier: any number of copies, and a frontier of 2 cells with about 4 states
    """

    method: Literal["frontier", "kasteleyn", "search"]
    reason: str
    estimate: FrontierEstimate | None

    def __str__(self) -> str:
        return f"{self.method}: {self.reason}"


def check_method(method: str) -> None:
    """Refuse the name of a method that does not exist."""
    if method not in METHODS:
        raise InputError(f"method must be one of {', '.join(METHODS)}, got {method!r}")


def advise(instance: Instance, run: Run, memory: int = _FRONTIER_BYTES) -> Advice:
    """Choose between sweeping, the determinant and searching.

    Parameters
    ----------
    instance : Instance
        The problem.
    run : Run
        The call.
    memory : int
        Bytes that a sweep may be expected to need.

    Examples
    --------
    >>> import gridkit as gk
    >>> board = gk.Board.rectangle(30, 30)
    >>> print(gk.Tiling(board, gk.pieces.domino(), copies=None).advice())
    kasteleyn: dominoes on a board whose frontier is 30 cells wide: a determinant is smaller
    >>> print(gk.Tiling(gk.Board.rectangle(6, 10), gk.pieces.pentominoes()).advice())
    search: copies are limited
    """
    if instance.limited:
        return Advice("search", "copies are limited", None)
    cost = frontier.estimate(instance, run)
    if cost.width > _DETERMINANT_WIDTH and kasteleyn.suits(instance):
        reason = (
            f"dominoes on a board whose frontier is {cost.width} cells wide: "
            "a determinant is smaller"
        )
        return Advice("kasteleyn", reason, cost)
    size = f"a frontier of {cost.width} cells with about {_rounded(cost.states)} states"
    if cost.memory <= memory:
        return Advice("frontier", f"any number of copies, and {size}", cost)
    return Advice("search", f"{size} would not fit into {memory >> 20} MiB", cost)


def _rounded(number: int) -> str:
    if number < 10_000:
        return str(number)
    return f"{float(number):.1e}" if number < 1 << 900 else "no end of"


def count(instance: Instance, method: str, fits: bool, up_to_symmetry: bool, run: Run) -> int:
    """Count the tilings (see `Tiling.count`); `fits` is False where there is known to be none."""
    instance = instance.unbounded()
    if method == "auto" and not run.in_parts and run.resume is None:
        if not fits:
            return 0
        sides = kasteleyn.rectangle(instance)
        if sides is not None and (min(sides) > _DETERMINANT_WIDTH or min(sides) == 1):
            # As `advise` says, which takes longer than the count; a line needs no sweep either.
            advised: str = "kasteleyn"
        else:
            advised = advise(instance, run).method
        if advised == "kasteleyn" and up_to_symmetry:
            advised = "frontier"
        if advised != "search":
            method = advised
    if method in ("frontier", "kasteleyn"):
        what = f"method {method!r}"
        run.without_resume(what)
        run.without_parts(what)
        return _count_without_search(instance, method, up_to_symmetry, run)
    return _count_by_search(instance, method, fits, up_to_symmetry, run)


def _count_without_search(instance: Instance, method: str, up_to_symmetry: bool, run: Run) -> int:
    """Count by a sweep or a determinant: everything, or orbits by what each symmetry fixes."""
    if method == "kasteleyn":
        if up_to_symmetry:
            raise UnsupportedError("method 'kasteleyn' does not count up to symmetry")
        return kasteleyn.count(instance, run)
    if not up_to_symmetry:
        return frontier.count(instance, run)
    if any(bounds != (0, None) for bounds in instance.copies):
        raise UnsupportedError(
            "method 'frontier' counts up to symmetry only pieces used any number of times"
        )
    group = symmetry.elements(instance, run)
    fixed = [instance, *(symmetry.fixed_instance(instance, element) for element in group[1:])]
    return frontier.count_sum(fixed, run) // len(group)


def _count_by_search(
    instance: Instance, method: str, fits: bool, up_to_symmetry: bool, run: Run
) -> int:
    from gridkit.cover.search import counting  # late: a small board needs no search

    # Symmetry is broken on a piece that is used once.
    breaks = up_to_symmetry or (1, 1) in instance.copies
    group = symmetry.elements(instance, run) if breaks else ()
    if up_to_symmetry:
        run.without_parts(f"{_COUNT}(up_to_symmetry=True)")
        tasks = counting.orbit_tasks(instance, group, method, run, fits=fits)
        return counting.count_orbits(tasks, run, _COUNT)
    tasks = counting.tiling_tasks(instance, group, method, run, fits=fits)
    if method == "auto" and run.limit == Limit() and run.resume is None and not run.in_parts:
        search = counting.product(tasks, run, _COUNT)
        if not run.drive(search, at_most=_PATIENT_NODES):
            if _sweep_is_shorter(instance, search.nodes, search.fraction(), run):
                return frontier.count(instance, run)
            run.drive(search)
        return search.value()
    return counting.count_product(tasks, run, _COUNT)


def _sweep_is_shorter(instance: Instance, nodes: int, fraction: float, run: Run) -> bool:
    """Whether counting by a sweep is expected to take less than the rest of a search."""
    cost = frontier.estimate(instance, run)
    remaining = nodes * (1 - fraction)
    return cost.memory <= _FRONTIER_BYTES and cost.visits * _NODES_A_VISIT * fraction < remaining


def solutions(instance: Instance, method: str, fits: bool, run: Run) -> Iterator[tuple[int, ...]]:
    """Iterate over the tilings as increasing placement numbers (see `Tiling.solutions`)."""
    from gridkit.cover.search import listing  # late: a small board needs no search

    _check_listing(method)
    if not fits:
        return iter(())
    return listing.solutions(instance.matrix, run, method=_engine(method), call="Tiling.solutions")


def _engine(method: str) -> str:
    return "auto" if method == "search" else method


def first(instance: Instance, method: str, fits: bool, run: Run) -> tuple[int, ...] | None:
    """Return one tiling or None (see `Tiling.first`)."""
    from gridkit.cover.search import listing  # late: a small board needs no search

    _check_listing(method)
    if not fits:
        return None
    # A call that goes on from a token within limits tried to sweep before, and was cut short.
    other_ways = method == "auto" and (run.resume is None or run.limit == Limit())
    cells = len(instance.coordinates)
    if other_ways and cells > _MANY_DOMINOES and kasteleyn.suits(instance):
        return domino_tiling(instance, run)
    joined = join_blocks(instance, run) if other_ways and cells > _LARGE else None
    if joined is not None:
        return joined
    seek = listing.seek(instance.matrix, 1, run, method=_engine(method), call="Tiling.first")
    if other_ways and not run.drive(seek, at_most=_BRIEF_NODES):
        try:
            if cells <= _LARGE and not kasteleyn.suits(instance):
                joined = join_blocks(instance, run)
                if joined is not None:
                    return joined
            sweep = _sweep_instead(instance, seek, run)
            if sweep is not None:
                return (first_covering if sweep == "frontier" else domino_tiling)(instance, run)
        except (LimitReached, Interrupted) as reached:
            _raise_beside(reached, seek, run)
    run.drive(seek)
    return seek.solutions[0] if seek.solutions else None


def is_unique(instance: Instance, method: str, fits: bool, run: Run) -> bool:
    """Whether there is exactly one tiling (see `Tiling.is_unique`)."""
    from gridkit.cover.search import listing  # late: a small board needs no search

    _check_listing(method)
    if not fits:
        return False
    seek = listing.seek(instance.matrix, 2, run, method=_engine(method), call="Tiling.is_unique")
    other_ways = method == "auto" and (run.resume is None or run.limit == Limit())
    if other_ways and not run.drive(seek, at_most=_BRIEF_NODES):
        sweep = _sweep_instead(instance, seek, run)
        if sweep is not None:
            counted = frontier.count if sweep == "frontier" else kasteleyn.count
            try:
                return counted(instance, run) == 1
            except LimitReached as reached:
                _raise_beside(reached, seek, run)
    run.drive(seek)
    return seek.found == 1


def sample(instance: Instance, below: Words, n: int, run: Run) -> list[tuple[int, ...]]:
    """Draw tilings uniformly; none where there is none (see `Tiling.sample`)."""
    if kasteleyn.suits(instance) and _width(instance, run) > _DETERMINANT_WIDTH:
        from gridkit.cover.coupling import past  # late: it loads numba

        if past.suits(instance, run):
            return past.draw(instance, below, n, run)
    return draw(instance, below, n, run)


def _width(instance: Instance, run: Run) -> int:
    """Return how many cells wide the frontier of a sweep becomes."""
    return max((sweep.peak for sweep in planned(instance, run)), default=0)


def _check_listing(method: str) -> None:
    if method in ("masks", "frontier", "kasteleyn"):
        raise UnsupportedError(f"method {method!r} counts only: it gives no solutions")


def _sweep_instead(
    instance: Instance, seek: Seek, run: Run
) -> Literal["frontier", "kasteleyn"] | None:
    """Search on about as long as a sweep would take; return the engine to sweep with after that.

    None where the search is over, or where a sweep is out of reach.
    """
    advice = advise(instance, run)
    if advice.method == "kasteleyn":
        return "kasteleyn"
    cost = advice.estimate or frontier.estimate(instance, run)
    if cost.memory > _FRONTIER_BYTES:
        return None
    nodes = cost.visits // (_LIMITED_VISITS_A_NODE if instance.limited else _VISITS_A_NODE)
    return None if run.drive(seek, at_most=max(0, nodes - _BRIEF_NODES)) else "frontier"


def _raise_beside(reached: LimitReached | Interrupted, seek: Seek, run: Run) -> None:
    """Raise what cut another way short with the token of the search, unless memory was short."""
    if isinstance(reached, MemoryShort) and run.limit.memory is None:
        return
    partial = reached.partial
    partial = Partial(None, partial.nodes, seek.found, seek.fraction(), run.seconds())
    if isinstance(reached, Interrupted):
        raise Interrupted(partial, run.token(seek.token())) from None
    raise LimitReached(reached.reason, partial, run.token(seek.token())) from None


def refute(
    instance: Instance, sizes: Sequence[int], names: Sequence[str], run: Run
) -> Refutation | None:
    """Say why there is no tiling, or return None: there is one (see `Tiling.explain`)."""
    argument = simple_refutation(instance, sizes, names, run)
    if argument is not None:
        return argument
    from gridkit.cover.search import listing  # late: a small board needs no search

    seek = listing.Seek(instance.matrix, "auto", 1, run)
    nodes = run.limit.nodes
    glance = _GLANCE if nodes is None else min(_GLANCE, nodes - 1)
    if glance > 0 and run.drive(seek, at_most=glance) and seek.solutions:
        return None
    argument = colouring_refutation(instance, names, run)
    if argument is not None:
        return argument
    if frontier.estimate(instance, run).memory <= _SWEEPABLE:
        tileable = frontier.count(instance, run) > 0
    else:
        tileable = first(instance, "auto", True, run) is not None
    if tileable:
        return None
    reason = "every way to lay the pieces was tried, and none covers the region"
    return Refutation("exhausted", reason)
