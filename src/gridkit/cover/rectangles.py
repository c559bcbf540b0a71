"""Tilings of all rectangles of one width: a sequence from one sweep, and its recurrence."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from gridkit.cover.frontier.recurrence import Recurrence
from gridkit.cover.frontier.strip import Strip
from gridkit.errors import InputError, LimitReached, Partial
from gridkit.polyomino.polyomino import Polyomino
from gridkit.reading import read_bool, read_int
from gridkit.run import Limit, ProgressCallback, Run
from gridkit.value import Value

__all__ = ["RectangleCounts", "count_rectangles"]


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

    Examples
    --------
    >>> import gridkit as gk
    >>> counts = gk.cover.count_rectangles(gk.pieces.domino(), 2, [1, 2, 3, 4])
    >>> counts[4], counts.recurrence.coefficients
    (5, (1, 1))
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
        A node is a state moved over one cell.  There is no ``resume=``: what a sweep holds is a
        table of up to gigabytes, and the rectangles counted so far are in ``.partial``.
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
    with Run(limit=limit, progress=progress) as run:
        given = _checked_pieces(pieces)
        asked = _checked_heights(heights)
        columns = read_int(width, "count_rectangles: width", 1)
        if modulus is not None:
            modulus = read_int(modulus, "count_rectangles: modulus", 1)
        turned_over = read_bool(reflect, "count_rectangles: reflect")
        shapes = _shapes(given, turned_over)
        strip = _Counting(shapes, columns, max(asked, default=0), modulus, run)
        run.drive(strip)
        recurrence, counts = strip.recurrence, {}
        for height in asked:
            if height < len(strip.terms):
                counts[height] = strip.reduced(strip.terms[height])
            elif recurrence is not None:
                counts[height] = recurrence.term_within(run, height, modulus)
            else:
                raise LimitReached(
                    f"height {height} is out of reach: no recurrence was found in the first "
                    f"{len(strip.terms)} heights",
                    Partial(strip.value(), strip.nodes, 0, 0.0, run.seconds()),
                )
        return RectangleCounts(columns, modulus, counts, recurrence)


class _Counting(Strip):
    """The sweep down a strip, which leaves behind what the call returns."""

    def __init__(
        self,
        shapes: Sequence[Sequence[tuple[int, int]]],
        width: int,
        highest: int,
        modulus: int | None,
        run: Run,
    ) -> None:
        super().__init__(shapes, width, highest, run)
        self.modulus = modulus

    def reduced(self, number: int) -> int:
        """Return a number modulo what the caller asked for."""
        return number if self.modulus is None else number % self.modulus

    def value(self) -> RectangleCounts:
        """Return the numbers of all heights known so far."""
        known = {height: self.reduced(number) for height, number in enumerate(self.terms)}
        return RectangleCounts(self.width, self.modulus, known, self.recurrence)


def _checked_heights(heights: int | Iterable[int]) -> list[int]:
    what = "count_rectangles: heights"
    try:
        given = list(heights)  # type: ignore[arg-type]  # a single height is no iterable
    except TypeError:
        return [read_int(heights, what, 0)]
    return [read_int(height, what, 0) for height in given]


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


def _shapes(pieces: list[Polyomino], reflect: bool) -> list[Sequence[tuple[int, int]]]:
    distinct = {piece.canonical(reflect=reflect): piece for piece in pieces}
    return [
        shape.cells for piece in distinct.values() for shape in piece.orientations(reflect=reflect)
    ]
