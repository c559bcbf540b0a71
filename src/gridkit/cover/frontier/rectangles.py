"""Tilings of all rectangles of one width: a sequence from one sweep, and its recurrence."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence

from gridkit.cover.frontier.fronts import KernelFront, Plan
from gridkit.cover.frontier.order import plan_sweep
from gridkit.cover.frontier.recurrence import Recurrence, find_recurrence
from gridkit.cover.memory import MemoryGuard
from gridkit.cover.tiling import Tiling
from gridkit.errors import InputError, LimitReached
from gridkit.grid.board import Board
from gridkit.polyomino.polyomino import Polyomino
from gridkit.run.control import Limit, Partial, ProgressCallback, drive
from gridkit.value import Value

__all__ = ["RectangleCounts", "count_rectangles"]

States = dict[int, int]
_ENTRY = 200  # bytes that a dictionary entry takes, roughly
_MATRIX = 3000  # rows of a transfer matrix that is worth writing down
_PATIENCE = 1 << 19  # states moved in the search for a recurrence that no height asks for
_DIRECT = 1 << 24  # states moved before a height is left to a recurrence
_LOOK_EVERY = 8  # terms
_WIDE = 1 << 13  # states that kernels move faster than dictionaries
_TALL = 4096  # rows of a board that is laid out for the kernels


class RectangleCounts(Value, Mapping[int, int]):
    """Numbers of tilings by height: a mapping from the heights asked for.

    Attributes
    ----------
    width : int
    modulus : int or None
        What the numbers are taken modulo.
    counts : mapping
        From height to number of tilings.
    recurrence : Recurrence or None
        Of the numbers of tilings by height, from height 0 (one tiling) on; None where no
        recurrence was found in reasonable time.
    """

    width: int
    modulus: int | None
    counts: Mapping[int, int]
    recurrence: Recurrence | None

    _fields = ("width", "modulus", "counts", "recurrence")

    def __init__(
        self,
        width: int,
        modulus: int | None,
        counts: Mapping[int, int],
        recurrence: Recurrence | None,
    ) -> None:
        self._put(width=width, modulus=modulus, counts=dict(counts), recurrence=recurrence)

    def __getitem__(self, height: int) -> int:
        return self.counts[height]

    def __iter__(self) -> Iterator[int]:
        return iter(self.counts)

    def __len__(self) -> int:
        return len(self.counts)


def count_rectangles(
    pieces: Iterable[Polyomino] | Mapping[str, Polyomino],
    width: int,
    heights: int | Iterable[int],
    modulus: int | None = None,
    *,
    reflect: bool = False,
    limit: Limit | None = None,
    progress: ProgressCallback | None = None,
) -> RectangleCounts:
    """Count the tilings of the rectangles of one width and many heights, in one sweep.

    Parameters
    ----------
    pieces : iterable of Polyomino, or mapping from names
        Used any number of times each; may be turned.
    width : int
        Number of columns.
    heights : int or iterable of int
        Numbers of rows, each at least 0; a single height is the same as a list of one.
    modulus : int, optional
        Give the numbers modulo this, which lets heights be huge.
    reflect : bool
        Whether pieces may be turned over.
    limit : Limit, optional
        A node is a state moved over one cell.
    progress : callable, optional
        Called with a `Progress` about ten times a second.

    Returns
    -------
    RectangleCounts
        Maps each height to its number of tilings; carries the recurrence that they keep, and
        whether it is proved.  Heights beyond the sweep are taken from the recurrence.

    Raises
    ------
    InputError
        For arguments that are none of these.
    LimitReached
        When a limit is met, or when a height is out of reach because no recurrence is found.

    Examples
    --------
    >>> import gridkit as gk
    >>> dominoes = count_rectangles(gk.pieces.domino(), 4, [2, 4, 10**6], modulus=1000)
    >>> dict(dominoes)
    {2: 5, 4: 36, 1000000: 361}
    >>> print(dominoes.recurrence)
    a(n) = a(n-1) + 5 a(n-2) + a(n-3) - a(n-4), proved
    """
    given = _checked_pieces(pieces)
    wanted = _checked_heights(heights)
    _check_int("width", width, 1)
    if modulus is not None:
        _check_int("modulus", modulus, 1)
    guard = MemoryGuard(None if limit is None else limit.memory)
    work = _Strip(given, reflect, width, max(wanted, default=0), guard)
    drive(work, limit=limit, progress=progress)
    counts = {}
    for height in wanted:
        if height < len(work.terms):
            number = work.terms[height]
            counts[height] = number if modulus is None else number % modulus
        elif work.recurrence is not None:
            counts[height] = work.recurrence.term(height, modulus)
        else:
            raise LimitReached(
                f"height {height} is out of reach: no recurrence was found in the first "
                f"{len(work.terms)} heights",
                Partial(dict(enumerate(work.terms)), work.nodes, 0, 0.0, 0.0),
            )
    return RectangleCounts(width, modulus, counts, work.recurrence)


def _check_int(name: str, value: object, least: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise InputError(f"{name}: expected an int >= {least}, got {value!r}")


def _checked_heights(heights: int | Iterable[int]) -> list[int]:
    given: Sequence[object]
    try:
        given = [heights] if isinstance(heights, int) else list(heights)
    except TypeError:
        raise InputError(f"heights: expected an int or ints, got {heights!r}") from None
    for height in given:
        _check_int("heights", height, 0)
    return [height for height in given if isinstance(height, int)]


def _checked_pieces(pieces: Iterable[Polyomino] | Mapping[str, Polyomino]) -> list[Polyomino]:
    if isinstance(pieces, Polyomino):  # iterable too, over its cells
        raise InputError(f"pieces: expected polyominoes in a list, got the single {pieces!r}")
    try:
        given = list(pieces.values() if isinstance(pieces, Mapping) else pieces)
    except TypeError:
        raise InputError(f"pieces: expected polyominoes, got {pieces!r}") from None
    for number, piece in enumerate(given):
        if not isinstance(piece, Polyomino):
            raise InputError(f"pieces: expected a Polyomino, but piece {number} is {piece!r}")
    return given


def _shapes(pieces: list[Polyomino], reflect: bool) -> list[Polyomino]:
    distinct = {piece.canonical(reflect=reflect): piece for piece in pieces}
    return [shape for piece in distinct.values() for shape in piece.orientations(reflect=reflect)]


def _masks(shapes: list[Polyomino], width: int) -> list[list[int]]:
    """For each column the placements whose first cell it holds, bit k the cell k places on."""
    masks: list[list[int]] = [[] for _ in range(width)]
    for shape in shapes:
        first = min(shape.cells).col
        for column in range(first, width - (shape.cols - 1 - first)):
            masks[column].append(sum(1 << (row * width + col - first) for row, col in shape.cells))
    return masks


def _settle(states: States, masks: list[int]) -> States:
    """Settle one cell; bit 0 of a state is the cell, bit k the cell k places on."""
    after: States = {}
    known = after.get
    for state, ways in states.items():
        if state & 1:
            state >>= 1
            after[state] = known(state, 0) + ways
            continue
        for mask in masks:
            if not state & mask:
                following = (state | mask) >> 1
                after[following] = known(following, 0) + ways
    return after


class _Strip:
    """A sweep down a strip, row by row, that also looks for the recurrence, as work in chunks."""

    def __init__(
        self,
        pieces: list[Polyomino],
        reflect: bool,
        width: int,
        highest: int,
        guard: MemoryGuard,
    ) -> None:
        self.terms = [1]
        self.recurrence: Recurrence | None = None
        self._pieces = pieces
        self._reflect = reflect
        self._width = width
        self._masks = _masks(_shapes(pieces, reflect), width)
        self._highest = highest
        self._guard = guard
        self._held = 1
        self._run = self._work()
        self.nodes = 0
        self.found = 0

    def fraction(self) -> float:
        return min(1.0, len(self.terms) / (self._highest + 1))

    def memory(self) -> int:
        return _ENTRY * self._held

    def value(self) -> dict[int, int]:
        return dict(enumerate(self.terms))

    def token(self) -> object:
        return None

    def advance(self, budget: int) -> bool:
        for spent in self._run:
            self.nodes += spent
            budget -= spent
            if budget <= 0:
                return False
        return True

    def _work(self) -> Generator[int, None, None]:
        """Yield the states moved, cell by cell."""
        useful = yield from self._useful_states()
        count = None if useful is None else len(useful)
        states: States = {0: 1}
        look_at = _LOOK_EVERY
        while not self._enough():
            for masks in self._masks:
                states = _settle(states, masks)
                self._hold(2 * len(states))
                yield len(states) + 1
            if useful is not None:
                states = {state: ways for state, ways in states.items() if state in useful}
            self.terms.append(states.get(0, 0))
            if len(states) > _WIDE and self._highest < _TALL:
                yield from self._in_kernels()
                return
            if len(self.terms) >= look_at:
                look_at += max(_LOOK_EVERY, look_at // 4)
                self.recurrence = find_recurrence(self.terms, count)
        if self.recurrence is None or not self.recurrence.proved:
            self.recurrence = find_recurrence(self.terms, count)

    def _hold(self, states: int) -> None:
        self._held = states
        self._guard.check(self.memory(), states)

    def _enough(self) -> bool:
        """Whether all heights can be told, and a recurrence is proved or not worth more."""
        if self.recurrence is not None and self.recurrence.proved:
            return True
        if len(self.terms) > self._highest:
            return self.nodes > _PATIENCE
        if self.recurrence is not None:
            return self.nodes > _DIRECT
        return self.nodes > 64 * _DIRECT and 4 * len(self.terms) < self._highest

    def _useful_states(self) -> Generator[int, None, set[int] | None]:
        """Return the states at row ends that lie between empty and empty, None if too many."""
        leads_to: dict[int, list[int]] = {}
        waiting = [0]
        while waiting:
            state = waiting.pop()
            if state in leads_to:
                continue
            states: States = {state: 1}
            for masks in self._masks:
                states = _settle(states, masks)
                yield len(states) + 1
            leads_to[state] = list(states)
            waiting.extend(states)
            if len(leads_to) > _MATRIX or self.nodes > _PATIENCE:
                return None
        comes_from: dict[int, list[int]] = {}
        for state, followers in leads_to.items():
            for follower in followers:
                comes_from.setdefault(follower, []).append(state)
        useful: set[int] = set()
        waiting = [0]
        while waiting:
            state = waiting.pop()
            if state not in useful:
                useful.add(state)
                waiting.extend(comes_from.get(state, ()))
        return useful

    def _in_kernels(self) -> Generator[int, None, None]:
        """Sweep down a board of the greatest height instead, without a recurrence."""
        board = Tiling(
            Board.rectangle(self._highest, self._width), self._pieces, None, self._reflect
        )
        sweep = plan_sweep(board.instance, order=range(self._highest * self._width))
        front = KernelFront(Plan(sweep), 0, len(sweep.steps), self._guard)
        del self.terms[1:]
        while len(self.terms) <= self._highest:
            before = front.nodes
            if front.advance(1 << 16, len(self.terms) * self._width):
                self.terms.append(front.ways_of_empty())
            self._held = front.memory() // _ENTRY
            yield front.nodes - before + 1
